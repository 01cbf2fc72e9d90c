//! Steps: what lives and dies together.

use alloc::vec::Vec;

use super::History;

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepKind {
    /// The system prompt, or a system message on the way.
    System,
    /// A message of the user that answers no call.
    User,
    /// One assistant turn with its reasoning, its text, all its calls and all their results.
    Assistant,
    /// Anything else: an orphan result, an unknown item.
    Other,
}

impl StepKind {
    /// `system`, `user`, `assistant` or `other`.
    pub const fn name(self) -> &'static str {
        match self {
            StepKind::System => "system",
            StepKind::User => "user",
            StepKind::Assistant => "assistant",
            StepKind::Other => "other",
        }
    }
}

/// A step: the messages `from..to`, with the calls in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// Its first message.
    pub from: usize,
    /// One past its last message.
    pub to: usize,
    /// Calls that the host answers.
    pub calls: usize,
    /// Those of them without a result: in flight when the step is the last one.
    pub open: usize,
}

impl History<'_> {
    /// The steps, in order; together they are all messages.
    ///
    /// Results far from their call do not widen a step: [`violations`](History::violations) tells of them.
    pub fn steps(&self) -> Vec<Step> {
        Vec::new()
    }
}
