//! `haversack.deliver`.

use haversack::{
    Ansi, Budget, DeliverOptions, Envelope, Error, Format, Keep, Limits, NoticePlace, OnInvalid, Oversize, Share,
    SourceState,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::account::Account;
use crate::arguments::{self, Given};
use crate::budget::{Counter, Limit, Sizes};
use crate::delivery::Delivery;
use crate::limits::read_limits;
use crate::payload::Payload;

/// Cuts a payload to a budget, on record boundaries, and says what it left out.
///
/// What fits passes through unchanged. Otherwise whole records are kept, lists share the budget fairly, and the text
/// states the counts and the cursor with which the rest is read. Time is linear in the payload; above 4 KB other
/// threads run meanwhile.
///
///     >>> haversack.deliver([{"id": 1}, {"id": 2}, {"id": 3}], chars=70).text
///     '{"total":3,"omitted":1,"next":"rows@2","rows":[{"id":1},{"id":2}]}'
///
/// Args:
///     payload: Text, its UTF-8 as bytes, or any value that `json.dumps` takes, which is delivered as the JSON that
///         it writes (compact, keys in their order).
///     bytes, chars, utf16, tokens: The budget: exactly one of them.
///     counter: What counts tokens: a callable from `str` to `int`, or a name from `counters()`. An exception that it
///         raises comes back unchanged. A method `count_up_to(text, limit)` of its class may stop early: it answers
///         the tokens where they are at most `limit`, else `None`.
///     format: What to read the payload as; `"auto"` (the default) detects it.
///     select: JSON pointers (`*` for every element or member): keep only what they lead to. This, `sort_by` and
///         `descending` have no meaning for lines, CSV and TSV, `priority` none for NDJSON either: `invalid_option` for
///         a format given by name, a warning `option_ignored` for one that is detected.
///     sort_by: JSON pointer, relative to a record: order the records of each list by the value there.
///     descending: Largest first; what is missing stays last.
///     share: How sibling lists share the budget: `"fair"` (the default), `"proportional"`, `"in_order"`. One list gets
///         the same under each.
///     priority: JSON pointers of lists that are served first.
///     keep: Which end is kept; by default the head of records, both ends of lines and long strings.
///     oversize: What happens to a record larger than its list's whole share: `"shrink"` (the default), `"skip"`,
///         `"error"`.
///     envelope: When a root array is wrapped with its counts: `"when_cut"` (the default), `"always"`.
///     cursor: Deliver the page that a `next` names; the payload must be the same. The page of a string counts its
///         lines, and its `rows` is a piece of it.
///     reader: A tool of the request with which the model can read on: the notice names it.
///     hint: One line of your own for the notice. Outside JSON its invisible and bidirectional characters appear as
///         `\u{…}`.
///     nested: Whether JSON inside strings is cut on its own records (the default).
///     on_invalid: What happens to a payload that is not of the format named: `"error"` (the default), `"lines"`,
///         `"salvage"` (the whole records before the break, with its offset; where nothing is whole, the error).
///     prefer: Lines that hold one of these are kept before others.
///     ansi: `"strip"` removes colour sequences from lines; by default they stay.
///     collapse: Count equal neighbouring lines instead of repeating them, when something must be cut.
///     source: Whether the notice says that the original is `"kept"` or `"gone"`; by default it claims neither.
///     notice: `"none"` leaves the notice of lines, CSV and NDJSON to `Delivery.notice`.
///     earlier: The account of an earlier cut of this payload: its counts are carried on, and the text is not asked.
///     limits: Other limits than the defaults, by name.
///
/// Raises:
///     BudgetError: `needed` says what would do.
///     InputError: The payload is no UTF-8, not of the format named, or no value that JSON can hold.
///     OptionsError: `argument` says which option cannot be.
///     CursorError: The cursor is not one of this payload under these options.
///     CounterError: The counter answered something that is no number of tokens.
#[pyfunction]
#[pyo3(signature = (
    payload, /, *, bytes=None, chars=None, utf16=None, tokens=None, counter=None, format=None, select=None,
    sort_by=None, descending=None, share=None, priority=None, keep=None, oversize=None, envelope=None, cursor=None,
    reader=None, hint=None, nested=None, on_invalid=None, prefer=None, ansi=None, collapse=None, source=None,
    notice=None, earlier=None, limits=None
))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn deliver(
    py: Python<'_>,
    payload: &Bound<'_, PyAny>,
    bytes: Given<'_, '_>,
    chars: Given<'_, '_>,
    utf16: Given<'_, '_>,
    tokens: Given<'_, '_>,
    counter: Given<'_, '_>,
    format: Given<'_, '_>,
    select: Given<'_, '_>,
    sort_by: Given<'_, '_>,
    descending: Given<'_, '_>,
    share: Given<'_, '_>,
    priority: Given<'_, '_>,
    keep: Given<'_, '_>,
    oversize: Given<'_, '_>,
    envelope: Given<'_, '_>,
    cursor: Given<'_, '_>,
    reader: Given<'_, '_>,
    hint: Given<'_, '_>,
    nested: Given<'_, '_>,
    on_invalid: Given<'_, '_>,
    prefer: Given<'_, '_>,
    ansi: Given<'_, '_>,
    collapse: Given<'_, '_>,
    source: Given<'_, '_>,
    notice: Given<'_, '_>,
    earlier: Given<'_, '_>,
    limits: Given<'_, '_>,
) -> PyResult<Delivery> {
    let limit = Limit::from_keywords(py, &Sizes([bytes, chars, utf16, tokens]))?;
    let counter = Counter::new(py, tokens.is_some(), counter)?;
    let payload = Payload::new(payload)?;
    let asked = Asked {
        format: payload.format(py, arguments::format(format)?)?,
        select: arguments::texts("select", select)?,
        sort_by: arguments::text("sort_by", sort_by)?,
        descending: arguments::flag("descending", descending)?,
        share: arguments::choice("share", share)?,
        priority: arguments::texts("priority", priority)?,
        keep: arguments::choice("keep", keep)?,
        oversize: arguments::choice("oversize", oversize)?,
        envelope: arguments::choice("envelope", envelope)?,
        cursor: arguments::text("cursor", cursor)?,
        reader: arguments::text("reader", reader)?,
        hint: arguments::text("hint", hint)?,
        nested: arguments::flag("nested", nested)?,
        on_invalid: arguments::choice("on_invalid", on_invalid)?,
        prefer: arguments::texts("prefer", prefer)?,
        ansi: arguments::choice("ansi", ansi)?,
        collapse: arguments::flag("collapse", collapse)?,
        source: arguments::choice("source", source)?,
        notice: arguments::choice("notice", notice)?,
        earlier: earlier_account(earlier)?,
        limits: read_limits(limits)?,
    };
    let input = payload.bytes();
    let delivery = counter.run(py, input.len(), |c| asked.deliver(input, limit.budget(c)))?;
    Ok(Delivery::new(py, &delivery))
}

