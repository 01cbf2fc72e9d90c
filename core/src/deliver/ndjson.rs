//! NDJSON: one JSON document a line, and the plain lines of mixed logs between them.
//!
//! A record is a line that is not blank; blank lines are white space between records and go first. Lines that hold an
//! object or array are minified when something is cut, pruned like any JSON when they are too large; every other line
//! stays as it is or is cut as lines are. A last line without line end that starts with `{` or `[` and cannot be read is
//! no record: it is left out when something is cut, and counts neither in T nor in positions nor in any books of records.
//! The books in bytes have it, the notice says its size, and a warning (`malformed`) its place; where the text passes
//! whole it passes with it.
//!
//! What a cut left out stands in a first line of its own:
//!
//! ```text
//! {"_omitted":{"":{"total":T,"kept":K[,"shrunk":S][,"from":F[,"to":E]][,"next":C]}[,"incomplete_tail":N][,"hint":H][,"source":"kept"|"gone"]}}
//! ```
//!
//! K and S count the lines below it, S those that were shortened. Pages say with F at which position (from 0) they
//! start; E, where they end, is written when records between were passed over. C names the first eight gaps at most. N is
//! bytes. Hint and source are left out below 200 units. Exactly this is read back by a second cut, when the numbers close
//! against the lines that follow.
//!
//! `select` and `sort_by` point into each line. Both work on a rearranged copy of the text; all else keeps only what is
//! delivered.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use memchr::{memchr2_iter, memrchr};

use crate::deliver::cursor;
use crate::deliver::delivery::{Delivery, Warning, WarningKind};
use crate::deliver::notice::{Kind, MOST_RANGES, Span, Statement};
use crate::deliver::options::{DeliverOptions, Format, OnInvalid, SourceState};
use crate::deliver::records::{deliver_records, is_blank};
use crate::deliver::source::{Cut, Split, content};
use crate::deliver::tree;
use crate::error::{Error, ErrorKind};
use crate::json::{self, Fault, Pattern, Scan};
use crate::wording;

/// Delivers the records of NDJSON.
///
/// # Errors
/// By name `invalid_ndjson` when no line is an object or array (of the first line: offset, what was expected, index) and
/// `too_deep`; `budget_too_small`, `record_too_large`, the cursor kinds, `invalid_pointer`, `nothing_selected`.
pub(crate) fn deliver_ndjson(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    // Below a statement of ours a cut has decided already which lines are plain ones.
    if options.format != Some(Format::Ndjson) || stated(text).is_some() {
        return deliver_lines(text, options, None);
    }
    let Err(error) = check_lines(text, options.limits.depth) else { return deliver_lines(text, options, None) };
    // The lines before one that is nested too deep; where none of them is JSON there is nothing to salvage.
    let whole = match (options.on_invalid, error.kind(), error.offset()) {
        (OnInvalid::Salvage, ErrorKind::TooDeep, Some(at)) => {
            text.get(..memrchr(b'\n', text.get(..at).unwrap_or_default().as_bytes()).map_or(0, |i| i + 1))
        }
        _ => None,
    };
    match whole {
        Some(whole) if check_lines(whole, options.limits.depth).is_ok() && !is_blank(whole) => {
            deliver_lines(whole, options, error.offset())
        }
        _ => Err(error),
    }
}

