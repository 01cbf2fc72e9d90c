//! What stands across every index of a history: one pass over the messages, one over the parts.

use alloc::vec;
use alloc::vec::Vec;

use super::super::History;
use super::super::pair::Tie;
use super::strip::has_server_id;
use crate::wire::{Link, Part, PartKind, Role, WireFormat};

/// What is known about cutting before one message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// A pair, or reasoning and what it led to, stands on both sides.
    pub(super) inside: bool,
    /// It belongs to the message before it, whatever that is: a system message on the way.
    pub(super) joined: bool,
    /// The window may open here.
    pub(super) opens: bool,
    /// A message that answers no call and that a person or the host wrote.
    pub(super) plain_user: bool,
    /// Items from here on keep server ids of a turn whose reasoning stands before.
    pub(super) bound_items: bool,
}

/// The places of a history, and what holds for all of them.
#[derive(Debug)]
pub(super) struct Places {
    /// How many leading messages are the system prompt.
    pub(super) head: usize,
    /// One for each message.
    pub(super) at: Vec<Place>,
    /// The last message that holds thinking which is bound to everything before it.
    pub(super) last_bound: Option<usize>,
    /// The last compaction of the server: what stands before it is ignored.
    pub(super) compaction: Option<usize>,
}

impl Places {
    pub(super) fn of(history: &History<'_>) -> Places {
        let body = &history.body;
        let mut at = vec![Place::default(); body.messages.len()];
        let head = head_of(history);
        for (i, place) in at.iter_mut().enumerate() {
            place.plain_user = is_plain_user(history, i);
            place.opens = place.plain_user || opens_otherwise(history, i);
            place.joined = i > head && body.format != WireFormat::OpenAiChat && is_system_on_the_way(history, i);
        }
        mark_pairs(history, &mut at);
        match body.format {
            WireFormat::OpenAiResponses => mark_reasoning(history, &mut at),
            WireFormat::Gemini => mark_replies(history, &mut at),
            _ => {}
        }
        let last_bound = if binds_thinking(history) {
            body.parts.iter().rev().find(|part| part.kind == PartKind::Thinking && part.signed).map(|part| part.message)
        } else {
            None
        };
        Places { head, at, last_bound, compaction: compaction_of(history) }
    }

    pub(super) fn get(&self, index: usize) -> Place {
        self.at.get(index).copied().unwrap_or_default()
    }

    /// True when no cut takes anything off a message that stays.
    pub(super) fn keeps_bytes(&self) -> bool {
        self.last_bound.is_none() && !self.at.iter().any(|place| place.bound_items)
    }

    /// True when nothing stands across `index`: a unit starts there.
    pub(super) fn is_start(&self, index: usize) -> bool {
        self.at.get(index).is_none_or(|place| !place.inside && !place.joined)
    }

    /// The unit that holds `index`: what lives and dies together, as a range of messages.
    pub(super) fn unit(&self, index: usize) -> (usize, usize) {
        let (mut from, mut to) = (index, index + 1);
        while from > self.head && !self.is_start(from) {
            from -= 1;
        }
        while to < self.at.len() && !self.is_start(to) {
            to += 1;
        }
        (from, to)
    }

    /// True when a cut at `index` leaves thinking behind that was bound to what is dropped.
    pub(super) fn binds_thinking(&self, index: usize) -> bool {
        index > self.head
            && self.last_bound.is_some_and(|last| last >= index)
            && self.compaction.is_none_or(|compaction| index > compaction)
    }
}

/// How many leading messages are the system prompt; formats that keep it elsewhere have none.
fn head_of(history: &History<'_>) -> usize {
    match history.format() {
        WireFormat::OpenAiChat | WireFormat::OpenAiResponses => {
            history.body.messages.iter().take_while(|message| message.role == Role::System).count()
        }
        WireFormat::Anthropic | WireFormat::Gemini | WireFormat::Bedrock => 0,
    }
}

pub(super) fn parts_of<'h>(history: &'h History<'_>, index: usize) -> &'h [Part] {
    let Some(message) = history.body.messages.get(index) else { return &[] };
    history.body.parts.get(message.first_part..message.end_part).unwrap_or_default()
}

fn role_of(history: &History<'_>, index: usize) -> Role {
    history.body.messages.get(index).map_or(Role::Unknown, |message| message.role)
}

pub(super) fn is_plain_user(history: &History<'_>, index: usize) -> bool {
    let answers = |part: &Part| part.kind.is_result() || part.kind == PartKind::CompactionTrigger;
    role_of(history, index) == Role::User && !parts_of(history, index).iter().any(answers)
}

/// What may be first beside a plain user message: anything but a result where the format has no rule about it, and a
/// compaction of the server.
fn opens_otherwise(history: &History<'_>, index: usize) -> bool {
    let role = role_of(history, index);
    let parts = parts_of(history, index);
    match history.format() {
        WireFormat::OpenAiChat => matches!(role, Role::System | Role::Assistant),
        WireFormat::OpenAiResponses => {
            matches!(role, Role::System | Role::Assistant)
                && !parts.iter().any(|part| matches!(part.kind, PartKind::ServerResult))
        }
        WireFormat::Anthropic => {
            role == Role::Assistant && parts.first().is_some_and(|part| part.kind == PartKind::Compaction)
        }
        WireFormat::Gemini | WireFormat::Bedrock => false,
    }
}

/// Where a system message may stand depends on the message before it, but in the formats of `OpenAI`.
fn is_system_on_the_way(history: &History<'_>, index: usize) -> bool {
    history.format() != WireFormat::OpenAiResponses && role_of(history, index) == Role::System
}

