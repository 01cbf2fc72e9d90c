//! Every text of ours that can enter a prompt. Changing one is a breaking change.

/// What stands in for text of white space only: "no output" is a statement, silence is none.
pub(crate) const NO_OUTPUT: &str = "(no output)";

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
