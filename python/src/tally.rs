//! `haversack.Tally`: the books of a run.

use pyo3::prelude::*;
use pyo3::types::PyType;
use serde::{Deserialize, Serialize};

use crate::account::{Account, Counts, quoted};
use crate::arguments::{self, Given, required};
use crate::error::raise;
use crate::json::written_as;
use crate::shared::Shared;
use crate::state::{self, Reduced};

/// The books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls.
///
/// >>> tally = haversack.Tally()
/// >>> d = haversack.deliver([{"id": i} for i in range(200)], chars=400)
/// >>> tally.add("delivery", d.account, recoverable=True)
/// >>> tally.sums("delivery").records.total, tally.sums("delivery").lost
/// (200, 0)
#[pyclass(frozen, module = "haversack")]
#[derive(Debug, Default)]
pub(crate) struct Tally(Shared<haversack::Tally>);

impl Tally {
    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        haversack::Tally::from_json(json).map(|tally| Tally(Shared::new(tally))).map_err(|e| raise(py, &e))
    }
}

/// What `Account.to_dict` gives, or the counts of the records alone.
#[derive(Deserialize)]
struct Books {
    #[serde(flatten)]
    records: haversack::Counts,
    #[serde(default)]
    bytes: haversack::Counts,
}

/// Books that may be open: the tally says by how much.
fn books(value: &Bound<'_, PyAny>) -> PyResult<haversack::Account> {
    let refused = || arguments::wrong("account", "an Account, or a dict of its counts", value);
    if let Ok(account) = value.cast::<Account>() {
        return account.get().to_core().ok_or_else(refused);
    }
    if let Ok(counts) = value.cast::<Counts>() {
        return Ok(haversack::Account::new(counts.get().0, haversack::Counts::default(), 0, None));
    }
    let json = written_as("account", value)?;
    if let Ok(Books { records, bytes }) = serde_json::from_str(&json) {
        return Ok(haversack::Account::new(records, bytes, 0, None));
    }
    // As the core writes it into a rendering.
    serde_json::from_str(&json).map_err(|_| refused())
}

#[pymethods]
impl Tally {
    #[new]
    fn new() -> Self {
        Tally::default()
    }

    /// Adds the account of one call. Where it raises, the books are unchanged.
    ///
    /// Args:
    ///     boundary: Where it was: `"delivery"`, `"field_filter"`, `"offload"`, `"clear"`, `"summarise"`, `"memory"`,
    ///         `"loadout"` or `"handoff"`.
    ///     account: The books: an `Account`, its `to_dict()`, the `account` in the `to_dict()` of what has one, or the
    ///         counts of the records alone.
    ///     recoverable: Whether what was omitted can still be fetched, since the host has the source. (What was
    ///         offloaded can be.) Default: False.
    ///
    /// Raises:
    ///     OptionsError: `open_books`: the parts do not sum to the total; `limit_exceeded`: a sum would pass 2^53.
    #[pyo3(signature = (boundary, account, /, *, recoverable=None))]
    fn add(
        &self,
        py: Python<'_>,
        boundary: &Bound<'_, PyAny>,
        account: &Bound<'_, PyAny>,
        recoverable: Given<'_, '_>,
    ) -> PyResult<()> {
        let Some(boundary) = arguments::choice("boundary", Some(boundary))? else {
            return Ok(());
        };
        let recoverable = arguments::flag("recoverable", recoverable)?.unwrap_or_default();
        let account = books(account)?;
        let added = self.0.write(|tally| tally.add(boundary, &account, recoverable));
        added.map_err(|e| raise(py, &e))
    }

    /// Says of a key that was there before a boundary whether it was there afterwards.
    ///
    /// Raises:
    ///     OptionsError: `limit_exceeded`: a key longer than 1,024 bytes, or one more than 4,096 different ones.
    #[pyo3(signature = (key, arrived, /))]
    fn seen(&self, py: Python<'_>, key: &Bound<'_, PyAny>, arrived: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = required("key", key)?;
        let arrived = arguments::flag("arrived", Some(arrived))?.unwrap_or_default();
        let seen = self.0.write(|tally| tally.seen(&key, arrived));
        seen.map_err(|e| raise(py, &e))
    }

