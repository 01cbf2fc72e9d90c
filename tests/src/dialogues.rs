//! Small histories of every format, valid or with one thing broken: what cuts are tried on. Drawn format by format, and
//! not once for all as in [`histories`](crate::histories): compactions, server ids of items, bound thinking and large
//! results are what a cut stumbles over, and no two formats have the same.

use arbitrary::{Result, Unstructured};
use haversack::WireFormat;
use serde_json::{Value, json};

use crate::cuts::Wish;

/// A history as a list of messages, and the request beside it.
#[derive(Clone, Debug)]
pub struct Dialogue {
    /// Its format.
    pub format: WireFormat,
    /// The messages as JSON.
    pub text: String,
    /// The facts beside them.
    pub request: String,
}

/// Draws one with at most `most` messages, a little more where a step is long.
///
/// # Errors
/// When the bytes are used up.
pub fn dialogue(u: &mut Unstructured<'_>, most: usize) -> Result<Dialogue> {
    let format = *u.choose(WireFormat::ALL)?;
    let mut draft = Draft { format, messages: vec![], ids: 0, thinks: u.ratio(1, 2)? };
    if u.ratio(1, 2)? && matches!(format, WireFormat::OpenAiChat | WireFormat::OpenAiResponses) {
        draft.text(u, "system", false)?;
    }
    while draft.messages.len() < most && !u.is_empty() {
        draft.text(u, "user", false)?;
        for _ in 0..u.int_in_range(0..=3)? {
            if u.ratio(1, 12)? {
                draft.compaction(u)?;
            }
            draft.calls(u)?;
        }
        if u.ratio(4, 5)? {
            draft.answer(u)?;
        }
    }
    if u.ratio(1, 3)? {
        damage(u, &mut draft.messages)?;
    }
    let model = match u.int_in_range(0..=3)? {
        0 => json!({}),
        1 => json!({"model": "claude-fable-5-1"}),
        2 => {
            json!({"model": "claude-fable-5-1", "thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}})
        }
        _ => json!({"model": "claude-sonnet-4-5"}),
    };
    Ok(Dialogue { format, text: Value::Array(draft.messages).to_string(), request: model.to_string() })
}

/// Draws a history and what a cut of it may keep.
///
/// # Errors
/// When the bytes are used up.
pub fn wished(u: &mut Unstructured<'_>, most: usize) -> Result<(Dialogue, Wish)> {
    let pins = u.int_in_range(0..=3_usize)?;
    let (unit, share, portable) = (
        *u.choose(&["chars", "bytes", "utf16", "tokens", "messages"])?,
        u.int_in_range(0..=110_usize)?,
        u.ratio(1, 5)?,
    );
    let picks = [u.arbitrary::<u8>()?, u.arbitrary::<u8>()?, u.arbitrary::<u8>()?];
    let d = dialogue(u, most)?;
    let n = serde_json::from_str::<Vec<Value>>(&d.text).map_or(0, |messages| messages.len());
    let pinned = picks.into_iter().take(pins.min(n)).map(|pick| usize::from(pick) % n.max(1)).collect();
    let mut wish = Wish { unit, limit: 0, pinned, portable };
    let all = if unit == "messages" { n } else { wish.size(&[&d.text]) };
    wish.limit = all * share / 100;
    Ok((d, wish))
}

struct Draft {
    format: WireFormat,
    messages: Vec<Value>,
    ids: usize,
    thinks: bool,
}

impl Draft {
    fn id(&mut self, u: &mut Unstructured<'_>) -> Result<String> {
        // Ids come back in later turns.
        self.ids = if u.ratio(1, 10)? { 0 } else { self.ids + 1 };
        Ok(format!("c{}", self.ids))
    }

    fn text(&mut self, u: &mut Unstructured<'_>, role: &str, asks: bool) -> Result<()> {
        let mut said = words(u)?;
        if asks {
            said += "?";
        }
        let message = match self.format {
            WireFormat::OpenAiChat => json!({"role": role, "content": said}),
            WireFormat::OpenAiResponses => {
                json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": said}]})
            }
            WireFormat::Anthropic => json!({"role": role, "content": [{"type": "text", "text": said}]}),
            WireFormat::Gemini => json!({"role": role, "parts": [{"text": said}]}),
            _ => json!({"role": role, "content": [{"text": said}]}),
        };
        self.messages.push(message);
        Ok(())
    }

    fn thinking(&mut self, u: &mut Unstructured<'_>) -> Result<Option<Value>> {
        if !self.thinks || u.ratio(1, 3)? {
            return Ok(None);
        }
        self.ids += 1;
        let said = words(u)?;
        Ok(match self.format {
            WireFormat::OpenAiResponses => Some(
                json!({"type": "reasoning", "id": format!("rs_{}_{}", self.messages.len(), self.ids), "summary": [], "encrypted_content": said}),
            ),
            WireFormat::Anthropic => Some(json!({"type": "thinking", "thinking": said, "signature": "s"})),
            WireFormat::Bedrock => {
                Some(json!({"reasoningContent": {"reasoningText": {"text": said, "signature": "s"}}}))
            }
            _ => None,
        })
    }

    fn answer(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let said = format!("{}{}", words(u)?, if u.ratio(1, 3)? { "?" } else { "." });
        let thinking = self.thinking(u)?;
        let mut blocks: Vec<Value> = vec![];
        if self.format == WireFormat::OpenAiResponses {
            self.messages.extend(thinking);
        } else {
            blocks.extend(thinking);
        }
        let message = match self.format {
            WireFormat::OpenAiChat => json!({"role": "assistant", "content": said}),
            WireFormat::OpenAiResponses => {
                let mut item =
                    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]});
                if self.thinks {
                    item["id"] = json!(format!("msg_{}", self.messages.len()));
                }
                item
            }
            WireFormat::Anthropic => {
                // A message may be thinking alone.
                if blocks.is_empty() || u.ratio(3, 4)? {
                    blocks.push(json!({"type": "text", "text": said}));
                }
                json!({"role": "assistant", "content": blocks})
            }
            WireFormat::Gemini => json!({"role": "model", "parts": [{"text": said}]}),
            _ => {
                if blocks.is_empty() || u.ratio(3, 4)? {
                    blocks.push(json!({"text": said}));
                }
                json!({"role": "assistant", "content": blocks})
            }
        };
        self.messages.push(message);
        Ok(())
    }

    fn compaction(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let said = words(u)?;
        match self.format {
            WireFormat::OpenAiResponses => {
                self.messages.push(json!({"type": "compaction", "encrypted_content": said}));
            }
            WireFormat::Anthropic => self.messages.push(
                json!({"role": "assistant", "content": [{"type": "compaction", "content": said}, {"type": "text", "text": "go"}]}),
            ),
            _ => {}
        }
        Ok(())
    }

    /// One step: calls and their results.
    fn calls(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let count = if u.ratio(1, 20)? { 6 } else { u.int_in_range(1..=2)? };
        let mut ids = vec![];
        for _ in 0..count {
            ids.push(self.id(u)?);
        }
        ids.sort();
        ids.dedup();
        let mut results = vec![];
        for _ in &ids {
            results.push(result(u)?);
        }
        let thinking = self.thinking(u)?;
        match self.format {
            WireFormat::OpenAiChat => {
                let calls: Vec<Value> = ids
                    .iter()
                    .map(|id| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}))
                    .collect();
                self.messages.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
                for (id, result) in ids.iter().zip(results) {
                    self.messages.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
                }
            }
            WireFormat::OpenAiResponses => {
                self.messages.extend(thinking);
                for id in &ids {
                    let mut item = json!({"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"});
                    if self.thinks {
                        item["id"] = json!(format!("fc_{}", self.messages.len()));
                    }
                    self.messages.push(item);
                }
                for (id, result) in ids.iter().zip(results) {
                    self.messages.push(json!({"type": "function_call_output", "call_id": id, "output": result}));
                }
            }
            WireFormat::Anthropic => {
                let calls = ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": "f", "input": {}}));
                let blocks: Vec<Value> = thinking.into_iter().chain(calls).collect();
                self.messages.push(json!({"role": "assistant", "content": blocks}));
                let mut blocks: Vec<Value> = ids
                    .iter()
                    .zip(results)
                    .map(|(id, result)| json!({"type": "tool_result", "tool_use_id": id, "content": result}))
                    .collect();
                if u.ratio(1, 8)? {
                    blocks.push(json!({"type": "text", "text": words(u)?}));
                }
                self.messages.push(json!({"role": "user", "content": blocks}));
            }
            WireFormat::Gemini => {
                let calls: Vec<Value> =
                    ids.iter().map(|id| json!({"functionCall": {"id": id, "name": "f", "args": {}}})).collect();
                self.messages.push(json!({"role": "model", "parts": calls}));
                let parts: Vec<Value> = ids
                    .iter()
                    .zip(results)
                    .map(|(id, result)| json!({"functionResponse": {"id": id, "name": "f", "response": {"output": result}}}))
                    .collect();
                self.messages.push(json!({"role": "user", "parts": parts}));
            }
            _ => {
                let calls = ids.iter().map(|id| json!({"toolUse": {"toolUseId": id, "name": "f", "input": {}}}));
                let blocks: Vec<Value> = thinking.into_iter().chain(calls).collect();
                self.messages.push(json!({"role": "assistant", "content": blocks}));
                let blocks: Vec<Value> = ids
                    .iter()
                    .zip(results)
                    .map(|(id, result)| json!({"toolResult": {"toolUseId": id, "content": [{"text": result}]}}))
                    .collect();
                self.messages.push(json!({"role": "user", "content": blocks}));
            }
        }
        Ok(())
    }
}

