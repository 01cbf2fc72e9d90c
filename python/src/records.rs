//! The named tuples of `haversack._records`: what was a bare tuple before still unpacks and compares as one.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

pub(crate) static STRIP: Record = Record::new("Strip");
pub(crate) static REDUCED: Record = Record::new("Reduced");
pub(crate) static PLAN_ENTRY: Record = Record::new("PlanEntry");
pub(crate) static PIECE_MARK: Record = Record::new("PieceMark");
pub(crate) static AUTOMATIC_MARK: Record = Record::new("AutomaticMark");

/// A class of that module, looked up once.
pub(crate) struct Record {
    name: &'static str,
    class: PyOnceLock<Py<PyAny>>,
}

impl Record {
    const fn new(name: &'static str) -> Self {
        Record { name, class: PyOnceLock::new() }
    }

    pub(crate) fn make<'py, T: IntoPyObject<'py>>(&self, py: Python<'py>, places: T) -> PyResult<Bound<'py, PyAny>> {
        self.class.import(py, "haversack._records", self.name)?.call1((places,))
    }

    /// One for every tuple.
    pub(crate) fn list<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        all: impl Iterator<Item = T>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        all.map(|places| self.make(py, places)).collect()
    }
}
