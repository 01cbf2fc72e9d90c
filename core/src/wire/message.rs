//! The one model of all formats: messages with parts, each with its place in the text.

use super::symbols::Symbol;
use crate::json::Value;

/// A range of bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

impl From<&Value> for Span {
    fn from(value: &Value) -> Self {
        Span { start: value.start, end: value.end }
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// `system` or `developer`.
    System,
    User,
    /// `assistant`, or `model` in Gemini; items that a model writes, in Responses.
    Assistant,
    /// Results as messages of their own: role `tool`, the legacy role `function`, output items.
    Tool,
    /// A role, or an item, that the format does not know. It is kept whole.
    Unknown,
}

/// What a message has for content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// No such member.
    Missing,
    Null,
    /// A string, which is also the one part of the message (or none when it answers a call).
    Text(Blank),
    /// A list; its entries are parts.
    List,
    /// A value of another type.
    Wrong,
}

/// Whether a text says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blank {
    Empty,
    White,
    Visible,
}

/// A message, a content or an item: one entry of the list that a request sends.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) span: Span,
    pub(crate) role: Role,
    pub(crate) content: Content,
    /// The value that holds the parts (`content`, `parts`), or a null where it should be.
    pub(crate) content_span: Option<Span>,
    /// The list of calls beside the content (OpenAI Chat).
    pub(crate) calls_span: Option<Span>,
    /// The server's id of an item (Responses).
    pub(crate) item_id: Option<Symbol>,
    /// Its parts, as a range of all parts.
    pub(crate) first_part: usize,
    pub(crate) end_part: usize,
    /// Something beside content and calls that makes an assistant message legal without content: refusal, audio.
    pub(crate) says_otherwise: bool,
    /// `reasoning_content` is there (`DeepSeek` and others).
    pub(crate) reasoning_content: bool,
    /// `prefix` is true: the server goes on writing this message (Mistral).
    pub(crate) prefix: bool,
    /// A member beside the content is of a type that the format refuses: calls that are no list.
    pub(crate) ill_typed: bool,
}

/// How a call and its result find each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// By this id.
    Id(Symbol),
    /// There is no id (Gemini without ids): by order, and by the name.
    Order,
    /// The id is missing, empty or no string where the format needs one.
    Bad,
}

/// A block of a message, a call beside it, or an item.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) message: usize,
    pub(crate) span: Span,
    pub(crate) kind: PartKind,
    pub(crate) link: Link,
    /// Where the id stands (a string with its quotes), for renaming.
    pub(crate) id_span: Option<Span>,
    /// The tool's name.
    pub(crate) name: Option<Symbol>,
    /// What kind of pair it is (an index of [`PAIRS`](super::PAIRS); 0 elsewhere).
    pub(crate) family: u8,
    /// A signature (thinking, Gemini parts) or encrypted content (reasoning) is there.
    pub(crate) signed: bool,
    /// A cache mark stands on it; `Some(true)` for a life of an hour.
    pub(crate) long_mark: Option<bool>,
    /// Where a result keeps its content.
    pub(crate) body: Option<Span>,
    /// A member is of a type that the format refuses: arguments that are no object, content that is a number.
    pub(crate) ill_typed: bool,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    Text(Blank),
    /// A call that the host answers.
    Call,
    /// The answer to one. `empty`: without content; `blank_text`: it holds a text block without text.
    Result {
        error: bool,
        empty: bool,
        blank_text: bool,
        wrong: bool,
    },
    /// A call that the provider runs itself.
    ServerCall,
    /// Its result, told by the provider.
    ServerResult,
    /// Thinking, redacted thinking, a thought part, a reasoning item.
    Thinking,
    /// A server-side compaction: everything before it is ignored.
    Compaction,
    /// Image, audio, video, document, file.
    Media,
    /// A cache mark that is a block of its own (Bedrock).
    CachePoint,
    /// A pointer to an item that the server holds (Responses).
    Reference,
    /// A request for compaction, which is last (Responses).
    CompactionTrigger,
    /// Anything else: kept whole.
    Other,
    /// An entry that is no object, a text that is no string, an item that says neither type nor role.
    Wrong,
}

/// A cache mark on a block, or on a block inside a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockMark {
    /// The part it stands on or in.
    pub(crate) part: usize,
    /// One hour; five minutes otherwise.
    pub(crate) long: bool,
}

impl PartKind {
    pub(crate) const fn is_result(self) -> bool {
        matches!(self, PartKind::Result { .. })
    }
}
