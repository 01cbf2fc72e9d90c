//! The answer of a delivery, read-only.

use haversack::{Format, Unit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use serde::{Deserialize, Deserializer, Serialize};

use crate::account::{Account, ListAccount, quoted};
use crate::arguments::Choice;
use crate::state::{self, Reduced};

/// What the model sees, and the whole truth about it. `str(d)` is the text.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Delivery {
    text: Py<PyString>,
    facts: Facts,
}

/// Everything but the text.
#[derive(Debug, Clone, PartialEq)]
struct Facts {
    size: usize,
    unit: &'static str,
    complete: bool,
    format: &'static str,
    account: Account,
    lists: Vec<ListAccount>,
    next: Option<String>,
    notice: Option<String>,
    warnings: Vec<Warning>,
    plan: Vec<Run>,
}

/// The answer as it stands in JSON: the shape that the core and every other language write.
#[derive(Serialize)]
struct Answer<'a> {
    text: &'a str,
    size: usize,
    unit: &'a str,
    complete: bool,
    format: &'a str,
    account: &'a Account,
    lists: &'a [ListAccount],
    next: Option<&'a str>,
    notice: Option<&'a str>,
    warnings: &'a [Warning],
    plan: &'a [Run],
}

#[derive(Deserialize)]
struct Stored {
    text: String,
    size: usize,
    unit: ByName<Unit>,
    complete: bool,
    format: ByName<Format>,
    account: Account,
    lists: Vec<ListAccount>,
    next: Option<String>,
    notice: Option<String>,
    warnings: Vec<Warning>,
    plan: Vec<Run>,
}

/// A choice that stands in JSON under its name.
struct ByName<T>(T);

impl<'de, T: Choice> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let found = T::VALUES.iter().copied().find(|value| value.text() == name);
        found.map(ByName).ok_or_else(|| serde::de::Error::custom("an unknown name"))
    }
}

impl Delivery {
    pub(crate) fn new(py: Python<'_>, delivery: &haversack::Delivery) -> Self {
        let facts = Facts {
            size: delivery.size(),
            unit: delivery.unit().name(),
            complete: delivery.complete(),
            format: delivery.format().name(),
            account: delivery.account().into(),
            lists: delivery.lists().iter().map(ListAccount::from).collect(),
            next: delivery.next().map(str::to_owned),
            notice: delivery.notice().map(str::to_owned),
            warnings: delivery.warnings().iter().map(Warning::from).collect(),
            plan: delivery.plan().iter().map(Run::from).collect(),
        };
        Delivery { text: PyString::new(py, delivery.text()).unbind(), facts }
    }

    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        let s: Stored = state::from_json(py, json)?;
        let facts = Facts {
            size: s.size,
            unit: s.unit.0.name(),
            complete: s.complete,
            format: s.format.0.name(),
            account: s.account,
            lists: s.lists,
            next: s.next,
            notice: s.notice,
            warnings: s.warnings,
            plan: s.plan,
        };
        Ok(Delivery { text: PyString::new(py, &s.text).unbind(), facts })
    }
}

#[pymethods]
impl Delivery {
    /// The text for the model: within the budget, notice included.
    #[getter]
    fn text(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    /// The size of `text` in `unit`.
    #[getter]
    fn size(&self) -> usize {
        self.facts.size
    }

    /// `"bytes"`, `"chars"`, `"utf16"` or `"tokens"`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.facts.unit
    }

    /// True when nothing was omitted, shrunk or offloaded, here or (as the input claims) before.
    #[getter]
    fn complete(&self) -> bool {
        self.facts.complete
    }

