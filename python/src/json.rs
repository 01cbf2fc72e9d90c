//! The JSON of a value: byte for byte what `json.dumps` writes, without its detours.
//!
//! Values of the plain types (`dict`, `list`, `tuple`, `str`, `int`, `float`, `bool`, `None`; keys that are `str`) are
//! written here in one walk. Anything else is left to the standard library as a whole, errors included: subclasses,
//! other keys, half surrogates, NaN, nesting beyond what is read anyway, and with it cycles.

use haversack::json::JsonWriter;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::iter::{BoundDictIterator, BoundListIterator, BoundTupleIterator};
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::payload::{refused, scalars};

/// Deeper values are left to the standard library.
const DEEPEST: usize = 512;

/// The JSON of a value, compact, keys in insertion order, nothing escaped that need not be.
pub(crate) fn written(value: &Bound<'_, PyAny>) -> PyResult<String> {
    written_as("payload", value)
}

/// The same of an argument of another name.
pub(crate) fn written_as(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    plain(value, JsonWriter::new()).and_then(JsonWriter::into_text).map_or_else(|| by_library(argument, value), Ok)
}

/// The same as a history is read from it, and its text alone where the standard library had to write it.
pub(crate) fn for_history(value: &Bound<'_, PyAny>) -> PyResult<Result<JsonWriter, String>> {
    let messages = value.cast_exact::<PyList>().map_or(0, PyListMethods::len);
    match plain(value, JsonWriter::for_history(messages)) {
        Some(writer) => Ok(Ok(writer)),
        None => by_library("payload", value).map(Err),
    }
}

fn by_library(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
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
    Ok((*scalars(&text.map_err(|e| refused(argument, py, e))?.cast_into::<PyString>()?)?).to_owned())
}

/// A container, and what of it is still to be written. No code of the caller runs while one is open.
enum Frame<'py> {
    List(BoundListIterator<'py>),
    Tuple(BoundTupleIterator<'py>),
    Dict(BoundDictIterator<'py>),
}

impl<'py> Frame<'py> {
    /// Opens a container; nothing for other values.
    fn open(value: &Bound<'py, PyAny>, out: &mut JsonWriter) -> Option<Self> {
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            out.open_object();
            return Some(Frame::Dict(dict.iter()));
        }
        let frame = match value.cast_exact::<PyList>() {
            Ok(list) => Frame::List(list.iter()),
            Err(_) => Frame::Tuple(value.cast_exact::<PyTuple>().ok()?.iter()),
        };
        out.open_list();
        Some(frame)
    }

    /// The next value, once its key is written; nothing at the end.
    ///
    /// # Errors
    /// A key of another type.
    fn next(&mut self, out: &mut JsonWriter) -> Result<Option<Bound<'py, PyAny>>, NotPlain> {
        Ok(match self {
            Frame::List(elements) => elements.next(),
            Frame::Tuple(elements) => elements.next(),
            Frame::Dict(members) => match members.next() {
                Some((key, value)) => {
                    out.key(utf8(&key).ok_or(NotPlain)?);
                    Some(value)
                }
                None => None,
            },
        })
    }
}

/// A key that is none of the plain types.
struct NotPlain;

/// A value of plain types, written; nothing for others.
fn plain(value: &Bound<'_, PyAny>, mut out: JsonWriter) -> Option<JsonWriter> {
    let mut open: Vec<Frame<'_>> = Vec::new();
    let mut next = Some(value.clone());
    while let Some(value) = next.take() {
        if !leaf(&value, &mut out) {
            open.push(Frame::open(&value, &mut out).filter(|_| open.len() < DEEPEST)?);
        }
        while let Some(frame) = open.last_mut() {
            next = frame.next(&mut out).ok()?;
            if next.is_some() {
                break;
            }
            out.close();
            open.pop();
        }
    }
    Some(out)
}

/// Writes a value that is no container; false for what is none of the plain types, or has no JSON.
fn leaf(value: &Bound<'_, PyAny>, out: &mut JsonWriter) -> bool {
    if let Some(text) = utf8(value) {
        out.string(text);
    } else if value.is_none() {
        out.null();
    } else if let Ok(flag) = value.cast_exact::<PyBool>() {
        out.bool(flag.is_true());
    } else if value.is_exact_instance_of::<PyInt>() {
        return repr(value, out);
    } else if let Ok(float) = value.cast_exact::<PyFloat>() {
        return float.value().is_finite() && repr(value, out);
    } else {
        return false;
    }
    true
}

/// Numbers as Python writes them. One of very many digits it will not.
fn repr(value: &Bound<'_, PyAny>, out: &mut JsonWriter) -> bool {
    let written = value.repr();
    let Some(text) = written.as_ref().ok().and_then(|text| text.to_str().ok()) else {
        return false;
    };
    out.number(text);
    true
}

/// What a `str` says; nothing for other types, and for one that has no UTF-8.
fn utf8<'a>(value: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    value.cast_exact::<PyString>().ok()?.to_str().ok()
}
