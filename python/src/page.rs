//! `haversack.page`.

use haversack::{Budget, Error, Limits, PageOptions};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arguments::{self, Given};
use crate::budget::{Counter, Limit, Sizes};
use crate::delivery::Delivery;
use crate::limits::read_limits;
use crate::payload::Payload;

/// Shows some lines of a text, or of a string inside JSON, within a budget, with their range and total.
///
///     >>> haversack.page("a\nb\nc\nd\n", 2, 2, chars=80).text
///     '[lines 2-3 of 4]\nb\nc\n'
///
/// Args:
///     payload: As for `deliver`.
///     start: The first line, from 1. Default: 1.
///     lines: How many lines at most. Default: 100.
///     bytes, chars, utf16, tokens, counter: The budget, as for `deliver`.
///     at: JSON pointer to the string whose lines are shown, such as `/stdout`. Default: the payload itself.
///     cursor: The `next` of an earlier page, instead of `start`; or that of a string which `deliver` cut
///         (`/stdout@12..880`), without `at`.
///     reader: A tool that the notice names for reading on.
///     hint: One line of your own for the notice.
///     limits: Other limits than the defaults, by name: here `depth`, of a payload read with `at`.
///
/// Raises:
///     HaversackError: As `deliver`.
#[pyfunction]
#[pyo3(signature = (
    payload, start=None, lines=None, *, bytes=None, chars=None, utf16=None, tokens=None, counter=None, at=None,
    cursor=None, reader=None, hint=None, limits=None
))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn page(
    py: Python<'_>,
    payload: &Bound<'_, PyAny>,
    start: Given<'_, '_>,
    lines: Given<'_, '_>,
    bytes: Given<'_, '_>,
    chars: Given<'_, '_>,
    utf16: Given<'_, '_>,
    tokens: Given<'_, '_>,
    counter: Given<'_, '_>,
    at: Given<'_, '_>,
    cursor: Given<'_, '_>,
    reader: Given<'_, '_>,
    hint: Given<'_, '_>,
    limits: Given<'_, '_>,
) -> PyResult<Delivery> {
    let limit = Limit::from_keywords(py, &Sizes([bytes, chars, utf16, tokens]))?;
    let counter = Counter::new(py, tokens.is_some(), counter)?;
    let payload = Payload::new(payload)?;
    let asked = Asked {
        start: arguments::number("start", start)?,
        lines: arguments::number("lines", lines)?,
        at: arguments::text("at", at)?,
        cursor: arguments::text("cursor", cursor)?,
        reader: arguments::text("reader", reader)?,
        hint: arguments::text("hint", hint)?,
        limits: read_limits(limits)?,
    };
    let input = payload.bytes();
    let delivery = counter.run(py, input.len(), |c| asked.page(input, limit.budget(c)))?;
    Ok(Delivery::new(py, &delivery))
}

#[derive(Debug)]
struct Asked {
    start: Option<usize>,
    lines: Option<usize>,
    at: Option<PyBackedStr>,
    cursor: Option<PyBackedStr>,
    reader: Option<PyBackedStr>,
    hint: Option<PyBackedStr>,
    limits: Option<Limits>,
}

impl Asked {
    fn page(&self, input: &[u8], budget: Budget<'_>) -> Result<haversack::Delivery, Error> {
        let mut options = PageOptions::new(budget);
        macro_rules! set {
            ($($option:ident)*) => {$(if let Some(value) = &self.$option { options = options.$option(value); })*};
        }
        if let Some(start) = self.start {
            options = options.start(start);
        }
        if let Some(lines) = self.lines {
            options = options.lines(lines);
        }
        if let Some(limits) = self.limits {
            options = options.limits(limits);
        }
        set!(at cursor reader hint);
        haversack::page(input, options)
    }
}
