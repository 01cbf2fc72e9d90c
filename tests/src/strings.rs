//! Strings that were cut and their pages, from the contract's words: a cursor names what is missing in lines from 0, a
//! line that is cut goes on after so many characters, and pages one after the other give every line once.

use haversack::Delivery;

use crate::oracle::json::{Doc, Kind, parse, unescape};
use crate::spec::Spec;

/// One gap of a cursor, as its text says.
#[derive(Debug)]
struct Gap {
    pointer: String,
    from: usize,
    skip: usize,
    to: Option<usize>,
}

fn gaps(cursor: &str) -> Vec<Gap> {
    let gaps = cursor.split(';').next().unwrap_or_default();
    let read = |gap: &str| {
        let (name, range) = gap.rsplit_once('@')?;
        let (from, to) = range.split_once("..").map_or((range, None), |(a, b)| (a, Some(b)));
        let (from, skip) = from.split_once('+').unwrap_or((from, "0"));
        let pointer = name.replace("~3", ",").replace("~4", ";");
        Some(Gap { pointer, from: from.parse().ok()?, skip: skip.parse().ok()?, to: to.and_then(|t| t.parse().ok()) })
    };
    gaps.split(',').filter_map(read).collect()
}

fn string<'d>(doc: &'d Doc, pointer: &str) -> Option<&'d str> {
    doc.at(pointer).filter(|&id| doc.kind(id) == Kind::String).map(|id| doc.raw(id))
}

fn is_string(doc: &Doc, pointer: &str) -> bool {
    string(doc, pointer).is_some()
}

/// The scalar values before which line `index` starts, and so does what comes behind the last.
fn line_start(text: &[char], index: usize) -> Option<usize> {
    let starts = text.iter().enumerate().filter(|(_, c)| **c == '\n').map(|(i, _)| i + 1);
    std::iter::once(0).chain(starts).nth(index).or((index == line_count(text)).then_some(text.len()))
}

fn line_count(text: &[char]) -> usize {
    text.iter().filter(|c| **c == '\n').count() + usize::from(text.last().is_some_and(|c| *c != '\n'))
}

fn mark(chars: usize) -> String {
    format!("…[{chars} chars omitted]…")
}

/// Where the piece that a page shows stands in its string, in scalar values.
///
/// # Errors
/// What is wrong with the page.
fn shown(doc: &Doc, asked: &Gap, page: &Delivery) -> Result<(usize, usize), String> {
    let name = &asked.pointer;
    let text: Vec<char> = unescape(string(doc, name).unwrap_or_default()).chars().collect();
    let out = parse(page.text()).map_err(|_| format!("the page of {name:?} does not parse"))?;
    let member = |key: &str| out.member(0, key);
    let number = |key: &str| member(key).and_then(|id| out.number(id)).unwrap_or(0) as usize;
    if member("list").map(|id| unescape(out.raw(id))).as_ref() != Some(name) {
        return Err(format!("the page of {name:?} is of another list: {:?}", page.text()));
    }
    let lines = line_count(&text);
    let start = line_start(&text, asked.from).ok_or("a page past the end")? + asked.skip;
    let rows = member("rows").filter(|&id| out.kind(id) == Kind::String).ok_or("a page of a string without rows")?;
    let rows = unescape(out.raw(rows));
    let mut piece = rows.as_str();
    let some = number("total") > number("omitted");
    if asked.skip > 0 && some {
        piece = piece.strip_prefix(&mark(asked.skip)).ok_or("a page that starts inside a line does not say so")?;
    }
    // What is still missing says whether the last line was cut.
    let rest = page.next().map(gaps).unwrap_or_default().into_iter().next().filter(|g| g.pointer == *name);
    if let Some(rest) = rest.as_ref().filter(|g| g.skip > 0) {
        let at = line_start(&text, rest.from).ok_or("a cursor past the end")? + rest.skip;
        let missing = text.get(at..).unwrap_or_default().iter().take_while(|c| **c != '\n').count();
        piece = piece.strip_suffix(&mark(missing)).ok_or(format!("no mark of {missing} missing characters"))?;
    }
    let end = start + piece.chars().count();
    if text.get(start..end).map(|t| t.iter().collect::<String>()).as_deref() != Some(piece) {
        return Err(format!("the page of {name:?} is no piece of it: {piece:?}"));
    }
    // Lines that the piece touches.
    let touched = line_count(text.get(line_start(&text, asked.from).unwrap_or(0)..end).unwrap_or_default());
    let touched = if piece.is_empty() { 0 } else { touched };
    let partial = [asked.skip > 0 && some, rest.as_ref().is_some_and(|g| g.skip > 0)];
    let partial = partial.into_iter().filter(|p| *p).count().min(touched);
    let said = (number("total"), number("omitted"), number("shrunk"), number("from"));
    if said != (lines, lines - touched, partial, asked.from) {
        return Err(format!("the page says {said:?}, true {lines} {} {partial} {}", lines - touched, asked.from));
    }
    if let Some(rest) = rest {
        let next = line_start(&text, rest.from).unwrap_or(0) + rest.skip;
        if next != end || rest.to != asked.to {
            return Err(format!("the page ends at character {end}, and its cursor is {rest:?}"));
        }
    }
    Ok((start, end))
}

