//! Laws of repair: L8 (what comes out is valid), L9 (what is valid stays as it is), L6 in its sense here (a second
//! repair changes nothing), and that nothing is mended by losing it.

use std::collections::BTreeMap;

use haversack::history::{History, HistoryOptions, MissingResult, OrphanResult, Repair, RepairOptions};
use serde_json::{Value, json};

use crate::histories::{Block, HistoryCase, Speaker};

fn parsed<'a>(case: &HistoryCase, text: &'a str) -> Result<History<'a>, String> {
    let mut options = HistoryOptions::default();
    options.format = Some(case.format);
    History::parse(text, &options).map_err(|e| format!("{e}: {text}"))
}

fn repaired(history: &History<'_>, options: &RepairOptions) -> Result<Repair, String> {
    history.repair(options).map_err(|e| e.to_string())
}

/// All ways to ask for a repair.
fn ways() -> impl Iterator<Item = RepairOptions> {
    (0..8).map(|bits| {
        let mut options = RepairOptions::default();
        options.sending = bits & 1 > 0;
        options.missing = if bits & 2 > 0 { MissingResult::Drop } else { MissingResult::Synthesise };
        options.orphan = if bits & 4 > 0 { OrphanResult::Text } else { OrphanResult::Drop };
        options
    })
}

/// L8: what a repair gives has no violation; a second one changes nothing.
///
/// # Errors
/// A violation that is left, or a change of the second repair.
pub fn l8_repair(case: &HistoryCase) -> Result<(), String> {
    let text = case.text();
    let history = parsed(case, &text)?;
    for options in ways() {
        let first = repaired(&history, &options)?;
        let fixed = history.repair_text(&first);
        let told = || format!("{} {options:?}\n  {text}\n  {fixed}\n  {:?}", case.format, first.changes);
        let again = parsed(case, &fixed)?;
        let left = again.violations(options.sending);
        if left != first.remaining {
            return Err(format!("remaining is {:?}, but {left:?} is left: {}", first.remaining, told()));
        }
        if !left.is_empty() {
            return Err(format!("{left:?} is left: {}", told()));
        }
        let second = repaired(&again, &options)?;
        if !second.changes.is_empty() || again.repair_text(&second) != fixed {
            return Err(format!("a second repair: {:?} {}", second.changes, told()));
        }
        if first.changes.is_empty() != (fixed == text) {
            return Err(format!("changes and told changes disagree: {}", told()));
        }
    }
    Ok(())
}

/// L9: a history without violations comes back byte for byte, whatever its spelling.
///
/// # Errors
/// A byte that changed.
pub fn l9_identity(case: &HistoryCase) -> Result<(), String> {
    let text = odd_spelling(&case.messages);
    let history = parsed(case, &text)?;
    for options in ways() {
        if !history.violations(options.sending).is_empty() {
            continue;
        }
        let repair = repaired(&history, &options)?;
        if !repair.changes.is_empty() || !repair.remaining.is_empty() || history.repair_text(&repair) != text {
            return Err(format!("{} {options:?} {:?}\n  {text}", case.format, repair.changes));
        }
    }
    Ok(())
}

/// No repair by deletion: the user's words stay, and so does every result whose call is there; what is not touched
/// keeps its bytes; there are as many new results as missing ones.
///
/// # Errors
/// What was lost.
pub fn nothing_is_lost(case: &HistoryCase) -> Result<(), String> {
    let text = odd_spelling(&case.messages);
    let history = parsed(case, &text)?;
    let options = RepairOptions::default();
    let repair = repaired(&history, &options)?;
    let fixed = history.repair_text(&repair);
    let told = || format!("{}\n  {text}\n  {fixed}\n  {:?}", case.format, repair.changes);
    let said = |text: &str| fixed.contains(&json!(text).to_string());
    let (mut calls, mut results) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new());
    for block in case.turns.iter().flat_map(|turn| &turn.blocks) {
        match block {
            Block::Call { id, .. } => *calls.entry(id).or_default() += 1,
            Block::Result { id, .. } => *results.entry(id).or_default() += 1,
            _ => {}
        }
    }
    let mut called: Vec<&str> = vec![];
    for turn in &case.turns {
        for block in &turn.blocks {
            match block {
                Block::Text(words) if turn.speaker == Speaker::User && !words.trim().is_empty() && !said(words) => {
                    return Err(format!("lost {words:?} of the user: {}", told()));
                }
                Block::Call { id, .. } => called.push(id),
                Block::Result { id, text: words, .. }
                    // Without ids (Gemini) the order alone tells, and a lost call shifts it. A word elsewhere is no id.
                    if text.contains(&format!("d\":\"{id}\""))
                        && calls.get(id.as_str()) == Some(&1)
                        && results.get(id.as_str()) == Some(&1)
                        && called.contains(&id.as_str())
                        && !said(words) =>
                {
                    return Err(format!("lost the result {words:?}: {}", told()));
                }
                _ => {}
            }
        }
    }
    for message in repair.messages().iter().filter(|message| message.is_untouched()) {
        let own = message.source.and_then(|source| history.message(source));
        if own.is_none_or(|own| own != history.text_of(message)) {
            return Err(format!("an untouched message has other bytes: {}", told()));
        }
    }
    let made = repair.changes.iter().filter(|change| change.violation.name() == "missing_result").count();
    let placeholders = fixed.matches("[no result: interrupted]").count();
    if made != placeholders {
        return Err(format!("{made} results are missing, {placeholders} are made: {}", told()));
    }
    Ok(())
}

/// The messages in a spelling that no writer would choose: spaces, escapes that are not needed.
fn odd_spelling(messages: &[Value]) -> String {
    let spell = |message: &Value| {
        let text = message.to_string();
        text.replacen("\"role\":\"user\"", "\"role\" :\t\"\\u0075ser\"", 1).replacen(":true", ": true", 1)
    };
    format!(" [ {} ]\n", messages.iter().map(spell).collect::<Vec<_>>().join(" , "))
}
