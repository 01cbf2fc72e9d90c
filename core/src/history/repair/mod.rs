//! Repair: the smallest change after which the provider takes the history.

mod blank;
mod chat;
mod draft;
mod ids;
mod items;
mod marks;
mod plan;
mod reasoning;
mod replies;
mod roles;
mod server;
mod shape;
mod signature;
mod splice;
mod stray;
mod system;
mod thinking;
mod types;

use alloc::string::String;
use alloc::vec::Vec;

use super::History;
use super::output::OutMessage;
use super::violation::{Violation, ViolationKind};
use crate::error::Error;
use crate::wire::{PartKind, Role, Shape, WireFormat};
use draft::Draft;
use plan::Plan;
use stray::Giver;

kinds! {
    /// What becomes of a call without a result.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MissingResult;

    /// A result that says so is added: visible, constant, marked as an error where the format can.
    #[default]
    Synthesise = 0, "synthesise";
    /// The call is dropped.
    Drop = 1, "drop";
}

kinds! {
    /// What becomes of a result without a call.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum OrphanResult;

    /// It is dropped.
    #[default]
    Drop = 0, "drop";
    /// Its text stays, as a visible text of the user.
    Text = 1, "text";
}

/// How a history is repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairOptions {
    /// Calls without a result.
    pub missing: MissingResult,
    /// Results without a call.
    pub orphan: OrphanResult,
    /// The history goes out next: it may not end on an open call or, in some formats, on an assistant message.
    pub sending: bool,
}

kinds! {
    /// What was done about a violation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum RepairAction;

    /// A message or a part of it was dropped.
    Drop = 1, "drop";
    /// A message or a part was added.
    Synthesise = 2, "synthesise";
    /// A signature, an id or thinking was taken off.
    Strip = 3, "strip";
    /// A part was moved up to where it belongs.
    Hoist = 4, "hoist";
    /// A part was moved down, behind what has to stand before it.
    Push = 5, "push";
    /// Two messages became one.
    Merge = 6, "merge";
    /// An id was written anew, in the call and its result alike.
    Rename = 7, "rename";
    /// A text was put where none was.
    Fill = 8, "fill";
}

/// One change of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What was done.
    pub action: RepairAction,
    /// About what.
    pub violation: ViolationKind,
    /// The message of the input concerned.
    pub index: usize,
    /// JSON Pointer inside the list of messages of the input.
    pub path: String,
    /// One sentence.
    pub message: String,
}

/// A repaired history.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// What was changed and why; empty when nothing was.
    pub changes: Vec<Change>,
    /// What no change of the messages mends: a limit, tools that the request does not declare, thinking that was lost.
    /// Indices and paths are those of the resulting messages. Empty as a rule.
    pub remaining: Vec<Violation>,
    pub(crate) messages: Vec<OutMessage>,
}

impl Repair {
    /// The plan: the resulting messages, each with the message it comes from and its new text if it has one.
    pub fn messages(&self) -> &[OutMessage] {
        &self.messages
    }
}

