//! A text that may be delivered: which records are in it, and where they stood in the original.

use alloc::string::String;
use alloc::vec::Vec;

use crate::deliver::delivery::{Action, Reason};
use crate::deliver::notice::Span;
use crate::deliver::source::Item;

/// A record that is in the text.
#[derive(Clone, Debug)]
pub(crate) struct Pick {
    pub(crate) item: Item,
    /// Its shortened form; `None` when it is whole.
    pub(crate) cut: Option<String>,
    /// Where it stands in the text.
    pub(crate) text: Span,
}

/// A run of records that were passed over because they are too large.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// One text that may be delivered, and what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) notice: Option<String>,
    pub(crate) picks: Vec<Pick>,
    /// Oversize records that were left out, ascending.
    pub(crate) passed: Vec<Passed>,
    /// What is missing, in positions of the original; empty when they are not known.
    pub(crate) gaps: Vec<Span>,
    pub(crate) shrunk: usize,
}

impl AsRef<str> for Draft {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Where the records of this text stood in the original.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Missing before, ascending, in positions of the original.
    pub(crate) gone: Vec<Span>,
}

impl Places {
    /// Before which records of this text something was missing, ascending.
    pub(crate) fn seams(&self) -> Vec<usize> {
        let mut before = 0;
        let seam = |gap: &Span| {
            let at = gap.0.saturating_sub(before);
            before += gap.1 - gap.0;
            at
        };
        self.gone.iter().map(seam).collect()
    }

    /// Position in the original of record `index` of this text. At a gap: the position after it.
    pub(crate) fn original(&self, index: usize) -> usize {
        let mut at = index;
        for (from, to) in &self.gone {
            if *from > at {
                break;
            }
            at += to - from;
        }
        at
    }

    /// Index in this text of a position of the original; `None` when it is not here.
    pub(crate) fn here(&self, original: usize) -> Option<usize> {
        let mut before = 0;
        for (from, to) in &self.gone {
            if original < *from {
                break;
            }
            if original < *to {
                return None;
            }
            before += to - from;
        }
        original.checked_sub(before)
    }

    /// The spans of the original that `spans` of this text stand for: split where something was missing before.
    fn originals(&self, (from, to): Span, out: &mut Vec<Span>) {
        let (mut at, end) = (from, to);
        while at < end {
            let start = self.original(at);
            let next = self.gone.iter().find(|g| g.0 > start).map_or(usize::MAX, |g| g.0);
            let length = (end - at).min(next - start);
            out.push((start, start + length));
            at += length;
        }
    }

    /// Everything of `total` that `shown` (ascending, of this text) leaves out.
    pub(crate) fn missing(&self, shown: impl Iterator<Item = Span>, total: usize) -> Vec<Span> {
        let mut here = Vec::new();
        for span in shown {
            self.originals(span, &mut here);
        }
        let mut out = Vec::new();
        let mut at = 0;
        for (from, to) in here {
            if from > at {
                out.push((at, from));
            }
            at = to;
        }
        if at < total {
            out.push((at, total));
        }
        out
    }
}

/// What became of a pick.
pub(crate) fn action_of(pick: &Pick) -> (Action, Reason) {
    if pick.cut.is_some() { (Action::Shrink, Reason::Oversize) } else { (Action::Keep, Reason::Fits) }
}