/// The same for lines that were checked; `malformed_at` says where the input broke off that they were salvaged from.
fn deliver_lines(text: &str, options: &DeliverOptions<'_>, malformed_at: Option<usize>) -> Result<Delivery, Error> {
    let mut arranged = Cow::Borrowed(text);
    let (mut removed, mut warnings) = (0, Vec::new());
    if !options.select.is_empty() {
        let (selected, fields, unmatched) = selected(text, options)?;
        arranged = Cow::Owned(selected);
        removed = fields;
        warnings = unmatched;
    }
    if let Some(by) = options.sort_by {
        arranged = Cow::Owned(sorted(&arranged, by, options)?);
    }
    let mut d = deliver_records(&arranged, Split::Ndjson, Format::Ndjson, options, malformed_at)?;
    // A rearranged text ends as the input does.
    let moved = d.warnings.iter_mut().filter(|w| w.kind == WarningKind::Malformed && malformed_at.is_none());
    for warning in moved {
        warning.offset = warning.offset.map(|at| text.len().saturating_sub(arranged.len().saturating_sub(at)));
    }
    d.account.fields_removed = removed;
    d.warnings.extend(warnings);
    Ok(d)
}

/// Errors that `on_invalid` rules.
pub(crate) fn is_input_error(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidNdjson | ErrorKind::TooDeep)
}

/// The line of a record as it is delivered: without the blank lines below it, JSON without white space outside strings.
pub(crate) fn minified(raw: &str, depth: usize) -> Cow<'_, str> {
    let line = raw.split_inclusive('\n').next().unwrap_or(raw);
    let text = content(line);
    let blank = |b: u8| matches!(b, b' ' | b'\t' | b'\r');
    if !(text.bytes().any(blank) || text.starts_with('\u{feff}')) {
        return Cow::Borrowed(line);
    }
    let Some(Ok(scan)) = scan(text, depth) else { return Cow::Borrowed(line) };
    let root = scan.root;
    if root.blanks == 0 && root.end - root.start == text.len() {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(root.end - root.start - root.blanks + 2);
    json::write_minified(root.raw(text), root.blanks, &mut out);
    out.push_str(&line[text.len()..]);
    Cow::Owned(out)
}

/// Where the first record starts, at or after byte `at`.
pub(crate) fn body_start(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.split_inclusive('\n').take_while(|l| is_blank(l)).map(str::len).sum::<usize>()
}

/// Bytes of a last line that broke off: it starts as JSON, has no line end, and cannot be read.
pub(crate) fn unfinished(text: &str, depth: usize) -> usize {
    let start = memrchr(b'\n', text.as_bytes()).map_or(0, |i| i + 1);
    let last = text.get(start..).unwrap_or_default();
    match scan(last, depth) {
        Some(Err(fault)) if !fault.too_deep => last.len(),
        _ => 0,
    }
}

/// An earlier cut's first line that closes against the number of lines below it, and where those start.
pub(crate) fn stated(text: &str) -> Option<(Statement, usize)> {
    let end = memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |i| i + 1);
    let statement = Statement::read(Kind::Ndjson, content(text.get(..end)?))?;
    let below = text.get(end..)?.split('\n').filter(|l| !is_blank(l)).count();
    (below == statement.total - statement.omitted).then_some((statement, end))
}

/// A line that is an object or array, and can be pruned.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    text: &'a str,
    /// The line end.
    end: &'a str,
    scan: Scan,
    marked: bool,
    options: &'a DeliverOptions<'a>,
}

impl<'a> Record<'a> {
    /// `marked`: marks in it are those of an earlier cut. `None` for a plain line.
    pub(crate) fn read(line: &'a str, marked: bool, options: &'a DeliverOptions<'a>) -> Option<Self> {
        let text = content(line);
        let scan = scan(text, options.limits.depth)?.ok()?;
        Some(Record { text, end: &line[text.len()..], scan, marked, options })
    }

    /// In at most `room` units, line end included.
    pub(crate) fn cut(&self, room: usize) -> Result<Option<Cut>, Error> {
        let budget = &self.options.budget;
        let Some(cap) = room.checked_sub(budget.size(self.end)?) else { return Ok(None) };
        // Only what rules the inside of a record: order, cursor and selection are those of the list.
        let inside = DeliverOptions {
            budget: budget.with_limit(cap),
            sort_by: None,
            select: &[],
            cursor: None,
            priority: &[],
            prefer: &[],
            earlier: None,
            ..self.options.clone()
        };
        let Some(mut out) = tree::prune_record(self.text, &self.scan, cap, &inside, self.marked)? else {
            return Ok(None);
        };
        if out.len() >= self.text.len() {
            return Ok(None);
        }
        out.push_str(self.end);
        let n = budget.size(&out)?;
        Ok((n <= room).then_some((out, n)))
    }

