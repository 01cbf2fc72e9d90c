//! The notice of lines, CSV and TSV: written, measured at its widest, and read back.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt::Write;

use crate::deliver::cursor::{self, Gap};
use crate::deliver::ndjson;
use crate::deliver::options::{NoticePlace, SourceState};
use crate::error::Error;
use crate::json::is_plain_number;
use crate::limits::SHORT_FORMS_BELOW;
use crate::measure::Budget;
use crate::wording;

/// Ranges that a notice lists, and gaps that its hint names.
pub(crate) const MOST_RANGES: usize = 8;

/// Half-open positions from 0.
pub(crate) type Span = (usize, usize);

/// What the records are called, and how their notice stands apart from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `[… lines …]`, with ranges.
    Lines,
    /// `# … rows …`, without.
    Rows,
    /// A line of JSON, see [`ndjson`].
    Ndjson,
}

impl Kind {
    /// The name in notices and cursors.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Lines => wording::LINES,
            Kind::Rows | Kind::Ndjson => wording::ROWS,
        }
    }

    const fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Kind::Lines => ("[", "]"),
            Kind::Rows => ("# ", ""),
            Kind::Ndjson => ("{", "}"),
        }
    }
}

/// Fails with `invalid_option` unless hint and reader are one line without control characters.
pub(crate) fn check_words(reader: Option<&str>, hint: Option<&str>) -> Result<(), Error> {
    if reader == Some("") {
        return Err(Error::option("reader", "reader names no tool"));
    }
    for (argument, text) in [("reader", reader), ("hint", hint)] {
        if text.is_some_and(|t| t.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))) {
            return Err(Error::option(
                argument,
                alloc::format!("{argument} is not one line without control characters"),
            ));
        }
    }
    Ok(())
}

/// Writes the notices of one delivery.
#[derive(Clone, Debug)]
pub(crate) struct Teller<'a> {
    pub(crate) kind: Kind,
    /// Records of the list, those claimed to be gone before included.
    pub(crate) total: usize,
    /// False when an earlier cut does not say which records it left: then no ranges and no cursor are written.
    pub(crate) placed: bool,
    pub(crate) place: NoticePlace,
    reader: Option<&'a str>,
    hint: Option<&'a str>,
    source: Option<SourceState>,
    long: bool,
    hinted: usize,
    /// Rows without their header: the notice says so.
    pub(crate) headless: Cell<bool>,
    /// NDJSON: bytes of an unfinished last line.
    tail: usize,
    /// Of the order that the positions are counted in.
    tag: Option<String>,
}

impl<'a> Teller<'a> {
    /// `gaps` that a hint names at most is settled here, by widest numbers: their notice stays below a quarter of the
    /// budget, or names one.
    ///
    /// # Errors
    /// Those of the counter.
    pub(crate) fn new(
        kind: Kind,
        total: usize,
        placed: bool,
        budget: Budget<'a>,
        (reader, hint, source): (Option<&'a str>, Option<&'a str>, Option<SourceState>),
        place: NoticePlace,
        (tail, tag): (usize, Option<String>),
    ) -> Result<Self, Error> {
        let long = budget.limit() >= SHORT_FORMS_BELOW && (reader.is_some() || hint.is_some() || source.is_some());
        let mut teller = Teller {
            kind,
            total,
            placed,
            place,
            reader,
            hint,
            source,
            long,
            hinted: 1,
            headless: Cell::new(false),
            tail,
            tag,
        };
        if long {
            teller.long = budget.size(&teller.widest(1, true))? <= budget.limit() / 2;
        }
        if teller.long && reader.is_some() && hint.is_none() {
            while teller.hinted < MOST_RANGES {
                teller.hinted += 1;
                if budget.size(&teller.widest(teller.hinted, true))? > budget.limit() / 4 {
                    teller.hinted -= 1;
                    break;
                }
            }
        }
        Ok(teller)
    }

    /// The notice of a first delivery, without line end: `gaps` is what is missing.
    pub(crate) fn first(&self, omitted: usize, gaps: &[Span], shrunk: usize) -> String {
        if self.kind == Kind::Ndjson {
            return self.json(self.total.saturating_sub(omitted).saturating_sub(shrunk), shrunk, None, gaps);
        }
        let mut out = String::from(self.kind.brackets().0);
        let _ = write!(out, "{omitted} of {} {}{}", self.total, self.kind.name(), wording::NOT_SHOWN);
        if self.kind == Kind::Lines && self.placed && omitted > 0 {
            out.push_str(": ");
            push_ranges(&mut out, gaps);
        }
        self.finish(out, shrunk, gaps)
    }

