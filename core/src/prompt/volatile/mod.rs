//! Values that change from call to call: times, dates, ids, paths of one run, counters, nonces.
//!
//! Scanners are written by hand, look at a bounded stretch of text at each place and go forward only: no regular
//! expressions, and time linear in the text whatever it is.

mod dates;
mod tokens;

use alloc::string::String;
use alloc::vec::Vec;

use super::piece::Layer;
use super::sequence::Prompt;

kinds! {
    /// What a volatile value is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum VolatileKind;

    /// A time of day, a date with one, seconds since 1970.
    Time = 1, "time";
    /// A date.
    Date = 2, "date";
    /// A UUID.
    Uuid = 3, "uuid";
    /// An id of a request, a session, a call: a prefix and random characters, or many of these alone.
    Id = 4, "id";
    /// A path with a random part: a directory of this run.
    Path = 5, "path";
    /// A number that counts turns, requests or the like.
    Counter = 6, "counter";
    /// What is labelled as one: a nonce, a salt, a seed.
    Nonce = 7, "nonce";
}

/// A volatile value in an early layer, which breaks the cache for everything behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VolatileValue {
    /// The name of the piece.
    pub piece: String,
    /// Its place in the prompt.
    pub index: usize,
    /// Its layer.
    pub layer: Layer,
    /// What the value is.
    pub kind: VolatileKind,
    /// Where it stands in the piece, in bytes.
    pub at_byte: usize,
    /// How long it is, in bytes.
    pub bytes: usize,
}

/// The volatile values in the layers that should change rarely ([`Static`](Layer::Static), [`Rare`](Layer::Rare)), in
/// the order of the prompt. Settings and tools that name a model or a version are none.
///
/// A value counts when it can hardly be anything else, or stands behind a word that says so (`Today is`): a date in a
/// knowledge cutoff does not. Cost: linear in the text of these layers.
pub fn volatile(prompt: &Prompt) -> Vec<VolatileValue> {
    let mut found = Vec::new();
    for (index, piece) in prompt.pieces().enumerate().filter(|(_, piece)| piece.layer() <= Layer::Rare) {
        found.extend(Values::of(piece.text()).filter(|value| value.certain).map(|value| VolatileValue {
            piece: String::from(piece.name()),
            index,
            layer: piece.layer(),
            kind: value.kind,
            at_byte: value.start,
            bytes: value.end - value.start,
        }));
    }
    found
}

/// A value that a scanner found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: VolatileKind,
    /// It is volatile whatever the next call has in its place; else only a difference shows it.
    pub(crate) certain: bool,
}

/// The values of a text, in order, none within another.
pub(crate) struct Values<'t> {
    text: &'t [u8],
    at: usize,
    /// Where the path ends that this is in.
    path_end: usize,
}

impl<'t> Values<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Values { text: text.as_bytes(), at: 0, path_end: 0 }
    }
}

impl Iterator for Values<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        while let Some(&byte) = self.text.get(self.at) {
            let at = self.at;
            if at < self.path_end {
                // Of a path only its random parts are volatile.
                let part = tokens::random_part(self.text, at, self.path_end);
                self.at = part.map_or(self.path_end, |part| part.end);
                if part.is_some() {
                    return part;
                }
                continue;
            }
            if !starts_here(self.text, at) {
                self.at += 1;
                continue;
            }
            if byte.is_ascii_digit()
                && let Some(value) = dates::from_digit(self.text, at)
            {
                self.at = value.end;
                return Some(value);
            }
            if byte.is_ascii_alphanumeric() {
                let (value, next) = tokens::from_word(self.text, at);
                self.at = next;
                if value.is_some() {
                    return value;
                }
            } else {
                self.path_end = tokens::path_end(self.text, at);
                self.at += 1;
            }
        }
        None
    }
}

