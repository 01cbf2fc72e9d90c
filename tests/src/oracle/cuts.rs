//! The best cut of a short history, by trying every choice: every start of the window, every set of steps before it
//! that makes it valid, and, where nothing fits as it is, every size that each result can be delivered in.
//!
//! Knows what [`crate::dialogues`] draws, clean and without compactions.

use std::collections::BTreeSet;

use haversack::{Budget, WireFormat, deliver};
use serde_json::Value;

use super::histories::violations;
use crate::cuts::{Wish, head, is_plain_user};
use crate::dialogues::Dialogue;

/// What the best choice keeps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Best {
    /// Its size in the unit of the wish.
    pub size: usize,
    /// Results had to be made smaller.
    pub reduced: bool,
    /// The messages it keeps.
    pub kept: Vec<usize>,
}

/// A history, and its steps as ranges of messages.
struct Short<'d> {
    format: WireFormat,
    wish: &'d Wish,
    messages: Vec<Value>,
    head: usize,
    units: Vec<(usize, usize)>,
    /// Thinking is bound to all that stands before it.
    binds: bool,
}

/// The best that fits the wish; none when no choice does. `Err` for a history that is not clean.
///
/// # Errors
/// What is not clean, or cannot be read.
pub fn best(d: &Dialogue, wish: &Wish) -> Result<Option<Best>, String> {
    let messages: Vec<Value> = serde_json::from_str(&d.text).map_err(|e| e.to_string())?;
    let found = violations(d.format, &messages, false);
    if !found.is_empty() || d.text.contains("compaction") {
        return Err(format!("not clean: {found:?}"));
    }
    let binds = d.request.contains("claude-fable-5-1")
        && !d.request.contains("drop_block")
        && matches!(d.format, WireFormat::Anthropic | WireFormat::Bedrock);
    let head = head(d.format, &messages);
    let starts: Vec<usize> =
        (head..messages.len()).filter(|&i| i == head || !is_inside(d.format, &messages, i)).collect();
    let ends = starts.iter().skip(1).copied().chain([messages.len()]);
    let units = starts.iter().copied().zip(ends).collect();
    let short = Short { format: d.format, wish, messages, head, units, binds };
    short.best()
}

/// A result behind the index answers a call before it, a call before it is in flight, or reasoning stands right before.
fn is_inside(format: WireFormat, messages: &[Value], index: usize) -> bool {
    if format != WireFormat::OpenAiChat && format != WireFormat::OpenAiResponses {
        let speaks = |i: usize| messages[i]["role"] == "assistant" || messages[i]["role"] == "model";
        let calls = ["tool_use", "functionCall", "toolUse"].iter().any(|c| messages[index - 1].to_string().contains(c));
        return holds_result(&messages[index]) || speaks(index) && speaks(index - 1) && calls;
    }
    let id = |m: &Value| m["tool_call_id"].as_str().or(m["call_id"].as_str()).map(str::to_owned);
    let calls = |m: &Value, id: &str| {
        m["type"] == "function_call" && m["call_id"] == id
            || m["tool_calls"].as_array().is_some_and(|calls| calls.iter().any(|call| call["id"] == id))
    };
    let across = (index..messages.len()).filter(|&i| holds_result(&messages[i])).any(|i| {
        let id = id(&messages[i]).unwrap_or_default();
        (0..i).rev().find(|&call| calls(&messages[call], &id)).is_some_and(|call| call < index)
    });
    let in_flight = (0..index).filter(|&i| messages[i]["type"] == "function_call").any(|i| {
        let answers = |m: &Value| m["type"] == "function_call_output" && m["call_id"] == messages[i]["call_id"];
        !messages[i..].iter().any(answers)
    });
    across || in_flight || messages[index - 1]["type"] == "reasoning"
}

fn holds_result(message: &Value) -> bool {
    let blocks = message["content"].as_array().or(message["parts"].as_array());
    message["role"] == "tool"
        || message["type"] == "function_call_output"
        || blocks.is_some_and(|blocks| {
            let is_result = |b: &Value| {
                b["type"] == "tool_result" || b.get("functionResponse").is_some() || b.get("toolResult").is_some()
            };
            blocks.iter().any(is_result)
        })
}

/// The result texts of a message, as pointers.
fn results(message: &Value) -> Vec<String> {
    if message["role"] == "tool" {
        return vec!["/content".into()];
    }
    if message["type"] == "function_call_output" {
        return vec!["/output".into()];
    }
    let inner = ["/content", "/functionResponse/response/output", "/toolResult/content/0/text"];
    let blocks = ["content", "parts"].into_iter().filter_map(|name| Some((name, message[name].as_array()?.len())));
    blocks
        .flat_map(|(name, count)| (0..count).map(move |i| format!("/{name}/{i}")))
        .flat_map(|block| inner.map(|inner| format!("{block}{inner}")))
        .filter(|pointer| message.pointer(pointer).is_some_and(Value::is_string))
        .collect()
}

