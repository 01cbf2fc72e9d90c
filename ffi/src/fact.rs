//! `haversack_facts`: what a ledger answers, and `haversack_extracted`: what was recorded of a result.

use haversack::{Extracted, Fact, FactKind, FactOptions, Recorded, Sighting};

use crate::account::haversack_account;
use crate::boundary::{Outcome, free_handle, live};
use crate::choices::{chosen_or_default, name_of, yes};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// What a fact is. The order is that in which a budget takes them.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_fact_kind {
    /// A fact.
    HAVERSACK_FACT_DEFAULT = 0,
    /// What must hold.
    HAVERSACK_FACT_CONSTRAINT = 1,
    /// What was decided.
    HAVERSACK_FACT_DECISION = 2,
    /// What is to be done.
    HAVERSACK_FACT_TASK = 3,
    /// A name, number or path that has to be exact.
    HAVERSACK_FACT_IDENTIFIER = 4,
    /// Anything else that is known.
    HAVERSACK_FACT_FACT = 5,
}

/// What became of a value that was recorded. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_recorded {
    /// One that this header does not know.
    HAVERSACK_RECORDED_UNKNOWN = 0,
    /// It is a new line.
    HAVERSACK_RECORDED_ADDED = 1,
    /// It holds now; the earlier value is in the history.
    HAVERSACK_RECORDED_UPDATED = 2,
    /// It was there already: its source is added to the fact.
    HAVERSACK_RECORDED_MERGED = 3,
    /// It is of an earlier turn than the value that holds, and went into the history.
    HAVERSACK_RECORDED_OLDER = 4,
}

/// What is said of a value when it is recorded. `{0}` is all defaults; a turn is given by pointing to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_fact_options {
    /// `sizeof(haversack_fact_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Where it comes from, at most 4 KiB: `user`, `system`, `agent`, `tool`, `page`, `email` or `file`, and after a
    /// colon which one (`tool:c1`). Default, and for whatever starts otherwise: unknown, which is not trusted.
    pub source: haversack_str,
    /// In which turn, step or message, 0 to 2^53. Of two values of one key the one of the later turn holds; without
    /// turns the one that is recorded later. Default: NULL, none.
    pub turn: *const u64,
    /// A `haversack_fact_kind`. Default: a fact.
    pub kind: u32,
    /// 1 when the host checked it. Default: 0.
    pub verified: u32,
}

/// Facts as a ledger had them when it was asked. The list never changes, so threads may read it at once, and it needs
/// the ledger no more.
#[derive(Debug)]
pub struct haversack_facts(pub(crate) Vec<Fact>);

/// One value of a key. Its texts live as long as the list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_fact {
    /// Its key, as it was given.
    pub key: haversack_str,
    /// The value as JSON, in the spelling in which it was recorded.
    pub value: haversack_str,
    /// Where it comes from: of several sightings the most trusted one, of these a verified one, of these the first.
    pub source: haversack_str,
    /// When it was stated there; 0 where `has_turn` is 0.
    pub turn: u64,
    /// How many other sightings it has.
    pub also: usize,
    /// 1 when it was stated in a turn.
    pub has_turn: u32,
    /// A `haversack_fact_kind`.
    pub kind: u32,
    /// 1 when the host checked it.
    pub verified: u32,
    /// 1 when another value took its place.
    pub superseded: u32,
}

/// One more time that a value was stated. Its text lives as long as the list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_sighting {
    /// Where.
    pub source: haversack_str,
    /// When; 0 where `has_turn` is 0.
    pub turn: u64,
    /// 1 when it was stated in a turn.
    pub has_turn: u32,
    /// 1 when the host checked it there.
    pub verified: u32,
}

/// A field of a result: the key of its fact, and where it stands.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_field {
    /// The key under which it is recorded.
    pub key: haversack_str,
    /// JSON Pointer (RFC 6901, without stars) to the value in the result.
    pub pointer: haversack_str,
}

/// A result of which the fields that were asked for are recorded: now it may leave the prompt. It never changes, so
/// threads may read it at once.
#[derive(Debug)]
pub struct haversack_extracted(pub(crate) Extracted);

/// Frees a list of facts, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_facts_free(facts: *mut haversack_facts) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(facts) } });
}

/// How many facts there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_facts_count(facts: *const haversack_facts) -> usize {
    boundary!(get facts => facts.0.len(), or 0)
}

/// The fact of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_facts_get(
    facts: *const haversack_facts,
    index: usize,
    out_fact: *mut haversack_fact,
) -> bool {
    boundary!(get facts => write_part(facts.0.get(index), out_fact, fact_view), or false)
}

