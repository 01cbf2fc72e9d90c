//! A raw tool result becomes what the model sees: within a budget, on record boundaries, with every loss counted.

mod books;
mod csv;
mod cursor;
mod delivery;
pub(crate) mod detect;
mod draft;
mod find;
mod lines;
mod ndjson;
mod ndjson_notice;
mod notice;
mod options;
mod page;
mod paging;
mod parts;
mod reading;
mod records;
mod select;
mod shorten;
pub(crate) mod snip;
mod source;
mod string_at;
mod tree;

pub use delivery::{Action, Delivery, Reason, Run, Warning, WarningKind};
pub use find::{FindOptions, find};
pub use options::{Ansi, DeliverOptions, Envelope, Format, Keep, NoticePlace, OnInvalid, Oversize, Share, SourceState};
pub use page::{PageOptions, page};

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};

/// Cuts `payload` to the budget of `options`, on record boundaries, and says what it left out.
///
/// What fits passes through byte for byte. Of what does not, whole records are kept as they are spelt, sibling lists
/// share the budget by max-min fairness, a record that is larger than its list's share is pruned visibly, and the text
/// says in front what is missing and where it continues. Text and notice together are within the budget, in its unit;
/// the format stays what it was. The [`Account`](crate::Account) closes: `total = kept + shrunk + offloaded + omitted`,
/// in records and in bytes of the source. What is read as JSON, NDJSON, CSV, TSV or lines is detected, or named by
/// [`DeliverOptions::format`].
///
/// ```
/// use haversack::{Budget, DeliverOptions, deliver};
///
/// let rows: Vec<String> = (0..40).map(|id| format!(r#"{{"id":{id}}}"#)).collect();
/// let payload = format!(r#"{{"early":[{0}],"late":[{0}]}}"#, rows.join(","));
/// let d = deliver(&payload, Budget::chars(300))?;
/// assert!(d.text().starts_with(r#"{"_omitted":{"/*":{"total":80,"kept":25}},"early":[{"id":0},"#));
/// assert_eq!((d.account().records().omitted, d.next()), (55, Some("/early@13,/late@12")));
///
/// // The next page: every record stands on one page.
/// let next = d.next().unwrap_or_default();
/// let page = deliver(&payload, DeliverOptions::new(Budget::chars(300)).cursor(next))?;
/// assert!(page.text().contains(r#""rows":[{"id":13},"#));
/// # Ok::<(), haversack::Error>(())
/// ```
///
/// Cost: time linear in the payload, which is read whole for its exact totals; a token counter's own cost is on top.
/// Memory for what is kept and 32 bytes for each of at most 1,024 large values; the spans of a map's members, of a
/// sorted list and of JSON inside an escaped string are held while these are cut.
///
/// # Errors
/// - [`BudgetTooSmall`](ErrorKind::BudgetTooSmall): not even the notice and one record fit; `needed` would do.
/// - [`RecordTooLarge`](ErrorKind::RecordTooLarge) under [`Oversize::Error`], with the record's `size`.
/// - [`InvalidUtf8`](ErrorKind::InvalidUtf8) for any payload; [`InvalidJson`](ErrorKind::InvalidJson),
///   [`InvalidNdjson`](ErrorKind::InvalidNdjson) and [`InvalidCsv`](ErrorKind::InvalidCsv) for one that is not of the
///   format that was named; [`TooDeep`](ErrorKind::TooDeep); each with the offset in bytes.
/// - [`InvalidOption`](ErrorKind::InvalidOption) for a value that an option cannot have, one that contradicts another,
///   or one that has no meaning for a format given by name; [`InvalidPointer`](ErrorKind::InvalidPointer),
///   [`NothingSelected`](ErrorKind::NothingSelected) and [`LimitExceeded`](ErrorKind::LimitExceeded) of `select`,
///   `sort_by`,
///   `priority` and `prefer`.
/// - [`InvalidCursor`](ErrorKind::InvalidCursor), [`CursorMismatch`](ErrorKind::CursorMismatch),
///   [`CursorPastEnd`](ErrorKind::CursorPastEnd) and [`CursorNeedsOriginal`](ErrorKind::CursorNeedsOriginal).
/// - [`CounterFailed`](ErrorKind::CounterFailed), or what the counter answered.
pub fn deliver<'a>(
    payload: &(impl AsRef<[u8]> + ?Sized),
    options: impl Into<DeliverOptions<'a>>,
) -> Result<Delivery, Error> {
    deliver_bytes(payload.as_ref(), &options.into())
}

