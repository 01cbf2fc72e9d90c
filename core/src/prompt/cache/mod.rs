//! Caches of providers: what they serve of a request, what it costs, and where its marks belong.

mod blocks;
mod doc;
mod forbidden;
mod marks;
mod predict;
mod rules;
mod table;
mod weigh;

pub use marks::{CacheMark, CacheMarks, MarkOptions, MarkReason, cache_marks};
pub use predict::{CacheReason, PredictOptions, Prediction, predict};
pub use rules::CacheRules;
