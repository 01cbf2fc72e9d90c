//! `haversack.Memory`: texts with a source, an importance and a time, of which a slice goes into a request.

use haversack::{OnFull, RememberOptions, Timing};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arguments::{self, Given, required};
use crate::budget::{Counter, Sizes};
use crate::error::{self, raise};
use crate::memory_item::{Added, FlushFile, FlushRequest, Hit, MemoryCounts, MemoryItem};
use crate::rendered::{Rendered, Room};
use crate::shared::Shared;
use crate::state::{self, Reduced};

/// What is remembered beyond a conversation: texts with a source, an importance and a time, of which a slice goes
/// into a request and the rest is found by search.
///
/// A memory is no permission: `grounds` says "ask" to whatever rests on memory alone. Adding costs the logarithm of the
/// number of memories, a slice what it shows; searching and forgetting read all of them. Threads may share a memory.
///
///     >>> mem = haversack.Memory()
///     >>> mem.add("prefers trains", source="user", importance=3, at=10).outcome
///     'added'
///     >>> print(mem.slice(100, chars=199))
///     # Memory
///     - "prefers trains" (user, importance 3)
///
/// Args:
///     cap: How many texts it holds. Default: any number.
///     on_full: What happens to one more: `"reject"` is an error, `"evict"` lets the one go that ranks last, and
///         `"report"` stores it and says so. Default: `"report"`.
///
/// Raises:
///     OptionsError: `on_full` without a cap, or an argument of another type.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Memory(Shared<haversack::Memory>);

impl Memory {
    fn of(memory: haversack::Memory) -> Self {
        Memory(Shared::new(memory))
    }

    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        haversack::Memory::from_json(json).map(Memory::of).map_err(|e| raise(py, &e))
    }
}

#[pymethods]
impl Memory {
    #[new]
    #[pyo3(signature = (*, cap=None, on_full=None))]
    fn new(py: Python<'_>, cap: Given<'_, '_>, on_full: Given<'_, '_>) -> PyResult<Self> {
        let cap = arguments::number("cap", cap)?;
        let full = arguments::choice::<OnFull>("on_full", on_full)?;
        Ok(Memory::of(match (cap, full) {
            (None, None) => haversack::Memory::new(),
            (Some(cap), full) => haversack::Memory::capped(cap, full.unwrap_or(OnFull::Report)),
            (None, Some(_)) => {
                return Err(error::option(py, "on_full", "on_full is for a memory with a cap"));
            }
        }))
    }

    /// Remembers a text. One that is there already (equal after trimming and joining blanks) is not stored twice:
    /// its source is added to the memory, which then ranks as the best of the times that it was said.
    ///
    /// Args:
    ///     text: At most 64 KiB, with something in it that can be seen.
    ///     source: As for `Ledger.record`. Default: unknown, which is not trusted.
    ///     importance: 0 to 9. Default: 3.
    ///     at: When it was said, in seconds of the host's clock, 0 to 2^53. Default: 0.
    ///     timing: When it was written: `"at_once"`, `"end_of_conversation"` or `"background"`. Default: `"at_once"`.
    ///
    /// Raises:
    ///     OptionsError: A text in which nothing can be seen, a number outside its range, an argument of another type;
    ///         `limit_exceeded` for more bytes than there can be, and for a memory that is full and rejects.
    #[pyo3(signature = (text, *, source=None, importance=None, at=None, timing=None))]
    fn add(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        source: Given<'_, '_>,
        importance: Given<'_, '_>,
        at: Given<'_, '_>,
        timing: Given<'_, '_>,
    ) -> PyResult<Added> {
        let text = required("text", text)?;
        let source = arguments::text("source", source)?;
        let mut options = RememberOptions::new();
        if let Some(source) = &source {
            options = options.source(source);
        }
        if let Some(importance) = arguments::number("importance", importance)? {
            let Ok(importance) = u8::try_from(importance) else {
                return Err(error::option(py, "importance", &format!("importance {importance}, 0 to 9")));
            };
            options = options.importance(importance);
        }
        if let Some(at) = arguments::number("at", at)? {
            options = options.at(at as u64);
        }
        if let Some(timing) = arguments::choice::<Timing>("timing", timing)? {
            options = options.timing(timing);
        }
        let added = self.0.write(|memory| memory.add(&text, options));
        added.map(Added::from).map_err(|e| raise(py, &e))
    }

    /// Counts a text that the host's own filter kept out, so that the books close.
    fn decline(&self) {
        self.0.write(haversack::Memory::decline);
    }

