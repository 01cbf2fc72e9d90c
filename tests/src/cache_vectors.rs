//! Vectors of caches and frozen sections: what `predict`, `cache_marks` and a run of `Frozen` give, as `expect` writes
//! it.

use haversack::{
    CacheRules, Error, Frozen, MarkOptions, Note, PredictOptions, TokenCounter, WireFormat, cache_marks, predict,
};
use serde_json::{Value, json};

use crate::vectors::{build, error};
use crate::words::Words;

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| format!("{name}: no text: {value}"))
}

fn seconds(value: &Value) -> Result<u64, String> {
    value.as_u64().ok_or_else(|| format!("no number: {value}"))
}

fn number(value: &Value) -> Result<usize, String> {
    seconds(value).and_then(|n| usize::try_from(n).map_err(|e| e.to_string()))
}

fn answered<T>(result: Result<T, Error>, show: impl FnOnce(T) -> Value) -> Value {
    match result {
        Ok(answer) => json!({"answer": show(answer)}),
        Err(e) => error(&e),
    }
}

/// A counter by name; `None` when it is not in this build.
fn counter(options: &Value) -> Result<Option<&'static dyn TokenCounter>, String> {
    match text(&options["counter"], "counter")? {
        "words" => Ok(Some(&Words)),
        name => Ok(haversack::measure::named(name).ok()),
    }
}

fn format(value: &Value) -> Result<WireFormat, String> {
    WireFormat::named(text(value, "format")?).ok_or_else(|| format!("no format {value}"))
}

/// What `predict` gives for a case; `None` when its counter is not in this build.
///
/// # Errors
/// Options that there are not.
pub fn predicted(payload: &[u8], options: &Value) -> Result<Option<Value>, String> {
    let Some(counter) = counter(options)? else { return Ok(None) };
    let mut given = PredictOptions::new(counter);
    let mut before = None;
    for (name, value) in options.as_object().into_iter().flatten() {
        given = match name.as_str() {
            "counter" => given,
            "rules" => match CacheRules::named(text(value, name)?) {
                Ok(rules) => given.rules(rules),
                Err(e) => return Ok(Some(error(&e))),
            },
            "elapsed" => given.elapsed(seconds(value)?),
            "ttl" => given.ttl(seconds(value)?),
            "format" => given.format(format(value)?),
            "limits" => given.limits(crate::prompt_vectors::limits(Some(value))?),
            "previous" => {
                before = Some(build(value)?);
                given
            }
            _ => return Err(format!("no option {name}: {value}")),
        };
    }
    let result = predict(before.as_deref(), payload, &given);
    Ok(Some(answered(result, |p| {
        json!({
            "cached": p.cached, "cached_min": p.cached_min, "cached_max": p.cached_max, "written": p.written,
            "fresh": p.fresh, "total": p.total, "billed": p.billed, "reason": p.reason.name(), "rules": p.rules.name(),
        })
    })))
}

/// What `cache_marks` gives for a case. Doing it again has to change nothing.
///
/// # Errors
/// Options that there are not; a second time that gives another text.
pub fn marked(payload: &[u8], options: &Value) -> Result<Value, String> {
    let mut given = MarkOptions::new();
    let mut before = None;
    for (name, value) in options.as_object().into_iter().flatten() {
        given = match name.as_str() {
            "rules" => match CacheRules::named(text(value, name)?) {
                Ok(rules) => given.rules(rules),
                Err(e) => return Ok(error(&e)),
            },
            "most" => given.most(number(value)?),
            "life" => given.life(text(value, name)?),
            "head_life" => given.head_life(text(value, name)?),
            "changing" => given.changing(number(value)?),
            "format" => given.format(format(value)?),
            "limits" => given.limits(crate::prompt_vectors::limits(Some(value))?),
            "previous" => {
                before = Some(build(value)?);
                given
            }
            _ => return Err(format!("no option {name}: {value}")),
        };
    }
    let result = cache_marks(payload, before.as_deref(), &given);
    if let Ok(plan) = &result {
        let again = cache_marks(plan.text.as_bytes(), before.as_deref(), &given).map_err(|e| e.to_string())?;
        if again.text != plan.text {
            return Err(format!("a second time gives {}", again.text));
        }
    }
    Ok(answered(result, |plan| {
        let mark = |m: &haversack::CacheMark| json!({"reason": m.reason.name(), "pointer": m.pointer, "message": m.message, "block": m.block, "life": m.life});
        json!({
            "marks": plan.marks.iter().map(mark).collect::<Vec<_>>(),
            "unplaced": plan.unplaced.iter().map(|reason| reason.name()).collect::<Vec<_>>(),
            "text": plan.text, "rules": plan.rules.name(),
        })
    }))
}

fn note(note: &Note) -> Value {
    json!({"section": note.section(), "version": note.version(), "text": note.text()})
}

/// What a run of `Frozen` gives, step by step.
///
/// # Errors
/// Steps that there are not.
pub fn frozen(options: &Value) -> Result<Value, String> {
    let mut sections = vec![];
    for pair in options["sections"].as_array().ok_or("no sections")? {
        sections.push((text(&pair[0], "name")?, text(&pair[1], "text")?));
    }
    let mut frozen = match Frozen::new(sections) {
        Ok(frozen) => frozen,
        Err(e) => return Ok(error(&e)),
    };
    let mut answers = vec![];
    for step in options["steps"].as_array().ok_or("no steps")? {
        let name = || text(&step["name"], "name");
        answers.push(match text(&step["do"], "do")? {
            "update" => answered(frozen.update(name()?, step["text"].as_str()), |made| json!(made.map(note))),
            "text" => answered(frozen.text(name()?), |text| json!(text)),
            "current" => answered(frozen.current(name()?), |text| json!(text)),
            "notes" => json!({"answer": frozen.notes().iter().map(note).collect::<Vec<_>>()}),
            "fold" => json!({"answer": frozen.fold()}),
            "cost" => {
                let counter = counter(step)?.ok_or("a counter that this build has not")?;
                answered(frozen.cost(counter), |c| {
                    json!({"notes": c.notes, "superseded": c.superseded, "tokens": c.tokens,
                           "superseded_tokens": c.superseded_tokens, "stale_tokens": c.stale_tokens})
                })
            }
            "state" => json!({"answer": serde_json::from_str::<Value>(&frozen.to_json()).map_err(|e| e.to_string())?}),
            "reload" => {
                frozen = Frozen::from_json(&frozen.to_json()).map_err(|e| e.to_string())?;
                json!({"answer": null})
            }
            "load" => match Frozen::from_json(text(&step["state"], "state")?) {
                Ok(read) => {
                    frozen = read;
                    json!({"answer": null})
                }
                Err(e) => error(&e),
            },
            other => return Err(format!("no step {other}")),
        });
    }
    Ok(json!({"answer": answers}))
}
