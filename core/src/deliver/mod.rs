//! A raw tool result becomes what the model sees: within a budget, on record boundaries, with every loss counted.

#[allow(dead_code)] // the engines use all of it
mod cursor;
mod csv;
mod delivery;
pub(crate) mod detect;
mod find;
mod lines;
#[allow(dead_code)] // the engines use all of it
mod notice;
mod options;
mod page;
mod records;
mod select;
#[allow(dead_code)] // the engines use all of it
pub(crate) mod snip;
#[allow(dead_code)] // the engines use all of it
mod source;
mod string_at;

pub use delivery::{Action, Delivery, Reason, Run, Warning, WarningKind};
pub use find::{FindOptions, find};
pub use page::{PageOptions, page};
pub use options::{
    Ansi, DeliverOptions, Envelope, Format, Keep, NoticePlace, OnInvalid, Oversize, Share, SourceState,
};

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
        Error::new(ErrorKind::InvalidUtf8, alloc::format!("invalid UTF-8 at byte {}", e.valid_up_to())).at(e.valid_up_to())
    })?;
    match options.format {
        Some(Format::Lines) => lines::deliver_lines(text, options),
        Some(format @ (Format::Csv | Format::Tsv)) => csv::deliver_csv(text, format, options),
        _ => Err(Error::new(ErrorKind::InvalidOption, "not built yet")),
    }
}
