//! `haversack.Prompt` and `haversack.Snapshot`: named pieces, and what is left of them to compare with.

use std::sync::Arc;

use haversack::WireFormat;
use haversack::prompt::{self as core, Layer, PieceKind, RequestOptions, SnapshotOptions};
use pyo3::prelude::*;

use crate::arguments::{self, Given};
use crate::blame;
use crate::budget::Counter;
use crate::compare::Comparison;
use crate::error::raise;
use crate::limits::read_limits;
use crate::payload::Payload;
use crate::report::Report;
use crate::shared::Shared;
use crate::state::{Reduced, reduce, to_python};

/// A prompt as an ordered sequence of named pieces: layer by layer, and within a layer in the order of `add`.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Prompt(Shared<core::Prompt>);

impl Prompt {
    /// The prompt as it is now.
    pub(crate) fn now(&self) -> Arc<core::Prompt> {
        self.0.now()
    }

    fn put(&self, py: Python<'_>, mut piece: core::Piece, budget: Given<'_, '_>, owner: Given<'_, '_>) -> PyResult<()> {
        if let Some(budget) = arguments::number("budget", budget)? {
            piece = piece.with_budget(budget);
        }
        if let Some(owner) = arguments::text("owner", owner)? {
            piece = piece.owned_by(&*owner);
        }
        let added = self.0.write(|prompt| prompt.add(piece));
        added.map_err(|e| raise(py, &e))
    }
}

#[pymethods]
impl Prompt {
    #[new]
    fn new() -> Self {
        Prompt(Shared::new(core::Prompt::new()))
    }

    /// Takes a request body (or a bare list of messages) of one of the five formats apart: `settings/KEY`,
    /// `tools/NAME`, `system`, `message N`. Cache marks and the order of the members of the body are no content. A
    /// content
    /// that is a list of one plain text block is the same as that text: providers take both alike, and a mark needs
    /// the block.
    ///
    /// Args:
    ///     body: A dict, a list of message dicts, or either as JSON in a str or bytes.
    ///     format: `"auto"`, `"openai_chat"`, `"openai_responses"`, `"anthropic"`, `"gemini"` or `"bedrock"`.
    ///     limits: Other limits than the defaults, by name: here `depth`.
    ///
    /// Raises:
    ///     HaversackError: `invalid_json`, `too_deep`, `not_a_history`, `mixed_formats`, `invalid_option`;
    ///         `bad_argument` for a value that JSON cannot hold, such as NaN, with the `piece` that it is in.
    #[staticmethod]
    #[pyo3(signature = (body, /, *, format=None, limits=None))]
    fn from_request(
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        format: Given<'_, '_>,
        limits: Given<'_, '_>,
    ) -> PyResult<Self> {
        let mut options = RequestOptions::of_format(arguments::format(format)?);
        options.limits = read_limits(limits)?.unwrap_or_default();
        let payload = Payload::new(body).map_err(|e| blame::request(body, e))?;
        let bytes = payload.bytes();
        let prompt = py.detach(|| core::Prompt::from_request(bytes, &options)).map_err(|e| raise(py, &e))?;
        Ok(Prompt(Shared::new(prompt)))
    }

