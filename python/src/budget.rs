//! Exactly one budget, and counters of both worlds.

use std::sync::Mutex;

use haversack::{Budget, Error, ErrorKind, TokenCounter, Unit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::arguments::{self, Given};
use crate::error::{self, raise};
use crate::measure;

/// Up to this many bytes of input the interpreter is kept: letting go of it and taking it again would cost as much.
const KEEP_UP_TO: usize = 4096;

/// The keywords that name a unit.
pub(crate) struct Sizes<'a, 'py>(pub(crate) [Given<'a, 'py>; 4]);

/// A budget as it came from Python.
#[derive(Debug)]
pub(crate) struct Limit {
    size: usize,
    unit: Unit,
}

impl Limit {
    /// From `bytes=`, `chars=`, `utf16=`, `tokens=`: exactly one of them.
    pub(crate) fn from_keywords(py: Python<'_>, sizes: &Sizes<'_, '_>) -> PyResult<Self> {
        let mut given = Unit::ALL.iter().copied().zip(sizes.0).filter_map(|(unit, size)| size.map(|s| (unit, s)));
        let Some((unit, size)) = given.next() else {
            return Err(error::option(py, "chars", "no budget: give one of bytes=, chars=, utf16=, tokens="));
        };
        if let Some((second, _)) = given.next() {
            let message = format!("two budgets, {unit}= and {second}=: give one of them");
            return Err(error::option(py, second.name(), &message));
        }
        Ok(Limit { size: arguments::number(unit.name(), Some(size))?.unwrap_or_default(), unit })
    }

    pub(crate) const fn new(size: usize, unit: Unit) -> Self {
        Limit { size, unit }
    }

    pub(crate) const fn unit(&self) -> Unit {
        self.unit
    }

    /// For the core. A unit of tokens has a counter: [`Counter::new`] saw to it.
    pub(crate) fn budget<'a>(&self, counter: Option<&'a dyn TokenCounter>) -> Budget<'a> {
        match (self.unit, counter) {
            (Unit::Tokens, Some(counter)) => Budget::tokens(self.size, counter),
            (Unit::Chars, _) => Budget::chars(self.size),
            (Unit::Utf16, _) => Budget::utf16(self.size),
            (Unit::Bytes | Unit::Tokens, _) => Budget::bytes(self.size),
        }
    }
}

/// What counts tokens.
#[derive(Debug)]
pub(crate) enum Counter {
    /// No tokens are counted.
    None,
    /// A built-in one, by name.
    Named(PyBackedStr),
    /// A callable of the caller.
    Callable(Callable),
}

impl Counter {
    /// From `counter=`: there must be one when a unit is tokens, and none otherwise.
    pub(crate) fn new(py: Python<'_>, tokens: bool, given: Given<'_, '_>) -> PyResult<Self> {
        match given {
            None if tokens => {
                let message = "tokens need a counter: counter= takes a callable or one of ";
                Err(error::option(py, "counter", &format!("{message}{}", measure::counters().join(", "))))
            }
            None => Ok(Counter::None),
            Some(_) if !tokens => {
                Err(error::option(py, "counter", "a counter counts tokens, and the budget is in another unit"))
            }
            Some(value) => Counter::from_value(value),
        }
    }

    /// A name or a callable.
    pub(crate) fn from_value(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() {
            let Some(name) = arguments::text("counter", Some(value))? else { return Ok(Counter::None) };
            haversack::measure::named(&name).map_err(|e| raise(value.py(), &e))?;
            return Ok(Counter::Named(name));
        }
        if value.is_callable() {
            let function = value.clone().unbind();
            // Of the class, as Python looks up its own methods: no attribute that an object makes up when asked.
            let limited = value.get_type().hasattr("count_up_to")?;
            let count_up_to = limited.then(|| value.getattr("count_up_to")).transpose()?.map(Bound::unbind);
            return Ok(Counter::Callable(Callable { function, count_up_to, raised: Mutex::new(None) }));
        }
        Err(arguments::wrong("counter", "a callable or the name of a counter", value))
    }

    /// Runs `work` with this counter, without the interpreter when it is long: `bytes` is how much input there is.
    ///
    /// An exception raised by a callable comes back as it is, whatever `work` made of it.
    pub(crate) fn run<R: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        work: impl FnOnce(Option<&dyn TokenCounter>) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let run = || match self {
            Counter::None => work(None),
            Counter::Named(name) => work(Some(haversack::measure::named(name)?)),
            Counter::Callable(callable) => work(Some(callable)),
        };
        let long = bytes > KEEP_UP_TO || matches!(self, Counter::Named(_));
        let result = if long { py.detach(run) } else { run() };
        if let Counter::Callable(callable) = self
            && let Some(exception) = callable.take_raised()
        {
            return Err(exception);
        }
        result.map_err(|e| raise(py, &e))
    }
}

/// A Python callable that takes a text and answers its number of tokens, and with a method `count_up_to` can stop
/// early.
#[derive(Debug)]
pub(crate) struct Callable {
    function: Py<PyAny>,
    count_up_to: Option<Py<PyAny>>,
    raised: Mutex<Option<PyErr>>,
}

impl Callable {
    /// Held only for an assignment and never while Python runs: a counter may call haversack again.
    fn raised(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn take_raised(&self) -> Option<PyErr> {
        self.raised().take()
    }

    fn ask(&self, py: Python<'_>, text: &str) -> Result<usize, Error> {
        self.answered(self.function.bind(py).call1((text,))).and_then(|answer| tokens(&answer))
    }

    /// `None` from Python is more than the limit, and so is a number above it.
    fn ask_up_to(&self, count_up_to: &Bound<'_, PyAny>, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        let answer = self.answered(count_up_to.call1((text, limit)))?;
        if answer.is_none() {
            return Ok(None);
        }
        Ok(Some(tokens(&answer)?).filter(|n| *n <= limit))
    }

    fn answered<'py>(&self, answer: PyResult<Bound<'py, PyAny>>) -> Result<Bound<'py, PyAny>, Error> {
        answer.map_err(|exception| {
            // What it replaces is dropped after the guard: that may run Python.
            let replaced = self.raised().replace(exception);
            drop(replaced);
            failed("the counter raised an exception")
        })
    }
}

impl TokenCounter for Callable {
    fn count(&self, text: &str) -> Result<usize, Error> {
        // Not attachable: the interpreter is shutting down under us.
        Python::try_attach(|py| self.ask(py, text)).unwrap_or_else(|| Err(failed("the interpreter is shutting down")))
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        let Some(count_up_to) = &self.count_up_to else {
            let tokens = self.count(text)?;
            return Ok((tokens <= limit).then_some(tokens));
        };
        Python::try_attach(|py| self.ask_up_to(count_up_to.bind(py), text, limit))
            .unwrap_or_else(|| Err(failed("the interpreter is shutting down")))
    }
}

/// No text has more tokens than this.
const MOST: u64 = 1 << 53;

fn tokens(answer: &Bound<'_, PyAny>) -> Result<usize, Error> {
    let Some(n) = arguments::integer(answer) else {
        let name = answer.get_type().name().map(|n| n.to_string()).unwrap_or_default();
        return Err(failed(&format!("the counter answered a {name}, not a number of tokens")));
    };
    let n = n.extract::<u64>().ok().filter(|n| *n <= MOST).and_then(|n| usize::try_from(n).ok());
    n.ok_or_else(|| failed("the counter answered a number below 0 or above 2^53"))
}

fn failed(message: &str) -> Error {
    Error::new(ErrorKind::CounterFailed, message)
}
