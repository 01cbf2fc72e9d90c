//! OpenAI Chat Completions, and the servers that speak it.

use super::{Judge, ViolationKind};
use crate::history::pair::Tie;
use crate::wire::{Content, Link, Message, Part, PartKind, Role};

/// Calls and results in the legacy way are paired by name; nothing is known to refuse them.
const LEGACY: u8 = 1;

pub(super) fn check(judge: &mut Judge<'_>) {
    let messages = judge.messages();
    let mut seen = judge.seen();
    // The assistant message whose block of results is open, and the last message that is no result.
    let mut block = None;
    let reasons = thinks(judge);
    for (index, message) in messages.iter().enumerate() {
        // OC-R5: only the user shows pictures, sounds and files.
        if matches!(message.role, Role::Assistant | Role::System) {
            for (at, _) in judge.numbered(index).filter(|(_, part)| part.kind == PartKind::Media) {
                judge.tell_part(ViolationKind::MisplacedBlock, at);
            }
        }
        match message.role {
            Role::Tool if judge.parts(index).iter().all(|part| part.family != LEGACY) => {
                results(judge, index);
                // OC-R4, OC-R5.
                empty_content(judge, index, message, false);
                continue;
            }
            Role::Assistant => {
                let calls = judge.parts(index).iter().any(|part| part.kind == PartKind::Call);
                let other = calls || message.says_otherwise;
                empty_content(judge, index, message, other);
                if judge.profile.refuses_null_content && calls && lacks(message) {
                    judge.tell_message(ViolationKind::EmptyContent, index);
                }
                // DeepSeek in thinking mode.
                if reasons && calls && !message.reasoning_content {
                    judge.tell_message(ViolationKind::ThinkingMissing, index);
                }
                check_calls(judge, index, &mut seen);
            }
            Role::User | Role::System => empty_content(judge, index, message, false),
            Role::Tool | Role::Unknown => {}
        }
        // Mistral: results are followed by the assistant.
        if judge.profile.refuses_user_after_result
            && message.role == Role::User
            && index > 0
            && judge.role(index - 1) == Some(Role::Tool)
        {
            judge.tell_message(ViolationKind::RoleNotAlternating, index);
        }
        block = Some(index);
    }
    answers(judge, block);
    if judge.sending
        && judge.profile.refuses_assistant_last
        && messages.last().is_some_and(|last| !matches!(last.role, Role::User | Role::Tool) && !last.prefix)
    {
        judge.tell_message(ViolationKind::BadLastRole, judge.last());
    }
}

fn lacks(message: &Message) -> bool {
    matches!(message.content, Content::Missing | Content::Null)
}

/// OC-R4, OC-R5: null only beside calls; a list of at least one part.
fn empty_content(judge: &mut Judge<'_>, index: usize, message: &Message, has_other: bool) {
    // An empty list beside calls was accepted in recorded requests.
    let none = lacks(message) || message.content == Content::List && judge.has_empty_list(index);
    if none && !has_other {
        judge.tell_message(ViolationKind::EmptyContent, index);
    }
}

/// OC-R2: a result needs its call in the block before it.
fn results(judge: &mut Judge<'_>, index: usize) {
    for (at, part) in judge.numbered(index).filter(|(_, part)| part.kind.is_result()) {
        match judge.pairs.tie(at) {
            Some(Tie::Orphan) => judge.tell_part(ViolationKind::OrphanResult, at),
            Some(Tie::Repeats(_)) => judge.tell_part(ViolationKind::DuplicateResult, at),
            _ => {}
        }
        if part.link == Link::Bad {
            judge.tell_part(ViolationKind::BadIdCharset, at);
        }
    }
}

/// OC-R6, OC-R7, OC-R10: the calls of one message.
fn check_calls(judge: &mut Judge<'_>, index: usize, seen: &mut super::Seen) {
    let calls = judge.numbered(index).filter(|(_, part)| is_call(part));
    if judge.limits.max_calls.is_some_and(|max| calls.clone().nth(max).is_some()) {
        judge.tell_message(ViolationKind::TooManyCalls, index);
    }
    // OpenAI itself takes an id twice; others do not.
    let unique = judge.profile.strict;
    let scope = if judge.profile.refuses_repeated_call_id { 0 } else { index };
    for (at, part) in calls {
        judge.check_id(at);
        if let Link::Id(id) = part.link
            && seen.again(id, scope)
            && unique
        {
            judge.tell_part(ViolationKind::DuplicateCallId, at);
        }
    }
}

fn is_call(part: &Part) -> bool {
    part.kind == PartKind::Call && part.family != LEGACY
}

/// OC-R1: the results of an assistant message are the very next messages. `open` is the last message that is no result.
fn answers(judge: &mut Judge<'_>, open: Option<usize>) {
    // For every message the last one before it that is no result.
    let mut owner = None;
    let mut owners = alloc::vec::Vec::with_capacity(judge.messages().len());
    for (index, message) in judge.messages().iter().enumerate() {
        owners.push(owner);
        let legacy = judge.parts(index).iter().any(|part| part.family == LEGACY);
        if message.role != Role::Tool || legacy {
            owner = Some(index);
        }
    }
    for (at, part) in judge.body.parts.iter().enumerate().filter(|(_, part)| is_call(part)) {
        match judge.answered_in(at) {
            Some(answer) if owners.get(answer).copied().flatten() == Some(part.message) => {}
            Some(_) => judge.tell_part(ViolationKind::ResultNotAdjacent, at),
            // In flight at the end of a history at rest.
            None if !judge.sending && open == Some(part.message) => {}
            None => judge.tell_part(ViolationKind::MissingResult, at),
        }
    }
}

/// Whether the server thinks and wants its reasoning back: the request or the model says so, or the history shows it.
fn thinks(judge: &Judge<'_>) -> bool {
    use crate::wire::Thinking;
    judge.profile.refuses_lost_reasoning
        && (judge.body.request.thinking == Some(Thinking::Manual)
            || judge.model.reasoning_content == Some(true)
            || judge.messages().iter().any(|message| message.reasoning_content))
}
