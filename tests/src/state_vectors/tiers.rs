//! The tiers of a request.

use haversack::{FactOptions, FactValue, History, HistoryOptions, Ledger, TierOptions, WireFormat, tiers};
use serde_json::Value;

use super::{answered, budget, own, text};
use crate::vectors::error;

/// What `tiers` gives for a history and the facts of a ledger.
///
/// # Errors
/// Options that there are not.
pub fn tiered(payload: &[u8], options: &Value) -> Result<Option<Value>, String> {
    let mut read = HistoryOptions::default();
    if options.get("format").is_some() {
        read.format = Some(WireFormat::named(text(options, "format")?).ok_or("no such format")?);
    }
    let mut ledger = Ledger::new();
    for fact in options["facts"].as_array().into_iter().flatten() {
        let given = FactOptions::new().source(text(fact, "source")?);
        ledger.record(text(fact, "key")?, FactValue::Text(text(fact, "text")?), given).map_err(|e| e.to_string())?;
    }
    let list = |name: &str| -> Vec<usize> {
        let numbers = options[name].as_array().into_iter().flatten().filter_map(Value::as_u64);
        numbers.filter_map(|n| usize::try_from(n).ok()).collect()
    };
    let pinned = list("pinned");
    let Some(budget) = budget(options)? else { return Ok(None) };
    let mut given = TierOptions::default();
    given.ledger = budget;
    given.pinned = &pinned;
    if let Some(raw) = options.get("raw_steps").and_then(Value::as_u64) {
        given.raw_steps = usize::try_from(raw).map_err(|e| e.to_string())?;
    }
    let history = match History::parse(payload, &read) {
        Ok(history) => history,
        Err(e) => return Ok(Some(error(&e))),
    };
    let invariant = text(options, "invariant")?;
    Ok(Some(answered(tiers(invariant, &ledger, &history, &given), |t| own(&t.to_json()))))
}
