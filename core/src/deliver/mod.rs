//! A raw tool result becomes what the model sees: within a budget, on record boundaries, with every loss counted.

#[allow(dead_code)] // the engines use all of it
mod cursor;
mod delivery;
mod options;
#[allow(dead_code)] // the engines use all of it
mod snip;
mod tree;

pub use delivery::{Action, Delivery, Reason, Run, Warning, WarningKind};
pub use options::{
    Ansi, DeliverOptions, Envelope, Format, Keep, NoticePlace, OnInvalid, Oversize, Share, SourceState,
};

use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};

/// Cuts `payload` to the budget of `options`, on record boundaries, and says what it left out.
///
/// # Errors
/// [`ErrorKind::BudgetTooSmall`] with the size that would do; the error kinds of bad options and bad input.
pub fn deliver<'a>(
    payload: &(impl AsRef<[u8]> + ?Sized),
    options: impl Into<DeliverOptions<'a>>,
) -> Result<Delivery, Error> {
    deliver_bytes(payload.as_ref(), &options.into())
}

fn deliver_bytes(payload: &[u8], options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    let text = core::str::from_utf8(payload).map_err(|e| {
        let at = e.valid_up_to();
        Error::new(ErrorKind::InvalidUtf8, alloc::format!("invalid UTF-8 at byte {at}")).at(at)
    })?;
    match options.format {
        None => deliver_detected(text, options),
        Some(Format::Json) => deliver_named_json(text, options),
        Some(_) => Err(Error::option("format", "not built yet")),
    }
}

fn deliver_detected(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    match crate::json::check(text, options.limits.depth) {
        Ok(scan) => deliver_checked(text, &scan, options, None),
        Err(fault) => Err(json_error(&fault, options.limits.depth)),
    }
}

fn deliver_named_json(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    match crate::json::check(text, options.limits.depth) {
        Ok(scan) => deliver_checked(text, &scan, options, None),
        Err(fault) => Err(json_error(&fault, options.limits.depth)),
    }
}

/// JSON that parsed: select, then share and render.
fn deliver_checked(
    text: &str,
    scan: &crate::json::Scan,
    options: &DeliverOptions<'_>,
    malformed_at: Option<usize>,
) -> Result<Delivery, Error> {
    if options.select.is_empty() {
        return tree::deliver_json(text, scan, options, malformed_at, 0, Vec::new());
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
    match crate::json::check(&selected.text, options.limits.depth) {
        Ok(scan) => {
            tree::deliver_json(&selected.text, &scan, options, malformed_at, selected.fields_removed, warnings)
        }
        // What was selected of valid JSON is valid JSON.
        Err(fault) => Err(json_error(&fault, options.limits.depth)),
    }
}

fn json_error(fault: &crate::json::Fault, depth: usize) -> Error {
    if fault.too_deep {
        let message = alloc::format!("nested deeper than {depth} levels at byte {}", fault.at);
        return Error::new(ErrorKind::TooDeep, message).at(fault.at).counts(depth + 1, depth);
    }
    let message = alloc::format!("invalid JSON at byte {}: expected {}", fault.at, fault.expected);
    Error::new(ErrorKind::InvalidJson, message).at(fault.at).expecting(fault.expected)
}
