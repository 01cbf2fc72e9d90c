//! Where a history may be cut, and the cut that keeps a budget.

use alloc::string::String;
use alloc::vec::Vec;

mod choose;
mod measure;
mod pieces;
mod places;
mod plan;
mod protect;
mod reduce;
mod safe;
mod strip;

use core::fmt::Write as _;

pub use safe::CutRefusal;

use super::History;
use super::output::OutMessage;
use crate::error::Error;
use crate::measure::Budget;
use crate::wire::{Role, Shape};
use choose::{Choice, Chosen};
use measure::Measure;
use pieces::Pieces;
use places::Places;
use protect::{Seams, protected};

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
    /// Does not count what is dropped: [`Cut::size_before`] is 0 and [`Cut::reason`] ends before the sizes. With a
    /// counter that is most of the work of a small cut. Who wants them later asks [`History::size`] and
    /// [`Cut::with_size_before`].
    pub uncounted: bool,
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

kinds! {
    /// What a cut does to the turn of roles at the seam.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Alternation;

    /// The window opens with a user message: a summary in a user turn before it makes two in a row.
    OpensWithUser = 1, "opens_with_user";
    /// The window opens with an assistant message: a user turn has to stand before it in most formats.
    OpensWithAssistant = 2, "opens_with_assistant";
    /// Nothing is left but what was kept by name.
    OpensWithPinned = 3, "opens_with_pinned";
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

    /// A cut that was made [`uncounted`](CutOptions::uncounted), with what it left out.
    #[must_use]
    pub fn with_size_before(mut self, size: usize) -> Cut {
        self.size_before = size;
        let _ = write!(self.reason, " ({size} before, {} after)", self.size_after);
        self
    }
}

kinds! {
    /// Why nothing is cut. What does not fit and could be cut is an error that says what would be needed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum NothingToCut;

    /// It fits as it is.
    Fits = 1, "fits";
    /// It does not fit, no index is safe, and nothing in it can be reduced in this unit.
    NoSafeIndex = 2, "no_safe_index";
}

/// The answer of [`cut`](History::cut).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutAnswer {
    /// What is kept, and all that goes with it.
    Cut(Cut),
    /// Nothing is cut, and why.
    Nothing(NothingToCut),
}

