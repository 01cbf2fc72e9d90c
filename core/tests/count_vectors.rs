//! The shared vectors of the built-in counters: `tests/vectors/count`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};

use haversack::measure;
use serde_json::Value;

#[test]
fn counts_are_those_of_the_reference() {
    let (mut ran, mut skipped) = (0, 0);
    for path in files() {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for case in cases {
            let name = case["name"].as_str().unwrap();
            let counter_name = case["counter"].as_str().unwrap();
            if counter_name != "estimate" && !cfg!(feature = "tokens") {
                skipped += 1;
                continue;
            }
            let counter = measure::named(counter_name).unwrap();
            let text = built(&case["input"]);
            let expected = usize::try_from(case["expect"]["count"].as_u64().unwrap()).unwrap();
            assert_eq!(counter.count(&text).unwrap(), expected, "{name} of {}", path.display());
            for limit in [0, expected / 2, expected.saturating_sub(1), expected, expected + 1, usize::MAX] {
                let fits = (expected <= limit).then_some(expected);
                assert_eq!(counter.count_up_to(&text, limit).unwrap(), fits, "{name} up to {limit}");
            }
            ran += 1;
        }
    }
    if skipped > 0 {
        // Past the capture of the test runner, which would swallow it.
        writeln!(std::io::stderr(), "SKIPPED {skipped} cases: this build has no feature `tokens`").unwrap();
    }
    assert!(ran > 0, "there are vectors");
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/count");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "json"));
    paths.sort();
    paths
}

/// The text that an `input` stands for.
fn built(input: &Value) -> String {
    let text = |key: &str| input[key].as_str().unwrap_or_default();
    match input {
        Value::String(text) => text.clone(),
        Value::Object(o) if o.contains_key("repeat") => {
            text("repeat").repeat(usize::try_from(input["times"].as_u64().unwrap()).unwrap())
        }
        Value::Object(o) if o.contains_key("concat") => input["concat"].as_array().unwrap().iter().map(built).collect(),
        Value::Object(o) if o.contains_key("rows") => {
            let rows: Vec<String> =
                (0..input["rows"].as_u64().unwrap()).map(|i| text("template").replace("$i", &i.to_string())).collect();
            format!("{}{}{}", text("before"), rows.join(text("join")), text("after"))
        }
        other => panic!("an input of an unknown form: {other}"),
    }
}
