//! Lines or rows of a text, one at a time from either end, with their sizes. Nothing is kept of those passed by.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use crate::deliver::csv;
use crate::deliver::ndjson;
use crate::deliver::notice::number;
use crate::deliver::options::{Ansi, DeliverOptions, Keep};
use crate::deliver::records::is_blank;
use crate::deliver::snip;
use crate::deliver::tree;
use crate::error::Error;
use crate::measure::{Budget, Unit};
use crate::wording;

/// Visible characters that a cut line keeps at least.
const LEAST_VISIBLE: usize = 8;

/// How records lie in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    Lines,
    /// Rows with this delimiter; a line break inside quotes does not end one.
    Rows(u8),
    /// Lines, some of which are JSON; blank ones belong to the record above them and are white space.
    Ndjson,
}

/// One record, or (collapsed) a run of equal lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) index: usize,
    /// Records: 1, or the length of a collapsed run.
    pub(crate) records: usize,
    pub(crate) start: usize,
    /// End of the first record, line end included.
    pub(crate) first_end: usize,
    pub(crate) end: usize,
    /// Size as delivered, line end and repeat mark included; above every goal when it cannot fit.
    pub(crate) size: usize,
}

/// A record shortened, with its size; it keeps the line end.
pub(crate) type Cut = (String, usize);

/// The records of a text.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) split: Split,
    pub(crate) total: usize,
    /// Marks in lines are those of an earlier cut, and atomic.
    pub(crate) marked: bool,
    /// A line that counts repeats belongs to the line above it: an earlier cut collapsed runs.
    attached: bool,
    collapse: bool,
    keep: Keep,
    budget: Budget<'t>,
    options: DeliverOptions<'t>,
    sizes: BTreeMap<usize, usize>,
    /// Starts of the last rows, for walking back.
    last_starts: Vec<usize>,
}

impl<'t> Source<'t> {
    /// Records of `text`, which begins with one. One pass to count them.
    pub(crate) fn new(text: &'t str, split: Split, keep: Keep, options: &DeliverOptions<'t>) -> Self {
        let collapse = options.collapse && split == Split::Lines;
        let mut source = Source {
            text,
            split,
            total: 0,
            marked: false,
            attached: false,
            collapse,
            keep,
            budget: options.budget,
            options: options.clone(),
            sizes: BTreeMap::new(),
            last_starts: Vec::new(),
        };
        match split {
            Split::Lines => {
                let open = !text.is_empty() && !text.ends_with('\n');
                source.total = memchr_iter(b'\n', text.as_bytes()).count() + usize::from(open);
            }
            Split::Rows(delimiter) => source.count_rows(delimiter, keep),
            Split::Ndjson => source.count(),
        }
        source
    }

    /// Takes every line that counts repeats as part of the line above it.
    pub(crate) fn attach_repeats(&mut self) {
        if self.split != Split::Lines {
            return;
        }
        self.attached = true;
        self.count();
    }

    fn count(&mut self) {
        let (mut at, mut total) = (0, 0);
        while at < self.text.len() {
            at = self.end_of(at);
            total += 1;
        }
        self.total = total;
    }

    /// Rows can only be found from the front; the starts of the last ones are kept, as many as could fit.
    fn count_rows(&mut self, delimiter: u8, keep: Keep) {
        let most = self.budget.limit().saturating_add(2);
        let mut ring = alloc::collections::VecDeque::new();
        let mut at = 0;
        while at < self.text.len() {
            if keep != Keep::Head {
                ring.push_back(at);
                if ring.len() > most {
                    ring.pop_front();
                }
            }
            at = csv::row_end(self.text, at, delimiter);
            self.total += 1;
        }
        self.last_starts = ring.into();
    }

    /// The record that starts at byte `at`.
    pub(crate) fn next(&mut self, index: usize, at: usize) -> Result<Option<Item>, Error> {
        if at >= self.text.len() {
            return Ok(None);
        }
        let first_end = self.end_of(at);
        let mut end = first_end;
        let mut records = 1;
        if self.collapse {
            let line = content(&self.text[at..first_end]);
            while end < self.text.len() {
                let stop = self.end_of(end);
                if content(&self.text[end..stop]) != line {
                    break;
                }
                end = stop;
                records += 1;
            }
            if !worth_collapsing(records, first_end - at) {
                (end, records) = (first_end, 1);
            }
        }
        self.sized(Item { index, records, start: at, first_end, end, size: 0 }).map(Some)
    }

    /// The record that starts at byte `at`, never with its repeats.
    pub(crate) fn next_single(&mut self, index: usize, at: usize) -> Result<Option<Item>, Error> {
        if at >= self.text.len() {
            return Ok(None);
        }
        let end = self.end_of(at);
        self.sized(Item { index, records: 1, start: at, first_end: end, end, size: 0 }).map(Some)
    }

