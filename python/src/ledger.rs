//! `haversack.Ledger`: facts by key that are put before the model every time.

use std::sync::Arc;

use haversack::{ErrorKind, FactKind, FactOptions, FactValue};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyString, PyType};

use crate::arguments::{self, Given, required};
use crate::budget::{Counter, Sizes};
use crate::error::{self, Numbers, raise};
use crate::fact::{Extracted, Fact, PlacementCosts};
use crate::json::written_as;
use crate::payload::Payload;
use crate::rendered::{Rendered, Room};
use crate::shared::Shared;
use crate::state::{self, Reduced};

/// How often news are counted again because the ledger changed meanwhile.
const TRIES: usize = 8;

/// Facts by key, with their sources and their history, for a text that is put before the model every time.
///
/// The last value of a key holds, earlier ones stay in the history. Nothing that is recorded can end its line or its
/// quotes: what comes from a page stays a quoted value with a label. Recording costs the logarithm of the number of
/// keys, rendering under a budget what the shown lines cost. Threads may share a ledger.
///
///     >>> led = haversack.Ledger()
///     >>> led.record("city", "Oslo", source="user", turn=1)
///     'added'
///     >>> led.record("city", "Bergen", source="user", turn=4)
///     'updated'
///     >>> print(led.render())
///     # Facts
///     - "city": "Bergen" (fact, user, turn 4)
///     >>> [fact.value for fact in led.history("city")]
///     ['Oslo', 'Bergen']
#[pyclass(frozen, module = "haversack")]
#[derive(Debug)]
pub(crate) struct Ledger(Shared<haversack::Ledger>);

impl Ledger {
    pub(crate) fn of(ledger: haversack::Ledger) -> Self {
        Ledger(Shared::new(ledger))
    }

    pub(crate) fn now(&self) -> Arc<haversack::Ledger> {
        self.0.now()
    }

    pub(crate) fn from_text(py: Python<'_>, json: &str) -> PyResult<Self> {
        haversack::Ledger::from_json(json).map(Ledger::of).map_err(|e| raise(py, &e))
    }

    fn put(
        &self,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        json: Given<'_, '_>,
        stated: &Stated,
        many: bool,
    ) -> PyResult<&'static str> {
        let (py, key) = (key.py(), required("key", key)?);
        let raw = arguments::flag("json", json)?.unwrap_or(false);
        let text = Value::new(value, raw)?;
        let (value, options) = (text.of_fact(py)?, stated.options());
        let put = if many { haversack::Ledger::append } else { haversack::Ledger::record };
        let done = self.0.write(|ledger| put(ledger, &key, value, options));
        done.map(haversack::Recorded::name).map_err(|e| raise(py, &e))
    }
}

/// A value of a fact as it came.
enum Value {
    Text(PyBackedStr),
    Json(Payload),
}

impl Value {
    fn new(value: &Bound<'_, PyAny>, raw: bool) -> PyResult<Self> {
        if raw {
            let json = Payload::as_it_is(value)?.ok_or_else(|| arguments::wrong("value", "JSON in a str", value))?;
            return Ok(Value::Json(json));
        }
        if value.is_instance_of::<PyString>() {
            return Ok(Value::Text(required("value", value)?));
        }
        Ok(Value::Json(Payload::Value(written_as("value", value)?)))
    }

    fn of_fact(&self, py: Python<'_>) -> PyResult<FactValue<'_>> {
        Ok(match self {
            Value::Text(text) => FactValue::Text(text),
            Value::Json(json) => FactValue::Json(json.as_str(py)?),
        })
    }
}

/// What is said of a value when it is recorded.
struct Stated {
    kind: Option<FactKind>,
    source: Option<PyBackedStr>,
    turn: Option<usize>,
    verified: Option<bool>,
}

impl Stated {
    fn new(kind: Given<'_, '_>, source: Given<'_, '_>, turn: Given<'_, '_>, verified: Given<'_, '_>) -> PyResult<Self> {
        Ok(Stated {
            kind: arguments::choice("kind", kind)?,
            source: arguments::text("source", source)?,
            turn: arguments::number("turn", turn)?,
            verified: arguments::flag("verified", verified)?,
        })
    }

