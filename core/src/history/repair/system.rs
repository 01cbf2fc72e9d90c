//! System messages on the way: behind a turn of the user, before one of the assistant.

use alloc::vec::Vec;

use super::RepairAction;
use super::draft::{Draft, Slot};
use crate::history::violation::ViolationKind;
use crate::wire::{PartKind, Role, WireFormat};

/// Moves system messages that stand where none may.
pub(super) fn settle(d: &mut Draft<'_>, live: usize) {
    if d.format() != WireFormat::Anthropic || !d.slots.iter().any(|slot| slot.role == Role::System) {
        return;
    }
    let slots = core::mem::take(&mut d.slots);
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    // Sections that wait for the end of the next turn of the user.
    let mut waiting: Vec<Slot> = Vec::new();
    let mut at = 0;
    while let Some(slot) = slots.get(at) {
        if at < live || slot.role != Role::System {
            let next = slots.get(at + 1).map(|slot| slot.role);
            let ends_user_turn = slot.role == Role::User && next != Some(Role::User);
            out.push(slot.clone());
            at += 1;
            if ends_user_turn && at >= live {
                out.append(&mut waiting);
            }
            continue;
        }
        let count = slots.get(at..).unwrap_or_default().iter().take_while(|slot| slot.role == Role::System).count();
        let section = slots.get(at..at + count).unwrap_or_default();
        at += count;
        let before = out.get(live..).and_then(<[Slot]>::last);
        let behind = before.is_some_and(|slot| slot.role == Role::User || ends_in_server_result(d, slot));
        let next = slots.get(at).map(|slot| slot.role);
        if behind && matches!(next, None | Some(Role::Assistant)) {
            out.extend_from_slice(section);
            continue;
        }
        let is_user = |slot: &Slot| slot.role == Role::User;
        if !slots.get(at..).unwrap_or_default().iter().any(is_user)
            && !out.get(live..).unwrap_or_default().iter().any(is_user)
        {
            // No turn of the user at all: one is put first.
            out.extend_from_slice(section);
            continue;
        }
        for slot in section {
            let said = "a system message stands behind a turn of the user and before one of the assistant: moved";
            d.tell(RepairAction::Push, ViolationKind::SystemMisplaced, slot.source.unwrap_or_default(), said);
        }
        if slots.get(at..).unwrap_or_default().iter().any(is_user) {
            waiting.extend_from_slice(section);
            continue;
        }
        // No turn of the user comes: behind the last one that was.
        match out.iter().rposition(|slot| slot.role == Role::User).filter(|&user| user >= live) {
            Some(user) => {
                let system = out.get(user + 1..).unwrap_or_default();
                let place = user + 1 + system.iter().take_while(|slot| slot.role == Role::System).count();
                out.splice(place..place, section.iter().cloned());
            }
            None => out.extend_from_slice(section),
        }
    }
    out.append(&mut waiting);
    d.slots = out;
}

fn ends_in_server_result(d: &Draft<'_>, slot: &Slot) -> bool {
    let last = d.blocks(slot).last().copied();
    slot.role == Role::Assistant && last.and_then(|block| d.kind(block)) == Some(PartKind::ServerResult)
}