/// Writes the first `capacity` other sightings of the fact of that number, in the order in which they came (of one kind
/// of source the first eight), to `sightings` and answers how many there are; 0 past the end. `sightings` may be NULL
/// with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_facts_also(
    facts: *const haversack_facts,
    index: usize,
    sightings: *mut haversack_sighting,
    capacity: usize,
) -> usize {
    boundary!(get facts => {
        let also: &[Sighting] = facts.0.get(index).map_or(&[], |fact| &fact.also);
        // SAFETY: by contract `sightings` covers `capacity` entries.
        unsafe { fill(sightings, capacity, also.iter().map(sighting_view)) };
        also.len()
    }, or 0)
}

/// Every member of the fact of that number under its name as compact JSON, to be freed with `haversack_string_free`;
/// the value is a string that holds JSON, so that no reader changes its spelling. `HAVERSACK_BAD_ARGUMENT` past the
/// end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_facts_json(
    facts: *const haversack_facts,
    index: usize,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe {
            let fact = live(facts, "facts")?.0.get(index);
            let fact = fact.ok_or_else(|| haversack_error::bad_argument("index", "is past the end"))?;
            out_json.write(haversack_string::owning(fact.to_json()));
        }
        Ok(())
    })
}

/// Frees what was extracted, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_extracted_free(extracted: *mut haversack_extracted) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(extracted) } });
}

/// One line that can stand in the place of the result. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_extracted_text(extracted: *const haversack_extracted) -> haversack_str {
    boundary!(get extracted => haversack_str::of(extracted.0.text()), or haversack_str::NONE)
}

/// Writes the first `capacity` keys that were recorded, in the order of the fields, to `keys` and answers how many
/// there are. `keys` may be NULL with capacity 0. The keys live as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_extracted_keys(
    extracted: *const haversack_extracted,
    keys: *mut haversack_str,
    capacity: usize,
) -> usize {
    boundary!(get extracted => {
        let all = extracted.0.keys();
        // SAFETY: by contract `keys` covers `capacity` entries.
        unsafe { fill(keys, capacity, all.iter().map(|key| haversack_str::of(key))) };
        all.len()
    }, or 0)
}

/// The books: one record, shrunk; the bytes of the recorded values are kept, the others omitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_extracted_account(extracted: *const haversack_extracted) -> haversack_account {
    boundary!(get extracted => extracted.0.account().into(), or haversack_account::default())
}

/// `{"keys", "text", "account"}` as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_extracted_json(
    extracted: *const haversack_extracted,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(extracted, "extracted")?.0.to_json())) };
        Ok(())
    })
}

/// The name of a `haversack_fact_kind`, such as `constraint`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_fact_kind_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<FactKind>(kind) })
}

/// The name of a `haversack_recorded`, such as `updated`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_recorded_name(recorded: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Recorded>(recorded) })
}

/// Reads what is said of a value.
///
/// # Safety
/// `given` is null or valid for `'a` with its source and turn.
pub(crate) unsafe fn stated<'a>(given: *const haversack_fact_options) -> Outcome<FactOptions<'a>> {
    // SAFETY: by contract.
    let (given, source, turn) = unsafe {
        let given = sized::read(given, "options")?;
        (given, given.source.text("source")?, given.turn.as_ref())
    };
    let mut options = FactOptions::new().source(source).verified(yes(given.verified, "verified")?);
    if let Some(turn) = turn {
        options = options.turn(*turn);
    }
    if let Some(kind) = chosen_or_default(given.kind, "kind")? {
        options = options.kind(kind);
    }
    Ok(options)
}

fn fact_view(fact: &Fact) -> haversack_fact {
    haversack_fact {
        key: haversack_str::of(&fact.key),
        value: haversack_str::of(&fact.value),
        source: haversack_str::of(fact.source.as_str()),
        turn: fact.turn.unwrap_or(0),
        also: fact.also.len(),
        has_turn: fact.turn.is_some().into(),
        kind: fact.kind.code(),
        verified: fact.verified.into(),
        superseded: fact.superseded.into(),
    }
}

fn sighting_view(seen: &Sighting) -> haversack_sighting {
    haversack_sighting {
        source: haversack_str::of(seen.source.as_str()),
        turn: seen.turn.unwrap_or(0),
        has_turn: seen.turn.is_some().into(),
        verified: seen.verified.into(),
    }
}

versioned!(haversack_fact_options { size, source, turn, kind, verified } first: verified);
