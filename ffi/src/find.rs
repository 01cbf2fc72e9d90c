//! `haversack_find`: the lines of stored text that hold a needle.

use haversack::FindOptions;

use crate::boundary::into_handle;
use crate::delivery::haversack_delivery;
use crate::error::haversack_error;
use crate::limits::{haversack_limits, limits_of};
use crate::measure::{Meter, haversack_budget};
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// Options of `haversack_find`. `{0}` is all defaults; a number is given by pointing to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_find_options {
    /// `sizeof(haversack_find_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Searches the string at this pointer inside a JSON payload. Default: the payload is the text.
    pub at: haversack_str,
    /// Lines shown before and after each match. Default: NULL, 2.
    pub context: *const usize,
    /// Matches shown at most. Default: NULL, 20.
    pub limit: *const usize,
    /// Goes on where an earlier search stopped: its `next`.
    pub cursor: haversack_str,
    /// A tool of this request with which the model can search on; named on the first line with the cursor.
    pub reader: haversack_str,
    /// One line of the host's own on the first line, in place of the reader's.
    pub hint: haversack_str,
    /// Other limits than those of the library, here `needle_bytes` and, with `at`, `depth`; see
    /// `haversack_limits_init`. Default: NULL.
    pub limits: *const haversack_limits,
}

/// The lines of `payload` that hold `needle`, a substring taken as it is. `options` may be NULL.
///
/// The account counts matches. Outputs, errors, threads and cost as `haversack_deliver`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_find(
    payload: haversack_str,
    needle: haversack_str,
    budget: haversack_budget,
    options: *const haversack_find_options,
    out_delivery: *mut *mut haversack_delivery,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_delivery), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let payload = payload.bytes("payload")?;
            let needle = needle.text("needle")?;
            let meter = Meter::of(&budget)?;
            let given = sized::read(options, "options")?;
            let mut options = FindOptions::new(meter.budget()).at(given.at.text("at")?).limits(limits_of(given.limits)?);
            if let Some(context) = given.context.as_ref() {
                options = options.context(*context);
            }
            if let Some(limit) = given.limit.as_ref() {
                options = options.limit(*limit);
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
            out_delivery.write(into_handle(haversack_delivery(haversack::find(payload, needle, options)?)));
        }
        Ok(())
    })
}

versioned!(haversack_find_options { size, at, context, limit, cursor, reader, hint, limits } first: limits);
