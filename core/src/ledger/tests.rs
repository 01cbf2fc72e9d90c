use super::*;
use crate::measure::Budget;
use alloc::string::ToString;
use alloc::vec;

fn user() -> FactOptions<'static> {
    FactOptions::new().source("user")
}

fn text(led: &Ledger) -> String {
    led.render(None).unwrap().into_text()
}

#[test]
fn an_update_keeps_its_place_and_its_history() {
    let mut led = Ledger::new();
    assert_eq!(text(&led), "# Facts\nnone recorded yet");
    assert_eq!(led.record("a", "1", user()).unwrap(), Recorded::Added);
    led.record("b", FactValue::Json(" [1, 1.0] "), user().verified(true)).unwrap();
    assert_eq!(led.record("a", "2", user().source("page:x")).unwrap(), Recorded::Updated);
    assert_eq!(text(&led), "# Facts\n- \"a\": \"2\" (fact, page \"x\")\n- \"b\": [1,1.0] (fact, user, verified)");
    let history = led.history("a");
    assert_eq!(
        history.iter().map(|f| (&*f.value, f.superseded)).collect::<Vec<_>>(),
        [("\"1\"", true), ("\"2\"", false)]
    );
    assert_eq!(led.bytes() as usize, text(&led).len() - "# Facts".len());
}

#[test]
fn the_later_turn_holds() {
    let mut led = Ledger::new();
    led.record("city", "Bergen", user().turn(4)).unwrap();
    assert_eq!(led.record("city", "Narvik", user().turn(3)).unwrap(), Recorded::Older);
    assert_eq!(led.get("city").unwrap().value, "\"Bergen\"");
    assert_eq!(led.record("city", "Oslo", user()).unwrap(), Recorded::Updated, "no turn: the later one");
    assert_eq!(led.history("city").len(), 3);
}

#[test]
fn facts_of_turns_stand_in_their_order() {
    let (mut there, mut back) = (Ledger::new(), Ledger::new());
    for i in 1..=10 {
        there.record(&alloc::format!("k{i}"), "v", user().turn(i)).unwrap();
        back.record(&alloc::format!("k{}", 11 - i), "v", user().turn(11 - i)).unwrap();
    }
    assert_eq!(text(&there), text(&back));
    let small = there.render(Some(Budget::bytes(120))).unwrap();
    assert!(small.text().contains("k10") && small.text().starts_with("# Facts (8 of 10 left out)"), "{}", small.text());
}

#[test]
fn duplicates_are_told_once_with_their_sources() {
    let mut led = Ledger::new();
    led.record("k", "Prefers  purple.", user().source("page:a").turn(2)).unwrap();
    assert_eq!(led.record("k", " Prefers purple. ", user().source("page:b").turn(3)).unwrap(), Recorded::Merged);
    let before = text(&led);
    assert!(before.ends_with("- \"k\": \"Prefers  purple.\" (fact, page \"a\", turn 2)"), "{before}");
    led.record("k", "Prefers purple.", user().turn(5)).unwrap();
    assert!(text(&led).ends_with("(fact, user; also page, turn 5)"), "{}", text(&led));
    assert_eq!((led.len(), led.merged(), led.get("k").unwrap().also.len()), (1, 2, 2));
    assert_eq!(led.record("k", "prefers purple.", user()).unwrap(), Recorded::Updated, "another case is another value");
    // The same value as another kind of fact is a change.
    assert_eq!(led.record("k", "prefers purple.", user().kind(FactKind::Constraint)).unwrap(), Recorded::Updated);
}

#[test]
fn sightings_are_bounded_and_the_user_is_always_heard() {
    let mut led = Ledger::new();
    for i in 0..1000 {
        led.record("k", "v", user().source(&alloc::format!("tool:c{i}"))).unwrap();
    }
    led.record("k", "v", user()).unwrap();
    assert_eq!((led.get("k").unwrap().also.len(), led.merged()), (8, 1000));
    assert!(text(&led).ends_with("(fact, user; also tool)"));
    assert_eq!(Ledger::from_json(&led.to_json()).unwrap().to_json(), led.to_json());
}

#[test]
fn a_key_has_one_value_or_several() {
    let mut led = Ledger::new();
    led.record("city", "Oslo", user()).unwrap();
    for name in ["Ann", "Ben", " Ann ", "ann"] {
        led.append("knows", name, user()).unwrap();
    }
    assert_eq!(led.values("knows").len(), 3);
    assert!(text(&led).contains("- \"knows\" includes: \"Ben\" (fact, user)"));
    let before = led.to_json();
    for error in [led.record("knows", "x", user()).unwrap_err(), led.append("city", "x", user()).unwrap_err()] {
        assert_eq!((error.kind(), error.argument()), (ErrorKind::MixedKey, Some("key")));
    }
    assert_eq!(led.to_json(), before);
}

