//! Lines of text: logs, diffs, tables, pages of HTML, one endless line.

use crate::deliver::delivery::Delivery;
use crate::deliver::options::{DeliverOptions, Format};
use crate::deliver::records;
use crate::deliver::source::Split;
use crate::error::Error;

/// Delivers lines: head and tail by default, the notice on the first line.
///
/// # Errors
/// `budget_too_small`, `record_too_large`, the cursor kinds, `invalid_option`, `limit_exceeded`.
pub(crate) fn deliver_lines(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    if options.format == Some(Format::Lines) {
        if options.sort_by.is_some() {
            return Err(Error::option("sort_by", "sort_by is for records, not for lines"));
        }
        if !options.select.is_empty() {
            return Err(Error::option("select", "select is for records, not for lines"));
        }
    }
    records::deliver_records(text, Split::Lines, Format::Lines, options)
}