    fn options(&self) -> FactOptions<'_> {
        let mut options = FactOptions::new().verified(self.verified.unwrap_or(false));
        if let Some(kind) = self.kind {
            options = options.kind(kind);
        }
        if let Some(source) = &self.source {
            options = options.source(source);
        }
        match self.turn {
            Some(turn) => options.turn(turn as u64),
            None => options,
        }
    }
}

#[pymethods]
impl Ledger {
    #[new]
    fn new() -> Self {
        Ledger::of(haversack::Ledger::new())
    }

    /// Records the value of a key: it holds from now on, and an earlier one goes into the history.
    ///
    /// A value that holds already (equal after trimming and joining blanks, and of that kind) is not recorded twice:
    /// its source is added to the fact. A value of an earlier turn than the one that holds goes into the history.
    ///
    /// Args:
    ///     key: Its name, at most 16 KiB, with something in it that can be seen.
    ///     value: Any value that `json.dumps` takes, at most 64 KiB as JSON; a str is recorded as text.
    ///     kind: What it is, which is the order in which a budget takes lines: `"constraint"`, `"decision"`,
    ///         `"task"`, `"identifier"`, `"fact"`. Default: `"fact"`.
    ///     source: Where it comes from, at most 4 KiB: `"user"`, `"system"`, `"agent"`, `"tool"`, `"page"`,
    ///         `"email"`, `"file"`, and after a colon which one. Default, and for whatever starts otherwise: unknown,
    ///         which is not trusted.
    ///     turn: In which turn, step or message, 0 to 2^53. Default: none.
    ///     verified: Whether the host checked it. Default: no.
    ///     json: The value is the text of one JSON value, which keeps its own spelling. Default: no.
    ///
    /// Returns:
    ///     `"added"`, `"updated"`, `"merged"` (it was there already) or `"older"` (it went into the history).
    ///
    /// Raises:
    ///     OptionsError: A key in which nothing can be seen, or that values were appended to (`mixed_key`); a turn
    ///         above 2^53; an argument of another type; a key, value or source with more bytes than it can have
    ///         (`limit_exceeded`). The ledger is then unchanged.
    ///     InputError: A value that JSON cannot hold, is nested too deep, or with `json=True` is none.
    #[pyo3(signature = (key, value, *, kind=None, source=None, turn=None, verified=None, json=None))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn record(
        &self,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        kind: Given<'_, '_>,
        source: Given<'_, '_>,
        turn: Given<'_, '_>,
        verified: Given<'_, '_>,
        json: Given<'_, '_>,
    ) -> PyResult<&'static str> {
        self.put(key, value, json, &Stated::new(kind, source, turn, verified)?, false)
    }

    /// Adds a value to a key that has several: none of them takes the place of another.
    ///
    /// Args:
    ///     key, value, kind, source, turn, verified, json: As for `record`.
    ///
    /// Returns:
    ///     `"added"`, or `"merged"` where it was there already.
    ///
    /// Raises:
    ///     HaversackError: As `record`; `mixed_key` where a value was recorded for the key.
    #[pyo3(signature = (key, value, *, kind=None, source=None, turn=None, verified=None, json=None))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn append(
        &self,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        kind: Given<'_, '_>,
        source: Given<'_, '_>,
        turn: Given<'_, '_>,
        verified: Given<'_, '_>,
        json: Given<'_, '_>,
    ) -> PyResult<&'static str> {
        self.put(key, value, json, &Stated::new(kind, source, turn, verified)?, true)
    }

    /// Records fields of a tool result, each as it is spelt there, so that the result may leave the prompt.
    ///
    /// Of a result with one field missing nothing is recorded. Linear in the result for each pointer; above 4 KB other
    /// threads run meanwhile.
    ///
    /// Args:
    ///     result: JSON as a str or bytes, or a value.
    ///     pointers: The key of each fact, and the JSON pointer that leads to its value; no stars.
    ///     kind, source, turn, verified: As for `record`, of all of them.
    ///
    /// Raises:
    ///     InputError: A result that is no JSON or too deep; a pointer that leads nowhere (`no_such_field`, with
    ///         `pointer` and `index`).
    ///     OptionsError: A pointer that is none, and as `record`.
    #[pyo3(signature = (result, pointers, *, kind=None, source=None, turn=None, verified=None))]
    #[allow(clippy::too_many_arguments)] // they are the keywords
    fn extract(
        &self,
        py: Python<'_>,
        result: &Bound<'_, PyAny>,
        pointers: &Bound<'_, PyAny>,
        kind: Given<'_, '_>,
        source: Given<'_, '_>,
        turn: Given<'_, '_>,
        verified: Given<'_, '_>,
    ) -> PyResult<Extracted> {
        let Ok(dict) = pointers.cast::<PyDict>() else {
            return Err(arguments::wrong("pointers", "a dict of JSON pointers by key", pointers));
        };
        let mut pairs = Vec::with_capacity(dict.len());
        for (key, pointer) in dict.iter() {
            pairs.push((required("key", &key)?, required("pointers", &pointer)?));
        }
        let stated = Stated::new(kind, source, turn, verified)?;
        let result = match Payload::as_it_is(result)? {
            Some(result) => result,
            None => Payload::Value(written_as("result", result)?),
        };
        let result = result.as_str(py)?;
        let done = Counter::None.run(py, result.len(), |_| {
            let fields: Vec<(&str, &str)> = pairs.iter().map(|(key, pointer)| (&**key, &**pointer)).collect();
            self.0.write(|ledger| ledger.extract(result, &fields, stated.options()))
        });
        done.map(Extracted::from)
    }

    /// What holds of a key; of several values the first. `None` where nothing was recorded.
    #[pyo3(signature = (key, /))]
    fn get(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Fact>> {
        let key = required("key", key)?;
        Ok(self.0.read(|ledger| ledger.get(&key).map(Fact::from)))
    }

    /// What holds of a key, in the order in which it was recorded: nothing, one value, or those that were
    /// appended.
    #[pyo3(signature = (key, /))]
    fn values(&self, key: &Bound<'_, PyAny>) -> PyResult<Vec<Fact>> {
        let key = required("key", key)?;
        let facts = self.0.read(|ledger| ledger.values(&key));
        Ok(facts.into_iter().map(Fact::from).collect())
    }

    /// Every value that a key ever had, oldest first, those that hold included.
    #[pyo3(signature = (key, /))]
    fn history(&self, key: &Bound<'_, PyAny>) -> PyResult<Vec<Fact>> {
        let key = required("key", key)?;
        let facts = self.0.read(|ledger| ledger.history(&key));
        Ok(facts.into_iter().map(Fact::from).collect())
    }

    /// All facts that hold, in the order in which they are shown.
    fn facts(&self) -> Vec<Fact> {
        self.0.now().facts().map(Fact::from).collect()
    }

    /// The facts that hold, one line each: all of them, or as many as fit into a budget.
    ///
    /// A budget takes them by kind (constraints, decisions, tasks, identifiers, facts) and of one kind newest first;
    /// the heading says how many were left out. No fact is cut. An update keeps the place of its key. Rendering twice
    /// gives the same bytes.
    ///
    /// Args:
    ///     bytes, chars, utf16, tokens, counter: One budget, or none; `tokens` with what counts them.
    ///
    /// Raises:
    ///     BudgetError: Not even the count of what was left out fits.
    ///     OptionsError: Two budgets, tokens without a counter.
    ///     CounterError: The counter answers no number; what it raises comes back unchanged.
    #[pyo3(signature = (*, bytes=None, chars=None, utf16=None, tokens=None, counter=None))]
    fn render(
        &self,
        py: Python<'_>,
        bytes: Given<'_, '_>,
        chars: Given<'_, '_>,
        utf16: Given<'_, '_>,
        tokens: Given<'_, '_>,
        counter: Given<'_, '_>,
    ) -> PyResult<Rendered> {
        let room = Room::new(py, &Sizes([bytes, chars, utf16, tokens]), counter)?;
        // A counter may come back to this ledger: no lock is held while it counts.
        let ledger = self.0.now();
        let all = usize::try_from(ledger.bytes()).unwrap_or(usize::MAX);
        room.run(py, all, |measured| measured.rendered(ledger.render(measured.budget())?))
    }

    /// What was recorded since the last news, for the newest message; `None` where nothing was.
    ///
    /// Messages before it stay as they are, so nothing cached is lost. What a budget leaves out comes with the next
    /// news; after an error all of it is still to be told. A counter in Python gets a copy of the ledger.
    ///
    /// Args:
    ///     bytes, chars, utf16, tokens, counter: As for `render`.
    ///
    /// Raises:
    ///     HaversackError: As `render`; `out_of_order` where the ledger changes whenever the counter is asked.
    #[pyo3(signature = (*, bytes=None, chars=None, utf16=None, tokens=None, counter=None))]
    fn news(
        &self,
        py: Python<'_>,
        bytes: Given<'_, '_>,
        chars: Given<'_, '_>,
        utf16: Given<'_, '_>,
        tokens: Given<'_, '_>,
        counter: Given<'_, '_>,
    ) -> PyResult<Option<Rendered>> {
        let room = Room::new(py, &Sizes([bytes, chars, utf16, tokens]), counter)?;
        if !room.asks_python() {
            return room.run(py, usize::MAX, |measured| {
                let news = self.0.write(|ledger| ledger.news(measured.budget()))?;
                news.map(|news| measured.rendered(news)).transpose()
            });
        }
        for _ in 0..TRIES {
            let before = self.0.now();
            let mut after = haversack::Ledger::clone(&before);
            let news = room.run(py, usize::MAX, |measured| {
                let news = after.news(measured.budget())?;
                news.map(|news| measured.rendered(news)).transpose()
            })?;
            if self.0.replace(&before, after) {
                return Ok(news);
            }
        }
        let message = "the ledger changed each time that its news were counted";
        Err(error::build(py, message, ErrorKind::OutOfOrder, &Numbers::default()))
    }

    /// Takes everything that is recorded for told: after the whole ledger was put into the prompt.
    fn fold(&self) {
        self.0.write(haversack::Ledger::fold);
    }

    /// What each place of the ledger costs this turn: its news on the newest message, or all of it in the system
    /// message.
    ///
    /// Args:
    ///     previous: The ledger's text that stands in the system message.
    ///     behind: Tokens of the prompt behind it.
    ///     counter: What counts tokens; required.
    ///
    /// Raises:
    ///     OptionsError: No counter, or an argument of another type.
    ///     CounterError: The counter answers no number.
    #[pyo3(signature = (previous, behind, *, counter=None))]
    fn placement_costs(
        &self,
        py: Python<'_>,
        previous: &Bound<'_, PyAny>,
        behind: &Bound<'_, PyAny>,
        counter: Given<'_, '_>,
    ) -> PyResult<PlacementCosts> {
        let previous = match previous.extract::<PyRef<'_, Rendered>>() {
            Ok(rendered) => rendered.get_text().to_owned(),
            Err(_) => required("previous", previous)?.to_string(),
        };
        let behind = arguments::number("behind", Some(behind))?.unwrap_or_default();
        let counter = Counter::new(py, true, counter)?;
        let ledger = self.0.now();
        let costs = counter.run(py, usize::MAX, |counter| {
            counter.map(|counter| ledger.placement_costs(&previous, behind, counter)).transpose()
        })?;
        let none = || error::option(py, "counter", "tokens need a counter");
        costs.map(PlacementCosts::from).ok_or_else(none)
    }

    /// Bytes of all lines in a text without a budget, without the heading.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.read(haversack::Ledger::bytes)
    }

    /// How often a value was recorded that held already.
    #[getter]
    fn merged(&self) -> u64 {
        self.0.read(haversack::Ledger::merged)
    }

    /// The ledger with its history as JSON, to be stored.
    fn to_json(&self) -> String {
        self.0.now().to_json()
    }

    /// Reads what `to_json` wrote. One read back answers as this one would.
    ///
    /// Raises:
    ///     StateError: No such JSON (`invalid_state`, with the offset), or what no ledger recorded (with the index).
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_cls: &Bound<'_, PyType>, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ledger::from_text(py, &required("text", text)?)
    }

    /// A ledger of its own with the same content. Costs nothing until one of them changes.
    fn copy(&self) -> Self {
        Ledger(self.0.copy())
    }

    fn __len__(&self) -> usize {
        self.0.read(haversack::Ledger::len)
    }

    fn __repr__(&self) -> String {
        let ledger = self.0.now();
        format!("<Ledger of {} facts, {} bytes>", ledger.len(), ledger.bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Ledger", self.to_json())
    }
}
