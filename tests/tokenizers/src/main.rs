//! `cargo run --release --manifest-path tests/tokenizers/Cargo.toml -- CORPUS REFERENCE`
//!
//! CORPUS is a folder of texts, REFERENCE what `reference.py` wrote about it. Prints the table of `core/DESIGN.md`.
//! Every candidate runs in processes of its own: one cannot warm the caches of another, and one that never ends or
//! dies is a result, not an accident.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tokenizers::{CANDIDATES, ENCODINGS};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["exact", who, corpus, reference] => exact(index(who), Path::new(corpus), Path::new(reference)),
        ["speed", who, corpus] => speed(index(who), Path::new(corpus)),
        ["hostile", who, case, kib] => hostile(index(who), case, index(kib)),
        [corpus, reference] => table(corpus, reference),
        _ => eprintln!("usage: tokenizers CORPUS REFERENCE"),
    }
}

fn index(text: &str) -> usize {
    text.parse().expect("a number")
}

/// Runs the three questions on every candidate.
fn table(corpus: &str, reference: &str) {
    for (who, (name, _)) in CANDIDATES.iter().enumerate() {
        let who = who.to_string();
        println!("\n{name}");
        for question in [vec!["exact", &who, corpus, reference], vec!["speed", &who, corpus]] {
            print!("{}", child(&question, 600));
        }
        for (case, _) in HOSTILE {
            let times: Vec<String> =
                ["256", "512", "1024"].iter().map(|kib| child(&["hostile", &who, case, kib], 60)).collect();
            println!("  hostile {case:>10}: 256 KiB, 512 KiB, 1 MiB = {}", times.join(", "));
        }
    }
    println!("\nsize of a stripped program over one without a tokenizer");
    let here = std::env::current_exe().expect("this program has a path");
    let size = |name: &str| std::fs::metadata(here.with_file_name(format!("size_{name}"))).map_or(0, |m| m.len());
    let none = size("none");
    for name in ["tiktoken", "tiktoken_rs", "bpe_openai", "toktok"] {
        println!("  {name:>12}: {} KB", size(name).saturating_sub(none) / 1000);
    }
}

/// One question in a process of its own; says so when it does not end in time or dies.
fn child(args: &[&str], seconds: u64) -> String {
    let mut process = Command::new(std::env::current_exe().expect("this program has a path"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program runs");
    let end = Instant::now() + Duration::from_secs(seconds);
    loop {
        match process.try_wait().expect("a child that was started") {
            Some(_) => break,
            None if Instant::now() > end => {
                process.kill().expect("a child that runs");
                process.wait().expect("a child that was killed");
                return format!("more than {seconds} s");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    let output = process.wait_with_output().expect("a child that ended");
    if output.status.success() { String::from_utf8_lossy(&output.stdout).into_owned() } else { "died".to_owned() }
}

/// Compares with the reference, file by file.
fn exact(who: usize, corpus: &Path, reference: &Path) {
    let (mut files, mut wrong) = (0, 0);
    for line in std::fs::read_to_string(reference).expect("the reference").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, counts @ ..] = cells.as_slice() else { continue };
        let bytes = std::fs::read(corpus.join(file)).expect("a file the reference names");
        let text = std::str::from_utf8(&bytes).expect("only UTF-8 is in the reference");
        for (encoding, expected) in counts.iter().enumerate() {
            files += 1;
            let n = CANDIDATES[who].1(encoding, text);
            if n != index(expected) {
                wrong += 1;
                println!("  {} {file}: {n}, not {expected}", ENCODINGS[encoding]);
            }
        }
    }
    println!("  exact: {} of {files} counts right", files - wrong);
}

/// Load time, then each text for the first time and then again. Processor time, not wall time.
fn speed(who: usize, corpus: &Path) {
    let count = CANDIDATES[who].1;
    for (encoding, name) in ENCODINGS.iter().enumerate() {
        let start = on_cpu();
        count(encoding, "");
        let load = on_cpu() - start;
        let mut line = format!("  {name}: load {:.0} ms", load.as_secs_f64() * 1e3);
        for (folder, limit) in [("tool-outputs/json", 40), ("tool-outputs/log", 40), ("transcripts/openai-chat", 60)] {
            let texts = texts(&corpus.join(folder), limit);
            let bytes: usize = texts.iter().map(String::len).sum();
            let mut rates = Vec::new();
            for _ in 0..4 {
                let start = on_cpu();
                let n: usize = texts.iter().map(|t| count(encoding, t)).sum();
                assert!(n > 0, "an empty corpus measures nothing");
                rates.push(bytes as f64 / 1e6 / (on_cpu() - start).as_secs_f64());
            }
            let warm = rates[1..].iter().copied().fold(0.0, f64::max);
            line += &format!("; {folder} cold {:.1} warm {warm:.1} MB/s", rates[0]);
        }
        println!("{line}");
    }
}

/// Time this thread spent on a processor, so that what else runs on the machine counts little; exact to a few
/// milliseconds. The wall clock where the system does not say.
fn on_cpu() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = said.as_deref().and_then(|s| s.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    nanos.unwrap_or_else(|| START.elapsed())
}

fn texts(folder: &Path, limit: usize) -> Vec<String> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder of the corpus").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).take(limit).collect()
}

/// Texts that never offer a boundary.
const HOSTILE: [(&str, &str); 9] = [
    ("a", "a"),
    ("spaces", " "),
    ("digits", "1"),
    ("emoji", "😀"),
    ("slashes", "/"),
    ("newlines", "\n"),
    ("han", "一"),
    ("combining", "e\u{301}"),
    ("letters", ""),
];

fn hostile(who: usize, case: &str, kib: usize) {
    let bytes = kib * 1024;
    let unit = HOSTILE.iter().find(|(name, _)| *name == case).expect("a case").1;
    let text = if unit.is_empty() { letters(bytes) } else { unit.repeat(bytes / unit.len()) };
    for encoding in 0..2 {
        CANDIDATES[who].1(encoding, "");
        let start = on_cpu();
        let n = CANDIDATES[who].1(encoding, &text);
        let time = (on_cpu() - start).as_secs_f64() * 1e3;
        print!("{}{time:.0} ms ({n})", if encoding == 0 { "" } else { " / " });
    }
}

/// Letters without a pattern, the same in every run.
fn letters(bytes: usize) -> String {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..bytes)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + ((state >> 33) % 26) as u8)
        })
        .collect()
}