impl History<'_> {
    /// The smallest change after which [`violations`](History::violations) finds nothing, or only what
    /// [`remaining`](Repair::remaining) holds. Nothing the user wrote and no result whose call is there is lost; on a
    /// valid history it is the identity, byte for byte, and a second repair changes nothing.
    ///
    /// Cost: linear in the text but for look-ups of ids; a history that was changed is read and judged once more.
    ///
    /// # Errors
    /// None at present; the type has room for a limit.
    pub fn repair(&self, options: &RepairOptions) -> Result<Repair, Error> {
        let found = self.violations(options.sending);
        if found.is_empty() || self.body.shape == Shape::Prompt {
            let messages = (0..self.len()).map(OutMessage::untouched).collect();
            return Ok(Repair { changes: Vec::new(), remaining: found, messages });
        }
        let (messages, changes) = self.mended(*options);
        let remaining = if changes.is_empty() { found } else { self.judged(&messages, options.sending) };
        Ok(Repair { changes, remaining, messages })
    }

    fn mended(&self, options: RepairOptions) -> (Vec<OutMessage>, Vec<Change>) {
        let mut d = Draft::of(self);
        let live = self.live();
        let (model, profile) = (self.model, self.profile);
        let format = self.format().facts();
        roles::rename(&mut d, live);
        blank::clean(&mut d, live);
        roles::split_misplaced(&mut d, live);
        if d.format() == WireFormat::OpenAiResponses {
            reasoning::trigger_last(&mut d);
        }
        let plan = Plan::of(&d, live);
        let rule = profile.call_id.unwrap_or(format.call_id);
        ids::mend(&mut d, &plan, rule, profile, live);
        types::answers(&mut d, &plan);
        let mut giver = Giver::new(&d, plan, options);
        match d.format() {
            WireFormat::OpenAiChat => {
                chat::place(&mut d, &mut giver, options.sending);
                roles::part_user_from_results(&mut d, profile);
            }
            WireFormat::OpenAiResponses => {
                items::place(&mut d, &mut giver, options.sending);
                reasoning::mend(&mut d, format.item_id);
            }
            WireFormat::Anthropic | WireFormat::Gemini | WireFormat::Bedrock => {
                let closes = options.sending && model.prefill != Some(true);
                replies::place(&mut d, &mut giver, options.sending, closes, live);
            }
        }
        roles::drop_empty(&mut d, live);
        roles::open(&mut d, live);
        system::settle(&mut d, live);
        roles::merge(&mut d);
        roles::join_calling(&mut d);
        if model.signed_calls == Some(true) {
            signature::mend(&mut d);
        }
        if model.preserved_thinking == Some(true) && !self.body.request.drops_mismatched {
            thinking::strip(&mut d);
            roles::merge(&mut d);
        }
        if options.sending || self.ends_with_the_user() {
            roles::close(&mut d, model, profile);
        }
        if d.slots.is_empty() {
            let said = "a message that says so is put where none is left";
            d.tell(RepairAction::Synthesise, ViolationKind::EmptyContent, 0, said);
            let slot = roles::placeholder(&mut d, crate::wording::NO_OPENING);
            d.slots.push(slot);
        }
        if let Some(most) = format.max_cache_marks {
            marks::mend(&mut d, most);
        }
        d.finish()
    }

    /// Whether it is the model's turn: a history that could go out before its repair can go out after it, also where
    /// the user's last message held nothing but what had to go.
    fn ends_with_the_user(&self) -> bool {
        let last = self.body.messages.iter().rev().find(|message| message.role != Role::System);
        last.is_some_and(|message| matches!(message.role, Role::User | Role::Tool))
    }

    /// The first message that the provider reads: the last one that opens with a compaction of its own.
    fn live(&self) -> usize {
        if self.format() != WireFormat::Anthropic {
            return 0;
        }
        let opens = |message: &crate::wire::Message| {
            let first = self.body.parts.get(message.first_part).filter(|_| message.first_part < message.end_part);
            // One that failed (null) is none, and an empty one becomes null.
            let summary = |part: &crate::wire::Part| part.body.map_or("null", |body| body.of(&self.text)).len() > 2;
            let compacts = |part: &crate::wire::Part| {
                part.kind == PartKind::Compaction
                    && summary(part)
                    && part.body.is_some_and(|b| b.of(&self.text) != "null")
            };
            message.role == Role::Assistant && first.is_some_and(compacts)
        };
        self.body.messages.iter().rposition(opens).unwrap_or_default()
    }

    /// What is wrong with the history that `messages` make.
    fn judged(&self, messages: &[OutMessage], sending: bool) -> Vec<Violation> {
        let text = self.rendered(messages);
        self.reread(&text).map_or_else(Vec::new, |history| history.violations(sending))
    }

    /// The whole text after a repair: a body stays a body, a list a list.
    pub fn repair_text(&self, repair: &Repair) -> String {
        self.rendered(&repair.messages)
    }
}
