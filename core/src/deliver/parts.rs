//! A text of records taken apart: what an earlier cut says of it, its header, its records, and what a cursor means in
//! it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::account::{Account, Counts};
use crate::deliver::cursor;
use crate::deliver::draft::Places;
use crate::deliver::ndjson;
use crate::deliver::notice::{Kind, Listed, Span, Statement};
use crate::deliver::options::{DeliverOptions, Keep};
use crate::deliver::shorten::{find_mark, marks};
use crate::deliver::source::{Source, Split};
use crate::error::{Error, ErrorKind};

/// What a cursor asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Records of this text that the page may hold.
    pub(crate) span: Span,
    /// Byte where the first of them starts.
    pub(crate) start: usize,
    /// Missing after them, in positions of the original.
    pub(crate) left: Vec<Span>,
}

/// A text taken apart: what an earlier cut says of it, its header, its records.
#[derive(Debug)]
pub(crate) struct Parts<'t> {
    pub(crate) kind: Kind,
    pub(crate) keep: Keep,
    pub(crate) header: &'t str,
    pub(crate) source: Source<'t>,
    /// Where the records start in the text.
    pub(crate) body_at: usize,
    /// Records of the original.
    pub(crate) total: usize,
    /// Whether it is known which of the original's records these are.
    pub(crate) placed: bool,
    pub(crate) places: Places,
    /// What the text says of an earlier cut.
    pub(crate) claimed: Option<Counts>,
    /// What the host says of it, in place of the text.
    pub(crate) earlier: Option<&'t Account>,
    /// A page of rows that was written without the header.
    pub(crate) headless: bool,
    /// Where the input broke off that these records were salvaged from, and whether that was found now (or an earlier
    /// cut says so).
    pub(crate) malformed_at: Option<usize>,
    pub(crate) broken_here: bool,
    /// Records of this text that were shortened before.
    pub(crate) shrunk_before: usize,
    /// NDJSON: bytes of an unfinished last line. It is no record, and only the books in bytes tell of it.
    pub(crate) own_tail: usize,
    /// The same, left out by an earlier cut.
    pub(crate) carried_tail: usize,
    /// Of the order of the records, when it is not the input's.
    pub(crate) tag: Option<String>,
}

impl<'t> Parts<'t> {
    pub(crate) fn read(text: &'t str, split: Split, options: &DeliverOptions<'t>) -> Self {
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
            header: if split == Split::Ndjson { "" } else { &text[at..body_at] },
            source,
            body_at,
            total,
            placed: true,
            places: Places::default(),
            claimed: None,
            earlier: None,
            headless: !header,
            malformed_at: None,
            broken_here: false,
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
    fn with_statement(mut self, statement: Statement, options: &DeliverOptions<'t>) -> Option<Self> {
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
        self.malformed_at = statement.malformed_at;
        // Positions in another order say nothing about this one; those in broken input are none.
        self.placed = statement.gaps.is_some() && statement.tag == self.tag && statement.malformed_at.is_none();
        self.carried_tail = statement.tail;
        self.places.gone = if self.placed { statement.gaps.unwrap_or_default() } else { Vec::new() };
        // Salvaged input has no total that could be claimed.
        self.claimed = statement.malformed_at.is_none().then_some(Counts {
            total: statement.total as u64,
            kept: (here - statement.shrunk.min(here)) as u64,
            shrunk: statement.shrunk as u64,
            offloaded: 0,
            omitted: statement.omitted as u64,
        });
        Some(self)
    }

    /// The host's own account of the first cut: nothing is read from the text.
    fn add_earlier(&mut self, account: &'t Account) {
        self.earlier = Some(account);
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

    /// What the notice has to know of the list.
    pub(crate) fn listed(&self) -> Listed {
        Listed {
            kind: self.kind,
            total: self.total,
            placed: self.placed,
            head: self.keep == Keep::Head,
            malformed_at: self.malformed_at,
            tail: self.own_tail.saturating_add(self.carried_tail),
            tag: self.tag.clone(),
        }
    }

    /// What a cursor means for this text.
    pub(crate) fn asked(&self, text: &str) -> Result<Asked, Error> {
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
        if self.malformed_at.is_some() {
            return Err(cursor::no_positions(from));
        }
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
}

pub(crate) fn past_end(index: usize, length: usize) -> Error {
    let message = alloc::format!("cursor past the end: position {index} of {length}");
    Error::new(ErrorKind::CursorPastEnd, message).argument_named("cursor").numbered(index).counts(index, length)
}