    /// The notice of a page: `missing` lies inside it, `left` after it.
    pub(crate) fn page(&self, (from, to): Span, missing: &[Span], shrunk: usize, left: &[Span]) -> String {
        if self.kind == Kind::Ndjson {
            let gone: usize = missing.iter().map(|(a, b)| b - a).sum();
            let kept = to.saturating_sub(from).saturating_sub(gone).saturating_sub(shrunk);
            return self.json(kept, shrunk, Some((from, (gone > 0).then_some(to))), left);
        }
        let mut out = String::from(self.kind.brackets().0);
        let name = self.kind.name();
        if from >= to {
            out.push_str(&wording::nothing_left(name, self.total));
        } else {
            let _ = write!(out, "{name} {}-{to} of {}", from + 1, self.total);
        }
        if !missing.is_empty() {
            let n: usize = missing.iter().map(|(a, b)| b - a).sum();
            let _ = write!(out, "; {n}{}: ", wording::NOT_SHOWN);
            push_ranges(&mut out, missing);
        }
        self.finish(out, shrunk, left)
    }

    /// The smallest honest text: no record, only how many there are.
    pub(crate) fn smallest(&self) -> String {
        if self.kind == Kind::Ndjson {
            return self.short().first(self.total, &[(0, self.total)], 0);
        }
        let (open, close) = self.kind.brackets();
        alloc::format!("{open}{} of {} {}{}{close}", self.total, self.total, self.kind.name(), wording::NOT_SHOWN)
    }

    /// A notice at least as long as any with that many gaps.
    pub(crate) fn widest(&self, gaps: usize, shrunk: bool) -> String {
        let spans: Vec<Span> = core::iter::repeat_n((self.total.saturating_sub(1), self.total + 10), gaps).collect();
        let shrunk = if shrunk { self.total } else { 0 };
        if self.kind == Kind::Ndjson {
            return self.json(self.total, shrunk, None, &spans);
        }
        self.first(self.total, &spans, shrunk)
    }

    /// A notice at least as long as that of any page of that span with these gaps.
    pub(crate) fn widest_page(&self, (from, to): Span, missing: &[Span], left: &[Span]) -> String {
        if self.kind == Kind::Ndjson {
            return self.json(to, to, Some((from, (!missing.is_empty()).then_some(to))), left);
        }
        self.page((from, to), missing, to, left)
    }

    /// This teller with the short forms.
    pub(crate) fn short(&self) -> Self {
        Teller { long: false, ..self.clone() }
    }

    /// Gaps as cursor gaps; the last is open when it reaches the end.
    pub(crate) fn cursor_gaps(&self, gaps: &[Span]) -> Vec<Gap> {
        let open = |to| (to != self.total).then_some(to);
        gaps.iter().map(|(from, to)| Gap::new(self.kind.name(), *from, open(*to))).collect()
    }

    /// The cursor over all gaps, where positions are known.
    pub(crate) fn cursor(&self, gaps: &[Span]) -> Option<String> {
        if !self.placed {
            return None;
        }
        cursor::render(&self.cursor_gaps(gaps), self.tag.as_deref())
    }

    /// The words of the host, and for whom it named a reader, how to go on.
    fn told_hint(&self, gaps: &[Span]) -> Option<String> {
        match (self.hint, self.reader) {
            (Some(hint), _) => Some(String::from(hint)),
            (None, Some(reader)) => {
                let named = &gaps[..gaps.len().min(self.hinted)];
                self.cursor(named).map(|c| wording::call_reader(reader, &c))
            }
            (None, None) => None,
        }
    }

    /// The first line of NDJSON.
    fn json(&self, kept: usize, shrunk: usize, page: Option<(usize, Option<usize>)>, gaps: &[Span]) -> String {
        let next = self.cursor(&gaps[..gaps.len().min(MOST_RANGES)]);
        let hint = if self.long { self.told_hint(gaps) } else { None };
        let source = self.source.filter(|_| self.long);
        ndjson::Told { total: self.total, kept, shrunk, page, next, tail: self.tail, hint, source }.line()
    }

    fn finish(&self, mut out: String, shrunk: usize, gaps: &[Span]) -> String {
        if self.headless.get() {
            out.push_str("; ");
            out.push_str(wording::NO_HEADER);
        }
        if shrunk > 0 {
            let _ = write!(out, "; {shrunk}{}", wording::SHORTENED);
        }
        if self.long {
            if let Some(source) = self.source {
                out.push_str("; ");
                out.push_str(match source {
                    SourceState::Kept => wording::SOURCE_KEPT,
                    SourceState::Gone => wording::SOURCE_GONE,
                });
            }
            if let Some(hint) = self.told_hint(gaps) {
                out.push_str("; ");
                out.push_str(&hint);
            }
        }
        out.push_str(self.kind.brackets().1);
        out
    }
}

