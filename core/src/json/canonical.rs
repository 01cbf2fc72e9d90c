//! Canonical JSON (RFC 8785) from text to text: spans are noted while the text is checked, and written in order.
//!
//! There is no tree of values: a value that stands in its canonical form already, which is most of them, is one span
//! however large it is, and a text that does is not copied at all. Only objects that have to be sorted, strings that
//! have to be spelt anew and what is around them have entries of their own.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::check::{Fault, Notes, check_noting};
use super::number::{self, Canonical as Number};
use super::strings::{char_at, unescape};
use super::swar::string_stop;
use super::walk::Node;
use crate::error::{Error, ErrorKind};

/// A number whose canonical form says another number, since no double is it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InexactNumber {
    /// Where it stands in the text that was read, in bytes.
    pub offset: usize,
    /// How it was spelt, at most 32 characters of it.
    pub read: String,
    /// What the canonical form has in its place.
    pub written: String,
}

/// A text in its canonical form.
#[derive(Clone, Debug)]
pub struct Canonical<'a> {
    text: Cow<'a, str>,
    inexact: Vec<InexactNumber>,
}

impl<'a> Canonical<'a> {
    /// The canonical form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The canonical form; the text that was read where that was canonical already.
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// Whether the text that was read is its own canonical form, byte for byte.
    pub const fn is_same(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
    }

    /// The numbers that do not survive a double, in the order of the text.
    pub fn inexact_numbers(&self) -> &[InexactNumber] {
        &self.inexact
    }
}

/// The canonical form (RFC 8785) of one JSON text: no white space, keys by their UTF-16 code units, strings and
/// numbers as ECMAScript writes them.
///
/// A number that no double is is written as the nearest double and [reported](Canonical::inexact_numbers).
///
/// Cost: time `n log n` in the text at worst (linear where keys are in order), memory linear: an entry of 48 bytes
/// (on 64 bits) for each member or element that is not canonical as it stands, and for its neighbours.
///
/// ```
/// let c = haversack::canonical_json(r#"{"b": [1.0, 9007199254740993], "a": "\u00e9"}"#, 512)?;
/// assert_eq!(c.text(), r#"{"a":"é","b":[1,9007199254740992]}"#);
/// assert_eq!(c.inexact_numbers()[0].offset, 12);
/// # Ok::<(), haversack::Error>(())
/// ```
///
/// # Errors
/// [`InvalidJson`](ErrorKind::InvalidJson) and [`TooDeep`](ErrorKind::TooDeep) (more than `max_depth` levels);
/// [`NotCanonical`](ErrorKind::NotCanonical) for two equal keys in one object (`offset` of the second), half a
/// surrogate pair, and a number that is too large for a double.
pub fn canonical_json(text: &str, max_depth: usize) -> Result<Canonical<'_>, Error> {
    form_of(text, max_depth).map_err(|fault| crate::deliver::json_error(&fault, max_depth))?
}

/// The canonical form of what may be no JSON at all, without the cost of saying why it has none.
pub(crate) fn try_canonical(text: &str, max_depth: usize) -> Option<Cow<'_, str>> {
    form_of(text, max_depth).ok()?.ok().map(Canonical::into_text)
}

/// The canonical form of a text: a fault where it is no JSON, an error where it is, and has none.
fn form_of(text: &str, max_depth: usize) -> Result<Result<Canonical<'_>, Error>, Fault> {
    let (_, walk) = check_noting(Walk::new(text), text, max_depth)?;
    let Walk { settled, inexact, root, refused, .. } = walk;
    if let Some(error) = refused {
        return Ok(Err(error));
    }
    let text = match root.form {
        Form::Raw if root.start == 0 && root.end == text.len() => Cow::Borrowed(text),
        _ => Cow::Owned(write(text, &settled, root)),
    };
    Ok(Ok(Canonical { text, inexact }))
}

/// How a value gets into the canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As it stands, with all that is in it.
    Raw,
    /// A string to be spelt anew.
    String,
    /// A number to be written anew.
    Number,
    /// Its entries, `start..end` of those settled, in the order in which they stand there.
    Object,
    Array,
}

/// A value and, in an object, its key, as spans of the text (of the settled entries for containers).
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: (usize, usize),
    start: usize,
    end: usize,
    form: Form,
    /// How a plain key begins, to be compared before the text is looked at.
    prefix: u64,
    /// The key has no escapes, so that its bytes can be compared.
    plain_key: bool,
    /// The key stands in its canonical form.
    raw_key: bool,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Entry>() == 48, "the cost that canonical_json states");

