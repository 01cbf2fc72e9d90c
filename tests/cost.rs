//! Cost, counted and never timed: extra heap, stack, calls of the counter, bytes handed to it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use haversack::{Budget, Delivery, Error, Unit, deliver};
use haversack_tests::{Spec, Words};

thread_local! {
    // Below zero where a thread frees what another one made.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static SUM: Cell<usize> = const { Cell::new(0) };
}

/// Counts what each thread holds at most, and what it ever asked for.
struct Counting;

fn grow(by: usize) {
    let _ = LIVE.try_with(|live| {
        live.set(live.get().wrapping_add_unsigned(by));
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
        let _ = SUM.try_with(|sum| sum.set(sum.get() + by));
    });
}

fn shrink(by: usize) {
    let _ = LIVE.try_with(|live| live.set(live.get().wrapping_sub_unsigned(by)));
}

// SAFETY: every call goes to the system's allocator unchanged; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may live side by side while bytes are moved.
        grow(size);
        shrink(layout.size());
        // SAFETY: as the caller promised.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Runs `f` on a thread with a small stack; answers with its extra heap at the peak, and all it asked for.
fn measured<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> (R, usize, usize) {
    let work = move || {
        let before = LIVE.get();
        PEAK.set(before);
        SUM.set(0);
        let answer = f();
        (answer, (PEAK.get() - before).unsigned_abs(), SUM.get())
    };
    std::thread::Builder::new()
        .stack_size(128 * 1024)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic, no overflow")
}

fn cut(payload: String, limit: usize) -> (Result<Delivery, Error>, usize, usize) {
    measured(move || deliver(&payload, Budget::bytes(limit)))
}

fn records(bytes: usize) -> String {
    let mut text = String::from("[");
    let mut i = 0;
    while text.len() < bytes {
        if i > 0 {
            text.push(',');
        }
        text += &format!(
            r#"{{"id":{i},"name":"record {i}","tags":["a","b"],"note":"some text that stands in every record"}}"#
        );
        i += 1;
    }
    text + "]"
}

const SLACK: usize = 64 * 1024;
/// Bytes of the allocator for each byte of a record with marks, over all tries.
const MARKS_EACH: usize = 250;

#[test]
fn a_cut_of_100_mb_holds_little_more_than_its_budget() {
    let payload = records(100_000_000);
    let (answer, peak, _) = cut(payload, 6000);
    let d = answer.expect("a cut");
    assert!(d.size() <= 6000 && d.account().records().omitted > 900_000);
    println!("100 MB array: {peak} bytes of extra heap at the peak");
    assert!(peak <= 6000 + SLACK, "{peak} bytes of extra heap");
}

#[test]
fn what_is_asked_of_the_allocator_does_not_grow_with_the_input() {
    let sum = |bytes| cut(records(bytes), 6000).2;
    let (small, large) = (sum(1_000_000), sum(16_000_000));
    println!("all allocations together: {small} bytes at 1 MB, {large} at 16 MB");
    assert!(large <= 2 * small + SLACK, "{small} bytes at 1 MB, {large} at 16 MB");
}

#[test]
fn a_hundred_thousand_levels() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let n = 100_000;
        for payload in [open.repeat(n) + "1" + &close.repeat(n), open.repeat(n)] {
            let (answer, peak, _) = cut(payload.clone(), 6000);
            println!("{n} levels of {open}: {:?}, {peak} bytes of extra heap", answer.as_ref().map(Delivery::format));
            // An answer or a typed error, either will do; the thread has 128 KiB of stack.
            assert!(
                peak <= 6000 + SLACK + payload.len() / 8,
                "{peak} bytes of extra heap for {} bytes of {open}",
                payload.len()
            );
            let (by_name, _, _) = measured(move || {
                Spec::new(Unit::Bytes, 6000).named(haversack::Format::Json).deliver(payload.as_bytes())
            });
            assert!(by_name.is_err(), "100,000 levels by name");
        }
    }
    // As deep as is allowed: every walk is a loop, or its frames are small.
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let n = 512 / open.matches(['[', '{']).count();
        let list = format!("[{}]", (0..3000).map(|i| i.to_string()).collect::<Vec<_>>().join(","));
        let payload = open.repeat(n - 1) + &list + &close.repeat(n - 1);
        for limit in [100, 1000, 4000, 8000] {
            let (answer, _, _) = cut(payload.clone(), limit);
            if let Ok(d) = answer {
                assert!(d.size() <= limit);
            }
        }
    }
}

#[test]
fn a_string_of_50_mb() {
    for payload in [
        format!("\"{}\"", "x".repeat(50_000_000)),
        format!("{{\"log\":\"{}\"}}", "a line of text\\n".repeat(3_300_000)),
        format!("\"{}\"", "\\u00e9".repeat(8_000_000)),
        "y".repeat(50_000_000),
        "a line of text\n".repeat(3_300_000),
    ] {
        let start: String = payload.chars().take(20).collect();
        let (answer, peak, _) = cut(payload, 6000);
        println!("{start}…: {peak} bytes of extra heap");
        let d = answer.expect("a cut string");
        assert!(d.size() <= 6000 && !d.complete());
        assert!(peak <= 6000 * 6 + SLACK, "{start}…: {peak} bytes of extra heap");
    }
}

