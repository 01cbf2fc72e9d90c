//! `haversack_canonical_json`: JSON in its canonical form (RFC 8785).

use haversack::canonical_json;
use haversack::json::InexactNumber;

use crate::boundary::{free_handle, into_handle};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::limits::{haversack_limits, limits_of};
use crate::status::haversack_status;
use crate::text::haversack_str;

/// A text in its canonical form. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_canonical {
    text: String,
    same: bool,
    inexact: Vec<InexactNumber>,
}

/// A number whose canonical form says another number, since no double is it. Its texts live as long as the canonical
/// text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_inexact_number {
    /// Where it stands in the text that was read, in bytes.
    pub offset: usize,
    /// How it was spelt, at most 32 characters of it.
    pub read: haversack_str,
    /// What the canonical form has in its place.
    pub written: haversack_str,
}

/// The canonical form (RFC 8785) of one JSON text: no white space, keys by their UTF-16 code units, strings and numbers
/// as ECMAScript writes them. A number that no double is is written as the nearest double and reported. `limits` may be
/// NULL; of them `depth` counts. Time `n log n` at worst, memory linear.
///
/// On success `*out_canonical` is to be freed with `haversack_canonical_free`. Errors: `HAVERSACK_INVALID_JSON`,
/// `HAVERSACK_TOO_DEEP`, and `HAVERSACK_NOT_CANONICAL` for two equal keys in one object, half a surrogate pair, and a
/// number that is too large for a double; all with their offset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_canonical_json(
    text: haversack_str,
    limits: *const haversack_limits,
    out_canonical: *mut *mut haversack_canonical,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_canonical), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let form = canonical_json(text.text("text")?, limits_of(limits)?.depth)?;
            let (same, inexact) = (form.is_same(), form.inexact_numbers().to_vec());
            let text = form.into_text().into_owned();
            out_canonical.write(into_handle(haversack_canonical { text, same, inexact }));
        }
        Ok(())
    })
}

/// Frees a canonical text, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_canonical_free(canonical: *mut haversack_canonical) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(canonical) } });
}

/// The canonical form. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_canonical_text(canonical: *const haversack_canonical) -> haversack_str {
    boundary!(get canonical => haversack_str::of(&canonical.text), or haversack_str::NONE)
}

/// Whether the text that was read is its own canonical form, byte for byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_canonical_same(canonical: *const haversack_canonical) -> bool {
    boundary!(get canonical => canonical.same, or false)
}

/// How many numbers do not survive a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_canonical_inexact_count(canonical: *const haversack_canonical) -> usize {
    boundary!(get canonical => canonical.inexact.len(), or 0)
}

/// The inexact number of that number, from 0, in the order of the text that was read. False, and nothing written, past
/// the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_canonical_inexact(
    canonical: *const haversack_canonical,
    index: usize,
    out_number: *mut haversack_inexact_number,
) -> bool {
    boundary!(get canonical => write_part(canonical.inexact.get(index), out_number, |number| haversack_inexact_number {
        offset: number.offset,
        read: haversack_str::of(&number.read),
        written: haversack_str::of(&number.written),
    }), or false)
}
