//! Results while they are given out: to which step, once, and what becomes of those that nobody called.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::draft::{Block, Draft};
use super::plan::Plan;
use super::{MissingResult, OrphanResult, RepairAction, RepairOptions, shape};
use crate::history::violation::ViolationKind;
use crate::wire::{Role, Span, WireFormat};

/// What becomes of a result where it stands.
pub(super) enum Fate {
    /// This result stands here: itself, or a later one of the same call.
    Here(usize),
    /// It is not here any more.
    Gone,
    /// Its text stays, as blocks of the user.
    Text(Vec<Block>),
}

/// Gives the results out, call by call.
pub(super) struct Giver {
    plan: Plan,
    options: RepairOptions,
    /// The step that each call is in, counted from 1.
    step_of: Vec<usize>,
    given: Vec<bool>,
    step: usize,
}

impl Giver {
    pub(super) fn new(d: &Draft<'_>, plan: Plan, options: RepairOptions) -> Giver {
        let parts = d.body.parts.len();
        Giver { plan, options, step_of: vec![0; parts], given: vec![false; parts], step: 0 }
    }

    /// The calls of the next step.
    pub(super) fn open(&mut self, calls: &[usize]) {
        self.step += 1;
        for &call in calls {
            if let Some(step) = self.step_of.get_mut(call) {
                *step = self.step;
            }
        }
    }

    pub(super) fn result_of(&self, call: usize) -> Option<usize> {
        self.plan.result_of(call)
    }

    pub(super) fn call_of(&self, result: usize) -> Option<usize> {
        self.plan.call_of(result)
    }

    /// True when `result` is the one that a call of this step keeps.
    pub(super) fn is_wanted_here(&self, result: usize) -> bool {
        let call = self.plan.call_of(result);
        call.is_some_and(|call| self.is_open(call) && self.plan.result_of(call) == Some(result))
    }

    /// True for an orphan whose text stays: where it was, the user speaks.
    pub(super) fn leaves_words(&self, result: usize) -> bool {
        self.options.orphan == OrphanResult::Text && self.plan.call_of(result).is_none()
    }

    /// Notes that `result` stays where it is; false when it stands elsewhere already.
    pub(super) fn take(&mut self, result: usize) -> bool {
        let Some(call) = self.plan.call_of(result) else { return true };
        !core::mem::replace(&mut self.given[call], true)
    }

    pub(super) fn is_open(&self, call: usize) -> bool {
        self.step_of.get(call) == Some(&self.step) && self.step > 0
    }

    /// What becomes of `result`, met among the results of this step.
    pub(super) fn meet(&mut self, d: &mut Draft<'_>, result: usize) -> Fate {
        let call = self.plan.call_of(result).filter(|&call| self.is_open(call) && !self.given[call]);
        let Some(call) = call else { return self.stray(d, result) };
        self.given[call] = true;
        let kept = self.plan.result_of(call).unwrap_or(result);
        if kept != result {
            let said = alloc::format!("a later result of call {} stands here instead", d.id_text(result));
            d.tell_part(RepairAction::Drop, ViolationKind::DuplicateResult, result, said);
        }
        Fate::Here(kept)
    }

    /// What becomes of `result`, met anywhere else.
    pub(super) fn stray(&mut self, d: &mut Draft<'_>, result: usize) -> Fate {
        if let Some(call) = self.plan.call_of(result) {
            // One that is kept stands in its place already, or will.
            if self.plan.result_of(call) != Some(result) {
                let said = alloc::format!("call {} has another result, which is kept", d.id_text(result));
                d.tell_part(RepairAction::Drop, ViolationKind::DuplicateResult, result, said);
            }
            return Fate::Gone;
        }
        let id = d.id_text(result);
        if self.options.orphan == OrphanResult::Text {
            let blocks = as_text(d, result);
            if !blocks.is_empty() {
                let said = alloc::format!("no call has the id {id}; its text stays as a text of the user");
                d.tell_part(RepairAction::Push, ViolationKind::OrphanResult, result, said);
                return Fate::Text(blocks);
            }
        }
        let said = alloc::format!("no call before it has the id {id}; the result is dropped");
        d.tell_part(RepairAction::Drop, ViolationKind::OrphanResult, result, said);
        Fate::Gone
    }

