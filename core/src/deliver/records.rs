//! What lines and rows have in common: pass through, read an earlier cut's statement, select, page, keep the books.

use alloc::string::String;
use alloc::vec::Vec;

use crate::account::{Account, Counts, ListAccount};
use crate::deliver::cursor;
use crate::deliver::delivery::{Action, Delivery, Reason, Run, Warning, WarningKind};
use crate::deliver::ndjson;
use crate::deliver::notice::{Kind, Span, Statement, Teller};
use crate::deliver::options::{Ansi, DeliverOptions, Format, Keep};
use crate::deliver::select::{Draft, Places, Selection, action_of};
use crate::deliver::snip;
use crate::deliver::source::{self, Source, Split, find_mark, marks};
use crate::error::{Error, ErrorKind};
use crate::measure::{Budget, settle};
use crate::wording;

/// Delivers the records of `text`, whole ones first, with a notice on its own first line.
pub(crate) fn deliver_records(
    text: &str,
    split: Split,
    format: Format,
    options: &DeliverOptions<'_>,
) -> Result<Delivery, Error> {
    let budget = options.budget;
    let nothing = match options.ansi {
        Ansi::Keep => is_blank(text),
        Ansi::Strip => text.split_inclusive('\n').all(|line| is_blank(&snip::strip_ansi(line))),
    };
    if nothing {
        return no_output(format, budget, options);
    }
    let mut parts = Parts::read(text, split, options);
    let whole = if options.cursor.is_none() { whole_text(text, split, options)? } else { None };
    if let Some((text, size)) = whole {
        return Ok(parts.unchanged(text, size, format, budget));
    }
    let words = (options.reader, options.hint, options.source);
    let cursor = options.cursor.map(|c| parts.asked(c)).transpose()?;
    let teller = Teller::new(
        parts.kind,
        parts.total,
        parts.placed,
        budget,
        words,
        options.notice,
        (parts.own_tail.saturating_add(parts.carried_tail), parts.tag.clone()),
    )?;
    teller.headless.set(parts.headless);
    let short = teller.short();
    let marked = parts.source.marked;
    let mut selection = Selection {
        source: &mut parts.source,
        teller: &teller,
        short: &short,
        places: &parts.places,
        budget,
        header: parts.header,
        keep: parts.keep,
        oversize: options.oversize,
        prefer: options.prefer,
        shrunk_before: if marked { 0 } else { parts.shrunk_before },
        had_shrunk: parts.shrunk_before > 0,
        reserves: [None; 20],
    };
    let draft = match &cursor {
        Some(asked) => page_draft(&mut selection, asked)?,
        None => first_draft(&mut selection, text, options)?,
    };
    let size = budget.size(&draft.text)?;
    Ok(parts.answer(draft, size, cursor.as_ref(), format, budget))
}

/// White space only, a byte order mark included.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// Silence becomes a statement.
fn no_output(format: Format, budget: Budget<'_>, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    if let Some(text) = options.cursor {
        for gap in cursor::parse(text)?.gaps {
            if gap.from > 0 {
                return Err(past_end(gap.from, 0));
            }
        }
    }
    let text = String::from(wording::NO_OUTPUT);
    let Some(size) = budget.fits(&text)? else {
        return Err(Error::budget_too_small(budget.size(&text)?, budget.limit(), budget.unit()));
    };
    Ok(Delivery {
        text,
        size,
        unit: budget.unit(),
        format,
        account: Account::default(),
        lists: alloc::vec![ListAccount::default()],
        next: None,
        notice: None,
        warnings: Vec::new(),
        plan: Vec::new(),
    })
}

/// The input as it would be delivered uncut, when that fits.
fn whole_text(text: &str, split: Split, options: &DeliverOptions<'_>) -> Result<Option<(String, usize)>, Error> {
    let budget = options.budget;
    if options.ansi == Ansi::Keep {
        let whole = budget.fits(text)?.map(|n| (String::from(text), n));
        if whole.is_some() || split != Split::Ndjson {
            return Ok(whole);
        }
    }
    // Sequences and white space can be any number of bytes: taken out piece by piece until it is too long to fit.
    let most = budget.limit().saturating_mul(32).saturating_add(1024);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if split == Split::Ndjson && is_blank(line) {
            continue;
        }
        out.push_str(&source::shown(line, split, options));
        if out.len() > most {
            return Ok(None);
        }
    }
    Ok(budget.fits(&out)?.map(|n| (out, n)))
}