/// Every option but the budget, whose counter may only be touched where the work is done.
#[derive(Debug)]
struct Asked {
    format: Option<Format>,
    select: Vec<PyBackedStr>,
    sort_by: Option<PyBackedStr>,
    descending: Option<bool>,
    share: Option<Share>,
    priority: Vec<PyBackedStr>,
    keep: Option<Keep>,
    oversize: Option<Oversize>,
    envelope: Option<Envelope>,
    cursor: Option<PyBackedStr>,
    reader: Option<PyBackedStr>,
    hint: Option<PyBackedStr>,
    nested: Option<bool>,
    on_invalid: Option<OnInvalid>,
    prefer: Vec<PyBackedStr>,
    ansi: Option<Ansi>,
    collapse: Option<bool>,
    source: Option<SourceState>,
    notice: Option<NoticePlace>,
    earlier: Option<haversack::Account>,
    limits: Option<Limits>,
}

impl Asked {
    fn deliver(&self, input: &[u8], budget: Budget<'_>) -> Result<haversack::Delivery, Error> {
        let (select, priority, prefer) = (borrowed(&self.select), borrowed(&self.priority), borrowed(&self.prefer));
        let mut options = DeliverOptions::new(budget).select(&select).priority(&priority).prefer(&prefer);
        // What was left out stays at the default that the core states.
        macro_rules! set {
            ($($option:ident)*) => {$(if let Some(value) = self.$option { options = options.$option(value); })*};
        }
        macro_rules! set_borrowed {
            ($($option:ident)*) => {$(if let Some(value) = &self.$option { options = options.$option(value); })*};
        }
        set!(format descending share keep oversize envelope nested on_invalid ansi collapse source notice limits);
        set_borrowed!(sort_by cursor reader hint earlier);
        haversack::deliver(input, options)
    }
}

fn borrowed(texts: &[PyBackedStr]) -> Vec<&str> {
    texts.iter().map(|t| &**t).collect()
}

fn earlier_account(given: Given<'_, '_>) -> PyResult<Option<haversack::Account>> {
    let Some(value) = given else { return Ok(None) };
    let account = Account::from_value("earlier", value)?.to_core();
    account.map(Some).ok_or_else(|| arguments::wrong("earlier", "an account", value))
}
