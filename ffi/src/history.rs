//! `haversack_history`: reading a chat history, what a provider would refuse in it, and where it may be cut.

use std::sync::Arc;

use haversack::history::{CutRefusal, StepKind};
use haversack::{History, HistoryOptions, Violation, ViolationKind, WireFormat};

use crate::boundary::{free_handle, into_handle, live};
use crate::choices::{chosen_or_default, name_of};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::limits::{haversack_limits, limits_of};
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// A wire format of chat histories.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_wire_format {
    /// Detected (default).
    HAVERSACK_WIRE_AUTO = 0,
    /// OpenAI Chat Completions and what speaks it.
    HAVERSACK_WIRE_OPENAI_CHAT = 1,
    /// OpenAI Responses.
    HAVERSACK_WIRE_OPENAI_RESPONSES = 2,
    /// Anthropic Messages.
    HAVERSACK_WIRE_ANTHROPIC = 3,
    /// Google Gemini.
    HAVERSACK_WIRE_GEMINI = 4,
    /// Amazon Bedrock Converse.
    HAVERSACK_WIRE_BEDROCK = 5,
}

/// What a step is. More may come: treat others as `OTHER`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_step_kind {
    /// One that this header does not know.
    HAVERSACK_STEP_UNKNOWN = 0,
    /// The system prompt, or a system message on the way.
    HAVERSACK_STEP_SYSTEM = 1,
    /// A message of the user that answers no call.
    HAVERSACK_STEP_USER = 2,
    /// One assistant turn with all its calls and all their results.
    HAVERSACK_STEP_ASSISTANT = 3,
    /// Anything else.
    HAVERSACK_STEP_OTHER = 4,
}

/// Why no cut may stand at an index. More may come: whatever is not 0 is a refusal.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_cut_refusal {
    /// None: a cut may stand there.
    HAVERSACK_CUT_REFUSAL_NONE = 0,
    /// It is inside the system prompt, or past the end.
    HAVERSACK_CUT_REFUSAL_OUT_OF_RANGE = 1,
    /// A call before it has its result after it, or is still in flight; or reasoning stands before what it led to.
    HAVERSACK_CUT_REFUSAL_INSIDE_STEP = 2,
    /// The window would open with a message that may not be first.
    HAVERSACK_CUT_REFUSAL_OPENS_BADLY = 3,
    /// Thinking that is kept is bound to what is dropped. `haversack_history_cut` may choose the index and strips it.
    HAVERSACK_CUT_REFUSAL_BOUND_THINKING = 4,
    /// Items that are kept carry server ids of a turn whose reasoning is dropped. `haversack_history_cut` may choose
    /// the index and strips them.
    HAVERSACK_CUT_REFUSAL_BOUND_ITEMS = 5,
    /// The window would open with a step that is itself broken.
    HAVERSACK_CUT_REFUSAL_BROKEN_STEP = 6,
}

