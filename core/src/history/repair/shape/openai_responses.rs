//! OpenAI Responses: each kind of call has its own kind of output.

use alloc::string::String;

use super::{Unanswered, id_of};
use crate::wire::PAIRS;

pub(super) fn result(call: &Unanswered, said: &str) -> Option<String> {
    let pair = PAIRS.get(usize::from(call.family))?;
    let id = id_of(call);
    // Where a plain output answers too, it is the one that can hold a text.
    let kind = if pair.lenient { "function_call_output" } else { pair.output };
    let output = match kind {
        "shell_call_output" => alloc::format!(
            "[{{\"stdout\":\"\",\"stderr\":\"{said}\",\"outcome\":{{\"type\":\"exit\",\"exit_code\":1}}}}]"
        ),
        "apply_patch_call_output" => alloc::format!("\"{said}\",\"status\":\"failed\""),
        // A screenshot cannot be made up.
        "computer_call_output" => return None,
        _ => alloc::format!("\"{said}\""),
    };
    Some(alloc::format!("{{\"type\":\"{kind}\",\"call_id\":{id},\"output\":{output}}}"))
}
