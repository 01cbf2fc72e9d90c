//! `haversack.Frozen`: sections that stay byte for byte, and the notes that change them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::arguments::{self, Given, required};
use crate::budget::Counter;
use crate::error::raise;
use crate::shared::Shared;
use crate::state::{self, Reduced};

/// Sections of a prompt that are written once and replayed byte for byte; a change is a note on the newest message.
///
///     >>> frozen = haversack.Frozen({"memory": "likes: tea\ncity: Oslo"})
///     >>> note = frozen.update("memory", "likes: tea\ncity: Bergen")
///     >>> frozen.text("memory")                      # what every request replays
///     'likes: tea\ncity: Oslo'
///     >>> "city: Bergen" in note.text                # goes into the newest message, and stays there
///     True
///
/// Args:
///     sections: Their texts by name, in the order of the prompt.
///
/// Raises:
///     OptionsError: A name that is empty or no str, a text that is no str.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Frozen(Shared<haversack::Frozen>);

impl Frozen {
    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        haversack::Frozen::from_json(json).map(|frozen| Frozen(Shared::new(frozen))).map_err(|e| raise(py, &e))
    }
}

#[pymethods]
impl Frozen {
    #[new]
    #[pyo3(signature = (sections, /))]
    fn new(py: Python<'_>, sections: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(dict) = sections.cast::<PyDict>() else {
            return Err(arguments::wrong("sections", "a dict of texts by name", sections));
        };
        let mut texts = Vec::with_capacity(dict.len());
        for (name, text) in dict.iter() {
            let (name, text) = (required("name", &name)?, required("text", &text)?);
            texts.push((name.to_string(), text.to_string()));
        }
        haversack::Frozen::new(texts).map(|frozen| Frozen(Shared::new(frozen))).map_err(|e| raise(py, &e))
    }

    /// The names of the sections, in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.now().names().map(str::to_owned).collect()
    }

    /// The section as every request has it; empty after a folded deletion.
    #[pyo3(signature = (name, /))]
    fn text(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<String> {
        let name = required("name", name)?;
        let text = self.0.read(|frozen| frozen.text(&name).map(str::to_owned));
        text.map_err(|e| raise(py, &e))
    }

    /// What holds now: what `fold` would make the section.
    #[pyo3(signature = (name, /))]
    fn current(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<String> {
        let name = required("name", name)?;
        let text = self.0.read(|frozen| frozen.current(&name).map(str::to_owned));
        text.map_err(|e| raise(py, &e))
    }

    /// A new version of a section; `None` deletes. The note for the newest message, or none when that holds
    /// already.
    #[pyo3(signature = (name, text, /))]
    fn update(&self, py: Python<'_>, name: &Bound<'_, PyAny>, text: Given<'_, '_>) -> PyResult<Option<Note>> {
        let name = required("name", name)?;
        let text = arguments::text("text", text)?;
        let note = self.0.write(|frozen| frozen.update(&name, text.as_deref()).map(Option::<&haversack::Note>::cloned));
        Ok(note.map_err(|e| raise(py, &e))?.map(Note))
    }

    /// The notes since the sections were written or folded, oldest first. Of several on one section the last one
    /// holds.
    fn notes(&self) -> Vec<Note> {
        self.0.now().notes().iter().cloned().map(Note).collect()
    }

    /// What the outstanding notes cost in tokens.
    #[pyo3(signature = (*, counter=None))]
    fn cost(&self, py: Python<'_>, counter: Given<'_, '_>) -> PyResult<NoteCost> {
        let counter = Counter::new(py, true, counter)?;
        // A counter may come back to these sections: no lock is held while it counts.
        let frozen = self.0.now();
        let cost = counter
            .run(py, usize::MAX, |counter| counter.map_or(Ok(haversack::NoteCost::default()), |c| frozen.cost(c)))?;
        Ok(NoteCost::from(cost))
    }

    /// Makes the current versions the sections and forgets the notes: for a compaction. The names of those that
    /// changed.
    fn fold(&self) -> Vec<String> {
        self.0.write(|frozen| frozen.fold().into_iter().map(str::to_owned).collect())
    }

    /// The sections and outstanding notes as JSON.
    fn to_json(&self) -> String {
        self.0.now().to_json()
    }

    /// Reads what `to_json` wrote.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_cls: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Frozen::from_text(py, &required("text", text)?)
    }

    /// Sections of their own with the same texts and notes. Costs nothing until one of them changes.
    fn copy(&self) -> Self {
        Frozen(self.0.copy())
    }

    fn __repr__(&self) -> String {
        let frozen = self.0.now();
        let names: Vec<&str> = frozen.names().collect();
        format!("Frozen({names:?}, notes={})", frozen.notes().len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Frozen", self.to_json())
    }
}

/// A change of a section, for the newest message.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note(haversack::Note);

#[pymethods]
impl Note {
    /// The section that changed.
    #[getter]
    fn section(&self) -> &str {
        self.0.section()
    }

    /// Which version of the section the note states: 2 for the first change.
    #[getter]
    fn version(&self) -> u64 {
        self.0.version()
    }

    /// The text for the newest message. It states the whole difference from the section as written, and that it
    /// wins.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    fn __str__(&self) -> &str {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("Note(section={:?}, version={})", self.0.section(), self.0.version())
    }
}

/// What outstanding notes cost: weigh it against a `fold`, which costs the cache once.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoteCost {
    /// How many notes are outstanding.
    notes: usize,
    /// Of them, those that a later note on the same section overrides.
    superseded: usize,
    /// Tokens of all of them.
    tokens: usize,
    /// Tokens of those that are overridden.
    superseded_tokens: usize,
    /// Tokens of sections as written that no longer hold as written.
    stale_tokens: usize,
}

impl From<haversack::NoteCost> for NoteCost {
    fn from(it: haversack::NoteCost) -> Self {
        NoteCost {
            notes: it.notes,
            superseded: it.superseded,
            tokens: it.tokens,
            superseded_tokens: it.superseded_tokens,
            stale_tokens: it.stale_tokens,
        }
    }
}

#[pymethods]
impl NoteCost {
    fn __repr__(&self) -> String {
        let c = self;
        format!("NoteCost(notes={}, superseded={}, tokens={})", c.notes, c.superseded, c.tokens)
    }
}
