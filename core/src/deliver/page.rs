//! Reading stored text on: a page of lines, under a budget, that says where it stands.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr_iter;

use crate::account::{Account, Counts, ListAccount};
use crate::deliver::cursor::{self, Gap};
use crate::deliver::delivery::{Action, Delivery, Reason, Run};
use crate::deliver::options::Format;
use crate::deliver::reading::{going_on, reading_setters, stored_text};
use crate::deliver::snip;
use crate::deliver::source::{content, line_end};
use crate::deliver::{notice, records};
use crate::error::{Error, ErrorKind};
use crate::limits::{Limits, SHORT_FORMS_BELOW};
use crate::measure::{Budget, Unit, settle};
use crate::wording;

/// Options of [`page`](crate::page()): a budget, and everything that has a default.
#[derive(Clone, Debug)]
pub struct PageOptions<'a> {
    pub(crate) budget: Budget<'a>,
    pub(crate) start: usize,
    pub(crate) lines: usize,
    pub(crate) at: &'a str,
    pub(crate) cursor: Option<&'a str>,
    pub(crate) reader: Option<&'a str>,
    pub(crate) hint: Option<&'a str>,
    pub(crate) limits: Limits,
}

impl<'a> PageOptions<'a> {
    /// The first 100 lines, as far as they fit.
    pub const fn new(budget: Budget<'a>) -> Self {
        PageOptions {
            budget,
            start: 1,
            lines: 100,
            at: "",
            cursor: None,
            reader: None,
            hint: None,
            limits: Limits::DEFAULT,
        }
    }

    /// First line of the page, from 1. Default: 1. A cursor takes its place.
    #[must_use]
    pub const fn start(mut self, line: usize) -> Self {
        self.start = line;
        self
    }

    /// Lines of the page at most. Default: 100.
    #[must_use]
    pub const fn lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    reading_setters! {
        "Pages the string at this pointer inside a JSON payload. Default: the payload is the text.",
        "Goes on where an earlier page (its `next`) or a delivery of lines stopped, or with a string that was cut \
        (`/stdout@12..880`): such a cursor needs no `at`."
    }

    /// Other limits than [`Limits::DEFAULT`]: here `depth`, of a payload read with `at`.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl<'a> From<Budget<'a>> for PageOptions<'a> {
    fn from(budget: Budget<'a>) -> Self {
        PageOptions::new(budget)
    }
}

/// A page of the lines of `payload`, under a first line with its range and the total.
///
/// [`next`](Delivery::next) goes on from what was really shown: pages one after the other give every line once. A line
/// longer than the page is cut with its count and resumed inside (`lines@40+6000`: line 40 from 0, after 6,000
/// characters). Time linear in the payload.
///
/// ```
/// use haversack::{Budget, PageOptions, page};
///
/// let log: String = (1..=300).map(|i| format!("step {i}\n")).collect();
/// let d = page(&log, PageOptions::new(Budget::chars(6_000)).start(41)).unwrap();
/// assert!(d.text().starts_with("[lines 41-140 of 300]\nstep 41\n"));
/// assert_eq!(d.next(), Some("lines@140"));
/// ```
///
/// # Errors
/// [`ErrorKind::BudgetTooSmall`] with the size of the smallest page; [`ErrorKind::CursorPastEnd`];
/// [`ErrorKind::InvalidOption`] for `start` or `lines` 0 and an `at` that leads to no string; the other cursor,
/// pointer and input kinds.
pub fn page<'a>(payload: &(impl AsRef<[u8]> + ?Sized), options: impl Into<PageOptions<'a>>) -> Result<Delivery, Error> {
    let mut options = options.into();
    let named = pointer_of(&options)?;
    if let Some(pointer) = &named {
        options.at = pointer;
    }
    let text = stored_text(payload.as_ref(), options.at, options.limits.depth)?;
    page_text(&text, &options, named.as_deref().unwrap_or(wording::LINES))
}

/// The pointer that a cursor of a string names: such a cursor says by itself whose lines they are.
fn pointer_of(options: &PageOptions<'_>) -> Result<Option<String>, Error> {
    let Some(cursor) = options.cursor else { return Ok(None) };
    let Some(gap) = cursor::parse(cursor)?.gaps.into_iter().next().filter(|g| g.name.starts_with('/')) else {
        return Ok(None);
    };
    if options.at.is_empty() || options.at == gap.name {
        return Ok(Some(gap.name));
    }
    let message = "the cursor names another string than at";
    Err(Error::new(ErrorKind::CursorMismatch, message).argument_named("cursor"))
}

