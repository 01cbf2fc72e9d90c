//! The laws of checking histories, over generated ones of every format. `PROPTEST_CASES` and `HAVERSACK_SEED` as in
//! `src/hold.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use haversack_tests::histories::{self, HistoryCase};
use haversack_tests::histories_laws as laws;
use haversack_tests::hold;

fn over_histories(name: &str, law: fn(&HistoryCase) -> Result<(), String>) {
    hold(name, 0..400, |u| histories::history(u).map_or(Ok(()), |case| law(&case)));
}

#[test]
fn agrees_with_the_oracle() {
    over_histories("oracle", laws::agrees_with_oracle);
}

#[test]
fn clean_histories_are_clean() {
    over_histories("clean", laws::clean_is_clean);
}

#[test]
fn places_are_true() {
    over_histories("places", laws::places_are_true);
}

#[test]
fn steps_are_all_messages() {
    over_histories("steps", laws::steps_are_all);
}

#[test]
fn formats_are_told() {
    over_histories("formats", laws::format_is_told);
}

/// Thousands of blocks, ids of a megabyte: everything that can be asked of a history is answered. That it takes work
/// in proportion is counted by `linear.sh`.
#[test]
fn hostile_histories_are_answered() {
    use haversack::history::{CutOptions, KeepAtMost, RepairOptions};
    use haversack::{Budget, History, HistoryOptions, WireFormat};
    use haversack_tests::histories::{Block, Speaker, Turn, written};

    const MANY: usize = 5_000;
    let call = |id: String| Block::Call { id, name: "f".into() };
    let result = |id: String| Block::Result { id, name: "f".into(), text: "r".into(), error: false };
    let ask = Turn { speaker: Speaker::User, blocks: vec![Block::Text("hi".into())] };
    let turn = |speaker, blocks| Turn { speaker, blocks };
    let ids = || (0..MANY).map(|i| format!("c{i}"));
    let long = "x".repeat(1 << 20);
    let step = |ids: &[String]| {
        let (calls, results) = (ids.iter().cloned().map(call), ids.iter().cloned().map(result));
        vec![ask.clone(), turn(Speaker::Assistant, calls.collect()), turn(Speaker::User, results.collect())]
    };
    let all: Vec<String> = ids().collect();
    let open = vec![ask.clone(), turn(Speaker::Assistant, all.iter().cloned().map(call).collect()), ask.clone()];
    let orphans = vec![turn(Speaker::User, all.iter().cloned().map(result).collect()), ask.clone()];
    let repeated = vec![
        ask.clone(),
        turn(Speaker::Assistant, vec![call("c".into())]),
        turn(Speaker::User, (0..MANY).map(|_| result("c".into())).collect()),
    ];
    let same = vec!["c".to_owned(); MANY];
    let far: Vec<Turn> = (0..MANY / 2)
        .map(|i| turn(Speaker::Assistant, vec![call(format!("c{i}"))]))
        .chain((0..MANY / 2).flat_map(|i| [ask.clone(), turn(Speaker::User, vec![result(format!("c{i}"))])]))
        .collect();
    let thoughts = vec![ask.clone(), turn(Speaker::Assistant, (0..MANY).map(Block::Thinking).collect()), ask.clone()];
    let systems: Vec<Turn> =
        (0..MANY).map(|_| turn(Speaker::System, vec![Block::Text("s".into())])).chain([ask.clone()]).collect();
    let cases: [(&str, Vec<Turn>); 9] = [
        ("a step of many calls", step(&all)),
        ("calls of one id", step(&same)),
        ("an id of a megabyte", step(&[long.clone(), long])),
        ("open calls", open),
        ("orphans", orphans),
        ("results of one call", repeated),
        ("results far away", far),
        ("thoughts", thoughts),
        ("system messages", systems),
    ];
    for (name, turns) in cases {
        for &format in WireFormat::ALL {
            let text = serde_json::Value::Array(written(format, &turns, false)).to_string();
            let mut options = HistoryOptions::default();
            options.format = Some(format);
            let history = History::parse(&text, &options).unwrap();
            let steps = history.steps();
            assert_eq!(steps.last().map_or(0, |step| step.to), history.len(), "{name} {format}");
            let found = history.violations(true);
            assert!(found.iter().all(|v| v.message.len() < 400), "{name} {format}");
            for keep in [KeepAtMost::Messages(4), KeepAtMost::Size(Budget::chars(text.len() / 9))] {
                let answer = history.cut(keep, &CutOptions::default());
                assert!(answer.as_ref().map_or_else(|e| e.needed().is_some(), |_| true), "{name} {format}: {answer:?}");
            }
            let fixed = history.repair_text(&history.repair(&RepairOptions::default()).unwrap());
            let left = History::parse(&fixed, &options).unwrap().violations(false);
            // What is too many for one message stays so.
            assert!(left.iter().all(|v| v.kind.name().starts_with("too_many")), "{name} {format}: {left:?}");
        }
    }
}
