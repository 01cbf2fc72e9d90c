//! A run of `Memory`, with `grounds`.

use haversack::{
    Evidence, FactKind, FactOptions, Ledger, Memory, OnFull, RememberOptions, Timing, flush_request, grounds,
    is_silent_reply,
};
use serde_json::{Value, json};

use super::{answered, budget, number, own, rendered, steps, text};
use crate::vectors::error;

/// What a run of a memory gives, step by step.
///
/// # Errors
/// Steps that there are not.
pub fn memory(options: &Value) -> Result<Option<Value>, String> {
    let mut mem = match options.get("cap") {
        Some(cap) => {
            let cap = cap.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or("no cap")?;
            Memory::capped(cap, OnFull::named(text(options, "on_full")?).ok_or("no on_full")?)
        }
        None => Memory::new(),
    };
    steps(options, |what, step| {
        Ok(Some(match what {
            "add" => answered(mem.add(text(step, "text")?, said(step)?), |done| own(&done.to_json())),
            "decline" => {
                mem.decline();
                json!({"answer": null})
            }
            "slice" => {
                let Some(budget) = budget(step)? else { return Ok(None) };
                answered(mem.slice(number(step, "now")?, budget), |r| rendered(&r))
            }
            "search" => answered(mem.search(text(step, "query")?), |hits| {
                hits.iter().map(|hit| own(&hit.to_json())).collect::<Vec<_>>().into()
            }),
            "forget" => json!({"answer": mem.forget(text(step, "source")?)}),
            "get" => json!({"answer": mem.get(number(step, "id")?).map(|item| own(&item.to_json()))}),
            "items" => json!({"answer": mem.items().map(|item| own(&item.to_json())).collect::<Vec<_>>()}),
            "counts" => json!({"answer": mem.counts()}),
            "flush" => answered(mem.flush(text(step, "date")?), |file| file.map_or(Value::Null, |f| own(&f.to_json()))),
            "flush_request" => answered(flush_request(text(step, "date")?), |request| json!(request)),
            "is_silent_reply" => json!({"answer": is_silent_reply(text(step, "reply")?)}),
            "merge" => {
                let mut other = Memory::new();
                for one in step["items"].as_array().ok_or("no items")? {
                    other.add(text(one, "text")?, said(one)?).map_err(|e| e.to_string())?;
                }
                match mem.merge(&other) {
                    Ok(merged) => {
                        mem = merged;
                        json!({"answer": null})
                    }
                    Err(e) => error(&e),
                }
            }
            "state" => json!({"answer": own(&mem.to_json())}),
            "reload" => {
                mem = Memory::from_json(&mem.to_json()).map_err(|e| e.to_string())?;
                json!({"answer": null})
            }
            "load" => match Memory::from_json(text(step, "state")?) {
                Ok(read) => {
                    mem = read;
                    json!({"answer": null})
                }
                Err(e) => error(&e),
            },
            other => return Err(format!("no step {other}")),
        }))
    })
}

fn said(step: &Value) -> Result<RememberOptions<'_>, String> {
    let mut given = RememberOptions::new();
    if step.get("source").is_some() {
        given = given.source(text(step, "source")?);
    }
    if step.get("importance").is_some() {
        given = given.importance(u8::try_from(number(step, "importance")?).map_err(|e| e.to_string())?);
    }
    if step.get("at").is_some() {
        given = given.at(number(step, "at")?);
    }
    if step.get("timing").is_some() {
        given = given.timing(Timing::named(text(step, "timing")?).ok_or("no such timing")?);
    }
    Ok(given)
}

/// What `grounds` answers to evidence from a ledger and a memory.
///
/// # Errors
/// Options that there are not.
pub fn grounded(options: &Value) -> Result<Value, String> {
    let (mut led, mut mem) = (Ledger::new(), Memory::new());
    let show = |e: haversack::Error| e.to_string();
    let list = |name: &str| options.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    for fact in list("facts") {
        let kind = fact["kind"].as_str().map_or(Some(FactKind::Fact), FactKind::named).ok_or("no such kind")?;
        let verified = fact["verified"].as_bool().unwrap_or(false);
        let given = FactOptions::new().kind(kind).source(text(&fact, "source")?).verified(verified);
        led.record(text(&fact, "key")?, text(&fact, "text")?, given).map_err(show)?;
    }
    for item in list("memories") {
        mem.add(text(&item, "text")?, said(&item)?).map_err(show)?;
    }
    let mut evidence: Vec<Evidence> = vec![];
    for key in list("use") {
        // Every value of a key, superseded ones too.
        evidence.extend(led.history(key.as_str().ok_or("no key")?).iter().map(Evidence::from));
    }
    for query in list("search") {
        evidence.extend(mem.search(query.as_str().ok_or("no query")?).map_err(show)?.iter().map(Evidence::from));
    }
    Ok(json!({"answer": own(&grounds(text(options, "action")?, &evidence).to_json())}))
}
