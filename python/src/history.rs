//! `haversack.History`: reading, violations, safe cuts; what a cut and a repair give back is in `rewritten.rs`.

use std::borrow::Cow;
use std::sync::Arc;

use haversack::history::{CutAnswer, CutOptions, KeepAtMost, RepairOptions};
use haversack::{Budget, HistoryOptions, Limits, WireFormat};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::{Deserialize, Serialize};

use crate::arguments::{self, Given};
use crate::budget::{Counter, Limit};
use crate::error::{self, raise};
use crate::json::{for_history, written};
use crate::limits::read_limits;
use crate::payload::Payload;
use crate::rewritten::{Cut, NothingToCut, Repair};
use crate::state::{self, Reduced};

/// A chat history of one of the five wire formats: what a provider would refuse, where it may be cut, its repair.
///
///     >>> h = haversack.History([
///     ...     {"role": "user", "content": "weather?"},
///     ...     {"role": "assistant", "content": None, "tool_calls": [
///     ...         {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]},
///     ...     {"role": "user", "content": "hello?"},
///     ... ])
///     >>> [v.kind for v in h.violations()]
///     ['missing_result']
///     >>> h.repair().messages[2]["content"]
///     '[no result: interrupted]'
///
/// Args:
///     messages: A list of message dicts, a whole request body as a dict, or either as JSON in a str or bytes.
///     format: What to read it as; `"auto"` (the default) detects it.
///     profile: The rules that count: `"strict"` (the default) or a server by name.
///     request: The request body beside a bare list, a dict or JSON: model, thinking, store and tools decide some
///         rules. A member of ours, `reasoning_parent`, maps the server id of an item to that of the reasoning it came
///         with (OpenAI Responses), for hosts that remember it.
///     limits: Other limits than the defaults, by name: here `depth`.
///
/// Raises:
///     InputError: No UTF-8, no JSON, no list of messages, or messages of two formats.
///     OptionsError: `argument` says which option cannot be.
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) core: Arc<haversack::History<'static>>,
    /// The dicts that were given, for handing back what stays as it is.
    pub(crate) given: Option<Py<PyList>>,
    /// How it was read, for reading it again elsewhere.
    reading: Arc<Reading>,
}

/// The options of reading.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Reading {
    /// None when it was detected.
    format: Option<Cow<'static, str>>,
    profile: Option<String>,
    request: Option<String>,
    depth: usize,
}

impl Reading {
    fn options(&self) -> HistoryOptions<'_> {
        let mut options = HistoryOptions::default();
        options.format = self.format.as_deref().and_then(WireFormat::named);
        options.profile = self.profile.as_deref();
        options.request = self.request.as_deref();
        options.limits.depth = self.depth;
        options
    }
}

/// What a pickled history is: its text and how it was read.
#[derive(Serialize, Deserialize)]
struct State<'a> {
    text: Cow<'a, str>,
    #[serde(flatten)]
    reading: Cow<'a, Reading>,
}

impl History {
    fn read(py: Python<'_>, reading: Reading, text: String) -> PyResult<Self> {
        let core = py.detach(|| haversack::History::parse_owned(text, &reading.options()));
        let core = Arc::new(core.map_err(|e| raise(py, &e))?);
        Ok(History { core, given: None, reading: Arc::new(reading) })
    }

    /// From what [`__reduce__`](History::__reduce__) wrote.
    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        let State { text, reading } = state::from_json::<State<'static>>(py, json)?;
        History::read(py, reading.into_owned(), text.into_owned())
    }
}

