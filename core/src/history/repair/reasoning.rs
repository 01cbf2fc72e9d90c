//! OpenAI Responses: reasoning items, the items they led to, and the server's ids of both.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::RepairAction;
use super::draft::{Draft, Slot};
use crate::history::violation::ViolationKind;
use crate::wire::{IdRule, Message, Part, PartKind, Role};

/// Reasoning stays with what it led to, or goes together with the ids that name it.
pub(super) fn mend(d: &mut Draft<'_>, rule: IdRule) {
    let mut slots = core::mem::take(&mut d.slots);
    let mut bare: BTreeSet<usize> = BTreeSet::new();
    bad_ids(d, &slots, rule, &mut bare);
    let lost = d.body.request.store == Some(false);
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let items: Vec<usize> = (0..slots.len()).collect();
    // From the end: what follows a reasoning item is known, and reasoning that went does not count.
    let mut after: Option<usize> = None;
    for &at in items.iter().rev() {
        let Some((source, message, part)) = item(d, &slots[at]) else {
            after = Some(at);
            continue;
        };
        let is_reasoning = part.is_some_and(|part| part.kind == PartKind::Thinking);
        if part.is_some_and(|part| part.kind == PartKind::Reference) && lost {
            let said = "a pointer to an item that the server did not keep is dropped";
            d.tell(RepairAction::Drop, ViolationKind::ReasoningNotPersisted, source, said);
            gone.insert(at);
            continue;
        }
        if !is_reasoning {
            after = Some(at);
            continue;
        }
        let has_id = message.item_id.is_some() && !bare.contains(&source);
        let sealed = part.is_some_and(|part| part.signed);
        let follower = after.and_then(|after| item(d, &slots[after]));
        let kept = has_id && sealed && !lost;
        let (mut orphan, mut unnamed) = (true, false);
        if let Some((next, next_message, next_part)) = follower {
            orphan = !is_produced(next_message, next_part);
            let is_message = next_part.is_none_or(|part| part.span != next_message.span);
            unnamed = kept && is_message && (next_message.item_id.is_none() || bare.contains(&next));
            if unnamed && next_message.item_id.is_some() {
                // The id of its item went: without one of its own it is taken as it is.
                bare.insert(source);
                strip(d, source, ViolationKind::DuplicateItemId);
                continue;
            }
        }
        let kind = if lost && has_id && !sealed {
            ViolationKind::ReasoningNotPersisted
        } else if orphan || unnamed {
            ViolationKind::ReasoningOrphan
        } else if !has_id && !sealed && message.item_id.is_some() {
            // Its id went and there is nothing else in it to tell it by.
            ViolationKind::DuplicateItemId
        } else {
            continue;
        };
        d.tell(RepairAction::Drop, kind, source, "a reasoning item that the provider cannot place is dropped");
        gone.insert(at);
        strip_dependants(d, &slots, at, &mut bare);
    }
    let mut at = 0;
    slots.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
    parentless(d, &slots, &mut bare);
    d.slots = slots;
}

fn item<'h>(d: &Draft<'h>, slot: &Slot) -> Option<(usize, &'h Message, Option<&'h Part>)> {
    let source = slot.source.filter(|_| !slot.fresh)?;
    let message = d.body.messages.get(source)?;
    Some((source, message, d.part(message.first_part).filter(|part| part.message == source)))
}

/// Items that a model writes, or that nobody knows: what reasoning can have led to.
fn is_produced(message: &Message, part: Option<&Part>) -> bool {
    let whole = part.filter(|part| part.span == message.span).map(|part| part.kind);
    whole != Some(PartKind::ServerResult)
        && (message.role == Role::Assistant || whole.is_some() && message.role == Role::Unknown)
}

fn strip(d: &mut Draft<'_>, source: usize, violation: ViolationKind) {
    let Some(message) = d.body.messages.get(source) else { return };
    d.splices.remove_member(d.text, message.span, "id");
    d.tell(RepairAction::Strip, violation, source, "the server's id of the item is taken off");
}

