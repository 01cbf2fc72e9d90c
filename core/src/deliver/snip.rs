//! Where a text may be cut: never inside a scalar value, an ANSI sequence, or a grapheme cluster of at most 32
//! scalars. All offsets are bytes; time is linear in the text before the place for a call, and mostly local.

use alloc::borrow::Cow;
use alloc::string::String;

use memchr::{memchr, memrchr};
use unicode_segmentation::GraphemeCursor;

use crate::measure::Unit;

/// A grapheme cluster longer than this many scalar values may be cut.
const LONGEST_CLUSTER: usize = 32;

/// What stays of a text when its middle goes: `text[..head]` and `text[tail..]`, `head ≤ tail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Snip {
    pub(crate) head: usize,
    pub(crate) tail: usize,
}

/// The largest head of at most `head_max` units and the largest tail of at most `tail_max` units that may be cut out.
///
/// Tokens are taken for bytes here: the caller counts the result.
pub(crate) fn snip(text: &str, head_max: usize, tail_max: usize, unit: Unit) -> Snip {
    let head = floor(text, prefix_end(text, head_max, unit));
    let tail = ceil(text, suffix_start(text, tail_max, unit)).max(head);
    Snip { head, tail }
}

/// The last place at or before byte `at` where the text may be cut.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let mut at = at;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let at = ansi_around(text, at).map_or(at, |(start, _)| start);
    let at = cluster_around(text, at).map_or(at, |(start, _)| start);
    ansi_around(text, at).map_or(at, |(start, _)| start)
}

/// The first place at or after byte `at` where the text may be cut.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let mut at = at;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let at = ansi_around(text, at).map_or(at, |(_, end)| end);
    cluster_around(text, at).map_or(at, |(_, end)| end)
}

/// Byte end of the longest prefix of whole scalar values with at most `max` units.
pub(crate) fn prefix_end(text: &str, max: usize, unit: Unit) -> usize {
    if let Unit::Bytes | Unit::Tokens = unit {
        let mut end = max.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        return end;
    }
    let mut left = max;
    for (i, c) in text.char_indices() {
        let n = if let Unit::Utf16 = unit { c.len_utf16() } else { 1 };
        if n > left {
            return i;
        }
        left -= n;
    }
    text.len()
}

/// Byte start of the longest suffix of whole scalar values with at most `max` units.
pub(crate) fn suffix_start(text: &str, max: usize, unit: Unit) -> usize {
    if let Unit::Bytes | Unit::Tokens = unit {
        let mut start = text.len() - max.min(text.len());
        while !text.is_char_boundary(start) {
            start += 1;
        }
        return start;
    }
    let mut left = max;
    for (i, c) in text.char_indices().rev() {
        let n = if let Unit::Utf16 = unit { c.len_utf16() } else { 1 };
        if n > left {
            return i + c.len_utf8();
        }
        left -= n;
    }
    0
}

/// Length of the ANSI sequence that `bytes` (from an ESC on) start with, or `None` when they start with none.
///
/// Control sequences (`ESC [`), strings ended by BEL or `ESC \` (`ESC ]`, `P`, `X`, `^`, `_`) and short escapes. A
/// sequence has no line break and, but for its end, no second ESC in it; so scanning a text stays linear.
pub(crate) fn ansi_len(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&0x1b) {
        return None;
    }
    match *bytes.get(1)? {
        b'[' => {
            let mut i = 2;
            while matches!(bytes.get(i), Some(0x30..=0x3f)) {
                i += 1;
            }
            while matches!(bytes.get(i), Some(0x20..=0x2f)) {
                i += 1;
            }
            matches!(bytes.get(i), Some(0x40..=0x7e)).then_some(i + 1)
        }
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let body = bytes.get(2..)?;
            let i = 2 + body.iter().position(|b| matches!(b, 0x07 | 0x1b | b'\n'))?;
            match (bytes.get(i), bytes.get(i + 1)) {
                (Some(0x07), _) => Some(i + 1),
                (Some(0x1b), Some(b'\\')) => Some(i + 2),
                _ => None,
            }
        }
        0x20..=0x2f => {
            let mut i = 2;
            while matches!(bytes.get(i), Some(0x20..=0x2f)) {
                i += 1;
            }
            matches!(bytes.get(i), Some(0x30..=0x7e)).then_some(i + 1)
        }
        0x30..=0x7e => Some(2),
        _ => None,
    }
}

