//! Prints experiment E5: `cargo run --release -p haversack-tests --example layouts`.
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

use haversack_tests::layouts::{Layout, outcome};

fn main() {
    for turns in [60, 200] {
        for rules in ["openai/auto", "anthropic"] {
            println!("\n{turns} turns, {rules}, characters/4, seed 1; the bill in millions of fresh tokens");
            println!("{:<24} {:>7} {:>8} {:>8} {:>9}", "layout", "cached", "bill", "peak", "facts");
            for &layout in Layout::ALL {
                let o = outcome(layout, rules, turns, 1).unwrap_or_else(|e| panic!("{}: {e}", layout.name()));
                let share = o.share();
                println!(
                    "{:<24} {:>3}.{} % {:>8.3} {:>8} {:>5}/{}",
                    layout.name(),
                    share / 10,
                    share % 10,
                    o.billed as f64 / 1e9,
                    o.peak,
                    o.facts,
                    o.all_facts
                );
            }
        }
    }
}
