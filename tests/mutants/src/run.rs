//! Runs the tests that meet a mutant, cheapest and most deadly first, until one fails.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::tree::Program;

/// Microseconds; a case of a law that takes longer costs more than it finds.
const SLOW: u64 = 1_000_000;

/// A piece that can be run alone: how long it takes, and the mutants it meets.
struct Test {
    name: String,
    micros: u64,
    met: Vec<u64>,
    kills: AtomicU64,
}

struct Suite {
    program: Program,
    /// Whether it is ours, that takes numbers on its input, or cargo's, that takes names as arguments.
    units: bool,
    tests: Vec<Test>,
}

pub struct Tests {
    suites: Vec<Suite>,
    cases: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Caught(String),
    Timeout,
    Missed,
    /// No test comes by; missed without a run.
    Unmet,
}

fn bits(numbers: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![];
    for n in numbers {
        if words.len() <= n / 64 {
            words.resize(n / 64 + 1, 0);
        }
        words[n / 64] |= 1 << (n % 64);
    }
    words
}

fn has(words: &[u64], n: u32) -> bool {
    words.get(n as usize / 64).is_some_and(|w| w >> (n % 64) & 1 == 1)
}

impl Tests {
    /// Runs every test once without a mutant, and notes what each meets.
    pub fn record(units: Program, others: Vec<Program>, cases: usize) -> io::Result<Self> {
        let cases = cases.to_string();
        let output = Command::new(&units.path).args(["record", &cases]).env("MUTANT", "record").output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            return Err(io::Error::other("the tests end early without a mutant"));
        }
        let (mut tests, mut failed) = (vec![], vec![]);
        for line in text.lines() {
            if let Some(what) = line.strip_prefix("failed: ") {
                // A fault of the library or of a law, and no witness against a mutant.
                println!("LEFT OUT, it fails without a mutant: {what}");
                failed.extend(what.split(':').next());
                continue;
            }
            let mut words = line.split(' ');
            let (name, micros) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let micros = micros.parse().map_err(io::Error::other)?;
            let met = bits(words.filter_map(|w| w.parse().ok()));
            if micros > SLOW {
                println!("test {name} is left out: {} s", micros / 1_000_000);
                continue;
            }
            if !failed.contains(&name) {
                tests.push(Test { name: name.into(), micros, met, kills: AtomicU64::new(0) });
            }
        }
        let mut suites = vec![Suite { program: units, units: true, tests }];
        for program in others {
            let tests = record_cargo(&program)?;
            suites.push(Suite { program, units: false, tests });
        }
        for s in &suites {
            let (name, all) = (s.program.path.file_name().unwrap_or_default(), s.tests.iter().map(|t| t.micros));
            println!("{}: {} tests, {} ms", name.to_string_lossy(), s.tests.len(), all.sum::<u64>() / 1000);
        }
        Ok(Tests { suites, cases })
    }

    /// The same tests in other programs, all of them for every mutant.
    pub fn with(&self, units: Program, others: Vec<Program>) -> Tests {
        let programs = std::iter::once(units).chain(others);
        let all = |t: &Test| Test { name: t.name.clone(), micros: t.micros, met: vec![1], kills: AtomicU64::new(0) };
        let suite = |(s, program): (&Suite, Program)| Suite {
            program,
            units: s.units,
            tests: s.tests.iter().map(all).collect(),
        };
        Tests { suites: self.suites.iter().zip(programs).map(suite).collect(), cases: self.cases.clone() }
    }

    pub fn judge(&self, number: u32) -> io::Result<Verdict> {
        let mut any = false;
        for suite in &self.suites {
            let mut chosen: Vec<&Test> = suite.tests.iter().filter(|t| has(&t.met, number)).collect();
            if chosen.is_empty() {
                continue;
            }
            any = true;
            chosen.sort_by_key(|t| t.micros / (1 + t.kills.load(Relaxed)));
            for batch in batches(&chosen) {
                let verdict = self.run(suite, batch, number)?;
                if verdict == Verdict::Missed {
                    continue;
                }
                if let Verdict::Caught(by) = &verdict
                    && let Some(test) = batch.iter().find(|t| by.split(' ').next() == Some(t.name.as_str()))
                {
                    test.kills.fetch_add(1, Relaxed);
                }
                return Ok(verdict);
            }
        }
        Ok(if any { Verdict::Missed } else { Verdict::Unmet })
    }

    fn run(&self, suite: &Suite, tests: &[&Test], number: u32) -> io::Result<Verdict> {
        // Seconds of the processor, not of the clock: other work on the machine does not count. 4 GiB, no core file.
        let seconds = 5 * tests.iter().map(|t| t.micros).sum::<u64>() / 1_000_000 + 1;
        let mut command = Command::new("sh");
        let limits = format!("ulimit -v 4194304; ulimit -c 0; ulimit -t {seconds}; exec nice -n 5 \"$@\"");
        command.args(["-c", &limits, "sh"]).arg(&suite.program.path);
        if suite.units {
            command.args(["run", &self.cases]);
        } else {
            command.args(["--exact", "--test-threads=1"]).args(tests.iter().map(|t| &t.name));
        }
        command.env("MUTANT", number.to_string()).env("RUST_BACKTRACE", "0").current_dir(&suite.program.folder);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        if let Some(mut input) = child.stdin.take()
            && suite.units
        {
            let numbers: Vec<&str> = tests.iter().map(|t| t.name.as_str()).collect();
            let _ = input.write_all(numbers.join(" ").as_bytes());
        }
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            // A mutant that waits instead of working.
            if start.elapsed() > Duration::from_secs(30 * seconds) {
                child.kill()?;
                child.wait()?;
                return Ok(Verdict::Timeout);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        };
        if status.success() {
            return Ok(Verdict::Missed);
        }
        // SIGXCPU, or SIGKILL where that was not enough.
        if matches!(status.signal(), Some(24 | 9)) {
            return Ok(Verdict::Timeout);
        }
        let output = child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let failed = text.lines().find_map(|l| l.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
        let first = if suite.units { text.lines().next() } else { failed };
        Ok(Verdict::Caught(first.map_or_else(|| status.to_string(), str::to_owned)))
    }
}

