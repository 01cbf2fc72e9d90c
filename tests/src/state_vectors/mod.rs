//! Vectors of what a run remembers, step by step, as `expect` writes it: `ledger`, `memory`,
//! `grounds`, `handoff`, `fleet`, `session`, `tally`, `transcript` and `tiers`.

mod handoff;
mod ledger;
mod memory;
mod tally;
mod tiers;
mod transcript;

use haversack::{Budget, Error, Rendered, TokenCounter};
use serde_json::{Value, json};

use crate::vectors::error;
use crate::words::Words;

use handoff::{fleet, handoff, session};
use ledger::ledger;
use memory::{grounded, memory};
use tally::tally;
use tiers::tiered;
use transcript::transcript;

/// The operations.
pub const OPS: [&str; 9] =
    ["ledger", "memory", "grounds", "handoff", "fleet", "session", "tally", "transcript", "tiers"];

/// What a case of one of these operations gives; `None` where there is no such operation, or its counter is not in this
/// build.
///
/// # Errors
/// Options or steps that there are not.
pub fn remembered(op: &str, payload: &[u8], options: &Value) -> Result<Option<Value>, String> {
    match op {
        "ledger" => ledger(options),
        "memory" => memory(options),
        "grounds" => grounded(options).map(Some),
        "handoff" => handoff(payload, options),
        "fleet" => fleet(options).map(Some),
        "session" => session(options).map(Some),
        "tally" => tally(options),
        "transcript" => transcript(options),
        "tiers" => tiered(payload, options),
        _ => Ok(None),
    }
}

/// The steps of a case, answered one after the other; `None` when a counter is not in this build.
fn steps(
    options: &Value,
    mut answer: impl FnMut(&str, &Value) -> Result<Option<Value>, String>,
) -> Result<Option<Value>, String> {
    let mut answers = vec![];
    for step in options["steps"].as_array().ok_or("no steps")? {
        match answer(text(step, "do")?, step)? {
            Some(value) => answers.push(value),
            None => return Ok(None),
        }
    }
    Ok(Some(json!({"answer": answers})))
}

fn text<'a>(step: &'a Value, name: &str) -> Result<&'a str, String> {
    step[name].as_str().ok_or_else(|| format!("{name}: no text: {step}"))
}

fn number(step: &Value, name: &str) -> Result<u64, String> {
    step[name].as_u64().ok_or_else(|| format!("{name}: no number: {step}"))
}

fn answered<T>(result: Result<T, Error>, show: impl FnOnce(T) -> Value) -> Value {
    match result {
        Ok(answer) => json!({"answer": show(answer)}),
        Err(e) => error(&e),
    }
}

/// JSON that the library wrote, as a value.
fn own(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|e| json!(format!("no JSON: {e}: {json}")))
}

fn rendered(r: &Rendered) -> Value {
    own(&r.to_json())
}

/// A counter by name; `None` when it is not in this build.
fn counter(step: &Value) -> Result<Option<&'static dyn TokenCounter>, String> {
    match text(step, "counter")? {
        "words" => Ok(Some(&Words)),
        name => Ok(haversack::measure::named(name).ok()),
    }
}

/// The budget of a step: none, or `None` when its counter is not in this build.
fn budget(step: &Value) -> Result<Option<Option<Budget<'static>>>, String> {
    let limit = |name: &str| number(step, name).and_then(|n| usize::try_from(n).map_err(|e| e.to_string()));
    for (name, make) in
        [("bytes", Budget::bytes as fn(usize) -> Budget<'static>), ("chars", Budget::chars), ("utf16", Budget::utf16)]
    {
        if step.get(name).is_some() {
            return Ok(Some(Some(make(limit(name)?))));
        }
    }
    if step.get("tokens").is_none() {
        return Ok(Some(None));
    }
    let limit = limit("tokens")?;
    Ok(counter(step)?.map(|counter| Some(Budget::tokens(limit, counter))))
}
