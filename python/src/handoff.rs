//! `haversack.Handoff`: what a worker handed back, read from its answer.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyType;
use serde::{Deserialize, Serialize};

use crate::account::quoted;
use crate::arguments::{self, Given};
use crate::budget::{Counter, Sizes};
use crate::offload::Offloads;
use crate::payload::Payload;
use crate::rendered::{Rendered, Room};
use crate::state::{self, Reduced};
use crate::transcript::Transcript;

/// What a worker handed back, read from its answer: findings with sources, an explicit nothing, a stop, or silence.
///
/// >>> found = {"kind": "findings", "findings": [{"text": "Port 8080 is open.", "sources": ["message 4"]}]}
/// >>> haversack.Handoff.parse(found).kind
/// 'findings'
/// >>> haversack.Handoff.parse('{"kind": "empty", "looked": ["logs"]}').kind
/// 'empty'
/// >>> haversack.Handoff.parse(" \n").kind, haversack.Handoff.parse("All good!").kind
/// ('silent', 'uncheckable')
/// >>> haversack.Handoff.parse("1. Parser ok 2. Wri", stop_reason="max_tokens").kind
/// 'out_of_budget'
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handoff {
    pub(crate) core: haversack::Handoff,
    status: Option<String>,
    stop_reason: Option<String>,
}

#[pymethods]
impl Handoff {
    /// Reads what a worker returned. What cannot be read is `"uncheckable"`, with its place. Linear in the text.
    ///
    /// A stop wins over whatever the text says. Blank text, text of invisible characters and `(no output)` are
    /// `"silent"`. Prose, and findings without a source, are `"uncheckable"`; so is `{"findings": []}`, since a field
    /// that may be missing does not say that nothing was found.
    ///
    /// Args:
    ///     text: A text, its UTF-8, or a value that is written as JSON first; `None` where nothing was returned.
    ///         `{"kind": "findings", "findings": [{"text": …, "sources": […]}]}`, `{"kind": "empty", "looked": […]}`,
    ///         or `{"kind": "too_big", "reason": …}` (and so `failed`, `not_run`, `out_of_budget`), alone or in the
    ///         only fenced block.
    ///     status: How the run ended, where the host knows: `"failed"`, `"timeout"` and their kin are stops.
    ///     stop_reason: That of the provider: `"max_tokens"`, `"length"`, `"tool_use"` and their kin give
    ///         `"out_of_budget"`, `"error"`, `"refusal"` and theirs `"failed"`.
    ///
    /// Raises:
    ///     InputError: Bytes that are no UTF-8, a lone surrogate, a value that JSON cannot hold.
    ///     OptionsError: A `status` or `stop_reason` that is no str.
    #[classmethod]
    #[pyo3(signature = (text, /, status=None, stop_reason=None))]
    fn parse(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        status: Given<'_, '_>,
        stop_reason: Given<'_, '_>,
    ) -> PyResult<Self> {
        let owned = |given: Option<PyBackedStr>| given.map(|text| text.to_string());
        let status = owned(arguments::text("status", status)?);
        let stop_reason = owned(arguments::text("stop_reason", stop_reason)?);
        let payload = if text.is_none() { None } else { Some(Payload::new(text)?) };
        let text = payload.as_ref().map(|payload| payload.as_str(py)).transpose()?;
        let core = haversack::Handoff::parse(text, status.as_deref(), stop_reason.as_deref());
        Ok(Handoff { core, status, stop_reason })
    }

