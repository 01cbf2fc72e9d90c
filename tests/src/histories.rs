//! Chat histories that live on the edges: drawn once without a format, then written in each of the five. Checking and
//! repairing are tried on these; cuts on those of [`dialogues`](crate::dialogues), where sizes, pins and models matter
//! and the pieces of one format that others lack.
//!
//! A drawn history is a list of [`Turn`]s with blocks. Clean ones are what a well-behaved host sends; damage is what
//! hosts do to them: results lost, late, doubled, far away, in the wrong order; text typed in between; calls lost; ids
//! that come back. Every text says something that no other text of the history says, so that a law can ask for it.

use arbitrary::{Result, Unstructured};
use haversack::WireFormat;
use serde_json::{Value, json};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The system prompt (formats that keep it beside the messages leave it out).
    System,
    /// The user, and results.
    User,
    /// The model.
    Assistant,
}

/// A piece of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Visible text, or blank text after damage.
    Text(String),
    /// Reasoning, with the number that makes its signature and its item id.
    Thinking(usize),
    /// A call that the host answers.
    Call {
        /// Its id.
        id: String,
        /// The tool.
        name: String,
    },
    /// An answer.
    Result {
        /// The id of the call.
        id: String,
        /// The tool.
        name: String,
        /// What came out.
        text: String,
        /// It failed.
        error: bool,
    },
}

/// One turn, as a list of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Who speaks.
    pub speaker: Speaker,
    /// What is said.
    pub blocks: Vec<Block>,
}

/// A history in one format.
#[derive(Clone, Debug)]
pub struct HistoryCase {
    /// Its format.
    pub format: WireFormat,
    /// Without a format; empty when the messages were damaged after writing.
    pub turns: Vec<Turn>,
    /// The messages.
    pub messages: Vec<Value>,
    /// Was it damaged?
    pub damaged: bool,
}

impl HistoryCase {
    /// The list of messages as text.
    pub fn text(&self) -> String {
        Value::Array(self.messages.clone()).to_string()
    }
}

/// A history of any format, clean or damaged.
pub fn history(u: &mut Unstructured<'_>) -> Result<HistoryCase> {
    let format = *u.choose(WireFormat::ALL)?;
    if u.ratio(1, 4)? { clean(u, format) } else { damaged(u, format) }
}

/// A history that every provider of the format takes. It ends with a user turn or with results.
pub fn clean(u: &mut Unstructured<'_>, format: WireFormat) -> Result<HistoryCase> {
    let turns = clean_turns(u)?;
    let messages = written(format, &turns, u.ratio(1, 3)?);
    Ok(HistoryCase { format, turns, messages, damaged: false })
}

/// A history after one to three damages.
pub fn damaged(u: &mut Unstructured<'_>, format: WireFormat) -> Result<HistoryCase> {
    let mut turns = clean_turns(u)?;
    for _ in 0..u.int_in_range(1..=3)? {
        damage(u, &mut turns)?;
    }
    let messages = written(format, &turns, u.ratio(1, 3)?);
    Ok(HistoryCase { format, turns, messages, damaged: true })
}

/// Turns of a well-behaved host: questions, steps with parallel calls and all their results, answers.
pub fn clean_turns(u: &mut Unstructured<'_>) -> Result<Vec<Turn>> {
    let mut turns = vec![];
    let mut said = 0;
    let mut say = |what: &str| {
        said += 1;
        format!("{what} {said} é\n\"{said}\"")
    };
    if u.ratio(1, 2)? {
        turns.push(Turn { speaker: Speaker::System, blocks: vec![Block::Text(say("system"))] });
    }
    let reuses_ids = u.ratio(1, 4)?;
    let (mut calls, mut thoughts) = (0, 0);
    let rounds = u.int_in_range(1..=4)?;
    for round in 0..rounds {
        turns.push(Turn { speaker: Speaker::User, blocks: vec![Block::Text(say("user"))] });
        for _ in 0..u.int_in_range(0..=3)? {
            let mut blocks = vec![];
            if u.ratio(1, 3)? {
                thoughts += 1;
                blocks.push(Block::Thinking(thoughts));
            }
            if u.ratio(1, 3)? {
                blocks.push(Block::Text(say("going on")));
            }
            if reuses_ids {
                calls = 0;
            }
            let mut results = vec![];
            for _ in 0..u.int_in_range(1..=4)? {
                calls += 1;
                let name = (*u.choose(&["read", "list", "run"])?).to_owned();
                let id = format!("call{calls:05}");
                blocks.push(Block::Call { id: id.clone(), name: name.clone() });
                results.push(Block::Result { id, name, text: say("result"), error: u.ratio(1, 5)? });
            }
            turns.push(Turn { speaker: Speaker::Assistant, blocks });
            turns.push(Turn { speaker: Speaker::User, blocks: results });
        }
        // The last round may end on results, or on the question alone.
        let answers = round + 1 < rounds;
        if answers {
            let mut blocks = vec![];
            if u.ratio(1, 4)? {
                thoughts += 1;
                blocks.push(Block::Thinking(thoughts));
            }
            blocks.push(Block::Text(say("answer")));
            turns.push(Turn { speaker: Speaker::Assistant, blocks });
        }
    }
    Ok(turns)
}