    /// What the payload was read as: `"json"`, `"ndjson"`, `"csv"`, `"tsv"` or `"lines"`.
    #[getter]
    fn format(&self) -> &'static str {
        self.facts.format
    }

    /// The books over all lists.
    #[getter]
    fn account(&self) -> Account {
        self.facts.account.clone()
    }

    /// The books list by list, in document order, by pointer: a new dict each time.
    #[getter]
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let lists = PyDict::new(py);
        for list in &self.facts.lists {
            lists.set_item(&list.pointer, Bound::new(py, list.clone())?)?;
        }
        Ok(lists)
    }

    /// The cursor that resumes everything that can be resumed, `None` at the end.
    #[getter]
    fn next(&self) -> Option<&str> {
        self.facts.next.as_deref()
    }

    /// The notice of NDJSON, CSV and lines; with `notice="none"` it is only here.
    #[getter]
    fn notice(&self) -> Option<&str> {
        self.facts.notice.as_deref()
    }

    /// What the caller should know that is not a loss.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.facts.warnings.iter().cloned())
    }

    /// What became of every record, as runs: apply them to objects of your own.
    #[getter]
    fn plan<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.facts.plan.iter().cloned())
    }

    /// The whole answer as compact JSON, the same in every language.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let f = &self.facts;
        Ok(state::to_json(&Answer {
            text: self.text.bind(py).to_str()?,
            size: f.size,
            unit: f.unit,
            complete: f.complete,
            format: f.format,
            account: &f.account,
            lists: &f.lists,
            next: f.next.as_deref(),
            notice: f.notice.as_deref(),
            warnings: &f.warnings,
            plan: &f.plan,
        }))
    }

    /// The whole answer as dicts and lists: what `to_json` writes.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json(py)?)
    }

    fn __str__(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let f = &self.facts;
        let mut out = format!("<Delivery {} of {} {}: {}", f.format, f.size, f.unit, f.account.in_words());
        if let Some(next) = &f.next {
            out.push_str(&format!("; next={}", quoted(py, next)?));
        }
        match f.warnings.as_slice() {
            [] => {}
            [one] => out.push_str(&format!("; warning {}", one.kind)),
            more => out.push_str(&format!("; {} warnings", more.len())),
        }
        out.push('>');
        Ok(out)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Delivery>() else { return Ok(false) };
        let other = other.get();
        Ok(self.facts == other.facts && self.text.bind(py).as_any().eq(other.text.bind(py))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text.bind(py).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Delivery", self.to_json(py)?)
    }
}

/// Something the caller should know that is not a loss. `str(w)` is its kind.
#[pyclass(frozen, eq, hash, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Warning {
    kind: String,
    offset: Option<usize>,
    subject: String,
}

impl From<&haversack::Warning> for Warning {
    fn from(w: &haversack::Warning) -> Self {
        Warning { kind: w.kind().name().to_owned(), offset: w.offset(), subject: w.subject().to_owned() }
    }
}

#[pymethods]
impl Warning {
    /// `"duplicate_key"`, `"looks_like_json"`, `"source_cursor_skips_omitted"`, `"claimed_counts"` …
    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    /// Where in the input, in bytes of UTF-8, if anywhere.
    #[getter]
    fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The pointer or the name concerned; may be empty.
    #[getter]
    fn subject(&self) -> &str {
        &self.subject
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &state::to_json(self))
    }

    fn __str__(&self) -> &str {
        &self.kind
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let offset = self.offset.map_or_else(String::new, |o| format!(", offset={o}"));
        let subject = if self.subject.is_empty() { String::new() } else { format!(", {}", quoted(py, &self.subject)?) };
        Ok(format!("Warning({}{subject}{offset})", self.kind))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Warning", state::to_json(self))
    }
}

/// What became of neighbouring records of one list: `range(start, stop)`, from 0.
#[pyclass(frozen, eq, hash, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Run {
    list: String,
    from: usize,
    to: usize,
    action: String,
    reason: String,
    source_bytes: usize,
    text_range: (usize, usize),
}

impl From<&haversack::Run> for Run {
    fn from(r: &haversack::Run) -> Self {
        Run {
            list: r.list().to_owned(),
            from: r.from(),
            to: r.to(),
            action: r.action().name().to_owned(),
            reason: r.reason().name().to_owned(),
            source_bytes: r.source_bytes(),
            text_range: (r.text_range().start, r.text_range().end),
        }
    }
}

#[pymethods]
impl Run {
    /// Pointer of the list.
    #[getter]
    fn list(&self) -> &str {
        &self.list
    }

    /// First record of the run (`from` in JSON, which is a keyword here).
    #[getter]
    fn start(&self) -> usize {
        self.from
    }

    /// One past its last record (`to` in JSON).
    #[getter]
    fn stop(&self) -> usize {
        self.to
    }

    /// `"keep"`, `"shrink"` or `"omit"`.
    #[getter]
    fn action(&self) -> &str {
        &self.action
    }

    /// `"fits"`, `"budget"`, `"oversize"`, `"off_page"` or `"repeats"`.
    #[getter]
    fn reason(&self) -> &str {
        &self.reason
    }

    /// Bytes of the run in the input.
    #[getter]
    fn source_bytes(&self) -> usize {
        self.source_bytes
    }

    /// Where it stands in the text, `(start, stop)` in bytes of UTF-8; empty when it was omitted.
    #[getter]
    fn text_range(&self) -> (usize, usize) {
        self.text_range
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &state::to_json(self))
    }

    fn __len__(&self) -> usize {
        self.to.saturating_sub(self.from)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Run { from, to, action, reason, .. } = self;
        Ok(format!("Run({} {from}..{to} {action}, {reason})", quoted(py, &self.list)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Run", state::to_json(self))
    }
}
