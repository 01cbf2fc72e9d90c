//! References to messages in a text, such as a summary has them: `message 214`, `messages 3-9`, `message 12: "its
//! words"`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::error::Error;

/// A reference in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Reference {
    /// The first message.
    pub from: u64,
    /// The last message.
    pub to: u64,
    /// Where it stands, in bytes.
    pub at: usize,
    /// How long it is, in bytes, the quote not included.
    pub length: usize,
    /// The words quoted behind it.
    pub quote: Option<String>,
    /// Whether there are such messages. Not known before a transcript was asked: false.
    pub exists: bool,
    /// Whether one of the messages holds exactly the quoted words; none where nothing is quoted, the range is too
    /// wide to look through, or no transcript was asked.
    pub holds: Option<bool>,
}

/// Digits of a number that a message can have.
const DIGITS: usize = 15;
/// Bytes of quoted words that are looked at.
const QUOTE_BYTES: usize = 4096;

/// The references in a text, in order: the word `message` or `messages` in any case, a blank or `#`, a number or a
/// range; behind it perhaps a colon or `says` and words in straight or curly double quotes on the same line, up to
/// 4,096 bytes. Linear.
pub fn references(text: &str) -> Vec<Reference> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = next_word(bytes, at) {
        at = found.1;
        // A letter before the word makes it another word.
        let part =
            found.0.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 0x80);
        let Some((from, to, end)) = numbers(bytes, found.1) else { continue };
        if part {
            continue;
        }
        let quote = quote(text.get(end..).unwrap_or_default());
        out.push(Reference { from, to, at: found.0, length: end - found.0, quote, exists: false, holds: None });
        at = end;
    }
    out
}

/// The first and the last message of a reference that is all of a text.
pub(super) fn read_whole(reference: &str) -> Result<(u64, u64), Error> {
    read_one(reference).ok_or_else(|| {
        let shown = crate::wording::quoted_part(reference);
        Error::option("reference", alloc::format!("\"{shown}\" names no message"))
    })
}

fn read_one(text: &str) -> Option<(u64, u64)> {
    let text = text.trim();
    let text = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    let bytes = text.as_bytes();
    let from = match next_word(bytes, 0) {
        Some((0, end)) => end,
        _ => 0,
    };
    let (first, last, end) = numbers(bytes, from)?;
    (end == text.len()).then_some((first, last))
}

/// The next `message` or `messages`: where it starts and ends.
fn next_word(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    const WORD: &[u8] = b"message";
    loop {
        at += memchr::memchr2(b'm', b'M', bytes.get(at..)?)?;
        if bytes.get(at..at + WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD)) {
            let end = at + WORD.len();
            let plural = bytes.get(end).is_some_and(|b| b.eq_ignore_ascii_case(&b's'));
            return Some((at, end + usize::from(plural)));
        }
        at += 1;
    }
}

/// A number or a range (`3-9`, `3–9`, `3 to 9`) behind blanks and perhaps `#`, and where it ends.
fn numbers(bytes: &[u8], at: usize) -> Option<(u64, u64, usize)> {
    let blanks =
        |at: usize| at + bytes.get(at..).unwrap_or_default().iter().take(4).take_while(|b| **b == b' ').count();
    let hash = |at: usize| at + usize::from(bytes.get(at) == Some(&b'#'));
    let (first, end) = number(bytes, hash(blanks(at)))?;
    let rest = |at: usize| bytes.get(at..).unwrap_or_default();
    let spaced = blanks(end);
    let past = if rest(end).starts_with(b"-") {
        Some(end + 1)
    } else if rest(end).starts_with("–".as_bytes()) {
        Some(end + "–".len())
    } else if spaced > end && rest(spaced).starts_with(b"to ") {
        Some(blanks(spaced + 2))
    } else {
        None
    };
    match past.and_then(|past| number(bytes, hash(past))) {
        Some((last, end)) if last >= first => Some((first, last, end)),
        _ => Some((first, first, end)),
    }
}

/// A whole number that is no part of a longer word, and where it ends.
fn number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let digits = bytes.get(at..)?.iter().take_while(|b| b.is_ascii_digit()).count();
    let end = at + digits;
    let goes_on = bytes.get(end).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    if digits == 0 || digits > DIGITS || goes_on {
        return None;
    }
    let n = bytes.get(at..end)?.iter().fold(0, |n, b| n * 10 + u64::from(b - b'0'));
    Some((n, end))
}

/// Words in double quotes right behind a reference.
fn quote(rest: &str) -> Option<String> {
    let rest = rest.trim_start_matches([':', ',', ')', ' ']);
    let rest = rest.strip_prefix("says").unwrap_or(rest).trim_start_matches([':', ',', ' ']);
    let (inside, close) = match (rest.strip_prefix('"'), rest.strip_prefix('“')) {
        (Some(inside), _) => (inside, '"'),
        (_, Some(inside)) => (inside, '”'),
        _ => return None,
    };
    // A bound, so that marks that nothing closes cost nothing.
    let mut most = inside.len().min(QUOTE_BYTES);
    while !inside.is_char_boundary(most) {
        most -= 1;
    }
    let line = inside.get(..most)?.split('\n').next().unwrap_or_default();
    let (quote, _) = line.split_once(close)?;
    (!quote.is_empty()).then(|| quote.into())
}
