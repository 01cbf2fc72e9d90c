//! Anthropic, Gemini, Bedrock: the results of a turn stand at the front of the user message after it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::draft::{Block, Draft, Slot};
use super::stray::{Fate, Giver};
use super::{RepairAction, server, types};
use crate::history::violation::ViolationKind;
use crate::wire::{Blank, PartKind, Role, WireFormat};

/// One assistant turn that calls, and what answers it, as ranges of the messages.
struct Turn {
    from: usize,
    /// One past its last assistant message.
    to: usize,
    /// System messages between it and its answer.
    users: usize,
    /// One past the last user message of the answer.
    end: usize,
    in_flight: bool,
}

struct Placer<'d, 'h> {
    d: &'d mut Draft<'h>,
    giver: &'d mut Giver,
    slots: Vec<Slot>,
    out: Vec<Slot>,
    /// Words of the user that have to wait until the next step is over.
    waiting: Vec<Slot>,
    /// Results of server calls that were dropped.
    dead: BTreeSet<usize>,
    /// A turn of the user is put last if the assistant's is.
    closes: bool,
}

/// Puts every result into the message after its call. Messages before `live` stay as they are.
pub(super) fn place(d: &mut Draft<'_>, giver: &mut Giver, sending: bool, closes: bool, live: usize) {
    let slots = core::mem::take(&mut d.slots);
    let out = Vec::with_capacity(slots.len());
    let mut placer = Placer { d, giver, slots, out, waiting: Vec::new(), dead: BTreeSet::new(), closes };
    placer.run(sending, live);
    let (mut out, waiting) = (placer.out, placer.waiting);
    out.extend(waiting);
    d.slots = out;
}

impl Placer<'_, '_> {
    fn run(&mut self, sending: bool, live: usize) {
        let count = self.slots.len();
        // Nothing but results behind it: what is open there is in flight.
        let quiet = 1 + self.slots.iter().rposition(|slot| !self.holds_only_results(slot)).unwrap_or_default();
        let mut at = 0;
        while at < count {
            let role = self.slots[at].role;
            if at < live || role != Role::Assistant {
                if at < live {
                    self.out.push(self.slots[at].clone());
                } else {
                    self.push(at, &[]);
                }
                at += 1;
                continue;
            }
            let to = self.end_of(at, |role| role == Role::Assistant);
            let calls: Vec<usize> = (at..to).flat_map(|slot| self.calls(slot)).collect();
            if calls.is_empty() {
                at = self.quiet_turn(at, to);
                continue;
            }
            self.giver.open(&calls);
            let turn = self.turn(at, to, &calls, !sending && to >= quiet && self.waiting.is_empty());
            let due = core::mem::take(&mut self.waiting);
            self.answer(&turn, &calls);
            self.out.extend(due);
            at = turn.end;
        }
    }

    fn holds_only_results(&self, slot: &Slot) -> bool {
        let blocks = self.d.blocks(slot);
        matches!(slot.role, Role::User | Role::Tool)
            && !blocks.is_empty()
            && blocks.iter().all(|&block| self.d.result(block).is_some_and(|result| !self.giver.leaves_words(result)))
    }

    fn end_of(&self, from: usize, is: impl Fn(Role) -> bool) -> usize {
        let count = self.slots.get(from..).unwrap_or_default().iter().take_while(|slot| is(slot.role)).count();
        from + count
    }

    fn calls(&self, slot: usize) -> Vec<usize> {
        let blocks = self.slots.get(slot).map_or_else(Vec::new, |slot| self.d.blocks(slot));
        blocks.into_iter().filter_map(|block| self.d.call(block)).collect()
    }

    /// An assistant turn without calls of the host.
    fn quiet_turn(&mut self, from: usize, to: usize) -> usize {
        let mut dropped = Vec::new();
        let pending = server::pending(self.d, &self.slots[from..to]);
        let mut end = to;
        let paused = self.slots[to - 1..to].iter().flat_map(|slot| self.d.blocks(slot));
        let paused = paused.into_iter().any(|block| self.d.kind(block) == Some(PartKind::ServerCall));
        if !pending.is_empty() && (to < self.slots.len() || self.closes && !paused) {
            let users = self.end_of(to, |role| role == Role::User);
            let comes = users > to && users < self.slots.len() && {
                let next = self.end_of(users, |role| role == Role::Assistant);
                server::resolves(self.d, &self.slots[users..next], &pending)
            };
            if comes {
                // The provider was not done: what the user says comes after its turn.
                for slot in to..users {
                    self.tell_pushed(slot, ViolationKind::ServerToolUnresolved);
                    if let Some(slot) = self.stripped(slot, &[]) {
                        self.waiting.push(slot);
                    }
                }
                end = users;
                (from..to).for_each(|slot| self.push(slot, &[]));
                return end;
            }
            for &call in &pending {
                let said =
                    alloc::format!("server tool call {} never got its result and is dropped", self.d.id_text(call));
                self.d.tell_part(RepairAction::Drop, ViolationKind::ServerToolUnresolved, call, said);
                self.dead.extend(self.d.pairs.answer(call));
            }
            dropped = pending;
        }
        (from..to).for_each(|slot| self.push(slot, &dropped));
        let due = core::mem::take(&mut self.waiting);
        self.out.extend(due);
        end = end.max(to);
        end
    }