/// One thing that goes wrong.
pub fn damage(u: &mut Unstructured<'_>, turns: &mut Vec<Turn>) -> Result<()> {
    let is_result = |block: &Block| matches!(block, Block::Result { .. });
    let is_call = |block: &Block| matches!(block, Block::Call { .. });
    match u.int_in_range(0..=12)? {
        // Dangling: a result is lost.
        0 => drop(take(u, turns, is_result)?),
        // Orphan: a call is lost.
        1 => drop(take(u, turns, is_call)?),
        // Late or far: a result stands in a turn of its own, somewhere behind.
        2 => {
            if let Some((at, block)) = take(u, turns, is_result)? {
                let to = u.int_in_range(at.min(turns.len())..=turns.len())?;
                turns.insert(to, Turn { speaker: Speaker::User, blocks: vec![block] });
            }
        }
        // Early: a result before its call.
        3 => {
            if let Some((at, block)) = take(u, turns, is_result)? {
                let to = u.int_in_range(0..=at.min(turns.len()))?;
                turns.insert(to, Turn { speaker: Speaker::User, blocks: vec![block] });
            }
        }
        // Duplicated, right behind or in a later turn.
        4 => {
            if let Some((turn, block)) = place(u, turns, is_result)? {
                let copy = turns[turn].blocks[block].clone();
                if u.arbitrary()? {
                    turns[turn].blocks.insert(block + 1, copy);
                } else {
                    let to = u.int_in_range(turn + 1..=turns.len())?;
                    turns.insert(to, Turn { speaker: Speaker::User, blocks: vec![copy] });
                }
            }
        }
        // Interleaved: two results change places.
        5 => {
            if let (Some((a, i)), Some((b, j))) = (place(u, turns, is_result)?, place(u, turns, is_result)?) {
                let (one, other) = (turns[a].blocks[i].clone(), turns[b].blocks[j].clone());
                turns[a].blocks[i] = other;
                turns[b].blocks[j] = one;
            }
        }
        // Interposed: the user typed before the results.
        6 => {
            if let Some((turn, _)) = place(u, turns, is_result)? {
                let text = Block::Text(format!("wait {} é", turns.len()));
                if u.arbitrary()? {
                    turns.insert(turn, Turn { speaker: Speaker::User, blocks: vec![text] });
                } else {
                    let at = u.int_in_range(0..=turns[turn].blocks.len())?;
                    turns[turn].blocks.insert(at, text);
                }
            }
        }
        // A turn is lost.
        7 if turns.len() > 2 => {
            let at = u.choose_index(turns.len())?;
            turns.remove(at);
        }
        // Split: the results of one turn in two.
        8 => {
            if let Some((turn, block)) = place(u, turns, is_result)?
                && block > 0
            {
                let rest = turns[turn].blocks.split_off(block);
                turns.insert(turn + 1, Turn { speaker: Speaker::User, blocks: rest });
            }
        }
        // Parallel calls with one id.
        9 => {
            if let Some((turn, block)) = place(u, turns, is_call)? {
                let copy = turns[turn].blocks[block].clone();
                turns[turn].blocks.push(copy);
            }
        }
        // Calls of one turn in two.
        10 => {
            if let Some((turn, block)) = place(u, turns, is_call)?
                && block > 0
            {
                let rest = turns[turn].blocks.split_off(block);
                turns.insert(turn + 1, Turn { speaker: Speaker::Assistant, blocks: rest });
            }
        }
        // Blank text.
        11 => {
            let blank = (*u.choose(&["", " ", "\n\t"])?).to_owned();
            if let Some((turn, block)) = place(u, turns, |block| matches!(block, Block::Text(_)))? {
                turns[turn].blocks[block] = Block::Text(blank);
            }
        }
        // An id that no server makes.
        _ => {
            let id = (*u.choose(&[
                "functions.run:0",
                "",
                "ä",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            ])?)
            .to_owned();
            if let Some((turn, block)) = place(u, turns, is_call)?
                && let Block::Call { id: old, .. } = turns[turn].blocks[block].clone()
            {
                for block in turns.iter_mut().flat_map(|turn| &mut turn.blocks) {
                    if let Block::Call { id: known, .. } | Block::Result { id: known, .. } = block
                        && *known == old
                    {
                        known.clone_from(&id);
                    }
                }
            }
        }
    }
    turns.retain(|turn| !turn.blocks.is_empty());
    Ok(())
}

