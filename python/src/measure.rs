//! Counting with the counters that are built in.

use haversack::measure::named;
use pyo3::prelude::*;

use crate::arguments::Given;
use crate::budget::Counter;
use crate::payload::Payload;

/// The names that `counter=` takes in this build.
///
/// `"estimate"` keeps nothing. The vocabulary of an exact one is unpacked at its first use and stays (8 or 24 MB), and
/// each thread that counts with it keeps a cache of 1.3 MB.
#[pyfunction]
pub(crate) fn counters() -> Vec<&'static str> {
    ["estimate", "o200k_base", "cl100k_base"].into_iter().filter(|name| named(name).is_ok()).collect()
}

/// The number of tokens in a text.
///
/// Raises:
///     CounterError: The counter answered something that is no number of tokens.
#[pyfunction]
#[pyo3(signature = (text, /, counter))]
pub(crate) fn count(py: Python<'_>, text: &Bound<'_, PyAny>, counter: &Bound<'_, PyAny>) -> PyResult<usize> {
    let text = Payload::of_text(text)?;
    let given: Given<'_, '_> = Some(counter);
    let counter = Counter::new(py, true, given)?;
    let text = text.as_str(py)?;
    counter.run(py, text.len(), |counter| counter.map_or(Ok(0), |c| c.count(text)))
}