    /// The smallest form, found by halving: as many prunings as the size of the line has bits.
    pub(crate) fn smallest(&self) -> Result<Option<Cut>, Error> {
        let whole = self.options.budget.size(self.text)?.saturating_add(self.options.budget.size(self.end)?);
        let (mut low, mut high) = (0, 16usize.min(whole));
        let mut best = loop {
            if let Some(cut) = self.cut(high)? {
                break cut;
            }
            if high >= whole {
                return Ok(None);
            }
            low = high;
            high = high.saturating_mul(2).min(whole);
        };
        high = high.min(best.1);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match self.cut(middle)? {
                Some(cut) => {
                    high = middle.min(cut.1);
                    best = cut;
                }
                None => low = middle,
            }
        }
        Ok(Some(best))
    }
}

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
    let n = crate::deliver::notice::number(after.get(..digits)?)?;
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

/// The check of a line that starts as an object or array; `None` for every other.
fn scan(line: &str, depth: usize) -> Option<Result<Scan, Fault>> {
    let start = line.trim_start_matches(['\u{feff}', ' ', '\t', '\r']);
    start.starts_with(['{', '[']).then(|| json::check(line, depth))
}

/// Under NDJSON by name some line is an object or array, and none is nested too deep. Lines are only read as far as that
/// asks for.
fn check_lines(text: &str, depth: usize) -> Result<(), Error> {
    let (mut at, mut index, mut found) = (0, 0, false);
    let mut first: Option<(usize, usize, &str)> = None;
    for line in text.split_inclusive('\n') {
        if is_blank(line) {
            at += line.len();
            index += 1;
            continue;
        }
        first = first.or(Some((at, index, line)));
        let could_be_deep = || line.len() > depth && memchr2_iter(b'{', b'[', line.as_bytes()).count() > depth;
        if !found || could_be_deep() {
            match scan(content(line), depth) {
                Some(Ok(_)) => found = true,
                Some(Err(fault)) if fault.too_deep => {
                    let at = at + fault.at;
                    let message = alloc::format!("line {index} is nested deeper than {depth} levels at byte {at}");
                    return Err(Error::new(ErrorKind::TooDeep, message)
                        .at(at)
                        .counts(depth + 1, depth)
                        .numbered(index));
                }
                _ => {}
            }
        }
        at += line.len();
        index += 1;
    }
    let Some((at, index, line)) = first.filter(|_| !found) else { return Ok(()) };
    let (offset, expected) = match json::check(content(line), depth) {
        Ok(scan) => (scan.root.start, "an object or array"),
        Err(fault) => (fault.at, fault.expected),
    };
    let offset = at + offset;
    let message = alloc::format!(
        "invalid NDJSON: no line is an object or array, line {index} stops at byte {offset}: expected {expected}"
    );
    Err(Error::new(ErrorKind::InvalidNdjson, message).at(offset).expecting(expected).numbered(index))
}

/// An earlier cut's statement, the records, and an unfinished last line.
fn parts(text: &str, depth: usize) -> (&str, &str, &str) {
    let at = stated(text).map_or(0, |s| s.1);
    let (front, rest) = text.split_at(at);
    let (body, tail) = rest.split_at(rest.len() - unfinished(rest, depth));
    (front, body, tail)
}