fn first_draft(selection: &mut Selection<'_, '_>, text: &str, options: &DeliverOptions<'_>) -> Result<Draft, Error> {
    let budget = options.budget;
    let lone = selection.teller.kind == Kind::Lines && selection.teller.total == 1 && selection.source.total == 1;
    let smallest = selection.smallest();
    let least = budget.size(&smallest.text)?;
    if least > budget.limit() {
        // The whole may be smaller still, and smaller yet without white space.
        let mut needed = least;
        while let Some(below) = needed.checked_sub(1) {
            let options = DeliverOptions { budget: budget.with_limit(below), ..options.clone() };
            let Some((_, n)) = whole_text(text, selection.source.split, &options)? else { break };
            needed = n;
        }
        return Err(Error::budget_too_small(needed, budget.limit(), budget.unit()));
    }
    let found = if lone {
        settle(&budget, |goal| selection.lone(goal))?
    } else {
        settle(&budget, |goal| selection.fill(goal))?
    };
    Ok(found.map_or(smallest, |(draft, _)| draft))
}

fn page_draft(selection: &mut Selection<'_, '_>, asked: &Asked) -> Result<Draft, Error> {
    let budget = selection.budget;
    let mut smallest = selection.smallest_page((asked.span, asked.start), &asked.left)?;
    let mut least = budget.size(&smallest.text)?;
    if least > budget.limit() && !selection.header.is_empty() {
        // Whoever pages has seen the header; a page without it is better than none, and says so.
        let header = selection.leave_out_header();
        let bare = selection.smallest_page((asked.span, asked.start), &asked.left)?;
        let size = budget.size(&bare.text)?;
        if size < least {
            (smallest, least) = (bare, size);
        } else {
            selection.restore_header(header);
        }
    }
    if least > budget.limit() {
        return Err(Error::budget_too_small(least, budget.limit(), budget.unit()));
    }
    if asked.span.0 >= asked.span.1 {
        return Ok(smallest);
    }
    let found = settle(&budget, |goal| selection.page((asked.span, asked.start), &asked.left, goal))?;
    Ok(found.map_or(smallest, |(draft, _)| draft))
}

/// What a cursor asks for.
#[derive(Debug)]
struct Asked {
    /// Records of this text that the page may hold.
    span: Span,
    /// Byte where the first of them starts.
    start: usize,
    /// Missing after them, in positions of the original.
    left: Vec<Span>,
}

/// A text taken apart: what an earlier cut says of it, its header, its records.
#[derive(Debug)]
struct Parts<'t> {
    kind: Kind,
    keep: Keep,
    select: &'t [&'t str],
    header: &'t str,
    source: Source<'t>,
    /// Where the records start in the text.
    body_at: usize,
    /// Records of the original.
    total: usize,
    /// Whether it is known which of the original's records these are.
    placed: bool,
    places: Places,
    claimed: Option<Counts>,
    /// A page of rows that was written without the header.
    headless: bool,
    /// Records of this text that were shortened before.
    shrunk_before: usize,
    /// NDJSON: bytes of an unfinished last line. It is no record of the list, but the account tells of it as one.
    own_tail: usize,
    /// The same, left out by an earlier cut.
    carried_tail: usize,
    /// Of the order of the records, when it is not the input's.
    tag: Option<String>,
}

impl<'t> Parts<'t> {
    fn read(text: &'t str, split: Split, options: &DeliverOptions<'t>) -> Self {
        let kind = match split {
            Split::Lines => Kind::Lines,
            Split::Rows(_) => Kind::Rows,
            Split::Ndjson => Kind::Ndjson,
        };
        let line_end = memchr::memchr(b'\n', text.as_bytes());
        let first = &text[..line_end.unwrap_or(text.len())];
        if let Some(statement) = Statement::read(kind, first) {
            let after = line_end.map_or(text.len(), |i| i + 1);
            let parts = Self::new(text, after, !statement.headless, kind, split, options);
            if let Some(parts) = parts.with_statement(statement, options) {
                return parts;
            }
        }
        let mut parts = Self::new(text, 0, true, kind, split, options);
        match options.earlier {
            Some(account) => parts.add_earlier(account),
            None if kind == Kind::Lines && parts.total == 1 && marks(parts.source.text).next().is_some() => {
                // One line that says of itself that it was shortened; by how much, if it says so once.
                parts.source.marked = find_mark(parts.source.text).is_some();
                parts.shrunk_before = 1;
                parts.claimed = Some(Counts { total: 1, kept: 0, shrunk: 1, offloaded: 0, omitted: 0 });
            }
            None => {}
        }
        parts
    }

