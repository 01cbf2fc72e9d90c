//! Writes `core/src/wire/facts.rs` from `core/data/providers.json`: `cargo run -p haversack-tests --example facts`.

use haversack_tests::facts;

fn main() {
    let written = facts::written().unwrap_or_else(|e| panic!("core/data/providers.json: {e}"));
    std::fs::write(facts::target(), written).expect("a writable core/src/wire/facts.rs");
}
