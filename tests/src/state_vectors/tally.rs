//! A run of `Tally`.

use haversack::{Account, Boundary, Counts, Tally};
use serde_json::{Value, json};

use super::{answered, own, steps, text};
use crate::vectors::error;

/// What a run of a tally gives, step by step.
///
/// # Errors
/// Steps that there are not.
pub fn tally(options: &Value) -> Result<Option<Value>, String> {
    let mut tally = Tally::new();
    steps(options, |what, step| {
        Ok(Some(match what {
            "add" => {
                let boundary = Boundary::named(text(step, "boundary")?).ok_or("no such boundary")?;
                let counts = |name: &str| -> Result<Counts, String> {
                    serde_json::from_value(step[name].clone()).map_err(|e| format!("{name}: {e}"))
                };
                let account = Account::new(counts("records")?, counts("bytes")?, 0, None);
                answered(tally.add(boundary, &account, step["recoverable"] == true), |()| Value::Null)
            }
            "seen" => answered(tally.seen(text(step, "key")?, step["arrived"] == true), |()| Value::Null),
            "sums" => {
                let boundary = Boundary::named(text(step, "boundary")?).ok_or("no such boundary")?;
                let sums = tally.sums(boundary);
                json!({"answer": sums.map(|sums| json!({"sums": sums, "lost": sums.lost()}))})
            }
            "survival" => json!({"answer": tally.survival()}),
            "table" => json!({"answer": tally.table()}),
            "svg" => json!({"answer": tally.to_svg()}),
            "state" => json!({"answer": own(&tally.to_json())}),
            "reload" => {
                tally = Tally::from_json(&tally.to_json()).map_err(|e| e.to_string())?;
                json!({"answer": null})
            }
            "load" => match Tally::from_json(text(step, "state")?) {
                Ok(read) => {
                    tally = read;
                    json!({"answer": null})
                }
                Err(e) => error(&e),
            },
            other => return Err(format!("no step {other}")),
        }))
    })
}
