//! Delivers one generated payload: `once KIND BYTES BUDGET`, with `none` for making the payload alone. Of a history
//! everything is asked instead. For `linear.sh`.

use std::hint::black_box;

use haversack::history::{CutOptions, KeepAtMost, RepairOptions};
use haversack::{Budget, History, HistoryOptions};

fn payload(kind: &str, bytes: usize) -> String {
    let rows = |row: &str| row.repeat(bytes / row.len());
    match kind {
        "records" => format!("[{}{{}}]", rows(r#"{"id":12345,"name":"a record","tags":["a","b"],"note":null},"#)),
        "lists" => format!(
            r#"{{"a":[{0}1],"b":[{0}1]}}"#,
            rows(r#"{"id":12345,"name":"a record"},{"#.trim_end_matches('{')).split_at(bytes / 2 / 31 * 31).0
        ),
        "strings" => format!(r#"{{"log":"{}"}}"#, rows("a line of text\\n")),
        "lines" => rows("2024-01-01 info a line of a log\n"),
        "csv" => format!("id,name,text\n{}", rows("1,name,\"some, text\"\n")),
        "ndjson" => rows("{\"level\":\"info\",\"msg\":\"a line\"}\n"),
        "keys" => format!("{{{}\"z\":1}}", (0..bytes / 14).map(|i| format!("\"k{i:06}\":[1],")).collect::<String>()),
        "deep" => format!("[{}1]", rows(&format!("{}1{},", "[".repeat(400), "]".repeat(400)))),
        // What an earlier cut said of many lists, and of many lists in one record.
        "stated" => stated(bytes / 52),
        "marks" => marks(bytes / 32),
        "escapes" => format!("[{}\"\"]", rows("\"\\u00e9\\n\\\\\\\"\",")),
        // One step of that many calls: each with an id of its own, all with one, none answered; and results without
        // calls.
        "calls" => history((0..bytes / 140).map(|i| (format!("c{i:06}"), true, true))),
        "same" => history((0..bytes / 140).map(|_| ("c".into(), true, true))),
        "open" => history((0..bytes / 80).map(|i| (format!("c{i:06}"), true, false))),
        "orphans" => history((0..bytes / 60).map(|i| (format!("c{i:06}"), false, true))),
        "turns" => format!(r#"[{}{{"role":"user","content":"q"}}]"#, rows(TURN)),
        other => panic!("no kind {other}"),
    }
}

/// A turn as often as it fits.
const TURN: &str = r#"{"role":"user","content":"question"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"a result"},{"role":"assistant","content":"answer"},"#;

/// A history of one step: ids, whether each is called, and whether it is answered.
fn history(ids: impl Iterator<Item = (String, bool, bool)>) -> String {
    let (mut calls, mut results) = (vec![], String::new());
    for (id, called, answered) in ids {
        if called {
            calls.push(format!(r#"{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#));
        }
        if answered {
            results += &format!(r#",{{"role":"tool","tool_call_id":"{id}","content":"a result"}}"#);
        }
    }
    let calls = calls.join(",");
    format!(
        r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":"a","tool_calls":[{calls}]}}{results},{{"role":"user","content":"q"}}]"#
    )
}

/// Everything that can be asked of a history.
fn ask(text: &str) {
    let history = History::parse(text, &HistoryOptions::default()).expect("a history");
    black_box((history.steps(), history.violations(true), history.safe_cuts(), history.portable_cuts()));
    for keep in [KeepAtMost::Messages(4), KeepAtMost::Size(Budget::chars(text.len() / 2))] {
        let _ = black_box(history.cut(keep, &CutOptions::default()));
    }
    let repair = history.repair(&RepairOptions::default()).expect("a repair");
    black_box(history.repair_text(&repair));
}

/// An object of which an earlier cut left out two thirds of each of that many lists.
fn stated(lists: usize) -> String {
    let entries: Vec<String> = (0..lists).map(|i| format!(r#""/k{i:06}":{{"total":9,"kept":3}}"#)).collect();
    let members: Vec<String> = (0..lists).map(|i| format!(r#""k{i:06}":[1,2,3]"#)).collect();
    format!(r#"{{"_omitted":{{{}}},{}}}"#, entries.join(","), members.join(","))
}

/// The same inside one record.
fn marks(lists: usize) -> String {
    let entries: Vec<String> = (0..lists).map(|i| format!(r#""/k{i:06}":"3 of 9""#)).collect();
    let members: Vec<String> = (0..lists).map(|i| format!(r#""k{i:06}":[1,2,3]"#)).collect();
    format!(
        r#"{{"total":2,"omitted":1,"shrunk":1,"rows":[{{"_omitted":{{{}}},{}}}]}}"#,
        entries.join(","),
        members.join(",")
    )
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let payload = black_box(payload(&args[1], args[2].parse().expect("bytes")));
    if let (Ok(_), "calls" | "same" | "open" | "orphans" | "turns") = (args[3].parse::<usize>(), &*args[1]) {
        ask(&payload);
    } else if let Ok(budget) = args[3].parse() {
        match haversack::deliver(&payload, Budget::bytes(budget)) {
            Ok(d) => assert!(black_box(d).size() <= budget),
            Err(e) => assert!(e.needed().is_some(), "{e}"),
        }
    }
}