/// What is wrong with a history. More may come: `haversack_violation_name` has their names.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_violation_kind {
    /// A result without a call before it.
    HAVERSACK_VIOLATION_ORPHAN_RESULT = 1,
    /// A call without a result.
    HAVERSACK_VIOLATION_MISSING_RESULT = 2,
    /// A second result for one call.
    HAVERSACK_VIOLATION_DUPLICATE_RESULT = 3,
    /// Two calls of one turn with the same id.
    HAVERSACK_VIOLATION_DUPLICATE_CALL_ID = 4,
    /// The result of a call stands too far from it.
    HAVERSACK_VIOLATION_RESULT_NOT_ADJACENT = 5,
    /// The results of one turn stand in several messages.
    HAVERSACK_VIOLATION_RESULT_SPLIT = 6,
    /// Something stands before the results in their message.
    HAVERSACK_VIOLATION_RESULT_NOT_FIRST = 7,
    /// The result is of a kind that does not answer this call, or not of the type the format wants.
    HAVERSACK_VIOLATION_WRONG_RESULT_TYPE = 8,
    /// Results and other content in one message.
    HAVERSACK_VIOLATION_MIXED_RESULT_AND_TEXT = 9,
    /// Calls that do not follow a user turn or results.
    HAVERSACK_VIOLATION_CALL_WITHOUT_USER_TURN = 10,
    /// Two messages of one role in a row.
    HAVERSACK_VIOLATION_ROLE_NOT_ALTERNATING = 11,
    /// The first message is of a role that may not be first.
    HAVERSACK_VIOLATION_BAD_FIRST_ROLE = 12,
    /// The last message is of a role that may not be last.
    HAVERSACK_VIOLATION_BAD_LAST_ROLE = 13,
    /// A role that the format does not know.
    HAVERSACK_VIOLATION_BAD_ROLE = 14,
    /// A message or a block without content.
    HAVERSACK_VIOLATION_EMPTY_CONTENT = 15,
    /// Text of white space only.
    HAVERSACK_VIOLATION_WHITESPACE_TEXT = 16,
    /// An error result without content.
    HAVERSACK_VIOLATION_ERROR_RESULT_EMPTY = 17,
    /// An id that is missing, empty, no string, or of characters that the format refuses.
    HAVERSACK_VIOLATION_BAD_ID_CHARSET = 18,
    /// An id longer than the format allows.
    HAVERSACK_VIOLATION_ID_TOO_LONG = 19,
    /// Two items with the same id of the server.
    HAVERSACK_VIOLATION_DUPLICATE_ITEM_ID = 20,
    /// A reasoning item without the item that it led to.
    HAVERSACK_VIOLATION_REASONING_ORPHAN = 21,
    /// An item that keeps its server id without the reasoning it came with.
    HAVERSACK_VIOLATION_REASONING_MISSING = 22,
    /// A reasoning item that the server was told not to store, without its encrypted content.
    HAVERSACK_VIOLATION_REASONING_NOT_PERSISTED = 23,
    /// The last assistant turn has to start with thinking.
    HAVERSACK_VIOLATION_THINKING_MISSING = 24,
    /// Thinking that is bound to another prefix.
    HAVERSACK_VIOLATION_THINKING_PREFIX_MISMATCH = 25,
    /// A call without the signature that the current turn needs.
    HAVERSACK_VIOLATION_SIGNATURE_MISSING = 26,
    /// A server tool call without its result, before something that may not follow it.
    HAVERSACK_VIOLATION_SERVER_TOOL_UNRESOLVED = 27,
    /// A system message where none may stand.
    HAVERSACK_VIOLATION_SYSTEM_MISPLACED = 28,
    /// Tool blocks in a request that declares no tools.
    HAVERSACK_VIOLATION_TOOL_CONFIG_MISSING = 29,
    /// More cache marks than the provider takes.
    HAVERSACK_VIOLATION_CACHE_TOO_MANY_BREAKPOINTS = 30,
    /// A cache mark of an hour after one of five minutes.
    HAVERSACK_VIOLATION_CACHE_TTL_ORDER = 31,
    /// More messages than the format takes.
    HAVERSACK_VIOLATION_TOO_MANY_MESSAGES = 32,
    /// More calls in one message than the format takes.
    HAVERSACK_VIOLATION_TOO_MANY_CALLS = 33,
    /// A call outside an assistant message, or a result outside a user message.
    HAVERSACK_VIOLATION_MISPLACED_BLOCK = 34,
    /// A request for compaction that is not last.
    HAVERSACK_VIOLATION_COMPACTION_TRIGGER_NOT_LAST = 35,
    /// Content, a block or a member of a type that the format refuses.
    HAVERSACK_VIOLATION_WRONG_CONTENT_TYPE = 36,
    /// The name of a called tool is missing, no string, too long or of characters that the format refuses.
    HAVERSACK_VIOLATION_BAD_TOOL_NAME = 37,
    /// A block or an item of a kind that the format does not know.
    HAVERSACK_VIOLATION_UNKNOWN_ITEM = 38,
    /// A text longer than the format takes.
    HAVERSACK_VIOLATION_TEXT_TOO_LONG = 39,
}

/// A chat history that was read. It never changes, so threads may read it at once. Texts that its functions give live
/// as long as it does. All functions take NULL and then answer nothing.
#[derive(Debug)]
pub struct haversack_history {
    /// Shared with the cuts and repairs made from it, so that they may outlive it.
    pub(crate) core: Arc<History<'static>>,
}

