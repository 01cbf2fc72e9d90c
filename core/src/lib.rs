//! haversack decides what a language model gets to see. It makes no model calls, does no I/O, and has no loop of its
//! own: bytes in, text and accounts out, the same bytes everywhere.
//!
//! | to | there is |
//! | --- | --- |
//! | cut tool output to a budget, every loss counted | [`deliver()`]; [`page()`] and [`find()`] read stored text |
//! | keep large results outside the prompt | [`offload()`] and the table [`Offloads`]; [`readback`] reads them back |
//! | check, mend and cut chat histories of five providers | [`History`] |
//! | see which piece of a prompt broke the cache | [`Prompt`], [`compare()`], [`volatile()`], [`shared_prefix()`] |
//! | know what a cache serves, and place its marks | [`predict()`], [`cache_marks()`] |
//! | change a section without breaking the cache | [`Frozen`] |
//! | keep facts and texts with their sources | [`Ledger`], [`Memory`], [`grounds()`] |
//! | read what workers handed back, and say where it stands | [`Handoff`], [`Fleet`], [`Transcript`], [`TranscriptIndex`] |
//! | bound a long run, and sum its books | [`tiers()`], [`Tally`] |
//! | write canonical JSON | [`canonical_json()`] |
//! | say how much fits, and count tokens | [`Budget`], [`TokenCounter`], [`measure`] |
//!
//! Every failure is an [`Error`] with a kind, a place and numbers; every limit is in [`Limits`]. What a task needs to
//! begin is at the root; what its answers consist of is in its module: [`mod@deliver`], [`mod@offload`], [`history`],
//! [`prompt`], [`json`], [`measure`], [`wire`].
//!
//! ```
//! use haversack::{Budget, deliver};
//!
//! let rows: Vec<String> = (0..200).map(|i| format!(r#"{{"id":{i},"state":"open"}}"#)).collect();
//! let payload = format!("[{}]", rows.join(","));
//! let d = deliver(&payload, Budget::chars(400)).unwrap();
//! assert!(d.text().starts_with(r#"{"total":200,"omitted":"#));
//! assert_eq!(d.account().records().total, 200);
//! ```
//!
//! # Features
//!
//! The crate is `no_std` with `alloc`. No feature changes what a call returns.
//!
//! - `std`: dependencies may use the standard library, for a faster search of substrings.
//! - `tokens` (with `std`): the exact counters `o200k_base` and `cl100k_base` with their vocabularies, 3 MB of a
//!   program. They are the one state that outlives a call: 8 or 24 MB once one was used, and 1.3 MB for each thread
//!   that counts.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod kinds;

mod account;
pub mod deliver;
mod error;
mod grounds;
pub mod handoff;
pub mod history;
pub mod json;
pub mod ledger;
mod limits;
pub mod measure;
pub mod memory;
pub mod offload;
pub mod prompt;
pub mod readback;
mod shown;
mod slice;
mod source;
mod state;
pub mod tally;
pub mod tiers;
pub mod transcript;
pub mod wire;
mod wording;

pub use account::{Account, Counts, ListAccount};
pub use deliver::{
    Action, Ansi, DeliverOptions, Delivery, Envelope, FindOptions, Format, Keep, NoticePlace, OnInvalid, Oversize,
    PageOptions, Reason, Run, Share, SourceState, Warning, WarningKind, deliver, find, page,
};
pub use error::{Error, ErrorKind};
pub use grounds::{Answer, Evidence, Grounds, GroundsReason, Origin, grounds};
pub use handoff::{
    Feature, Finding, Fleet, Handoff, HandoffKind, HandoffProblem, SessionFile, Unresolved, read_features,
    session_files,
};
pub use history::{
    CutAnswer, CutOptions, History, HistoryOptions, KeepAtMost, RepairOptions, Violation, ViolationKind,
};
pub use json::canonical_json;
pub use ledger::{
    Extracted, Fact, FactKind, FactOptions, FactValue, Ledger, Placement, PlacementCost, Recorded, Sighting,
};
pub use limits::Limits;
pub use measure::{Budget, TokenCounter, Unit};
pub use memory::{
    Added, FlushFile, FlushRequest, Hit, Memory, MemoryCounts, MemoryItem, OnFull, RememberOptions, Remembered, Said,
    Timing, flush_request, is_silent_reply,
};
pub use offload::{
    Entry, EntryState, Offload, OffloadAction, OffloadOptions, OffloadReason, Offloads, Pointer, Policy, Prepared,
    offload,
};
pub use prompt::{
    CacheMark, CacheMarks, CacheReason, CacheRules, Comparison, Frozen, Layer, MarkOptions, MarkReason, Note, NoteCost,
    Piece, PieceKind, PredictOptions, Prediction, Prompt, SharedPrefix, Snapshot, SnapshotOptions, Verdict,
    VolatileValue, cache_marks, compare, predict, shared_prefix, volatile,
};
pub use slice::Rendered;
pub use source::{Source, SourceKind, Trust};
pub use tally::{Boundary, Sums, Survival, Tally};
pub use tiers::{TierOptions, Tiers, tiers};
pub use transcript::{Damage, DamageKind, Reference, Transcript, TranscriptHit, TranscriptIndex};
pub use wire::WireFormat;
