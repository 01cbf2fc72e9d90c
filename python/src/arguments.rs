//! Keyword arguments as they come from Python, read strictly: a wrong one is an error that names it.

use haversack::history::{MissingResult, OrphanResult};
use haversack::prompt::PieceKind;
use haversack::readback::Flavour;
use haversack::{
    Ansi, Boundary, Envelope, FactKind, Format, HandoffKind, Keep, NoticePlace, OnFull, OnInvalid, Oversize, Share,
    SourceState, Timing, Unit, WireFormat,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyDict, PyFrozenSet, PyInt, PySet, PyString};

use crate::error;

/// An argument that may be absent.
pub(crate) type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// A choice of the core: a value for every name.
pub(crate) trait Choice: Copy + 'static {
    /// Every value.
    const VALUES: &'static [Self];
    /// The name of this one.
    fn text(self) -> &'static str;
}

macro_rules! choices {
    ($($type:ty),*) => {$(
        impl Choice for $type {
            const VALUES: &'static [Self] = <$type>::ALL;
            fn text(self) -> &'static str { self.name() }
        }
    )*};
}
choices!(
    Ansi,
    Boundary,
    Envelope,
    FactKind,
    Format,
    HandoffKind,
    Keep,
    NoticePlace,
    OnFull,
    OnInvalid,
    Oversize,
    Share,
    SourceState,
    Flavour,
    MissingResult,
    OrphanResult,
    PieceKind,
    Timing,
    Unit,
    WireFormat
);

/// One of a few names, or `None` when it was left out.
pub(crate) fn choice<T: Choice>(argument: &str, given: Given<'_, '_>) -> PyResult<Option<T>> {
    let Some(value) = given else { return Ok(None) };
    let found = value.cast::<PyString>().ok().and_then(|name| {
        let name = name.to_str().ok()?;
        T::VALUES.iter().copied().find(|v| v.text() == name)
    });
    if found.is_some() {
        return Ok(found);
    }
    let names: Vec<&str> = T::VALUES.iter().map(|v| v.text()).collect();
    let message = format!("{argument} is one of {}, not {}", names.join(", "), shown(value));
    Err(error::option(value.py(), argument, &message))
}

/// As [`choice`], where `"auto"` says the same as leaving it out.
pub(crate) fn format<T: Choice>(given: Given<'_, '_>) -> PyResult<Option<T>> {
    if given.is_some_and(|v| v.cast::<PyString>().is_ok_and(|s| s.to_str().is_ok_and(|s| s == "auto"))) {
        return Ok(None);
    }
    choice("format", given)
}

/// A text.
pub(crate) fn text(argument: &str, given: Given<'_, '_>) -> PyResult<Option<PyBackedStr>> {
    let Some(value) = given else { return Ok(None) };
    let read = value.cast::<PyString>().ok().and_then(|s| PyBackedStr::try_from(s.clone()).ok());
    match read {
        Some(text) => Ok(Some(text)),
        None => Err(wrong(argument, "a str of Unicode scalar values", value)),
    }
}

/// A text that has to be there.
pub(crate) fn required(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    text(argument, Some(value))?.ok_or_else(|| wrong(argument, "a str", value))
}

/// What no list of texts has: an iterable may be endless.
const MOST_TEXTS: usize = 1 << 16;

/// A list of texts. A lone `str` is refused: taken for a list it would be one of single characters. So are sets and
/// dicts, whose order is not one that the caller chose.
pub(crate) fn texts(argument: &str, given: Given<'_, '_>) -> PyResult<Vec<PyBackedStr>> {
    let Some(value) = given else { return Ok(Vec::new()) };
    let refused = || wrong(argument, "a list of str", value);
    let unordered = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
    if unordered || value.is_instance_of::<PyDict>() || value.is_instance_of::<PyString>() {
        return Err(refused());
    }
    let mut texts = Vec::new();
    for item in value.try_iter().map_err(|_| refused())? {
        if texts.len() == MOST_TEXTS {
            return Err(error::option(value.py(), argument, &format!("{argument} has more than {MOST_TEXTS} entries")));
        }
        texts.push(text(argument, Some(&item?))?.ok_or_else(refused)?);
    }
    Ok(texts)
}

/// `True` or `False`.
pub(crate) fn flag(argument: &str, given: Given<'_, '_>) -> PyResult<Option<bool>> {
    let Some(value) = given else { return Ok(None) };
    value.cast::<PyBool>().map(|b| Some(b.is_true())).map_err(|_| wrong(argument, "True or False", value))
}

/// An integer from 0 up, of any type that is one (not `bool`). One above the address space is the largest there is.
pub(crate) fn number(argument: &str, given: Given<'_, '_>) -> PyResult<Option<usize>> {
    let Some(value) = given else { return Ok(None) };
    let refused = || wrong(argument, "an integer from 0 up", value);
    let exact = integer(value).ok_or_else(refused)?;
    if let Ok(n) = exact.extract::<usize>() {
        return Ok(Some(n));
    }
    if exact.lt(0)? { Err(refused()) } else { Ok(Some(usize::MAX)) }
}

/// The `int` that `value` is, by `__index__` if need be. Neither a `bool` nor a `float` is one.
pub(crate) fn integer<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyInt>> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    if let Ok(n) = value.cast::<PyInt>() {
        return Some(n.clone());
    }
    value.call_method0("__index__").ok()?.cast_into::<PyInt>().ok()
}

/// The error for a value of the wrong kind.
pub(crate) fn wrong(argument: &str, wanted: &str, value: &Bound<'_, PyAny>) -> PyErr {
    error::option(value.py(), argument, &format!("{argument} is {wanted}, not {}", shown(value)))
}

/// A value for an error message: texts and numbers by value, at most 32 scalars of them; everything else by its type.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let plain = value.is_none() || value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>();
    let text = if plain { value.repr().ok() } else { value.get_type().name().ok() };
    let text = text.and_then(|t| t.to_str().map(str::to_owned).ok()).unwrap_or_default();
    if text.chars().count() <= 34 { text } else { text.chars().take(32).chain(['…']).collect() }
}