/// Every JSON line with only the selected fields.
fn selected(text: &str, options: &DeliverOptions<'_>) -> Result<(String, u64, Vec<Warning>), Error> {
    let depth = options.limits.depth;
    let pointers = options.select.iter().map(|p| Pattern::parse(p, "select")).collect::<Result<Vec<_>, _>>()?;
    let (front, body, tail) = parts(text, depth);
    let mut out = String::from(front);
    let mut missing = alloc::vec![true; pointers.len()];
    let mut removed = 0;
    for line in body.split_inclusive('\n').filter(|l| !is_blank(l)) {
        let text = content(line);
        // A record that an earlier cut shortened keeps its mark, and so stays as it is.
        let shortened = !front.is_empty() && tree::is_marked(text);
        let Some(Ok(scan)) = scan(text, depth).filter(|_| !shortened) else {
            out.push_str(line);
            continue;
        };
        let selected = tree::select_any(text, &scan, &pointers);
        removed += selected.fields_removed;
        for (i, missing) in missing.iter_mut().enumerate() {
            *missing &= selected.unmatched.contains(&i);
        }
        out.push_str(&selected.text);
        out.push_str(&line[text.len()..]);
    }
    // What an earlier cut left may hold none of them.
    if !missing.contains(&false) && front.is_empty() {
        return Err(tree::nothing_selected());
    }
    out.push_str(tail);
    let kind = WarningKind::SelectMatchedNothing;
    let unmatched = options.select.iter().zip(&missing).filter(|(_, m)| **m);
    let warnings = unmatched.map(|(p, _)| Warning { kind, offset: None, subject: String::from(*p) }).collect();
    Ok((out, removed, warnings))
}

