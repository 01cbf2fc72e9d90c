//! Where a history may be cut, and why not elsewhere.

use alloc::vec;
use alloc::vec::Vec;

use super::super::History;
use super::super::violation::ViolationKind;
use super::places::Places;

kinds! {
    /// Why no cut may stand at an index.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum CutRefusal;

    /// It is inside the system prompt, or past the end.
    OutOfRange = 1, "out_of_range";
    /// A call before it has its result after it, or is still in flight; or reasoning stands before what it led to.
    InsideStep = 2, "inside_step";
    /// The window would open with a message that may not be first.
    OpensBadly = 3, "opens_badly";
    /// Thinking that is kept is bound to what is dropped. [`cut`](History::cut) may choose the index and strips it.
    BoundThinking = 4, "bound_thinking";
    /// Items that are kept carry server ids of a turn whose reasoning is dropped. [`cut`](History::cut) may choose the
    /// index and strips them.
    BoundItems = 5, "bound_items";
    /// The window would open with a step that is itself broken.
    BrokenStep = 6, "broken_step";
}

impl History<'_> {
    /// The indices at which the history may be cut: system prompt + `messages[i..]` holds no violation that the whole
    /// does not, and nothing has to be stripped.
    ///
    /// The first of them drops nothing. The end is none: a history without its last user message is no history.
    /// Whether signed thinking is bound to all that stands before it is the model's rule: name the model in the
    /// request, else no rule is known and none is kept.
    ///
    /// Cost: linear in messages and blocks, for all indices together.
    pub fn safe_cuts(&self) -> Vec<usize> {
        let refusals = self.cut_refusals();
        (0..self.len()).filter(|&i| refusals.get(i).is_some_and(Option::is_none)).collect()
    }

    /// Those of them that hold in every format: message `i` is a plain user message.
    pub fn portable_cuts(&self) -> Vec<usize> {
        let places = Places::of(self);
        let refusals = self.refusals(&places);
        (0..self.len()).filter(|&i| places.get(i).plain_user && refusals.get(i).is_some_and(Option::is_none)).collect()
    }

    /// Why `index` is not among [`safe_cuts`](History::safe_cuts); none when it is.
    ///
    /// Cost: that of all indices; for all of them ask [`cut_refusals`](History::cut_refusals).
    pub fn cut_refusal(&self, index: usize) -> Option<CutRefusal> {
        self.cut_refusals().get(index).copied().unwrap_or(Some(CutRefusal::OutOfRange))
    }

    /// For each message why no cut may stand before it; none where it may.
    pub fn cut_refusals(&self) -> Vec<Option<CutRefusal>> {
        self.refusals(&Places::of(self))
    }

    pub(super) fn refusals(&self, places: &Places) -> Vec<Option<CutRefusal>> {
        let broken = self.broken_steps(places);
        (0..self.len())
            .map(|i| {
                let place = places.get(i);
                if i < places.head {
                    Some(CutRefusal::OutOfRange)
                } else if place.inside {
                    Some(CutRefusal::InsideStep)
                } else if !place.opens {
                    Some(CutRefusal::OpensBadly)
                } else if places.binds_thinking(i) {
                    Some(CutRefusal::BoundThinking)
                } else if place.bound_items {
                    Some(CutRefusal::BoundItems)
                } else if !place.plain_user && broken.get(i).copied().unwrap_or_default() {
                    Some(CutRefusal::BrokenStep)
                } else {
                    None
                }
            })
            .collect()
    }

    /// For each message whether the step that starts there holds a violation. A window may open with a user message
    /// whatever is wrong later, but not with a step that the provider would refuse.
    fn broken_steps(&self, places: &Places) -> Vec<bool> {
        let mut broken = vec![false; self.len()];
        let mut twice = false;
        for violation in self.violations(false) {
            // That one is about no step.
            if violation.kind == ViolationKind::TooManyMessages {
                continue;
            }
            if let Some(broken) = broken.get_mut(violation.index) {
                *broken = true;
            }
            twice |= violation.kind == ViolationKind::DuplicateItemId;
        }
        if twice {
            self.mark_first_bearers(&mut broken);
        }
        for i in (0..broken.len().saturating_sub(1)).rev() {
            broken[i] |= broken[i + 1] && !places.is_start(i + 1);
        }
        broken
    }

    /// Of items with the same id the first is as much at fault as the second, which alone is reported.
    fn mark_first_bearers(&self, broken: &mut [bool]) {
        let mut first = vec![None; self.body.symbols.len()];
        for (i, message) in self.body.messages.iter().enumerate() {
            let Some(id) = message.item_id else { continue };
            match first.get(id.index()).copied().flatten() {
                None => first[id.index()] = Some(i),
                Some(bearer) => broken[bearer] = true,
            }
        }
    }
}
