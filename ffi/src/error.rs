//! What went wrong, in an object that the caller owns.

use haversack::{Error, ErrorKind, Unit};

use crate::boundary::free_handle;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// What went wrong, where, and by how much. Given through `out_error` when a call fails; free it with
/// `haversack_error_free`. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_error {
    status: haversack_status,
    kind: ErrorKind,
    name: &'static str,
    message: String,
    offset: Option<usize>,
    expected: Option<&'static str>,
    needed: Option<usize>,
    size: Option<usize>,
    available: Option<usize>,
    unit: u32,
    argument: Option<&'static str>,
    pointer: Option<String>,
    index: Option<usize>,
    piece: Option<String>,
}

/// Frees an error, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_free(error: *mut haversack_error) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(error) } });
}

/// The status that the failed call returned. NULL: `HAVERSACK_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_status(error: *const haversack_error) -> haversack_status {
    boundary!(get error => error.status, or haversack_status::HAVERSACK_OK)
}

/// The name of the kind of error, such as `budget_too_small`; the same in every language. Static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_name(error: *const haversack_error) -> haversack_str {
    boundary!(get error => haversack_str::of(error.name), or haversack_str::NONE)
}

/// A sentence for a person, numbers included. Lives as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_message(error: *const haversack_error) -> haversack_str {
    boundary!(get error => haversack_str::of(&error.message), or haversack_str::NONE)
}

/// The byte of the input (or of the argument that `haversack_error_argument` names) where it went wrong. False, and
/// nothing written, when this error has no such number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_offset(error: *const haversack_error, out_offset: *mut usize) -> bool {
    boundary!(get error => write_number(error.offset, out_offset), or false)
}

/// What should have stood there; absent when this error does not say. Static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_expected(error: *const haversack_error) -> haversack_str {
    boundary!(get error => haversack_str::of_option(error.expected), or haversack_str::NONE)
}

/// How much is needed, in `haversack_error_unit`: as a budget, or as a limit, this much would do. False, and nothing
/// written, when this error has no such number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_needed(error: *const haversack_error, out_needed: *mut usize) -> bool {
    boundary!(get error => write_number(error.needed, out_needed), or false)
}

/// How large the record is that is too large, in `haversack_error_unit`. False, and nothing written, when this error
/// has no such number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_size(error: *const haversack_error, out_size: *mut usize) -> bool {
    boundary!(get error => write_number(error.size, out_size), or false)
}

/// How much there was, in `haversack_error_unit`. False, and nothing written, when this error has no such number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_available(error: *const haversack_error, out_available: *mut usize) -> bool {
    boundary!(get error => write_number(error.available, out_available), or false)
}

/// The unit of needed, size and available: a `haversack_unit`, or 0 when they are no sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_unit(error: *const haversack_error) -> u32 {
    boundary!(get error => error.unit, or 0)
}

/// The argument or option that is wrong; absent when this error does not say. Static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_argument(error: *const haversack_error) -> haversack_str {
    boundary!(get error => haversack_str::of_option(error.argument), or haversack_str::NONE)
}

/// The list concerned, as a pointer into the input; absent when this error does not say. Lives as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_pointer(error: *const haversack_error) -> haversack_str {
    boundary!(get error => haversack_str::of_option(error.pointer.as_deref()), or haversack_str::NONE)
}

/// The record, row, line or list entry concerned, from 0. False, and nothing written, when this error has no such
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_index(error: *const haversack_error, out_index: *mut usize) -> bool {
    boundary!(get error => write_number(error.index, out_index), or false)
}

/// The name of the piece of a prompt concerned; absent when this error has none. Lives as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_error_piece(error: *const haversack_error) -> haversack_str {
    boundary!(get error => haversack_str::of_option(error.piece.as_deref()), or haversack_str::NONE)
}

/// Writes a number where there is one.
pub(crate) fn write_number(value: Option<usize>, out: *mut usize) -> bool {
    let Some(value) = value else { return false };
    if !out.is_null() {
        // SAFETY: not null, so valid for one write by contract.
        unsafe { out.write(value) };
    }
    true
}

impl haversack_error {
    fn new(status: haversack_status, kind: ErrorKind, name: &'static str, message: String) -> Self {
        haversack_error {
            status,
            kind,
            name,
            message,
            offset: None,
            expected: None,
            needed: None,
            size: None,
            available: None,
            unit: 0,
            argument: None,
            pointer: None,
            index: None,
            piece: None,
        }
    }

    fn of_kind(kind: ErrorKind, message: String) -> Self {
        haversack_error::new(haversack_status::of(kind), kind, kind.name(), message)
    }

    pub(crate) fn panicked(message: &str) -> Self {
        let message = format!("internal error: {message}");
        haversack_error::new(haversack_status::HAVERSACK_PANIC, ErrorKind::InvalidState, "panic", message)
    }

    pub(crate) fn bad_argument(argument: &'static str, what: &str) -> Self {
        haversack_error::of_kind(ErrorKind::BadArgument, format!("{argument} {what}")).about(argument)
    }

    pub(crate) fn invalid_utf8(argument: &'static str, offset: usize) -> Self {
        let mut error =
            haversack_error::of_kind(ErrorKind::InvalidUtf8, format!("invalid UTF-8 in {argument} at byte {offset}"));
        error.offset = Some(offset);
        error.about(argument)
    }

    pub(crate) fn option(argument: &'static str, message: String) -> Self {
        haversack_error::of_kind(ErrorKind::InvalidOption, message).about(argument)
    }

    pub(crate) fn about(mut self, argument: &'static str) -> Self {
        self.argument = Some(argument);
        self
    }

    pub(crate) fn numbered(mut self, index: usize) -> Self {
        self.index = Some(index);
        self
    }

    /// Kind and message, for functions of the core that word an error for a model.
    pub(crate) fn for_the_core(&self) -> Error {
        Error::new(self.kind, self.message.as_str())
    }

    pub(crate) const fn status(&self) -> haversack_status {
        self.status
    }
}

impl From<Error> for haversack_error {
    fn from(error: Error) -> Self {
        haversack_error {
            offset: error.offset(),
            expected: error.expected(),
            needed: error.needed(),
            size: error.size(),
            available: error.available(),
            unit: error.unit().map_or(0, Unit::code),
            argument: error.argument(),
            pointer: error.pointer().map(str::to_owned),
            index: error.index(),
            piece: error.piece().map(str::to_owned),
            ..haversack_error::of_kind(error.kind(), error.to_string())
        }
    }
}
