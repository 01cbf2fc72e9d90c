//! Writes `core/src/wire/facts.rs` from `core/data/providers.json` and `core/src/prompt/cache/table.rs` from
//! `core/data/cache.json`: `cargo run -p haversack-tests --example facts`.

use haversack_tests::{cache_facts, facts};

fn main() {
    let written = facts::written().unwrap_or_else(|e| panic!("core/data/providers.json: {e}"));
    std::fs::write(facts::target(), written).expect("a writable core/src/wire/facts.rs");
    let written = cache_facts::written().unwrap_or_else(|e| panic!("core/data/cache.json: {e}"));
    std::fs::write(cache_facts::target(), written).expect("a writable core/src/prompt/cache/table.rs");
}
