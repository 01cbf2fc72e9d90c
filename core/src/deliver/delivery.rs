//! What a delivery answers: the text, and the whole truth about it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use serde::Serialize;

use crate::account::{Account, Counts, ListAccount};
use crate::deliver::options::Format;
use crate::measure::Unit;

kinds! {
    /// What was done with a run of records.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Action;

    /// Delivered whole.
    Keep = 1, "keep";
    /// Delivered in part, with a mark.
    Shrink = 2, "shrink";
    /// Left out.
    Omit = 3, "omit";
}

kinds! {
    /// Why it was done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Reason;

    /// It fits.
    Fits = 1, "fits";
    /// The share of its list was used up.
    Budget = 2, "budget";
    /// It alone is larger than its list's whole share.
    Oversize = 3, "oversize";
    /// It lies outside the page that was asked for.
    OffPage = 4, "off_page";
    /// It repeats the line above (`collapse`).
    Repeats = 5, "repeats";
}

/// What became of neighbouring records of one list: half-open, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub(crate) list: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) action: Action,
    pub(crate) reason: Reason,
    pub(crate) source_bytes: usize,
    pub(crate) text: Range<usize>,
}

impl Run {
    /// Pointer of the list (`""` for a root array, a map at the root, or rows and lines).
    pub fn list(&self) -> &str {
        &self.list
    }

    /// First record of the run.
    pub const fn from(&self) -> usize {
        self.from
    }

    /// One past its last record.
    pub const fn to(&self) -> usize {
        self.to
    }

    /// What was done.
    pub const fn action(&self) -> Action {
        self.action
    }

    /// Why.
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Bytes of the run in the input, separators between its records included. Over the runs of a list that was cut
    /// they add up to its books; of records under `sort_by` whose order was never known, the last omitted run has them
    /// all.
    pub const fn source_bytes(&self) -> usize {
        self.source_bytes
    }

    /// Where the run stands in the delivered text, in bytes; empty when it was omitted.
    pub const fn text_range(&self) -> &Range<usize> {
        &self.text
    }
}

kinds! {
    /// Something the caller should know that is not a loss.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum WarningKind;

    /// The root object (of at most 4,096 members) has the same key twice: both members were kept, or both counted.
    DuplicateKey = 1, "duplicate_key";
    /// Text that begins like JSON and is none; `offset` is where it stopped being JSON.
    LooksLikeJson = 2, "looks_like_json";
    /// Records were left out and a member that looks like the tool's own cursor was kept: it skips what was omitted.
    SourceCursorSkipsOmitted = 3, "source_cursor_skips_omitted";
    /// The input itself said that something had been left out before; its counts were carried on.
    ClaimedCounts = 4, "claimed_counts";
    /// A pointer of `select` matched nothing.
    SelectMatchedNothing = 5, "select_matched_nothing";
    /// A name that was taken: the notice stands under another one.
    NoticeRenamed = 6, "notice_renamed";
    /// The input broke off at `offset`, and what came after is not here: salvaged input, or NDJSON whose unfinished
    /// last line was left out (without `offset` when an earlier cut had done that).
    Malformed = 7, "malformed";
    /// An option (`subject`) that has no meaning for the format that was detected, or fallen back to. For a format
    /// given by name it is an error.
    OptionIgnored = 8, "option_ignored";
}

/// A warning and the place it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub(crate) kind: WarningKind,
    pub(crate) offset: Option<usize>,
    pub(crate) subject: String,
}

impl Warning {
    /// What it is about.
    pub const fn kind(&self) -> WarningKind {
        self.kind
    }

    /// Byte offset in the input, where there is one.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The key, pointer or name concerned; empty where there is none.
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if !self.subject.is_empty() {
            write!(f, ": {}", self.subject)?;
        }
        if let Some(offset) = self.offset {
            write!(f, " at byte {offset}")?;
        }
        Ok(())
    }
}

/// What the model gets to see, and what it does not.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub(crate) text: String,
    pub(crate) size: usize,
    pub(crate) unit: Unit,
    pub(crate) format: Format,
    pub(crate) account: Account,
    pub(crate) lists: Vec<ListAccount>,
    pub(crate) next: Option<String>,
    pub(crate) notice: Option<String>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) plan: Vec<Run>,
}