#[derive(Clone, Copy)]
struct Key {
    span: (usize, usize),
    prefix: u64,
    plain: bool,
    raw: bool,
}

struct Frame {
    key: Key,
    start: usize,
    /// Where its entries begin among the pending ones.
    first: usize,
    is_object: bool,
    /// Nothing in it so far has to be written another way.
    raw: bool,
    sorted: bool,
}

/// What is noted of a text while it is checked.
struct Walk<'t> {
    text: &'t str,
    /// The key whose value comes next: where it starts, and whether it has escapes.
    key: Option<(usize, bool)>,
    open: Vec<Frame>,
    /// Entries of the open containers, those of the innermost last.
    pending: Vec<Entry>,
    /// Entries of closed containers that are not raw.
    settled: Vec<Entry>,
    inexact: Vec<InexactNumber>,
    root: Entry,
    /// The first thing that has no canonical form; what comes behind it is not looked at.
    refused: Option<Error>,
}

const NO_KEY: Key = Key { span: (0, 0), prefix: 0, plain: true, raw: true };

impl Notes for Walk<'_> {
    fn key(&mut self, start: usize, has_escape: bool) {
        self.key = Some((start, has_escape));
    }

    fn open(&mut self, start: usize) {
        if self.refused.is_none() {
            let opened = self.opened(start);
            self.note(opened);
        }
    }

    fn close(&mut self, node: &Node) {
        if self.refused.is_none() {
            let closed = self.closed(node).and_then(|entry| self.push(entry));
            self.note(closed);
        }
    }

    fn plain(&mut self, start: usize, end: usize) {
        if self.refused.is_none() {
            let added = self.value(start, end).and_then(|entry| self.push(entry));
            self.note(added);
        }
    }
}

impl<'t> Walk<'t> {
    fn new(text: &'t str) -> Self {
        let root = entry(&NO_KEY, 0, 0, Form::Raw);
        let (open, pending, settled, inexact) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Walk { text, key: None, open, pending, settled, inexact, root, refused: None }
    }

    #[inline]
    fn note(&mut self, done: Result<(), Error>) {
        if let Err(error) = done {
            self.refused = Some(error);
        }
    }

    fn opened(&mut self, start: usize) -> Result<(), Error> {
        let key = self.take_key(start)?;
        let is_object = self.text.as_bytes().get(start) == Some(&b'{');
        self.open.push(Frame { key, start, first: self.pending.len(), is_object, raw: true, sorted: true });
        Ok(())
    }

    /// A string, a number or a word.
    #[inline]
    fn value(&mut self, start: usize, end: usize) -> Result<Entry, Error> {
        let key = self.take_key(start)?;
        let bytes = self.text.as_bytes();
        let form = match bytes.get(start) {
            // Without escapes it stops first where it ends.
            Some(b'"') if string_stop(bytes, start + 1) + 1 == end || self.spelling(start)?.raw => Form::Raw,
            Some(b'"') => Form::String,
            Some(b'-' | b'0'..=b'9') => self.number(start, end)?,
            _ => Form::Raw,
        };
        Ok(entry(&key, start, end, form))
    }

    /// The key of the value at `value`.
    #[inline]
    fn take_key(&mut self, value: usize) -> Result<Key, Error> {
        let Some((start, has_escape)) = self.key.take() else { return Ok(NO_KEY) };
        let bytes = self.text.as_bytes();
        // Back over the colon and the white space around it.
        let mut end = value;
        while end > start && bytes.get(end - 1) != Some(&b'"') {
            end -= 1;
        }
        let spelt = if has_escape { self.spelling(start)? } else { NO_KEY };
        Ok(Key { span: (start, end), prefix: prefix(bytes, start + 1, end - 1), ..spelt })
    }

    /// Adds a value to the innermost container.
    fn push(&mut self, entry: Entry) -> Result<(), Error> {
        let Walk { text, open, pending, .. } = self;
        let Some(frame) = open.last_mut() else {
            self.root = entry;
            return Ok(());
        };
        frame.raw &= entry.form == Form::Raw && entry.raw_key;
        let before = if pending.len() > frame.first { pending.last_mut() } else { None };
        if frame.is_object {
            if let Some(before) = before
                && frame.sorted
            {
                match compare(text, before, &entry) {
                    Ordering::Less => {}
                    Ordering::Equal => return Err(repeated(entry.key.0)),
                    Ordering::Greater => frame.sorted = false,
                }
            }
        } else if let Some(before) = before
            && before.form == Form::Raw
            && entry.form == Form::Raw
            && entry.start == before.end + 1
        {
            // Neighbours in a list that are written as they stand are one, with the comma between them.
            before.end = entry.end;
            return Ok(());
        }
        pending.push(entry);
        Ok(())
    }

