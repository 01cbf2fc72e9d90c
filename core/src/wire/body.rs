//! From a text to its messages: a request body or a bare list, in the format that was named or that it shows.

use alloc::string::String;
use alloc::vec::Vec;

use super::detect::evidence;
use super::item::Reader;
use super::message::{BlockMark, Message, Part, Span};
use super::request::{Request, read_request};
use super::symbols::Symbols;
use super::{WireFormat, anthropic, bedrock, gemini, openai_chat, openai_responses};
use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Tape, Value};

/// What the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A list of messages.
    List,
    /// A request body that holds one.
    Body,
    /// A Responses body whose `input` is one string: a single user message.
    Prompt,
}

/// A history that was read.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) format: WireFormat,
    /// False when nothing in the text tells the format and none was named: then it is `openai_chat`.
    pub(crate) certain: bool,
    pub(crate) shape: Shape,
    /// The list of messages.
    pub(crate) list: Span,
    pub(crate) messages: Vec<Message>,
    pub(crate) parts: Vec<Part>,
    /// Cache marks in the messages, in order.
    pub(crate) marks: Vec<BlockMark>,
    pub(crate) symbols: Symbols,
    pub(crate) request: Request,
}

impl Body {
    /// The parts of a message.
    pub(crate) fn parts_of(&self, message: usize) -> &[Part] {
        let range = self.messages.get(message).map_or(0..0, |m| m.first_part..m.end_part);
        self.parts.get(range).unwrap_or_default()
    }

    /// JSON Pointer to a part, inside the list of messages.
    pub(crate) fn path_of(&self, text: &str, at: usize) -> String {
        let Some((part, message)) = self.parts.get(at).and_then(|part| Some((part, self.messages.get(part.message)?)))
        else {
            return String::new();
        };
        let index = part.message;
        if part.span == message.span {
            return alloc::format!("/{index}");
        }
        let within = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
        if let Some(calls) = message.calls_span
            && within(calls, part.span)
        {
            // Calls are pushed one after the other, behind the content.
            let parts = self.parts.get(message.first_part..at).unwrap_or_default();
            let before = parts.partition_point(|other| !within(calls, other.span));
            return alloc::format!("/{index}/tool_calls/{}", parts.len() - before);
        }
        let Some(content) = message.content_span.filter(|content| within(*content, part.span)) else {
            return alloc::format!("/{index}/function_call");
        };
        let name = if self.format == WireFormat::Gemini { "parts" } else { "content" };
        if content.of(text).starts_with('[') {
            // Of a tool message the whole message comes first.
            let whole = self.parts.get(message.first_part).is_some_and(|first| first.span == message.span);
            return alloc::format!("/{index}/{name}/{}", at - message.first_part - usize::from(whole));
        }
        alloc::format!("/{index}/{name}")
    }
}

/// Reads the checked document `text`. `hint` is the format that a request beside it shows.
///
/// # Errors
/// `not_a_history` when there is no list of message objects; `mixed_formats` when the messages show two formats and
/// none was named.
pub(crate) fn read(
    text: &str,
    tape: &Tape,
    named: Option<WireFormat>,
    hint: Option<WireFormat>,
) -> Result<Body, Error> {
    let mut r = Reader::new(text, tape);
    let root = tape.root();
    let (list, shape, body_format) = match root.kind(text) {
        Kind::Array => (root, Shape::List, None),
        Kind::Object => list_of(&r, &root, named)?,
        _ => return Err(not_a_history("a list of messages or a request body", root.start, 0)),
    };
    let request = if shape == Shape::List { Request::default() } else { read_request(&r, &root) };
    if shape == Shape::Prompt {
        return Ok(Body {
            format: WireFormat::OpenAiResponses,
            certain: true,
            shape,
            list: Span::from(&list),
            messages: Vec::new(),
            parts: Vec::new(),
            marks: Vec::new(),
            symbols: Symbols::default(),
            request,
        });
    }
    let (format, certain) = match named {
        Some(format) => (format, true),
        None => decide(&r, &root, &list, body_format, hint)?,
    };
    let read_one = match format {
        WireFormat::OpenAiChat => openai_chat::read_message,
        WireFormat::OpenAiResponses => openai_responses::read_item,
        WireFormat::Anthropic => anthropic::read_message,
        WireFormat::Gemini => gemini::read_content,
        WireFormat::Bedrock => bedrock::read_message,
    };
    let count = r.count(&list);
    r.messages.reserve_exact(count);
    r.parts.reserve(count);
    for (at, child) in r.children(&list).enumerate() {
        if child.kind(text) != Kind::Object {
            return Err(not_a_history("a message object", child.start, at));
        }
        read_one(&mut r, &child);
    }
    let Reader { messages, parts, marks, interner, .. } = r;
    let symbols = interner.finish();
    Ok(Body { format, certain, shape, list: Span::from(&list), messages, parts, marks, symbols, request })
}

fn not_a_history(expected: &'static str, offset: usize, index: usize) -> Error {
    let message = alloc::format!("not a history: expected {expected} at byte {offset} (message {index})");
    Error::new(ErrorKind::NotAHistory, message).at(offset).expecting(expected).numbered(index)
}

