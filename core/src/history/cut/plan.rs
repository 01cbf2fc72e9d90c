//! From what is kept to the messages of the history after the cut.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::History;
use super::super::output::OutMessage;
use super::Strip;
use super::places::{Places, binds_thinking, is_reasoning, parts_of};
use super::protect::Range;
use super::strip::{has_server_id, without_id, without_thinking};
use crate::wire::{PartKind, Role, WireFormat};

/// Messages that were written anew, by index.
pub(super) type Rewritten = BTreeMap<usize, String>;

/// A history after a cut, before it is measured.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) messages: Vec<OutMessage>,
    pub(super) strip: Vec<Strip>,
}

impl Plan {
    /// The messages of `kept` (ranges in order, the system prompt among them), with `rewritten` in their places and
    /// without what is bound to something that is gone or rewritten.
    pub(super) fn of(history: &History<'_>, places: &Places, kept: &[Range], rewritten: &Rewritten) -> Plan {
        let mut strip = Vec::new();
        let mut texts: Rewritten = rewritten.clone();
        match history.format() {
            WireFormat::Anthropic | WireFormat::Bedrock if places.last_bound.is_some() => {
                strip_thinking(history, places, kept, &mut texts, &mut strip);
            }
            WireFormat::OpenAiResponses => strip_ids(history, kept, &mut texts, &mut strip),
            _ => {}
        }
        let messages = kept
            .iter()
            .flat_map(|&(from, to)| from..to)
            .map(|i| OutMessage { source: Some(i), text: texts.remove(&i) })
            .collect();
        Plan { messages, strip }
    }

    pub(super) fn texts<'t>(&'t self, history: &'t History<'_>) -> Vec<&'t str> {
        self.messages.iter().map(|message| history.text_of(message)).collect()
    }
}

/// The first message whose prefix is not what it was: what was made before it is still bound to what it sees.
fn first_change(places: &Places, kept: &[Range], rewritten: &Rewritten, n: usize) -> usize {
    // The prefix begins at the last compaction, if that is kept.
    let compaction = places.compaction.filter(|k| kept.iter().any(|&(from, to)| from <= *k && *k < to));
    let start = compaction.unwrap_or_default();
    let mut at = start;
    for &(from, to) in kept {
        if to > at && from <= at {
            at = to;
        }
    }
    let rewritten = rewritten.range(start..).next().map_or(n, |(&i, _)| i + 1);
    at.min(rewritten)
}

/// All blocks of thinking after the first change, in one go: leaving one out kills those after it anyway.
fn strip_thinking(
    history: &History<'_>,
    places: &Places,
    kept: &[Range],
    texts: &mut Rewritten,
    strip: &mut Vec<Strip>,
) {
    if !binds_thinking(history) {
        return;
    }
    let change = first_change(places, kept, texts, history.len());
    for i in kept.iter().flat_map(|&(from, to)| from.max(change)..to) {
        let Some(text) = without_thinking(history, i) else { continue };
        texts.insert(i, text);
        for (at, part) in parts_of(history, i).iter().enumerate() {
            if part.kind == PartKind::Thinking {
                strip.push(Strip { index: i, path: alloc::format!("/{i}/content/{at}"), what: "thinking" });
            }
        }
    }
}

/// The ids of kept items of a turn whose reasoning is dropped.
fn strip_ids(history: &History<'_>, kept: &[Range], texts: &mut Rewritten, strip: &mut Vec<Strip>) {
    let mut ranges = kept.iter().peekable();
    let mut lost = false;
    for (i, message) in history.body.messages.iter().enumerate() {
        while ranges.peek().is_some_and(|range| range.1 <= i) {
            ranges.next();
        }
        let is_kept = ranges.peek().is_some_and(|range| range.0 <= i);
        if message.role == Role::User {
            lost = false;
        } else if is_reasoning(history, i) {
            lost = !is_kept;
        } else if lost
            && is_kept
            && has_server_id(history, i)
            && let Some(text) = without_id(history, i)
        {
            texts.insert(i, text);
            strip.push(Strip { index: i, path: alloc::format!("/{i}/id"), what: "item_id" });
        }
    }
}
