//! Structs that may grow: the caller says how large the one it was compiled with is.

use std::mem::MaybeUninit;
use std::ptr;

use crate::boundary::Outcome;
use crate::error::haversack_error;

/// A struct of options that starts with its `size` and may get more members at its end.
///
/// # Safety
/// It is `repr(C)`, starts with a `usize`, and all zeroes is a value of it.
pub(crate) unsafe trait Versioned: Sized {
    /// How large the struct of the first released header was: what a size of 0 is read as.
    const FIRST_SIZE: usize;
}

/// Reads a struct of any version. Members it does not have are zero, which is their default; members that this
/// library does not know must be zero, so that no wish is passed over in silence. Null is all defaults.
///
/// # Safety
/// `given` is null or covers as many readable bytes as its first member says.
pub(crate) unsafe fn read<T: Versioned>(given: *const T, argument: &'static str) -> Outcome<T> {
    let mut value = MaybeUninit::<T>::zeroed();
    if !given.is_null() {
        if !given.is_aligned() {
            return Err(haversack_error::bad_argument(argument, "is not aligned"));
        }
        // SAFETY: aligned, and starts with its size, by the trait's contract.
        let size = match unsafe { given.cast::<usize>().read() } {
            0 => T::FIRST_SIZE,
            size => size,
        };
        if size < T::FIRST_SIZE || size > 4096 {
            return Err(haversack_error::bad_argument(argument, "has a size that no version has"));
        }
        let known = size.min(size_of::<T>());
        let bytes = given.cast::<u8>();
        // SAFETY: `size` bytes are readable by contract, and `known` fits into the value.
        unsafe { ptr::copy_nonoverlapping(bytes, value.as_mut_ptr().cast::<u8>(), known) };
        for place in known..size {
            // SAFETY: `size` bytes are readable by contract.
            if unsafe { bytes.add(place).read() } != 0 {
                return Err(haversack_error::bad_argument(argument, "has a member that this library does not know"));
            }
        }
    }
    // SAFETY: all zeroes is a value, and what was copied over it was one of the caller's.
    Ok(unsafe { value.assume_init() })
}

/// Sets all members to their defaults and `size` to the size the caller was compiled with.
///
/// # Safety
/// `options` covers `size` writable bytes.
pub(crate) unsafe fn init<T: Versioned>(options: *mut T, size: usize, argument: &'static str) -> Outcome<()> {
    if !(T::FIRST_SIZE..=4096).contains(&size) {
        return Err(haversack_error::bad_argument(argument, "has a size that no version has"));
    }
    if !options.is_aligned() {
        return Err(haversack_error::bad_argument(argument, "is not aligned"));
    }
    // SAFETY: by contract; the first member is the size.
    unsafe {
        ptr::write_bytes(options.cast::<u8>(), 0, size);
        options.cast::<usize>().write(size);
    }
    Ok(())
}
