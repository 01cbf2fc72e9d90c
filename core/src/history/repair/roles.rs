//! Who speaks first, who last, and who after whom.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::draft::{Block, Draft, Slot};
use super::{RepairAction, shape, splice, types};
use crate::history::violation::ViolationKind;
use crate::wire::{Blank, Content, ModelFacts, PartKind, Profile, Role, WireFormat};

/// Calls in a message of the user go into an assistant message of their own.
pub(super) fn split_misplaced(d: &mut Draft<'_>, live: usize) {
    if d.format() == WireFormat::OpenAiResponses {
        return;
    }
    let slots = core::mem::take(&mut d.slots);
    let mut out = Vec::with_capacity(slots.len());
    for (at, slot) in slots.into_iter().enumerate() {
        let blocks = if slot.role == Role::User && at >= live { d.blocks(&slot) } else { Vec::new() };
        if !blocks.iter().any(|&block| d.call(block).is_some()) {
            out.push(slot);
            continue;
        }
        for &block in &blocks {
            if let Some(call) = d.call(block) {
                let said = "a call in a message of the user is moved into an assistant message".into();
                d.tell_part(RepairAction::Push, ViolationKind::MisplacedBlock, call, said);
            }
        }
        let only_calls = blocks.iter().all(|&block| d.call(block).is_some());
        if d.format() == WireFormat::OpenAiChat || only_calls {
            speaker(d, slot, &blocks, &mut out);
            continue;
        }
        let (source, mut rest) = (slot.source, blocks.as_slice());
        while let Some(&first) = rest.first() {
            let calls = d.call(first).is_some();
            let count = rest.iter().take_while(|&&block| d.call(block).is_some() == calls).count();
            let (run, behind) = rest.split_at(count);
            let role = if calls { Role::Assistant } else { Role::User };
            rest = behind;
            if types::is_white(d, run) {
                let said = "blank text that is left of a message is dropped";
                d.tell(RepairAction::Drop, ViolationKind::WhitespaceText, source.unwrap_or_default(), said);
                continue;
            }
            out.push(Slot::split_off(source, role, run.to_vec()));
        }
    }
    d.slots = out;
}

/// Who calls is the assistant; in Chat, words beside the calls stay the user's.
fn speaker(d: &mut Draft<'_>, mut slot: Slot, blocks: &[Block], out: &mut Vec<Slot>) {
    let (calls, words): (Vec<Block>, Vec<Block>) = blocks.iter().partition(|&&block| d.call(block).is_some());
    let source = slot.source;
    if !words.is_empty() {
        d.fill(&mut slot, words);
        out.push(slot);
        out.push(Slot::split_off(source, Role::Assistant, calls));
        return;
    }
    if let Some(message) = source.and_then(|source| d.body.messages.get(source)) {
        let role = if d.format() == WireFormat::Gemini { "\"model\"" } else { "\"assistant\"" };
        d.splices.set_member(d.text, message.span, "role", role);
    }
    slot.role = Role::Assistant;
    out.push(slot);
}

/// Lets a user speak first where the format wants it.
pub(super) fn open(d: &mut Draft<'_>, live: usize) {
    if live > 0 {
        return;
    }
    let Some(first) = d.slots.first() else { return };
    let kind = match d.format() {
        WireFormat::Anthropic if first.role == Role::System => {
            let speaker = d.slots.iter().find(|slot| slot.role != Role::System).map(|slot| slot.role);
            if speaker.is_some_and(|role| role != Role::Assistant) {
                // It is moved behind the user.
                return;
            }
            ViolationKind::SystemMisplaced
        }
        WireFormat::Bedrock if first.role == Role::System => ViolationKind::BadFirstRole,
        WireFormat::Anthropic | WireFormat::Bedrock if first.role == Role::Assistant => ViolationKind::BadFirstRole,
        WireFormat::Gemini if first.role == Role::Assistant && calls_in_run(d) => ViolationKind::CallWithoutUserTurn,
        _ => return,
    };
    let index = first.source.unwrap_or_default();
    d.tell(RepairAction::Synthesise, kind, index, "a turn of the user that says so is put first");
    let slot = placeholder(d, crate::wording::NO_OPENING);
    d.slots.insert(0, slot);
}

