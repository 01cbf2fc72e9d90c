//! What a cut and a repair of a history give back.

use std::sync::{Arc, OnceLock};

use haversack::History;
use haversack::history::{
    Alternation, Change, Cut, CutAnswer, CutOptions, KeepAtMost, NothingToCut, OutMessage, Reduced, Repair,
    RepairAction, RepairOptions, Strip,
};

use crate::boundary::{free_handle, into_handle, live};
use crate::choices::{chosen, name_of, yes};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::{fill, haversack_history, haversack_violation, view};
use crate::measure::{Meter, haversack_budget};
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// What a cut does to the turn of roles where it stands. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_alternation {
    /// One that this header does not know.
    HAVERSACK_ALTERNATION_UNKNOWN = 0,
    /// The window opens with a user message.
    HAVERSACK_ALTERNATION_OPENS_WITH_USER = 1,
    /// The window opens with an assistant message.
    HAVERSACK_ALTERNATION_OPENS_WITH_ASSISTANT = 2,
    /// Nothing is left but what was kept by name.
    HAVERSACK_ALTERNATION_OPENS_WITH_PINNED = 3,
}

/// Why nothing was cut. More may come.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_nothing_to_cut {
    /// None: something was cut.
    HAVERSACK_NOTHING_TO_CUT_NONE = 0,
    /// It fits as it is.
    HAVERSACK_NOTHING_TO_CUT_FITS = 1,
    /// It does not fit, no index is safe, and nothing in it can be reduced in this unit.
    HAVERSACK_NOTHING_TO_CUT_NO_SAFE_INDEX = 2,
}

/// What was done about a violation. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_repair_action {
    /// One that this header does not know.
    HAVERSACK_REPAIR_UNKNOWN = 0,
    /// A message or a part of it was dropped.
    HAVERSACK_REPAIR_DROP = 1,
    /// A message or a part was added.
    HAVERSACK_REPAIR_SYNTHESISE = 2,
    /// A signature, an id or thinking was taken off.
    HAVERSACK_REPAIR_STRIP = 3,
    /// A part was moved up.
    HAVERSACK_REPAIR_HOIST = 4,
    /// A part was moved down.
    HAVERSACK_REPAIR_PUSH = 5,
    /// Two messages became one.
    HAVERSACK_REPAIR_MERGE = 6,
    /// An id was written anew.
    HAVERSACK_REPAIR_RENAME = 7,
    /// A text was put where none was.
    HAVERSACK_REPAIR_FILL = 8,
}

/// What becomes of a call without a result.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_missing_result {
    /// A result that says so is added (default).
    HAVERSACK_MISSING_RESULT_SYNTHESISE = 0,
    /// The call is dropped.
    HAVERSACK_MISSING_RESULT_DROP = 1,
}

/// What becomes of a result without a call.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_orphan_result {
    /// It is dropped (default).
    HAVERSACK_ORPHAN_RESULT_DROP = 0,
    /// Its text stays, as the user's.
    HAVERSACK_ORPHAN_RESULT_TEXT = 1,
}

/// Options of `haversack_history_cut`. `{0}` is all defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_cut_options {
    /// `sizeof(haversack_cut_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Messages that stay, by index. NULL with `pinned_len` 0: none.
    pub pinned: *const usize,
    /// How many there are.
    pub pinned_len: usize,
    /// 1: only at indices that hold in every format. Default: 0.
    pub portable: u32,
    /// Reserved: 0.
    pub reserved: u32,
}

/// Options of `haversack_history_repair`. `{0}` is all defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_repair_options {
    /// `sizeof(haversack_repair_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// A `haversack_missing_result`.
    pub missing: u32,
    /// A `haversack_orphan_result`.
    pub orphan: u32,
    /// 1: the history goes out next. Default: 0.
    pub sending: u32,
    /// Reserved: 0.
    pub reserved: u32,
}

/// A message of the resulting history. Its text lives as long as the cut or repair it came from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_out_message {
    /// 1 when it comes from a message of the input, 0 when it was added.
    pub has_source: u32,
    /// 1 when its text is that message's own.
    pub untouched: u32,
    /// The message that it comes from.
    pub source: usize,
    /// Its text.
    pub text: haversack_str,
}