#[pymethods]
impl History {
    #[new]
    #[pyo3(signature = (messages, /, *, format=None, profile=None, request=None, limits=None))]
    fn new(
        py: Python<'_>,
        messages: &Bound<'_, PyAny>,
        format: Given<'_, '_>,
        profile: Given<'_, '_>,
        request: Given<'_, '_>,
        limits: Given<'_, '_>,
    ) -> PyResult<Self> {
        let format = arguments::format(format)?;
        let profile = arguments::text("profile", profile)?;
        let request = request.map(beside).transpose()?;
        let reading = Reading {
            format: format.map(|format: WireFormat| format.name().into()),
            profile: profile.map(|profile| profile.to_string()),
            request,
            depth: read_limits(limits)?.unwrap_or(Limits::DEFAULT).depth,
        };
        let options = reading.options();
        let core = match Payload::as_it_is(messages)? {
            Some(text) => {
                let bytes = text.bytes();
                py.detach(|| haversack::History::parse(bytes, &options).map(haversack::History::into_owned))
            }
            None => match for_history(messages)? {
                Ok(writer) => py.detach(|| haversack::History::from_writer(writer, &options)),
                Err(json) => py.detach(|| haversack::History::parse_owned(json, &options)),
            },
        };
        let core = Arc::new(core.map_err(|e| raise(py, &e))?);
        let given = given_list(messages, core.format())?.map(Bound::unbind);
        Ok(History { core, given, reading: Arc::new(reading) })
    }

