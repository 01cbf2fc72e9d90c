//! Sizes of a prompt, as Python sees them.

use haversack::prompt as core;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

/// The sizes of a prompt, each piece measured on its own.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report(pub(crate) core::Report);

#[pymethods]
impl Report {
    /// The unit of every size: `"bytes"` or `"tokens"`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.0.unit.name()
    }

    /// Every piece in the order of the prompt.
    #[getter]
    fn pieces(&self) -> Vec<PieceSize> {
        self.0.pieces.iter().cloned().map(PieceSize).collect()
    }

    /// The size of each layer, without settings.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.layers.iter().map(|(layer, size)| (layer.name(), *size)).collect::<Vec<_>>().into_py_dict(py)
    }

    /// The size of each kind.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.kinds.iter().map(|(kind, size)| (kind.name(), *size)).collect::<Vec<_>>().into_py_dict(py)
    }

    /// All pieces together but settings, which no model reads.
    #[getter]
    fn total(&self) -> usize {
        self.0.total
    }

    /// What all of them may take at most.
    #[getter]
    fn budget(&self) -> Option<usize> {
        self.0.budget
    }

    /// By how much all of it is above the budget.
    #[getter]
    fn over(&self) -> usize {
        self.0.over()
    }

    /// The pieces above their own budgets.
    #[getter]
    fn overran(&self) -> Vec<PieceSize> {
        self.0.overran().cloned().map(PieceSize).collect()
    }

    /// What stands before the conversation starts: instructions, tools, facts.
    #[getter]
    fn before_conversation(&self) -> usize {
        self.0.before_conversation
    }

    /// Tool results that the model has answered since.
    #[getter]
    fn old_results(&self) -> usize {
        self.0.dead.old_results
    }

    /// Errors among them whose tool gave a result later on; not counted as old results again.
    #[getter]
    fn resolved_errors(&self) -> usize {
        self.0.dead.resolved_errors
    }

    fn __repr__(&self) -> String {
        let r = &self.0;
        format!("Report(total={} {}, over={}, dead={})", r.total, r.unit, r.over(), r.dead.total())
    }
}

/// The size of one piece.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceSize(core::PieceSize);

#[pymethods]
impl PieceSize {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Its layer.
    #[getter]
    fn layer(&self) -> &'static str {
        self.0.layer.name()
    }

    /// What it is for.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// Its size in the unit of the report.
    #[getter]
    fn size(&self) -> usize {
        self.0.size
    }

    /// What it may take at most.
    #[getter]
    fn budget(&self) -> Option<usize> {
        self.0.budget
    }

    /// By how much it is above its budget.
    #[getter]
    fn over(&self) -> usize {
        self.0.over()
    }

    /// Who answers for it.
    #[getter]
    fn owner(&self) -> Option<&str> {
        self.0.owner.as_deref()
    }

    fn __repr__(&self) -> String {
        format!("PieceSize({:?}, size={}, over={})", self.0.name, self.0.size, self.0.over())
    }
}
