//! Limits, as a struct of plain numbers.

use haversack::Limits;

use crate::boundary::Outcome;
use crate::sized::{self, Versioned};
use crate::status::haversack_status;

/// What an input or an option may be at most. A member that a call has no use for changes nothing there.
/// Here 0 is a limit like any other: start from `haversack_limits_init`, which writes the limits of the library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_limits {
    /// `sizeof(haversack_limits)`, as the init function wrote it.
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

/// Writes the limits of the library. `size` is `sizeof(haversack_limits)` of the caller.
/// `HAVERSACK_BAD_ARGUMENT` for NULL or a size that no version has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_limits_init(limits: *mut haversack_limits, size: usize) -> haversack_status {
    let no_details = std::ptr::null_mut();
    boundary!(call no_details, writes(limits), {
        let default = Limits::DEFAULT;
        // SAFETY: by contract `size` bytes are writable; the init refused a size below that of this struct.
        unsafe {
            sized::init(limits, size, "limits")?;
            limits.write(haversack_limits {
                size,
                depth: default.depth,
                nested_strings: default.nested_strings,
                notice_pointer: default.notice_pointer,
                entries: default.entries,
                entry_bytes: default.entry_bytes,
                needle_bytes: default.needle_bytes,
            });
        }
        Ok(())
    })
}

// SAFETY: repr(C), starts with a usize, and holds integers only.
unsafe impl Versioned for haversack_limits {
    const FIRST_SIZE: usize = size_of::<haversack_limits>();
}

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
    limits.depth = given.depth;
    limits.nested_strings = given.nested_strings;
    limits.notice_pointer = given.notice_pointer;
    limits.entries = given.entries;
    limits.entry_bytes = given.entry_bytes;
    limits.needle_bytes = given.needle_bytes;
    Ok(limits)
}
