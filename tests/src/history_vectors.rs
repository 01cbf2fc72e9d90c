//! Vectors of histories: what checking, repairing and cutting one gives, as `expect` writes it.

use haversack::history::{
    Cut, CutAnswer, CutOptions, CutRefusal, History, HistoryOptions, KeepAtMost, MissingResult, OrphanResult,
    OutMessage, RepairOptions, Violation,
};
use haversack::{Budget, TokenCounter, WireFormat};
use serde_json::{Value, json};

use crate::vectors::error;
use crate::words::Words;

/// The options of a case: those of reading, and the others by name.
struct Given<'a> {
    format: Option<WireFormat>,
    profile: Option<&'a str>,
    request: Option<String>,
    depth: Option<usize>,
    others: Vec<(&'a str, &'a Value)>,
}

impl<'a> Given<'a> {
    fn of(options: &'a Value) -> Result<Self, String> {
        let mut given = Given { format: None, profile: None, request: None, depth: None, others: vec![] };
        for (name, value) in options.as_object().into_iter().flatten() {
            match (name.as_str(), value) {
                ("format", Value::String(name)) => given.format = Some(WireFormat::named(name).ok_or("format")?),
                ("profile", Value::String(name)) => given.profile = Some(name),
                // Text that is no JSON object is an error of its own.
                ("request", Value::String(text)) => given.request = Some(text.clone()),
                ("request", value) => given.request = Some(value.to_string()),
                ("limits", value) => given.depth = Some(number(&value["depth"])?),
                (name, value) => given.others.push((name, value)),
            }
        }
        Ok(given)
    }

    fn read(&self) -> HistoryOptions<'_> {
        let mut read = HistoryOptions::default();
        read.format = self.format;
        read.profile = self.profile;
        read.request = self.request.as_deref();
        if let Some(depth) = self.depth {
            read.limits.depth = depth;
        }
        read
    }
}

fn number(value: &Value) -> Result<usize, String> {
    value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| format!("no number: {value}"))
}

fn flag(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("no bool: {value}"))
}

fn violations(found: &[Violation]) -> Vec<Value> {
    found.iter().map(|v| json!({"kind": v.kind.name(), "index": v.index, "path": v.path, "id": v.id})).collect()
}

/// The texts of the resulting messages, which the whole text must hold.
fn messages(
    history: &History<'_>,
    out: &[OutMessage],
    text: &str,
    read: &HistoryOptions<'_>,
) -> Result<Vec<String>, String> {
    let again = History::parse(text, read).map_err(|e| format!("the whole text: {e}"))?;
    let texts: Vec<String> = out.iter().map(|message| history.text_of(message).to_owned()).collect();
    let held: Vec<&str> = (0..again.len()).filter_map(|i| again.message(i)).collect();
    if held != texts {
        return Err(format!("the whole text holds {held:?}, not {texts:?}"));
    }
    Ok(texts)
}

/// What `check` gives for a case: format, violations and steps.
///
/// # Errors
/// Options that there are not.
pub fn checked(payload: &[u8], options: &Value) -> Result<Value, String> {
    let given = Given::of(options)?;
    let mut sending = false;
    for &(name, value) in &given.others {
        match name {
            "sending" => sending = flag(value)?,
            _ => return Err(format!("no option {name}: {value}")),
        }
    }
    let history = match History::parse(payload, &given.read()) {
        Ok(history) => history,
        Err(e) => return Ok(error(&e)),
    };
    let step = |s: &haversack::history::Step| json!({"kind": s.kind.name(), "from": s.from, "to": s.to, "calls": s.calls, "open": s.open});
    let answer = json!({
        "format": history.format().name(),
        "certain": history.is_certain(),
        "violations": violations(&history.violations(sending)),
        "steps": history.steps().iter().map(step).collect::<Vec<_>>(),
    });
    Ok(json!({"answer": answer}))
}

/// What `repair` gives for a case: the resulting messages as texts, the changes, what remains.
///
/// # Errors
/// Options that there are not; a repair that a second one would change.
pub fn repaired(payload: &[u8], options: &Value) -> Result<Value, String> {
    let given = Given::of(options)?;
    let mut repair = RepairOptions::default();
    for &(name, value) in &given.others {
        match (name, value.as_str()) {
            ("missing", Some("synthesise")) => repair.missing = MissingResult::Synthesise,
            ("missing", Some("drop")) => repair.missing = MissingResult::Drop,
            ("orphan", Some("drop")) => repair.orphan = OrphanResult::Drop,
            ("orphan", Some("text")) => repair.orphan = OrphanResult::Text,
            ("sending", None) => repair.sending = flag(value)?,
            _ => return Err(format!("no option {name}: {value}")),
        }
    }
    let read = given.read();
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
    let changes: Vec<Value> = fix
        .changes
        .iter()
        .map(|c| json!({"action": c.action.name(), "violation": c.violation.name(), "index": c.index, "path": c.path}))
        .collect();
    let answer = json!({
        "messages": messages(&history, fix.messages(), &text, &read)?,
        "changes": changes,
        "remaining": violations(&fix.remaining),
    });
    Ok(json!({"answer": answer}))
}

