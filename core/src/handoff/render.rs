//! A handoff as text for the one that reads it.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Handoff, HandoffKind, wording};
use crate::error::Error;
use crate::measure::Budget;
use crate::shown;
use crate::slice::{Lines, Rendered, Row};

impl Handoff {
    /// A heading that says what kind it is, and one line for each finding (with its sources), each place that was
    /// searched, or the reason for the stop. Prose of an uncheckable answer is not repeated. Under a budget lines are
    /// taken in order, and the heading counts the rest.
    ///
    /// # Errors
    /// [`BudgetTooSmall`](crate::ErrorKind::BudgetTooSmall) where not even the heading fits; those of the counter.
    pub fn render(&self, budget: Option<Budget<'_>>) -> Result<Rendered, Error> {
        let rows: Vec<Row> =
            self.lines().into_iter().zip(0..).map(|(line, at)| Row { place: (0, at), group: 0, line }).collect();
        let total = rows.len() as u64;
        let bytes = rows.iter().map(|row| row.line.len() as u64).sum();
        let kind = self.kind;
        let head = |left: &[u64], _: bool| {
            let mut out = String::from(wording::heading(kind));
            out.push_str(&wording::left_out(left.iter().sum(), total));
            out
        };
        let totals = [total];
        let lines = Lines { totals: &totals, bytes, head: &head, rule: wording::RULE, passes: 0 };
        let whole = lines.whole(rows.iter().cloned(), false);
        match budget {
            Some(budget) if budget.fits(whole.text())?.is_none() => {
                lines.pick(&budget, rows.into_iter()).map(|(rendered, _)| rendered)
            }
            _ => Ok(whole),
        }
    }

    fn lines(&self) -> Vec<String> {
        let line = |before: &str, text: &str| {
            let mut out = String::from(wording::LINE);
            out.push_str(before);
            shown::push_quoted(text, &mut out);
            out
        };
        let mut out: Vec<String> = self
            .findings
            .iter()
            .map(|finding| {
                let mut out = line("", &finding.text);
                out.push_str(wording::SOURCES);
                for (at, source) in finding.sources.iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    shown::push_quoted(source, &mut out);
                }
                out.push(')');
                out
            })
            .collect();
        out.extend(self.looked.iter().map(|place| line(wording::LOOKED, place)));
        if self.kind != HandoffKind::Uncheckable {
            out.extend(self.reason.iter().map(|reason| line(wording::REASON, reason)));
        }
        out
    }
}
