//! Prompts as ordered, named pieces: what a request is made of, and where it parts from the one before.
//!
//! Providers read a prompt from their cache up to the first byte that differs. So a prompt here is a sequence of
//! pieces with names (instructions, each tool, each message), and whatever breaks the cache has a name, a place and a
//! cause, and what a cache serves is predicted by published rules. Sections that change now and then are frozen, so that a
//! change costs a note and not the cache.

mod cache;
mod compare;
mod digest;
mod frozen;
mod growth;
mod mark;
mod piece;
mod render;
mod report;
mod request;
mod sequence;
mod settings;
mod shared;
mod snapshot;
mod strip;
mod volatile;
mod wording;

pub use cache::{
    CacheMark, CacheMarks, CacheReason, CacheRules, MarkOptions, MarkReason, PredictOptions, Prediction, cache_marks,
    predict,
};
pub use compare::{Cause, Change, Comparison, Verdict, compare};
pub use frozen::{Frozen, Note, NoteCost};
pub use growth::{Growth, growth};
pub use mark::{Mark, MarkKind};
pub use piece::{Layer, Piece, PieceKind};
pub use report::{DeadWeight, PieceSize, Report};
pub use request::RequestOptions;
pub use sequence::Prompt;
pub use shared::{SharedPrefix, shared_prefix};
pub use snapshot::{Snapshot, SnapshotOptions};
pub use volatile::{VolatileKind, VolatileValue, volatile};
