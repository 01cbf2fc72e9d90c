use super::*;
use alloc::format;
use alloc::string::ToString;

fn account(kept: u64, shrunk: u64, offloaded: u64, omitted: u64) -> Account {
    let counts = |n: u64| {
        let (kept, shrunk, offloaded, omitted) = (kept * n, shrunk * n, offloaded * n, omitted * n);
        Counts { total: kept + shrunk + offloaded + omitted, kept, shrunk, offloaded, omitted }
    };
    Account::new(counts(1), counts(10), 0, None)
}

#[test]
fn sums_close_and_what_can_be_fetched_is_told_apart() {
    let mut tally = Tally::new();
    tally.add(Boundary::Delivery, &account(3, 1, 2, 4), true).unwrap();
    tally.add(Boundary::Delivery, &account(1, 0, 0, 5), false).unwrap();
    tally.add(Boundary::Handoff, &account(0, 0, 0, 0), false).unwrap();
    let sums = tally.sums(Boundary::Delivery).unwrap();
    assert!(sums.records.closes() && sums.bytes.closes());
    assert_eq!(
        (sums.calls, sums.records.total, sums.recoverable, sums.recoverable_bytes, sums.lost()),
        (2, 16, 6, 60, 5)
    );
    assert_eq!(tally.sums(Boundary::Memory), None);
    let table = tally.table();
    let line = table.lines().find(|line| line.starts_with("delivery")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["delivery", "2", "16", "4", "1", "2", "9", "6", "5"]);
}

#[test]
fn open_books_are_refused() {
    let mut tally = Tally::new();
    let open = Counts { total: 10, kept: 3, shrunk: 0, offloaded: 0, omitted: 1 };
    for account in [Account::new(open, Counts::default(), 0, None), Account::new(Counts::whole(1), open, 0, None)] {
        let e = tally.add(Boundary::Clear, &account, false).unwrap_err();
        assert_eq!((e.kind(), e.needed(), e.available()), (ErrorKind::OpenBooks, Some(10), Some(4)));
    }
    let wide = Counts { total: 1, kept: u64::MAX, shrunk: 2, offloaded: 0, omitted: 0 };
    assert_eq!(
        tally.add(Boundary::Clear, &Account::new(wide, wide, 0, None), false).unwrap_err().kind(),
        ErrorKind::OpenBooks
    );
    let huge = Account::new(Counts::whole(u64::MAX), Counts::whole(1), 0, None);
    assert_eq!(tally.add(Boundary::Clear, &huge, false).unwrap_err().kind(), ErrorKind::LimitExceeded);
    assert_eq!(tally, Tally::new());
}

#[test]
fn a_key_that_almost_never_arrives_is_flagged() {
    let mut tally = Tally::new();
    for call in 0..742 {
        tally.seen("late", call < 35).unwrap();
        tally.seen("early", call >= 5).unwrap();
    }
    for call in 0..19 {
        tally.seen("few", call > 99).unwrap();
    }
    let keys = tally.survival();
    let told: Vec<_> = keys.iter().map(|k| (&*k.key, k.per_10_000, k.rare)).collect();
    assert_eq!(told, [("few", 0, false), ("late", 471, true), ("early", 9932, false)]);
    assert!(tally.table().contains("key late: 35 of 742 arrived, 4.71 %  almost never"));
    assert!(tally.seen(&"k".repeat(1025), true).is_err());
    for i in 0..4093 {
        tally.seen(&i.to_string(), true).unwrap();
    }
    assert_eq!(tally.seen("one more", true).unwrap_err().needed(), Some(4097));
    tally.seen("late", true).unwrap();
}

#[test]
fn nothing_from_outside_makes_a_line_or_a_tag() {
    let mut tally = Tally::new();
    tally.add(Boundary::Memory, &account(1, 1, 1, 1), false).unwrap();
    tally.seen("a\ndelivery 1 2 3 <script>\u{202e}", false).unwrap();
    assert_eq!(tally.table().lines().count(), 3);
    let svg = tally.to_svg();
    assert!(!svg.contains("script") && svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    assert_eq!(svg.matches("height=\"18\"").count(), 4);
}

#[test]
fn going_on_from_json_is_going_on() {
    let mut here = Tally::new();
    here.add(Boundary::Delivery, &account(1, 2, 3, 4), true).unwrap();
    here.seen("k", true).unwrap();
    let mut there = Tally::from_json(&here.to_json()).unwrap();
    for tally in [&mut here, &mut there] {
        tally.add(Boundary::Delivery, &account(4, 3, 2, 1), false).unwrap();
        tally.seen("k", false).unwrap();
    }
    assert_eq!((&there, there.to_json()), (&here, here.to_json()));
    let good = here.to_json();
    let change = |pointer: &str, value: serde_json::Value| {
        let mut state: serde_json::Value = serde_json::from_str(&good).unwrap();
        *state.pointer_mut(pointer).unwrap() = value;
        Tally::from_json(&state.to_string()).map(drop).map_err(|e| (e.kind(), e.index()))
    };
    let refused = |index| Err((ErrorKind::InvalidState, index));
    assert_eq!(change("/version", 1.into()), Ok(()));
    assert_eq!(change("/version", 2.into()), refused(None));
    assert_eq!(change("/boundaries/0/records/kept", 9.into()), refused(Some(0)));
    assert_eq!(change("/boundaries/0/recoverable", 99.into()), refused(Some(0)));
    assert_eq!(change("/boundaries/0/recoverable", 1.into()), refused(Some(0)));
    assert_eq!(change("/boundaries/0/calls", 0.into()), refused(Some(0)));
    assert_eq!(change("/boundaries/0/boundary", "door".into()), refused(None));
    assert_eq!(change("/keys/0/arrived", 3.into()), refused(Some(0)));
    for end in (0..good.len()).filter(|i| good.is_char_boundary(*i)) {
        assert_eq!(Tally::from_json(&good[..end]).unwrap_err().offset(), Some(end));
    }
}

#[test]
fn sums_that_no_books_have_are_answered() {
    let huge = r#"{"total":1,"kept":0,"shrunk":0,"offloaded":18446744073709551615,"omitted":1}"#;
    let json = format!(r#"{{"calls":1,"records":{huge},"bytes":{huge},"recoverable":1,"recoverable_bytes":0}}"#);
    let sums: Sums = serde_json::from_str(&json).unwrap();
    assert_eq!(sums.lost(), u64::MAX - 1);
}
