//! Core errors as Python exceptions, with their kind and numbers.

use haversack::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The exception of a core error: the class its kind has in `haversack._errors.CLASSES`.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    build(
        py,
        &error.to_string(),
        error.kind(),
        &Numbers {
            offset: error.offset(),
            expected: error.expected(),
            needed: error.needed(),
            size: error.size(),
            available: error.available(),
            unit: error.unit().map(haversack::Unit::name),
            argument: error.argument(),
            pointer: error.pointer(),
            index: error.index(),
            piece: error.piece(),
        },
    )
}

/// An option with a value it cannot have.
pub(crate) fn option(py: Python<'_>, argument: &str, message: &str) -> PyErr {
    build(py, message, ErrorKind::InvalidOption, &Numbers { argument: Some(argument), ..Numbers::default() })
}

/// What an exception carries besides its message.
#[derive(Debug, Default)]
pub(crate) struct Numbers<'a> {
    pub(crate) offset: Option<usize>,
    pub(crate) expected: Option<&'a str>,
    pub(crate) needed: Option<usize>,
    pub(crate) size: Option<usize>,
    pub(crate) available: Option<usize>,
    pub(crate) unit: Option<&'a str>,
    pub(crate) argument: Option<&'a str>,
    pub(crate) pointer: Option<&'a str>,
    pub(crate) index: Option<usize>,
    pub(crate) piece: Option<&'a str>,
}

/// The exception of `kind`. When its class cannot be had, the error that says why.
pub(crate) fn build(py: Python<'_>, message: &str, kind: ErrorKind, n: &Numbers<'_>) -> PyErr {
    static BUILD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = BUILD.import(py, "haversack._errors", "build").and_then(|build| {
        let places =
            (n.offset, n.expected, n.needed, n.size, n.available, n.unit, n.argument, n.pointer, n.index, n.piece);
        build.call1((message, kind.name(), places))
    });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The kind of that name.
pub(crate) fn kind_named(name: &str) -> Option<ErrorKind> {
    ErrorKind::ALL.iter().copied().find(|k| k.name() == name)
}

/// Every kind of error there is, as `(name, number)`; the number is that of C.
#[pyfunction]
pub(crate) fn error_kinds() -> Vec<(&'static str, u32)> {
    ErrorKind::ALL.iter().map(|k| (k.name(), k.code())).collect()
}
