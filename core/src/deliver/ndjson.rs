//! NDJSON: one JSON document a line, and the plain lines of mixed logs between them.
//!
//! A record is a line that is not blank; blank lines are white space between records and go first. Lines that hold an
//! object or array are minified when something is cut, pruned like any JSON when they are too large; every other line
//! stays as it is or is cut as lines are. A last line without line end that starts with `{` or `[` and cannot be read
//! is no record: it is left out when something is cut, and counts neither in T nor in positions nor in any books of
//! records. The books in bytes have it, the notice says its size, and a warning (`malformed`) its place; where the text
//! passes whole it passes with it.
//!
//! What a cut left out stands in a first line of its own:
//!
//! ```text
//! {"_omitted":{"":{"total":T,"kept":K[,"shrunk":S][,"from":F[,"to":E]][,"next":C]}[,"incomplete_tail":N][,"hint":H][,"source":"kept"|"gone"]}}
//! ```
//!
//! K and S count the lines below it, S those that were shortened. Pages say with F at which position (from 0) they
//! start; E, where they end, is written when records between were passed over. C names the first eight gaps at most. N
//! is bytes. Hint and source are left out below 200 units. Exactly this is read back by a second cut, when the numbers
//! close against the lines that follow.
//!
//! `select` and `sort_by` point into each line. Both work on a rearranged copy of the text; all else keeps only what is
//! delivered.

use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr2_iter, memrchr};

use crate::deliver::delivery::{Delivery, Warning, WarningKind};
use crate::deliver::notice::{Kind, Statement};
use crate::deliver::options::{DeliverOptions, Format, OnInvalid};
use crate::deliver::records::{deliver_records, is_blank};
use crate::deliver::shorten::Cut;
use crate::deliver::source::{Split, content};
use crate::deliver::tree;
use crate::error::{Error, ErrorKind};
use crate::json::{self, Fault, Pattern, Scan};
use crate::limits::Limits;

/// Delivers the records of NDJSON.
///
/// # Errors
/// By name `invalid_ndjson` when no line is an object or array (of the first line: offset, what was expected, index)
/// and `too_deep`; `budget_too_small`, `record_too_large`, the cursor kinds, `invalid_pointer`, `nothing_selected`.
pub(crate) fn deliver_ndjson(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    // Below a statement of ours a cut has decided already which lines are plain ones, and the marks of records add a
    // level.
    if stated(text).is_some() {
        let limits = Limits { depth: options.limits.depth.saturating_add(1), ..options.limits };
        return deliver_lines(text, &DeliverOptions { limits, ..options.clone() }, None);
    }
    if options.format != Some(Format::Ndjson) {
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
    /// Whether marks in it are those of an earlier cut; read once for all tries.
    marks: Rc<tree::Marks>,
    options: &'a DeliverOptions<'a>,
}

impl<'a> Record<'a> {
    /// `marks`: of this record, from an earlier try. `None` for a plain line.
    pub(crate) fn read(line: &'a str, marks: Rc<tree::Marks>, options: &'a DeliverOptions<'a>) -> Option<Self> {
        let text = content(line);
        let scan = scan(text, options.limits.depth)?.ok()?;
        Some(Record { text, end: &line[text.len()..], scan, marks, options })
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
        let Some(mut out) = tree::prune_record(self.text, &self.scan, cap, &inside, &self.marks)? else {
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

/// The check of a line that starts as an object or array; `None` for every other.
fn scan(line: &str, depth: usize) -> Option<Result<Scan, Fault>> {
    let start = line.trim_start_matches(['\u{feff}', ' ', '\t', '\r']);
    start.starts_with(['{', '[']).then(|| json::check(line, depth))
}

/// Under NDJSON by name some line is an object or array, and none is nested too deep. Lines are only read as far as
/// that asks for.
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
                    return Err(Error::new(ErrorKind::TooDeep, message).at(at).limited_to(depth).numbered(index));
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
    let pattern = Pattern::parse_plain(by, "sort_by")?;
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
    fn a_record_shrinks_into_any_room_from_its_smallest_form_on() {
        let long = format!("{{\"id\":7,\"text\":\"{}\",\"tags\":[{}1]}}\n", "word ".repeat(80), "\"tag\",".repeat(90));
        let options = DeliverOptions::new(Budget::chars(1));
        let marks = || Rc::new(tree::Marks::in_record(false));
        let record = Record::read(&long, marks(), &options).unwrap();
        let (smallest, least) = record.smallest().unwrap().unwrap();
        assert!(smallest.ends_with("}\n") && least < 150, "{smallest}");
        assert!(record.cut(least - 1).unwrap().is_none());
        // Pruning plans with the widest numbers: a little above its own size the smallest form is found.
        for room in least + 16..700 {
            let (text, n) = record.cut(room).unwrap().unwrap_or_else(|| panic!("{room} above {least}: {smallest}"));
            assert!(n <= room && n == text.chars().count());
            assert!(json::check(content(&text), 9).is_ok() && text.starts_with("{\"_omitted\":{"), "{text}");
        }
        assert!(Record::read("plain\n", marks(), &options).is_none());
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
