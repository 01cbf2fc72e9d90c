//! Handoffs, a fleet of them, and what a session leaves.

use haversack::{Feature, Fleet, Handoff, Ledger, read_features, session_files};
use serde_json::{Value, json};

use super::{answered, budget, own, rendered, text};

fn maybe<'a>(value: &'a Value, name: &str) -> Result<Option<&'a str>, String> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(_) => text(value, name).map(Some),
    }
}

/// What a handoff is, how it is rendered, and which sources are not among those that `resolves` names.
///
/// # Errors
/// Options that there are not.
pub fn handoff(payload: &[u8], options: &Value) -> Result<Option<Value>, String> {
    let returned = std::str::from_utf8(payload).map_err(|e| e.to_string())?;
    let returned = if options["nothing"] == true { None } else { Some(returned) };
    let h = Handoff::parse(returned, maybe(options, "status")?, maybe(options, "stop_reason")?);
    let Some(budget) = budget(options)? else { return Ok(None) };
    let known = options["resolves"].as_array().cloned().unwrap_or_default();
    let mut answer = json!({"handoff": own(&h.to_json()), "is_answer": h.is_answer()});
    answer["rendered"] = answered(h.render(budget), |r| rendered(&r));
    if options.get("resolves").is_some() {
        answer["unresolved"] = json!(h.unresolved(|source| known.iter().any(|k| k == source)));
    }
    Ok(Some(json!({"answer": answer})))
}

/// The counts of workers, each `{"text", "status", "stop_reason", "times"}`.
///
/// # Errors
/// Options that there are not.
pub fn fleet(options: &Value) -> Result<Value, String> {
    let mut fleet = Fleet::new();
    for worker in options["workers"].as_array().ok_or("no workers")? {
        let (status, stop) = (maybe(worker, "status")?, maybe(worker, "stop_reason")?);
        let h = Handoff::parse(maybe(worker, "text")?, status, stop);
        for _ in 0..worker["times"].as_u64().unwrap_or(1) {
            fleet.add(&h);
        }
    }
    Ok(json!({"answer": {"counts": own(&fleet.to_json()), "account": fleet.account(), "table": fleet.table()}}))
}

/// The files of a session, and its features read back.
///
/// # Errors
/// Options that there are not.
pub fn session(options: &Value) -> Result<Value, String> {
    let list = |name: &str| -> Vec<String> {
        options[name].as_array().into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    };
    if options.get("features_json").is_some() {
        return Ok(answered(read_features(text(options, "features_json")?), |features| json!(features)));
    }
    let (done, next) = (list("done"), list("next"));
    let (done, next): (Vec<&str>, Vec<&str>) =
        (done.iter().map(String::as_str).collect(), next.iter().map(String::as_str).collect());
    let features = options["features"].as_array().into_iter().flatten();
    let features: Vec<Feature> = features
        .map(|f| Feature {
            name: f["name"].as_str().unwrap_or_default().into(),
            passes: f["passes"].as_bool().unwrap_or(false),
        })
        .collect();
    let ledger = match maybe(options, "ledger")? {
        Some(state) => Ledger::from_json(state).map_err(|e| e.to_string())?,
        None => Ledger::new(),
    };
    let files = session_files(text(options, "date")?, text(options, "goal")?, &done, &next, &features, &ledger);
    Ok(answered(files, |files| json!(files)))
}
