//! Laws of reading and checking histories.

use haversack::history::{Step, Violation};
use haversack::{History, HistoryOptions};
use serde_json::Value;

use crate::histories::HistoryCase;
use crate::oracle;

fn parsed<'a>(case: &HistoryCase, text: &'a str, profile: Option<&str>) -> Result<History<'a>, String> {
    let mut options = HistoryOptions::default();
    (options.format, options.profile) = (Some(case.format), profile);
    History::parse(text, &options).map_err(|e| format!("{e}: {text}"))
}

fn found(violations: &[Violation]) -> Vec<oracle::histories::Found> {
    let mut found: Vec<_> = violations.iter().map(|v| (v.kind.name(), v.index)).collect();
    found.sort_unstable();
    found
}

/// The library and the slow oracle find the same, at rest and when sending.
pub fn agrees_with_oracle(case: &HistoryCase) -> Result<(), String> {
    let text = case.text();
    let history = parsed(case, &text, None)?;
    for sending in [false, true] {
        let got = found(&history.violations(sending));
        let due = oracle::histories::violations(case.format, &case.messages, sending);
        if got != due {
            return Err(format!("{} sending={sending}: got {got:?}, oracle {due:?}\n  {text}", case.format));
        }
    }
    Ok(())
}

/// A clean history has no violation under any profile that knows its ids, and is complete.
pub fn clean_is_clean(case: &HistoryCase) -> Result<(), String> {
    if case.damaged {
        return Ok(());
    }
    let text = case.text();
    for profile in ["strict", "provider"] {
        let history = parsed(case, &text, Some(profile))?;
        let found = history.violations(true);
        if !found.is_empty() {
            return Err(format!("{} {profile}: {found:?}\n  {text}", case.format));
        }
        if let Some(open) = history.steps().iter().find(|step| step.open > 0) {
            return Err(format!("{}: an open call in {open:?}\n  {text}", case.format));
        }
    }
    Ok(())
}

/// Every violation names a place that is there, with the id that stands there; what the provider refuses is refused by
/// the strict profile, too; what is wrong at rest is wrong when sending.
pub fn places_are_true(case: &HistoryCase) -> Result<(), String> {
    let text = case.text();
    let list = Value::Array(case.messages.clone());
    let history = parsed(case, &text, None)?;
    let strict = history.violations(true);
    for v in &strict {
        let Some(value) = list.pointer(&v.path) else { return Err(format!("no {} in {text}", v.path)) };
        let index = v.path.split('/').nth(1).map_or(Some(v.index), |first| first.parse().ok());
        if index != Some(v.index) || v.message.is_empty() {
            return Err(format!("{v:?} in {text}"));
        }
        if let Some(id) = &v.id
            && !value.to_string().contains(&Value::from(id.as_str()).to_string())
        {
            return Err(format!("{v:?} has an id that is not at its place in {text}"));
        }
    }
    if !strict.is_sorted_by_key(|v| v.index) {
        return Err(format!("not in order: {strict:?}"));
    }
    let strict = found(&strict);
    let lenient = found(&parsed(case, &text, Some("provider"))?.violations(true));
    let at_rest = found(&history.violations(false));
    for less in [lenient, at_rest] {
        if let Some(more) = less.iter().find(|v| !strict.contains(v)) {
            return Err(format!("{more:?} is not among {strict:?} in {text}"));
        }
    }
    Ok(())
}

/// Steps are all messages, in order; their calls are all calls.
pub fn steps_are_all(case: &HistoryCase) -> Result<(), String> {
    let text = case.text();
    let history = parsed(case, &text, None)?;
    let steps = history.steps();
    let mut at = 0;
    for Step { from, to, calls, open, .. } in &steps {
        if *from != at || to <= from || open > calls {
            return Err(format!("{} {steps:?}\n  {text}", case.format));
        }
        at = *to;
    }
    if at != history.len() {
        return Err(format!("{} {steps:?} are not all of {}\n  {text}", case.format, history.len()));
    }
    Ok(())
}

/// The messages tell their format, or the answer says that nothing did.
pub fn format_is_told(case: &HistoryCase) -> Result<(), String> {
    let text = case.text();
    match History::parse(&text, &HistoryOptions::default()) {
        Ok(history) if history.format() == case.format || !history.is_certain() => Ok(()),
        Ok(history) => Err(format!("{} taken for {}: {text}", case.format, history.format())),
        Err(e) => Err(format!("{}: {e}: {text}", case.format)),
    }
}
