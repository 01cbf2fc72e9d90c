//! What a request says beside its messages, as far as it decides what is accepted.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::item::Reader;
use super::message::Span;
use crate::json::{Kind, Value};

/// The thinking mode that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thinking {
    /// `enabled`: the last assistant turn has to start with thinking.
    Manual,
    Adaptive,
    Disabled,
}

/// A cache mark outside the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// One hour; five minutes otherwise.
    pub(crate) long: bool,
}

/// The facts beside the messages. What is not known decides nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// The whole body was there: what is missing in it is known to be missing.
    pub(crate) whole: bool,
    pub(crate) model: Option<String>,
    /// `store`, where it is said.
    pub(crate) store: Option<bool>,
    /// The server holds earlier items: `previous_response_id` or `conversation`.
    pub(crate) stateful: bool,
    pub(crate) thinking: Option<Thinking>,
    /// Thinking bound to another prefix is dropped by the server instead of refused.
    pub(crate) drops_mismatched: bool,
    /// Whether there are tools (`tools`, `toolConfig`), as far as the request says.
    pub(crate) has_tools: Option<bool>,
    /// Which reasoning an item came with, as a host remembers it: the two server ids, in order of the item's.
    pub(crate) reasoning_of: Vec<(String, String)>,
    /// Cache marks on tools, then on the system prompt, in the order of the request.
    pub(crate) marks: Vec<Mark>,
    /// The mark of the whole request that moves by itself.
    pub(crate) automatic_mark: bool,
    /// Where the system prompt stands (`system`, `instructions`, `systemInstruction`).
    pub(crate) system: Option<Span>,
}

pub(super) fn read_request(r: &Reader<'_>, root: &Value) -> Request {
    let mut request = Request { whole: true, ..Request::default() };
    let (mut tools, mut system) = (None, None);
    for (key, value) in r.members(root) {
        let said = !r.is_null(&value);
        match &*key {
            "model" | "modelId" => request.model = r.string(&value).map(Cow::into_owned),
            "store" => request.store = said.then(|| r.is_true(&value)),
            "previous_response_id" | "conversation" => request.stateful |= said,
            "thinking" => read_thinking(r, &value, &mut request),
            "tools" => {
                tools = Some(value);
                request.has_tools = Some(r.kind(&value) == Kind::Array && r.count(&value) > 0);
            }
            "toolConfig" => {
                tools = r.member(&value, "tools");
                let some = tools.is_some_and(|list| r.kind(&list) == Kind::Array && r.count(&list) > 0);
                // `true` says that there are some without naming them.
                request.has_tools = Some(some || r.is_true(&value));
            }
            "reasoning_parent" => {
                let text = |node: Value| r.string(&node).map(Cow::into_owned);
                request.reasoning_of =
                    r.members(&value).filter_map(|(item, of)| Some((item.into_owned(), text(of)?))).collect();
                request.reasoning_of.sort();
            }
            "cache_control" => request.automatic_mark = said,
            "system" | "instructions" | "systemInstruction" | "system_instruction" if said => system = Some(value),
            _ => {}
        }
    }
    request.system = system.as_ref().map(Span::from);
    for list in tools.iter().chain(&system).filter(|list| r.kind(list) == Kind::Array) {
        for child in r.children(list) {
            let mark = r.member(&child, "cache_control").or_else(|| r.member(&child, "cachePoint"));
            if let Some(mark) = mark.filter(|mark| r.kind(mark) == Kind::Object) {
                let ttl = r.member(&mark, "ttl").and_then(|ttl| r.string(&ttl));
                request.marks.push(Mark { long: ttl.as_deref() == Some("1h") });
            }
        }
    }
    request
}

fn read_thinking(r: &Reader<'_>, value: &Value, request: &mut Request) {
    for (key, value) in r.members(value) {
        match &*key {
            "type" => {
                request.thinking = match r.string(&value).as_deref() {
                    Some("enabled") => Some(Thinking::Manual),
                    Some("adaptive") => Some(Thinking::Adaptive),
                    Some("disabled") => Some(Thinking::Disabled),
                    _ => None,
                };
            }
            "block_binding" => {
                let behaviour = r.member(&value, "prefix_mismatch_behavior").and_then(|value| r.string(&value));
                request.drops_mismatched = behaviour.as_deref() == Some("drop_block");
            }
            _ => {}
        }
    }
}