    fn turn(&self, from: usize, to: usize, calls: &[usize], in_flight: bool) -> Turn {
        let format = self.d.format();
        let mut users = to;
        if format == WireFormat::Anthropic {
            users = self.end_of(to, |role| role == Role::System);
        }
        let mut end = self.end_of(users, |role| matches!(role, Role::User | Role::Tool));
        if end == users {
            (users, end) = (to, to);
        }
        let whole = Turn { from, to, users, end, in_flight };
        let last = (from..to).rev().find(|&slot| !self.calls(slot).is_empty()).unwrap_or(from);
        if last + 1 == to || in_flight {
            return whole;
        }
        let answered = format != WireFormat::Bedrock && self.is_answered(&whole, calls);
        // What the assistant says after its calls it says knowing the results.
        let cut = Turn { from, to: last + 1, users: last + 1, end: last + 1, in_flight: false };
        if answered { whole } else { cut }
    }

    /// True when every call has its result at the front of the answer.
    fn is_answered(&self, turn: &Turn, calls: &[usize]) -> bool {
        let mut front = 0;
        for slot in self.slots.get(turn.users..turn.end).unwrap_or_default() {
            let blocks = self.d.blocks(slot);
            let wanted = |block: &&Block| self.d.result(**block).is_some_and(|at| self.giver.is_wanted_here(at));
            let here = blocks.iter().take_while(wanted).count();
            front += here;
            if here < blocks.len() || self.d.format() != WireFormat::Gemini {
                break;
            }
        }
        front == calls.len()
    }

    fn answer(&mut self, turn: &Turn, calls: &[usize]) {
        let dropped: Vec<usize> = if turn.in_flight {
            Vec::new()
        } else {
            calls.iter().copied().filter(|&call| self.giver.drops(self.d, call)).collect()
        };
        for &call in &dropped {
            Giver::tell_dropped(self.d, call);
        }
        let calls: Vec<usize> = calls.iter().copied().filter(|call| dropped.binary_search(call).is_err()).collect();
        let pending = !server::pending(self.d, &self.slots[turn.from..turn.to]).is_empty();
        (turn.from..turn.to).for_each(|slot| self.push(slot, &dropped));
        if self.d.format() == WireFormat::Gemini {
            self.gemini_reply(turn, &calls);
        } else {
            self.block_reply(turn, &calls, pending);
        }
        for slot in turn.to..turn.users {
            self.tell_pushed(slot, ViolationKind::SystemMisplaced);
            self.push(slot, &[]);
        }
    }

