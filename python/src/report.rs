//! Sizes of a prompt, as Python sees them.

use haversack::prompt as core;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::arguments::{self, Given};

/// The sizes of a prompt, each piece measured on its own.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// The unit of every size: `"bytes"` or `"tokens"`.
    #[pyo3(get)]
    unit: &'static str,
    /// Every piece in the order of the prompt.
    #[pyo3(get)]
    pieces: Vec<PieceSize>,
    /// All pieces together but settings, which no model reads.
    #[pyo3(get)]
    total: usize,
    /// What all of them may take at most.
    #[pyo3(get)]
    budget: Option<usize>,
    /// By how much all of it is above the budget.
    #[pyo3(get)]
    over: usize,
    /// What stands before the conversation starts: instructions, tools, facts.
    #[pyo3(get)]
    before_conversation: usize,
    /// What the conversation has grown by for each answer of the model so far, rounded up: see `growth`. `None`
    /// before the first answer, and for prompts that were not taken from a request.
    #[pyo3(get)]
    per_call: Option<usize>,
    /// Tool results that the model has answered since.
    #[pyo3(get)]
    old_results: usize,
    /// Errors among them whose tool gave a result later on; not counted as old results again.
    #[pyo3(get)]
    resolved_errors: usize,
    /// Scratch work that is done: the model's thinking in turns that ended, which is before the last message of the
    /// user's own.
    #[pyo3(get)]
    thinking: usize,
    /// How much of the total is dead weight (old results, resolved errors, thinking), in parts per 10,000, rounded
    /// down.
    #[pyo3(get)]
    dead_share: u32,
    layers: Vec<(&'static str, usize)>,
    kinds: Vec<(&'static str, usize)>,
}

impl From<core::Report> for Report {
    fn from(report: core::Report) -> Self {
        Report {
            unit: report.unit.name(),
            total: report.total,
            budget: report.budget,
            over: report.over(),
            before_conversation: report.before_conversation,
            per_call: report.per_call,
            old_results: report.dead.old_results,
            resolved_errors: report.dead.resolved_errors,
            thinking: report.dead.thinking,
            dead_share: report.dead_share(),
            layers: report.layers.iter().map(|(layer, size)| (layer.name(), *size)).collect(),
            kinds: report.kinds.iter().map(|(kind, size)| (kind.name(), *size)).collect(),
            pieces: report.pieces.into_iter().map(PieceSize::from).collect(),
        }
    }
}

#[pymethods]
impl Report {
    /// The size of each layer, without settings.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.layers.clone().into_py_dict(py)
    }

    /// The size of each kind.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.kinds.clone().into_py_dict(py)
    }

    /// The pieces above their own budgets.
    #[getter]
    fn overran(&self) -> Vec<PieceSize> {
        self.pieces.iter().filter(|piece| piece.over > 0).cloned().collect()
    }

    fn __repr__(&self) -> String {
        format!("Report(total={} {}, over={}, dead_share={})", self.total, self.unit, self.over, self.dead_share)
    }
}

/// The size of one piece.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceSize {
    /// Its name.
    name: String,
    /// Its layer.
    layer: &'static str,
    /// What it is for.
    kind: &'static str,
    /// Its size in the unit of the report.
    size: usize,
    /// What it may take at most.
    budget: Option<usize>,
    /// By how much it is above its budget.
    over: usize,
    /// Who answers for it.
    owner: Option<String>,
}

impl From<core::PieceSize> for PieceSize {
    fn from(piece: core::PieceSize) -> Self {
        PieceSize {
            layer: piece.layer.name(),
            kind: piece.kind.name(),
            size: piece.size,
            budget: piece.budget,
            over: piece.over(),
            name: piece.name,
            owner: piece.owner,
        }
    }
}

#[pymethods]
impl PieceSize {
    fn __repr__(&self) -> String {
        format!("PieceSize({:?}, size={}, over={})", self.name, self.size, self.over)
    }
}

/// The input of a run that only appends to its prompt, in the unit that it was asked in.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Growth {
    /// The size of the last prompt: all that was new in the run.
    largest: u64,
    /// The sizes of all prompts together: what is billed without a cache. It grows with the square of the number of
    /// calls.
    input: u64,
    /// Of these what an earlier call had sent already: the most that a prefix cache can serve.
    repeated: u64,
}

#[pymethods]
impl Growth {
    fn __repr__(&self) -> String {
        format!("Growth(largest={}, input={}, repeated={})", self.largest, self.input, self.repeated)
    }
}

/// Estimates the input of a run that only appends to its prompt. Sums stop at 2^64 - 1; no call has no input.
///
///     >>> haversack.growth(first=5_000, per_call=2_000, calls=10)
///     Growth(largest=23000, input=140000, repeated=117000)
///     >>> haversack.growth(first=5_000, per_call=2_000, calls=100).input
///     10400000
///
/// Args:
///     first: The size of the first prompt, in any unit.
///     per_call: What each later one has more than the one before it; `Report.per_call` says what it was so far.
///     calls: How many calls there are.
#[pyfunction]
#[pyo3(signature = (*, first, per_call, calls))]
pub(crate) fn growth(
    first: &Bound<'_, PyAny>,
    per_call: &Bound<'_, PyAny>,
    calls: &Bound<'_, PyAny>,
) -> PyResult<Growth> {
    let number = |name: &str, given: Given<'_, '_>| Ok::<_, PyErr>(arguments::number(name, given)?.unwrap_or(0) as u64);
    let told =
        core::growth(number("first", Some(first))?, number("per_call", Some(per_call))?, number("calls", Some(calls))?);
    Ok(Growth { largest: told.largest, input: told.input, repeated: told.repeated })
}
