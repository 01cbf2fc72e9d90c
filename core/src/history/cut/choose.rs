//! The largest window that fits.

use alloc::vec::Vec;

use super::super::History;
use super::measure::{Measure, sums};
use super::pieces::Pieces;
use super::places::{Places, binds_thinking};
use super::plan::{Plan, Rewritten};
use super::protect::{Range, Seams};
use super::strip::{has_server_id, without_id, without_thinking};
use super::{CutRefusal, reduce};
use crate::error::Error;
use crate::wire::{Role, WireFormat};

/// What was chosen.
pub(super) struct Chosen {
    /// The first message kept for its place.
    pub(super) index: usize,
    pub(super) kept: Vec<Range>,
    pub(super) plan: Plan,
    pub(super) size: usize,
    pub(super) reduced: Vec<super::Reduced>,
}

/// Everything that decides about a window.
pub(super) struct Choice<'c> {
    pub(super) history: &'c History<'c>,
    pub(super) places: &'c Places,
    pub(super) seams: &'c Seams<'c>,
    pub(super) protected: &'c [Range],
    pub(super) measure: Measure<'c>,
}

impl Choice<'_> {
    /// The ranges that a cut at `index` keeps.
    fn kept(&self, index: usize) -> Vec<Range> {
        let n = self.history.len();
        let mut kept: Vec<Range> = Vec::with_capacity(self.protected.len() + 2);
        let front = core::iter::once((0, self.places.head)).chain(self.protected.iter().copied());
        for (from, to) in front.map(|(from, to)| (from, to.min(index))).chain([(index, n)]) {
            match kept.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ if from < to => kept.push((from, to)),
                _ => {}
            }
        }
        kept
    }

    /// The indices at which the window may start, the one that keeps most first.
    ///
    /// The last of them keeps nothing but what is protected.
    fn starts(&self) -> Vec<usize> {
        let head = self.places.head;
        let last = self.protected.last().map_or(self.history.len(), |&(from, _)| from);
        let first = self.compaction_start().map_or(head, |start| start.min(last)).max(head + 1);
        let mut refusals = None;
        let mut starts = Vec::new();
        let mut passed = 0;
        for i in first..last {
            while self.protected.get(passed).is_some_and(|&(from, _)| from < i) {
                passed += 1;
            }
            let range = passed.checked_sub(1).and_then(|range| self.protected.get(range));
            let before = range.map(|&(_, to)| to.min(i) - 1);
            // What is protected up to here keeps the same from its own start.
            let follows = before.is_some_and(|before| before + 1 == i);
            if follows || !self.places.is_start(i) || !self.seams.holds(before, i) {
                continue;
            }
            if before.is_none() {
                let refusals = refusals.get_or_insert_with(|| self.history.refusals(self.places));
                if refusals.get(i).copied().flatten() == Some(CutRefusal::BrokenStep) {
                    continue;
                }
            }
            starts.push(i);
        }
        starts.push(last);
        starts
    }

    /// Where what is protected around the last compaction begins. A window that starts later loses what it says, one
    /// that starts earlier keeps what nobody reads.
    fn compaction_start(&self) -> Option<usize> {
        let k = self.places.compaction?;
        self.protected.iter().find(|&&(from, to)| from <= k && k < to).map(|&(from, _)| from)
    }

    /// The window to keep, by `pieces` where counts add up and no message is changed; none when not even what is
    /// protected leaves anything out.
    ///
    /// # Errors
    /// What the counter says; `budget_too_small` when what is protected does not fit even with its results reduced.
    pub(super) fn best(&self, pieces: Option<&mut Pieces<'_>>) -> Result<Option<Chosen>, Error> {
        let starts = self.starts();
        if let Some(sizes) = pieces.and_then(|pieces| self.sizes_in_pieces(pieces, &starts)) {
            return self.best_of(&starts, &sizes);
        }
        let mut found = None;
        let mut fits = |at: usize| -> Result<Option<usize>, Error> {
            let Some(&index) = starts.get(at) else {
                return Ok(None);
            };
            let kept = self.kept(index);
            let plan = Plan::of(self.history, self.places, &kept, &Rewritten::new());
            let size = self.measure.fits(&plan.texts(self.history))?;
            if let Some(size) = size {
                found = Some(Chosen { index, kept, plan, size, reduced: Vec::new() });
            }
            Ok(size)
        };
        // The compaction of the server comes first, for what it is.
        let from_compaction = self.compaction_start().is_some_and(|start| starts.first() == Some(&start));
        if !(from_compaction && fits(0)?.is_some()) {
            let sizes = self.sizes(&starts)?;
            let first_within = |limit| sizes.iter().position(|&size| size <= limit).unwrap_or(sizes.len());
            let mut guess = first_within(self.measure.limit());
            // Tokens of a whole are fewer than those of its messages, here as in the windows near by.
            if self.measure.is_counted()
                && let (Some(size), Some(&sum)) = (fits(guess)?, sizes.get(guess))
                && sum > size
            {
                guess = first_within(self.measure.limit().saturating_add(sum - size));
            }
            // Only ids that were taken off between protected messages are not in the weights.
            let exact = !self.measure.is_counted() && self.history.format() != WireFormat::OpenAiResponses;
            search(starts.len(), guess, exact, &mut |at| Ok(fits(at)?.is_some()))?;
        }
        if found.is_some() {
            return Ok(found);
        }
        let index = starts.last().copied().unwrap_or_default();
        reduce::to_fit(self.history, self.places, self.measure, index, self.kept(index))
    }

    /// The sizes of the windows from these starts that fit, counted piece by piece; nothing where that cannot be.
    fn sizes_in_pieces(&self, pieces: &mut Pieces<'_>, starts: &[usize]) -> Option<Vec<Option<usize>>> {
        let head = 0..self.places.head;
        let front: Vec<usize> = head.chain(self.protected.iter().flat_map(|&(from, to)| from..to)).collect();
        pieces.fits(starts, &front, self.measure.limit())
    }

    /// As [`best`](Choice::best), of windows whose sizes are known.
    fn best_of(&self, starts: &[usize], sizes: &[Option<usize>]) -> Result<Option<Chosen>, Error> {
        let from_compaction = self.compaction_start().is_some_and(|start| starts.first() == Some(&start));
        let at = match sizes.first() {
            Some(Some(_)) if from_compaction => 0,
            _ => sizes.iter().rposition(Option::is_none).map_or(0, |too_large| too_large + 1),
        };
        if let (Some(&index), Some(&Some(size))) = (starts.get(at), sizes.get(at)) {
            let kept = self.kept(index);
            let plan = Plan::of(self.history, self.places, &kept, &Rewritten::new());
            return Ok(Some(Chosen { index, kept, plan, size, reduced: Vec::new() }));
        }
        let index = starts.last().copied().unwrap_or_default();
        reduce::to_fit(self.history, self.places, self.measure, index, self.kept(index))
    }

    /// How large the windows from these starts are by the weights of their messages; of those that are too large
    /// whatever else is kept, only that they are.
    fn sizes(&self, starts: &[usize]) -> Result<Vec<usize>, Error> {
        let (history, n) = (self.history, self.history.len());
        let strips = binds_thinking(history) && self.places.last_bound.is_some();
        let whole_until = match self.protected.first() {
            Some(&(from, to)) if from == self.places.head => to,
            _ => self.places.head,
        };
        let weigh = |i: usize| {
            let stripped = if strips && i >= whole_until { without_thinking(history, i) } else { None };
            self.measure.weight(stripped.as_deref().or(history.message(i)).unwrap_or_default())
        };
        // From the end to where the window alone is too large, and some more where the whole is less than its sum. What
        // is taken off may make any window fit.
        let limit = self.measure.limit();
        let enough = if self.measure.is_counted() { limit.saturating_add(limit / 16) } else { limit };
        let shrinks = history.format() == WireFormat::OpenAiResponses && !self.measure.is_counted();
        let mut weights = alloc::vec![0; n];
        let (mut from, mut window) = (n, 0_usize);
        while from > 0 && (shrinks || window <= enough) {
            from -= 1;
            weights[from] = weigh(from)?;
            window = window.saturating_add(weights[from]);
        }
        for (start, end) in core::iter::once((0, self.places.head)).chain(self.protected.iter().copied()) {
            for (i, weight) in weights.iter_mut().enumerate().take(end.min(from)).skip(start) {
                *weight = weigh(i)?;
            }
        }
        let savings = self.savings(&weights)?;
        let kept = |i: usize| i < self.places.head;
        let mut is_protected: Vec<bool> = (0..n).map(kept).collect();
        for &(from, to) in self.protected {
            is_protected.get_mut(from..to).unwrap_or_default().fill(true);
        }
        let all = sums(weights.iter().copied());
        let front = sums(weights.iter().zip(&is_protected).map(|(&weight, &kept)| if kept { weight } else { 0 }));
        let total = all.last().copied().unwrap_or_default();
        let size = |&i: &usize| {
            let size = self.measure.frame() + front[i] + (total - all[i]);
            if i < from { usize::MAX } else { size.saturating_sub(savings.get(i).copied().unwrap_or(0)) }
        };
        Ok(starts.iter().map(size).collect())
    }

    /// What stripped ids take off a window that starts at each index.
    fn savings(&self, weights: &[usize]) -> Result<Vec<usize>, Error> {
        let history = self.history;
        if history.format() != WireFormat::OpenAiResponses || self.measure.is_counted() {
            return Ok(Vec::new());
        }
        let mut savings = alloc::vec![0_usize; weights.len()];
        let mut saved = 0_usize;
        for i in (0..weights.len()).rev() {
            let role = history.body.messages.get(i).map_or(Role::Unknown, |message| message.role);
            if role == Role::User || super::places::is_reasoning(history, i) {
                saved = 0;
            } else if has_server_id(history, i) {
                let text = without_id(history, i);
                let shorter = self.measure.weight(text.as_deref().unwrap_or_default())?;
                saved += weights[i].saturating_sub(shorter);
            }
            if self.places.get(i).bound_items {
                savings[i] = saved;
            }
        }
        Ok(savings)
    }
}

/// Finds the first of `count` that fits, from a guess, which may be known to be `exact`. Sizes fall from one to the
/// next, or nearly so. Asks about `2 log2(distance)` times; what was found last is the answer.
fn search(
    count: usize,
    guess: usize,
    exact: bool,
    fits: &mut impl FnMut(usize) -> Result<bool, Error>,
) -> Result<(), Error> {
    let last = count.saturating_sub(1);
    let at = guess.min(last);
    // `low` does not fit (or is before the first), `high` does.
    let (mut low, mut high);
    if fits(at)? {
        if exact {
            return Ok(());
        }
        high = at;
        let mut step = 1;
        loop {
            if high == 0 {
                return Ok(());
            }
            let next = high.saturating_sub(step);
            if !fits(next)? {
                low = next;
                break;
            }
            high = next;
            step *= 2;
        }
    } else {
        low = at;
        let mut step = 1;
        loop {
            if low >= last {
                return Ok(());
            }
            let next = low.saturating_add(step).min(last);
            if fits(next)? {
                high = next;
                break;
            }
            low = next;
            step *= 2;
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(())
}