/// The text with a sign in the place of every value: what is left when the next call has other ones there.
pub(crate) fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for value in Values::of(text) {
        out.push_str(text.get(from..value.start).unwrap_or_default());
        out.push('\0');
        out.push_str(value.kind.name());
        from = value.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// True where a word or a path can begin: not inside one. In JSON text the letter of an escape (`\n`) is no word.
fn starts_here(text: &[u8], at: usize) -> bool {
    let Some(&byte) = text.get(at) else { return false };
    if !byte.is_ascii_alphanumeric() && byte != b'/' {
        return false;
    }
    let Some(before) = at.checked_sub(1).and_then(|i| text.get(i)) else { return true };
    if *before == b'\\' && matches!(byte, b'n' | b't' | b'r' | b'/') {
        return false;
    }
    let escaped = matches!(before, b'n' | b't' | b'r') && at >= 2 && text.get(at - 2) == Some(&b'\\');
    escaped || !(before.is_ascii_alphanumeric() || *before == b'_' || *before >= 0x80)
}

/// The ASCII text of at most 32 bytes before `at`, lower case, blanks for what is none.
fn before(text: &[u8], at: usize) -> [u8; 32] {
    let mut window = [b' '; 32];
    let from = at.saturating_sub(32);
    let part = text.get(from..at).unwrap_or_default();
    let offset = 32 - part.len();
    for (to, byte) in window.iter_mut().skip(offset).zip(part) {
        *to = if byte.is_ascii() { byte.to_ascii_lowercase() } else { b' ' };
    }
    window
}

fn says(window: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| window.windows(word.len()).any(|part| part == word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn certain(text: &str) -> Vec<(VolatileKind, &str)> {
        Values::of(text).filter(|v| v.certain).map(|v| (v.kind, &text[v.start..v.end])).collect()
    }

    #[test]
    fn finds_what_changes_with_every_call() {
        use VolatileKind::{Counter, Date, Id, Nonce, Path, Time, Uuid};
        for (text, kind, value) in [
            ("Now: 2031-05-06 10:15:59", Time, "2031-05-06 10:15:59"),
            ("Generated 2031-05-06T10:15:59.250Z.", Time, "2031-05-06T10:15:59.250Z"),
            ("at 2025-10-08 09:08:25.256048+00:00. The", Time, "2025-10-08 09:08:25.256048+00:00"),
            ("It is now 9:05 pm.", Time, "9:05 pm"),
            ("epoch 1935914159 s", Time, "1935914159"),
            ("Today is 2031-05-06.", Date, "2031-05-06"),
            ("Today is Monday, May 6, 2031.", Date, "Monday, May 6, 2031"),
            ("The current date: 6 May 2031", Date, "6 May 2031"),
            ("session 7f9c24e5-2b1a-4d3c-9e8f-1a2b3c4d5e6f", Uuid, "7f9c24e5-2b1a-4d3c-9e8f-1a2b3c4d5e6f"),
            ("request_id: req_8sK2mQ9xT4vB7nLp", Id, "req_8sK2mQ9xT4vB7nLp"),
            (r"one\nreq_8sK2mQ9xT4vB7nLp\n", Id, "req_8sK2mQ9xT4vB7nLp"),
            (r"a\n2031-05-06T10:15:59Z\nb", Time, "2031-05-06T10:15:59Z"),
            ("cwd: /var/jobs/run-83hd7c2k/src", Path, "83hd7c2k"),
            ("turn: 17", Counter, "17"),
            ("request #17 of this session", Counter, "17"),
            ("nonce=8f3a9c", Nonce, "8f3a9c"),
        ] {
            assert_eq!(certain(text), vec![(kind, value)], "{text}");
        }
    }

    #[test]
    fn leaves_alone_what_stays() {
        for text in [
            "Knowledge cutoff: 2024-06-01. Be brief.",
            "Step 1: read. Step 2: answer.",
            "claude-haiku-4-5-20251001 and gpt-4o-2024-08-06",
            "code_execution_20260120, load_capability, additional_information",
            "e.g. `/workspace/file.py` or `/workspace`, /api/v1/create_user, https://example.com/docs/v2/page",
            "a ratio of 16:9, port 8080, 3 to 5 items, RFC 8259, 2^53, 10,000, chapter 10:15",
            "March 25th, last May, and on Monday mornings",
            "Call 911 or 1-800-555-0199; order 1234567890 is an example",
            "internationalization_of_everything UPPERCASE_CONSTANT_NAME sha256",
            "1.2.3.4 v2.0.1 abc123 h264 utf8 base64 x86_64 int32",
        ] {
            assert_eq!(certain(text), [], "{text}");
        }
    }

    #[test]
    fn masks_what_only_a_difference_shows() {
        for (one, other) in [
            ("at 10:15 sharp", "at 10:16 sharp"),
            ("It is Monday.", "It is Tuesday."),
            ("as of 2024-06-01", "as of 2024-06-02"),
            ("Step 3 of 9", "Step 4 of 9"),
            ("cwd: /var/jobs/run-83hd7c2k/src", "cwd: /var/jobs/run-x91kq0zs/src"),
        ] {
            assert_eq!(masked(one), masked(other), "{one}");
        }
        for (one, other) in [("at most 3 tools", "at most 4 tools"), ("a", "b"), ("at 10:15", "at 10:15.")] {
            assert_ne!(masked(one), masked(other), "{one}");
        }
    }
}
