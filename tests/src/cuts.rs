//! The laws of cuts, and the slow search that they are measured by.

use std::collections::BTreeSet;

use haversack::history::{Cut, CutAnswer, CutOptions, CutRefusal, KeepAtMost};
use haversack::{Budget, Error, ErrorKind, History, HistoryOptions, ViolationKind, WireFormat};
use serde_json::{Value, json};

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
        if portable.contains(&i) && !(safe.contains(&i) && is_plain_user(d.format, &messages[i])) {
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
        let list = format!("[{}]", texts.join(","));
        let budget = match self.unit {
            "messages" => return texts.len(),
            "chars" => Budget::chars(0),
            "bytes" => Budget::bytes(0),
            "utf16" => Budget::utf16(0),
            _ => Budget::tokens(0, &crate::Words),
        };
        budget.size(&list).unwrap_or(usize::MAX)
    }
}

/// What `safe_cuts` or `cut` gives for a case, as `expect` of a shared vector writes it.
///
/// # Errors
/// Options that there are not.
pub fn answered(op: &str, payload: &[u8], options: &Value) -> Result<Value, String> {
    let request = options.get("request").map(Value::to_string);
    let mut reading = HistoryOptions::default();
    reading.request = request.as_deref();
    let mut wish = Wish { unit: "", limit: 0, pinned: vec![], portable: false };
    for (name, value) in options.as_object().ok_or("options: no object")? {
        let number = || value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| format!("{name}: {value}"));
        match name.as_str() {
            "format" => reading.format = WireFormat::named(value.as_str().unwrap_or_default()),
            "request" | "counter" => {}
            "pinned" => {
                let list = value.as_array().into_iter().flatten();
                wish.pinned = list.filter_map(Value::as_u64).filter_map(|n| usize::try_from(n).ok()).collect();
            }
            "portable" => wish.portable = value == true,
            "chars" => (wish.unit, wish.limit) = ("chars", number()?),
            "bytes" => (wish.unit, wish.limit) = ("bytes", number()?),
            "utf16" => (wish.unit, wish.limit) = ("utf16", number()?),
            "tokens" => (wish.unit, wish.limit) = ("tokens", number()?),
            "messages" => (wish.unit, wish.limit) = ("messages", number()?),
            _ => return Err(format!("no option {name}")),
        }
    }
    let history = match History::parse(payload, &reading) {
        Ok(history) => history,
        Err(e) => return Ok(crate::vectors::error(&e)),
    };
    if op == "safe_cuts" {
        let refusals: Vec<Option<&str>> = history.cut_refusals().into_iter().map(|r| r.map(CutRefusal::name)).collect();
        let (safe, portable) = (history.safe_cuts(), history.portable_cuts());
        return Ok(json!({"answer": {"safe": safe, "portable": portable, "refusals": refusals}}));
    }
    Ok(match wish.ask(&history) {
        Err(e) => crate::vectors::error(&e),
        Ok(CutAnswer::Nothing(reason)) => json!({"answer": {"nothing": reason.name()}}),
        Ok(CutAnswer::Cut(cut)) => json!({"answer": {
            "index": cut.index,
            "reason": cut.reason,
            "kept": cut.kept,
            "dropped": cut.dropped,
            "size_before": cut.size_before,
            "size_after": cut.size_after,
            "strip": cut.strip.iter().map(|s| json!({"index": s.index, "path": s.path, "what": s.what})).collect::<Vec<_>>(),
            "reduced": cut.reduced.iter().map(|r| {
                json!({"index": r.index, "path": r.path, "before": r.before, "after": r.after})
            }).collect::<Vec<_>>(),
            "alternation": cut.alternation.name(),
            "messages": cut.messages().iter().map(|m| history.text_of(m)).collect::<Vec<_>>(),
        }}),
    })
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

/// The first message of the largest window that any choice of kept messages before it makes valid and small enough;
/// by trying them all. For histories without compaction, of at most ten messages or so.
///
/// # Errors
/// A text that cannot be read.
pub fn largest_window(d: &Dialogue, wish: &Wish) -> Result<Option<usize>, String> {
    let history = read(&d.text, d)?;
    let messages: Vec<Value> = serde_json::from_str(&d.text).map_err(|e| e.to_string())?;
    let (n, head) = (messages.len(), head(d.format, &messages));
    let before = found(&history);
    let Some(last) = messages.len().checked_sub(1) else { return Ok(None) };
    let mut wanted: BTreeSet<usize> = wish.pinned.iter().copied().collect();
    if let Some(user) = messages.iter().rposition(|m| is_plain_user(d.format, m)) {
        wanted.insert(user);
        // The question that it answers, and words of the user beside later results.
        wanted.extend(user.checked_sub(1).filter(|&i| i >= head && asks(&messages[i])));
        let beside = |m: &Value| holds_result(m) && m.to_string().contains("\"type\":\"text\"");
        wanted.extend(messages.iter().rposition(beside).filter(|&i| i > user));
    }
    let refusals = history.cut_refusals();
    let starts = |i: &usize| refusals.get(*i).is_none_or(|r| *r != Some(CutRefusal::InsideStep));
    let unit_end = |i: usize| (i + 1..n).find(starts).unwrap_or(n);
    let unit_start = |i: usize| (0..=i).rev().find(starts).unwrap_or(0);
    // Steps stay whole.
    let wanted: BTreeSet<usize> = wanted.into_iter().flat_map(|i| unit_start(i)..unit_end(i)).collect();
    let last_unit = unit_start(last);
    for start in (head + 1..=last_unit).filter(starts) {
        // What is kept before the window is kept for a message that has to stay, and stands before it or in its step.
        let end = wanted.range(..start).next_back().map_or(head, |&i| unit_end(i).min(start)).max(head);
        for chosen in 0_u32..1 << (end - head) {
            let front = (0..end).filter(|i| *i < head || chosen >> (i - head) & 1 == 1);
            let sources: Vec<usize> = front.chain(start..n).collect();
            if !wanted.iter().all(|i| *i < head || sources.contains(i)) || sources.len() == n {
                continue;
            }
            // Whatever a provider takes: outside OpenAI's formats a window opens with the user.
            let opens = matches!(d.format, WireFormat::OpenAiChat | WireFormat::OpenAiResponses)
                || sources.first().is_some_and(|&i| is_plain_user(d.format, &messages[i]));
            if !opens {
                continue;
            }
            let texts: Vec<&str> = sources.iter().filter_map(|&i| history.message(i)).collect();
            if wish.size(&texts) <= wish.limit && added(d, &texts, &sources, &before)?.is_empty() {
                return Ok(Some(start));
            }
        }
    }
    Ok(None)
}

fn holds_result(message: &Value) -> bool {
    message["content"].as_array().is_some_and(|list| list.iter().any(|block| block["type"] == "tool_result"))
}

/// An assistant message whose text ends in a question mark.
fn asks(message: &Value) -> bool {
    let is_user = role(message) == "user" || message["type"] == "function_call_output";
    !is_user && ["content", "parts"].iter().any(|name| message[*name].to_string().contains("?\""))
}
