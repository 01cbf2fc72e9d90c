//! The text of a note: what holds now, measured against the section as it is replayed.

use alloc::string::String;
use alloc::vec::Vec;

use super::lines::hunks;
use crate::prompt::wording;

/// The note that makes `current` win over `frozen`. It states the whole difference, so that it is right whatever became
/// of earlier notes; where that would be longer than the text, it states the text.
pub(super) fn text(name: &str, version: u64, frozen: &str, current: &str) -> String {
    let mut out = wording::note_opening(name, version);
    if current == frozen {
        out.push_str(wording::AS_WRITTEN);
    } else if current.is_empty() {
        out.push_str(wording::NOTHING);
    } else {
        let whole = in_full(current);
        let changes = if frozen.is_empty() { None } else { changes(frozen, current, whole.len()) };
        if let Some(changes) = changes {
            out.push_str(wording::AS_WRITTEN_BUT);
            out.push_str(&changes);
        } else {
            out.push_str(wording::IN_FULL);
            out.push_str(&whole);
        }
    }
    out.push_str(wording::NOTE_END);
    out
}

fn in_full(current: &str) -> String {
    let mut out = String::with_capacity(current.len() + 64);
    for line in current.split('\n') {
        put(&mut out, wording::WHOLE, line);
    }
    out
}

/// The lines that differ, each under its place; nothing when that takes `most` bytes or more.
fn changes(frozen: &str, current: &str, most: usize) -> Option<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (frozen.split('\n').collect(), current.split('\n').collect());
    let mut out = String::new();
    for hunk in hunks(&old, &new) {
        out.push_str(&wording::place(hunk.old.0 + 1, hunk.old.1 - hunk.old.0));
        for line in &old[hunk.old.0..hunk.old.1] {
            put(&mut out, wording::REMOVED, line);
        }
        for line in &new[hunk.new.0..hunk.new.1] {
            put(&mut out, wording::ADDED, line);
        }
        if out.len() >= most {
            return None;
        }
    }
    Some(out)
}

fn put(out: &mut String, prefix: &str, line: &str) {
    out.push_str(prefix);
    out.push_str(line);
    out.push('\n');
}
