//! The laws of repairing histories, over generated ones of every format. `PROPTEST_CASES` and `HAVERSACK_SEED` as in
//! `src/hold.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use haversack_tests::histories::{self, HistoryCase};
use haversack_tests::hold;
use haversack_tests::repair_laws as laws;

fn over_histories(name: &str, law: fn(&HistoryCase) -> Result<(), String>) {
    hold(name, 0..400, |u| histories::history(u).map_or(Ok(()), |case| law(&case)));
}

#[test]
fn l8_a_repair_is_valid_and_final() {
    over_histories("l8_repair", laws::l8_repair);
}

#[test]
fn l9_what_is_valid_stays() {
    over_histories("l9_identity", laws::l9_identity);
}

#[test]
fn nothing_is_lost() {
    over_histories("nothing_is_lost", laws::nothing_is_lost);
}