    /// What was known at a time, best first, one line each: all of it, or as much as fits into a budget.
    ///
    /// Rank: the more important; then what the user or the host said, the model's own, content; then the latest; then
    /// by text and source. The first that does not fit ends the slice. What was said after `now` is left out and
    /// counted. The heading says how many were left out.
    ///
    /// Args:
    ///     now: The time, in seconds as for `add`.
    ///     bytes, chars, utf16, tokens, counter: One budget, or none; `tokens` with what counts them.
    ///
    /// Raises:
    ///     BudgetError: Not even the count of what was left out fits.
    ///     OptionsError: Two budgets, tokens without a counter.
    ///     CounterError: The counter answers no number; what it raises comes back unchanged.
    #[pyo3(signature = (now, *, bytes=None, chars=None, utf16=None, tokens=None, counter=None))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn slice(
        &self,
        py: Python<'_>,
        now: &Bound<'_, PyAny>,
        bytes: Given<'_, '_>,
        chars: Given<'_, '_>,
        utf16: Given<'_, '_>,
        tokens: Given<'_, '_>,
        counter: Given<'_, '_>,
    ) -> PyResult<Rendered> {
        let now = arguments::number("now", Some(now))?.unwrap_or_default() as u64;
        let room = Room::new(py, &Sizes([bytes, chars, utf16, tokens]), counter)?;
        // A counter may come back to this memory: no lock is held while it counts.
        let memory = self.0.now();
        room.run(py, usize::MAX, |measured| measured.rendered(memory.slice(now, measured.budget())?))
    }

    /// The memories that hold a word of the query, best first: BM25 over words in lower case; ties by the latest,
    /// then by number.
    ///
    /// Every memory is read, and other threads run meanwhile. The first 256 different words count.
    ///
    /// Raises:
    ///     OptionsError: A query above 64 KiB (`limit_exceeded`), or no str.
    #[pyo3(signature = (query, /))]
    fn search(&self, py: Python<'_>, query: &Bound<'_, PyAny>) -> PyResult<Vec<Hit>> {
        let query = required("query", query)?;
        let memory = self.0.now();
        let hits = Counter::None.run(py, usize::MAX, |_| memory.search(&query))?;
        Ok(hits.into_iter().map(Hit::from).collect())
    }

    /// Forgets what a source said, and all that only it said. How many memories are gone.
    ///
    /// Args:
    ///     source: `"page:https://a.b"` names one source, `"page"` all of that kind. A memory that another source said
    ///         as well stays, with that source.
    #[pyo3(signature = (source))]
    fn forget(&self, source: &Bound<'_, PyAny>) -> PyResult<u64> {
        let source = required("source", source)?;
        Ok(self.0.write(|memory| memory.forget(&source)))
    }

    /// A new memory with all of this one, under its cap, and all of the other, each text with every source it has.
    ///
    /// Raises:
    ///     OptionsError: As `add`, where the memory is full and rejects; `other` is no `Memory`.
    #[pyo3(signature = (other, /))]
    fn merge(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(other) = other.cast::<Memory>() else {
            return Err(arguments::wrong("other", "a Memory", other));
        };
        // One lock after the other: the two may be one.
        let (these, those) = (self.0.now(), other.get().0.now());
        Counter::None.run(py, usize::MAX, |_| these.merge(&those)).map(Memory::of)
    }

    /// The memory of that number; `None` where there is none.
    #[pyo3(signature = (id, /))]
    fn get(&self, id: &Bound<'_, PyAny>) -> PyResult<Option<MemoryItem>> {
        let id = arguments::number("id", Some(id))?.unwrap_or_default() as u64;
        Ok(self.0.read(|memory| memory.get(id).map(MemoryItem::from)))
    }

    /// All memories, in the order of their rank.
    fn items(&self) -> Vec<MemoryItem> {
        self.0.now().items().map(MemoryItem::from).collect()
    }

    /// The books: what became of everything that was offered.
    #[getter]
    fn counts(&self) -> MemoryCounts {
        self.0.read(|memory| memory.counts().into())
    }

    /// What was remembered since the last flush, for the file of that day; `None` where nothing was.
    ///
    /// Args:
    ///     date: The day, as `YYYY-MM-DD`.
    ///
    /// Raises:
    ///     OptionsError: A date that is none.
    #[pyo3(signature = (date))]
    fn flush(&self, py: Python<'_>, date: &Bound<'_, PyAny>) -> PyResult<Option<FlushFile>> {
        let date = required("date", date)?;
        let file = self.0.write(|memory| memory.flush(&date));
        Ok(file.map_err(|e| raise(py, &e))?.map(FlushFile::from))
    }

    /// All memories with every source as JSON, to be stored.
    fn to_json(&self) -> String {
        self.0.now().to_json()
    }

    /// Reads what `to_json` wrote. One read back answers as this one would.
    ///
    /// Raises:
    ///     StateError: No such JSON (`invalid_state`, with the offset), or what no memory holds (with the index).
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_cls: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Memory::from_text(py, &required("text", text)?)
    }

    /// A memory of its own with the same content. Costs nothing until one of them changes.
    fn copy(&self) -> Self {
        Memory(self.0.copy())
    }

    fn __len__(&self) -> usize {
        self.0.read(haversack::Memory::len)
    }

    fn __repr__(&self) -> String {
        format!("<Memory of {} texts>", self.__len__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Memory", self.to_json())
    }
}

/// The message that asks a model to flush before older messages are compacted, and the answer that says it has.
///
/// Args:
///     date: The day, as `YYYY-MM-DD`.
///
/// Raises:
///     OptionsError: A date that is none.
#[pyfunction]
#[pyo3(signature = (date))]
pub(crate) fn flush_request(py: Python<'_>, date: &Bound<'_, PyAny>) -> PyResult<FlushRequest> {
    let date = required("date", date)?;
    haversack::flush_request(&date).map(FlushRequest::from).map_err(|e| raise(py, &e))
}

/// Whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be seen.
#[pyfunction]
#[pyo3(signature = (reply, /))]
pub(crate) fn is_silent_reply(reply: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(haversack::is_silent_reply(&required("reply", reply)?))
}
