//! OpenAI Responses.

use super::{Judge, ViolationKind};
use crate::history::pair::Tie;
use crate::wire::{Content, Link, PAIRS, Part, PartKind, Role};

pub(super) fn check(judge: &mut Judge<'_>) {
    let messages = judge.messages();
    let mut seen_calls = judge.seen();
    let mut seen_items = judge.seen();
    // The run of items that the model wrote, for ids that may not come back in it.
    let mut run = 0;
    // The last item that may not stand between a call and its output, for adjacency.
    let mut barrier = None;
    let mut barriers = alloc::vec::Vec::with_capacity(messages.len());
    let after = after_reasoning(judge);
    for (index, message) in messages.iter().enumerate() {
        barriers.push(barrier);
        run += usize::from(message.role != Role::Assistant);
        let own = judge.is_item(index).then(|| judge.numbered(index).next()).flatten();
        let Some((at, part)) = own else {
            barrier = Some(index);
            // An assistant message may have an empty list.
            let empty = message.content == Content::List && judge.has_empty_list(index);
            if matches!(message.content, Content::Missing | Content::Null) || empty && message.role != Role::Assistant {
                judge.tell_message(ViolationKind::EmptyContent, index);
            }
            item_id(judge, index, &mut seen_items);
            continue;
        };
        if !stands_between(part, message.role) {
            barrier = Some(index);
        }
        match part.kind {
            PartKind::Call => {
                // OR-R11.
                judge.check_id(at);
                if let Link::Id(id) = part.link
                    && seen_calls.again(id, run)
                {
                    judge.tell_part(ViolationKind::DuplicateCallId, at);
                }
            }
            PartKind::Result { .. } => result(judge, at, part),
            PartKind::Thinking => reasoning(judge, index, part, after.get(index).copied().flatten()),
            // OR-R7: a pointer to an item that the server was told not to keep.
            PartKind::Reference if judge.body.request.store == Some(false) => {
                judge.tell_item(ViolationKind::ReasoningNotPersisted, index, message.item_id);
            }
            // OR-R14.
            PartKind::CompactionTrigger if index < judge.last() => {
                judge.tell_message(ViolationKind::CompactionTriggerNotLast, index);
            }
            _ => {}
        }
        if part.kind != PartKind::Reference {
            item_id(judge, index, &mut seen_items);
        }
    }
    answers(judge, &barriers, barrier);
    parents(judge);
}

/// OR-R3: between a call and its output only calls, outputs, reasoning and what carries its own result may stand.
fn stands_between(part: &Part, role: Role) -> bool {
    match part.kind {
        PartKind::Call
        | PartKind::Result { .. }
        | PartKind::ServerCall
        | PartKind::ServerResult
        | PartKind::Thinking => true,
        PartKind::Other => role == Role::Assistant,
        _ => false,
    }
}

/// OR-R9, OR-R10.
fn item_id(judge: &mut Judge<'_>, index: usize, seen: &mut super::Seen) {
    let Some(id) = judge.messages().get(index).and_then(|message| message.item_id) else { return };
    if judge.limits.item_id.ill_formed(&judge.body.symbols.text(judge.text, id)) {
        judge.tell_item(ViolationKind::BadIdCharset, index, Some(id));
    }
    if seen.again(id, 0) {
        judge.tell_item(ViolationKind::DuplicateItemId, index, Some(id));
    }
}

/// OR-R2 and the types of the pairs; OR-R18 for what the server remembers.
fn result(judge: &mut Judge<'_>, at: usize, part: &Part) {
    match judge.pairs.tie(at) {
        Some(Tie::Orphan) if judge.body.request.stateful => {}
        Some(Tie::Orphan) => judge.tell_part(ViolationKind::OrphanResult, at),
        Some(Tie::Repeats(_)) => judge.tell_part(ViolationKind::DuplicateResult, at),
        Some(Tie::Answers(_)) => {
            let call = judge.call_of(at).map_or(part.family, |call| call.family);
            let lenient = PAIRS.get(usize::from(call)).is_some_and(|pair| pair.lenient) && part.family == 0;
            if part.family != call && !lenient {
                judge.tell_part(ViolationKind::WrongResultType, at);
            }
        }
        None => {}
    }
    if part.link == Link::Bad {
        judge.tell_part(ViolationKind::BadIdCharset, at);
    }
}

