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
    let is_user = |slot: &Slot| slot.role == Role::User;
    let last_user = slots.iter().rposition(is_user).filter(|&user| user >= live);
    // For every message who speaks next.
    let mut next = None;
    let mut speakers: Vec<Option<Role>> = Vec::with_capacity(slots.len());
    for slot in slots.iter().rev() {
        speakers.push(next);
        if slot.role != Role::System {
            next = Some(slot.role);
        }
    }
    speakers.reverse();
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    // Sections that wait for the end of the next turn of the user, and those that no such turn comes for.
    let (mut waiting, mut back): (Vec<Slot>, Vec<Slot>) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(slot) = slots.get(at) {
        if at < live || slot.role != Role::System {
            let ends_user_turn = slot.role == Role::User && speakers.get(at) != Some(&Some(Role::User));
            out.push(slot.clone());
            at += 1;
            if ends_user_turn && at > live {
                out.append(&mut waiting);
            }
            continue;
        }
        let count = slots.get(at..).unwrap_or_default().iter().take_while(|slot| slot.role == Role::System).count();
        let section = slots.get(at..at + count).unwrap_or_default();
        at += count;
        let before = out.get(live..).and_then(<[Slot]>::last);
        let behind =
            before.is_some_and(|slot| matches!(slot.role, Role::User | Role::System) || ends_in_server_result(d, slot));
        let next = slots.get(at).map(|slot| slot.role);
        // Without any turn of the user one is put first.
        if behind && matches!(next, None | Some(Role::Assistant)) || last_user.is_none() {
            out.extend_from_slice(section);
            continue;
        }
        for slot in section {
            let said = "a system message stands behind a turn of the user and before one of the assistant: moved";
            d.tell(RepairAction::Push, ViolationKind::SystemMisplaced, slot.source.unwrap_or_default(), said);
        }
        let waits = last_user.is_some_and(|user| user >= at);
        if waits { waiting.extend_from_slice(section) } else { back.extend_from_slice(section) }
    }
    out.append(&mut waiting);
    if !back.is_empty() {
        // No turn of the user comes: behind the last one that was.
        let user = out.iter().rposition(is_user).map_or(out.len(), |user| user + 1);
        let system = out.get(user..).unwrap_or_default().iter().take_while(|slot| slot.role == Role::System).count();
        out.splice(user + system..user + system, back);
    }
    d.slots = out;
}

fn ends_in_server_result(d: &Draft<'_>, slot: &Slot) -> bool {
    let last = d.blocks(slot).last().copied();
    slot.role == Role::Assistant && last.and_then(|block| d.kind(block)) == Some(PartKind::ServerResult)
}
