//! `haversack_handoff`: what a worker handed back, read from its answer.

use haversack::handoff::{Handoff, HandoffKind, HandoffProblem, Unresolved};

use crate::boundary::{free_handle, into_handle, live};
use crate::choices::name_of;
use crate::delivery::write_part;
use crate::error::{haversack_error, write_number};
use crate::history::fill;
use crate::measure::haversack_budget;
use crate::offloads::haversack_offloads;
use crate::rendered::{haversack_rendered, optional_meter};
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};
use crate::transcript::haversack_transcript;

/// What a worker handed back. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_handoff_kind {
    /// One that this header does not know.
    HAVERSACK_HANDOFF_UNKNOWN = 0,
    /// Findings, each with at least one source.
    HAVERSACK_HANDOFF_FINDINGS = 1,
    /// It looked, says where, and found nothing.
    HAVERSACK_HANDOFF_EMPTY = 2,
    /// It stopped: the task was too big.
    HAVERSACK_HANDOFF_TOO_BIG = 3,
    /// It failed.
    HAVERSACK_HANDOFF_FAILED = 4,
    /// It was not run.
    HAVERSACK_HANDOFF_NOT_RUN = 5,
    /// It stopped: its tokens, steps or time were used up.
    HAVERSACK_HANDOFF_OUT_OF_BUDGET = 6,
    /// It returned nothing that can be seen.
    HAVERSACK_HANDOFF_SILENT = 7,
    /// It returned something, and none of the above.
    HAVERSACK_HANDOFF_UNCHECKABLE = 8,
}

/// Why an answer is uncheckable. More may come: whatever is not 0 is a problem.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_handoff_problem {
    /// It is not.
    HAVERSACK_HANDOFF_PROBLEM_NONE = 0,
    /// It is not JSON, and holds no single fenced block that is: offset is where it stops being JSON.
    HAVERSACK_HANDOFF_PROBLEM_NOT_JSON = 1,
    /// It is JSON, and no object.
    HAVERSACK_HANDOFF_PROBLEM_NOT_AN_OBJECT = 2,
    /// It has no `kind`, or one that there is not.
    HAVERSACK_HANDOFF_PROBLEM_UNKNOWN_KIND = 3,
    /// A member stands twice.
    HAVERSACK_HANDOFF_PROBLEM_REPEATED_MEMBER = 4,
    /// Findings without a finding.
    HAVERSACK_HANDOFF_PROBLEM_NO_FINDINGS = 5,
    /// A finding without a text: index.
    HAVERSACK_HANDOFF_PROBLEM_NO_TEXT = 6,
    /// A finding without a source: index.
    HAVERSACK_HANDOFF_PROBLEM_NO_SOURCE = 7,
    /// Nothing found, and nothing said of where it looked.
    HAVERSACK_HANDOFF_PROBLEM_NOTHING_LOOKED = 8,
}

/// What a worker handed back. It never changes, so threads may read it at once. Texts that its functions give live as
/// long as it does.
#[derive(Debug)]
pub struct haversack_handoff(pub(crate) Handoff);

/// A finding of a worker. Its text lives as long as the handoff.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_finding {
    /// What was found.
    pub text: haversack_str,
    /// How many sources it has: at least one; see `haversack_handoff_sources`.
    pub source_count: usize,
}

/// A list of sources that lead nowhere. It never changes, and needs the handoff no more.
#[derive(Debug)]
pub struct haversack_unresolved_sources(Vec<Unresolved>);

/// A source of a finding that leads nowhere.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_unresolved_source {
    /// Which finding, from 0.
    pub finding: usize,
    /// Its source. Lives as long as the list.
    pub source: haversack_str,
}