/// Something that left a kept message with the cut: thinking bound to what was dropped, an id of the server.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_strip {
    /// The message it was in.
    pub index: usize,
    /// JSON pointer inside the list of messages.
    pub path: haversack_str,
    /// `thinking` or `item_id`. Static.
    pub what: haversack_str,
}

/// A result that was made smaller inside a step that has to stay; sizes in the unit of the budget.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_reduced {
    /// The message it is in.
    pub index: usize,
    /// JSON pointer inside the list of messages.
    pub path: haversack_str,
    /// Its size before.
    pub before: usize,
    /// Its size after.
    pub after: usize,
}

/// One change of a repair.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_change {
    /// A `haversack_repair_action`.
    pub action: u32,
    /// The `haversack_violation_kind` that it mends.
    pub violation: u32,
    /// The message of the input concerned.
    pub index: usize,
    /// JSON pointer inside the list of messages of the input.
    pub path: haversack_str,
    /// One sentence.
    pub message: haversack_str,
}

/// The answer to `haversack_history_cut`: a cut, or why nothing was cut. It may outlive its history.
#[derive(Debug)]
pub struct haversack_cut {
    history: Arc<History<'static>>,
    answer: CutAnswer,
    /// Written when it is first asked for: hosts that apply the plan need none.
    text: OnceLock<String>,
}

impl haversack_cut {
    const fn found(&self) -> Option<&Cut> {
        match &self.answer {
            CutAnswer::Cut(cut) => Some(cut),
            CutAnswer::Nothing(_) => None,
        }
    }
}

/// A repaired history. It may outlive its history.
#[derive(Debug)]
pub struct haversack_repair {
    history: Arc<History<'static>>,
    core: Repair,
    /// As above.
    text: OnceLock<String>,
}

/// Cuts the front so that what is kept is within `keep`, system prompt and pins included. `options` may be NULL.
///
/// On success `*out_cut` is to be freed with `haversack_cut_free`; `haversack_cut_found` tells
/// whether there is a cut. `HAVERSACK_BUDGET_TOO_SMALL` when what has to stay cannot be made to fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_cut(
    history: *const haversack_history,
    keep: haversack_budget,
    options: *const haversack_cut_options,
    out_cut: *mut *mut haversack_cut,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_cut), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let meter = Meter::of(&keep)?;
            out_cut.write(cut(history, KeepAtMost::Size(meter.budget()), options)?);
        }
        Ok(())
    })
}

/// As `haversack_history_cut`, for a number of messages instead of a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_cut_messages(
    history: *const haversack_history,
    keep: usize,
    options: *const haversack_cut_options,
    out_cut: *mut *mut haversack_cut,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_cut), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { out_cut.write(cut(history, KeepAtMost::Messages(keep), options)?) };
        Ok(())
    })
}

/// # Safety
/// As `haversack_history_cut`.
unsafe fn cut(
    history: *const haversack_history,
    keep: KeepAtMost<'_>,
    options: *const haversack_cut_options,
) -> Result<*mut haversack_cut, haversack_error> {
    // SAFETY: by contract.
    let (core, given) = unsafe { (&live(history, "history")?.core, sized::read(options, "options")?) };
    let mut options = CutOptions::default();
    if given.pinned_len > 0 {
        if given.pinned.is_null() || given.pinned_len > isize::MAX as usize / size_of::<usize>() {
            return Err(haversack_error::bad_argument("pinned", "is NULL with a length, or too long"));
        }
        // SAFETY: by contract `pinned` covers that many entries.
        options.pinned = unsafe { std::slice::from_raw_parts(given.pinned, given.pinned_len) };
    }
    options.portable = yes(given.portable, "portable")?;
    let answer = core.cut(keep, &options)?;
    Ok(into_handle(haversack_cut { history: Arc::clone(core), answer, text: OnceLock::new() }))
}

/// Frees the answer to a cut, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_free(cut: *mut haversack_cut) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(cut) } });
}

