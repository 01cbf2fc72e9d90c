//! What stays whatever is cut, and what has to stay with it.

use alloc::vec::Vec;

use super::super::History;
use super::CutOptions;
use super::places::{Places, parts_of};
use crate::error::Error;
use crate::json::unescape;
use crate::wire::{PartKind, Role, WireFormat};

/// Messages `from..to`.
pub(super) type Range = (usize, usize);

/// Where two kept messages that were no neighbours meet.
pub(super) struct Seams<'h> {
    pub(super) history: &'h History<'h>,
    pub(super) places: &'h Places,
    /// Only what every format takes.
    pub(super) portable: bool,
}

impl Seams<'_> {
    fn role(&self, index: usize) -> Role {
        self.history.body.messages.get(index).map_or(Role::Unknown, |message| message.role)
    }

    /// Whether a message calls something.
    fn calls(&self, index: usize) -> bool {
        parts_of(self.history, index).iter().any(|part| part.kind == PartKind::Call)
    }

    /// Whether the kept message `before` (none: the system prompt at most) may be followed by the unit that starts at
    /// `next`.
    pub(super) fn holds(&self, before: Option<usize>, next: usize) -> bool {
        let place = self.places.get(next);
        let Some(before) = before else {
            return next == self.places.head || if self.portable { place.plain_user } else { place.opens };
        };
        if before + 1 == next {
            return true;
        }
        let listens = |role| matches!(role, Role::User | Role::Tool);
        let (last, before, role) = (before, self.role(before), self.role(next));
        match self.history.format() {
            // Calls that were never answered may not come to stand before others with their ids.
            WireFormat::OpenAiChat | WireFormat::OpenAiResponses if !self.portable => {
                let unanswered = self.history.profile.refuses_user_after_result;
                let is_refused = unanswered && before == Role::Tool && role == Role::User;
                role != Role::Tool && !self.calls(last) && !is_refused
            }
            // Runs of user messages are one turn there; calls have to follow a user's turn.
            WireFormat::Anthropic | WireFormat::Gemini if !self.portable => match role {
                Role::User => place.plain_user && before != Role::System,
                Role::Assistant => listens(before),
                _ => false,
            },
            _ => match role {
                Role::User => place.plain_user && before == Role::Assistant,
                Role::Assistant => listens(before),
                _ => false,
            },
        }
    }
}

/// The protected messages after the system prompt, as ranges in order that do not touch. Each may follow the one
/// before it: where it may not, what makes it possible is kept too.
pub(super) fn protected(seams: &Seams<'_>, options: &CutOptions<'_>) -> Result<Vec<Range>, Error> {
    let units = units(seams.places, wanted(seams.history, seams.places, options)?);
    let mut kept: Vec<Range> = Vec::new();
    for unit in units {
        bridge(seams, &mut kept, unit.0);
        push(&mut kept, unit);
    }
    Ok(kept)
}

/// Pins, the last user message with the question it answers, the last step, and the last compaction of the server.
fn wanted(history: &History<'_>, places: &Places, options: &CutOptions<'_>) -> Result<Vec<usize>, Error> {
    let n = history.len();
    let mut wanted = Vec::with_capacity(options.pinned.len() + 4);
    for &pin in options.pinned {
        if pin >= n {
            let message = alloc::format!("pinned: there is no message {pin}, the history has {n}");
            return Err(Error::option("pinned", message).numbered(pin));
        }
        wanted.push(pin);
    }
    if let Some(user) = (0..n).rev().find(|&i| places.get(i).plain_user) {
        wanted.push(user);
        if user > places.head && asks(history, user - 1) {
            wanted.push(user - 1);
        }
        // Words of the user that stand beside results.
        wanted.extend((user + 1..n).rev().find(|&i| speaks_beside_results(history, i)));
    }
    wanted.extend(n.checked_sub(1));
    wanted.extend(places.compaction);
    wanted.retain(|&i| i >= places.head);
    wanted.sort_unstable();
    Ok(wanted)
}

fn speaks_beside_results(history: &History<'_>, index: usize) -> bool {
    let is_user = history.body.messages.get(index).is_some_and(|message| message.role == Role::User);
    is_user && parts_of(history, index).iter().any(|part| matches!(part.kind, PartKind::Text(_) | PartKind::Media))
}

/// The end of an assistant's text in which a question mark counts.
const QUESTION_WITHIN: usize = 600;

/// Whether an assistant message asks the user something: its last text holds a question mark near its end. The mark
/// counts before white space, punctuation or the end, so that addresses and code ask nothing.
fn asks(history: &History<'_>, index: usize) -> bool {
    let message = history.body.messages.get(index);
    if message.is_none_or(|message| message.role != Role::Assistant) {
        return false;
    }
    let Some(part) = parts_of(history, index).iter().rev().find(|part| matches!(part.kind, PartKind::Text(_))) else {
        return false;
    };
    let raw = part.span.of(&history.text);
    let mut from = raw.len().saturating_sub(QUESTION_WITHIN);
    while !raw.is_char_boundary(from) {
        from -= 1;
    }
    let mut marked = false;
    for (_, _, c) in unescape(raw.get(from..).unwrap_or_default()) {
        if marked && !c.is_alphanumeric() && !matches!(c, '=' | '&' | '/' | '.' | ':') {
            return true;
        }
        // Latin, full-width, Arabic, Armenian and Ethiopic question marks.
        marked = matches!(c, '?' | '？' | '؟' | '՞' | '፧');
    }
    marked
}

/// The units that hold these messages (in order, repeats allowed), each once.
fn units(places: &Places, wanted: Vec<usize>) -> Vec<Range> {
    let mut units: Vec<Range> = Vec::new();
    for index in wanted {
        if units.last().is_none_or(|&(_, to)| index >= to) {
            units.push(places.unit(index));
        }
    }
    units
}

/// Adds what has to stand between the last kept message and the unit at `next`: the user message that it answers, or
/// the step that the user answers; where neither helps, all that stands between.
fn bridge(seams: &Seams<'_>, kept: &mut Vec<Range>, next: usize) {
    let end = kept.last().map_or(seams.places.head, |&(_, to)| to);
    let before = kept.last().map(|&(_, to)| to - 1);
    if seams.holds(before, next) {
        return;
    }
    let from = if seams.places.get(next).plain_user {
        next.checked_sub(1).map(|last| seams.places.unit(last).0)
    } else {
        (end..next).rev().find(|&i| seams.places.get(i).plain_user)
    };
    if let Some(unit) = from.filter(|&from| from >= end && from < next).map(|from| seams.places.unit(from))
        && unit.1 <= next
        && seams.holds(before, unit.0)
        && seams.holds(Some(unit.1 - 1), next)
    {
        push(kept, unit);
        return;
    }
    push(kept, (end, next));
}

fn push(kept: &mut Vec<Range>, range: Range) {
    match kept.last_mut() {
        Some(last) if last.1 == range.0 => last.1 = range.1,
        _ if range.0 < range.1 => kept.push(range),
        _ => {}
    }
}
