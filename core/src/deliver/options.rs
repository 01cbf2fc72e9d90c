//! What the caller can ask of a delivery.

use crate::account::Account;
use crate::limits::Limits;
use crate::measure::Budget;

kinds! {
    /// What a payload is read as.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Format;

    /// One RFC 8259 value.
    Json = 1, "json";
    /// One JSON value a line; plain lines between them are kept as they are.
    Ndjson = 2, "ndjson";
    /// Comma-separated values with a header.
    Csv = 3, "csv";
    /// Tab-separated values with a header.
    Tsv = 4, "tsv";
    /// Lines of text.
    Lines = 5, "lines";
}
kinds! {
    /// How sibling lists share a budget.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Share;

    /// Max-min fair: what is small is kept whole, the rest share what is left equally (default).
    Fair = 0, "fair";
    /// In proportion to their sizes.
    Proportional = 1, "proportional";
    /// In document order: the first list takes what it needs.
    InOrder = 2, "in_order";
}
kinds! {
    /// Which end of a list is kept.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Keep;

    /// The first records (default for records).
    Head = 1, "head";
    /// The last ones.
    Tail = 2, "tail";
    /// Both ends (default for lines and long strings).
    Both = 3, "both";
}
kinds! {
    /// What happens to a record that alone is larger than its list's whole share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Oversize;

    /// It is pruned with a visible mark and counted as shrunk (default).
    Shrink = 0, "shrink";
    /// It is left out and counted; later records are still considered.
    Skip = 1, "skip";
    /// The call fails and names it.
    Error = 2, "error";
}
kinds! {
    /// When a root array is wrapped in an envelope with its counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Envelope;

    /// Only when it was cut (default).
    WhenCut = 0, "when_cut";
    /// Always, for hosts that want `"omitted":0` stated.
    Always = 1, "always";
}
kinds! {
    /// What happens to input that is not well formed in a format given by name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum OnInvalid;

    /// A typed error with place and expectation (default).
    Error = 0, "error";
    /// It is treated as lines.
    Lines = 1, "lines";
    /// The whole records before the break, with the offset and no total: values of JSON, rows of CSV and TSV above
    /// the one whose quote stays open, lines of NDJSON above the one that is nested too deep. There is no cursor.
    /// Where nothing is whole (no header, no line of JSON), the error.
    Salvage = 2, "salvage";
}
kinds! {
    /// What happens to ANSI escape sequences in lines.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Ansi;

    /// They stay, and are never cut in two (default).
    Keep = 0, "keep";
    /// They are removed.
    Strip = 1, "strip";
}
kinds! {
    /// Whether the host still has the original.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SourceState;

    /// It is kept and can be read again.
    Kept = 1, "kept";
    /// It is gone.
    Gone = 2, "gone";
}
kinds! {
    /// Where the notice of NDJSON, CSV and lines goes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum NoticePlace;

    /// Into the text, as its first line (default).
    Text = 0, "text";
    /// Only into [`Delivery::notice`](crate::Delivery::notice): the host shows it.
    None = 1, "none";
}

/// Options of [`deliver`](crate::deliver()): a budget, and everything that has a default.
///
/// ```
/// use haversack::{Budget, DeliverOptions, Share, deliver};
///
/// let options = DeliverOptions::new(Budget::bytes(300)).share(Share::InOrder);
/// let d = deliver(r#"{"a":[1,2,3],"b":[4,5,6]}"#, options).unwrap();
/// assert!(d.complete());
/// ```
#[derive(Clone, Debug)]
pub struct DeliverOptions<'a> {
    pub(crate) budget: Budget<'a>,
    pub(crate) format: Option<Format>,
    pub(crate) select: &'a [&'a str],
    pub(crate) sort_by: Option<&'a str>,
    pub(crate) descending: bool,
    pub(crate) share: Share,
    pub(crate) priority: &'a [&'a str],
    pub(crate) keep: Option<Keep>,
    pub(crate) oversize: Oversize,
    pub(crate) envelope: Envelope,
    pub(crate) cursor: Option<&'a str>,
    pub(crate) reader: Option<&'a str>,
    pub(crate) hint: Option<&'a str>,
    pub(crate) nested: bool,
    pub(crate) on_invalid: OnInvalid,
    pub(crate) prefer: &'a [&'a str],
    pub(crate) ansi: Ansi,
    pub(crate) collapse: bool,
    pub(crate) source: Option<SourceState>,
    pub(crate) notice: NoticePlace,
    pub(crate) earlier: Option<&'a Account>,
    pub(crate) limits: Limits,
}

impl<'a> DeliverOptions<'a> {
    /// Everything at its default but the budget.
    pub const fn new(budget: Budget<'a>) -> Self {
        DeliverOptions {
            budget,
            format: None,
            select: &[],
            sort_by: None,
            descending: false,
            share: Share::Fair,
            priority: &[],
            keep: None,
            oversize: Oversize::Shrink,
            envelope: Envelope::WhenCut,
            cursor: None,
            reader: None,
            hint: None,
            nested: true,
            on_invalid: OnInvalid::Error,
            prefer: &[],
            ansi: Ansi::Keep,
            collapse: false,
            source: None,
            notice: NoticePlace::Text,
            earlier: None,
            limits: Limits::DEFAULT,
        }
    }