/// A block that passes the test: its turn and its place there.
fn place(u: &mut Unstructured<'_>, turns: &[Turn], test: impl Fn(&Block) -> bool) -> Result<Option<(usize, usize)>> {
    let all: Vec<(usize, usize)> = turns
        .iter()
        .enumerate()
        .flat_map(|(t, turn)| turn.blocks.iter().enumerate().map(move |(b, block)| (t, b, block)))
        .filter(|(_, _, block)| test(block))
        .map(|(t, b, _)| (t, b))
        .collect();
    if all.is_empty() { Ok(None) } else { Ok(Some(*u.choose(&all)?)) }
}

/// Takes such a block out; a turn without blocks goes with it. Gives the turn it was in.
fn take(
    u: &mut Unstructured<'_>,
    turns: &mut Vec<Turn>,
    test: impl Fn(&Block) -> bool,
) -> Result<Option<(usize, Block)>> {
    let Some((turn, block)) = place(u, turns, test)? else { return Ok(None) };
    let taken = turns[turn].blocks.remove(block);
    if turns[turn].blocks.is_empty() {
        turns.remove(turn);
    }
    Ok(Some((turn, taken)))
}

/// The turns in a format. `plain` writes a content of one text as a string where the format has such a form.
pub fn written(format: WireFormat, turns: &[Turn], plain: bool) -> Vec<Value> {
    match format {
        WireFormat::OpenAiChat => turns.iter().flat_map(|turn| chat(turn, plain)).collect(),
        WireFormat::OpenAiResponses => turns.iter().flat_map(|turn| responses(turn, plain)).collect(),
        _ => {
            let spoken = turns.iter().filter(|turn| turn.speaker != Speaker::System);
            spoken.map(|turn| message(format, turn, plain)).collect()
        }
    }
}

/// A message of role `user` in a format, as a host would add it.
pub fn user_message(format: WireFormat, text: &str) -> Value {
    let turn = Turn { speaker: Speaker::User, blocks: vec![Block::Text(text.into())] };
    written(format, &[turn], false).remove(0)
}

fn chat(turn: &Turn, plain: bool) -> Vec<Value> {
    let role = match turn.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    let text = |text: &str| if plain { json!(text) } else { json!([{"type": "text", "text": text}]) };
    if turn.speaker == Speaker::Assistant {
        let said: Vec<&str> =
            turn.blocks.iter().filter_map(|b| if let Block::Text(t) = b { Some(t.as_str()) } else { None }).collect();
        let calls: Vec<Value> = turn
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Call { id, name } => {
                    Some(json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}}))
                }
                _ => None,
            })
            .collect();
        let content = if said.is_empty() { Value::Null } else { text(&said.join("\n")) };
        let mut message = json!({"role": role, "content": content});
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        if turn.blocks.iter().any(|block| matches!(block, Block::Thinking(_))) {
            message["reasoning_content"] = json!("hm");
        }
        // Results have no place here.
        return vec![message];
    }
    let mut out = vec![];
    for block in &turn.blocks {
        match block {
            Block::Text(said) => out.push(json!({"role": role, "content": text(said)})),
            Block::Result { id, text: said, .. } => {
                out.push(json!({"role": "tool", "tool_call_id": id, "content": text(said)}));
            }
            _ => {}
        }
    }
    out
}

