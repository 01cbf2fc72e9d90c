//! Values of a type that the format refuses: the same value in the type that it takes.

use alloc::string::String;

use super::draft::{Block, Draft, Slot};
use super::plan::Plan;
use super::{RepairAction, shape, splice};
use crate::history::violation::ViolationKind;
use crate::wire::{Blank, Content, PAIRS, Part, PartKind, Role, Span, WireFormat};

/// The blocks of a message whose content is neither a text nor a list where it has to be one.
pub(super) fn content_as_list(d: &mut Draft<'_>, slot: &mut Slot) {
    let Some((source, message)) = slot.source.and_then(|at| Some((at, d.body.messages.get(at)?))) else { return };
    let Some(span) = message.content_span else { return };
    let raw = span.of(d.text);
    let lists_only = matches!(d.format(), WireFormat::Bedrock | WireFormat::Gemini);
    let block = match message.content {
        Content::Text(Blank::Visible) if lists_only => shape::text_block(d.format(), slot.role, raw),
        Content::Wrong if raw.starts_with('{') => raw.into(),
        Content::Wrong => shape::text_block(d.format(), slot.role, &shape::quoted(raw)),
        _ => return,
    };
    let block = d.make(block);
    slot.own = Some([block].into());
    d.tell(RepairAction::Fill, ViolationKind::WrongContentType, source, "content becomes a list of one block");
}

/// A block that is none: as a text if it is one. False when it has to go.
pub(super) fn block(d: &mut Draft<'_>, at: usize, role: Role) -> bool {
    let Some(part) = d.part(at) else { return false };
    let raw = part.span.of(d.text);
    if raw.starts_with('"') && raw.len() > 2 {
        let text = shape::text_block(d.format(), role, raw);
        d.splices.replace(part.span, &text);
        return true;
    }
    let text =
        splice::member(d.text, part.span, "text").filter(|text| raw.starts_with('{') && text.of(d.text) != "null");
    let Some(text) = text else { return false };
    d.splices.replace(text, &shape::quoted(text.of(d.text)));
    true
}

/// Arguments and contents of another type. False when nothing of the part can stay.
pub(super) fn value(d: &mut Draft<'_>, at: usize) -> bool {
    let Some(part) = d.part(at) else { return true };
    let Some(inner) = inner(d, part) else { return false };
    match (d.format(), part.kind) {
        (WireFormat::OpenAiResponses, PartKind::Result { .. }) => {
            if part.body.is_none() {
                d.splices.set_member(d.text, inner, "output", &shape::quoted(crate::wording::NO_OUTPUT));
            }
            as_string(d, inner, &["output"]);
        }
        (WireFormat::OpenAiChat | WireFormat::OpenAiResponses, _) => as_string(d, inner, &["arguments", "input"]),
        (WireFormat::Gemini, _) => as_object(d, inner, "args"),
        (_, PartKind::Call) => as_object(d, inner, "input"),
        (WireFormat::Anthropic, _) => {
            if let Some(body) = part.body {
                let raw = body.of(d.text);
                let list = if raw.starts_with('{') { alloc::format!("[{raw}]") } else { shape::quoted(raw) };
                d.splices.replace(body, &list);
            }
        }
        (WireFormat::Bedrock, _) => {
            let raw = part.body.map_or("null", |body| body.of(d.text));
            let error = matches!(part.kind, PartKind::Result { error: true, .. });
            let list = match raw.as_bytes().first() {
                _ if raw == "null" && error => {
                    alloc::format!("[{{\"text\":{}}}]", shape::quoted(crate::wording::NO_ERROR_TEXT))
                }
                _ if raw == "null" => "[]".into(),
                Some(b'"') => alloc::format!("[{{\"text\":{raw}}}]"),
                _ => alloc::format!("[{{\"json\":{raw}}}]"),
            };
            d.splices.set_member(d.text, inner, "content", &list);
        }
    }
    true
}

