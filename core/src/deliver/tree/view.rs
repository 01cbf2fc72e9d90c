//! A document as the cutter sees it: text to walk, and its spelling in the payload.
//!
//! For the payload itself both are the same. JSON held by a string is walked in its decoded text and written in the
//! escapes of the string it stands in, so that what is kept is still the input's own bytes; only our own words are
//! escaped.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::error::Error;
use crate::json::{Node, Scan, char_at, unescape, write_escaped, write_minified};
use crate::measure::{Budget, Unit};

/// A decoded position and the source position it comes from, every so many bytes.
const MARK_EVERY: usize = 64;

/// The text inside a raw string, and how its positions map back.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    marks: Vec<(usize, usize)>,
    /// What lies between the two ends, where only these were decoded.
    pub(crate) between: Option<Between>,
}

/// The part of a long string that was counted and not decoded: it follows `at` bytes of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    pub(crate) at: usize,
    pub(crate) chars: usize,
    pub(crate) lines: usize,
}

impl Decoded {
    /// Decodes a raw string (quotes included). Half surrogates are walked as U+FFFD and written as they came.
    pub(crate) fn new(raw: &str) -> Self {
        let mut text = String::with_capacity(raw.len());
        let mut marks = Vec::with_capacity(raw.len() / MARK_EVERY + 1);
        let mut due = 0;
        for (start, _, c) in unescape(raw) {
            if text.len() >= due {
                marks.push((text.len(), start));
                due = text.len() + MARK_EVERY;
            }
            text.push(c);
        }
        Decoded { text, marks, between: None }
    }

    /// Decodes the first and the last `window` scalar values and counts what lies between: memory for the ends alone.
    pub(crate) fn ends(raw: &str, window: usize) -> Self {
        let mut last: VecDeque<usize> = VecDeque::with_capacity(window.min(raw.len()) + 1);
        let (mut chars, mut lines) = (0usize, 0usize);
        for (start, _, c) in unescape(raw) {
            if chars >= window {
                last.push_back(start);
                if last.len() > window {
                    last.pop_front();
                }
            }
            chars += 1;
            lines += usize::from(c == '\n');
        }
        let mut decoded = Decoded { text: String::new(), marks: Vec::new(), between: None };
        decoded.append(raw, 1, window.min(chars));
        let at = decoded.text.len();
        let tail = last.len();
        if let Some(&start) = last.front() {
            decoded.append(raw, start, tail);
        }
        let shown = decoded.text.bytes().filter(|b| *b == b'\n').count();
        let between = Between { at, chars: chars.saturating_sub(window + tail), lines: lines - shown };
        decoded.between = Some(between).filter(|b| b.chars > 0);
        decoded
    }

    fn append(&mut self, raw: &str, start: usize, count: usize) {
        let (mut source, mut due) = (start, self.text.len());
        for _ in 0..count {
            if self.text.len() >= due {
                self.marks.push((self.text.len(), source));
                due = self.text.len() + MARK_EVERY;
            }
            let (c, len) = char_at(raw, source);
            self.text.push(c);
            source += len;
        }
    }

    /// The position in the raw string at which the decoded position `at` begins.
    pub(crate) fn source(&self, raw: &str, at: usize) -> usize {
        let i = self.marks.partition_point(|m| m.0 <= at);
        let Some(&(mut decoded, mut source)) = i.checked_sub(1).and_then(|i| self.marks.get(i)) else { return 1 };
        while decoded < at {
            let (c, len) = char_at(raw, source);
            decoded += c.len_utf8();
            source += len;
        }
        source
    }
}

#[derive(Debug)]
struct Up<'a> {
    outer: &'a View<'a>,
    /// The string that holds this document, in the outer text.
    string: Node,
    decoded: &'a Decoded,
}

