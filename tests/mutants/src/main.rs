//! A complete mutation run over what decides what is kept, in one build; see CONTRIBUTING.md.
//!
//!     haversack-mutants [--cases N] [--only TEXT] [--anew] [--compare N] [--witness]
//!
//! `--cases` is the number of cases of each law and each generator, `--only` takes the mutants whose name holds the
//! text. Verdicts of an earlier run stand, except that what was missed is tried again; `--anew` forgets them, and so
//! does a change of a source file for the mutants of that file. `--compare` judges no more, but builds N of the judged
//! mutants one by one, for real, and compares. `--witness` looks for calls that would make a vector for what was
//! missed.

mod list;
mod place;
mod real;
mod run;
mod spots;
mod tree;
mod witness;

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use list::Mutant;
use place::Out;
use run::{Tests, Verdict};
use tree::Tree;

const WORKERS: usize = 2;
/// In the order in which they are reported.
const VERDICTS: [&str; 5] = ["caught", "timeout", "missed", "unviable", "not_placed"];

/// Verdicts so far: by the name of the mutant, and what is said of it.
type Results = BTreeMap<String, (String, String)>;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    let cases = value("--cases").map_or(10, |n| n.parse().expect("--cases N"));
    let only = value("--only").map_or("", String::as_str);
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let reports = project.join("build/mutants");
    fs::create_dir_all(&reports)?;

    let mutants = listed(&project)?;
    println!("{} mutants listed", mutants.len());
    let place = project.join("target/mutants");
    let tree = Tree::copy(&project, &place)?;
    let mut out = HashMap::new();
    let mut files = tree::place(&project, &mutants, &mut out)?;
    println!("{} have no place", out.len());
    tree.settle(&mut files, &mut out)?;
    let (units, others) = tree.programs()?;
    println!("built");
    let tests = Tests::record(units, others, cases)?;

    let anew = arguments.iter().any(|a| a == "--anew");
    let results = Mutex::new(if anew { Results::new() } else { earlier(&project, &reports)? });
    let mut todo = vec![];
    {
        let mut results = results.lock().expect("no worker yet");
        for (i, mutant) in mutants.iter().enumerate() {
            let number = i as u32 + 1;
            let known = results.get(&mutant.name).map(|(verdict, _)| verdict.as_str());
            match out.get(&number) {
                Some(Out::Unviable) => drop(results.insert(mutant.name.clone(), ("unviable".into(), String::new()))),
                Some(Out::NotPlaced) => drop(results.insert(mutant.name.clone(), ("not_placed".into(), String::new()))),
                None if !matches!(known, Some("caught" | "timeout")) && mutant.name.contains(only) => todo.push(number),
                None => {}
            }
        }
        // What was never judged comes before what is tried again.
        todo.sort_by_key(|n| results.contains_key(&mutants[*n as usize - 1].name));
        remember(&reports, &results)?;
        for mutant in &mutants {
            tree::write(&reports.join("sources").join(&mutant.file), &code(&project, &mutant.file))?;
        }
    }
    if let Some(n) = value("--compare") {
        let results = results.lock().expect("no worker");
        let known = mutants.iter().filter_map(|m| Some((m, results.get(&m.name)?.0.as_str())));
        let known: Vec<_> = known.filter(|(m, v)| *v != "not_placed" && m.name.contains(only)).collect();
        // A step that shares no divisor with anything goes everywhere.
        let n: usize = n.parse().expect("--compare N");
        let mut some: Vec<_> = (0..n.min(known.len())).map(|i| known[i * 7919 % known.len()]).collect();
        some.sort_by_key(|(m, _)| &m.file);
        return real::compare(&project, &project.join("target/mutants/real"), &tests, &some);
    }
    run_all(&tests, &mutants, &todo, &results, &reports)?;
    let results = results.into_inner().expect("workers ended well");
    remember(&reports, &results)?;
    report(&mutants, &results, &reports)?;
    if arguments.iter().any(|a| a == "--witness") {
        let calls = witness::Calls::record(tree.answers()?)?;
        for (i, mutant) in mutants.iter().enumerate() {
            if mutant.name.contains(only) && results.get(&mutant.name).is_some_and(|(verdict, _)| verdict == "missed") {
                let found = calls.of(i as u32 + 1)?;
                println!("{}  {}", mutant.name, found.get(..5).unwrap_or(&found).join(" "));
            }
        }
    }
    explained(&mutants, &results, &reports, &fs::read_to_string(project.join("tests/mutants/survivors.md"))?)
}

fn listed(project: &Path) -> io::Result<Vec<Mutant>> {
    let list = Command::new("cargo-mutants").args(["mutants", "--list", "--json"]).current_dir(project).output()?;
    serde_json::from_slice(&list.stdout).map_err(io::Error::other)
}

