//! What a memory answers: its items, what a search found, its books, and what goes into a dated file.

use std::borrow::Cow;

use haversack::{Remembered, Timing};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::account::{Account, quoted};
use crate::state::{self, Reduced};

/// A memory: a text with its sources, as it was when it was asked for.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MemoryItem {
    /// Its number in this memory, for good.
    #[pyo3(get)]
    id: u64,
    /// The text, as it was said first.
    #[pyo3(get)]
    text: String,
    /// Where it comes from: of all times that it was said, the one that ranks first.
    #[pyo3(get)]
    source: String,
    /// How much it matters, said there, 0 to 9.
    #[pyo3(get)]
    importance: u8,
    /// When it was said there, in seconds.
    #[pyo3(get)]
    at: u64,
    timing: Timing,
    /// The other times that it was said: one a source, of one kind of source the best eight.
    #[pyo3(get)]
    also: Vec<Said>,
}

impl From<haversack::MemoryItem> for MemoryItem {
    fn from(it: haversack::MemoryItem) -> Self {
        MemoryItem {
            id: it.id,
            text: it.text,
            source: it.source.as_str().to_owned(),
            importance: it.importance,
            at: it.at,
            timing: it.timing,
            also: it.also.into_iter().map(Said::from).collect(),
        }
    }
}

impl MemoryItem {
    pub(crate) fn evidence(&self) -> haversack::Evidence {
        crate::grounds::of_memory(&self.source)
    }
}

#[pymethods]
impl MemoryItem {
    /// When it was written there.
    #[getter]
    fn timing(&self) -> &'static str {
        self.timing.name()
    }

    /// Every member as JSON.
    fn to_json(&self) -> String {
        state::to_json(self)
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (text, source) = (quoted(py, &self.text)?, quoted(py, &self.source)?);
        Ok(format!("MemoryItem(id={}, text={text}, source={source}, importance={})", self.id, self.importance))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "MemoryItem", self.to_json())
    }
}

/// One more time that a text was said.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Said {
    /// By whom, or where it stood.
    #[pyo3(get)]
    source: String,
    /// How much it matters, 0 to 9.
    #[pyo3(get)]
    importance: u8,
    /// When, in seconds.
    #[pyo3(get)]
    at: u64,
    timing: Timing,
}

impl From<haversack::Said> for Said {
    fn from(it: haversack::Said) -> Self {
        Said { source: it.source.as_str().to_owned(), importance: it.importance, at: it.at, timing: it.timing }
    }
}

#[pymethods]
impl Said {
    /// When it was written.
    #[getter]
    fn timing(&self) -> &'static str {
        self.timing.name()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let source = quoted(py, &self.source)?;
        let timing = self.timing.name();
        Ok(format!("Said(source={source}, importance={}, at={}, timing='{timing}')", self.importance, self.at))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Said", state::to_json(self))
    }
}

/// A memory that a search found.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hit {
    #[serde(flatten)]
    /// The memory, with its sources.
    #[pyo3(get)]
    pub(crate) item: MemoryItem,
    /// How well it fits, in 1/1024.
    #[pyo3(get)]
    score: u64,
}

impl From<haversack::Hit> for Hit {
    fn from(it: haversack::Hit) -> Self {
        Hit { item: it.item.into(), score: it.score }
    }
}

#[pymethods]
impl Hit {
    /// The number of the memory.
    #[getter]
    fn id(&self) -> u64 {
        self.item.id
    }

    /// Its text.
    #[getter]
    fn text(&self) -> &str {
        &self.item.text
    }

    /// Where it comes from.
    #[getter]
    fn source(&self) -> &str {
        &self.item.source
    }

    /// The members of the memory and `score` as JSON.
    fn to_json(&self) -> String {
        state::to_json(self)
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (text, source) = (quoted(py, &self.item.text)?, quoted(py, &self.item.source)?);
        Ok(format!("<Hit {}: {text}, source={source}, score={}>", self.item.id, self.score))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Hit", self.to_json())
    }
}

/// What became of a text that was added, and of the memory that went for it.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Added {
    outcome: Remembered,
    /// Its number; `None` where it was refused.
    #[pyo3(get)]
    id: Option<u64>,
    /// The memory that went for it.
    #[pyo3(get)]
    evicted: Option<MemoryItem>,
    /// How many memories there are above the cap.
    #[pyo3(get)]
    over: u64,
}

