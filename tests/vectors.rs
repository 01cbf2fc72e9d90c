//! Runs every shared vector, and counts the cases and the options that they cover.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use haversack_tests::Spec;
use haversack_tests::cache_vectors::{frozen, marked, predicted};
use haversack_tests::history_vectors::{checked, cut, repaired, safe_cuts};
use haversack_tests::laws;
use haversack_tests::prompt_vectors::prompted;
use haversack_tests::state_vectors::{OPS, remembered};
use haversack_tests::vectors::{Case, delivered, folder, load, read};

/// The operations that run here; `count`, `offload`, `offloads` and `readback` run beside their modules, in core/tests.
const HERE: [&str; 30] = [
    "deliver",
    "page",
    "find",
    "check",
    "repair",
    "safe_cuts",
    "cut",
    "canonical",
    "pieces",
    "compare",
    "prefix",
    "snapshot",
    "restore",
    "volatile",
    "report",
    "blank",
    "growth",
    "render",
    "predict",
    "cache_marks",
    "frozen",
    "ledger",
    "memory",
    "grounds",
    "handoff",
    "fleet",
    "session",
    "tally",
    "transcript",
    "tiers",
];

fn run(case: &Case) -> Result<Option<serde_json::Value>, String> {
    match case.op.as_str() {
        "deliver" => {
            let spec = Spec::from_json(&case.options, |_, _| false)?;
            if spec.budget().is_none() {
                return Ok(None);
            }
            delivered(&case.payload, &case.options).map(Some)
        }
        "page" | "find" => read(&case.op, &case.payload, &case.options),
        "check" => checked(&case.payload, &case.options).map(Some),
        "repair" => repaired(&case.payload, &case.options).map(Some),
        "safe_cuts" => safe_cuts(&case.payload, &case.options).map(Some),
        "cut" => cut(&case.payload, &case.options),
        "predict" => predicted(&case.payload, &case.options),
        "cache_marks" => marked(&case.payload, &case.options).map(Some),
        "frozen" => frozen(&case.options).map(Some),
        op if OPS.contains(&op) => remembered(op, &case.payload, &case.options),
        op if HERE.contains(&op) => prompted(op, &case.payload, &case.options).map(Some),
        _ => Ok(None),
    }
}

#[test]
fn every_case_gives_what_it_says() {
    let cases = load().expect("vectors");
    let (mut ran, mut skipped, mut failed) = (BTreeMap::new(), BTreeMap::new(), String::new());
    let mut options: BTreeMap<String, usize> = BTreeMap::new();
    for case in &cases {
        match run(case) {
            Ok(None) => *skipped.entry(case.op.clone()).or_insert(0) += 1,
            Ok(Some(got)) => {
                *ran.entry(case.op.clone()).or_insert(0) += 1;
                for name in case.options.as_object().into_iter().flat_map(|o| o.keys()) {
                    *options.entry(format!("{}.{name}", case.op)).or_insert(0) += 1;
                }
                if got != case.expect {
                    let _ = write!(
                        failed,
                        "\n{}: {}: {}\n  want {}\n  got  {got}",
                        case.file.display(),
                        case.name,
                        case.why,
                        case.expect
                    );
                }
            }
            Err(e) => {
                let _ = write!(failed, "\n{}: {}: {e}", case.file.display(), case.name);
            }
        }
    }
    let list = |name: &str| std::fs::read_to_string(folder().join(name)).expect("the list of options");
    let listed = list("OPTIONS.txt") + &list("state/OPTIONS.txt");
    let listed: Vec<&str> =
        listed.split_whitespace().filter(|o| HERE.iter().any(|op| o.split('.').next() == Some(op))).collect();
    println!("cases run {ran:?}, not run {skipped:?}; options covered {}/{}: {options:?}", options.len(), listed.len());
    assert!(failed.is_empty(), "{failed}");
    assert!(HERE.iter().all(|op| ran.contains_key(*op)), "an operation without a vector");
    let missing: Vec<_> = listed.iter().filter(|o| !options.contains_key(**o)).collect();
    assert!(missing.is_empty(), "options that no vector sets: {missing:?}");
    let counters_elsewhere = cases.iter().filter(|c| c.op == "deliver").count() - ran["deliver"];
    println!("{counters_elsewhere} cases need a counter that this build does not have");
}

/// However a host's language orders its maps: tools of its own have one snapshot, and a request as it was sent one
/// canonical digest for every piece. Every language runs these cases.
#[test]
fn shuffled_maps_have_one_digest() {
    let cases = load().expect("vectors");
    let of = |prefix: &str| {
        let found = cases.iter().filter(|case| case.op == "snapshot" && case.name.starts_with(prefix));
        found.map(|case| &case.expect["answer"]["pieces"]).collect::<Vec<_>>()
    };
    let owned = of("shuffled, owned");
    assert!(owned.len() > 4 && owned.iter().all(|pieces| *pieces == owned[0]));
    let sent = of("shuffled, as sent");
    let digests = |name: &str| -> Vec<BTreeMap<String, String>> {
        let digest = |piece: &serde_json::Value| {
            let value = piece.get(name).unwrap_or(&piece["sha256"]);
            (piece["name"].to_string(), value.to_string())
        };
        sent.iter().map(|pieces| pieces.as_array().into_iter().flatten().map(digest).collect()).collect()
    };
    let (canonical, bytes) = (digests("canonical"), digests("sha256"));
    assert!(sent.len() > 4 && canonical.iter().all(|pieces| *pieces == canonical[0]));
    assert!(bytes.iter().any(|pieces| *pieces != bytes[0]), "nothing was shuffled");
}

#[test]
fn every_delivery_keeps_the_laws() {
    let cases = load().expect("vectors");
    let mut failed = String::new();
    for case in cases.iter().filter(|c| c.op == "deliver") {
        let spec = Spec::from_json(&case.options, |_, _| false).expect("options");
        if spec.budget().is_some()
            && let Err(e) = laws::all(&case.payload, &spec)
        {
            let _ = write!(failed, "\n{}: {}", case.name, e.split("\n  {\"input\"").next().unwrap_or(&e));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}
