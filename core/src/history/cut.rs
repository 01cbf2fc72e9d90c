//! Where a history may be cut, and the cut that keeps a budget.

use alloc::string::String;
use alloc::vec::Vec;

use super::History;
use super::output::OutMessage;
use crate::error::Error;
use crate::measure::Budget;

/// Why no cut may stand at an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutRefusal {
    /// It is inside the system prompt, or past the end.
    OutOfRange,
    /// A call before it has its result after it.
    InsideStep,
    /// The window would open with a message that may not be first.
    OpensBadly,
    /// A question of the assistant would lose its answer or the other way round.
    InsideExchange,
    /// Thinking that is kept is bound to what is dropped.
    BoundThinking,
    /// Items that are kept carry server ids of a turn whose reasoning is dropped.
    BoundItems,
    /// The rest would hold a violation that the whole does not.
    NewViolation,
}

impl CutRefusal {
    /// `out_of_range`, `inside_step` …
    pub const fn name(self) -> &'static str {
        match self {
            CutRefusal::OutOfRange => "out_of_range",
            CutRefusal::InsideStep => "inside_step",
            CutRefusal::OpensBadly => "opens_badly",
            CutRefusal::InsideExchange => "inside_exchange",
            CutRefusal::BoundThinking => "bound_thinking",
            CutRefusal::BoundItems => "bound_items",
            CutRefusal::NewViolation => "new_violation",
        }
    }
}

/// How much a cut keeps.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum KeepAtMost<'a> {
    /// At most this much of the kept messages' JSON text, system prompt and pins included; tokens as a rule.
    Size(Budget<'a>),
    /// At most this many messages, system prompt and pins included.
    Messages(usize),
}

/// What a cut has to keep beside the system prompt and the last user message.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct CutOptions<'a> {
    /// Messages that stay, by index.
    pub pinned: &'a [usize],
    /// Only at indices that hold in every format.
    pub portable: bool,
}

/// Something that has to leave a kept message with the cut.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Strip {
    /// The message it is in.
    pub index: usize,
    /// JSON Pointer inside the list of messages.
    pub path: String,
    /// `thinking` or `item_id`.
    pub what: &'static str,
}

/// A result that was made smaller inside a step that is larger than the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reduced {
    /// The message it is in.
    pub index: usize,
    /// JSON Pointer inside the list of messages.
    pub path: String,
    /// Its size before, in the budget's unit.
    pub before: usize,
    /// Its size after.
    pub after: usize,
}

/// What a cut does to the turn of roles at the seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Alternation {
    /// The window opens with a user message: a summary in a user turn before it makes two in a row.
    OpensWithUser,
    /// The window opens with an assistant message: a user turn has to stand before it in most formats.
    OpensWithAssistant,
    /// Nothing is left but what was kept by name.
    OpensWithPinned,
}

impl Alternation {
    /// `opens_with_user`, `opens_with_assistant` or `opens_with_pinned`.
    pub const fn name(self) -> &'static str {
        match self {
            Alternation::OpensWithUser => "opens_with_user",
            Alternation::OpensWithAssistant => "opens_with_assistant",
            Alternation::OpensWithPinned => "opens_with_pinned",
        }
    }
}

/// A cut that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// The first message that is kept for its place: the system prompt and pins come before it.
    pub index: usize,
    /// Why here: one sentence.
    pub reason: String,
    /// The messages kept, by index.
    pub kept: Vec<usize>,
    /// The messages dropped, by index.
    pub dropped: Vec<usize>,
    /// Size of the whole history, in the unit of the budget (messages count 1).
    pub size_before: usize,
    /// Size of what is kept.
    pub size_after: usize,
    /// Thinking and server ids that leave with the cut.
    pub strip: Vec<Strip>,
    /// Results made smaller inside a protected step.
    pub reduced: Vec<Reduced>,
    /// What happens to the turn of roles.
    pub alternation: Alternation,
    pub(crate) messages: Vec<OutMessage>,
}

impl Cut {
    /// The history after the cut, message by message.
    pub fn messages(&self) -> &[OutMessage] {
        &self.messages
    }
}

/// Why nothing is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NothingToCut {
    /// It fits as it is.
    Fits,
    /// No index is safe.
    NoSafeIndex,
    /// Every safe index leaves the last user message or a pin behind.
    AllProtected,
}

impl NothingToCut {
    /// `fits`, `no_safe_index` or `all_protected`.
    pub const fn name(self) -> &'static str {
        match self {
            NothingToCut::Fits => "fits",
            NothingToCut::NoSafeIndex => "no_safe_index",
            NothingToCut::AllProtected => "all_protected",
        }
    }
}

impl History<'_> {
    /// The indices at which the history may be cut: system prompt + `messages[i..]` holds no violation that the whole
    /// does not.
    pub fn safe_cuts(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Those of them that hold in every format: message `i` is a plain user message.
    pub fn portable_cuts(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Why `index` is not among [`safe_cuts`](History::safe_cuts); none when it is.
    pub fn cut_refusal(&self, index: usize) -> Option<CutRefusal> {
        let _ = index;
        None
    }

    /// Cuts the front so that what is kept is at most `keep`.
    ///
    /// # Errors
    /// [`BudgetTooSmall`](crate::ErrorKind::BudgetTooSmall) when the system prompt, the pins and the last step cannot
    /// be made to fit; [`CounterFailed`](crate::ErrorKind::CounterFailed);
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption) for a pin that is no message.
    pub fn cut(&self, keep: KeepAtMost<'_>, options: &CutOptions<'_>) -> Result<Result<Cut, NothingToCut>, Error> {
        let _ = (keep, options);
        Ok(Err(NothingToCut::NoSafeIndex))
    }

    /// The whole text after a cut: a body stays a body, a list a list.
    pub fn cut_text(&self, cut: &Cut) -> String {
        self.rendered(&cut.messages)
    }
}
