//! Every text of ours that can enter a prompt. Changing one is a breaking change.

use crate::json::is_plain_number;

/// What stands in for text of white space only: "no output" is a statement, silence is none.
pub(crate) const NO_OUTPUT: &str = "(no output)";

// Repair of histories.

/// The result of a call whose run was interrupted.
pub(crate) const NO_RESULT: &str = "[no result: interrupted]";
/// The text of an error result that says nothing.
pub(crate) const NO_ERROR_TEXT: &str = "[error without text]";
/// The answer of an assistant that never came, for servers that want one.
pub(crate) const NO_ANSWER: &str = "[no answer: interrupted]";
/// A user turn where a history would start with the assistant.
pub(crate) const NO_OPENING: &str = "[the conversation starts here]";
/// A user turn where a request would end with the assistant.
pub(crate) const GO_ON: &str = "[continue]";
/// Before the text of a result that was kept without its call.
pub(crate) const STRAY_RESULT: &str = "[tool result, its call is not in this conversation]";

/// What stands in for an assistant message of thinking only, when the thinking had to go.
pub(crate) const THINKING_REMOVED: &str = "[thinking removed]";

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

/// A character that shows nothing of itself and can reorder or hide what stands around it: C0, C1, bidi, zero width,
/// line and paragraph separators, tags.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text from outside as it stands in a notice that is no JSON: what is hidden as `\u{…}`.
pub(crate) fn escaped(text: &str) -> alloc::borrow::Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return alloc::borrow::Cow::Borrowed(text);
    }
    let mut out = alloc::string::String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    alloc::borrow::Cow::Owned(out)
}

/// At most 32 scalar values of a text from outside, escaped.
pub(crate) fn quoted_part(text: &str) -> alloc::string::String {
    let mut shown: alloc::string::String = text.chars().take(32).flat_map(char::escape_debug).collect();
    if text.chars().nth(32).is_some() {
        shown.push('…');
    }
    shown
}

/// Between two pieces of a rendered prompt.
pub(crate) const BETWEEN_PIECES: &str = "\n\n";

// Notices of JSON. Paths are raw: in the escapes of the keys they come from.

/// The member that tells what is missing.
pub(crate) const NOTICE: &str = "_omitted";

/// A raw path as a cursor spells it.
pub(crate) fn cursor_name(path: &str) -> alloc::string::String {
    path.replace(',', "~3").replace(';', "~4")
}

/// A raw path as text.
pub(crate) fn decoded(path: &str) -> alloc::string::String {
    crate::json::decode_key(&alloc::format!("\"{path}\""))
}

/// The longest entry of a list of `total` records.
pub(crate) fn entry_widest(path: &str, total: usize, with_cursor: bool) -> alloc::string::String {
    let mut entry = alloc::format!("\"{path}\":{{\"total\":{total},\"kept\":{total}");
    if with_cursor {
        entry.push_str(&alloc::format!(",\"next\":\"{}@{total}\"", cursor_name(path)));
    }
    entry.push_str("},");
    entry
}

/// The longest entry of a list or object that broke off at that byte.
pub(crate) fn broken_entry_widest(path: &str, count: usize, at: usize) -> alloc::string::String {
    alloc::format!("\"{path}\":{{\"total\":null,\"kept\":{count},\"shrunk\":{count},\"malformed_at\":{at}}},")
}

/// The entry of a string that was shortened, as it stands in the notice before the next one.
pub(crate) fn string_entry(path: &str, next: Option<&str>) -> alloc::string::String {
    let next = next.map_or_else(alloc::string::String::new, |next| alloc::format!(",\"next\":\"{next}\""));
    alloc::format!("\"{path}\":{{\"total\":1,\"kept\":0,\"shrunk\":1{next}}},")
}

/// The longest such entry of a string of that many units.
pub(crate) fn string_entry_widest(path: &str, units: usize) -> alloc::string::String {
    string_entry(path, Some(&alloc::format!("{}@{units}+{units}..{units}", cursor_name(path))))
}

/// The longest entry of a pattern, whose counts are sums over records of a text of that many bytes.
pub(crate) fn pattern_widest(path: &str, bytes: usize) -> alloc::string::String {
    alloc::format!("\"{path}\":{{\"total\":{bytes},\"kept\":{bytes}}},")
}

/// The longest mark of a list inside a record.
pub(crate) fn mark_widest(rel: &str, total: usize) -> alloc::string::String {
    alloc::format!("\"{rel}\":\"{total} of {total}\",")
}

pub(crate) fn mark(kept: usize, total: usize) -> alloc::string::String {
    alloc::format!("{kept} of {total}")
}

