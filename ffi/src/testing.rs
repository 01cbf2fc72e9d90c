//! What only the tests call; not in a released library and not in the header.

use crate::error::haversack_error;
use crate::status::haversack_status;

/// Panics on purpose.
///
/// # Panics
/// Always, inside the guard: that is what it is for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_testing_panic(out_error: *mut *mut haversack_error) -> haversack_status {
    boundary!(call out_error, writes(), {
        panic!("forced for the test");
    })
}
