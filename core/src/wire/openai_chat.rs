//! OpenAI Chat Completions: calls beside the content, results as messages of role `tool`.

use super::item::{Blocks, Reader, result_body};
use super::message::{Link, PartKind, Role, Span};
use crate::json::{Kind, Value};

const BLOCKS: Blocks = Blocks {
    texts: &["text", "refusal"],
    media: &["image_url", "input_audio", "file"],
    marks: &["prompt_cache_breakpoint", "cache_control"],
};

pub(super) fn read_message(r: &mut Reader<'_>, node: &Value) {
    let (mut role, mut content, mut calls, mut function_call, mut call_id, mut name) =
        (None, None, None, None, None, None);
    let (mut says_otherwise, mut reasoning, mut prefix) = (false, false, false);
    for (key, value) in r.members(node) {
        match &*key {
            "role" => role = r.string(&value),
            "content" => content = Some(value),
            "tool_calls" => calls = Some(value),
            "function_call" => function_call = Some(value),
            "tool_call_id" => call_id = Some(value),
            "name" => name = Some(value),
            "refusal" | "audio" => says_otherwise |= !r.is_null(&value),
            "reasoning_content" => reasoning = !r.is_null(&value),
            "prefix" => prefix = r.is_true(&value),
            _ => {}
        }
    }
    let role_name = role.as_deref().unwrap_or_default();
    let role = match role_name {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" | "function" => Role::Tool,
        _ => Role::Unknown,
    };
    let at = r.open(node, role);
    if role == Role::Tool {
        // The whole message is the result; a legacy `function` message is found by its name.
        let legacy = role_name == "function";
        let (empty, blank_text) = result_body(r, content.as_ref(), "text");
        let kind = PartKind::Result { error: false, empty, blank_text, wrong: false };
        let (link, id_span) = r.link(if legacy { name.as_ref() } else { call_id.as_ref() }, Link::Bad);
        let part = r.push(Span::from(node), kind);
        (part.link, part.id_span, part.body) = (link, id_span, content.as_ref().map(Span::from));
        part.family = u8::from(legacy);
    }
    if let Some(content) = &content {
        if role == Role::Tool {
            r.content(content, |_, _| {});
        } else {
            r.spoken(content, |r, block| BLOCKS.read(r, block));
        }
    }
    if let Some(list) = calls.filter(|list| r.kind(list) == Kind::Array) {
        for child in r.children(&list) {
            read_call(r, &child);
        }
        if let Some(message) = r.messages.get_mut(at) {
            message.calls_span = Some(Span::from(&list));
        }
    }
    if let Some(call) = function_call.filter(|call| r.kind(call) == Kind::Object) {
        let name = r.member(&call, "name");
        let (link, _) = r.link(name.as_ref(), Link::Bad);
        let symbol = name.and_then(|name| r.symbol(&name));
        let part = r.push(Span::from(&call), PartKind::Call);
        (part.link, part.name, part.family) = (link, symbol, 1);
    }
    let ill_typed = calls.is_some_and(|calls| !r.is_null(&calls) && r.kind(&calls) != Kind::Array)
        || function_call.is_some_and(|call| !r.is_null(&call) && r.kind(&call) != Kind::Object);
    if let Some(message) = r.messages.get_mut(at) {
        (message.says_otherwise, message.reasoning_content) = (says_otherwise, reasoning);
        (message.prefix, message.ill_typed) = (prefix, ill_typed);
    }
}

/// An entry of `tool_calls`: a function or a custom tool.
fn read_call(r: &mut Reader<'_>, node: &Value) {
    if r.kind(node) != Kind::Object {
        r.push(Span::from(node), PartKind::Wrong);
        return;
    }
    let (mut id, mut inner) = (None, None);
    for (key, value) in r.members(node) {
        match &*key {
            "id" => id = Some(value),
            "function" | "custom" => inner = Some(value),
            _ => {}
        }
    }
    let (link, id_span) = r.link(id.as_ref(), Link::Bad);
    let (mut name, mut ill_typed) = (None, r.is_no_object(inner.as_ref()));
    if let Some(inner) = &inner {
        for (key, value) in r.members(inner) {
            match &*key {
                "name" => name = Some(value),
                // Text, whether or not it is JSON.
                "arguments" | "input" => ill_typed |= r.kind(&value) != Kind::String,
                _ => {}
            }
        }
    }
    let name = name.and_then(|name| r.symbol(&name));
    let part = r.push(Span::from(node), PartKind::Call);
    (part.link, part.id_span, part.name, part.ill_typed) = (link, id_span, name, ill_typed);
}