/// What a provider would refuse, and where. Its texts live as long as the list or the repair it
/// came from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_violation {
    /// A `haversack_violation_kind`.
    pub kind: u32,
    /// The message concerned, from 0.
    pub index: usize,
    /// JSON pointer to the place inside the list of messages.
    pub path: haversack_str,
    /// The id concerned; absent where there is none.
    pub id: haversack_str,
    /// A sentence that helps.
    pub message: haversack_str,
    /// What the provider would answer; empty where no text is known.
    pub provider: haversack_str,
}

/// A list of violations.
#[derive(Debug)]
pub struct haversack_violations(pub(crate) Vec<Violation>);

/// A step: the messages from `from` up to `to`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_step {
    /// A `haversack_step_kind`.
    pub kind: u32,
    /// Its first message.
    pub from: usize,
    /// One past its last message.
    pub to: usize,
    /// Calls that the host answers.
    pub calls: usize,
    /// Those of them without a result.
    pub open: usize,
}

/// Options of `haversack_history_parse`. `{0}` is all defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_history_options {
    /// `sizeof(haversack_history_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// A `haversack_wire_format`. Default: detected.
    pub format: u32,
    /// Reserved: 0.
    pub reserved: u32,
    /// The profile whose rules count: `strict` or a server by name. Default: `strict`.
    pub profile: haversack_str,
    /// The request body beside a bare list, as JSON. Default: nothing is known of it.
    pub request: haversack_str,
    /// Other limits than those of the library, here depth; see `haversack_limits_init`. Default: NULL.
    pub limits: *const haversack_limits,
}

/// Reads a request body or a bare list of messages, which is copied. `options` may be NULL.
///
/// On success `*out_history` is to be freed with `haversack_history_free`. Linear in the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_parse(
    text: haversack_str,
    options: *const haversack_history_options,
    out_history: *mut *mut haversack_history,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_history), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let text = text.bytes("text")?;
            let given = sized::read(options, "options")?;
            let mut options = HistoryOptions::default();
            options.format = chosen_or_default(given.format, "format")?;
            options.profile = given.profile.optional("profile")?;
            options.request = given.request.optional("request")?;
            options.limits = limits_of(given.limits)?;
            let core = Arc::new(History::parse(text, &options)?.into_owned());
            out_history.write(into_handle(haversack_history { core }));
        }
        Ok(())
    })
}

/// Frees a history, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_free(history: *mut haversack_history) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(history) } });
}

/// The format it was read as: a `haversack_wire_format`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_format(history: *const haversack_history) -> u32 {
    boundary!(get history => history.core.format().code(), or 0)
}

/// Whether the format was named or shown by the text; else it was taken for OpenAI Chat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_certain(history: *const haversack_history) -> bool {
    boundary!(get history => history.core.is_certain(), or false)
}

/// How many messages there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_len(history: *const haversack_history) -> usize {
    boundary!(get history => history.core.len(), or 0)
}

/// The text that was read, as it came.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_text(history: *const haversack_history) -> haversack_str {
    boundary!(get history => haversack_str::of(history.core.text()), or haversack_str::NONE)
}

/// The text of one message, as it came; absent past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_message(history: *const haversack_history, index: usize) -> haversack_str {
    boundary!(get history => haversack_str::of_option(history.core.message(index)), or haversack_str::NONE)
}

/// Writes the first `capacity` steps to `steps` and answers how many there are. `steps` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_steps(
    history: *const haversack_history,
    steps: *mut haversack_step,
    capacity: usize,
) -> usize {
    boundary!(get history => {
        let all = history.core.steps();
        let views = all.iter().map(|step| haversack_step {
            kind: step.kind.code(),
            from: step.from,
            to: step.to,
            calls: step.calls,
            open: step.open,
        });
        // SAFETY: by contract `steps` covers `capacity` entries.
        unsafe { fill(steps, capacity, views) };
        all.len()
    }, or 0)
}

/// Writes the first `capacity` indices at which the history may be cut to `indices` and answers how many there are;
/// with `portable` only those that hold in every format. `indices` may be NULL with capacity 0. Every call finds them
/// anew, linear in messages and blocks; as much room as there are messages is always enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_safe_cuts(
    history: *const haversack_history,
    portable: bool,
    indices: *mut usize,
    capacity: usize,
) -> usize {
    boundary!(get history => {
        let all = if portable { history.core.portable_cuts() } else { history.core.safe_cuts() };
        // SAFETY: by contract `indices` covers `capacity` entries.
        unsafe { fill(indices, capacity, all.iter().copied()) };
        all.len()
    }, or 0)
}

