//! `haversack_tally`: the books of a run.

use haversack::tally::{Boundary, Sums, Survival, Tally};

use crate::account::{haversack_account, haversack_counts};
use crate::boundary::{free_handle, into_handle, live, live_mut};
use crate::choices::{chosen, name_of, of_code};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Where something can be left out of what a model sees. More may come.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_boundary {
    /// A tool result was cut.
    HAVERSACK_BOUNDARY_DELIVERY = 1,
    /// Fields were left out by request.
    HAVERSACK_BOUNDARY_FIELD_FILTER = 2,
    /// A result was stored elsewhere.
    HAVERSACK_BOUNDARY_OFFLOAD = 3,
    /// An old result became one line.
    HAVERSACK_BOUNDARY_CLEAR = 4,
    /// Messages became a summary.
    HAVERSACK_BOUNDARY_SUMMARISE = 5,
    /// A slice of memory was taken.
    HAVERSACK_BOUNDARY_MEMORY = 6,
    /// Tools were chosen.
    HAVERSACK_BOUNDARY_LOADOUT = 7,
    /// Workers handed back.
    HAVERSACK_BOUNDARY_HANDOFF = 8,
}

/// The books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls. Functions
/// that take it without `const` need it for themselves.
#[derive(Debug)]
pub struct haversack_tally(Tally);

/// The sums of one boundary.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_sums {
    /// How often something went through.
    pub calls: u64,
    /// Records: they close.
    pub records: haversack_counts,
    /// Bytes of the source: they close.
    pub bytes: haversack_counts,
    /// Of the records that are offloaded or omitted, those that can still be fetched.
    pub recoverable: u64,
    /// The same in bytes.
    pub recoverable_bytes: u64,
    /// Records that nobody can fetch any more: omitted and not recoverable. (Shrunk ones are there in part.)
    pub lost: u64,
}

/// A list of keys with how often each arrived. It never changes, and needs the tally no more.
#[derive(Debug)]
pub struct haversack_survivals(Vec<Survival>);

/// How often a key arrived.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_survival {
    /// The key. Lives as long as the list.
    pub key: haversack_str,
    /// In how many calls it was there before.
    pub calls: u64,
    /// In how many of them it was there afterwards.
    pub arrived: u64,
    /// Arrived of calls in parts per 10,000, rounded down.
    pub per_10_000: u32,
    /// 1 when it almost never arrives: in less than one of 20, over at least 20 calls.
    pub rare: u32,
}

/// Books with nothing in them, to be freed with `haversack_tally_free`. NULL only after a panic inside the library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_tally_new() -> *mut haversack_tally {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_tally(Tally::new())) })
}

/// Frees a tally, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_free(tally: *mut haversack_tally) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(tally) } });
}

/// Adds the account of one call at `boundary`, a `haversack_boundary`. What was offloaded can be fetched; `recoverable`
/// says whether what was omitted can be too, since the host still has the source. After an error the books are as they
/// were.
///
/// Errors: `HAVERSACK_OPEN_BOOKS` where the parts of an account do not sum to its total; `HAVERSACK_LIMIT_EXCEEDED`
/// where a sum would pass 2^53; `HAVERSACK_INVALID_OPTION` for argument `boundary`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_add(
    tally: *mut haversack_tally,
    boundary: u32,
    account: haversack_account,
    recoverable: bool,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract null or a live handle that nothing else uses.
        let tally = unsafe { &mut live_mut(tally, "tally")?.0 };
        let boundary: Boundary = chosen(boundary, "boundary")?;
        tally.add(boundary, &account.try_into()?, recoverable)?;
        Ok(())
    })
}

/// Says of a key that was there before a boundary whether it was there afterwards; the key is copied.
///
/// Errors: `HAVERSACK_LIMIT_EXCEEDED` for a key longer than 1,024 bytes, and for one more than 4,096 different ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_seen(
    tally: *mut haversack_tally,
    key: haversack_str,
    arrived: bool,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract null or a live handle that nothing else uses, and a valid text.
        unsafe { live_mut(tally, "tally")?.0.seen(key.text("key")?, arrived)? };
        Ok(())
    })
}

