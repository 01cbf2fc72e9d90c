//! Large results go to a store of the caller's; the model sees a pointer and a preview.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use haversack::{EntryState, Error, ErrorKind, Format, Keep, OffloadOptions, TokenCounter, Unit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyTuple, PyType};

use crate::account::{Account, quoted};
use crate::arguments::{self, Given, required};
use crate::budget::{Counter, Limit};
use crate::error::raise;
use crate::payload::Payload;
use crate::state::{self, Reduced};

/// Says whether the result of a tool call stays in the message or is stored, and under which key.
///
///     >>> o = haversack.offload("one more line of a long log\n" * 1_000, "call_7")
///     >>> o.action, o.key
///     ('store', 'call_7-4c1f7f9c9b19aeb2b1a2e13b0d4ed2a5.txt')
///
/// Args:
///     payload: As for `deliver`; what is to be stored is `payload_bytes(payload)`.
///     call_id: The id of the call, of any characters.
///     over: What is larger is stored. Default: 8,000.
///     unit: The unit of `over`, and of every size that is reported. Default: `"chars"`.
///     counter: What counts tokens, where a unit is `"tokens"`.
///     preview: How much of the payload the pointer shows. Default: 400.
///     preview_unit: The unit of `preview`. Default: `"chars"`.
///     preview_keep: Which end the preview shows: `"both"` (the default), `"head"`, `"tail"`.
///     format: What the payload is; by default it is detected.
///     reader: A tool with which the model can read the result back: the pointer names it.
///     hint: One line of your own in the pointer, instead of the one that names the reader.
///
/// Raises:
///     HaversackError: As `deliver`.
#[pyfunction]
#[pyo3(signature = (
    payload, call_id, /, *, over=None, unit=None, counter=None, preview=None, preview_unit=None, preview_keep=None,
    format=None, reader=None, hint=None
))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn offload(
    py: Python<'_>,
    payload: &Bound<'_, PyAny>,
    call_id: &Bound<'_, PyAny>,
    over: Given<'_, '_>,
    unit: Given<'_, '_>,
    counter: Given<'_, '_>,
    preview: Given<'_, '_>,
    preview_unit: Given<'_, '_>,
    preview_keep: Given<'_, '_>,
    format: Given<'_, '_>,
    reader: Given<'_, '_>,
    hint: Given<'_, '_>,
) -> PyResult<Offload> {
    let given = [over, unit, counter, preview, preview_unit, preview_keep, format, reader, hint];
    let (payload, asked, counter) = read(py, payload, &given)?;
    let call_id = required("call_id", call_id)?;
    let input = payload.bytes();
    let answer = counter.run(py, input.len(), |c| haversack::offload(input, &call_id, &asked.options(c)))?;
    Ok(Offload { answer, counter })
}

/// Every option of `offload` and `Offloads.prepare`.
#[derive(Debug)]
struct Asked {
    over: Limit,
    preview: Limit,
    preview_keep: Option<Keep>,
    format: Option<Format>,
    reader: Option<PyBackedStr>,
    hint: Option<PyBackedStr>,
}

impl Asked {
    fn options<'a>(&'a self, counter: Option<&'a dyn TokenCounter>) -> OffloadOptions<'a> {
        let mut options = OffloadOptions::new().over(self.over.budget(counter)).preview(self.preview.budget(counter));
        if let Some(keep) = self.preview_keep {
            options = options.preview_keep(keep);
        }
        if let Some(format) = self.format {
            options = options.format(format);
        }
        if let Some(reader) = &self.reader {
            options = options.reader(reader);
        }
        if let Some(hint) = &self.hint {
            options = options.hint(hint);
        }
        options
    }
}

/// The nine keywords, in the order of the signature.
fn read(py: Python<'_>, payload: &Bound<'_, PyAny>, given: &[Given<'_, '_>; 9]) -> PyResult<(Payload, Asked, Counter)> {
    let [over, unit, counter, preview, preview_unit, preview_keep, format, reader, hint] = *given;
    let default = OffloadOptions::new().policy();
    let limit = |name: &str, size: Given<'_, '_>, at: usize, unit_name: &str, unit: Given<'_, '_>| {
        let size = arguments::number(name, size)?.unwrap_or(at);
        Ok::<_, PyErr>(Limit::new(size, arguments::choice(unit_name, unit)?.unwrap_or(Unit::Chars)))
    };
    let over = limit("over", over, default.over, "unit", unit)?;
    let preview = limit("preview", preview, default.preview, "preview_unit", preview_unit)?;
    let tokens = over.unit() == Unit::Tokens || preview.unit() == Unit::Tokens;
    let counter = Counter::new(py, tokens, counter)?;
    let payload = Payload::new(payload)?;
    let asked = Asked {
        over,
        preview,
        preview_keep: arguments::choice("preview_keep", preview_keep)?,
        format: payload.format(py, arguments::format(format)?)?,
        reader: arguments::text("reader", reader)?,
        hint: arguments::text("hint", hint)?,
    };
    Ok((payload, asked, counter))
}

