//! Lines in the order of their rank, as many as fit, under a heading that says how many do not.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::account::{Account, Counts};
use crate::error::Error;
use crate::measure::{Budget, Unit, settle};

/// A text of lines under a heading, with its books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rendered {
    text: String,
    account: Account,
    rule: &'static str,
}

impl Rendered {
    /// The text: a heading and one line an entry, without a line feed at its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The books: entries as records, their lines (each with its line feed) in bytes.
    pub const fn account(&self) -> &Account {
        &self.account
    }

    /// The rule by which entries are left out, in words.
    pub const fn rule(&self) -> &'static str {
        self.rule
    }

    /// `{"text", "account", "rule"}` as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }

    /// True when nothing was left out.
    pub const fn complete(&self) -> bool {
        self.account.records().complete()
    }
}

/// A line with the line feed in front of it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Where it stands among the lines that are shown.
    pub(crate) place: (u64, u64),
    /// Which of the groups of the heading it counts in.
    pub(crate) group: usize,
    pub(crate) line: String,
}

/// What there is to choose from.
pub(crate) struct Lines<'a> {
    /// All rows, by group.
    pub(crate) totals: &'a [u64],
    /// Bytes of all rows.
    pub(crate) bytes: u64,
    /// The heading when that many are left out, by group; short where the budget is small.
    pub(crate) head: &'a dyn Fn(&[u64], bool) -> String,
    /// In words, for the host.
    pub(crate) rule: &'static str,
    /// Rows larger than half the budget that are passed over before the choice ends; the first other row that does not
    /// fit ends it.
    pub(crate) passes: usize,
}

struct Draft {
    text: String,
    rows: Vec<usize>,
}

impl AsRef<str> for Draft {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Lines<'_> {
    /// All rows, in their places, under a heading that may be the short one.
    pub(crate) fn whole(&self, rows: impl Iterator<Item = Row>, short: bool) -> Rendered {
        let mut text = (self.head)(&self.totals.iter().map(|_| 0).collect::<Vec<_>>(), short);
        for row in rows {
            text.push_str(&row.line);
        }
        let total = self.totals.iter().sum();
        let account = Account::new(Counts::whole(total), Counts::whole(self.bytes), 0, None);
        Rendered { text, account, rule: self.rule }
    }

    /// Whether all rows may fit: where this says no they do not, and nothing of them has to be written.
    pub(crate) fn may_fit_whole(&self, budget: &Budget<'_>) -> bool {
        let most = match budget.unit() {
            Unit::Bytes => budget.limit(),
            Unit::Chars => budget.limit().saturating_mul(4),
            Unit::Utf16 => budget.limit().saturating_mul(3),
            Unit::Tokens => budget.limit().saturating_mul(32).saturating_add(1024),
        };
        self.bytes <= most as u64
    }

    /// As many rows of `ranked` (best first, asked for one after the other) as fit into the budget, and the places of
    /// those that did. Every row that is asked for is weighed once.
    ///
    /// # Errors
    /// [`BudgetTooSmall`](crate::ErrorKind::BudgetTooSmall) where not even the heading fits; those of the counter.
    pub(crate) fn pick(
        &self,
        budget: &Budget<'_>,
        mut ranked: impl Iterator<Item = Row>,
    ) -> Result<(Rendered, Vec<(u64, u64)>), Error> {
        let short = budget.limit() < crate::limits::SHORT_FORMS_BELOW;
        let widest = budget.size(&(self.head)(self.totals, short))?;
        let mut rows: Vec<(Row, usize)> = Vec::new();
        let found = settle(budget, |goal| {
            let mut room = goal.saturating_sub(widest);
            let (mut kept, mut passed) = (Vec::new(), 0);
            for at in 0.. {
                if at == rows.len() {
                    let Some(row) = ranked.next() else { break };
                    let weight = budget.size(&row.line)?.max(1);
                    rows.push((row, weight));
                }
                let weight = rows[at].1;
                if weight <= room {
                    room -= weight;
                    kept.push(at);
                } else if weight > goal / 2 && passed < self.passes {
                    passed += 1;
                } else {
                    break;
                }
            }
            if kept.is_empty() { Ok(None) } else { Ok(Some(self.draft(&rows, kept, short))) }
        })?;
        let draft = if let Some((draft, _)) = found {
            draft
        } else {
            let least = Draft { text: (self.head)(self.totals, true), rows: Vec::new() };
            let needed = budget.size(&least.text)?;
            if needed > budget.limit() {
                return Err(Error::budget_too_small(needed, budget.limit(), budget.unit()));
            }
            least
        };
        let kept_bytes = draft.rows.iter().map(|at| rows[*at].0.line.len() as u64).sum();
        let counts =
            |total: u64, kept: u64| Counts { kept, omitted: total.saturating_sub(kept), ..Counts::whole(total) };
        let records = counts(self.totals.iter().sum(), draft.rows.len() as u64);
        let account = Account::new(records, counts(self.bytes, kept_bytes), 0, None);
        let kept = draft.rows.iter().map(|at| rows[*at].0.place).collect();
        Ok((Rendered { text: draft.text, account, rule: self.rule }, kept))
    }

    fn draft(&self, rows: &[(Row, usize)], mut kept: Vec<usize>, short: bool) -> Draft {
        let mut left = self.totals.to_vec();
        for at in &kept {
            if let Some(left) = left.get_mut(rows[*at].0.group) {
                *left = left.saturating_sub(1);
            }
        }
        kept.sort_unstable_by_key(|at| rows[*at].0.place);
        let mut text = (self.head)(&left, short);
        for at in &kept {
            text.push_str(&rows[*at].0.line);
        }
        Draft { text, rows: kept }
    }
}