#[test]
fn what_cannot_be_recorded_is_a_typed_error() {
    let mut led = Ledger::new();
    let mut kind = |key: &str, value: FactValue<'_>, options| led.record(key, value, options).unwrap_err().kind();
    assert_eq!(kind("", "v".into(), user()), ErrorKind::InvalidOption);
    assert_eq!(kind(&"k".repeat(16385), "v".into(), user()), ErrorKind::LimitExceeded);
    assert_eq!(kind("k", FactValue::Text(&"v".repeat(65535)), user()), ErrorKind::LimitExceeded);
    assert_eq!(kind("k", FactValue::Json("nan"), user()), ErrorKind::InvalidJson);
    assert_eq!(kind("k", FactValue::Json(&"[".repeat(999)), user()), ErrorKind::TooDeep);
    assert_eq!(kind("k", "v".into(), user().turn((1 << 53) + 1)), ErrorKind::InvalidOption);
    assert_eq!(kind("k", "v".into(), user().source(&"x".repeat(5000))), ErrorKind::LimitExceeded);
    assert!(led.is_empty());
}

#[test]
fn a_budget_takes_constraints_first_and_says_what_is_missing() {
    let mut led = Ledger::new();
    led.record("rule", "never delete", user().kind(FactKind::Constraint).turn(1)).unwrap();
    for i in 0..50 {
        led.record(&alloc::format!("f{i}"), "x", user().turn(2)).unwrap();
    }
    led.record("d", "x", user().kind(FactKind::Decision).turn(1)).unwrap();
    let r = led.render(Some(Budget::chars(300))).unwrap();
    assert!(r.text().starts_with("# Facts (4"), "{}", r.text());
    assert!(r.text().contains("left out by kind and age: 4") && r.text().contains(" facts)"), "{}", r.text());
    assert!(r.text().contains("never delete") && r.text().contains("\"d\"") && r.text().contains("\"f49\""));
    assert!(!r.text().contains("\"f1\""));
    let (records, bytes) = (r.account().records(), r.account().bytes());
    assert!(records.closes() && bytes.closes() && records.total == 52 && records.kept >= 5);
    let needed = led.render(Some(Budget::chars(3))).unwrap_err().needed().unwrap();
    assert_eq!(led.render(Some(Budget::chars(needed))).unwrap().text(), "# Facts (52 of 52 left out)");
    assert!(led.render(Some(Budget::chars(needed - 1))).is_err());
}

#[test]
fn one_huge_fact_does_not_starve_the_others() {
    let mut led = Ledger::new();
    led.record("small", "x", user().turn(1)).unwrap();
    led.record("huge", FactValue::Text(&"x".repeat(60_000)), user().turn(2)).unwrap();
    let r = led.render(Some(Budget::chars(400))).unwrap();
    assert!(r.text().contains("small") && !r.text().contains("huge"));
}

#[test]
fn extract_is_all_or_nothing() {
    let mut led = Ledger::new();
    let result = r#"{"id":12345678901234567890,"rate":1.0,"none":null,"deep":{"list":[10, 20]},"s":"{\"a\":1}"}"#;
    let done = led.extract(result, &[("id", "/id"), ("two", "/deep/list/1"), ("n", "/none")], user()).unwrap();
    assert_eq!(done.keys(), ["id", "two", "n"]);
    assert!(done.account().records().closes() && done.account().bytes().closes());
    assert_eq!(done.account().bytes().kept, 20 + 2 + 4);
    assert_eq!(led.get("n").unwrap().value, "null");
    let before = led.to_json();
    for (pointer, kind) in [
        ("/nope", ErrorKind::NoSuchField),
        ("/deep/list/2", ErrorKind::NoSuchField),
        ("/s/a", ErrorKind::NoSuchField),
        ("/*", ErrorKind::InvalidPointer),
        ("x", ErrorKind::InvalidPointer),
    ] {
        let e = led.extract(result, &[("rate", "/rate"), ("x", pointer)], user()).unwrap_err();
        assert_eq!((e.kind(), e.index()), (kind, Some(1)), "{pointer}");
    }
    assert_eq!(led.extract("{", &[], user()).unwrap_err().kind(), ErrorKind::InvalidJson);
    assert_eq!(led.to_json(), before);
}