    /// The record that ends at byte `end`; `index` is one past it.
    pub(crate) fn prev(&mut self, index: usize, end: usize) -> Result<Option<Item>, Error> {
        let Some(start) = self.start_of(end) else { return Ok(None) };
        let single = Item { index: index.saturating_sub(1), records: 1, start, first_end: end, end, size: 0 };
        if !self.collapse {
            return self.sized(single).map(Some);
        }
        let line = content(&self.text[start..end]);
        let (mut first, mut first_end, mut records) = (start, end, 1);
        while let Some(before) = self.start_of(first) {
            if content(&self.text[before..first]) != line {
                break;
            }
            first_end = first;
            first = before;
            records += 1;
        }
        if !worth_collapsing(records, first_end - first) {
            return self.sized(single).map(Some);
        }
        let index = index.saturating_sub(records);
        self.sized(Item { index, records, start: first, first_end, end, size: 0 }).map(Some)
    }

    /// What the reader gets of a raw piece.
    pub(crate) fn shown<'s>(&self, raw: &'s str) -> Cow<'s, str> {
        shown(raw, self.split, &self.options)
    }

    /// Appends a whole item as it is delivered.
    pub(crate) fn push(&self, out: &mut String, item: &Item) {
        out.push_str(&self.shown(&self.text[item.start..item.first_end]));
        if item.records > 1 {
            if !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(&wording::repeats(item.records - 1));
            if self.text[..item.end].ends_with('\n') {
                out.push('\n');
            }
        }
    }

    /// The record shortened to at most `room`, or `None` when its smallest form is larger, or no shorter than it is.
    pub(crate) fn cut(&self, item: &Item, room: usize) -> Result<Option<Cut>, Error> {
        let raw = self.shown(&self.text[item.start..item.first_end]);
        match self.split {
            Split::Lines => self.line(&raw).cut(room, &self.budget),
            Split::Rows(delimiter) => csv::Row::new(&raw, delimiter, self.marked, self.keep).cut(room, &self.budget),
            Split::Ndjson => match ndjson::Record::read(&raw, self.marked, &self.options) {
                Some(record) => record.cut(room),
                None => self.line(&raw).cut(room, &self.budget),
            },
        }
    }

    /// The smallest form of a record, or `None` when that is no shorter than it is.
    pub(crate) fn smallest_cut(&self, item: &Item) -> Result<Option<Cut>, Error> {
        let raw = self.shown(&self.text[item.start..item.first_end]);
        match self.split {
            Split::Lines => self.line(&raw).smallest(&self.budget),
            Split::Rows(delimiter) => csv::Row::new(&raw, delimiter, self.marked, self.keep).smallest(&self.budget),
            Split::Ndjson => match ndjson::Record::read(&raw, self.marked, &self.options) {
                Some(record) => record.smallest(),
                None => self.line(&raw).smallest(&self.budget),
            },
        }
    }

    /// Start of the record that holds byte `hit`, and how many records lie between it and the one at `at`.
    pub(crate) fn skip_to(&self, at: usize, hit: usize) -> (usize, usize) {
        match self.split {
            Split::Lines if !self.attached => {
                let between = self.text.as_bytes().get(at..hit).unwrap_or_default();
                let start = memrchr(b'\n', between).map_or(at, |i| at + i + 1);
                (start, memchr_iter(b'\n', between).count())
            }
            _ => {
                let (mut start, mut skipped) = (at, 0);
                while start < self.text.len() {
                    let end = self.end_of(start);
                    if end > hit {
                        break;
                    }
                    (start, skipped) = (end, skipped + 1);
                }
                (start, skipped)
            }
        }
    }

    /// Bytes of the text before record `index`, walking from the front.
    pub(crate) fn offset_of(&self, index: usize) -> usize {
        self.walk(0, index)
    }

    /// The place that many records after byte `at`.
    pub(crate) fn walk(&self, at: usize, records: usize) -> usize {
        if records == 0 {
            return at;
        }
        match self.split {
            Split::Lines if !self.attached => memchr_iter(b'\n', self.text.as_bytes().get(at..).unwrap_or_default())
                .nth(records - 1)
                .map_or(self.text.len(), |i| at + i + 1),
            _ => {
                let mut at = at;
                for _ in 0..records {
                    if at >= self.text.len() {
                        break;
                    }
                    at = self.end_of(at);
                }
                at
            }
        }
    }

    /// An earlier cut shortened this record, and it says so.
    pub(crate) fn is_marked(&self, item: &Item) -> bool {
        self.marked && self.holds_mark(&self.text[item.start..item.first_end])
    }

    pub(crate) fn holds_mark(&self, raw: &str) -> bool {
        if self.split == Split::Ndjson { tree::is_marked(raw) } else { marks(raw).next().is_some() }
    }

    pub(crate) fn end_of(&self, at: usize) -> usize {
        match self.split {
            Split::Lines => {
                let end = line_end(self.text, at);
                let next = line_end(self.text, end);
                if self.attached && is_repeats(&self.text[end..next]) { next } else { end }
            }
            Split::Rows(delimiter) => csv::row_end(self.text, at, delimiter),
            Split::Ndjson => {
                let mut end = line_end(self.text, at);
                while end < self.text.len() {
                    let next = line_end(self.text, end);
                    if !is_blank(&self.text[end..next]) {
                        break;
                    }
                    end = next;
                }
                end
            }
        }
    }

    fn start_of(&self, end: usize) -> Option<usize> {
        if end == 0 {
            return None;
        }
        match self.split {
            Split::Lines => {
                let line_start = |end: usize| {
                    let before = self.text.as_bytes().get(..end.checked_sub(1)?)?;
                    Some(memrchr(b'\n', before).map_or(0, |i| i + 1))
                };
                let start = line_start(end)?;
                let attached = self.attached && start > 0 && is_repeats(&self.text[start..end]);
                if attached { line_start(start) } else { Some(start) }
            }
            Split::Ndjson => {
                let mut end = end;
                loop {
                    let start = self.text.as_bytes().get(..end.checked_sub(1)?)?;
                    let start = memrchr(b'\n', start).map_or(0, |i| i + 1);
                    if start == 0 || !is_blank(&self.text[start..end]) {
                        return Some(start);
                    }
                    end = start;
                }
            }
            Split::Rows(_) => {
                let i = self.last_starts.partition_point(|s| *s < end);
                self.last_starts.get(i.checked_sub(1)?).copied()
            }
        }
    }

    /// Weighs an item: additive units anew each time, tokens once, since a counter is dear.
    fn sized(&mut self, mut item: Item) -> Result<Item, Error> {
        let key = item.start;
        if let Some(size) = self.sizes.get(&key) {
            item.size = *size;
            return Ok(item);
        }
        let raw = self.shown(&self.text[item.start..item.first_end]);
        let limit = self.budget.limit();
        item.size = match self.budget.fits(&raw)? {
            Some(n) => n.max(1),
            None => limit.saturating_mul(2).saturating_add(2),
        };
        if item.records > 1 {
            item.size = item.size.saturating_add(self.budget.size(&wording::repeats(item.records - 1))? + 1);
        }
        if self.budget.is_counted() {
            self.sizes.insert(key, item.size);
        }
        Ok(item)
    }

    fn line<'a>(&self, raw: &'a str) -> Line<'a> {
        let first = if self.attached { raw.split_inclusive('\n').next().unwrap_or(raw) } else { raw };
        let text = content(first);
        let mark = if self.marked { find_mark(text) } else { None };
        // Records are kept from the front, a long line from both ends.
        let keep = if self.split == Split::Ndjson { self.options.keep.unwrap_or(Keep::Both) } else { self.keep };
        Line::new(text, &raw[text.len()..], mark, keep)
    }
}

