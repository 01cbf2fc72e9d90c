//! The marks that the library may leave where it shortened or replaced something, and whether they tell the truth.

use crate::oracle::json::{Doc, Kind, unescape};

/// True when `new` is `old` shortened with a visible, true count: `HEAD…[3127 chars omitted]…TAIL` (either end may be
/// empty), or on its lines, `HEAD\n[893 of 933 lines, 20113 chars omitted]\nTAIL`. Both are raw, so an escape is never
/// split: `chars` counts the characters of a raw piece, and `whole` says whether a raw piece ends between two of them.
/// `marked`: an earlier cut of ours spoke, and a mark in `old` is its own. Then it is atomic, its number is carried on
/// and its own characters are not counted. Otherwise it is text like any other.
pub fn shortened(old: &str, new: &str, escaped: bool, marked: bool) -> bool {
    let earlier = if marked { earlier(old, escaped) } else { None };
    chars_omitted(old, new, escaped, earlier.as_ref()) || lines_omitted(old, new, escaped, earlier.as_ref())
}

/// The mark of an earlier cut in a text: where it stands in what the text says, and what it says is missing.
#[derive(Debug)]
struct Earlier {
    /// Bytes of the text without escapes.
    start: usize,
    end: usize,
    chars: usize,
    lines: usize,
}

/// The mark that is ours. In a string it is the one that speaks of most: others in it were there when it was written. A
/// line has one, or it is not told which of them it is.
fn earlier(old: &str, escaped: bool) -> Option<Earlier> {
    let text = if escaped { unescape(old) } else { old.to_owned() };
    let mut found: Vec<Earlier> = occurrences(&text, "…[", " chars omitted]…")
        .into_iter()
        .map(|(head, chars, tail)| Earlier { start: head.len(), end: text.len() - tail.len(), chars, lines: 0 })
        .collect();
    if !escaped {
        return found.pop().filter(|_| found.is_empty());
    }
    for (at, _) in text.match_indices('[') {
        let Some((lines, total, Some(chars), len)) = line_mark(&text[at..]) else { continue };
        if lines <= total && chars > 0 {
            let start = at - usize::from(text[..at].ends_with('\n'));
            let end = at + len + usize::from(text[at + len..].starts_with('\n'));
            found.push(Earlier { start, end, chars, lines });
        }
    }
    // Of equal ones the first.
    found.sort_by_key(|e| e.end);
    found.into_iter().reduce(|best, next| if next.chars > best.chars { next } else { best })
}

/// Characters of the original that went with `gone`, the part of `old` behind `head`; `None` where it splits a mark.
fn chars_gone(old: &str, head: &str, gone: &str, escaped: bool, earlier: Option<&Earlier>) -> Option<usize> {
    let n = count(gone, escaped);
    let Some(mark) = earlier else { return Some(n) };
    let text = if escaped { unescape(old) } else { old.to_owned() };
    let decoded = |raw: &str| if escaped { unescape(raw).len() } else { raw.len() };
    let (from, to) = (decoded(head), decoded(&old[..head.len() + gone.len()]));
    let whole = from <= mark.start && mark.end <= to;
    whole.then(|| n - text[mark.start..mark.end].chars().count() + mark.chars)
}

fn chars_omitted(old: &str, new: &str, escaped: bool, earlier: Option<&Earlier>) -> bool {
    occurrences(new, "…[", " chars omitted]…").into_iter().any(|(head, said, tail)| {
        let Some(gone) = between(old, head, tail) else { return false };
        if escaped && !(ends_whole(head) && ends_whole(&old[..head.len() + gone.len()])) {
            return false;
        }
        chars_gone(old, head, gone, escaped, earlier) == Some(said)
    })
}

