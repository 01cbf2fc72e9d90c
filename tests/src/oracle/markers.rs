//! The marks that the library may leave where it shortened or replaced something, and whether they tell the truth.

use crate::oracle::json::{Doc, Kind, unescape};

/// True when `new` is `old` shortened with a visible, true count: `HEAD…[3127 chars omitted]…TAIL` (either end may be
/// empty), or on its lines, `HEAD\n[893 of 933 lines, 20113 chars omitted]\nTAIL`. Both are raw, so an escape is never
/// split: `chars` counts the characters of a raw piece, and `whole` says whether a raw piece ends between two of them.
pub fn shortened(old: &str, new: &str, escaped: bool) -> bool {
    chars_omitted(old, new, escaped) || lines_omitted(old, new, escaped)
}

fn chars_omitted(old: &str, new: &str, escaped: bool) -> bool {
    occurrences(new, "…[", " chars omitted]…").into_iter().any(|(head, said, tail)| {
        let Some(gone) = between(old, head, tail) else { return false };
        if escaped && !(ends_whole(head) && ends_whole(&old[..head.len() + gone.len()])) {
            return false;
        }
        let n = count(gone, escaped);
        // A mark inside what goes now is atomic: its number is carried, its own characters are not counted.
        // Of several marks one is ours, or all: which of them is data cannot be told.
        let (mut carried, mut one) = (n, false);
        for (before, inner, after) in occurrences(gone, "…[", " chars omitted]…") {
            let mark = gone.len() - before.len() - after.len();
            let mark = count(&gone[before.len()..before.len() + mark], escaped);
            one |= said + mark == n + inner;
            carried = carried + inner - mark;
        }
        said == n || said == carried || one
    })
}

fn lines_omitted(old: &str, new: &str, escaped: bool) -> bool {
    let lf = if escaped { "\\n" } else { "\n" };
    let count_lines = |text: &str| line_breaks(text, escaped) + usize::from(!text.is_empty());
    let breaks = line_breaks(old, escaped);
    let mut from = 0;
    while let Some(at) = new[from..].find('[').map(|i| i + from) {
        from = at + 1;
        let Some((gone_lines, total, chars, len)) = line_mark(&new[at..]) else { continue };
        // The line breaks around the mark are its own; one that would stand at the very start or end may be missing.
        let head = &new[..at];
        let tail = &new[at + len..];
        let (Some(head), Some(tail)) = (trim_end(head, lf), trim_start(tail, lf)) else { continue };
        let Some(gone) = between(old, head, tail) else { continue };
        if escaped && !(ends_whole(head) && ends_whole(&old[..head.len() + gone.len()])) {
            continue;
        }
        // Earlier marks are atomic and carry their own numbers: then only the closing of the sum could be wrong.
        let carried = gone.contains(" omitted]");
        let n = count(gone, escaped);
        let true_chars = chars.is_none_or(|c| c == n || carried);
        let kept = count_lines(head) + count_lines(tail);
        let true_lines =
            carried || ((total == breaks || total == breaks + 1) && (kept + gone_lines).abs_diff(total) <= 1);
        if true_chars && true_lines {
            return true;
        }
    }
    false
}

/// Reads `[893 of 933 lines omitted]` or `[893 of 933 lines, 20113 chars omitted]` at the start of a text: lines gone,
/// lines in all, characters gone, and its length.
fn line_mark(text: &str) -> Option<(usize, usize, Option<usize>, usize)> {
    let close = text.find(" omitted]")?;
    let (gone, rest) = text.get(1..close)?.split_once(" of ")?;
    let (total, rest) = rest.split_once(" lines")?;
    let chars = match rest {
        "" => None,
        rest => Some(rest.strip_prefix(", ")?.strip_suffix(" chars")?.parse().ok()?),
    };
    Some((gone.parse().ok()?, total.parse().ok()?, chars, close + " omitted]".len()))
}

fn trim_end<'a>(head: &'a str, lf: &str) -> Option<&'a str> {
    if head.is_empty() { Some(head) } else { head.strip_suffix(lf) }
}

fn trim_start<'a>(tail: &'a str, lf: &str) -> Option<&'a str> {
    if tail.is_empty() { Some(tail) } else { tail.strip_prefix(lf) }
}

/// The part of `old` between a prefix and a suffix of it, when there is one and it is not empty.
fn between<'a>(old: &'a str, head: &str, tail: &str) -> Option<&'a str> {
    let rest = old.strip_prefix(head)?.strip_suffix(tail)?;
    (!rest.is_empty()).then_some(rest)
}

