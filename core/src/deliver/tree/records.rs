//! The records of one list in the order in which they are delivered, from either end.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::json::{Child, Children};

/// A record and its position in the list's order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) at: usize,
    pub(crate) child: Child,
}

/// Records still to be considered: streamed from the input, or (sorted, maps) in an order of their own.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    front: Front<'a>,
    ahead: Option<Record>,
    /// The last records, when the tail is wanted.
    back: VecDeque<Record>,
    /// Positions served: half-open.
    at: usize,
    end: usize,
}

#[derive(Debug)]
enum Front<'a> {
    Input(Children<'a>),
    Ordered(Vec<Child>),
}

impl<'a> Records<'a> {
    /// Records `from..to` of a list in input order.
    pub(crate) fn input(mut children: Children<'a>, from: usize, to: usize) -> Self {
        if from > 0 {
            let _ = children.nth(from - 1);
        }
        Records { front: Front::Input(children), ahead: None, back: VecDeque::new(), at: from, end: to }
    }

    /// Records `from..to` of a list in the order given.
    pub(crate) fn ordered(order: Vec<Child>, from: usize, to: usize) -> Self {
        Records { front: Front::Ordered(order), ahead: None, back: VecDeque::new(), at: from, end: to }
    }

    /// Keeps the last records at hand: as many as weigh `room` together by `weight`, and one more.
    pub(crate) fn with_tail(mut self, room: usize, mut weight: impl FnMut(&Child) -> usize) -> Self {
        let mut sum = 0usize;
        let mut weights: VecDeque<usize> = VecDeque::new();
        let mut add = |at: usize, child: Child, back: &mut VecDeque<Record>| {
            let w = weight(&child).min(room).max(1);
            sum += w;
            weights.push_back(w);
            back.push_back(Record { at, child });
            while weights.front().is_some_and(|w| sum - w > room) {
                sum -= weights.pop_front().unwrap_or(0);
                back.pop_front();
            }
        };
        match &self.front {
            Front::Input(children) => {
                for (i, child) in children.clone().take(self.end - self.at).enumerate() {
                    add(self.at + i, child, &mut self.back);
                }
            }
            Front::Ordered(order) => {
                for (i, child) in order.iter().enumerate().take(self.end).skip(self.at) {
                    add(i, *child, &mut self.back);
                }
            }
        }
        self
    }

    /// The records are served in an order that is not the input's.
    pub(crate) const fn is_ordered(&self) -> bool {
        matches!(self.front, Front::Ordered(_))
    }

    /// Source bytes of the records at positions `from..to`, without what separates them; of those whose order is known.
    pub(crate) fn bytes_of(&self, from: usize, to: usize) -> usize {
        match &self.front {
            Front::Input(_) => 0,
            Front::Ordered(order) => {
                let some = order.get(from.min(order.len())..to.min(order.len())).unwrap_or_default();
                some.iter().map(|c| c.node.end - c.key.0).sum()
            }
        }
    }

    /// How many are still to be considered.
    pub(crate) const fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    pub(crate) fn peek_front(&mut self) -> Option<Record> {
        if self.at >= self.end {
            return None;
        }
        if self.ahead.is_none() {
            let child = match &mut self.front {
                Front::Input(children) => children.next()?,
                Front::Ordered(order) => *order.get(self.at)?,
            };
            self.ahead = Some(Record { at: self.at, child });
        }
        self.ahead
    }

    pub(crate) fn pop_front(&mut self) {
        if self.peek_front().is_some() {
            self.ahead = None;
            self.at += 1;
        }
    }

    pub(crate) fn peek_back(&self) -> Option<Record> {
        let last = self.back.back()?;
        (last.at + 1 == self.end && last.at >= self.at).then_some(*last)
    }

    pub(crate) fn pop_back(&mut self) {
        if self.peek_back().is_some() {
            self.back.pop_back();
            self.end -= 1;
        }
    }
}
