//! For what was missed: calls whose answer the mutant changes, each of which would make a vector that kills it. Where
//! there is none among a thousand that meet it, the mutant may change nothing that can be seen.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use crate::tree::Program;

/// Calls drawn, each with the page after it and a second cut.
const SEEDS: &str = "1500";
/// Calls tried on a mutant, smallest first, in portions: the first portion with a witness is the last.
const PORTIONS: [usize; 3] = [150, 350, 500];

pub struct Calls {
    program: Program,
    /// Size of the input, the line that names the call and its answer, the mutants it meets.
    calls: Vec<(usize, String, Vec<u32>)>,
}

impl Calls {
    pub fn record(program: Program) -> io::Result<Self> {
        let output = Command::new(&program.path).args(["record", SEEDS]).env("MUTANT", "record").output()?;
        let mut calls = vec![];
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [number, size, digest, met @ ..] = words.as_slice() else { continue };
            let met = met.iter().filter_map(|n| n.parse().ok()).collect();
            calls.push((size.parse().map_err(io::Error::other)?, format!("{number} {size} {digest}\n"), met));
        }
        calls.sort();
        Ok(Calls { program, calls })
    }

    /// Numbers for `answers show`.
    pub fn of(&self, mutant: u32) -> io::Result<Vec<String>> {
        let mut meet = self.calls.iter().filter(|(_, _, met)| met.contains(&mutant));
        for portion in PORTIONS {
            let lines: String = meet.by_ref().take(portion).map(|(_, line, _)| line.as_str()).collect();
            let mut command = Command::new("sh");
            let limits = "ulimit -v 4194304; ulimit -c 0; ulimit -t 10; exec nice -n 5 \"$@\"";
            command.args(["-c", limits, "sh"]).arg(&self.program.path).arg("differ").env("MUTANT", mutant.to_string());
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
            let input = child.stdin.take();
            let feed = std::thread::spawn(move || input.map(|mut i| i.write_all(lines.as_bytes())));
            let output = child.wait_with_output()?;
            let _ = feed.join();
            let text = String::from_utf8_lossy(&output.stdout);
            let found: Vec<String> = text.lines().filter_map(|l| l.split(' ').next()).map(str::to_owned).collect();
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(vec![])
    }
}
