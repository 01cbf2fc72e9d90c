//! Every text of ours that can enter a prompt. Changing one is a breaking change.

/// What stands in for text of white space only: "no output" is a statement, silence is none.
pub(crate) const NO_OUTPUT: &str = "(no output)";

// Offload and readback.

/// In a pointer: how to read the result back, with a tool that the request has.
pub(crate) fn read_back(reader: &str, key: &str, at: Option<&str>) -> alloc::string::String {
    match at {
        Some(at) => alloc::format!("call {reader} with key {key} and at {at}"),
        None => alloc::format!("call {reader} with key {key}"),
    }
}

/// To a model that named a key this run does not have. At most 32 scalar values of it are quoted, escaped.
pub(crate) fn unknown_key(key: &str) -> alloc::string::String {
    alloc::format!("no result of this run is stored under the key \"{}\"", quoted_part(key))
}

pub(crate) const READ_TOOL: &str = "Read a stored tool result back, page by page. A result that was too large is shown \
as {\"offloaded\":true,...,\"key\":...}: pass that key. Every page says what it holds of how much, and the cursor of \
the next one.";
pub(crate) const FIND_TOOL: &str = "Search a stored tool result for a text and see the lines around each match, with \
their numbers and the total of matches. Exact text, no patterns.";
pub(crate) const PARAMETER_KEY: &str = "The key of the stored result, exactly as its pointer gives it.";
pub(crate) const PARAMETER_CURSOR: &str = "Where to go on: the next of an earlier page, unchanged.";
pub(crate) const PARAMETER_AT: &str = "JSON pointer to a string inside the result, such as /stdout: its lines are read.";
pub(crate) const PARAMETER_START: &str = "First line to read, counted from 1. Reads by lines.";
pub(crate) const PARAMETER_LINES: &str = "How many lines to read, 100 by default. Reads by lines.";
pub(crate) const PARAMETER_NEEDLE: &str = "The text to look for.";
pub(crate) const PARAMETER_CONTEXT: &str = "Lines to show around each match, 2 by default.";
pub(crate) const PARAMETER_LIMIT: &str = "Matches to show at most, 20 by default.";

/// To a model that called a tool which is none of the readers.
pub(crate) fn unknown_tool(name: &str) -> alloc::string::String {
    alloc::format!("there is no tool \"{}\"", quoted_part(name))
}

/// To a model that invented an argument.
pub(crate) fn unknown_argument(name: &str) -> alloc::string::String {
    alloc::format!("there is no argument \"{}\"", quoted_part(name))
}

/// To a model whose call failed: one line, bounded.
pub(crate) fn readback_error(error: &crate::Error) -> alloc::string::String {
    let line = alloc::format!("error: {}: {error}", error.kind().name());
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(240).collect()
}

/// At most 32 scalar values of a text from outside, escaped.
fn quoted_part(text: &str) -> alloc::string::String {
    let mut shown: alloc::string::String = text.chars().take(32).flat_map(char::escape_debug).collect();
    if text.chars().nth(32).is_some() {
        shown.push('…');
    }
    shown
}
