//! Shows what becomes of a case, as a broken law prints it: `echo '{"input":…,"options":…}' | cargo run --example
//! show`. Follows `next` to the end.

use std::io::Read as _;

use haversack_tests::vectors::build;
use haversack_tests::{Spec, laws};
use serde_json::Value;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a case on standard input");
    let case: Value = serde_json::from_str(&text).expect("a case");
    let payload = build(&case["input"]).expect("an input");
    let mut spec = Spec::from_json(&case["options"], |_, _| false).expect("options");
    for (name, law) in laws::ALL {
        if let Err(e) = law(&payload, &spec) {
            println!("{name}: {}", e.split("\n  {\"input\"").next().unwrap_or(&e));
        }
    }
    for _ in 0..40 {
        match spec.deliver(&payload) {
            Ok(d) => {
                println!(
                    "{}\n  {}",
                    d.text(),
                    d.to_json().split_once(",\"unit\"").map_or(String::new(), |x| x.1.into())
                );
                let Some(next) = d.next() else { break };
                spec.cursor = Some(next.into());
            }
            Err(e) => {
                println!("{:?}: {e}", e.kind());
                break;
            }
        }
    }
}
