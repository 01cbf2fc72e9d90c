//! What says nothing: empty blocks, blank messages, error results without a text. They are dropped or filled, never
//! padded with a space.

use alloc::string::String;
use alloc::vec::Vec;

use super::draft::{Block, Draft, Slot};
use super::{RepairAction, server, shape, splice, types};
use crate::history::pair::Tie;
use crate::history::violation::ViolationKind;
use crate::wire::{Blank, Content, PartKind, Role, WireFormat};

/// Drops what is blank, fills results that may not be; messages before `live` stay as they are.
pub(super) fn clean(d: &mut Draft<'_>, live: usize) {
    let slots = core::mem::take(&mut d.slots);
    let count = slots.len();
    let mut out = Vec::with_capacity(count);
    for (at, slot) in slots.into_iter().enumerate() {
        let is_last = at + 1 == count;
        if at < live || slot.role == Role::Unknown {
            out.push(slot);
        } else {
            out.extend(cleaned(d, slot, is_last));
        }
    }
    d.slots = out;
}

fn cleaned(d: &mut Draft<'_>, mut slot: Slot, is_last: bool) -> Option<Slot> {
    let source = slot.source?;
    let message = d.body.messages.get(source)?;
    let format = d.format();
    if message.ill_typed {
        // Chat: calls that are no list.
        for (name, is) in [("tool_calls", '['), ("function_call", '{')] {
            let value = splice::member(d.text, message.span, name).map(|span| span.of(d.text));
            if value.is_some_and(|value| value != "null" && !value.starts_with(is)) {
                d.splices.remove_member(d.text, message.span, name);
            }
        }
        d.tell(RepairAction::Drop, ViolationKind::WrongContentType, source, "calls of a wrong type are dropped");
    }
    if whole_item(d, source) {
        let at = message.first_part;
        let part = d.part(at)?;
        if part.kind == PartKind::Wrong {
            d.tell_part(
                RepairAction::Drop,
                ViolationKind::WrongContentType,
                at,
                "an item that is none is dropped".into(),
            );
            return None;
        }
        if part.ill_typed {
            types::value(d, at);
            let said = "a value of a wrong type is put into the type that the format takes".into();
            d.tell_part(RepairAction::Fill, ViolationKind::WrongContentType, at, said);
        }
        fill_result(d, at);
        return Some(slot);
    }
    types::content_as_list(d, &mut slot);
    if slot.own.is_some() {
        return Some(slot);
    }
    let blocks = d.blocks(&slot);
    for &block in &blocks {
        if let Some(result) = d.result(block) {
            fill_result(d, result);
        }
    }
    let mut kept = Vec::with_capacity(blocks.len());
    for &block in &blocks {
        let Block::Part(at) = block else { continue };
        let Some(part) = d.part(at) else { continue };
        match part.kind {
            PartKind::Text(Blank::Empty) if refuses_empty_text(format) && message.content == Content::List => {
                d.tell_part(
                    RepairAction::Drop,
                    ViolationKind::EmptyContent,
                    at,
                    "an empty text block is dropped".into(),
                );
            }
            PartKind::Wrong => {
                if types::block(d, at, slot.role) {
                    kept.push(block);
                    let said = "a block of a wrong type becomes a text block".into();
                    d.tell_part(RepairAction::Fill, ViolationKind::WrongContentType, at, said);
                } else {
                    let said = "an entry that is no block is dropped".into();
                    d.tell_part(RepairAction::Drop, ViolationKind::WrongContentType, at, said);
                }
            }
            _ if part.ill_typed => {
                let stays = types::value(d, at);
                kept.extend(stays.then_some(block));
                let (action, said) = if stays {
                    (RepairAction::Fill, "a value of a wrong type is put into the type that the format takes")
                } else {
                    (RepairAction::Drop, "a block without its members is dropped")
                };
                d.tell_part(action, ViolationKind::WrongContentType, at, said.into());
            }
            PartKind::Thinking if format == WireFormat::Anthropic && !part.signed => {
                let said = "thinking without its signature is taken off".into();
                d.tell_part(RepairAction::Strip, ViolationKind::SignatureMissing, at, said);
            }
            PartKind::Compaction if part.body.is_some_and(|body| body.of(d.text) == "\"\"") => {
                if let Some(body) = part.body.filter(|_| format == WireFormat::Anthropic) {
                    d.splices.replace(body, "null");
                    let said = "an empty summary says that there is none".into();
                    d.tell_part(RepairAction::Fill, ViolationKind::EmptyContent, at, said);
                }
                kept.push(block);
            }
            PartKind::Media | PartKind::Thinking | PartKind::ServerCall
                if format == WireFormat::Anthropic && slot.role == Role::System =>
            {
                let said = "a system message holds text only: the block is dropped".into();
                d.tell_part(RepairAction::Drop, ViolationKind::WrongContentType, at, said);
            }
            PartKind::Media if format == WireFormat::Bedrock && slot.role != Role::User => {
                let said = "images and documents stand in messages of the user only: the block is dropped".into();
                d.tell_part(RepairAction::Drop, ViolationKind::MisplacedBlock, at, said);
            }
            PartKind::ServerCall | PartKind::ServerResult
                if format == WireFormat::Bedrock && !is_last && !server::is_paired_in(d, at) =>
            {
                let said = "a server tool's call and result stand in one message: the block is dropped".into();
                d.tell_part(RepairAction::Drop, ViolationKind::ServerToolUnresolved, at, said);
            }
            PartKind::ServerResult if format == WireFormat::Anthropic && d.pairs.tie(at) == Some(Tie::Orphan) => {
                let said = "a result of a server tool that was not called before it is dropped".into();
                d.tell_part(RepairAction::Drop, ViolationKind::OrphanResult, at, said);
            }
            _ => kept.push(block),
        }
    }
    let lost = kept.len() < blocks.len();
    if d.profile.refuses_null_content
        && matches!(message.content, Content::Missing | Content::Null)
        && slot.role == Role::Assistant
        && !kept.is_empty()
    {
        d.splices.set_member(d.text, message.span, "content", "\"\"");
        d.tell(
            RepairAction::Fill,
            ViolationKind::EmptyContent,
            source,
            "this server takes no null: an empty text instead",
        );
    }
    if let Some(kind) = says_nothing(d, &slot, source, &kept, lost, is_last) {
        d.tell(RepairAction::Drop, kind, source, "a message without content is dropped");
        return None;
    }
    if lost {
        d.fill(&mut slot, kept);
    }
    Some(slot)
}

