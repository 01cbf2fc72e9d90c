//! Lines or rows of a text, one at a time from either end, with their sizes. Nothing is kept of those passed by.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use memchr::{memchr, memchr_iter, memrchr};

use crate::deliver::csv;
use crate::deliver::ndjson;
use crate::deliver::notice::number;
use crate::deliver::options::{Ansi, DeliverOptions, Keep};
use crate::deliver::records::is_blank;
use crate::deliver::shorten::{Cut, Line, find_mark, marks};
use crate::deliver::snip;
use crate::deliver::tree;
use crate::error::Error;
use crate::measure::Budget;
use crate::wording;

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
    /// What the marks of the NDJSON record that was cut last say, by where it starts: it is tried at many sizes.
    last_marks: RefCell<Option<(usize, Rc<tree::Marks>)>>,
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
            last_marks: RefCell::new(None),
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
            Split::Ndjson => match ndjson::Record::read(&raw, self.marks_of(item), &self.options) {
                Some(record) => record.cut(room),
                None => self.line(&raw).cut(room, &self.budget),
            },
        }
    }

    fn marks_of(&self, item: &Item) -> Rc<tree::Marks> {
        let mut last = self.last_marks.borrow_mut();
        if let Some((start, marks)) = last.as_ref()
            && *start == item.start
        {
            return marks.clone();
        }
        let marks = Rc::new(tree::Marks::in_record(self.marked));
        *last = Some((item.start, marks.clone()));
        marks
    }

    /// The smallest form of a record, or `None` when that is no shorter than it is.
    pub(crate) fn smallest_cut(&self, item: &Item) -> Result<Option<Cut>, Error> {
        let raw = self.shown(&self.text[item.start..item.first_end]);
        match self.split {
            Split::Lines => self.line(&raw).smallest(&self.budget),
            Split::Rows(delimiter) => csv::Row::new(&raw, delimiter, self.marked, self.keep).smallest(&self.budget),
            Split::Ndjson => match ndjson::Record::read(&raw, self.marks_of(item), &self.options) {
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