    /// Through JSON: a history that was pickled is read again from its text, under the same options. What it hands back
    /// are dicts of its own.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let state = State { text: self.core.text().into(), reading: Cow::Borrowed(&self.reading) };
        state::reduce(py, "History", state::to_json(&state))
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// A history never changes, but the dicts that it hands back may.
    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        let copied = |given: &Py<PyList>| {
            let copy = py.import("copy")?.call_method1("deepcopy", (given, memo))?;
            Ok::<_, PyErr>(copy.cast_into::<PyList>()?.unbind())
        };
        let given = self.given.as_ref().map(copied).transpose()?;
        Ok(History { core: self.core.clone(), given, reading: self.reading.clone() })
    }

    /// The wire format, such as `"anthropic"`.
    #[getter]
    fn format(&self) -> &'static str {
        self.core.format().name()
    }

    /// Whether the format was named or shown by the messages; else it was taken for `"openai_chat"`.
    #[getter]
    fn certain(&self) -> bool {
        self.core.is_certain()
    }

    /// The text that was read: what was given, or the JSON of it.
    #[getter]
    fn text(&self) -> &str {
        self.core.text()
    }

    /// The JSON text of one message, as it came; `None` past the end.
    fn message(&self, index: &Bound<'_, PyAny>) -> PyResult<Option<&str>> {
        let index = arguments::number("index", Some(index))?.unwrap_or_default();
        Ok(self.core.message(index))
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        format!("History(format={:?}, messages={})", self.format(), self.core.len())
    }

    /// The steps, in order: what lives and dies together.
    #[getter]
    fn steps(&self) -> Vec<Step> {
        self.core.steps().into_iter().map(Step::from).collect()
    }

    /// What the provider would refuse, in the order of the messages.
    ///
    /// Args:
    ///     sending: The history goes out next, so that it may not end on an open call. Default: False.
    #[pyo3(signature = (*, sending=None))]
    fn violations(&self, py: Python<'_>, sending: Given<'_, '_>) -> PyResult<Vec<Violation>> {
        let sending = arguments::flag("sending", sending)?.unwrap_or_default();
        let found = py.detach(|| self.core.violations(sending));
        Ok(found.into_iter().map(Violation::from).collect())
    }

    /// The indices at which it may be cut: system prompt + `messages[i:]` is as valid as the whole.
    ///
    /// Args:
    ///     portable: Only those that hold in every format. Default: False.
    #[pyo3(signature = (*, portable=None))]
    fn safe_cuts(&self, py: Python<'_>, portable: Given<'_, '_>) -> PyResult<Vec<usize>> {
        let portable = arguments::flag("portable", portable)?.unwrap_or_default();
        Ok(py.detach(|| if portable { self.core.portable_cuts() } else { self.core.safe_cuts() }))
    }

    /// For each message why no cut may stand before it, such as `"inside_step"`; `None` where it may.
    fn cut_refusals(&self, py: Python<'_>) -> Vec<Option<&'static str>> {
        let refusals = py.detach(|| self.core.cut_refusals());
        refusals.into_iter().map(|refusal| refusal.map(haversack::history::CutRefusal::name)).collect()
    }

    /// Why `index` is not among the safe cuts; `None` when it is. Costs as much as `cut_refusals`.
    fn cut_refusal(&self, index: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let index = arguments::number("index", Some(index))?.unwrap_or_default();
        Ok(self.core.cut_refusal(index).map(haversack::history::CutRefusal::name))
    }

    /// Cuts the front so that what is kept is within the budget, system prompt and pins included.
    ///
    /// Args:
    ///     keep_tokens, keep_messages, keep_chars, keep_bytes, keep_utf16: Exactly one of them.
    ///     counter: What counts tokens, as for `deliver`.
    ///     pinned: Messages that stay, by index.
    ///     portable: Only at indices that hold in every format. Default: False.
    ///
    /// Returns:
    ///     A `Cut`, or `NothingToCut` with its reason.
    ///
    /// Raises:
    ///     BudgetError: What has to stay cannot be made to fit; `needed` says what would do.
    #[pyo3(signature = (
        keep_tokens=None, *, keep_messages=None, keep_chars=None, keep_bytes=None, keep_utf16=None, counter=None,
        pinned=None, portable=None
    ))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn cut<'py>(
        slf: &Bound<'py, Self>,
        keep_tokens: Given<'_, 'py>,
        keep_messages: Given<'_, 'py>,
        keep_chars: Given<'_, 'py>,
        keep_bytes: Given<'_, 'py>,
        keep_utf16: Given<'_, 'py>,
        counter: Given<'_, 'py>,
        pinned: Given<'_, 'py>,
        portable: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let named = [
            ("keep_tokens", keep_tokens),
            ("keep_messages", keep_messages),
            ("keep_chars", keep_chars),
            ("keep_bytes", keep_bytes),
            ("keep_utf16", keep_utf16),
        ];
        let mut sizes = named.into_iter().filter_map(|(name, size)| size.map(|size| (name, size)));
        let Some((name, size)) = sizes.next() else {
            return Err(error::option(py, "keep_tokens", "no budget: give keep_tokens= or keep_messages="));
        };
        if let Some((second, _)) = sizes.next() {
            return Err(error::option(py, second, &format!("two budgets, {name}= and {second}=: give one of them")));
        }
        let size = arguments::number(name, Some(size))?.unwrap_or_default();
        let pinned = indices("pinned", pinned)?;
        let mut options = CutOptions::default();
        options.pinned = &pinned;
        options.portable = arguments::flag("portable", portable)?.unwrap_or_default();
        let counter = Counter::new(py, name == "keep_tokens", counter)?;
        let unit = match name {
            "keep_tokens" => haversack::Unit::Tokens,
            "keep_bytes" => haversack::Unit::Bytes,
            "keep_utf16" => haversack::Unit::Utf16,
            _ => haversack::Unit::Chars,
        };
        let limit = Limit::new(size, unit);
        // What a counter of ours would say of the part that is dropped is asked when somebody wants to know.
        options.uncounted = matches!(counter, Counter::Named(_));
        let this = slf.get();
        let answer = counter.run(py, usize::MAX, |c| {
            let budget: Budget<'_> = limit.budget(c);
            let keep = if name == "keep_messages" { KeepAtMost::Messages(size) } else { KeepAtMost::Size(budget) };
            this.core.cut(keep, &options)
        })?;
        match answer {
            CutAnswer::Cut(core) => {
                let uncounted = options.uncounted.then_some(counter);
                Ok(Bound::new(py, Cut::new(core, slf.clone().unbind(), uncounted))?.into_any())
            }
            CutAnswer::Nothing(reason) => Ok(Bound::new(py, NothingToCut { reason: reason.name().into() })?.into_any()),
        }
    }

    /// The smallest change after which `violations` finds nothing, or only what `remaining` holds.
    ///
    /// A valid history is not changed at all.
    ///
    /// Args:
    ///     missing: `"synthesise"` a result for a call without one (the default), or `"drop"` the call.
    ///     orphan: `"drop"` a result without a call (the default), or keep its `"text"` as the user's.
    ///     sending: As for `violations`. Default: False.
    #[pyo3(signature = (*, missing=None, orphan=None, sending=None))]
    fn repair(
        slf: &Bound<'_, Self>,
        missing: Given<'_, '_>,
        orphan: Given<'_, '_>,
        sending: Given<'_, '_>,
    ) -> PyResult<Repair> {
        let py = slf.py();
        let mut options = RepairOptions::default();
        options.missing = arguments::choice("missing", missing)?.unwrap_or_default();
        options.orphan = arguments::choice("orphan", orphan)?.unwrap_or_default();
        options.sending = arguments::flag("sending", sending)?.unwrap_or_default();
        let this = slf.get();
        let core = py.detach(|| this.core.repair(&options)).map_err(|e| raise(py, &e))?;
        Ok(Repair { core, history: slf.clone().unbind() })
    }
}

