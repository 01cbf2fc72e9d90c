//! `haversack.Transcript`: messages by number; and the index of a transcript in a file.

use haversack::transcript::DamageKind;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde::{Deserialize, Serialize};

use crate::account::quoted;
use crate::arguments::{self, required};
use crate::error::raise;
use crate::payload::Payload;
use crate::shared::Shared;
use crate::state::{self, Reduced};

/// Everything that was said, by number: message 214 stays message 214, whatever a compaction does to the prompt.
///
///     >>> t = haversack.Transcript()
///     >>> t.append({"role": "user", "content": "Which port?"})
///     1
///     >>> t.append({"role": "assistant", "content": "Port 8080."})
///     2
///     >>> t.read(2, 2)[0].message["content"], t.resolve("message 2")
///     ('Port 8080.', (2, 2))
///     >>> [(r.first, r.exists, r.holds) for r in t.check('As message 2 says "Port 8080.", see message 9.')]
///     [(2, True, True), (9, False, None)]
///
/// A transcript is JSON Lines: line N is message N. For one in a file that is too large to load there is
/// `TranscriptFile`.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug, Default)]
pub(crate) struct Transcript(Shared<haversack::Transcript>);

impl Transcript {
    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        let read = py.detach(|| haversack::Transcript::from_json(json));
        read.map(Transcript::of).map_err(|e| raise(py, &e))
    }

    fn of(transcript: haversack::Transcript) -> Self {
        Transcript(Shared::new(transcript))
    }

    /// The messages of these lines by number, from 1. A line that is no UTF-8 holds none.
    fn of_lines(lines: &[u8]) -> haversack::Transcript {
        if let Ok(text) = core::str::from_utf8(lines) {
            return haversack::Transcript::from_jsonl(text);
        }
        let read = |line| core::str::from_utf8(line).unwrap_or("\n");
        let text: String = lines.split_inclusive(|byte| *byte == b'\n').map(read).collect();
        haversack::Transcript::from_jsonl(&text)
    }

    /// Runs `work`, which calls no Python.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&haversack::Transcript) -> R) -> R {
        self.0.read(work)
    }
}

#[pymethods]
impl Transcript {
    #[new]
    fn new() -> Self {
        Transcript::default()
    }

    /// Appends a message (a dict, or the text of a JSON object) and answers its number, from 1, which is its for
    /// good. Costs its own length.
    ///
    /// Raises:
    ///     InputError: Text that is no JSON, with the `offset`; a value that JSON cannot hold.
    ///     OptionsError: JSON that is no object.
    #[pyo3(signature = (message, /))]
    fn append(&self, py: Python<'_>, message: &Bound<'_, PyAny>) -> PyResult<u64> {
        let message = Payload::new(message)?;
        let text = message.as_str(py)?;
        let number = self.0.write(|t| t.append(text));
        number.map_err(|e| raise(py, &e))
    }

