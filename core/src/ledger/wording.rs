//! Every text of ours that a ledger puts into a prompt. Changing one is a breaking change.

use alloc::format;
use alloc::string::String;

use super::FactKind;

/// The heading of a ledger; a count of what was left out may follow.
pub(super) const HEADING: &str = "# Facts";
/// Where nothing was recorded.
pub(super) const NONE: &str = "\nnone recorded yet";
/// The heading of what changed.
pub(super) const NEWS: &str = "# Facts, new or changed (the last line on a key holds)";
/// How a line starts, with the line feed before it.
pub(super) const LINE: &str = "\n- ";
/// Between the key and its value.
pub(super) const IS: &str = ": ";
/// Between a key of several values and one of them.
pub(super) const INCLUDES: &str = " includes: ";
/// Behind the source of a fact that was checked.
pub(super) const VERIFIED: &str = ", verified";

pub(super) fn turn(turn: u64) -> String {
    format!(", turn {turn}")
}

/// The rule, for the host.
pub(super) const RULE: &str = "constraints, then decisions, tasks, identifiers and facts; of one kind the newest first; \
a line larger than half the budget is passed over, the first other one that does not fit ends the choice";

/// Behind the heading: how many are left out, by kind in the order of [`FactKind::ALL`].
pub(super) fn left_out(left: &[u64], total: u64, short: bool) -> String {
    let all: u64 = left.iter().sum();
    if all == 0 {
        return String::new();
    }
    if short {
        return format!(" ({all} of {total} left out)");
    }
    let mut out = format!(" ({all} of {total} left out by kind and age: ");
    let mut first = true;
    for (kind, count) in FactKind::ALL.iter().zip(left).filter(|(_, count)| **count > 0) {
        let plural = if *count == 1 { "" } else { "s" };
        out.push_str(&format!("{}{count} {}{plural}", if first { "" } else { ", " }, kind.name()));
        first = false;
    }
    out.push(')');
    out
}

/// What stands for a result whose fields were recorded: the keys are quoted already.
pub(super) fn extracted(keys: &str, bytes: usize) -> String {
    format!("[recorded as facts: {keys}; the result of {bytes} bytes is not repeated]")
}
