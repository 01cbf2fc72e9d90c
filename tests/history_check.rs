//! The laws of checking histories, over generated ones of every format. `PROPTEST_CASES` and `HAVERSACK_SEED` as in
//! `laws.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use arbitrary::Unstructured;
use haversack_tests::histories::{self, HistoryCase};
use haversack_tests::histories_laws as laws;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

fn hold(name: &str, law: fn(&HistoryCase) -> Result<(), String>) {
    let seed: u64 = std::env::var("HAVERSACK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, max_shrink_iters: 5_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
    let outcome = runner.run(&vec(any::<u8>(), 0..400), |bytes| {
        let Ok(case) = histories::history(&mut Unstructured::new(&bytes)) else { return Ok(()) };
        law(&case).map_err(TestCaseError::fail)
    });
    if let Err(e) = outcome {
        let text = e.to_string();
        let short = text.split("; minimal failing input").next().unwrap_or(&text);
        panic!("{name} (seed {seed}): {short}");
    }
}

#[test]
fn agrees_with_the_oracle() {
    hold("oracle", laws::agrees_with_oracle);
}

#[test]
fn clean_histories_are_clean() {
    hold("clean", laws::clean_is_clean);
}

#[test]
fn places_are_true() {
    hold("places", laws::places_are_true);
}

#[test]
fn steps_are_all_messages() {
    hold("steps", laws::steps_are_all);
}

#[test]
fn formats_are_told() {
    hold("formats", laws::format_is_told);
}