const fn refuses_empty_text(format: WireFormat) -> bool {
    matches!(format, WireFormat::Anthropic | WireFormat::Bedrock)
}

/// An item that is one part: it has no blocks to be blank.
fn whole_item(d: &Draft<'_>, source: usize) -> bool {
    let Some(message) = d.body.messages.get(source) else { return false };
    d.part(message.first_part).is_some_and(|part| part.message == source && part.span == message.span)
}

/// Why the message has to go, if it has.
fn says_nothing(
    d: &Draft<'_>,
    slot: &Slot,
    source: usize,
    kept: &[Block],
    lost: bool,
    is_last: bool,
) -> Option<ViolationKind> {
    let message = d.body.messages.get(source)?;
    let is_assistant = slot.role == Role::Assistant;
    let text = |block: &Block| match d.kind(*block) {
        Some(PartKind::Text(blank)) => Some(blank),
        _ => None,
    };
    let is_empty = match (d.format(), message.content) {
        (WireFormat::OpenAiChat, _) => {
            kept.is_empty() && !(is_assistant && message.says_otherwise) && !matches!(message.content, Content::Text(_))
        }
        (WireFormat::OpenAiResponses, Content::List) => kept.is_empty() && (!is_assistant || lost),
        (WireFormat::OpenAiResponses, Content::Text(_)) => false,
        (WireFormat::Anthropic, Content::Text(Blank::Empty)) => !(is_assistant && is_last),
        (WireFormat::Anthropic, _) => kept.is_empty() && (lost || !(is_assistant && is_last)),
        (WireFormat::Bedrock, _) => {
            kept.is_empty() || lost && kept.iter().all(|block| d.kind(*block) == Some(PartKind::CachePoint))
        }
        _ => kept.is_empty(),
    };
    if is_empty {
        return Some(ViolationKind::EmptyContent);
    }
    if !refuses_empty_text(d.format()) || kept.is_empty() {
        return None;
    }
    let mut texts = kept.iter().filter(|block| d.kind(**block) != Some(PartKind::CachePoint)).map(text);
    let empty_last = message.content == Content::Text(Blank::Empty);
    let says = texts.clone().next().is_some();
    (!empty_last && says && texts.all(|text| text.is_some_and(|blank| blank != Blank::Visible)))
        .then_some(ViolationKind::WhitespaceText)
}

