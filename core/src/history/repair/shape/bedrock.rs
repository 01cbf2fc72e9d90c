//! Bedrock: an error result must have content.

use alloc::string::String;

use super::{Unanswered, id_of};

pub(super) fn result(call: &Unanswered, said: &str) -> String {
    let id = id_of(call);
    alloc::format!(
        "{{\"toolResult\":{{\"toolUseId\":{id},\"content\":[{{\"text\":\"{said}\"}}],\"status\":\"error\"}}}}"
    )
}
