//! The C boundary of haversack.
//!
//! Programs see `include/haversack.h`, which is generated from this crate; the types and functions here bear their
//! C names. All unsafe code of the project lives in this crate, and every function goes through the one macro of
//! `boundary`: null checks, unwind guard, status.
//!
//! What each function asks of its caller is what the header says: pointers are null or valid for the call, a
//! `haversack_str` covers `len` readable bytes, a handle was given by this library and is freed once.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
#![allow(clippy::result_large_err)] // the error is moved once, into the caller's object
#![allow(non_camel_case_types)] // C names are the public names
#![allow(clippy::missing_safety_doc)] // one contract for all functions, stated above and in the header
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc)] // the unwind guard needs std anyway

#[macro_use]
mod boundary;
#[macro_use]
mod sized;

mod account;
mod cache;
mod canonical;
mod choices;
mod compare;
mod deliver;
mod delivery;
mod error;
mod fact;
mod find;
mod fleet;
mod frozen;
mod grounds;
mod handoff;
mod history;
mod ledger;
mod limits;
mod measure;
mod memory;
mod memory_item;
mod offload;
mod offloads;
mod page;
mod prompt;
mod readback;
mod render;
mod rendered;
mod report;
mod rewritten;
mod shared;
mod snapshot;
mod status;
mod tally;
#[cfg(feature = "testing")]
mod testing;
mod text;
mod tiers;
mod transcript;
mod version;
mod volatile;

pub use account::{haversack_account, haversack_counts};
pub use cache::*;
pub use canonical::*;
pub use choices::*;
pub use compare::*;
pub use deliver::*;
pub use delivery::*;
pub use error::*;
pub use fact::*;
pub use find::*;
pub use fleet::*;
pub use frozen::*;
pub use grounds::*;
pub use handoff::*;
pub use history::*;
pub use ledger::*;
pub use limits::*;
pub use measure::*;
pub use memory::*;
pub use memory_item::*;
pub use offload::*;
pub use offloads::*;
pub use page::*;
pub use prompt::*;
pub use readback::*;
pub use render::*;
pub use rendered::*;
pub use report::*;
pub use rewritten::*;
pub use shared::*;
pub use snapshot::*;
pub use status::*;
pub use tally::*;
#[cfg(feature = "testing")]
pub use testing::haversack_testing_panic;
pub use text::*;
pub use tiers::*;
pub use transcript::*;
pub use version::*;
pub use volatile::*;
