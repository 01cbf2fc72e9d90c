//! Hostile state at random: `cargo run --release -p haversack-tests --example state_stress [COUNT] [SEED]`.
//!
//! A hundred thousand runs of each kind unless told. Counts what held, and stops after five that break a law.
#![allow(clippy::print_stdout, clippy::std_instead_of_alloc, clippy::expect_used)]

use haversack_tests::replay;

const TARGETS: [&str; 6] = ["ledger", "memory", "handoff", "tally", "transcript", "tiers"];

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(100_000);
    let mut state = arguments.next().unwrap_or(1);
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    for target in TARGETS {
        let (mut held, mut broken) = (0_u64, 0);
        while held < count && broken < 5 {
            let bytes: Vec<u8> = (0..1 + next() as usize % 1200).map(|_| next() as u8).collect();
            match replay(target, &bytes) {
                Ok(()) => held += 1,
                Err(why) => {
                    println!("BROKEN {target}: {why}");
                    broken += 1;
                }
            }
        }
        println!("{target}: {held} held, {broken} broken");
    }
}