/// Reads what a worker returned (absent: nothing at all), beside how its run ended, where the host knows: the `status`
/// of the run and the provider's `stop_reason`, each absent where it is not known. Linear in the text, which is copied.
///
/// - A stop wins over whatever the text says: `max_tokens`, `length`, `tool_use` and their kin give out of budget,
///   `error`, `failed`, `refusal` and theirs failed, in any case of letters. Other values decide nothing.
/// - Blank text, text of invisible characters and `(no output)` are silent.
/// - `{"kind":"findings","findings":[{"text":...,"sources":[...]}]}`, `{"kind":"empty","looked":[...]}`, and
///   `{"kind":"too_big","reason":...}` (so `failed`, `not_run`, `out_of_budget`), alone or in the only fenced block.
/// - Everything else is uncheckable, with its place: `{"findings":[]}`, too.
///
/// On success `*out_handoff` is to be freed with `haversack_handoff_free`. Only text that is no UTF-8 or not readable
/// is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_parse(
    text: haversack_str,
    status: haversack_str,
    stop_reason: haversack_str,
    out_handoff: *mut *mut haversack_handoff,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_handoff), {
        // SAFETY: by contract all texts are valid for the call, and the output is not null.
        unsafe {
            let (status, stop_reason) = (status.optional("status")?, stop_reason.optional("stop_reason")?);
            let handoff = Handoff::parse(text.optional("text")?, status, stop_reason);
            out_handoff.write(into_handle(haversack_handoff(handoff)));
        }
        Ok(())
    })
}

/// Frees a handoff, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_free(handoff: *mut haversack_handoff) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(handoff) } });
}

/// What was handed back: a `haversack_handoff_kind`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_kind_of(handoff: *const haversack_handoff) -> u32 {
    boundary!(get handoff => handoff.0.kind().code(), or 0)
}

/// True for the two kinds that answer the question: findings, and an explicit nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_is_answer(handoff: *const haversack_handoff) -> bool {
    boundary!(get handoff => handoff.0.is_answer(), or false)
}

/// How many findings there are. Of a worker that was stopped, those that it had returned in whole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_finding_count(handoff: *const haversack_handoff) -> usize {
    boundary!(get handoff => handoff.0.findings().len(), or 0)
}

/// The finding of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_finding(
    handoff: *const haversack_handoff,
    index: usize,
    out_finding: *mut haversack_finding,
) -> bool {
    boundary!(get handoff => write_part(handoff.0.findings().get(index), out_finding, |finding| haversack_finding {
        text: haversack_str::of(&finding.text),
        source_count: finding.sources.len(),
    }), or false)
}

/// Writes the first `capacity` sources of the finding of that number to `sources` and answers how many it has; 0 past
/// the end. `sources` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_sources(
    handoff: *const haversack_handoff,
    finding: usize,
    sources: *mut haversack_str,
    capacity: usize,
) -> usize {
    boundary!(get handoff => {
        let all = handoff.0.findings().get(finding).map_or(&[][..], |finding| &finding.sources);
        // SAFETY: by contract `sources` covers `capacity` entries.
        unsafe { fill(sources, capacity, all.iter().map(|source| haversack_str::of(source))) };
        all.len()
    }, or 0)
}

/// Writes the first `capacity` places where a worker looked that found nothing to `places` and answers how many there
/// are: at least one, where it is empty. `places` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_looked(
    handoff: *const haversack_handoff,
    places: *mut haversack_str,
    capacity: usize,
) -> usize {
    boundary!(get handoff => {
        let all = handoff.0.looked();
        // SAFETY: by contract `places` covers `capacity` entries.
        unsafe { fill(places, capacity, all.iter().map(|place| haversack_str::of(place))) };
        all.len()
    }, or 0)
}

/// Why it stopped, in its own words or those of the host; absent where nobody says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_reason(handoff: *const haversack_handoff) -> haversack_str {
    boundary!(get handoff => haversack_str::of_option(handoff.0.reason()), or haversack_str::NONE)
}

