//! Limits, as a struct of plain numbers.

use haversack::Limits;

use crate::boundary::Outcome;
use crate::sized;
use crate::status::haversack_status;

/// A limit that nothing exceeds. Written into the header by cbindgen.toml, since cbindgen knows no `SIZE_MAX`.
///
/// cbindgen:ignore
pub const HAVERSACK_LIMIT_NONE: usize = usize::MAX;
/// A limit of 0, since 0 is the default.
///
/// cbindgen:ignore
pub const HAVERSACK_LIMIT_ZERO: usize = usize::MAX - 1;

/// What an input or an option may be at most. `{0}` is the limits of the library: 0 is the default, which stands in
/// brackets, `HAVERSACK_LIMIT_NONE` no limit, and `HAVERSACK_LIMIT_ZERO` a limit of 0. A member that a call has no use
/// for changes nothing there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_limits {
    /// `sizeof(haversack_limits)`; 0 is read as that of the first version.
    pub size: usize,
    /// Levels of arrays and objects (512).
    pub depth: usize,
    /// Levels of JSON inside strings that are opened (3).
    pub nested_strings: usize,
    /// Characters of a pointer written into a notice (128).
    pub notice_pointer: usize,
    /// Entries of select, priority and prefer (256).
    pub entries: usize,
    /// Bytes of one such entry (1,024).
    pub entry_bytes: usize,
    /// Bytes of a needle of find (4,096).
    pub needle_bytes: usize,
}

/// Sets all limits to their defaults. `size` is `sizeof(haversack_limits)` of the caller.
/// `HAVERSACK_BAD_ARGUMENT` for NULL or a size that no version has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_limits_init(limits: *mut haversack_limits, size: usize) -> haversack_status {
    let no_details = std::ptr::null_mut();
    boundary!(call no_details, writes(limits), {
        // SAFETY: by contract.
        unsafe { sized::init(limits, size, "limits") }
    })
}

versioned!(haversack_limits {
    size, depth, nested_strings, notice_pointer, entries, entry_bytes, needle_bytes
} first: needle_bytes);

/// The limits for the core; null is the default.
///
/// # Safety
/// `given` is null or valid for the call.
pub(crate) unsafe fn limits_of(given: *const haversack_limits) -> Outcome<Limits> {
    let mut limits = Limits::DEFAULT;
    if given.is_null() {
        return Ok(limits);
    }
    // SAFETY: by contract.
    let given = unsafe { sized::read(given, "limits")? };
    limits.depth = chosen(given.depth, limits.depth);
    limits.nested_strings = chosen(given.nested_strings, limits.nested_strings);
    limits.notice_pointer = chosen(given.notice_pointer, limits.notice_pointer);
    limits.entries = chosen(given.entries, limits.entries);
    limits.entry_bytes = chosen(given.entry_bytes, limits.entry_bytes);
    limits.needle_bytes = chosen(given.needle_bytes, limits.needle_bytes);
    Ok(limits)
}

const fn chosen(given: usize, default: usize) -> usize {
    match given {
        0 => default,
        HAVERSACK_LIMIT_ZERO => 0,
        other => other,
    }
}
