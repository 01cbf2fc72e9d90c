//! haversack decides what a language model gets to see.
//!
//! It cuts tool output on record boundaries and counts everything it leaves out. It makes no model calls, does no
//! I/O, and has no loop of its own.
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
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

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
mod named;
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
pub use history::{History, HistoryOptions, Violation, ViolationKind};
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
    CacheMark, CacheMarks, CacheReason, CacheRules, Frozen, MarkOptions, MarkReason, Note, NoteCost, PredictOptions,
    Prediction, cache_marks, predict,
};
pub use slice::Rendered;
pub use source::{Source, SourceKind, Trust};
pub use tally::{Boundary, Sums, Survival, Tally};
pub use tiers::{TierOptions, Tiers, tiers};
pub use transcript::{Damage, DamageKind, Reference, Transcript, TranscriptHit, TranscriptIndex};
pub use wire::WireFormat;