/// The text without its ANSI sequences, and without an ESC that begins none: so stripping twice changes nothing.
pub(crate) fn strip_ansi(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr(0x1b, text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::from(&text[..first]);
    let mut at = first;
    while at < text.len() {
        // `at` stands on an ESC.
        let plain = at + ansi_len(&text.as_bytes()[at..]).unwrap_or(1);
        let next = memchr(0x1b, text.as_bytes().get(plain..).unwrap_or_default()).map_or(text.len(), |i| plain + i);
        out.push_str(&text[plain..next]);
        at = next;
    }
    Cow::Owned(out)
}

/// Scalar values a reader sees: no control characters, no white space, nothing inside an ANSI sequence.
pub(crate) fn visible(text: &str) -> usize {
    strip_ansi(text).chars().filter(|c| !c.is_control() && !c.is_whitespace()).count()
}

/// Scalar values outside ANSI sequences.
pub(crate) fn plain_len(text: &str) -> usize {
    strip_ansi(text).chars().count()
}

/// The ANSI sequence that byte `at` (a scalar boundary) lies strictly inside of.
fn ansi_around(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let esc = memrchr(0x1b, &bytes[..at])?;
    // `ESC \` may be the end of a string that began with an earlier ESC.
    if bytes.get(esc + 1) == Some(&b'\\')
        && let Some(start) = memrchr(0x1b, &bytes[..esc])
        && let Some(len) = ansi_len(&bytes[start..])
        && start + len > at
    {
        return Some((start, start + len));
    }
    let len = ansi_len(&bytes[esc..])?;
    (esc + len > at).then_some((esc, esc + len))
}

/// The grapheme cluster that byte `at` (a scalar boundary) lies strictly inside of, when it is short enough to count.
fn cluster_around(text: &str, at: usize) -> Option<(usize, usize)> {
    if is_cluster_boundary(text, at) {
        return None;
    }
    let mut scalars = 0;
    let mut start = at;
    for (i, _) in text[..at].char_indices().rev() {
        scalars += 1;
        start = i;
        if scalars > LONGEST_CLUSTER {
            return None;
        }
        if is_cluster_boundary(text, i) {
            break;
        }
    }
    let mut end = at;
    for c in text[at..].chars() {
        scalars += 1;
        end += c.len_utf8();
        if scalars > LONGEST_CLUSTER {
            return None;
        }
        if is_cluster_boundary(text, end) {
            break;
        }
    }
    Some((start, end))
}

fn is_cluster_boundary(text: &str, at: usize) -> bool {
    if at == 0 || at >= text.len() {
        return true;
    }
    let bytes = text.as_bytes();
    if bytes[at - 1].is_ascii() && bytes[at].is_ascii() {
        return !(bytes[at - 1] == b'\r' && bytes[at] == b'\n');
    }
    GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn nothing_atomic_is_cut() {
        let family = "👩‍👩‍👧‍👦";
        let text = alloc::format!("ab{family}e\u{301}\r\n\x1b[1;31mred\x1b[0m\x1b]8;;http://x\x1b\\link\x1b]8;;\x07z");
        let mut allowed: Vec<usize> = Vec::new();
        for at in 0..=text.len() {
            let (low, high) = (floor(&text, at), ceil(&text, at));
            assert!(low <= at && at <= high);
            assert_eq!(floor(&text, low), low, "stable at {at}");
            assert_eq!(ceil(&text, high), high, "stable at {at}");
            if low == at {
                allowed.push(at);
            }
        }
        let inside = |s: &str, k: usize| text.find(s).map(|i| i + k).unwrap_or_default();
        for bad in [
            inside("ab", 2) + 4,
            inside("e\u{301}", 1),
            inside("\r\n", 1),
            inside("\x1b[1", 1),
            inside("\x1b[1", 4),
            inside("\x1b]8", 5),
            inside("\x1b\\", 1),
            inside("\x1b]8;;\x07", 5),
        ] {
            assert!(!allowed.contains(&bad), "cut allowed at {bad}");
        }
        assert!(allowed.contains(&(inside("red", 0))) && allowed.contains(&inside("link", 2)));
    }

    #[test]
    fn an_endless_cluster_can_be_cut() {
        let zalgo = alloc::format!("a{}", "\u{301}".repeat(500));
        assert_eq!(floor(&zalgo, 101), 101);
        assert_eq!(floor(&zalgo, 102), 101);
        let short = alloc::format!("a{}b", "\u{301}".repeat(31));
        assert_eq!(floor(&short, 21), 0);
        assert_eq!(ceil(&short, 21), 63);
    }

    #[test]
    fn units_are_counted_in_whole_scalars() {
        let text = "aé😀z";
        assert_eq!(prefix_end(text, 3, Unit::Bytes), 3);
        assert_eq!(prefix_end(text, 3, Unit::Chars), 7);
        assert_eq!(prefix_end(text, 3, Unit::Utf16), 3);
        assert_eq!(prefix_end(text, 4, Unit::Utf16), 7);
        assert_eq!(suffix_start(text, 2, Unit::Utf16), 7);
        assert_eq!(suffix_start(text, 2, Unit::Chars), 3);
        assert_eq!(suffix_start(text, 99, Unit::Chars), 0);
        assert_eq!(snip("abcdefgh", 3, 2, Unit::Chars), Snip { head: 3, tail: 6 });
        assert_eq!(snip("abc", 3, 2, Unit::Chars), Snip { head: 3, tail: 3 });
    }

    #[test]
    fn stripping_leaves_what_is_seen() {
        assert_eq!(strip_ansi("\x1b[1mbold\x1b[0m\x1b]0;title\x07\x1b(B plain \x1b"), "bold plain ");
        assert_eq!(strip_ansi("no"), "no");
        assert_eq!(strip_ansi("\x1b[12"), "[12");
        assert_eq!(strip_ansi("\x1b]open \x1b[1mx"), "]open x");
        assert_eq!(visible("\x1b[1m a b\t\u{7}\x1b[0m"), 2);
        assert_eq!(plain_len("\x1b[1mab\x1b[0m"), 2);
    }
}