#[test]
fn a_million_records_of_one_byte() {
    for limit in [40, 6000, 1_000_000] {
        let payload = format!("[{}1]", "1,".repeat(999_999));
        let (answer, peak, _) = cut(payload, limit);
        match answer {
            Ok(d) => {
                assert_eq!(d.account().records().total, 1_000_000);
                assert!(peak <= 3 * limit + SLACK, "{peak} bytes of extra heap for {limit}");
                assert!(d.plan().len() <= 4, "neighbours with the same action are one run: {:?}", d.plan().len());
            }
            Err(e) => assert!(e.needed().is_some(), "{e}"),
        }
    }
}

#[test]
fn many_lists_many_members_many_keys() {
    for payload in [
        format!("{{{}\"z\":[]}}", (0..100_000).map(|i| format!("\"k{i}\":[{i},2,3],")).collect::<String>()),
        format!("{{{}\"z\":[]}}", "\"k\":[1,2,3],".repeat(100_000)),
        format!(
            "[{}{{}}]",
            "{\"a\":[1,2,3,4,5,6,7,8,9],\"b\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"},".repeat(30_000)
        ),
        format!("[{}[]]", "[1,2,3,4,5,6,7,8,9],".repeat(100_000)),
        (0..200_000).map(|i| format!("{{\"i\":{i}}}\n")).collect::<String>(),
        (0..200_000).map(|i| format!("{i},{i},\"a\nb\"\n")).fold("a,b,c\n".to_owned(), |t, r| t + &r),
    ] {
        let start: String = payload.chars().take(20).collect();
        let (answer, peak, sum) = cut(payload, 6000);
        println!("{start}…: {peak} bytes of extra heap, {sum} in all, {:?}", answer.as_ref().map(Delivery::size));
        if let Err(e) = &answer {
            assert!(e.needed().is_some(), "{e}");
        }
    }
}

#[test]
fn reading_what_an_earlier_cut_said_is_linear() {
    let join = |n: usize, of: fn(usize) -> String| (0..n).map(of).collect::<Vec<_>>().join(",");
    let members = |n| join(n, |i| format!("\"k{i}\":[1,2,3]"));
    let entries = |n| join(n, |i| format!("\"/k{i}\":{{\"total\":9,\"kept\":3}}"));
    let marks = |n| join(n, |i| format!("\"/k{i}\":\"3 of 9\""));
    let root = |n| format!("{{\"_omitted\":{{{}}},{}}}", entries(n), members(n));
    let record = |n| {
        format!(
            "{{\"total\":2,\"omitted\":1,\"shrunk\":1,\"rows\":[{{\"_omitted\":{{{}}},{}}}]}}",
            marks(n),
            members(n)
        )
    };
    // Cut anew, and only passed through: 1,000 and 16,000 entries.
    for (name, small, large) in [("root", root(1000), root(16_000)), ("record", record(1000), record(16_000))] {
        for whole in [false, true] {
            let sum = |payload: &String| {
                let limit = if whole { payload.len() } else { payload.len() / 2 };
                let (answer, peak, sum) = cut(payload.clone(), limit);
                let d = answer.expect("an answer");
                assert!(d.account().claimed().is_some(), "{name}: the statement was not read");
                (peak, sum)
            };
            let ((small_peak, small), (large_peak, large)) = (sum(&small), sum(&large));
            println!(
                "{name}, whole {whole}: {small} bytes asked for in all, then {large}; peaks {small_peak}, {large_peak}"
            );
            assert!(large <= 24 * small, "{name}: {small} bytes asked for, then {large} for 16 times as much");
            assert!(large_peak <= 24 * small_peak, "{name}: {small_peak} bytes at the peak, then {large_peak}");
        }
    }
}

/// A record is pruned at many sizes until one fits: what an earlier cut said of it is read once for all of them.
#[test]
fn marks_are_read_once_for_all_tries() {
    let join = |n: usize, of: fn(usize) -> String| (0..n).map(of).collect::<Vec<_>>().join(",");
    let record = |n| {
        let (marks, members) = (join(n, |i| format!("\"/k{i}\":\"3 of 9\"")), join(n, |i| format!("\"k{i}\":[1,2,3]")));
        format!("{{\"_omitted\":{{{marks}}},{members}}}")
    };
    let json = |n| format!("{{\"total\":2,\"omitted\":1,\"shrunk\":1,\"rows\":[{}]}}", record(n));
    let first = r#"{"_omitted":{"":{"total":2,"kept":0,"shrunk":1,"next":"rows@1"}}}"#;
    let lines = |n| format!("{first}\n{}\n", record(n));
    for (name, payload, format) in
        [("json", json(2000), haversack::Format::Json), ("ndjson", lines(2000), haversack::Format::Ndjson)]
    {
        let length = payload.len();
        let (d, _, sum) = measured(move || {
            let page = Spec::new(Unit::Bytes, length / 2).named(format).page("rows@0");
            page.deliver(payload.as_bytes()).expect("a page")
        });
        assert!(d.account().claimed().is_some(), "{name}: the statement was not read");
        println!("{name}: {sum} bytes asked for in all, for {length}");
        assert!(sum <= MARKS_EACH * length, "{name}: {sum} bytes asked for, for {length}");
    }
}

