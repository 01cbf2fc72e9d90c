//! Vectors of prompts: what taking one apart, comparing two and measuring one gives, as `expect` writes it.

use haversack::prompt::{
    Change, Comparison, Layer, Mark, Piece, PieceKind, Prompt, RequestOptions, Snapshot, SnapshotOptions, compare,
    growth, shared_prefix, volatile,
};
use haversack::{Budget, Error, Limits, WireFormat};
use serde_json::{Value, json};

use crate::vectors::error;

/// What went wrong: the case itself, or the call, which is an answer.
enum Fault {
    Case(String),
    Call(Box<Error>),
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Fault::Case(what)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Call(Box::new(error))
    }
}

/// What one of these operations gives for a case: `canonical`, `pieces`, `compare`, `prefix`, `snapshot`, `restore`,
/// `volatile`, `report`, `render`, `growth`, `blank`.
///
/// # Errors
/// Options that there are not.
pub fn prompted(op: &str, payload: &[u8], options: &Value) -> Result<Value, String> {
    match run(op, payload, options) {
        Ok(answer) => Ok(json!({"answer": answer})),
        Err(Fault::Call(e)) => Ok(error(&e)),
        Err(Fault::Case(what)) => Err(what),
    }
}

fn run(op: &str, payload: &[u8], options: &Value) -> Result<Value, Fault> {
    let known: &[&str] = match op {
        "restore" => &[],
        "canonical" => &["limits"],
        "pieces" => &["format", "limits"],
        "compare" => &["previous", "next", "stored"],
        "prefix" => &["a", "b"],
        "snapshot" => &["prompt", "key"],
        "volatile" | "render" | "blank" => &["prompt"],
        "growth" => &["first", "per_call", "calls"],
        "report" => &["prompt", "budget"],
        _ => return Err(format!("no operation {op}").into()),
    };
    if let Some(other) =
        options.as_object().into_iter().flat_map(|o| o.keys()).find(|name| !known.contains(&name.as_str()))
    {
        return Err(format!("no option {other}").into());
    }
    let text = || core::str::from_utf8(payload).map_err(|e| Fault::Case(e.to_string()));
    Ok(match op {
        "canonical" => {
            let form = haversack::canonical_json(text()?, limits(options.get("limits"))?.depth)?;
            let inexact = form.inexact_numbers().iter();
            let inexact = inexact.map(|n| json!({"offset": n.offset, "read": n.read, "written": n.written}));
            json!({"text": form.text(), "same": form.is_same(), "inexact": inexact.collect::<Vec<_>>()})
        }
        "pieces" => {
            let format = options.get("format").and_then(Value::as_str).and_then(WireFormat::named);
            let mut wish = RequestOptions::of_format(format);
            wish.limits = limits(options.get("limits"))?;
            let prompt = Prompt::from_request(payload, &wish)?;
            let mark = |m: &Mark| json!([m.at, m.kind.name(), m.seconds]);
            let piece = |p: &Piece| {
                let marks: Vec<Value> = p.marks().iter().map(mark).collect();
                json!({"name": p.name(), "layer": p.layer().name(), "kind": p.kind().name(), "text": p.text(), "marks": marks})
            };
            json!({
                "format": prompt.format().map(WireFormat::name),
                "automatic_mark": prompt.automatic_mark().is_some(),
                "pieces": prompt.pieces().map(piece).collect::<Vec<_>>(),
            })
        }
        "compare" => {
            let stored = options.get("stored").is_some_and(|stored| stored == true);
            let taken = |given: &Value| -> Result<Option<Snapshot>, Fault> {
                if given.is_null() {
                    return Ok(None);
                }
                let snapshot = prompt(given)?.snapshot(&SnapshotOptions::default())?;
                Ok(Some(if stored { Snapshot::from_json(&snapshot.to_json())? } else { snapshot }))
            };
            let previous = taken(&options["previous"])?;
            let next = taken(&options["next"])?.ok_or_else(|| String::from("no next"))?;
            comparison(&compare(previous.as_ref(), &next)?)
        }
        "prefix" => {
            let shared = shared_prefix(&prompt(&options["a"])?, &prompt(&options["b"])?, None)?;
            json!({"bytes": shared.bytes, "pieces": shared.pieces, "piece": shared.piece})
        }
        "snapshot" => {
            let mut wish = SnapshotOptions::default();
            wish.key = options.get("key").and_then(Value::as_str).map(str::as_bytes);
            let state = prompt(&options["prompt"])?.snapshot(&wish)?.to_json();
            serde_json::from_str(&state).map_err(|e| e.to_string())?
        }
        "restore" => json!(Snapshot::from_json(text()?)?.names().collect::<Vec<_>>()),
        "volatile" => {
            let found = volatile(&prompt(&options["prompt"])?);
            let value = |v: &haversack::prompt::VolatileValue| {
                json!({"piece": v.piece, "index": v.index, "layer": v.layer.name(),
                "kind": v.kind.name(), "at_byte": v.at_byte, "bytes": v.bytes})
            };
            found.iter().map(value).collect()
        }
        "render" => {
            let prompt = prompt(&options["prompt"])?;
            json!({"text": prompt.render(), "tools": prompt.tools_json()})
        }
        "blank" => {
            json!(prompt(&options["prompt"])?.without_conversation().pieces().map(Piece::name).collect::<Vec<_>>())
        }
        "growth" => {
            let number = |name: &str| options[name].as_u64().ok_or_else(|| format!("no number {name}"));
            let told = growth(number("first")?, number("per_call")?, number("calls")?);
            json!({"largest": told.largest, "input": told.input, "repeated": told.repeated})
        }
        _ => report(options)?,
    })
}

