//! Which library this is.

use crate::text::haversack_str;

/// First number of the version of this header.
pub const HAVERSACK_VERSION_MAJOR: u32 = 0;
/// Second number of the version of this header.
pub const HAVERSACK_VERSION_MINOR: u32 = 1;
/// Third number of the version of this header.
pub const HAVERSACK_VERSION_PATCH: u32 = 0;
/// The three numbers in one, to compare with `<`.
pub const HAVERSACK_VERSION_NUMBER: u32 =
    HAVERSACK_VERSION_MAJOR * 1_000_000 + HAVERSACK_VERSION_MINOR * 1_000 + HAVERSACK_VERSION_PATCH;
/// The binary interface that this header describes; compare it with `haversack_abi_version()` at run time.
/// It grows by one with every incompatible change.
pub const HAVERSACK_ABI_VERSION: u32 = 1;

/// The binary interface of the library that was loaded. Not `HAVERSACK_ABI_VERSION`: do not call anything else.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_abi_version() -> u32 {
    boundary!(plain 0, { HAVERSACK_ABI_VERSION })
}

/// The version of the library that was loaded, such as `0.1.0`. Static: never freed.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_version() -> haversack_str {
    boundary!(plain haversack_str::NONE, { haversack_str::of(env!("CARGO_PKG_VERSION")) })
}
