//! Writing JSON value by value, for hosts that hold messages as objects of their own.
//!
//! What was written need not be read again: the values are noted while they are written, as a tape is.

use alloc::string::String;
use alloc::vec::Vec;

use super::check::{Notes, check};
use super::swar::each_stop;
use super::tape::{Tape, TapeWriter};
use super::walk::Node;

/// What a message is, more or less; memory that is not written to costs nothing.
const BYTES_A_MESSAGE: usize = 600;
const VALUES_A_MESSAGE: usize = 10;
/// No more than so many messages at once: 10 MB.
const MESSAGES_AT_ONCE: usize = 1 << 14;

/// Writes one JSON value: compact, keys in the order they come, nothing escaped that need not be.
///
/// Values go into the container that was opened last; in an object each one follows its key. What breaks these rules
/// is not written, and leaves the whole without a text.
///
/// ```
/// use haversack::json::JsonWriter;
///
/// let mut json = JsonWriter::new();
/// json.open_list();
/// json.open_object();
/// json.key("role");
/// json.string("user");
/// json.key("n");
/// json.number("1.0");
/// json.close();
/// json.null();
/// json.close();
/// assert_eq!(json.into_text().as_deref(), Some(r#"[{"role":"user","n":1.0},null]"#));
/// ```
#[derive(Debug, Default)]
pub struct JsonWriter {
    text: String,
    /// The containers that are open: whether each is an object, and where it starts.
    open: Vec<(bool, usize)>,
    /// The values, where somebody asked for them.
    notes: Option<TapeWriter>,
    deepest: usize,
    broken: bool,
}

impl JsonWriter {
    /// A writer of a text.
    pub fn new() -> Self {
        JsonWriter::default()
    }

    /// A writer of a history, for [`History::from_writer`](crate::History::from_writer), with room for as many messages
    /// as there will be. Notes four words a value.
    pub fn for_history(messages: usize) -> Self {
        // A guess that spares the moves of most; what is left over is given back.
        let messages = messages.min(MESSAGES_AT_ONCE);
        let notes = TapeWriter::with_capacity(messages * VALUES_A_MESSAGE);
        JsonWriter {
            text: String::with_capacity(messages * BYTES_A_MESSAGE),
            notes: Some(notes),
            ..JsonWriter::default()
        }
    }

    /// Opens an object.
    pub fn open_object(&mut self) {
        self.open_container(true, '{');
    }

    /// Opens a list.
    pub fn open_list(&mut self) {
        self.open_container(false, '[');
    }

    /// Closes the container that was opened last.
    pub fn close(&mut self) {
        let waits = self.text.as_bytes().last() == Some(&b':');
        let Some((is_object, start)) = self.open.pop().filter(|_| !waits) else {
            self.broken = true;
            return;
        };
        self.text.push(if is_object { '}' } else { ']' });
        if let Some(notes) = &mut self.notes {
            notes.close(&Node { start, end: self.text.len(), blanks: 0, count: 0 });
        }
    }

    /// The key of the value that comes next.
    pub fn key(&mut self, key: &str) {
        let last = self.text.as_bytes().last().copied();
        if last == Some(b':') || !self.open.last().is_some_and(|&(is_object, _)| is_object) {
            self.broken = true;
            return;
        }
        if last != Some(b'{') {
            self.text.push(',');
        }
        let start = self.text.len();
        let has_escape = self.quote(key);
        self.text.push(':');
        if let Some(notes) = &mut self.notes {
            notes.key(start, has_escape);
        }
    }

    /// A string.
    pub fn string(&mut self, text: &str) {
        if let Some(start) = self.value() {
            self.quote(text);
            self.note(start);
        }
    }

    /// A number as JSON spells it; what is none breaks the whole.
    pub fn number(&mut self, number: &str) {
        let is_number = number.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            && number.ends_with(|c: char| c.is_ascii_digit())
            && check(number, 0).is_ok();
        if is_number {
            self.word(number);
        } else {
            self.broken = true;
        }
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) {
        self.word(if value { "true" } else { "false" });
    }