    /// The innermost container, as an entry of the one around it.
    fn closed(&mut self, node: &Node) -> Result<Entry, Error> {
        let Some(frame) = self.open.pop() else { return Ok(self.root) };
        // White space is in no canonical form.
        if frame.raw && frame.sorted && node.blanks == 0 {
            self.pending.truncate(frame.first);
            return Ok(entry(&frame.key, frame.start, node.end, Form::Raw));
        }
        if !frame.sorted {
            let text = self.text;
            let members = self.pending.get_mut(frame.first..).unwrap_or_default();
            // Neighbours of the sorted list have been compared: twins have been met.
            let mut met = false;
            members.sort_unstable_by(|a, b| {
                let order = compare(text, a, b);
                met |= order == Ordering::Equal;
                // The second of many twins is the one to name.
                order.then_with(|| a.key.0.cmp(&b.key.0))
            });
            if met {
                let twins =
                    members.windows(2).filter(|two| matches!(two, [a, b] if compare(text, a, b) == Ordering::Equal));
                let second = twins.filter_map(|two| two.iter().map(|entry| entry.key.0).max()).min();
                if let Some(at) = second {
                    return Err(repeated(at));
                }
            }
        }
        let start = self.settled.len();
        self.settled.extend(self.pending.drain(frame.first..));
        let form = if frame.is_object { Form::Object } else { Form::Array };
        Ok(entry(&frame.key, start, self.settled.len(), form))
    }

    /// How the string at `start` is spelt.
    fn spelling(&self, start: usize) -> Result<Key, Error> {
        let bytes = self.text.as_bytes();
        let mut spelling = NO_KEY;
        let mut at = start + 1;
        loop {
            at = string_stop(bytes, at);
            if bytes.get(at) != Some(&b'\\') {
                return Ok(spelling);
            }
            spelling.plain = false;
            if bytes.get(at + 1) == Some(&b'u') {
                let (c, len) = char_at(self.text, at);
                if c == '\u{fffd}' && !is_replacement(bytes, at) {
                    let message = alloc::format!("half a surrogate pair at byte {at}");
                    let error = Error::new(ErrorKind::NotCanonical, message).at(at);
                    return Err(error.expecting("a whole surrogate pair"));
                }
                spelling.raw &= is_canonical_escape(bytes, at, c);
                at += len;
            } else {
                spelling.raw &= bytes.get(at + 1) != Some(&b'/');
                at += 2;
            }
        }
    }

    fn number(&mut self, start: usize, end: usize) -> Result<Form, Error> {
        let raw = self.text.get(start..end).unwrap_or_default();
        match number::canonical(raw) {
            Number::Same => Ok(Form::Raw),
            Number::Other { exact: true, .. } => Ok(Form::Number),
            Number::Other { text, exact: false } => {
                let read = raw.chars().take(32).collect();
                self.inexact.push(InexactNumber { offset: start, read, written: text });
                Ok(Form::Number)
            }
            Number::TooLarge => {
                let message = alloc::format!("a number beyond a double at byte {start}");
                let error = Error::new(ErrorKind::NotCanonical, message).at(start);
                Err(error.expecting("a number that fits a double"))
            }
        }
    }
}

fn entry(key: &Key, start: usize, end: usize, form: Form) -> Entry {
    Entry { key: key.span, start, end, form, prefix: key.prefix, plain_key: key.plain, raw_key: key.raw }
}

fn repeated(at: usize) -> Error {
    let message = alloc::format!("a key stands twice in one object, again at byte {at}");
    Error::new(ErrorKind::NotCanonical, message).at(at).expecting("another key")
}

/// True when the escape at `at` spells U+FFFD itself.
fn is_replacement(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 2..at + 6).is_some_and(|digits| digits.eq_ignore_ascii_case(b"fffd"))
}

/// True when the escape `\u…` at `at`, which says `c`, is how the canonical form spells `c`.
fn is_canonical_escape(bytes: &[u8], at: usize, c: char) -> bool {
    let short = matches!(c, '\u{8}' | '\t' | '\n' | '\u{c}' | '\r');
    c < ' ' && !short && !bytes.get(at + 2..at + 6).unwrap_or_default().iter().any(u8::is_ascii_uppercase)
}