impl Delivery {
    /// The text for the model: within the budget, notice included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, taken out.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The size of [`text`](Delivery::text) in [`unit`](Delivery::unit).
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The unit of the budget.
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// True when nothing was omitted, shrunk or offloaded, here or (as the input claims) before.
    pub fn complete(&self) -> bool {
        let claimed = self.account.claimed.is_none_or(|c| c.complete());
        let broken = self.warnings.iter().any(|w| w.kind == WarningKind::Malformed);
        // An unfinished line of NDJSON is no record: only the books in bytes have it.
        let unfinished = self.format == Format::Ndjson && self.account.bytes.omitted > 0;
        self.account.records.complete() && claimed && !broken && !unfinished
    }

    /// What the payload was read as.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The books over all lists.
    pub const fn account(&self) -> &Account {
        &self.account
    }

    /// The books list by list, in document order.
    pub fn lists(&self) -> &[ListAccount] {
        &self.lists
    }

    /// The cursor that resumes everything that can be resumed, or `None` at the end.
    pub fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// The notice of NDJSON, CSV and lines, in the text or (with [`NoticePlace::None`](crate::NoticePlace)) beside it.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// What the caller should know that is not a loss.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Decisions as runs of records: a host with its own records applies them to its own objects.
    pub fn plan(&self) -> &[Run] {
        &self.plan
    }
}

/// The whole answer as it stands in JSON: the one shape that every binding and every shared vector knows.
#[derive(Serialize)]
struct Answer<'a> {
    text: &'a str,
    size: usize,
    unit: &'static str,
    complete: bool,
    format: &'static str,
    account: AccountJson<'a>,
    lists: Vec<ListJson<'a>>,
    next: Option<&'a str>,
    notice: Option<&'a str>,
    warnings: Vec<WarningJson<'a>>,
    plan: Vec<RunJson<'a>>,
}

#[derive(Serialize)]
struct AccountJson<'a> {
    #[serde(flatten)]
    records: &'a Counts,
    bytes: &'a Counts,
    fields_removed: u64,
    claimed: Option<&'a Counts>,
}

#[derive(Serialize)]
struct ListJson<'a> {
    pointer: &'a str,
    #[serde(flatten)]
    records: &'a Counts,
    bytes: &'a Counts,
    next: Option<&'a str>,
}

#[derive(Serialize)]
struct WarningJson<'a> {
    kind: &'static str,
    offset: Option<usize>,
    subject: &'a str,
}

#[derive(Serialize)]
struct RunJson<'a> {
    list: &'a str,
    from: usize,
    to: usize,
    action: &'static str,
    reason: &'static str,
    source_bytes: usize,
    text_range: [usize; 2],
}

impl Delivery {
    /// The whole answer as compact JSON: text, size, books, cursors, warnings and plan.
    pub fn to_json(&self) -> String {
        let account = &self.account;
        let answer = Answer {
            text: &self.text,
            size: self.size,
            unit: self.unit.name(),
            complete: self.complete(),
            format: self.format.name(),
            account: AccountJson {
                records: &account.records,
                bytes: &account.bytes,
                fields_removed: account.fields_removed,
                claimed: account.claimed.as_ref(),
            },
            lists: self
                .lists
                .iter()
                .map(|l| ListJson { pointer: &l.pointer, records: &l.records, bytes: &l.bytes, next: l.next() })
                .collect(),
            next: self.next(),
            notice: self.notice(),
            warnings: self
                .warnings
                .iter()
                .map(|w| WarningJson { kind: w.kind.name(), offset: w.offset, subject: &w.subject })
                .collect(),
            plan: self
                .plan
                .iter()
                .map(|r| RunJson {
                    list: &r.list,
                    from: r.from,
                    to: r.to,
                    action: r.action.name(),
                    reason: r.reason.name(),
                    source_bytes: r.source_bytes,
                    text_range: [r.text.start, r.text.end],
                })
                .collect(),
        };
        // Strings, integers and lists of them always serialise.
        crate::state::written(&answer)
    }
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