    /// Adds a piece at the end of its layer.
    ///
    /// Args:
    ///     name: A name that no other piece has.
    ///     text: Its text.
    ///     layer: How often it changes: `"static"`, `"rare"`, `"session"` (the default) or `"turn"`.
    ///     kind: `"instructions"`, `"tool"`, `"facts"`, `"conversation"`, `"notes"` or `"setting"`; by default what is
    ///         usual in the layer.
    ///     budget: What it may take at most, in the unit of the report.
    ///     owner: Who answers for it.
    ///
    /// Raises:
    ///     PromptError: `duplicate_piece`, `unknown_layer`; `piece` is the name.
    #[pyo3(signature = (name, text, *, layer=None, kind=None, budget=None, owner=None))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn add(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        text: &Bound<'_, PyAny>,
        layer: Given<'_, '_>,
        kind: Given<'_, '_>,
        budget: Given<'_, '_>,
        owner: Given<'_, '_>,
    ) -> PyResult<()> {
        let name = arguments::text("name", Some(name))?.map(|name| name.to_string()).unwrap_or_default();
        let text = Payload::of_text(text)?;
        let layer = match arguments::text("layer", layer)? {
            Some(layer) => Layer::of_piece(&layer, &name).map_err(|e| raise(py, &e))?,
            None => Layer::Session,
        };
        let mut piece = core::Piece::new(name, text.as_str(py)?, layer);
        if let Some(kind) = arguments::choice::<PieceKind>("kind", kind)? {
            piece = piece.of_kind(kind);
        }
        self.put(py, piece, budget, owner)
    }

    /// Adds a tool that you own as the piece `tools/NAME`, in canonical JSON: in its layer such tools come first, by
    /// name.
    ///
    /// Args:
    ///     name: The name of the tool.
    ///     definition: Its definition, as a value or as JSON in a str or bytes.
    ///     layer, budget, owner: As for `add`; the layer is `"static"` by default.
    ///
    /// Raises:
    ///     HaversackError: `invalid_json`, `not_canonical`, `duplicate_piece`, `unknown_layer`, and `bad_argument` for
    ///         a value that JSON cannot hold, such as NaN; `piece` is the name.
    #[pyo3(signature = (name, definition, *, layer=None, budget=None, owner=None))]
    fn add_tool(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        definition: &Bound<'_, PyAny>,
        layer: Given<'_, '_>,
        budget: Given<'_, '_>,
        owner: Given<'_, '_>,
    ) -> PyResult<()> {
        let name = arguments::text("name", Some(name))?.map(|name| name.to_string()).unwrap_or_default();
        let piece = format!("tools/{name}");
        let definition = Payload::new(definition).map_err(|e| blame::piece(py, e, &piece))?;
        let layer = match arguments::text("layer", layer)? {
            Some(layer) => Layer::of_piece(&layer, &piece).map_err(|e| raise(py, &e))?,
            None => Layer::Static,
        };
        let piece = core::Piece::tool(&name, definition.as_str(py)?, layer).map_err(|e| raise(py, &e))?;
        self.put(py, piece, budget, owner)
    }

    /// The same prompt before anyone spoke: without conversation and notes, with all settings, instructions, tools
    /// and facts. What a sub-agent with a blank history starts from; `shared_prefix` proves how much of the cache it
    /// inherits.
    ///
    ///     >>> agent = haversack.Prompt()
    ///     >>> agent.add("rules", "Be brief.", layer="static")
    ///     >>> agent.add("talk", "Hello!", kind="conversation")
    ///     >>> helper = agent.without_conversation()
    ///     >>> [piece.name for piece in helper.pieces]
    ///     ['rules']
    fn without_conversation(&self) -> Self {
        Prompt(Shared::new(self.now().without_conversation()))
    }

    /// The texts of all pieces but settings, in the order of the prompt, a blank line between two of them.
    fn render(&self, py: Python<'_>) -> String {
        let prompt = self.now();
        py.detach(|| prompt.render())
    }

    /// The definitions of the tools added with `add_tool`, as one JSON array: the `tools` of a request.
    fn tools_json(&self) -> String {
        self.now().tools_json()
    }

    /// Sizes by piece, layer and kind, against budgets, and how much is dead weight.
    ///
    /// Args:
    ///     budget: What the whole prompt may take at most, in the unit of the report.
    ///     counter: Counts tokens: a callable or a name. Without it sizes are in bytes.
    #[pyo3(signature = (*, budget=None, counter=None))]
    fn report(&self, py: Python<'_>, budget: Given<'_, '_>, counter: Given<'_, '_>) -> PyResult<Report> {
        let limit = arguments::number("budget", budget)?.unwrap_or(usize::MAX);
        let unit = if counter.is_some() { haversack::Unit::Tokens } else { haversack::Unit::Bytes };
        let prompt = self.now();
        let counter = Counter::new(py, counter.is_some(), counter)?;
        let limit = crate::budget::Limit::new(limit, unit);
        counter.run(py, usize::MAX, |counter| prompt.report(&limit.budget(counter))).map(Report::from)
    }

    /// The pieces in the order of the prompt.
    #[getter]
    fn pieces(&self) -> Vec<Piece> {
        self.now().pieces().cloned().map(Piece).collect()
    }

    /// The wire format of the request that it was taken from.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.now().format().map(WireFormat::name)
    }

    /// The cache mark of the whole request, which stands wherever it ends, as `(kind, seconds)`.
    #[getter]
    fn automatic_mark<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.now()
            .automatic_mark()
            .map(|mark| crate::records::AUTOMATIC_MARK.make(py, (mark.kind.name(), mark.seconds)))
            .transpose()
    }

    /// The prompt as it is now, to compare the next one with.
    ///
    /// Args:
    ///     counter: Counts the tokens of every piece, so that comparisons tell tokens too: a callable or a name.
    ///     key: A secret of str or bytes that makes every digest an HMAC; only snapshots under one key compare.
    #[pyo3(signature = (*, counter=None, key=None))]
    fn snapshot(&self, py: Python<'_>, counter: Given<'_, '_>, key: Given<'_, '_>) -> PyResult<Snapshot> {
        let key = key.map(Payload::of_text).transpose()?;
        let key = key.as_ref().map(Payload::bytes);
        let prompt = self.now();
        let bytes = prompt.pieces().map(|piece| piece.text().len()).sum();
        let counter = Counter::new(py, counter.is_some(), counter)?;
        let taken = counter.run(py, bytes, |counter| {
            let mut options = SnapshotOptions::default();
            (options.counter, options.key) = (counter, key);
            prompt.snapshot(&options)
        })?;
        Ok(Snapshot(taken))
    }

    fn __len__(&self) -> usize {
        self.now().len()
    }

    fn __repr__(&self) -> String {
        let prompt = self.now();
        let bytes: usize = prompt.pieces().map(|piece| piece.text().len()).sum();
        format!("Prompt(pieces={}, bytes={bytes})", prompt.len())
    }
}

