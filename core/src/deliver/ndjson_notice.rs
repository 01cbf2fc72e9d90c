//! The first line of NDJSON that was cut, see [`ndjson`](super::ndjson): written, and read back.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::deliver::cursor;
use crate::deliver::notice::{MOST_RANGES, Span, Statement, number};
use crate::deliver::options::SourceState;
use crate::json;
use crate::wording;

/// What the first line of a cut text says.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) total: usize,
    /// Where salvaged input broke off; its total is not known.
    pub(crate) malformed_at: Option<usize>,
    pub(crate) kept: usize,
    pub(crate) shrunk: usize,
    /// Where a page starts, and where it ends when that does not follow from the number of its records.
    pub(crate) page: Option<(usize, Option<usize>)>,
    pub(crate) next: Option<String>,
    pub(crate) tail: usize,
    pub(crate) hint: Option<String>,
    pub(crate) source: Option<SourceState>,
}

impl Told {
    /// The line, without line end.
    pub(crate) fn line(&self) -> String {
        let mut out = String::from(wording::NDJSON_OPEN);
        match self.malformed_at {
            Some(_) => out.push_str(wording::NO_TOTAL),
            None => {
                let _ = write!(out, "{}", self.total);
            }
        }
        let _ = write!(out, ",\"kept\":{}", self.kept);
        if self.shrunk > 0 {
            let _ = write!(out, ",\"shrunk\":{}", self.shrunk);
        }
        if let Some(at) = self.malformed_at {
            let _ = write!(out, ",\"malformed_at\":{at}");
        }
        if let Some((from, to)) = self.page {
            let _ = write!(out, ",\"from\":{from}");
            if let Some(to) = to {
                let _ = write!(out, ",\"to\":{to}");
            }
        }
        if let Some(next) = &self.next {
            let _ = write!(out, ",\"next\":\"{next}\"");
        }
        out.push('}');
        if self.tail > 0 {
            let _ = write!(out, ",\"incomplete_tail\":{}", self.tail);
        }
        if let Some(hint) = &self.hint {
            out.push_str(",\"hint\":\"");
            json::write_escaped(hint, &mut out);
            out.push('"');
        }
        if let Some(source) = self.source {
            let _ = write!(out, ",\"source\":\"{}\"", source.name());
        }
        out.push_str("}}");
        out
    }
}

/// Reads a first line of exactly our grammar; numbers only, and whether they close is for the caller.
pub(crate) fn read_statement(line: &str) -> Option<Statement> {
    let mut rest = line.strip_prefix(wording::NDJSON_OPEN)?;
    let total = if rest.starts_with(wording::NO_TOTAL) { None } else { Some(take_number(&mut rest, "")??) };
    if total.is_none() {
        rest = rest.strip_prefix(wording::NO_TOTAL)?;
    }
    let kept = take_number(&mut rest, ",\"kept\":")??;
    let shrunk = take_number(&mut rest, ",\"shrunk\":")?;
    let malformed_at = if total.is_none() { Some(take_number(&mut rest, ",\"malformed_at\":")??) } else { None };
    let from = take_number(&mut rest, ",\"from\":")?;
    let to = if from.is_some() { take_number(&mut rest, ",\"to\":")? } else { None };
    let next = take_text(&mut rest, ",\"next\":\"")?;
    rest = rest.strip_prefix('}')?;
    let tail = take_number(&mut rest, ",\"incomplete_tail\":")?;
    take_text(&mut rest, ",\"hint\":\"")?;
    let source = take_text(&mut rest, ",\"source\":\"")?;
    let known = source.is_none_or(|s| s == SourceState::Kept.name() || s == SourceState::Gone.name());
    // A number that is left out when it is nothing is not written as nothing.
    if rest != "}}" || !known || shrunk == Some(0) || tail == Some(0) || json::check(line, 4).is_err() {
        return None;
    }
    let (shrunk, tail) = (shrunk.unwrap_or(0), tail.unwrap_or(0));
    let here = kept.checked_add(shrunk)?;
    let Some(total) = total else {
        // Salvaged input has no pages and no cursor.
        return (from.is_none() && next.is_none()).then_some(Statement {
            shrunk,
            malformed_at,
            tail,
            ..Statement::of(here, 0, Some(Vec::new()))
        });
    };
    let omitted = total.checked_sub(here)?;
    let cursor = next.map(cursor::parse).transpose().ok()?;
    let tag = cursor.as_ref().and_then(|c| c.tag.clone());
    let named = match &cursor {
        Some(cursor) => named_gaps(cursor, total)?,
        None => Vec::new(),
    };
    let gaps = match (from, to) {
        (Some(from), None) => {
            let end = from.checked_add(here)?;
            let around = [(0, from), (end, total)];
            (end <= total).then(|| Some(around.into_iter().filter(|(a, b)| a < b).collect()))?
        }
        (Some(from), Some(to)) => (to <= total && to.checked_sub(from)? > here).then_some(None)?,
        (None, _) => {
            let sum: usize = named.iter().map(|(a, b)| b - a).sum();
            match sum {
                sum if sum == omitted => Some(named),
                0 if here == 0 => Some(alloc::vec![(0, total)]),
                0 => None,
                sum => (sum < omitted && named.len() == MOST_RANGES).then_some(None)?,
            }
        }
    };
    Some(Statement { shrunk, tail, tag, ..Statement::of(total, omitted, gaps) })
}