/// The ids of the items that came with the reasoning item at `at`: they ask for it.
fn strip_dependants(d: &mut Draft<'_>, slots: &[Slot], at: usize, bare: &mut BTreeSet<usize>) {
    for slot in slots.get(at + 1..).unwrap_or_default() {
        let Some((source, message, part)) = item(d, slot) else { return };
        if !is_produced(message, part) || part.is_some_and(|part| part.kind == PartKind::Thinking) {
            return;
        }
        if message.item_id.is_some() && bare.insert(source) {
            strip(d, source, ViolationKind::ReasoningMissing);
        }
    }
}

/// Of items with one id the first keeps it; an id that the provider does not read goes.
fn bad_ids(d: &mut Draft<'_>, slots: &[Slot], rule: IdRule, bare: &mut BTreeSet<usize>) {
    let mut seen = BTreeSet::new();
    for slot in slots {
        let Some((source, message, part)) = item(d, slot) else { continue };
        let is_pointer = part.is_some_and(|part| part.kind == PartKind::Reference);
        let Some(id) = message.item_id.filter(|_| !is_pointer) else { continue };
        let kind = if rule.ill_formed(&d.body.symbols.text(d.text, id)) {
            ViolationKind::BadIdCharset
        } else if !seen.insert(id) {
            ViolationKind::DuplicateItemId
        } else {
            continue;
        };
        bare.insert(source);
        strip(d, source, kind);
    }
}

/// Items whose reasoning, as the host remembers it, is not here.
fn parentless(d: &mut Draft<'_>, slots: &[Slot], bare: &mut BTreeSet<usize>) {
    let body = d.body;
    let known = &body.request.reasoning_of;
    if known.is_empty() {
        return;
    }
    let text = d.text;
    let named = |slot: &Slot| {
        let (source, message, _) = item(d, slot)?;
        Some((source, body.symbols.text(text, message.item_id?)))
    };
    let ids: Vec<_> = slots.iter().filter_map(named).filter(|(source, _)| !bare.contains(source)).collect();
    let present: BTreeSet<&str> = ids.iter().map(|(_, id)| id.as_ref()).collect();
    let lost = |id: &str| {
        let at = known.binary_search_by(|(item, _)| item.as_str().cmp(id));
        at.is_ok_and(|at| !present.contains(known[at].1.as_str()))
    };
    let orphans: Vec<usize> = ids.iter().filter(|(_, id)| lost(id)).map(|(source, _)| *source).collect();
    for source in orphans {
        bare.insert(source);
        strip(d, source, ViolationKind::ReasoningMissing);
    }
}

/// A request for compaction stands last.
pub(super) fn trigger_last(d: &mut Draft<'_>) {
    let mut slots = core::mem::take(&mut d.slots);
    let is_trigger = |d: &Draft<'_>, slot: &Slot| {
        item(d, slot).and_then(|(_, _, part)| part).is_some_and(|part| part.kind == PartKind::CompactionTrigger)
    };
    let count = slots.len();
    let (mut triggers, mut rest) = (Vec::new(), Vec::with_capacity(count));
    for (at, slot) in slots.drain(..).enumerate() {
        if is_trigger(d, &slot) { triggers.push((at, slot)) } else { rest.push(slot) }
    }
    let last = triggers.pop();
    for (_, slot) in triggers {
        let index = slot.source.unwrap_or_default();
        let said = "a second request for compaction is dropped";
        d.tell(RepairAction::Drop, ViolationKind::CompactionTriggerNotLast, index, said);
    }
    if let Some((at, slot)) = last {
        if at + 1 < count {
            let index = slot.source.unwrap_or_default();
            let said = "a request for compaction is last: moved there";
            d.tell(RepairAction::Push, ViolationKind::CompactionTriggerNotLast, index, said);
        }
        rest.push(slot);
    }
    d.slots = rest;
}
