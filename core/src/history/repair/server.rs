//! Tools that the provider runs: calls that wait for their result.

use alloc::vec::Vec;

use super::draft::{Block, Draft, Slot};
use crate::history::pair::Tie;
use crate::wire::{PartKind, WireFormat};

/// The server calls of a turn whose results are not in it.
pub(super) fn pending(d: &Draft<'_>, turn: &[Slot]) -> Vec<usize> {
    if d.format() != WireFormat::Anthropic {
        return Vec::new();
    }
    let here = sources(turn);
    let mut found = Vec::new();
    for block in turn.iter().flat_map(|slot| d.blocks(slot)) {
        let Block::Part(at) = block else { continue };
        if d.part(at).is_some_and(|part| part.kind == PartKind::ServerCall) {
            let answer = d.pairs.answer(at).and_then(|answer| d.part(answer));
            if !answer.is_some_and(|answer| here.contains(&answer.message)) {
                found.push(at);
            }
        }
    }
    found
}

/// True when the messages of `turn` hold the results of all of `calls`.
pub(super) fn resolves(d: &Draft<'_>, turn: &[Slot], calls: &[usize]) -> bool {
    let here = sources(turn);
    calls.iter().all(|&call| {
        let answer = d.pairs.answer(call).and_then(|answer| d.part(answer));
        answer.is_some_and(|answer| here.contains(&answer.message))
    })
}

/// The messages of the input that a turn spans.
fn sources(turn: &[Slot]) -> core::ops::Range<usize> {
    let sources = || turn.iter().filter_map(|slot| slot.source);
    match (sources().min(), sources().max()) {
        (Some(first), Some(last)) => first..last + 1,
        _ => 0..0,
    }
}

/// True when a server tool's call and result are in one message.
pub(super) fn is_paired_in(d: &Draft<'_>, at: usize) -> bool {
    let other = match d.pairs.tie(at) {
        Some(Tie::Answers(call) | Tie::Repeats(call)) => Some(call),
        Some(Tie::Orphan) => None,
        None => d.pairs.answer(at),
    };
    let home = |at: usize| d.part(at).map(|part| part.message);
    other.is_some_and(|other| home(other) == home(at))
}
