//! `haversack.Rendered`: lines under a heading, with their books, and the budget that is optional for them.

use haversack::{Error, TokenCounter};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::arguments::Given;
use crate::budget::{Counter, Limit, Sizes};
use crate::state::{self, Reduced};

/// Lines of a ledger or a memory as a text for the prompt, with its books.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rendered {
    body: Body,
    /// The size of the text in the unit of the budget; in bytes of UTF-8 where there was none.
    #[pyo3(get)]
    size: usize,
}

/// As every language writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Body {
    text: String,
    account: haversack::Account,
    rule: String,
}

/// A budget, or none, with what counts its tokens.
#[derive(Debug)]
pub(crate) struct Room {
    limit: Option<Limit>,
    counter: Counter,
}

impl Room {
    /// From `bytes=`, `chars=`, `utf16=`, `tokens=` and `counter=`: one budget at most.
    pub(crate) fn new(py: Python<'_>, sizes: &Sizes<'_, '_>, counter: Given<'_, '_>) -> PyResult<Self> {
        let given = sizes.0.iter().any(Option::is_some);
        let limit = given.then(|| Limit::from_keywords(py, sizes)).transpose()?;
        let tokens = limit.as_ref().is_some_and(|limit| limit.unit() == haversack::Unit::Tokens);
        Ok(Room { limit, counter: Counter::new(py, tokens, counter)? })
    }

    /// Whether Python is asked while the lines are chosen.
    pub(crate) const fn asks_python(&self) -> bool {
        matches!(self.counter, Counter::Callable(_))
    }

    /// Runs `work` under this budget; `bytes` is how much there is to write.
    pub(crate) fn run<R: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        work: impl FnOnce(&Measured<'_>) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let limit = self.limit.as_ref();
        self.counter.run(py, bytes, |counter| work(&Measured { limit, counter }))
    }
}

/// A budget, or none, while it is used.
pub(crate) struct Measured<'a> {
    limit: Option<&'a Limit>,
    counter: Option<&'a dyn TokenCounter>,
}

impl Measured<'_> {
    pub(crate) fn budget(&self) -> Option<haversack::Budget<'_>> {
        self.limit.map(|limit| limit.budget(self.counter))
    }

    /// For Python, with its size: in the unit of the budget, else in bytes.
    pub(crate) fn rendered(&self, rendered: haversack::Rendered) -> Result<Rendered, Error> {
        let size = match self.budget() {
            Some(budget) => budget.size(rendered.text())?,
            None => rendered.text().len(),
        };
        let (account, rule) = (rendered.account().clone(), rendered.rule().to_owned());
        Ok(Rendered { body: Body { text: rendered.into_text(), account, rule }, size })
    }
}

impl Rendered {
    pub(crate) const fn body(&self) -> &Body {
        &self.body
    }

    pub(crate) fn get_text(&self) -> &str {
        &self.body.text
    }
}

#[pymethods]
impl Rendered {
    /// A heading and one line an entry, without a line feed at its end; `str()` gives it, too.
    #[getter]
    fn text(&self) -> &str {
        &self.body.text
    }

    /// The books: entries as records, their lines (each with its line feed) in bytes.
    #[getter]
    fn account(&self) -> Account {
        (&self.body.account).into()
    }

    /// The rule by which entries are left out, in words.
    #[getter]
    fn rule(&self) -> &str {
        &self.body.rule
    }

    /// True when nothing was left out.
    #[getter]
    fn complete(&self) -> bool {
        self.body.account.records().complete()
    }

    /// `text`, `account` and `rule` as JSON.
    fn to_json(&self) -> String {
        state::to_json(&self.body)
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::to_python(py, &self.to_json())
    }

    fn __str__(&self) -> &str {
        &self.body.text
    }

    fn __repr__(&self) -> String {
        let books = self.body.account.records();
        format!("<Rendered size {}: {} of {} shown>", self.size, books.kept, books.total)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        state::reduce(py, "Rendered", state::to_json(self))
    }
}
