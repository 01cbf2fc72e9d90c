//! The slow, obvious oracle: readers that keep every byte's spelling, and judges that compare a payload with what was
//! delivered of it. Written from the contract; shares nothing with the library.

pub mod cache;
pub mod canonical;
pub mod cuts;
pub mod histories;
pub mod json;
pub mod judge;
pub mod markers;
pub mod stated;
pub mod text;
