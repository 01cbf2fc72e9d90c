//! Reading offloaded results back: definitions for the model, and what its calls ask for.

use haversack::readback::{Flavour, Readback};
use haversack::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::arguments::{self, Given, required};
use crate::budget::{Counter, Limit, Sizes};
use crate::delivery::Delivery;
use crate::error::{kind_named, raise};
use crate::json::written;
use crate::offload::{Entry, Offloads};
use crate::payload::Payload;
use crate::state;

/// The value of a request's `tools` member: one tool that reads stored results, one that searches them.
///
/// Args:
///     flavour: `"openai"`, `"anthropic"`, `"gemini"` or `"mcp"`.
///     read_name: Another name than `haversack_read`.
///     find_name: Another name than `haversack_find`.
///
/// Raises:
///     OptionsError: A name that a provider would refuse.
#[pyfunction]
#[pyo3(signature = (flavour, /, *, read_name=None, find_name=None))]
pub(crate) fn tool_definitions<'py>(
    py: Python<'py>,
    flavour: &Bound<'py, PyAny>,
    read_name: Given<'_, 'py>,
    find_name: Given<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let names = Names::new(read_name, find_name)?;
    let flavour = arguments::choice::<Flavour>("flavour", Some(flavour))?;
    let flavour = flavour.ok_or_else(|| raise(py, &Error::new(ErrorKind::InvalidOption, "no flavour")))?;
    let json = names.tools().tool_definitions(flavour).map_err(|e| raise(py, &e))?;
    state::to_python(py, &json)
}

/// Reads a call of the model strictly: which stored result it wants, and what of it.
///
/// Args:
///     offloads: The table of this run, in which the key is looked up.
///     name: The tool that was called.
///     arguments: Its arguments, as JSON text or a dict.
///     read_name: The name of the reading tool, where it is another.
///     find_name: The name of the searching tool, where it is another.
///
/// Raises:
///     HaversackError: Give `error_text(error)` to the model.
#[pyfunction]
#[pyo3(signature = (offloads, name, arguments, /, *, read_name=None, find_name=None))]
pub(crate) fn request(
    py: Python<'_>,
    offloads: &Bound<'_, Offloads>,
    name: &Bound<'_, PyAny>,
    arguments: &Bound<'_, PyAny>,
    read_name: Given<'_, '_>,
    find_name: Given<'_, '_>,
) -> PyResult<Request> {
    let names = Names::new(read_name, find_name)?;
    let name = required("name", name)?;
    let arguments = match arguments.cast::<PyString>() {
        Ok(text) => (*required("arguments", text.as_any())?).to_owned(),
        Err(_) => written(arguments)?,
    };
    let answer = offloads.get().with(py, &Counter::None, |table, _| names.tools().request(table, &name, &arguments))?;
    Ok(Request(answer))
}

/// The line for a model whose call failed: at most 240 characters.
///
/// Args:
///     error: A `HaversackError`.
#[pyfunction]
#[pyo3(signature = (error, /))]
pub(crate) fn error_text(error: &Bound<'_, PyAny>) -> PyResult<String> {
    let kind = error.getattr("kind").ok().and_then(|kind| kind_named(&kind.extract::<String>().ok()?));
    let kind = kind.ok_or_else(|| arguments::wrong("error", "a HaversackError", error))?;
    Ok(haversack::readback::error_text(&Error::new(kind, error.str()?.to_str()?)))
}

/// Names of the two tools, where the host gave them others.
#[derive(Debug)]
struct Names {
    read: Option<PyBackedStr>,
    find: Option<PyBackedStr>,
}

impl Names {
    fn new(read: Given<'_, '_>, find: Given<'_, '_>) -> PyResult<Self> {
        Ok(Names { read: arguments::text("read_name", read)?, find: arguments::text("find_name", find)? })
    }

    fn tools(&self) -> Readback<'_> {
        let mut tools = Readback::new();
        if let Some(name) = &self.read {
            tools = tools.read_name(name);
        }
        if let Some(name) = &self.find {
            tools = tools.find_name(name);
        }
        tools
    }
}

/// A checked call of a model, waiting for the bytes of the result it names.
#[pyclass(frozen, module = "haversack.readback")]
#[derive(Debug)]
pub(crate) struct Request(haversack::readback::Request);

#[pymethods]
impl Request {
    /// The key, as it stands in the table.
    #[getter]
    fn key(&self) -> &str {
        self.0.key()
    }

    /// Where the host stored the bytes: from the table, never from the model.
    #[getter]
    fn location(&self) -> &str {
        self.0.location()
    }

    /// What the table knows of the result.
    #[getter]
    fn entry(&self) -> Entry {
        Entry(self.0.entry().clone())
    }

    /// The page or the matches that were asked for, from the stored bytes, within a budget.
    #[pyo3(signature = (payload, /, *, bytes=None, chars=None, utf16=None, tokens=None, counter=None))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn answer(
        &self,
        py: Python<'_>,
        payload: &Bound<'_, PyAny>,
        bytes: Given<'_, '_>,
        chars: Given<'_, '_>,
        utf16: Given<'_, '_>,
        tokens: Given<'_, '_>,
        counter: Given<'_, '_>,
    ) -> PyResult<Delivery> {
        let limit = Limit::from_keywords(py, &Sizes([bytes, chars, utf16, tokens]))?;
        let counter = Counter::new(py, tokens.is_some(), counter)?;
        let payload = Payload::of_text(payload)?;
        let input = payload.bytes();
        let delivery = counter.run(py, input.len(), |c| self.0.answer(input, limit.budget(c)))?;
        Ok(Delivery::new(py, &delivery))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Request {}>", crate::account::quoted(py, self.key())?))
    }
}