/// The answer of `offload`: keep the result, or store its bytes under `key`.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Offload {
    answer: haversack::Offload,
    counter: Counter,
}

#[pymethods]
impl Offload {
    /// `"keep"` or `"store"`.
    #[getter]
    fn action(&self) -> &'static str {
        self.answer.action().name()
    }

    /// `"fits"` or `"over"`.
    #[getter]
    fn reason(&self) -> &'static str {
        self.answer.reason().name()
    }

    /// The key to store it under: safe as a file name. `None` when it is kept.
    #[getter]
    fn key(&self) -> Option<&str> {
        self.answer.key()
    }

    /// The length of the payload in bytes.
    #[getter]
    fn bytes(&self) -> usize {
        self.answer.bytes()
    }

    /// The size of the payload in `unit`.
    #[getter]
    fn size(&self) -> usize {
        self.answer.size()
    }

    /// The unit of `over`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.answer.unit().name()
    }

    /// SHA-256 of the payload in hex, `None` when it is kept.
    #[getter]
    fn sha256(&self) -> Option<String> {
        self.answer.sha256()
    }

    /// What the payload was read as, `None` when it is kept.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.answer.format().map(Format::name)
    }

    /// The pointer of the one string in a JSON payload that holds most of it.
    #[getter]
    fn at(&self) -> Option<&str> {
        self.answer.at()
    }

    /// The excerpt that the pointer shows, `None` when it is kept.
    #[getter]
    fn preview(&self) -> Option<&str> {
        self.answer.preview()
    }

    /// The text for the message, once the bytes lie at `location`.
    #[pyo3(signature = (location, /))]
    fn pointer(&self, py: Python<'_>, location: &Bound<'_, PyAny>) -> PyResult<Pointer> {
        let location = required("location", location)?;
        let pointer = self.counter.run(py, 0, |counter| match counter {
            Some(counter) => self.answer.pointer_counted(&location, counter),
            None => self.answer.pointer(&location),
        })?;
        Ok(Pointer(pointer))
    }

    fn to_json(&self) -> String {
        self.answer.to_json()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.answer.to_json())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let key = self.key().map(|key| quoted(py, key)).transpose()?;
        let key = key.map_or_else(String::new, |key| format!(" under {key}"));
        Ok(format!("<Offload {}{key}: {} {}, {}>", self.action(), self.size(), self.unit(), self.reason()))
    }
}

/// What stands in the message for a stored result, and the books of it.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Pointer(haversack::Pointer);

#[pymethods]
impl Pointer {
    /// The text for the model, a JSON object; `None` when it would not be smaller than the original.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.0.text()
    }

    /// `"over"`, `"known"` or `"not_shorter"`.
    #[getter]
    fn reason(&self) -> &'static str {
        self.0.reason().name()
    }

    /// The size of what goes to the model, in `unit`.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// How much smaller that is than the original, in `unit`.
    #[getter]
    fn saved(&self) -> usize {
        self.0.saved()
    }

    /// The unit of `over`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.0.unit().name()
    }

    /// One record, offloaded or kept.
    #[getter]
    fn account(&self) -> Account {
        self.0.account().into()
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.0.to_json())
    }

    fn __repr__(&self) -> String {
        let what = if self.0.used() { "used" } else { "not used" };
        format!("<Pointer {what}, {}: {} {}, {} saved>", self.reason(), self.size(), self.unit(), self.saved())
    }
}

/// What `Offloads.prepare` says to do with one result.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Prepared(haversack::offload::Prepared);

#[pymethods]
impl Prepared {
    /// `"keep"`, `"store"` or `"point"`.
    #[getter]
    fn action(&self) -> &'static str {
        self.0.action().name()
    }

    /// `"fits"`, `"over"`, `"known"`, `"is_pointer"`, `"exempt"`, `"refused"` or `"not_shorter"`.
    #[getter]
    fn reason(&self) -> &'static str {
        self.0.reason().name()
    }

    /// The key to store the bytes under, or under which they lie.
    #[getter]
    fn key(&self) -> Option<&str> {
        self.0.key()
    }

    /// The pointer, where the same bytes were stored before.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.0.text()
    }

    /// The books of what stands in the message now.
    #[getter]
    fn account(&self) -> Account {
        (&self.0.account()).into()
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.0.to_json())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let key = self.key().map(|key| quoted(py, key)).transpose()?;
        let key = key.map_or_else(String::new, |key| format!(" {key}"));
        Ok(format!("<Prepared {}{key}: {}>", self.action(), self.reason()))
    }
}

