//! The laws of prompts, over pairs with known mutations. `PROPTEST_CASES` and `HAVERSACK_SEED` as in `laws.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use arbitrary::Unstructured;
use haversack_tests::generate::JsonCase;
use haversack_tests::prompts as laws;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

fn hold(name: &str, law: impl Fn(&mut Unstructured<'_>) -> Result<(), String>) {
    let seed: u64 = std::env::var("HAVERSACK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, max_shrink_iters: 5_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
    let outcome = runner
        .run(&vec(any::<u8>(), 300..900), |bytes| law(&mut Unstructured::new(&bytes)).map_err(TestCaseError::fail));
    if let Err(e) = outcome {
        let text = e.to_string();
        let short = text.split("; minimal failing input").next().unwrap_or(&text);
        panic!("{name} (seed {seed}): {short}");
    }
}

#[test]
fn l12_pieces() {
    hold("l12_compare", |u| laws::pair(u).map_or(Ok(()), |pair| laws::l12_compare(&pair)));
}

#[test]
fn l11_and_l12_requests() {
    hold("l11_requests", laws::l11_requests);
}

#[test]
fn l21_snapshots() {
    hold("l21_snapshot", |u| {
        let Ok(pair) = laws::pair(u) else { return Ok(()) };
        laws::l21_snapshot(&pair, u.arbitrary().unwrap_or(0))
    });
}

#[test]
fn canonical_json_is_what_the_oracle_writes() {
    use arbitrary::Arbitrary as _;
    hold("canonical", |u| {
        let Ok(JsonCase(case)) = JsonCase::arbitrary(u) else { return Ok(()) };
        std::str::from_utf8(&case.payload).map_or(Ok(()), laws::canonical_json)
    });
    hold("canonical, broken", |u| {
        let Ok(payload) = haversack_tests::generate::broken(u) else { return Ok(()) };
        std::str::from_utf8(&payload).map_or(Ok(()), laws::canonical_json)
    });
    hold("numbers", |u| {
        let bits: u64 = u.arbitrary().unwrap_or(0);
        let value = f64::from_bits(bits);
        let digits: u64 = u.arbitrary().unwrap_or(0);
        let exponent: i16 = u.arbitrary().unwrap_or(0);
        let forms = [
            format!("{value:e}"),
            format!("{digits}e{}", exponent % 330),
            format!("-{digits}.{bits}"),
            format!("{bits}"),
        ];
        forms
            .iter()
            .filter(|form| !form.contains("inf") && !form.contains("NaN"))
            .try_for_each(|form| laws::canonical_json(form))
    });
}

#[test]
fn hostile_shapes_end_soon() {
    // Deep, unsorted at every level: nothing is copied once for each level.
    let mut deep = String::from("1");
    for _ in 0..500 {
        deep = format!(r#"{{"b":{deep},"a":"{}"}}"#, "x".repeat(40));
    }
    laws::canonical_json(&deep).unwrap();
    let keys: Vec<String> = (0..50_000).rev().map(|i| format!(r#""k{i:05}":{i}"#)).collect();
    laws::canonical_json(&format!("{{{}}}", keys.join(","))).unwrap();
    laws::canonical_json(&format!("[{}]", vec!["1"; 200_000].join(","))).unwrap();
}
