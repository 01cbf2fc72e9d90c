//! Where the ledger stands in a prompt, and what each place costs.

use alloc::string::String;
use alloc::vec::Vec;

use super::render::{choice, group};
use super::{FactKind, Ledger, wording};
use crate::error::Error;
use crate::measure::{Budget, TokenCounter};
use crate::slice::Rendered;

kinds! {
    /// Where the ledger stands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Placement;

    /// Behind everything that is cached: the whole ledger once, then the news of each turn on the newest message,
    /// where they stay (the default).
    Low = 1, "low";
    /// In the system message: always whole and in one place, and every new fact breaks the cache there.
    System = 2, "system";
}

/// What a placement costs this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlacementCost {
    /// Where the ledger stands.
    pub placement: Placement,
    /// Tokens that a provider has to read anew because of the ledger.
    pub tokens: usize,
}

impl Ledger {
    /// What was recorded since the last news, for the newest message: the tail of a ledger that stands low. Messages
    /// before it stay as they are, so nothing cached is lost. `None` when nothing changed. What the budget leaves out
    /// comes with the next news.
    ///
    /// # Errors
    /// As [`render`](Ledger::render); then the news are still to be told.
    pub fn news(&mut self, budget: Option<Budget<'_>>) -> Result<Option<Rendered>, Error> {
        let told = self.told(budget)?;
        if let Some((_, lines)) = &told {
            for at in lines {
                self.untold.remove(at);
            }
        }
        Ok(told.map(|(rendered, _)| rendered))
    }

    /// Takes everything that is recorded for told: after the whole ledger was put into the prompt, at its start and at
    /// a compaction.
    pub fn fold(&mut self) {
        self.untold.clear();
    }

    /// What each placement costs this turn: [`Placement::Low`] the news, [`Placement::System`] the text from its first
    /// changed byte on and all that stands behind it. `previous` is the text that stands in the system message,
    /// `behind` the tokens of the prompt behind it. Both texts are counted without a budget.
    ///
    /// # Errors
    /// Those of the counter.
    pub fn placement_costs(
        &self,
        previous: &str,
        behind: usize,
        counter: &dyn TokenCounter,
    ) -> Result<[PlacementCost; 2], Error> {
        let low = match self.told(None)? {
            Some((news, _)) => counter.count(news.text())?,
            None => 0,
        };
        let now = self.render(None)?;
        let now = now.text();
        let system = if now == previous {
            0
        } else {
            let mut shared = now.bytes().zip(previous.bytes()).take_while(|(a, b)| a == b).count();
            while !now.is_char_boundary(shared) {
                shared -= 1;
            }
            counter.count(&now[shared..])?.saturating_add(behind)
        };
        let cost = |placement, tokens| PlacementCost { placement, tokens };
        Ok([cost(Placement::Low, low), cost(Placement::System, system)])
    }

    /// The news, and the lines in it.
    fn told(&self, budget: Option<Budget<'_>>) -> Result<Option<(Rendered, Vec<usize>)>, Error> {
        if self.untold.is_empty() {
            return Ok(None);
        }
        let mut changed: Vec<usize> = self.untold.iter().copied().collect();
        let mut totals = [0_u64; FactKind::ALL.len()];
        let mut bytes = 0;
        for line in changed.iter().filter_map(|at| self.lines.get(*at)) {
            totals[group(line.rank.0)] += 1;
            bytes += line.bytes;
        }
        let total = totals.iter().sum();
        let head = |left: &[u64], short: bool| {
            let mut out = String::from(wording::NEWS);
            out.push_str(&wording::left_out(left, total, short));
            out
        };
        let lines = choice(&totals, bytes, &head);
        changed.sort_unstable_by_key(|at| self.lines[*at].place);
        let whole = lines.whole(changed.iter().filter_map(|at| self.row(*at)), false);
        match budget {
            Some(budget) if budget.fits(whole.text())?.is_none() => {
                changed.sort_unstable_by_key(|at| self.lines[*at].rank);
                let (rendered, places) = lines.pick(&budget, changed.iter().filter_map(|at| self.row(*at)))?;
                let told = places.iter().filter_map(|place| self.places.get(place).copied()).collect();
                Ok(Some((rendered, told)))
            }
            _ => Ok(Some((whole, changed))),
        }
    }
}