#[test]
fn the_counter_is_asked_seldom() {
    let rows = records(2_000_000);
    for payload in
        [rows.clone(), format!("{{\"a\":{rows},\"b\":{rows}}}"), "word ".repeat(400_000), "line\n".repeat(100_000)]
    {
        for limit in [50, 1000, 20_000] {
            let spec = Spec { limit, ..Spec::new(Unit::Tokens, limit) };
            let (answer, calls, bytes) = spec.deliver_recorded(payload.as_bytes());
            let weighed = answer.as_ref().map_or(0, |d| {
                // What is delivered was weighed, and per list what no longer fitted.
                d.account().records().kept + d.account().records().shrunk
            });
            let bits = u64::from(usize::BITS - limit.leading_zeros());
            let lists = answer.as_ref().map_or(1, |d| d.lists().len() as u64).max(2);
            // A list is weighed until its sum exceeds the whole budget, so siblings are weighed further than delivered.
            // The record that no longer fits is pruned: up to four tries for each of its four long strings.
            let bound = lists * ((weighed + 2) * 2 + 16) + 8 + bits;
            println!(
                "{} bytes, {limit} tokens: {calls} calls over {bytes} bytes, {weighed} delivered, bound {bound}",
                payload.len()
            );
            assert!(calls as u64 <= bound, "{calls} calls, bound {bound}");
            assert!(
                bytes <= 64 * limit + 65_536 + 32 * limit * (4 + bits as usize),
                "{bytes} bytes counted for {limit} tokens"
            );
        }
    }
    assert_eq!(Words::tokens("two words"), 2);
}

/// One endless line of what is measured, cut, skipped over or merged as a unit: four times the line costs four times as
/// much of the counter and of the allocator, at most.
#[test]
fn one_line_of_one_repeated_piece() {
    let pieces = [
        " ",
        "\u{301}",
        "\u{1b}[1m",
        "\u{1b}[",
        "\u{1b}]",
        "\u{1b}]x\u{1b}\\",
        "👩\u{200d}",
        "👩\u{200d}👩\u{200d}👧 ",
        "🇩",
        "\r",
        "\0",
        "\u{200b}",
        "\"",
        "\"\"",
        "…[12 chars omitted]…",
        "\u{1b}(",
        "e\u{301}",
        "क\u{94d}",
    ];
    for piece in pieces {
        for (format, before) in [(haversack::Format::Lines, "x"), (haversack::Format::Csv, "a,b\n1,x")] {
            let cost = |bytes: usize| {
                let payload = format!("{before}{}", piece.repeat(bytes / piece.len()));
                let (outcome, _, sum) = measured(move || {
                    let spec = Spec::new(Unit::Tokens, 300).named(format);
                    let (answer, calls, counted) = spec.deliver_recorded(payload.as_bytes());
                    let own = Spec::new(Unit::Chars, 300).named(format).deliver(payload.as_bytes());
                    if let (Err(a), Err(b)) = (&answer, &own) {
                        assert!(a.offset().is_some() && b.offset().is_some(), "{piece:?}: {a} / {b}");
                    }
                    (calls, counted)
                });
                (outcome.0, outcome.1, sum)
            };
            let (small, large) = (cost(100_000), cost(400_000));
            println!("{piece:?} as {}: {small:?}, then {large:?}", format.name());
            assert!(large.0 <= small.0 + 16, "{piece:?}: {} calls, then {}", small.0, large.0);
            assert!(large.1 <= 5 * small.1 + SLACK, "{piece:?}: {} bytes counted, then {}", small.1, large.1);
            assert!(large.2 <= 5 * small.2 + SLACK, "{piece:?}: {} bytes asked for, then {}", small.2, large.2);
        }
    }
}

#[test]
fn context_of_a_search_is_bounded_by_the_budget() {
    let sum = |lines: usize| {
        let log = format!("{}needle\n", "a line of a log\n".repeat(lines));
        let (found, _, sum) = measured(move || {
            let options = haversack::FindOptions::new(Budget::chars(6000)).context(usize::MAX).limit(usize::MAX);
            haversack::find(&log, "needle", options)
        });
        assert_eq!(found.expect("a match").account().records().kept, 1);
        sum
    };
    let (small, large) = (sum(2_000), sum(200_000));
    println!("all allocations of a search: {small} bytes over 2,000 lines, {large} over 200,000");
    assert!(large <= 2 * small + SLACK, "{small} bytes, then {large}");
}
