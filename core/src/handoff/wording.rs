//! Every text of ours that a handoff puts into a prompt or a file. Changing one is a breaking change.

use alloc::format;
use alloc::string::String;

use super::HandoffKind;

/// The heading of a handoff: what kind it is, in words that cannot be taken for another.
pub(super) fn heading(kind: HandoffKind) -> &'static str {
    match kind {
        HandoffKind::Findings => "# Handoff: findings of a worker, each with its sources",
        HandoffKind::Empty => "# Handoff: a worker looked and found nothing",
        HandoffKind::TooBig => "# Handoff: a worker stopped, the task was too big; what it did not reach is not known",
        HandoffKind::Failed => "# Handoff: a worker failed; what there is is not known",
        HandoffKind::NotRun => "# Handoff: a worker was not run; what there is is not known",
        HandoffKind::OutOfBudget => {
            "# Handoff: a worker stopped, its budget was used up; what it did not reach is not known"
        }
        HandoffKind::Silent => "# Handoff: a worker said nothing, which is not the same as finding nothing",
        HandoffKind::Uncheckable => "# Handoff: a worker answered without sources, so nothing of it can be relied on",
    }
}

/// How a line starts, with the line feed before it.
pub(super) const LINE: &str = "\n- ";
/// Before a place that was searched, and before the reason for a stop.
pub(super) const LOOKED: &str = "looked in ";
/// See [`LOOKED`].
pub(super) const REASON: &str = "reason: ";
/// Before the sources of a finding.
pub(super) const SOURCES: &str = " (sources: ";

pub(super) fn left_out(left: u64, total: u64) -> String {
    if left == 0 { String::new() } else { format!(" ({left} of {total} left out)") }
}

/// The rule, for the host.
pub(super) const RULE: &str = "in the order of the worker; the first that does not fit ends it";

/// The headings of a progress file.
pub(super) fn progress(date: &str) -> String {
    format!("# Progress, {date}\n")
}
/// See [`progress`].
pub(super) const GOAL: &str = "\n## Goal\n";
/// See [`progress`].
pub(super) const DONE: &str = "\n## Done\n";
/// See [`progress`].
pub(super) const NEXT: &str = "\n## Next\n";
/// See [`progress`].
pub(super) const FEATURES: &str = "\n## Features\n";
/// Under a heading with nothing to say.
pub(super) const NONE: &str = "none\n";
