//! `haversack_volatile`: values in early layers that change from call to call.

use haversack::prompt::{VolatileKind, VolatileValue, volatile};

use crate::boundary::{free_handle, into_handle, live};
use crate::choices::name_of;
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::prompt::haversack_prompt;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// What a volatile value is. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_volatile_kind {
    /// None, or one that this header does not know.
    HAVERSACK_VOLATILE_UNKNOWN = 0,
    /// A time of day, a date with one, seconds since 1970.
    HAVERSACK_VOLATILE_TIME = 1,
    /// A date.
    HAVERSACK_VOLATILE_DATE = 2,
    /// A UUID.
    HAVERSACK_VOLATILE_UUID = 3,
    /// An id of a request, a session, a call.
    HAVERSACK_VOLATILE_ID = 4,
    /// A path with a random part: a directory of this run.
    HAVERSACK_VOLATILE_PATH = 5,
    /// A number that counts turns, requests or the like.
    HAVERSACK_VOLATILE_COUNTER = 6,
    /// What is labelled as one: a nonce, a salt, a seed.
    HAVERSACK_VOLATILE_NONCE = 7,
}

/// A list of volatile values. It never changes, and needs the prompt no more.
#[derive(Debug)]
pub struct haversack_volatile_values(Vec<VolatileValue>);

/// A volatile value in an early layer, which breaks the cache for everything behind it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_volatile_value {
    /// The name of the piece. Lives as long as the list.
    pub piece: haversack_str,
    /// Its place in the prompt, from 0.
    pub index: usize,
    /// Where the value stands in the piece, in bytes.
    pub at_byte: usize,
    /// How long it is, in bytes.
    pub bytes: usize,
    /// A `haversack_layer`: static or rare.
    pub layer: u32,
    /// A `haversack_volatile_kind`.
    pub kind: u32,
}

/// The volatile values in the layers that should change rarely (static, rare), in the order of the prompt. Linear in
/// the text of these layers.
///
/// On success `*out_values` is to be freed with `haversack_volatile_values_free`; it may be empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_volatile(
    prompt: *const haversack_prompt,
    out_values: *mut *mut haversack_volatile_values,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_values), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_values.write(into_handle(haversack_volatile_values(volatile(&live(prompt, "prompt")?.0)))) };
        Ok(())
    })
}

/// Frees a list of volatile values, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_volatile_values_free(values: *mut haversack_volatile_values) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(values) } });
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_volatile_values_count(values: *const haversack_volatile_values) -> usize {
    boundary!(get values => values.0.len(), or 0)
}

/// The value of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_volatile_values_get(
    values: *const haversack_volatile_values,
    index: usize,
    out_value: *mut haversack_volatile_value,
) -> bool {
    boundary!(get values => write_part(values.0.get(index), out_value, |value| haversack_volatile_value {
        piece: haversack_str::of(&value.piece),
        index: value.index,
        at_byte: value.at_byte,
        bytes: value.bytes,
        layer: value.layer.code(),
        kind: value.kind.code(),
    }), or false)
}

/// The name of a `haversack_volatile_kind`, such as `uuid`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_volatile_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<VolatileKind>(kind) })
}
