//! The part of memory that goes into a request.

use alloc::string::String;

use super::{Item, Memory, wording};
use crate::error::Error;
use crate::limits::SHORT_FORMS_BELOW;
use crate::measure::Budget;
use crate::shown;
use crate::slice::{Lines, Rendered, Row};
use crate::source::push_also;

impl Memory {
    /// What was known at `now`, best first, one line each; under a budget as many as fit. Rank: the more important; of
    /// equal importance what the user or the host said, then the model's own, then content; then the latest; then by
    /// text and source. The first that does not fit ends the slice, so nothing of a lower rank is ever shown in the
    /// place of a higher one. What was said after `now` is left out and counted. The heading says how many were left
    /// out.
    ///
    /// # Errors
    /// [`BudgetTooSmall`](crate::ErrorKind::BudgetTooSmall) where not even the count of what was left out fits; those
    /// of the counter.
    pub fn slice(&self, now: u64, budget: Option<Budget<'_>>) -> Result<Rendered, Error> {
        let total = self.items.len() as u64;
        let totals = [total];
        let head = |left: &[u64], short: bool| wording::heading(left.iter().sum(), total, short);
        let lines = Lines { totals: &totals, bytes: self.bytes, head: &head, rule: wording::RULE, passes: 0 };
        let known = || self.ranks.iter().filter_map(|rank| self.items.get(&rank.5)).filter(|item| item.since <= now);
        let rows = || known().zip(0..).map(|(item, at)| row(item, at));
        let all_known = self.since.last().is_none_or(|(since, _)| *since <= now);
        let Some(budget) = budget else {
            // Without a budget only what was not known yet is left out.
            return if all_known {
                Ok(lines.whole(rows(), false))
            } else {
                lines.pick(&Budget::bytes(usize::MAX), rows()).map(|(rendered, _)| rendered)
            };
        };
        if all_known && lines.may_fit_whole(&budget) {
            let whole = lines.whole(rows(), budget.limit() < SHORT_FORMS_BELOW);
            if budget.fits(whole.text())?.is_some() {
                return Ok(whole);
            }
        }
        lines.pick(&budget, rows()).map(|(rendered, _)| rendered)
    }
}

pub(super) fn row(item: &Item, at: u64) -> Row {
    let mut line = String::with_capacity(usize::try_from(item.bytes).unwrap_or(0));
    push_line(item, &mut line);
    Row { place: (0, at), group: 0, line }
}

/// Appends the line of a memory, with the line feed in front of it.
pub(super) fn push_line(item: &Item, out: &mut String) {
    out.push_str(wording::LINE);
    shown::push_quoted(&item.text, out);
    out.push_str(" (");
    if let Some(best) = item.said.get(item.best) {
        best.source.push_label(out);
        push_also(&best.source, item.said.iter().map(|said| &said.source), out);
        out.push_str(&wording::importance(best.importance));
    }
    out.push(')');
}
