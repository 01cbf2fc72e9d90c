//! Prompts as ordered, named pieces: what a request is made of, and where it parts from the one before.
//!
//! Providers read a prompt from their cache up to the first byte that differs. So a prompt here is a sequence of
//! pieces with names (instructions, each tool, each message), and whatever breaks the cache has a name, a place and a
//! cause, and what a cache serves is predicted by published rules. Sections that change now and then are frozen, so
//! that a change costs a note and not the cache.
//!
//! ```
//! use haversack::measure::Estimate;
//! use haversack::prompt::{Layer, Piece, PredictOptions, Prompt, SnapshotOptions, Verdict, compare, predict, volatile};
//!
//! // A prompt of named pieces, and what is kept of it to compare the next one with.
//! let prompt = |question: &str| {
//!     let mut prompt = Prompt::new();
//!     prompt.add(Piece::new("rules", "Be brief. It is 2031-05-06 10:15:59.", Layer::Static))?;
//!     prompt.add(Piece::new("question", question, Layer::Turn))?;
//!     Ok::<Prompt, haversack::Error>(prompt)
//! };
//! let (first, second) = (prompt("Weather in Oslo?")?, prompt("And in Bergen?")?);
//! let options = SnapshotOptions::default();
//! let found = compare(Some(&first.snapshot(&options)?), &second.snapshot(&options)?)?;
//! assert_eq!((found.verdict, found.piece.as_deref()), (Verdict::Changed, Some("question")));
//!
//! // What breaks the cache sooner or later: a time in a layer that should stay as it is.
//! assert_eq!(volatile(&second)[0].kind.name(), "time");
//!
//! // Of two requests: what the provider reads from its cache, by its published rules.
//! let body = |question: &str| {
//!     let system = format!(r#"{{"role":"system","content":"{}"}}"#, "Be brief. ".repeat(1000));
//!     format!(r#"{{"model":"gpt-4o","messages":[{system},{{"role":"user","content":"{question}"}}]}}"#)
//! };
//! let cost = predict(Some(&body("Oslo?")), &body("Bergen?"), &PredictOptions::new(&Estimate))?;
//! assert!(cost.cached >= 1024 && cost.cached + cost.written + cost.fresh == cost.total);
//! # Ok::<(), haversack::Error>(())
//! ```

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
