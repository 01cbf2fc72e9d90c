//! `haversack_grounds`: whether an action rests on enough, or the user is to be asked first.

use haversack::{Answer, Evidence, Grounds, GroundsReason, Origin, Source};

use crate::boundary::{Outcome, entries, free_handle, into_handle, live};
use crate::choices::{chosen, name_of, yes};
use crate::error::haversack_error;
use crate::fact::haversack_facts;
use crate::history::fill;
use crate::memory_item::haversack_memory_items;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// What evidence is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_origin {
    /// A fact of this run.
    HAVERSACK_ORIGIN_FACT = 1,
    /// A memory, from whatever run.
    HAVERSACK_ORIGIN_MEMORY = 2,
}

/// Whether an action may go ahead. More may come: treat others as `ASK`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_answer {
    /// One that this header does not know.
    HAVERSACK_ANSWER_UNKNOWN = 0,
    /// The action rests on enough.
    HAVERSACK_ANSWER_OK = 1,
    /// Ask the user first.
    HAVERSACK_ANSWER_ASK = 2,
}

/// Why it may, or may not. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_grounds_reason {
    /// One that this header does not know.
    HAVERSACK_GROUNDS_UNKNOWN = 0,
    /// The user stated it in this run.
    HAVERSACK_GROUNDS_STATED = 1,
    /// It comes from the host, and was verified.
    HAVERSACK_GROUNDS_VERIFIED = 2,
    /// There is no evidence.
    HAVERSACK_GROUNDS_NOTHING = 3,
    /// All of it was superseded.
    HAVERSACK_GROUNDS_SUPERSEDED = 4,
    /// All that holds is memory.
    HAVERSACK_GROUNDS_ONLY_MEMORY = 5,
    /// None of it was stated by the user, or verified and from the host.
    HAVERSACK_GROUNDS_UNTRUSTED = 6,
}

/// What an action rests on. `haversack_facts_evidence` and `haversack_memory_items_evidence` write it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_evidence {
    /// Where it comes from, as for `haversack_fact_options`; absent for an unknown source.
    pub source: haversack_str,
    /// A `haversack_origin`. There is no default: 0 is `HAVERSACK_INVALID_OPTION`.
    pub origin: u32,
    /// 1 when the host checked it.
    pub verified: u32,
    /// 1 when something else took its place.
    pub superseded: u32,
    /// Reserved: 0.
    pub reserved: u32,
}

/// Whether an action rests on enough. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_grounding(Grounds);

/// Whether an action may go ahead on this evidence, or the user is to be asked first. It is enough that the user stated
/// one of the facts in this run, or that one of the host's was verified. Memories are never enough, whoever said them;
/// nor is content, verified or not, or what the model concluded. Which facts bear on the action is for the host to say.
/// Linear in the evidence.
///
/// `action` is what is about to be done, in words; it stands quoted in the line for the model. On success
/// `*out_grounding` is to be freed with `haversack_grounding_free`. Errors: `HAVERSACK_INVALID_OPTION` for `origin`,
/// `verified` or `superseded`, with the index of the evidence.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_grounds(
    action: haversack_str,
    evidence: *const haversack_evidence,
    count: usize,
    out_grounding: *mut *mut haversack_grounding,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_grounding), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let action = action.text("action")?;
            let mut all = Vec::new();
            for (index, one) in entries(evidence, count, "evidence")?.iter().enumerate() {
                all.push(evidence_of(one).map_err(|e| e.numbered(index))?);
            }
            out_grounding.write(into_handle(haversack_grounding(haversack::grounds(action, &all))));
        }
        Ok(())
    })
}

/// Writes the first `capacity` facts as evidence to `evidence` and answers how many there are. `evidence` may be NULL
/// with capacity 0. Its texts live as long as the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_facts_evidence(
    facts: *const haversack_facts,
    evidence: *mut haversack_evidence,
    capacity: usize,
) -> usize {
    boundary!(get facts => {
        let all = facts.0.iter().map(|fact| haversack_evidence {
            source: haversack_str::of(fact.source.as_str()),
            origin: Origin::Fact.code(),
            verified: fact.verified.into(),
            superseded: fact.superseded.into(),
            reserved: 0,
        });
        // SAFETY: by contract `evidence` covers `capacity` entries.
        unsafe { fill(evidence, capacity, all) };
        facts.0.len()
    }, or 0)
}

/// Writes the first `capacity` memories as evidence to `evidence` and answers how many there are. `evidence` may be
/// NULL with capacity 0. Its texts live as long as the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_items_evidence(
    items: *const haversack_memory_items,
    evidence: *mut haversack_evidence,
    capacity: usize,
) -> usize {
    boundary!(get items => {
        let all = items.0.iter().map(|item| haversack_evidence {
            source: haversack_str::of(item.source.as_str()),
            origin: Origin::Memory.code(),
            verified: 0,
            superseded: 0,
            reserved: 0,
        });
        // SAFETY: by contract `evidence` covers `capacity` entries.
        unsafe { fill(evidence, capacity, all) };
        items.0.len()
    }, or 0)
}

/// Frees what `haversack_grounds` said, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_grounding_free(grounding: *mut haversack_grounding) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(grounding) } });
}

/// The answer: a `haversack_answer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_grounding_answer(grounding: *const haversack_grounding) -> u32 {
    boundary!(get grounding => grounding.0.answer.code(), or 0)
}

/// Why: a `haversack_grounds_reason`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_grounding_reason(grounding: *const haversack_grounding) -> u32 {
    boundary!(get grounding => grounding.0.reason.code(), or 0)
}

/// To the model, where the answer is to ask: one line that names the action and the reason. Else empty. Lives as long
/// as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_grounding_text(grounding: *const haversack_grounding) -> haversack_str {
    boundary!(get grounding => haversack_str::of(&grounding.0.text), or haversack_str::NONE)
}

/// `{"answer", "reason", "text"}` as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_grounding_json(
    grounding: *const haversack_grounding,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(grounding, "grounding")?.0.to_json())) };
        Ok(())
    })
}

/// The name of a `haversack_origin`, such as `memory`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_origin_name(origin: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Origin>(origin) })
}

/// The name of a `haversack_answer`, such as `ask`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_answer_name(answer: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Answer>(answer) })
}

/// The name of a `haversack_grounds_reason`, such as `only_memory`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_grounds_reason_name(reason: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<GroundsReason>(reason) })
}

/// Reads one piece of evidence.
///
/// # Safety
/// Its text is valid for the call.
unsafe fn evidence_of(one: &haversack_evidence) -> Outcome<Evidence> {
    if one.reserved != 0 {
        return Err(haversack_error::bad_argument("evidence", "has a reserved member that is not 0"));
    }
    Ok(Evidence {
        origin: chosen(one.origin, "origin")?,
        // SAFETY: by contract.
        source: Source::parse(unsafe { one.source.text("source")? }),
        verified: yes(one.verified, "verified")?,
        superseded: yes(one.superseded, "superseded")?,
    })
}
