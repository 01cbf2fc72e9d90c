//! Google Gemini `generateContent`.

use core::ops::Range;

use super::{Judge, ViolationKind};
use crate::history::pair::Tie;
use crate::wire::{Content, Link, PartKind, Role};

pub(super) fn check(judge: &mut Judge<'_>) {
    if judge.messages().is_empty() {
        return;
    }
    for index in 0..judge.messages().len() {
        content(judge, index);
    }
    turns(judge);
    // GE-R6.
    let last = judge.last();
    if judge.sending && is_model(judge, last) && !has_calls(judge, last) {
        judge.tell_message(ViolationKind::BadLastRole, last);
    }
    signatures(judge);
}

fn is_model(judge: &Judge<'_>, index: usize) -> bool {
    judge.role(index) == Some(Role::Assistant)
}

fn has_calls(judge: &Judge<'_>, index: usize) -> bool {
    judge.parts(index).iter().any(|part| part.kind == PartKind::Call)
}

fn has_results(judge: &Judge<'_>, index: usize) -> bool {
    judge.parts(index).iter().any(|part| part.kind.is_result())
}

/// GE-R4, GE-R5, and who may call and who may answer.
fn content(judge: &mut Judge<'_>, index: usize) {
    let parts = judge.parts(index);
    if parts.is_empty() && judge.messages()[index].content != Content::Wrong {
        judge.tell_message(ViolationKind::EmptyContent, index);
    }
    let others = |kind: PartKind| matches!(kind, PartKind::Text(_) | PartKind::Media);
    if has_results(judge, index) && parts.iter().any(|part| others(part.kind)) {
        judge.tell_message(ViolationKind::MixedResultAndText, index);
    }
    for (at, part) in judge.numbered(index) {
        let misplaced = match part.kind {
            PartKind::Call => !is_model(judge, index),
            PartKind::Result { .. } => is_model(judge, index),
            _ => false,
        };
        if misplaced {
            judge.tell_part(ViolationKind::MisplacedBlock, at);
        }
        if part.link == Link::Bad {
            judge.tell_part(ViolationKind::BadIdCharset, at);
        }
    }
}

/// GE-R1 to GE-R3: consecutive contents of one side count as one.
fn turns(judge: &mut Judge<'_>) {
    let count = judge.messages().len();
    let mut seen = judge.seen();
    let mut asked = 0..0;
    let mut index = 0;
    while index < count {
        let run = index;
        let model = is_model(judge, run);
        while index < count && is_model(judge, index) == model {
            index += 1;
        }
        if model {
            let mut reply = index;
            while reply < count && !is_model(judge, reply) {
                reply += 1;
            }
            asking(judge, run..index, index..reply, &mut seen);
            asked = run..index;
        } else {
            answering(judge, run..index, &asked);
        }
    }
}

fn asking(judge: &mut Judge<'_>, run: Range<usize>, reply: Range<usize>, seen: &mut super::Seen) {
    if let Some(first) = run.clone().find(|&index| has_calls(judge, index)) {
        // GE-R2. Where the run opens with text, the provider takes it as one turn; the documents know no such shape.
        if run.start == 0 || judge.profile.strict && first > run.start {
            judge.tell_message(ViolationKind::CallWithoutUserTurn, first);
        }
    }
    // Nothing but results behind the calls: they are in flight at the end of a history at rest.
    let waiting = reply.end == judge.messages().len() && reply.clone().all(|index| has_results(judge, index));
    for (at, part) in judge.numbered_in(run.clone()) {
        if part.kind != PartKind::Call {
            continue;
        }
        if let Link::Id(id) = part.link
            && seen.again(id, run.start)
        {
            judge.tell_part(ViolationKind::DuplicateCallId, at);
        }
        match judge.answered_in(at) {
            Some(answer) if reply.contains(&answer) => {}
            // Told as a response in the wrong content.
            Some(answer) if is_model(judge, answer) => {}
            Some(_) => judge.tell_part(ViolationKind::ResultNotAdjacent, at),
            None if !judge.sending && waiting => {}
            None => judge.tell_part(ViolationKind::MissingResult, at),
        }
    }
}

/// The responses in the contents `run` that follow the model's contents `asked`.
fn answering(judge: &mut Judge<'_>, run: Range<usize>, asked: &Range<usize>) {
    // Another content was there before, in this run.
    let mut other = false;
    for index in run {
        let mut told = false;
        for (at, part) in judge.numbered(index) {
            if !part.kind.is_result() {
                continue;
            }
            match judge.pairs.tie(at) {
                Some(Tie::Orphan) => judge.tell_part(ViolationKind::OrphanResult, at),
                Some(Tie::Repeats(_)) => judge.tell_part(ViolationKind::DuplicateResult, at),
                Some(Tie::Answers(call)) => {
                    let near = judge.body.parts.get(call).is_some_and(|call| asked.contains(&call.message));
                    // GE-R3: right behind the call, before any content of the user; once for a content.
                    if near && other && !told {
                        judge.tell_part(ViolationKind::ResultNotAdjacent, call);
                        told = true;
                    }
                }
                None => {}
            }
        }
        other |= !has_results(judge, index);
    }
}

/// GE-R9: from Gemini 3 on the first call of every step of the current turn is signed.
fn signatures(judge: &mut Judge<'_>) {
    if judge.model.signed_calls != Some(true) {
        return;
    }
    let count = judge.messages().len();
    let spoken = |index: &usize| !is_model(judge, *index) && !has_results(judge, *index);
    let turn = (0..count).rev().find(spoken).map_or(0, |index| index + 1);
    let mut in_step = false;
    for index in turn..count {
        if !is_model(judge, index) {
            in_step = false;
            continue;
        }
        let first = judge.numbered(index).find(|(_, part)| part.kind == PartKind::Call);
        if let Some((at, part)) = first {
            if !in_step && !part.signed {
                judge.tell_part(ViolationKind::SignatureMissing, at);
            }
            in_step = true;
        }
    }
}
