//! Anthropic Messages: calls, results and thinking as blocks of a message's content.

use super::item::{Reader, result_body};
use super::message::{BlockMark, Link, PartKind, Span};
use crate::json::{Kind, Value};

pub(super) fn read_message(r: &mut Reader<'_>, node: &Value) {
    if let Some(content) = r.turn(node) {
        r.spoken(&content, read_block);
    }
}

fn read_block(r: &mut Reader<'_>, node: &Value) {
    if r.kind(node) != Kind::Object {
        r.push(Span::from(node), PartKind::Wrong);
        return;
    }
    let (mut kind, mut text, mut id, mut result_of, mut name, mut body) = (None, None, None, None, None, None);
    let (mut error, mut signed, mut mark, mut input) = (false, false, None, None);
    for (key, value) in r.members(node) {
        match &*key {
            "type" => kind = r.string(&value),
            "text" => text = Some(value),
            "id" => id = Some(value),
            "tool_use_id" => result_of = Some(value),
            "name" => name = Some(value),
            "input" => input = Some(value),
            "content" => body = Some(value),
            "is_error" => error = r.is_true(&value),
            "signature" | "data" => signed = !r.is_null(&value),
            "cache_control" => mark = lives_long(r, &value),
            _ => {}
        }
    }
    let kind = match kind.as_deref() {
        Some("text") => r.text_part(text.as_ref()),
        Some("tool_use") => PartKind::Call,
        Some("tool_result") => {
            let (empty, blank_text) = result_body(r, body.as_ref(), "text");
            PartKind::Result { error, empty, blank_text, wrong: false }
        }
        Some("server_tool_use" | "mcp_tool_use") => PartKind::ServerCall,
        Some("thinking" | "redacted_thinking") => PartKind::Thinking,
        Some("compaction") => PartKind::Compaction,
        Some("image" | "document" | "search_result" | "container_upload") => PartKind::Media,
        Some(kind) if kind.ends_with("_tool_result") => PartKind::ServerResult,
        _ => PartKind::Other,
    };
    let key = match kind {
        PartKind::Call | PartKind::ServerCall => Some(id),
        PartKind::Result { .. } | PartKind::ServerResult => Some(result_of),
        _ => None,
    };
    let (link, id_span) = key.map_or((Link::Order, None), |key| r.link(key.as_ref(), Link::Bad));
    let name = name.and_then(|name| r.symbol(&name));
    let ill_typed = match kind {
        PartKind::Call => r.is_no_object(input.as_ref()),
        PartKind::Result { .. } => {
            body.is_some_and(|body| !matches!(r.kind(&body), Kind::String | Kind::Array) && !r.is_null(&body))
        }
        _ => false,
    };
    let at = r.parts.len();
    if let Some(list) = body.filter(|_| kind.is_result()) {
        for child in r.children(&list) {
            if let Some(mark) = r.member(&child, "cache_control") {
                let long = lives_long(r, &mark);
                r.marks.extend(long.map(|long| BlockMark { part: at, long }));
            }
        }
    }
    r.marks.extend(mark.map(|long| BlockMark { part: at, long }));
    let body = body.as_ref().map(Span::from);
    let part = r.push(Span::from(node), kind);
    (part.link, part.id_span, part.name, part.signed, part.long_mark, part.body, part.ill_typed) =
        (link, id_span, name, signed, mark, body, ill_typed);
}

/// Whether a cache mark lives for an hour; nothing when it is none.
fn lives_long(r: &Reader<'_>, mark: &Value) -> Option<bool> {
    let ttl = r.member(mark, "ttl").and_then(|ttl| r.string(&ttl));
    (r.kind(mark) == Kind::Object).then(|| ttl.as_deref() == Some("1h"))
}