    /// Those that something went through, in one order.
    #[getter]
    fn boundaries(&self) -> Vec<&'static str> {
        self.0.now().boundaries().map(|(boundary, _)| boundary.name()).collect()
    }

    /// The sums of a boundary; `None` where nothing went through.
    #[pyo3(signature = (boundary, /))]
    fn sums(&self, boundary: &Bound<'_, PyAny>) -> PyResult<Option<Sums>> {
        let boundary = arguments::choice("boundary", Some(boundary))?;
        Ok(boundary.and_then(|boundary| self.0.read(|tally| tally.sums(boundary))).map(Sums))
    }

    /// How often each key arrived, the rarest first.
    fn survival(&self) -> Vec<Survival> {
        self.0.now().survival().into_iter().map(Survival::from).collect()
    }

    /// One line a boundary with its records, then one line a key, the rarest first. Keys are escaped and cut to 120
    /// characters.
    fn table(&self) -> String {
        self.0.now().table()
    }

    /// The boundaries as a picture: one bar each, of what was kept, shrunk, can be fetched and is lost.
    fn to_svg(&self) -> String {
        self.0.now().to_svg()
    }

    /// The books as compact JSON.
    fn to_json(&self) -> String {
        self.0.now().to_json()
    }

    /// Reads what `to_json` wrote.
    ///
    /// Raises:
    ///     StateError: `invalid_state`: no such JSON (`offset`), another version, or books that cannot be (`index`).
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Tally::from_text(py, &required("text", text)?)
    }

    /// Books of their own with the same sums. Costs nothing until one of them changes.
    fn copy(&self) -> Self {
        Tally(self.0.copy())
    }

    fn __repr__(&self) -> String {
        let tally = self.0.now();
        let sums = tally.boundaries().map(|(boundary, sums)| format!("{}={}", boundary.name(), sums.calls));
        format!("Tally({})", sums.collect::<Vec<_>>().join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Tally", self.to_json())
    }
}

/// The sums of one boundary.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sums(haversack::Sums);

#[pymethods]
impl Sums {
    /// How often something went through.
    #[getter]
    fn calls(&self) -> u64 {
        self.0.calls
    }

    /// Records: they close.
    #[getter]
    fn records(&self) -> Counts {
        Counts(self.0.records)
    }

    /// Bytes of the source: they close.
    #[getter]
    fn bytes(&self) -> Counts {
        Counts(self.0.bytes)
    }

    /// Of the records that are offloaded or omitted, those that can still be fetched.
    #[getter]
    fn recoverable(&self) -> u64 {
        self.0.recoverable
    }

    /// The same in bytes.
    #[getter]
    fn recoverable_bytes(&self) -> u64 {
        self.0.recoverable_bytes
    }

    /// Records that nobody can fetch any more. (Shrunk ones are there in part.)
    #[getter]
    fn lost(&self) -> u64 {
        self.0.lost()
    }

    fn __repr__(&self) -> String {
        let (s, r) = (&self.0, &self.0.records);
        format!("Sums(calls={}, total={}, kept={}, lost={})", s.calls, r.total, r.kept, s.lost())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Sums", state::to_json(self))
    }
}

/// How often a key arrived.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Survival {
    /// The key.
    key: String,
    /// In how many calls it was there before.
    calls: u64,
    /// In how many of them it was there afterwards.
    arrived: u64,
    /// Arrived of calls in parts per 10,000, rounded down.
    per_10_000: u64,
    /// Whether it almost never arrives: in less than one of 20, over at least 20 calls.
    rare: bool,
}

impl From<haversack::Survival> for Survival {
    fn from(it: haversack::Survival) -> Self {
        Survival { key: it.key, calls: it.calls, arrived: it.arrived, per_10_000: it.per_10_000, rare: it.rare }
    }
}

#[pymethods]
impl Survival {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let rare = if self.rare { ", rare=True" } else { "" };
        Ok(format!("Survival({}, calls={}, arrived={}{rare})", quoted(py, &self.key)?, self.calls, self.arrived))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Survival", state::to_json(self))
    }
}
