//! Fills in what a new vector expects: `cargo run -p haversack-tests --example bless [--all]`.
//!
//! A case without `expect` gets what the library gives now, unless a law speaks against it. What stands there already
//! is never changed without `--all`, and then every change is listed: read it before you commit it. `--even-so` takes
//! what breaks a law, too.

use std::fmt::Write as _;
use std::{env, fs};

use haversack_tests::cache_vectors::{frozen, marked, predicted};
use haversack_tests::history_vectors::{checked, cut, repaired, safe_cuts};
use haversack_tests::prompt_vectors::prompted;
use haversack_tests::state_vectors::{OPS, remembered};
use haversack_tests::vectors::{build, delivered, folder, read};
use haversack_tests::{Spec, laws};
use serde_json::Value;

fn main() {
    let all = env::args().any(|a| a == "--all");
    let even_so = env::args().any(|a| a == "--even-so");
    let mut refused = 0;
    let verbs = [
        "deliver",
        "page",
        "find",
        "history/check",
        "history/repair",
        "history/cut",
        "prompt",
        "state/ledger",
        "state/memory",
        "state/handoff",
        "state/tally",
        "state/transcript",
        "state/tiers",
    ];
    let files = verbs.into_iter().flat_map(|verb| {
        fs::read_dir(folder().join(verb)).unwrap_or_else(|e| panic!("tests/vectors/{verb}: {e}")).flatten()
    });
    for entry in files {
        let path = entry.path();
        let text = fs::read_to_string(&path).expect("a readable file");
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut out = String::from("[\n");
        for (i, case) in cases.iter().enumerate() {
            let mut expect = case.get("expect").cloned();
            if all || expect.is_none() {
                let payload = build(&case["input"]).expect("an input");
                // A counter that this build does not have blesses nothing.
                let as_it_is = || case["expect"].clone();
                let got = match case["op"].as_str() {
                    Some("check") => checked(&payload, &case["options"]),
                    Some("repair") => repaired(&payload, &case["options"]),
                    Some("safe_cuts") => safe_cuts(&payload, &case["options"]),
                    Some("cut") => cut(&payload, &case["options"]).map(|got| got.unwrap_or_else(as_it_is)),
                    Some("predict") => predicted(&payload, &case["options"]).map(|got| got.unwrap_or_else(as_it_is)),
                    Some("cache_marks") => marked(&payload, &case["options"]),
                    Some("frozen") => frozen(&case["options"]),
                    Some(op) if OPS.contains(&op) => {
                        remembered(op, &payload, &case["options"]).map(|got| got.unwrap_or_else(as_it_is))
                    }
                    Some(op @ ("page" | "find")) => {
                        read(op, &payload, &case["options"]).map(|got| got.unwrap_or_else(as_it_is))
                    }
                    Some(
                        op @ ("canonical" | "pieces" | "compare" | "prefix" | "snapshot" | "restore" | "volatile"
                        | "report" | "render" | "blank" | "growth"),
                    ) => prompted(op, &payload, &case["options"]),
                    _ => delivered(&payload, &case["options"]),
                };
                let got = got.unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
                let before = refused;
                // The laws of histories have no options to draw: tests of their own hold them.
                let broken = || {
                    let spec = Spec::from_json(&case["options"], |_, _| false).expect("options");
                    laws::all(&payload, &spec).err()
                };
                if let Some(e) = (case["op"] == "deliver").then(broken).flatten() {
                    println!("{}: not blessed, {e}", case["name"]);
                    refused += 1;
                }
                if refused == before || even_so {
                    if expect.as_ref() != Some(&got) {
                        println!("{}: {got}", case["name"]);
                    }
                    expect = Some(got);
                }
            }
            let mut put = |name: &str, value: &Value| {
                let _ = write!(out, "{}\"{name}\": {value}", if name == "name" { "  {" } else { ",\n   " });
            };
            for name in ["name", "why", "op", "input", "options"] {
                put(name, &case[name]);
            }
            if let Some(expect) = &expect {
                put("expect", expect);
            }
            out += if i + 1 < cases.len() { "},\n" } else { "}\n" };
        }
        out += "]\n";
        fs::write(&path, out).expect("a writable file");
    }
    assert!(refused == 0 || even_so, "{refused} cases break a law");
}