fn calls_in_run(d: &Draft<'_>) -> bool {
    let run = d.slots.iter().take_while(|slot| slot.role == Role::Assistant);
    run.flat_map(|slot| d.blocks(slot)).any(|block| d.call(block).is_some())
}

/// A message of the user that says `text` of ours.
pub(super) fn placeholder(d: &mut Draft<'_>, text: &str) -> Slot {
    let text: String = shape::text_block(d.format(), Role::User, &shape::quoted(text));
    let block = d.make(text);
    if d.format() == WireFormat::OpenAiChat {
        return Slot { source: None, fresh: true, role: Role::User, own: Some(vec![block]) };
    }
    Slot::made(Role::User, vec![block])
}

/// Anthropic: an assistant message without content may be the last, which it need not be any more.
pub(super) fn drop_empty(d: &mut Draft<'_>, live: usize) {
    if d.format() != WireFormat::Anthropic {
        return;
    }
    let slots = core::mem::take(&mut d.slots);
    let count = slots.len();
    let mut out = Vec::with_capacity(count);
    for (at, slot) in slots.into_iter().enumerate() {
        let says_nothing = is_empty(d, &slot);
        if at < live || at + 1 == count || slot.role == Role::Unknown || !says_nothing {
            out.push(slot);
            continue;
        }
        let index = slot.source.unwrap_or_default();
        d.tell(RepairAction::Drop, ViolationKind::EmptyContent, index, "a message without content is dropped");
    }
    d.slots = out;
}

fn is_empty(d: &Draft<'_>, slot: &Slot) -> bool {
    match d.blocks(slot).as_slice() {
        [] => true,
        &[block] => {
            let content = slot.source.and_then(|source| d.body.messages.get(source)).map(|message| message.content);
            content == Some(Content::Text(Blank::Empty)) && d.kind(block) == Some(PartKind::Text(Blank::Empty))
        }
        _ => false,
    }
}

/// Makes one message of neighbours of one role where the format wants turns to alternate, and of the user's where a
/// message between them was dropped.
pub(super) fn merge(d: &mut Draft<'_>) {
    let format = d.format();
    if !matches!(format, WireFormat::Anthropic | WireFormat::Bedrock | WireFormat::Gemini) {
        return;
    }
    let slots = core::mem::take(&mut d.slots);
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    let mut joined: Vec<usize> = Vec::new();
    // The message of the input that the last one reaches to, and whether there are results in it.
    let (mut reach, mut answers) = (None, false);
    for slot in slots {
        let has_results = slot.role == Role::User && d.blocks(&slot).iter().any(|&block| is_result(d, block));
        let joins = out.last().is_some_and(|last| {
            let parted = !slot.fresh && !last.fresh && was_parted(reach, slot.source);
            let users = slot.role == Role::User && parted && !answers && !has_results;
            last.role == slot.role && (users || format == WireFormat::Bedrock && slot.role != Role::Unknown)
        });
        reach = slot.source;
        let at = out.len().saturating_sub(1);
        let Some(last) = out.last_mut().filter(|_| joins) else {
            answers = has_results;
            out.push(slot);
            continue;
        };
        answers |= has_results;
        let mut blocks = last.own.take().unwrap_or_else(|| d.blocks(&Slot { own: None, ..*last }));
        blocks.extend(d.blocks(&slot));
        last.own = Some(blocks);
        if joined.last() != Some(&at) {
            joined.push(at);
        }
        let index = slot.source.or(last.source).unwrap_or_default();
        let said = "joined with the message of the same role before it";
        d.tell(RepairAction::Merge, ViolationKind::RoleNotAlternating, index, said);
    }
    for at in joined {
        let Some(slot) = out.get_mut(at) else { continue };
        let blocks = slot.own.take().unwrap_or_default();
        slot.own = Some(ordered(d, slot.role, blocks));
    }
    d.slots = out;
}

