//! The laws of cuts.

use std::collections::BTreeSet;

use haversack::history::{Cut, CutAnswer, CutOptions, KeepAtMost};
use haversack::{Budget, Error, ErrorKind, History, HistoryOptions, ViolationKind, WireFormat};
use serde_json::Value;

use crate::dialogues::Dialogue;

fn read<'t>(text: &'t str, d: &Dialogue) -> Result<History<'t>, String> {
    let mut options = HistoryOptions::default();
    options.format = Some(d.format);
    options.request = Some(&d.request);
    History::parse(text, &options).map_err(|e| format!("{e}\n  {text}"))
}

type Found = BTreeSet<(ViolationKind, usize)>;

fn found(history: &History<'_>) -> Found {
    history.violations(false).into_iter().map(|v| (v.kind, v.index)).collect()
}

/// The violations of these messages of the history that the whole does not have there.
fn added(d: &Dialogue, texts: &[&str], sources: &[usize], before: &Found) -> Result<Found, String> {
    let text = format!("[{}]", texts.join(","));
    if sources.is_empty() {
        return Ok(Found::new());
    }
    let history = read(&text, d)?;
    let mapped = found(&history).into_iter().map(|(kind, at)| (kind, sources.get(at).copied().unwrap_or(usize::MAX)));
    Ok(mapped.filter(|v| !before.contains(v)).collect())
}

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

/// How many leading messages are the system prompt.
pub fn head(format: WireFormat, messages: &[Value]) -> usize {
    let leading = messages.iter().take_while(|m| matches!(role(m), "system" | "developer")).count();
    if matches!(format, WireFormat::OpenAiChat | WireFormat::OpenAiResponses) { leading } else { 0 }
}

/// A message of the user that answers no call.
pub fn is_plain_user(format: WireFormat, message: &Value) -> bool {
    let holds = |list: &str, key: &str, value: Option<&str>| {
        message[list].as_array().is_some_and(|list| {
            list.iter().any(|block| value.map_or(block.get(key).is_some(), |value| block[key] == *value))
        })
    };
    role(message) == "user"
        && match format {
            WireFormat::OpenAiChat => true,
            WireFormat::OpenAiResponses => message["type"] == "message",
            WireFormat::Anthropic => !holds("content", "type", Some("tool_result")),
            WireFormat::Gemini => !holds("parts", "functionResponse", None),
            _ => !holds("content", "toolResult", None),
        }
}

/// Every index: what is offered adds no violation, what is refused has its reason, and the lists agree.
///
/// # Errors
/// What is broken, with the case.
pub fn l8_cut(d: &Dialogue) -> Result<(), String> {
    let history = read(&d.text, d)?;
    let messages: Vec<Value> = serde_json::from_str(&d.text).map_err(|e| e.to_string())?;
    let (n, head) = (history.len(), head(d.format, &messages));
    let case = |what: &str, i: usize| format!("{what} at {i}\n  {} {} beside {}", d.format, d.text, d.request);
    let (safe, portable, before) = (history.safe_cuts(), history.portable_cuts(), found(&history));
    let refusals = history.cut_refusals();
    for i in 0..=n + 1 {
        let refusal = history.cut_refusal(i);
        if safe.contains(&i) != refusal.is_none() || refusals.get(i).is_some_and(|r| *r != refusal) {
            return Err(case("offered and refused", i));
        }
        let plain = messages.get(i).is_some_and(|message| is_plain_user(d.format, message));
        if portable.contains(&i) && !(safe.contains(&i) && plain) {
            return Err(case("portable, but no safe plain user message", i));
        }
        if !safe.contains(&i) || i >= n {
            continue;
        }
        let sources: Vec<usize> = (0..head).chain(i..n).collect();
        let texts: Vec<&str> = sources.iter().filter_map(|&i| history.message(i)).collect();
        let new = added(d, &texts, &sources, &before)?;
        if !new.is_empty() {
            return Err(case(&format!("an offered cut adds {new:?}"), i));
        }
    }
    Ok(())
}

/// What a cut of this history may ask.
#[derive(Clone, Debug)]
pub struct Wish {
    /// In `chars`, `bytes`, `tokens` (the words counter) or `messages`.
    pub unit: &'static str,
    /// At most.
    pub limit: usize,
    /// Pinned messages.
    pub pinned: Vec<usize>,
    /// Only what every format takes.
    pub portable: bool,
}

impl Wish {
    /// Asks for it.
    ///
    /// # Errors
    /// Those of the cut.
    pub fn ask(&self, history: &History<'_>) -> Result<CutAnswer, Error> {
        let mut options = CutOptions::default();
        options.pinned = &self.pinned;
        options.portable = self.portable;
        let keep = match self.unit {
            "messages" => KeepAtMost::Messages(self.limit),
            "chars" => KeepAtMost::Size(Budget::chars(self.limit)),
            "bytes" => KeepAtMost::Size(Budget::bytes(self.limit)),
            "utf16" => KeepAtMost::Size(Budget::utf16(self.limit)),
            _ => KeepAtMost::Size(Budget::tokens(self.limit, &crate::Words)),
        };
        history.cut(keep, &options)
    }