/// Marks every index that has a call before it and an answer to it behind; and those behind a call in flight, whose
/// result is still to come.
fn mark_pairs(history: &History<'_>, at: &mut [Place]) {
    let body = &history.body;
    // How many pairs begin to stand across here, less those that end.
    let mut change = vec![0_isize; at.len() + 1];
    let mut across = |from: usize, to: usize| {
        if let (true, Some(opened)) = (from < to, change.get_mut(from + 1)) {
            *opened += 1;
            if let Some(closed) = change.get_mut(to + 1) {
                *closed -= 1;
            }
        }
    };
    for (i, part) in body.parts.iter().enumerate() {
        if let Some(Tie::Answers(call) | Tie::Repeats(call)) = history.pairs.tie(i) {
            across(body.parts.get(call).map_or(part.message, |call| call.message), part.message);
        }
    }
    // What an item of an unknown kind names by an id belongs to it, whatever it is.
    let mut named = vec![None; body.symbols.len()];
    for part in &body.parts {
        let Link::Id(id) = part.link else { continue };
        let Some(known) = named.get_mut(id.index()) else { continue };
        if let Some(first) = *known {
            across(first, part.message);
        } else if part.kind == PartKind::Other {
            *known = Some(part.message);
        }
    }
    for message in last_run(history) {
        let Some(message) = body.messages.get(message) else { continue };
        for call in message.first_part..message.end_part {
            let is_call = body.parts.get(call).is_some_and(|p| matches!(p.kind, PartKind::Call | PartKind::ServerCall));
            if is_call && history.pairs.answer(call).is_none() {
                across(body.parts.get(call).map_or(0, |p| p.message), at.len().saturating_sub(1));
            }
        }
    }
    let mut open = 0;
    for (place, change) in at.iter_mut().zip(change) {
        open += change;
        place.inside = open > 0;
    }
}

/// The assistant messages that nothing but results follow: what is open there is in flight.
fn last_run(history: &History<'_>) -> core::ops::Range<usize> {
    let mut from = history.len();
    if history.format() == WireFormat::OpenAiResponses {
        // Calls and outputs take turns there, with reasoning and the provider's own tools between them.
        let goes_on = |i: usize| {
            let message = history.body.messages.get(i);
            parts_of(history, i).first().is_some_and(|part| {
                message.is_some_and(|m| m.span == part.span && matches!(m.role, Role::Assistant | Role::Tool))
                    && part.kind != PartKind::Compaction
            })
        };
        while from > 0 && goes_on(from - 1) {
            from -= 1;
        }
        return from..history.len();
    }
    while from > 0 && role_of(history, from - 1) != Role::Assistant {
        let answers = parts_of(history, from - 1);
        let only_results = !answers.is_empty() && answers.iter().all(|part| part.kind.is_result());
        if !only_results {
            return 0..0;
        }
        from -= 1;
    }
    let to = from;
    while from > 0 && role_of(history, from - 1) == Role::Assistant {
        from -= 1;
    }
    from..to
}

/// Reasoning stays with the item after it; and of a turn whose reasoning goes no item keeps its server id. Which item
/// came of which reasoning is not to be seen, so that all of the turn count up to its next reasoning.
fn mark_reasoning(history: &History<'_>, at: &mut [Place]) {
    let is_reasoning = |i| is_reasoning(history, i);
    let mut reasoning = false;
    for (i, place) in at.iter_mut().enumerate() {
        place.bound_items = reasoning;
        place.inside |= i > 0 && is_reasoning(i - 1) && role_of(history, i) == Role::Assistant;
        reasoning = (reasoning && role_of(history, i) != Role::User) || is_reasoning(i);
    }
    let mut ids = false;
    for (i, place) in at.iter_mut().enumerate().rev() {
        ids = match role_of(history, i) {
            Role::User => false,
            _ if is_reasoning(i) => false,
            _ => ids || has_server_id(history, i),
        };
        place.bound_items &= ids;
    }
}

/// True for a reasoning item.
pub(super) fn is_reasoning(history: &History<'_>, index: usize) -> bool {
    parts_of(history, index).first().is_some_and(|part| part.kind == PartKind::Thinking)
}

/// Gemini counts the responses of a whole reply: none may be left behind in it.
fn mark_replies(history: &History<'_>, at: &mut [Place]) {
    let mut responses = false;
    for (i, place) in at.iter_mut().enumerate().rev() {
        if role_of(history, i) == Role::Assistant {
            responses = false;
            continue;
        }
        responses |= parts_of(history, i).iter().any(|part| part.kind.is_result());
        place.inside |= responses && i > 0;
    }
}

/// Whether thinking is bound to the prefix it was made under: the model says so, and the request does not have it
/// dropped by the server. Of a model that is not known nothing is known.
pub(super) fn binds_thinking(history: &History<'_>) -> bool {
    let request = &history.body.request;
    matches!(history.format(), WireFormat::Anthropic | WireFormat::Bedrock)
        && !request.drops_mismatched
        && history.model.preserved_thinking == Some(true)
}

/// The last compaction of the server that succeeded.
fn compaction_of(history: &History<'_>) -> Option<usize> {
    let failed = |part: &Part| part.body.is_some_and(|body| body.of(&history.text) == "null");
    let is_compaction = |i: &usize| {
        parts_of(history, *i).first().is_some_and(|part| part.kind == PartKind::Compaction && !failed(part))
    };
    (0..history.len()).rev().find(is_compaction)
}