/// Compares the keys of two entries by their UTF-16 code units.
fn compare(text: &str, a: &Entry, b: &Entry) -> Ordering {
    let raw = |entry: &Entry| text.get(entry.key.0..entry.key.1).unwrap_or_default();
    if a.plain_key && b.plain_key {
        let order = a.prefix.cmp(&b.prefix);
        // The quotes around a key belong to its span.
        let is_short = |entry: &Entry| entry.key.1 - entry.key.0 <= 8 + 2;
        if order != Ordering::Equal || is_short(a) && is_short(b) {
            return order;
        }
        let inside = |entry| {
            let raw: &str = raw(entry);
            raw.as_bytes().get(1..raw.len().saturating_sub(1)).unwrap_or_default()
        };
        let (a, b) = (inside(a), inside(b));
        let Some(at) = a.iter().zip(b).position(|(x, y)| x != y) else { return a.len().cmp(&b.len()) };
        return utf16_rank(a.get(at)).cmp(&utf16_rank(b.get(at)));
    }
    let units = |entry: &'_ Entry| {
        unescape(raw(entry)).flat_map(|(_, _, c)| {
            let mut units = [0; 2];
            let len = c.encode_utf16(&mut units).len();
            units.into_iter().take(len)
        })
    };
    units(a).cmp(units(b))
}

/// The first eight bytes of a key without escapes, by the order of UTF-16 and zeros behind a shorter one: no such key
/// has a zero.
fn prefix(text: &[u8], start: usize, end: usize) -> u64 {
    let len = end.saturating_sub(start);
    let rest = text.get(start..).unwrap_or_default();
    // Behind a key stand its quote, a colon and a value: eight bytes are there but in the shortest texts.
    let first = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut first = [0; 8];
        first.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        first
    });
    let word = u64::from_be_bytes(first);
    let word = if len < 8 { word & !(u64::MAX >> (8 * len)) } else { word };
    if word & 0x8080_8080_8080_8080 == 0 {
        return word;
    }
    u64::from_be_bytes(word.to_be_bytes().map(|byte| utf16_rank(Some(&byte))))
}

/// A byte of UTF-8 by the order of UTF-16: what is above U+FFFF (lead bytes from F0) stands there before U+E000 to
/// U+FFFF (EE and EF), since its code units start at D800.
fn utf16_rank(byte: Option<&u8>) -> u8 {
    match byte.copied().unwrap_or_default() {
        byte @ 0xEE..=0xEF => byte + 0x10,
        byte @ 0xF0..=0xF4 => byte - 0x02,
        byte => byte,
    }
}

