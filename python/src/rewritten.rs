//! What a cut and a repair give back: the caller's own dicts wherever nothing changed.

use std::borrow::Cow;
use std::sync::OnceLock;

use haversack::Budget;
use haversack::history::{KeepAtMost, OutMessage};
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::{Deserialize, Serialize};

use crate::budget::Counter;
use crate::history::{History, Violation};
use crate::state::{self, Reduced, to_python};

/// The resulting messages as dicts: the caller's own objects where they stay as they are.
fn messages<'py>(py: Python<'py>, history: &Py<History>, out: &[OutMessage]) -> PyResult<Bound<'py, PyList>> {
    let history = history.get();
    let given = history.given.as_ref().map(|given| given.bind(py));
    let list = PyList::empty(py);
    for message in out {
        let own = match (given, message.source) {
            (Some(given), Some(source)) if message.is_untouched() => given.get_item(source).ok(),
            _ => None,
        };
        match own {
            Some(own) => list.append(own)?,
            None => list.append(to_python(py, history.core.text_of(message))?)?,
        }
    }
    Ok(list)
}

/// For every resulting message the one it comes from (or `None`) and its new JSON text (or `None` when unchanged).
fn plan<'py>(py: Python<'py>, out: &[OutMessage]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    crate::records::PLAN_ENTRY.list(py, out.iter().map(|message| (message.source, message.text.as_deref())))
}

/// A cut of a history.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Cut {
    core: haversack::history::Cut,
    history: Py<History>,
    /// What counts the whole, where that was left for later, and the cut with it.
    uncounted: Option<Counter>,
    counted: OnceLock<haversack::history::Cut>,
}

impl Cut {
    pub(crate) fn new(core: haversack::history::Cut, history: Py<History>, uncounted: Option<Counter>) -> Self {
        Cut { core, history, uncounted, counted: OnceLock::new() }
    }

    /// The cut with the size of the whole.
    fn counted(&self, py: Python<'_>) -> PyResult<&haversack::history::Cut> {
        let Some(counter) = &self.uncounted else { return Ok(&self.core) };
        if self.counted.get().is_none() {
            let history = &self.history.get().core;
            let size = counter.run(py, usize::MAX, |counter| match counter {
                Some(counter) => history.size(KeepAtMost::Size(Budget::tokens(0, counter))),
                None => Ok(0),
            })?;
            // Two threads count the same.
            let _ = self.counted.set(self.core.clone().with_size_before(size));
        }
        Ok(self.counted.get().unwrap_or(&self.core))
    }
}

#[pymethods]
impl Cut {
    /// The first message that is kept for its place: the system prompt and pins come before it.
    #[getter]
    fn index(&self) -> usize {
        self.core.index
    }

    /// Why here: one sentence.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<&str> {
        Ok(&self.counted(py)?.reason)
    }

    /// The messages kept, by index.
    #[getter]
    fn kept(&self) -> Vec<usize> {
        self.core.kept.clone()
    }

    /// The messages dropped, by index.
    #[getter]
    fn dropped(&self) -> Vec<usize> {
        self.core.dropped.clone()
    }

    /// Size of the whole history, in the unit of the budget.
    #[getter]
    fn size_before(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.counted(py)?.size_before)
    }

    /// Size of what is kept.
    #[getter]
    fn size_after(&self) -> usize {
        self.core.size_after
    }

    /// What leaves kept messages with the cut: thinking bound to what is dropped, ids that the server gave.
    #[getter]
    fn strip<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        crate::records::STRIP
            .list(py, self.core.strip.iter().map(|strip| (strip.index, strip.path.as_str(), strip.what)))
    }

    /// Results made smaller inside a step that has to stay.
    #[getter]
    fn reduced<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        crate::records::REDUCED
            .list(py, self.core.reduced.iter().map(|r| (r.index, r.path.as_str(), r.before, r.after)))
    }

    /// What happens to the turn of roles: `"opens_with_user"`, `"opens_with_assistant"` or `"opens_with_pinned"`.
    #[getter]
    fn alternation(&self) -> &'static str {
        self.core.alternation.name()
    }

    /// The history after the cut, as dicts: your own objects where they stay as they are.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        messages(py, &self.history, self.core.messages())
    }

    /// For every resulting message the index it comes from and its new JSON text; see `PlanEntry`.
    #[getter]
    fn plan<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        plan(py, self.core.messages())
    }

    /// The whole text after the cut: a body stays a body, a list a list.
    #[getter]
    fn text(&self) -> String {
        self.history.get().core.cut_text(&self.core)
    }

    fn __repr__(&self) -> String {
        format!("Cut(index={}, kept={}, dropped={})", self.core.index, self.core.kept.len(), self.core.dropped.len())
    }
}

/// Nothing was cut, and why: `"fits"` or `"no_safe_index"`. It is false.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NothingToCut {
    /// Why.
    #[pyo3(get)]
    pub(crate) reason: Cow<'static, str>,
}

#[pymethods]
impl NothingToCut {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "NothingToCut", state::to_json(self))
    }

    #[allow(clippy::unused_self)] // a method of Python
    fn __bool__(&self) -> bool {
        false
    }

    fn __repr__(&self) -> String {
        format!("NothingToCut(reason={:?})", self.reason)
    }
}

/// A repaired history.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Repair {
    pub(crate) core: haversack::history::Repair,
    pub(crate) history: Py<History>,
}

#[pymethods]
impl Repair {
    /// What was changed and why; empty when nothing was.
    #[getter]
    fn changes(&self) -> Vec<Change> {
        self.core.changes.iter().cloned().map(Change::from).collect()
    }

    /// What no change of the messages mends: a limit, tools that the request does not declare, thinking that was
    /// lost; empty as a rule. Indices and paths are those of the resulting messages.
    #[getter]
    fn remaining(&self) -> Vec<Violation> {
        self.core.remaining.iter().cloned().map(Violation::from).collect()
    }

    /// The history after the repair, as dicts: your own objects where they stay as they are.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        messages(py, &self.history, self.core.messages())
    }

    /// For every resulting message the index it comes from and its new JSON text; see `PlanEntry`.
    #[getter]
    fn plan<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        plan(py, self.core.messages())
    }

    /// The whole text after the repair: a body stays a body, a list a list; unchanged it is the text that was
    /// given.
    #[getter]
    fn text(&self) -> String {
        self.history.get().core.repair_text(&self.core)
    }

    fn __repr__(&self) -> String {
        format!("Repair(changes={}, remaining={})", self.core.changes.len(), self.core.remaining.len())
    }
}

/// One change of a repair.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// What was done: `"drop"`, `"synthesise"`, `"strip"`, `"hoist"`, `"push"`, `"merge"`, `"rename"` or
    /// `"fill"`.
    #[pyo3(get)]
    action: Cow<'static, str>,
    /// The kind of violation that it mends.
    #[pyo3(get)]
    violation: Cow<'static, str>,
    /// The message of the input concerned.
    #[pyo3(get)]
    index: usize,
    /// JSON pointer inside the list of messages of the input.
    #[pyo3(get)]
    path: String,
    /// One sentence.
    #[pyo3(get)]
    message: String,
}

impl From<haversack::history::Change> for Change {
    fn from(core: haversack::history::Change) -> Self {
        let haversack::history::Change { action, violation, index, path, message, .. } = core;
        Change { action: action.name().into(), violation: violation.name().into(), index, path, message }
    }
}

#[pymethods]
impl Change {
    fn __repr__(&self) -> String {
        format!("Change({} for {} at {:?})", self.action, self.violation, self.path)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Change", state::to_json(self))
    }
}