/// Fills a result that has to say something and does not.
fn fill_result(d: &mut Draft<'_>, at: usize) {
    let Some(part) = d.part(at) else { return };
    let PartKind::Result { error, empty, blank_text, wrong } = part.kind else { return };
    match d.format() {
        WireFormat::Bedrock if error && empty => {
            let text = alloc::format!("[{{\"text\":{}}}]", shape::quoted(crate::wording::NO_ERROR_TEXT));
            match part.body {
                Some(body) => d.splices.replace(body, &text),
                None => {
                    if let Some(inner) = splice::member(d.text, part.span, "toolResult") {
                        d.splices.set_member(d.text, inner, "content", &text);
                    }
                }
            }
            let said = "an error result has to say something: a text is put in".into();
            d.tell_part(RepairAction::Fill, ViolationKind::ErrorResultEmpty, at, said);
        }
        WireFormat::Anthropic if blank_text => {
            let Some(body) = part.body else { return };
            let kept: Vec<&str> = splice::elements(d.text, body)
                .into_iter()
                .filter(|&element| {
                    let text = splice::member(d.text, element, "text");
                    text.is_none_or(|text| text.of(d.text) != "\"\"")
                })
                .map(|element| element.of(d.text))
                .collect();
            let list = alloc::format!("[{}]", kept.join(","));
            d.splices.replace(body, &list);
            let said = "an empty text block in a result is dropped".into();
            d.tell_part(RepairAction::Drop, ViolationKind::EmptyContent, at, said);
        }
        WireFormat::OpenAiChat if empty && part.family == 0 => {
            let raw = part.body.map_or("null", |body| body.of(d.text));
            let Some(message) = d.body.messages.get(part.message).filter(|_| raw != "\"\"") else { return };
            d.splices.set_member(d.text, message.span, "content", &shape::quoted(crate::wording::NO_OUTPUT));
            let said = "a result has to have content: a text is put in".into();
            d.tell_part(RepairAction::Fill, ViolationKind::EmptyContent, at, said);
        }
        WireFormat::Gemini if wrong => {
            let value = |body: &str| alloc::format!("{{\"output\":{body}}}");
            if let Some(body) = part.body {
                d.splices.replace(body, &value(body.of(d.text)));
            } else {
                let inner = ["functionResponse", "function_response"]
                    .into_iter()
                    .find_map(|name| splice::member(d.text, part.span, name));
                let Some(inner) = inner.filter(|inner| inner.of(d.text).starts_with('{')) else { return };
                let said: String = value(&shape::quoted(crate::wording::NO_OUTPUT));
                d.splices.set_member(d.text, inner, "response", &said);
            }
            let said = "a response has to be an object: the value is put into one".into();
            d.tell_part(RepairAction::Fill, ViolationKind::WrongResultType, at, said);
        }
        _ => {}
    }
}