/// Lines of a text; one without a break at its end counts.
fn line_count(text: &str) -> usize {
    text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

fn lines_omitted(old: &str, new: &str, escaped: bool, earlier: Option<&Earlier>) -> bool {
    let lf = if escaped { "\\n" } else { "\n" };
    let plain = |raw: &str| if escaped { unescape(raw) } else { raw.to_owned() };
    let text = plain(old);
    // Lines of the original: the mark of an earlier cut is one line, and stands for those it tells of. Where it opens
    // the text, the break above it is its own.
    let mut all = line_count(&text);
    if let Some(mark) = earlier.filter(|mark| mark.lines > 0) {
        all = all + mark.lines - 1 - usize::from(mark.start == 0 && text.starts_with('\n'));
    }
    let mut from = 0;
    while let Some(at) = new[from..].find('[').map(|i| i + from) {
        from = at + 1;
        let Some((gone_lines, total, chars, len)) = line_mark(&new[at..]) else { continue };
        // The line breaks around the mark are its own.
        let head = &new[..at];
        let tail = &new[at + len..];
        let (Some(head), Some(tail)) = (head.strip_suffix(lf), tail.strip_prefix(lf)) else { continue };
        let Some(gone) = between(old, head, tail) else { continue };
        if escaped && !(ends_whole(head) && ends_whole(&old[..head.len() + gone.len()])) {
            continue;
        }
        let above = plain(head);
        let kept = above.matches('\n').count() + usize::from(!above.is_empty()) + line_count(&plain(tail));
        let true_chars = chars.is_some() && chars == chars_gone(old, head, gone, escaped, earlier);
        if true_chars && total == all && kept + gone_lines == total {
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
    let plain = |t: &str| t == "0" || t.len() <= 15 && !t.starts_with('0') && t.bytes().all(|b| b.is_ascii_digit());
    (plain(k) && plain(n)).then_some((k.parse().ok()?, n.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{decoded_len, shortened};

    #[test]
    fn only_true_counts_pass() {
        let first = |old, new, escaped| shortened(old, new, escaped, false);
        assert!(first("abcdefghij", "ab…[6 chars omitted]…ij", false));
        assert!(!first("abcdefghij", "ab…[7 chars omitted]…ij", false));
        assert!(!first("abcdefghij", "ax…[6 chars omitted]…ij", false));
        assert!(first("ab\\n\\u00e9cd", "ab…[2 chars omitted]…cd", true));
        assert!(!first("ab\\ncd", "ab\\…[1 chars omitted]…cd", true));
        assert!(first("a\\nb\\nc\\nd", "a\\n[2 of 4 lines, 5 chars omitted]\\nd", true));
        assert!(!first("a\\nb\\nc\\nd", "a\\n[2 of 4 lines, 4 chars omitted]\\nd", true));
        assert!(!first("a\\nb\\nc\\nd", "a\\n[2 of 5 lines, 5 chars omitted]\\nd", true));
        assert!(!first("a\\nb\\nc\\nd", "a\\n[3 of 4 lines, 5 chars omitted]\\nd", true));
        assert_eq!(decoded_len("QUJD"), 3);
    }

    #[test]
    fn a_mark_of_an_earlier_cut_carries_its_number_and_other_marks_do_not() {
        let again = |old, new, escaped| shortened(old, new, escaped, true);
        let line = "ab…[90 chars omitted]…yz";
        assert!(again(line, "a…[93 chars omitted]…", false) && again(line, "a…[93 chars omitted]…", true));
        assert!(!again(line, "a…[23 chars omitted]…", false), "its own characters are none of the line's");
        assert!(!shortened(line, "a…[93 chars omitted]…", false, false), "what no cut of ours wrote is text");
        assert!(shortened(line, "a…[23 chars omitted]…", false, false));
        assert!(!again(line, "ab…[14 chars omitted]…tted]…yz", false), "it is atomic");
        let two = "a…[5 chars omitted]…b…[90 chars omitted]…c";
        assert!(again(two, "a…[110 chars omitted]…c", true), "in a string the one that speaks of most");
        assert!(!again(two, "a…[96 chars omitted]…c", true), "and not both");
        assert!(again(two, "a…[40 chars omitted]…c", false), "in a line none of two");
        let lines = "a\\nb\\n[5 of 9 lines, 50 chars omitted]\\nc\\nd";
        assert!(again(lines, "a\\n[7 of 9 lines, 54 chars omitted]\\nd", true));
        assert!(!again(lines, "a\\n[7 of 9 lines, 53 chars omitted]\\nd", true));
        assert!(!again(lines, "a\\n[3 of 5 lines, 39 chars omitted]\\nd", true));
    }
}