    /// Reads the payload as this format. Default: the format is detected, and uncertain input is lines.
    #[must_use]
    pub const fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Keeps only what these pointers lead to (RFC 6901, `*` for every element or member). Default: everything.
    ///
    /// Pointers need fields: with lines, CSV or TSV given by name this is [`ErrorKind::InvalidOption`], and where they
    /// were detected a warning ([`WarningKind::OptionIgnored`]). The same holds for `sort_by` and `descending`.
    ///
    /// [`ErrorKind::InvalidOption`]: crate::ErrorKind::InvalidOption
    /// [`WarningKind::OptionIgnored`]: crate::WarningKind::OptionIgnored
    #[must_use]
    pub const fn select(mut self, pointers: &'a [&'a str]) -> Self {
        self.select = pointers;
        self
    }

    /// Orders the records of each list by the value at this pointer, relative to the record. Default: input order.
    ///
    /// Missing comes before `null`, `false`, `true`, numbers (by exact value), strings, arrays and objects. What fits
    /// is sorted too, and then minified. Costs the spans of one list in memory when a tail is kept, else of what can be
    /// kept.
    #[must_use]
    pub const fn sort_by(mut self, pointer: &'a str) -> Self {
        self.sort_by = Some(pointer);
        self
    }

    /// Reverses the order of `sort_by`'s values; ties stay in input order and missing values stay last. Default: false.
    #[must_use]
    pub const fn descending(mut self, descending: bool) -> Self {
        self.descending = descending;
        self
    }

    /// How sibling lists share the budget. Default: [`Share::Fair`]. One list (lines, rows) gets the same under each.
    #[must_use]
    pub const fn share(mut self, share: Share) -> Self {
        self.share = share;
        self
    }

    /// Lists served first, to their full demand. Default: none.
    ///
    /// With a format given by name that has one list (lines, CSV, TSV, NDJSON) an
    /// [`ErrorKind::InvalidOption`](crate::ErrorKind::InvalidOption), where it was detected a warning.
    #[must_use]
    pub const fn priority(mut self, pointers: &'a [&'a str]) -> Self {
        self.priority = pointers;
        self
    }

    /// Which end is kept. Default: the head of records, both ends of lines and long strings.
    #[must_use]
    pub const fn keep(mut self, keep: Keep) -> Self {
        self.keep = Some(keep);
        self
    }

    /// What happens to a record larger than its list's whole share. Default: [`Oversize::Shrink`].
    #[must_use]
    pub const fn oversize(mut self, oversize: Oversize) -> Self {
        self.oversize = oversize;
        self
    }

    /// When a root array gets an envelope. Default: [`Envelope::WhenCut`].
    #[must_use]
    pub const fn envelope(mut self, envelope: Envelope) -> Self {
        self.envelope = envelope;
        self
    }

    /// Delivers the page that this cursor names: a `next` of an earlier delivery of the same input. Where it names a
    /// string (`/stdout@12..880`), the page counts its lines and `rows` is a piece of it.
    #[must_use]
    pub const fn cursor(mut self, cursor: &'a str) -> Self {
        self.cursor = Some(cursor);
        self
    }

    /// A tool of this request with which the model can read on; named in the notice with the cursor.
    #[must_use]
    pub const fn reader(mut self, tool: &'a str) -> Self {
        self.reader = Some(tool);
        self
    }

    /// One line of the host's own that the notice carries, such as how to narrow the query. Outside JSON its invisible
    /// and bidirectional characters appear as `\u{…}`.
    #[must_use]
    pub const fn hint(mut self, hint: &'a str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Whether JSON inside strings is cut on its own records. Default: true.
    #[must_use]
    pub const fn nested(mut self, nested: bool) -> Self {
        self.nested = nested;
        self
    }

    /// What happens to input that is not well formed in the format given by name. Default: [`OnInvalid::Error`].
    #[must_use]
    pub const fn on_invalid(mut self, on_invalid: OnInvalid) -> Self {
        self.on_invalid = on_invalid;
        self
    }

    /// Lines that hold one of these texts are kept before others. Default: none.
    #[must_use]
    pub const fn prefer(mut self, needles: &'a [&'a str]) -> Self {
        self.prefer = needles;
        self
    }

    /// What happens to ANSI sequences in lines. Default: [`Ansi::Keep`].
    #[must_use]
    pub const fn ansi(mut self, ansi: Ansi) -> Self {
        self.ansi = ansi;
        self
    }

    /// Whether a run of equal lines becomes its first and a count, when something must be cut. Default: false.
    #[must_use]
    pub const fn collapse(mut self, collapse: bool) -> Self {
        self.collapse = collapse;
        self
    }

    /// Says in the notice whether the host still has the original. Default: nothing is claimed.
    #[must_use]
    pub const fn source(mut self, state: SourceState) -> Self {
        self.source = Some(state);
        self
    }

    /// Where the notice of NDJSON, CSV and lines goes. Default: [`NoticePlace::Text`].
    #[must_use]
    pub const fn notice(mut self, place: NoticePlace) -> Self {
        self.notice = place;
        self
    }

    /// The account of a first cut, handed over as a value; nothing is then read from the text about earlier cuts.
    #[must_use]
    pub const fn earlier(mut self, account: &'a Account) -> Self {
        self.earlier = Some(account);
        self
    }

    /// Other limits than [`Limits::DEFAULT`].
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl<'a> From<Budget<'a>> for DeliverOptions<'a> {
    fn from(budget: Budget<'a>) -> Self {
        DeliverOptions::new(budget)
    }
}