impl History<'_> {
    /// Keeps the largest window at the end that fits `keep`, and with it what may not go: the system prompt, the pins,
    /// the last user message, the last step and the last compaction of the server.
    ///
    /// - What is kept outside the window is kept in whole steps, so that pairs stay whole; where the format wants it,
    ///   with the user message or the step before it. In a long run of tool calls the window starts behind the user
    ///   message that asked for it.
    /// - When the last assistant message before the last user message asks something, it stays: a question mark near
    ///   the end of its text is the sign.
    /// - With a compaction of the server the window starts there if that fits: what stands before it is not read.
    /// - Thinking that is bound to what goes, and ids of items whose reasoning goes, are taken off
    ///   ([`Cut::strip`]). Of a message of thinking alone a visible word is left.
    /// - When what may not go is too large, the texts of its results are reduced, the largest first, as
    ///   [`deliver`](crate::deliver()) does it ([`Cut::reduced`]).
    ///
    /// Sizes are those of the JSON list of the kept messages, without white space between them. Tokens are counted:
    /// all of it once (unless [`uncounted`](CutOptions::uncounted)), the messages that may stay once each, and some
    /// windows whole (few as a rule, at most about twice the logarithm of their number; none with the built-in
    /// [`Estimate`](crate::measure::Estimate), whose counts add up); the promise is about the count of the whole list.
    ///
    /// # Errors
    /// [`BudgetTooSmall`](crate::ErrorKind::BudgetTooSmall) when what may not go cannot be made to fit: with `needed`
    /// it can, in every unit. [`CounterFailed`](crate::ErrorKind::CounterFailed);
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption) for a pin that is no message.
    pub fn cut(&self, keep: KeepAtMost<'_>, options: &CutOptions<'_>) -> Result<CutAnswer, Error> {
        let n = self.len();
        let measure = Measure(keep);
        let places = Places::of(self);
        let seams = Seams { history: self, places: &places, portable: options.portable };
        let protected = protected(&seams, options)?;
        // Where counts add up every message is counted once at most.
        let mut pieces = (measure.is_estimate() && self.body.shape != Shape::Prompt).then(|| Pieces::of(self));
        let size_before = if options.uncounted { None } else { Some(self.size(keep)?) };
        let fits = if let Some(size) = size_before {
            size <= measure.limit()
        } else if let Some(size) = pieces.as_mut().and_then(|pieces| pieces.whole(measure.limit())) {
            size.is_some()
        } else {
            measure.fits(&self.texts())?.is_some()
        };
        if fits {
            return Ok(CutAnswer::Nothing(NothingToCut::Fits));
        }
        // A prompt that is one text has no index.
        if self.body.shape == Shape::Prompt {
            return Ok(CutAnswer::Nothing(NothingToCut::NoSafeIndex));
        }
        let choice = Choice { history: self, places: &places, seams: &seams, protected: &protected, measure };
        let Some(chosen) = choice.best(pieces.as_mut().filter(|_| places.keeps_bytes()))? else {
            let other = self.refusals(&places).iter().skip(places.head + 1).any(Option::is_none);
            // All of it has to stay.
            return if other {
                Err(measure.too_small(size_before.map_or_else(|| self.size(keep), Ok)?))
            } else {
                Ok(CutAnswer::Nothing(NothingToCut::NoSafeIndex))
            };
        };
        let kept: Vec<usize> = chosen.kept.iter().flat_map(|&(from, to)| from..to).collect();
        let mut gaps = chosen.kept.iter().scan(0, |at, &(from, to)| Some(core::mem::replace(at, to)..from)).flatten();
        let dropped: Vec<usize> = gaps.by_ref().collect();
        let opening = kept.iter().copied().find(|&i| i >= places.head);
        let alternation = match opening {
            Some(i) if i < chosen.index => Alternation::OpensWithPinned,
            Some(i) if self.body.messages.get(i).is_some_and(|m| m.role == Role::Assistant) => {
                Alternation::OpensWithAssistant
            }
            _ => Alternation::OpensWithUser,
        };
        let reason = reason(&chosen, &places, &kept, options, n);
        let cut = Cut {
            index: chosen.index,
            reason,
            kept,
            dropped,
            size_before: 0,
            size_after: chosen.size,
            strip: chosen.plan.strip,
            reduced: chosen.reduced,
            alternation,
            messages: chosen.plan.messages,
        };
        Ok(CutAnswer::Cut(match size_before {
            Some(size) => cut.with_size_before(size),
            None => cut,
        }))
    }

    /// How much the whole history is, as [`cut`](History::cut) measures it.
    ///
    /// # Errors
    /// [`CounterFailed`](crate::ErrorKind::CounterFailed).
    pub fn size(&self, unit: KeepAtMost<'_>) -> Result<usize, Error> {
        Measure(unit).list(&self.texts())
    }

    /// The messages, or the prompt that is one text.
    fn texts(&self) -> Vec<&str> {
        if self.body.shape == Shape::Prompt {
            return Vec::from([self.body.list.of(&self.text)]);
        }
        self.body.messages.iter().map(|message| message.span.of(&self.text)).collect()
    }

    /// The whole text after a cut: a body stays a body, a list a list.
    pub fn cut_text(&self, cut: &Cut) -> String {
        self.rendered(&cut.messages)
    }
}

/// One sentence about the cut.
fn reason(chosen: &Chosen, places: &Places, kept: &[usize], options: &CutOptions<'_>, n: usize) -> String {
    let mut text = if kept.len() == n {
        String::from("every message has to stay")
    } else if places.compaction.is_some_and(|k| k == chosen.index) {
        alloc::format!(
            "the window starts at the server's compaction, message {}, which replaces what stood before it",
            chosen.index
        )
    } else {
        alloc::format!("messages {}..{n} are the largest window that fits", chosen.index)
    };
    let apart = kept.iter().filter(|&&i| i >= places.head && i < chosen.index).count();
    if apart > 0 {
        let what = if options.pinned.is_empty() {
            "the last user message and what belongs to it"
        } else {
            "pins, the last user message and whole steps around them"
        };
        let _ = write!(text, ", with {apart} before it kept for themselves ({what})");
    }
    if !chosen.reduced.is_empty() {
        let _ = write!(text, "; {} texts of results that had to stay were reduced", chosen.reduced.len());
    }
    if !chosen.plan.strip.is_empty() {
        let _ = write!(text, "; {} blocks or ids bound to what went were taken off", chosen.plan.strip.len());
    }
    text
}