    /// The size of a list of messages.
    pub fn size(&self, texts: &[&str]) -> usize {
        if self.unit == "messages" { texts.len() } else { self.size_of(&format!("[{}]", texts.join(","))) }
    }

    /// The size of a text; of no use where messages are counted.
    pub fn size_of(&self, text: &str) -> usize {
        match self.unit {
            "chars" => text.chars().count(),
            "bytes" => text.len(),
            "utf16" => text.encode_utf16().count(),
            _ => crate::Words::tokens(text),
        }
    }
}

/// How a cut ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Something was cut.
    Cut,
    /// Nothing was, with a reason.
    Nothing,
    /// The budget is too small, with what would do.
    TooSmall,
}

/// A cut of any history: within the budget or refused with what is needed; valid as far as the whole was; with the
/// system prompt, the last user message and each pin once; and everything it says about itself is true.
///
/// # Errors
/// What is broken, with the case.
pub fn cut_keeps(d: &Dialogue, wish: &Wish) -> Result<End, String> {
    let history = read(&d.text, d)?;
    let case = |what: &str| format!("{what}\n  {} {} beside {}\n  {wish:?}", d.format, d.text, d.request);
    let cut = match wish.ask(&history) {
        Ok(CutAnswer::Cut(cut)) => cut,
        Ok(CutAnswer::Nothing(reason)) => {
            let whole: Vec<&str> = (0..history.len()).filter_map(|i| history.message(i)).collect();
            let fits = wish.size(&whole) <= wish.limit;
            return if fits == (reason.name() == "fits") { Ok(End::Nothing) } else { Err(case(reason.name())) };
        }
        Err(e) if e.kind() == ErrorKind::BudgetTooSmall => {
            let needed = e.needed().ok_or_else(|| case("no needed"))?;
            let enough = Wish { limit: needed, ..wish.clone() };
            return match enough.ask(&history) {
                Err(e) => Err(case(&format!("needed {needed} does not do: {e}"))),
                _ if needed <= wish.limit => Err(case(&format!("needed {needed} was there"))),
                _ => Ok(End::TooSmall),
            };
        }
        Err(e) => return Err(case(&format!("{e}"))),
    };
    check_cut(d, &history, wish, &cut).map_err(|what| case(&what))?;
    Ok(End::Cut)
}

fn check_cut(d: &Dialogue, history: &History<'_>, wish: &Wish, cut: &Cut) -> Result<(), String> {
    let messages: Vec<Value> = serde_json::from_str(&d.text).map_err(|e| e.to_string())?;
    let texts: Vec<&str> = cut.messages().iter().map(|message| history.text_of(message)).collect();
    let sources: Vec<usize> = cut.messages().iter().filter_map(|message| message.source).collect();
    let size = wish.size(&texts);
    if size != cut.size_after || size > wish.limit {
        return Err(format!("size {size}, told {}", cut.size_after));
    }
    if sources != cut.kept || cut.kept.is_empty() {
        return Err(format!("kept {:?}, told {:?}", sources, cut.kept));
    }
    let mut all = [cut.kept.clone(), cut.dropped.clone()].concat();
    all.sort_unstable();
    if all != (0..messages.len()).collect::<Vec<_>>() {
        return Err("kept and dropped are not all".into());
    }
    let last_user = messages.iter().rposition(|m| is_plain_user(d.format, m));
    let wanted = (0..head(d.format, &messages)).chain(last_user).chain(wish.pinned.iter().copied());
    for i in wanted.chain(cut.index..messages.len()) {
        if sources.iter().filter(|&&source| source == i).count() != 1 {
            return Err(format!("message {i} is not kept once"));
        }
    }
    let list = history.cut_text(cut);
    let kept: Vec<Value> = serde_json::from_str(&list).map_err(|e| format!("{e}: {list}"))?;
    let before = found(history);
    let new = added(d, &texts, &sources, &before)?;
    if !new.is_empty() {
        return Err(format!("the cut adds {new:?}: {list}"));
    }
    for (i, message) in cut.messages().iter().zip(&kept).filter(|(m, _)| !m.is_untouched()) {
        let i = i.source.unwrap_or(usize::MAX);
        if !cut.strip.iter().any(|s| s.index == i) && !cut.reduced.iter().any(|r| r.index == i) {
            return Err(format!("message {i} is changed, and nothing says so: {message}"));
        }
    }
    for strip in &cut.strip {
        let at = Value::Array(messages.clone());
        if at.pointer(&strip.path).is_none() {
            return Err(format!("nothing to strip at {}", strip.path));
        }
    }
    let whole = Value::Array(messages.clone());
    for reduced in &cut.reduced {
        if whole.pointer(&reduced.path).is_none() || reduced.after >= reduced.before {
            return Err(format!("reduced {reduced:?}"));
        }
    }
    Ok(())
}