fn deliver_bytes(payload: &[u8], options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    let text = core::str::from_utf8(payload).map_err(Error::invalid_utf8)?;
    check_entries("select", options.select, &options.limits)?;
    check_entries("priority", options.priority, &options.limits)?;
    check_entries("prefer", options.prefer, &options.limits)?;
    if options.prefer.contains(&"") {
        return Err(Error::option("prefer", "prefer has an empty entry"));
    }
    if let Some(by) = options.sort_by {
        crate::json::Pattern::parse_plain(by, "sort_by")?;
    }
    notice::check_words(options.reader, options.hint)?;
    if let Some(earlier) = options.earlier {
        let sound = |c: &crate::account::Counts| c.closes() && c.total <= 1 << 53;
        if !sound(&earlier.records) || !sound(&earlier.bytes) {
            return Err(Error::option("earlier", "earlier is no account that closes"));
        }
    }
    check_contradictions(options)?;
    let mut delivery = deliver_as(text, options)?;
    for subject in without_meaning(delivery.format, options) {
        delivery.warnings.push(Warning { kind: WarningKind::OptionIgnored, offset: None, subject: subject.into() });
    }
    Ok(delivery)
}

/// Options that were given and say nothing about a format: fields are those of JSON, and a place in a document to serve
/// first is one that has several lists.
fn without_meaning(format: Format, options: &DeliverOptions<'_>) -> impl Iterator<Item = &'static str> {
    let no_fields = matches!(format, Format::Csv | Format::Tsv | Format::Lines);
    let one_list = no_fields || format == Format::Ndjson;
    let given = [
        ("select", no_fields && !options.select.is_empty()),
        ("sort_by", no_fields && options.sort_by.is_some()),
        ("descending", no_fields && options.descending),
        ("priority", one_list && !options.priority.is_empty()),
    ];
    given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
}

/// A format given by name and an option that has no meaning for it contradict each other.
fn check_contradictions(options: &DeliverOptions<'_>) -> Result<(), Error> {
    let Some(format) = options.format else { return Ok(()) };
    match without_meaning(format, options).next() {
        None => Ok(()),
        Some(name) => {
            Err(Error::option(name, alloc::format!("{name} has no meaning for the format {}", format.name())))
        }
    }
}

fn deliver_as(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    match options.format {
        None => deliver_detected(text, options),
        Some(Format::Json) => deliver_named_json(text, options),
        Some(Format::Ndjson) => match ndjson::deliver_ndjson(text, options) {
            Err(e) if ndjson::is_input_error(&e) && options.on_invalid == OnInvalid::Lines => {
                as_lines(text, options, None)
            }
            answer => answer,
        },
        Some(format @ (Format::Csv | Format::Tsv)) => match csv::deliver_csv(text, format, options) {
            Err(e) if e.kind() == ErrorKind::InvalidCsv && options.on_invalid == OnInvalid::Lines => {
                as_lines(text, options, None)
            }
            answer => answer,
        },
        Some(Format::Lines) => lines::deliver_lines(text, options),
    }
}

/// Options that are lists have a limit on their entries and on the bytes of each.
fn check_entries(argument: &'static str, entries: &[&str], limits: &crate::limits::Limits) -> Result<(), Error> {
    let limit = |what: &str, needed: usize, available: usize| {
        let message = alloc::format!("{argument}: {what} {needed}, {available} are allowed");
        Err(Error::new(ErrorKind::LimitExceeded, message).argument_named(argument).counts(needed, available))
    };
    if entries.len() > limits.entries {
        return limit("entries", entries.len(), limits.entries);
    }
    match entries.iter().map(|e| e.len()).max() {
        Some(longest) if longest > limits.entry_bytes => limit("bytes of an entry", longest, limits.entry_bytes),
        _ => Ok(()),
    }
}

/// Deciding the format never decides the loss: what is not certain is lines.
fn deliver_detected(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    let starts = text.trim_start_matches(['\u{feff}', ' ', '\n', '\t', '\r']).as_bytes().first().copied();
    let like_json = matches!(starts, Some(b'{' | b'[' | b'"'));
    let mut stopped_at = None;
    if like_json {
        match tree::check_document(text, options.limits.depth) {
            Ok(scan) => return deliver_checked(text, &scan, options, None),
            Err(fault) => stopped_at = Some(fault.at),
        }
    }
    let is_json = |line: &str| crate::json::check(line, options.limits.depth).is_ok();
    if detect::looks_like_ndjson(text, is_json) {
        return ndjson::deliver_ndjson(text, options);
    }
    // A cursor says what its page is of: rows, or lines where the header had not fitted.
    let list = options.cursor.and_then(|c| cursor::parse(c).ok()?.gaps.into_iter().next()).map(|gap| gap.name);
    let csv = if list.as_deref() == Some("lines") { None } else { detect::looks_like_csv(text) };
    if let Some(format) = csv {
        match csv::deliver_csv(text, format, options) {
            // Its header does not fit: lines say more than a refusal. Where they do not fit either, the smaller need
            // counts.
            Err(refused) if refused.kind() == ErrorKind::BudgetTooSmall && list.is_none() => {
                return as_lines(text, options, stopped_at).map_err(|e| {
                    let smaller = e.kind() == ErrorKind::BudgetTooSmall && refused.needed() < e.needed();
                    if smaller { refused } else { e }
                });
            }
            answer => return answer,
        }
    }
    as_lines(text, options, stopped_at)
}

/// Text that is none of the structured formats; `stopped_at` says where it stopped being JSON.
fn as_lines(text: &str, options: &DeliverOptions<'_>, stopped_at: Option<usize>) -> Result<Delivery, Error> {
    let mut d = lines::deliver_lines(text, options)?;
    if stopped_at.is_some() {
        d.warnings.push(Warning { kind: WarningKind::LooksLikeJson, offset: stopped_at, subject: String::new() });
    }
    Ok(d)
}

fn deliver_named_json(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    let fault = match tree::check_document(text, options.limits.depth) {
        Ok(scan) => return deliver_checked(text, &scan, options, None),
        Err(fault) => fault,
    };
    match options.on_invalid {
        OnInvalid::Error => Err(json_error(&fault, options.limits.depth)),
        OnInvalid::Lines => as_lines(text, options, Some(fault.at)),
        OnInvalid::Salvage => match tree::salvage(text, &fault) {
            Some((whole, broke_off)) => match tree::check_document(&whole, options.limits.depth) {
                Ok(scan) => deliver_checked(&whole, &scan, options, Some(&broke_off)),
                Err(_) => Err(json_error(&fault, options.limits.depth)),
            },
            None => Err(json_error(&fault, options.limits.depth)),
        },
    }
}

/// JSON that parsed: select, then share and render.
fn deliver_checked(
    text: &str,
    scan: &crate::json::Scan,
    options: &DeliverOptions<'_>,
    broke_off: Option<&tree::Break>,
) -> Result<Delivery, Error> {
    if options.select.is_empty() {
        return tree::deliver_json(text, scan, options, broke_off, 0, Vec::new());
    }
    let mut pointers = Vec::new();
    for pointer in options.select {
        pointers.push(crate::json::Pattern::parse(pointer, "select")?);
    }
    let selected = tree::select(text, scan, &pointers)?;
    let warnings = selected
        .unmatched
        .iter()
        .map(|&i| Warning {
            kind: WarningKind::SelectMatchedNothing,
            offset: None,
            subject: options.select.get(i).copied().unwrap_or_default().into(),
        })
        .collect();
    match tree::check_document(&selected.text, options.limits.depth) {
        Ok(scan) => tree::deliver_json(&selected.text, &scan, options, broke_off, selected.fields_removed, warnings),
        // What was selected of valid JSON is valid JSON.
        Err(fault) => Err(json_error(&fault, options.limits.depth)),
    }
}

pub(crate) fn json_error(fault: &crate::json::Fault, depth: usize) -> Error {
    if fault.too_deep {
        let message = alloc::format!("nested deeper than {depth} levels at byte {}", fault.at);
        return Error::new(ErrorKind::TooDeep, message).at(fault.at).limited_to(depth);
    }
    let message = alloc::format!("invalid JSON at byte {}: expected {}", fault.at, fault.expected);
    Error::new(ErrorKind::InvalidJson, message).at(fault.at).expecting(fault.expected)
}
