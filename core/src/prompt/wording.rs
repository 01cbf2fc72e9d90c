//! Every text of ours that enters a prompt beside its pieces: the notes of frozen sections. Changing one is a breaking
//! change. Lines of a section stand behind a prefix (`- `, `+ `, `| `), so that no line of it can pass for one of ours.

use alloc::format;
use alloc::string::String;

use crate::wording::escaped;

/// How a note starts: which section, which version of it, and that this one wins.
pub(super) fn note_opening(name: &str, version: u64) -> String {
    let name = escaped(name);
    format!(
        "[Update of the section \"{name}\", version {version}: it wins over the section as written above and over earlier \
         updates of it."
    )
}

/// After the opening, when only some lines differ.
pub(super) const AS_WRITTEN_BUT: &str = " The current version is the section as written above with these changes:\n";
/// After the opening, when the whole text is repeated.
pub(super) const IN_FULL: &str = " The current version in full; what it does not say no longer holds:\n";
/// After the opening, when the section holds again as it was written.
pub(super) const AS_WRITTEN: &str =
    " The current version is the section as written above, unchanged; earlier updates of it no longer hold.";
/// After the opening, when nothing of the section holds any more.
pub(super) const NOTHING: &str = " The section was removed: what it says no longer holds, and nothing replaces it.";
/// How a note ends.
pub(super) const NOTE_END: &str = "]";

/// Before a line of the section that no longer holds, one that holds now, and one of a text in full.
pub(super) const REMOVED: &str = "- ";
/// See [`REMOVED`].
pub(super) const ADDED: &str = "+ ";
/// See [`REMOVED`].
pub(super) const WHOLE: &str = "| ";

/// Where a change stands: the lines of the section as written, counted from 1.
pub(super) fn place(first: usize, count: usize) -> String {
    match count {
        0 if first == 1 => String::from("before line 1:\n"),
        0 => format!("after line {}:\n", first - 1),
        1 => format!("line {first}:\n"),
        _ => format!("lines {first}-{}:\n", first + count - 1),
    }
}