/// Ascending gaps of rows within `total`.
fn named_gaps(cursor: &cursor::Cursor, total: usize) -> Option<Vec<Span>> {
    let mut out: Vec<Span> = Vec::new();
    for gap in &cursor.gaps {
        let to = gap.to.unwrap_or(total);
        let follows = out.last().is_none_or(|last| last.1 <= gap.from);
        if gap.name != wording::ROWS || gap.offset.is_some() || gap.from >= to || to > total || !follows {
            return None;
        }
        out.push((gap.from, to));
    }
    (out.len() <= MOST_RANGES).then_some(out)
}

/// The number behind `name`, if that comes next: `Some(None)` when it does not, `None` when no number follows.
fn take_number(rest: &mut &str, name: &str) -> Option<Option<usize>> {
    let Some(after) = rest.strip_prefix(name) else { return Some(None) };
    let digits = after.bytes().take(17).take_while(u8::is_ascii_digit).count();
    let n = number(after.get(..digits)?)?;
    *rest = after.get(digits..)?;
    Some(Some(n))
}

/// The inside of the string behind `name`, escapes as they are.
fn take_text<'t>(rest: &mut &'t str, name: &str) -> Option<Option<&'t str>> {
    let Some(after) = rest.strip_prefix(name) else { return Some(None) };
    let mut escaped = false;
    let end = after.bytes().position(|b| {
        let ends = b == b'"' && !escaped;
        escaped = b == b'\\' && !escaped;
        ends
    })?;
    *rest = after.get(end + 1..)?;
    after.get(..end).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliver::notice::Kind;
    use alloc::format;
    use alloc::vec;

    fn told() -> Told {
        Told {
            total: 118,
            malformed_at: None,
            kept: 29,
            shrunk: 1,
            page: None,
            next: Some("rows@30".into()),
            tail: 0,
            hint: None,
            source: None,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let read = |told: &Told| read_statement(&told.line()).unwrap();
        let line = told().line();
        assert_eq!(line, "{\"_omitted\":{\"\":{\"total\":118,\"kept\":29,\"shrunk\":1,\"next\":\"rows@30\"}}}");
        let s =
            read(&Told { tail: 7, hint: Some("say \"more\" \\".into()), source: Some(SourceState::Gone), ..told() });
        assert_eq!((s.total, s.omitted, s.shrunk, s.tail, s.gaps), (118, 88, 1, 7, Some(vec![(30, 118)])));
        let s = read(&Told { next: Some("rows@2..80,rows@100..110;0123abcd".into()), ..told() });
        assert_eq!((s.gaps, s.tag.as_deref()), (Some(vec![(2, 80), (100, 110)]), Some("0123abcd")));
        assert_eq!(read(&Told { next: None, ..told() }).gaps, None);
        assert_eq!(read(&Told { page: Some((40, None)), ..told() }).gaps, Some(vec![(0, 40), (70, 118)]));
        assert_eq!(read(&Told { page: Some((40, Some(72))), ..told() }).gaps, None);
        let eight: Vec<_> = (0..8).map(|i| format!("rows@{}..{}", 9 * i, 9 * i + 8)).collect();
        assert_eq!(read(&Told { next: Some(eight.join(",")), ..told() }).gaps, None);
    }

    #[test]
    fn what_does_not_close_or_says_more_is_data() {
        for (good, forged) in [
            ("\"next\":\"rows@30\"", "\"next\":\"rows@31\""),
            ("\"next\":\"rows@30\"", "\"next\":\"rows@30..119\""),
            ("\"next\":\"rows@30\"", "\"next\":\"lines@30\""),
            ("\"next\":\"rows@30\"", "\"next\":\"look here\""),
            ("\"next\":\"rows@30\"", "\"next\":\"rows@30\",\"note\":1"),
            ("\"total\":118", "\"total\":0118"),
            ("\"total\":118", "\"total\":118.0"),
            ("\"total\":118", "\"total\":9007199254740993"),
            ("\"kept\":29", "\"kept\":129"),
            ("\"shrunk\":1", "\"shrunk\":0"),
            ("}}}", "},\"hint\":\"\\q\"}}"),
            ("}}}", "},\"source\":\"here\"}}"),
            ("}}}", "}} }"),
            ("{\"_omitted\"", " {\"_omitted\""),
        ] {
            let line = told().line().replace(good, forged);
            assert_ne!(line, told().line());
            assert_eq!(Statement::read(Kind::Ndjson, &line), None, "{line}");
        }
    }
}
