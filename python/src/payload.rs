//! What can be delivered: text and bytes as they are, every other value as the JSON that the standard library writes.

use haversack::{ErrorKind, Format};
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use crate::error::{self, Numbers};

/// A payload, held without a copy where it is a `str` or `bytes`.
#[derive(Debug)]
pub(crate) struct Payload {
    held: Held,
    value: bool,
}

#[derive(Debug)]
enum Held {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Payload {
    /// Any payload. What can change under us (`bytearray`, `memoryview`) is copied first.
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Payload { held: Held::Text(scalars(text)?), value: false });
        }
        if let Some(bytes) = bytes_of(given)? {
            return Ok(Payload { held: Held::Bytes(bytes), value: false });
        }
        Ok(Payload { held: Held::Text(scalars(&written(given)?)?), value: true })
    }

    /// A payload that is text or bytes; anything else is an error.
    pub(crate) fn of_text(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let payload = Payload::new(given)?;
        if payload.value { Err(crate::arguments::wrong("text", "a str or bytes", given)) } else { Ok(payload) }
    }

    /// The format to read it as: that of a value is JSON, whatever it holds.
    pub(crate) fn format(&self, py: Python<'_>, given: Option<Format>) -> PyResult<Option<Format>> {
        match given {
            Some(format) if self.value && format != Format::Json => {
                let message = format!("a value is delivered as json, not as {}: give its text", format.name());
                Err(error::option(py, "format", &message))
            }
            _ if self.value => Ok(Some(Format::Json)),
            _ => Ok(given),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.held {
            Held::Text(text) => text.as_bytes(),
            Held::Bytes(bytes) => bytes,
        }
    }

    pub(crate) fn as_str(&self, py: Python<'_>) -> PyResult<&str> {
        match &self.held {
            Held::Text(text) => Ok(text),
            Held::Bytes(bytes) => core::str::from_utf8(bytes).map_err(|e| {
                let offset = e.valid_up_to();
                let places = Numbers { offset: Some(offset), ..Numbers::default() };
                error::build(py, &format!("invalid UTF-8 at byte {offset}"), ErrorKind::InvalidUtf8, &places)
            }),
        }
    }
}

/// The bytes of a payload, as `deliver` and `offload` see them: what a store has to keep.
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
        let bytes = given.call_method0("tobytes").map_err(|e| refused(given.py(), e))?;
        return Ok(Some(bytes.cast_into::<PyBytes>()?.into()));
    }
    Ok(None)
}

/// The UTF-8 of a `str`. A lone surrogate has none: its index and the byte offset it would have are in the error.
fn scalars(text: &Bound<'_, PyString>) -> PyResult<PyBackedStr> {
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

/// The JSON of a value, compact, keys in insertion order, nothing escaped that need not be.
pub(crate) fn written<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static OPTIONS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let py = value.py();
    let options = OPTIONS.get_or_try_init(py, || {
        let options = PyDict::new(py);
        options.set_item("ensure_ascii", false)?;
        options.set_item("allow_nan", false)?;
        options.set_item("separators", (",", ":"))?;
        Ok::<_, PyErr>(options.unbind())
    })?;
    let text = DUMPS.import(py, "json", "dumps")?.call((value,), Some(options.bind(py)));
    Ok(text.map_err(|e| refused(py, e))?.cast_into::<PyString>()?)
}

/// What the standard library will not write is no payload; any other exception is the value's own.
fn refused(py: Python<'_>, cause: PyErr) -> PyErr {
    let kind = if cause.is_instance_of::<PyRecursionError>(py) {
        ErrorKind::TooDeep
    } else if cause.is_instance_of::<PyTypeError>(py) || cause.is_instance_of::<PyValueError>(py) {
        ErrorKind::BadArgument
    } else {
        return cause;
    };
    let message = format!("the payload is neither text nor a value that JSON can hold: {}", cause.value(py));
    let error = error::build(py, &message, kind, &Numbers { argument: Some("payload"), ..Numbers::default() });
    error.set_cause(py, Some(cause));
    error
}
