//! Offload and read back: every byte comes back once, whatever the shape of the result.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use haversack::readback::{Readback, error_text};
use haversack::{Action, Budget, Delivery, Error, OffloadAction, OffloadOptions, Offloads};
use serde_json::{Value, json};

/// A store of one value.
struct Stored {
    run: Offloads,
    key: String,
    payload: String,
}

fn store(payload: String) -> Stored {
    let mut run = Offloads::new();
    let options = OffloadOptions::new().over(Budget::chars(100)).preview(Budget::chars(60)).reader("haversack_read");
    let step = run.prepare(&payload, "call_1", &options).unwrap();
    assert_eq!(step.action(), OffloadAction::Store);
    let key = step.key().unwrap().to_owned();
    run.commit(&key, "somewhere").unwrap();
    Stored { run, key, payload }
}

impl Stored {
    fn call(&self, tool: &str, mut arguments: Value, chars: usize) -> Result<Delivery, Error> {
        arguments["key"] = json!(self.key);
        let request = Readback::new().request(&self.run, tool, &arguments.to_string())?;
        assert_eq!(request.location(), "somewhere");
        let d = request.answer(self.payload.as_bytes(), Budget::chars(chars))?;
        assert!(d.size() <= chars);
        Ok(d)
    }

    /// The source text of every page, one after the other.
    fn pages(&self, first: Value, chars: usize) -> String {
        let mut out = String::new();
        let mut arguments = first;
        for _ in 0..10_000 {
            let d = self.call("haversack_read", arguments.clone(), chars).unwrap();
            for run in d.plan().iter().filter(|r| r.action() != Action::Omit) {
                out.push_str(&d.text()[run.text_range().clone()]);
            }
            let Some(next) = d.next() else { return out };
            assert!(d.text().contains(next), "the model sees where to go on: {}", d.text());
            arguments = match arguments.get("at") {
                Some(at) => json!({"at": at, "cursor": next}),
                None => json!({ "cursor": next }),
            };
        }
        panic!("no end of pages");
    }
}

fn log() -> String {
    (1..=400).map(|i| format!("line {i} of the log é😀\n")).collect()
}

#[test]
fn pages_of_lines_are_the_source() {
    for text in [log(), log().replace('\n', "\r\n"), log().trim_end().to_owned(), "\n".repeat(50) + &log()] {
        let stored = store(text.clone());
        for chars in [300, 1_000, 5_000, 20_000] {
            assert_eq!(stored.pages(json!({}), chars), text, "{chars}");
        }
        assert_eq!(stored.pages(json!({"lines": 7}), 1_000), text);
    }
}

#[test]
fn lines_inside_json_are_paged_without_being_told_twice() {
    let stored = store(json!({"exit_code": 0, "output": log()}).to_string());
    assert_eq!(stored.run.entries()[0].at(), Some("/output"));
    let first = stored.call("haversack_read", json!({"start": 1}), 1_000).unwrap();
    assert!(first.text().contains("of 400"), "{}", first.text());
    assert_eq!(stored.pages(json!({"at": "/output"}), 1_000), log());
    assert_eq!(stored.pages(json!({"start": 1}), 1_000), log());
    let found = stored.call("haversack_find", json!({"needle": "line 77 of", "context": 0}), 500).unwrap();
    assert!(found.text().contains("77:line 77 of the log"), "{}", found.text());
    let found = stored.call("haversack_find", json!({"needle": "exit_code", "at": ""}), 500).unwrap();
    assert_eq!(found.account().records().total, 1);
}

#[test]
fn records_of_json_and_csv_come_back_once() {
    let rows: Vec<String> = (0..300).map(|i| format!(r#"{{"id":{i},"name":"row {i}"}}"#)).collect();
    for payload in [format!("[{}]", rows.join(",")), format!(r#"{{"total":300,"items":[{}]}}"#, rows.join(", "))] {
        let stored = store(payload);
        let mut got: Vec<u64> = vec![];
        let mut arguments = json!({});
        while got.len() <= 300 {
            let d = stored.call("haversack_read", arguments, 2_000).unwrap();
            let text: Value = serde_json::from_str(d.text()).unwrap();
            let list = text.get("rows").or_else(|| text.get("items")).and_then(Value::as_array).unwrap();
            got.extend(list.iter().map(|r| r["id"].as_u64().unwrap()));
            let Some(next) = d.next() else { break };
            arguments = json!({ "cursor": next });
        }
        assert_eq!(got, (0..300).collect::<Vec<u64>>());
    }
    let table: String = (0..300).map(|i| format!("{i},row {i}\n")).collect();
    let stored = store(format!("id,name\n{table}"));
    assert_eq!(stored.pages(json!({}), 1_000), table);
}

#[test]
fn a_search_says_how_much_it_found() {
    let stored = store(log());
    let d = stored.call("haversack_find", json!({"needle": "line 12", "limit": 2, "context": 1}), 2_000).unwrap();
    assert_eq!(d.account().records().total, 11);
    assert_eq!(d.account().records().omitted, 9);
    assert!(d.next().is_some());
    let none = stored.call("haversack_find", json!({"needle": "nowhere"}), 2_000).unwrap();
    assert_eq!((none.account().records().total, none.next()), (0, None));
}

#[test]
fn what_cannot_be_is_typed_and_told_in_a_line() {
    let stored = store(log());
    for (tool, arguments, kind) in [
        ("haversack_read", json!({"start": 0}), "invalid_option"),
        ("haversack_read", json!({"lines": 0}), "invalid_option"),
        ("haversack_read", json!({"start": 402}), "cursor_past_end"),
        ("haversack_read", json!({"start": u64::MAX}), "cursor_past_end"),
        ("haversack_read", json!({"start": -1}), "invalid_option"),
        ("haversack_read", json!({"cursor": "lines@999"}), "cursor_past_end"),
        ("haversack_read", json!({"cursor": "lines@-1"}), "invalid_cursor"),
        ("haversack_read", json!({"cursor": ""}), "invalid_cursor"),
        ("haversack_read", json!({"cursor": "rows@1"}), "cursor_mismatch"),
        ("haversack_read", json!({"at": "/output"}), "invalid_option"),
        ("haversack_find", json!({"needle": ""}), "invalid_option"),
        ("haversack_find", json!({"needle": "x".repeat(5_000)}), "limit_exceeded"),
        ("haversack_find", json!({"needle": "line", "limit": 0}), "invalid_option"),
        ("haversack_write", json!({}), "invalid_option"),
    ] {
        let e = stored.call(tool, arguments.clone(), 2_000).unwrap_err();
        assert_eq!(e.kind().name(), kind, "{arguments}");
        let text = error_text(&e);
        assert!(text.chars().count() <= 240 && !text.contains('\n'), "{text}");
    }
    let e = stored.call("haversack_read", json!({}), 3).unwrap_err();
    assert_eq!(e.kind().name(), "budget_too_small");
    assert!(stored.call("haversack_read", json!({}), e.needed().unwrap()).is_ok());
}
