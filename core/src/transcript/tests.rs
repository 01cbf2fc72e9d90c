use super::*;
use alloc::string::ToString;
use alloc::vec;

fn said(words: &str) -> String {
    alloc::format!("{{\"role\":\"user\",\"content\":\"{words}\"}}")
}

fn run(count: usize) -> Transcript {
    let mut t = Transcript::new();
    for i in 1..=count {
        assert_eq!(t.append(&said(&alloc::format!("line {i}"))).unwrap(), i as u64);
    }
    t
}

#[test]
fn numbers_stay_and_ranges_are_inclusive() {
    let t = run(9);
    let read = t.read(3, 5).unwrap();
    assert_eq!(read.iter().map(|m| m.number).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(read[0].text, said("line 3"));
    assert_eq!(t.array(8, 9).unwrap(), alloc::format!("[{},{}]", said("line 8"), said("line 9")));
    for (first, last, number) in [(0, 3, 0), (1, 10, 10), (5, 4, 4), (10, 10, 10), (u64::MAX, u64::MAX, u64::MAX)] {
        let e = t.read(first, last).unwrap_err();
        assert_eq!((e.kind(), e.index(), e.available()), (ErrorKind::NoSuchMessage, Some(number as usize), Some(9)));
    }
    assert_eq!(Transcript::new().read(1, 1).unwrap_err().available(), Some(0));
}

#[test]
fn a_message_is_one_line_and_stays_as_it_is_spelt() {
    let mut t = Transcript::new();
    t.append(" { \"a\" : 1.0 } ").unwrap();
    t.append("{\n  \"a\" : \"x\\ny\",\r\n \"b\":[1, 2]}").unwrap();
    t.append("{\"u\":\"\u{2028}\u{85}\"}").unwrap();
    assert_eq!(t.to_jsonl(), "{ \"a\" : 1.0 }\n{\"a\":\"x\\ny\",\"b\":[1,2]}\n{\"u\":\"\u{2028}\u{85}\"}\n");
    assert_eq!(Transcript::from_jsonl(t.to_jsonl()), t);
    for (bad, kind) in [
        ("", ErrorKind::InvalidJson),
        ("{", ErrorKind::InvalidJson),
        ("[]", ErrorKind::InvalidOption),
        ("3", ErrorKind::InvalidOption),
    ] {
        assert_eq!(t.append(bad).unwrap_err().kind(), kind);
    }
    assert_eq!(t.append(&"[".repeat(600)).unwrap_err().kind(), ErrorKind::TooDeep);
    assert_eq!(t.last(), 3);
}

#[test]
fn a_broken_line_keeps_its_number_and_costs_no_other() {
    let text = "{\"a\":1}\n\n  {\"b\":\n[3]\r\n{\"c\":3}\r\n{\"d\":\"ab";
    let mut t = Transcript::from_jsonl(text);
    let told: Vec<_> = t.damage().iter().map(|d| (d.number, d.kind.name(), d.offset)).collect();
    assert_eq!(told, [(2, "blank", 0), (3, "invalid_json", 7), (4, "not_an_object", 0), (6, "truncated", 8)]);
    assert_eq!(
        t.read(1, 6).unwrap().iter().map(|m| (m.number, m.text)).collect::<Vec<_>>(),
        [(1, "{\"a\":1}"), (5, "{\"c\":3}")]
    );
    assert_eq!(t.to_jsonl(), text);
    assert_eq!(t.append("{}").unwrap(), 7);
    assert_eq!(Transcript::from_jsonl(t.to_jsonl()), t, "going on from the lines is going on");
    assert_eq!(t.read(7, 7).unwrap()[0].text, "{}");
    assert!(t.read(6, 6).unwrap().is_empty());
    // A last line that is whole is a message without its line feed.
    let mut t = Transcript::from_jsonl("{\"a\":1}\n{\"b\":2}");
    assert!(t.damage().is_empty());
    assert_eq!((t.append("{}").unwrap(), t.to_jsonl()), (3, "{\"a\":1}\n{\"b\":2}\n{}\n"));
}

#[test]
fn a_range_of_a_file_is_a_range_of_bytes() {
    let mut t = run(50);
    let mut text = t.to_jsonl().to_string();
    text.push_str("{\"cut");
    t = Transcript::from_jsonl(&text);
    for step in [1, 7, 64, 100_000] {
        let mut index = TranscriptIndex::new();
        for piece in text.as_bytes().chunks(step) {
            index.feed(piece);
        }
        assert_eq!((index.last(), index.length()), (51, text.len() as u64));
        for (first, last) in [(1, 1), (7, 12), (50, 51), (1, 51), (51, 51)] {
            let bytes = index.range(first, last).unwrap();
            let read = lines::read_lines(&text.as_bytes()[bytes.start as usize..bytes.end as usize], first);
            assert_eq!(read.messages, t.read(first, last).unwrap());
            assert_eq!(read.damage.len(), usize::from(last == 51));
        }
        assert_eq!(index.range(0, 1).unwrap_err().kind(), ErrorKind::NoSuchMessage);
        // What is appended is fed as it comes.
        index.feed(b"off\"}\n{\"next\":1}\n");
        assert_eq!((index.last(), index.range(52, 52).unwrap().start), (52, text.len() as u64 + 6));
    }
    let read = lines::read_lines(b"{\"a\":1}\n{\"\xff\":2}\n", 4);
    assert_eq!((read.messages[0].number, read.damage[0].number), (4, 5));
    assert_eq!((read.damage[0].kind, read.damage[0].offset), (DamageKind::InvalidUtf8, 2));
}

#[test]
fn references_are_read_and_checked() {
    let t = run(9);
    for (text, range) in [
        ("message 4", (4, 4)),
        ("Messages 3-9", (3, 9)),
        ("messages 3 to 5", (3, 5)),
        ("messages 3–5", (3, 5)),
        ("[message #4]", (4, 4)),
        ("#7", (7, 7)),
        ("7", (7, 7)),
        ("message  2 ", (2, 2)),
    ] {
        assert_eq!(t.resolve(text).unwrap(), range, "{text}");
    }
    for text in
        ["", "message", "message x", "message 4 and more", "massage 4", "message 4x", "-1", "message 1234567890123456"]
    {
        assert_eq!(t.resolve(text).unwrap_err().argument(), Some("reference"), "{text}");
    }
    for text in ["message 10", "messages 3-10", "message 0"] {
        assert_eq!(t.resolve(text).unwrap_err().kind(), ErrorKind::NoSuchMessage, "{text}");
    }
    let text = "See message 2: \"line 2\", Message 3 says “line 4”; submessage 4, messages 8-12 and message 9 \"open";
    let told: Vec<_> = t.check(text).into_iter().map(|r| (r.from, r.to, r.quote, r.exists, r.holds)).collect();
    assert_eq!(
        told,
        [
            (2, 2, Some("line 2".to_string()), true, Some(true)),
            (3, 3, Some("line 4".to_string()), true, Some(false)),
            (8, 12, None, false, None),
            (9, 9, None, true, None),
        ]
    );
    let first = &t.check(text)[0];
    assert_eq!(&text[first.at..first.at + first.length], "message 2");
}

#[test]
fn search_reads_what_strings_say() {
    let mut t = Transcript::new();
    for message in [
        r#"{"role":"user","content":"caf\u00e9 and café"}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"say \"role\""}]}"#,
        r#"{"content":"role"}"#,
    ] {
        t.append(message).unwrap();
    }
    let hits = |needle: &str| t.search(needle).unwrap().iter().map(|h| (h.number, h.count)).collect::<Vec<_>>();
    assert_eq!(hits("café"), [(1, 2)]);
    assert_eq!(hits("role"), [(1, 1), (2, 2), (3, 1)], "names of members too");
    assert_eq!(
        t.check("message 1 \"role\", message 3 \"role\"").iter().map(|r| r.holds).collect::<Vec<_>>(),
        [Some(false), Some(true)]
    );
    assert_eq!(hits("say \"role\""), [(2, 1)]);
    assert_eq!(hits("nothing"), []);
    assert_eq!(t.search("").unwrap_err().argument(), Some("needle"));
    assert_eq!(t.search(&"x".repeat(4097)).unwrap_err().needed(), Some(4097));
    assert_eq!(Transcript::new().search("x").unwrap(), []);
}

#[test]
fn state_goes_through_json() {
    let t = Transcript::from_jsonl("{\"a\":1}\nbroken\n{\"b");
    assert_eq!(Transcript::from_json(&t.to_json()).unwrap(), t);
    let good = t.to_json();
    for bad in
        [good.replace("transcript", "tally"), good.replace(":1,", ":2,"), "[]".to_string(), good[..9].to_string()]
    {
        assert_eq!(Transcript::from_json(&bad).unwrap_err().kind(), ErrorKind::InvalidState);
    }
    assert_eq!(references("no message here, message"), vec![]);
}

#[test]
fn numbers_stop_at_the_largest_one() {
    let read = read_lines(b"{}\n{}\nx\n", u64::MAX - 1);
    assert_eq!(read.messages.iter().map(|m| m.number).collect::<Vec<_>>(), [u64::MAX - 1, u64::MAX]);
    assert_eq!(read.damage.iter().map(|d| d.number).collect::<Vec<_>>(), [u64::MAX]);
}
