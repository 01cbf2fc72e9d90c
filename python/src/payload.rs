//! What can be delivered: text and bytes as they are, every other value as the JSON that the standard library writes.

use haversack::{ErrorKind, Format};
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::error::{self, Numbers};
use crate::json::written;

/// A payload, held without a copy where it is a `str` or `bytes`.
#[derive(Debug)]
pub(crate) enum Payload {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    /// A value, as its JSON.
    Value(String),
}

impl Payload {
    /// Any payload. What can change under us (`bytearray`, `memoryview`) is copied first.
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match Payload::as_it_is(given)? {
            Some(payload) => Ok(payload),
            None => Ok(Payload::Value(written(given)?)),
        }
    }

    /// A payload that is text or bytes; nothing for other values.
    pub(crate) fn as_it_is(given: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Some(Payload::Text(scalars(text)?)));
        }
        Ok(bytes_of(given)?.map(Payload::Bytes))
    }

    /// A payload that is text or bytes; anything else is an error.
    pub(crate) fn of_text(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let payload = Payload::new(given)?;
        if payload.is_value() { Err(crate::arguments::wrong("text", "a str or bytes", given)) } else { Ok(payload) }
    }

    const fn is_value(&self) -> bool {
        matches!(self, Payload::Value(_))
    }

    /// The format to read it as: that of a value is JSON, whatever it holds.
    pub(crate) fn format(&self, py: Python<'_>, given: Option<Format>) -> PyResult<Option<Format>> {
        match given {
            Some(format) if self.is_value() && format != Format::Json => {
                let message = format!("a value is delivered as json, not as {}: give its text", format.name());
                Err(error::option(py, "format", &message))
            }
            _ if self.is_value() => Ok(Some(Format::Json)),
            _ => Ok(given),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Payload::Text(text) => text.as_bytes(),
            Payload::Bytes(bytes) => bytes,
            Payload::Value(json) => json.as_bytes(),
        }
    }

    pub(crate) fn as_str(&self, py: Python<'_>) -> PyResult<&str> {
        match self {
            Payload::Text(text) => Ok(text),
            Payload::Value(json) => Ok(json),
            Payload::Bytes(bytes) => core::str::from_utf8(bytes).map_err(|e| {
                let offset = e.valid_up_to();
                let places = Numbers { offset: Some(offset), ..Numbers::default() };
                error::build(py, &format!("invalid UTF-8 at byte {offset}"), ErrorKind::InvalidUtf8, &places)
            }),
        }
    }
}

/// The bytes of a payload as `deliver` and `offload` see them: what a store has to keep.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn payload_bytes<'py>(py: Python<'py>, payload: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = payload.cast_exact::<PyBytes>() {
        return Ok(bytes.clone());
    }
    Ok(PyBytes::new(py, Payload::new(payload)?.bytes()))
}

fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<Option<PyBackedBytes>> {
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(Some(bytes.clone().into()));
    }
    if let Ok(bytes) = given.cast::<PyByteArray>() {
        return Ok(Some(bytes.clone().into()));
    }
    if given.is_instance_of::<PyMemoryView>() {
        // A view that was released is no payload any more.
        let bytes = given.call_method0("tobytes").map_err(|e| refused("payload", given.py(), e))?;
        return Ok(Some(bytes.cast_into::<PyBytes>()?.into()));
    }
    Ok(None)
}

/// The UTF-8 of a `str`. A lone surrogate has none: its index and the byte offset it would have are in the error.
pub(crate) fn scalars(text: &Bound<'_, PyString>) -> PyResult<PyBackedStr> {
    let py = text.py();
    let refused = match PyBackedStr::try_from(text.clone()) {
        Ok(text) => return Ok(text),
        Err(refused) => refused,
    };
    let Ok(index) = refused.value(py).getattr("start").and_then(|start| start.extract::<usize>()) else {
        return Err(refused);
    };
    let before = text.as_any().get_item(pyo3::types::PySlice::new(py, 0, index.cast_signed(), 1))?;
    let offset = before.cast_into::<PyString>()?.to_str()?.len();
    let message = format!("a lone surrogate at index {index}: no text of Unicode scalar values");
    let places = Numbers { offset: Some(offset), index: Some(index), ..Numbers::default() };
    Err(error::build(py, &message, ErrorKind::InvalidUtf8, &places))
}

/// What the standard library will not write is no payload; any other exception is the value's own.
pub(crate) fn refused(argument: &str, py: Python<'_>, cause: PyErr) -> PyErr {
    let kind = if cause.is_instance_of::<PyRecursionError>(py) {
        ErrorKind::TooDeep
    } else if cause.is_instance_of::<PyTypeError>(py) || cause.is_instance_of::<PyValueError>(py) {
        ErrorKind::BadArgument
    } else {
        return cause;
    };
    let message = format!("the {argument} is neither text nor a value that JSON can hold: {}", cause.value(py));
    let error = error::build(py, &message, kind, &Numbers { argument: Some(argument), ..Numbers::default() });
    error.set_cause(py, Some(cause));
    error
}