    /// `null`.
    pub fn null(&mut self) {
        self.word("null");
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The text, when it is one whole value.
    pub fn into_text(self) -> Option<String> {
        self.is_whole().then_some(self.text)
    }

    /// The text, when it is one whole value, and its values, when they were noted and none lies deeper.
    pub(crate) fn into_tape(self, max_depth: usize) -> Option<(String, Option<Tape>)> {
        let is_whole = self.is_whole();
        let mut text = self.text;
        text.shrink_to_fit();
        let notes = self.notes.filter(|_| self.deepest <= max_depth);
        is_whole.then(|| (text, notes.map(TapeWriter::finish)))
    }

    fn is_whole(&self) -> bool {
        !self.broken && self.open.is_empty() && !self.text.is_empty()
    }

    /// Where a value that may stand here starts.
    #[inline]
    fn value(&mut self) -> Option<usize> {
        match (self.text.as_bytes().last(), self.open.last()) {
            (None, None) | (Some(b':'), Some((true, _))) | (Some(b'['), Some((false, _))) => {}
            (Some(_), Some((false, _))) => self.text.push(','),
            _ => {
                self.broken = true;
                return None;
            }
        }
        Some(self.text.len())
    }

    fn open_container(&mut self, is_object: bool, bracket: char) {
        let Some(start) = self.value() else { return };
        self.text.push(bracket);
        self.open.push((is_object, start));
        self.deepest = self.deepest.max(self.open.len());
        if let Some(notes) = &mut self.notes {
            notes.open(start);
        }
    }

    fn word(&mut self, word: &str) {
        if let Some(start) = self.value() {
            self.text.push_str(word);
            self.note(start);
        }
    }

    fn note(&mut self, start: usize) {
        if let Some(notes) = &mut self.notes {
            notes.plain(start, self.text.len());
        }
    }

    /// Writes a string; whether anything in it had to be escaped.
    fn quote(&mut self, text: &str) -> bool {
        let out = &mut self.text;
        // Room for some escapes too.
        out.reserve(text.len() + text.len() / 16 + 16);
        out.push('"');
        let bytes = text.as_bytes();
        let mut from = 0;
        each_stop(bytes, |at| {
            out.push_str(text.get(from..at).unwrap_or_default());
            escape(bytes.get(at).copied().unwrap_or_default(), out);
            from = at + 1;
        });
        out.push_str(text.get(from..).unwrap_or_default());
        out.push('"');
        from > 0
    }
}

/// One character that has to be escaped: it is one byte.
fn escape(byte: u8, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        8 => out.push_str("\\b"),
        12 => out.push_str("\\f"),
        _ => {
            out.push_str("\\u00");
            out.push(char::from(HEX[usize::from(byte >> 4) & 15]));
            out.push(char::from(HEX[usize::from(byte) & 15]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Children, Kind};

    /// Writes a checked text again, value by value.
    fn copied(text: &str, mut to: JsonWriter) -> JsonWriter {
        fn value(text: &str, scan: &crate::json::Scan, node: &Node, to: &mut JsonWriter) {
            match (node.kind(text), node.raw(text)) {
                (Kind::String, raw) => to.string(&crate::json::decode_key(raw)),
                (Kind::Scalar, "null") => to.null(),
                (Kind::Scalar, raw @ ("true" | "false")) => to.bool(raw == "true"),
                (Kind::Scalar, raw) => to.number(raw),
                (kind, _) => {
                    if kind == Kind::Object {
                        to.open_object();
                    } else {
                        to.open_list();
                    }
                    for child in Children::new(text, scan, node) {
                        if kind == Kind::Object {
                            to.key(&crate::json::decode_key(child.key_raw(text)));
                        }
                        value(text, scan, &child.node, to);
                    }
                    to.close();
                }
            }
        }
        let scan = check(text, 64).unwrap();
        value(text, &scan, &scan.root, &mut to);
        to
    }

    #[test]
    fn what_was_written_is_what_is_read() {
        for text in [
            "[]",
            "{}",
            "\"x\"",
            "-1.5e+3",
            r#"{"a":[1,{"b\"c":null},[]],"":"x","a":true}"#,
            r#"[{"a":{"b":{"c":[[[]],"]"]}}},"\\",0,"\n\u0001\u007f\b\f\t\r é😀"]"#,
            r#"["a long text without anything to escape in it, then","a \"quote\" far behind the first block of it"]"#,
        ] {
            let again = copied(text, JsonWriter::new()).into_text().unwrap();
            assert_eq!(again, text.replace("\\u007f", "\u{7f}"));
            let (noted, tape) = copied(text, JsonWriter::for_history(2)).into_tape(64).unwrap();
            let tape = tape.unwrap();
            assert_eq!(noted, again);
            assert_eq!(alloc::format!("{tape:?}"), alloc::format!("{:?}", Tape::of(&again, 64).unwrap()), "{text}");
        }
    }

    #[test]
    fn what_has_no_place_leaves_no_text() {
        let cases: [fn(&mut JsonWriter); 12] = [
            |_| {},
            JsonWriter::open_list,
            JsonWriter::close,
            |w| w.key("a"),
            |w| (w.null(), w.null()).1,
            |w| (w.open_list(), w.key("a"), w.null(), w.close()).3,
            |w| (w.open_object(), w.null(), w.close()).2,
            |w| (w.open_object(), w.key("a"), w.close()).2,
            |w| (w.open_object(), w.key("a"), w.key("b"), w.null(), w.close()).4,
            |w| (w.open_list(), w.close(), w.close()).2,
            |w| w.number("1,2"),
            |w| w.number(" 1"),
        ];
        for (i, case) in cases.iter().enumerate() {
            let mut writer = JsonWriter::new();
            case(&mut writer);
            assert_eq!(writer.into_text(), None, "case {i}");
            let mut writer = JsonWriter::for_history(2);
            case(&mut writer);
            assert!(writer.into_tape(9).is_none(), "case {i}");
        }
        for bad in ["", "01", "1.", "nan", "+1", "\u{661}", "1 ", "-"] {
            let mut writer = JsonWriter::new();
            writer.number(bad);
            assert_eq!(writer.into_text(), None, "{bad}");
        }
    }

    #[test]
    fn what_lies_too_deep_is_left_to_the_reader() {
        let nested = || {
            let mut writer = JsonWriter::for_history(2);
            writer.open_list();
            writer.open_list();
            writer.close();
            writer.close();
            writer
        };
        assert!(nested().into_tape(2).unwrap().1.is_some());
        assert!(nested().into_tape(1).unwrap().1.is_none());
        assert!(copied("[]", JsonWriter::new()).into_tape(9).unwrap().1.is_none(), "nothing was noted");
    }
}
