//! `haversack.tiers`: what a request of a long run is made of.

use haversack::TierOptions;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::arguments::{self, Given, required};
use crate::budget::Sizes;
use crate::fleet::ledger_of;
use crate::history::{History, indices};
use crate::rendered::{Body, Rendered, Room};
use crate::state::{self, Reduced};

/// Puts the tiers of a request together: what never changes, the facts, and of the history its system prompt, its
/// last user message, the pins and the last steps. With a budget for the ledger a request grows with the size of these
/// steps, not with their number.
///
/// Args:
///     invariant: The invariant state, handed back as it is.
///     ledger: The facts: a ledger, or what its `to_json()` wrote; `None` for an empty one.
///     history: The whole history; it is cut where no call is parted from its result.
///     raw_steps: Steps of the assistant whose raw results stay. Default: 2.
///     pinned: Messages of the history that stay, by index.
///     bytes: What the ledger may take, in bytes of UTF-8; without any unit, all.
///     chars: The same in Unicode scalar values.
///     utf16: The same in UTF-16 code units.
///     tokens: The same in tokens of `counter`.
///     counter: Counts tokens.
///
/// Raises:
///     BudgetError: Not even the heading of the ledger fits.
///     OptionsError: `raw_steps` of 0, a pin that there is not, two budgets.
///     StateError: `invalid_state`: the text is not that of a ledger.
#[pyfunction]
#[pyo3(signature = (
    invariant, ledger, history, /, *, raw_steps=None, pinned=None, bytes=None, chars=None, utf16=None, tokens=None,
    counter=None
))]
#[allow(clippy::too_many_arguments)] // they are the keywords
pub(crate) fn tiers(
    py: Python<'_>,
    invariant: &Bound<'_, PyAny>,
    ledger: Given<'_, '_>,
    history: &Bound<'_, PyAny>,
    raw_steps: Given<'_, '_>,
    pinned: Given<'_, '_>,
    bytes: Given<'_, '_>,
    chars: Given<'_, '_>,
    utf16: Given<'_, '_>,
    tokens: Given<'_, '_>,
    counter: Given<'_, '_>,
) -> PyResult<Tiers> {
    let invariant = required("invariant", invariant)?;
    let Ok(history) = history.cast::<History>() else {
        return Err(arguments::wrong("history", "a History", history));
    };
    let room = Room::new(py, &Sizes([bytes, chars, utf16, tokens]), counter)?;
    let pinned = indices("pinned", pinned)?;
    let raw_steps = arguments::number("raw_steps", raw_steps)?;
    let ledger = ledger_of(py, ledger)?;
    let core = &history.get().core;
    room.run(py, usize::MAX, |measured| {
        let mut options = TierOptions::default();
        options.ledger = measured.budget();
        options.pinned = &pinned;
        options.raw_steps = raw_steps.unwrap_or(options.raw_steps);
        let haversack::Tiers { invariant, ledger, working, kept, account, .. } =
            haversack::tiers(&invariant, &ledger, core, &options)?;
        Ok(Tiers { invariant, ledger: measured.rendered(ledger)?, working, kept, account })
    })
}

/// The tiers of a request.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tiers {
    /// The invariant state, as it was given.
    #[pyo3(get)]
    invariant: String,
    /// The facts, with the books of those that were left out.
    #[pyo3(get)]
    ledger: Rendered,
    /// Working memory: the history (or the request body) with the last steps alone, valid where the whole was.
    #[pyo3(get)]
    working: String,
    /// The messages that stay in it, by index.
    #[pyo3(get)]
    kept: Vec<usize>,
    account: haversack::Account,
}

#[pymethods]
impl Tiers {
    /// The books of the history: messages as records, their JSON in bytes.
    #[getter]
    fn account(&self) -> Account {
        Account::from(&self.account)
    }

    /// Every member under its name as compact JSON.
    fn to_json(&self) -> String {
        let Tiers { invariant, ledger, working, kept, account } = self;
        state::to_json(&Members { invariant, ledger: ledger.body(), working, kept, account })
    }

    fn __repr__(&self) -> String {
        format!("Tiers(kept={:?}, {} bytes of working memory)", self.kept, self.working.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Tiers", state::to_json(self))
    }
}

/// The same as every language writes it.
#[derive(Serialize)]
struct Members<'a> {
    invariant: &'a str,
    ledger: &'a Body,
    working: &'a str,
    kept: &'a [usize],
    account: &'a haversack::Account,
}