/// The records in the order of the value at `by`; in plain lines it is missing.
fn sorted(text: &str, by: &str, options: &DeliverOptions<'_>) -> Result<String, Error> {
    let depth = options.limits.depth;
    let pattern = Pattern::parse(by, "sort_by")?;
    let names = pattern.names().unwrap_or_default();
    let (front, body, tail) = parts(text, depth);
    let mut lines = Vec::new();
    for line in body.split_inclusive('\n').filter(|l| !is_blank(l)) {
        let text = content(line);
        let value = scan(text, depth).and_then(Result::ok).and_then(|scan| tree::value_at(text, &scan, &names));
        lines.push((value, line));
    }
    lines.sort_by(|a, b| tree::compare(a.0, b.0, options.descending));
    let mut out = String::with_capacity(text.len() + 1);
    out.push_str(front);
    for (_, line) in lines {
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push('\n');
        }
    }
    if !body.ends_with('\n') && out.ends_with('\n') {
        out.pop();
    }
    out.push_str(tail);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliver::{Keep, deliver};
    use crate::measure::Budget;
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

    fn log(rows: usize) -> String {
        (0..rows).map(|i| format!("{{\"n\": {i}}}\r\n\r\nplain  {i}\n")).collect()
    }

    #[test]
    fn json_lines_lose_white_space_and_plain_ones_nothing() {
        for (raw, want) in [
            ("{\"a\": [1, \"b c\"]}\r\n\n \t\n", "{\"a\":[1,\"b c\"]}\r\n"),
            (" {\"a\":1} ", "{\"a\":1}"),
            ("\u{feff}{\"a\":1}\n", "{\"a\":1}\n"),
            ("{\"a b\":1}\n", "{\"a b\":1}\n"),
            ("{ not json }  \n\n", "{ not json }  \n"),
            (" 17 \n", " 17 \n"),
            ("[ [ [ 1 ] ] ]\n", "[ [ [ 1 ] ] ]\n"),
        ] {
            assert_eq!(minified(raw, 2), want, "{raw:?}");
        }
    }

    #[test]
    fn a_last_line_that_broke_off() {
        for (text, bytes) in [
            ("{\"a\":1}\n{\"a\":", 5),
            ("{\"a\":1}\n[1,", 3),
            ("{\"a\":1}\n{\"a\":\n", 0),
            ("{\"a\":1}\n{\"a\":1}", 0),
            ("{\"a\":1}\nplain", 0),
            ("{\"a\":1}\n[[[1]]]", 0),
            ("{\"a\":1}\n[[[", 0),
            ("", 0),
        ] {
            assert_eq!(unfinished(text, 2), bytes, "{text:?}");
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

    #[test]
    fn a_record_shrinks_into_any_room_from_its_smallest_form_on() {
        let long = format!("{{\"id\":7,\"text\":\"{}\",\"tags\":[{}1]}}\n", "word ".repeat(80), "\"tag\",".repeat(90));
        let options = DeliverOptions::new(Budget::chars(1));
        let record = Record::read(&long, false, &options).unwrap();
        let (smallest, least) = record.smallest().unwrap().unwrap();
        assert!(smallest.ends_with("}\n") && least < 150, "{smallest}");
        assert!(record.cut(least - 1).unwrap().is_none());
        // Pruning plans with the widest numbers: a little above its own size the smallest form is found.
        for room in least + 16..700 {
            let (text, n) = record.cut(room).unwrap().unwrap_or_else(|| panic!("{room} above {least}: {smallest}"));
            assert!(n <= room && n == text.chars().count());
            assert!(json::check(content(&text), 9).is_ok() && text.starts_with("{\"_omitted\":{"), "{text}");
        }
        assert!(Record::read("plain\n", false, &options).is_none());
    }

    #[test]
    fn a_second_cut_adds_up_and_a_second_pass_changes_nothing() {
        let text = log(90);
        for keep in [Keep::Head, Keep::Tail, Keep::Both] {
            let options = |n| DeliverOptions::new(Budget::bytes(n)).format(Format::Ndjson).keep(keep);
            let first = deliver(&text, options(900)).unwrap();
            assert_eq!(first.account().records.total, 180, "blank lines are no records");
            assert_eq!(deliver(first.text(), options(900)).unwrap().text(), first.text());
            let second = deliver(first.text(), options(300)).unwrap();
            let counts = second.account().records;
            assert_eq!(
                (counts.total, second.account().claimed.map(|c| c.omitted)),
                (180, Some(first.account().records.omitted))
            );
            assert_eq!(deliver(&text, options(300)).unwrap().text(), second.text(), "{keep:?}");
        }
    }

    #[test]
    fn pages_give_every_record_once() {
        let text = log(90);
        let options = || DeliverOptions::new(Budget::chars(400)).keep(Keep::Both);
        let mut d = deliver(&text, options()).unwrap();
        let mut seen = Vec::new();
        for _ in 0..50 {
            seen.extend(d.text().lines().skip(1).map(String::from));
            let Some(next) = d.next().map(String::from) else { break };
            d = deliver(&text, options().cursor(&next)).unwrap();
            assert!(d.size() <= 400 && stated(d.text()).is_some(), "{}", d.text());
        }
        seen.sort();
        let mut all: Vec<_> = (0..90).flat_map(|i| [format!("{{\"n\":{i}}}"), format!("plain  {i}")]).collect();
        all.sort();
        assert_eq!(seen, all);
    }

    #[test]
    fn nothing_is_lost_in_silence_when_only_the_broken_line_goes() {
        let text = format!("{{\"a\":1}}\n{{\"a\":2}}\n{{\"a\":\"{}", "x".repeat(200));
        let d = deliver(&text, Budget::chars(100)).unwrap();
        assert_eq!(
            d.text(),
            "{\"_omitted\":{\"\":{\"total\":2,\"kept\":2},\"incomplete_tail\":206}}\n{\"a\":1}\n{\"a\":2}\n"
        );
        assert!(
            !d.complete() && d.account().bytes.omitted == 206 && d.account().records.complete() && d.next().is_none()
        );
        let again = deliver(d.text(), DeliverOptions::new(Budget::chars(100)).format(Format::Ndjson)).unwrap();
        assert!(again.text() == d.text() && !again.complete());
    }
}
