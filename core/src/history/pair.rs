//! Which result answers which call. By occurrence, not by a map of ids: ids come back in later turns.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::wire::{Body, Link, PartKind, Role, Symbol};

/// What a result is tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    /// The first answer to this call (a part).
    Answers(usize),
    /// One more answer to this call, which has one already.
    Repeats(usize),
    /// No call before it has its id.
    Orphan,
}

/// The pairs of a history, by part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// For a call: the part that first answers it.
    answer: Vec<Option<usize>>,
    /// For a result: what it is tied to.
    tie: Vec<Option<Tie>>,
}

/// Calls of one id, of the run of assistant messages that last used it.
#[derive(Default)]
struct Slot {
    run: usize,
    open: Vec<usize>,
    taken: usize,
    /// The call that was answered last, and after which run that was.
    last_answered: Option<(usize, usize)>,
}

impl Pairs {
    /// Pairs every call with its result in one pass.
    pub(crate) fn of(body: &Body) -> Pairs {
        let mut pairs = Pairs { answer: vec![None; body.parts.len()], tie: vec![None; body.parts.len()] };
        // By id, and server calls apart from the host's.
        let mut by_id: BTreeMap<(Symbol, bool), Slot> = BTreeMap::new();
        // Calls without an id are found by their name (Gemini), or by their order alone where ids are broken.
        let mut by_name: BTreeMap<(Option<Symbol>, bool), Slot> = BTreeMap::new();
        let mut run = 0;
        let mut was_assistant = false;
        for message in &body.messages {
            let is_assistant = message.role == Role::Assistant;
            run += usize::from(is_assistant && !was_assistant);
            was_assistant = is_assistant;
            for at in message.first_part..message.end_part {
                let Some(part) = body.parts.get(at) else { continue };
                let server = matches!(part.kind, PartKind::ServerCall | PartKind::ServerResult);
                let slot = match part.link {
                    Link::Id(id) => by_id.entry((id, server)).or_default(),
                    Link::Order => by_name.entry((part.name, server)).or_default(),
                    Link::Bad => by_name.entry((None, server)).or_default(),
                };
                match part.kind {
                    PartKind::Call | PartKind::ServerCall => slot.call(at, run),
                    PartKind::Result { .. } | PartKind::ServerResult => {
                        let tie = slot.answer(run, part.link != Link::Order);
                        if let Tie::Answers(call) = tie {
                            pairs.answer[call] = Some(at);
                        }
                        pairs.tie[at] = Some(tie);
                    }
                    _ => {}
                }
            }
        }
        pairs
    }

    /// The part that answers this call.
    pub(crate) fn answer(&self, call: usize) -> Option<usize> {
        self.answer.get(call).copied().flatten()
    }

    /// What this result is tied to; nothing for other parts.
    pub(crate) fn tie(&self, result: usize) -> Option<Tie> {
        self.tie.get(result).copied().flatten()
    }
}

impl Slot {
    fn call(&mut self, at: usize, run: usize) {
        if self.run != run {
            // The id starts anew: what was open under it stays without an answer.
            *self = Slot { run, ..Slot::default() };
        }
        self.open.push(at);
    }

    fn answer(&mut self, run: usize, by_id: bool) -> Tie {
        if let Some(&call) = self.open.get(self.taken) {
            self.taken += 1;
            self.last_answered = Some((call, run));
            return Tie::Answers(call);
        }
        match self.last_answered {
            // Without an id nothing ties a result of a later turn to the call of an earlier one.
            Some((call, then)) if by_id || then == run => Tie::Repeats(call),
            _ => Tie::Orphan,
        }
    }
}
