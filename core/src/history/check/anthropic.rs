//! Anthropic Messages.

use core::ops::Range;

use super::{Judge, ViolationKind, all_white, has_empty_text};
use crate::history::pair::Tie;
use crate::wire::{Blank, Content, Link, PartKind, Role, Thinking};

pub(super) fn check(judge: &mut Judge<'_>) {
    if judge.messages().is_empty() {
        return;
    }
    let start = live_from(judge);
    first(judge, start);
    for index in start..judge.messages().len() {
        content(judge, index);
    }
    turns(judge, start);
    system(judge, start);
    end(judge);
    cache_marks(judge);
    manual_thinking(judge);
}

/// Everything before the last compaction block that opens an assistant message is ignored; one without content is none.
fn live_from(judge: &Judge<'_>) -> usize {
    let compacted = |index: &usize| {
        judge.role(*index) == Some(Role::Assistant)
            && judge.parts(*index).first().is_some_and(|part| {
                part.kind == PartKind::Compaction && part.body.is_some_and(|body| body.of(judge.text) != "null")
            })
    };
    (0..judge.messages().len()).rev().find(compacted).unwrap_or(0)
}

/// AN-R9, AN-R14: a user message is first, or a compaction.
fn first(judge: &mut Judge<'_>, start: usize) {
    let compacted = judge.parts(start).first().is_some_and(|part| part.kind == PartKind::Compaction);
    match judge.role(start) {
        Some(Role::System) => judge.tell_message(ViolationKind::SystemMisplaced, start),
        Some(Role::Assistant) if !compacted => judge.tell_message(ViolationKind::BadFirstRole, start),
        _ => {}
    }
}

/// AN-R6, AN-R12, AT-R5, and what may stand in whose message.
fn content(judge: &mut Judge<'_>, index: usize) {
    let message = &judge.messages()[index];
    let parts = judge.parts(index);
    let none = match message.content {
        Content::Missing | Content::Null | Content::Text(Blank::Empty) => true,
        Content::List => judge.has_empty_list(index),
        Content::Text(_) | Content::Wrong => false,
    };
    if none {
        // AN-R12a: a probe saw empty assistant messages taken; the documents say that only the last one may be empty.
        if message.role != Role::Assistant || judge.profile.strict && index < judge.last() {
            judge.tell_message(ViolationKind::EmptyContent, index);
        }
        return;
    }
    if has_empty_text(parts) {
        judge.tell_message(ViolationKind::EmptyContent, index);
    } else if all_white(parts) {
        judge.tell_message(ViolationKind::WhitespaceText, index);
    }
    for (at, part) in judge.numbered(index) {
        match part.kind {
            PartKind::Call => {
                judge.check_id(at);
                if message.role != Role::Assistant {
                    judge.tell_part(ViolationKind::MisplacedBlock, at);
                }
            }
            PartKind::Result { blank_text, .. } => {
                if part.link == Link::Bad {
                    judge.tell_part(ViolationKind::BadIdCharset, at);
                }
                if message.role != Role::User {
                    judge.tell_part(ViolationKind::MisplacedBlock, at);
                }
                if blank_text && judge.profile.strict {
                    judge.tell_part(ViolationKind::EmptyContent, at);
                }
            }
            PartKind::Thinking if !part.signed => judge.tell_part(ViolationKind::SignatureMissing, at),
            PartKind::Compaction if part.body.is_some_and(|body| body.of(judge.text) == "\"\"") => {
                judge.tell_part(ViolationKind::EmptyContent, at);
            }
            _ => {}
        }
    }
}

/// AN-R1 to AN-R5, AN-R8, AN-R16, AN-R17: runs of assistant messages, each answered by the run of user messages behind.
fn turns(judge: &mut Judge<'_>, start: usize) {
    let count = judge.messages().len();
    let mut seen = judge.seen();
    // The run of assistant messages right before a run of user messages.
    let mut asked = start..start;
    let mut index = start;
    while index < count {
        let run = index;
        let role = judge.role(run);
        while index < count && judge.role(index) == role {
            index += 1;
        }
        match role {
            Some(Role::Assistant) => {
                let mut reply = index;
                while reply < count && judge.role(reply) == Some(Role::User) {
                    reply += 1;
                }
                asking(judge, run..index, index..reply, &mut seen);
                asked = run..index;
            }
            Some(Role::User) => {
                answering(judge, run..index, asked, start);
                asked = index..index;
            }
            // A system message, or one of a role that is none, lets a run end; results behind it answer nothing.
            _ => asked = index..index,
        }
    }
}