/// A piece of a prompt.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Piece(core::Piece);

#[pymethods]
impl Piece {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Its text; of a request the JSON text of the value as it was sent, without cache marks.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// How often it changes: `"static"`, `"rare"`, `"session"` or `"turn"`.
    #[getter]
    fn layer(&self) -> &'static str {
        self.0.layer().name()
    }

    /// What it is for: `"instructions"`, `"tool"`, `"facts"`, `"conversation"`, `"notes"` or `"setting"`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    /// What it may take at most.
    #[getter]
    fn budget(&self) -> Option<usize> {
        self.0.budget()
    }

    /// Who answers for it.
    #[getter]
    fn owner(&self) -> Option<&str> {
        self.0.owner()
    }

    /// The cache marks on it, as `(byte, kind, seconds)`: the bytes of its text before the mark, the name of the
    /// member that it is, and the life it asks for (`None` where it leaves that to the provider).
    #[getter]
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        crate::records::PIECE_MARK.list(py, self.0.marks().iter().map(|mark| (mark.at, mark.kind.name(), mark.seconds)))
    }

    fn __repr__(&self) -> String {
        let p = &self.0;
        format!("Piece({:?}, layer={}, kind={}, bytes={})", p.name(), p.layer(), p.kind(), p.text().len())
    }
}

/// What is left of a prompt to compare the next one with: digests and labels.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Snapshot(pub(crate) core::Snapshot);

#[pymethods]
impl Snapshot {
    /// The snapshot as JSON, without any text of the prompt but the names of its pieces.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.to_json())
    }

    /// Reads what `to_json` wrote. What was read compares to 256 bytes, not to the exact byte.
    ///
    /// Raises:
    ///     HaversackError: `invalid_state` for another version, or what was changed since.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    pub(crate) fn from_json(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = Payload::of_text(text)?;
        Snapshot::from_text(py, text.as_str(py)?)
    }

    /// The same as `to_json`, as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.to_json(py))
    }

    /// The names of the pieces, in the order of the prompt.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.names().collect()
    }

    /// Bytes of all pieces together.
    #[getter]
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Tokens of all pieces together; `None` without a counter.
    #[getter]
    fn tokens(&self) -> Option<usize> {
        self.0.tokens()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "Snapshot", self.to_json(py))
    }

    fn __repr__(&self) -> String {
        format!("Snapshot(pieces={}, bytes={})", self.0.len(), self.0.bytes())
    }
}

impl Snapshot {
    pub(crate) fn from_text(py: Python<'_>, text: &str) -> PyResult<Self> {
        py.detach(|| core::Snapshot::from_json(text)).map(Snapshot).map_err(|e| raise(py, &e))
    }
}

/// A snapshot, or the one of a prompt.
fn snapshot_of(argument: &str, given: &Bound<'_, PyAny>) -> PyResult<core::Snapshot> {
    let py = given.py();
    if let Ok(snapshot) = given.cast::<Snapshot>() {
        return Ok(snapshot.get().0.clone());
    }
    if let Ok(prompt) = given.cast::<Prompt>() {
        let prompt = prompt.get().now();
        return py.detach(|| prompt.snapshot(&SnapshotOptions::default())).map_err(|e| raise(py, &e));
    }
    Err(arguments::wrong(argument, "a Snapshot or a Prompt", given))
}

/// Compares a prompt with the one before it: where they part, why, and what is lost to the cache.
///
/// Args:
///     previous: A `Snapshot` (or a `Prompt`), or `None` when there was none.
///     next: A `Snapshot` or a `Prompt`.
///
/// Raises:
///     OptionsError: The snapshots were taken under different keys.
#[pyfunction]
#[pyo3(signature = (previous, next, /))]
pub(crate) fn compare(
    py: Python<'_>,
    previous: Option<&Bound<'_, PyAny>>,
    next: &Bound<'_, PyAny>,
) -> PyResult<Comparison> {
    let previous = previous.map(|previous| snapshot_of("previous", previous)).transpose()?;
    let next = snapshot_of("next", next)?;
    let comparison = py.detach(|| core::compare(previous.as_ref(), &next)).map_err(|e| raise(py, &e))?;
    Ok(Comparison::from(comparison))
}

