//! How much a list of kept messages is.

use alloc::string::String;
use alloc::vec::Vec;

use super::KeepAtMost;
use crate::error::{Error, ErrorKind};

/// What is kept at most, and how it is counted: the text of the list, or its messages.
#[derive(Clone, Copy)]
pub(super) struct Measure<'a>(pub(super) KeepAtMost<'a>);

impl Measure<'_> {
    pub(super) const fn limit(&self) -> usize {
        match self.0 {
            KeepAtMost::Size(budget) => budget.limit(),
            KeepAtMost::Messages(limit) => limit,
        }
    }

    /// True when the weights of messages only estimate the size of a list of them.
    pub(super) const fn is_counted(&self) -> bool {
        match self.0 {
            KeepAtMost::Size(budget) => budget.is_counted(),
            KeepAtMost::Messages(_) => false,
        }
    }

    /// True when the built-in estimate measures, whose counts add up.
    pub(super) fn is_estimate(&self) -> bool {
        matches!(self.0, KeepAtMost::Size(budget) if budget.estimate().is_some())
    }

    /// What one message adds to a list.
    pub(super) fn weight(&self, message: &str) -> Result<usize, Error> {
        match self.0 {
            // A comma is one unit of each; tokens of neighbours run together more than they grow.
            KeepAtMost::Size(budget) => Ok(budget.size(message)? + usize::from(!budget.is_counted())),
            KeepAtMost::Messages(_) => Ok(1),
        }
    }

    /// What a list has beside its messages.
    pub(super) fn frame(&self) -> usize {
        match self.0 {
            // Two brackets, and one comma less than messages.
            KeepAtMost::Size(budget) => usize::from(!budget.is_counted()),
            KeepAtMost::Messages(_) => 0,
        }
    }

    /// The size of the JSON list of these messages, without white space between them.
    pub(super) fn list(&self, messages: &[&str]) -> Result<usize, Error> {
        match self.0 {
            KeepAtMost::Messages(_) => Ok(messages.len()),
            KeepAtMost::Size(budget) if budget.is_counted() => budget.size(&joined(messages)),
            KeepAtMost::Size(_) if messages.is_empty() => Ok(2),
            KeepAtMost::Size(_) => {
                messages.iter().try_fold(self.frame(), |sum, message| Ok(sum + self.weight(message)?))
            }
        }
    }

    /// As [`list`](Measure::list) when it fits, else none; counters may stop early.
    pub(super) fn fits(&self, messages: &[&str]) -> Result<Option<usize>, Error> {
        if let KeepAtMost::Size(budget) = self.0
            && budget.is_counted()
        {
            return budget.fits(&joined(messages));
        }
        let size = self.list(messages)?;
        Ok((size <= self.limit()).then_some(size))
    }

    pub(super) fn too_small(&self, needed: usize) -> Error {
        match self.0 {
            KeepAtMost::Size(budget) => Error::budget_too_small(needed, budget.limit(), budget.unit()),
            KeepAtMost::Messages(limit) => {
                let message = alloc::format!("budget too small: needed {needed} messages, {limit} available");
                Error::new(ErrorKind::BudgetTooSmall, message).counts(needed, limit)
            }
        }
    }
}

fn joined(messages: &[&str]) -> String {
    let mut text = String::with_capacity(messages.iter().map(|message| message.len() + 1).sum::<usize>() + 2);
    text.push('[');
    for (i, message) in messages.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        text.push_str(message);
    }
    text.push(']');
    text
}

/// Sums of the weights of all messages before each index.
pub(super) fn sums(weights: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sums = Vec::with_capacity(weights.size_hint().0 + 1);
    let mut sum = 0_usize;
    sums.push(0);
    for weight in weights {
        sum = sum.saturating_add(weight);
        sums.push(sum);
    }
    sums
}