/// The calls of a run of assistant messages, whose answers stand in the run `reply`.
fn asking(judge: &mut Judge<'_>, run: Range<usize>, reply: Range<usize>, seen: &mut super::Seen) {
    let (mut open_server, mut has_calls) = (None, false);
    let mut told_system = false;
    for (at, part) in judge.numbered_in(run.clone()) {
        match part.kind {
            PartKind::Call => {
                has_calls = true;
                if let Link::Id(id) = part.link
                    && seen.again(id, run.start)
                {
                    judge.tell_part(ViolationKind::DuplicateCallId, at);
                }
                match judge.answered_in(at) {
                    Some(answer) if reply.contains(&answer) => {}
                    // Told as a result in the wrong message.
                    Some(answer) if judge.role(answer) != Some(Role::User) => {}
                    Some(_) if judge.role(reply.start) == Some(Role::System) => {
                        // AN-R14: never between a call and its result; told once.
                        if !told_system {
                            judge.tell_message(ViolationKind::SystemMisplaced, reply.start);
                        }
                        told_system = true;
                    }
                    Some(_) => judge.tell_part(ViolationKind::ResultNotAdjacent, at),
                    // In flight at the end of a history at rest, some of its siblings answered or none.
                    None if !judge.sending && reply.end == judge.messages().len() && only_results(judge, &reply) => {}
                    None => judge.tell_part(ViolationKind::MissingResult, at),
                }
            }
            PartKind::ServerCall if judge.answered_in(at).is_none_or(|answer| answer >= run.end) => {
                open_server = open_server.or(Some(at));
            }
            // AN-R17.
            PartKind::ServerResult if judge.pairs.tie(at) == Some(Tie::Orphan) => {
                judge.tell_part(ViolationKind::OrphanResult, at);
            }
            _ => {}
        }
    }
    // AN-R16: what the server left open is resumed by results alone, or by the assistant's own message.
    if open_server.is_some() && run.end < judge.messages().len() {
        let extra = judge.parts(run.end).iter().any(|part| !part.kind.is_result());
        if extra || !has_calls {
            judge.tell_message(ViolationKind::ServerToolUnresolved, run.end);
        }
    }
}

fn only_results(judge: &Judge<'_>, run: &Range<usize>) -> bool {
    run.clone().all(|index| judge.parts(index).iter().all(|part| part.kind.is_result()))
}

/// The results in a run of user messages that follows the assistant messages `asked`.
fn answering(judge: &mut Judge<'_>, run: Range<usize>, asked: Range<usize>, start: usize) {
    // Something other than a result was there before, in this run.
    let mut other = false;
    let (mut first_with, mut split) = (None, None);
    for index in run {
        let mut own = false;
        for (at, part) in judge.numbered(index) {
            if !part.kind.is_result() {
                (own, other) = (true, true);
                continue;
            }
            match judge.pairs.tie(at) {
                // AN-R3, and for calls that a compaction took away.
                Some(Tie::Answers(call) | Tie::Repeats(call))
                    if judge.body.parts.get(call).is_none_or(|call| call.message < start) =>
                {
                    judge.tell_part(ViolationKind::OrphanResult, at);
                }
                Some(Tie::Orphan) => judge.tell_part(ViolationKind::OrphanResult, at),
                // AN-R4.
                Some(Tie::Repeats(_)) => judge.tell_part(ViolationKind::DuplicateResult, at),
                Some(Tie::Answers(call)) => {
                    let near = judge.body.parts.get(call).is_some_and(|call| asked.contains(&call.message));
                    // Told with the call where it is far.
                    if !near {
                        continue;
                    }
                    if own {
                        // AN-R2.
                        judge.tell_part(ViolationKind::ResultNotFirst, at);
                    } else if other {
                        judge.tell_part(ViolationKind::ResultNotAdjacent, call);
                    }
                    if first_with.is_some_and(|first| first != index) {
                        split = split.or(Some(index));
                    }
                    first_with = first_with.or(Some(index));
                }
                None => {}
            }
        }
    }
    // AN-R8: it pairs up, but is not the shape that the documents ask for.
    if let Some(index) = split.filter(|_| judge.profile.strict) {
        judge.tell_message(ViolationKind::ResultSplit, index);
    }
}