/// `41-310, 400, 500-510`: from 1, ends included.
fn push_ranges(out: &mut String, spans: &[Span]) {
    for (i, (from, to)) in spans.iter().enumerate() {
        if i == MOST_RANGES {
            out.push_str(wording::MORE_RANGES);
            return;
        }
        if i > 0 {
            out.push_str(", ");
        }
        let _ = write!(out, "{}", from + 1);
        if to - from > 1 {
            let _ = write!(out, "-{to}");
        }
    }
}

/// An earlier cut's statement about itself: numbers only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) total: usize,
    pub(crate) omitted: usize,
    pub(crate) shrunk: usize,
    /// Rows without their header.
    pub(crate) headless: bool,
    /// What is missing, ascending; `None` when the statement does not list all of it.
    pub(crate) gaps: Option<Vec<Span>>,
    /// NDJSON: bytes of an unfinished last line that was left out.
    pub(crate) tail: usize,
    /// Of the order that the positions are counted in.
    pub(crate) tag: Option<String>,
}

impl Statement {
    /// Reads a first line (without line end) that is exactly of our grammar and closes in itself.
    pub(crate) fn read(kind: Kind, line: &str) -> Option<Statement> {
        if kind == Kind::Ndjson {
            return ndjson::read_statement(line).filter(Statement::closes);
        }
        let (open, close) = kind.brackets();
        let inside = line.strip_prefix(open)?.strip_suffix(close)?;
        if inside.chars().any(char::is_control) {
            return None;
        }
        let mut parts = inside.split("; ");
        let mut statement = Self::read_base(kind, parts.next()?)?;
        for (place, part) in parts.enumerate() {
            if let Some(n) = part.strip_suffix(wording::SHORTENED).and_then(number) {
                statement.shrunk = n;
                break;
            }
            if kind == Kind::Rows && part == wording::NO_HEADER && !statement.headless {
                statement.headless = true;
                continue;
            }
            // Inside a page: what it passed over. Only the first part can be that.
            let passed =
                part.split_once(wording::NOT_SHOWN).and_then(|(n, r)| Some((number(n)?, r.strip_prefix(": ")?)));
            let (0, Some((n, ranges))) = (place, passed) else { break };
            let known = statement.gaps.take()?;
            statement.omitted = statement.omitted.checked_add(n)?;
            if let Some(inner) = read_ranges(ranges)? {
                let mut all = known;
                all.extend(inner);
                all.sort_unstable();
                statement.gaps = Some(all);
            }
        }
        statement.closes().then_some(statement)
    }

    fn read_base(kind: Kind, base: &str) -> Option<Statement> {
        let name = kind.name();
        if let Some(page) = base.strip_prefix(name).and_then(|b| b.strip_prefix(' ')) {
            let (range, total) = page.split_once(" of ")?;
            let (from, to) = range.split_once('-')?;
            let (from, to, total) = (number(from)?, number(to)?, number(total)?);
            if from == 0 || to < from || total < to {
                return None;
            }
            let omitted = (from - 1) + (total - to);
            let gaps = [(0, from - 1), (to, total)].into_iter().filter(|(a, b)| a < b).collect();
            return Some(Statement {
                total,
                omitted,
                shrunk: 0,
                headless: false,
                gaps: Some(gaps),
                tail: 0,
                tag: None,
            });
        }
        let (omitted, rest) = base.split_once(" of ")?;
        let (total, rest) = rest.split_once(' ')?;
        let rest = rest.strip_prefix(name)?.strip_prefix(wording::NOT_SHOWN)?;
        let (omitted, total) = (number(omitted)?, number(total)?);
        let gaps = match rest.strip_prefix(": ") {
            Some(ranges) if kind == Kind::Lines => read_ranges(ranges)?,
            None if rest.is_empty() && omitted == 0 => Some(Vec::new()),
            None if rest.is_empty() && omitted == total => Some(alloc::vec![(0, total)]),
            None if rest.is_empty() => None,
            _ => return None,
        };
        Some(Statement { total, omitted, shrunk: 0, headless: false, gaps, tail: 0, tag: None })
    }