/// Whether there is a cut; else `haversack_cut_nothing` says why not, and everything else answers nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_found(cut: *const haversack_cut) -> bool {
    boundary!(get cut => cut.found().is_some(), or false)
}

/// Why nothing was cut: a `haversack_nothing_to_cut`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_nothing(cut: *const haversack_cut) -> u32 {
    boundary!(get cut => match &cut.answer {
        CutAnswer::Cut(_) => 0,
        CutAnswer::Nothing(reason) => reason.code(),
    }, or 0)
}

/// The first message that is kept for its place: the system prompt and pins come before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_index(cut: *const haversack_cut) -> usize {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.index), or 0)
}

/// Why there: one sentence.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_reason(cut: *const haversack_cut) -> haversack_str {
    boundary!(get cut => {
        haversack_str::of_option(cut.found().map(|cut| cut.reason.as_str()))
    }, or haversack_str::NONE)
}

/// Writes the first `capacity` indices of the messages kept and answers how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_kept(cut: *const haversack_cut, indices: *mut usize, capacity: usize) -> usize {
    boundary!(get cut => {
        let kept = cut.found().map(|cut| cut.kept.as_slice()).unwrap_or_default();
        // SAFETY: by contract `indices` covers `capacity` entries.
        unsafe { fill(indices, capacity, kept.iter().copied()) };
        kept.len()
    }, or 0)
}

/// Writes the first `capacity` indices of the messages dropped and answers how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_dropped(
    cut: *const haversack_cut,
    indices: *mut usize,
    capacity: usize,
) -> usize {
    boundary!(get cut => {
        let dropped = cut.found().map(|cut| cut.dropped.as_slice()).unwrap_or_default();
        // SAFETY: by contract `indices` covers `capacity` entries.
        unsafe { fill(indices, capacity, dropped.iter().copied()) };
        dropped.len()
    }, or 0)
}

/// Size of the whole history, in the unit of the budget (or in messages).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_size_before(cut: *const haversack_cut) -> usize {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.size_before), or 0)
}

/// Size of what is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_size_after(cut: *const haversack_cut) -> usize {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.size_after), or 0)
}

/// What happens to the turn of roles: a `haversack_alternation`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_alternation(cut: *const haversack_cut) -> u32 {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.alternation.code()), or 0)
}

/// How many things left kept messages with the cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_strip_count(cut: *const haversack_cut) -> usize {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.strip.len()), or 0)
}

/// What left a kept message with the cut, by its number from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_strip(
    cut: *const haversack_cut,
    index: usize,
    out_strip: *mut haversack_strip,
) -> bool {
    boundary!(get cut => {
        let strip = cut.found().and_then(|cut| cut.strip.get(index));
        write_part(strip, out_strip, |strip: &Strip| haversack_strip {
            index: strip.index,
            path: haversack_str::of(&strip.path),
            what: haversack_str::of(strip.what),
        })
    }, or false)
}

/// How many results were made smaller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_reduced_count(cut: *const haversack_cut) -> usize {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.reduced.len()), or 0)
}

/// The result of that number that was made smaller, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_reduced(
    cut: *const haversack_cut,
    index: usize,
    out_reduced: *mut haversack_reduced,
) -> bool {
    boundary!(get cut => {
        let reduced = cut.found().and_then(|cut| cut.reduced.get(index));
        write_part(reduced, out_reduced, |reduced: &Reduced| haversack_reduced {
            index: reduced.index,
            path: haversack_str::of(&reduced.path),
            before: reduced.before,
            after: reduced.after,
        })
    }, or false)
}

/// How many messages the history has after the cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_message_count(cut: *const haversack_cut) -> usize {
    boundary!(get cut => cut.found().map_or(0, |cut| cut.messages().len()), or 0)
}

/// The message of that number of the history after the cut, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_message(
    cut: *const haversack_cut,
    index: usize,
    out_message: *mut haversack_out_message,
) -> bool {
    boundary!(get cut => {
        let message = cut.found().and_then(|cut| cut.messages().get(index));
        write_part(message, out_message, |message| message_view(&cut.history, message))
    }, or false)
}

