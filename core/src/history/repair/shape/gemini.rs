//! Gemini: a response echoes the id if the call had one, and the name always.

use alloc::string::String;

use super::Unanswered;

pub(super) fn result(call: &Unanswered, said: &str) -> String {
    let mut out = String::from("{\"functionResponse\":{");
    if let Some(id) = &call.id {
        out.push_str(&alloc::format!("\"id\":{id},"));
    }
    let name = call.name.as_deref().unwrap_or("\"\"");
    out.push_str(&alloc::format!("\"name\":{name},\"response\":{{\"error\":\"{said}\"}}}}}}"));
    out
}