/// A checked document, its spelling, and how its parts are measured.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) text: &'a str,
    pub(crate) scan: &'a Scan,
    up: Option<Up<'a>>,
    budget: Budget<'a>,
    ascii: bool,
    /// Token counts by where a value starts: each is counted once, whatever the rounds.
    counted: RefCell<BTreeMap<(usize, usize), usize>>,
    /// The same for frames of objects and for shortened strings: by their place and the length of the text.
    frames: RefCell<BTreeMap<(usize, usize), usize>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(text: &'a str, scan: &'a Scan, budget: Budget<'a>) -> Self {
        let ascii = budget.unit() == Unit::Bytes || (!budget.is_counted() && text.is_ascii());
        View { text, scan, up: None, budget, ascii, counted: RefCell::default(), frames: RefCell::default() }
    }

    /// The document held by `string` of `outer`.
    pub(crate) fn inside(outer: &'a View<'a>, string: Node, decoded: &'a Decoded, scan: &'a Scan) -> Self {
        View {
            text: &decoded.text,
            scan,
            up: Some(Up { outer, string, decoded }),
            budget: outer.budget,
            ascii: false,
            counted: RefCell::default(),
            frames: RefCell::default(),
        }
    }

    pub(crate) fn budget(&self) -> &Budget<'a> {
        &self.budget
    }

    pub(crate) fn is_counted(&self) -> bool {
        self.budget.is_counted()
    }

    /// How many strings this document stands in.
    pub(crate) fn level(&self) -> usize {
        let (mut level, mut view) = (0, self);
        while let Some(up) = &view.up {
            level += 1;
            view = up.outer;
        }
        level
    }

    /// Appends the source spelling of a span, as it is.
    pub(crate) fn write_span(&self, start: usize, end: usize, out: &mut String) {
        match &self.up {
            None => out.push_str(self.text.get(start..end).unwrap_or_default()),
            Some(up) => {
                let raw = up.string.raw(up.outer.text);
                let from = up.decoded.source(raw, start);
                let to = up.decoded.source(raw, end);
                up.outer.write_span(up.string.start + from, up.string.start + to, out);
            }
        }
    }

    /// Appends a value in its source spelling, without white space outside strings.
    pub(crate) fn write(&self, node: &Node, out: &mut String) {
        if self.up.is_none() {
            write_minified(node.raw(self.text), node.blanks, out);
            return;
        }
        if node.blanks == 0 {
            self.write_span(node.start, node.end, out);
            return;
        }
        let bytes = self.text.as_bytes();
        let (mut from, mut at) = (node.start, node.start);
        let mut in_string = false;
        while at < node.end {
            match bytes.get(at) {
                Some(b'\\') if in_string => at += 1,
                Some(b'"') => in_string = !in_string,
                Some(b' ' | b'\n' | b'\t' | b'\r') if !in_string => {
                    self.write_span(from, at, out);
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        self.write_span(from, node.end, out);
    }

    /// Appends words of ours, escaped as often as this document stands in strings.
    pub(crate) fn write_ours(&self, ours: &str, out: &mut String) {
        match &self.up {
            None => out.push_str(ours),
            Some(up) => {
                let mut escaped = String::with_capacity(ours.len() + 8);
                write_escaped(ours, &mut escaped);
                up.outer.write_ours(&escaped, out);
            }
        }
    }

    /// The size of words of ours. For tokens a generous figure without a call: the final count judges.
    pub(crate) fn size_of_ours(&self, ours: &str) -> usize {
        if self.is_counted() {
            return ours.len().div_ceil(2) + self.level();
        }
        let mut out = String::with_capacity(ours.len() + 8);
        self.write_ours(ours, &mut out);
        self.plain_size(&out)
    }

    fn plain_size(&self, text: &str) -> usize {
        match self.budget.unit() {
            Unit::Bytes => text.len(),
            _ => self.budget.size(text).unwrap_or(text.len()),
        }
    }

    /// The minified size of a value when that is at most `cap`, else a bound from above.
    pub(crate) fn size(&self, node: &Node, cap: usize) -> Result<usize, Error> {
        self.measure(node.start, node.end, node.blanks, cap)
    }

    /// The size of a span that is not minified further, such as a key.
    pub(crate) fn span_size(&self, start: usize, end: usize) -> Result<usize, Error> {
        self.measure(start, end, 0, usize::MAX)
    }

    fn measure(&self, start: usize, end: usize, blanks: usize, cap: usize) -> Result<usize, Error> {
        let bytes = end - start;
        if self.ascii {
            return Ok(bytes - blanks);
        }
        if self.is_counted() {
            if let Some(&n) = self.counted.borrow().get(&(start, end)) {
                return Ok(n);
            }
            // No token of a real vocabulary is that long on average: what cannot fit is not counted whole.
            if bytes.saturating_sub(blanks) > cap.saturating_mul(32).saturating_add(1024) {
                return Ok(bytes - blanks);
            }
            let mut out = String::with_capacity(bytes);
            self.write(&Node { start, end, blanks, count: 0 }, &mut out);
            let n = self.budget.size(&out)?.max(1);
            self.counted.borrow_mut().insert((start, end), n);
            return Ok(n);
        }
        // A scalar value has at most four bytes and counts at least one.
        if bytes.saturating_sub(blanks) / 4 > cap {
            return Ok(bytes - blanks);
        }
        if self.up.is_none() {
            return Ok(self.plain_size(self.text.get(start..end).unwrap_or_default()).saturating_sub(blanks));
        }
        let mut out = String::with_capacity(bytes + 16);
        self.write(&Node { start, end, blanks, count: 0 }, &mut out);
        Ok(self.plain_size(&out))
    }

    /// The size of a text that stands for (part of) the value at `start`; for tokens counted once by place and length.
    pub(crate) fn frame_size(&self, start: usize, text: &str) -> Result<usize, Error> {
        if !self.is_counted() {
            return self.budget.size(text);
        }
        if let Some(&n) = self.frames.borrow().get(&(start, text.len())) {
            return Ok(n);
        }
        let n = self.budget.size(text)?;
        self.frames.borrow_mut().insert((start, text.len()), n);
        Ok(n)
    }
}
