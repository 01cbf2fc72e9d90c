//! Text that crosses the boundary: always pointer and length, never only a NUL at the end.

use std::ffi::c_char;
use std::ptr;

use crate::boundary::{Outcome, entries};
use crate::error::haversack_error;

/// Borrowed text: `len` bytes of UTF-8 at `ptr`, without a NUL at the end, and with any NUL inside it.
///
/// NULL with length 0 is "absent" where something may be absent, and else empty. NULL with another length, or a
/// length above `PTRDIFF_MAX`, is `HAVERSACK_BAD_ARGUMENT`. What you pass is read during the call only. What you are
/// given lives as long as the handle it came from, or for ever where the function says static.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_str {
    /// The first byte.
    pub ptr: *const c_char,
    /// How many bytes there are.
    pub len: usize,
}

/// A borrowed list of texts. NULL with length 0 is the empty list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_strs {
    /// The first text.
    pub ptr: *const haversack_str,
    /// How many texts there are.
    pub len: usize,
}

/// Text that you own: free it with `haversack_string_free`, and with nothing else.
#[repr(C)]
#[derive(Debug)]
pub struct haversack_string {
    /// The first byte.
    pub ptr: *mut c_char,
    /// How many bytes there are.
    pub len: usize,
}

/// Frees a text that this library gave as `haversack_string`, on any thread. NULL in `ptr` does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_string_free(string: haversack_string) {
    boundary!(plain(), {
        if !string.ptr.is_null() && string.len > 0 {
            let bytes = ptr::slice_from_raw_parts_mut(string.ptr.cast::<u8>(), string.len);
            // SAFETY: pointer and length are those of a boxed slice of `haversack_string::owning`, freed once.
            drop(unsafe { Box::from_raw(bytes) });
        }
    });
}

/// What an empty text points to: Rust gives it an address without memory, at which the runtime of Go ends the program.
static NOTHING: u8 = 0;

/// Never inlined: the optimiser would look at the length of an absent text, which nobody wrote, before it knows that
/// the text is absent; harmless, and reported by valgrind all the same.
#[inline(never)]
const fn address(bytes: &[u8]) -> *const u8 {
    if bytes.is_empty() { &raw const NOTHING } else { bytes.as_ptr() }
}

impl haversack_str {
    /// Absent.
    pub const NONE: haversack_str = haversack_str { ptr: ptr::null(), len: 0 };

    /// A view of `text`, which must outlive every use of it.
    pub const fn of(text: &str) -> Self {
        haversack_str { ptr: address(text.as_bytes()).cast(), len: text.len() }
    }

    pub(crate) fn of_option(text: Option<&str>) -> Self {
        text.map_or(haversack_str::NONE, haversack_str::of)
    }

    /// The bytes; NULL with length 0 is empty.
    ///
    /// # Safety
    /// `ptr` is null or covers `len` readable bytes for `'a`.
    pub(crate) unsafe fn bytes<'a>(self, argument: &'static str) -> Outcome<&'a [u8]> {
        // SAFETY: by contract.
        unsafe { entries(self.ptr.cast::<u8>(), self.len, argument) }
    }

    /// The text; NULL with length 0 is empty.
    ///
    /// # Safety
    /// As [`bytes`](Self::bytes).
    pub(crate) unsafe fn text<'a>(self, argument: &'static str) -> Outcome<&'a str> {
        // SAFETY: by contract.
        let bytes = unsafe { self.bytes(argument)? };
        std::str::from_utf8(bytes).map_err(|e| haversack_error::invalid_utf8(argument, e.valid_up_to()))
    }

    /// The bytes, or `None` when they are absent.
    ///
    /// # Safety
    /// As [`bytes`](Self::bytes).
    pub(crate) unsafe fn optional_bytes<'a>(self, argument: &'static str) -> Outcome<Option<&'a [u8]>> {
        if self.ptr.is_null() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: by contract.
        unsafe { self.bytes(argument) }.map(Some)
    }

    /// The text, or `None` when it is absent.
    ///
    /// # Safety
    /// As [`bytes`](Self::bytes).
    pub(crate) unsafe fn optional<'a>(self, argument: &'static str) -> Outcome<Option<&'a str>> {
        if self.ptr.is_null() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: by contract.
        unsafe { self.text(argument) }.map(Some)
    }
}

impl haversack_strs {
    /// The texts.
    ///
    /// # Safety
    /// `ptr` is null or covers `len` readable entries for `'a`, each of them as [`haversack_str::bytes`] asks.
    pub(crate) unsafe fn list<'a>(self, argument: &'static str) -> Outcome<Vec<&'a str>> {
        // SAFETY: by contract.
        let texts = unsafe { entries(self.ptr, self.len, argument)? };
        texts
            .iter()
            .enumerate()
            // SAFETY: by contract.
            .map(|(index, entry)| unsafe { entry.text(argument) }.map_err(|e| e.numbered(index)))
            .collect()
    }
}

impl haversack_string {
    /// Hands `text` to the caller.
    pub(crate) fn owning(text: String) -> Self {
        let len = text.len();
        if len == 0 {
            return haversack_string { ptr: (&raw const NOTHING).cast_mut().cast(), len };
        }
        haversack_string { ptr: Box::into_raw(text.into_bytes().into_boxed_slice()).cast(), len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_has_a_real_address() {
        let empty = String::new();
        let (view, owned) = (haversack_str::of(&empty), haversack_string::owning(empty.clone()));
        assert_eq!((view.len, owned.len), (0, 0));
        // SAFETY: that is what is asserted; freed once.
        unsafe {
            assert_eq!((view.ptr.read(), owned.ptr.read()), (0, 0));
            haversack_string_free(owned);
        }
        assert!(haversack_str::NONE.ptr.is_null());
    }
}
