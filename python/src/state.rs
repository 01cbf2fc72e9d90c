//! Values that go through JSON: `to_dict`, pickling, and what a caller stored.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::account::{Account, Counts, ListAccount};
use crate::arguments::required;
use crate::delivery::{Delivery, Run, Warning};
use crate::error::{self, Numbers};
use crate::fact::{Extracted, Fact, PlacementCosts, Sighting};
use crate::fleet::{Feature, Fleet, SessionFile};
use crate::frozen::Frozen;
use crate::handoff::{Finding, Unresolved};
use crate::history::{History, Step, Violation};
use crate::json::written;
use crate::ledger::Ledger;
use crate::memory::Memory;
use crate::memory_item::{Added, FlushFile, FlushRequest, Hit, MemoryCounts, MemoryItem, Said};
use crate::offload::Offloads;
use crate::prompt::Snapshot;
use crate::rendered::Rendered;
use crate::rewritten::{Change, NothingToCut};
use crate::tally::{Sums, Survival, Tally};
use crate::tiers::Tiers;
use crate::transcript::{Damage, Message, Reference, Transcript, TranscriptHit};

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
    // What the reader says of it quotes the text, however long a part of it.
    serde_json::from_str(json).map_err(|e| {
        let offset = (e.line() == 1).then(|| e.column().saturating_sub(1));
        let places = Numbers { offset, ..Numbers::default() };
        error::build(py, "not the state of this type", haversack::ErrorKind::InvalidState, &places)
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
    type_name: &Bound<'py, PyAny>,
    json: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (type_name, json) = (&*required("type_name", type_name)?, &*required("json", json)?);
    macro_rules! restored {
        (read: $($state:ident),*; of_members: $($value:ident),*) => {
            match type_name {
                $(stringify!($state) => Bound::new(py, $state::from_text(py, json)?)?.into_any(),)*
                $(stringify!($value) => Bound::new(py, from_json::<$value>(py, json)?)?.into_any(),)*
                _ => {
                    let message = "no type of this name has a state";
                    return Err(error::build(py, message, haversack::ErrorKind::InvalidState, &Numbers::default()));
                }
            }
        };
    }
    Ok(restored!(
        read: Delivery, Fleet, Frozen, History, Ledger, Memory, Offloads, Snapshot, Tally, Transcript;
        of_members: Account, Added, Change, Counts, Damage, Extracted, Fact, Feature, Finding, FlushFile, FlushRequest,
            Hit, ListAccount, MemoryCounts, MemoryItem, Message, NothingToCut, PlacementCosts, Reference, Rendered, Run,
            Said, SessionFile, Sighting, Step, Sums, Survival, Tiers, TranscriptHit, Unresolved, Violation, Warning
    ))
}