    /// The text from byte `at` on, taken for whole.
    fn new(text: &'t str, at: usize, header: bool, kind: Kind, split: Split, options: &DeliverOptions<'t>) -> Self {
        let keep = options.keep.unwrap_or(if kind == Kind::Lines { Keep::Both } else { Keep::Head });
        let mut body_at = at;
        let mut at = at;
        if let Split::Rows(delimiter) = split {
            // A byte order mark is white space; behind a notice it would be more than that.
            if text[at..].starts_with('\u{feff}') {
                at += '\u{feff}'.len_utf8();
                body_at = at;
            }
            if header && at < text.len() {
                body_at = crate::deliver::csv::row_end(text, at, delimiter);
            }
        }
        let mut own_tail = 0;
        if split == Split::Ndjson {
            body_at = ndjson::body_start(text, at);
            own_tail = ndjson::unfinished(&text[body_at..], options.limits.depth);
        }
        let body = &text[body_at..text.len() - own_tail];
        let source = Source::new(body, split, keep, options);
        let total = source.total;
        Parts {
            kind,
            keep,
            select: options.select,
            header: if split == Split::Ndjson { "" } else { &text[at..body_at] },
            source,
            body_at,
            total,
            placed: true,
            places: Places::default(),
            claimed: None,
            headless: !header,
            shrunk_before: 0,
            own_tail,
            carried_tail: 0,
            tag: if split == Split::Ndjson {
                cursor::tag(options.sort_by, options.descending, options.select)
            } else {
                None
            },
        }
    }

    /// Takes over what the first line says, if it closes against what follows.
    fn with_statement(mut self, statement: Statement, options: &DeliverOptions<'_>) -> Option<Self> {
        let left = statement.total - statement.omitted;
        if left != self.source.total {
            // Collapsed runs: each mark belongs to the line above it, which then are the records that are left.
            self.source.attach_repeats();
            if left != self.source.total {
                return None;
            }
        }
        let here = self.source.total;
        if let Some(account) = options.earlier {
            self.add_earlier(account);
            return Some(self);
        }
        if statement.shrunk > 0 {
            let marked = self.marked_records();
            if marked < statement.shrunk {
                return None;
            }
            // With marks of its own the text does not say which records were shortened before, only how many.
            self.source.marked = marked == statement.shrunk;
            self.shrunk_before = statement.shrunk;
        }
        self.total = statement.total;
        // Positions in another order say nothing about this one.
        self.placed = statement.gaps.is_some() && statement.tag == self.tag;
        self.carried_tail = statement.tail;
        self.places.gone = if self.placed { statement.gaps.unwrap_or_default() } else { Vec::new() };
        self.claimed = Some(Counts {
            total: statement.total as u64 + u64::from(statement.tail > 0),
            kept: (here - statement.shrunk.min(here)) as u64,
            shrunk: statement.shrunk as u64,
            offloaded: 0,
            omitted: statement.omitted as u64 + u64::from(statement.tail > 0),
        });
        Some(self)
    }

    /// The host's own account of the first cut: nothing is read from the text.
    fn add_earlier(&mut self, account: &Account) {
        let gone = account.records.omitted.saturating_add(account.records.offloaded);
        self.total = self.total.saturating_add(usize::try_from(gone).unwrap_or(usize::MAX));
        self.placed = gone == 0;
        self.shrunk_before = usize::try_from(account.records.shrunk).unwrap_or(usize::MAX).min(self.source.total);
    }

    /// Records with a mark in them.
    fn marked_records(&self) -> usize {
        let text = self.source.text;
        let (mut at, mut count) = (0, 0);
        if self.kind == Kind::Ndjson {
            while at < text.len() {
                let end = self.source.end_of(at);
                count += usize::from(self.source.holds_mark(&text[at..end]));
                at = end;
            }
            return count;
        }
        for mark in marks(text) {
            if mark.start < at {
                continue;
            }
            let (start, _) = self.source.skip_to(at, mark.start);
            at = self.source.end_of(start);
            count += 1;
        }
        count
    }

