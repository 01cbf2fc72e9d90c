//! Tiers of dialogues in every format.

use arbitrary::{Result, Unstructured};
use haversack::history::StepKind;
use haversack::{Budget, FactOptions, History, HistoryOptions, Ledger, TierOptions, tiers};

use crate::dialogues::{Dialogue, dialogue};

/// A dialogue, and how many steps of it stay.
#[derive(Clone, Debug)]
pub struct Tiered {
    /// The dialogue.
    pub dialogue: Dialogue,
    /// Steps.
    pub raw_steps: usize,
}

/// Draws one.
///
/// # Errors
/// When the bytes are used up.
pub fn tiered(u: &mut Unstructured<'_>) -> Result<Tiered> {
    let most = u.int_in_range(1..=24)?;
    let raw_steps = u.int_in_range(1..=4)?;
    Ok(Tiered { dialogue: dialogue(u, most)?, raw_steps })
}

/// The last steps stay with their raw results, the working memory of a valid history is valid, what falls out is
/// counted, and the ledger is the one that its budget gives.
///
/// # Errors
/// What does not hold.
pub fn tiers_hold(case: &Tiered) -> std::result::Result<(), String> {
    let d = &case.dialogue;
    let mut options = HistoryOptions::default();
    options.format = Some(d.format);
    options.request = Some(&d.request);
    let read = |text: &str| History::parse_owned(text.into(), &options).map_err(|e| format!("{e}\n  {text}"));
    let history = read(&d.text)?;
    let mut ledger = Ledger::new();
    for i in 0..9 {
        let key = format!("k{i}");
        ledger.record(&key, "v", FactOptions::new().source("user").turn(i)).map_err(|e| e.to_string())?;
    }
    let mut given = TierOptions::default();
    given.raw_steps = case.raw_steps;
    given.ledger = Some(Budget::chars(150));
    let t = match tiers("rules", &ledger, &history, &given) {
        Ok(t) => t,
        // Only a history in which nothing can be cut where it has to be.
        Err(e) => return Err(format!("{e}: {}", d.text)),
    };
    if t.invariant != "rules" || t.ledger.text().chars().count() > 150 {
        return Err(format!("{t:?}"));
    }
    let (records, bytes) = (t.account.records(), t.account.bytes());
    if !records.closes()
        || !bytes.closes()
        || records.kept != t.kept.len() as u64
        || records.total != history.len() as u64
    {
        return Err(format!("{records:?} for {:?}", t.kept));
    }
    let steps = history.steps();
    let raw = steps.iter().rev().filter(|step| step.kind == StepKind::Assistant).nth(case.raw_steps - 1);
    // What stands before a compaction of the server is not read any more, so it need not stay.
    let compacted =
        (0..history.len()).rev().find(|at| history.message(*at).is_some_and(|m| m.contains("\"compaction\"")));
    let from = raw.map_or(0, |step| step.from).max(compacted.unwrap_or(0));
    if let Some(gone) = (from..history.len()).find(|at| !t.kept.contains(at)) {
        return Err(format!("message {gone} of the last {} steps is gone: {:?} of {}", case.raw_steps, t.kept, d.text));
    }
    let working = read(&t.working)?;
    if history.violations(false).is_empty() && !working.violations(false).is_empty() {
        return Err(format!("{:?} in {} of {}", working.violations(false), t.working, d.text));
    }
    Ok(())
}
