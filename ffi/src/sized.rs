//! Structs that may grow: the caller says how large the one it was compiled with is.

use std::mem::MaybeUninit;
use std::ptr;

use crate::boundary::Outcome;
use crate::error::haversack_error;

/// A struct of options that starts with its `size` and may get more members at its end. `versioned!` implements it.
///
/// # Safety
/// It is `repr(C)`, starts with a `usize`, and all zeroes is a value of it.
pub(crate) unsafe trait Versioned: Sized {
    /// How large the struct of the first released header was: what a size of 0 is read as.
    const FIRST_SIZE: usize;
    /// Where its members end, in their order: a version of it ends at one of them.
    const ENDS: &'static [usize];
    /// Whether a reserved member is not 0.
    fn uses_reserved(&self) -> bool;
}

/// Declares a struct that may grow: all its members, the last one that the first released header had, and those that
/// are there to leave no padding. A new member is written at the end, or takes a reserved one's place under a name of
/// its own; what follows `first` then never changes but for that name.
///
/// Padding is refused where pointers have eight bytes: what lies in it is the caller's rubbish, and a later member
/// there would read it.
macro_rules! versioned {
    ($name:ident { $($member:ident),+ } first: $last:ident $(, reserved: $($reserved:ident),+)?) => {
        // SAFETY: asserted below to start with its size; such structs are repr(C), of integers and nullable pointers
        // only.
        unsafe impl $crate::sized::Versioned for $name {
            const FIRST_SIZE: usize =
                std::mem::offset_of!($name, $last) + $crate::sized::size_of_member(|value: &$name| &value.$last);
            const ENDS: &'static [usize] = &[
                $(std::mem::offset_of!($name, $member) + $crate::sized::size_of_member(|value: &$name| &value.$member)),+
            ];
            fn uses_reserved(&self) -> bool {
                false $($(|| self.$reserved != 0)+)?
            }
        }
        const _: () = {
            assert!(std::mem::offset_of!($name, size) == 0, "the size stands first");
            let members = 0 $(+ $crate::sized::size_of_member(|value: &$name| &value.$member))+;
            assert!(members == size_of::<$name>() || size_of::<usize>() != 8, "padding, or a member that is not listed");
        };
    };
}

/// For `versioned!`.
pub(crate) const fn size_of_member<T, M>(_: fn(&T) -> &M) -> usize {
    size_of::<M>()
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
        if size < T::FIRST_SIZE || size > 4096 || (size < size_of::<T>() && !T::ENDS.contains(&size)) {
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
    let value = unsafe { value.assume_init() };
    if value.uses_reserved() {
        return Err(haversack_error::bad_argument(argument, "has a reserved member that is not 0"));
    }
    Ok(value)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;

    /// A struct of this library's first header.
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct First {
        size: usize,
        depth: usize,
        flag: u32,
        reserved: u32,
    }
    versioned!(First { size, depth, flag, reserved } first: reserved, reserved: reserved);

    /// The same struct in a later library: the reserved member has become an option, and two were added.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Later {
        size: usize,
        depth: usize,
        flag: u32,
        other: u32,
        width: usize,
        name: *const u8,
    }
    versioned!(Later { size, depth, flag, other, width, name } first: other);

    fn read_as<T: Versioned, G>(given: &G) -> Result<T, String> {
        // SAFETY: the tests hand over structs that cover what their size says, or sizes to be refused.
        unsafe { read(ptr::from_ref(given).cast::<T>(), "options") }.map_err(|e| e.for_the_core().to_string())
    }

    #[test]
    fn an_older_caller_is_read_without_the_members_it_does_not_have() {
        for size in [0, size_of::<First>()] {
            // On the heap and alone, so that a byte read too many is seen by Miri and valgrind.
            let old = Box::new(First { size, depth: 7, flag: 1, reserved: 0 });
            let wanted = Later { size, depth: 7, flag: 1, other: 0, width: 0, name: ptr::null() };
            assert_eq!(read_as::<Later, _>(&*old), Ok(wanted));
        }
        assert_eq!((First::FIRST_SIZE, Later::FIRST_SIZE), (size_of::<First>(), size_of::<First>()));
    }

    #[test]
    fn a_version_between_the_first_and_this_one_ends_with_a_member() {
        let given = Later { size: 0, depth: 7, flag: 1, other: 2, width: 3, name: ptr::null() };
        let width = Later { size: std::mem::offset_of!(Later, name), ..given };
        assert_eq!(read_as::<Later, _>(&width), Ok(width));
        for size in [1, size_of::<First>() - 4, size_of::<First>() + 1, size_of::<Later>() - 1, 4097] {
            assert!(read_as::<Later, _>(&Later { size, ..given }).is_err(), "{size}");
        }
    }

    #[test]
    fn a_newer_caller_may_not_use_what_this_library_does_not_know() {
        let new = Later { size: size_of::<Later>(), depth: 7, flag: 1, other: 0, width: 0, name: ptr::null() };
        assert!(read_as::<First, _>(&new).is_ok_and(|old| (old.depth, old.flag) == (7, 1)));
        for new in [Later { other: 1, ..new }, Later { width: 1, ..new }] {
            assert!(read_as::<First, _>(&new).is_err());
        }
    }

    #[test]
    fn init_writes_what_the_caller_has_room_for_and_no_more() {
        let mut room = [Later { size: 1, depth: 1, flag: 1, other: 1, width: 1, name: ptr::null() }; 2];
        // SAFETY: as much as is written.
        let written = unsafe { init(room.as_mut_ptr(), size_of::<First>(), "options") };
        assert!(written.is_ok());
        let wanted = Later { size: size_of::<First>(), depth: 0, flag: 0, other: 0, width: 1, name: ptr::null() };
        assert_eq!(room, [wanted, Later { size: 1, depth: 1, flag: 1, other: 1, width: 1, name: ptr::null() }]);
    }

    /// These numbers are of headers that were released: no struct grows below them, and none of them changes.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn first_sizes_never_change() {
        let sizes = [
            haversack_deliver_options::FIRST_SIZE,
            haversack_find_options::FIRST_SIZE,
            haversack_page_options::FIRST_SIZE,
            haversack_limits::FIRST_SIZE,
            haversack_offload_options::FIRST_SIZE,
            haversack_history_options::FIRST_SIZE,
            haversack_cut_options::FIRST_SIZE,
            haversack_repair_options::FIRST_SIZE,
            haversack_piece_options::FIRST_SIZE,
            haversack_snapshot_options::FIRST_SIZE,
            haversack_predict_options::FIRST_SIZE,
            haversack_mark_options::FIRST_SIZE,
            haversack_session_options::FIRST_SIZE,
            haversack_tier_options::FIRST_SIZE,
            haversack_fact_options::FIRST_SIZE,
            haversack_remember_options::FIRST_SIZE,
        ];
        assert_eq!(sizes, [184, 96, 96, 56, 64, 56, 32, 24, 40, 32, 64, 88, 56, 40, 40, 48]);
    }
}