/// The facts of a request body that was given beside a bare list, and the format that it shows.
pub(crate) fn read_beside(text: &str, tape: &Tape) -> (Request, Option<WireFormat>) {
    let r = Reader::new(text, tape);
    let mut request = read_request(&r, &tape.root());
    // It stands in another text, and may be a part of the request only.
    (request.system, request.whole) = (None, false);
    (request, body_hint(&r, &tape.root()))
}

/// What the member `text` of one block says.
pub(crate) fn text_of_block(block: &str, tape: &Tape) -> Option<String> {
    let r = Reader::new(block, tape);
    r.member(&tape.root(), "text").and_then(|text| r.string(&text)).map(alloc::borrow::Cow::into_owned)
}

/// The list inside a request body, and the format its place tells.
fn list_of(
    r: &Reader<'_>,
    root: &Value,
    named: Option<WireFormat>,
) -> Result<(Value, Shape, Option<WireFormat>), Error> {
    let (mut contents, mut input, mut messages) = (None, None, None);
    for (key, value) in r.members(root) {
        match &*key {
            "contents" => contents = Some(value),
            "input" => input = Some(value),
            "messages" => messages = Some(value),
            _ => {}
        }
    }
    // Which of two lists is the history is not for us to say; a member that is null is none.
    let is_list = |list: &Option<Value>| list.is_some_and(|list| list.kind(r.text) == Kind::Array);
    if named.is_none() && [&contents, &input, &messages].into_iter().filter(|list| is_list(list)).count() > 1 {
        let message = "two formats mixed: the body has two of the lists messages, input and contents; name the format";
        return Err(Error::new(ErrorKind::MixedFormats, message));
    }
    if [&contents, &input, &messages].into_iter().any(is_list) {
        for member in [&mut contents, &mut input, &mut messages] {
            *member = member.filter(|list| list.raw(r.text) != "null");
        }
    }
    let found = match named {
        Some(WireFormat::Gemini) => contents.map(|list| (list, Some(WireFormat::Gemini))),
        Some(WireFormat::OpenAiResponses) => input.map(|list| (list, Some(WireFormat::OpenAiResponses))),
        Some(_) => messages.map(|list| (list, None)),
        None => contents
            .map(|list| (list, Some(WireFormat::Gemini)))
            .or(input.map(|list| (list, Some(WireFormat::OpenAiResponses))))
            .or(messages.map(|list| (list, None))),
    };
    let Some((list, format)) = found else {
        return Err(not_a_history("a member messages, input or contents", root.start, 0));
    };
    match list.kind(r.text) {
        Kind::Array => Ok((list, Shape::Body, format)),
        Kind::String if format == Some(WireFormat::OpenAiResponses) => Ok((list, Shape::Prompt, format)),
        _ => Err(not_a_history("a list", list.start, 0)),
    }
}

/// The format that the body and the messages show, and whether anything showed it.
fn decide(
    r: &Reader<'_>,
    root: &Value,
    list: &Value,
    body_format: Option<WireFormat>,
    hint: Option<WireFormat>,
) -> Result<(WireFormat, bool), Error> {
    if let Some(format) = body_format {
        return Ok((format, true));
    }
    let shown = evidence(r, list);
    let by_body = if root.start == list.start { hint } else { body_hint(r, root) };
    let mut formats = shown.formats();
    match (formats.next(), formats.next()) {
        (None, _) => Ok((by_body.unwrap_or(WireFormat::OpenAiChat), by_body.is_some())),
        // What the messages show outweighs what the body's settings suggest.
        (Some((format, _)), None) => Ok((format, true)),
        (Some((one, at)), Some((other, other_at))) => {
            if let Some(format) = by_body {
                return Ok((format, true));
            }
            let (first, later) = (at.min(other_at), at.max(other_at));
            let message = alloc::format!(
                "two formats mixed: message {at} is {one}, message {other_at} is {other}; name the format"
            );
            Err(Error::new(ErrorKind::MixedFormats, message).numbered(later).counts(first, later))
        }
    }
}

/// Bodies show their format by members that only one of them has.
fn body_hint(r: &Reader<'_>, root: &Value) -> Option<WireFormat> {
    let (mut anthropic, mut chat) = (false, false);
    for (key, value) in r.members(root) {
        match &*key {
            "inferenceConfig" | "toolConfig" | "additionalModelRequestFields" | "guardrailConfig" => {
                return Some(WireFormat::Bedrock);
            }
            "anthropic_version" | "anthropic_beta" | "stop_sequences" | "system" | "thinking" | "top_k" => {
                anthropic = true;
            }
            "max_completion_tokens"
            | "response_format"
            | "stop"
            | "n"
            | "parallel_tool_calls"
            | "stream_options"
            | "frequency_penalty"
            | "presence_penalty"
            | "reasoning_effort"
            | "logprobs" => chat = true,
            "tools" if r.kind(&value) == Kind::Array => {
                for tool in r.children(&value) {
                    anthropic |= r.member(&tool, "input_schema").is_some();
                    chat |= r.member(&tool, "function").is_some();
                }
            }
            _ => {}
        }
    }
    match (anthropic, chat) {
        (true, false) => Some(WireFormat::Anthropic),
        (false, true) => Some(WireFormat::OpenAiChat),
        _ => None,
    }
}
