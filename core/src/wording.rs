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

/// In a preview: lines that are not shown.
pub(crate) fn excerpt_lines(missing: usize, total: usize) -> alloc::string::String {
    alloc::format!("[{missing} of {total} lines omitted]")
}

/// In a preview: characters that are not shown, between what is.
pub(crate) fn excerpt_chars(missing: usize, after_head: bool, before_tail: bool) -> alloc::string::String {
    let (left, right) = (if after_head { "…" } else { "" }, if before_tail { "…" } else { "" });
    alloc::format!("{left}[{missing} chars omitted]{right}")
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
pub(crate) const PARAMETER_AT: &str = "JSON pointer to a string inside the result, such as /stdout: its lines are read. Without \
it the one that the pointer of the result names, if any.";
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

// ---- Notices of lines and rows: `[270 of 933 lines not shown: 41-310; 1 shortened; source kept; HINT]`,
// `[lines 41-140 of 933; HINT]`, `# 88 of 118 rows not shown; HINT`, `# rows 31-60 of 118; HINT`.

/// What a notice calls the records: plural.
pub(crate) const LINES: &str = "lines";
/// The same for CSV and TSV.
pub(crate) const ROWS: &str = "rows";
/// After `N of T lines`.
pub(crate) const NOT_SHOWN: &str = " not shown";
/// After a number of records that were cut and carry their own mark.
pub(crate) const SHORTENED: &str = " shortened";
/// A page of rows for whose header there was no room.
pub(crate) const NO_HEADER: &str = "header not shown";
/// The host still has the original.
pub(crate) const SOURCE_KEPT: &str = "source kept";
/// The host has it no more.
pub(crate) const SOURCE_GONE: &str = "source gone";
/// Stands for more ranges than are listed.
pub(crate) const MORE_RANGES: &str = ", …";
/// Starts and ends the mark in a shortened text; the number of scalar values stands between.
pub(crate) const CHARS_OMITTED: (&str, &str) = ("…[", " chars omitted]…");

/// The hint when the host named a reading tool.
pub(crate) fn call_reader(reader: &str, cursor: &str) -> alloc::string::String {
    alloc::format!("call {reader} with cursor {cursor}")
}

/// The line that stands for repeats of the one above it (`collapse`).
pub(crate) fn repeats(more: usize) -> alloc::string::String {
    alloc::format!("[the line above repeats {more} more {}]", if more == 1 { "time" } else { "times" })
}

/// What a page says that starts at the end.
pub(crate) fn nothing_left(what: &str, total: usize) -> alloc::string::String {
    alloc::format!("no {what} left of {total}")
}

/// Where in a long line a page starts: behind the range.
pub(crate) fn from_character(line: usize, character: usize) -> alloc::string::String {
    alloc::format!(", line {line} from character {character}")
}

/// The first line of what `find` answers: which of the matches are shown.
pub(crate) fn matches(from: usize, to: usize, total: usize, lines: usize) -> alloc::string::String {
    if total == 0 {
        alloc::format!("no matches in {lines} lines")
    } else if from >= to {
        alloc::format!("0 of {total} matches in {lines} lines shown")
    } else {
        alloc::format!("matches {}-{to} of {total} in {lines} lines", from + 1)
    }
}
