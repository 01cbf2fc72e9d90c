//! What a provider would refuse, by name and place.

use alloc::string::String;

kinds! {
    /// What is wrong with a history. The number and the name are the same in every language.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ViolationKind;

    /// A result without a call before it.
    OrphanResult = 1, "orphan_result";
    /// A call without a result.
    MissingResult = 2, "missing_result";
    /// A second result for one call.
    DuplicateResult = 3, "duplicate_result";
    /// Two calls of one turn with the same id.
    DuplicateCallId = 4, "duplicate_call_id";
    /// The result of a call stands too far from it.
    ResultNotAdjacent = 5, "result_not_adjacent";
    /// The results of one turn stand in several messages.
    ResultSplit = 6, "result_split";
    /// Something stands before the results in their message.
    ResultNotFirst = 7, "result_not_first";
    /// The result is of a kind that does not answer this call, or not of the type the format wants.
    WrongResultType = 8, "wrong_result_type";
    /// Results and other content in one message.
    MixedResultAndText = 9, "mixed_result_and_text";
    /// Calls that do not follow a user turn or results.
    CallWithoutUserTurn = 10, "call_without_user_turn";
    /// Two messages of one role in a row.
    RoleNotAlternating = 11, "role_not_alternating";
    /// The first message is of a role that may not be first.
    BadFirstRole = 12, "bad_first_role";
    /// The last message is of a role that may not be last.
    BadLastRole = 13, "bad_last_role";
    /// A role that the format does not know.
    BadRole = 14, "bad_role";
    /// A message or a block without content.
    EmptyContent = 15, "empty_content";
    /// Text of white space only.
    WhitespaceText = 16, "whitespace_text";
    /// An error result without content.
    ErrorResultEmpty = 17, "error_result_empty";
    /// An id that is missing, empty, no string, or of characters that the format refuses.
    BadIdCharset = 18, "bad_id_charset";
    /// An id longer than the format allows.
    IdTooLong = 19, "id_too_long";
    /// Two items with the same id of the server.
    DuplicateItemId = 20, "duplicate_item_id";
    /// A reasoning item without the item that it led to.
    ReasoningOrphan = 21, "reasoning_orphan";
    /// An item that keeps its server id without the reasoning it came with.
    ReasoningMissing = 22, "reasoning_missing";
    /// A reasoning item that the server was told not to store, without its encrypted content.
    ReasoningNotPersisted = 23, "reasoning_not_persisted";
    /// The last assistant turn has to start with thinking.
    ThinkingMissing = 24, "thinking_missing";
    /// Thinking that is bound to another prefix.
    ThinkingPrefixMismatch = 25, "thinking_prefix_mismatch";
    /// A call without the signature that the current turn needs.
    SignatureMissing = 26, "signature_missing";
    /// A server tool call without its result, before something that may not follow it.
    ServerToolUnresolved = 27, "server_tool_unresolved";
    /// A system message where none may stand.
    SystemMisplaced = 28, "system_misplaced";
    /// Tool blocks in a request that declares no tools.
    ToolConfigMissing = 29, "tool_config_missing";
    /// More cache marks than the provider takes.
    CacheTooManyBreakpoints = 30, "cache_too_many_breakpoints";
    /// A cache mark of an hour after one of five minutes.
    CacheTtlOrder = 31, "cache_ttl_order";
    /// More messages than the format takes.
    TooManyMessages = 32, "too_many_messages";
    /// More calls in one message than the format takes.
    TooManyCalls = 33, "too_many_calls";
    /// A call outside an assistant message, or a result outside a user message.
    MisplacedBlock = 34, "misplaced_block";
    /// A request for compaction that is not last.
    CompactionTriggerNotLast = 35, "compaction_trigger_not_last";
    /// Content, a block or a member of a type that the format refuses.
    WrongContentType = 36, "wrong_content_type";
    /// The name of a called tool is missing, no string, too long or of characters that the format refuses.
    BadToolName = 37, "bad_tool_name";
    /// A block or an item of a kind that the format does not know.
    UnknownItem = 38, "unknown_item";
    /// A text longer than the format takes.
    TextTooLong = 39, "text_too_long";
}

/// One thing that the provider would refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The message concerned, counted from 0: for a call without result the one that calls.
    pub index: usize,
    /// JSON Pointer to the place inside the list of messages, such as `/3/content/1`.
    pub path: String,
    /// The id concerned.
    pub id: Option<String>,
    /// A sentence that helps.
    pub message: String,
    /// What the provider would answer; empty where no text is known.
    pub provider: &'static str,
}
