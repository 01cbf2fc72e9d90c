//! What has to leave kept messages with a cut: thinking that is bound to what went, ids of items whose reasoning went.

use alloc::string::String;

use super::super::History;
use super::places::parts_of;
use crate::json::{Children, check};
use crate::wire::{PAIRS, Part, PartKind, Role, WireFormat};
use crate::wording;

/// The message without its thinking: its other blocks as they are, or a visible word where none is left.
pub(super) fn without_thinking(history: &History<'_>, index: usize) -> Option<String> {
    let message = history.body.messages.get(index)?;
    let list = message.content_span?;
    let parts = parts_of(history, index);
    if !parts.iter().any(|part| part.kind == PartKind::Thinking) {
        return None;
    }
    let text: &str = &history.text;
    let mut out = String::with_capacity(message.span.end - message.span.start);
    out.push_str(text.get(message.span.start..list.start)?);
    out.push('[');
    let mut rest = parts.iter().filter(|part| part.kind != PartKind::Thinking).peekable();
    if rest.peek().is_none() {
        out.push_str(match history.format() {
            WireFormat::Bedrock => "{\"text\":\"",
            _ => "{\"type\":\"text\",\"text\":\"",
        });
        out.push_str(wording::THINKING_REMOVED);
        out.push_str("\"}");
    }
    while let Some(part) = rest.next() {
        out.push_str(part.span.of(text));
        if rest.peek().is_some() {
            out.push(',');
        }
    }
    out.push(']');
    out.push_str(text.get(list.end..message.span.end)?);
    Some(out)
}

/// The item without its server id: its other members as they are.
pub(super) fn without_id(history: &History<'_>, index: usize) -> Option<String> {
    let item = history.message(index)?;
    let scan = check(item, usize::MAX).ok()?;
    let mut out = String::with_capacity(item.len());
    out.push('{');
    let id = |raw: &str| raw == "\"id\"" || raw.contains('\\') && crate::json::decode_key(raw) == "id";
    for member in Children::new(item, &scan, &scan.root).filter(|member| !id(member.key_raw(item))) {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(item.get(member.key.0..member.node.end)?);
    }
    out.push('}');
    Some(out)
}

/// True for an item that a model wrote and that the server knows by an id. A request for approval is not meant: its
/// answer finds it by that id.
pub(super) fn has_server_id(history: &History<'_>, index: usize) -> bool {
    let Some(message) = history.body.messages.get(index) else { return false };
    let keeps = |part: &Part| match part.kind {
        PartKind::Thinking | PartKind::Compaction => true,
        PartKind::ServerCall => PAIRS.get(usize::from(part.family)).is_some_and(|p| p.call == "mcp_approval_request"),
        _ => false,
    };
    message.role == Role::Assistant && message.item_id.is_some() && !parts_of(history, index).first().is_some_and(keeps)
}
