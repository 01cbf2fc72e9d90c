//! From a checked call to the function that answers it.

use crate::deliver::{DeliverOptions, Delivery, FindOptions, Format, OnInvalid, PageOptions, deliver, find, page};
use crate::error::Error;
use crate::measure::Budget;
use crate::offload::Entry;
use crate::readback::arguments::{Call, What};

pub(super) fn answer(
    call: &Call,
    entry: &Entry,
    reader: &str,
    bytes: &[u8],
    budget: Budget<'_>,
) -> Result<Delivery, Error> {
    // Lines of a JSON text that is one string for the most part are the lines of that string.
    let at = call.at.as_deref().or(entry.at()).unwrap_or_default();
    match &call.what {
        What::Read { start, lines } if by_lines(call, *start, *lines, entry.format()) => {
            let mut options = PageOptions::new(budget).at(at).reader(reader);
            if let Some(start) = *start {
                options = options.start(start);
            }
            if let Some(lines) = *lines {
                options = options.lines(lines);
            }
            if let Some(cursor) = &call.cursor {
                options = options.cursor(cursor);
            }
            page(bytes, options)
        }
        What::Read { .. } => {
            // What was offloaded under a format that it is not in is still there to be read: as lines.
            let mut options =
                DeliverOptions::new(budget).format(entry.format()).on_invalid(OnInvalid::Lines).reader(reader);
            if let Some(cursor) = &call.cursor {
                options = options.cursor(cursor);
            }
            deliver(bytes, options)
        }
        What::Find { needle, context, limit } => {
            let mut options = FindOptions::new(budget).at(at).reader(reader);
            if let Some(context) = *context {
                options = options.context(context);
            }
            if let Some(limit) = *limit {
                options = options.limit(limit);
            }
            if let Some(cursor) = &call.cursor {
                options = options.cursor(cursor);
            }
            find(bytes, needle, options)
        }
    }
}

/// Lines are paged by lines, everything else by records unless lines are asked for.
fn by_lines(call: &Call, start: Option<usize>, lines: Option<usize>, format: Format) -> bool {
    let cursor = call.cursor.as_deref().is_some_and(|c| c.starts_with("lines@"));
    format == Format::Lines || call.at.is_some() || start.is_some() || lines.is_some() || cursor
}