/// What the table knows of one result.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry(pub(crate) haversack::offload::Entry);

#[pymethods]
impl Entry {
    #[getter]
    fn key(&self) -> &str {
        self.0.key()
    }

    /// The call it is the result of: of the first one, when several gave the same bytes.
    #[getter]
    fn call_id(&self) -> &str {
        self.0.call_id()
    }

    #[getter]
    fn sha256(&self) -> String {
        self.0.sha256()
    }

    /// Its length in bytes.
    #[getter]
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Its size in `unit`.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    #[getter]
    fn unit(&self) -> &'static str {
        self.0.unit().name()
    }

    #[getter]
    fn format(&self) -> &'static str {
        self.0.format().name()
    }

    /// The pointer of the one string in a JSON payload that holds most of it.
    #[getter]
    fn at(&self) -> Option<&str> {
        self.0.at()
    }

    /// `"pending"`, `"stored"`, `"not_shorter"` or `"refused"`.
    #[getter]
    fn state(&self) -> &'static str {
        self.0.state().name()
    }

    /// Where the bytes lie, once stored.
    #[getter]
    fn location(&self) -> Option<&str> {
        self.0.location()
    }

    /// The excerpt that its pointer shows.
    #[getter]
    fn preview(&self) -> &str {
        self.0.preview()
    }

    /// Why the store refused it, at most 120 characters; `None` where it did not.
    #[getter]
    fn refused(&self) -> Option<&str> {
        match self.0.state() {
            EntryState::Refused { reason } => Some(reason),
            _ => None,
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Entry {} {}: {} {}>", quoted(py, self.key())?, self.state(), self.size(), self.unit()))
    }
}

/// What one run has offloaded.
///
/// It does no I/O: `prepare` says what to do, the host stores the bytes and answers with `commit` or `refuse`. Threads
/// may share a table; a counter that calls back into the same one gets a `StateError`.
///
///     >>> run = haversack.Offloads()
///     >>> step = run.prepare(log, "call_7")
///     >>> text = run.commit(step.key, store.put(step.key, log)).text if step.action == "store" else step.text or log
#[pyclass(frozen, module = "haversack")]
#[derive(Debug, Default)]
pub(crate) struct Offloads {
    table: Mutex<haversack::Offloads>,
    /// The thread that works on the table now: for it to wait would be for ever.
    owner: Mutex<Option<ThreadId>>,
}

impl Offloads {
    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        let table = haversack::Offloads::from_json(json).map_err(|e| raise(py, &e))?;
        Ok(Offloads { table: Mutex::new(table), owner: Mutex::default() })
    }

    /// Runs `work` on the table, without the interpreter: whoever has the table may be waiting for that.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        counter: &Counter,
        work: impl FnOnce(&mut haversack::Offloads, Option<&dyn TokenCounter>) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        counter.run(py, usize::MAX, |counter| {
            let me = thread::current().id();
            if *unpoisoned(&self.owner) == Some(me) {
                return Err(Error::new(
                    ErrorKind::OutOfOrder,
                    "this table is in use by the call that this one comes from",
                ));
            }
            let mut table = unpoisoned(&self.table);
            let _owned = Owned::by(&self.owner, me);
            work(&mut table, counter)
        })
    }
}

/// Says which thread has the table, until it is dropped.
struct Owned<'a>(&'a Mutex<Option<ThreadId>>);

impl<'a> Owned<'a> {
    fn by(owner: &'a Mutex<Option<ThreadId>>, thread: ThreadId) -> Self {
        *unpoisoned(owner) = Some(thread);
        Owned(owner)
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        *unpoisoned(self.0) = None;
    }
}

#[pymethods]
impl Offloads {
    #[new]
    fn new() -> Self {
        Offloads::default()
    }

