//! The extension module `haversack._lib`. The Python package re-exports what is here.
#![allow(
    clippy::doc_markdown,              // comments on what Python sees are its docstrings, which are no markdown
    clippy::doc_link_with_quotes,      // nor are their examples, which have lists of str
    clippy::std_instead_of_alloc,      // a wheel has std
    clippy::format_push_string,        // reprs, where clarity is worth an allocation
    clippy::unsafe_derive_deserialize, // the unsafe code meant is the glue that PyO3 generates
)]

use pyo3::prelude::*;

mod account;
mod arguments;
mod blame;
mod budget;
mod cache;
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
mod json;
mod ledger;
mod limits;
mod measure;
mod memory;
mod memory_item;
mod offload;
mod page;
mod payload;
mod prompt;
mod readback;
mod records;
mod rendered;
mod report;
mod rewritten;
mod shared;
mod state;
mod tally;
mod tiers;
mod transcript;

/// The native part of haversack: import `haversack` instead.
#[pymodule(gil_used = false)]
mod _lib {
    #[pymodule_export]
    use crate::account::{Account, Counts, ListAccount};
    #[pymodule_export]
    use crate::cache::{CacheMark, CacheMarks, Prediction, cache_marks, predict};
    #[pymodule_export]
    use crate::compare::{Comparison, PieceChange};
    #[pymodule_export]
    use crate::deliver::deliver;
    #[pymodule_export]
    use crate::delivery::{Delivery, Run, Warning};
    #[pymodule_export]
    use crate::error::error_kinds;
    #[pymodule_export]
    use crate::fact::{Extracted, Fact, PlacementCosts, Sighting};
    #[pymodule_export]
    use crate::find::find;
    #[pymodule_export]
    use crate::fleet::{Feature, Fleet, SessionFile, read_features, session_files};
    #[pymodule_export]
    use crate::frozen::{Frozen, Note, NoteCost};
    #[pymodule_export]
    use crate::grounds::grounds;
    #[pymodule_export]
    use crate::handoff::{Finding, Handoff, Unresolved};
    #[pymodule_export]
    use crate::history::{History, Step, Violation};
    #[pymodule_export]
    use crate::ledger::Ledger;
    #[pymodule_export]
    use crate::measure::{count, counters};
    #[pymodule_export]
    use crate::memory::{Memory, flush_request, is_silent_reply};
    #[pymodule_export]
    use crate::memory_item::{Added, FlushFile, FlushRequest, Hit, MemoryCounts, MemoryItem, Said};
    #[pymodule_export]
    use crate::offload::{Entry, Offload, Offloads, Pointer, Prepared, offload};
    #[pymodule_export]
    use crate::page::page;
    #[pymodule_export]
    use crate::payload::payload_bytes;
    #[pymodule_export]
    use crate::prompt::{
        Piece, Prompt, SharedPrefix, Snapshot, VolatileValue, canonical_form, compare, shared_prefix, volatile,
    };
    #[pymodule_export]
    use crate::readback::{Request, error_text, request, tool_definitions};
    #[pymodule_export]
    use crate::rendered::Rendered;
    #[pymodule_export]
    use crate::report::{Growth, PieceSize, Report, growth};
    #[pymodule_export]
    use crate::rewritten::{Change, Cut, NothingToCut, Repair};
    #[pymodule_export]
    use crate::state::_restore;
    #[pymodule_export]
    use crate::tally::{Sums, Survival, Tally};
    #[pymodule_export]
    use crate::tiers::{Tiers, tiers};
    #[pymodule_export]
    use crate::transcript::{
        Damage, Message, Reference, Transcript, TranscriptHit, TranscriptIndex, check_references, read_lines,
        search_lines,
    };

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