/// Text stands before calls, results before text.
fn ordered(d: &Draft<'_>, role: Role, blocks: Vec<Block>) -> Vec<Block> {
    let is_assistant = role == Role::Assistant;
    let is_first = |block: Block| {
        if is_assistant { d.call(block).is_none() } else { is_result(d, block) }
    };
    let (mut first, rest): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(|&block| is_first(block));
    first.extend(rest);
    first
}

fn is_result(d: &Draft<'_>, block: Block) -> bool {
    match block {
        Block::Part(_) => d.result(block).is_some(),
        Block::Made(_) => d.is_made_result(block),
    }
}

/// Messages between the two were dropped or moved.
fn was_parted(before: Option<usize>, after: Option<usize>) -> bool {
    matches!((before, after), (Some(before), Some(after)) if after > before + 1)
}

/// Gemini: what the model says before it calls stands in the content that calls.
pub(super) fn join_calling(d: &mut Draft<'_>) {
    if d.format() != WireFormat::Gemini {
        return;
    }
    let slots = core::mem::take(&mut d.slots);
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    let mut words: Vec<Slot> = Vec::new();
    let mut called = false;
    for mut slot in slots {
        if slot.role != Role::Assistant {
            out.append(&mut words);
            called = false;
            out.push(slot);
            continue;
        }
        if !d.blocks(&slot).iter().any(|&block| d.call(block).is_some()) {
            // Behind a call words may stand as they are.
            if called {
                out.push(slot);
            } else {
                words.push(slot);
            }
            continue;
        }
        if !words.is_empty() {
            let mut blocks: Vec<Block> = words.iter().flat_map(|slot| d.blocks(slot)).collect();
            blocks.extend(d.blocks(&slot));
            let index = slot.source.unwrap_or_default();
            let said = "a call has to follow the user or results: joined with the model's words before it";
            d.tell(RepairAction::Merge, ViolationKind::CallWithoutUserTurn, index, said);
            words.clear();
            slot.own = Some(blocks);
        }
        called = true;
        out.push(slot);
    }
    out.append(&mut words);
    d.slots = out;
}

/// Lets the request end on a user turn, or on a text to be continued that does not end in white space.
pub(super) fn close(d: &mut Draft<'_>, model: &ModelFacts, profile: &Profile) {
    let refuses = match d.format() {
        WireFormat::OpenAiResponses => false,
        WireFormat::OpenAiChat => profile.refuses_assistant_last,
        WireFormat::Gemini => true,
        WireFormat::Anthropic | WireFormat::Bedrock => model.prefill != Some(true),
    };
    while d.format() == WireFormat::Anthropic && refuses {
        // A turn of the assistant that says nothing is none.
        let says_nothing = d.slots.last().is_some_and(|slot| slot.role == Role::Assistant && is_empty(d, slot));
        let Some(empty) = d.slots.pop_if(|_| says_nothing) else { break };
        let index = empty.source.unwrap_or_default();
        d.tell(RepairAction::Drop, ViolationKind::BadLastRole, index, "a message without content is dropped");
    }
    let Some(last) = d.slots.iter().rev().find(|slot| slot.role != Role::System) else { return };
    let message = last.source.and_then(|source| d.body.messages.get(source));
    if last.role != Role::Assistant || message.is_some_and(|message| message.prefix) {
        return;
    }
    // A call of the turn that ends here is still open: what is behind its answer is not for us to say.
    let turn = d.slots.iter().rev().filter(|slot| slot.role != Role::System);
    let mut of_turn = turn.take_while(|slot| slot.role == Role::Assistant).flat_map(|slot| d.blocks(slot));
    if of_turn.any(|block| d.call(block).is_some()) {
        return;
    }
    let blocks = d.blocks(last);
    let index = last.source.unwrap_or_default();
    if !refuses {
        if d.format() == WireFormat::Anthropic
            && let Some(&Block::Part(at)) = blocks.last()
        {
            trim(d, at);
        }
        return;
    }
    let paused = blocks.iter().any(|&block| d.kind(block) == Some(PartKind::ServerCall));
    if paused && d.format() == WireFormat::Anthropic {
        return;
    }
    d.tell(RepairAction::Synthesise, ViolationKind::BadLastRole, index, "a user turn that says to go on is put last");
    let slot = placeholder(d, crate::wording::GO_ON);
    d.slots.push(slot);
}