    /// The number of the last message; 0 where there is none.
    #[getter]
    fn last(&self) -> u64 {
        self.0.read(haversack::Transcript::last)
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.0.read(haversack::Transcript::last)).unwrap_or(usize::MAX)
    }

    /// The messages from `first` to `last`, both included. A line that is damaged is left out, and stands in
    /// `damage`.
    ///
    /// Raises:
    ///     OptionsError: `no_such_message`, with the number (`index`) that there is not, and the last one
    ///         (`available`).
    #[pyo3(signature = (first, last, /))]
    fn read(&self, py: Python<'_>, first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> PyResult<Vec<Message>> {
        let (first, last) = range(first, last)?;
        let read = self.with(|t| t.read(first, last).map(|messages| messages.iter().map(Message::from).collect()));
        read.map_err(|e| raise(py, &e))
    }

    /// The messages of a range as one JSON array: a history of its own, for `History`. Raises as `read`.
    #[pyo3(signature = (first, last, /))]
    fn array(&self, py: Python<'_>, first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> PyResult<String> {
        let (first, last) = range(first, last)?;
        let array = self.with(|t| t.array(first, last));
        array.map_err(|e| raise(py, &e))
    }

    /// The messages whose strings and names of members hold exactly this text, in order; escapes are read as what
    /// they say. Linear in the transcript.
    ///
    /// Raises:
    ///     OptionsError: An empty `needle`, or one above 4,096 bytes.
    #[pyo3(signature = (needle, /))]
    fn search(&self, py: Python<'_>, needle: &Bound<'_, PyAny>) -> PyResult<Vec<TranscriptHit>> {
        let needle = required("needle", needle)?;
        let hits = py.detach(|| self.with(|t| t.search(&needle))).map_err(|e| raise(py, &e))?;
        Ok(hits.into_iter().map(|hit| TranscriptHit { number: hit.number, count: hit.count }).collect())
    }

    /// What a reference leads to: its first and last message. References are `message 214`, `messages 3-9` or
    /// `3 to 9`, `#214`, or the number alone, perhaps in brackets.
    ///
    /// Raises:
    ///     OptionsError: It is none of these; or `no_such_message`, with the number (`index`) that there is not, and
    ///         the last one (`available`).
    #[pyo3(signature = (reference, /))]
    fn resolve(&self, py: Python<'_>, reference: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
        let reference = required("reference", reference)?;
        let found = self.with(|t| t.resolve(&reference));
        found.map_err(|e| raise(py, &e))
    }

    /// The references in a text (a summary, a finding), each with whether it exists and, where words are quoted
    /// behind it, whether the messages hold exactly them (in a range of at most 100 messages).
    ///
    /// Linear in the text, and for each quote in the messages it is looked for in.
    #[pyo3(signature = (text, /))]
    fn check(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Vec<Reference>> {
        let text = required("text", text)?;
        let found = py.detach(|| self.with(|t| t.check(&text)));
        Ok(found.into_iter().map(Reference::from).collect())
    }

    /// The references in a text, in order, when there is no transcript to ask: the word `message` or `messages`, a
    /// number or a range, and perhaps words in double quotes. Linear.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn references(text: &Bound<'_, PyAny>) -> PyResult<Vec<Reference>> {
        let text = required("text", text)?;
        Ok(haversack::transcript::references(&text).into_iter().map(Reference::from).collect())
    }

    /// The lines that cannot be served, in order.
    #[getter]
    fn damage(&self) -> Vec<Damage> {
        self.with(|t| t.damage().iter().map(Damage::from).collect())
    }

    /// All lines as they stand, damaged ones too: JSON Lines, line N is message N.
    fn to_jsonl(&self) -> String {
        self.with(|t| t.to_jsonl().to_owned())
    }

    /// Reads JSON Lines. Every line that is a JSON object is served under its number, every other is reported in
    /// `damage` and keeps its number. A last line without a line feed that is whole is a message.
    ///
    /// Raises:
    ///     InputError: Bytes that are no UTF-8, a lone surrogate.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_jsonl(_class: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = Payload::of_text(text)?;
        let text = text.as_str(py)?;
        Ok(Transcript::of(py.detach(|| haversack::Transcript::from_jsonl(text))))
    }

    /// The transcript as compact JSON, for hosts that keep all state in one form.
    fn to_json(&self) -> String {
        self.with(haversack::Transcript::to_json)
    }

    /// Reads what `to_json` wrote.
    ///
    /// Raises:
    ///     StateError: `invalid_state`: no such JSON (`offset`), or another version.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Transcript::from_text(py, &required("text", text)?)
    }

    /// A transcript of its own with the same content. Costs nothing until one of them changes.
    fn copy(&self) -> Self {
        Transcript(self.0.copy())
    }

    fn __repr__(&self) -> String {
        self.with(|t| match t.damage().len() {
            0 => format!("Transcript(last={})", t.last()),
            damaged => format!("Transcript(last={}, damaged={damaged})", t.last()),
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Transcript", self.to_json())
    }
}

fn range(first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
    let number = |argument: &str, value: &Bound<'_, PyAny>| {
        let n = arguments::number(argument, Some(value))?.unwrap_or_default();
        Ok::<_, PyErr>(u64::try_from(n).unwrap_or(u64::MAX))
    };
    Ok((number("first", first)?, number("last", last)?))
}

/// A message of a transcript, as it stands.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    /// Its number, for good.
    #[pyo3(get)]
    number: u64,
    /// Its JSON.
    #[pyo3(get)]
    text: String,
}

