//! Which result each call is to have, before anything is moved.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::draft::Draft;
use super::shape;
use crate::history::pair::Tie;
use crate::wire::{Link, Part, PartKind, Role, Symbol, WireFormat};

/// Calls and the results that they keep, by part.
pub(super) struct Plan {
    chosen: Vec<Option<usize>>,
    owner: Vec<Option<usize>>,
}

impl Plan {
    /// Pairs what the draft holds. Calls before message `live` are gone for the provider.
    pub(super) fn of(d: &Draft<'_>, live: usize) -> Plan {
        let parts = d.body.parts.len();
        let mut plan = Plan { chosen: vec![None; parts], owner: vec![None; parts] };
        let mut called = vec![false; parts];
        for slot in &d.slots {
            if slot.role == Role::Assistant && slot.source.is_none_or(|source| source >= live) {
                for call in d.blocks(slot).into_iter().filter_map(|block| d.call(block)) {
                    called[call] = true;
                }
            }
        }
        let runs = runs(d);
        for (at, part) in d.body.parts.iter().enumerate() {
            if !part.kind.is_result() || part.message < live {
                continue;
            }
            match d.pairs.tie(at) {
                Some(Tie::Answers(call) | Tie::Repeats(call)) if called[call] => plan.give(d, &runs, call, at),
                _ => {}
            }
        }
        plan.adopt_early(d, &called);
        if d.format() == WireFormat::Gemini {
            plan.adopt_by_name(d, &runs, &called);
        }
        plan
    }

    /// The result that this call keeps.
    pub(super) fn result_of(&self, call: usize) -> Option<usize> {
        self.chosen.get(call).copied().flatten()
    }

    /// The call that this result answers, first or again.
    pub(super) fn call_of(&self, result: usize) -> Option<usize> {
        self.owner.get(result).copied().flatten()
    }

    /// One more result for `call`. Of several the last that is no error stands; one from a later turn only for an
    /// error, since an id may have come back there.
    fn give(&mut self, d: &Draft<'_>, runs: &[usize], call: usize, result: usize) {
        self.owner[result] = Some(call);
        let Some(first) = self.chosen[call] else {
            self.chosen[call] = Some(result);
            return;
        };
        let raw = |at: usize| d.part(at).map_or("", |part| part.span.of(d.text));
        let run = |at: usize| d.part(at).and_then(|part| runs.get(part.message));
        let better = says_nothing(d, first) || run(first) == run(result);
        if better && !says_nothing(d, result) && raw(first) != raw(result) {
            self.chosen[call] = Some(result);
        }
    }

    /// A result that stands before its call: its id is called once and answered once, and a call or words of the user
    /// stand before it. At the front of a history it could be the result of a call that was cut away.
    fn adopt_early(&mut self, d: &Draft<'_>, called: &[bool]) {
        let mut uses: BTreeMap<(bool, Symbol), (usize, usize, usize)> = BTreeMap::new();
        // Where there are no ids, the name tells.
        let key = |part: &Part| match part.link {
            Link::Id(id) => Some((true, id)),
            Link::Order => part.name.map(|name| (false, name)),
            Link::Bad => None,
        };
        for (at, part) in d.body.parts.iter().enumerate() {
            let Some(id) = key(part) else { continue };
            let entry = uses.entry(id).or_default();
            if part.kind == PartKind::Call {
                (entry.0, entry.2) = (entry.0 + 1, at);
            } else if part.kind.is_result() {
                entry.1 += 1;
            }
        }
        let mut begun = false;
        for (at, part) in d.body.parts.iter().enumerate() {
            let speaks = matches!(part.kind, PartKind::Text(_) | PartKind::Media);
            let of_user = d.body.messages.get(part.message).is_some_and(|message| message.role == Role::User);
            begun |= part.kind == PartKind::Call || speaks && of_user;
            let Some(id) = key(part) else { continue };
            if !begun || !part.kind.is_result() || self.owner[at].is_some() {
                continue;
            }
            let Some(&(1, 1, call)) = uses.get(&id) else { continue };
            if call > at && called[call] && self.chosen[call].is_none() {
                self.owner[at] = Some(call);
                self.chosen[call] = Some(at);
            }
        }
    }

    /// Gemini takes responses without the ids that their calls have: then the name and the order tell.
    fn adopt_by_name(&mut self, d: &Draft<'_>, runs: &[usize], called: &[bool]) {
        let mut open: BTreeMap<(usize, Option<Symbol>), Vec<usize>> = BTreeMap::new();
        for (at, part) in d.body.parts.iter().enumerate().rev() {
            let Some(&run) = runs.get(part.message) else { continue };
            if part.kind == PartKind::Call && called[at] && self.chosen[at].is_none() {
                open.entry((run, part.name)).or_default().push(at);
            }
        }
        for (at, part) in d.body.parts.iter().enumerate() {
            let Some(&run) = runs.get(part.message) else { continue };
            if !part.kind.is_result() || self.owner[at].is_some() {
                continue;
            }
            let waiting = open.get_mut(&(run, part.name));
            let fits = |&call: &usize| {
                let Some(call) = d.part(call) else { return false };
                !(matches!(call.link, Link::Id(_)) && matches!(part.link, Link::Id(_)))
            };
            if let Some(call) = waiting.filter(|list| list.last().is_some_and(fits)).and_then(Vec::pop) {
                self.owner[at] = Some(call);
                self.chosen[call] = Some(at);
            }
        }
    }
}

/// An error, or the placeholder of an earlier repair in a format that has no flag for errors.
fn says_nothing(d: &Draft<'_>, result: usize) -> bool {
    let Some(part) = d.part(result) else { return false };
    let error = matches!(part.kind, PartKind::Result { error: true, .. });
    error || part.body.is_some_and(|body| body.of(d.text) == shape::quoted(crate::wording::NO_RESULT))
}

/// For every message how many runs of assistant messages began up to it.
fn runs(d: &Draft<'_>) -> Vec<usize> {
    let (mut run, mut was_assistant) = (0, false);
    let mut count = |role: Role| {
        let is_assistant = role == Role::Assistant;
        run += usize::from(is_assistant && !was_assistant);
        was_assistant = is_assistant;
        run
    };
    d.body.messages.iter().map(|message| count(message.role)).collect()
}
