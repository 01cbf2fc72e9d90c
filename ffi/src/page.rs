//! `haversack_page`: a page of the lines of stored text.

use haversack::PageOptions;

use crate::boundary::into_handle;
use crate::delivery::haversack_delivery;
use crate::error::haversack_error;
use crate::limits::{haversack_limits, limits_of};
use crate::measure::{Meter, haversack_budget};
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// Options of `haversack_page`. `{0}` is all defaults; a number is given by pointing to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_page_options {
    /// `sizeof(haversack_page_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// First line of the page, from 1. Default: NULL, line 1. A cursor takes its place.
    pub start: *const usize,
    /// Lines of the page at most. Default: NULL, 100.
    pub lines: *const usize,
    /// Pages the string at this pointer inside a JSON payload. Default: the payload is the text.
    pub at: haversack_str,
    /// Goes on where an earlier page or a delivery of lines stopped: its `next`.
    pub cursor: haversack_str,
    /// A tool of this request with which the model can read on; named on the first line with the cursor.
    pub reader: haversack_str,
    /// One line of the host's own on the first line, in place of the reader's.
    pub hint: haversack_str,
    /// Other limits than those of the library, here `depth`, of a payload read with `at`; see `haversack_limits_init`.
    /// Default: NULL.
    pub limits: *const haversack_limits,
}

/// A page of the lines of `payload` under a first line with its range and the total. `options` may be NULL.
///
/// Outputs, errors, threads and cost as `haversack_deliver`; the delivery's `next` goes on from what was shown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_page(
    payload: haversack_str,
    budget: haversack_budget,
    options: *const haversack_page_options,
    out_delivery: *mut *mut haversack_delivery,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_delivery), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let payload = payload.bytes("payload")?;
            let meter = Meter::of(&budget)?;
            let given = sized::read(options, "options")?;
            let mut options = PageOptions::new(meter.budget()).at(given.at.text("at")?).limits(limits_of(given.limits)?);
            if let Some(start) = given.start.as_ref() {
                options = options.start(*start);
            }
            if let Some(lines) = given.lines.as_ref() {
                options = options.lines(*lines);
            }
            if let Some(cursor) = given.cursor.optional("cursor")? {
                options = options.cursor(cursor);
            }
            if let Some(tool) = given.reader.optional("reader")? {
                options = options.reader(tool);
            }
            if let Some(hint) = given.hint.optional("hint")? {
                options = options.hint(hint);
            }
            out_delivery.write(into_handle(haversack_delivery(haversack::page(payload, options)?)));
        }
        Ok(())
    })
}

versioned!(haversack_page_options { size, start, lines, at, cursor, reader, hint, limits } first: limits);