/// Why it is uncheckable: a `haversack_handoff_problem`; 0 where it is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_problem_of(handoff: *const haversack_handoff) -> u32 {
    boundary!(get handoff => handoff.0.problem().map_or(0, HandoffProblem::code), or 0)
}

/// Where the problem is: the byte of the text where it stops being JSON. False, and nothing written, when the problem
/// has no such place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_offset(handoff: *const haversack_handoff, out_offset: *mut usize) -> bool {
    boundary!(get handoff => write_number(handoff.0.offset(), out_offset), or false)
}

/// Where the problem is: the number of the finding, from 0. False, and nothing written, when the problem has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_index(handoff: *const haversack_handoff, out_index: *mut usize) -> bool {
    boundary!(get handoff => write_number(handoff.0.index(), out_index), or false)
}

/// What was returned, as it came; empty where nothing was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_text(handoff: *const haversack_handoff) -> haversack_str {
    boundary!(get handoff => haversack_str::of(handoff.0.text()), or haversack_str::NONE)
}

/// The sources of findings that name no message of the transcript and no key of the offloads, in order. Either may be
/// NULL, and leads nowhere then: with both of them NULL these are all sources.
///
/// On success `*out_sources` is to be freed with `haversack_unresolved_sources_free`; it may be empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_unresolved(
    handoff: *const haversack_handoff,
    transcript: *const haversack_transcript,
    offloads: *const haversack_offloads,
    out_sources: *mut *mut haversack_unresolved_sources,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_sources), {
        // SAFETY: by contract null or live handles; the output is not null.
        unsafe {
            let (transcript, offloads) = (transcript.as_ref().map(|t| &t.0), offloads.as_ref().map(|table| &table.0));
            let open = live(handoff, "handoff")?.0.unresolved_in(transcript, offloads);
            out_sources.write(into_handle(haversack_unresolved_sources(open)));
        }
        Ok(())
    })
}

/// Frees a list of sources, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_unresolved_sources_free(sources: *mut haversack_unresolved_sources) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(sources) } });
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_unresolved_sources_count(sources: *const haversack_unresolved_sources) -> usize {
    boundary!(get sources => sources.0.len(), or 0)
}

/// The source of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_unresolved_sources_get(
    sources: *const haversack_unresolved_sources,
    index: usize,
    out_source: *mut haversack_unresolved_source,
) -> bool {
    boundary!(get sources => write_part(sources.0.get(index), out_source, |open| haversack_unresolved_source {
        finding: open.finding,
        source: haversack_str::of(&open.source),
    }), or false)
}

/// A heading that says what kind it is, and one line for each finding (with its sources), each place that was searched,
/// or the reason for the stop. Prose of an uncheckable answer is not repeated. Under a budget (NULL: all of it) lines
/// are taken in order, and the heading counts the rest.
///
/// On success `*out_rendered` is to be freed with `haversack_rendered_free`. Errors: `HAVERSACK_BUDGET_TOO_SMALL` where
/// not even the heading fits, `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_render(
    handoff: *const haversack_handoff,
    budget: *const haversack_budget,
    out_rendered: *mut *mut haversack_rendered,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_rendered), {
        // SAFETY: by contract null or a live handle and a valid budget; the output is not null.
        unsafe {
            let handoff = &live(handoff, "handoff")?.0;
            let meter = optional_meter(budget)?;
            let rendered = handoff.render(meter.as_ref().map(|meter| meter.budget()))?;
            out_rendered.write(into_handle(haversack_rendered(rendered)));
        }
        Ok(())
    })
}

/// Every member under its name as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_handoff_json(
    handoff: *const haversack_handoff,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(handoff, "handoff")?.0.to_json())) };
        Ok(())
    })
}

/// The name of a `haversack_handoff_kind`, such as `out_of_budget`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_handoff_kind_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<HandoffKind>(kind) })
}

/// The name of a `haversack_handoff_problem`, such as `no_source`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_handoff_problem_name(problem: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<HandoffProblem>(problem) })
}