/// Writes the first `capacity` boundaries that something went through, each a `haversack_boundary`, in the order of
/// their numbers, to `boundaries` and answers how many there are. `boundaries` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_boundaries(
    tally: *const haversack_tally,
    boundaries: *mut u32,
    capacity: usize,
) -> usize {
    boundary!(get tally => {
        // SAFETY: by contract `boundaries` covers `capacity` entries.
        unsafe { fill(boundaries, capacity, tally.0.boundaries().map(|(boundary, _)| boundary.code())) };
        tally.0.boundaries().count()
    }, or 0)
}

/// The sums of a `haversack_boundary`. False, and nothing written, where nothing went through, and for a number that is
/// none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_sums(
    tally: *const haversack_tally,
    boundary: u32,
    out_sums: *mut haversack_sums,
) -> bool {
    boundary!(get tally => {
        let sums = of_code::<Boundary>(boundary).and_then(|boundary| tally.0.sums(boundary));
        write_part(sums.as_ref(), out_sums, sums_view)
    }, or false)
}

/// How often each key arrived, the rarest first. `n log n` in the keys.
///
/// On success `*out_survivals` is to be freed with `haversack_survivals_free`; it may be empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_survival(
    tally: *const haversack_tally,
    out_survivals: *mut *mut haversack_survivals,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_survivals), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_survivals.write(into_handle(haversack_survivals(live(tally, "tally")?.0.survival()))) };
        Ok(())
    })
}

/// Frees a list of keys, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_survivals_free(survivals: *mut haversack_survivals) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(survivals) } });
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_survivals_count(survivals: *const haversack_survivals) -> usize {
    boundary!(get survivals => survivals.0.len(), or 0)
}

/// The key of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_survivals_get(
    survivals: *const haversack_survivals,
    index: usize,
    out_survival: *mut haversack_survival,
) -> bool {
    boundary!(get survivals => write_part(survivals.0.get(index), out_survival, |one| haversack_survival {
        key: haversack_str::of(&one.key),
        calls: one.calls,
        arrived: one.arrived,
        per_10_000: u32::try_from(one.per_10_000).unwrap_or(u32::MAX),
        rare: one.rare.into(),
    }), or false)
}

/// One line a boundary with its records, then one line a key, the rarest first, to be freed with
/// `haversack_string_free`. Keys are escaped and cut to 120 characters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_table(
    tally: *const haversack_tally,
    out_text: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_text.write(haversack_string::owning(live(tally, "tally")?.0.table())) };
        Ok(())
    })
}

/// The boundaries as a picture, an SVG document to be freed with `haversack_string_free`: one bar each, of what was
/// kept, shrunk, can be fetched and is lost. It holds no text from outside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_svg(
    tally: *const haversack_tally,
    out_text: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_text.write(haversack_string::owning(live(tally, "tally")?.0.to_svg())) };
        Ok(())
    })
}

/// The books as versioned JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_json(
    tally: *const haversack_tally,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(tally, "tally")?.0.to_json())) };
        Ok(())
    })
}

/// Books from what `haversack_tally_json` wrote, to be freed with `haversack_tally_free`. Errors:
/// `HAVERSACK_INVALID_STATE`: no such JSON (offset), another version, or books that cannot be (index).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tally_from_json(
    json: haversack_str,
    out_tally: *mut *mut haversack_tally,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_tally), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_tally.write(into_handle(haversack_tally(Tally::from_json(json.text("json")?)?))) };
        Ok(())
    })
}

/// The name of a `haversack_boundary`, such as `field_filter`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_boundary_name(boundary: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Boundary>(boundary) })
}

fn sums_view(sums: &Sums) -> haversack_sums {
    haversack_sums {
        calls: sums.calls,
        records: (&sums.records).into(),
        bytes: (&sums.bytes).into(),
        recoverable: sums.recoverable,
        recoverable_bytes: sums.recoverable_bytes,
        lost: sums.lost(),
    }
}
