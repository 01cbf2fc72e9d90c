//! Prints what the rules predict of recorded requests: `cargo run --release -p haversack-tests --example recordings
//! CORPUS`, where the folder holds `transcripts/request-sequences` and `transcripts/claude-code` (CONTRIBUTING.md).
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use haversack_tests::corpus::corpus;
use haversack_tests::recordings::{self, Cause, Event, near};

fn main() {
    let Some(corpus) = std::env::args().nth(1).map_or_else(|| corpus("recordings"), |given| Some(given.into())) else {
        return;
    };
    let only_seen = std::env::args().any(|a| a == "--without-held-out");
    let mut causes: BTreeMap<Cause, usize> = BTreeMap::new();
    let (mut firm, mut silent, mut requests) = ([[0, 0]; 2], [[0, 0]; 2], [0, 0]);
    println!("{:<8} {:>8} {:>9} {:>9}  recording", "", "reported", "predicted", "error");
    for sequence in recordings::sequences(&corpus) {
        let held = sequence.held_out();
        if held && only_seen {
            continue;
        }
        let rows = recordings::rows(&sequence).unwrap_or_else(|e| panic!("{}: {e}", sequence.name));
        let hit = sequence.requests.iter().any(|r| r.counts.is_some_and(|(_, cached)| cached > 0));
        requests[0] += rows.iter().filter(|row| row.cause.is_none()).count();
        requests[1] += rows.len();
        let (reported, predicted) = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.reported, sum.1 + row.predicted));
        let place = usize::from(held);
        if !hit {
            silent[place][0] += usize::from(rows.iter().all(|row| row.predicted == 0));
            silent[place][1] += 1;
        } else if rows.is_empty() {
            continue;
        } else if rows.iter().all(|row| row.published && row.rules.name() != "gemini/implicit") {
            firm[place][0] += usize::from(near(reported, predicted));
            firm[place][1] += 1;
        }
        let error = reported.abs_diff(predicted) * 1000 / reported.max(predicted).max(1);
        if hit || predicted > 0 {
            let set = if held { "held out" } else { "" };
            println!("{set:<8} {reported:>8} {predicted:>9} {:>6}.{} %  {}", error / 10, error % 10, sequence.name);
        }
        for row in rows.iter().filter(|row| row.cause.is_some()) {
            let Some(cause) = row.cause else { continue };
            *causes.entry(cause).or_insert(0) += 1;
            println!(
                "{:>39} request {} ({}): {} of {}, predicted {}: {}",
                "",
                row.index,
                row.rules.name(),
                row.reported,
                row.prompt,
                row.predicted,
                cause.name()
            );
        }
    }
    let both = |n: [[usize; 2]; 2]| {
        format!("{} of {} (held out: {} of {})", n[0][0] + n[1][0], n[0][1] + n[1][1], n[1][0], n[1][1])
    };
    println!("\nsequences under a published rule that fixes the length, within 5 %: {}", both(firm));
    println!("sequences without a hit told so: {}", both(silent));
    println!("requests within 5 %: {} of {}", requests[0], requests[1]);

    let mut events: BTreeMap<Event, [[usize; 2]; 2]> = BTreeMap::new();
    for (name, turns) in recordings::sessions(&corpus) {
        let held = recordings::held_out(&name);
        if held && only_seen {
            continue;
        }
        for row in recordings::session_rows(&turns).unwrap_or_else(|e| panic!("{name}: {e}")) {
            let n = &mut events.entry(row.event).or_default()[usize::from(held)];
            n[0] += usize::from(row.cause.is_none());
            n[1] += 1;
            if let Some(cause) = row.cause {
                *causes.entry(cause).or_insert(0) += 1;
                println!(
                    "{name} turn {} ({:?}, {} s): {}, predicted {}: {}",
                    row.index,
                    row.event,
                    row.elapsed,
                    row.reported,
                    row.predicted,
                    cause.name()
                );
            }
        }
    }
    for (event, n) in events {
        println!("turns of coding sessions within 5 %, {event:?}: {}", both(n));
    }
    for (cause, n) in causes {
        println!("misses by cause: {n} {}", cause.name());
    }
}
