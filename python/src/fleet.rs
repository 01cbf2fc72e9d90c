//! `haversack.Fleet` counts workers, and `session_files` writes what a session leaves for the next one.

use std::sync::Arc;

use haversack::HandoffKind;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyString};
use serde::{Deserialize, Serialize};

use crate::account::{Account, quoted};
use crate::arguments::{self, Given, required};
use crate::error::raise;
use crate::handoff::Handoff;
use crate::ledger::Ledger;
use crate::shared::Shared;
use crate::state::{self, Reduced};

/// How many workers handed back what: a silent one is counted as silent, never as one that found nothing.
///
/// >>> fleet = haversack.Fleet()
/// >>> for answer in ('{"kind": "empty", "looked": ["logs"]}', "", None):
/// ...     fleet.add(haversack.Handoff.parse(answer))
/// >>> fleet.total, fleet.count("empty"), fleet.count("silent")
/// (3, 1, 2)
#[pyclass(frozen, module = "haversack")]
#[derive(Debug, Default)]
pub(crate) struct Fleet(Shared<haversack::Fleet>);

impl Fleet {
    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        let Counted { counts, bytes } = state::from_json(py, json)?;
        let fleet = haversack::Fleet::from_counts(&counts, &bytes).map_err(|e| raise(py, &e))?;
        Ok(Fleet(Shared::new(fleet)))
    }
}

/// What a pickled fleet is.
#[derive(Serialize, Deserialize)]
struct Counted {
    counts: Vec<(HandoffKind, u64)>,
    bytes: haversack::Counts,
}

#[pymethods]
impl Fleet {
    #[new]
    fn new() -> Self {
        Fleet::default()
    }

    /// Counts a worker.
    #[pyo3(signature = (handoff, /))]
    fn add(&self, handoff: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(given) = handoff.cast::<Handoff>() else {
            return Err(arguments::wrong("handoff", "a Handoff", handoff));
        };
        self.0.write(|fleet| fleet.add(&given.get().core));
        Ok(())
    }

    /// How many handed back this.
    ///
    /// Raises:
    ///     OptionsError: There is no such kind.
    #[pyo3(signature = (kind, /))]
    fn count(&self, kind: &Bound<'_, PyAny>) -> PyResult<u64> {
        let kind = arguments::choice("kind", Some(kind))?;
        Ok(kind.map_or(0, |kind| self.0.read(|fleet| fleet.count(kind))))
    }

    /// How many workers there were.
    #[getter]
    fn total(&self) -> u64 {
        self.0.read(haversack::Fleet::total)
    }

    /// The books of this boundary, for `Tally.add`: workers as records, what they returned in bytes; findings and
    /// explicit nothings are kept, all others omitted.
    #[getter]
    fn account(&self) -> Account {
        Account::from(&self.0.read(haversack::Fleet::account))
    }

    /// `{"total": n, "findings": n, …}` with every kind.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    /// The same as compact JSON.
    fn to_json(&self) -> String {
        self.0.read(haversack::Fleet::to_json)
    }

    /// One line a kind, and the total first.
    fn table(&self) -> String {
        self.0.read(haversack::Fleet::table)
    }

    /// A fleet of its own with the same counts.
    fn copy(&self) -> Self {
        Fleet(self.0.copy())
    }

    fn __repr__(&self) -> String {
        let fleet = self.0.now();
        let kinds = HandoffKind::ALL.iter().filter(|kind| fleet.count(**kind) > 0);
        let shown: Vec<String> = kinds.map(|kind| format!(", {}={}", kind.name(), fleet.count(*kind))).collect();
        format!("Fleet(total={}{})", fleet.total(), shown.concat())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let fleet = self.0.now();
        let counts = HandoffKind::ALL.iter().map(|kind| (*kind, fleet.count(*kind))).collect();
        state::reduce(py, "Fleet", state::to_json(&Counted { counts, bytes: *fleet.account().bytes() }))
    }
}

/// Something that is to work in the end, and whether it does.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Feature {
    /// What is to work.
    name: String,
    /// Whether it does.
    passes: bool,
}

