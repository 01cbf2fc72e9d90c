//! Delivers one generated payload: `once KIND BYTES BUDGET`, with `none` for making the payload alone. For `linear.sh`.

use std::hint::black_box;

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
        other => panic!("no kind {other}"),
    }
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
    if let Ok(budget) = args[3].parse() {
        match haversack::deliver(&payload, haversack::Budget::bytes(budget)) {
            Ok(d) => assert!(black_box(d).size() <= budget),
            Err(e) => assert!(e.needed().is_some(), "{e}"),
        }
    }
}
