//! Budgets, units and counters: how large a text is, and whether it fits.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::cell::Cell;
use core::fmt;

use crate::error::{Error, ErrorKind};

mod conformance;
mod estimate;
#[cfg(feature = "tokens")]
mod exact;
mod named;
mod seams;
mod settle;

pub use conformance::check_counter;
pub use estimate::{BANDS, Band, Estimate};
#[cfg(feature = "tokens")]
pub use exact::Encoding;
pub use named::named;
pub(crate) use seams::Piece;
pub(crate) use settle::settle;

kinds! {
    /// What a size counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Unit;

    /// Bytes of UTF-8.
    Bytes = 1, "bytes";
    /// Unicode scalar values.
    Chars = 2, "chars";
    /// UTF-16 code units: what JavaScript, Java and C# call length.
    Utf16 = 3, "utf16";
    /// Tokens of the counter that was given.
    Tokens = 4, "tokens";
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Counts tokens. Small and fallible, because counters come from other languages.
///
/// Counts need not be additive or monotonic (those of byte-pair encodings are neither): haversack re-counts every
/// final text, and its promise is about that count.
pub trait TokenCounter {
    /// Tokens in `text`, counted on its own.
    ///
    /// # Errors
    /// Whatever the counter reports; haversack passes it on unchanged.
    fn count(&self, text: &str) -> Result<usize, Error>;

    /// `Some(n)` when `text` has `n ≤ limit` tokens, else `None`. Override it to stop early.
    ///
    /// # Errors
    /// As [`count`](TokenCounter::count).
    fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        let n = self.count(text)?;
        Ok((n <= limit).then_some(n))
    }

    /// The built-in estimate, when it is that: its counts add up, so that lists are counted piece by piece.
    #[doc(hidden)]
    fn as_estimate(&self) -> Option<Estimate> {
        None
    }
}

macro_rules! through_pointer {
    ($($pointer:ty),*) => {$(
        impl<T: TokenCounter + ?Sized> TokenCounter for $pointer {
            fn count(&self, text: &str) -> Result<usize, Error> {
                (**self).count(text)
            }
            fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
                (**self).count_up_to(text, limit)
            }
            fn as_estimate(&self) -> Option<Estimate> {
                (**self).as_estimate()
            }
        }
    )*};
}
through_pointer!(&T, Box<T>, Rc<T>, Arc<T>);

/// How much may be delivered, in a named unit. A text fits when its size is at most the limit.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    limit: usize,
    unit: Unit,
    counter: Option<&'a dyn TokenCounter>,
}

impl<'a> Budget<'a> {
    /// At most `limit` bytes of UTF-8.
    pub const fn bytes(limit: usize) -> Self {
        Budget { limit, unit: Unit::Bytes, counter: None }
    }

    /// At most `limit` Unicode scalar values.
    pub const fn chars(limit: usize) -> Self {
        Budget { limit, unit: Unit::Chars, counter: None }
    }

    /// At most `limit` UTF-16 code units.
    pub const fn utf16(limit: usize) -> Self {
        Budget { limit, unit: Unit::Utf16, counter: None }
    }

    /// At most `limit` tokens as `counter` counts them.
    pub const fn tokens(limit: usize, counter: &'a dyn TokenCounter) -> Self {
        Budget { limit, unit: Unit::Tokens, counter: Some(counter) }
    }

    /// The limit.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// The unit of the limit.
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// True when a counter measures (tokens), false when sizes are additive.
    pub(crate) const fn is_counted(&self) -> bool {
        self.counter.is_some()
    }

    /// The built-in estimate, when that measures.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        self.counter.and_then(TokenCounter::as_estimate)
    }

    pub(crate) const fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The size of `text` in this budget's unit.
    ///
    /// # Errors
    /// [`ErrorKind::CounterFailed`] when the counter fails or answers more than 2^53.
    pub fn size(&self, text: &str) -> Result<usize, Error> {
        match self.unit {
            Unit::Bytes => Ok(text.len()),
            Unit::Chars => Ok(text.chars().count()),
            Unit::Utf16 => Ok(utf16_len(text)),
            Unit::Tokens => {
                let Some(counter) = self.counter else { return Ok(text.len()) };
                count(text, counter)
            }
        }
    }

    /// The size of `text` when it fits, else `None`. For tokens it stops early where the counter can, and never
    /// counts more than about 32 bytes a token of a text that cannot fit.
    ///
    /// # Errors
    /// As [`size`](Budget::size).
    pub fn fits(&self, text: &str) -> Result<Option<usize>, Error> {
        let Some(counter) = self.counter else {
            // A scalar value has at most four bytes: a quarter of the length bounds every size from below.
            if text.len() / 4 > self.limit {
                return Ok(None);
            }
            let n = self.size(text)?;
            return Ok((n <= self.limit).then_some(n));
        };
        let window = self.limit.saturating_mul(32);
        if text.len() > window.saturating_add(1024) {
            let mut end = window;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            if counter.count_up_to(&text[..end], self.limit.saturating_mul(2))?.is_none() {
                return Ok(None);
            }
        }
        match counter.count_up_to(text, self.limit)? {
            Some(n) => Ok(Some(sane(n)?)),
            None => Ok(None),
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget::{}({})", self.unit, self.limit)
    }
}

/// The number of tokens in `text`, by a counter that is not trusted blindly.
///
/// ```
/// use haversack::measure::{Estimate, count};
///
/// assert_eq!(count("hello world", &Estimate)?, 3);
/// # Ok::<(), haversack::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::CounterFailed`] when the counter fails or answers more than 2^53.
pub fn count(text: &str, counter: &dyn TokenCounter) -> Result<usize, Error> {
    sane(counter.count(text)?)
}

/// No text has 2^53 tokens: a counter that says so is broken.
fn sane(n: usize) -> Result<usize, Error> {
    if n as u64 > 1 << 53 {
        let message: String = alloc::format!("token counter answered {n}");
        return Err(Error::new(ErrorKind::CounterFailed, message));
    }
    Ok(n)
}

/// UTF-16 code units of `text`: one for each scalar value, two above U+FFFF.
pub(crate) fn utf16_len(text: &str) -> usize {
    let four_bytes = text.bytes().filter(|b| *b >= 0xF0).count();
    text.chars().count() + four_bytes
}

/// A counter that remembers how often it was asked: for tests of cost, and for hosts that want to know.
#[derive(Debug)]
pub struct Recording<C> {
    inner: C,
    calls: Cell<usize>,
    bytes: Cell<usize>,
}

impl<C: TokenCounter> Recording<C> {
    /// Wraps a counter.
    pub const fn new(inner: C) -> Self {
        Recording { inner, calls: Cell::new(0), bytes: Cell::new(0) }
    }

    /// How many calls there were.
    pub const fn calls(&self) -> usize {
        self.calls.get()
    }

    /// How many bytes were handed to the counter, all calls together.
    pub const fn bytes(&self) -> usize {
        self.bytes.get()
    }

    fn note(&self, text: &str) {
        self.calls.set(self.calls.get() + 1);
        self.bytes.set(self.bytes.get() + text.len());
    }
}

impl<C: TokenCounter> TokenCounter for Recording<C> {
    fn count(&self, text: &str) -> Result<usize, Error> {
        self.note(text);
        self.inner.count(text)
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        self.note(text);
        self.inner.count_up_to(text, limit)
    }
}
