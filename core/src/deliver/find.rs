//! Searching stored text: the lines that hold a needle, with context, under a budget.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr_iter, memmem, memrchr};

use crate::account::{Account, Counts, ListAccount};
use crate::deliver::cursor::{self, Gap};
use crate::deliver::delivery::{Action, Delivery, Reason, Run};
use crate::deliver::notice;
use crate::deliver::options::{Format, Keep};
use crate::deliver::reading::{going_on, reading_setters, stored_text};
use crate::deliver::shorten::Line;
use crate::deliver::snip;
use crate::deliver::source::{content, line_end};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::limits::SHORT_FORMS_BELOW;
use crate::measure::{Budget, Unit, settle};
use crate::wording;

/// A line up to this many units is shown whole wherever it fits.
const LINE_SHOWN_WHOLE: usize = 200;

/// Bytes of the shortest numbered line: `1-` and its line end.
const LEAST_LINE: usize = 3;

/// Options of [`find`](crate::find()): a budget, and everything that has a default.
#[derive(Clone, Debug)]
pub struct FindOptions<'a> {
    pub(crate) budget: Budget<'a>,
    pub(crate) at: &'a str,
    pub(crate) context: usize,
    pub(crate) limit: usize,
    pub(crate) cursor: Option<&'a str>,
    pub(crate) reader: Option<&'a str>,
    pub(crate) hint: Option<&'a str>,
    pub(crate) limits: Limits,
}

impl<'a> FindOptions<'a> {
    /// Up to 20 matches with 2 lines of context.
    pub const fn new(budget: Budget<'a>) -> Self {
        FindOptions {
            budget,
            at: "",
            context: 2,
            limit: 20,
            cursor: None,
            reader: None,
            hint: None,
            limits: Limits::DEFAULT,
        }
    }

    /// Lines shown before and after each match, where they fit. Default: 2. What they cost is bounded by the budget,
    /// however many are asked for.
    #[must_use]
    pub const fn context(mut self, lines: usize) -> Self {
        self.context = lines;
        self
    }

    /// Matches shown at most. Default: 20.
    #[must_use]
    pub const fn limit(mut self, matches: usize) -> Self {
        self.limit = matches;
        self
    }

    reading_setters! {
        "Searches the string at this pointer inside a JSON payload. Default: the payload is the text.",
        "Goes on where an earlier search (its `next`) stopped: `lines@41` searches from line 41 (from 0) on."
    }

    /// Other limits than [`Limits::DEFAULT`]: here `needle_bytes`, and with `at` also `depth`.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl<'a> From<Budget<'a>> for FindOptions<'a> {
    fn from(budget: Budget<'a>) -> Self {
        FindOptions::new(budget)
    }
}

/// The lines of `payload` that hold `needle`, a substring taken as it is.
///
/// A first line says which of how many matches are shown; then come the lines, each with its number (from 1) and `:`
/// for a match or `-` for context; `--` stands between places apart. A match is a line: `account().records()` counts
/// them all, those beyond the budget as omitted. A long line is cut around its match with the count of what is left
/// out. Nothing found is said, and no error. Time linear in the payload.
///
/// ```
/// use haversack::{Budget, FindOptions, find};
///
/// let log = "start\nload\nerror: no such file\nstop\n";
/// let d = find(log, "error", FindOptions::new(Budget::chars(500)).context(1)).unwrap();
/// assert_eq!(d.text(), "[matches 1-1 of 1 in 4 lines]\n2-load\n3:error: no such file\n4-stop\n");
/// ```
///
/// # Errors
/// [`ErrorKind::BudgetTooSmall`] with the size of the smallest answer; [`ErrorKind::InvalidOption`] for an empty needle
/// or a `limit` of 0; [`ErrorKind::LimitExceeded`] for a needle above the limit (4 KiB); the cursor, pointer and input
/// kinds.
pub fn find<'a>(
    payload: &(impl AsRef<[u8]> + ?Sized),
    needle: &str,
    options: impl Into<FindOptions<'a>>,
) -> Result<Delivery, Error> {
    let options = options.into();
    notice::check_words(options.reader, options.hint)?;
    let most = options.limits.needle_bytes;
    if needle.is_empty() {
        return Err(Error::option("needle", "an empty needle is everywhere"));
    }
    if needle.len() > most {
        let message = alloc::format!("the needle has {} bytes, {most} are allowed", needle.len());
        return Err(Error::new(ErrorKind::LimitExceeded, message).argument_named("needle").counts(needle.len(), most));
    }
    if options.limit == 0 {
        return Err(Error::option("limit", "0 matches make no progress"));
    }
    let text = stored_text(payload.as_ref(), options.at, options.limits.depth)?;
    Search::new(&text, needle, &options)?.deliver(&options)
}

