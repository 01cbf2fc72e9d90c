//! The history while it is mended: messages in their new order, each with the blocks it is to hold.
//!
//! A message that nothing was done to is its source's own bytes. One that was touched is its source with other blocks
//! in the place of its own, each block again the bytes that it was; only what was missing is written by us.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::splice::Splices;
use super::{Change, RepairAction, shape};
use crate::history::History;
use crate::history::output::OutMessage;
use crate::history::pair::Pairs;
use crate::history::violation::ViolationKind;
use crate::wire::{Body, Content, Part, PartKind, Profile, Role, Span, WireFormat};

/// What a message holds: a part of the input, or a text of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Block {
    /// The part of that number, with what was spliced into it.
    Part(usize),
    /// The text of that number among those that were made.
    Made(usize),
}

/// A message of the history to be.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The message of the input that it comes from.
    pub(super) source: Option<usize>,
    /// It takes blocks of its source, but not its other members.
    pub(super) fresh: bool,
    pub(super) role: Role,
    /// What it holds; none for what its source holds, unchanged.
    pub(super) own: Option<Vec<Block>>,
}

impl Slot {
    /// A message of ours.
    pub(super) const fn made(role: Role, own: Vec<Block>) -> Slot {
        Slot { source: None, fresh: true, role, own: Some(own) }
    }

    /// A second message out of the blocks of `source`.
    pub(super) const fn split_off(source: Option<usize>, role: Role, own: Vec<Block>) -> Slot {
        Slot { source, fresh: true, role, own: Some(own) }
    }
}

/// The history while it is mended.
pub(super) struct Draft<'h> {
    pub(super) text: &'h str,
    pub(super) body: &'h Body,
    pub(super) pairs: &'h Pairs,
    pub(super) profile: &'static Profile,
    pub(super) slots: Vec<Slot>,
    pub(super) splices: Splices,
    pub(super) changes: Vec<Change>,
    /// New ids, by the part that has them, as JSON strings.
    pub(super) ids: BTreeMap<usize, String>,
    made: Vec<String>,
    made_results: BTreeSet<Block>,
}