/// Holds a page of a string against its string; pages of lists and everything else are left alone.
///
/// # Errors
/// What is wrong.
pub fn page_is_true(payload: &[u8], spec: &Spec, page: &Delivery) -> Result<(), String> {
    let Some(doc) = std::str::from_utf8(payload).ok().and_then(|t| parse(t).ok()) else { return Ok(()) };
    let Some(asked) = spec.cursor.as_deref().map(gaps).unwrap_or_default().into_iter().next() else { return Ok(()) };
    if !is_string(&doc, &asked.pointer) || page.account().claimed().is_some() || !spec.select.is_empty() {
        return Ok(());
    }
    shown(&doc, &asked, page)?;
    // A second cut of it reads its counts and adds to them.
    let again = spec.named(haversack::Format::Json).limit(page.size() * 2 / 3);
    let again = Spec { cursor: None, ..again };
    let Ok(second) = again.deliver(page.text().as_bytes()) else { return Ok(()) };
    let (first, then) = (page.account().records(), second.account().records());
    if (first.total, true) != (then.total, then.omitted >= first.omitted) {
        return Err(format!("a tighter cut forgets the first: {first:?} then {then:?}\n  {:?}", second.text()));
    }
    Ok(())
}

/// The strings that a delivery says can be resumed, each with the piece of it that its cursor names: whatever is not
/// in there stands in the text.
///
/// # Errors
/// What is wrong.
fn resumed(doc: &Doc, d: &Delivery) -> Result<Vec<(Gap, usize, usize)>, String> {
    let out = parse(d.text()).map_err(|_| "the delivery does not parse")?;
    let mut found = vec![];
    for gap in d.next().map(gaps).unwrap_or_default() {
        let Some(raw) = string(doc, &gap.pointer) else { continue };
        let text: Vec<char> = unescape(raw).chars().collect();
        let start = line_start(&text, gap.from).ok_or("a cursor past the end")? + gap.skip;
        let end = gap.to.map_or(Some(text.len()), |to| line_start(&text, to)).ok_or("a cursor past the end")?;
        let there: Vec<char> = unescape(string(&out, &gap.pointer).ok_or("a cursor of no string")?).chars().collect();
        let (head, tail) = (text.get(..start), text.get(end..));
        if !head.is_some_and(|h| there.starts_with(h)) || !tail.is_some_and(|t| there.ends_with(t)) {
            return Err(format!("{gap:?} names less than what is missing of {:?}: {:?}", gap.pointer, d.text()));
        }
        found.push((gap, start, end));
    }
    Ok(found)
}

/// After a second cut the cursors still speak of the lines of the original.
///
/// # Errors
/// What is wrong.
pub fn still_named(doc: &Doc, second: &Delivery) -> Result<(), String> {
    resumed(doc, second).map(|_| ())
}

/// Every string that `first` says can be resumed is covered once: by what it shows of it, and by the pages.
///
/// # Errors
/// What is wrong.
pub fn covered(doc: &Doc, first: &Delivery, pages: &[(String, Delivery)]) -> Result<(), String> {
    for (gap, start, end) in resumed(doc, first)? {
        let mut at = start;
        for (cursor, page) in pages {
            let Some(asked) = gaps(cursor).into_iter().next().filter(|g| g.pointer == gap.pointer) else { continue };
            let (from, to) = shown(doc, &asked, page)?;
            if from != at {
                return Err(format!("the page {cursor:?} starts at character {from}, {at} is next"));
            }
            at = to;
        }
        if at != end {
            return Err(format!("the pages of {:?} end at character {at} of {end}", gap.pointer));
        }
    }
    Ok(())
}
