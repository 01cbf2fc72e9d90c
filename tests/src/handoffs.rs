//! Answers of workers, whole and damaged, against a slow reader.

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack::{Handoff, HandoffKind};
use serde_json::{Value, json};

use crate::ledgers::{hostile, nothing_hides};

/// An answer of a worker.
#[derive(Clone, Debug)]
pub struct Returned {
    /// Its text.
    pub text: String,
    /// How its run ended.
    pub stop_reason: Option<&'static str>,
}

impl<'a> Arbitrary<'a> for Returned {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let kinds = ["findings", "empty", "too_big", "failed", "not_run", "out_of_budget", "silent", "other"];
        let mut value = json!({"kind": u.choose(&kinds)?});
        let texts = |u: &mut Unstructured<'a>| -> Result<Value> {
            let mut list = vec![];
            for _ in 0..u.int_in_range(0..=2)? {
                list.push(if u.ratio(1, 8)? { json!(3) } else { json!(hostile(u)?) });
            }
            Ok(json!(list))
        };
        if u.ratio(2, 3)? {
            let mut found = vec![];
            for _ in 0..u.int_in_range(0..=3)? {
                found.push(json!({"text": hostile(u)?, "sources": texts(u)?}));
            }
            value["findings"] = json!(found);
        }
        if u.ratio(2, 3)? {
            value["looked"] = texts(u)?;
        }
        if u.arbitrary()? {
            value["reason"] = json!(hostile(u)?);
        }
        let mut text = value.to_string();
        match u.int_in_range(0..=9)? {
            0 => text = hostile(u)?,
            1 => {
                let mut at = u.choose_index(text.len())?;
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.truncate(at);
            }
            2 => text = format!("Here:\n```json\n{text}\n```\n"),
            3 => text.push_str(&hostile(u)?),
            _ => {}
        }
        let stop_reason = *u.choose(&[None, None, None, Some("end_turn"), Some("max_tokens"), Some("error")])?;
        Ok(Returned { text, stop_reason })
    }
}

/// The kind, read slowly.
fn slow(text: &str) -> HandoffKind {
    let seen = |text: &str| {
        text.chars()
            .any(|c| !c.is_whitespace() && !c.is_control() && !HIDDEN.iter().any(|(a, b)| (*a..=*b).contains(&c)))
    };
    if !seen(text) || text.trim() == "(no output)" {
        return HandoffKind::Silent;
    }
    let mut json = text.to_owned();
    if serde_json::from_str::<Value>(text).is_err() {
        let parts: Vec<&str> = text.split('\n').collect();
        let fences: Vec<usize> = (0..parts.len()).filter(|at| parts[*at].trim_start().starts_with("```")).collect();
        if let [a, b] = fences[..] {
            json = parts[a + 1..b].join("\n");
        }
    }
    let Ok(Value::Object(value)) = serde_json::from_str::<Value>(&json) else { return HandoffKind::Uncheckable };
    let texts = |list: Option<&Value>| {
        let list = list.and_then(Value::as_array).cloned().unwrap_or_default();
        !list.is_empty() && list.iter().all(|text| text.as_str().is_some_and(seen))
    };
    match value.get("kind").and_then(Value::as_str) {
        Some("findings") => {
            let found = value.get("findings").and_then(Value::as_array).cloned().unwrap_or_default();
            let good = |f: &Value| f["text"].as_str().is_some_and(seen) && texts(f.get("sources"));
            if !found.is_empty() && found.iter().all(good) { HandoffKind::Findings } else { HandoffKind::Uncheckable }
        }
        Some("empty") if texts(value.get("looked")) => HandoffKind::Empty,
        Some("too_big") => HandoffKind::TooBig,
        Some("failed") => HandoffKind::Failed,
        Some("not_run") => HandoffKind::NotRun,
        Some("out_of_budget") => HandoffKind::OutOfBudget,
        _ => HandoffKind::Uncheckable,
    }
}

const HIDDEN: [(char, char); 13] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// The kind is that of the slow reader, a stop wins, nothing that is no answer holds findings or places, and no text of
/// a worker makes a line.
///
/// # Errors
/// What does not hold.
pub fn handoff_holds(returned: &Returned) -> std::result::Result<(), String> {
    let text = &returned.text;
    // Fillers and non-characters that the slow reader does not know.
    if text.chars().any(|c| matches!(c, '\u{ffa0}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}') || u32::from(c) & 0xfffe == 0xfffe) {
        return Ok(());
    }
    let h = Handoff::parse(Some(text), None, returned.stop_reason);
    let wanted = match returned.stop_reason {
        Some("max_tokens") => HandoffKind::OutOfBudget,
        Some("error") => HandoffKind::Failed,
        _ => slow(text),
    };
    if h.kind() != wanted {
        return Err(format!("{text:?} {:?} is read as {:?}, not {wanted:?}", returned.stop_reason, h.kind()));
    }
    let stopped = matches!(returned.stop_reason, Some("max_tokens" | "error"));
    if h.findings().iter().any(|f| f.sources.is_empty())
        || (h.kind() == HandoffKind::Findings) != (!h.findings().is_empty() && !stopped)
        || (h.kind() == HandoffKind::Empty) == h.looked().is_empty()
        || (h.kind() == HandoffKind::Uncheckable) != h.problem().is_some()
    {
        return Err(format!("{h:?}"));
    }
    let rendered = h.render(None).map_err(|e| e.to_string())?;
    nothing_hides(rendered.text())?;
    let lines = h.findings().len() + h.looked().len() + usize::from(h.reason().is_some());
    if rendered.text().split('\n').count() != lines + 1
        || rendered.text().split('\n').skip(1).any(|l| !l.starts_with("- "))
    {
        return Err(format!("{lines} lines in {}", rendered.text()));
    }
    serde_json::from_str::<Value>(&h.to_json()).map_err(|e| e.to_string())?;
    Ok(())
}