fn page_text(text: &str, options: &PageOptions<'_>, name: &str) -> Result<Delivery, Error> {
    notice::check_words(options.reader, options.hint)?;
    if options.start == 0 {
        return Err(Error::option("start", "start counts from 1"));
    }
    if options.lines == 0 {
        return Err(Error::option("lines", "a page of 0 lines makes no progress"));
    }
    let asked = Asked::new(text, options, name)?;
    let budget = options.budget;
    if records::is_blank(text) {
        return nothing(budget);
    }
    let short = asked.draft(None, budget, options)?;
    let least = budget.size(&short.text)?;
    if least > budget.limit() {
        return Err(Error::budget_too_small(least, budget.limit(), budget.unit()));
    }
    let found = settle(&budget, |goal| {
        let draft = asked.draft(Some(goal), budget, options)?;
        Ok(if draft.progress { Some(draft) } else { None })
    })?;
    let (draft, size) = found.unwrap_or((short, least));
    Ok(asked.answer(draft, size, budget.unit()))
}

/// Silence becomes a statement.
fn nothing(budget: Budget<'_>) -> Result<Delivery, Error> {
    let text = String::from(wording::NO_OUTPUT);
    let size = budget.size(&text)?;
    if size > budget.limit() {
        return Err(Error::budget_too_small(size, budget.limit(), budget.unit()));
    }
    Ok(Delivery {
        text,
        size,
        unit: budget.unit(),
        format: Format::Lines,
        account: Account::default(),
        lists: alloc::vec![ListAccount::default()],
        next: None,
        notice: None,
        warnings: Vec::new(),
        plan: Vec::new(),
    })
}

/// What is to be shown: lines `from..stop` of `total`, the first one from character `skip` on.
struct Asked<'t> {
    text: &'t str,
    /// What a cursor calls these lines: `lines`, or the pointer of their string.
    name: &'t str,
    total: usize,
    from: usize,
    skip: usize,
    stop: usize,
    /// The end of the gap that is served, and the gaps after it.
    gap_end: usize,
    rest: Vec<Gap>,
    /// Byte where line `from` starts, and where in it the page does.
    start: usize,
    resume: usize,
}

#[derive(Debug)]
struct Draft {
    text: String,
    notice: String,
    next: Option<String>,
    /// Lines shown, the first and last maybe in part.
    shown: usize,
    /// Byte of the source behind what is shown.
    end: usize,
    cut: bool,
    /// Text range of the lines.
    body: usize,
    progress: bool,
}

impl AsRef<str> for Draft {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<'t> Asked<'t> {
    fn new(text: &'t str, options: &PageOptions<'_>, name: &'t str) -> Result<Self, Error> {
        let open = !text.is_empty() && !text.ends_with('\n');
        let total = memchr_iter(b'\n', text.as_bytes()).count() + usize::from(open);
        let mut gaps = match options.cursor {
            None => alloc::vec![Gap::new(wording::LINES, options.start - 1, None)],
            Some(text) => {
                let parsed = cursor::parse(text)?;
                parsed.check_tag(None)?;
                parsed.gaps
            }
        };
        // Behind the lines of one string may come what is missing elsewhere: it is handed on.
        for gap in gaps.iter().filter(|g| name == wording::LINES || g.name == name) {
            if gap.name != name {
                let message = "the cursor is not one of lines";
                return Err(Error::new(ErrorKind::CursorMismatch, message).argument_named("cursor"));
            }
            for place in [gap.from, gap.to.unwrap_or(0)] {
                if place > total {
                    return Err(past_end(options, place, total));
                }
            }
        }
        let first = gaps.remove(0);
        let start = line_start(text, first.from);
        let line = content(&text[start..line_end(text, start)]);
        let skip = first.offset.unwrap_or(0);
        let resume = match line.char_indices().nth(skip) {
            _ if skip == 0 => start,
            Some((i, _)) => start + i,
            None if line.chars().count() == skip => start + line.len(),
            None => return Err(cursor::past_end_of_line(first.from, skip, line.chars().count())),
        };
        let gap_end = first.to.unwrap_or(total).max(first.from);
        let stop = gap_end.min(first.from.saturating_add(options.lines));
        Ok(Asked { text, name, total, from: first.from, skip, stop, gap_end, rest: gaps, start, resume })
    }

