//! OpenAI Chat: a result is a message of its own. There is no flag for errors.

use alloc::string::String;

use super::{Unanswered, id_of};

pub(super) fn result(call: &Unanswered, said: &str) -> String {
    if call.family == 1 {
        let name = call.name.as_deref().unwrap_or("\"\"");
        return alloc::format!("{{\"role\":\"function\",\"name\":{name},\"content\":\"{said}\"}}");
    }
    alloc::format!("{{\"role\":\"tool\",\"tool_call_id\":{},\"content\":\"{said}\"}}", id_of(call))
}
