//! Which result answers which call. By occurrence, not by a map of ids: ids come back in later turns.

use alloc::vec;
use alloc::vec::Vec;

use crate::wire::{Body, Link, Part, PartKind, Role};

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

/// Calls of one id, of the run of assistant messages that last used it, as a chain of parts.
#[derive(Clone, Copy, Default)]
struct Slot {
    run: usize,
    /// The first call without an answer, and the last call.
    open: Option<usize>,
    last: Option<usize>,
    /// The call that was answered last, and after which run that was.
    answered: Option<(usize, usize)>,
}

/// Slots by id or by name; only those in use take room.
struct Slots {
    /// One above the number of the slot, 0 for none: by id, by name, without either; the server's calls apart.
    numbers: Vec<u32>,
    slots: Vec<Slot>,
}

impl Slots {
    fn of(&mut self, part: &Part, server: bool) -> &mut Slot {
        let key = match part.link {
            Link::Id(id) => 2 * id.index() + 2,
            // Calls without an id are found by their name (Gemini).
            Link::Order => part.name.map_or(0, |name| 2 * name.index() + 3),
            // Broken ids: by their order alone.
            Link::Bad => 1,
        };
        let at = 2 * key + usize::from(server);
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, 0);
        }
        if self.numbers[at] == 0 {
            self.slots.push(Slot::default());
            self.numbers[at] = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        }
        // Its number is that of a slot.
        &mut self.slots[self.numbers[at] as usize - 1]
    }
}

impl Pairs {
    /// Pairs every call with its result in one pass.
    pub(crate) fn of(body: &Body) -> Pairs {
        let mut pairs = Pairs { answer: vec![None; body.parts.len()], tie: vec![None; body.parts.len()] };
        let mut slots = Slots { numbers: vec![0; 4 * (body.symbols.len() + 1)], slots: Vec::new() };
        // For a call the next one of its chain.
        let mut next: Vec<Option<usize>> = vec![None; body.parts.len()];
        let mut run = 0;
        let mut was_assistant = false;
        for message in &body.messages {
            let is_assistant = message.role == Role::Assistant;
            run += usize::from(is_assistant && !was_assistant);
            was_assistant = is_assistant;
            for at in message.first_part..message.end_part {
                let Some(part) = body.parts.get(at) else { continue };
                match part.kind {
                    PartKind::Call | PartKind::ServerCall => {
                        let slot = slots.of(part, part.kind == PartKind::ServerCall);
                        if slot.run != run {
                            // The id starts anew: what was open under it stays without an answer.
                            *slot = Slot { run, ..Slot::default() };
                        }
                        if let Some(last) = slot.last {
                            next[last] = Some(at);
                        }
                        (slot.open, slot.last) = (slot.open.or(Some(at)), Some(at));
                    }
                    PartKind::Result { .. } | PartKind::ServerResult => {
                        let slot = slots.of(part, part.kind == PartKind::ServerResult);
                        let tie = match (slot.open, slot.answered) {
                            (Some(call), _) => {
                                slot.open = next[call];
                                slot.answered = Some((call, run));
                                pairs.answer[call] = Some(at);
                                Tie::Answers(call)
                            }
                            // Without an id nothing ties a result of a later turn to the call of an earlier one.
                            (None, Some((call, then))) if matches!(part.link, Link::Id(_)) || then == run => {
                                Tie::Repeats(call)
                            }
                            _ => Tie::Orphan,
                        };
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
