//! What a ledger answers: facts, where they were stated, and what was extracted.

use haversack::FactKind;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::account::{Account, quoted};
use crate::state::{self, Reduced};

/// One value of a key, as a ledger had it when it was asked.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fact {
    /// Its key, as it was given.
    #[pyo3(get)]
    key: String,
    value: String,
    kind: FactKind,
    /// Where it comes from: of several sightings the most trusted one, of these a verified one, of these the
    /// first.
    #[pyo3(get)]
    source: String,
    /// When it was stated there.
    #[pyo3(get)]
    turn: Option<u64>,
    /// Whether the host checked it.
    #[pyo3(get)]
    verified: bool,
    /// Whether another value took its place.
    #[pyo3(get)]
    superseded: bool,
    /// Its other sightings, in the order in which they came; of one kind of source the first eight.
    #[pyo3(get)]
    also: Vec<Sighting>,
}

impl From<haversack::Fact> for Fact {
    fn from(it: haversack::Fact) -> Self {
        Fact {
            key: it.key,
            value: it.value,
            kind: it.kind,
            source: it.source.as_str().to_owned(),
            turn: it.turn,
            verified: it.verified,
            superseded: it.superseded,
            also: it.also.into_iter().map(Sighting::from).collect(),
        }
    }
}

impl Fact {
    pub(crate) fn evidence(&self) -> haversack::Evidence {
        haversack::Evidence {
            origin: haversack::Origin::Fact,
            source: haversack::Source::parse(&self.source),
            verified: self.verified,
            superseded: self.superseded,
        }
    }
}

#[pymethods]
impl Fact {
    /// The value as `json.loads` reads it.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.value)
    }

    /// The value as JSON, in the spelling in which it was recorded.
    #[getter]
    fn json(&self) -> &str {
        &self.value
    }

    /// What it is.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// Every member as JSON; `value` is a string that holds JSON, so that no reader changes its spelling.
    fn to_json(&self) -> String {
        state::to_json(self)
    }

    /// What `to_json` says as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (key, json, source) = (quoted(py, &self.key)?, quoted(py, &self.value)?, quoted(py, &self.source)?);
        let superseded = if self.superseded { ", superseded=True" } else { "" };
        Ok(format!("Fact(key={key}, json={json}, kind='{}', source={source}{superseded})", self.kind.name()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Fact", self.to_json())
    }
}

/// One more time that a value was stated.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sighting {
    /// Where.
    source: String,
    /// When.
    turn: Option<u64>,
    /// Whether the host checked it there.
    verified: bool,
}

impl From<haversack::Sighting> for Sighting {
    fn from(it: haversack::Sighting) -> Self {
        Sighting { source: it.source.as_str().to_owned(), turn: it.turn, verified: it.verified }
    }
}

#[pymethods]
impl Sighting {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let turn = self.turn.map_or_else(|| "None".to_owned(), |turn| turn.to_string());
        let verified = if self.verified { "True" } else { "False" };
        Ok(format!("Sighting(source={}, turn={turn}, verified={verified})", quoted(py, &self.source)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Sighting", state::to_json(self))
    }
}

/// A result of which the fields that were asked for are recorded: now it may leave the prompt.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extracted {
    /// The keys that were recorded, in the order of the pointers.
    #[pyo3(get)]
    keys: Vec<String>,
    /// One line that can stand in the place of the result; `str()` gives it, too.
    #[pyo3(get)]
    text: String,
    account: haversack::Account,
}

impl From<haversack::Extracted> for Extracted {
    fn from(it: haversack::Extracted) -> Self {
        Extracted { keys: it.keys().to_vec(), text: it.text().to_owned(), account: it.account().clone() }
    }
}

#[pymethods]
impl Extracted {
    /// The books: one record, shrunk; the bytes of the recorded values are kept, the others omitted.
    #[getter]
    fn account(&self) -> Account {
        (&self.account).into()
    }

    /// `keys`, `text` and `account` as JSON.
    fn to_json(&self) -> String {
        state::to_json(self)
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Extracted {}>", quoted(py, &self.keys.join(", "))?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Extracted", self.to_json())
    }
}

/// What each place of a ledger costs this turn, in tokens that a provider has to read anew.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlacementCosts {
    /// Behind everything that is cached: the news on the newest message.
    low: usize,
    /// In the system message: its text from the first changed byte on, and all that stands behind it.
    system: usize,
}

impl From<[haversack::PlacementCost; 2]> for PlacementCosts {
    fn from([low, system]: [haversack::PlacementCost; 2]) -> Self {
        PlacementCosts { low: low.tokens, system: system.tokens }
    }
}

#[pymethods]
impl PlacementCosts {
    fn __repr__(&self) -> String {
        format!("PlacementCosts(low={}, system={})", self.low, self.system)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "PlacementCosts", state::to_json(self))
    }
}
