//! What a worker hands back: findings with their sources, an explicit "looked and found nothing", a typed reason for
//! stopping, or silence, which is none of these.
//!
//! A worker that says nothing, a worker that found nothing and a worker that was stopped look alike once their answers
//! are text in a prompt. Here each is a kind of its own, read from what was returned alone; prose without a source is
//! uncheckable, and nothing that is optional ever means that nothing was found.

mod export;
mod fleet;
mod parse;
mod render;
mod wording;

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::offload::Offloads;
use crate::transcript::Transcript;

pub use export::{Feature, SessionFile, read_features, session_files};
pub use fleet::Fleet;

kinds! {
    /// What a worker handed back.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum HandoffKind;

    /// Findings, each with at least one source.
    Findings = 1, "findings";
    /// It looked, says where, and found nothing.
    Empty = 2, "empty";
    /// It stopped: the task was too big.
    TooBig = 3, "too_big";
    /// It failed.
    Failed = 4, "failed";
    /// It was not run.
    NotRun = 5, "not_run";
    /// It stopped: its tokens, steps or time were used up.
    OutOfBudget = 6, "out_of_budget";
    /// It returned nothing that can be seen.
    Silent = 7, "silent";
    /// It returned something, and none of the above.
    Uncheckable = 8, "uncheckable";
}

kinds! {
    /// Why an answer is uncheckable.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum HandoffProblem;

    /// It is not JSON, and holds no single fenced block that is: `offset` is where it stops being JSON.
    NotJson = 1, "not_json";
    /// It is JSON, and no object.
    NotAnObject = 2, "not_an_object";
    /// It has no `kind`, or one that there is not.
    UnknownKind = 3, "unknown_kind";
    /// A member stands twice.
    RepeatedMember = 4, "repeated_member";
    /// Findings without a finding.
    NoFindings = 5, "no_findings";
    /// A finding without a text: `index`.
    NoText = 6, "no_text";
    /// A finding without a source: `index`.
    NoSource = 7, "no_source";
    /// Nothing found, and nothing said of where it looked.
    NothingLooked = 8, "nothing_looked";
}

/// A finding of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What was found.
    pub text: String,
    /// Where: at least one.
    pub sources: Vec<String>,
}

/// A source of a finding that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Unresolved {
    /// Which finding, from 0.
    pub finding: usize,
    /// Its source.
    pub source: String,
}

/// What a worker handed back, read from its answer.
///
/// # Example: silence is not an empty answer
/// ```
/// use haversack::{Handoff, HandoffKind};
///
/// let found = r#"{"kind":"findings","findings":[{"text":"Port 8080 is open.","sources":["message 4"]}]}"#;
/// assert_eq!(Handoff::parse(Some(found), None, None).kind(), HandoffKind::Findings);
/// let nothing = r#"{"kind":"empty","looked":["logs","config"]}"#;
/// assert_eq!(Handoff::parse(Some(nothing), None, None).kind(), HandoffKind::Empty);
/// assert_eq!(Handoff::parse(Some(" \u{200b}\n"), None, None).kind(), HandoffKind::Silent);
/// assert_eq!(Handoff::parse(Some("All good!"), None, None).kind(), HandoffKind::Uncheckable);
/// assert_eq!(Handoff::parse(Some("1. Parser ok 2. Wri"), None, Some("max_tokens")).kind(), HandoffKind::OutOfBudget);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Handoff {
    kind: HandoffKind,
    findings: Vec<Finding>,
    looked: Vec<String>,
    reason: Option<String>,
    problem: Option<HandoffProblem>,
    offset: Option<usize>,
    index: Option<usize>,
    text: String,
}

impl Handoff {
    /// What was handed back.
    pub const fn kind(&self) -> HandoffKind {
        self.kind
    }

    /// The findings, each with at least one source. Of a worker that was stopped, those that it had returned in whole.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Where a worker looked that found nothing: at least one place.
    pub fn looked(&self) -> &[String] {
        &self.looked
    }

    /// Why it stopped, in its own words or those of the host.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Why it is uncheckable.
    pub const fn problem(&self) -> Option<HandoffProblem> {
        self.problem
    }

    /// Where the problem is: the byte of the text where it stops being JSON.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// Where the problem is: the number of the finding, from 0.
    pub const fn index(&self) -> Option<usize> {
        self.index
    }

    /// What was returned, as it came; empty where nothing was.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True for the two kinds that answer the question: findings, and an explicit nothing.
    pub const fn is_answer(&self) -> bool {
        matches!(self.kind, HandoffKind::Findings | HandoffKind::Empty)
    }

    /// The sources of findings that `resolves` says lead nowhere, in order.
    pub fn unresolved(&self, mut resolves: impl FnMut(&str) -> bool) -> Vec<Unresolved> {
        let mut out = Vec::new();
        for (finding, found) in self.findings.iter().enumerate() {
            let open = found.sources.iter().filter(|source| !resolves(source));
            out.extend(open.map(|source| Unresolved { finding, source: source.clone() }));
        }
        out
    }

    /// The sources of findings that name no message of the transcript and no key of the offloads, in order.
    pub fn unresolved_in(&self, transcript: Option<&Transcript>, offloads: Option<&Offloads>) -> Vec<Unresolved> {
        self.unresolved(|source| {
            transcript.is_some_and(|t| t.resolve(source).is_ok())
                || offloads.is_some_and(|o| o.lookup(source).is_some())
        })
    }

    /// Every member under its name as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

#[cfg(test)]
mod tests;
