//! What a request of a long run is made of: what never changes, what is known, and what is being worked on.
//!
//! Three tiers instead of a conversation that grows: the invariant state as the host gives it, the ledger under its
//! budget, and of the history only the last steps with their raw results (two unless told: the current one and the one
//! before). With a budget for the ledger a request grows with the size of these steps, not with their number.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::account::{Account, Counts};
use crate::error::{Error, ErrorKind};
use crate::history::{CutAnswer, CutOptions, History, KeepAtMost, StepKind};
use crate::ledger::Ledger;
use crate::measure::Budget;
use crate::slice::Rendered;

/// How the tiers are made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TierOptions<'a> {
    /// Steps of the assistant whose raw results stay: 2 by default.
    pub raw_steps: usize,
    /// What the ledger may take; without it, all.
    pub ledger: Option<Budget<'a>>,
    /// Messages of the history that stay, by index.
    pub pinned: &'a [usize],
}

impl Default for TierOptions<'_> {
    fn default() -> Self {
        TierOptions { raw_steps: 2, ledger: None, pinned: &[] }
    }
}

/// The tiers of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Tiers {
    /// The invariant state, as it was given.
    pub invariant: String,
    /// The facts, with the books of those that were left out.
    pub ledger: Rendered,
    /// Working memory: the history (or the request body) with the last steps alone, valid where the whole was.
    pub working: String,
    /// The messages that stay in it, by index.
    pub kept: Vec<usize>,
    /// The books of the history: messages as records, their JSON in bytes.
    pub account: Account,
}

impl Tiers {
    /// Every member under its name as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

/// Puts the tiers of a request together. The history keeps its system prompt, its last user message, the pins and the
/// last steps, cut where no call is parted from its result (as [`History::cut`] does it).
///
/// # Errors
/// Those of [`Ledger::render`] and [`History::cut`]; [`InvalidOption`](ErrorKind::InvalidOption) for `raw_steps` of 0.
pub fn tiers(
    invariant: &str,
    ledger: &Ledger,
    history: &History<'_>,
    options: &TierOptions<'_>,
) -> Result<Tiers, Error> {
    if options.raw_steps == 0 {
        return Err(Error::option("raw_steps", "the current step stays"));
    }
    let steps = history.steps();
    let mut raw = steps.iter().rev().filter(|step| step.kind == StepKind::Assistant);
    let from = raw.nth(options.raw_steps - 1).map_or(0, |step| step.from);
    // Whatever has to stay is pinned, and asked for in as few messages as there can be: the refusal says how many.
    let mut pinned: Vec<usize> = options.pinned.iter().copied().chain(from..history.len()).collect();
    pinned.sort_unstable();
    pinned.dedup();
    let cut_options = CutOptions { pinned: &pinned, ..CutOptions::default() };
    let cut = |messages: usize| history.cut(KeepAtMost::Messages(messages), &cut_options);
    let answer = match cut(1) {
        Err(e) if e.kind() == ErrorKind::BudgetTooSmall => cut(e.needed().unwrap_or(history.len()))?,
        answer => answer?,
    };
    let (working, kept): (String, Vec<usize>) = match answer {
        CutAnswer::Cut(cut) => (history.cut_text(&cut), cut.kept),
        CutAnswer::Nothing(_) => (history.text().into(), (0..history.len()).collect()),
    };
    let size = |at: usize| history.message(at).map_or(0, |message| message.len() as u64);
    let counts = |total: u64, kept: u64| Counts { kept, omitted: total.saturating_sub(kept), ..Counts::whole(total) };
    let records = counts(history.len() as u64, kept.len() as u64);
    let bytes = counts((0..history.len()).map(size).sum(), kept.iter().map(|at| size(*at)).sum());
    Ok(Tiers {
        invariant: invariant.into(),
        ledger: ledger.render(options.ledger)?,
        working,
        kept,
        account: Account::new(records, bytes, 0, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::HistoryOptions;
    use crate::ledger::FactOptions;

    /// A run of so many steps after one question, each with a large result and a fact.
    fn run(steps: usize) -> (Ledger, String) {
        let mut ledger = Ledger::new();
        let mut messages = Vec::from([
            String::from(r#"{"role":"system","content":"rules"}"#),
            String::from(r#"{"role":"user","content":"do it"}"#),
        ]);
        for i in 0..steps {
            messages.push(alloc::format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{i}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
            ));
            messages.push(alloc::format!(r#"{{"role":"tool","tool_call_id":"c{i}","content":"{}"}}"#, "x".repeat(500)));
            ledger
                .record(&alloc::format!("k{}", i % 50), "v", FactOptions::new().source("user").turn(i as u64))
                .unwrap();
        }
        (ledger, alloc::format!("[{}]", messages.join(",")))
    }

    #[test]
    fn a_request_is_as_long_after_ten_thousand_steps_as_after_a_hundred() {
        let sizes = [100, 1_000, 10_000].map(|steps| {
            let (ledger, text) = run(steps);
            let history = History::parse(&text, &HistoryOptions::default()).unwrap();
            let options = TierOptions { ledger: Some(Budget::chars(600)), ..TierOptions::default() };
            let t = tiers("never delete", &ledger, &history, &options).unwrap();
            let working = History::parse(&t.working, &HistoryOptions::default()).unwrap();
            assert!(working.violations(true).is_empty(), "{:?}", working.violations(true));
            assert_eq!((working.len(), t.kept.len(), t.kept[..2].to_vec()), (6, 6, Vec::from([0, 1])));
            assert!(t.account.records().closes() && t.account.bytes().closes());
            assert!(t.ledger.text().len() <= 600);
            t.working.len() - 4 * steps.ilog10() as usize * 2
        });
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() < 40, "{sizes:?}");
    }

    #[test]
    fn the_window_is_in_steps_and_never_parts_a_pair() {
        let (ledger, text) = run(9);
        let history = History::parse(&text, &HistoryOptions::default()).unwrap();
        for raw_steps in [1, 3, 9, 99] {
            let t = tiers("", &ledger, &history, &TierOptions { raw_steps, ..TierOptions::default() }).unwrap();
            assert_eq!(t.kept.len(), 2 + 2 * raw_steps.min(9), "{raw_steps}");
        }
        let pinned = [4, 5];
        let t = tiers("", &ledger, &history, &TierOptions { pinned: &pinned, ..TierOptions::default() }).unwrap();
        assert!(t.kept.contains(&4) && t.kept.contains(&5) && t.account.records().omitted > 0);
        let none = TierOptions { raw_steps: 0, ..TierOptions::default() };
        assert_eq!(tiers("", &ledger, &history, &none).unwrap_err().argument(), Some("raw_steps"));
    }
}
