//! What a text is when nobody said so. Uncertain input is lines: deciding the format never decides the loss.

use alloc::vec::Vec;

use crate::deliver::csv::{self, cell_end};
use crate::deliver::ndjson;
use crate::deliver::notice::{Kind, Statement};
use crate::deliver::options::Format;

/// Non-blank lines that decide whether a text is NDJSON.
const LINES_LOOKED_AT: usize = 64;
/// A longer first row is no header.
const LONGEST_HEADER: usize = 64 * 1024;

/// CSV or TSV: at least three records, all with the same two or more fields, under a header whose cells are non-empty,
/// distinct and no data. Quotes stand only where they belong. Stops at the first record that differs.
pub(crate) fn looks_like_csv(text: &str) -> Option<Format> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Behind an earlier cut's notice fewer records will do.
    let first = text.split('\n').next().unwrap_or_default();
    let statement = Statement::read(Kind::Rows, first);
    let (text, left) = match &statement {
        Some(s) => (text.get(first.len() + 1..)?, Some(s.total - s.omitted)),
        None => (text, None),
    };
    let mut found: Option<(usize, Format)> = None;
    for format in [Format::Csv, Format::Tsv] {
        if let Some(fields) = fields_throughout(text, csv::delimiter_of(format), left)
            && found.is_none_or(|(most, _)| fields > most)
        {
            found = Some((fields, format));
        }
    }
    found.map(|(_, format)| format)
}

/// NDJSON: the first non-blank line is an object, and so are at least half of the first 64 and at least two.
pub(crate) fn looks_like_ndjson(text: &str, is_json_object: impl Fn(&str) -> bool) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Behind an earlier cut's notice any lines will do.
    if ndjson::stated(text).is_some() {
        return true;
    }
    let (mut seen, mut objects) = (0, 0);
    for line in text.split('\n').map(str::trim).filter(|l| !l.is_empty()).take(LINES_LOOKED_AT) {
        let is_object = line.starts_with('{') && is_json_object(line);
        if seen == 0 && !is_object {
            return false;
        }
        seen += 1;
        objects += usize::from(is_object);
    }
    objects >= 2 && objects * 2 >= seen
}

/// Fields of every record, when all have the same number and the first is a header. `left`: so many records an earlier
/// cut says it left.
fn fields_throughout(text: &str, delimiter: u8, left: Option<usize>) -> Option<usize> {
    let header_end = csv::row_end(text, 0, delimiter);
    if header_end > LONGEST_HEADER {
        return None;
    }
    let header = csv::cells(&text[..header_end], delimiter);
    let fields = header.len();
    if fields < 2 || !is_header(&header) {
        return None;
    }
    let (mut at, mut records, mut here) = (0, 0usize, 0usize);
    while at < text.len() {
        let cell = cell_end(text, at, delimiter);
        if cell.open || cell.stray {
            return None;
        }
        here += 1;
        at = cell.end + 1;
        let row_ends = text.as_bytes().get(cell.end) != Some(&delimiter);
        // A delimiter at the very end opens one more, empty, cell.
        if !row_ends && at >= text.len() {
            here += 1;
        }
        if row_ends || at >= text.len() {
            if here != fields {
                return None;
            }
            records += 1;
            here = 0;
        }
    }
    let enough = match left {
        None => records >= 3,
        Some(left) => records == left + 1,
    };
    enough.then_some(fields)
}

fn is_header(cells: &[&str]) -> bool {
    let values: Vec<_> = cells.iter().map(|c| csv::value(c)).collect();
    let mut sorted: Vec<&str> = values.iter().map(|v| v.trim()).collect();
    if sorted.iter().any(|v| v.is_empty() || is_data(v)) {
        return false;
    }
    sorted.sort_unstable();
    sorted.windows(2).all(|w| matches!(w, [a, b] if a != b))
}

/// A number, date, path, URL, e-mail address, or 16 and more hex digits.
fn is_data(cell: &str) -> bool {
    let bytes = cell.as_bytes();
    let count = |f: fn(&u8) -> bool| bytes.iter().filter(|b| f(b)).count();
    let digits = count(u8::is_ascii_digit);
    let starts_as_value = matches!(bytes.first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'$'));
    // Numbers and dates: digits and what stands between them.
    let number =
        digits > 0 && starts_as_value && bytes.iter().all(|b| b.is_ascii_digit() || b"+-.,:/ eETZ%$_".contains(b));
    let path = cell.starts_with(['/', '~']) || cell.starts_with("./") || cell.starts_with("../");
    let drive = matches!(bytes, [d, b':', b'\\' | b'/', ..] if d.is_ascii_alphabetic());
    let url = cell.contains("://");
    let mail = cell
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !cell.contains(char::is_whitespace));
    let hex = bytes.len() >= 16 && bytes.iter().all(u8::is_ascii_hexdigit);
    number || path || drive || url || mail || hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_with_a_header() {
        for (text, want) in [
            ("id,name\n1,ada\n2,bo\n", Some(Format::Csv)),
            ("id,name\r\n1,\"a\nb\"\r\n2,", Some(Format::Csv)),
            ("id\tname\n1\tada\n2\tbo", Some(Format::Tsv)),
            ("a,b\tc\td\n1,2\t3\t4\n1,2\t3\t4\n", Some(Format::Tsv)),
            ("\u{feff}id,name\n1,ada\n2,bo\n", Some(Format::Csv)),
            ("# 7 of 8 rows not shown\nid,name\n1,ada\n", Some(Format::Csv)),
            ("# 7 of 9 rows not shown\nid,name\n1,ada\n", None),
            ("id,name\n1,ada\n", None),
            ("id,name\n1,ada\n2\n", None),
            ("id,name\n1,ada\n2,bo\n\n", None),
            ("id,id\n1,ada\n2,bo\n", None),
            ("id,\n1,ada\n2,bo\n", None),
            ("1,ada\n2,bo\n3,cy\n", None),
            ("id,2024-01-02\n1,ada\n2,bo\n", None),
            ("id,a@b.org\n1,ada\n2,bo\n", None),
            ("id,/etc/passwd\n1,ada\n2,bo\n", None),
            ("id,https://x\n1,ada\n2,bo\n", None),
            ("0123456789abcdef\trefs/heads/main\n0123456789abcdef\ta\n0123456789abcdef\tb\n", None),
            ("id,5\" pipe\n1,ada\n2,bo\n", None),
            ("id,name\n1,\"ada\n2,bo\n", None),
            ("one\ntwo\nthree\n", None),
            ("", None),
        ] {
            assert_eq!(looks_like_csv(text), want, "{text:?}");
        }
    }

    #[test]
    fn lines_of_objects() {
        let is_object = |l: &str| l.ends_with('}');
        for (text, want) in [
            ("{}\n{}\n", true),
            ("\n{\"a\":1}\n\nplain\n{\"b\":2}\n", true),
            ("{}\nplain\n", false),
            ("plain\n{}\n{}\n", false),
            ("{}\nx\ny\n{}\nz\n", false),
            ("{broken\n{}\n{}\n", false),
        ] {
            assert_eq!(looks_like_ndjson(text, is_object), want, "{text:?}");
        }
        let late = alloc::format!("{}{}", "{}\n".repeat(64), "plain\n".repeat(1000));
        assert!(looks_like_ndjson(&late, is_object));
    }
}