/// `N of M`, when a mark says exactly that.
pub(crate) fn read_mark(text: &str) -> Option<(usize, usize)> {
    let (kept, total) = text.split_once(" of ")?;
    let number = |t: &str| {
        if t.len() <= 15 && is_plain_number(t) { t.parse::<usize>().ok() } else { None }
    };
    let (kept, total) = (number(kept)?, number(total)?);
    (kept <= total).then_some((kept, total))
}

pub(crate) fn shrunk_widest(total: usize) -> alloc::string::String {
    alloc::format!(",\"shrunk\":{total}")
}

/// What one more gap adds to a cursor.
pub(crate) fn gap_widest(path: &str, total: usize) -> alloc::string::String {
    alloc::format!(",{}@{total}..{total}", if path.is_empty() { "rows" } else { path })
}

/// A long string: how many scalar values of its middle are missing.
pub(crate) fn chars_omitted(chars: usize) -> alloc::string::String {
    alloc::format!("…[{chars} chars omitted]…")
}

/// That mark at the start of a text: its number and its length in bytes.
pub(crate) fn read_chars_omitted(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(CHARS_OMITTED.0)?;
    let (digits, _) = rest.split_once(CHARS_OMITTED.1)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && digits.len() <= 15 && !digits.starts_with('0');
    let chars = if plain { digits.parse().ok()? } else { return None };
    Some((chars, CHARS_OMITTED.0.len() + digits.len() + CHARS_OMITTED.1.len()))
}

/// A string of many lines: how many of them are missing, and how many scalar values that is.
pub(crate) fn lines_omitted(lines: usize, of: usize, chars: usize) -> alloc::string::String {
    alloc::format!("\n[{lines} of {of} lines, {chars} chars omitted]\n")
}

/// A list that stands in a list and did not fit.
pub(crate) fn list_label(items: usize, chars: usize) -> alloc::string::String {
    alloc::format!("[list, {items} items, {chars} chars]")
}

/// Binary data in a string.
pub(crate) fn blob_label(kind: &str, bytes: usize) -> alloc::string::String {
    alloc::format!("[{kind}, {bytes} bytes, base64 omitted]")
}

/// Whether a text is exactly one of these two labels.
pub(crate) fn is_label(text: &str) -> bool {
    let number = |t: &str| t.len() <= 15 && is_plain_number(t);
    let Some(inner) = text.strip_prefix('[') else { return false };
    if let Some(counts) = inner.strip_prefix("list, ").and_then(|t| t.strip_suffix(" chars]")) {
        return counts.split_once(" items, ").is_some_and(|(items, chars)| number(items) && number(chars));
    }
    let Some((kind, bytes)) = inner.strip_suffix(" bytes, base64 omitted]").and_then(|t| t.rsplit_once(", ")) else {
        return false;
    };
    number(bytes) && kind.len() <= 64 && kind.bytes().all(|b| b.is_ascii_alphanumeric() || b"/+.-;=".contains(&b))
}

/// Cursors longer than this are not repeated in a hint.
pub(crate) const HINT_CURSOR: usize = 64;

/// The longest hint of these options.
pub(crate) fn hint_widest(options: &crate::DeliverOptions<'_>) -> alloc::string::String {
    match (options.hint, options.reader) {
        (Some(hint), _) => hint.into(),
        (None, Some(reader)) => call_reader(reader, &"0".repeat(HINT_CURSOR)),
        (None, None) => alloc::string::String::new(),
    }
}

// ---- Notices of lines and rows: `[270 of 933 lines not shown: 41-310; 1 shortened; source kept; HINT]`,
// `[lines 41-140 of 933; HINT]`, `# 88 of 118 rows not shown; HINT` (the last ones; others with ranges as lines have
// them), `# rows 31-60 of 118; HINT`, `# 12 rows shown, total unknown: malformed at byte 345; HINT`.

/// What a notice calls the records: plural.
pub(crate) const LINES: &str = "lines";
/// The same for CSV and TSV.
pub(crate) const ROWS: &str = "rows";
/// After `N of T lines`.
pub(crate) const NOT_SHOWN: &str = " not shown";
/// After that for rows, when it is not known which they are: without any of this the last ones are missing.
pub(crate) const RANGES_UNKNOWN: &str = ": …";
/// After `N rows` of salvaged input: the offset follows.
pub(crate) const SHOWN_BEFORE_BREAK: &str = " shown, total unknown: malformed at byte ";
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

/// How the first line of NDJSON starts when something was cut: the total follows.
pub(crate) const NDJSON_OPEN: &str = "{\"_omitted\":{\"\":{\"total\":";
/// The total of salvaged input.
pub(crate) const NO_TOTAL: &str = "null";