fn run_all(
    tests: &Tests,
    mutants: &[Mutant],
    todo: &[u32],
    results: &Mutex<Results>,
    reports: &Path,
) -> io::Result<()> {
    let (next, start) = (AtomicUsize::new(0), Instant::now());
    let work = || -> io::Result<()> {
        let mut log = OpenOptions::new().append(true).create(true).open(reports.join("results.tsv"))?;
        while let Some(&number) = todo.get(next.fetch_add(1, Relaxed)) {
            let (verdict, by) = match tests.judge(number)? {
                Verdict::Caught(by) => ("caught", by),
                Verdict::Timeout => ("timeout", String::new()),
                Verdict::Missed => ("missed", String::new()),
                Verdict::Unmet => ("missed", "no test comes by".into()),
            };
            let name = &mutants[number as usize - 1].name;
            log.write_all(line(name, verdict, &by).as_bytes())?;
            let mut results = results.lock().map_err(|_| io::Error::other("a worker fell"))?;
            results.insert(name.clone(), (verdict.into(), by));
            let done = next.load(Relaxed);
            if done % 100 == 0 {
                println!("{done} of {}, {} s", todo.len(), start.elapsed().as_secs());
            }
        }
        Ok(())
    };
    std::thread::scope(|s| {
        let workers: Vec<_> = (0..WORKERS).map(|_| s.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().map_err(|_| io::Error::other("a worker fell"))?)
    })
}

fn line(name: &str, verdict: &str, by: &str) -> String {
    format!("{verdict}\t{name}\t{}\n", by.replace(['\t', '\n'], " "))
}

/// A file up to its own tests, which change no mutant.
fn code(project: &Path, file: &str) -> String {
    let text = fs::read_to_string(project.join(file)).unwrap_or_default();
    text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned()
}

fn file_of(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// What earlier runs found, for those files that are as they were.
fn earlier(project: &Path, reports: &Path) -> io::Result<Results> {
    let mut results = Results::new();
    let text = fs::read_to_string(reports.join("results.tsv")).unwrap_or_default();
    for line in text.lines() {
        let mut parts = line.splitn(3, '\t').map(str::to_owned);
        if let (Some(verdict), Some(name), Some(by)) = (parts.next(), parts.next(), parts.next()) {
            results.insert(name, (verdict, by));
        }
    }
    results.retain(|name, _| {
        let file = file_of(name);
        fs::read_to_string(reports.join("sources").join(file)).is_ok_and(|old| old == code(project, file))
    });
    Ok(results)
}

fn remember(reports: &Path, results: &Results) -> io::Result<()> {
    let text: String = results.iter().map(|(name, (verdict, by))| line(name, verdict, by)).collect();
    fs::write(reports.join("results.tsv"), text)
}

fn report(mutants: &[Mutant], results: &Results, reports: &Path) -> io::Result<()> {
    let mut counts = vec![];
    for verdict in VERDICTS {
        let named = mutants.iter().filter_map(|m| Some((m, results.get(&m.name)?))).filter(|(_, (v, _))| v == verdict);
        let lines: Vec<String> = named.map(|(m, (_, by))| format!("{}  {by}", m.name).trim_end().to_owned()).collect();
        counts.push(format!("{} {}", lines.len(), verdict.replace('_', " ")));
        fs::write(reports.join(format!("{verdict}.txt")), lines.join("\n") + "\n")?;
    }
    println!("{} mutants: {}", mutants.len(), counts.join(", "));
    Ok(())
}

/// Which of the missed have no line in `survivors.md`. A line names a file and what is done there, but no line number.
fn explained(mutants: &[Mutant], results: &Results, reports: &Path, survivors: &str) -> io::Result<()> {
    let survivors = survivors.replace("\\|", "|"); // as a table needs it
    let known = |m: &&Mutant| {
        let what = m.name.splitn(4, ':').nth(3).unwrap_or_default().trim();
        let file = m.file.trim_start_matches("core/src/");
        survivors.lines().any(|l| l.contains(&format!("`{file}`")) && l.contains(&format!("`{what}`")))
    };
    let missed: Vec<&Mutant> =
        mutants.iter().filter(|m| results.get(&m.name).is_some_and(|(verdict, _)| verdict == "missed")).collect();
    let open: Vec<&str> = missed.iter().filter(|m| !known(m)).map(|m| m.name.as_str()).collect();
    println!("{} of {} missed have no line in survivors.md", open.len(), missed.len());
    fs::write(reports.join("unexplained.txt"), open.join("\n") + "\n")
}