/// Takes white space off the end of a text.
fn trim(d: &mut Draft<'_>, at: usize) {
    let Some(part) = d.part(at).filter(|part| matches!(part.kind, PartKind::Text(Blank::Visible))) else { return };
    let raw = part.span.of(d.text);
    let span = if raw.starts_with('"') { Some(part.span) } else { splice::member(d.text, part.span, "text") };
    let Some(span) = span else { return };
    let raw = span.of(d.text);
    let end = crate::json::unescape(raw).filter(|(_, _, c)| !c.is_whitespace()).last().map_or(1, |(_, end, _)| end);
    if end + 1 < raw.len() {
        d.splices.replace(span, &alloc::format!("{}\"", raw.get(..end).unwrap_or_default()));
        let said = "white space at the end of a text to be continued is taken off".into();
        d.tell_part(RepairAction::Strip, ViolationKind::WhitespaceText, at, said);
    }
}

/// Some servers want an answer of the assistant between results and the user: one that says that there was none.
pub(super) fn part_user_from_results(d: &mut Draft<'_>, profile: &Profile) {
    if !profile.refuses_user_after_result {
        return;
    }
    let slots = core::mem::take(&mut d.slots);
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    for slot in slots {
        if slot.role == Role::User && out.last().is_some_and(|last| last.role == Role::Tool) {
            let index = slot.source.unwrap_or_default();
            let said = "between results and the user an answer of the assistant is put that says there was none";
            d.tell(RepairAction::Synthesise, ViolationKind::RoleNotAlternating, index, said);
            let text = shape::quoted(crate::wording::NO_ANSWER);
            let block = d.make(alloc::format!("{{\"role\":\"assistant\",\"content\":{text}}}"));
            // As a whole: a message of Chat without calls.
            out.push(Slot::made(Role::Tool, vec![block]));
        }
        out.push(slot);
    }
    d.slots = out;
}

/// Roles of other formats by the name that this one has for them.
pub(super) fn rename(d: &mut Draft<'_>, live: usize) {
    let is_gemini = d.format() == WireFormat::Gemini;
    for at in live..d.slots.len() {
        let slot = &d.slots[at];
        let Some((source, message)) = slot.source.and_then(|at| Some((at, d.body.messages.get(at)?))) else { continue };
        if slot.role != Role::Unknown || d.body.parts_of(source).first().is_some_and(|p| p.span == message.span) {
            continue;
        }
        let Some(span) = splice::member(d.text, message.span, "role") else { continue };
        let role = match &*crate::json::decode_key(span.of(d.text)) {
            "assistant" | "model" | "ai" => Role::Assistant,
            "user" | "human" => Role::User,
            // Gemini keeps system text elsewhere; here the user says it.
            "system" | "developer" if is_gemini => Role::User,
            _ => continue,
        };
        let name = match role {
            Role::Assistant if is_gemini => "\"model\"",
            Role::Assistant => "\"assistant\"",
            _ => "\"user\"",
        };
        d.splices.replace(span, name);
        d.slots[at].role = role;
        d.tell(
            RepairAction::Rename,
            ViolationKind::BadRole,
            source,
            "the role takes the name that the format has for it",
        );
    }
}
