//! What violations say: our sentence, and what the provider would answer. Every text in one place.

use alloc::format;
use alloc::string::String;

use super::violation::ViolationKind;
use crate::wire::WireFormat;

/// A sentence that helps. Ids are quoted up to 32 characters, escaped.
pub(super) fn sentence(format: WireFormat, kind: ViolationKind, index: usize, id: Option<&str>) -> String {
    let what = match format {
        WireFormat::OpenAiResponses => "item",
        WireFormat::Gemini => "content",
        WireFormat::OpenAiChat | WireFormat::Anthropic | WireFormat::Bedrock => "message",
    };
    match id.map(crate::wording::quoted_part) {
        Some(id) => format!("{what} {index}, id \"{id}\": {}", about(kind)),
        None => format!("{what} {index}: {}", about(kind)),
    }
}

const fn about(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::OrphanResult => "the result answers no call before it; drop it or bring its call back",
        ViolationKind::MissingResult => {
            "the call has no result; answer it, or add a result that says it was interrupted"
        }
        ViolationKind::DuplicateResult => "the call has a result already; keep one",
        ViolationKind::DuplicateCallId => "the id was used by another call of this turn; give each call its own",
        ViolationKind::ResultNotAdjacent => "the result of this call stands too far from it; put it right behind",
        ViolationKind::ResultSplit => {
            "the results of one turn are spread over several messages; put them into the first"
        }
        ViolationKind::ResultNotFirst => "something stands before the result in its message; results come first",
        ViolationKind::WrongResultType => "the result is not of the kind or type that answers this call",
        ViolationKind::MixedResultAndText => "results and other content share a message; give each their own",
        ViolationKind::CallWithoutUserTurn => "the call does not follow a user message or results",
        ViolationKind::RoleNotAlternating => {
            "the role may not follow the one before it; merge the two or put one between"
        }
        ViolationKind::BadFirstRole => "the first message has to be a user message",
        ViolationKind::BadLastRole => "the last message may not be of this role; a user message or results come last",
        ViolationKind::BadRole => "the role is not one of the format",
        ViolationKind::EmptyContent => "there is no content; drop it or say something visible",
        ViolationKind::WhitespaceText => "the text is white space, or ends in it where it may not",
        ViolationKind::ErrorResultEmpty => "an error result says what went wrong; its content is empty",
        ViolationKind::BadIdCharset => "the id is missing, no string, or of characters that the format refuses",
        ViolationKind::IdTooLong => "the id is longer than the format allows",
        ViolationKind::DuplicateItemId => "another item has the same server id; drop one of the two",
        ViolationKind::ReasoningOrphan => "the item that this reasoning led to does not follow it; drop the reasoning",
        ViolationKind::ReasoningMissing => {
            "the item keeps its server id without the reasoning it came with; strip the id or bring the reasoning back"
        }
        ViolationKind::ReasoningNotPersisted => {
            "the server was told not to store this item, and it is not here in full; drop it"
        }
        ViolationKind::ThinkingMissing => {
            "this assistant message has to begin with, or carry, the thinking it came with"
        }
        ViolationKind::ThinkingPrefixMismatch => "the thinking is bound to other messages than those before it",
        ViolationKind::SignatureMissing => "the signature is missing; without it this block is refused",
        ViolationKind::ServerToolUnresolved => {
            "a tool that the provider runs has no result yet; only results, or the assistant, may follow"
        }
        ViolationKind::SystemMisplaced => "a system message may not stand here",
        ViolationKind::ToolConfigMissing => "there are calls or results, but the request declares no tools",
        ViolationKind::CacheTooManyBreakpoints => "there are more cache marks than the provider takes",
        ViolationKind::CacheTtlOrder => "a cache mark of one hour stands behind one of five minutes",
        ViolationKind::TooManyMessages => "there are more messages than the format takes; cut the history",
        ViolationKind::TooManyCalls => "there are more calls in one message than the format takes",
        ViolationKind::MisplacedBlock => "the block may not stand in a message of this role",
        ViolationKind::CompactionTriggerNotLast => "the request for compaction has to be the last item",
        ViolationKind::WrongContentType => "a value is of a type that the format refuses",
        ViolationKind::BadToolName => {
            "the name of the tool is missing, too long, or of characters that the format refuses; rename the tool"
        }
        ViolationKind::UnknownItem => {
            "the kind is not one of the format as it was known when this was built; it is kept whole"
        }
        ViolationKind::TextTooLong => "the text is longer than the format takes; deliver it in a budget",
    }
}

/// What the provider answers, as far as an answer is known.
pub(super) const fn provider(format: WireFormat, kind: ViolationKind) -> &'static str {
    match format {
        WireFormat::OpenAiChat => openai_chat(kind),
        WireFormat::OpenAiResponses => openai_responses(kind),
        WireFormat::Anthropic => anthropic(kind),
        WireFormat::Gemini => gemini(kind),
        WireFormat::Bedrock => bedrock(kind),
    }
}

const fn openai_chat(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::MissingResult | ViolationKind::ResultNotAdjacent => {
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. \
             The following tool_call_ids did not have response messages: .."
        }
        ViolationKind::OrphanResult => {
            "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"
        }
        ViolationKind::EmptyContent => "Invalid value for 'content': expected a string, got null.",
        ViolationKind::TooManyMessages => "array too long. Expected an array with maximum length 2048",
        ViolationKind::TooManyCalls => "array too long. Expected an array with maximum length 128",
        ViolationKind::IdTooLong => "string too long. Expected a string with maximum length 40",
        ViolationKind::DuplicateCallId => "duplicate tool_call_id",
        ViolationKind::ThinkingMissing => {
            "The `reasoning_content` in the thinking mode must be passed back to the API."
        }
        ViolationKind::RoleNotAlternating => "Unexpected role 'user' after role 'tool'",
        ViolationKind::BadLastRole => "Expected last role User or Tool (or Assistant with prefix True)",
        _ => "",
    }
}

