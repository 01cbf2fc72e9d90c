//! A page of a string outside records: its lines, in an envelope whose `rows` is a piece of the string.
//!
//! `rows` is the source's own spelling, so that the rows of all pages, one after the other, are the string. A line
//! longer than the page is cut with its count, and a page that starts inside a line says how much stands before.

use alloc::string::String;
use alloc::vec::Vec;

use super::books::{Books, counts};
use super::document::Job;
use super::marks::{Stated, marker_in};
use super::page::{needs_original, past_end};
use super::string_gap::{line_count, lines_above};
use crate::deliver::cursor::{self, Gap, past_end_of_line};
use crate::deliver::delivery::{Action, Delivery, Reason, Run, Warning};
use crate::deliver::snip;
use crate::error::Error;
use crate::json::{Node, decode_key, unescape_from};
use crate::measure::{Unit, settle};
use crate::wording;

/// Scalar values looked at beyond a cut, for what must not be cut there.
const AHEAD: usize = 1024;

/// What of a string this text holds: lines from `offset` of `total`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    total: usize,
    offset: usize,
    lines: usize,
    /// Scalar values of the first line that stood before what is held, and of the last one behind it.
    before: usize,
    behind: usize,
    /// Where it stands in the raw string.
    start: usize,
    end: usize,
}

impl Held {
    /// A string that nothing says was cut.
    pub(super) fn whole(raw: &str) -> Self {
        let end = raw.len().saturating_sub(1);
        let lines = Places::find(raw, 1, end, (0, 0), usize::MAX).lines;
        Held { total: lines, offset: 0, lines, before: 0, behind: 0, start: 1, end }
    }

    /// A string of which an earlier cut left only the ends: the lines above its marker, where that tells how many there
    /// were.
    pub(super) fn shortened(raw: &str) -> Self {
        let text = decode_key(raw);
        let Some((start, end, _, gone)) = marker_in(&text) else { return Held::whole(raw) };
        let lines = if gone > 0 { lines_above(&text, start) } else { 0 };
        let below = line_count(text.get(end..).unwrap_or_default());
        let total = if gone > 0 { lines.saturating_add(gone).saturating_add(below) } else { usize::MAX };
        let end = raw.len().saturating_sub(1);
        let stop = Places::find(raw, 1, end, (0, 0), lines).stop;
        Held { total, offset: 0, lines, before: 0, behind: 0, start: 1, end: stop }
    }

    /// The rows of an earlier page: what its marks say stands before and behind is not in them. There are marks only
    /// where it says that lines are `shrunk`.
    pub(super) fn page(raw: &str, offset: usize, total: usize, shrunk: usize) -> Self {
        let text = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        let (mut before, mut start, mut end) = (0, 1, raw.len().saturating_sub(1));
        if let Some((chars, len)) = wording::read_chars_omitted(text).filter(|_| shrunk > 0) {
            (before, start) = (chars, start + len);
        }
        let rest = raw.get(start..end).unwrap_or_default();
        let mut behind = 0;
        let one_line = !unescape_from(raw, start, end).any(|x| x.2 == '\n');
        let marked = shrunk > usize::from(before > 0 && !one_line);
        if let Some(at) = rest.rfind(wording::CHARS_OMITTED.0)
            && let Some((chars, len)) = rest.get(at..).and_then(wording::read_chars_omitted)
            && at + len == rest.len()
            && marked
        {
            (behind, end) = (chars, start + at);
        }
        let lines = Places::find(raw, start, end, (0, 0), usize::MAX).lines;
        Held { total, offset, lines, before, behind, start, end }
    }

    /// Lines that are here in part.
    pub(super) fn partial(&self) -> usize {
        let ends = usize::from(self.before > 0) + usize::from(self.behind > 0);
        if self.lines < 2 { ends.min(self.lines) } else { ends }
    }

    pub(super) const fn lines(&self) -> usize {
        self.lines
    }
}

/// Places in the raw string, found in one walk: nothing is decoded.
struct Places {
    /// Where the line asked for starts, and the character in it.
    line: usize,
    resume: Option<usize>,
    /// Scalar values of that line, its line break aside.
    length: usize,
    /// Where line `stop` starts.
    stop: usize,
    lines: usize,
}

