//! How each format writes what a repair adds: a text block, a message, the result of a call that has none.

mod anthropic;
mod bedrock;
mod gemini;
mod openai_chat;
mod openai_responses;

use alloc::string::String;

use crate::wire::{Role, WireFormat};

/// A call that is to be answered. Everything is JSON as it will stand.
pub(super) struct Unanswered {
    /// Its id; none where the format does without.
    pub(super) id: Option<String>,
    /// The tool's name.
    pub(super) name: Option<String>,
    /// What kind of pair it is (Responses; 1 for a legacy call of Chat).
    pub(super) family: u8,
}

/// The member that holds the blocks of a message.
pub(super) const fn field(format: WireFormat) -> &'static str {
    match format {
        WireFormat::Gemini => "parts",
        _ => "content",
    }
}

/// True when messages of this role are one object each, without a list of blocks.
pub(super) const fn is_whole(format: WireFormat, role: Role) -> bool {
    match format {
        WireFormat::OpenAiChat => matches!(role, Role::Tool),
        WireFormat::OpenAiResponses => !matches!(role, Role::User),
        WireFormat::Anthropic | WireFormat::Gemini | WireFormat::Bedrock => false,
    }
}

/// A text block; `text` is a JSON string.
pub(super) fn text_block(format: WireFormat, role: Role, text: &str) -> String {
    match format {
        WireFormat::OpenAiChat | WireFormat::Anthropic => {
            alloc::format!("{{\"type\":\"text\",\"text\":{text}}}")
        }
        WireFormat::OpenAiResponses => {
            let kind = if role == Role::Assistant { "output_text" } else { "input_text" };
            alloc::format!("{{\"type\":\"{kind}\",\"text\":{text}}}")
        }
        WireFormat::Gemini | WireFormat::Bedrock => alloc::format!("{{\"text\":{text}}}"),
    }
}

/// A message of `role` around a list of blocks.
pub(super) fn message(format: WireFormat, role: Role, list: &str) -> String {
    let name = match (format, role) {
        (WireFormat::Gemini, Role::Assistant) => "model",
        (_, Role::Assistant) => "assistant",
        (_, Role::System) => "system",
        _ => "user",
    };
    let kind = if format == WireFormat::OpenAiResponses { "\"type\":\"message\"," } else { "" };
    alloc::format!("{{{kind}\"role\":\"{name}\",\"{}\":{list}}}", field(format))
}

/// An assistant message of Chat around a list of calls.
pub(super) fn calls(list: &str) -> String {
    alloc::format!("{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":{list}}}")
}

/// The result of a call that was interrupted; nothing where no text can be one.
pub(super) fn no_result(format: WireFormat, call: &Unanswered) -> Option<String> {
    let said = crate::wording::NO_RESULT;
    match format {
        WireFormat::OpenAiChat => Some(openai_chat::result(call, said)),
        WireFormat::OpenAiResponses => openai_responses::result(call, said),
        WireFormat::Anthropic => Some(anthropic::result(call, said)),
        WireFormat::Gemini => Some(gemini::result(call, said)),
        WireFormat::Bedrock => Some(bedrock::result(call, said)),
    }
}

/// `text` of ours as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    crate::json::write_escaped(text, &mut out);
    out.push('"');
    out
}

fn id_of(call: &Unanswered) -> &str {
    call.id.as_deref().unwrap_or("\"\"")
}