/// What a provider would refuse, and where.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Violation {
    /// What is wrong, such as `"orphan_result"`.
    #[pyo3(get)]
    kind: Cow<'static, str>,
    /// The message concerned, counted from 0.
    #[pyo3(get)]
    index: usize,
    /// JSON pointer to the place inside the list of messages.
    #[pyo3(get)]
    path: String,
    /// The id concerned.
    #[pyo3(get)]
    id: Option<String>,
    /// A sentence that helps.
    #[pyo3(get)]
    message: String,
    /// What the provider would answer; `None` where no text is known.
    #[pyo3(get)]
    provider: Option<Cow<'static, str>>,
}

impl From<haversack::Violation> for Violation {
    fn from(core: haversack::Violation) -> Self {
        let provider = (!core.provider.is_empty()).then_some(core.provider.into());
        let haversack::Violation { kind, index, path, id, message, .. } = core;
        Violation { kind: kind.name().into(), index, path, id, message, provider }
    }
}

#[pymethods]
impl Violation {
    fn __repr__(&self) -> String {
        format!("Violation({} at {:?}: {})", self.kind, self.path, self.message)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Violation", state::to_json(self))
    }
}

/// The messages `start..stop`, which live and die together.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// `"system"`, `"user"`, `"assistant"` or `"other"`.
    #[pyo3(get)]
    kind: Cow<'static, str>,
    /// Its first message.
    #[pyo3(get)]
    start: usize,
    /// One past its last message.
    #[pyo3(get)]
    stop: usize,
    /// Calls that the host answers.
    #[pyo3(get)]
    calls: usize,
    /// Those of them without a result.
    #[pyo3(get)]
    open: usize,
}

impl From<haversack::history::Step> for Step {
    fn from(core: haversack::history::Step) -> Self {
        let haversack::history::Step { kind, from: start, to: stop, calls, open, .. } = core;
        Step { kind: kind.name().into(), start, stop, calls, open }
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        format!("Step({} {}..{}, calls={}, open={})", self.kind, self.start, self.stop, self.calls, self.open)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Step", state::to_json(self))
    }
}

pub(crate) fn indices(argument: &str, given: Given<'_, '_>) -> PyResult<Vec<usize>> {
    let Some(value) = given else { return Ok(Vec::new()) };
    let refused = || arguments::wrong(argument, "a list of message indices", value);
    if value.is_instance_of::<PyString>() {
        return Err(refused());
    }
    let items = value.try_iter().map_err(|_| refused())?;
    items.map(|item| arguments::number(argument, Some(&item?))?.ok_or_else(refused)).collect()
}

/// The request beside a list, as JSON.
fn beside(request: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = request.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if request.is_instance_of::<PyDict>() {
        return written(request);
    }
    Err(arguments::wrong("request", "a dict or JSON text", request))
}

/// The list of dicts inside what was given; none for text.
fn given_list<'py>(given: &Bound<'py, PyAny>, format: WireFormat) -> PyResult<Option<Bound<'py, PyList>>> {
    let list = match given.cast::<PyDict>() {
        Ok(body) => body.get_item(format.field())?,
        Err(_) => Some(given.clone()),
    };
    // A copy: the caller may change theirs.
    Ok(list.and_then(|list| list.cast_into::<PyList>().ok()).map(|list| list.get_slice(0, list.len())))
}