/// AN-R14: where system messages may stand on the way.
fn system(judge: &mut Judge<'_>, start: usize) {
    let messages = judge.messages();
    let mut index = start;
    while index < messages.len() {
        if judge.role(index) != Some(Role::System) {
            index += 1;
            continue;
        }
        let from = index;
        while index < messages.len() && judge.role(index) == Some(Role::System) {
            index += 1;
        }
        let after = (index < messages.len()).then(|| judge.role(index)).flatten();
        let mut misplaced = judge.model.system_messages == Some(false);
        if from > start {
            let before = judge.parts(from - 1);
            // Told with the call that has its result behind the system message.
            let calls = before.iter().any(|part| part.kind == PartKind::Call);
            misplaced |= !calls && after.is_some_and(|role| role != Role::Assistant);
            let ends_served = before.last().is_some_and(|part| part.kind == PartKind::ServerResult);
            misplaced |= !calls && !ends_served && judge.role(from - 1) == Some(Role::Assistant);
        }
        for index in from..index {
            if misplaced && index > start {
                judge.tell_message(ViolationKind::SystemMisplaced, index);
            }
            for (at, part) in judge.numbered(index) {
                if matches!(part.kind, PartKind::Media | PartKind::Thinking | PartKind::ServerCall) {
                    judge.tell_part(ViolationKind::WrongContentType, at);
                }
            }
        }
    }
}

/// AN-R10, AN-R11, AN-R18: how a request may end.
fn end(judge: &mut Judge<'_>) {
    if !judge.sending {
        return;
    }
    let Some(last) = (0..judge.messages().len()).rev().find(|&index| judge.role(index) != Some(Role::System)) else {
        return;
    };
    let parts = judge.parts(last);
    // AT-R4.
    if judge.role(last) == Some(Role::Assistant) && judge.body.request.thinking == Some(Thinking::Disabled) {
        for (at, _) in judge.numbered(last).filter(|(_, part)| part.kind == PartKind::Thinking) {
            judge.tell_part(ViolationKind::MisplacedBlock, at);
        }
    }
    // An open call is told as such.
    if judge.role(last) != Some(Role::Assistant) || parts.iter().any(|part| part.kind == PartKind::Call) {
        return;
    }
    let paused = parts.iter().any(|part| part.kind == PartKind::ServerCall);
    if judge.model.prefill != Some(true) {
        if !paused {
            judge.tell_message(ViolationKind::BadLastRole, last);
        }
    } else if let Some(at) = judge.messages()[last].end_part.checked_sub(1)
        && judge.ends_in_white(at)
    {
        judge.tell_part(ViolationKind::WhitespaceText, at);
    }
}

/// The number of marks, and those of an hour before those of five minutes, in the order tools, system, messages.
fn cache_marks(judge: &mut Judge<'_>) {
    let body = judge.body;
    super::too_many_marks(judge);
    let mut short = body.request.marks.iter().any(|mark| !mark.long);
    let before = &body.request.marks;
    let first_short = before.iter().position(|mark| !mark.long).unwrap_or(before.len());
    if before.get(first_short..).unwrap_or_default().iter().any(|mark| mark.long) {
        judge.tell_all(ViolationKind::CacheTtlOrder, 0);
    }
    for mark in &body.marks {
        if mark.long && short {
            judge.tell_part(ViolationKind::CacheTtlOrder, mark.part);
        }
        short |= !mark.long;
    }
}

/// AT-R2: thinking by hand wants the last assistant message of the open turn to begin with thinking.
fn manual_thinking(judge: &mut Judge<'_>) {
    if judge.body.request.thinking != Some(Thinking::Manual) || judge.model.manual_thinking == Some(false) {
        return;
    }
    let last = judge.last();
    if judge.role(last) != Some(Role::User) || !judge.parts(last).iter().any(|part| part.kind.is_result()) {
        return;
    }
    let Some(index) = (0..last).rev().find(|&index| judge.role(index) == Some(Role::Assistant)) else { return };
    if judge.parts(index).first().is_some_and(|part| part.kind != PartKind::Thinking) {
        judge.tell_message(ViolationKind::ThinkingMissing, index);
    }
}
