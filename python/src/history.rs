//! `haversack.History`: reading, violations, safe cuts; what a cut and a repair give back is in `rewritten.rs`.

use haversack::history::{CutAnswer, CutOptions, KeepAtMost, RepairOptions};
use haversack::{Budget, HistoryOptions, WireFormat};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::arguments::{self, Given};
use crate::budget::{Counter, Limit};
use crate::error::{self, raise};
use crate::json::written;
use crate::limits::read_limits;
use crate::payload::Payload;
use crate::rewritten::{Cut, NothingToCut, Repair};

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
    pub(crate) core: haversack::History<'static>,
    /// The dicts that were given, for handing back what stays as it is.
    pub(crate) given: Option<Py<PyList>>,
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
        let limits = read_limits(limits)?;
        let payload = Payload::new(messages)?;
        let mut options = HistoryOptions::default();
        options.format = format;
        options.profile = profile.as_deref();
        options.request = request.as_deref();
        options.limits = limits.unwrap_or_default();
        let core = match payload {
            Payload::Value(json) => py.detach(|| haversack::History::parse_owned(json, &options)),
            text => {
                let bytes = text.bytes();
                py.detach(|| haversack::History::parse(bytes, &options).map(haversack::History::into_owned))
            }
        };
        let core = core.map_err(|e| raise(py, &e))?;
        let given = given_list(messages, core.format())?.map(Bound::unbind);
        Ok(History { core, given })
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
        self.core.steps().into_iter().map(Step).collect()
    }

    /// What the provider would refuse, in the order of the messages.
    ///
    /// Args:
    ///     sending: The history goes out next, so that it may not end on an open call. Default: False.
    #[pyo3(signature = (*, sending=None))]
    fn violations(&self, py: Python<'_>, sending: Given<'_, '_>) -> PyResult<Vec<Violation>> {
        let sending = arguments::flag("sending", sending)?.unwrap_or_default();
        let found = py.detach(|| self.core.violations(sending));
        Ok(found.into_iter().map(Violation).collect())
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
        let this = slf.get();
        let answer = counter.run(py, usize::MAX, |c| {
            let budget: Budget<'_> = limit.budget(c);
            let keep = if name == "keep_messages" { KeepAtMost::Messages(size) } else { KeepAtMost::Size(budget) };
            this.core.cut(keep, &options)
        })?;
        match answer {
            CutAnswer::Cut(core) => Ok(Bound::new(py, Cut { core, history: slf.clone().unbind() })?.into_any()),
            CutAnswer::Nothing(reason) => Ok(Bound::new(py, NothingToCut { reason: reason.name() })?.into_any()),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation(pub(crate) haversack::Violation);

#[pymethods]
impl Violation {
    /// What is wrong, such as `"orphan_result"`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// The message concerned, counted from 0.
    #[getter]
    fn index(&self) -> usize {
        self.0.index
    }

    /// JSON pointer to the place inside the list of messages.
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    /// The id concerned.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    /// A sentence that helps.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// What the provider would answer; `None` where no text is known.
    #[getter]
    fn provider(&self) -> Option<&'static str> {
        (!self.0.provider.is_empty()).then_some(self.0.provider)
    }

    fn __repr__(&self) -> String {
        format!("Violation({} at {:?}: {})", self.kind(), self.0.path, self.0.message)
    }
}

/// The messages `start..stop`, which live and die together.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step(haversack::history::Step);

#[pymethods]
impl Step {
    /// `"system"`, `"user"`, `"assistant"` or `"other"`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// Its first message.
    #[getter]
    fn start(&self) -> usize {
        self.0.from
    }

    /// One past its last message.
    #[getter]
    fn stop(&self) -> usize {
        self.0.to
    }

    /// Calls that the host answers.
    #[getter]
    fn calls(&self) -> usize {
        self.0.calls
    }

    /// Those of them without a result.
    #[getter]
    fn open(&self) -> usize {
        self.0.open
    }

    fn __repr__(&self) -> String {
        format!("Step({} {}..{}, calls={}, open={})", self.kind(), self.0.from, self.0.to, self.0.calls, self.0.open)
    }
}

fn indices(argument: &str, given: Given<'_, '_>) -> PyResult<Vec<usize>> {
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
