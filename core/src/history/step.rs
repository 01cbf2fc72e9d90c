//! Steps: what lives and dies together.

use alloc::vec::Vec;

use super::History;
use super::pair::Tie;
use crate::wire::{PartKind, Role, WireFormat};

kinds! {
    /// What a step is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum StepKind;

    /// The system prompt, or a system message on the way.
    System = 1, "system";
    /// A message of the user that answers no call.
    User = 2, "user";
    /// One assistant turn with its reasoning, its text, all its calls and all their results.
    Assistant = 3, "assistant";
    /// Anything else: an orphan result, an unknown item.
    Other = 4, "other";
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
    /// Results far from their call do not widen a step: [`violations`](History::violations) tells of them. Messages of
    /// a role, and items of a kind, that the format does not know are steps of their own.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let breaks = self.breaks();
        let mut at = 0;
        while let Some(message) = self.body.messages.get(at) {
            let (kind, to) = match message.role {
                Role::System => (StepKind::System, self.run_of(at, Role::System)),
                Role::Assistant => (StepKind::Assistant, self.step_end(at, &breaks)),
                Role::User if !self.holds_result(at) => (StepKind::User, at + 1),
                Role::User | Role::Tool | Role::Unknown => (StepKind::Other, at + 1),
            };
            let (mut calls, mut open) = (0, 0);
            for part in self.parts_between(at, to) {
                if self.body.parts.get(part).is_some_and(|part| part.kind == PartKind::Call) {
                    calls += 1;
                    open += usize::from(self.pairs.answer(part).is_none());
                }
            }
            steps.push(Step { kind, from: at, to, calls, open });
            at = to;
        }
        steps
    }

    fn run_of(&self, from: usize, role: Role) -> usize {
        let run = self.body.messages.iter().skip(from).take_while(|message| message.role == role).count();
        from + run.max(1)
    }

    /// One past the last message of the step that the assistant opens at `from`: its run of messages, then those that
    /// hold results of its calls. Where every call is an item of its own, calls and results may take turns.
    fn step_end(&self, from: usize, breaks: &[usize]) -> usize {
        let mut to = self.run_of(from, Role::Assistant);
        // One past the last result of the calls so far, of those with nobody else in between.
        let reach = breaks.get(from).copied().unwrap_or(0);
        let mut due = self.answered_until(from, to, reach);
        while let Some(message) = self.body.messages.get(to) {
            let goes_on = match message.role {
                Role::Tool | Role::User => self.answers_within(to, from),
                // A call between results of the step it belongs to.
                Role::Assistant => to < due,
                Role::System | Role::Unknown => false,
            };
            if !goes_on {
                break;
            }
            due = due.max(self.answered_until(to, to + 1, reach));
            to += 1;
        }
        to
    }

    /// The parts of the messages `from..to`, by number.
    fn parts_between(&self, from: usize, to: usize) -> core::ops::Range<usize> {
        let first = self.body.messages.get(from).map_or(0, |message| message.first_part);
        let end = to.checked_sub(1).and_then(|last| self.body.messages.get(last)).map_or(first, |last| last.end_part);
        first..end
    }

    fn holds_result(&self, message: usize) -> bool {
        self.body.parts_of(message).iter().any(|part| part.kind.is_result())
    }

    /// Whether a message holds a result of a call in a message from `first` on.
    fn answers_within(&self, message: usize, first: usize) -> bool {
        self.parts_between(message, message + 1).any(|at| match self.pairs.tie(at) {
            Some(Tie::Answers(call) | Tie::Repeats(call)) => {
                self.body.parts.get(call).is_some_and(|call| call.message >= first)
            }
            _ => false,
        })
    }

    /// One past the last message before `reach` that answers a call of `from..to`.
    fn answered_until(&self, from: usize, to: usize, reach: usize) -> usize {
        let answers = self.parts_between(from, to).filter_map(|call| self.pairs.answer(call));
        let messages = answers.filter_map(|answer| self.body.parts.get(answer)).map(|part| part.message + 1);
        messages.filter(|&message| message <= reach).max().unwrap_or(0)
    }

    /// For every item the next one that is neither the model's nor a result; nothing where calls are no items.
    fn breaks(&self) -> Vec<usize> {
        if self.body.format != WireFormat::OpenAiResponses {
            return Vec::new();
        }
        let mut next = self.body.messages.len();
        let backwards = self.body.messages.iter().enumerate().rev().map(|(index, message)| {
            if !matches!(message.role, Role::Assistant | Role::Tool) {
                next = index;
            }
            next
        });
        let mut breaks: Vec<usize> = backwards.collect();
        breaks.reverse();
        breaks
    }
}
