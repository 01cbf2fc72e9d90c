//! OpenAI Responses: an output stands in the same stretch of calls, outputs and reasoning as its call.

use alloc::vec;
use alloc::vec::Vec;

use super::chat::moved;
use super::draft::{Draft, Slot};
use super::stray::{Fate, Giver};
use crate::history::violation::ViolationKind;
use crate::wire::{PartKind, Role};

/// What an item is for the place of outputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Call(usize),
    Output(usize),
    /// Reasoning, a tool of the provider: a stretch goes on over it.
    Beside,
    /// A message or anything else: a stretch ends.
    Other,
}

/// Puts every output behind its call.
pub(super) fn place(d: &mut Draft<'_>, giver: &mut Giver, sending: bool) {
    let slots = core::mem::take(&mut d.slots);
    let items: Vec<Item> = slots.iter().map(|slot| item(d, slot)).collect();
    let stretches = stretches(d, &items);
    // What is open in the last stretch is in flight.
    let mut last = items.iter().rposition(|item| *item == Item::Other);
    let stretch = items.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
    let leaves = |item: &Item| matches!(item, Item::Output(result) if giver.leaves_words(*result));
    if !d.body.request.stateful && stretch.iter().any(leaves) {
        last = Some(items.len());
    }
    // Words that come out of a stretch stand behind it.
    let mut texts: Vec<Slot> = Vec::new();
    let mut out = Vec::with_capacity(slots.len());
    let mut at = 0;
    while let Some(&first) = items.get(at) {
        match first {
            Item::Call(_) => {}
            Item::Output(result) => {
                if stays(d, giver, &stretches, result) && giver.take(result) {
                    out.push(slots[at].clone());
                } else if let Fate::Text(blocks) = giver.stray(d, result) {
                    texts.push(Slot::split_off(slots[at].source, Role::User, blocks));
                }
                at += 1;
                continue;
            }
            Item::Beside | Item::Other => {
                if first == Item::Other {
                    out.append(&mut texts);
                }
                out.push(slots[at].clone());
                at += 1;
                continue;
            }
        }
        let end = group_end(&items, at);
        let in_flight = !sending && last.is_none_or(|last| last < at);
        let all: Vec<usize> = items[at..end].iter().filter_map(call_of).collect();
        giver.open(&all);
        for (slot, item) in slots[at..end].iter().zip(&items[at..end]) {
            match call_of(item).filter(|&call| !in_flight && giver.drops(d, call)) {
                Some(call) => Giver::tell_dropped(d, call),
                None => out.push(slot.clone()),
            }
        }
        at = end;
        while let Some(&Item::Output(result)) = items.get(at) {
            at += 1;
            let earlier_group = giver.call_of(result).is_none_or(|call| !giver.is_open(call));
            if earlier_group && stays(d, giver, &stretches, result) && giver.take(result) {
                out.push(slots[at - 1].clone());
                continue;
            }
            match giver.meet(d, result) {
                Fate::Here(kept) => out.push(moved(d, kept)),
                Fate::Text(blocks) => texts.push(Slot::split_off(slots[at - 1].source, Role::User, blocks)),
                Fate::Gone => {}
            }
        }
        let far: Vec<usize> = all
            .iter()
            .copied()
            .filter(|&call| giver.result_of(call).is_some_and(|result| !stays(d, giver, &stretches, result)))
            .collect();
        out.extend(
            giver.fetch(d, &far, |_| ViolationKind::ResultNotAdjacent).into_iter().map(|result| moved(d, result)),
        );
        if !in_flight {
            let made = giver.make_up(d, &all);
            out.extend(made.into_iter().map(|(_, block)| Slot::made(Role::Tool, vec![block])));
        }
    }
    out.append(&mut texts);
    d.slots = out;
}

fn item(d: &Draft<'_>, slot: &Slot) -> Item {
    let Some(message) = slot.source.and_then(|source| d.body.messages.get(source)) else { return Item::Other };
    let whole = d.part(message.first_part).filter(|part| part.span == message.span);
    match whole.map(|part| part.kind) {
        Some(PartKind::Call) => Item::Call(message.first_part),
        Some(PartKind::Result { .. }) => Item::Output(message.first_part),
        Some(PartKind::Thinking | PartKind::ServerCall | PartKind::ServerResult) => Item::Beside,
        Some(PartKind::Other) if message.role == Role::Assistant => Item::Beside,
        _ => Item::Other,
    }
}

const fn call_of(item: &Item) -> Option<usize> {
    match item {
        Item::Call(call) => Some(*call),
        _ => None,
    }
}

/// The number of the stretch that each part's item is in.
fn stretches(d: &Draft<'_>, items: &[Item]) -> Vec<usize> {
    let mut numbers = vec![0; d.body.parts.len()];
    let mut stretch = 1;
    for item in items {
        match item {
            Item::Call(part) | Item::Output(part) => numbers[*part] = stretch,
            Item::Beside => {}
            Item::Other => stretch += 1,
        }
    }
    numbers
}

/// True for the output that a call before it in the same stretch keeps.
fn stays(d: &Draft<'_>, giver: &Giver, stretches: &[usize], result: usize) -> bool {
    let Some(call) = giver.call_of(result).filter(|&call| giver.result_of(call) == Some(result)) else {
        // The server holds items that are not here.
        return giver.call_of(result).is_none() && d.body.request.stateful;
    };
    call < result && stretches.get(call) == stretches.get(result)
}

/// One past the last call that the model made in one go with the one at `at`.
fn group_end(items: &[Item], at: usize) -> usize {
    let mut end = at + 1;
    for (here, item) in items.iter().enumerate().skip(at + 1) {
        match item {
            Item::Call(_) => end = here + 1,
            Item::Beside => {}
            Item::Output(_) | Item::Other => break,
        }
    }
    end
}