const fn openai_responses(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::MissingResult => "No tool output found for function call call_..",
        ViolationKind::ResultNotAdjacent => "No tool output found for tool call ..",
        ViolationKind::OrphanResult => "No tool call found for function call output with call_id ..",
        ViolationKind::ReasoningOrphan => {
            "Item 'rs_..' of type 'reasoning' was provided without its required following item."
        }
        ViolationKind::ReasoningMissing => {
            "Item 'fc_..' of type 'function_call' was provided without its required 'reasoning' item: 'rs_..'"
        }
        ViolationKind::ReasoningNotPersisted => {
            "Item with id 'rs_..' not found. Items are not persisted when `store` is set to false."
        }
        ViolationKind::DuplicateItemId => {
            "Duplicate item found with id rs_... Remove duplicate items from your input and try again."
        }
        ViolationKind::BadIdCharset => "Expected an ID that contains letters, numbers, underscores, or dashes",
        ViolationKind::IdTooLong => {
            "Invalid 'input[5].call_id': string too long. Expected a string with maximum length 64"
        }
        _ => "",
    }
}

const fn anthropic(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::MissingResult | ViolationKind::ResultNotAdjacent | ViolationKind::ResultNotFirst => {
            "`tool_use` ids were found without `tool_result` blocks immediately after: .. Each `tool_use` block must \
             have a corresponding `tool_result` block in the next message."
        }
        ViolationKind::OrphanResult => {
            "unexpected `tool_use_id` found in `tool_result` blocks: .. Each `tool_result` block must have a \
             corresponding `tool_use` block in the previous message."
        }
        ViolationKind::DuplicateResult => {
            "each tool_use must have a single result. Found multiple `tool_result` blocks with id: .."
        }
        ViolationKind::DuplicateCallId => "`tool_use` ids must be unique",
        ViolationKind::BadIdCharset => "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        ViolationKind::BadFirstRole => "messages: first message must use the \"user\" role",
        ViolationKind::BadLastRole => {
            "This model does not support assistant message prefill. The conversation must end with a user message."
        }
        ViolationKind::WhitespaceText => "text content blocks must contain non-whitespace text",
        ViolationKind::EmptyContent => "text content blocks must be non-empty",
        ViolationKind::ServerToolUnresolved => {
            "`web_search` tool use with id `srvtoolu_..` was found without a corresponding `web_search_tool_result` block"
        }
        ViolationKind::ThinkingMissing => {
            "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final \
             `assistant` message must start with a thinking block"
        }
        ViolationKind::ThinkingPrefixMismatch => {
            "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
        }
        ViolationKind::SignatureMissing => "Invalid `signature` in `thinking` block",
        ViolationKind::BadToolName => "tools.18.custom.name: String should have at most 128 characters",
        ViolationKind::CacheTooManyBreakpoints => "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        ViolationKind::CacheTtlOrder => {
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"
        }
        _ => "",
    }
}

const fn gemini(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::MissingResult | ViolationKind::DuplicateResult => {
            "Please ensure that the number of function response parts is equal to the number of function call parts of \
             the function call turn."
        }
        ViolationKind::OrphanResult | ViolationKind::ResultNotAdjacent => {
            "Please ensure that function response turn comes immediately after a function call turn."
        }
        ViolationKind::CallWithoutUserTurn => {
            "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
        }
        ViolationKind::EmptyContent => "contents.parts must not be empty",
        ViolationKind::BadLastRole => "multiturn requests ends with a user role or a function response",
        ViolationKind::BadRole => "Please use a valid role: user, model.",
        ViolationKind::SignatureMissing => "Function call is missing a thought_signature in functionCall parts.",
        ViolationKind::BadToolName => "Invalid function name. Must start with a letter or an underscore.",
        _ => "",
    }
}

const fn bedrock(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::MissingResult | ViolationKind::ResultNotAdjacent | ViolationKind::ResultSplit => {
            "Expected toolResult blocks at messages.2.content for the following Ids: .."
        }
        ViolationKind::OrphanResult => {
            "The number of toolResult blocks at messages.N.content exceeds the number of toolUse blocks of previous turn"
        }
        ViolationKind::DuplicateResult => "The toolResult blocks at messages.X.content contain duplicate Ids: ..",
        ViolationKind::RoleNotAlternating => "A conversation must alternate between user and assistant roles.",
        ViolationKind::BadFirstRole => "A conversation must start with a user message.",
        ViolationKind::BadLastRole => {
            "This model does not support assistant message prefill. The conversation must end with a user message."
        }
        ViolationKind::EmptyContent => "The text field in the ContentBlock object at messages.0.content.0 is blank.",
        ViolationKind::WhitespaceText => "text content blocks must contain non-whitespace text",
        ViolationKind::ErrorResultEmpty => {
            "The content field at .. toolResult cannot be empty when status value is error."
        }
        ViolationKind::ToolConfigMissing => {
            "The toolConfig field must be defined when using toolUse and toolResult content blocks."
        }
        _ => "",
    }
}
