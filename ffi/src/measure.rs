//! Budgets, and counters that live on the other side of the boundary.

use std::ffi::c_void;

use haversack::{Budget, Error, ErrorKind, TokenCounter, Unit};

use crate::boundary::Outcome;
use crate::choices::{chosen, haversack_unit as U};
use crate::error::haversack_error;
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// How tokens are counted: by a built-in `name` (`estimate`; `o200k_base` and `cl100k_base` where the library was
/// built with them), or by functions of yours. One of the two.
///
/// Functions are called on the calling thread, never after the call has returned. They must not unwind (throw,
/// longjmp). They may call this library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_counter {
    /// `sizeof(haversack_counter)`; 0 is read as that of the first version.
    pub size: usize,
    /// Handed to the functions unchanged.
    pub userdata: *mut c_void,
    /// Writes the number of tokens of `text`, counted on its own, to `out_count` and returns true; false fails the
    /// call with `HAVERSACK_COUNTER_FAILED`.
    pub count: Option<unsafe extern "C" fn(userdata: *mut c_void, text: haversack_str, out_count: *mut usize) -> bool>,
    /// As `count`, and may stop early: it writes the number of tokens of `text` where that is at most `limit`, else any
    /// number above `limit`. Only beside `count`. Default: NULL, `count` is called.
    pub count_up_to: Option<
        unsafe extern "C" fn(userdata: *mut c_void, text: haversack_str, limit: usize, out_count: *mut usize) -> bool,
    >,
    /// A built-in counter; absent when `count` is given.
    pub name: haversack_str,
}

versioned!(haversack_counter { size, userdata, count, count_up_to, name } first: name);

/// How much may be delivered. A text fits when its size is at most the limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_budget {
    /// The limit, in `unit`.
    pub limit: usize,
    /// A `haversack_unit`. There is no default: 0 is `HAVERSACK_INVALID_OPTION`.
    pub unit: u32,
    /// Reserved: 0.
    pub reserved: u32,
    /// For `HAVERSACK_UNIT_TOKENS`, and NULL for every other unit. It must live as long as the budget is used.
    pub counter: *const haversack_counter,
}

/// A budget of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_bytes(limit: usize) -> haversack_budget {
    budget(limit, U::HAVERSACK_UNIT_BYTES, std::ptr::null())
}

/// A budget of Unicode scalar values.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_chars(limit: usize) -> haversack_budget {
    budget(limit, U::HAVERSACK_UNIT_CHARS, std::ptr::null())
}

/// A budget of UTF-16 code units.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_utf16(limit: usize) -> haversack_budget {
    budget(limit, U::HAVERSACK_UNIT_UTF16, std::ptr::null())
}

/// A budget of tokens as `counter` counts them; it must live as long as the budget is used.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_budget_tokens(limit: usize, counter: *const haversack_counter) -> haversack_budget {
    budget(limit, U::HAVERSACK_UNIT_TOKENS, counter)
}

const fn budget(limit: usize, unit: U, counter: *const haversack_counter) -> haversack_budget {
    haversack_budget { limit, unit: unit as u32, reserved: 0, counter }
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

/// Reads a counter alone; null is none.
///
/// # Safety
/// It is null, or valid for `'a` with its name and functions.
pub(crate) unsafe fn counter_of<'a>(given: *const haversack_counter) -> Outcome<Option<Box<dyn TokenCounter + 'a>>> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: by contract.
    let counter = unsafe { sized::read(given, "counter")? };
    // SAFETY: by contract.
    let name = unsafe { counter.name.optional("counter")? };
    match (counter.count, name) {
        (Some(count), None) => {
            Ok(Some(Box::new(Callback { userdata: counter.userdata, count, count_up_to: counter.count_up_to })))
        }
        (None, Some(name)) if counter.count_up_to.is_none() => Ok(Some(Box::new(named(name)?))),
        (_, Some(_)) => Err(contradiction("a counter has a name or functions, not both")),
        (None, None) if counter.count_up_to.is_some() => Err(contradiction("count_up_to needs count beside it")),
        (None, None) => Err(no_counter()),
    }
}

/// As [`counter_of`], where there has to be one.
///
/// # Safety
/// As [`counter_of`].
pub(crate) unsafe fn needed_counter_of<'a>(given: *const haversack_counter) -> Outcome<Box<dyn TokenCounter + 'a>> {
    // SAFETY: by contract.
    unsafe { counter_of(given)? }.ok_or_else(no_counter)
}

impl Meter<'_> {
    /// Reads a budget.
    ///
    /// # Safety
    /// The counter is null, or valid with its name and functions for as long as the meter is used.
    pub(crate) unsafe fn of(budget: &haversack_budget) -> Outcome<Self> {
        let unit = chosen(budget.unit, "unit")?;
        if budget.reserved != 0 {
            return Err(haversack_error::bad_argument("budget", "has a reserved member that is not 0"));
        }
        let scale = match unit {
            // SAFETY: by contract.
            Unit::Tokens => Scale::Tokens(unsafe { needed_counter_of(budget.counter)? }),
            _ if !budget.counter.is_null() => return Err(contradiction("a counter is only for tokens")),
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

fn no_counter() -> haversack_error {
    contradiction("tokens need a counter")
}

fn named(name: &str) -> Outcome<&'static dyn TokenCounter> {
    Ok(haversack::measure::named(name)?)
}

/// No text has more: a counter that says so is broken.
const MOST_TOKENS: u64 = 1 << 53;

/// A counter on the other side, for the length of one call.
struct Callback {
    userdata: *mut c_void,
    count: unsafe extern "C" fn(*mut c_void, haversack_str, *mut usize) -> bool,
    count_up_to: Option<unsafe extern "C" fn(*mut c_void, haversack_str, usize, *mut usize) -> bool>,
}

impl TokenCounter for Callback {
    fn count(&self, text: &str) -> Result<usize, Error> {
        let mut tokens = 0;
        // SAFETY: the caller gave this function for this call and says that it neither unwinds nor keeps the text.
        let counted = unsafe { (self.count)(self.userdata, haversack_str::of(text), &raw mut tokens) };
        sane(counted, tokens)
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        let Some(count_up_to) = self.count_up_to else {
            let tokens = self.count(text)?;
            return Ok((tokens <= limit).then_some(tokens));
        };
        let mut tokens = 0;
        // SAFETY: as above.
        let counted = unsafe { count_up_to(self.userdata, haversack_str::of(text), limit, &raw mut tokens) };
        if counted && tokens > limit { Ok(None) } else { sane(counted, tokens).map(Some) }
    }
}

/// What a function answered. Here and not only in the core, which may merely learn that the text does not fit.
fn sane(counted: bool, tokens: usize) -> Result<usize, Error> {
    if !counted {
        return Err(Error::new(ErrorKind::CounterFailed, "the token counter failed"));
    }
    if tokens as u64 > MOST_TOKENS {
        return Err(Error::new(ErrorKind::CounterFailed, format!("token counter answered {tokens}")));
    }
    Ok(tokens)
}