/// A short batch first: a mutant that never ends is found there, within the short time that the batch may take.
fn batches<'a, 't>(mut tests: &'a [&'t Test]) -> Vec<&'a [&'t Test]> {
    let mut all = vec![];
    for most in [100_000, 1_000_000, u64::MAX] {
        let mut sum = 0;
        let n = tests.iter().take_while(|t| {
            sum += t.micros;
            sum <= most
        });
        let n = n.count();
        if n > 0 {
            all.push(&tests[..n]);
        }
        tests = &tests[n..];
    }
    all
}

/// The tests of a program of cargo's, each run alone.
fn record_cargo(program: &Program) -> io::Result<Vec<Test>> {
    let mut run = Command::new(&program.path);
    let list = run.args(["--list", "--format=terse"]).current_dir(&program.folder).output()?;
    let mut tests = vec![];
    for name in String::from_utf8_lossy(&list.stdout).lines().filter_map(|l| l.strip_suffix(": test")) {
        let met = program.path.with_extension("met");
        let _ = fs::remove_file(&met);
        let start = Instant::now();
        let mut run = Command::new(&program.path);
        run.args(["--exact", "--test-threads=1", name]).current_dir(&program.folder);
        let output = run.env("MUTANT", "record").env("MUTANT_MET", &met).output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("without a mutant: {name} fails")));
        }
        let micros = start.elapsed().as_micros() as u64;
        let numbers = read(&met);
        let met = bits(numbers.lines().filter_map(|l| l.parse().ok()));
        tests.push(Test { name: name.into(), micros, met, kills: AtomicU64::new(0) });
    }
    Ok(tests)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
