//! Budgets, and counters that live on the other side of the boundary.

use std::ffi::c_void;

use haversack::{Budget, Error, ErrorKind, TokenCounter, Unit};

use crate::boundary::Outcome;
use crate::choices::{chosen, haversack_unit as U};
use crate::error::haversack_error;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// How tokens are counted: by a built-in `name` (`estimate`; `o200k_base` and `cl100k_base` where the library was
/// built with them), or by a function of yours. One of the two.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_counter {
    /// Handed to `count` unchanged.
    pub userdata: *mut c_void,
    /// Writes the number of tokens of `text`, counted on its own, to `out_count` and returns true; false fails the
    /// call with `HAVERSACK_COUNTER_FAILED`. Called on the calling thread, never after the call has returned. It must
    /// not unwind (throw, longjmp). It may call this library.
    pub count: Option<unsafe extern "C" fn(userdata: *mut c_void, text: haversack_str, out_count: *mut usize) -> bool>,
    /// A built-in counter; absent when `count` is given.
    pub name: haversack_str,
}

/// How much may be delivered. A text fits when its size is at most the limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_budget {
    /// The limit, in `unit`.
    pub limit: usize,
    /// A `haversack_unit`. There is no default: 0 is `HAVERSACK_INVALID_OPTION`.
    pub unit: u32,
    /// For `HAVERSACK_UNIT_TOKENS`, and for no other unit.
    pub counter: haversack_counter,
}

/// A budget of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_bytes(limit: usize) -> haversack_budget {
    haversack_budget { limit, unit: U::HAVERSACK_UNIT_BYTES as u32, counter: haversack_counter::NONE }
}

/// A budget of Unicode scalar values.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_chars(limit: usize) -> haversack_budget {
    haversack_budget { limit, unit: U::HAVERSACK_UNIT_CHARS as u32, counter: haversack_counter::NONE }
}

/// A budget of UTF-16 code units.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_utf16(limit: usize) -> haversack_budget {
    haversack_budget { limit, unit: U::HAVERSACK_UNIT_UTF16 as u32, counter: haversack_counter::NONE }
}

/// A budget of tokens as a function of yours counts them; see `haversack_counter`.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_tokens(
    limit: usize,
    count: Option<unsafe extern "C" fn(userdata: *mut c_void, text: haversack_str, out_count: *mut usize) -> bool>,
    userdata: *mut c_void,
) -> haversack_budget {
    let counter = haversack_counter { userdata, count, name: haversack_str::NONE };
    haversack_budget { limit, unit: U::HAVERSACK_UNIT_TOKENS as u32, counter }
}

/// A budget of tokens as a built-in counter counts them. `name` must live as long as the budget is used.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_tokens_named(limit: usize, name: haversack_str) -> haversack_budget {
    let counter = haversack_counter { name, ..haversack_counter::NONE };
    haversack_budget { limit, unit: U::HAVERSACK_UNIT_TOKENS as u32, counter }
}

/// The size of `text` in the unit of `budget`; its limit plays no part. Linear in the text; counts it once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_measure(
    text: haversack_str,
    budget: haversack_budget,
    out_size: *mut usize,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_size), {
        // SAFETY: by contract.
        let (text, meter) = unsafe { (text.text("text")?, Meter::of(&budget)?) };
        let size = meter.budget().size(text)?;
        // SAFETY: checked not to be null, so valid for one write by contract.
        unsafe { out_size.write(size) };
        Ok(())
    })
}

impl haversack_counter {
    pub(crate) const NONE: haversack_counter =
        haversack_counter { userdata: std::ptr::null_mut(), count: None, name: haversack_str::NONE };
}

/// A budget read from C, with the counter it needs.
pub(crate) struct Meter<'a> {
    limit: usize,
    scale: Scale<'a>,
}

enum Scale<'a> {
    Bytes,
    Chars,
    Utf16,
    Tokens(Box<dyn TokenCounter + 'a>),
}

/// Reads a counter alone.
///
/// # Safety
/// The counter's name and callback are valid for `'a`.
pub(crate) unsafe fn counter_of<'a>(counter: &'a haversack_counter) -> Outcome<Box<dyn TokenCounter + 'a>> {
    // SAFETY: by contract.
    let name = unsafe { counter.name.optional("counter")? };
    match (counter.count, name) {
        (Some(count), None) => Ok(Box::new(Callback { counter, count })),
        (None, Some(name)) => Ok(Box::new(named(name)?)),
        (Some(_), Some(_)) => Err(contradiction("a counter has a name or a function, not both")),
        (None, None) => Err(contradiction("tokens need a counter")),
    }
}

impl<'a> Meter<'a> {
    /// Reads a budget.
    ///
    /// # Safety
    /// The counter's name and callback are valid for `'a`.
    pub(crate) unsafe fn of(budget: &'a haversack_budget) -> Outcome<Self> {
        const UNITS: [Unit; 4] = [Unit::Bytes, Unit::Chars, Unit::Utf16, Unit::Tokens];
        let counter = &budget.counter;
        let unit = *chosen(budget.unit.wrapping_sub(1), "unit", &UNITS)?;
        let scale = match unit {
            // SAFETY: by contract.
            Unit::Tokens => Scale::Tokens(unsafe { counter_of(counter)? }),
            _ if counter.count.is_some() || !counter.name.ptr.is_null() => {
                return Err(contradiction("a counter is only for tokens"));
            }
            Unit::Bytes => Scale::Bytes,
            Unit::Chars => Scale::Chars,
            Unit::Utf16 => Scale::Utf16,
        };
        Ok(Meter { limit: budget.limit, scale })
    }

    /// The budget for the core.
    pub(crate) fn budget(&self) -> Budget<'_> {
        match &self.scale {
            Scale::Bytes => Budget::bytes(self.limit),
            Scale::Chars => Budget::chars(self.limit),
            Scale::Utf16 => Budget::utf16(self.limit),
            Scale::Tokens(counter) => Budget::tokens(self.limit, counter),
        }
    }
}

fn contradiction(message: &str) -> haversack_error {
    haversack_error::option("counter", message.to_owned())
}

fn named(name: &str) -> Outcome<&'static dyn TokenCounter> {
    Ok(haversack::measure::named(name)?)
}

type Count = unsafe extern "C" fn(userdata: *mut c_void, text: haversack_str, out_count: *mut usize) -> bool;

/// No text has more: a counter that says so is broken.
const MOST_TOKENS: u64 = 1 << 53;

/// A counter on the other side, for the length of one call.
struct Callback<'a> {
    counter: &'a haversack_counter,
    count: Count,
}

impl TokenCounter for Callback<'_> {
    fn count(&self, text: &str) -> Result<usize, Error> {
        let mut tokens = 0;
        // SAFETY: the caller gave this function for this call and says that it neither unwinds nor keeps the text.
        let counted = unsafe { (self.count)(self.counter.userdata, haversack_str::of(text), &raw mut tokens) };
        if !counted {
            return Err(Error::new(ErrorKind::CounterFailed, "the token counter failed"));
        }
        // Here and not only in the core, which may merely learn that the text does not fit.
        if tokens as u64 > MOST_TOKENS {
            return Err(Error::new(ErrorKind::CounterFailed, format!("token counter answered {tokens}")));
        }
        Ok(tokens)
    }
}
