//! What a run remembers: ledgers against a slow one and an independent reader, memories, handoffs and books against
//! slow ones. `PROPTEST_CASES` and `HAVERSACK_SEED` as in `laws.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::std_instead_of_core)]

use arbitrary::{Arbitrary, Unstructured};
use haversack_tests::experiments::{Labels, chains, labels, workers};
use haversack_tests::handoffs::{Returned, handoff_holds};
use haversack_tests::ledgers::{Run, ledger_holds, nothing_forges};
use haversack_tests::memories::{self, memory_holds};
use haversack_tests::tallies::{Chain, books_close};
use haversack_tests::tiers_law::{Tiered, tiered, tiers_hold};
use haversack_tests::transcripts_law::{Written, transcript_holds};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

fn hold<T: for<'a> Arbitrary<'a>>(name: &str, law: impl Fn(&T) -> Result<(), String>) {
    let seed: u64 = std::env::var("HAVERSACK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(5);
    let mut key = [11; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, max_shrink_iters: 5_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
    let outcome = runner.run(&vec(any::<u8>(), 0..1500), |bytes| {
        let Ok(case) = T::arbitrary(&mut Unstructured::new(&bytes)) else { return Ok(()) };
        law(&case).map_err(TestCaseError::fail)
    });
    if let Err(e) = outcome {
        let text = e.to_string();
        let short = text.split("; minimal failing input").next().unwrap_or(&text);
        panic!("{name} (seed {seed}): {short}");
    }
}

#[test]
fn no_fact_forges_another() {
    hold::<Run>("nothing_forges", nothing_forges);
}

#[test]
fn ledgers_hold_what_the_slow_one_holds() {
    hold::<Run>("ledger_holds", ledger_holds);
}

#[test]
fn memories_keep_their_labels() {
    hold::<memories::Run>("memory_holds", memory_holds);
}

#[test]
fn handoffs_are_what_a_slow_reader_says() {
    hold::<Returned>("handoff_holds", handoff_holds);
}

#[test]
fn every_record_is_explained() {
    hold::<Chain>("books_close", books_close);
}

#[test]
fn transcripts_serve_every_good_line() {
    hold::<Written>("transcript_holds", transcript_holds);
}

/// E4: nothing is missing without a boundary that says so, and silence is never read as an answer.
#[test]
fn books_and_handoffs_of_a_fleet() {
    assert_eq!(chains(2_000, 4), 0);
    let matrix = workers(4);
    assert!(matrix.keys().all(|(wanted, read)| wanted == read), "{matrix:?}");
    assert_eq!((matrix[&("silent", "silent")], matrix.values().sum::<usize>()), (98, 554));
}

/// E12: under the cap, in rank, with every label, and never a permission.
#[test]
fn labels_of_memories() {
    let told = labels(1_000, 4).unwrap();
    assert_eq!(Labels { content: 0, ..told }, Labels::default(), "{told:?}");
    assert!(told.content > 600);
}

/// A dialogue in one of the formats.
#[derive(Debug)]
struct Talk(Tiered);

impl<'a> Arbitrary<'a> for Talk {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        tiered(u).map(Talk)
    }
}

#[test]
fn tiers_keep_the_last_steps() {
    hold::<Talk>("tiers_hold", |talk| tiers_hold(&talk.0));
}
