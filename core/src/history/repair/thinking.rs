//! Thinking that is bound to the text before it goes when that text changes.

use super::draft::{Block, Draft};
use super::{RepairAction, types};
use crate::history::violation::ViolationKind;
use crate::wire::{PartKind, WireFormat};

/// Takes off every thinking block behind the first message that is not as it came.
pub(super) fn strip(d: &mut Draft<'_>) {
    if !matches!(d.format(), WireFormat::Anthropic | WireFormat::Bedrock) {
        return;
    }
    let Some(edit) = d.edit_point() else { return };
    let mut slots = core::mem::take(&mut d.slots);
    let mut at = 0;
    slots.retain_mut(|slot| {
        at += 1;
        if at - 1 < edit {
            return true;
        }
        let mut blocks = d.blocks(slot);
        let bound = |block: Block| d.kind(block) == Some(PartKind::Thinking);
        if !blocks.iter().any(|&block| bound(block)) {
            return true;
        }
        let stripped: alloc::vec::Vec<Block> = blocks.iter().copied().filter(|&block| bound(block)).collect();
        blocks.retain(|&block| !bound(block));
        for block in stripped {
            if let Block::Part(at) = block {
                let said = "thinking is bound to everything before it, which has changed: taken off".into();
                d.tell_part(RepairAction::Strip, ViolationKind::ThinkingPrefixMismatch, at, said);
            }
        }
        let is_left = !types::is_white(d, &blocks);
        d.fill(slot, blocks);
        is_left
    });
    d.slots = slots;
}
