//! Counting with the counters that are built in.

use haversack::{Error, ErrorKind, TokenCounter};
use pyo3::prelude::*;

use crate::arguments::Given;
use crate::budget::Counter;
use crate::payload::Payload;

/// The counter of that name.
pub(crate) fn named(name: &str) -> Result<&'static dyn TokenCounter, Error> {
    Err(Error::new(ErrorKind::InvalidOption, format!("no counter is named {name}")))
}

/// The names that `counter=` takes in this build.
#[pyfunction]
pub(crate) fn counters() -> Vec<&'static str> {
    ["estimate", "o200k_base", "cl100k_base"].into_iter().filter(|name| named(name).is_ok()).collect()
}

/// The number of tokens in a text.
#[pyfunction]
#[pyo3(signature = (text, /, counter))]
pub(crate) fn count(py: Python<'_>, text: &Bound<'_, PyAny>, counter: &Bound<'_, PyAny>) -> PyResult<usize> {
    let text = Payload::of_text(text)?;
    let given: Given<'_, '_> = Some(counter);
    let counter = Counter::new(py, true, given)?;
    let text = text.as_str(py)?;
    counter.run(py, text.len(), |counter| counter.map_or(Ok(0), |c| c.count(text)))
}
