//! Cursors: what is missing, as text that a later call can resume from.
//!
//! `GAP(,GAP)*(;TAG)?`, a gap is `NAME@FROM`, `NAME@FROM..TO` or, inside one long line, `NAME@FROM+CHARS(..TO)?`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use sha2::{Digest, Sha256};

use crate::error::{Error, ErrorKind};
use crate::json::is_plain_number;

/// Missing records of one list: half-open source positions from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// `rows`, `lines` or the pointer of a list, with its `,` and `;` as they are.
    pub(crate) name: String,
    pub(crate) from: usize,
    /// `None`: to the end of the list.
    pub(crate) to: Option<usize>,
    /// Scalar values of record `from` that were delivered before.
    pub(crate) offset: Option<usize>,
}

impl Gap {
    pub(crate) fn new(name: &str, from: usize, to: Option<usize>) -> Self {
        Gap { name: name.into(), from, to, offset: None }
    }
}

/// The gaps of a cursor in its order, and the tag of the order they were counted in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) gaps: Vec<Gap>,
    pub(crate) tag: Option<String>,
}

impl Cursor {
    /// Fails with `cursor_mismatch` unless the cursor was made with this tag.
    pub(crate) fn check_tag(&self, tag: Option<&str>) -> Result<(), Error> {
        if self.tag.as_deref() == tag {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::CursorMismatch,
            "the cursor was made with other values of sort_by, descending or select",
        )
        .argument_named("cursor"))
    }
}

/// Reads a cursor. Time linear in its length.
///
/// # Errors
/// `invalid_cursor` with the byte offset within the cursor.
pub(crate) fn parse(text: &str) -> Result<Cursor, Error> {
    let (gaps, tag) = match text.split_once(';') {
        None => (text, None),
        Some((gaps, tag)) => {
            let ok = tag.len() == 8 && tag.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
            if !ok {
                return Err(invalid(gaps.len() + 1, "8 hex digits"));
            }
            (gaps, Some(String::from(tag)))
        }
    };
    let mut at = 0;
    let mut list = Vec::new();
    for part in gaps.split(',') {
        list.push(parse_gap(part, at)?);
        at += part.len() + 1;
    }
    Ok(Cursor { gaps: list, tag })
}

/// Writes gaps as a cursor; `None` when nothing is missing.
pub(crate) fn render(gaps: &[Gap], tag: Option<&str>) -> Option<String> {
    if gaps.is_empty() {
        return None;
    }
    let mut out = String::new();
    for (i, gap) in gaps.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        for c in gap.name.chars() {
            match c {
                ',' => out.push_str("~3"),
                ';' => out.push_str("~4"),
                c => out.push(c),
            }
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "@{}", gap.from);
        if let Some(offset) = gap.offset {
            let _ = write!(out, "+{offset}");
        }
        if let Some(to) = gap.to {
            let _ = write!(out, "..{to}");
        }
    }
    if let Some(tag) = tag {
        out.push(';');
        out.push_str(tag);
    }
    Some(out)
}

/// The tag of an order that is not the input's: 8 hex digits of SHA-256 over the canonical JSON of the three values.
pub(crate) fn tag(sort_by: Option<&str>, descending: bool, select: &[&str]) -> Option<String> {
    let sort_by = sort_by?;
    // RFC 8785: members by name, and serde_json escapes strings the canonical way.
    let mut json = String::from("{\"descending\":");
    json.push_str(if descending { "true" } else { "false" });
    json.push_str(",\"select\":");
    json.push_str(&crate::state::written(select));
    json.push_str(",\"sort_by\":");
    json.push_str(&crate::state::written(sort_by));
    json.push('}');
    let digest = Sha256::digest(json.as_bytes());
    let mut out = String::new();
    for byte in digest.iter().take(4) {
        let _ = write!(out, "{byte:02x}");
    }
    Some(out)
}

fn parse_gap(part: &str, at: usize) -> Result<Gap, Error> {
    let Some((name, range)) = part.rsplit_once('@') else {
        return Err(invalid(at + part.len(), "`@`"));
    };
    let name = parse_name(name, at)?;
    let start = at + part.len() - range.len();
    let (from, to) = match range.split_once("..") {
        None => (range, None),
        Some((from, to)) => (from, Some((number(to, start + from.len() + 2)?, start + from.len() + 2))),
    };
    let (from, offset) = match from.split_once('+') {
        None => (number(from, start)?, None),
        Some((line, chars)) => (number(line, start)?, Some(number(chars, start + line.len() + 1)?)),
    };
    if let Some((to, place)) = to
        && to <= from
    {
        return Err(invalid(place, "a position after the first"));
    }
    Ok(Gap { name, from, to: to.map(|(to, _)| to), offset })
}

