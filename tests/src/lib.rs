//! The proof of haversack: shared vectors, a slow and obvious oracle, the laws, and generators that live on the edges.
//!
//! Nothing here shares code with the library: the oracle was written from the contract, so that a mistake cannot
//! confirm itself. The same functions serve the property tests (`laws.rs`), the fuzz targets (`fuzz/`), the vectors and
//! the corpus.



pub mod oracle;
pub mod spec;
pub mod vectors;

pub mod words;

pub use spec::Spec;
pub use words::Words;
