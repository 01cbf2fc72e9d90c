//! Prompts: fingerprints beside bare SHA-256, the first difference beside memcmp, canonical JSON beside other
//! serialisers.

use std::fmt::Write as _;
use std::hint::black_box;

use haversack::prompt::{Layer, Piece, Prompt, SnapshotOptions, Verdict, compare, shared_prefix};
use sha2::{Digest, Sha256};

use crate::{cpu_seconds, median};

/// A job of a row; what it gives says that it was done.
type Job<'a> = (&'a str, Box<dyn Fn() -> usize + 'a>);

/// Prints the tables.
pub fn speed() {
    fingerprints();
    first_difference();
    canonical();
}

/// Seconds of each job in each round, another one first each time.
fn timed(jobs: &[Job<'_>], rounds: usize, times: usize) -> Vec<Vec<f64>> {
    let mut seconds = vec![Vec::new(); jobs.len()];
    for round in 0..rounds {
        for i in (0..jobs.len()).map(|i| (i + round) % jobs.len()) {
            let start = cpu_seconds();
            for _ in 0..times {
                black_box(jobs[i].1());
            }
            seconds[i].push((cpu_seconds() - start) / times as f64);
        }
    }
    seconds
}

/// A line for each job: its median, and how many times the first job's time it takes, the median of the rounds.
fn print(jobs: &[Job<'_>], seconds: &[Vec<f64>]) {
    for ((name, _), own) in jobs.iter().zip(seconds) {
        let ratios = own.iter().zip(&seconds[0]).map(|(own, first)| own / first).collect();
        let (Some(median_of), Some(ratio)) = (median(own.clone()), median(ratios)) else { continue };
        println!("{name:<58}{:>12.2} us{ratio:>9.2} x", median_of * 1e6);
    }
    println!();
}

fn prose(words: usize, seed: usize) -> String {
    (0..words).map(|i| format!("word{} ", (i * 7919 + seed * 104_729) % 9973)).collect()
}

fn prompt(texts: &[String]) -> Prompt {
    let mut prompt = Prompt::new();
    for (i, text) in texts.iter().enumerate() {
        prompt.add(Piece::new(format!("piece {i}"), text.as_str(), Layer::Session)).expect("names of their own");
    }
    prompt
}

fn fingerprints() {
    let texts: Vec<String> = (0..200).map(|i| prose(200, i)[..1024].to_owned()).collect();
    let mut later = texts.clone();
    later[190].replace_range(1000..1001, "!");
    let (before, after) = (prompt(&texts), prompt(&later));
    let taken = |prompt: &Prompt| prompt.snapshot(&SnapshotOptions::default()).expect("no counter to fail");
    let (a, b) = (taken(&before), taken(&after));
    let (same, changed) = (taken(&before), compare(Some(&a), &b).expect("no key"));
    assert_eq!((changed.verdict, changed.index, changed.at_byte), (Verdict::Changed, Some(190), Some(1000)));
    for (i, text) in texts.iter().enumerate() {
        let bare: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(a.sha256(i).as_deref(), Some(&*bare));
    }
    println!("Fingerprints of 200 pieces of 1 KiB: SHA-256, canonical form where there is one, a digest every 256 bytes\n");
    let jobs: [Job<'_>; 4] = [
        (
            "sha2 alone, the same texts",
            Box::new(|| texts.iter().map(|text| usize::from(Sha256::digest(text.as_bytes())[0])).sum()),
        ),
        ("haversack, a snapshot", Box::new(|| taken(&before).len())),
        ("haversack, compare two snapshots, equal", Box::new(|| compare(Some(&a), &same).map_or(0, |c| c.kept_bytes))),
        ("haversack, compare two snapshots, one byte differs", Box::new(|| compare(Some(&a), &b).map_or(0, |c| c.kept_bytes))),
    ];
    print(&jobs, &timed(&jobs, 41, 20));
}

fn first_difference() {
    let texts: Vec<String> = (0..200).map(|i| prose(3000, i)).collect();
    let mut later = texts.clone();
    let at = later[150].len() / 2;
    later[150].replace_range(at..=at, "!");
    let equal: usize = texts[..150].iter().map(String::len).sum::<usize>() + at;
    let all: usize = texts.iter().map(String::len).sum();
    let (before, after) = (prompt(&texts), prompt(&later));
    let shared = || shared_prefix(&before, &after, None).expect("no counter to fail");
    assert_eq!((shared().bytes, shared().piece.as_deref()), (equal, Some("piece 150")));
    // The same bytes in the same places: 150 whole texts and the start of one.
    let memcmp = || {
        let whole = texts[..150].iter().zip(&later).filter(|(x, y)| x.as_bytes() == y.as_bytes()).count();
        whole + usize::from(texts[150].as_bytes()[..at] == later[150].as_bytes()[..at])
    };
    assert_eq!(memcmp(), 151);
    println!("First difference of two prompts of {:.1} MB that are equal up to {:.1} MB, by their texts\n", all as f64 / 1e6, equal as f64 / 1e6);
    let jobs: [Job<'_>; 2] =
        [("memcmp of what is equal", Box::new(memcmp)), ("haversack, shared_prefix", Box::new(|| shared().bytes))];
    print(&jobs, &timed(&jobs, 41, 20));
}

/// A list of tools of about 500 KB, compact, keys in no order.
pub fn tools() -> String {
    let mut out = String::from("[");
    let mut i = 0;
    while out.len() < 500_000 {
        if i > 0 {
            out.push(',');
        }
        let about = prose(40, i);
        let _ = write!(
            out,
            r#"{{"type":"function","name":"tool_{i:03}","strict":true,"description":"{about}\n\"quoted\" – Größe","parameters":{{"type":"object","required":["path","lines"],"properties":{{"#
        );
        for field in 0..12 {
            let comma = if field > 0 { "," } else { "" };
            let _ = write!(
                out,
                r#"{comma}"field_{}":{{"type":"integer","minimum":{},"maximum":{}.5,"default":{field},"description":"{}"}}"#,
                (field * 5) % 12,
                field * 10,
                field * 1000,
                prose(6, i + field)
            );
        }
        out.push_str(r#"},"additionalProperties":false}}"#);
        i += 1;
    }
    out.push(']');
    out
}

fn canonical() {
    let text = tools();
    let own = || haversack::canonical_json(&text, 512).expect("JSON").into_text().len();
    let jcs = || serde_jcs::to_string(&value(&text)).expect("a value").len();
    let canonicalizer = || serde_json_canonicalizer::to_string(&value(&text)).expect("a value").len();
    let not_canonical = || serde_json::to_vec(&value(&text)).expect("a value").len();
    let wanted = haversack::canonical_json(&text, 512).expect("JSON").into_text().into_owned();
    assert_ne!(wanted, text, "the input is its own canonical form");
    assert_eq!(serde_jcs::to_string(&value(&text)).expect("a value"), wanted, "serde_jcs writes other bytes");
    assert_eq!(serde_json_canonicalizer::to_string(&value(&text)).expect("a value"), wanted, "the canonicalizer writes other bytes");
    println!("Canonical JSON (RFC 8785) of a list of tools, {:.1} KB, from text to text; all but the last write the same bytes\n", text.len() as f64 / 1e3);
    let jobs: [Job<'_>; 4] = [
        ("haversack, canonical_json", Box::new(own)),
        ("serde_json parse, serde_jcs", Box::new(jcs)),
        ("serde_json parse, serde_json_canonicalizer", Box::new(canonicalizer)),
        ("serde_json parse, to_vec (not canonical)", Box::new(not_canonical)),
    ];
    print(&jobs, &timed(&jobs, 31, 2));
}

fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}