fn responses(turn: &Turn, plain: bool) -> Vec<Value> {
    let (role, kind) = match turn.speaker {
        Speaker::System => ("developer", "input_text"),
        Speaker::User => ("user", "input_text"),
        Speaker::Assistant => ("assistant", "output_text"),
    };
    let item = |block: &Block| match block {
        Block::Text(said) if plain => json!({"role": role, "content": said}),
        Block::Text(said) => {
            json!({"type": "message", "role": role, "content": [{"type": kind, "text": said}]})
        }
        Block::Thinking(n) => json!({"type": "reasoning", "id": format!("rs_{n}"), "summary": []}),
        Block::Call { id, name } => json!({"type": "function_call", "call_id": id, "name": name, "arguments": "{}"}),
        Block::Result { id, text, .. } => json!({"type": "function_call_output", "call_id": id, "output": text}),
    };
    turn.blocks.iter().map(item).collect()
}

fn message(format: WireFormat, turn: &Turn, plain: bool) -> Value {
    let gemini = format == WireFormat::Gemini;
    let role = match turn.speaker {
        Speaker::Assistant if gemini => "model",
        Speaker::Assistant => "assistant",
        _ => "user",
    };
    if let ([Block::Text(text)], true, WireFormat::Anthropic) = (turn.blocks.as_slice(), plain, format) {
        return json!({"role": role, "content": text});
    }
    let blocks: Vec<Value> = turn
        .blocks
        .iter()
        .map(|block| match format {
            WireFormat::Gemini => gemini_part(block, plain),
            WireFormat::Bedrock => bedrock_block(block),
            _ => anthropic_block(block, plain),
        })
        .collect();
    if gemini { json!({"role": role, "parts": blocks}) } else { json!({"role": role, "content": blocks}) }
}

fn anthropic_block(block: &Block, plain: bool) -> Value {
    match block {
        Block::Text(text) => json!({"type": "text", "text": text}),
        Block::Thinking(n) => json!({"type": "thinking", "thinking": "hm", "signature": format!("sig{n}")}),
        Block::Call { id, name } => json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
        Block::Result { id, text, error, .. } => {
            let content = if plain { json!(text) } else { json!([{"type": "text", "text": text}]) };
            let mut result = json!({"type": "tool_result", "tool_use_id": id, "content": content});
            if *error {
                result["is_error"] = json!(true);
            }
            result
        }
    }
}

/// `plain`: without ids, as some servers of the format give them.
fn gemini_part(block: &Block, plain: bool) -> Value {
    let with_id = |mut inner: Value, id: &str| {
        if !plain {
            inner["id"] = json!(id);
        }
        inner
    };
    match block {
        Block::Text(text) => json!({"text": text}),
        Block::Thinking(_) => json!({"text": "hm", "thought": true}),
        Block::Call { id, name } => json!({"functionCall": with_id(json!({"name": name, "args": {}}), id)}),
        Block::Result { id, name, text, error } => {
            let response = if *error { json!({"error": text}) } else { json!({"output": text}) };
            json!({"functionResponse": with_id(json!({"name": name, "response": response}), id)})
        }
    }
}

fn bedrock_block(block: &Block) -> Value {
    match block {
        Block::Text(text) => json!({"text": text}),
        Block::Thinking(n) => {
            json!({"reasoningContent": {"reasoningText": {"text": "hm", "signature": format!("sig{n}")}}})
        }
        Block::Call { id, name } => json!({"toolUse": {"toolUseId": id, "name": name, "input": {}}}),
        Block::Result { id, text, error, .. } => {
            let status = if *error { "error" } else { "success" };
            json!({"toolResult": {"toolUseId": id, "content": [{"text": text}], "status": status}})
        }
    }
}
