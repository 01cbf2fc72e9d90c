//! The JSON of a value: byte for byte what `json.dumps` writes, without its detours.
//!
//! Values of the plain types (`dict`, `list`, `tuple`, `str`, `int`, `float`, `bool`, `None`; keys that are `str`) are
//! written here in one walk. Anything else is left to the standard library as a whole, errors included: subclasses,
//! other keys, half surrogates, NaN, nesting beyond what is read anyway, and with it cycles.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::iter::{BoundDictIterator, BoundListIterator, BoundTupleIterator};
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::payload::{refused, scalars};

/// Deeper values are left to the standard library.
const DEEPEST: usize = 512;

/// The JSON of a value, compact, keys in insertion order, nothing escaped that need not be.
pub(crate) fn written(value: &Bound<'_, PyAny>) -> PyResult<String> {
    plain(value).map_or_else(|| by_library(value), Ok)
}

fn by_library(value: &Bound<'_, PyAny>) -> PyResult<String> {
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
    Ok((*scalars(&text.map_err(|e| refused(py, e))?.cast_into::<PyString>()?)?).to_owned())
}

/// A container, and what of it is still to be written. No code of the caller runs while one is open.
enum Frame<'py> {
    List(BoundListIterator<'py>),
    Tuple(BoundTupleIterator<'py>),
    Dict(BoundDictIterator<'py>),
}

impl<'py> Frame<'py> {
    /// Opens a container; nothing for other values.
    fn open(value: &Bound<'py, PyAny>, out: &mut String) -> Option<Self> {
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            out.push('{');
            return Some(Frame::Dict(dict.iter()));
        }
        let frame = match value.cast_exact::<PyList>() {
            Ok(list) => Frame::List(list.iter()),
            Err(_) => Frame::Tuple(value.cast_exact::<PyTuple>().ok()?.iter()),
        };
        out.push('[');
        Some(frame)
    }

    /// The next value, once everything that stands before it is written; nothing at the end, or for a key of another
    /// type, which is told by `bad_key`.
    fn next(&mut self, out: &mut String, bad_key: &mut bool) -> Option<Bound<'py, PyAny>> {
        let is_first = out.ends_with(['{', '[']);
        let (key, value) = match self {
            Frame::List(elements) => (None, elements.next()?),
            Frame::Tuple(elements) => (None, elements.next()?),
            Frame::Dict(members) => members.next().map(|(key, value)| (Some(key), value))?,
        };
        if !is_first {
            out.push(',');
        }
        if let Some(key) = key {
            if !string(&key, out) {
                *bad_key = true;
                return None;
            }
            out.push(':');
        }
        Some(value)
    }

    fn close(&self, out: &mut String) {
        out.push(if matches!(self, Frame::Dict(_)) { '}' } else { ']' });
    }
}

/// The JSON of a value of plain types; nothing for others.
fn plain(value: &Bound<'_, PyAny>) -> Option<String> {
    let mut out = String::new();
    let mut open: Vec<Frame<'_>> = Vec::new();
    let mut next = Some(value.clone());
    while let Some(value) = next.take() {
        if !leaf(&value, &mut out) {
            open.push(Frame::open(&value, &mut out).filter(|_| open.len() < DEEPEST)?);
        }
        while let Some(frame) = open.last_mut() {
            let mut bad_key = false;
            next = frame.next(&mut out, &mut bad_key);
            if bad_key {
                return None;
            }
            if next.is_some() {
                break;
            }
            frame.close(&mut out);
            open.pop();
        }
    }
    Some(out)
}

/// Writes a value that is no container; false for what is none of the plain types, or has no JSON.
fn leaf(value: &Bound<'_, PyAny>, out: &mut String) -> bool {
    if string(value, out) {
        return true;
    }
    if value.is_none() {
        out.push_str("null");
    } else if let Ok(flag) = value.cast_exact::<PyBool>() {
        out.push_str(if flag.is_true() { "true" } else { "false" });
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
fn repr(value: &Bound<'_, PyAny>, out: &mut String) -> bool {
    let written = value.repr();
    let Some(text) = written.as_ref().ok().and_then(|text| text.to_str().ok()) else {
        return false;
    };
    out.push_str(text);
    true
}

/// Writes a `str`; false for other types, and for one that has no UTF-8.
fn string(value: &Bound<'_, PyAny>, out: &mut String) -> bool {
    let Ok(text) = value.cast_exact::<PyString>() else {
        return false;
    };
    let Ok(text) = text.to_str() else {
        return false;
    };
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = escape_in(rest.as_bytes()) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        escape(from.as_bytes()[0], out);
        rest = &from[1..];
    }
    out.push_str(rest);
    out.push('"');
    true
}

const fn is_escaped(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Where the first character stands that has to be escaped: it is one byte.
fn escape_in(bytes: &[u8]) -> Option<usize> {
    // No early way out of a block, so that its bytes are compared at once.
    let clear = |block: &&[u8; 16]| !block.iter().fold(false, |any, &byte| any | is_escaped(byte));
    let (blocks, _) = bytes.as_chunks::<16>();
    let from = 16 * blocks.iter().take_while(clear).count();
    bytes[from..].iter().position(|&byte| is_escaped(byte)).map(|at| from + at)
}

fn escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        8 => out.push_str("\\b"),
        12 => out.push_str("\\f"),
        _ => out.push_str(&format!("\\u{byte:04x}")),
    }
}
