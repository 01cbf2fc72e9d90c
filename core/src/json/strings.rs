//! What a JSON string says: escapes resolved, where keys have to be compared or text inside has to be read.

use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;

use super::swar::string_stop;

/// The scalar value that stands at `at` inside a raw string (U+FFFD for half a surrogate), and the bytes it takes.
pub(crate) fn char_at(text: &str, at: usize) -> (char, usize) {
    let raw = text.as_bytes();
    if raw.get(at) != Some(&b'\\') {
        let c = text.get(at..).and_then(|t| t.chars().next()).unwrap_or('\u{fffd}');
        return (c, c.len_utf8().max(1));
    }
    let simple = |c| (c, 2);
    match raw.get(at + 1) {
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => {
            let high = hex4(raw, at + 2);
            if (0xD800..0xDC00).contains(&high) && raw.get(at + 6) == Some(&b'\\') && raw.get(at + 7) == Some(&b'u') {
                let low = hex4(raw, at + 8);
                if (0xDC00..0xE000).contains(&low) {
                    let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                    return (char::from_u32(code).unwrap_or('\u{fffd}'), 12);
                }
            }
            (char::from_u32(high).unwrap_or('\u{fffd}'), 6)
        }
        Some(&b) => simple(b as char),
        None => ('\\', 1),
    }
}

fn hex4(raw: &[u8], at: usize) -> u32 {
    let digit = |b: &u8| (*b as char).to_digit(16).unwrap_or(0);
    raw.get(at..at + 4).unwrap_or_default().iter().fold(0, |n, b| n * 16 + digit(b))
}

/// The scalar values of a raw string (quotes included or not), each with the span it has in `raw`.
pub(crate) struct Unescape<'a> {
    raw: &'a str,
    at: usize,
    end: usize,
}

impl Iterator for Unescape<'_> {
    /// Start, end, scalar value.
    type Item = (usize, usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let (c, len) = char_at(self.raw, self.at);
        let start = self.at;
        self.at = (start + len).min(self.end);
        Some((start, self.at, c))
    }
}

/// Walks the inside of the raw string `raw`, whose first and last bytes are its quotes.
pub(crate) fn unescape(raw: &str) -> Unescape<'_> {
    Unescape { raw, at: 1, end: raw.len().saturating_sub(1) }
}

/// Walks a part of a raw string, which begins and ends between two of its scalar values.
pub(crate) fn unescape_from(raw: &str, start: usize, end: usize) -> Unescape<'_> {
    Unescape { raw, at: start, end: end.min(raw.len()) }
}

/// Whether a raw string (quotes included) holds an escape. It ends where its first quote does if not.
fn has_escape(raw: &str) -> bool {
    string_stop(raw.as_bytes(), 1) + 1 < raw.len()
}

/// Whether a raw string (quotes included) holds half a surrogate: what it says is no text, and cannot be compared as
/// one.
pub(crate) fn has_half_surrogate(raw: &str) -> bool {
    let half = |from: usize, to: usize| raw.get(from + 2..to).is_some_and(|hex| !hex.eq_ignore_ascii_case("fffd"));
    raw.contains("\\u") && unescape(raw).any(|(from, to, c)| c == '\u{fffd}' && to == from + 6 && half(from, to))
}

/// The text of a raw string (quotes included). Half surrogates become U+FFFD: good for comparing, not for writing.
pub(crate) fn decode_key(raw: &str) -> String {
    unescape(raw).map(|(_, _, c)| c).collect()
}

/// The text of a raw string, borrowed where it has no escapes. As [`decode_key`] otherwise.
pub(crate) fn key_text(raw: &str) -> Cow<'_, str> {
    if has_escape(raw) {
        return Cow::Owned(decode_key(raw));
    }
    Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default())
}

/// Compares two raw strings by the UTF-8 bytes of what they say.
pub(crate) fn cmp_unescaped(a: &str, b: &str) -> Ordering {
    if !a.contains('\\') && !b.contains('\\') {
        let inside = |s: &str| s.len().saturating_sub(1).max(1);
        return a.get(1..inside(a)).unwrap_or_default().cmp(b.get(1..inside(b)).unwrap_or_default());
    }
    // Code point order is UTF-8 byte order.
    unescape(a).map(|x| x.2).cmp(unescape(b).map(|x| x.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_escapes() {
        assert_eq!(decode_key(r#""a\n\u0041\ud83d\ude00\ud800x""#), "a\nA😀\u{fffd}x");
        assert_eq!(cmp_unescaped(r#""\u0061""#, r#""a""#), Ordering::Equal);
    }
}
