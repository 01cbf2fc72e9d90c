//! OpenAI Responses: every call, output, reasoning step and message is an item of its own.

use super::item::{Blocks, Reader, result_body};
use super::message::{Link, PartKind, Role, Span};
use crate::json::{Kind, Value};

/// A kind of call and the kinds of item that answer it.
pub(crate) struct Pair {
    /// The item that calls.
    pub(crate) call: &'static str,
    /// The item that answers.
    pub(crate) output: &'static str,
    /// `function_call_output` answers it too.
    pub(crate) lenient: bool,
}

/// The paired item types; a part's `family` is an index of this table.
pub(crate) const PAIRS: [Pair; 9] = [
    Pair { call: "function_call", output: "function_call_output", lenient: true },
    Pair { call: "custom_tool_call", output: "custom_tool_call_output", lenient: false },
    Pair { call: "shell_call", output: "shell_call_output", lenient: false },
    Pair { call: "apply_patch_call", output: "apply_patch_call_output", lenient: false },
    Pair { call: "computer_call", output: "computer_call_output", lenient: false },
    Pair { call: "local_shell_call", output: "local_shell_call_output", lenient: true },
    Pair { call: "tool_search_call", output: "tool_search_output", lenient: true },
    Pair { call: "program", output: "program_output", lenient: false },
    Pair { call: "mcp_approval_request", output: "mcp_approval_response", lenient: false },
];

/// The client runs a tool search only when the item says so.
const TOOL_SEARCH: u8 = 6;
/// Answered under another key, and only when the host is asked: it may stay without an answer.
const APPROVAL: u8 = 8;

const BLOCKS: Blocks = Blocks {
    texts: &["input_text", "output_text", "text", "refusal", "summary_text"],
    media: &["input_image", "input_file", "input_audio"],
    marks: &["prompt_cache_breakpoint"],
};

const SELF_CONTAINED: [&str; 6] = [
    "mcp_call",
    "mcp_list_tools",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
];

#[derive(Default)]
struct Members<'t> {
    kind: Option<alloc::borrow::Cow<'t, str>>,
    role: Option<alloc::borrow::Cow<'t, str>>,
    id: Option<Value>,
    call_id: Option<Value>,
    approval_id: Option<Value>,
    name: Option<Value>,
    content: Option<Value>,
    output: Option<Value>,
    input: Option<Value>,
    encrypted: bool,
    client: bool,
}

pub(super) fn read_item(r: &mut Reader<'_>, node: &Value) {
    let mut m = Members::default();
    for (key, value) in r.members(node) {
        match &*key {
            "type" => m.kind = r.string(&value),
            "role" => m.role = r.string(&value),
            "id" => m.id = Some(value),
            "call_id" => m.call_id = Some(value),
            "approval_request_id" => m.approval_id = Some(value),
            "name" => m.name = Some(value),
            "content" => m.content = Some(value),
            "arguments" | "input" => m.input = Some(value),
            "output" | "tools" => m.output = Some(value),
            "encrypted_content" => m.encrypted = !r.is_null(&value),
            "execution" => m.client = r.string(&value).as_deref() == Some("client"),
            _ => {}
        }
    }
    let kind = m.kind.as_deref().unwrap_or(if m.role.is_some() { "message" } else { "" });
    if kind == "message" {
        read_message(r, node, &m);
        return;
    }
    let pair = |which: fn(&Pair) -> &'static str| PAIRS.iter().position(|pair| which(pair) == kind);
    let (role, part, family) = if let Some(family) = pair(|pair| pair.call) {
        let family = u8::try_from(family).unwrap_or_default();
        // A tool search that the provider runs, and a request for approval, need no answer of the host.
        let server = family == TOOL_SEARCH && !m.client || family == APPROVAL;
        (Role::Assistant, if server { PartKind::ServerCall } else { PartKind::Call }, family)
    } else if let Some(family) = pair(|pair| pair.output) {
        let family = u8::try_from(family).unwrap_or_default();
        let (empty, blank_text) = result_body(r, m.output.as_ref(), "text");
        if family == TOOL_SEARCH && !m.client || family == APPROVAL {
            (if family == APPROVAL { Role::Tool } else { Role::Assistant }, PartKind::ServerResult, family)
        } else {
            (Role::Tool, PartKind::Result { error: false, empty, blank_text, wrong: false }, family)
        }
    } else {
        match kind {
            "reasoning" => (Role::Assistant, PartKind::Thinking, 0),
            "compaction" | "compaction_summary" => (Role::Assistant, PartKind::Compaction, 0),
            "compaction_trigger" => (Role::User, PartKind::CompactionTrigger, 0),
            "item_reference" => (Role::Unknown, PartKind::Reference, 0),
            kind if SELF_CONTAINED.contains(&kind) => (Role::Assistant, PartKind::Other, 0),
            "" => (Role::Unknown, PartKind::Wrong, 0),
            _ => (Role::Unknown, PartKind::Other, 0),
        }
    };
    let at = r.open(node, role);
    let id = m.id.and_then(|id| r.symbol(&id));
    if let Some(message) = r.messages.get_mut(at) {
        message.item_id = id;
    }
    let key = if family == APPROVAL { m.approval_id.or(m.id) } else { m.call_id };
    let paired = matches!(part, PartKind::Call | PartKind::ServerCall | PartKind::ServerResult) || part.is_result();
    let (link, id_span) = r.link(key.as_ref(), if paired { Link::Bad } else { Link::Order });
    let name = m.name.and_then(|name| r.symbol(&name));
    let body = m.output.as_ref().map(Span::from);
    // Functions and custom tools take text and give text or a list of blocks; the other kinds have shapes of their own.
    let ill_typed = family < 2
        && match part {
            PartKind::Call => m.input.is_some_and(|input| r.kind(&input) != Kind::String),
            PartKind::Result { .. } => {
                m.output.is_none_or(|output| !matches!(r.kind(&output), Kind::String | Kind::Array))
            }
            _ => false,
        };
    let part = r.push(Span::from(node), part);
    (part.link, part.id_span, part.name, part.family, part.signed, part.body, part.ill_typed) =
        (link, id_span, name, family, m.encrypted, body, ill_typed);
}

fn read_message(r: &mut Reader<'_>, node: &Value, m: &Members<'_>) {
    let role = match m.role.as_deref() {
        Some("system" | "developer") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => Role::Unknown,
    };
    let at = r.open(node, role);
    let id = m.id.and_then(|id| r.symbol(&id));
    if let Some(message) = r.messages.get_mut(at) {
        message.item_id = id;
    }
    if let Some(content) = &m.content {
        r.spoken(content, |r, block| BLOCKS.read(r, block));
    }
}