/// A line that holds the needle.
#[derive(Clone, Copy, Debug)]
struct Match {
    line: usize,
    start: usize,
    /// Byte of the match in the text.
    hit: usize,
}

struct Search<'t> {
    text: &'t str,
    needle: usize,
    lines: usize,
    /// All matches, and how many lie before the ones asked for.
    total: usize,
    before: usize,
    /// Bytes of all matching lines.
    bytes: usize,
    /// The matches asked for, at most `limit` and no more than the budget could show.
    wanted: Vec<Match>,
    /// The first match behind them.
    beyond: Option<usize>,
    asked: bool,
}

#[derive(Debug)]
struct Draft {
    text: String,
    notice: String,
    next: Option<String>,
    shown: usize,
    cut: Vec<bool>,
    places: Vec<(usize, usize)>,
    bytes: (u64, u64),
}

impl AsRef<str> for Draft {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<'t> Search<'t> {
    fn new(text: &'t str, needle: &str, options: &FindOptions<'_>) -> Result<Self, Error> {
        let open = !text.is_empty() && !text.ends_with('\n');
        let lines = memchr_iter(b'\n', text.as_bytes()).count() + usize::from(open);
        let (from, to) = asked(options.cursor, lines)?;
        let mut search = Search {
            text,
            needle: needle.len(),
            lines,
            total: 0,
            before: 0,
            bytes: 0,
            wanted: Vec::new(),
            beyond: None,
            asked: options.cursor.is_some(),
        };
        // A token is taken for at most 32 bytes.
        let could_fit = options.budget.limit().saturating_mul(32).saturating_add(1024) / LEAST_LINE;
        let most = options.limit.min(could_fit);
        let (mut at, mut line, mut behind) = (0, 0, 0);
        for hit in memmem::find_iter(text.as_bytes(), needle.as_bytes()) {
            // Several in one line are one match.
            if hit < behind {
                continue;
            }
            let between = text.as_bytes().get(at..hit).unwrap_or_default();
            line += memchr_iter(b'\n', between).count();
            let start = memrchr(b'\n', between).map_or(at, |i| at + i + 1);
            behind = line_end(text, hit);
            at = start;
            search.total += 1;
            search.bytes += behind - start;
            if line < from {
                search.before += 1;
            } else if line >= to {
            } else if search.wanted.len() < most {
                search.wanted.push(Match { line, start, hit });
            } else if search.beyond.is_none() {
                search.beyond = Some(line);
            }
        }
        Ok(search)
    }

    fn deliver(&self, options: &FindOptions<'_>) -> Result<Delivery, Error> {
        let budget = options.budget;
        // A search that goes on shows a match; a first one may only count them.
        let least_shown = usize::from(self.asked && !self.wanted.is_empty());
        let smallest = self.draft(least_shown, None, budget, options)?;
        let least = budget.size(&smallest.text)?;
        if least > budget.limit() {
            return Err(Error::budget_too_small(least, budget.limit(), budget.unit()));
        }
        let found = settle(&budget, |goal| self.fullest(goal, budget, options))?;
        let (draft, size) = found.unwrap_or((smallest, least));
        Ok(self.answer(draft, size, budget.unit()))
    }

    /// As many matches as fit, with context; without context when not even one fits with it.
    fn fullest(&self, goal: usize, budget: Budget<'_>, options: &FindOptions<'_>) -> Result<Option<Draft>, Error> {
        for context in [options.context, 0] {
            let options = FindOptions { context, ..options.clone() };
            let draft = self.draft(self.wanted.len(), Some(goal), budget, &options)?;
            let fits = budget.is_counted() || budget.size(&draft.text)? <= goal;
            if fits && (draft.shown > 0 || self.wanted.is_empty()) {
                return Ok(Some(draft));
            }
        }
        Ok(None)
    }

