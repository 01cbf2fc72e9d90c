//! The wire formats of chat histories: reading a request body or a list of messages into one model, as spans.
//!
//! Nothing here is copied out of the text and nothing is judged: `read` says what stands where, `history` says what
//! is wrong with it, where it may be cut and how it is repaired.

mod anthropic;
mod bedrock;
mod body;
mod detect;
mod facts;
mod gemini;
mod item;
mod message;
mod openai_chat;
mod openai_responses;
mod providers;
mod request;
mod symbols;

pub(crate) use body::{Body, Shape, read, read_beside, text_of_block};
pub(crate) use message::{Blank, Content, Link, Message, Part, PartKind, Role, Span};
pub(crate) use openai_responses::PAIRS;
pub(crate) use providers::{FormatFacts, IdRule, ModelFacts, Profile, names};
pub(crate) use request::Thinking;
pub(crate) use symbols::Symbol;

kinds! {
    /// A wire format of chat histories.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum WireFormat;

    /// OpenAI Chat Completions and everything that speaks it: `messages` with `tool_calls` and role `tool`.
    OpenAiChat = 1, "openai_chat";
    /// OpenAI Responses: `input` items paired by `call_id`.
    OpenAiResponses = 2, "openai_responses";
    /// Anthropic Messages: `tool_use` and `tool_result` blocks.
    Anthropic = 3, "anthropic";
    /// Google Gemini `generateContent`: `contents` with `functionCall` and `functionResponse` parts.
    Gemini = 4, "gemini";
    /// Amazon Bedrock Converse: `toolUse` and `toolResult` blocks.
    Bedrock = 5, "bedrock";
}

impl WireFormat {
    /// The member of a request body that holds the history: `messages`, `input` or `contents`.
    pub const fn field(self) -> &'static str {
        match self {
            WireFormat::OpenAiResponses => "input",
            WireFormat::Gemini => "contents",
            WireFormat::OpenAiChat | WireFormat::Anthropic | WireFormat::Bedrock => "messages",
        }
    }
}

impl core::fmt::Display for WireFormat {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
