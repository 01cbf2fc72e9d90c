//! Fills in what a new vector expects: `cargo run -p haversack-tests --example bless [--all]`.
//!
//! A case without `expect` gets what the library gives now, unless a law speaks against it. What stands there already
//! is never changed without `--all`, and then every change is listed: read it before you commit it. `--even-so` takes
//! what breaks a law, too. No law speaks of `page` and `find`: look twice.

use std::fmt::Write as _;
use std::{env, fs};

use haversack_tests::vectors::{build, delivered, folder, read};
use haversack_tests::{Spec, laws};
use serde_json::Value;

fn main() {
    let all = env::args().any(|a| a == "--all");
    let even_so = env::args().any(|a| a == "--even-so");
    let mut refused = 0;
    let files = ["deliver", "page", "find"].map(|verb| fs::read_dir(folder().join(verb)).expect("a verb's vectors"));
    for entry in files.into_iter().flatten().flatten() {
        let path = entry.path();
        let text = fs::read_to_string(&path).expect("a readable file");
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut out = String::from("[\n");
        for (i, case) in cases.iter().enumerate() {
            let mut expect = case.get("expect").cloned();
            if all || expect.is_none() {
                let payload = build(&case["input"]).expect("an input");
                let op = case["op"].as_str().unwrap_or_default();
                let got = match op {
                    "deliver" => delivered(&payload, &case["options"]).map(Some),
                    _ => read(op, &payload, &case["options"]),
                };
                let got = got.unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
                let before = refused;
                if op == "deliver" {
                    let spec = Spec::from_json(&case["options"], |_, _| false).expect("options");
                    if let Err(e) = laws::all(&payload, &spec) {
                        println!("{}: not blessed, {e}", case["name"]);
                        refused += 1;
                    }
                }
                // There is none where the counter is not in this build.
                if got.is_some() && (refused == before || even_so) {
                    if expect != got {
                        println!("{}: {}", case["name"], got.as_ref().unwrap_or(&Value::Null));
                    }
                    expect = got;
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
