//! Cuts of histories: the laws over small histories, and the window against a search of every choice.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use arbitrary::Unstructured;
use haversack::history::CutAnswer;
use haversack::{History, HistoryOptions};
use haversack_tests::cuts::{cut_keeps, l8_cut, largest_window};
use haversack_tests::dialogues::{dialogue, wished};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

fn hold(name: &str, law: impl Fn(&mut Unstructured<'_>) -> Result<(), String>) {
    let config = Config { failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]));
    let outcome = runner
        .run(&vec(any::<u8>(), 0..1500), |bytes| law(&mut Unstructured::new(&bytes)).map_err(TestCaseError::fail));
    if let Err(e) = outcome {
        let text = e.to_string();
        panic!("{name}: {}", text.split("; minimal failing input").next().unwrap_or(&text));
    }
}

#[test]
fn l8_every_index_is_offered_or_refused_rightly() {
    hold("l8_cut", |u| dialogue(u, 20).map_or(Ok(()), |d| l8_cut(&d)));
}

#[test]
fn l10_pins_and_everything_else_a_cut_promises() {
    hold("cut", |u| wished(u, 20).map_or(Ok(()), |(d, wish)| cut_keeps(&d, &wish).map(drop)));
}

/// Nothing that a search of every choice of messages finds is larger: the window starts as early as it can.
#[test]
fn no_choice_of_messages_keeps_a_larger_window() {
    hold("largest window", |u| {
        let Ok((d, mut wish)) = wished(u, 7) else { return Ok(()) };
        let messages: Vec<serde_json::Value> = serde_json::from_str(&d.text).map_err(|e| e.to_string())?;
        // What a compaction makes of the front is another question, and so is what every format takes.
        wish.portable = false;
        let whole = History::parse(&d.text, &{
            let mut options = HistoryOptions::default();
            options.format = Some(d.format);
            options
        });
        // In a broken history more is kept together than its violations alone would ask.
        if whole.map_or(true, |h| !h.violations(false).is_empty())
            || messages.len() > 11
            || d.text.contains("compaction")
        {
            return Ok(());
        }
        let Some(best) = largest_window(&d, &wish)? else { return Ok(()) };
        let mut options = HistoryOptions::default();
        options.format = Some(d.format);
        options.request = Some(&d.request);
        let history = History::parse(&d.text, &options).map_err(|e| e.to_string())?;
        match wish.ask(&history) {
            Ok(CutAnswer::Cut(cut)) if cut.index <= best && cut.reduced.is_empty() => Ok(()),
            Ok(CutAnswer::Nothing(reason)) if reason.name() == "fits" => Ok(()),
            answer => Err(format!("{best} is possible\n  {} {}\n  {wish:?}\n  {answer:?}", d.format, d.text)),
        }
    });
}