/// What the reader gets of a raw record, when something is cut.
pub(crate) fn shown<'s>(raw: &'s str, split: Split, options: &DeliverOptions<'_>) -> Cow<'s, str> {
    let raw = match split {
        Split::Ndjson => match ndjson::minified(raw, options.limits.depth) {
            Cow::Borrowed(line) => line,
            json @ Cow::Owned(_) => return json,
        },
        _ => raw,
    };
    match options.ansi {
        Ansi::Keep => Cow::Borrowed(raw),
        Ansi::Strip => snip::strip_ansi(raw),
    }
}

/// One past the line end of the line that byte `at` lies in.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    memchr(b'\n', text.as_bytes().get(at..).unwrap_or_default()).map_or(text.len(), |i| at + i + 1)
}

/// A line without its `\n` or `\r\n`.
pub(crate) fn content(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// A line that counts the repeats of the one above it.
fn is_repeats(line: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit();
    let line = line.strip_suffix('\n').unwrap_or(line);
    let Some(at) = line.find(digits) else { return false };
    let length = line[at..].find(|c| !digits(c)).unwrap_or(line.len() - at);
    number(&line[at..at + length]).is_some_and(|n| line == wording::repeats(n))
}

fn worth_collapsing(records: usize, line: usize) -> bool {
    records > 1 && (records - 1).saturating_mul(line) > wording::repeats(records - 1).len() + 1
}

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
