//! The tables of the experiments on state: `cargo run --release -p haversack-tests --example state_tables [SEED]`.
#![allow(clippy::print_stdout, clippy::expect_used)]

use haversack_tests::experiments::{chains, labels, workers};

fn main() {
    let seed = std::env::args().nth(1).map_or(1, |a| a.parse().expect("a number"));
    println!("E4  chains of boundaries with an unexplained record: {} of 10000", chains(10_000, seed));
    for ((wanted, read), count) in workers(seed) {
        println!("E4  {wanted:13} read as {read:13} {count:>4}");
    }
    for count in [5_000, 140_000] {
        println!("E12 {count} memories: {:?}", labels(count, seed).expect("memories"));
    }
}
