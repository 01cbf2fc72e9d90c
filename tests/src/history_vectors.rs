//! Vectors of histories: what a repair gives, as `expect` writes it.

use haversack::WireFormat;
use haversack::history::{History, HistoryOptions, MissingResult, OrphanResult, RepairOptions};
use serde_json::{Value, json};

use crate::vectors::error;

/// What `repair` gives for a case: the resulting messages as texts, the changes, what remains.
///
/// # Errors
/// Options that there are not; a repair that a second one would change.
pub fn repaired(payload: &[u8], options: &Value) -> Result<Value, String> {
    let mut read = HistoryOptions::default();
    let mut repair = RepairOptions::default();
    let mut request = None;
    for (name, value) in options.as_object().into_iter().flatten() {
        match (name.as_str(), value.as_str()) {
            ("format", Some(format)) => read.format = Some(WireFormat::named(format).ok_or("format")?),
            ("profile", Some(profile)) => read.profile = Some(profile),
            ("request", None) => request = Some(value.to_string()),
            ("missing", Some("synthesise")) => repair.missing = MissingResult::Synthesise,
            ("missing", Some("drop")) => repair.missing = MissingResult::Drop,
            ("orphan", Some("drop")) => repair.orphan = OrphanResult::Drop,
            ("orphan", Some("text")) => repair.orphan = OrphanResult::Text,
            ("sending", None) => repair.sending = value == &json!(true),
            _ => return Err(format!("no option {name}: {value}")),
        }
    }
    read.request = request.as_deref();
    let history = match History::parse(payload, &read) {
        Ok(history) => history,
        Err(e) => return Ok(error(&e)),
    };
    let fix = match history.repair(&repair) {
        Ok(fix) => fix,
        Err(e) => return Ok(error(&e)),
    };
    let text = history.repair_text(&fix);
    let again = History::parse(&text, &read).map_err(|e| e.to_string())?;
    let second = again.repair(&repair).map_err(|e| e.to_string())?;
    if !second.changes.is_empty() || again.repair_text(&second) != text || second.remaining != fix.remaining {
        return Err(format!("a second repair changes {:?} in {text}", second.changes));
    }
    let messages: Vec<&str> = fix.messages().iter().map(|message| history.text_of(message)).collect();
    let changes: Vec<Value> = fix
        .changes
        .iter()
        .map(|c| json!({"action": c.action.name(), "violation": c.violation.name(), "index": c.index, "path": c.path}))
        .collect();
    let remaining: Vec<Value> = fix
        .remaining
        .iter()
        .map(|v| json!({"kind": v.kind.name(), "index": v.index, "path": v.path, "id": v.id}))
        .collect();
    Ok(json!({"answer": {"messages": messages, "changes": changes, "remaining": remaining}}))
}