impl<'h> Draft<'h> {
    pub(super) fn of(history: &'h History<'_>) -> Draft<'h> {
        let slot = |(at, message): (usize, &crate::wire::Message)| Slot {
            source: Some(at),
            fresh: false,
            role: message.role,
            own: None,
        };
        Draft {
            text: &history.text,
            body: &history.body,
            pairs: &history.pairs,
            profile: history.profile,
            slots: history.body.messages.iter().enumerate().map(slot).collect(),
            splices: Splices::default(),
            changes: Vec::new(),
            ids: BTreeMap::new(),
            made: Vec::new(),
            made_results: BTreeSet::new(),
        }
    }

    pub(super) const fn format(&self) -> WireFormat {
        self.body.format
    }

    pub(super) fn part(&self, at: usize) -> Option<&'h Part> {
        self.body.parts.get(at)
    }

    pub(super) fn kind(&self, block: Block) -> Option<PartKind> {
        match block {
            Block::Part(at) => self.part(at).map(|part| part.kind),
            Block::Made(_) => None,
        }
    }

    /// The number of the part if the block is a result that the host gave.
    pub(super) fn result(&self, block: Block) -> Option<usize> {
        match block {
            Block::Part(at) if self.part(at).is_some_and(|part| part.kind.is_result()) => Some(at),
            _ => None,
        }
    }

    /// The number of the part if the block is a call that the host answers.
    pub(super) fn call(&self, block: Block) -> Option<usize> {
        match block {
            Block::Part(at) if self.part(at).is_some_and(|part| part.kind == PartKind::Call) => Some(at),
            _ => None,
        }
    }

    /// What a message holds now.
    pub(super) fn blocks(&self, slot: &Slot) -> Vec<Block> {
        match (&slot.own, slot.source) {
            (Some(own), _) => own.clone(),
            (None, Some(source)) => self.source_parts(source).map(Block::Part).collect(),
            (None, None) => Vec::new(),
        }
    }

    fn source_parts(&self, source: usize) -> core::ops::Range<usize> {
        self.body.messages.get(source).map_or(0..0, |message| message.first_part..message.end_part)
    }

    /// Lets `slot` hold `blocks`.
    pub(super) fn fill(&self, slot: &mut Slot, blocks: Vec<Block>) {
        let same = !slot.fresh
            && slot.source.is_some_and(|source| {
                let parts = self.source_parts(source);
                parts.len() == blocks.len() && parts.map(Block::Part).eq(blocks.iter().copied())
            });
        slot.own = if same { None } else { Some(blocks) };
    }

    /// A block of ours.
    pub(super) fn make(&mut self, text: String) -> Block {
        self.made.push(text);
        Block::Made(self.made.len() - 1)
    }

    /// A result of ours.
    pub(super) fn make_result(&mut self, text: String) -> Block {
        let block = self.make(text);
        self.made_results.insert(block);
        block
    }

    pub(super) fn is_made_result(&self, block: Block) -> bool {
        self.made_results.contains(&block)
    }

    /// Says what was done about the part `at`.
    pub(super) fn tell_part(&mut self, action: RepairAction, violation: ViolationKind, at: usize, message: String) {
        let index = self.part(at).map_or(0, |part| part.message);
        let path = self.body.path_of(self.text, at);
        self.changes.push(Change { action, violation, index, path, message });
    }

    /// Says what was done about the message `index` of the input.
    pub(super) fn tell(&mut self, action: RepairAction, violation: ViolationKind, index: usize, message: &str) {
        let path = alloc::format!("/{index}");
        self.changes.push(Change { action, violation, index, path, message: message.into() });
    }

    /// What an id or a name of the part says, for a sentence: at most 32 characters.
    pub(super) fn id_text(&self, at: usize) -> String {
        let raw = self.part(at).and_then(|part| part.id_span).map_or("", |span| span.of(self.text));
        crate::wording::quoted_part(&crate::json::decode_key(raw))
    }

    /// The id of a call as it stands or will stand, a JSON value; none when it has none.
    pub(super) fn id_json(&self, at: usize) -> Option<String> {
        let own = || self.part(at).and_then(|part| part.id_span).map(|span| span.of(self.text).into());
        self.ids.get(&at).cloned().or_else(own)
    }

    /// The name of a tool as a JSON string.
    pub(super) fn name_json(&self, at: usize) -> Option<String> {
        let name = self.part(at)?.name?;
        let mut out = String::from("\"");
        crate::json::write_escaped(&self.body.symbols.text(self.text, name), &mut out);
        out.push('"');
        Some(out)
    }

    /// The first message that is not the one of the input with the same number, as it came.
    pub(super) fn edit_point(&self) -> Option<usize> {
        let as_it_came = |(at, slot): (usize, &Slot)| slot.source == Some(at) && self.is_untouched(slot);
        let first = self.slots.iter().enumerate().position(|slot| !as_it_came(slot));
        first.or((self.slots.len() < self.body.messages.len()).then_some(self.slots.len()))
    }

    fn is_untouched(&self, slot: &Slot) -> bool {
        let span = slot.source.and_then(|source| self.body.messages.get(source)).map(|message| message.span);
        !slot.fresh && slot.own.is_none() && span.is_some_and(|span| !self.splices.touches(span))
    }

    /// The resulting messages.
    pub(super) fn finish(mut self) -> (Vec<OutMessage>, Vec<Change>) {
        let slots = core::mem::take(&mut self.slots);
        let messages = slots.iter().map(|slot| self.rendered(slot)).collect();
        self.changes.sort_by_key(|change| change.index);
        (messages, self.changes)
    }

    fn rendered(&self, slot: &Slot) -> OutMessage {
        if let (true, Some(source)) = (self.is_untouched(slot), slot.source) {
            return OutMessage::untouched(source);
        }
        let mut text = String::new();
        match (slot.source, &slot.own) {
            (Some(source), None) => {
                if let Some(message) = self.body.messages.get(source) {
                    self.splices.write(self.text, message.span, &mut text);
                }
            }
            (Some(source), Some(blocks)) if !slot.fresh => self.write_shell(source, blocks, &mut text),
            (_, own) => {
                let own = own.as_deref().unwrap_or_default();
                if let (true, Some(&Block::Made(made))) = (shape::is_whole(self.format(), slot.role), own.first()) {
                    text.push_str(self.made.get(made).map_or("", String::as_str));
                } else {
                    let list = self.list(own.iter().copied(), slot.role);
                    text = if self.format() == WireFormat::OpenAiChat && slot.role == Role::Assistant {
                        shape::calls(&list)
                    } else {
                        shape::message(self.format(), slot.role, &list)
                    };
                }
            }
        }
        OutMessage { source: slot.source, text: Some(text) }
    }

    /// The message `source` with `blocks` in place of its own.
    fn write_shell(&self, source: usize, blocks: &[Block], out: &mut String) {
        let Some(message) = self.body.messages.get(source) else { return };
        let beside = |block: &Block| match block {
            Block::Part(at) => self.part(*at).is_some_and(|part| {
                let home = self.body.messages.get(part.message);
                home.is_some_and(|home| !within(home.content_span, part.span) && part.kind == PartKind::Call)
            }),
            Block::Made(_) => false,
        };
        let is_chat = self.format() == WireFormat::OpenAiChat;
        let (calls, content): (Vec<Block>, Vec<Block>) =
            if is_chat { blocks.iter().partition(|block| beside(block)) } else { (Vec::new(), blocks.to_vec()) };
        let mut splices = self.splices.clone_inside(message.span);
        if let Some(span) = message.content_span {
            let own = self.parts_within(source, span);
            if !content.iter().copied().eq(own.map(Block::Part)) || message.content == Content::Wrong {
                let list = if is_chat && content.is_empty() {
                    String::from(if self.profile.refuses_null_content { "\"\"" } else { "null" })
                } else {
                    self.list(content.iter().copied(), message.role)
                };
                splices.replace(span, &list);
            }
        } else if !content.is_empty() {
            let list = self.list(content.iter().copied(), message.role);
            splices.set_member(self.text, message.span, shape::field(self.format()), &list);
        }
        if is_chat {
            self.splice_calls(source, &calls, &mut splices);
        }
        splices.write(self.text, message.span, out);
    }

    fn splice_calls(&self, source: usize, calls: &[Block], splices: &mut Splices) {
        let Some(message) = self.body.messages.get(source) else { return };
        let legacy = |block: &&Block| matches!(block, Block::Part(at) if self.part(*at).is_some_and(|p| p.family == 1));
        if let Some(span) = message.calls_span {
            let listed: Vec<Block> = calls.iter().filter(|block| !legacy(block)).copied().collect();
            if listed.is_empty() {
                splices.remove_member(self.text, message.span, "tool_calls");
            } else if !listed.iter().copied().eq(self.parts_within(source, span).map(Block::Part)) {
                splices.replace(span, &self.list(listed.into_iter(), message.role));
            }
        }
        let had = self.source_parts(source).map(Block::Part).any(|block| legacy(&&block) && self.call(block).is_some());
        if had && !calls.iter().any(|block| legacy(&block)) {
            splices.remove_member(self.text, message.span, "function_call");
        }
    }

    fn parts_within(&self, source: usize, span: Span) -> impl Iterator<Item = usize> + '_ {
        self.source_parts(source).filter(move |&at| self.part(at).is_some_and(|part| within(Some(span), part.span)))
    }

    /// A JSON list of blocks.
    fn list(&self, blocks: impl Iterator<Item = Block>, role: Role) -> String {
        let mut out = String::from("[");
        for block in blocks {
            if out.len() > 1 {
                out.push(',');
            }
            match block {
                Block::Made(at) => out.push_str(self.made.get(at).map_or("", String::as_str)),
                Block::Part(at) => {
                    let Some(part) = self.part(at) else { continue };
                    let mut text = String::new();
                    self.splices.write(self.text, part.span, &mut text);
                    // The text of a message whose content is a string becomes a block among others.
                    if text.starts_with('"') {
                        text = shape::text_block(self.format(), role, &text);
                    }
                    out.push_str(&text);
                }
            }
        }
        out.push(']');
        out
    }
}

fn within(outer: Option<Span>, inner: Span) -> bool {
    outer.is_some_and(|outer| outer.start <= inner.start && inner.end <= outer.end)
}