/// Why `index` is no safe cut: a `haversack_cut_refusal`, written to `out_refusal`, which may be NULL. False, and
/// nothing written, when it is one. Costs as much as `haversack_history_cut_refusals`, which answers for all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_cut_refusal(
    history: *const haversack_history,
    index: usize,
    out_refusal: *mut u32,
) -> bool {
    boundary!(get history => {
        let refusal = history.core.cut_refusal(index);
        // Unlike a part, the reason may go unread: the answer is the refusal itself.
        write_part(refusal.as_ref(), out_refusal, |refusal| refusal.code());
        refusal.is_some()
    }, or false)
}

/// Writes for each of the first `capacity` messages why no cut may stand before it, a `haversack_cut_refusal`, to
/// `refusals`, and answers how many messages there are. `refusals` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_cut_refusals(
    history: *const haversack_history,
    refusals: *mut u32,
    capacity: usize,
) -> usize {
    boundary!(get history => {
        let all = if capacity == 0 { Vec::new() } else { history.core.cut_refusals() };
        let numbers = all.iter().map(|refusal| refusal.map_or(0, CutRefusal::code));
        // SAFETY: by contract `refusals` covers `capacity` entries.
        unsafe { fill(refusals, capacity, numbers) };
        history.core.len()
    }, or 0)
}

/// What the provider would refuse; with `sending` an open call at the end counts too.
///
/// On success `*out_violations` is to be freed with `haversack_violations_free`; it may be empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_history_violations(
    history: *const haversack_history,
    sending: bool,
    out_violations: *mut *mut haversack_violations,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_violations), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe {
            let found = live(history, "history")?.core.violations(sending);
            out_violations.write(into_handle(haversack_violations(found)));
        }
        Ok(())
    })
}

/// Frees a list of violations, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_violations_free(violations: *mut haversack_violations) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(violations) } });
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_violations_count(violations: *const haversack_violations) -> usize {
    boundary!(get violations => violations.0.len(), or 0)
}

/// The violation of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_violations_get(
    violations: *const haversack_violations,
    index: usize,
    out_violation: *mut haversack_violation,
) -> bool {
    boundary!(get violations => write_part(violations.0.get(index), out_violation, view), or false)
}

/// The name of a `haversack_wire_format`, such as `anthropic`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_wire_format_name(format: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<WireFormat>(format) })
}

/// The name of a `haversack_step_kind`, such as `assistant`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_step_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<StepKind>(kind) })
}

/// The name of a `haversack_cut_refusal`, such as `inside_step`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_cut_refusal_name(refusal: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<CutRefusal>(refusal) })
}

/// The name of a `haversack_violation_kind`, such as `orphan_result`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_violation_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, {
        let known = ViolationKind::ALL.iter().find(|k| k.code() == kind);
        haversack_str::of_option(known.map(|kind| kind.name()))
    })
}

pub(crate) fn view(violation: &Violation) -> haversack_violation {
    haversack_violation {
        kind: violation.kind.code(),
        index: violation.index,
        path: haversack_str::of(&violation.path),
        id: haversack_str::of_option(violation.id.as_deref()),
        message: haversack_str::of(&violation.message),
        provider: haversack_str::of(violation.provider),
    }
}

/// Writes as many of `values` as there is room for.
///
/// # Safety
/// `out` is null or covers `capacity` writable entries.
pub(crate) unsafe fn fill<T>(out: *mut T, capacity: usize, values: impl Iterator<Item = T>) {
    if out.is_null() {
        return;
    }
    for (place, value) in values.take(capacity).enumerate() {
        // SAFETY: `place` is below the capacity.
        unsafe { out.add(place).write(value) };
    }
}

versioned!(haversack_history_options {
    size, format, reserved, profile, request, limits
} first: limits, reserved: reserved);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_violation_has_its_number_here() {
        // The last one of the enum, and as many numbers as kinds.
        let last = ViolationKind::ALL.last().unwrap().code();
        assert_eq!(last as usize, ViolationKind::ALL.len());
        assert_eq!(haversack_violation_kind::HAVERSACK_VIOLATION_TEXT_TOO_LONG as u32, last);
    }
}
