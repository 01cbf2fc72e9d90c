//! What is wrong with a history, the slow way: written from the rules of the providers over plain JSON values,
//! quadratic wherever that is plainer. Knows what the generators of [`crate::histories`] draw, under the profile
//! `strict`.

use std::collections::{BTreeMap, BTreeSet};

use haversack::WireFormat;
use serde_json::Value;

/// A kind of violation and the message it is about.
pub type Found = (&'static str, usize);

/// The speaker of a message, as pairing sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Model,
    Host,
    System,
}

/// A call or a result somewhere in the history.
#[derive(Clone, Debug)]
struct Piece {
    message: usize,
    /// Where in its message.
    place: usize,
    /// The id, or the name where there are no ids.
    key: String,
    by_name: bool,
    call: bool,
}

/// What the result of the oracle is compared with, sorted.
pub fn violations(format: WireFormat, messages: &[Value], sending: bool) -> Vec<Found> {
    let mut o = Oracle { format, messages, sending, pieces: vec![], found: BTreeMap::new() };
    o.collect();
    if messages.is_empty() {
        o.tell("empty_content", 0);
    }
    o.ids();
    o.pairs();
    match format {
        WireFormat::OpenAiChat => o.chat(),
        WireFormat::OpenAiResponses => o.responses(),
        WireFormat::Anthropic => o.anthropic(),
        WireFormat::Gemini => o.gemini(),
        WireFormat::Bedrock => o.bedrock(),
        _ => {}
    }
    let all = o.found.into_iter().flat_map(|(found, times)| std::iter::repeat_n(found, times));
    all.collect()
}

struct Oracle<'v> {
    format: WireFormat,
    messages: &'v [Value],
    sending: bool,
    pieces: Vec<Piece>,
    found: BTreeMap<Found, usize>,
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