    /// Up to `most` matches in `goal` units; without a goal: in their smallest form.
    fn draft(
        &self,
        most: usize,
        goal: Option<usize>,
        budget: Budget<'_>,
        options: &FindOptions<'_>,
    ) -> Result<Draft, Error> {
        let long = goal.is_some() && budget.limit() >= SHORT_FORMS_BELOW;
        let widest = self.head(self.wanted.len(), true, options, true);
        let long = long && budget.size(&widest.0)? <= budget.limit() / 2;
        let widest = budget.size(&self.head(self.wanted.len(), true, options, long).0)? + 1;
        let limit = goal.unwrap_or(usize::MAX);
        let room = limit.saturating_sub(widest);
        // A unit is at most four bytes, a token is taken for at most 32: what is longer does not fit.
        let most_bytes = match goal {
            Some(_) if budget.is_counted() => room.saturating_mul(32).saturating_add(1024),
            Some(_) => room.saturating_mul(4),
            None => usize::MAX,
        };
        let number = budget.size(&alloc::format!("{}:\n", self.lines))?;
        let line_room = goal.map(|_| room.min((room / 4).max(LINE_SHOWN_WHOLE)).saturating_sub(number));
        let mut body = String::new();
        let mut used = 0usize;
        let mut cut = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut bytes = (0u64, 0u64);
        // The next line that is not written yet: its number and byte.
        let mut written: Option<(usize, usize)> = None;
        for found in self.wanted.iter().take(most) {
            let mut piece = String::new();
            let context = if goal.is_some() { options.context } else { 0 };
            // Context that no text of that size can hold is not even looked for.
            let Some((mut at, mut line)) = self.back(found, context, written, most_bytes) else { break };
            if written.is_some_and(|w| w.0 < line) {
                piece.push_str("--\n");
            }
            while line < found.line && piece.len() <= most_bytes {
                let end = line_end(self.text, at);
                self.push(&mut piece, line, '-', &self.text[at..end], None, line_room, &budget)?;
                (at, line) = (end, line + 1);
            }
            if piece.len() > most_bytes {
                break;
            }
            let end = line_end(self.text, found.start);
            let hit = Some(found.hit - found.start);
            let shortened = self.push(&mut piece, line, ':', &self.text[found.start..end], hit, line_room, &budget)?;
            let size = budget.size(&piece)?;
            if used.saturating_add(size) > room {
                break;
            }
            used += size;
            let from = body.len();
            body.push_str(&piece);
            places.push((from, body.len()));
            cut.push(shortened);
            let length = (end - found.start) as u64;
            if shortened {
                bytes.1 += length;
            } else {
                bytes.0 += length;
            }
            written = Some((line + 1, end));
            // Context after it, as far as it fits, up to the next match.
            let next = self.wanted.get(cut.len()).map_or(usize::MAX, |m| m.line);
            for _ in 0..context {
                let Some((line, at)) = written else { break };
                if at >= self.text.len() || line >= next {
                    break;
                }
                let end = line_end(self.text, at);
                let mut piece = String::new();
                self.push(&mut piece, line, '-', &self.text[at..end], None, line_room, &budget)?;
                let size = budget.size(&piece)?;
                if used.saturating_add(size) > room {
                    break;
                }
                used += size;
                body.push_str(&piece);
                written = Some((line + 1, end));
            }
        }
        let shown = cut.len();
        let (notice, next) = self.head(shown, false, options, long);
        let mut text = notice.clone();
        if !body.is_empty() {
            text.push('\n');
        }
        let offset = text.len();
        for place in &mut places {
            *place = (place.0 + offset, place.1 + offset);
        }
        text.push_str(&body);
        Ok(Draft { text, notice, next, shown, cut, places, bytes })
    }

    /// Where the context before a match starts: byte and line, never before what is written. `None` when it has more
    /// lines than `most_bytes` can hold with their numbers.
    fn back(
        &self,
        found: &Match,
        context: usize,
        written: Option<(usize, usize)>,
        most_bytes: usize,
    ) -> Option<(usize, usize)> {
        let (mut at, mut line) = (found.start, found.line);
        for taken in 0..context {
            if at == 0 || written.is_some_and(|w| w.1 >= at) {
                break;
            }
            if taken > most_bytes / LEAST_LINE {
                return None;
            }
            let before = self.text.as_bytes().get(..at - 1).unwrap_or_default();
            at = memrchr(b'\n', before).map_or(0, |i| i + 1);
            line -= 1;
        }
        Some((at, line))
    }

    /// One numbered line; true when it had to be cut.
    #[allow(clippy::too_many_arguments)]
    fn push(
        &self,
        out: &mut String,
        line: usize,
        sign: char,
        raw: &str,
        hit: Option<usize>,
        room: Option<usize>,
        budget: &Budget<'_>,
    ) -> Result<bool, Error> {
        out.push_str(&alloc::format!("{}{sign}", line + 1));
        let text = content(raw);
        let whole = match room {
            Some(room) => budget.with_limit(room).fits(text)?.is_some(),
            None => false,
        };
        let cut = match (whole, hit) {
            (true, _) => None,
            (false, Some(hit)) => around(text, hit, self.needle, room.unwrap_or(0), budget)?,
            (false, None) => {
                Line::new(text, "", None, Keep::Head).cut(room.unwrap_or(0), budget)?.map(|(text, _)| text)
            }
        };
        out.push_str(cut.as_deref().unwrap_or(text));
        out.push('\n');
        Ok(cut.is_some())
    }

