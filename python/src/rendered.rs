//! `haversack.Rendered`: lines under a heading, with their books.

use pyo3::prelude::*;

use crate::account::Account;

/// A text of lines under a heading that says how many were left out, with its books.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rendered(haversack::Rendered);

impl From<haversack::Rendered> for Rendered {
    fn from(rendered: haversack::Rendered) -> Self {
        Rendered(rendered)
    }
}

#[pymethods]
impl Rendered {
    /// The text: a heading and one line an entry, without a line feed at its end.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The books: entries as records, their lines (each with its line feed) in bytes.
    #[getter]
    fn account(&self) -> Account {
        Account::from(self.0.account())
    }

    /// The rule by which entries are left out, in words.
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule()
    }

    /// True when nothing was left out.
    #[getter]
    fn complete(&self) -> bool {
        self.0.complete()
    }

    fn __str__(&self) -> &str {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        let account = Account::from(self.0.account());
        format!("Rendered({}, {} chars)", account.in_words(), self.0.text().chars().count())
    }
}
