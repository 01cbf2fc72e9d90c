//! `haversack.predict` and `haversack.cache_marks`: what a cache serves, and where its marks belong.

use haversack::{CacheRules, MarkOptions, PredictOptions};
use pyo3::prelude::*;

use crate::arguments::{self, Given};
use crate::budget::Counter;
use crate::error::raise;
use crate::limits::read_limits;
use crate::payload::Payload;
use crate::state;

fn rules(py: Python<'_>, given: Given<'_, '_>) -> PyResult<Option<CacheRules>> {
    let name = arguments::text("rules", given)?;
    name.map(|name| CacheRules::named(&name).map_err(|e| raise(py, &e))).transpose()
}

/// Predicts what the provider of `next` reads from its cache, `previous` having gone before it.
///
///     >>> body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Be brief. " * 1000}]}
///     >>> haversack.predict(body, body, counter="estimate").cached % 128
///     0
///
/// Args:
///     previous: The request body before, as a dict or JSON; `None` when there was none.
///     next: The request body now.
///     counter: Counts tokens: a callable or a name. Blocks are counted one by one and summed.
///     rules: By these rules. Default: those of the format and the model of `next`.
///     elapsed: Seconds from the start of the one to the start of the other. Default: 0.
///     ttl: Seconds that entries live whose mark does not say it.
///     format: The format of both. Default: what they show.
///     limits: Other limits than the defaults for both, by name: here `depth`.
///
/// Raises:
///     HaversackError: `invalid_option` (no rule is published for the model and none was named), `invalid_json`,
///         `not_a_history`, `mixed_formats`, `counter_failed`; `forbidden_mark` for a cache mark of `next` that its
///         provider refuses (on thinking or empty text, a fifth one, a longer life behind a shorter), with the `piece`.
#[pyfunction]
#[pyo3(signature = (previous, next, /, *, counter=None, rules=None, elapsed=None, ttl=None, format=None, limits=None))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn predict(
    py: Python<'_>,
    previous: Given<'_, '_>,
    next: &Bound<'_, PyAny>,
    counter: Given<'_, '_>,
    rules: Given<'_, '_>,
    elapsed: Given<'_, '_>,
    ttl: Given<'_, '_>,
    format: Given<'_, '_>,
    limits: Given<'_, '_>,
) -> PyResult<Prediction> {
    let rules = self::rules(py, rules)?;
    let elapsed = arguments::number("elapsed", elapsed)?.unwrap_or_default();
    let ttl = arguments::number("ttl", ttl)?;
    let limits = read_limits(limits)?.unwrap_or_default();
    let format = arguments::format(format)?;
    let counter = Counter::new(py, true, counter)?;
    let previous = previous.map(Payload::new).transpose()?;
    let next = Payload::new(next)?;
    let (before, now) = (previous.as_ref().map(Payload::bytes), next.bytes());
    let answer = counter.run(py, now.len(), |counter| {
        let Some(counter) = counter else {
            return Err(haversack::Error::new(haversack::ErrorKind::CounterFailed, "no counter"));
        };
        let mut options = PredictOptions::new(counter).elapsed(elapsed as u64).limits(limits);
        if let Some(rules) = rules {
            options = options.rules(rules);
        }
        if let Some(ttl) = ttl {
            options = options.ttl(ttl as u64);
        }
        if let Some(format) = format {
            options = options.format(format);
        }
        haversack::predict(before, now, &options)
    })?;
    Ok(Prediction::from(answer))
}

/// What is served from the cache, and what it costs: `cached + written + fresh == total`.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prediction {
    /// Tokens read from the cache, as the published rule has it.
    cached: usize,
    /// At least and at most so many: less and more than `cached` where the provider promises none.
    cached_range: (usize, usize),
    /// Tokens stored at the price of writing; 0 where storing is free.
    written: usize,
    /// Tokens at the usual price.
    fresh: usize,
    /// Tokens of the prompt.
    total: usize,
    /// The bill, in thousandths of the price of one fresh input token.
    billed: u64,
    /// Why it is so much, such as `"hit"`, `"changed"` or `"expired"`.
    reason: &'static str,
    /// The rules that were applied, such as `"openai/auto"`.
    rules: &'static str,
    /// Where these rules were published.
    source: String,
}

impl From<haversack::Prediction> for Prediction {
    fn from(it: haversack::Prediction) -> Self {
        Prediction {
            cached: it.cached,
            cached_range: (it.cached_min, it.cached_max),
            written: it.written,
            fresh: it.fresh,
            total: it.total,
            billed: it.billed,
            reason: it.reason.name(),
            rules: it.rules.name(),
            source: format!("{} ({})", it.rules.source(), it.rules.dated()),
        }
    }
}

#[pymethods]
impl Prediction {
    fn __repr__(&self) -> String {
        let p = self;
        let (cached, written, fresh) = (p.cached, p.written, p.fresh);
        format!("Prediction(cached={cached}, written={written}, fresh={fresh}, {}, {})", p.rules, p.reason)
    }
}