    /// Anthropic and Bedrock: results first, then what else the user says.
    fn block_reply(&mut self, turn: &Turn, calls: &[usize], pending: bool) {
        let first = (turn.users < turn.end).then(|| self.slots[turn.users].clone());
        let (mut lead, mut rest) = (Vec::new(), Vec::new());
        let mut late = Vec::new();
        for block in first.as_ref().map_or_else(Vec::new, |slot| self.d.blocks(slot)) {
            match self.d.result(block).map(|result| (result, self.giver.meet(self.d, result))) {
                None => rest.push(block),
                Some((_, Fate::Here(kept))) => {
                    if !rest.is_empty() {
                        late.push(kept);
                    }
                    lead.push(Block::Part(kept));
                }
                Some((_, Fate::Text(mut blocks))) => rest.append(&mut blocks),
                Some((_, Fate::Gone)) => {}
            }
        }
        for result in late {
            let said =
                alloc::format!("the result of call {} is moved to the front of its message", self.d.id_text(result));
            self.d.tell_part(RepairAction::Hoist, ViolationKind::ResultNotFirst, result, said);
        }
        let others: Vec<usize> = self
            .slots
            .get(turn.users + 1..turn.end)
            .unwrap_or_default()
            .iter()
            .filter_map(|slot| slot.source)
            .collect();
        let split = !lead.is_empty();
        let kind = |message: usize| {
            let is_split = split && others.binary_search(&message).is_ok();
            if is_split { ViolationKind::ResultSplit } else { ViolationKind::ResultNotAdjacent }
        };
        lead.extend(self.giver.fetch(self.d, calls, kind).into_iter().map(Block::Part));
        if !turn.in_flight {
            lead.extend(self.giver.make_up(self.d, calls).into_iter().map(|(_, block)| block));
        }
        let source = first.as_ref().and_then(|slot| slot.source);
        if (pending || lead.is_empty()) && self.is_white(source, &rest) {
            rest.clear();
        }
        if pending && !lead.is_empty() && !rest.is_empty() {
            // A pending tool of the provider takes nothing beside the results.
            let reply = if lead.iter().any(|&block| self.stands_in(block, source)) {
                first
            } else {
                let mut slot = first.unwrap_or_else(|| Slot::made(Role::User, Vec::new()));
                self.d.fill(&mut slot, core::mem::take(&mut rest));
                self.waiting.push(slot);
                None
            };
            self.push_reply(reply, lead);
            if !rest.is_empty() {
                self.waiting.push(Slot::split_off(source, Role::User, rest));
            }
            self.tell_pushed(turn.users, ViolationKind::ServerToolUnresolved);
            (turn.users + 1..turn.end).for_each(|slot| self.push(slot, &[]));
            return;
        }
        if first.is_some() {
            lead.append(&mut rest);
        }
        if !lead.is_empty() {
            self.push_reply(first, lead);
        }
        (turn.users + 1..turn.end).for_each(|slot| self.push(slot, &[]));
    }

    fn stands_in(&self, block: Block, source: Option<usize>) -> bool {
        matches!(block, Block::Part(at) if self.d.part(at).map(|part| part.message) == source)
    }

    /// Gemini: contents of responses only, in the order of the calls; other words in a content of their own.
    fn gemini_reply(&mut self, turn: &Turn, calls: &[usize]) {
        let mut replies: Vec<(Slot, Vec<Block>)> = Vec::new();
        let mut at = turn.users;
        while at < turn.end {
            let slot = self.slots[at].clone();
            let blocks = self.d.blocks(&slot);
            if !blocks.iter().any(|&block| self.d.result(block).is_some()) {
                break;
            }
            at += 1;
            let (mut lead, mut rest) = (Vec::new(), Vec::new());
            for block in blocks {
                match self.d.result(block).map(|result| self.giver.meet(self.d, result)) {
                    None => rest.push(block),
                    Some(Fate::Here(kept)) => lead.push(Block::Part(kept)),
                    Some(Fate::Text(mut blocks)) => rest.append(&mut blocks),
                    Some(Fate::Gone) => {}
                }
            }
            if !lead.is_empty() {
                self.drop_blank(&mut rest);
            }
            if !lead.is_empty() && rest.iter().any(|&block| self.may_not_stand_beside(block)) {
                self.tell_pushed(at - 1, ViolationKind::MixedResultAndText);
                self.waiting.push(Slot::split_off(slot.source, Role::User, core::mem::take(&mut rest)));
            }
            if lead.is_empty() && !rest.is_empty() {
                // Only words are left: they follow the responses.
                let mut slot = slot;
                self.d.fill(&mut slot, rest);
                self.waiting.push(slot);
                continue;
            }
            lead.append(&mut rest);
            if !lead.is_empty() {
                replies.push((slot, lead));
            }
        }
        let mut added: Vec<Block> = self
            .giver
            .fetch(self.d, calls, |_| ViolationKind::ResultNotAdjacent)
            .into_iter()
            .map(Block::Part)
            .collect();
        let mut made = Vec::new();
        if !turn.in_flight {
            made = self.giver.make_up(self.d, calls);
        }
        if !added.is_empty() || !made.is_empty() {
            let (slot, mut lead) = if replies.is_empty() {
                (None, Vec::new())
            } else {
                let (slot, lead) = replies.remove(0);
                (Some(slot), lead)
            };
            lead.append(&mut added);
            lead.extend(made.iter().map(|&(_, block)| block));
            // Responses without ids are told apart by their order alone.
            let giver = &*self.giver;
            let made: BTreeMap<Block, usize> = made.into_iter().map(|(call, block)| (block, call)).collect();
            lead.sort_by_key(|block| match block {
                Block::Part(result) => giver.call_of(*result).unwrap_or(usize::MAX),
                Block::Made(_) => made.get(block).copied().unwrap_or(usize::MAX),
            });
            self.push_reply(slot, lead);
        }
        for (slot, lead) in replies {
            self.push_reply(Some(slot), lead);
        }
        (at..turn.end).for_each(|slot| self.push(slot, &[]));
    }

