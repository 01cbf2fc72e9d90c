//! The laws over real tool outputs, and the JSON test suite. The data is third-party and not part of this repository:
//! where it is not at hand these tests are skipped, and say so.
//!
//! `HAVERSACK_CORPUS=DIR` names another place; `HAVERSACK_ONLY=TEXT` takes only files whose path holds the text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::fs;
use std::path::{Path, PathBuf};

use haversack::{Format, Unit};
use haversack_tests::laws::{self, Law};
use haversack_tests::{Spec, corpus, oracle};

fn files(folder: &Path) -> Vec<PathBuf> {
    let only = std::env::var("HAVERSACK_ONLY").unwrap_or_default();
    let mut found = vec![];
    let mut work = vec![folder.to_owned()];
    while let Some(dir) = work.pop() {
        for entry in fs::read_dir(&dir).expect("a readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                work.push(path);
            } else if path.to_string_lossy().contains(&only) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Law by law, the first failure of each, so that one run shows all that is broken.
struct Failures(Vec<(String, usize, String)>);

impl Failures {
    fn add(&mut self, law: &str, file: &Path, what: &str) {
        let what: String = what.split("\n  {\"input\"").next().unwrap_or(what).chars().take(900).collect();
        let options = what.clone();
        match self.0.iter_mut().find(|(l, _, _)| l == law) {
            Some(entry) => entry.1 += 1,
            None => self.0.push((law.into(), 1, format!("{}: {options}", file.display()))),
        }
    }

    fn finish(self) {
        let text: Vec<String> =
            self.0.iter().map(|(law, n, first)| format!("{law}: {n} failures, first {first}")).collect();
        assert!(text.is_empty(), "\n{}", text.join("\n\n"));
    }
}

#[test]
fn laws_hold_on_real_tool_outputs() {
    let Some(corpus) = corpus("laws_hold_on_real_tool_outputs") else { return };
    let mut failures = Failures(vec![]);
    let mut checked = 0;
    for (i, file) in files(&corpus.join("tool-outputs")).iter().enumerate() {
        let Ok(payload) = fs::read(file) else { continue };
        let Ok(text) = String::from_utf8(payload.clone()) else { continue };
        let large = payload.len() > 150_000;
        for (k, unit) in [Unit::Chars, Unit::Bytes, Unit::Utf16, Unit::Tokens].into_iter().enumerate() {
            // Large files take turns.
            if large && (i + k) % 4 != 0 {
                continue;
            }
            let size = Spec::new(unit, 0).size(&text);
            for limit in [64, 200, 1000, 6000, 40_000, size * 3 / 10, size.saturating_sub(1), size] {
                let spec = Spec::new(unit, limit);
                for &(name, law) in laws::ALL {
                    let slow = matches!(
                        name,
                        "l7_pages" | "l20_deterministic" | "l21_state" | "l5_reversal" | "l6_idempotent"
                    );
                    if slow && (large || k != i % 4 || limit < 200) {
                        continue;
                    }
                    checked += 1;
                    if let Err(e) = law(&payload, &spec) {
                        failures.add(name, file, &format!("{} {}: {e}", limit, unit.name()));
                    }
                }
            }
        }
    }
    println!("{checked} checks");
    failures.finish();
}

/// What is refused names what is needed, and exactly that. `-- --nocapture` prints the share per budget and unit.
#[test]
fn refusals_on_real_tool_outputs() {
    const BUDGETS: [usize; 8] = [64, 100, 200, 500, 1000, 2000, 6000, 40_000];
    let Some(corpus) = corpus("refusals_on_real_tool_outputs") else { return };
    let mut failures = Failures(vec![]);
    let units = [Unit::Bytes, Unit::Chars, Unit::Utf16, Unit::Tokens];
    let mut refused = [[0usize; BUDGETS.len()]; 4];
    let (mut delivered, mut largest) = (0usize, 0);
    let texts: Vec<(PathBuf, String)> = files(&corpus.join("tool-outputs"))
        .into_iter()
        .filter_map(|file| Some((file.clone(), String::from_utf8(fs::read(&file).ok()?).ok()?)))
        .collect();
    for (file, text) in &texts {
        for (row, unit) in refused.iter_mut().zip(units) {
            for (cell, limit) in row.iter_mut().zip(BUDGETS) {
                let spec = Spec::new(unit, limit);
                let Err(e) = spec.deliver(text.as_bytes()) else {
                    delivered += 1;
                    continue;
                };
                *cell += 1;
                largest = largest.max(e.needed().unwrap_or(usize::MAX));
                if let Err(e) = laws::l1_budget(text.as_bytes(), &spec) {
                    failures.add("l1_budget", file, &format!("{limit} {}: {e}", unit.name()));
                }
            }
        }
    }
    println!("{} files; of the calls refused: {largest} units needed at most", texts.len());
    println!("{:<8}{}", "budget", BUDGETS.map(|b| format!("{b:>8}")).concat());
    for (row, unit) in refused.iter().zip(units) {
        println!(
            "{:<8}{}",
            unit.name(),
            row.map(|n| format!("{:>7.1}%", n as f64 * 100.0 / texts.len() as f64)).concat()
        );
    }
    assert!(texts.is_empty() || delivered > texts.len() * 16, "hardly anything is delivered");
    failures.finish();
}

#[test]
fn json_test_suite() {
    let Some(corpus) = corpus("json_test_suite") else { return };
    let mut failures = Failures(vec![]);
    let mut seen = [0; 3];
    for file in files(&corpus.join("jsontestsuite")) {
        let payload = fs::read(&file).expect("a file");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let spec = Spec::new(Unit::Bytes, payload.len() + 400).named(Format::Json);
        let answer = spec.deliver(&payload);
        match name.as_bytes()[0] {
            b'y' => {
                seen[0] += 1;
                match &answer {
                    Ok(d) if d.text().as_bytes() == payload => {}
                    Ok(d) => failures.add("y", &file, &format!("changed: {}", d.text())),
                    Err(e) => failures.add("y", &file, &format!("refused: {e}")),
                }
            }
            b'n' => {
                seen[1] += 1;
                if let Ok(d) = &answer {
                    failures.add("n", &file, &format!("passes for JSON: {}", d.text()));
                }
            }
            _ => seen[2] += 1,
        }
        if let Err(e) = laws::json_check(&payload) {
            failures.add("json_check", &file, &e);
        }
        let text = String::from_utf8_lossy(&payload);
        if std::str::from_utf8(&payload).is_ok() {
            let ours = oracle::json::parse(&text).is_ok();
            if (name.starts_with('y') && !ours) || (name.starts_with('n') && ours) {
                failures.add("oracle", &file, "the oracle is wrong");
            }
        }
        for limit in [0, 1, 10, 40, 100, 200, payload.len()] {
            for &(law, check) in laws::ALL as &[(&str, Law)] {
                for spec in [Spec::new(Unit::Bytes, limit), Spec::new(Unit::Chars, limit).named(Format::Json)] {
                    if let Err(e) = check(&payload, &spec) {
                        failures.add(law, &file, &e);
                    }
                }
            }
        }
    }
    println!("y {} n {} i {}", seen[0], seen[1], seen[2]);
    failures.finish();
}
