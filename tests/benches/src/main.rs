//! Prints the speed and memory tables, or writes the inputs for the Python benchmarks.
//!
//! All peers of a row run in this one process, one after the other within each round; a figure is the median over the
//! rounds, a ratio the median of the ratios of single rounds. Time is processor time of the thread (every job has one),
//! so that other work on the machine does not count. Before anything is timed, the peers' answers are compared.

mod heap;
mod inputs;
mod peers;
mod prompts;

use inputs::Shape;
use peers::{Kept, PEERS};

const BUDGET: usize = 6000;
const SIZES: [(usize, &str, usize); 3] = [(1_000_000, "1m", 31), (10_000_000, "10m", 9), (100_000_000, "100m", 3)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["speed"] => speed(),
        ["refusals"] => refusals(),
        ["memory"] => memory(),
        ["prompts"] => prompts::speed(),
        ["inputs", folder] => write_inputs(folder),
        ["inputs-tools", folder] => write_tools(folder),
        _ => {
            eprintln!("usage: haversack-benches speed | refusals | memory | prompts | inputs FOLDER | inputs-tools FOLDER");
            std::process::exit(2);
        }
    }
}

fn speed() {
    println!("Cut a root array to {BUDGET} bytes, whole input checked, exact total (GB/s; bytes in, text out)\n");
    print!("{:<20}{:>17}", "input (records)", "haversack");
    PEERS[1..].iter().for_each(|(name, _, _)| print!("{name:>28}"));
    println!("  peers that win");
    let mut per_byte_at_1mb = Vec::new();
    for (bytes, label, rounds) in SIZES {
        for (i, shape) in Shape::ALL.into_iter().enumerate() {
            let (input, records) = shape.build(bytes);
            let times = time_all(input.as_bytes(), records, rounds, bytes < 100_000_000);
            let own = median(times[0].clone()).unwrap_or(f64::NAN);
            let speed = |seconds: f64| input.len() as f64 / seconds / 1e9;
            print!("{:<20}{:>17.2}", format!("{shape}_{label} ({records})"), speed(own));
            let mut winners = Vec::new();
            for (samples, (name, _, _)) in times.iter().zip(PEERS).skip(1) {
                let ratios = samples.iter().zip(&times[0]).map(|(peer, own)| peer / own).collect();
                let (Some(seconds), Some(ratio)) = (median(samples.clone()), median(ratios)) else {
                    print!("{:>28}", "-");
                    continue;
                };
                print!("{:>28}", format!("{:.2} ({ratio:.2} x)", speed(seconds)));
                if ratio < 1.0 {
                    winners.push(name.split(' ').next().unwrap_or_default());
                }
            }
            println!("  {}", winners.join(", "));
            match label {
                "1m" => per_byte_at_1mb.push(own / input.len() as f64),
                "100m" => {
                    println!("    time per byte is {:.2} x that at 1 MB", own / input.len() as f64 / per_byte_at_1mb[i])
                }
                _ => {}
            }
        }
    }
    println!("\nIn brackets: how many times as fast as that peer haversack is, median over the rounds.");
    println!("The peers keep what fits into `[…]`; haversack also pays for its counts and cursor.\n");
    refusals();
}

/// What each job notices of damage behind the records it keeps: like is compared with like only where all say yes.
fn refusals() {
    let (good, _) = Shape::Flat.build(20_000);
    let good = good.trim_end_matches(']');
    let damaged: [(&str, Vec<u8>); 6] = [
        ("no closing bracket", good.into()),
        ("text after the end", format!("{good}] x").into()),
        ("missing comma", format!("{good} {{}}]").into()),
        ("number 01", format!("{good},01]").into()),
        ("escape \\x in a string", format!(r#"{good},{{"a":"\x"}}]"#).into()),
        ("string not UTF-8", [good.as_bytes(), b",{\"a\":\"\xff\"}]"].concat()),
    ];
    print!("{:<24}{:>13}", "refuses, late in input", "haversack");
    PEERS[1..].iter().for_each(|(name, _, _)| print!("{name:>28}"));
    println!();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for (what, input) in damaged {
        print!("{what:<24}");
        for (i, (_, _, job)) in PEERS.into_iter().enumerate() {
            let refused = std::panic::catch_unwind(|| job(&input, BUDGET)).is_err();
            print!("{:>width$}", if refused { "yes" } else { "NO" }, width = if i == 0 { 13 } else { 28 });
        }
        println!();
    }
    std::panic::set_hook(hook);
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
    for round in 0..rounds {
        // Another peer goes first each time, so that nobody always runs in the wake of the same one.
        for i in (0..PEERS.len()).map(|i| (i + round) % PEERS.len()) {
            let (name, _, job) = PEERS[i];
            if active[i] {
                let start = cpu_seconds();
                let kept = job(input, BUDGET);
                times[i].push(cpu_seconds() - start);
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

fn cpu_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on Linux and `now` is writable.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    assert_eq!(status, 0, "no clock of processor time");
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
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

fn write_tools(folder: &str) {
    let path = format!("{folder}/tools.json");
    std::fs::write(&path, prompts::tools()).unwrap_or_else(|e| panic!("{path}: {e}"));
}

fn write_inputs(folder: &str) {
    for (bytes, label) in [(6_200, "6k"), (1_000_000, "1m"), (10_000_000, "10m"), (100_000_000, "100m")] {
        for shape in Shape::ALL {
            let path = format!("{folder}/{shape}_{label}.json");
            std::fs::write(&path, shape.build(bytes).0).unwrap_or_else(|e| panic!("{path}: {e}"));
        }
    }
}
