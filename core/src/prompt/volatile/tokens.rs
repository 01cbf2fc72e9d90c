//! Ids, UUIDs, paths, counters and nonces: words by what they are made of, and by the label before them.

use super::dates;
use super::{Value, VolatileKind, before};

/// Characters of one id at most: what is longer is a blob.
const LONGEST: usize = 128;
/// Random characters in a row that make an id, and a part of a path.
const RANDOM_ID: usize = 12;
const RANDOM_PART: usize = 6;

const COUNTED: &[&str] =
    &["turn", "request", "iteration", "message", "call", "session", "attempt", "step", "run", "count"];
const NONCES: &[&str] = &["nonce", "salt", "seed", "cache_buster", "cachebuster"];

/// What the word at `at` is, if anything, and where to look on.
pub(super) fn from_word(text: &[u8], at: usize) -> (Option<Value>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
    let end = at + len;
    let word = rest.get(..len).unwrap_or_default();
    let found = |start: usize, end: usize, kind, certain| (Some(Value { start, end, kind, certain }), end);
    if let Some(uuid) = uuid_in(word) {
        return found(at + uuid, at + uuid + 36, VolatileKind::Uuid, true);
    }
    let letters = word.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if letters > 0
        && let Some(date) = dates::from_name(text, at, letters)
    {
        return (Some(date), date.end);
    }
    if let Some(kind) = labelled(text, at, word) {
        let certain = kind == VolatileKind::Nonce || has_sign(text, at);
        return found(at, end, kind, certain);
    }
    if len <= LONGEST && word.split(|b| matches!(b, b'_' | b'-')).any(|part| is_random(part, RANDOM_ID)) {
        return found(at, end, VolatileKind::Id, true);
    }
    (None, end)
}

/// Where the path that opens with the slash at `at` ends; `at` when none does: the slashes of a URL, of `and/or` and of
/// a closing tag open none.
pub(super) fn path_end(text: &[u8], at: usize) -> usize {
    if at.checked_sub(1).and_then(|i| text.get(i)).is_some_and(|b| matches!(b, b':' | b'/' | b'<' | b'.')) {
        return at;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| **b == b'/' || is_of_path(**b)).count()
}

/// The next random part of a path.
pub(super) fn random_part(text: &[u8], from: usize, end: usize) -> Option<Value> {
    let path = text.get(from..end).unwrap_or_default();
    let mut start = from;
    for part in path.split(|b| !b.is_ascii_alphanumeric()) {
        if part.len() <= LONGEST && is_random(part, RANDOM_PART) {
            return Some(Value { start, end: start + part.len(), kind: VolatileKind::Path, certain: true });
        }
        start += part.len() + 1;
    }
    None
}

const fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~')
}

/// Where in a word a UUID stands.
fn uuid_in(word: &[u8]) -> Option<usize> {
    let is_uuid = |part: &[u8]| {
        part.iter()
            .enumerate()
            .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() })
    };
    // Behind the prefix of an id, such as `session_`, or all of the word.
    let from = word.iter().position(|b| *b == b'_').map_or(0, |i| i + 1);
    let whole = |at: usize| word.get(at..).filter(|part| part.len() == 36 && is_uuid(part)).map(|_| at);
    whole(0).or_else(|| whole(from))
}

/// True for characters that nobody would write: letters and digits that take turns.
fn is_random(part: &[u8], least: usize) -> bool {
    let digits = part.iter().filter(|b| b.is_ascii_digit()).count();
    let turns = part.windows(2).filter(|two| matches!(two, [a, b] if a.is_ascii_digit() != b.is_ascii_digit())).count();
    part.len() >= least && digits >= 2 && part.len() - digits >= 2 && turns >= 3
}

/// The kind of the value at `at` by the word before it: `turn 17`, `nonce=8f3a9c`.
fn labelled(text: &[u8], at: usize, word: &[u8]) -> Option<VolatileKind> {
    let window = before(text, at);
    let label = window.trim_ascii_end();
    let signed = label.len() < window.len() || label.last().is_some_and(|b| matches!(b, b':' | b'=' | b'#'));
    let label = trim_signs(label);
    let behind = |names: &[&str]| {
        names.iter().any(|name| {
            label.strip_suffix(name.as_bytes()).is_some_and(|rest| !rest.last().is_some_and(u8::is_ascii_alphabetic))
        })
    };
    let digits = word.iter().filter(|b| b.is_ascii_digit()).count();
    if !signed || digits == 0 {
        return None;
    }
    if digits == word.len() && word.len() <= 9 && behind(COUNTED) {
        return Some(VolatileKind::Counter);
    }
    (word.len() >= 4 && has_sign(text, at) && behind(NONCES)).then_some(VolatileKind::Nonce)
}

/// A colon, an equals sign or a number sign stands right before the value: it is a field, and no word of a sentence.
fn has_sign(text: &[u8], at: usize) -> bool {
    let window = before(text, at);
    window.trim_ascii_end().last().is_some_and(|b| matches!(b, b':' | b'=' | b'#'))
}

fn trim_signs(mut label: &[u8]) -> &[u8] {
    while let [rest @ .., b':' | b'=' | b'#' | b' ' | b'"' | b'\''] = label {
        label = rest;
    }
    label
}
