//! Amazon Bedrock Converse: blocks named by their one member.

use super::item::{Reader, result_body};
use super::message::{BlockMark, Link, PartKind, Span};
use crate::json::{Kind, Value};

pub(super) fn read_message(r: &mut Reader<'_>, node: &Value) {
    if let Some(content) = r.turn(node) {
        r.content(&content, read_block);
    }
}

fn read_block(r: &mut Reader<'_>, node: &Value) {
    if r.kind(node) != Kind::Object {
        r.push(Span::from(node), PartKind::Wrong);
        return;
    }
    let mut found = (PartKind::Other, None);
    for (key, value) in r.members(node) {
        found = match &*key {
            "text" => (r.text_part(Some(&value)), None),
            "toolUse" => (PartKind::Call, Some(value)),
            "toolResult" => {
                (PartKind::Result { error: false, empty: true, blank_text: false, wrong: false }, Some(value))
            }
            "reasoningContent" => (PartKind::Thinking, Some(value)),
            "image" | "document" | "video" | "audio" => (PartKind::Media, None),
            "cachePoint" => (PartKind::CachePoint, Some(value)),
            _ => continue,
        };
    }
    let (kind, inner) = found;
    let mut ill_typed = r.is_no_object(inner.as_ref());
    let (mut kind, mut link, mut id_span, mut name, mut body, mut signed, mut mark) =
        (kind, Link::Order, None, None, None, false, None);
    if let Some(inner) = &inner {
        let (mut id, mut content, mut status, mut tool) = (None, None, None, None);
        let (mut server, mut long) = (false, false);
        for (key, value) in r.members(inner) {
            match &*key {
                "toolUseId" => id = Some(value),
                "name" => tool = Some(value),
                "content" => content = Some(value),
                "input" => ill_typed |= r.kind(&value) != Kind::Object,
                "status" => status = r.string(&value),
                "type" => server = r.string(&value).is_some_and(|kind| kind != "default"),
                "ttl" => long = r.string(&value).as_deref() == Some("1h"),
                "reasoningText" => signed |= r.member(&value, "signature").is_some(),
                "redactedContent" => signed = true,
                _ => {}
            }
        }
        match kind {
            PartKind::Call => {
                (link, id_span) = r.link(id.as_ref(), Link::Bad);
                // A tool that the model's own side ran: its result stands in the same message.
                kind = if server { PartKind::ServerCall } else { PartKind::Call };
            }
            PartKind::Result { .. } => {
                (link, id_span) = r.link(id.as_ref(), Link::Bad);
                let (empty, blank_text) = result_body(r, content.as_ref(), "text");
                ill_typed |= content.is_none_or(|content| r.kind(&content) != Kind::Array);
                let error = status.as_deref() == Some("error");
                kind = if server {
                    PartKind::ServerResult
                } else {
                    PartKind::Result { error, empty, blank_text, wrong: false }
                };
            }
            PartKind::CachePoint => mark = Some(long),
            _ => {}
        }
        name = tool.and_then(|name| r.symbol(&name));
        body = content.as_ref().map(Span::from);
    }
    let at = r.parts.len();
    r.marks.extend(mark.map(|long| BlockMark { part: at, long }));
    let part = r.push(Span::from(node), kind);
    (part.link, part.id_span, part.name, part.body, part.signed, part.long_mark, part.ill_typed) =
        (link, id_span, name, body, signed, mark, ill_typed);
}