#[pymethods]
impl Feature {
    #[new]
    #[pyo3(signature = (name, passes))]
    fn new(name: &Bound<'_, PyAny>, passes: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = required("name", name)?.to_string();
        let passes = arguments::flag("passes", Some(passes))?.unwrap_or_default();
        Ok(Feature { name, passes })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let passes = if self.passes { "True" } else { "False" };
        Ok(format!("Feature({}, passes={passes})", quoted(py, &self.name)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Feature", state::to_json(self))
    }
}

/// A file for the next session.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionFile {
    /// `"progress.md"`, `"features.json"` or `"ledger.json"`.
    name: String,
    /// What is in it.
    text: String,
}

#[pymethods]
impl SessionFile {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("SessionFile('{}', {} bytes)", self.name, self.text.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "SessionFile", state::to_json(self))
    }
}

/// The three files that a session leaves for the next one: `progress.md` to be read, `features.json`
/// (`read_features`) and `ledger.json` to be loaded.
///
/// Args:
///     date: The day, `YYYY-MM-DD`.
///     goal: What is to be reached.
///     done: What is done, one line each.
///     next: What is next, one line each.
///     features: What is to work, and whether it does.
///     ledger: The facts: a ledger, or what its `to_json()` wrote. Default: an empty one.
///
/// Raises:
///     OptionsError: A `date` that is none, an argument of another type.
///     StateError: `invalid_state`: the text is not that of a ledger.
#[pyfunction]
#[pyo3(signature = (date, goal, /, *, done=None, next=None, features=None, ledger=None))]
pub(crate) fn session_files(
    py: Python<'_>,
    date: &Bound<'_, PyAny>,
    goal: &Bound<'_, PyAny>,
    done: Given<'_, '_>,
    next: Given<'_, '_>,
    features: Given<'_, '_>,
    ledger: Given<'_, '_>,
) -> PyResult<Vec<SessionFile>> {
    let (date, goal) = (required("date", date)?, required("goal", goal)?);
    let (done, next) = (arguments::texts("done", done)?, arguments::texts("next", next)?);
    let lines = |texts: &[PyBackedStr]| texts.iter().map(ToString::to_string).collect::<Vec<String>>();
    let (done, next) = (lines(&done), lines(&next));
    let (done, next): (Vec<&str>, Vec<&str>) =
        (done.iter().map(String::as_str).collect(), next.iter().map(String::as_str).collect());
    let features = read_pairs(features)?;
    let ledger = ledger_of(py, ledger)?;
    let files = haversack::session_files(&date, &goal, &done, &next, &features, &ledger).map_err(|e| raise(py, &e))?;
    Ok(files.into_iter().map(|file| SessionFile { name: file.name, text: file.text }).collect())
}

/// Reads a `features.json`.
///
/// Raises:
///     StateError: `invalid_state`, with the `offset` where it is none.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_features(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Vec<Feature>> {
    let text = required("text", text)?;
    let features = haversack::read_features(&text).map_err(|e| raise(py, &e))?;
    Ok(features.into_iter().map(|it| Feature { name: it.name, passes: it.passes }).collect())
}

/// A list of `Feature` or pairs, or a dict.
fn read_pairs(given: Given<'_, '_>) -> PyResult<Vec<haversack::Feature>> {
    let Some(value) = given else {
        return Ok(Vec::new());
    };
    let refused = || arguments::wrong("features", "a list of Feature, or a dict of bool by name", value);
    if value.is_instance_of::<PyString>() {
        return Err(refused());
    }
    let items = match value.cast::<PyDict>() {
        Ok(dict) => dict.items().into_any(),
        Err(_) => value.clone(),
    };
    let mut features = Vec::new();
    for item in items.try_iter().map_err(|_| refused())? {
        let item = item?;
        if let Ok(feature) = item.cast::<Feature>() {
            let it = feature.get().clone();
            features.push(haversack::Feature { name: it.name, passes: it.passes });
            continue;
        }
        let Ok((name, passes)) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
            return Err(refused());
        };
        let it = Feature::new(&name, &passes)?;
        features.push(haversack::Feature { name: it.name, passes: it.passes });
    }
    Ok(features)
}

/// A ledger, or the text of one; an empty one where none is given.
pub(crate) fn ledger_of(py: Python<'_>, given: Given<'_, '_>) -> PyResult<Arc<haversack::Ledger>> {
    let Some(value) = given else { return Ok(Arc::default()) };
    if let Ok(ledger) = value.cast::<Ledger>() {
        return Ok(ledger.get().now());
    }
    if !value.is_instance_of::<PyString>() {
        return Err(arguments::wrong("ledger", "a Ledger or what its to_json() wrote", value));
    }
    let text = required("ledger", value)?;
    haversack::Ledger::from_json(&text).map(Arc::new).map_err(|e| raise(py, &e))
}
