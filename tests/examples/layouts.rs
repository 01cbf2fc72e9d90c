//! Prints experiment E5: `cargo run --release -p haversack-tests --example layouts [CORPUS]`. With a corpus its
//! transcripts are replayed, too.
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

use std::path::Path;

use haversack_tests::layouts::{Layout, Outcome, Run, generated, outcome, replayed};

fn main() {
    for turns in [60, 200] {
        print(&format!("{turns} turns, seed 1"), &[generated(turns, 1)]);
    }
    if let Some(corpus) = std::env::args().nth(1) {
        let runs = replayed(Path::new(&corpus));
        print(&format!("{} recorded transcripts, replayed", runs.len()), &runs);
    }
}

fn print(what: &str, runs: &[Run]) {
    for rules in ["openai/auto", "anthropic"] {
        println!("\n{what}, {rules}, characters/4; the bill in millions of fresh tokens");
        println!("{:<24} {:>7} {:>8} {:>8} {:>8} {:>12}", "layout", "cached", "bill", "uncached", "peak", "facts");
        for &layout in Layout::ALL {
            let mut o = Outcome::default();
            for run in runs {
                o.add(&outcome(layout, rules, run).unwrap_or_else(|e| panic!("{}: {e}", layout.name())));
            }
            let share = o.share();
            println!(
                "{:<24} {:>3}.{} % {:>8.3} {:>8.3} {:>8} {:>12}",
                layout.name(),
                share / 10,
                share % 10,
                o.billed as f64 / 1e9,
                o.total as f64 / 1e6,
                o.peak,
                format!("{}/{}", o.facts, o.all_facts)
            );
        }
    }
}