    /// A page for `goal` units, or (`None`) the smallest there is.
    fn draft(&self, goal: Option<usize>, budget: Budget<'_>, options: &PageOptions<'_>) -> Result<Draft, Error> {
        let long = goal.is_some() && budget.limit() >= SHORT_FORMS_BELOW;
        let long = long && budget.size(&self.head(self.stop, Some(usize::MAX), options, true).0)? <= budget.limit() / 2;
        let head_size = |end: usize, offset: Option<usize>| -> Result<usize, Error> {
            Ok(budget.size(&self.head(end, offset, options, long).0)? + 1)
        };
        if self.from >= self.stop {
            return Ok(self.assemble(self.from, self.resume, None, options, long));
        }
        let Some(goal) = goal else { return self.smallest(budget, options) };
        let wide = head_size(self.total.saturating_add(9), Some(self.total.saturating_mul(10)))?;
        let (mut index, mut at, mut used) = (self.from, self.resume, 0usize);
        while index < self.stop {
            let end = line_end(self.text, at);
            let Some(size) = budget.with_limit(goal).fits(&self.text[at..end])? else { break };
            let sum = used.saturating_add(size.max(1));
            let fits = sum.saturating_add(wide) <= goal
                || (!budget.is_counted() && sum.saturating_add(head_size(index + 1, None)?) <= goal);
            if !fits {
                break;
            }
            (index, at, used) = (index + 1, end, sum);
        }
        if index > self.from {
            return Ok(self.assemble(index, at, None, options, long));
        }
        // Not even one line: as much of it as fits.
        let line = content(&self.text[at..line_end(self.text, at)]);
        let frame = head_size(self.from + 1, Some(self.skip.saturating_add(line.len())))?;
        let mark = budget.size(&mark(line.chars().count()))? + 1;
        let unit = if budget.is_counted() { Unit::Bytes } else { budget.unit() };
        let mut room = goal.saturating_sub(frame).saturating_sub(mark);
        if budget.is_counted() {
            room = room.saturating_mul(4);
        }
        for _ in 0..12 {
            let piece = snip::floor(line, snip::prefix_end(line, room, unit));
            if piece == 0 || piece >= line.len() {
                break;
            }
            let draft = self.assemble(self.from + 1, self.resume + piece, Some(piece), options, long);
            if !budget.is_counted() || budget.size(&draft.text)? <= goal {
                return Ok(draft);
            }
            room = room / 2 + room / 4;
        }
        let mut none = self.assemble(self.from, self.resume, None, options, long);
        none.progress = false;
        Ok(none)
    }

    /// The first line whole, or its first character that can stand alone.
    fn smallest(&self, budget: Budget<'_>, options: &PageOptions<'_>) -> Result<Draft, Error> {
        let end = line_end(self.text, self.resume);
        let line = content(&self.text[self.resume..end]);
        let whole = self.assemble(self.from + 1, end, None, options, false);
        let piece = snip::ceil(line, 1);
        if piece == 0 || piece >= line.len() {
            return Ok(whole);
        }
        let cut = self.assemble(self.from + 1, self.resume + piece, Some(piece), options, false);
        Ok(if budget.size(&cut.text)? < budget.size(&whole.text)? { cut } else { whole })
    }

    /// The first line and the cursor of what follows, when lines up to `end` are shown, the last one cut after
    /// `offset` characters.
    fn head(
        &self,
        end: usize,
        offset: Option<usize>,
        options: &PageOptions<'_>,
        long: bool,
    ) -> (String, Option<String>) {
        let mut gaps = Vec::new();
        let open = |to: usize| (to != self.total).then_some(to);
        match offset {
            Some(chars) => {
                gaps.push(Gap {
                    offset: Some(chars),
                    ..Gap::new(self.name, end.saturating_sub(1), open(self.gap_end))
                });
            }
            None if end < self.gap_end => gaps.push(Gap::new(self.name, end, open(self.gap_end))),
            None => {}
        }
        gaps.extend(self.rest.iter().cloned());
        let next = cursor::render(&gaps, None);
        let mut out = String::from("[");
        if end > self.from {
            out.push_str(&alloc::format!("{} {}-{end} of {}", wording::LINES, self.from + 1, self.total));
            if self.skip > 0 {
                out.push_str(&wording::from_character(self.from + 1, self.skip.saturating_add(1)));
            }
        } else {
            out.push_str(&wording::nothing_left(wording::LINES, self.total));
        }
        let said = next.as_deref().and_then(|next| self.sayable(next));
        if let (true, Some(hint)) = (long, going_on(options.hint, options.reader, said)) {
            out.push_str("; ");
            out.push_str(&hint);
        }
        out.push(']');
        (out, next)
    }

