//! The one way in and out: null checks, unwind guard, status mapping.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::error::haversack_error;
use crate::status::haversack_status;

/// Wraps the body of every exported function.
///
/// - `boundary!(call out_error, writes(out_a), { … Ok(()) })`: a call that can fail. Null outputs are refused before
///   the body runs, a panic becomes `HAVERSACK_PANIC` with its message, details go to `out_error` where it is given.
/// - `boundary!(get handle => expression, or default)`: a getter. A null handle, or a panic, gives the default.
/// - `boundary!(plain default, { … })`: a function of values only. A panic gives the default.
macro_rules! boundary {
    (call $out_error:ident, writes($($out:ident),*), $body:block) => {
        $crate::boundary::call($out_error, || {
            $($crate::boundary::given($out, stringify!($out))?;)*
            $body
        })
    };
    (get $handle:ident => $value:expr, or $default:expr) => {
        $crate::boundary::guarded(|| {
            // SAFETY: a handle is null, or was given by this library and not freed yet.
            match unsafe { $handle.as_ref() } {
                Some($handle) => $value,
                None => $default,
            }
        }, || $default)
    };
    (plain $default:expr, $body:block) => {
        $crate::boundary::guarded(|| $body, || $default)
    };
}

/// What the body of a call answers.
pub(crate) type Outcome<T> = Result<T, haversack_error>;

/// Runs a body that can fail and turns what comes of it into a status.
pub(crate) fn call(out_error: *mut *mut haversack_error, body: impl FnOnce() -> Outcome<()>) -> haversack_status {
    // Unwind safety: the body owns or borrows for reading all it sees, and outputs are written last.
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return haversack_status::HAVERSACK_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => haversack_error::panicked(&panic_message(panic.as_ref())),
    };
    let status = failure.status();
    if !out_error.is_null() {
        // SAFETY: not null, so valid for one write by contract.
        unsafe { out_error.write(into_handle(failure)) };
    }
    status
}

/// Runs a body that cannot fail; should it panic all the same, answers the default.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T, default: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| default())
}

/// Refuses a null output.
pub(crate) fn given<T>(output: *mut T, name: &'static str) -> Outcome<()> {
    if output.is_null() { Err(haversack_error::bad_argument(name, "is NULL")) } else { Ok(()) }
}

/// The value behind a handle that must be there.
///
/// # Safety
/// `handle` is null, or was given by this library and not freed yet.
pub(crate) unsafe fn live<'a, T>(handle: *const T, name: &'static str) -> Outcome<&'a T> {
    // SAFETY: by contract.
    unsafe { handle.as_ref() }.ok_or_else(|| haversack_error::bad_argument(name, "is NULL"))
}

/// The value behind a handle that must be there, to be changed.
///
/// # Safety
/// As [`live`], and nothing else uses it now.
pub(crate) unsafe fn live_mut<'a, T>(handle: *mut T, name: &'static str) -> Outcome<&'a mut T> {
    // SAFETY: by contract.
    unsafe { handle.as_mut() }.ok_or_else(|| haversack_error::bad_argument(name, "is NULL"))
}

/// The entries of a list from outside; null with a count of 0 is the empty list.
///
/// # Safety
/// `first` is null or covers `count` readable entries for `'a`.
pub(crate) unsafe fn entries<'a, T>(first: *const T, count: usize, argument: &'static str) -> Outcome<&'a [T]> {
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(haversack_error::bad_argument(argument, "is longer than the address space"));
    }
    if first.is_null() {
        return if count == 0 {
            Ok(&[])
        } else {
            Err(haversack_error::bad_argument(argument, "is NULL with a length"))
        };
    }
    // SAFETY: by contract.
    Ok(unsafe { slice::from_raw_parts(first, count) })
}

/// Hands a value to the caller, who frees it through its `_free` function.
pub(crate) fn into_handle<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Frees what [`into_handle`] gave; null does nothing.
///
/// # Safety
/// `handle` is null or came from [`into_handle`] and was not freed yet.
pub(crate) unsafe fn free_handle<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: by contract the box of `into_handle`, freed once.
        drop(unsafe { Box::from_raw(handle) });
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "unknown panic".to_owned()
    }
}