/// For every item the next one that is no reasoning.
fn after_reasoning(judge: &Judge<'_>) -> alloc::vec::Vec<Option<usize>> {
    let mut next = None;
    let mut after: alloc::vec::Vec<_> = (0..judge.messages().len())
        .rev()
        .map(|index| {
            let known = next;
            if judge.parts(index).first().is_none_or(|part| part.kind != PartKind::Thinking) {
                next = Some(index);
            }
            known
        })
        .collect();
    after.reverse();
    after
}

/// OR-R4, OR-R7. `next` is the next item that is no reasoning.
fn reasoning(judge: &mut Judge<'_>, index: usize, part: &Part, next: Option<usize>) {
    let message = &judge.messages()[index];
    let lost = judge.body.request.store == Some(false);
    let stored = message.item_id.is_some() && part.signed && !lost;
    let followed = match next {
        None => false,
        Some(next) => {
            let after = &judge.messages()[next];
            match after.role {
                // With an id of its own and kept by the server, it wants the very message it led to.
                Role::Assistant if judge.is_item(next) => {
                    judge.parts(next).first().is_some_and(|part| part.kind != PartKind::ServerResult)
                }
                Role::Assistant => !stored || after.item_id.is_some(),
                // A pointer, or an item of a kind that is newer than this table.
                Role::Unknown => judge.is_item(next),
                Role::User | Role::System | Role::Tool => false,
            }
        }
    };
    if !followed {
        judge.tell_item(ViolationKind::ReasoningOrphan, index, message.item_id);
    }
    if lost && message.item_id.is_some() && !part.signed {
        judge.tell_item(ViolationKind::ReasoningNotPersisted, index, message.item_id);
    }
}

/// OR-R1, OR-R3: every call has its output, near it. `last` is the last item that may not stand between the two.
fn answers(judge: &mut Judge<'_>, barriers: &[Option<usize>], last: Option<usize>) {
    for (at, part) in judge.body.parts.iter().enumerate().filter(|(_, part)| part.kind == PartKind::Call) {
        match judge.answered_in(at) {
            Some(answer) => {
                let barrier = barriers.get(answer).copied().flatten();
                if judge.profile.strict && barrier.is_some_and(|barrier| barrier > part.message) {
                    judge.tell_part(ViolationKind::ResultNotAdjacent, at);
                }
            }
            // In flight at the end of a history at rest.
            None if !judge.sending && last.is_none_or(|barrier| barrier < part.message) => {}
            None => judge.tell_part(ViolationKind::MissingResult, at),
        }
    }
}

/// OR-R5, as far as the host remembers which reasoning an item came with.
fn parents(judge: &mut Judge<'_>) {
    let body = judge.body;
    if body.request.reasoning_of.is_empty() {
        return;
    }
    let text_of = |id| body.symbols.text(judge.text, id);
    let mut present: alloc::vec::Vec<_> = body.messages.iter().filter_map(|m| m.item_id).map(text_of).collect();
    present.sort_unstable();
    for (index, message) in body.messages.iter().enumerate() {
        let Some(id) = message.item_id else { continue };
        let known = &body.request.reasoning_of;
        let text = body.symbols.text(judge.text, id);
        if let Ok(at) = known.binary_search_by(|(item, _)| item.as_str().cmp(&text))
            && present.binary_search_by(|id| id.as_ref().cmp(known[at].1.as_str())).is_err()
        {
            judge.tell_item(ViolationKind::ReasoningMissing, index, Some(id));
        }
    }
}