impl Places {
    fn find(raw: &str, start: usize, end: usize, from: (usize, usize), stop: usize) -> Self {
        let mut places = Places { line: end, resume: None, length: 0, stop: end, lines: 0 };
        let (mut index, mut chars) = (0, 0);
        for (at, _, c) in unescape_from(raw, start, end) {
            if chars == 0 && index == from.0 {
                places.line = at;
            }
            if chars == 0 && index == stop {
                places.stop = at;
            }
            if (index, chars) == from {
                places.resume = Some(at);
            }
            places.length += usize::from(index == from.0 && c != '\n');
            (index, chars) = if c == '\n' { (index + 1, 0) } else { (index, chars + 1) };
        }
        if (index, chars) == from {
            places.resume = Some(end);
        }
        places.lines = index + usize::from(chars > 0);
        places
    }
}

/// What a page shows of a string.
#[derive(Debug)]
pub(super) struct StringPage {
    /// Raw pointer.
    path: String,
    node: Node,
    held: Held,
    /// Lines `from..stop` of the whole string, the first one from character `skip` on.
    from: usize,
    skip: usize,
    stop: usize,
    /// The end of the gap that is served, and the gaps after it.
    gap_end: usize,
    rest: Vec<Gap>,
    /// In the raw string: the start of line `from`, of the page, and of what follows it.
    line: usize,
    start: usize,
    end: usize,
}

impl StringPage {
    /// The page of the string `node` that a gap asks for.
    ///
    /// # Errors
    /// `cursor_past_end`, `cursor_needs_original`.
    pub(super) fn new(
        text: &str,
        node: Node,
        path: String,
        held: Held,
        gap: &Gap,
        rest: Vec<Gap>,
    ) -> Result<Self, Error> {
        let skip = gap.offset.unwrap_or(0);
        for place in [gap.from, gap.to.unwrap_or(0)] {
            if place > held.total {
                return Err(past_end(place, held.total));
            }
        }
        let gap_end = gap.to.unwrap_or(held.total).max(gap.from);
        let held_end = held.offset + held.lines;
        let stop = gap_end.min(held_end);
        if gap.from == held.total && skip == 0 && held_end == held.total {
            let (from, end) = (gap.from, held.end);
            return Ok(StringPage { path, node, held, from, skip, stop, gap_end, rest, line: end, start: end, end });
        }
        if gap.from < held.offset || gap.from >= held_end {
            // Behind the last line there is no character to go on from.
            let past = gap.from >= held.total && held_end == held.total;
            return Err(if past { past_end_of_line(gap.from, skip, 0) } else { needs_original(gap.from) });
        }
        // Before the first line's own characters stands what an earlier page showed.
        let before = if gap.from == held.offset { held.before } else { 0 };
        let Some(inner) = skip.checked_sub(before) else { return Err(needs_original(gap.from)) };
        let index = (gap.from - held.offset, inner);
        let places = Places::find(node.raw(text), held.start, held.end, index, stop - held.offset);
        let Some(start) = places.resume else { return Err(past_end_of_line(gap.from, skip, before + places.length)) };
        Ok(StringPage {
            path,
            node,
            held,
            from: gap.from,
            skip,
            stop,
            gap_end,
            rest,
            line: places.line,
            start,
            end: places.stop,
        })
    }

    /// What an earlier page holds, cut again.
    ///
    /// # Errors
    /// None for a page that was read as one.
    pub(super) fn again(text: &str, stated: &Stated) -> Result<Self, Error> {
        let (node, path) = (stated.rows, stated.list.clone().unwrap_or_default());
        let held = Held::page(node.raw(text), stated.from, stated.total, stated.shrunk);
        let offset = (held.before > 0).then_some(held.before);
        let gap = Gap { offset, ..Gap::new(&path, held.offset, None) };
        StringPage::new(text, node, path, held, &gap, Vec::new())
    }
}

/// How far a page goes.
#[derive(Clone, Copy)]
struct Until {
    /// One past the last line shown, and where what is shown ends in the raw string.
    index: usize,
    at: usize,
    /// The last line is cut: characters of it that are shown or stand before, and those that follow.
    cut: Option<(usize, usize)>,
}

struct Draft {
    text: String,
    next: Option<String>,
    until: Until,
    /// Where the rows stand in the text.
    body: (usize, usize),
}