impl From<&haversack::transcript::Message<'_>> for Message {
    fn from(it: &haversack::transcript::Message<'_>) -> Self {
        Message { number: it.number, text: it.text.to_owned() }
    }
}

#[pymethods]
impl Message {
    /// The message itself, read anew whenever it is asked for.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.text)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Message({}, {})", self.number, quoted(py, &self.text)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Message", state::to_json(self))
    }
}

/// A line of a transcript that cannot be served.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Damage {
    /// The number that it keeps.
    #[pyo3(get)]
    number: u64,
    kind: DamageKind,
    /// Where, in bytes from the start of the line.
    #[pyo3(get)]
    offset: usize,
    /// How many bytes it has.
    #[pyo3(get)]
    bytes: usize,
}

impl From<&haversack::Damage> for Damage {
    fn from(it: &haversack::Damage) -> Self {
        Damage { number: it.number, kind: it.kind, offset: it.offset, bytes: it.bytes }
    }
}

#[pymethods]
impl Damage {
    /// What is wrong.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    fn __repr__(&self) -> String {
        let d = self;
        format!("Damage(number={}, kind='{}', offset={}, bytes={})", d.number, d.kind.name(), d.offset, d.bytes)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Damage", state::to_json(self))
    }
}

/// A message that holds what was looked for.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TranscriptHit {
    /// Its number.
    number: u64,
    /// How often.
    count: u64,
}

#[pymethods]
impl TranscriptHit {
    fn __repr__(&self) -> String {
        format!("TranscriptHit(number={}, count={})", self.number, self.count)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "TranscriptHit", state::to_json(self))
    }
}

/// A reference to messages in a text.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reference {
    /// The first message.
    first: u64,
    /// The last message.
    last: u64,
    /// Where it stands, in bytes of UTF-8.
    at: usize,
    /// How long it is, in bytes, the quote not included.
    length: usize,
    /// The words quoted behind it.
    quote: Option<String>,
    /// Whether there are such messages. Not known before a transcript was asked: False.
    exists: bool,
    /// Whether one of the messages holds exactly the quoted words; `None` where nothing is quoted, the range is too
    /// wide to look through, or no transcript was asked.
    holds: Option<bool>,
}

impl From<haversack::Reference> for Reference {
    fn from(it: haversack::Reference) -> Self {
        let (first, last, at, length) = (it.from, it.to, it.at, it.length);
        Reference { first, last, at, length, quote: it.quote, exists: it.exists, holds: it.holds }
    }
}

#[pymethods]
impl Reference {
    fn __repr__(&self) -> String {
        let shown = |flag: bool| if flag { "True" } else { "False" };
        let (exists, holds) = (shown(self.exists), self.holds.map_or("None", shown));
        format!("Reference(first={}, last={}, exists={exists}, holds={holds})", self.first, self.last)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Reference", state::to_json(self))
    }
}

/// The places of the lines of a JSON Lines file: it is fed the file once, and then whatever is appended; 8 bytes a
/// message. `TranscriptFile` keeps one for an open file.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug, Default)]
pub(crate) struct TranscriptIndex(Shared<haversack::TranscriptIndex>);

#[pymethods]
impl TranscriptIndex {
    #[new]
    fn new() -> Self {
        TranscriptIndex::default()
    }

    /// Goes over the next bytes of the file, in pieces of any size.
    ///
    /// Raises:
    ///     OptionsError: `data` that are no bytes.
    #[pyo3(signature = (data, /))]
    fn feed(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = bytes_of(data)?;
        py.detach(|| self.0.write(|index| index.feed(data.bytes())));
        Ok(())
    }

    /// The number of the last message; 0 where there is none.
    #[getter]
    fn last(&self) -> u64 {
        self.0.read(haversack::TranscriptIndex::last)
    }

    /// How many bytes were fed: where the file goes on.
    #[getter]
    fn length(&self) -> u64 {
        self.0.read(haversack::TranscriptIndex::length)
    }