/// Every way to read `text` as head, `open`, digits, `close`, tail.
fn occurrences<'a>(text: &'a str, open: &str, close: &str) -> Vec<(&'a str, usize, &'a str)> {
    let mut found = vec![];
    let mut from = 0;
    while let Some(at) = text[from..].find(open).map(|i| i + from) {
        let digits = at + open.len();
        let end = digits + text[digits..].bytes().take_while(u8::is_ascii_digit).count();
        if text[end..].starts_with(close)
            && let Ok(n) = text[digits..end].parse()
        {
            found.push((&text[..at], n, &text[end + close.len()..]));
        }
        from = digits;
    }
    found
}

/// Characters of a raw piece of a string; an escape is one, and so is a pair of them.
fn count(raw: &str, escaped: bool) -> usize {
    if escaped { unescape(raw).chars().count() } else { raw.chars().count() }
}

fn line_breaks(raw: &str, escaped: bool) -> usize {
    if escaped { unescape(raw).matches('\n').count() } else { raw.matches('\n').count() }
}

/// True when a raw piece of a string does not end inside an escape or between the halves of a surrogate pair.
fn ends_whole(raw: &str) -> bool {
    let b = raw.as_bytes();
    let mut i = 0;
    while i < b.len() {
        if b[i] != b'\\' {
            i += 1;
            continue;
        }
        i += if b.get(i + 1) == Some(&b'u') { 6 } else { 2 };
    }
    i == b.len()
}

/// True when `new` is a label that may stand for `old`: a blob by type and size, a list by items and characters.
pub fn labelled(doc: &Doc, old: usize, new: &str) -> bool {
    let Some(body) = new.strip_prefix('[').and_then(|n| n.strip_suffix(']')) else { return false };
    let chars = doc.raw(old).chars().count();
    match doc.kind(old) {
        Kind::String => {
            let text = unescape(doc.raw(old));
            let Some(said) = body.strip_suffix(" bytes, base64 omitted") else { return false };
            let Some((kind, n)) = said.rsplit_once(", ") else { return false };
            if let Some(data) = text.strip_prefix("data:") {
                let Some((head, blob)) = data.split_once(";base64,") else { return false };
                let media = head.split(';').next().unwrap_or("");
                return n.parse() == Ok(decoded_len(blob)) && (kind == media || media.is_empty());
            }
            !kind.is_empty() && text.len() >= 256 && n.parse() == Ok(decoded_len(&text))
        }
        Kind::Array => {
            let Some(said) = body.strip_prefix("list, ").and_then(|b| b.strip_suffix(" chars")) else { return false };
            let Some((items, size)) = said.split_once(" items, ").or_else(|| said.split_once(" item, ")) else {
                return false;
            };
            items.parse() == Ok(doc.children(old).len()) && size.parse() == Ok(chars)
        }
        _ => false,
    }
}

/// Bytes that base64 text decodes to.
pub fn decoded_len(blob: &str) -> usize {
    let n = blob.bytes().filter(|b| b.is_ascii_alphanumeric() || b"+/-_".contains(b)).count();
    n * 3 / 4
}

/// The numbers of `"K of N"`.
pub fn k_of_n(text: &str) -> Option<(u64, u64)> {
    let (k, n) = text.split_once(" of ")?;
    Some((k.parse().ok()?, n.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{decoded_len, shortened};

    #[test]
    fn only_true_counts_pass() {
        assert!(shortened("abcdefghij", "ab…[6 chars omitted]…ij", false));
        assert!(!shortened("abcdefghij", "ab…[7 chars omitted]…ij", false));
        assert!(!shortened("abcdefghij", "ax…[6 chars omitted]…ij", false));
        assert!(shortened("ab\\n\\u00e9cd", "ab…[2 chars omitted]…cd", true));
        assert!(!shortened("ab\\ncd", "ab\\…[1 chars omitted]…cd", true));
        assert!(shortened("a\\nb\\nc\\nd", "a\\n[2 of 4 lines omitted]\\nd", true));
        assert!(shortened("a\\nb\\nc\\nd", "a\\n[2 of 4 lines, 5 chars omitted]\\nd", true));
        assert!(!shortened("a\\nb\\nc\\nd", "a\\n[2 of 4 lines, 4 chars omitted]\\nd", true));
        assert!(!shortened("a\\nb\\nc\\nd", "a\\n[5 of 4 lines omitted]\\nd", true));
        assert!(shortened("ab…[90 chars omitted]…yz", "a…[93 chars omitted]…", false));
        assert_eq!(decoded_len("QUJD"), 3);
    }
}
