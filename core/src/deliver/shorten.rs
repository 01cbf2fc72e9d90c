//! A line or a cell in less room: both ends, and between them a mark with the number of characters that are gone.

use alloc::string::String;

use memchr::memmem;

use crate::deliver::notice::number;
use crate::deliver::options::Keep;
use crate::deliver::snip;
use crate::error::Error;
use crate::measure::{Budget, Unit};
use crate::wording;

/// Visible characters that a cut line keeps at least.
const LEAST_VISIBLE: usize = 8;

/// A record shortened, with its size; it keeps the line end.
pub(crate) type Cut = (String, usize);

/// An earlier cut's mark inside a text: where it lies, and how many scalar values it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) chars: usize,
}

/// The one mark of a text; `None` when there is none, or more than one.
pub(crate) fn find_mark(text: &str) -> Option<Mark> {
    let mut marks = marks(text);
    let first = marks.next()?;
    marks.next().is_none().then_some(first)
}

/// Every mark of our grammar in a text.
pub(crate) fn marks(text: &str) -> impl Iterator<Item = Mark> + '_ {
    let (open, close) = wording::CHARS_OMITTED;
    memmem::find_iter(text.as_bytes(), open.as_bytes()).filter_map(move |start| {
        let rest = text.get(start + open.len()..)?;
        let digits = rest.bytes().take(17).take_while(u8::is_ascii_digit).count();
        let chars = number(rest.get(..digits)?)?;
        rest.get(digits..)?.starts_with(close).then_some(Mark {
            start,
            end: start + open.len() + digits + close.len(),
            chars,
        })
    })
}

/// One text that can be shortened to `HEAD…[3127 chars omitted]…TAIL`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    text: &'a str,
    /// Appended to what is left: the line end.
    end: &'a str,
    mark: Option<Mark>,
    keep: Keep,
    /// Visible characters that stay at least.
    least: usize,
    seen: usize,
}

impl<'a> Line<'a> {
    /// A line: it keeps at least 8 visible characters.
    pub(crate) fn new(text: &'a str, end: &'a str, mark: Option<Mark>, keep: Keep) -> Self {
        Line { text, end, mark, keep, least: LEAST_VISIBLE, seen: snip::plain_len(text) }
    }

    /// A cell: beside others that say what it is about, its mark alone will do.
    pub(crate) fn cell(text: &'a str, mark: Option<Mark>, keep: Keep) -> Self {
        Line { text, end: "", mark, keep, least: 0, seen: snip::plain_len(text) }
    }

    /// In at most `room` units, with their number. At least 8 visible characters stay and it gets visibly shorter,
    /// else there is no such form.
    pub(crate) fn cut(&self, room: usize, budget: &Budget<'_>) -> Result<Option<Cut>, Error> {
        let frame = budget.size(&self.assemble(0, self.text.len()))?;
        // Tokens: about four bytes each is the first try; the count decides.
        let counted = budget.is_counted();
        let unit = if counted { Unit::Bytes } else { budget.unit() };
        let mut space = room.saturating_sub(frame).saturating_mul(if counted { 4 } else { 1 });
        let mut best: Option<Cut> = None;
        for _ in 0..12 {
            if space == 0 {
                break;
            }
            let (head, tail) = match self.keep {
                Keep::Head => (space, 0),
                Keep::Tail => (0, space),
                Keep::Both => (space - space / 2, space / 2),
            };
            let s = snip::snip(self.text, head, tail, unit);
            if !self.good(s.head, s.tail) {
                break;
            }
            let out = self.assemble(s.head, s.tail);
            let n = budget.size(&out)?;
            if n <= room {
                let longer = best.as_ref().is_none_or(|(b, _)| b.len() < out.len());
                let full = !counted || n + room / 16 >= room;
                let more = space.saturating_mul(room) / n.max(1);
                if longer {
                    best = Some((out, n));
                }
                if full || !longer || more <= space {
                    break;
                }
                space = more;
            } else if best.is_some() {
                break;
            } else {
                space = space.saturating_sub(1).min(space.saturating_mul(room) / n.max(1) * 15 / 16);
            }
        }
        if best.is_some() {
            return Ok(best);
        }
        Ok(self.smallest(budget)?.filter(|(_, n)| *n <= room))
    }

    /// The smallest form.
    pub(crate) fn smallest(&self, budget: &Budget<'_>) -> Result<Option<Cut>, Error> {
        let (front, back) = self.least_visible();
        let head = visible_prefix(self.text, front);
        let tail = visible_suffix(self.text, back).max(head);
        if !self.good(head, tail) {
            return Ok(None);
        }
        let out = self.assemble(head, tail);
        let n = budget.size(&out)?;
        Ok(Some((out, n)))
    }

    /// Visible characters that stay in front and at the end at least.
    fn least_visible(&self) -> (usize, usize) {
        match self.keep {
            Keep::Head => (self.least, 0),
            Keep::Tail => (0, self.least),
            Keep::Both => (self.least / 2, self.least / 2),
        }
    }

    /// A mark of an earlier cut is never split; its number is added.
    fn around_mark(&self, head: usize, tail: usize) -> (usize, usize, usize) {
        let chars = |from: usize, to: usize| self.text[from..to].chars().count();
        match self.mark {
            None => (head, tail, chars(head, tail)),
            Some(m) => {
                let (head, tail) = (head.min(m.start), tail.max(m.end));
                (head, tail, (chars(head, m.start) + chars(m.end, tail)).saturating_add(m.chars))
            }
        }
    }

    fn assemble(&self, head: usize, tail: usize) -> String {
        let (head, tail, gone) = self.around_mark(head, tail);
        let (open, close) = wording::CHARS_OMITTED;
        alloc::format!("{}{open}{gone}{close}{}{}", &self.text[..head], &self.text[tail..], self.end)
    }

    fn good(&self, head: usize, tail: usize) -> bool {
        let (head, tail, gone) = self.around_mark(head, tail);
        let (front, back) = (&self.text[..head], &self.text[tail..]);
        let (open, close) = wording::CHARS_OMITTED;
        let mark = alloc::format!("{open}{gone}{close}");
        let (least_front, least_back) = self.least_visible();
        head < tail
            && front.len() + mark.len() + back.len() < self.text.len()
            && snip::visible(front) >= least_front
            && snip::visible(back) >= least_back
            && snip::plain_len(front) + mark.chars().count() + snip::plain_len(back) < self.seen
    }
}

fn visible_prefix(text: &str, want: usize) -> usize {
    let (mut at, mut seen) = (0, 0);
    while seen < want && at < text.len() {
        if let Some(len) = snip::ansi_len(&text.as_bytes()[at..]) {
            at += len;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        seen += usize::from(!c.is_control() && !c.is_whitespace());
        at += c.len_utf8();
    }
    snip::ceil(text, at)
}

fn visible_suffix(text: &str, want: usize) -> usize {
    if want == 0 {
        return text.len();
    }
    // Forward, since an ANSI sequence can only be told from its start; the places of the last visible ones are kept.
    let mut last = alloc::collections::VecDeque::new();
    let mut at = 0;
    while at < text.len() {
        if let Some(len) = snip::ansi_len(&text.as_bytes()[at..]) {
            at += len;
            continue;
        }
        let Some(c) = text.get(at..).and_then(|t| t.chars().next()) else { break };
        if !c.is_control() && !c.is_whitespace() {
            last.push_back(at);
            if last.len() > want {
                last.pop_front();
            }
        }
        at += c.len_utf8();
    }
    let start = if last.len() < want { 0 } else { last.front().copied().unwrap_or(0) };
    snip::floor(text, start)
}
