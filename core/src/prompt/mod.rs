//! Prompts: sections that stay byte for byte, so that the provider's cache is read and not written again.

mod frozen;
mod wording;

pub use frozen::{Frozen, Note, NoteCost};
