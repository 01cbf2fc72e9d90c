//! Anthropic: a result is a block of a user message and can say that it is an error.

use alloc::string::String;

use super::{Unanswered, id_of};

pub(super) fn result(call: &Unanswered, said: &str) -> String {
    let id = id_of(call);
    alloc::format!("{{\"type\":\"tool_result\",\"tool_use_id\":{id},\"content\":\"{said}\",\"is_error\":true}}")
}
