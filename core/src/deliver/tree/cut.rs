//! What became of a document: the few values that were not kept whole, as a tree over the input's spans.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::marks::RecordMarks;
use super::records::{Record, Records};
use super::string_gap::StringGap;
use crate::json::{Child, Node};

/// What stands in the place of a value that was not kept whole.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// A JSON string, finished: a shortened string, a label, or a document inside a string that was cut on its own.
    Text(Text),
    Object(Box<ObjectCut<'a>>),
    List(Box<ListCut<'a>>),
}

impl Piece<'_> {
    /// Nothing is missing after all: what was opened to be cut came to fit.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Piece::Text(text) => text.whole,
            Piece::List(list) => list.is_whole() && list.shrunk == 0,
            Piece::Object(object) => object.stated.is_none() && object.cuts.iter().all(|c| c.2.is_whole()),
        }
    }
}

/// What the notice says of a shortened string outside records; its own marker speaks in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing: equal keys have one pointer between them.
    Nothing,
    /// That it was shortened, where it was cut on its lines.
    Lines,
    /// That it was shortened, and its cursor.
    Cursor,
}

/// A string as it will stand in the output, quotes included, in the spelling of the payload.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) json: String,
    /// True when it only lost white space inside (JSON in a string): nothing is missing.
    pub(crate) whole: bool,
    /// Cut on its lines.
    pub(crate) on_lines: bool,
    /// What is missing, where the string is plain text: a page can resume it.
    pub(crate) gap: Option<StringGap>,
    pub(crate) told: Told,
}

impl Text {
    /// A string that is replaced by a label or written anew: there is nothing to resume.
    pub(crate) const fn closed(json: String, whole: bool) -> Self {
        Text { json, whole, on_lines: false, gap: None, told: Told::Lines }
    }

    /// It has an entry in the notice.
    pub(crate) fn is_told(&self) -> bool {
        match self.told {
            Told::Nothing => false,
            Told::Lines => self.on_lines,
            Told::Cursor => true,
        }
    }
}

/// An object of which some members were cut, or (a map) only some members were taken.
#[derive(Debug)]
pub(crate) struct ObjectCut<'a> {
    pub(crate) node: Node,
    /// Members by their place in the object; those not named here are whole.
    pub(crate) cuts: Vec<(usize, Child, Piece<'a>)>,
    /// One entry sums the cut lists among the members.
    pub(crate) star: bool,
    /// The name under which the notice stands, when this object carries one.
    pub(crate) notice: Option<String>,
    /// The first member is an earlier notice of ours: written anew, not copied.
    pub(crate) skip_first: bool,
    /// What an earlier cut said of the lists in this record.
    pub(crate) stated: Option<Rc<RecordMarks>>,
}

/// Records of a list that go together.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    /// Whole neighbours: positions and the span from the first to the end of the last.
    Whole { from: usize, to: usize, start: usize, end: usize, marked: bool },
    /// One record in part.
    Shrunk { at: usize, child: Child, piece: Piece<'a>, size: usize },
}

impl Item<'_> {
    pub(crate) fn positions(&self) -> (usize, usize) {
        match self {
            Item::Whole { from, to, .. } => (*from, *to),
            Item::Shrunk { at, .. } => (*at, *at + 1),
        }
    }

    pub(crate) fn start(&self) -> usize {
        match self {
            Item::Whole { start, .. } => *start,
            Item::Shrunk { child, .. } => child.key.0,
        }
    }
}

/// A list (or a map, whose members are its records) of which not every record is kept whole.
#[derive(Debug)]
pub(crate) struct ListCut<'a> {
    pub(crate) node: Node,
    pub(crate) is_map: bool,
    /// Absolute pointer, raw spelling; a pattern with stars inside records.
    pub(crate) path: String,
    /// Pointer relative to the record that holds it, when it stands in one.
    pub(crate) rel: Option<String>,
    /// Records there were, those an earlier cut left out included.
    pub(crate) total: usize,
    /// Position of the first record that this text holds.
    pub(crate) offset: usize,
    /// Positions considered, relative to this text.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) items: Vec<Item<'a>>,
    /// Taken from the end, last first.
    pub(crate) tail: Vec<Item<'a>>,
    pub(crate) records: Records<'a>,
    pub(crate) kept: usize,
    pub(crate) shrunk: usize,
    /// Records passed over for good (`oversize = skip`).
    pub(crate) skipped: Vec<usize>,
    /// Records passed over as too large for the list's share: taken after all where others leave room for them.
    pub(crate) too_large: Vec<Record>,
    /// What this list may use, its notice aside.
    pub(crate) room: usize,
    pub(crate) used: usize,
    /// What its gaps would take in a cursor, where the text has none.
    pub(crate) passed: usize,
    /// Full size of its content.
    pub(crate) demand: usize,
    /// Cost of its notice entry, which goes when the list becomes whole.
    pub(crate) entry: usize,
    /// Its records can no longer all be there whole.
    pub(crate) lossy: bool,
    /// No cursor: salvaged, or one of several members with the same key.
    pub(crate) no_cursor: bool,
    /// One of several members with the same key.
    pub(crate) twin: bool,
    pub(crate) starred: bool,
    pub(crate) malformed_at: Option<usize>,
    /// Shown on a page of its own.
    pub(crate) is_page: bool,
    /// The name of the notice that a map writes itself: at the root, or as a record.
    pub(crate) notice: Option<String>,
    pub(crate) skip_first: bool,
    pub(crate) stated: Option<Rc<RecordMarks>>,
}

impl ListCut<'_> {
    /// Nothing is missing: every record of the input is there whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.kept == self.total && self.malformed_at.is_none()
    }

    /// Every position of the list was considered: no page of it, nothing that only an earlier cut saw.
    pub(crate) fn considers_all(&self) -> bool {
        self.from == 0 && self.offset == 0 && self.to + usize::from(self.skip_first) == self.node.count
    }

    /// Items in the order of their positions.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &Item<'_>> {
        self.items.iter().chain(self.tail.iter().rev())
    }

    /// Positions considered that are not in the text and can still be had: half-open, absolute.
    pub(crate) fn gaps(&self) -> Vec<(usize, usize)> {
        let mut gaps: Vec<(usize, usize)> = Vec::new();
        // What was skipped from the end was noted last first.
        let mut skipped = self.skipped.clone();
        skipped.sort_unstable();
        let mut missing = |from: usize, to: usize| {
            let mut at = from;
            for &s in skipped.iter().filter(|s| (from..to).contains(*s)) {
                if at < s {
                    gaps.push((at, s));
                }
                at = s + 1;
            }
            if at < to {
                gaps.push((at, to));
            }
        };
        let mut at = self.from;
        for item in self.in_order() {
            let (from, to) = item.positions();
            if at < from {
                missing(at, from);
            }
            at = to;
        }
        if at < self.to {
            missing(at, self.to);
        }
        for gap in &mut gaps {
            gap.0 += self.offset;
            gap.1 += self.offset;
        }
        gaps
    }

    pub(crate) fn omitted(&self) -> usize {
        self.total.saturating_sub(self.kept + self.shrunk)
    }
}
