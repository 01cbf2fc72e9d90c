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
use haversack_tests::cuts::answered;
use haversack_tests::vectors::{Case, checked, delivered, load, read};

/// Every option of `deliver`, as a vector names it.
const OPTIONS: &[&str] = &[
    "bytes",
    "chars",
    "utf16",
    "tokens",
    "counter",
    "format",
    "select",
    "sort_by",
    "descending",
    "share",
    "priority",
    "keep",
    "oversize",
    "envelope",
    "cursor",
    "reader",
    "hint",
    "nested",
    "on_invalid",
    "prefer",
    "ansi",
    "collapse",
    "source",
    "notice",
    "earlier",
    "limits",
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
        "safe_cuts" | "cut" => answered(&case.op, &case.payload, &case.options).map(Some),
        // `count`, `offload`, `offloads` and `readback` are run beside their modules, in core/tests.
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
                if case.op == "deliver" {
                    for name in case.options.as_object().into_iter().flat_map(|o| o.keys()) {
                        *options.entry(name.clone()).or_insert(0) += 1;
                    }
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
    println!(
        "cases run {ran:?}, not run {skipped:?}; options covered {}/{}: {options:?}",
        options.len(),
        OPTIONS.len()
    );
    assert!(failed.is_empty(), "{failed}");
    assert!(ran.contains_key("deliver"), "no vector ran");
    let missing: Vec<_> = OPTIONS.iter().filter(|o| !options.contains_key(**o)).collect();
    assert!(missing.is_empty(), "options that no vector sets: {missing:?}");
    let counters_elsewhere = cases.iter().filter(|c| c.op == "deliver").count() - ran["deliver"];
    println!("{counters_elsewhere} cases need a counter that this build does not have");
}
