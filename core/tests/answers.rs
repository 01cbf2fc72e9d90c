//! What a delivery says by its methods and what its JSON says are the same.
#![allow(clippy::unwrap_used)]

use haversack::{Budget, DeliverOptions, deliver};
use serde_json::{Value, json};

#[test]
fn methods_say_what_the_json_says() {
    let rows: Vec<String> = (0..40).map(|i| format!("{{\"id\":{i}}}")).collect();
    let payload = format!("{{\"a\":[{0}],\"b\":[{0}],\"x\":1,\"x\":2}}", rows.join(","));
    let pointers = ["/a", "/b", "/x", "/none"];
    let options = DeliverOptions::new(Budget::chars(400)).select(&pointers);
    let d = deliver(payload.as_str(), options).unwrap();
    let said: Value = serde_json::from_str(&d.to_json()).unwrap();
    let counts = |c: &haversack::Counts| json!({"total": c.total, "kept": c.kept, "shrunk": c.shrunk, "offloaded": c.offloaded, "omitted": c.omitted});
    let with_bytes = |records: &haversack::Counts, bytes: &haversack::Counts| {
        let mut all = counts(records);
        all["bytes"] = counts(bytes);
        all
    };

    assert_eq!(said["text"], d.text());
    assert_eq!(said["size"], d.size());
    assert_eq!(said["unit"], d.unit().name());
    assert_eq!(said["format"], d.format().name());
    assert_eq!(said["complete"], d.complete());
    assert_eq!(said["next"], json!(d.next()));
    assert_eq!(said["notice"], json!(d.notice()));
    let account = d.account();
    let mut books = with_bytes(account.records(), account.bytes());
    books["fields_removed"] = json!(account.fields_removed());
    books["claimed"] = json!(account.claimed().map(counts));
    assert_eq!(said["account"], books);

    let lists: Vec<Value> = d
        .lists()
        .iter()
        .map(|l| {
            let mut list = with_bytes(l.records(), l.bytes());
            list["pointer"] = json!(l.pointer());
            list["next"] = json!(l.next());
            list
        })
        .collect();
    assert_eq!(said["lists"], json!(lists));
    let warnings: Vec<Value> = d
        .warnings()
        .iter()
        .map(|w| json!({"kind": w.kind().name(), "offset": w.offset(), "subject": w.subject()}))
        .collect();
    assert!(d.warnings().iter().any(|w| w.offset().is_some()) && d.warnings().iter().any(|w| !w.subject().is_empty()));
    assert_eq!(said["warnings"], json!(warnings));
    let plan: Vec<Value> = d
        .plan()
        .iter()
        .map(|r| {
            json!({"list": r.list(), "from": r.from(), "to": r.to(), "action": r.action().name(),
                "reason": r.reason().name(), "source_bytes": r.source_bytes(),
                "text_range": [r.text_range().start, r.text_range().end]})
        })
        .collect();
    assert!(d.plan().iter().any(|r| r.source_bytes() > 1));
    assert_eq!(said["plan"], json!(plan));
}
