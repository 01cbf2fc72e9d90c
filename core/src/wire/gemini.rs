//! Google Gemini `generateContent`: contents with parts; calls and responses may come without ids.

use super::item::Reader;
use super::message::{Content, Link, PartKind, Role, Span};
use crate::json::{Kind, Value};

pub(super) fn read_content(r: &mut Reader<'_>, node: &Value) {
    let (mut role, mut parts) = (None, None);
    for (key, value) in r.members(node) {
        match &*key {
            "role" => role = Some(value),
            "parts" => parts = Some(value),
            _ => {}
        }
    }
    let role = match role.filter(|role| !r.is_null(role)).map(|role| r.string(&role)) {
        None => Role::User,
        Some(Some(name)) if name == "user" => Role::User,
        Some(Some(name)) if name == "model" => Role::Assistant,
        Some(Some(name)) if name == "function" => Role::Tool,
        Some(_) => Role::Unknown,
    };
    let at = r.open(node, role);
    match &parts {
        // The API takes one part where a list belongs.
        Some(part) if r.kind(part) == Kind::Object => {
            if let Some(message) = r.messages.get_mut(at) {
                (message.content, message.content_span) = (Content::List, Some(Span::from(part)));
            }
            read_part(r, part);
        }
        Some(parts) => r.content(parts, read_part),
        None => {}
    }
}

fn read_part(r: &mut Reader<'_>, node: &Value) {
    if r.kind(node) != Kind::Object {
        r.push(Span::from(node), PartKind::Wrong);
        return;
    }
    let (mut text, mut call, mut response, mut thought, mut signed) = (None, None, None, false, false);
    let (mut media, mut server_call, mut server_result) = (false, false, false);
    for (key, value) in r.members(node) {
        match &*key {
            "text" => text = Some(value),
            "functionCall" | "function_call" => call = Some(value),
            "functionResponse" | "function_response" => response = Some(value),
            "thought" => thought = r.is_true(&value),
            "thoughtSignature" | "thought_signature" => {
                signed = r.string(&value).is_some_and(|signature| !signature.is_empty());
            }
            "inlineData" | "inline_data" | "fileData" | "file_data" => media = true,
            "executableCode" | "executable_code" | "toolCall" | "tool_call" => server_call = true,
            "codeExecutionResult" | "code_execution_result" | "toolResponse" | "tool_response" => server_result = true,
            _ => {}
        }
    }
    let inner = call.or(response).filter(|inner| r.kind(inner) == Kind::Object);
    let (mut id, mut name, mut body) = (None, None, None);
    let mut ill_typed = inner.is_none() && (call.is_some() || response.is_some());
    if let Some(inner) = &inner {
        for (key, value) in r.members(inner) {
            match &*key {
                "id" => id = Some(value),
                "name" => name = Some(value),
                "response" => body = Some(value),
                "args" => ill_typed |= !r.is_null(&value) && r.kind(&value) != Kind::Object,
                _ => {}
            }
        }
    }
    let kind = if call.is_some() {
        PartKind::Call
    } else if response.is_some() {
        let body_kind = body.map(|body| r.kind(&body));
        let error = body_kind == Some(Kind::Object) && body.is_some_and(|body| r.member(&body, "error").is_some());
        let empty = body.is_none_or(|body| r.count(&body) == 0);
        PartKind::Result { error, empty, blank_text: false, wrong: body_kind != Some(Kind::Object) }
    } else if thought {
        PartKind::Thinking
    } else if text.is_some() {
        r.text_part(text.as_ref())
    } else if server_call {
        PartKind::ServerCall
    } else if server_result {
        PartKind::ServerResult
    } else if media {
        PartKind::Media
    } else {
        PartKind::Other
    };
    // An empty id is none.
    let id = id.filter(|id| r.string(id).is_none_or(|id| !id.is_empty()));
    let (link, id_span) = r.link(id.as_ref(), Link::Order);
    let name = name.and_then(|name| r.symbol(&name));
    let body = body.as_ref().map(Span::from);
    let part = r.push(Span::from(node), kind);
    (part.link, part.id_span, part.name, part.signed, part.body, part.ill_typed) =
        (link, id_span, name, signed, body, ill_typed);
}
