//! Every value of a document, in the order in which they start: for texts of which every value is looked at.
//!
//! Walking it reads no text but the bytes around a key, so that a second look at a value costs next to nothing.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::check::{Fault, Notes, check_noting};
use super::strings::decode_key;
use super::walk::{Kind, Node, kind_at};

/// A value, and its key where it is a member.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Where the key starts; where the value starts when it has none.
    key: usize,
    start: usize,
    end: usize,
    /// The slot behind this value and all that is in it.
    next: usize,
}

/// The values of a checked document. The first one is the root.
#[derive(Debug)]
pub(crate) struct Tape {
    slots: Vec<Slot>,
    /// Whether any key has an escape in it: hardly ever, and then what is spelled alike is alike.
    has_escaped_key: bool,
}

/// Values stand closer than this only where the text is more brackets than words.
const BYTES_A_VALUE: usize = 64;

impl Tape {
    /// Checks that `text` is one JSON value, and notes every value in it. A byte order mark counts as white space.
    ///
    /// Memory: four words a value.
    ///
    /// # Errors
    /// The first byte that cannot be read, and what was expected there.
    pub(crate) fn of(text: &str, max_depth: usize) -> Result<Tape, Fault> {
        let writer = TapeWriter::with_capacity(text.len() / BYTES_A_VALUE + 1);
        let (_, writer) = check_noting(writer, text, max_depth)?;
        Ok(writer.finish())
    }

    /// The value that is the whole document.
    pub(crate) fn root(&self) -> Value {
        self.value(0).unwrap_or(Value { start: 0, end: 0, slot: usize::MAX })
    }

    fn value(&self, slot: usize) -> Option<Value> {
        self.slots.get(slot).map(|found| Value { start: found.start, end: found.end, slot })
    }

    /// The value that starts at `start`; the root where none does.
    pub(crate) fn value_at(&self, start: usize) -> Value {
        let slot = self.slots.partition_point(|slot| slot.start < start);
        self.value(slot).filter(|found| found.start == start).unwrap_or_else(|| self.root())
    }

    /// Where a member starts, with its key; an element, where it does itself.
    pub(crate) fn key_start(&self, value: &Value) -> usize {
        self.slots.get(value.slot).map_or(value.start, |slot| slot.key)
    }

    /// The values directly in `value`: elements, or those of members; none of what is no container.
    pub(crate) fn children(&self, value: &Value) -> Values<'_> {
        let end = self.slots.get(value.slot).map_or(0, |slot| slot.next);
        Values { tape: self, at: value.slot.saturating_add(1), end }
    }

    /// What the key of a member says; nothing for an element.
    pub(crate) fn key<'t>(&self, text: &'t str, value: &Value) -> Cow<'t, str> {
        let raw = self.key_raw(text, value);
        if self.has_escaped_key && raw.contains('\\') {
            return Cow::Owned(decode_key(raw));
        }
        Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default())
    }

    /// The key of a member with its quotes, as it stands in `text`.
    pub(crate) fn key_raw<'t>(&self, text: &'t str, value: &Value) -> &'t str {
        let Some(slot) = self.slots.get(value.slot) else {
            return "";
        };
        let bytes = text.as_bytes();
        // Back over the colon and the white space around it.
        let mut end = value.start;
        while end > slot.key && bytes.get(end - 1) != Some(&b'"') {
            end -= 1;
        }
        text.get(slot.key..end).unwrap_or_default()
    }
}

/// A value of a document that is on tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) start: usize,
    pub(crate) end: usize,
    slot: usize,
}

impl Value {
    pub(crate) fn kind(&self, text: &str) -> Kind {
        kind_at(text, self.start)
    }

    pub(crate) fn raw<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The values directly in one value, in order.
#[derive(Clone, Debug)]
pub(crate) struct Values<'a> {
    tape: &'a Tape,
    at: usize,
    end: usize,
}

impl Iterator for Values<'_> {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        if self.at >= self.end {
            return None;
        }
        let slot = self.tape.slots.get(self.at)?;
        let value = Value { start: slot.start, end: slot.end, slot: self.at };
        self.at = slot.next;
        Some(value)
    }
}

/// Writes a tape while a text is checked, or written.
#[derive(Debug, Default)]
pub(super) struct TapeWriter {
    slots: Vec<Slot>,
    /// The containers that are open, by slot.
    open: Vec<usize>,
    /// Where the key starts whose value comes next.
    key: Option<usize>,
    has_escaped_key: bool,
}

impl TapeWriter {
    /// With room for as many values.
    pub(super) fn with_capacity(values: usize) -> TapeWriter {
        TapeWriter { slots: Vec::with_capacity(values), ..TapeWriter::default() }
    }

    pub(super) fn finish(self) -> Tape {
        Tape { slots: self.slots, has_escaped_key: self.has_escaped_key }
    }

    fn push(&mut self, start: usize, end: usize) {
        let key = self.key.take().unwrap_or(start);
        let next = self.slots.len() + 1;
        self.slots.push(Slot { key, start, end, next });
    }
}

impl Notes for TapeWriter {
    fn key(&mut self, start: usize, has_escape: bool) {
        self.key = Some(start);
        self.has_escaped_key |= has_escape;
    }

    fn open(&mut self, start: usize) {
        self.open.push(self.slots.len());
        self.push(start, start);
    }

    fn close(&mut self, node: &Node) {
        let next = self.slots.len();
        if let Some(slot) = self.open.pop().and_then(|slot| self.slots.get_mut(slot)) {
            (slot.end, slot.next) = (node.end, next);
        }
    }

    fn plain(&mut self, start: usize, end: usize) {
        self.push(start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Children, check};
    use alloc::string::String;

    /// What stands in a document, as the tape and as a walk over the text tell it.
    fn both(text: &str) -> (Vec<String>, Vec<String>) {
        let (tape, scan) = (Tape::of(text, 64).unwrap(), check(text, 64).unwrap());
        let (mut on_tape, mut walked) = (Vec::new(), Vec::new());
        let mut values = Vec::from([tape.root()]);
        while let Some(value) = values.pop() {
            on_tape.push(alloc::format!("{} {}", tape.key_raw(text, &value), value.raw(text)));
            values.extend(tape.children(&value));
        }
        let mut nodes = Vec::from([((0, 0), scan.root)]);
        while let Some((key, node)) = nodes.pop() {
            walked.push(alloc::format!("{} {}", text.get(key.0..key.1).unwrap(), node.raw(text)));
            nodes.extend(Children::new(text, &scan, &node).map(|child| (child.key, child.node)));
        }
        (on_tape, walked)
    }

    #[test]
    fn keys_say_what_they_say() {
        let text = r#"{"a":1, "\u0062\n" : 2,"":3}"#;
        let tape = Tape::of(text, 9).unwrap();
        let keys: Vec<Cow<'_, str>> = tape.children(&tape.root()).map(|value| tape.key(text, &value)).collect();
        assert_eq!(keys, ["a", "b\n", ""]);
    }

    #[test]
    fn holds_what_a_walk_finds() {
        for text in [
            "[]",
            " {} ",
            "\u{feff}[1]",
            "7",
            r#" { "a" : [ 1 , {"b\"c" :null} ,[ ] ] , "" : "x" , "a":true}"#,
            r#"[{"a":{"b":{"c":[[[]],"]"]}}},"\\",-1.5e3]"#,
        ] {
            let (on_tape, walked) = both(text);
            assert_eq!(on_tape, walked, "{text}");
        }
    }
}
