//! The marks that the library may leave where it shortened or replaced something, and whether they tell the truth.

use crate::oracle::json::{Doc, Kind, unescape};

/// True when `new` is `old` shortened with a visible, true count: `HEAD…[3127 chars omitted]…TAIL` (either end may be
/// empty), or `HEAD\n[893 of 933 lines omitted]\nTAIL`. Both are raw, so an escape is never split: `chars` counts the
/// characters of a raw piece, and `whole` says whether a raw piece ends between two of them.
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
        let mut carried = n;
        for (before, inner, after) in occurrences(gone, "…[", " chars omitted]…") {
            let mark = gone.len() - before.len() - after.len();
            let mark = count(&gone[before.len()..before.len() + mark], escaped);
            carried = carried + inner - mark;
        }
        said == n || said == carried
    })
}

fn lines_omitted(old: &str, new: &str, escaped: bool) -> bool {
    let lf = if escaped { "\\n" } else { "\n" };
    let breaks = |text: &str| line_breaks(text, escaped);
    let all = breaks(old) + usize::from(!old.ends_with(lf));
    let mut from = 0;
    while let Some(at) = new[from..].find('[').map(|i| i + from) {
        from = at + 1;
        let Some(close) = new[at..].find(" lines omitted]").map(|i| i + at) else { break };
        let Some((gone, total)) = new[at + 1..close].split_once(" of ") else { continue };
        let (Ok(gone), Ok(total)) = (gone.parse::<usize>(), total.parse::<usize>()) else { continue };
        let after = close + " lines omitted]".len();
        let head = &new[..at];
        let tail = &new[after..];
        if !(head.is_empty() || head.ends_with(lf)) || !(tail.is_empty() || tail.starts_with(lf)) {
            continue;
        }
        let tail = tail.strip_prefix(lf).unwrap_or(tail);
        let kept = breaks(head) + breaks(tail) + usize::from(!tail.is_empty() && !tail.ends_with(lf));
        let head = if old.starts_with(head) { head } else { head.strip_suffix(lf).unwrap_or(head) };
        if between(old, head, tail).is_none() {
            continue;
        }
        // A trailing line break may or may not open one more, empty line.
        if [all, all + 1].contains(&total) && kept + gone >= total.saturating_sub(1) && kept + gone <= total + 1 {
            return true;
        }
    }
    false
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
        if text[end..].starts_with(close) {
            if let Ok(n) = text[digits..end].parse() {
                found.push((&text[..at], n, &text[end + close.len()..]));
            }
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
            let Some((items, size)) = said.split_once(" items, ").or_else(|| said.split_once(" item, ")) else { return false };
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
        assert!(!shortened("a\\nb\\nc\\nd", "a\\n[5 of 4 lines omitted]\\nd", true));
        assert!(shortened("ab…[90 chars omitted]…yz", "a…[93 chars omitted]…", false));
        assert_eq!(decoded_len("QUJD"), 3);
    }
}
