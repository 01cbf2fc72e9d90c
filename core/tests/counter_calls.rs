//! What a budget in tokens asks of its counter: how often, and with how much text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use haversack::history::{CutAnswer, CutOptions, KeepAtMost};
use haversack::measure::{Estimate, Recording};
use haversack::{Budget, Error, History, HistoryOptions, TokenCounter};

/// One token a byte.
#[derive(Debug)]
struct Bytes;

impl TokenCounter for Bytes {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(text.len())
    }
}

/// One token for each started 64 bytes: denser than any encoding, so that long texts can fit.
#[derive(Debug)]
struct Dense;

impl TokenCounter for Dense {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(text.len().div_ceil(64))
    }
}

/// Calls and bytes that `fits` costs, and its answer.
fn fits(counter: impl TokenCounter, limit: usize, text: &str) -> (Option<usize>, usize, usize) {
    let counter = Recording::new(counter);
    let answer = Budget::tokens(limit, &counter).fits(text).unwrap();
    (answer, counter.calls(), counter.bytes())
}

#[test]
fn a_size_is_one_call() {
    let counter = Recording::new(Estimate);
    Budget::tokens(10, &counter).size("some text").unwrap();
    assert_eq!((counter.calls(), counter.bytes()), (1, 9));
}

#[test]
fn a_short_text_is_one_call() {
    // Up to 32 bytes a token and a kilobyte.
    for bytes in [0, 1, 100, 101, 32 * 100 + 1024] {
        let text = "x".repeat(bytes);
        let answer = (bytes <= 100).then_some(bytes);
        assert_eq!(fits(Bytes, 100, &text), (answer, 1, bytes));
    }
}

#[test]
fn a_long_text_that_cannot_fit_is_one_call_on_its_start() {
    for bytes in [32 * 100 + 1025, 50_000_000] {
        let text = "x".repeat(bytes);
        assert_eq!(fits(Bytes, 100, &text), (None, 1, 32 * 100));
        assert_eq!(fits(Estimate, 100, &text), (None, 1, 32 * 100));
    }
    // The start ends at a scalar value, not within one.
    let text = "€".repeat(10_000);
    assert_eq!(fits(Bytes, 100, &text), (None, 1, 3_198));
}

#[test]
fn a_long_text_that_may_fit_is_two_calls() {
    let text = "x".repeat(32 * 100 + 1025);
    assert_eq!(fits(Dense, 100, &text), (Some(67), 2, 3_200 + text.len()));
    let text = "x".repeat(64 * 100 + 1);
    assert_eq!(fits(Dense, 100, &text), (None, 2, 3_200 + text.len()));
}

#[test]
fn no_limit_asks_more_often() {
    for limit in [0, 1, 2, 100, usize::MAX] {
        for bytes in [0, 1, 31, 32, 33, 1024, 1025, 5_000] {
            let (_, calls, _) = fits(Bytes, limit, &"x".repeat(bytes));
            assert!((1..=2).contains(&calls), "{calls} calls for {bytes} bytes up to {limit}");
        }
    }
}

#[cfg(feature = "tokens")]
#[test]
fn exact_counters_answer_the_same_under_a_budget() {
    use haversack::measure::Encoding;

    let text = "a line of log output, 17 ms\n".repeat(2_000);
    for encoding in Encoding::ALL {
        let n = encoding.count(&text).unwrap();
        for limit in [n - 1, n, n + 1] {
            assert_eq!(fits(encoding, limit, &text).0, (n <= limit).then_some(n));
        }
    }
}

#[test]
fn a_cut_counts_the_whole_once_and_little_more() {
    let turn = |i: usize| {
        let words = "words and more words ".repeat(i % 40);
        format!(r#"{{"role":"user","content":"question {i}: {words}"}},{{"role":"assistant","content":"answer {i}"}},"#)
    };
    let text = format!(r#"[{}{{"role":"user","content":"the last one"}}]"#, (0..2_000).map(turn).collect::<String>());
    let history = History::parse(&text, &HistoryOptions::default()).unwrap();
    let counter = Recording::new(Estimate);
    let limit = Estimate.count(&text).unwrap() / 10;
    let answer = history.cut(KeepAtMost::Size(Budget::tokens(limit, &counter)), &CutOptions::default()).unwrap();
    let CutAnswer::Cut(cut) = answer else { panic!("{answer:?}") };
    assert!(cut.size_after <= limit && cut.size_after * 100 > limit * 98, "{} of {limit}", cut.size_after);
    // The whole, the last tenth by messages, and some windows of a tenth.
    assert!(counter.bytes() * 10 < text.len() * 17, "{} bytes of {}", counter.bytes(), text.len());
}