impl AsRef<str> for Draft {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Job<'_, '_> {
    /// The page of a string, within the budget.
    ///
    /// # Errors
    /// `budget_too_small`, and those of the counter.
    pub(super) fn string_page(
        &self,
        page: &StringPage,
        fields_removed: u64,
        warnings: Vec<Warning>,
    ) -> Result<Delivery, Error> {
        let budget = *self.view.budget();
        let pager = Pager { job: self, page, raw: page.node.raw(self.view.text) };
        let least = pager.smallest()?;
        let size = budget.size(&least.text)?;
        if size > budget.limit() {
            return Err(Error::budget_too_small(size, budget.limit(), budget.unit()));
        }
        let found = settle(&budget, |goal| pager.draft(goal))?;
        let (draft, size) = found.unwrap_or((least, size));
        Ok(pager.answer(draft, size, fields_removed, warnings))
    }
}

struct Pager<'p, 'a, 'o> {
    job: &'p Job<'a, 'o>,
    page: &'p StringPage,
    raw: &'p str,
}

impl Pager<'_, '_, '_> {
    /// The largest page for a goal, or `None` where not one character fits.
    fn draft(&self, goal: usize) -> Result<Option<Draft>, Error> {
        let hinted = self.job.may_hint(goal, false);
        match self.draft_with(goal, hinted)? {
            None if hinted => self.draft_with(goal, false),
            draft => Ok(draft),
        }
    }

    fn draft_with(&self, goal: usize, hinted: bool) -> Result<Option<Draft>, Error> {
        let (page, budget) = (self.page, self.job.view.budget());
        let all = self.all();
        if page.from >= page.stop {
            return Ok(Some(self.assemble(all, hinted)));
        }
        let each = if budget.is_counted() { 64 } else { 4 };
        if (all.at - page.start) / each <= goal {
            let draft = self.assemble(all, hinted);
            if budget.with_limit(goal).fits(&draft.text)?.is_some() {
                return Ok(Some(draft));
            }
        }
        let Some(room) = goal.checked_sub(self.widest_frame(hinted)?) else { return Ok(None) };
        let (mut index, mut at, mut used) = (page.from, page.start, 0usize);
        while index < page.stop {
            let end = self.line_end(at);
            let Some(size) = budget.with_limit(room).fits(self.raw.get(at..end).unwrap_or_default())? else { break };
            let sum = used.saturating_add(size.max(1));
            // The last line that an earlier page cut stays cut.
            if sum > room || (end == page.held.end && page.held.behind > 0) {
                break;
            }
            (index, at, used) = (index + 1, end, sum);
        }
        if index > page.from {
            return Ok(Some(self.assemble(Until { index, at, cut: None }, hinted)));
        }
        self.cut_line(room, goal, hinted)
    }

    /// Not even one line: as much of it as fits.
    fn cut_line(&self, room: usize, goal: usize, hinted: bool) -> Result<Option<Draft>, Error> {
        let budget = self.job.view.budget();
        let rest = self.line_rest();
        let Some(room) = room.checked_sub(budget.size(&wording::chars_omitted(rest))?) else { return Ok(None) };
        let mut room = if budget.is_counted() { room.saturating_mul(4) } else { room };
        for _ in 0..12 {
            let Some(until) = self.piece(room) else { break };
            let draft = self.assemble(until, hinted);
            if budget.with_limit(goal).fits(&draft.text)?.is_some() {
                return Ok(Some(draft));
            }
            room = room / 2 + room / 4;
        }
        Ok(None)
    }

    /// The first line up to `room` units of it, at a place where text may be cut.
    fn piece(&self, room: usize) -> Option<Until> {
        let unit = match self.job.view.budget().unit() {
            Unit::Tokens => Unit::Bytes,
            unit => unit,
        };
        let (mut text, mut used, mut most, mut ahead) = (String::new(), 0usize, None, 0);
        for (start, end, c) in unescape_from(self.raw, self.page.start, self.page.end) {
            if c == '\n' || ahead > AHEAD {
                break;
            }
            let spelled = self.raw.get(start..end).unwrap_or_default();
            used += match unit {
                Unit::Chars => spelled.chars().count(),
                Unit::Utf16 => spelled.chars().map(char::len_utf16).sum(),
                _ => spelled.len(),
            };
            if used > room {
                most = most.or(Some(text.len()));
                ahead += 1;
            }
            text.push(c);
        }
        let end = snip::floor(&text, most?);
        self.cut_after(text.get(..end)?)
    }

    /// The first line, cut after these characters of it.
    fn cut_after(&self, shown: &str) -> Option<Until> {
        let chars = shown.chars().count();
        let at = unescape_from(self.raw, self.page.start, self.page.end).nth(chars).map(|(at, _, _)| at);
        let rest = self.line_rest().checked_sub(chars).filter(|rest| *rest > 0)?;
        let cut = Some((self.page.skip + chars, rest));
        (chars > 0).then(|| Until { index: self.page.from + 1, at: at.unwrap_or(self.page.end), cut })
    }

    /// The first line whole, or its first characters that can stand alone: whichever is smaller.
    fn smallest(&self) -> Result<Draft, Error> {
        let page = self.page;
        if page.from >= page.stop {
            return Ok(self.assemble(self.all(), false));
        }
        let all = self.all();
        let end = self.line_end(page.start);
        let whole = if page.from + 1 == page.stop { all } else { Until { index: page.from + 1, at: end, cut: None } };
        let near: String = unescape_from(self.raw, page.start, end).take(AHEAD).map(|x| x.2).collect();
        let near = near.strip_suffix('\n').unwrap_or(&near);
        let first = near.get(..snip::ceil(near, 1)).unwrap_or_default();
        let whole = self.assemble(whole, false);
        let Some(cut) = self.cut_after(first) else { return Ok(whole) };
        let cut = self.assemble(cut, false);
        let budget = self.job.view.budget();
        Ok(if budget.size(&cut.text)? < budget.size(&whole.text)? { cut } else { whole })
    }

    /// Everything that is asked for and here.
    fn all(&self) -> Until {
        let page = self.page;
        let last = page.stop > page.from && page.stop == page.held.offset + page.held.lines;
        let cut = (last && page.held.behind > 0).then(|| {
            // Only the last line, which may be the first one too, is cut already.
            let mut chars = 0;
            for (_, _, c) in unescape_from(self.raw, page.start, page.end) {
                chars = if c == '\n' { 0 } else { chars + 1 };
            }
            let one = page.stop == page.from + 1;
            (chars + if one { page.skip } else { 0 }, page.held.behind)
        });
        Until { index: page.stop.max(page.from), at: page.end.max(page.start), cut }
    }

    fn line_end(&self, at: usize) -> usize {
        unescape_from(self.raw, at, self.page.end).find(|x| x.2 == '\n').map_or(self.page.end, |x| x.1)
    }

    /// Scalar values of the first line from the start of the page on, without its line break.
    fn line_rest(&self) -> usize {
        let end = self.line_end(self.page.start);
        let mut rest = unescape_from(self.raw, self.page.start, end).filter(|x| x.2 != '\n').count();
        if end == self.page.held.end {
            rest += self.page.held.behind;
        }
        rest
    }

    /// What the frame takes when every number in it is as long as it can be.
    fn widest_frame(&self, hinted: bool) -> Result<usize, Error> {
        let (page, total) = (self.page, self.page.held.total);
        let mut gaps = alloc::vec![Gap { offset: Some(self.raw.len()), ..Gap::new(&page.path, total, Some(total)) }];
        gaps.extend(page.rest.iter().cloned());
        let next = cursor::render(&gaps, self.job.tag.as_deref());
        let mut text = self.head(0, 2, next.as_deref(), hinted);
        if page.skip > 0 {
            text.push_str(&wording::chars_omitted(page.skip));
        }
        text.push_str("\"\"}");
        self.job.view.budget().size(&text)
    }

    /// The envelope up to its rows.
    fn head(&self, shown: usize, shrunk: usize, next: Option<&str>, hinted: bool) -> String {
        let page = self.page;
        let next_text = next.map(String::from);
        let mut frame = self.job.frame_for(page.held.total, shown, shrunk, page.from, next_text, String::new());
        frame.list = Some(page.path.clone());
        frame.hint = self.job.hint(next, hinted);
        frame.head()
    }

    fn assemble(&self, until: Until, hinted: bool) -> Draft {
        let page = self.page;
        let open = (page.gap_end < page.held.total).then_some(page.gap_end);
        let mut gaps = Vec::new();
        match until.cut {
            Some((chars, _)) => {
                gaps.push(Gap { offset: Some(chars), ..Gap::new(&page.path, until.index.saturating_sub(1), open) });
            }
            None if until.index < page.gap_end => gaps.push(Gap::new(&page.path, until.index, open)),
            None => {}
        }
        gaps.extend(page.rest.iter().cloned());
        // What was salvaged is not addressable.
        let next = cursor::render(&gaps, self.job.tag.as_deref()).filter(|_| self.job.broken.is_none());
        let shown = until.index - page.from;
        let mut text = self.head(shown, self.shrunk(&until), next.as_deref(), hinted);
        text.push('"');
        let body = text.len();
        if page.skip > 0 && shown > 0 {
            text.push_str(&wording::chars_omitted(page.skip));
        }
        text.push_str(self.raw.get(page.start..until.at).unwrap_or_default());
        if let Some((_, rest)) = until.cut {
            text.push_str(&wording::chars_omitted(rest));
        }
        let body = (body, text.len());
        text.push_str("\"}");
        Draft { text, next, until, body }
    }

    /// Lines that are shown in part: the first one, or the last one, or both.
    fn shrunk(&self, until: &Until) -> usize {
        let shown = until.index - self.page.from;
        let first = usize::from(self.page.skip > 0 && shown > 0);
        let last = usize::from(until.cut.is_some());
        (first + last).min(shown)
    }

    fn answer(&self, draft: Draft, size: usize, fields_removed: u64, warnings: Vec<Warning>) -> Delivery {
        let (page, until) = (self.page, draft.until);
        let name = wording::decoded(&page.path);
        let shown = until.index - page.from;
        let shrunk = self.shrunk(&until);
        let first = usize::from(page.skip > 0 && shown > 0);
        let last = shrunk - first.min(shrunk);
        // Places in the raw string: whole lines stand between the first and the last.
        let first_end = if first > 0 { self.line_end(page.start) } else { page.line.min(page.start) };
        let last_start = if last > 0 {
            let raw = self.raw.get(first_end..until.at).unwrap_or_default();
            unescape_from(raw, 0, raw.len()).filter(|x| x.2 == '\n').last().map_or(first_end, |x| first_end + x.1)
        } else {
            until.at.max(first_end)
        };
        let cut_end = if last > 0 { self.line_end(last_start) } else { last_start };
        let kept_bytes = last_start - first_end;
        let shrunk_bytes = (first_end - page.line.min(first_end)) + (cut_end - last_start);
        let records = counts(page.held.total, shown - shrunk, shrunk);
        let bytes = counts(self.raw.len().saturating_sub(2), kept_bytes, shrunk_bytes);
        let mut plan = Vec::new();
        let mut run = |from: usize, to: usize, action, reason, source_bytes, text: core::ops::Range<usize>| {
            if to > from {
                plan.push(Run { list: name.clone(), from, to, action, reason, source_bytes, text });
            }
        };
        let (start, end) = draft.body;
        // The mark before the first line and the one behind the last belong to them.
        let lead = if first > 0 { wording::chars_omitted(page.skip).len() } else { 0 };
        let split = if first > 0 { (start + lead + (first_end.min(until.at) - page.start)).min(end) } else { start };
        let tail = if last > 0 { split + kept_bytes } else { end };
        run(0, page.from, Action::Omit, Reason::OffPage, 0, start..start);
        run(
            page.from,
            page.from + first,
            Action::Shrink,
            Reason::Oversize,
            first_end - page.line.min(first_end),
            start..split,
        );
        run(page.from + first, until.index - last, Action::Keep, Reason::Fits, kept_bytes, split..tail);
        run(until.index - last, until.index, Action::Shrink, Reason::Oversize, cut_end - last_start, tail..end);
        run(until.index, page.held.total, Action::Omit, Reason::OffPage, 0, end..end);
        let books = Books { records, bytes };
        let next = draft.next.map(|n| wording::decoded(&n));
        let list = crate::account::ListAccount { pointer: name.clone(), records, bytes, next: next.clone() };
        self.job.finish(draft.text, size, &books, (alloc::vec![list], None), next, plan, fields_removed, warnings)
    }
}
