//! A ledger as text: one line a fact, in the order in which the facts came.

use alloc::string::String;

use super::{FactKind, Ledger, Line, wording};
use crate::error::Error;
use crate::measure::Budget;
use crate::shown;
use crate::slice::{Lines, Rendered, Row};
use crate::source::push_also;

impl Ledger {
    /// The facts that hold, one line each. Without a budget all of them; under one as many as fit, taken by kind
    /// (constraints, decisions, tasks, identifiers, facts) and of one kind newest first, and the heading says how many
    /// were left out. Lines stand in the order of turns, of one turn in the order in which their keys came first, and
    /// an update keeps the place of its key. No fact is cut: a line larger than half the budget is passed over (at most
    /// 16 of them), the first other one that does not fit ends the choice.
    ///
    /// Each line is `- "KEY": VALUE (KIND, SOURCE, turn N)`: the key as a JSON string, the value as JSON, and
    /// every character that would not be seen as `\u{…}`. Rendering twice gives the same bytes.
    ///
    /// # Errors
    /// [`BudgetTooSmall`](crate::ErrorKind::BudgetTooSmall) where not even the count of what was left out fits; those
    /// of the counter.
    pub fn render(&self, budget: Option<Budget<'_>>) -> Result<Rendered, Error> {
        let total = self.lines.len() as u64;
        let head = |left: &[u64], short: bool| {
            let mut out = String::from(wording::HEADING);
            out.push_str(&wording::left_out(left, total, short));
            if total == 0 {
                out.push_str(wording::NONE);
            }
            out
        };
        let lines = choice(&self.kinds, self.bytes, &head);
        let in_place = || self.places.values().filter_map(|at| self.row(*at));
        let Some(budget) = budget else { return Ok(lines.whole(in_place(), false)) };
        if lines.may_fit_whole(&budget) {
            let whole = lines.whole(in_place(), false);
            if budget.fits(whole.text())?.is_some() {
                return Ok(whole);
            }
        }
        lines.pick(&budget, self.ranks.iter().filter_map(|(_, at)| self.row(*at))).map(|(rendered, _)| rendered)
    }

    pub(super) fn row(&self, at: usize) -> Option<Row> {
        let line = self.lines.get(at)?;
        let mut text = String::with_capacity(usize::try_from(line.bytes).unwrap_or(0));
        self.push_line(line, &mut text);
        Some(Row { place: line.place, group: group(line.rank.0), line: text })
    }

    /// Appends the line of what holds, with the line feed in front of it.
    pub(super) fn push_line(&self, line: &Line, out: &mut String) {
        let version = &line.versions[line.current];
        let (first, seen) = (&self.writes[version.first], &self.writes[version.shown]);
        out.push_str(wording::LINE);
        shown::push_quoted(&line.key, out);
        out.push_str(if line.many { wording::INCLUDES } else { wording::IS });
        shown::push_json(&first.value, out);
        out.push_str(" (");
        out.push_str(first.kind.name());
        out.push_str(", ");
        seen.source.push_label(out);
        let sightings = core::iter::once(version.first).chain(version.also.iter().copied());
        push_also(&seen.source, sightings.map(|at| &self.writes[at].source), out);
        if seen.verified {
            out.push_str(wording::VERIFIED);
        }
        if let Some(turn) = seen.turn {
            out.push_str(&wording::turn(turn));
        }
        out.push(')');
    }
}

/// What there is to choose from, under a heading.
pub(super) fn choice<'a>(totals: &'a [u64], bytes: u64, head: &'a dyn Fn(&[u64], bool) -> String) -> Lines<'a> {
    Lines { totals, bytes, head, rule: wording::RULE, passes: PASSES }
}

/// Lines that are passed over because they are too large, before the choice ends.
const PASSES: usize = 16;

pub(super) const fn group(kind: FactKind) -> usize {
    kind as usize
}