impl From<haversack::Added> for Added {
    fn from(it: haversack::Added) -> Self {
        Added { outcome: it.outcome, id: it.id, evicted: it.evicted.map(MemoryItem::from), over: it.over }
    }
}

#[pymethods]
impl Added {
    /// `"added"`; `"merged"`, it was there already; `"evicted"`, another has gone for it; `"refused"`, it is not
    /// stored; `"over_cap"`, it is one too many.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.outcome.name()
    }

    /// `outcome`, `id`, `evicted` and `over` as JSON.
    fn to_json(&self) -> String {
        state::to_json(self)
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __repr__(&self) -> String {
        let id = self.id.map_or_else(|| "None".to_owned(), |id| id.to_string());
        format!("<Added {}: id {id}, over {}>", self.outcome(), self.over)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Added", self.to_json())
    }
}

/// The books of a memory: `offered = held + merged + declined + refused + evicted + forgotten`.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MemoryCounts {
    /// Texts that were added or declined.
    offered: u64,
    /// Texts that are held.
    held: u64,
    /// Texts that were there already.
    merged: u64,
    /// Texts that the host's own filter kept out.
    declined: u64,
    /// Texts that the cap kept out.
    refused: u64,
    /// Memories that went for others.
    evicted: u64,
    /// Memories that were forgotten.
    forgotten: u64,
}

impl From<&haversack::MemoryCounts> for MemoryCounts {
    fn from(it: &haversack::MemoryCounts) -> Self {
        MemoryCounts {
            offered: it.offered,
            held: it.held,
            merged: it.merged,
            declined: it.declined,
            refused: it.refused,
            evicted: it.evicted,
            forgotten: it.forgotten,
        }
    }
}

#[pymethods]
impl MemoryCounts {
    /// Every member under its name.
    #[allow(clippy::wrong_self_convention)] // a method of Python takes a reference
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &state::to_json(self))
    }

    fn __repr__(&self) -> String {
        let named = [
            ("held", self.held),
            ("merged", self.merged),
            ("declined", self.declined),
            ("refused", self.refused),
            ("evicted", self.evicted),
            ("forgotten", self.forgotten),
        ];
        let mut out = format!("MemoryCounts(offered={}", self.offered);
        for (name, n) in named.iter().filter(|(_, n)| *n > 0) {
            out.push_str(&format!(", {name}={n}"));
        }
        out.push(')');
        out
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "MemoryCounts", state::to_json(self))
    }
}

/// Lines for the end of a dated file.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FlushFile {
    /// `memory/YYYY-MM-DD.md`, relative to wherever the host keeps it.
    #[pyo3(get)]
    name: String,
    /// What to append: a heading and one line a memory, with a line feed at its end.
    #[pyo3(get)]
    text: String,
    account: haversack::Account,
}

impl From<haversack::FlushFile> for FlushFile {
    fn from(it: haversack::FlushFile) -> Self {
        FlushFile { name: it.name, text: it.text, account: it.account }
    }
}

#[pymethods]
impl FlushFile {
    /// The books: all are kept.
    #[getter]
    fn account(&self) -> Account {
        (&self.account).into()
    }

    /// `name`, `text` and `account` as JSON.
    fn to_json(&self) -> String {
        state::to_json(self)
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<FlushFile {}: {} memories>", quoted(py, &self.name)?, self.account.records().total))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "FlushFile", self.to_json())
    }
}

/// A message that asks the model to write down what will still matter.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FlushRequest {
    /// The file it is asked to write to.
    name: String,
    /// The message; `str()` gives it, too.
    text: String,
    /// The answer that is not to be shown to anyone.
    silent: Cow<'static, str>,
}

impl From<haversack::FlushRequest> for FlushRequest {
    fn from(it: haversack::FlushRequest) -> Self {
        FlushRequest { name: it.name, text: it.text, silent: it.silent.into() }
    }
}

#[pymethods]
impl FlushRequest {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<FlushRequest {}>", quoted(py, &self.name)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "FlushRequest", state::to_json(self))
    }
}