fn words(u: &mut Unstructured<'_>) -> Result<String> {
    let count = u.int_in_range(1..=6)?;
    let mut said = String::new();
    for i in 0..count {
        if i > 0 {
            said.push(' ');
        }
        said += u.choose(&["go", "read", "naïve", "日本", "it's", "\"x\"", "line\nbreak", "https://a.b/c?d=e"])?;
    }
    Ok(said)
}

fn result(u: &mut Unstructured<'_>) -> Result<String> {
    let count = if u.ratio(1, 6)? { u.int_in_range(20..=80)? } else { u.int_in_range(0..=3)? };
    if u.ratio(1, 3)? {
        let rows: Vec<String> = (0..count).map(|i| format!("{{\"id\":{i},\"name\":\"row {i}\"}}")).collect();
        return Ok(format!("[{}]", rows.join(",")));
    }
    Ok((0..count).map(|i| format!("line {i} of the \"output\"\n")).collect())
}

/// One thing goes wrong.
fn damage(u: &mut Unstructured<'_>, messages: &mut Vec<Value>) -> Result<()> {
    if messages.is_empty() {
        return Ok(());
    }
    let last = messages.len() - 1;
    let at = u.int_in_range(0..=last)?;
    match u.int_in_range(0..=3)? {
        0 => drop(messages.remove(at)),
        1 => messages.swap(at, (at + 1).min(last)),
        2 => {
            let to = u.int_in_range(0..=last)?;
            messages.insert(to, messages[at].clone());
        }
        _ => {
            for name in ["content", "parts"] {
                if messages[at].get(name).is_some() {
                    messages[at][name] = json!([]);
                }
            }
        }
    }
    Ok(())
}