    /// The cursor as a line of ours can hold it. A pointer is text from the input: where it is long or could end the
    /// notice, [`Delivery::next`] alone has it.
    fn sayable<'n>(&self, next: &'n str) -> Option<&'n str> {
        if self.name == wording::LINES {
            return Some(next);
        }
        let first = if next.len() > wording::HINT_CURSOR { next.split(',').next()? } else { next };
        let plain = first.chars().all(|c| c.is_alphanumeric() || c.is_ascii_graphic() && c != ']');
        (plain && first.len() <= wording::HINT_CURSOR).then_some(first)
    }

    fn assemble(&self, index: usize, end: usize, piece: Option<usize>, options: &PageOptions<'_>, long: bool) -> Draft {
        let shown = &self.text[self.resume..end];
        let offset = piece.map(|_| self.skip + shown.chars().count());
        let (notice, next) = self.head(index, offset, options, long);
        let mut text = notice.clone();
        if !shown.is_empty() {
            text.push('\n');
        }
        let body = text.len();
        text.push_str(shown);
        if piece.is_some() {
            let line = content(&self.text[end..line_end(self.text, end)]);
            text.push_str(&mark(line.chars().count()));
        }
        Draft { text, notice, next, shown: index - self.from, end, cut: piece.is_some(), body, progress: true }
    }

    fn answer(&self, draft: Draft, size: usize, unit: Unit) -> Delivery {
        let partial_first = self.resume > self.start && draft.shown > 0;
        let shrunk = usize::from(partial_first || (draft.cut && draft.shown > 0));
        // Only one line can be partial: a cut line stands alone, and a resumed one is the first.
        let kept = draft.shown - shrunk;
        let first_end =
            if partial_first || draft.cut { self.resume.max(line_end(self.text, self.start)) } else { self.start };
        let whole_line = |on: bool| if on { (first_end - self.start) as u64 } else { 0 };
        let shrunk_bytes = whole_line(shrunk > 0);
        let kept_bytes = if kept > 0 { (draft.end - first_end) as u64 } else { 0 };
        let (total, all) = (self.total as u64, self.text.len() as u64);
        let records = Counts {
            total,
            kept: kept as u64,
            shrunk: shrunk as u64,
            offloaded: 0,
            omitted: total - draft.shown as u64,
        };
        let bytes = Counts {
            total: all,
            kept: kept_bytes,
            shrunk: shrunk_bytes,
            offloaded: 0,
            omitted: all - kept_bytes - shrunk_bytes,
        };
        let mut plan = Vec::new();
        let mut run = |from: usize, to: usize, action, reason, source_bytes: usize, text: core::ops::Range<usize>| {
            if to > from {
                plan.push(Run { list: String::new(), from, to, action, reason, source_bytes, text });
            }
        };
        let (from, split, end) = (self.from, self.from + shrunk, self.from + draft.shown);
        let length = draft.text.len();
        let middle = if shrunk == 0 {
            draft.body
        } else if kept == 0 {
            length
        } else {
            draft.body + (first_end - self.resume)
        };
        run(0, from, Action::Omit, Reason::OffPage, self.start, draft.body..draft.body);
        run(from, split, Action::Shrink, Reason::Oversize, first_end - self.start, draft.body..middle);
        run(split, end, Action::Keep, Reason::Fits, draft.end.saturating_sub(first_end), middle..length);
        let done = if draft.cut { first_end } else { draft.end };
        run(
            end,
            self.total,
            Action::Omit,
            Reason::OffPage,
            self.text.len() - done.min(self.text.len()),
            length..length,
        );
        let account = Account { records, bytes, fields_removed: 0, claimed: None };
        let lists = alloc::vec![ListAccount { pointer: String::new(), records, bytes, next: draft.next.clone() }];
        Delivery {
            text: draft.text,
            size,
            unit,
            format: Format::Lines,
            account,
            lists,
            next: draft.next,
            notice: Some(draft.notice),
            warnings: Vec::new(),
            plan,
        }
    }
}

/// The mark behind a cut line: so many characters follow on the next page.
fn mark(chars: usize) -> String {
    let (open, close) = wording::CHARS_OMITTED;
    alloc::format!("{open}{chars}{close}")
}

/// Byte where line `index` (from 0) starts; the length of the text behind the last.
pub(crate) fn line_start(text: &str, index: usize) -> usize {
    match index.checked_sub(1) {
        None => 0,
        Some(before) => memchr_iter(b'\n', text.as_bytes()).nth(before).map_or(text.len(), |i| i + 1),
    }
}

fn past_end(options: &PageOptions<'_>, index: usize, length: usize) -> Error {
    let argument = if options.cursor.is_some() { "cursor" } else { "start" };
    let message = alloc::format!("{argument} is past the end: line {index} (from 0) of {length}");
    Error::new(ErrorKind::CursorPastEnd, message).argument_named(argument).numbered(index).counts(index, length)
}