impl Oracle<'_> {
    fn tell(&mut self, kind: &'static str, message: usize) {
        *self.found.entry((kind, message)).or_insert(0) += 1;
    }

    fn tell_once(&mut self, kind: &'static str, message: usize) {
        self.found.insert((kind, message), 1);
    }

    fn side(&self, at: usize) -> Side {
        let message = &self.messages[at];
        match (self.format, text(message, "role"), text(message, "type")) {
            (WireFormat::OpenAiResponses, _, "reasoning" | "function_call") => Side::Model,
            (WireFormat::OpenAiResponses, _, "function_call_output") => Side::Host,
            (_, "assistant" | "model", _) => Side::Model,
            (_, "system" | "developer", _) => Side::System,
            _ => Side::Host,
        }
    }

    fn blocks(&self, at: usize) -> &[Value] {
        let name = if self.format == WireFormat::Gemini { "parts" } else { "content" };
        self.messages[at][name].as_array().map_or(&[], Vec::as_slice)
    }

    /// Calls and results in order.
    fn collect(&mut self) {
        let mut pieces = vec![];
        for (message, value) in self.messages.iter().enumerate() {
            let mut put = |place, key: &Value, name: &Value, call| {
                let by_name = key.as_str().unwrap_or_default().is_empty();
                let key = if by_name { name } else { key }.as_str().unwrap_or_default().to_owned();
                pieces.push(Piece { message, place, key, by_name, call });
            };
            match self.format {
                WireFormat::OpenAiChat => {
                    for (place, call) in value["tool_calls"].as_array().into_iter().flatten().enumerate() {
                        put(place, &call["id"], &Value::Null, true);
                    }
                    if value["role"] == "tool" {
                        put(0, &value["tool_call_id"], &Value::Null, false);
                    }
                }
                WireFormat::OpenAiResponses => match text(value, "type") {
                    "function_call" => put(0, &value["call_id"], &Value::Null, true),
                    "function_call_output" => put(0, &value["call_id"], &Value::Null, false),
                    _ => {}
                },
                _ => {
                    for (place, block) in self.blocks(message).iter().enumerate() {
                        match self.format {
                            WireFormat::Anthropic if block["type"] == "tool_use" => {
                                put(place, &block["id"], &Value::Null, true);
                            }
                            WireFormat::Anthropic if block["type"] == "tool_result" => {
                                put(place, &block["tool_use_id"], &Value::Null, false);
                            }
                            WireFormat::Gemini if block.get("functionCall").is_some() => {
                                put(place, &block["functionCall"]["id"], &block["functionCall"]["name"], true);
                            }
                            WireFormat::Gemini if block.get("functionResponse").is_some() => {
                                let inner = &block["functionResponse"];
                                put(place, &inner["id"], &inner["name"], false);
                            }
                            WireFormat::Bedrock if block.get("toolUse").is_some() => {
                                put(place, &block["toolUse"]["toolUseId"], &Value::Null, true);
                            }
                            WireFormat::Bedrock if block.get("toolResult").is_some() => {
                                put(place, &block["toolResult"]["toolUseId"], &Value::Null, false);
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        self.pieces = pieces;
    }

    /// The turn of the model that a message is in: its first message.
    fn turn_of(&self, mut at: usize) -> usize {
        while at > 0 && self.side(at - 1) == self.side(at) {
            at -= 1;
        }
        at
    }

    /// How many turns of the model began up to there.
    fn turns_before(&self, at: usize) -> usize {
        (0..=at).filter(|&i| self.side(i) == Side::Model && self.turn_of(i) == i).count()
    }

    /// Calls of a turn of the model with that key, in order.
    fn calls_of(&self, turn: usize, like: &Piece) -> Vec<usize> {
        let same = |p: &Piece| p.call && p.key == like.key && p.by_name == like.by_name;
        let in_turn = |p: &Piece| self.side(p.message) == self.side(turn) && self.turn_of(p.message) == turn;
        (0..self.pieces.len()).filter(|&i| same(&self.pieces[i]) && in_turn(&self.pieces[i])).collect()
    }

    /// For a result: the call it answers, and whether that has its answer already. By occurrence: the last turn of the
    /// model before it that used the key counts.
    fn call_for(&self, result: usize) -> Option<(usize, bool)> {
        let me = &self.pieces[result];
        let last = (0..result).rev().find(|&i| {
            let p = &self.pieces[i];
            p.call && p.key == me.key && p.by_name == me.by_name
        })?;
        let turn = self.turn_of(self.pieces[last].message);
        // Those that stand before the result.
        let calls: Vec<usize> = self.calls_of(turn, me).into_iter().filter(|&call| call < result).collect();
        let first = calls[0];
        let earlier: Vec<usize> = (first..result)
            .filter(|&i| {
                let p = &self.pieces[i];
                !p.call && p.key == me.key && p.by_name == me.by_name
            })
            .collect();
        if earlier.len() < calls.len() {
            return Some((calls[earlier.len()], false));
        }
        // Without an id a second result counts for a call of the turn just before only.
        let then = self.pieces[earlier[calls.len() - 1]].message;
        let near = self.turns_before(then) == self.turns_before(me.message);
        if me.by_name && !near { None } else { Some((*calls.last()?, true)) }
    }

    /// The result that first answers a call.
    fn answer(&self, call: usize) -> Option<usize> {
        (call..self.pieces.len()).find(|&i| !self.pieces[i].call && self.call_for(i) == Some((call, false)))
    }

    fn ids(&mut self) {
        let (max, chars) = match self.format {
            WireFormat::OpenAiChat => (40, None),
            WireFormat::OpenAiResponses => (64, None),
            WireFormat::Anthropic => (usize::MAX, Some("_-")),
            WireFormat::Bedrock => (64, Some("_.:-")),
            _ => return,
        };
        for piece in self.pieces.clone() {
            if piece.key.is_empty() {
                self.tell("bad_id_charset", piece.message);
            } else if piece.call && piece.key.chars().count() > max {
                self.tell("id_too_long", piece.message);
            } else if piece.call
                && chars.is_some_and(|chars| {
                    !piece.key.chars().all(|c: char| c.is_ascii_alphanumeric() || chars.contains(c))
                })
            {
                self.tell("bad_id_charset", piece.message);
            }
        }
    }

    /// Orphans, second results, calls without any result, ids that come twice in a turn.
    fn pairs(&mut self) {
        // A message (chat, Converse) or a turn of the model is the scope of an id.
        let by_message = matches!(self.format, WireFormat::OpenAiChat | WireFormat::Bedrock);
        for at in 0..self.pieces.len() {
            let piece = self.pieces[at].clone();
            if !piece.call {
                match self.call_for(at) {
                    None => self.tell("orphan_result", piece.message),
                    Some((_, true)) => self.tell("duplicate_result", piece.message),
                    Some((_, false)) => {}
                }
                continue;
            }
            let twin = (0..at).any(|i| {
                let other = &self.pieces[i];
                let same = other.call && !other.by_name && !piece.by_name && other.key == piece.key;
                same && if by_message {
                    other.message == piece.message
                } else {
                    self.turn_of(other.message) == self.turn_of(piece.message)
                        && (other.message..=piece.message).all(|m| self.side(m) == Side::Model)
                }
            });
            if twin {
                self.tell("duplicate_call_id", piece.message);
            }
            if self.answer(at).is_none() && (self.sending || !self.in_flight(piece.message)) {
                self.tell("missing_result", piece.message);
            }
        }
    }

    fn holds_result(&self, message: usize) -> bool {
        self.pieces.iter().any(|p| !p.call && p.message == message)
    }

    fn holds_call(&self, message: usize) -> bool {
        self.pieces.iter().any(|p| p.call && p.message == message)
    }

    /// Nothing but results of the same step comes after the calls of that message.
    fn in_flight(&self, message: usize) -> bool {
        let n = self.messages.len();
        let mut rest = message + 1;
        match self.format {
            WireFormat::OpenAiChat => (rest..n).all(|i| self.messages[i]["role"] == "tool"),
            WireFormat::OpenAiResponses => {
                (rest..n).all(|i| !text(&self.messages[i], "type").is_empty() && self.messages[i]["type"] != "message")
            }
            WireFormat::Bedrock => rest + 1 >= n && (rest..n).all(|i| self.only_results(i)),
            _ => {
                while rest < n && self.side(rest) == Side::Model {
                    rest += 1;
                }
                let gemini = self.format == WireFormat::Gemini;
                (rest..n).all(|i| {
                    self.side(i) == Side::Host && if gemini { self.holds_result(i) } else { self.only_results(i) }
                })
            }
        }
    }

    fn only_results(&self, message: usize) -> bool {
        let results = self.pieces.iter().filter(|p| !p.call && p.message == message).count();
        results > 0 && results == self.blocks(message).len()
    }

    /// Every call with the message of its answer.
    fn answered(&self) -> Vec<(Piece, Piece)> {
        let calls = (0..self.pieces.len()).filter(|&i| self.pieces[i].call);
        calls.filter_map(|i| Some((self.pieces[i].clone(), self.pieces[self.answer(i)?].clone()))).collect()
    }

    fn chat(&mut self) {
        for (i, message) in self.messages.iter().enumerate() {
            if message["content"].is_null() && message["tool_calls"].is_null() {
                self.tell("empty_content", i);
            }
        }
        for (call, result) in self.answered() {
            let between = call.message + 1..result.message;
            if between.into_iter().any(|i| self.messages[i]["role"] != "tool") {
                self.tell("result_not_adjacent", call.message);
            }
        }
    }

    fn responses(&mut self) {
        for (call, result) in self.answered() {
            let between = call.message + 1..result.message;
            if between.into_iter().any(|i| self.messages[i].get("role").is_some()) {
                self.tell("result_not_adjacent", call.message);
            }
        }
        let mut ids = BTreeSet::new();
        for (i, item) in self.messages.iter().enumerate() {
            if item["type"] != "reasoning" {
                continue;
            }
            if !ids.insert(text(item, "id")) {
                self.tell("duplicate_item_id", i);
            }
            let led_to = self.messages[i + 1..].iter().find(|item| item["type"] != "reasoning");
            let fine = led_to.is_some_and(|item| item["type"] == "function_call" || item["role"] == "assistant");
            if !fine {
                self.tell("reasoning_orphan", i);
            }
        }
    }

    /// Texts of a message, when it holds nothing else.
    fn texts_alone(&self, at: usize) -> Option<Vec<&str>> {
        if let Some(said) = self.messages[at]["content"].as_str() {
            return Some(vec![said]);
        }
        self.blocks(at).iter().map(|block| block["text"].as_str().filter(|_| block["thought"].is_null())).collect()
    }

    fn blank(&mut self) {
        for i in 0..self.messages.len() {
            let empty = self.blocks(i).iter().any(|block| block["text"] == "") || self.messages[i]["content"] == "";
            let white = self.texts_alone(i).is_some_and(|texts| texts.iter().all(|text| text.trim().is_empty()));
            // An empty assistant message may be the last one.
            let prefill =
                self.messages[i]["content"] == "" && self.side(i) == Side::Model && i + 1 == self.messages.len();
            if empty && !prefill {
                self.tell("empty_content", i);
            } else if white && !prefill {
                self.tell("whitespace_text", i);
            }
        }
    }

    fn anthropic(&mut self) {
        if self.messages.first().is_some_and(|first| first["role"] == "assistant") {
            self.tell("bad_first_role", 0);
        }
        self.blank();
        self.ends_with_model();
        let mut split_told = BTreeSet::new();
        for (call, result) in self.answered() {
            let mut reply = call.message + 1;
            while reply < self.messages.len() && self.side(reply) == Side::Model {
                reply += 1;
            }
            let near = (reply..=result.message).all(|i| self.side(i) == Side::Host);
            if !near {
                self.tell("result_not_adjacent", call.message);
                continue;
            }
            if self.other_before(result.message, result.place) {
                self.tell("result_not_first", result.message);
            } else if (reply..result.message).any(|i| !self.only_results(i)) {
                self.tell("result_not_adjacent", call.message);
            }
            // The first message with an answer to this turn of the model, and the first one after it.
            let turn = self.turn_of(call.message);
            let mut with: Vec<usize> = vec![];
            for (other, answer) in self.answered() {
                let same = self.turn_of(other.message) == turn && self.side(other.message) == Side::Model;
                let close = (reply..=answer.message).all(|i| self.side(i) == Side::Host);
                if same && close {
                    with.push(answer.message);
                }
            }
            with.sort_unstable();
            with.dedup();
            if let Some(&second) = with.get(1)
                && split_told.insert(turn)
            {
                self.tell_once("result_split", second);
            }
        }
    }

    fn other_before(&self, message: usize, place: usize) -> bool {
        (0..place).any(|i| !self.pieces.iter().any(|p| !p.call && p.message == message && p.place == i))
    }

    fn ends_with_model(&mut self) {
        let Some(last) = self.messages.len().checked_sub(1) else { return };
        if self.sending && self.side(last) == Side::Model && !self.holds_call(last) {
            self.tell("bad_last_role", last);
        }
    }

    fn gemini(&mut self) {
        self.ends_with_model();
        for i in 0..self.messages.len() {
            let spoken = self.blocks(i).iter().any(|part| part.get("text").is_some() && part["thought"].is_null());
            if self.holds_result(i) && spoken {
                self.tell("mixed_result_and_text", i);
            }
            // The first call of a turn of the model.
            let turn = self.turn_of(i);
            let first = self.side(i) == Side::Model && self.holds_call(i) && !(turn..i).any(|j| self.holds_call(j));
            if first && (i == 0 || turn == 0 || i != turn) {
                self.tell("call_without_user_turn", i);
            }
        }
        // Once for every content of responses that stands behind other contents of the user.
        let mut told = BTreeSet::new();
        for (call, result) in self.in_order_of_results() {
            let mut reply = call.message + 1;
            while reply < self.messages.len() && self.side(reply) == Side::Model {
                reply += 1;
            }
            let near = (reply..=result.message).all(|i| self.side(i) != Side::Model);
            let behind_others = || (reply..result.message).any(|i| !self.holds_result(i));
            if !near || behind_others() && told.insert(result.message) {
                self.tell("result_not_adjacent", call.message);
            }
        }
    }

    fn in_order_of_results(&self) -> Vec<(Piece, Piece)> {
        let mut pairs = self.answered();
        pairs.sort_by_key(|(_, result)| (result.message, result.place));
        pairs
    }

    fn bedrock(&mut self) {
        if self.messages.first().is_some_and(|first| first["role"] != "user") {
            self.tell("bad_first_role", 0);
        }
        self.blank();
        self.ends_with_model();
        for i in 1..self.messages.len() {
            if self.messages[i]["role"] == self.messages[i - 1]["role"] {
                self.tell("role_not_alternating", i);
            }
        }
        let mut split: BTreeMap<usize, usize> = BTreeMap::new();
        for (call, result) in self.answered() {
            let next = call.message + 1;
            if result.message == next {
                continue;
            }
            let in_a_row = (next..=result.message).all(|i| self.side(i) == Side::Host && self.holds_result(i));
            if in_a_row {
                split.entry(call.message).or_insert(result.message);
            } else {
                self.tell("result_not_adjacent", call.message);
            }
        }
        for message in split.into_values() {
            self.tell("result_split", message);
        }
    }
}