    /// The results that calls of this step have elsewhere, in the order of the calls; each is told of, with what is
    /// wrong about a result in its message.
    pub(super) fn fetch(
        &mut self,
        d: &mut Draft<'_>,
        calls: &[usize],
        violation: impl Fn(usize) -> ViolationKind,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for &call in calls {
            let Some(result) = self.plan.result_of(call).filter(|_| !self.given[call]) else { continue };
            self.given[call] = true;
            let id = d.id_text(result);
            if result < call {
                let said = alloc::format!("the result of call {id} stood before it; it is moved behind it");
                d.tell_part(RepairAction::Push, ViolationKind::OrphanResult, result, said);
            } else {
                let said = alloc::format!("the result of call {id} is moved up to its call");
                let violation = violation(d.part(result).map_or(0, |part| part.message));
                d.tell_part(RepairAction::Hoist, violation, result, said);
            }
            found.push(result);
        }
        found
    }

    /// True for a call that is to be dropped because nothing answers it.
    pub(super) fn drops(&self, d: &Draft<'_>, call: usize) -> bool {
        self.plan.result_of(call).is_none()
            && (self.options.missing == MissingResult::Drop || no_result(d, call).is_none())
    }

    pub(super) fn tell_dropped(d: &mut Draft<'_>, call: usize) {
        let said = alloc::format!("call {} has no result and is dropped", d.id_text(call));
        d.tell_part(RepairAction::Drop, ViolationKind::MissingResult, call, said);
    }

    /// A result of ours for each call of this step that has none.
    pub(super) fn make_up(&mut self, d: &mut Draft<'_>, calls: &[usize]) -> Vec<(usize, Block)> {
        let mut made = Vec::new();
        for &call in calls {
            if self.given[call] || self.plan.result_of(call).is_some() || self.drops(d, call) {
                continue;
            }
            let Some(text) = no_result(d, call) else { continue };
            self.given[call] = true;
            let said = alloc::format!("call {} has no result; one that says so is added", d.id_text(call));
            d.tell_part(RepairAction::Synthesise, ViolationKind::MissingResult, call, said);
            made.push((call, d.make_result(text)));
        }
        made
    }
}

fn no_result(d: &Draft<'_>, call: usize) -> Option<String> {
    let family = d.part(call)?.family;
    shape::no_result(d.format(), &shape::Unanswered { id: d.id_json(call), name: d.name_json(call), family })
}

/// What an orphan says, as blocks of a user message behind a line that tells what it is. None for one without content.
fn as_text(d: &mut Draft<'_>, result: usize) -> Vec<Block> {
    let Some(part) = d.part(result) else { return Vec::new() };
    let Some(body) = part.body else { return Vec::new() };
    let raw = body.of(d.text);
    let format = d.format();
    let mut texts = Vec::new();
    if raw.starts_with('[') {
        texts.extend(super::splice::elements(d.text, body).into_iter().map(|element| element_text(d, element)));
    } else if raw.len() > 2 && raw != "null" {
        let text = if raw.starts_with('"') { raw.into() } else { shape::quoted(raw) };
        texts.push(shape::text_block(format, Role::User, &text));
    }
    if texts.is_empty() {
        return Vec::new();
    }
    let label = shape::text_block(format, Role::User, &shape::quoted(crate::wording::STRAY_RESULT));
    core::iter::once(label).chain(texts).map(|text| d.make(text)).collect()
}

/// A block of a result as a block of the user: itself, or its JSON as text where a user message does not take it.
fn element_text(d: &Draft<'_>, element: Span) -> String {
    let raw = element.of(d.text);
    let takes = match d.format() {
        WireFormat::Bedrock => super::splice::member(d.text, element, "json").is_none(),
        WireFormat::OpenAiResponses => super::splice::member(d.text, element, "type").is_some(),
        WireFormat::OpenAiChat | WireFormat::Anthropic | WireFormat::Gemini => raw.starts_with('{'),
    };
    if takes { raw.into() } else { shape::text_block(d.format(), Role::User, &shape::quoted(raw)) }
}