/// `rows`, `lines`, `""` or a pointer, with `~3` and `~4` turned back.
fn parse_name(name: &str, at: usize) -> Result<String, Error> {
    if !(name == "rows" || name == "lines" || name.is_empty() || name.starts_with('/')) {
        return Err(invalid(at, "`rows`, `lines` or a pointer"));
    }
    let mut out = String::new();
    let mut chars = name.char_indices();
    while let Some((i, c)) = chars.next() {
        if c != '~' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some((_, '3')) => out.push(','),
            Some((_, '4')) => out.push(';'),
            Some((_, d @ ('0' | '1' | '2'))) => {
                out.push('~');
                out.push(d);
            }
            _ => return Err(invalid(at + i, "`~0` to `~4`")),
        }
    }
    Ok(out)
}

/// Digits only: no sign, no leading zero, within the address space.
fn number(text: &str, at: usize) -> Result<usize, Error> {
    if !is_plain_number(text) {
        return Err(invalid(at, "a number without sign or leading zero"));
    }
    text.parse().map_err(|_| invalid(at, "a number within the address space"))
}

/// A position in what was salvaged of malformed input.
pub(crate) fn no_positions(from: usize) -> Error {
    let message = "the input is malformed: what was salvaged of it has no positions";
    Error::new(ErrorKind::CursorNeedsOriginal, message).argument_named("cursor").numbered(from)
}

/// A position inside a line, `from` scalar values in, that has only `length` of them.
pub(crate) fn past_end_of_line(line: usize, from: usize, length: usize) -> Error {
    let message = alloc::format!("the cursor starts at character {from} of line {line} (from 0), which has {length}");
    Error::new(ErrorKind::CursorPastEnd, message).argument_named("cursor").counts(from, length).numbered(line)
}

fn invalid(offset: usize, expected: &'static str) -> Error {
    Error::new(ErrorKind::InvalidCursor, alloc::format!("invalid cursor at byte {offset}: expected {expected}"))
        .at(offset)
        .expecting(expected)
        .argument_named("cursor")
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn what_is_rendered_is_read_back() {
        let gaps = vec![
            Gap::new("rows", 0, Some(88)),
            Gap::new("/a,b;c~1d@e", 7, None),
            Gap { name: "lines".into(), from: 40, to: Some(80), offset: Some(6000) },
            Gap::new("", 3, None),
        ];
        let text = render(&gaps, Some("0123abcd")).unwrap();
        assert_eq!(text, "rows@0..88,/a~3b~4c~1d@e@7,lines@40+6000..80,@3;0123abcd");
        assert_eq!(parse(&text).unwrap(), Cursor { gaps, tag: Some("0123abcd".into()) });
        assert_eq!(render(&[], None), None);
    }

    #[test]
    fn every_other_text_is_refused_with_its_place() {
        for (text, offset) in [
            ("", 0),
            ("rows", 4),
            ("rows@", 5),
            ("rows@-1", 5),
            ("rows@+1", 5),
            ("rows@01", 5),
            ("rows@1..", 8),
            ("rows@5..5", 8),
            ("rows@1, rows@4", 7),
            ("rows@1,", 7),
            ("row@1", 0),
            ("/a~5@1", 2),
            ("rows@99999999999999999999999", 5),
            ("rows@1;", 7),
            ("rows@1;0123ABCD", 7),
            ("lines@1+", 8),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidCursor, Some(offset)), "{text}");
        }
    }

    #[test]
    fn the_tag_depends_on_all_three_values() {
        assert_eq!(tag(None, false, &["/a"]), None);
        let tags = [
            tag(Some("/a"), false, &[]),
            tag(Some("/a"), true, &[]),
            tag(Some("/a"), false, &["/a"]),
            tag(Some("/b"), false, &[]),
        ];
        for (i, a) in tags.iter().enumerate() {
            assert_eq!(a.as_ref().map(String::len), Some(8));
            assert!(tags[..i].iter().all(|b| a != b));
        }
        let cursor = Cursor { gaps: vec![Gap::new("rows", 1, None)], tag: tags[0].clone() };
        assert!(cursor.check_tag(tags[0].as_deref()).is_ok());
        assert_eq!(cursor.check_tag(None).unwrap_err().kind(), ErrorKind::CursorMismatch);
    }
}
