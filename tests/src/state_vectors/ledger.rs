//! A run of `Ledger`.

use haversack::{Fact, FactKind, FactOptions, FactValue, Ledger};
use serde_json::{Value, json};

use super::{answered, budget, counter, number, own, rendered, steps, text};
use crate::vectors::error;

/// What a run of a ledger gives, step by step.
///
/// # Errors
/// Steps that there are not.
pub fn ledger(options: &Value) -> Result<Option<Value>, String> {
    let mut led = Ledger::new();
    steps(options, |what, step| {
        let facts = |facts: Vec<Fact>| json!({"answer": facts.iter().map(|f| own(&f.to_json())).collect::<Vec<_>>()});
        Ok(Some(match what {
            "record" | "append" => {
                let given = said(step)?;
                let value = match step.get("json") {
                    Some(_) => FactValue::Json(text(step, "json")?),
                    None => FactValue::Text(text(step, "text")?),
                };
                let key = text(step, "key")?;
                let done = if what == "record" { led.record(key, value, given) } else { led.append(key, value, given) };
                answered(done, |done| json!(done.name()))
            }
            "extract" => {
                let given = said(step)?;
                let pairs = step["fields"].as_array().ok_or("no fields")?;
                let fields: Vec<(&str, &str)> = pairs
                    .iter()
                    .map(|pair| pair[0].as_str().zip(pair[1].as_str()).ok_or("no pair"))
                    .collect::<Result<_, _>>()?;
                answered(led.extract(text(step, "result")?, &fields, given), |done| own(&done.to_json()))
            }
            "get" => json!({"answer": led.get(text(step, "key")?).map(|f| own(&f.to_json()))}),
            "values" => facts(led.values(text(step, "key")?)),
            "history" => facts(led.history(text(step, "key")?)),
            "facts" => facts(led.facts().collect()),
            "render" => {
                let Some(budget) = budget(step)? else { return Ok(None) };
                answered(led.render(budget), |r| rendered(&r))
            }
            "news" => {
                let Some(budget) = budget(step)? else { return Ok(None) };
                answered(led.news(budget), |news| news.map_or(Value::Null, |r| rendered(&r)))
            }
            "fold" => {
                led.fold();
                json!({"answer": null})
            }
            "costs" => {
                let Some(counter) = counter(step)? else { return Ok(None) };
                let behind = usize::try_from(number(step, "behind")?).map_err(|e| e.to_string())?;
                answered(
                    led.placement_costs(text(step, "previous")?, behind, counter),
                    |[low, system]| json!({low.placement.name(): low.tokens, system.placement.name(): system.tokens}),
                )
            }
            "size" => json!({"answer": {"facts": led.len(), "bytes": led.bytes(), "merged": led.merged()}}),
            "state" => json!({"answer": own(&led.to_json())}),
            "reload" => {
                led = Ledger::from_json(&led.to_json()).map_err(|e| e.to_string())?;
                json!({"answer": null})
            }
            "load" => match Ledger::from_json(text(step, "state")?) {
                Ok(read) => {
                    led = read;
                    json!({"answer": null})
                }
                Err(e) => error(&e),
            },
            other => return Err(format!("no step {other}")),
        }))
    })
}

/// What a step says of its value.
fn said(step: &Value) -> Result<FactOptions<'_>, String> {
    let mut given = FactOptions::new();
    if step.get("source").is_some() {
        given = given.source(text(step, "source")?);
    }
    if step.get("turn").is_some() {
        given = given.turn(number(step, "turn")?);
    }
    if step.get("kind").is_some() {
        given = given.kind(FactKind::named(text(step, "kind")?).ok_or("no such kind")?);
    }
    if let Some(verified) = step.get("verified") {
        given = given.verified(verified.as_bool().ok_or("verified: no bool")?);
    }
    Ok(given)
}