    fn unchanged(self, text: String, size: usize, format: Format, budget: Budget<'_>) -> Delivery {
        let here = self.source.total as u64 + u64::from(self.own_tail > 0);
        let shrunk = (self.shrunk_before as u64).min(here);
        let total = self.total as u64 + self.unfinished();
        let records = Counts { total, kept: here - shrunk, shrunk, offloaded: 0, omitted: total - here };
        let mut bytes = Counts::whole((self.source.text.len() + self.own_tail) as u64);
        bytes.omitted = self.carried_tail as u64;
        bytes.total += bytes.omitted;
        let gaps: Vec<_> = self.places.gone.clone();
        let next = self.cursor(&gaps);
        let mut plan = Vec::new();
        if here > 0 {
            plan.push(Run {
                list: String::new(),
                from: 0,
                to: self.source.total + usize::from(self.own_tail > 0),
                action: Action::Keep,
                reason: Reason::Fits,
                source_bytes: self.source.text.len() + self.own_tail,
                text: self.body_at.min(text.len())..text.len(),
            });
        }
        let account = Account { records, bytes, fields_removed: 0, claimed: self.claimed };
        let warnings = self.warnings();
        let lists = alloc::vec![ListAccount { pointer: String::new(), records, bytes, next: next.clone() }];
        Delivery { text, size, unit: budget.unit(), format, account, lists, next, notice: None, warnings, plan }
    }

    /// Unfinished lines that the account tells of, here and before.
    fn unfinished(&self) -> u64 {
        u64::from(self.own_tail > 0) + u64::from(self.carried_tail > 0)
    }

    fn cursor(&self, gaps: &[Span]) -> Option<String> {
        let open = |to: usize| (to != self.total).then_some(to);
        let gaps: Vec<_> = gaps.iter().map(|(a, b)| cursor::Gap::new(self.kind.name(), *a, open(*b))).collect();
        if self.placed { cursor::render(&gaps, self.tag.as_deref()) } else { None }
    }

    /// What was read from the text about earlier cuts, and pointers that no text can match.
    fn warnings(&self) -> Vec<Warning> {
        let mut out = Vec::new();
        if self.claimed.is_some() {
            out.push(Warning { kind: WarningKind::ClaimedCounts, offset: Some(0), subject: String::new() });
        }
        for pointer in self.select {
            let subject = String::from(*pointer);
            out.push(Warning { kind: WarningKind::SelectMatchedNothing, offset: None, subject });
        }
        out
    }

    /// What a cursor means for this text.
    fn asked(&self, text: &str) -> Result<Asked, Error> {
        let parsed = cursor::parse(text)?;
        parsed.check_tag(self.tag.as_deref())?;
        let name = self.kind.name();
        let mut spans: Vec<Span> = Vec::new();
        for gap in &parsed.gaps {
            if gap.name != name || gap.offset.is_some() {
                let message = alloc::format!("the cursor is not one of {name} of this delivery");
                return Err(Error::new(ErrorKind::CursorMismatch, message).argument_named("cursor"));
            }
            let to = gap.to.unwrap_or(self.total);
            for place in [gap.from, to] {
                if place > self.total {
                    return Err(past_end(place, self.total));
                }
            }
            if spans.last().is_some_and(|last| last.1 > gap.from) {
                let message = "invalid cursor: its gaps are not in ascending order";
                return Err(Error::new(ErrorKind::InvalidCursor, message).at(0).argument_named("cursor"));
            }
            spans.push((gap.from, to));
        }
        let Some((first, rest)) = spans.split_first() else { return Err(past_end(0, self.total)) };
        let (from, to) = *first;
        if from == to {
            let end = self.source.total;
            return Ok(Asked { span: (end, end), start: self.source.text.len(), left: rest.to_vec() });
        }
        let missing = || {
            let message = alloc::format!("{name} {from}.. are not in this text, which was cut before");
            Error::new(ErrorKind::CursorNeedsOriginal, message).argument_named("cursor").numbered(from)
        };
        if !self.placed {
            return Err(missing());
        }
        let here = self.places.here(from).ok_or_else(missing)?;
        let stop = self.places.gone.iter().find(|g| g.0 > from).map_or(to, |g| g.0.min(to));
        let mut left = Vec::new();
        if stop < to {
            left.push((stop, to));
        }
        left.extend_from_slice(rest);
        Ok(Asked { span: (here, here + (stop - from)), start: self.source.offset_of(here), left })
    }