    fn closes(&self) -> bool {
        if self.total as u64 > 1 << 53 || self.omitted > self.total {
            return false;
        }
        let Some(gaps) = &self.gaps else { return true };
        let ordered = gaps.windows(2).all(|w| matches!(w, [a, b] if a.1 <= b.0));
        let inside = gaps.iter().all(|(a, b)| a < b && *b <= self.total);
        ordered && inside && gaps.iter().map(|(a, b)| b - a).sum::<usize>() == self.omitted
    }
}

/// `Some(None)` when the list is cut off with `, …`; `None` when it is none.
fn read_ranges(text: &str) -> Option<Option<Vec<Span>>> {
    let (text, whole) = match text.strip_suffix(wording::MORE_RANGES) {
        Some(text) => (text, false),
        None => (text, true),
    };
    let mut out = Vec::new();
    for part in text.split(", ") {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (number(from)?, number(to)?);
        if from == 0 || to < from || out.len() >= MOST_RANGES {
            return None;
        }
        out.push((from - 1, to));
    }
    Some(whole.then_some(out))
}

/// Digits only, no leading zero, at most 2^53 − 1.
pub(crate) fn number(text: &str) -> Option<usize> {
    if text.len() > 16 || !is_plain_number(text) {
        return None;
    }
    let n: u64 = text.parse().ok()?;
    (n < 1 << 53).then(|| usize::try_from(n).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn teller(limit: usize, reader: Option<&'static str>, hint: Option<&'static str>) -> Teller<'static> {
        let words = (reader, hint, Some(SourceState::Kept));
        Teller::new(Kind::Lines, 933, true, Budget::chars(limit), words, NoticePlace::Text, (0, None)).unwrap()
    }

    #[test]
    fn the_forms() {
        let gaps = [(40, 310)];
        assert_eq!(teller(199, Some("read"), None).first(270, &gaps, 0), "[270 of 933 lines not shown: 41-310]");
        assert_eq!(
            teller(400, Some("read"), None).first(270, &gaps, 2),
            "[270 of 933 lines not shown: 41-310; 2 shortened; source kept; call read with cursor lines@40..310]"
        );
        assert_eq!(
            teller(400, None, Some("narrow it")).first(270, &gaps, 0),
            "[270 of 933 lines not shown: 41-310; source kept; narrow it]"
        );
        let many: Vec<Span> = (0..9).map(|i| (i * 10, i * 10 + 1)).collect();
        assert_eq!(
            teller(100, None, None).first(9, &many, 0),
            "[9 of 933 lines not shown: 1, 11, 21, 31, 41, 51, 61, 71, …]"
        );
        assert_eq!(teller(100, None, None).page((40, 140), &[], 0, &[(140, 933)]), "[lines 41-140 of 933]");
        let rows =
            Teller::new(Kind::Rows, 118, true, Budget::chars(99), (None, None, None), NoticePlace::Text, (0, None))
                .unwrap();
        assert_eq!(rows.first(88, &[(30, 118)], 0), "# 88 of 118 rows not shown");
        assert_eq!(rows.page((30, 60), &[], 0, &[(60, 118)]), "# rows 31-60 of 118");
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let read = |line: &str| Statement::read(Kind::Lines, line);
        for limit in [100, 500] {
            let t = teller(limit, Some("read"), None);
            let s = read(&t.first(271, &[(40, 310), (400, 401)], 3)).unwrap();
            assert_eq!((s.total, s.omitted, s.shrunk), (933, 271, 3));
            assert_eq!(s.gaps, Some(vec![(40, 310), (400, 401)]));
            let s = read(&t.page((40, 140), &[(50, 52)], 0, &[(140, 933)])).unwrap();
            assert_eq!((s.omitted, s.gaps), (835, Some(vec![(0, 40), (50, 52), (140, 933)])));
        }
        assert_eq!(read("[3 of 9 lines not shown]").unwrap().gaps, None);
        assert_eq!(read("[9 of 9 lines not shown]").unwrap().gaps, Some(vec![(0, 9)]));
        for forged in [
            "[270 of 933 lines not shown: 41-309]",
            "[270 of 100 lines not shown]",
            "[270 of 933 lines not shown: 310-41]",
            "[0270 of 933 lines not shown]",
            "[270 of 933 lines not shown: 41-310] ",
            "270 of 933 lines not shown",
            "[270 of 933 rows not shown]",
            "[99999999999999999999 of 99999999999999999999 lines not shown]",
            "[lines 0-4 of 9]",
            "[lines 4-10 of 9]",
            "[1 of 3 lines not shown: 2, …, 3]",
        ] {
            assert_eq!(read(forged), None, "{forged}");
        }
    }
}
