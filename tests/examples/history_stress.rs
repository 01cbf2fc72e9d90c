//! Random cuts, and random damages with their repairs: `cargo run --release -p haversack-tests --example history_stress
//! [COUNT] [SEED]`.
//!
//! A million cuts unless told, and a damaged history for every fourth. Counts how they ended, and stops after five that
//! break a law.
#![allow(clippy::print_stdout, clippy::std_instead_of_alloc, clippy::expect_used)]

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use haversack_tests::cuts::{cut_keeps, l8_cut};
use haversack_tests::dialogues::wished;
use haversack_tests::histories::damaged;
use haversack_tests::repair_laws::{l8_repair, nothing_is_lost};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(1_000_000);
    let mut state = arguments.next().unwrap_or(1);
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..count {
        let most = 1 + next() as usize % 24;
        let bytes: Vec<u8> = (0..120 + next() as usize % 1500).map(|_| next() as u8).collect();
        let Ok((d, wish)) = wished(&mut Unstructured::new(&bytes), most) else { continue };
        if next() % 8 == 0
            && let Err(broken) = l8_cut(&d)
        {
            println!("BROKEN l8_cut: {broken}");
            *ends.entry("broken".into()).or_default() += 1;
            continue;
        }
        if next() % 4 == 0
            && let Ok(case) = damaged(&mut Unstructured::new(&bytes), d.format)
        {
            let broken = l8_repair(&case).and_then(|()| nothing_is_lost(&case)).err();
            *ends.entry(if broken.is_some() { "broken" } else { "Repaired" }.into()).or_default() += 1;
            if let Some(broken) = broken {
                println!("BROKEN repair: {broken}");
            }
        }
        match cut_keeps(&d, &wish) {
            Ok(end) => *ends.entry(format!("{end:?}")).or_default() += 1,
            Err(broken) => {
                *ends.entry("broken".into()).or_default() += 1;
                println!("BROKEN: {broken}");
            }
        }
        if ends.get("broken").is_some_and(|n| *n >= 5) {
            break;
        }
    }
    println!("{ends:?}");
}