    /// Blank words are not worth a content of their own.
    fn drop_blank(&mut self, blocks: &mut Vec<Block>) {
        let (blank, words): (Vec<Block>, Vec<Block>) = blocks
            .iter()
            .partition(|&&block| matches!(self.d.kind(block), Some(PartKind::Text(Blank::Empty | Blank::White))));
        for block in blank {
            if let Block::Part(at) = block {
                let said = "blank text beside responses is dropped".into();
                self.d.tell_part(RepairAction::Drop, ViolationKind::MixedResultAndText, at, said);
            }
        }
        *blocks = words;
    }

    fn may_not_stand_beside(&self, block: Block) -> bool {
        // What is made here beside results is text.
        matches!(self.d.kind(block), None | Some(PartKind::Media | PartKind::Text(_)))
    }

    /// A message of results: `slot` with these blocks, else the message that the results come from, else a new one.
    fn push_reply(&mut self, slot: Option<Slot>, blocks: Vec<Block>) {
        if let Some(mut slot) = slot {
            self.d.fill(&mut slot, blocks);
            self.out.push(slot);
            return;
        }
        let source = blocks.iter().find_map(|&block| match block {
            Block::Part(at) => self.d.part(at).map(|part| part.message),
            Block::Made(_) => None,
        });
        let role =
            source.and_then(|source| self.d.body.messages.get(source)).map_or(Role::User, |message| message.role);
        let mut slot = Slot { source, fresh: false, role, own: None };
        self.d.fill(&mut slot, blocks.clone());
        if slot.own.is_some() || !matches!(role, Role::User | Role::Tool) {
            slot = Slot::split_off(source, Role::User, blocks);
        }
        self.out.push(slot);
    }

    fn tell_pushed(&mut self, slot: usize, violation: ViolationKind) {
        let Some(source) = self.slots.get(slot).and_then(|slot| slot.source) else { return };
        let said = match violation {
            ViolationKind::SystemMisplaced => {
                "a system message may not stand between calls and results: moved behind them"
            }
            ViolationKind::MixedResultAndText => {
                "words beside responses: moved into a content of their own after the next step"
            }
            _ => "words beside results while a server tool is pending: moved behind its turn",
        };
        self.d.tell(RepairAction::Push, violation, source, said);
    }

    /// True, and told, when what is left of a message says nothing.
    fn is_white(&mut self, source: Option<usize>, blocks: &[Block]) -> bool {
        let white = types::is_white(self.d, blocks);
        if white && !blocks.is_empty() {
            let said = "blank text that is left of a message is dropped";
            self.d.tell(RepairAction::Drop, ViolationKind::WhitespaceText, source.unwrap_or_default(), said);
        }
        white
    }

    /// Pushes message `slot` without `dropped` and without the results that do not stay there.
    fn push(&mut self, slot: usize, dropped: &[usize]) {
        if let Some(slot) = self.stripped(slot, dropped) {
            self.out.push(slot);
        }
    }

    fn stripped(&mut self, slot: usize, dropped: &[usize]) -> Option<Slot> {
        let mut slot = self.slots.get(slot)?.clone();
        let blocks = self.d.blocks(&slot);
        let is_dropped = |dead: &BTreeSet<usize>, block: Block| matches!(block, Block::Part(at) if dropped.binary_search(&at).is_ok() || dead.contains(&at));
        if !blocks.iter().any(|&block| self.d.result(block).is_some() || is_dropped(&self.dead, block)) {
            return Some(slot);
        }
        let mut kept = Vec::with_capacity(blocks.len());
        for block in blocks {
            if is_dropped(&self.dead, block) {
                continue;
            }
            match self.d.result(block).map(|result| self.giver.stray(self.d, result)) {
                None => kept.push(block),
                Some(Fate::Text(mut texts)) => kept.append(&mut texts),
                Some(_) => {}
            }
        }
        if kept.is_empty() || self.is_white(slot.source, &kept) {
            return None;
        }
        self.d.fill(&mut slot, kept);
        Some(slot)
    }
}