/// What `safe_cuts` gives for a case: where it may be cut, in its own format and in every one, and why not elsewhere.
///
/// # Errors
/// Options that there are not.
pub fn safe_cuts(payload: &[u8], options: &Value) -> Result<Value, String> {
    let given = Given::of(options)?;
    if let Some((name, value)) = given.others.first() {
        return Err(format!("no option {name}: {value}"));
    }
    let history = match History::parse(payload, &given.read()) {
        Ok(history) => history,
        Err(e) => return Ok(error(&e)),
    };
    let refusals = history.cut_refusals();
    if !(0..=history.len()).all(|i| history.cut_refusal(i) == *refusals.get(i).unwrap_or(&Some(CutRefusal::OutOfRange)))
    {
        return Err("one refusal is another than that of all".into());
    }
    let names: Vec<Option<&str>> = refusals.into_iter().map(|r| r.map(CutRefusal::name)).collect();
    let (safe, portable) = (history.safe_cuts(), history.portable_cuts());
    Ok(json!({"answer": {"safe": safe, "portable": portable, "refusals": names}}))
}

/// What `cut` gives for a case; `None` when its counter is not in this build.
///
/// # Errors
/// Options that there are not.
pub fn cut(payload: &[u8], options: &Value) -> Result<Option<Value>, String> {
    let given = Given::of(options)?;
    let (mut size, mut counter, mut pinned, mut portable) = (None, "", vec![], false);
    for &(name, value) in &given.others {
        match name {
            "bytes" | "chars" | "utf16" | "tokens" | "messages" => size = Some((name, number(value)?)),
            "counter" => counter = value.as_str().ok_or("counter")?,
            "pinned" => {
                pinned = value.as_array().ok_or("pinned")?.iter().map(number).collect::<Result<Vec<_>, _>>()?;
            }
            "portable" => portable = flag(value)?,
            _ => return Err(format!("no option {name}: {value}")),
        }
    }
    let (unit, size) = size.ok_or("no budget")?;
    let counter: Option<&dyn TokenCounter> = match counter {
        "words" => Some(&Words),
        name => haversack::measure::named(name).ok(),
    };
    let keep = match (unit, counter) {
        ("messages", _) => KeepAtMost::Messages(size),
        ("bytes", _) => KeepAtMost::Size(Budget::bytes(size)),
        ("chars", _) => KeepAtMost::Size(Budget::chars(size)),
        ("utf16", _) => KeepAtMost::Size(Budget::utf16(size)),
        (_, Some(counter)) => KeepAtMost::Size(Budget::tokens(size, counter)),
        (_, None) => return Ok(None),
    };
    let mut wish = CutOptions::default();
    wish.pinned = &pinned;
    wish.portable = portable;
    let read = given.read();
    let history = match History::parse(payload, &read) {
        Ok(history) => history,
        Err(e) => return Ok(Some(error(&e))),
    };
    let answer = match history.cut(keep, &wish) {
        Err(e) => return Ok(Some(error(&e))),
        Ok(CutAnswer::Nothing(reason)) => json!({"nothing": reason.name()}),
        Ok(CutAnswer::Cut(found)) => cut_parts(&history, &found, &read)?,
    };
    Ok(Some(json!({"answer": answer})))
}

fn cut_parts(history: &History<'_>, cut: &Cut, read: &HistoryOptions<'_>) -> Result<Value, String> {
    let strip = |s: &haversack::history::Strip| json!({"index": s.index, "path": s.path, "what": s.what});
    let reduced = |r: &haversack::history::Reduced| json!({"index": r.index, "path": r.path, "before": r.before, "after": r.after});
    Ok(json!({
        "index": cut.index,
        "reason": cut.reason,
        "kept": cut.kept,
        "dropped": cut.dropped,
        "size_before": cut.size_before,
        "size_after": cut.size_after,
        "alternation": cut.alternation.name(),
        "strip": cut.strip.iter().map(strip).collect::<Vec<_>>(),
        "reduced": cut.reduced.iter().map(reduced).collect::<Vec<_>>(),
        "messages": messages(history, cut.messages(), &history.cut_text(cut), read)?,
    }))
}