/// The assistant's text before the last question asks one itself.
fn asks(message: &Value) -> bool {
    (message["role"] == "assistant" || message["role"] == "model") && message.to_string().contains("?\"")
}

impl Short<'_> {
    fn unit_of(&self, message: usize) -> Option<usize> {
        self.units.iter().position(|&(from, to)| (from..to).contains(&message))
    }

    /// The units that may not go.
    fn wanted(&self) -> BTreeSet<usize> {
        let m = &self.messages;
        let mut wanted: Vec<usize> = self.wish.pinned.clone();
        if let Some(user) = m.iter().rposition(|m| is_plain_user(self.format, m)) {
            wanted.push(user);
            wanted.extend(user.checked_sub(1).filter(|&i| asks(&m[i])));
            // Words of the user that stand beside results.
            let beside = |m: &Value| holds_result(m) && m.to_string().contains("\"type\":\"text\"");
            wanted.extend(m.iter().rposition(beside).filter(|&i| i > user));
        }
        wanted.extend(m.len().checked_sub(1));
        wanted.into_iter().filter_map(|i| self.unit_of(i)).collect()
    }

    /// The messages of these units, the system prompt before them.
    fn kept(&self, units: &BTreeSet<usize>) -> Vec<usize> {
        (0..self.head).chain(units.iter().flat_map(|&unit| self.units[unit].0..self.units[unit].1)).collect()
    }

    /// What is left of the kept messages when those from `changed` on lose what is bound to what went.
    fn stripped(&self, kept: &[usize], rewritten: Option<usize>) -> Vec<Value> {
        let mut out: Vec<Value> = kept.iter().map(|&i| self.messages[i].clone()).collect();
        let gap = kept.iter().enumerate().position(|(at, &i)| at != i);
        let changed = match (gap.map(|at| kept[at]), rewritten.map(|i| i + 1)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        if let Some(changed) = changed.filter(|_| self.binds) {
            for (message, _) in out.iter_mut().zip(kept).filter(|(_, i)| **i >= changed) {
                let Some(blocks) = message["content"].as_array_mut() else { continue };
                let before = blocks.len();
                blocks.retain(|b| b["type"] != "thinking" && b.get("reasoningContent").is_none());
                if blocks.is_empty() && before > 0 {
                    blocks.push(match self.format {
                        WireFormat::Bedrock => serde_json::json!({"text": "[thinking removed]"}),
                        _ => serde_json::json!({"type": "text", "text": "[thinking removed]"}),
                    });
                }
            }
        }
        if self.format == WireFormat::OpenAiResponses {
            // Of a turn whose reasoning goes no item keeps its server id.
            let mut lost = false;
            for (i, item) in self.messages.iter().enumerate() {
                let at = kept.iter().position(|&k| k == i);
                if item["role"] == "user" {
                    lost = false;
                } else if item["type"] == "reasoning" {
                    lost = at.is_none();
                } else if lost && let Some(item) = at.and_then(|at| out[at].as_object_mut()) {
                    item.remove("id");
                }
            }
        }
        out
    }

    fn size(&self, messages: &[Value]) -> usize {
        let texts: Vec<String> = messages.iter().map(Value::to_string).collect();
        self.wish.size(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Whether a provider takes what is left. Outside `OpenAI`'s formats the user opens, and two turns of the model
    /// that were none become no neighbours: they would read as one.
    fn is_valid(&self, kept: &[usize], wanted: &BTreeSet<usize>) -> bool {
        let plain = |i: usize| is_plain_user(self.format, &self.messages[i]);
        let user = |i: usize| self.messages[i]["role"] == "user";
        // What the model says stands behind its own turn, or behind what has to stay.
        let stays = |i: usize| self.unit_of(i).is_some_and(|unit| wanted.contains(&unit));
        let answers = |user: usize, next: usize| stays(user) || !(user + 1..next).any(plain);
        // Where roles take turns, what a user message is put behind is the turn right before it, or has to stay.
        let speaks = |a: usize, b: usize| user(b) && (self.format != WireFormat::Bedrock || stays(a));
        let follows = |a: usize, b: usize| a + 1 == b || speaks(a, b) || user(a) && answers(a, b);
        let shaped = matches!(self.format, WireFormat::OpenAiChat | WireFormat::OpenAiResponses)
            || kept.first().is_some_and(|&i| i == 0 || plain(i))
                && kept.windows(2).all(|pair| follows(pair[0], pair[1]));
        shaped && violations(self.format, &self.stripped(kept, None), false).is_empty()
    }

    /// Every choice for a window that starts with `start`: itself, what has to stay, and as little else as makes that
    /// valid. Something else is kept for what has to stay before the window, not for the window.
    fn choices(&self, start: usize, wanted: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        let window: BTreeSet<usize> = (start..self.units.len()).chain(wanted.iter().copied()).collect();
        let end = wanted.range(..start).next_back().copied().unwrap_or_default();
        let free: Vec<usize> = (0..end).filter(|unit| !wanted.contains(unit)).collect();
        let mut minimal: Vec<u32> = vec![];
        let mut subsets: Vec<u32> = (0..1 << free.len()).collect();
        subsets.sort_by_key(|subset| subset.count_ones());
        let mut choices = vec![];
        for subset in subsets {
            if minimal.iter().any(|less| less & !subset == 0) {
                continue;
            }
            let front = free.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1).map(|(_, &unit)| unit);
            let kept = self.kept(&window.iter().copied().chain(front).collect());
            if self.is_valid(&kept, wanted) {
                minimal.push(subset);
                choices.push(kept);
            }
        }
        choices
    }

    fn best(&self) -> Result<Option<Best>, String> {
        let wanted = self.wanted();
        let last = self.units.len().checked_sub(1).ok_or("no messages")?;
        let mut best: Option<Best> = None;
        for start in 1..=last {
            for kept in self.choices(start, &wanted) {
                if kept.len() < self.messages.len() {
                    let size = self.size(&self.stripped(&kept, None));
                    best = best.max((size <= self.wish.limit).then_some(Best { size, reduced: false, kept }));
                }
            }
        }
        if best.is_some() {
            return Ok(best);
        }
        if self.wish.unit == "messages" {
            return Ok(None);
        }
        // The smallest window that is valid; or all of it, when all has to stay.
        let found = (1..=last).rev().map(|start| self.choices(start, &wanted)).find(|choices| !choices.is_empty());
        let choices = found.unwrap_or_else(|| vec![(0..self.messages.len()).collect()]);
        let mut best = None;
        for kept in choices {
            best = best.max(self.best_reduced(&kept)?.map(|size| Best { size, reduced: true, kept }));
        }
        Ok(best)
    }

    /// The largest size within the limit that reducing results gives.
    fn best_reduced(&self, kept: &[usize]) -> Result<Option<usize>, String> {
        let mut leaves = vec![];
        for &i in kept {
            for pointer in results(&self.messages[i]) {
                let text = self.messages[i].pointer(&pointer).and_then(Value::as_str).unwrap_or_default();
                leaves.push((i, self.wish.size_of(&Value::from(text).to_string()), self.deliveries(text)?));
            }
        }
        let mut best = None;
        // The first leaf that is reduced decides which thinking is bound to it.
        for first in 0..leaves.len() {
            let base = self.size(&self.stripped(kept, Some(leaves[first].0)));
            let fixed = base - leaves.iter().map(|(_, size, _)| size).sum::<usize>();
            let Some(room) = self.wish.limit.checked_sub(fixed) else { continue };
            let mut sums = BTreeSet::from([0]);
            for (at, (_, whole, less)) in leaves.iter().enumerate() {
                let whole = Some(*whole).filter(|_| at != first);
                let less = less.iter().copied().filter(|_| at >= first);
                let sizes: Vec<usize> = whole.into_iter().chain(less).collect();
                sums = sums
                    .iter()
                    .flat_map(|sum| sizes.iter().map(move |size| sum + size))
                    .filter(|sum| *sum <= room)
                    .collect();
            }
            best = best.max(sums.last().map(|sum| fixed + sum));
        }
        Ok(best)
    }

    /// The sizes, as JSON strings, of everything that a text is delivered as in any smaller budget.
    fn deliveries(&self, text: &str) -> Result<Vec<usize>, String> {
        let mut sizes = BTreeSet::new();
        let mut limit = self.wish.size_of(text);
        while let Some(next) = limit.checked_sub(1) {
            let budget = match self.wish.unit {
                "chars" => Budget::chars(next),
                "bytes" => Budget::bytes(next),
                "utf16" => Budget::utf16(next),
                _ => Budget::tokens(next, &crate::Words),
            };
            match deliver(text, budget) {
                Ok(d) => {
                    let size = self.wish.size_of(d.text());
                    sizes.insert(self.wish.size_of(&Value::from(d.text()).to_string()));
                    limit = size.min(next);
                }
                Err(_) => break,
            }
        }
        let whole = self.wish.size_of(&Value::from(text).to_string());
        Ok(sizes.into_iter().filter(|size| *size < whole).collect())
    }
}