    /// The books of a draft.
    fn answer(self, draft: Draft, size: usize, asked: Option<&Asked>, format: Format, budget: Budget<'_>) -> Delivery {
        let shown = draft.picks.len() as u64;
        let shrunk = (draft.shrunk as u64).min(shown);
        let total = self.total as u64 + self.unfinished();
        let records = Counts { total, kept: shown - shrunk, shrunk, offloaded: 0, omitted: total - shown.min(total) };
        let mut bytes =
            Counts { total: (self.source.text.len() + self.own_tail + self.carried_tail) as u64, ..Counts::default() };
        for pick in &draft.picks {
            let length = (pick.item.first_end - pick.item.start) as u64;
            if pick.cut.is_some() || self.source.is_marked(&pick.item) {
                bytes.shrunk += length;
            } else {
                bytes.kept += length;
            }
        }
        bytes.omitted = bytes.total - bytes.kept - bytes.shrunk;
        let next = self.cursor(&draft.gaps);
        let account = Account { records, bytes, fields_removed: 0, claimed: self.claimed };
        let lists = alloc::vec![ListAccount { pointer: String::new(), records, bytes, next: next.clone() }];
        let plan = self.plan(&draft, asked);
        let warnings = self.warnings();
        let Draft { text, notice, .. } = draft;
        Delivery { text, size, unit: budget.unit(), format, account, lists, next, notice, warnings, plan }
    }

    /// Decisions as runs, in this text's own records.
    fn plan(&self, draft: &Draft, asked: Option<&Asked>) -> Vec<Run> {
        let mut runs =
            Runs { out: Vec::new(), at: 0, byte: 0, place: draft.picks.first().map_or(draft.text.len(), |p| p.text.0) };
        let mut passed = draft.passed.iter().peekable();
        let page = asked.map_or((0, self.source.total), |a| a.span);
        let mut omit_until = |runs: &mut Runs, index: usize, byte: usize| {
            if runs.at < page.0.min(index) {
                runs.omit(page.0.min(index), if index <= page.0 { Some(byte) } else { None }, Reason::OffPage, self);
            }
            while let Some(p) = passed.next_if(|p| p.from < index) {
                if runs.at < p.from {
                    runs.omit(p.from, None, Reason::Budget, self);
                }
                runs.omit(p.to, if p.to == index { Some(byte) } else { None }, Reason::Oversize, self);
            }
            if runs.at < index.min(page.1) {
                let end = if index <= page.1 { Some(byte) } else { None };
                runs.omit(index.min(page.1), end, Reason::Budget, self);
            }
            if runs.at < index {
                runs.omit(index, Some(byte), Reason::OffPage, self);
            }
        };
        for pick in &draft.picks {
            let item = &pick.item;
            omit_until(&mut runs, item.index, item.start);
            let (action, reason) = action_of(pick);
            runs.push(item.index + 1, item.first_end, action, reason, pick.text);
            if item.records > 1 {
                runs.push(
                    item.index + item.records,
                    item.end,
                    Action::Omit,
                    Reason::Repeats,
                    (pick.text.1, pick.text.1),
                );
            }
        }
        omit_until(&mut runs, self.source.total, self.source.text.len());
        if self.own_tail > 0 {
            let place = (runs.place, runs.place);
            let end = self.source.text.len() + self.own_tail;
            runs.push(self.source.total + 1, end, Action::Omit, Reason::Budget, place);
        }
        runs.out
    }
}

/// Neighbouring decisions of the same kind become one run.
struct Runs {
    out: Vec<Run>,
    at: usize,
    byte: usize,
    place: usize,
}

impl Runs {
    fn omit(&mut self, to: usize, end: Option<usize>, reason: Reason, parts: &Parts<'_>) {
        let end = end.unwrap_or_else(|| parts.source.walk(self.byte, to - self.at));
        let place = self.place;
        self.push(to, end, Action::Omit, reason, (place, place));
    }

    fn push(&mut self, to: usize, end: usize, action: Action, reason: Reason, text: Span) {
        let source_bytes = end.saturating_sub(self.byte);
        match self.out.last_mut() {
            Some(last) if last.action == action && last.reason == reason => {
                last.to = to;
                last.source_bytes += source_bytes;
                last.text.end = text.1;
            }
            _ => self.out.push(Run {
                list: String::new(),
                from: self.at,
                to,
                action,
                reason,
                source_bytes,
                text: text.0..text.1,
            }),
        }
        (self.at, self.byte, self.place) = (to, end, text.1);
    }
}

fn past_end(index: usize, length: usize) -> Error {
    let message = alloc::format!("cursor past the end: position {index} of {length}");
    Error::new(ErrorKind::CursorPastEnd, message).argument_named("cursor").numbered(index).counts(index, length)
}