    /// The first line, and the cursor of the first match that is not shown.
    fn head(&self, shown: usize, widest: bool, options: &FindOptions<'_>, long: bool) -> (String, Option<String>) {
        let after = if widest {
            Some(self.lines.saturating_add(9))
        } else {
            self.wanted.get(shown).map(|m| m.line).or(self.beyond)
        };
        let next = after.and_then(|line| cursor::render(&[Gap::new(wording::LINES, line, None)], None));
        let (from, to) = if widest { (self.total, self.total + 1) } else { (self.before, self.before + shown) };
        let mut out = String::from("[");
        out.push_str(&wording::matches(from, to, self.total, self.lines));
        if let (true, Some(hint)) = (long, going_on(options.hint, options.reader, next.as_deref())) {
            out.push_str("; ");
            out.push_str(&hint);
        }
        out.push(']');
        (out, next)
    }

    fn answer(&self, draft: Draft, size: usize, unit: Unit) -> Delivery {
        let shrunk = draft.cut.iter().filter(|c| **c).count() as u64;
        let (total, shown) = (self.total as u64, draft.shown as u64);
        let records = Counts { total, kept: shown - shrunk, shrunk, offloaded: 0, omitted: total - shown };
        let all = self.bytes as u64;
        let bytes = Counts {
            total: all,
            kept: draft.bytes.0,
            shrunk: draft.bytes.1,
            offloaded: 0,
            omitted: all - draft.bytes.0 - draft.bytes.1,
        };
        let mut plan: Vec<Run> = Vec::new();
        for (i, (cut, place)) in draft.cut.iter().zip(&draft.places).enumerate() {
            let (action, reason) = if *cut { (Action::Shrink, Reason::Oversize) } else { (Action::Keep, Reason::Fits) };
            let index = self.before + i;
            let source_bytes = self.wanted.get(i).map_or(0, |m| line_end(self.text, m.start) - m.start);
            match plan.last_mut() {
                Some(last) if last.action == action => {
                    last.to = index + 1;
                    last.source_bytes += source_bytes;
                    last.text.end = place.1;
                }
                _ => plan.push(Run {
                    list: String::new(),
                    from: index,
                    to: index + 1,
                    action,
                    reason,
                    source_bytes,
                    text: place.0..place.1,
                }),
            }
        }
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

/// A piece of a long line with its match in it, and how much stands before and after.
fn around(text: &str, hit: usize, needle: usize, room: usize, budget: &Budget<'_>) -> Result<Option<String>, Error> {
    let (open, close) = wording::CHARS_OMITTED;
    let mark = |piece: &str| {
        if piece.is_empty() {
            Cow::Borrowed("")
        } else {
            Cow::Owned(alloc::format!("{open}{}{close}", piece.chars().count()))
        }
    };
    let start = snip::floor(text, hit);
    let end = snip::ceil(text, hit.saturating_add(needle).min(text.len()));
    let assemble =
        |from: usize, to: usize| alloc::format!("{}{}{}", mark(&text[..from]), &text[from..to], mark(&text[to..]));
    let smallest = assemble(start, end);
    let unit = if budget.is_counted() { Unit::Bytes } else { budget.unit() };
    let factor = if budget.is_counted() { 4 } else { 1 };
    let mut space = room.saturating_sub(budget.size(&smallest)?).saturating_mul(factor);
    for _ in 0..12 {
        if space < 2 {
            break;
        }
        let from = snip::ceil(text, snip::suffix_start(&text[..start], space / 2, unit)).min(start);
        let to = end + snip::floor(&text[end..], snip::prefix_end(&text[end..], space / 2, unit));
        let out = assemble(from, to);
        if budget.size(&out)? <= room && out.len() < text.len() {
            return Ok(Some(out));
        }
        space = space / 2 + space / 4;
    }
    Ok((smallest.len() < text.len()).then_some(smallest))
}

/// The lines a cursor asks for.
fn asked(cursor: Option<&str>, lines: usize) -> Result<(usize, usize), Error> {
    let Some(text) = cursor else { return Ok((0, usize::MAX)) };
    let parsed = cursor::parse(text)?;
    parsed.check_tag(None)?;
    let [gap] = parsed.gaps.as_slice() else {
        return Err(Error::new(ErrorKind::CursorMismatch, "a search goes on from one place").argument_named("cursor"));
    };
    if gap.name != wording::LINES || gap.offset.is_some() {
        return Err(Error::new(ErrorKind::CursorMismatch, "the cursor is not one of a search").argument_named("cursor"));
    }
    for place in [gap.from, gap.to.unwrap_or(0)] {
        if place > lines {
            let message = alloc::format!("cursor past the end: line {place} (from 0) of {lines}");
            return Err(Error::new(ErrorKind::CursorPastEnd, message)
                .argument_named("cursor")
                .numbered(place)
                .counts(place, lines));
        }
    }
    Ok((gap.from, gap.to.unwrap_or(usize::MAX)))
}
