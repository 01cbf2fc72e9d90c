//! The books, read-only.

use pyo3::prelude::*;
use pyo3::types::PyType;
use serde::{Deserialize, Serialize};

use crate::arguments;
use crate::state::{self, Reduced};

/// What became of a number of records, or of their bytes: `total = kept + shrunk + offloaded + omitted`.
#[pyclass(frozen, eq, hash, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Counts(pub(crate) haversack::Counts);

#[pymethods]
impl Counts {
    #[getter]
    fn total(&self) -> u64 {
        self.0.total
    }

    #[getter]
    fn kept(&self) -> u64 {
        self.0.kept
    }

    #[getter]
    fn shrunk(&self) -> u64 {
        self.0.shrunk
    }

    #[getter]
    fn offloaded(&self) -> u64 {
        self.0.offloaded
    }

    #[getter]
    fn omitted(&self) -> u64 {
        self.0.omitted
    }

    /// True when nothing was shrunk, offloaded or omitted.
    #[getter]
    fn complete(&self) -> bool {
        self.0.complete()
    }

    #[allow(clippy::wrong_self_convention)] // a method of Python takes a reference
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &state::to_json(self))
    }

    fn __repr__(&self) -> String {
        format!("Counts({})", named(&self.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Counts", state::to_json(self))
    }
}

/// The account of one delivery: the sum over its outermost lists, in records and (`bytes`) in source bytes.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Account {
    #[serde(flatten)]
    records: haversack::Counts,
    bytes: haversack::Counts,
    fields_removed: u64,
    claimed: Option<haversack::Counts>,
}

impl Account {
    /// The core's own, to be handed back as `earlier`.
    pub(crate) fn to_core(&self) -> Option<haversack::Account> {
        let shape = serde_json::json!({
            "records": self.records, "bytes": self.bytes, "fields_removed": self.fields_removed, "claimed": self.claimed,
        });
        serde_json::from_value(shape).ok()
    }

    /// An account, or a mapping as its `to_dict` gives it; its sums must close.
    pub(crate) fn from_value(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let account = match value.cast::<Account>() {
            Ok(account) => account.get().clone(),
            Err(_) => state::from_python(argument, value)?,
        };
        if account.records.closes() && account.bytes.closes() && account.claimed.is_none_or(|c| c.closes()) {
            return Ok(account);
        }
        Err(arguments::wrong(argument, "an account whose sums close", value))
    }
}

impl Account {
    /// `30 of 118 records kept, 88 omitted`.
    pub(crate) fn in_words(&self) -> String {
        let r = &self.records;
        let mut out = format!("{} of {} {} kept", r.kept, r.total, if r.total == 1 { "record" } else { "records" });
        for (n, what) in [(r.shrunk, "shrunk"), (r.offloaded, "offloaded"), (r.omitted, "omitted")] {
            if n > 0 {
                out.push_str(&format!(", {n} {what}"));
            }
        }
        out
    }
}

impl From<&haversack::Account> for Account {
    fn from(account: &haversack::Account) -> Self {
        Account {
            records: *account.records(),
            bytes: *account.bytes(),
            fields_removed: account.fields_removed(),
            claimed: account.claimed().copied(),
        }
    }
}

#[pymethods]
impl Account {
    #[getter]
    fn total(&self) -> u64 {
        self.records.total
    }

    #[getter]
    fn kept(&self) -> u64 {
        self.records.kept
    }

    #[getter]
    fn shrunk(&self) -> u64 {
        self.records.shrunk
    }

    #[getter]
    fn offloaded(&self) -> u64 {
        self.records.offloaded
    }

    #[getter]
    fn omitted(&self) -> u64 {
        self.records.omitted
    }

    #[getter]
    fn bytes(&self) -> Counts {
        Counts(self.bytes)
    }

    /// Members that `select` left out: a request, not a loss.
    #[getter]
    fn fields_removed(&self) -> u64 {
        self.fields_removed
    }

    /// What the input itself said to have left out before; part of the counts.
    #[getter]
    fn claimed(&self) -> Option<Counts> {
        self.claimed.map(Counts)
    }

    /// From what `to_dict` gave.
    #[classmethod]
    fn from_dict(_class: &Bound<'_, PyType>, account: &Bound<'_, PyAny>) -> PyResult<Self> {
        Account::from_value("account", account)
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &state::to_json(self))
    }

    fn __repr__(&self) -> String {
        let mut out = format!("Account({}", named(&self.records));
        if self.fields_removed > 0 {
            out.push_str(&format!(", fields_removed={}", self.fields_removed));
        }
        if let Some(claimed) = &self.claimed {
            out.push_str(&format!(", claimed=({})", named(claimed)));
        }
        out.push(')');
        out
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Account", state::to_json(self))
    }
}

/// The books of one list, and the cursor that resumes it.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListAccount {
    pub(crate) pointer: String,
    #[serde(flatten)]
    records: haversack::Counts,
    bytes: haversack::Counts,
    next: Option<String>,
}

impl From<&haversack::ListAccount> for ListAccount {
    fn from(list: &haversack::ListAccount) -> Self {
        ListAccount {
            pointer: list.pointer().to_owned(),
            records: *list.records(),
            bytes: *list.bytes(),
            next: list.next().map(str::to_owned),
        }
    }
}

#[pymethods]
impl ListAccount {
    #[getter]
    fn pointer(&self) -> &str {
        &self.pointer
    }

    #[getter]
    fn total(&self) -> u64 {
        self.records.total
    }

    #[getter]
    fn kept(&self) -> u64 {
        self.records.kept
    }

    #[getter]
    fn shrunk(&self) -> u64 {
        self.records.shrunk
    }

    #[getter]
    fn offloaded(&self) -> u64 {
        self.records.offloaded
    }

    #[getter]
    fn omitted(&self) -> u64 {
        self.records.omitted
    }

    #[getter]
    fn bytes(&self) -> Counts {
        Counts(self.bytes)
    }

    /// The cursor that resumes this list, `None` where there is nothing to resume.
    #[getter]
    fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &state::to_json(self))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let next = self.next.as_ref().map(|next| quoted(py, next)).transpose()?;
        let next = next.map_or_else(String::new, |next| format!(", next={next}"));
        Ok(format!("ListAccount({}, {}{next})", quoted(py, &self.pointer)?, named(&self.records)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "ListAccount", state::to_json(self))
    }
}

/// `total=118, kept=30, omitted=88`: what is zero is left out, but for `kept`.
fn named(c: &haversack::Counts) -> String {
    let mut out = format!("total={}, kept={}", c.total, c.kept);
    for (name, n) in [("shrunk", c.shrunk), ("offloaded", c.offloaded), ("omitted", c.omitted)] {
        if n > 0 {
            out.push_str(&format!(", {name}={n}"));
        }
    }
    out
}

/// A text as Python writes it in source, which shows nothing invisible as itself; long ones are cut.
pub(crate) fn quoted(py: Python<'_>, text: &str) -> PyResult<String> {
    let shown =
        if text.chars().count() <= 80 { text.to_owned() } else { text.chars().take(79).chain(['…']).collect() };
    Ok(pyo3::types::PyString::new(py, &shown).repr()?.to_str()?.to_owned())
}
