//! Which format a list of messages is, from the shapes that only one format has.

use super::WireFormat;
use super::item::Reader;
use crate::json::{Kind, Value};

/// What a list says about its format: the first message that tells each of them.
#[derive(Default)]
pub(super) struct Evidence {
    told_at: [Option<usize>; 5],
}

impl Evidence {
    fn tell(&mut self, format: WireFormat, at: usize) {
        let place = &mut self.told_at[index_of(format)];
        *place = place.or(Some(at));
    }

    /// The formats that something in the list tells, with where it first does.
    pub(super) fn formats(&self) -> impl Iterator<Item = (WireFormat, usize)> + '_ {
        WireFormat::ALL.iter().copied().filter_map(|format| Some((format, self.told_at[index_of(format)]?)))
    }
}

fn index_of(format: WireFormat) -> usize {
    WireFormat::ALL.iter().position(|&other| other == format).unwrap_or_default()
}

/// Looks at every message for shapes that no other format has.
pub(super) fn evidence(r: &Reader<'_>, list: &Value) -> Evidence {
    let mut found = Evidence::default();
    for (at, child) in r.children(list).enumerate() {
        for (key, value) in r.members(&child) {
            match &*key {
                "parts" => found.tell(WireFormat::Gemini, at),
                "tool_calls" | "tool_call_id" | "function_call" if !r.is_null(&value) => {
                    found.tell(WireFormat::OpenAiChat, at);
                }
                "role" if matches!(r.string(&value).as_deref(), Some("tool" | "function")) => {
                    found.tell(WireFormat::OpenAiChat, at);
                }
                // Chat messages have no type.
                "type" if r.kind(&value) == Kind::String => found.tell(WireFormat::OpenAiResponses, at),
                "content" if r.kind(&value) == Kind::Array => blocks(r, &value, at, &mut found),
                _ => {}
            }
        }
    }
    found
}

fn blocks(r: &Reader<'_>, list: &Value, at: usize, found: &mut Evidence) {
    for child in r.children(list) {
        let mut is_bedrock = false;
        let mut kind = None;
        for (key, value) in r.members(&child) {
            match &*key {
                "type" => kind = r.string(&value),
                "toolUse" | "toolResult" | "reasoningContent" | "cachePoint" => is_bedrock = true,
                _ => {}
            }
        }
        match kind.as_deref() {
            Some(
                "tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "server_tool_use" | "mcp_tool_use"
                | "compaction" | "document" | "image" | "search_result" | "container_upload",
            ) => found.tell(WireFormat::Anthropic, at),
            Some(kind) if kind.ends_with("_tool_result") => found.tell(WireFormat::Anthropic, at),
            Some("input_text" | "output_text" | "input_image" | "input_file") => {
                found.tell(WireFormat::OpenAiResponses, at);
            }
            Some("image_url" | "input_audio" | "file" | "refusal") => found.tell(WireFormat::OpenAiChat, at),
            // A block without a type is named by its one member.
            None if is_bedrock || r.count(&child) == 1 => found.tell(WireFormat::Bedrock, at),
            Some(_) | None => {}
        }
    }
}
