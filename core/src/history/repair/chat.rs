//! OpenAI Chat: the messages right after one with calls are its results, one a call, and nothing else.

use alloc::vec::Vec;

use super::draft::{Block, Draft, Slot};
use super::stray::{Fate, Giver};
use crate::history::violation::ViolationKind;
use crate::wire::Role;

/// Puts every result behind its call.
pub(super) fn place(d: &mut Draft<'_>, giver: &mut Giver, sending: bool) {
    let slots = core::mem::take(&mut d.slots);
    let mut out = Vec::with_capacity(slots.len());
    // Nothing but results behind it: what is open there is in flight.
    let last = slots.iter().rposition(|slot| result_in(d, slot).is_none_or(|result| giver.leaves_words(result)));
    let mut at = 0;
    while let Some(slot) = slots.get(at) {
        let here = at;
        at += 1;
        let blocks = if slot.role == Role::Assistant { d.blocks(slot) } else { Vec::new() };
        let calls: Vec<usize> = blocks.iter().filter_map(|&block| listed_call(d, block)).collect();
        if calls.is_empty() {
            if result_in(d, slot).is_some() {
                loose(d, giver, slot, &mut out);
            } else {
                out.push(slot.clone());
            }
            continue;
        }
        let in_flight = !sending && last == Some(here);
        giver.open(&calls);
        push_call(d, giver, slot, blocks, in_flight, &mut out);
        let mut texts = Vec::new();
        while let Some((slot, result)) = slots.get(at).and_then(|slot| Some((slot, result_in(d, slot)?))) {
            at += 1;
            match giver.meet(d, result) {
                Fate::Here(result) => out.push(moved(d, result)),
                Fate::Text(blocks) => texts.push(Slot::split_off(slot.source, Role::User, blocks)),
                Fate::Gone => {}
            }
        }
        for result in giver.fetch(d, &calls, |_| ViolationKind::ResultNotAdjacent) {
            out.push(moved(d, result));
        }
        if !in_flight {
            let made = giver.make_up(d, &calls);
            out.extend(made.into_iter().map(|(_, block)| Slot::made(Role::Tool, [block].into())));
        }
        out.append(&mut texts);
    }
    d.slots = out;
}

/// The message that calls, without the calls that nothing answers when those go.
fn push_call(
    d: &mut Draft<'_>,
    giver: &Giver,
    slot: &Slot,
    mut blocks: Vec<Block>,
    in_flight: bool,
    out: &mut Vec<Slot>,
) {
    let mut slot = slot.clone();
    if !in_flight {
        let dropped: Vec<usize> =
            blocks.iter().filter_map(|&block| listed_call(d, block)).filter(|&call| giver.drops(d, call)).collect();
        if !dropped.is_empty() {
            blocks.retain(|&block| d.call(block).is_none_or(|call| dropped.binary_search(&call).is_err()));
            for &call in &dropped {
                Giver::tell_dropped(d, call);
            }
            let says = slot.source.and_then(|source| d.body.messages.get(source)).is_some_and(|m| m.says_otherwise);
            if blocks.is_empty() && !says {
                return;
            }
            d.fill(&mut slot, blocks);
        }
    }
    out.push(slot);
}

/// A result away from every call.
fn loose(d: &mut Draft<'_>, giver: &mut Giver, slot: &Slot, out: &mut Vec<Slot>) {
    let Some(result) = result_in(d, slot) else { return };
    if let Fate::Text(blocks) = giver.stray(d, result) {
        out.push(Slot::split_off(slot.source, Role::User, blocks));
    }
}

/// The result that a message is. Those of the legacy way are found by name, and nothing is known to refuse them.
fn result_in(d: &Draft<'_>, slot: &Slot) -> Option<usize> {
    let result = d.blocks(slot).into_iter().find_map(|block| d.result(block))?;
    d.part(result).filter(|part| part.family == 0 && slot.role == Role::Tool).map(|_| result)
}

fn listed_call(d: &Draft<'_>, block: Block) -> Option<usize> {
    d.call(block).filter(|&call| d.part(call).is_some_and(|part| part.family == 0))
}

/// The message of a result, whole.
pub(super) fn moved(d: &Draft<'_>, result: usize) -> Slot {
    Slot { source: d.part(result).map(|part| part.message), fresh: false, role: Role::Tool, own: None }
}
