//! Prints the speed and memory tables, or writes the inputs for the Python benchmarks.
//!
//! All peers of a row run in this one process, one after the other within each round; a figure is the median over the
//! rounds, a ratio the median of the ratios of single rounds. Before anything is timed, the peers' answers are compared.

mod heap;
mod inputs;
mod peers;

use std::time::Instant;

use inputs::Shape;
use peers::{Kept, PEERS};

const BUDGET: usize = 6000;
const SIZES: [(usize, &str, usize); 3] = [(1_000_000, "1m", 31), (10_000_000, "10m", 9), (100_000_000, "100m", 3)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["speed"] => speed(),
        ["memory"] => memory(),
        ["inputs", folder] => write_inputs(folder),
        _ => {
            eprintln!("usage: haversack-benches speed | memory | inputs FOLDER");
            std::process::exit(2);
        }
    }
}

fn speed() {
    println!("Cut a root array to {BUDGET} bytes, whole input checked, exact total (GB/s; bytes in, text out)\n");
    print!("{:<28}", "input (records)");
    for (name, _, _) in PEERS {
        print!("{name:>27}");
    }
    println!("{:>26}", "haversack / best peer");
    let mut first_size = Vec::new();
    for (bytes, label, rounds) in SIZES {
        for shape in Shape::ALL {
            let (input, records) = shape.build(bytes);
            let times = time_all(input.as_bytes(), records, rounds, bytes < 100_000_000);
            print!("{:<28}", format!("{shape}_{label} ({records})"));
            for samples in &times {
                match median(samples.clone()) {
                    Some(seconds) => print!("{:>27.2}", input.len() as f64 / seconds / 1e9),
                    None => print!("{:>27}", "-"),
                }
            }
            let (ratio, best) = best_peer(&times);
            println!("{:>8.2} {:>17}{}", ratio, best, if ratio < 1.0 { "  the peer wins" } else { "" });
            let per_byte = median(times[0].clone()).unwrap_or(0.0) / input.len() as f64;
            if label == "1m" {
                first_size.push(per_byte);
            } else if label == "100m" {
                let at_1m = first_size[Shape::ALL.iter().position(|s| *s == shape).unwrap_or(0)];
                println!("{:<28}haversack, time per byte against 1 MB: {:.2}", "", per_byte / at_1m);
            }
        }
    }
    println!(
        "\nThe peers keep what fits into `[…]`; haversack also pays for its counts and cursor and validates UTF-8"
    );
    println!("(so do sonic-rs and serde_json on bytes; jiter's skip does not look into the strings it passes over).");
}

/// Seconds of every peer in every round; empty for a peer that is left out.
fn time_all(input: &[u8], records: usize, rounds: usize, small: bool) -> Vec<Vec<f64>> {
    let active: Vec<bool> = PEERS.iter().map(|(_, large, _)| small || *large).collect();
    for (i, (name, _, job)) in PEERS.iter().enumerate() {
        if active[i] {
            verify(name, &job(input, BUDGET), input, records);
        }
    }
    let mut times = vec![Vec::new(); PEERS.len()];
    for _ in 0..rounds {
        for (i, (name, _, job)) in PEERS.iter().enumerate() {
            if active[i] {
                let start = Instant::now();
                let kept = job(input, BUDGET);
                times[i].push(start.elapsed().as_secs_f64());
                assert_eq!(kept.total, records, "{name} counts otherwise while measured");
            }
        }
    }
    times
}

/// The text parses, its rows are the first records of the input byte for byte, and the total is true.
fn verify(name: &str, answer: &Kept, input: &[u8], records: usize) {
    use serde_json::value::RawValue;
    #[derive(serde::Deserialize)]
    struct Envelope<'a> {
        total: usize,
        omitted: usize,
        #[serde(borrow)]
        rows: Vec<&'a RawValue>,
    }
    assert_eq!(answer.total, records, "{name}: total");
    assert!(answer.text.len() <= BUDGET, "{name}: over budget");
    let rows: Vec<&RawValue> = if answer.text.starts_with('[') {
        serde_json::from_str(&answer.text).unwrap_or_else(|e| panic!("{name}: {e}"))
    } else {
        let envelope: Envelope<'_> = serde_json::from_str(&answer.text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((envelope.total, envelope.omitted), (records, records - envelope.rows.len()), "{name}: counts");
        envelope.rows
    };
    assert_eq!(rows.len(), answer.kept, "{name}: kept");
    assert!(!rows.is_empty(), "{name}: nothing delivered");
    let mut at = 1;
    for row in rows {
        // A tree may write a number or an escape otherwise; a raw slice may not.
        if !name.contains("Value>") || name.contains("Raw") {
            assert!(input[at..].starts_with(row.get().as_bytes()), "{name}: a record is not the input's");
        }
        at += row.get().len() + 1;
    }
}

fn best_peer(times: &[Vec<f64>]) -> (f64, &'static str) {
    (1..times.len())
        .filter_map(|i| {
            let ratios = times[i].iter().zip(&times[0]).map(|(peer, own)| peer / own).collect();
            Some((median(ratios)?, PEERS[i].0.split(' ').next().unwrap_or_default()))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or((0.0, "-"))
}

fn median(mut samples: Vec<f64>) -> Option<f64> {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied()
}

fn memory() {
    println!("Peak extra heap while cutting a root array to {BUDGET} bytes (bytes above the level before the call)\n");
    print!("{:<28}", "input");
    for (name, _, _) in PEERS {
        print!("{name:>27}");
    }
    println!();
    for (bytes, label, _) in SIZES {
        for shape in Shape::ALL {
            let (input, _) = shape.build(bytes);
            print!("{:<28}", format!("{shape}_{label}"));
            for (_, large, job) in PEERS {
                if large || bytes < 100_000_000 {
                    print!("{:>27}", heap::peak_of(|| job(input.as_bytes(), BUDGET)));
                } else {
                    print!("{:>27}", "-");
                }
            }
            println!();
        }
    }
}

fn write_inputs(folder: &str) {
    for (bytes, label) in [(6_200, "6k"), (1_000_000, "1m"), (10_000_000, "10m"), (100_000_000, "100m")] {
        for shape in Shape::ALL {
            let path = format!("{folder}/{shape}_{label}.json");
            std::fs::write(&path, shape.build(bytes).0).unwrap_or_else(|e| panic!("{path}: {e}"));
        }
    }
}
