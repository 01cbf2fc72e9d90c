//! Fills in what a new vector of `deliver`, `page` or `find` expects: `cargo run -p haversack-tests --example bless [--all]`.
//!
//! A case without `expect` gets what the library gives now, unless a law speaks against it. What stands there already
//! is never changed without `--all`, and then every change is listed: read it before you commit it. `--even-so` takes
//! what breaks a law, too.

use std::fmt::Write as _;
use std::{env, fs};

use haversack_tests::vectors::{build, delivered, folder, read};
use haversack_tests::{Spec, laws};
use serde_json::Value;

fn main() {
    let all = env::args().any(|a| a == "--all");
    let even_so = env::args().any(|a| a == "--even-so");
    let mut refused = 0;
    let files = ["deliver", "page", "find"].into_iter().flat_map(|op| {
        fs::read_dir(folder().join(op)).expect("a folder of vectors").flatten().map(|entry| entry.path())
    });
    for path in files {
        let text = fs::read_to_string(&path).expect("a readable file");
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut out = String::from("[\n");
        for (i, case) in cases.iter().enumerate() {
            let mut expect = case.get("expect").cloned();
            if all || expect.is_none() {
                let payload = build(&case["input"]).expect("an input");
                let op = case["op"].as_str().expect("an op");
                let got = match op {
                    "deliver" => delivered(&payload, &case["options"]),
                    op => read(op, &payload, &case["options"]).map(|a| a.expect("a counter of this build")),
                };
                let got = got.unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
                let before = refused;
                let spec = Spec::from_json(&case["options"], |_, _| false).ok().filter(|_| op == "deliver");
                if let Some(Err(e)) = spec.map(|spec| laws::all(&payload, &spec)) {
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