#[test]
fn news_are_told_once() {
    let mut led = Ledger::new();
    led.record("a", "1", user()).unwrap();
    led.fold();
    assert_eq!(led.news(None).unwrap(), None);
    led.record("a", "2", user()).unwrap();
    led.record("b", "3", user()).unwrap();
    led.record("b", "3", user()).unwrap();
    let costs = led.placement_costs("# Facts\n- \"a\": \"1\" (fact, user)", 1000, &crate::measure::Estimate).unwrap();
    assert!(costs[0].tokens < 60 && costs[1].tokens > 1000, "{costs:?}");
    let mut back = Ledger::from_json(&led.to_json()).unwrap();
    let news = led.news(None).unwrap().unwrap();
    assert_eq!(
        news.text(),
        "# Facts, new or changed (the last line on a key holds)\n- \"a\": \"2\" (fact, user)\n- \"b\": \"3\" (fact, user)"
    );
    assert_eq!(back.news(None).unwrap().unwrap(), news);
    assert_eq!((led.news(None).unwrap(), back.to_json()), (None, led.to_json()));
    led.record("c", "x", user()).unwrap();
    led.record("d", FactValue::Text(&"y".repeat(300)), user()).unwrap();
    let first = led.news(Some(Budget::chars(200))).unwrap().unwrap();
    assert!(first.text().contains("\"c\"") && !first.complete());
    assert!(led.news(None).unwrap().unwrap().text().contains("\"d\""));
}

#[test]
fn state_that_no_ledger_wrote_is_refused() {
    let mut led = Ledger::new();
    led.record("a", "1", user().turn(3)).unwrap();
    led.record("a", "1", user().source("page:x")).unwrap();
    led.append("b", FactValue::Json("1.0"), user()).unwrap();
    let good = led.to_json();
    assert_eq!(Ledger::from_json(&good).unwrap().to_json(), good);
    let change = |pointer: &str, value: serde_json::Value| {
        let mut state: serde_json::Value = serde_json::from_str(&good).unwrap();
        *state.pointer_mut(pointer).unwrap() = value;
        Ledger::from_json(&state.to_string()).map(drop).map_err(|e| (e.kind(), e.index()))
    };
    let refused = |index| Err((ErrorKind::InvalidState, index));
    assert_eq!(change("/version", 2.into()), refused(None));
    assert_eq!(change("/haversack", "frozen".into()), refused(None));
    assert_eq!(change("/merged", 0.into()), refused(None));
    assert_eq!(change("/untold", vec![0, 0].into()), refused(None));
    assert_eq!(change("/untold", vec![9].into()), refused(None));
    assert_eq!(change("/writes/0/kind", "wish".into()), refused(None));
    assert_eq!(change("/writes/0/value", " 1".into()), refused(Some(0)));
    assert_eq!(change("/writes/0/value", "1 2".into()), refused(Some(0)));
    assert_eq!(change("/writes/1/source", "user".into()), refused(Some(1)));
    assert_eq!(change("/writes/2/key", "a".into()), refused(Some(2)));
    assert_eq!(change("/writes/2/source", "".into()), refused(Some(2)));
    for end in (0..good.len()).filter(|i| good.is_char_boundary(*i)) {
        let e = Ledger::from_json(&good[..end]).unwrap_err();
        assert_eq!((e.kind(), e.offset()), (ErrorKind::InvalidState, Some(end)));
    }
    assert!(Ledger::from_json(&good.replacen('{', "[", 1)).is_err());
}

#[test]
fn a_slice_costs_what_it_shows() {
    // Counted, not timed: a budget of 2,000 tokens weighs the same number of lines in a ledger of 1,000 and of 10,000.
    use crate::measure::{Estimate, Recording};
    let cost = |n: u64| {
        let mut led = Ledger::new();
        for i in 0..n {
            led.record(&alloc::format!("key {i}"), &*i.to_string(), user().turn(i)).unwrap();
        }
        let counter = Recording::new(Estimate);
        let r = led.render(Some(Budget::tokens(2_000, &counter))).unwrap();
        assert!(r.account().records().kept > 50);
        (counter.calls(), counter.bytes())
    };
    let (small, large) = (cost(1_000), cost(10_000));
    assert!(large.0 <= small.0 + 20 && large.1 <= small.1 + small.1 / 5, "{small:?} {large:?}");
}