/// Writes what the walk noted.
fn write(text: &str, settled: &[Entry], root: Entry) -> String {
    let mut out = String::with_capacity(text.len());
    // Open containers: the entries still to come, and whether they are members.
    let mut open: Vec<(core::slice::Iter<'_, Entry>, bool)> = Vec::new();
    let mut next = root;
    loop {
        match next.form {
            Form::Raw => out.push_str(text.get(next.start..next.end).unwrap_or_default()),
            Form::String => write_string(text.get(next.start..next.end).unwrap_or_default(), &mut out),
            Form::Number => match number::canonical(text.get(next.start..next.end).unwrap_or_default()) {
                Number::Other { text, .. } => out.push_str(&text),
                Number::Same | Number::TooLarge => {}
            },
            Form::Object | Form::Array => {
                let is_object = next.form == Form::Object;
                out.push(if is_object { '{' } else { '[' });
                open.push((settled.get(next.start..next.end).unwrap_or_default().iter(), is_object));
            }
        }
        // The next entry of the innermost container that has one.
        loop {
            let Some((entries, is_object)) = open.last_mut() else { return out };
            let Some(entry) = entries.next() else {
                out.push(if *is_object { '}' } else { ']' });
                open.pop();
                continue;
            };
            // No value ends in an opening bracket: the container was opened just now.
            if !matches!(out.as_bytes().last(), Some(b'{' | b'[')) {
                out.push(',');
            }
            if *is_object {
                let key = text.get(entry.key.0..entry.key.1).unwrap_or_default();
                if entry.raw_key {
                    out.push_str(key);
                } else {
                    write_string(key, &mut out);
                }
                out.push(':');
            }
            next = *entry;
            break;
        }
    }
}

/// Spells a raw string (quotes included) as the canonical form does.
fn write_string(raw: &str, out: &mut String) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let bytes = raw.as_bytes();
    let end = raw.len().saturating_sub(1);
    out.push('"');
    let mut at = 1;
    while at < end {
        let stop = string_stop(bytes, at).min(end);
        out.push_str(raw.get(at..stop).unwrap_or_default());
        if stop == end {
            break;
        }
        let (c, len) = char_at(raw, stop);
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\u{0}'..='\u{1f}' => {
                out.push_str("\\u00");
                out.push(HEX[(c as usize >> 4) & 15]);
                out.push(HEX[c as usize & 15]);
            }
            c => out.push(c),
        }
        at = stop + len;
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        canonical_json(text, 512).unwrap().into_text().into_owned()
    }

    #[test]
    fn keys_by_utf16_and_strings_as_ecmascript_writes_them() {
        let sample = r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
            "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#;
        let keys = ["\\r", "1", "\u{80}", "ö", "€", "😀", "\u{fb33}"];
        let out = of(sample);
        let places: Vec<usize> = keys.iter().map(|key| out.find(&alloc::format!("\"{key}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{out}");
        let order = of("{\"\u{10000}\":1,\"\u{ffff}\":2,\"\u{e000}\":3,\"a\":4,\"\":5,\"\\ud7ff\":6}");
        assert_eq!(order, "{\"\":5,\"a\":4,\"\u{d7ff}\":6,\"\u{10000}\":1,\"\u{e000}\":3,\"\u{ffff}\":2}");
        assert_eq!(of(r#""\u007f\u0000\u001F\u2028\/\u000a\b""#), "\"\u{7f}\\u0000\\u001f\u{2028}/\\n\\b\"");
        assert_eq!(
            of(r#"{"b":{"d":[],"c":{}},"a":[[],{},[1, 2,{"y":1,"x":[{}]}]]}"#),
            r#"{"a":[[],{},[1,2,{"x":[{}],"y":1}]],"b":{"c":{},"d":[]}}"#
        );
        assert_eq!(of(r#"["[","{",["[", 1],{"a":"{" }]"#), r#"["[","{",["[",1],{"a":"{"}]"#);
    }

    #[test]
    fn a_canonical_text_is_not_copied() {
        for text in [r#"{"a":[1,"\n",{"b":null,"c":-1.5e-7}],"b":{}}"#, "[]", "1", "\"é\"", "[1,[2,[3]],4]"] {
            assert!(canonical_json(text, 512).unwrap().is_same(), "{text}");
        }
        for text in
            [" []", "[] ", "\u{feff}[]", "{\"b\":1,\"a\":1}", "1.0", r#""\/""#, r#""\u000A""#, r#"{"\u0061":1}"#]
        {
            assert!(!canonical_json(text, 512).unwrap().is_same(), "{text}");
        }
    }

    #[test]
    fn what_has_no_canonical_form_is_refused_with_its_place() {
        for (text, kind, at) in [
            (r#"{"a":1,"b":2,"\u0061":3}"#, "not_canonical", 13),
            (r#"{"a":1,"a":2}"#, "not_canonical", 7),
            (r#"{"b":1,"a":2,"b":3}"#, "not_canonical", 13),
            (r#"["\ud800"]"#, "not_canonical", 2),
            (r#"{"x\udc00":1}"#, "not_canonical", 3),
            (r#""\ud800\ud800""#, "not_canonical", 1),
            ("[1,1e400]", "not_canonical", 3),
            ("[1,]", "invalid_json", 3),
            ("NaN", "invalid_json", 0),
        ] {
            let error = canonical_json(text, 512).unwrap_err();
            assert_eq!((error.kind().name(), error.offset()), (kind, Some(at)), "{text}");
        }
        assert_eq!(of(r#""\ufffd\uFFFD""#), "\"\u{fffd}\u{fffd}\"");
        assert_eq!(canonical_json("[[1]]", 1).unwrap_err().kind().name(), "too_deep");
    }

    #[test]
    fn numbers_that_do_not_survive_are_reported() {
        let c = canonical_json(" [1.50,9007199254740993,1e-400]", 512).unwrap();
        assert_eq!(c.text(), "[1.5,9007199254740992,0]");
        let told: Vec<_> = c.inexact_numbers().iter().map(|n| (n.offset, &*n.read, &*n.written)).collect();
        assert_eq!(told, [(7, "9007199254740993", "9007199254740992"), (24, "1e-400", "0")]);
    }
}