/// The whole text after the cut: a body stays a body, a list a list. Absent when nothing was cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cut_text(cut: *const haversack_cut) -> haversack_str {
    boundary!(get cut => {
        let text = cut.found().map(|found| cut.text.get_or_init(|| cut.history.cut_text(found)).as_str());
        haversack_str::of_option(text)
    }, or haversack_str::NONE)
}

/// The smallest change after which nothing is refused, or only what `haversack_repair_remaining` tells. `options` may
/// be NULL.
///
/// On success `*out_repair` is to be freed with `haversack_repair_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_repair(
    history: *const haversack_history,
    options: *const haversack_repair_options,
    out_repair: *mut *mut haversack_repair,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_repair), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let core = &live(history, "history")?.core;
            let given = sized::read(options, "options")?;
            let mut options = RepairOptions::default();
            options.missing = chosen(given.missing, "missing")?;
            options.orphan = chosen(given.orphan, "orphan")?;
            options.sending = yes(given.sending, "sending")?;
            let repaired = core.repair(&options)?;
            out_repair.write(into_handle(haversack_repair { history: Arc::clone(core), core: repaired, text: OnceLock::new() }));
        }
        Ok(())
    })
}

/// Frees a repair, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_free(repair: *mut haversack_repair) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(repair) } });
}

/// How many changes there are; 0 when the history was valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_change_count(repair: *const haversack_repair) -> usize {
    boundary!(get repair => repair.core.changes.len(), or 0)
}

/// The change of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_change(
    repair: *const haversack_repair,
    index: usize,
    out_change: *mut haversack_change,
) -> bool {
    boundary!(get repair => write_part(repair.core.changes.get(index), out_change, |change: &Change| haversack_change {
        action: change.action.code(),
        violation: change.violation.code(),
        index: change.index,
        path: haversack_str::of(&change.path),
        message: haversack_str::of(&change.message),
    }), or false)
}

/// How many violations remain that no change of the messages mends: a limit, tools that the request does not declare,
/// thinking that was lost. 0 as a rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_remaining_count(repair: *const haversack_repair) -> usize {
    boundary!(get repair => repair.core.remaining.len(), or 0)
}

/// The remaining violation of that number, from 0; its index and path are those of the resulting messages, its texts
/// live as long as the repair. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_remaining(
    repair: *const haversack_repair,
    index: usize,
    out_violation: *mut haversack_violation,
) -> bool {
    boundary!(get repair => write_part(repair.core.remaining.get(index), out_violation, view), or false)
}

/// How many messages the repaired history has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_message_count(repair: *const haversack_repair) -> usize {
    boundary!(get repair => repair.core.messages().len(), or 0)
}

/// The message of that number of the repaired history, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_message(
    repair: *const haversack_repair,
    index: usize,
    out_message: *mut haversack_out_message,
) -> bool {
    boundary!(get repair => {
        let message = repair.core.messages().get(index);
        write_part(message, out_message, |message| message_view(&repair.history, message))
    }, or false)
}

/// The whole text after the repair: a body stays a body, a list a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_repair_text(repair: *const haversack_repair) -> haversack_str {
    boundary!(get repair => haversack_str::of(repair.text.get_or_init(|| repair.history.repair_text(&repair.core))), or haversack_str::NONE)
}

/// The name of a `haversack_alternation`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_alternation_name(alternation: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Alternation>(alternation) })
}

/// The name of a `haversack_nothing_to_cut`, such as `fits`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_nothing_to_cut_name(reason: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<NothingToCut>(reason) })
}

/// The name of a `haversack_repair_action`, such as `hoist`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_repair_action_name(action: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<RepairAction>(action) })
}

fn message_view(history: &History<'_>, message: &OutMessage) -> haversack_out_message {
    haversack_out_message {
        has_source: message.source.is_some().into(),
        untouched: message.is_untouched().into(),
        source: message.source.unwrap_or(0),
        text: haversack_str::of(history.text_of(message)),
    }
}

versioned!(haversack_cut_options { size, pinned, pinned_len, portable, reserved } first: reserved, reserved: reserved);

versioned!(haversack_repair_options { size, missing, orphan, sending, reserved } first: reserved, reserved: reserved);