    /// Says what to do with a result: keep it, store it and answer with `commit` or `refuse`, or put a pointer
    /// there.
    ///
    /// The arguments are those of `offload`.
    #[pyo3(signature = (
        payload, call_id, /, *, over=None, unit=None, counter=None, preview=None, preview_unit=None,
        preview_keep=None, format=None, reader=None, hint=None
    ))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn prepare(
        &self,
        py: Python<'_>,
        payload: &Bound<'_, PyAny>,
        call_id: &Bound<'_, PyAny>,
        over: Given<'_, '_>,
        unit: Given<'_, '_>,
        counter: Given<'_, '_>,
        preview: Given<'_, '_>,
        preview_unit: Given<'_, '_>,
        preview_keep: Given<'_, '_>,
        format: Given<'_, '_>,
        reader: Given<'_, '_>,
        hint: Given<'_, '_>,
    ) -> PyResult<Prepared> {
        let given = [over, unit, counter, preview, preview_unit, preview_keep, format, reader, hint];
        let (payload, asked, counter) = read(py, payload, &given)?;
        let call_id = required("call_id", call_id)?;
        let input = payload.bytes();
        self.with(py, &counter, |table, c| table.prepare(input, &call_id, &asked.options(c))).map(Prepared)
    }

    /// The bytes lie at `location`: gives the pointer for the message. Where `over` was in tokens, their counter
    /// too.
    ///
    /// Raises:
    ///     StateError: `unknown_key` (an `OffloadError`), or `out_of_order` when the key was answered already.
    #[pyo3(signature = (key, location, /, *, counter=None))]
    fn commit(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        location: &Bound<'_, PyAny>,
        counter: Given<'_, '_>,
    ) -> PyResult<Pointer> {
        let (key, location) = (required("key", key)?, required("location", location)?);
        let counter = counter.map_or(Ok(Counter::None), Counter::from_value)?;
        let pointer = self.with(py, &counter, |table, counter| match counter {
            Some(counter) => table.commit_counted(&key, &location, counter),
            None => table.commit(&key, &location),
        })?;
        Ok(Pointer(pointer))
    }

    /// The store would not have it: the original stays in the message, and the reason is recorded.
    ///
    /// Raises:
    ///     StateError: `unknown_key` (an `OffloadError`), or `out_of_order` when the key was answered already.
    #[pyo3(signature = (key, reason, /))]
    fn refuse(&self, py: Python<'_>, key: &Bound<'_, PyAny>, reason: &Bound<'_, PyAny>) -> PyResult<()> {
        let (key, reason) = (required("key", key)?, required("reason", reason)?);
        self.with(py, &Counter::None, |table, _| table.refuse(&key, &reason))
    }

    /// Nothing that this call returns is offloaded: for calls of readers.
    #[pyo3(signature = (call_id, /))]
    fn exempt(&self, py: Python<'_>, call_id: &Bound<'_, PyAny>) -> PyResult<()> {
        let call_id = required("call_id", call_id)?;
        self.with(py, &Counter::None, |table, _| {
            table.exempt(&call_id);
            Ok(())
        })
    }

    /// What the table knows under a key, `None` when nothing.
    #[pyo3(signature = (key, /))]
    fn lookup(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Option<Entry>> {
        let key = required("key", key)?;
        self.with(py, &Counter::None, |table, _| Ok(table.lookup(&key).cloned().map(Entry)))
    }

    /// Checks that bytes read back are those that were offloaded under the key.
    ///
    /// Raises:
    ///     OffloadError: `unknown_key` or `digest_mismatch`.
    #[pyo3(signature = (key, payload, /))]
    fn verify(&self, py: Python<'_>, key: &Bound<'_, PyAny>, payload: &Bound<'_, PyAny>) -> PyResult<Entry> {
        let (key, payload) = (required("key", key)?, Payload::of_text(payload)?);
        self.with(py, &Counter::None, |table, _| table.verify(&key, payload.bytes()).cloned().map(Entry))
    }

    /// All entries, in the order in which they were first prepared.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = self.with(py, &Counter::None, |table, _| Ok(table.entries().to_vec()))?;
        PyTuple::new(py, entries.into_iter().map(Entry))
    }

    /// The table as compact JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, &Counter::None, |table, _| Ok(table.to_json()))
    }

    /// A table that answers as the one that wrote this would.
    ///
    /// Raises:
    ///     StateError: `invalid_state`.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Offloads::from_text(py, &required("text", text)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (all, stored) = self.with(py, &Counter::None, |table, _| {
            let entries = table.entries();
            Ok((entries.len(), entries.iter().filter(|e| e.location().is_some()).count()))
        })?;
        Ok(format!("<Offloads: {all} prepared, {stored} stored>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Offloads", self.to_json(py)?)
    }
}

/// Held for an assignment only, or for one call on the table.
fn unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
