//! Cache marks: so many and no more, those of an hour first.

use alloc::vec::Vec;

use super::draft::{Block, Draft};
use super::{RepairAction, splice};
use crate::history::violation::ViolationKind;
use crate::wire::{PartKind, Span, WireFormat};

/// A mark in the messages.
struct Placed {
    part: usize,
    /// The object that carries it; none for a mark that is a block.
    on: Option<Span>,
    long: bool,
}

/// Takes off the marks that are too many, the last first, and those of an hour that stand behind shorter ones.
pub(super) fn mend(d: &mut Draft<'_>, most: usize) {
    if !matches!(d.format(), WireFormat::Anthropic | WireFormat::Bedrock) {
        return;
    }
    let request = &d.body.request;
    let mut short = request.marks.iter().any(|mark| !mark.long);
    let taken = request.marks.len() + usize::from(request.automatic_mark);
    let mut room = most.saturating_sub(taken);
    let mut off: Vec<(Placed, ViolationKind)> = Vec::new();
    for mark in placed(d) {
        if mark.long && short {
            off.push((mark, ViolationKind::CacheTtlOrder));
        } else if room == 0 {
            off.push((mark, ViolationKind::CacheTooManyBreakpoints));
        } else {
            room -= 1;
            short |= !mark.long;
        }
    }
    let mut blocks: Vec<usize> = Vec::new();
    for (mark, kind) in off {
        match mark.on {
            Some(object) => d.splices.remove_member(d.text, object, "cache_control"),
            None => blocks.push(mark.part),
        }
        d.tell_part(RepairAction::Strip, kind, mark.part, "a cache mark is taken off".into());
    }
    if blocks.is_empty() {
        return;
    }
    blocks.sort_unstable();
    let mut slots = core::mem::take(&mut d.slots);
    for slot in &mut slots {
        let mut own = d.blocks(slot);
        let count = own.len();
        own.retain(|block| !matches!(block, Block::Part(at) if blocks.binary_search(at).is_ok()));
        if own.len() < count {
            d.fill(slot, own);
        }
    }
    d.slots = slots;
}

/// The marks of the messages in their order, those inside results too.
fn placed(d: &Draft<'_>) -> Vec<Placed> {
    let mut found = Vec::new();
    for block in d.slots.iter().flat_map(|slot| d.blocks(slot)) {
        let Block::Part(at) = block else { continue };
        let Some(part) = d.part(at) else { continue };
        if let Some(long) = part.long_mark {
            let on = (part.kind != PartKind::CachePoint).then_some(part.span);
            found.push(Placed { part: at, on, long });
        }
        let Some(body) = part.body.filter(|body| part.kind.is_result() && body.of(d.text).starts_with('[')) else {
            continue;
        };
        if !body.of(d.text).contains("cache_control") {
            continue;
        }
        for element in splice::elements(d.text, body) {
            let mark = splice::member(d.text, element, "cache_control");
            if let Some(mark) = mark.filter(|mark| mark.of(d.text).starts_with('{')) {
                let life = splice::member(d.text, mark, "ttl");
                let long = life.is_some_and(|life| crate::json::decode_key(life.of(d.text)) == "1h");
                found.push(Placed { part: at, on: Some(element), long });
            }
        }
    }
    found
}