    /// The bytes of the messages from `first` to `last`, both included: where they start and where they end.
    ///
    /// Raises:
    ///     OptionsError: `no_such_message`, with the number (`index`) that there is not, and the last one
    ///         (`available`).
    #[pyo3(signature = (first, last, /))]
    fn range(&self, py: Python<'_>, first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
        let (first, last) = range(first, last)?;
        let bytes = self.0.read(|index| index.range(first, last));
        bytes.map(|bytes| (bytes.start, bytes.end)).map_err(|e| raise(py, &e))
    }

    /// What a reference leads to, as `Transcript.resolve` reads it.
    ///
    /// Raises:
    ///     OptionsError: As there.
    #[pyo3(signature = (reference, /))]
    fn resolve(&self, py: Python<'_>, reference: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
        let reference = required("reference", reference)?;
        let found = self.0.read(|index| index.resolve(&reference));
        found.map_err(|e| raise(py, &e))
    }

    /// An index of its own of the same file. Costs nothing until one of them changes.
    fn copy(&self) -> Self {
        TranscriptIndex(self.0.copy())
    }

    fn __repr__(&self) -> String {
        let index = self.0.now();
        format!("TranscriptIndex(last={}, length={})", index.last(), index.length())
    }
}

fn bytes_of(data: &Bound<'_, PyAny>) -> PyResult<Payload> {
    match Payload::as_it_is(data)? {
        Some(payload @ Payload::Bytes(_)) => Ok(payload),
        _ => Err(arguments::wrong("data", "bytes", data)),
    }
}

/// The messages of the bytes of a range, of which the first has the number `first`, and the lines that are none.
/// Linear.
#[pyfunction]
#[pyo3(signature = (data, first, /))]
pub(crate) fn read_lines(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    first: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Message>, Vec<Damage>)> {
    let data = bytes_of(data)?;
    let (first, _) = range(first, first)?;
    let lines = py.detach(|| haversack::transcript::read_lines(data.bytes(), first));
    Ok((lines.messages.iter().map(Message::from).collect(), lines.damage.iter().map(Damage::from).collect()))
}

/// As `Transcript.search`, of the bytes of a range, of which the first message has the number `first`. Linear.
#[pyfunction]
#[pyo3(signature = (data, first, needle, /))]
pub(crate) fn search_lines(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    first: &Bound<'_, PyAny>,
    needle: &Bound<'_, PyAny>,
) -> PyResult<Vec<TranscriptHit>> {
    let data = bytes_of(data)?;
    let ((first, _), needle) = (range(first, first)?, required("needle", needle)?);
    let hits = py.detach(|| Transcript::of_lines(data.bytes()).search(&needle)).map_err(|e| raise(py, &e))?;
    let number = |one: u64| first.saturating_add(one).saturating_sub(1);
    Ok(hits.into_iter().map(|hit| TranscriptHit { number: number(hit.number), count: hit.count }).collect())
}

/// Messages that a quote is looked for in, as in the core.
const QUOTED_RANGE: u64 = 100;

/// As `Transcript.check`, where `read` answers the bytes of a range of messages, of which there are `last`.
#[pyfunction]
#[pyo3(signature = (text, last, read, /))]
pub(crate) fn check_references(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    last: &Bound<'_, PyAny>,
    read: &Bound<'_, PyAny>,
) -> PyResult<Vec<Reference>> {
    let (text, (last, _)) = (required("text", text)?, range(last, last)?);
    let mut found = haversack::transcript::references(&text);
    for one in &mut found {
        one.exists = (1..=last).contains(&one.from) && one.to <= last;
        let Some(quote) = one.quote.as_deref().filter(|_| one.to - one.from < QUOTED_RANGE) else { continue };
        if !one.exists {
            one.holds = Some(false);
            continue;
        }
        let lines = bytes_of(&read.call1((one.from, one.to))?)?;
        // Of these lines alone the numbers start at 1. A quote in straight marks has none inside.
        let [open, close] = if quote.contains('"') { ['“', '”'] } else { ['"', '"'] };
        let asked = format!("messages 1 to {}: {open}{quote}{close}", one.to - one.from + 1);
        let told = py.detach(|| Transcript::of_lines(lines.bytes()).check(&asked));
        one.holds = told.first().and_then(|told| told.holds);
    }
    Ok(found.into_iter().map(Reference::from).collect())
}