/// Places the cache marks of a request: behind tools and system, at the last block that stays, and where `previous`
/// was stored when that is too far back to be found from there.
///
///     >>> plan = haversack.cache_marks({"messages": [{"role": "user", "content": "hi"}]}, rules="anthropic")
///     >>> plan.body["messages"][0]["content"]
///     [{'type': 'text', 'text': 'hi', 'cache_control': {'type': 'ephemeral'}}]
///
/// Args:
///     body: The request, as a dict or JSON. Marks in it are replaced.
///     rules: `"anthropic"`, `"bedrock"` or `"openai/breakpoint"`. Default: those of the format and the model.
///     previous: The request before.
///     most: At most so many marks. Default: as many as the rules allow.
///     life: The life that marks in the messages ask for, such as `"1h"`.
///     head_life: The life that marks behind tools and system ask for. Default: that of the messages.
///     changing: So many of the last messages are other ones in every request: no mark is wasted on them.
///     format: The format. Default: what the body shows.
///     limits: Other limits than the defaults for both bodies, by name: here `depth`.
///
/// Raises:
///     HaversackError: `invalid_option` (rules without marks, a life there is not, a head that lives shorter than the
///         tail), `invalid_json`, `not_a_history`, `mixed_formats`.
#[pyfunction]
#[pyo3(signature = (
    body, /, *, rules=None, previous=None, most=None, life=None, head_life=None, changing=None, format=None,
    limits=None
))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn cache_marks(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    rules: Given<'_, '_>,
    previous: Given<'_, '_>,
    most: Given<'_, '_>,
    life: Given<'_, '_>,
    head_life: Given<'_, '_>,
    changing: Given<'_, '_>,
    format: Given<'_, '_>,
    limits: Given<'_, '_>,
) -> PyResult<CacheMarks> {
    let mut options = MarkOptions::new().limits(read_limits(limits)?.unwrap_or_default());
    if let Some(rules) = self::rules(py, rules)? {
        options = options.rules(rules);
    }
    if let Some(most) = arguments::number("most", most)? {
        options = options.most(most);
    }
    let (life, head_life) = (arguments::text("life", life)?, arguments::text("head_life", head_life)?);
    if let Some(life) = life.as_deref() {
        options = options.life(life);
    }
    if let Some(life) = head_life.as_deref() {
        options = options.head_life(life);
    }
    options = options.changing(arguments::number("changing", changing)?.unwrap_or_default());
    if let Some(format) = arguments::format(format)? {
        options = options.format(format);
    }
    let previous = previous.map(Payload::new).transpose()?;
    let body = Payload::new(body)?;
    let before = previous.as_ref().map(Payload::bytes);
    let plan = py.detach(|| haversack::cache_marks(body.bytes(), before, &options)).map_err(|e| raise(py, &e))?;
    Ok(CacheMarks(plan))
}

/// Where marks belong, and the body that has them there.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheMarks(haversack::CacheMarks);

#[pymethods]
impl CacheMarks {
    /// The marks, in the order of the request.
    #[getter]
    fn marks(&self) -> Vec<CacheMark> {
        self.0.marks.iter().cloned().map(CacheMark::from).collect()
    }

    /// Marks that were wanted and found no block that may carry one, such as `"tail"`.
    #[getter]
    fn unplaced(&self) -> Vec<&'static str> {
        self.0.unplaced.iter().map(|reason| reason.name()).collect()
    }

    /// The body with these marks and no others, as JSON text.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The same, read by the standard library.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.0.text)
    }

    /// The rules that were applied, such as `"anthropic"`.
    #[getter]
    fn rules(&self) -> &'static str {
        self.0.rules.name()
    }

    fn __repr__(&self) -> String {
        let places: Vec<&str> = self.0.marks.iter().map(|mark| mark.pointer.as_str()).collect();
        format!("CacheMarks({places:?})")
    }
}

/// One mark of a plan.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheMark {
    /// `"tools"`, `"system"`, `"anchor"` or `"tail"`.
    reason: &'static str,
    /// JSON pointer to the block that it closes, in the body as it was given.
    pointer: String,
    /// The message, by its place in the list; `None` on tools and system.
    message: Option<usize>,
    /// The block, by its place in its list.
    block: usize,
    /// The life that it asks for; `None` for the usual one.
    life: Option<String>,
}

impl From<haversack::CacheMark> for CacheMark {
    fn from(it: haversack::CacheMark) -> Self {
        CacheMark { reason: it.reason.name(), pointer: it.pointer, message: it.message, block: it.block, life: it.life }
    }
}

#[pymethods]
impl CacheMark {
    fn __repr__(&self) -> String {
        format!("CacheMark({} at {:?})", self.reason, self.pointer)
    }
}