/// The object that holds the members of a call or a result.
fn inner(d: &Draft<'_>, part: &Part) -> Option<Span> {
    let names: &[&str] = match (d.format(), part.kind) {
        (WireFormat::OpenAiChat, _) if part.family == 0 => &["function", "custom"],
        (WireFormat::OpenAiChat | WireFormat::OpenAiResponses | WireFormat::Anthropic, _) => {
            return Some(part.span);
        }
        (WireFormat::Gemini, PartKind::Call) => &["functionCall", "function_call"],
        (WireFormat::Gemini, _) => &["functionResponse", "function_response"],
        (WireFormat::Bedrock, PartKind::Call | PartKind::ServerCall) => &["toolUse"],
        (WireFormat::Bedrock, _) => &["toolResult"],
    };
    let found = names.iter().find_map(|name| splice::member(d.text, part.span, name));
    found.filter(|span| span.of(d.text).starts_with('{'))
}

fn as_string(d: &mut Draft<'_>, object: Span, names: &[&str]) {
    for name in names {
        let Some(span) = splice::member(d.text, object, name) else { continue };
        let raw = span.of(d.text);
        if !raw.starts_with('"') && (*name != "output" || !raw.starts_with('[')) {
            d.splices.replace(span, &shape::quoted(raw));
        }
    }
}

fn as_object(d: &mut Draft<'_>, object: Span, name: &str) {
    let Some(span) = splice::member(d.text, object, name) else { return };
    let raw = span.of(d.text);
    if raw.starts_with('{') {
        return;
    }
    // Text that is an object in JSON is what other formats have for arguments.
    let text = if raw.starts_with('"') { crate::json::decode_key(raw) } else { String::new() };
    let is_object = text.starts_with('{') && crate::json::check(&text, crate::Limits::default().depth).is_ok();
    let value = match raw {
        "null" => "{}".into(),
        _ if is_object => text,
        _ => alloc::format!("{{\"value\":{raw}}}"),
    };
    d.splices.replace(span, &value);
}

/// Results of a kind that does not answer their call, and responses that do not name it.
pub(super) fn answers(d: &mut Draft<'_>, plan: &Plan) {
    for at in 0..d.body.parts.len() {
        let Some(call) = plan.call_of(at).filter(|&call| plan.result_of(call) == Some(at)) else { continue };
        let (Some(part), Some(caller)) = (d.part(at), d.part(call)) else { continue };
        match d.format() {
            WireFormat::OpenAiResponses if part.family != caller.family => {
                let Some(pair) = PAIRS.get(usize::from(caller.family)) else { continue };
                if pair.lenient && part.family == 0 {
                    continue;
                }
                // Only these two say the same in the same shape; where a plain output does, it is one.
                let kind = if pair.lenient { "function_call_output" } else { pair.output };
                if part.family > 1 || caller.family > 1 && !pair.lenient {
                    continue;
                }
                d.splices.set_member(d.text, part.span, "type", &shape::quoted(kind));
                let said = "the output becomes one of the kind that answers its call".into();
                d.tell_part(RepairAction::Fill, ViolationKind::WrongResultType, at, said);
            }
            WireFormat::Gemini => {
                let Some(inner) = inner(d, part) else { continue };
                if part.link != caller.link {
                    match d.id_json(call) {
                        Some(id) => d.splices.set_member(d.text, inner, "id", &id),
                        None => d.splices.remove_member(d.text, inner, "id"),
                    }
                    let said = "the response takes the id of the call that its name and place tell".into();
                    d.tell_part(RepairAction::Rename, ViolationKind::OrphanResult, at, said);
                }
                if let Some(name) = d.name_json(call).filter(|_| part.name != caller.name) {
                    d.splices.set_member(d.text, inner, "name", &name);
                    let said = "the response takes the name of its call".into();
                    d.tell_part(RepairAction::Rename, ViolationKind::WrongResultType, at, said);
                }
            }
            _ => {}
        }
    }
}

/// True when none of these blocks says anything.
pub(super) fn is_white(d: &Draft<'_>, blocks: &[Block]) -> bool {
    matches!(d.format(), WireFormat::Anthropic | WireFormat::Bedrock)
        && blocks.iter().all(|&block| {
            matches!(d.kind(block), Some(PartKind::Text(Blank::White | Blank::Empty) | PartKind::CachePoint))
        })
}
