//! Which piece a value belongs to that JSON cannot hold.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::payload::Payload;

/// The error of a payload, with the name of the piece that it is about.
pub(crate) fn piece(py: Python<'_>, error: PyErr, name: &str) -> PyErr {
    // An exception of the value's own has no such attribute, and stays what it is.
    if error.value(py).hasattr("piece").unwrap_or(false) {
        let _ = error.value(py).setattr("piece", name);
    }
    error
}

/// The error of a request body, with the name of the first piece that cannot be written. Costs a second try of its
/// parts.
pub(crate) fn request(body: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    match blamed(body) {
        Some(name) => piece(body.py(), error, &name),
        None => error,
    }
}

fn blamed(body: &Bound<'_, PyAny>) -> Option<String> {
    let is_bad = |value: &Bound<'_, PyAny>| Payload::new(value).is_err();
    if let Ok(list) = body.cast::<PyList>() {
        return list.iter().position(|value| is_bad(&value)).map(|at| format!("message {at}"));
    }
    let (key, value) = body.cast::<PyDict>().ok()?.iter().find(|(_, value)| is_bad(value))?;
    let key: String = key.extract().ok()?;
    match (&*key, value.cast::<PyList>()) {
        ("messages" | "contents" | "input", Ok(_)) | ("toolConfig", _) => blamed(&value),
        ("tools" | "functions", Ok(list)) => {
            let tool = list.iter().find(is_bad)?;
            let named = |tool: &Bound<'_, PyAny>| tool.get_item("name").ok()?.extract::<String>().ok();
            let inner = |holder: &str| named(&tool.get_item(holder).ok()?);
            let name = named(&tool).or_else(|| inner("function")).or_else(|| inner("toolSpec"))?;
            Some(format!("tools/{name}"))
        }
        ("system" | "instructions" | "systemInstruction" | "system_instruction", _) => Some("system".to_owned()),
        // A setting that no cache depends on is no piece.
        _ => None,
    }
}
