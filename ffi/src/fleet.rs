//! `haversack_fleet` counts workers, and `haversack_session` is what a session leaves for the next one.

use haversack::{Feature, Fleet, HandoffKind, Ledger, SessionFile, read_features, session_files};

use crate::account::haversack_account;
use crate::boundary::{Outcome, entries, free_handle, into_handle, live, live_mut};
use crate::choices::{of_code, yes};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::handoff::haversack_handoff;
use crate::ledger::haversack_ledger;
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string, haversack_strs};

/// How many workers handed back what: a silent one is counted as silent, never as one that found nothing. Functions
/// that take it without `const` need it for themselves.
#[derive(Debug)]
pub struct haversack_fleet(Fleet);

/// Something that is to work in the end, and whether it does.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_feature {
    /// What is to work. What the library gives lives as long as the list it came from.
    pub name: haversack_str,
    /// 1 when it does, 0 when it does not.
    pub passes: u32,
    /// Reserved: 0.
    pub reserved: u32,
}

/// A list of features. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_features(Vec<Feature>);

/// The files of a session. They never change, so threads may read them at once, and need the ledger no more.
#[derive(Debug)]
pub struct haversack_session(Vec<SessionFile>);

/// A file for the next session. Its texts live as long as the session.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_session_file {
    /// `progress.md`, `features.json` or `ledger.json`.
    pub name: haversack_str,
    /// What is in it.
    pub text: haversack_str,
}

/// Options of `haversack_session_new`. `{0}` is all defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_session_options {
    /// `sizeof(haversack_session_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// What is done, one line each. Default: nothing.
    pub done: haversack_strs,
    /// What is next, one line each. Default: nothing.
    pub next: haversack_strs,
    /// What is to work, and whether it does. NULL with `feature_count` 0: nothing.
    pub features: *const haversack_feature,
    /// How many features there are.
    pub feature_count: usize,
}

/// No worker yet, to be freed with `haversack_fleet_free`. NULL only after a panic inside the library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_fleet_new() -> *mut haversack_fleet {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_fleet(Fleet::new())) })
}

/// Frees a fleet, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_free(fleet: *mut haversack_fleet) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(fleet) } });
}

/// Counts a worker; the handoff is needed no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_add(
    fleet: *mut haversack_fleet,
    handoff: *const haversack_handoff,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract null or live handles, of which nothing else uses the first.
        unsafe { live_mut(fleet, "fleet")?.0.add(&live(handoff, "handoff")?.0) };
        Ok(())
    })
}

/// How many handed back this, a `haversack_handoff_kind`; 0 for a number that is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_count(fleet: *const haversack_fleet, kind: u32) -> u64 {
    boundary!(get fleet => of_code::<HandoffKind>(kind).map_or(0, |kind| fleet.0.count(kind)), or 0)
}

/// How many workers there were.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_total(fleet: *const haversack_fleet) -> u64 {
    boundary!(get fleet => fleet.0.total(), or 0)
}

/// The books of this boundary, for `haversack_tally_add`: workers as records, what they returned in bytes; findings and
/// explicit nothings are kept, all others omitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_account(fleet: *const haversack_fleet) -> haversack_account {
    boundary!(get fleet => (&fleet.0.account()).into(), or haversack_account::default())
}

/// One line a kind, and the total first, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_table(
    fleet: *const haversack_fleet,
    out_text: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_text.write(haversack_string::owning(live(fleet, "fleet")?.0.table())) };
        Ok(())
    })
}

/// `{"total": n, "findings": n, ...}` with every kind, as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_fleet_json(
    fleet: *const haversack_fleet,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(fleet, "fleet")?.0.to_json())) };
        Ok(())
    })
}

/// The three files that a session leaves for the next one: `progress.md` to be read, `features.json`
/// (`haversack_read_features`) and `ledger.json` to be loaded. `date` is the day, `YYYY-MM-DD`, `goal` what is to be
/// reached; `ledger` may be NULL, which is an empty one, and so may `options`. No text makes a heading.
///
/// On success `*out_session` is to be freed with `haversack_session_free`. Errors: `HAVERSACK_INVALID_OPTION` for
/// argument `date`: it is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_session_new(
    date: haversack_str,
    goal: haversack_str,
    ledger: *const haversack_ledger,
    options: *const haversack_session_options,
    out_session: *mut *mut haversack_session,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_session), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let (date, goal) = (date.text("date")?, goal.text("goal")?);
            let given = sized::read(options, "options")?;
            let (done, next) = (given.done.list("done")?, given.next.list("next")?);
            let features = features_of(given.features, given.feature_count)?;
            let empty = Ledger::new();
            let ledger = ledger.as_ref().map_or(&empty, |ledger| &ledger.0);
            let files = session_files(date, goal, &done, &next, &features, ledger)?;
            out_session.write(into_handle(haversack_session(files)));
        }
        Ok(())
    })
}

/// Frees the files of a session, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_session_free(session: *mut haversack_session) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(session) } });
}

/// How many files there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_session_count(session: *const haversack_session) -> usize {
    boundary!(get session => session.0.len(), or 0)
}

/// The file of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_session_get(
    session: *const haversack_session,
    index: usize,
    out_file: *mut haversack_session_file,
) -> bool {
    boundary!(get session => write_part(session.0.get(index), out_file, |file| haversack_session_file {
        name: haversack_str::of(&file.name),
        text: haversack_str::of(&file.text),
    }), or false)
}

/// Reads a `features.json`. Linear in the text.
///
/// On success `*out_features` is to be freed with `haversack_features_free`; it may be empty. Errors:
/// `HAVERSACK_INVALID_STATE`, with the offset where it is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_read_features(
    json: haversack_str,
    out_features: *mut *mut haversack_features,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_features), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_features.write(into_handle(haversack_features(read_features(json.text("json")?)?))) };
        Ok(())
    })
}

/// Frees a list of features, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_features_free(features: *mut haversack_features) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(features) } });
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_features_count(features: *const haversack_features) -> usize {
    boundary!(get features => features.0.len(), or 0)
}

/// The feature of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_features_get(
    features: *const haversack_features,
    index: usize,
    out_feature: *mut haversack_feature,
) -> bool {
    boundary!(get features => write_part(features.0.get(index), out_feature, |feature| haversack_feature {
        name: haversack_str::of(&feature.name),
        passes: feature.passes.into(),
        reserved: 0,
    }), or false)
}

/// Reads a list of features.
///
/// # Safety
/// `features` is null or covers `count` readable entries, each with a valid text.
unsafe fn features_of(features: *const haversack_feature, count: usize) -> Outcome<Vec<Feature>> {
    // SAFETY: by contract.
    let features = unsafe { entries(features, count, "features")? };
    let read = |entry: &haversack_feature| {
        if entry.reserved != 0 {
            return Err(haversack_error::bad_argument("features", "has a reserved member that is not 0"));
        }
        // SAFETY: by contract.
        let name = unsafe { entry.name.text("features")? };
        Ok(Feature { name: name.to_owned(), passes: yes(entry.passes, "passes")? })
    };
    features.iter().enumerate().map(|(index, entry)| read(entry).map_err(|e| e.numbered(index))).collect()
}

versioned!(haversack_session_options { size, done, next, features, feature_count } first: feature_count);
