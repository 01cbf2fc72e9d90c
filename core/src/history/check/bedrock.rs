//! Amazon Bedrock Converse.

use super::{Judge, ViolationKind, all_white, has_empty_text};
use crate::history::pair::Tie;
use crate::wire::{Content, Link, PartKind, Role};

pub(super) fn check(judge: &mut Judge<'_>) {
    let messages = judge.messages();
    // BE-R5.
    if !matches!(judge.role(0), None | Some(Role::User | Role::Unknown)) {
        judge.tell_message(ViolationKind::BadFirstRole, 0);
    }
    let mut seen = judge.seen();
    for (index, message) in messages.iter().enumerate() {
        // BE-R4.
        if index > 0 && judge.role(index - 1) == Some(message.role) {
            judge.tell_message(ViolationKind::RoleNotAlternating, index);
        }
        content(judge, index);
        blocks(judge, index, &mut seen);
        answers(judge, index);
    }
    super::too_many_marks(judge);
    // BE-R8.
    let is_tool = |kind: PartKind| kind == PartKind::Call || kind.is_result();
    let declared = judge.body.request.has_tools.unwrap_or(!judge.body.request.whole);
    if !declared && let Some(part) = judge.body.parts.iter().find(|part| is_tool(part.kind)) {
        judge.tell_message(ViolationKind::ToolConfigMissing, part.message);
    }
    // The rule of Anthropic's models (AN-R10) counts underneath; an open call is told as such.
    let last = judge.last();
    if judge.sending
        && judge.role(last) == Some(Role::Assistant)
        && judge.model.prefill != Some(true)
        && !judge.parts(last).iter().any(|part| part.kind == PartKind::Call)
    {
        judge.tell_message(ViolationKind::BadLastRole, last);
    }
}

/// BE-R6: content is a list that says something.
fn content(judge: &mut Judge<'_>, index: usize) {
    let parts = judge.parts(index);
    match judge.messages()[index].content {
        // The one format where a text alone is no content.
        Content::Text(_) => judge.tell_message(ViolationKind::WrongContentType, index),
        Content::Missing | Content::Null => judge.tell_message(ViolationKind::EmptyContent, index),
        Content::List if parts.is_empty() || has_empty_text(parts) => {
            judge.tell_message(ViolationKind::EmptyContent, index);
        }
        Content::List if all_white(parts) => judge.tell_message(ViolationKind::WhitespaceText, index),
        Content::List | Content::Wrong => {}
    }
}

/// BE-R2, BE-R3, BE-R7, BE-R11: each block by itself.
fn blocks(judge: &mut Judge<'_>, index: usize, seen: &mut super::Seen) {
    let role = judge.role(index);
    for (at, part) in judge.numbered(index) {
        match part.kind {
            PartKind::Call => {
                judge.check_id(at);
                if role != Some(Role::Assistant) {
                    judge.tell_part(ViolationKind::MisplacedBlock, at);
                }
                if let Link::Id(id) = part.link
                    && seen.again(id, index)
                {
                    judge.tell_part(ViolationKind::DuplicateCallId, at);
                }
            }
            PartKind::Result { error, empty, .. } => {
                if part.link == Link::Bad {
                    judge.tell_part(ViolationKind::BadIdCharset, at);
                }
                if role != Some(Role::User) {
                    judge.tell_part(ViolationKind::MisplacedBlock, at);
                }
                match judge.pairs.tie(at) {
                    Some(Tie::Orphan) => judge.tell_part(ViolationKind::OrphanResult, at),
                    Some(Tie::Repeats(_)) => judge.tell_part(ViolationKind::DuplicateResult, at),
                    _ => {}
                }
                // BE-R7.
                if error && empty && !part.ill_typed {
                    judge.tell_part(ViolationKind::ErrorResultEmpty, at);
                }
            }
            // BE-R15: what the model's own side ran has its result in the same message.
            PartKind::ServerCall if index < judge.last() && judge.answered_in(at) != Some(index) => {
                judge.tell_part(ViolationKind::ServerToolUnresolved, at);
            }
            // BE-R12.
            PartKind::Media if role != Some(Role::User) => judge.tell_part(ViolationKind::MisplacedBlock, at),
            _ => {}
        }
    }
}

/// BE-R1: all results of a message are in the next one.
fn answers(judge: &mut Judge<'_>, index: usize) {
    if judge.role(index) != Some(Role::Assistant) {
        return;
    }
    let next = index + 1;
    let mut end = next;
    let mut split = None;
    for (at, _) in judge.numbered(index).filter(|(_, part)| part.kind == PartKind::Call) {
        match judge.answered_in(at) {
            Some(answer) if answer == next || judge.role(answer) != Some(Role::User) => {}
            Some(answer) => {
                // The messages of results right behind the call.
                while end <= answer && is_reply(judge, end) {
                    end += 1;
                }
                if answer < end {
                    split = split.or(Some(answer));
                } else {
                    judge.tell_part(ViolationKind::ResultNotAdjacent, at);
                }
            }
            None if !judge.sending && waits(judge, next) => {}
            None => judge.tell_part(ViolationKind::MissingResult, at),
        }
    }
    if let Some(answer) = split {
        judge.tell_message(ViolationKind::ResultSplit, answer);
    }
}

/// Whether nothing but results stands from there on.
fn waits(judge: &Judge<'_>, from: usize) -> bool {
    from + 1 >= judge.messages().len() && judge.parts(from).iter().all(|part| part.kind.is_result())
}

fn is_reply(judge: &Judge<'_>, index: usize) -> bool {
    judge.role(index) == Some(Role::User) && judge.parts(index).iter().any(|part| part.kind.is_result())
}