/// The usual limits, but for the depth that is given.
pub(crate) fn limits(given: Option<&Value>) -> Result<Limits, String> {
    let mut limits = Limits::DEFAULT;
    for (name, value) in given.and_then(Value::as_object).into_iter().flatten() {
        match (name.as_str(), value.as_u64().and_then(|n| usize::try_from(n).ok())) {
            ("depth", Some(depth)) => limits.depth = depth,
            _ => return Err(format!("no limit {name}: {value}")),
        }
    }
    Ok(limits)
}

fn comparison(c: &Comparison) -> Value {
    let change = |c: &Change| {
        json!({"verdict": c.verdict.name(), "piece": c.piece, "was": c.was, "index": c.index, "at_byte": c.at_byte,
        "at_byte_exact": c.at_byte_exact, "cause": c.cause.name(), "volatile": c.volatile.map(haversack::prompt::VolatileKind::name)})
    };
    json!({
        "verdict": c.verdict.name(),
        "piece": c.piece,
        "index": c.index,
        "at_byte": c.at_byte,
        "at_byte_exact": c.at_byte_exact,
        "cause": c.cause.map(haversack::prompt::Cause::name),
        "kept_bytes": c.kept_bytes,
        "lost_bytes": c.lost_bytes,
        "changes": c.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn report(options: &Value) -> Result<Value, Fault> {
    let limit = options.get("budget").and_then(Value::as_u64).map_or(usize::MAX, |n| n as usize);
    let r = prompt(&options["prompt"])?.report(&Budget::bytes(limit))?;
    let overran: Vec<Value> =
        r.overran().map(|p| json!({"name": p.name, "over": p.over(), "owner": p.owner})).collect();
    Ok(json!({
        "pieces": r.pieces.iter().map(|p| json!([p.name, p.size])).collect::<Vec<_>>(),
        "layers": r.layers.iter().map(|(layer, size)| json!([layer.name(), size])).collect::<Vec<_>>(),
        "kinds": r.kinds.iter().map(|(kind, size)| json!([kind.name(), size])).collect::<Vec<_>>(),
        "total": r.total,
        "budget": r.budget,
        "over": r.over(),
        "overran": overran,
        "before_conversation": r.before_conversation,
        "old_results": r.dead.old_results,
        "resolved_errors": r.dead.resolved_errors,
        "thinking": r.dead.thinking,
        "dead_share": r.dead_share(),
        "per_call": r.per_call,
    }))
}

/// `{"body": text, "format": name}`, or a list of pieces.
fn prompt(given: &Value) -> Result<Prompt, Fault> {
    if let Some(body) = given["body"].as_str() {
        let format = given["format"].as_str().and_then(WireFormat::named);
        return Ok(Prompt::from_request(body, &RequestOptions::of_format(format))?);
    }
    let mut prompt = Prompt::new();
    for row in given.as_array().ok_or_else(|| format!("no prompt: {given}"))? {
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let piece = if row["tool"].is_string() { format!("tools/{}", text("name")) } else { text("name").to_owned() };
        let layer = Layer::of_piece(row["layer"].as_str().unwrap_or("session"), &piece)?;
        let mut piece = match row["tool"].as_str() {
            Some(definition) => Piece::tool(text("name"), definition, layer)?,
            None => Piece::new(text("name"), text("text"), layer),
        };
        if let Some(kind) = row["kind"].as_str().and_then(PieceKind::named) {
            piece = piece.of_kind(kind);
        }
        if let Some(budget) = row["budget"].as_u64() {
            piece = piece.with_budget(budget as usize);
        }
        if let Some(owner) = row["owner"].as_str() {
            piece = piece.owned_by(owner);
        }
        prompt.add(piece)?;
    }
    Ok(prompt)
}
