//! How long reading, judging and cutting a long history takes: `cargo run --release -p haversack-tests --example
//! cut_time`.
#![allow(clippy::print_stdout, clippy::std_instead_of_core, clippy::expect_used)]

use std::time::Instant;

use haversack::history::{CutOptions, KeepAtMost};
use haversack::{Budget, History, HistoryOptions};

fn main() {
    for (format, text) in [("openai_chat", chat()), ("anthropic", anthropic())] {
        let (mut read, mut judged, mut cut) = (f64::MAX, f64::MAX, f64::MAX);
        let mut parsed = f64::MAX;
        for _ in 0..15 {
            let start = Instant::now();
            let history = History::parse(&text, &HistoryOptions::default()).expect("a history");
            read = read.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let found = history.violations(false);
            judged = judged.min(start.elapsed().as_secs_f64());
            assert!(found.len() <= 1, "{found:?}");
            let start = Instant::now();
            let keep = KeepAtMost::Size(Budget::chars(text.len() / 2));
            let answer = history.cut(keep, &CutOptions::default()).expect("a cut");
            cut = cut.min(start.elapsed().as_secs_f64());
            assert!(matches!(answer, haversack::history::CutAnswer::Cut(_)), "{answer:?}");
            let start = Instant::now();
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            parsed = parsed.min(start.elapsed().as_secs_f64());
            drop(value);
        }
        let ms = |s: f64| s * 1e3;
        println!(
            "{format}: {} bytes; read {:.2} ms, violations {:.2} ms, cut {:.2} ms; serde_json {:.2} ms",
            text.len(),
            ms(read),
            ms(judged),
            ms(cut),
            ms(parsed)
        );
    }
}

const LINE: &str = "src/history/mod.rs:42: a line of output with some words, a number 17 and a \\\"quoted\\\" word\\n";

fn chat() -> String {
    let mut messages = vec![String::from(r#"{"role":"system","content":"You are an agent."}"#)];
    for i in 0..1250 {
        messages.push(format!(r#"{{"role":"user","content":"Question {i}: what does this do?"}}"#));
        messages.push(format!(r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_{i}","type":"function","function":{{"name":"read","arguments":"{{\"path\":\"src/file_{i}.rs\"}}"}}}}]}}"#));
        messages.push(format!(r#"{{"role":"tool","tool_call_id":"call_{i}","content":"{}"}}"#, LINE.repeat(16)));
        messages.push(format!(r#"{{"role":"assistant","content":"{}"}}"#, LINE.repeat(3)));
    }
    format!("[{}]", messages.join(","))
}

fn anthropic() -> String {
    let mut messages = vec![];
    for i in 0..1250 {
        messages.push(format!(r#"{{"role":"user","content":"Question {i}: what does this do?"}}"#));
        messages.push(format!(r#"{{"role":"assistant","content":[{{"type":"thinking","thinking":"{LINE}","signature":"c2ln"}},{{"type":"tool_use","id":"toolu_{i}","name":"read","input":{{"path":"src/file_{i}.rs"}}}}]}}"#));
        messages.push(format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{i}","content":"{}"}}]}}"#,
            LINE.repeat(16)
        ));
        messages.push(format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"{}"}}]}}"#, LINE.repeat(3)));
    }
    format!("[{}]", messages.join(","))
}
