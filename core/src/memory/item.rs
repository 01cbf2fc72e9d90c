//! What memory holds: texts, and when and by whom each was said.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::source::{Source, Trust};

kinds! {
    /// When a memory was written, which says what it is worth: each trusts something else.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Timing;

    /// When it was said (the default): trusts one message.
    AtOnce = 1, "at_once";
    /// When the conversation ended: trusts what was made of all of it.
    EndOfConversation = 2, "end_of_conversation";
    /// By something that reads along, turn by turn: trusts the reader.
    Background = 3, "background";
}

kinds! {
    /// What happens to a memory that is one too many.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum OnFull;

    /// It is a typed error, and nothing is stored.
    Reject = 1, "reject";
    /// The memory that ranks last goes, which may be the new one.
    Evict = 2, "evict";
    /// It is stored, and the answer says so (the default).
    Report = 3, "report";
}

kinds! {
    /// What became of a text that was added.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Remembered;

    /// It is a new memory.
    Added = 1, "added";
    /// It was there already: its source is added to the memory.
    Merged = 2, "merged";
    /// It is a new memory, and the one that ranked last has gone for it.
    Evicted = 3, "evicted";
    /// It is not stored: it would rank last.
    Refused = 4, "refused";
    /// It is a new memory above the cap.
    OverCap = 5, "over_cap";
}

/// What is said of a text when it is added. The default is of unknown source, importance 3, time 0, written at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RememberOptions<'a> {
    pub(super) source: &'a str,
    pub(super) importance: u8,
    pub(super) at: u64,
    pub(super) timing: Timing,
}

impl<'a> RememberOptions<'a> {
    /// Of unknown source, importance 3, time 0, written at once.
    pub const fn new() -> Self {
        RememberOptions { source: "", importance: 3, at: 0, timing: Timing::AtOnce }
    }

    /// Where it comes from, as [`Source::parse`] reads it (default: unknown).
    #[must_use]
    pub const fn source(mut self, source: &'a str) -> Self {
        self.source = source;
        self
    }

    /// How much it matters, 0 to 9 (default 3).
    #[must_use]
    pub const fn importance(mut self, importance: u8) -> Self {
        self.importance = importance;
        self
    }

    /// When it was said, in seconds of the host's clock (default 0).
    #[must_use]
    pub const fn at(mut self, at: u64) -> Self {
        self.at = at;
        self
    }

    /// When it was written (default: at once).
    #[must_use]
    pub const fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }
}

impl Default for RememberOptions<'_> {
    fn default() -> Self {
        RememberOptions::new()
    }
}

/// One time that a text was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// By whom, or where it stood.
    pub source: Source,
    /// How much it matters, 0 to 9.
    pub importance: u8,
    /// When, in seconds.
    pub at: u64,
    /// When it was written.
    pub timing: Timing,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MemoryItem {
    /// Its number in this memory, for good.
    pub id: u64,
    /// The text, as it was said first.
    pub text: String,
    /// Where it comes from: of all times that it was said, the one that ranks first.
    pub source: Source,
    /// How much it matters, said there.
    pub importance: u8,
    /// When it was said there.
    pub at: u64,
    /// When it was written there.
    pub timing: Timing,
    /// The other times that it was said: one a source, of one kind of source the first eight.
    pub also: Vec<Said>,
}

impl MemoryItem {
    /// Every member under its name as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

/// What became of a text, and of the memory that went for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Added {
    /// What became of it.
    pub outcome: Remembered,
    /// Its number; none where it was refused.
    pub id: Option<u64>,
    /// The memory that went for it.
    pub evicted: Option<MemoryItem>,
    /// How many memories there are above the cap.
    pub over: u64,
}

impl Added {
    /// `{"outcome", "id", "evicted", "over"}` as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

/// The books of a memory: `offered = held + merged + declined + refused + evicted + forgotten`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryCounts {
    /// Texts that were added or declined.
    pub offered: u64,
    /// Texts that are held.
    pub held: u64,
    /// Texts that were there already.
    pub merged: u64,
    /// Texts that the host's own filter kept out.
    pub declined: u64,
    /// Texts that the cap kept out.
    pub refused: u64,
    /// Memories that went for others.
    pub evicted: u64,
    /// Memories that were forgotten.
    pub forgotten: u64,
}

impl MemoryCounts {
    /// Whether the parts sum to what was offered.
    pub fn closes(&self) -> bool {
        let parts = [self.held, self.merged, self.declined, self.refused, self.evicted, self.forgotten];
        parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(*part)) == Some(self.offered)
    }
}

/// The rank of a memory: the smaller goes first.
pub(super) type Rank = (Reverse<u8>, Trust, Reverse<u64>, Arc<str>, Source, u64);

impl Said {
    /// What decides between two times that one text was said.
    pub(super) fn rank(&self) -> (Reverse<u8>, Trust, Reverse<u64>, &Source) {
        (Reverse(self.importance), self.source.trust(), Reverse(self.at), &self.source)
    }
}
