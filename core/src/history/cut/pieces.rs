//! The choice of a window where counts add up: every message that may stay is counted once, and no window as a whole.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::History;
use crate::measure::{Estimate, Piece};

/// The messages of a history as pieces of a list, counted as they are asked for.
pub(super) struct Pieces<'h> {
    history: &'h History<'h>,
    known: Vec<Option<Piece<'h>>>,
    /// For texts where two pieces meet.
    seam: String,
}

impl<'h> Pieces<'h> {
    pub(super) fn of(history: &'h History<'h>) -> Pieces<'h> {
        Pieces { history, known: vec![None; history.len()], seam: String::new() }
    }

    /// Nothing for a message that has no seam.
    fn piece(&mut self, index: usize) -> Option<Piece<'h>> {
        let known = self.known.get_mut(index)?;
        if known.is_none() {
            *known = Piece::of(self.history.body.messages.get(index)?.span.of(&self.history.text));
        }
        *known
    }

    fn count(&mut self, parts: [&str; 3]) -> u64 {
        self.seam.clear();
        self.seam.extend(parts);
        Estimate::thousandths(&self.seam)
    }

    /// What stands between two neighbours of a list, or before the first one.
    fn between(&mut self, before: Option<usize>, next: usize) -> Option<u64> {
        let head = self.piece(next)?.head;
        let (tail, mark) = match before {
            Some(before) => (self.piece(before)?.tail, ","),
            None => ("", "["),
        };
        Some(self.count([tail, mark, head]))
    }

    /// How much the list is from `index` to its end, for every index from the end on as long as that is at most
    /// `enough`; what is behind the last one is more. In thousandths of a token, without what stands before `index`.
    fn windows(&mut self, enough: u64) -> Option<(usize, Vec<u64>)> {
        let n = self.known.len();
        let mut sizes = vec![0; n];
        let Some(last) = n.checked_sub(1) else { return Some((0, sizes)) };
        let tail = self.piece(last)?.tail;
        let mut size = self.count([tail, "]", ""]);
        let mut at = n;
        while at > 0 {
            let between = if at < n { self.between(Some(at - 1), at)? } else { 0 };
            size += between + self.piece(at - 1)?.inner;
            if size > enough {
                break;
            }
            at -= 1;
            sizes[at] = size;
        }
        Some((at, sizes))
    }

    /// The size of the whole list when it is at most `limit` tokens: `Some(None)` when it is more, nothing where counts
    /// do not add up.
    pub(super) fn whole(&mut self, limit: usize) -> Option<Option<usize>> {
        if self.known.is_empty() {
            return None;
        }
        let enough = thousands(limit);
        let (from, sizes) = self.windows(enough)?;
        let Some(&size) = sizes.first().filter(|_| from == 0) else { return Some(None) };
        let size = size + self.between(None, 0)?;
        Some((size <= enough).then(|| tokens(size)))
    }

    /// For each of `starts`, in order: the size of the window from there, with the messages of `front` (in order) that
    /// stand before it, when it is at most `limit` tokens.
    pub(super) fn fits(&mut self, starts: &[usize], front: &[usize], limit: usize) -> Option<Vec<Option<usize>>> {
        let enough = thousands(limit);
        let (from, windows) = self.windows(enough)?;
        // The front up to each of its messages.
        let mut fronts: Vec<u64> = Vec::with_capacity(front.len());
        let mut before = None;
        for &index in front {
            let size = fronts.last().copied().unwrap_or(0) + self.between(before, index)? + self.piece(index)?.inner;
            fronts.push(size);
            before = Some(index);
            if size > enough {
                break;
            }
        }
        let mut sizes = Vec::with_capacity(starts.len());
        for &start in starts {
            let passed = front.partition_point(|&index| index < start);
            let last = passed.checked_sub(1);
            let before = match last {
                // It alone is too large.
                Some(last) if last >= fronts.len() => None,
                Some(last) => fronts.get(last).copied(),
                None => Some(0),
            };
            let size = match (before, windows.get(start)) {
                (Some(before), Some(&window)) if start >= from => {
                    Some(before + self.between(last.and_then(|last| front.get(last)).copied(), start)? + window)
                }
                _ => None,
            };
            sizes.push(size.filter(|&size| size <= enough).map(tokens));
        }
        Some(sizes)
    }
}

const fn thousands(limit: usize) -> u64 {
    (limit as u64).saturating_mul(1000)
}

const fn tokens(thousandths: u64) -> usize {
    thousandths.div_ceil(1000) as usize
}
