//! Holds a law over many drawn cases, and shortens the case that breaks it.
//!
//! `PROPTEST_CASES=20000` looks longer, `HAVERSACK_SEED=7` looks elsewhere. Without them every run sees the same cases.
//! `RUST_BACKTRACE=0` leaves the case alone on the screen.

use std::ops::Range;

use arbitrary::Unstructured;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Tries at shortening a case.
const SHORTEN: u32 = 20_000;

/// Calls `law` with so many random bytes, from which it draws its case, until it fails or every case has passed.
///
/// # Panics
/// When the law is broken, with its name, the seed and what it says of the shortest case.
pub fn hold(name: &str, bytes: Range<usize>, law: impl Fn(&mut Unstructured<'_>) -> Result<(), String>) {
    let seed: u64 = std::env::var("HAVERSACK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, max_shrink_iters: SHORTEN, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
    let outcome =
        runner.run(&vec(any::<u8>(), bytes), |bytes| law(&mut Unstructured::new(&bytes)).map_err(TestCaseError::fail));
    if let Err(e) = outcome {
        let text = e.to_string();
        let short = text.split("; minimal failing input").next().unwrap_or(&text);
        panic!("{name} (seed {seed}): {short}");
    }
}
