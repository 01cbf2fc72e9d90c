//! Values that go through JSON: `to_dict`, pickling, and what a caller stored.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::account::{Account, Counts, ListAccount};
use crate::delivery::{Delivery, Run, Warning};
use crate::error::{self, Numbers};
use crate::history::{Step, Violation};
use crate::json::written;
use crate::rewritten::{Change, NothingToCut};

/// Compact JSON. Texts, integers and lists of them always serialise.
pub(crate) fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The same as the standard library reads it: dicts, lists, exact integers.
pub(crate) fn to_python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    LOADS.import(py, "json", "loads")?.call1((json,))
}

/// From what [`to_json`] wrote.
pub(crate) fn from_json<T: DeserializeOwned>(py: Python<'_>, json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|e| {
        error::build(
            py,
            &format!("not the state of this type: {e}"),
            haversack::ErrorKind::InvalidState,
            &Numbers::default(),
        )
    })
}

/// From a mapping of the same shape.
pub(crate) fn from_python<T: DeserializeOwned>(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let json = written(value)?;
    serde_json::from_str(&json).map_err(|_| crate::arguments::wrong(argument, "what to_dict() gave", value))
}

/// What `__reduce__` answers: a function of this module, the type and its JSON.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, String));

pub(crate) fn reduce<'py>(py: Python<'py>, type_name: &'static str, json: String) -> PyResult<Reduced<'py>> {
    static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    Ok((RESTORE.import(py, "haversack._lib", "_restore")?.clone(), (type_name, json)))
}

/// Unpickling.
#[pyfunction]
pub(crate) fn _restore<'py>(
    py: Python<'py>,
    type_name: &str,
    json: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let json = json.to_str()?;
    Ok(match type_name {
        "Counts" => Bound::new(py, from_json::<Counts>(py, json)?)?.into_any(),
        "Account" => Bound::new(py, from_json::<Account>(py, json)?)?.into_any(),
        "ListAccount" => Bound::new(py, from_json::<ListAccount>(py, json)?)?.into_any(),
        "Run" => Bound::new(py, from_json::<Run>(py, json)?)?.into_any(),
        "Warning" => Bound::new(py, from_json::<Warning>(py, json)?)?.into_any(),
        "Delivery" => Bound::new(py, Delivery::from_json(py, json)?)?.into_any(),
        "Frozen" => Bound::new(py, crate::frozen::Frozen::from_text(py, json)?)?.into_any(),
        "Offloads" => Bound::new(py, crate::offload::Offloads::from_text(py, json)?)?.into_any(),
        "History" => Bound::new(py, crate::history::History::from_text(py, json)?)?.into_any(),
        "Tally" => Bound::new(py, crate::tally::Tally::from_text(py, json)?)?.into_any(),
        "Transcript" => Bound::new(py, crate::transcript::Transcript::from_text(py, json)?)?.into_any(),
        "Violation" => Bound::new(py, from_json::<Violation>(py, json)?)?.into_any(),
        "Step" => Bound::new(py, from_json::<Step>(py, json)?)?.into_any(),
        "Change" => Bound::new(py, from_json::<Change>(py, json)?)?.into_any(),
        "NothingToCut" => Bound::new(py, from_json::<NothingToCut>(py, json)?)?.into_any(),
        "Ledger" => Bound::new(py, crate::ledger::Ledger::from_text(py, json)?)?.into_any(),
        "Fact" => Bound::new(py, from_json::<crate::fact::Fact>(py, json)?)?.into_any(),
        "Rendered" => Bound::new(py, from_json::<crate::rendered::Rendered>(py, json)?)?.into_any(),
        "Memory" => Bound::new(py, crate::memory::Memory::from_text(py, json)?)?.into_any(),
        "MemoryItem" => Bound::new(py, from_json::<crate::memory_item::MemoryItem>(py, json)?)?.into_any(),
        "Hit" => Bound::new(py, from_json::<crate::memory_item::Hit>(py, json)?)?.into_any(),
        "Snapshot" => Bound::new(py, crate::prompt::Snapshot::of_text(py, json)?)?.into_any(),
        _ => {
            let message = format!("no type {type_name} has a state");
            return Err(error::build(py, &message, haversack::ErrorKind::InvalidState, &Numbers::default()));
        }
    })
}