    /// What was handed back.
    #[getter]
    fn kind(&self) -> &'static str {
        self.core.kind().name()
    }

    /// The findings, each with at least one source. Of a worker that was stopped, those that it had returned in
    /// whole.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.core.findings().iter().map(Finding::from).collect()
    }

    /// Where a worker looked that found nothing: at least one place.
    #[getter]
    fn looked(&self) -> Vec<String> {
        self.core.looked().to_vec()
    }

    /// Why it stopped, in its own words or those of the host.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.core.reason()
    }

    /// Why it is uncheckable: `"not_json"`, `"no_source"` …
    #[getter]
    fn problem(&self) -> Option<&'static str> {
        self.core.problem().map(haversack::HandoffProblem::name)
    }

    /// Where the problem is: the byte of the text where it stops being JSON.
    #[getter]
    fn offset(&self) -> Option<usize> {
        self.core.offset()
    }

    /// Where the problem is: the number of the finding, from 0.
    #[getter]
    fn index(&self) -> Option<usize> {
        self.core.index()
    }

    /// What was returned, as it came; empty where nothing was.
    #[getter]
    fn text(&self) -> &str {
        self.core.text()
    }

    /// True for the two kinds that answer the question: `"findings"` and `"empty"`.
    #[getter]
    fn is_answer(&self) -> bool {
        self.core.is_answer()
    }

    /// The sources of findings that lead nowhere, in order: to no message of the transcript, to no key of the
    /// offloads, and `resolves` says no.
    ///
    /// Args:
    ///     transcript: Where sources such as `message 4` lead.
    ///     offloads: Where the keys of stored results lead.
    ///     resolves: Asked for each source that leads to neither; what is true says that it leads somewhere. What it
    ///         raises comes back as it is.
    #[pyo3(signature = (transcript=None, offloads=None, *, resolves=None))]
    fn unresolved(
        &self,
        py: Python<'_>,
        transcript: Given<'_, '_>,
        offloads: Given<'_, '_>,
        resolves: Given<'_, '_>,
    ) -> PyResult<Vec<Unresolved>> {
        let transcript = transcript
            .map(|given| given.cast::<Transcript>().map_err(|_| arguments::wrong("transcript", "a Transcript", given)));
        let transcript = transcript.transpose()?;
        let offloads = offloads
            .map(|given| given.cast::<Offloads>().map_err(|_| arguments::wrong("offloads", "an Offloads", given)));
        let offloads = offloads.transpose()?;
        if let Some(given) = resolves.filter(|given| !given.is_callable()) {
            return Err(arguments::wrong("resolves", "a callable that takes a source", given));
        }
        let mut open = self.core.unresolved(|_| false);
        if let Some(transcript) = transcript {
            transcript.get().with(|t| open.retain(|one| t.resolve(&one.source).is_err()));
        }
        if let Some(offloads) = offloads {
            open = offloads.get().with(py, &Counter::None, move |table, _| {
                open.retain(|one| table.lookup(&one.source).is_none());
                Ok(open)
            })?;
        }
        let mut out = Vec::with_capacity(open.len());
        for one in open {
            let found = match resolves {
                Some(resolves) => resolves.call1((&one.source,))?.is_truthy()?,
                None => false,
            };
            if !found {
                out.push(Unresolved { finding: one.finding, source: one.source });
            }
        }
        Ok(out)
    }

    /// A heading that says what kind it is, and one line for each finding (with its sources), each place that was
    /// searched, or the reason for the stop. Prose of an uncheckable answer is not repeated.
    ///
    /// Under a budget (at most one of the units) lines are taken in order, and the heading counts the rest.
    ///
    /// Raises:
    ///     BudgetError: Not even the heading fits; `needed` would do.
    ///     OptionsError: Two budgets, or tokens without a counter.
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
        room.run(py, self.core.text().len(), |measured| measured.rendered(self.core.render(measured.budget())?))
    }

    /// Every member under its name as compact JSON.
    fn to_json(&self) -> String {
        self.core.to_json()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let kind = self.core.kind().name();
        let shown = match (self.core.findings().len(), self.core.reason(), self.core.problem()) {
            (0, Some(reason), _) => format!(", reason={}", quoted(py, reason)?),
            (0, None, Some(problem)) => format!(", problem='{}'", problem.name()),
            (0, None, None) => String::new(),
            (n, _, _) => format!(", findings={n}"),
        };
        Ok(format!("Handoff('{kind}'{shown})"))
    }

    #[allow(clippy::type_complexity)] // what pickle asks for
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str, Option<&str>, Option<&str>))> {
        let parse = py.get_type::<Handoff>().getattr("parse")?;
        Ok((parse, (self.core.text(), self.status.as_deref(), self.stop_reason.as_deref())))
    }
}

/// A finding of a worker.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// What was found.
    text: String,
    /// Where: at least one.
    sources: Vec<String>,
}

impl From<&haversack::Finding> for Finding {
    fn from(it: &haversack::Finding) -> Self {
        Finding { text: it.text.clone(), sources: it.sources.clone() }
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Finding({}, sources={})", quoted(py, &self.text)?, self.sources.len()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Finding", state::to_json(self))
    }
}

/// A source of a finding that leads nowhere.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unresolved {
    /// Which finding, from 0.
    finding: usize,
    /// Its source.
    source: String,
}

#[pymethods]
impl Unresolved {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Unresolved(finding={}, source={})", self.finding, quoted(py, &self.source)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Unresolved", state::to_json(self))
    }
}
