//! A raw tool result becomes what the model sees: within a budget, on record boundaries, with every loss counted.

#[allow(dead_code)] // the engines use all of it
mod cursor;
mod delivery;
mod options;
#[allow(dead_code)] // the engines use all of it
mod snip;

pub use delivery::{Action, Delivery, Reason, Run, Warning, WarningKind};
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

fn deliver_bytes(payload: &[u8], _options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    let _text = core::str::from_utf8(payload).map_err(|e| {
        Error::new(ErrorKind::InvalidUtf8, alloc::format!("invalid UTF-8 at byte {}", e.valid_up_to())).at(e.valid_up_to())
    })?;
    Err(Error::new(ErrorKind::InvalidOption, "not built yet"))
}