fn prompt_of(argument: &str, given: &Bound<'_, PyAny>) -> PyResult<Arc<core::Prompt>> {
    let prompt = given.cast::<Prompt>().map_err(|_| arguments::wrong(argument, "a Prompt", given))?;
    Ok(prompt.get().now())
}

/// What two prompts have in common at their start, by the bytes of their pieces.
///
/// Args:
///     a, b: Two prompts.
///     counter: Counts tokens, too: a callable or a name.
#[pyfunction]
#[pyo3(signature = (a, b, /, *, counter=None))]
pub(crate) fn shared_prefix(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    counter: Given<'_, '_>,
) -> PyResult<SharedPrefix> {
    let (a, b) = (prompt_of("a", a)?, prompt_of("b", b)?);
    let counter = Counter::new(py, counter.is_some(), counter)?;
    counter.run(py, usize::MAX, |counter| core::shared_prefix(&a, &b, counter)).map(SharedPrefix::from)
}

/// The start that two prompts share.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SharedPrefix {
    /// Bytes of the pieces' texts that are equal, up to the first that differs.
    bytes: usize,
    /// Tokens of these; `None` without a counter.
    tokens: Option<usize>,
    /// How many pieces are equal as a whole.
    pieces: usize,
    /// The first piece where they part: of the second prompt, or of the first where the second ends; `None` when
    /// equal.
    piece: Option<String>,
}

impl From<core::SharedPrefix> for SharedPrefix {
    fn from(it: core::SharedPrefix) -> Self {
        SharedPrefix { bytes: it.bytes, tokens: it.tokens, pieces: it.pieces, piece: it.piece }
    }
}

#[pymethods]
impl SharedPrefix {
    fn __repr__(&self) -> String {
        format!("SharedPrefix(bytes={}, pieces={}, piece={:?})", self.bytes, self.pieces, self.piece)
    }
}

/// The volatile values (times, ids, paths of one run) in the layers that should change rarely.
///
/// Args:
///     prompt: A prompt.
#[pyfunction]
#[pyo3(signature = (prompt, /))]
pub(crate) fn volatile(py: Python<'_>, prompt: &Bound<'_, PyAny>) -> PyResult<Vec<VolatileValue>> {
    let prompt = prompt_of("prompt", prompt)?;
    Ok(py.detach(|| core::volatile(&prompt)).into_iter().map(VolatileValue::from).collect())
}

/// A volatile value in an early layer.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VolatileValue {
    /// The name of the piece.
    piece: String,
    /// Its place in the prompt.
    index: usize,
    /// Its layer: `"static"` or `"rare"`.
    layer: &'static str,
    /// `"time"`, `"date"`, `"uuid"`, `"id"`, `"path"`, `"counter"` or `"nonce"`.
    kind: &'static str,
    /// Where it stands in the piece, in bytes.
    at_byte: usize,
    /// How long it is, in bytes.
    bytes: usize,
}

impl From<core::VolatileValue> for VolatileValue {
    fn from(it: core::VolatileValue) -> Self {
        VolatileValue {
            piece: it.piece,
            index: it.index,
            layer: it.layer.name(),
            kind: it.kind.name(),
            at_byte: it.at_byte,
            bytes: it.bytes,
        }
    }
}

#[pymethods]
impl VolatileValue {
    fn __repr__(&self) -> String {
        format!("VolatileValue({} in {:?} at byte {})", self.kind, self.piece, self.at_byte)
    }
}

/// Where a number stands that does not survive a double, how it was spelt, and what is written instead.
type Inexact = (usize, String, String);

/// The canonical form (RFC 8785), and the numbers that do not survive a double as `(byte, read, written)`.
#[pyfunction]
#[pyo3(signature = (value, /, *, limits=None))]
pub(crate) fn canonical_form(
    py: Python<'_>,
    value: &Bound<'_, PyAny>,
    limits: Given<'_, '_>,
) -> PyResult<(String, Vec<Inexact>)> {
    let payload = Payload::new(value)?;
    let text = payload.as_str(py)?;
    let depth = read_limits(limits)?.unwrap_or_default().depth;
    let form = py.detach(|| {
        let form = haversack::canonical_json(text, depth)?;
        let inexact = form.inexact_numbers().iter();
        let inexact = inexact.map(|number| (number.offset, number.read.clone(), number.written.clone())).collect();
        Ok((form.into_text().into_owned(), inexact))
    });
    form.map_err(|e: haversack::Error| raise(py, &e))
}
