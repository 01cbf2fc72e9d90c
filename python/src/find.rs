//! `haversack.find`.

use haversack::{Budget, Error, FindOptions, Limits};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arguments::{self, Given, required};
use crate::budget::{Counter, Limit, Sizes};
use crate::delivery::Delivery;
use crate::limits::read_limits;
use crate::payload::Payload;

/// Shows the lines around each place where a text stands, within a budget; the account counts the matches.
///
/// Args:
///     payload: As for `deliver`.
///     needle: What to look for: exact text, no pattern, at most 4 KiB.
///     bytes, chars, utf16, tokens, counter: The budget, as for `deliver`.
///     at: JSON pointer to the string that is searched, such as `/stdout`. Default: the payload itself.
///     context: Lines around each match. Default: 2.
///     limit: Matches at most. Default: 20.
///     cursor: The `next` of an earlier answer.
///     reader: A tool that the notice names for reading on.
///     hint: One line of your own for the notice.
///     limits: Other limits than the defaults, by name: here `needle_bytes`, and with `at` also `depth`.
///
/// Raises:
///     HaversackError: As `deliver`.
#[pyfunction]
#[pyo3(signature = (
    payload, needle, *, bytes=None, chars=None, utf16=None, tokens=None, counter=None, at=None, context=None,
    limit=None, cursor=None, reader=None, hint=None, limits=None
))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn find(
    py: Python<'_>,
    payload: &Bound<'_, PyAny>,
    needle: &Bound<'_, PyAny>,
    bytes: Given<'_, '_>,
    chars: Given<'_, '_>,
    utf16: Given<'_, '_>,
    tokens: Given<'_, '_>,
    counter: Given<'_, '_>,
    at: Given<'_, '_>,
    context: Given<'_, '_>,
    limit: Given<'_, '_>,
    cursor: Given<'_, '_>,
    reader: Given<'_, '_>,
    hint: Given<'_, '_>,
    limits: Given<'_, '_>,
) -> PyResult<Delivery> {
    let size = Limit::from_keywords(py, &Sizes([bytes, chars, utf16, tokens]))?;
    let counter = Counter::new(py, tokens.is_some(), counter)?;
    let payload = Payload::new(payload)?;
    let asked = Asked {
        needle: required("needle", needle)?,
        at: arguments::text("at", at)?,
        context: arguments::number("context", context)?,
        limit: arguments::number("limit", limit)?,
        cursor: arguments::text("cursor", cursor)?,
        reader: arguments::text("reader", reader)?,
        hint: arguments::text("hint", hint)?,
        limits: read_limits(limits)?,
    };
    let input = payload.bytes();
    let delivery = counter.run(py, input.len(), |c| asked.find(input, size.budget(c)))?;
    Ok(Delivery::new(py, &delivery))
}

#[derive(Debug)]
struct Asked {
    needle: PyBackedStr,
    at: Option<PyBackedStr>,
    context: Option<usize>,
    limit: Option<usize>,
    cursor: Option<PyBackedStr>,
    reader: Option<PyBackedStr>,
    hint: Option<PyBackedStr>,
    limits: Option<Limits>,
}

impl Asked {
    fn find(&self, input: &[u8], budget: Budget<'_>) -> Result<haversack::Delivery, Error> {
        let mut options = FindOptions::new(budget);
        macro_rules! set {
            ($($option:ident)*) => {$(if let Some(value) = &self.$option { options = options.$option(value); })*};
        }
        if let Some(context) = self.context {
            options = options.context(context);
        }
        if let Some(limit) = self.limit {
            options = options.limit(limit);
        }
        if let Some(limits) = self.limits {
            options = options.limits(limits);
        }
        set!(at cursor reader hint);
        haversack::find(input, &self.needle, options)
    }
}
