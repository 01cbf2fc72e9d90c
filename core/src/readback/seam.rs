//! From a checked call to the function that answers it.

use crate::deliver::{DeliverOptions, Delivery, Format, OnInvalid, deliver};
use crate::error::{Error, ErrorKind};
use crate::measure::Budget;
use crate::readback::arguments::{Call, What};

pub(super) fn answer(
    call: &Call,
    format: Format,
    reader: &str,
    bytes: &[u8],
    budget: Budget<'_>,
) -> Result<Delivery, Error> {
    match &call.what {
        What::Read { start, lines } if by_lines(call, *start, *lines, format) => page(call, *start, *lines, reader, bytes, budget),
        What::Read { .. } => {
            // What was offloaded under a format that it is not in is still there to be read: as lines.
            let mut options = DeliverOptions::new(budget).format(format).on_invalid(OnInvalid::Lines).reader(reader);
            if let Some(cursor) = &call.cursor {
                options = options.cursor(cursor);
            }
            deliver(bytes, options)
        }
        What::Find { needle, context, limit } => find(call, needle, *context, *limit, reader, bytes, budget),
    }
}

/// Lines are paged by lines, everything else by records unless lines are asked for.
fn by_lines(call: &Call, start: Option<usize>, lines: Option<usize>, format: Format) -> bool {
    let cursor = call.cursor.as_deref().map(|c| c.starts_with("lines@"));
    format == Format::Lines || call.at.is_some() || start.is_some() || lines.is_some() || cursor == Some(true)
}

#[allow(clippy::too_many_arguments)]
fn page(
    _call: &Call,
    _start: Option<usize>,
    _lines: Option<usize>,
    _reader: &str,
    _bytes: &[u8],
    _budget: Budget<'_>,
) -> Result<Delivery, Error> {
    Err(Error::new(ErrorKind::InvalidOption, "not built yet"))
}

#[allow(clippy::too_many_arguments)]
fn find(
    _call: &Call,
    _needle: &str,
    _context: Option<usize>,
    _limit: Option<usize>,
    _reader: &str,
    _bytes: &[u8],
    _budget: Budget<'_>,
) -> Result<Delivery, Error> {
    Err(Error::new(ErrorKind::InvalidOption, "not built yet"))
}
