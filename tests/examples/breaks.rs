//! Prints experiment E6, pairs of consecutive prompts with known mutations: `cargo run --release -p haversack-tests
//! --example breaks [COUNT] [SEED]`.
//!
//! 100,000 pairs unless told: three of four of explicit pieces with one or two mutations, the others requests of the
//! five formats with one. Ends with status 1 when a row is not perfect.
#![allow(clippy::print_stdout, clippy::std_instead_of_alloc, clippy::expect_used)]

use std::collections::BTreeMap;
use std::process::ExitCode;

use arbitrary::Unstructured;
use haversack::prompt::Comparison;
use haversack_tests::prompts::{
    Mutation, Pair, Wanted, compared_pieces, compared_requests, pair, request_pair, wanted,
};

/// What became of the pairs with one kind of mutation.
#[derive(Default)]
struct Row {
    pairs: u64,
    /// Those that break the cache, by what was said of them.
    breaks: u64,
    piece: u64,
    cause: u64,
    byte: u64,
    missed: u64,
    /// Of those that do not.
    false_alarms: u64,
}

impl Row {
    fn add(&mut self, wanted: &Wanted, got: &Comparison) {
        self.pairs += 1;
        if wanted.verdict.is_calm() {
            self.false_alarms += u64::from(!got.verdict.is_calm() || got.lost_bytes > 0);
            return;
        }
        self.breaks += 1;
        self.missed += u64::from(got.verdict.is_calm());
        self.piece += u64::from(got.piece.as_ref().is_some_and(|piece| wanted.pieces.contains(piece)));
        self.cause += u64::from(got.cause == wanted.cause);
        self.byte += u64::from(wanted.byte.is_none() || got.at_byte == wanted.byte);
    }

    fn sum(&mut self, other: &Row) {
        self.pairs += other.pairs;
        self.breaks += other.breaks;
        self.piece += other.piece;
        self.cause += other.cause;
        self.byte += other.byte;
        self.missed += other.missed;
        self.false_alarms += other.false_alarms;
    }

    fn is_perfect(&self) -> bool {
        let right = [self.piece, self.cause, self.byte].iter().all(|right| *right == self.breaks);
        right && self.missed == 0 && self.false_alarms == 0
    }

    /// `told` of the three can be told at all: the piece, the cause, the byte.
    fn print(&self, name: &str, told: usize) {
        let share = |right: u64| if self.breaks == 0 { "-".into() } else { percent(right, self.breaks) };
        let missed = if self.breaks == 0 { "-".into() } else { self.missed.to_string() };
        let calm = self.pairs - self.breaks;
        let alarms = if calm == 0 { "-".into() } else { format!("{} of {calm}", self.false_alarms) };
        let [piece, cause, byte] = [(self.piece, 0), (self.cause, 1), (self.byte, 2)]
            .map(|(right, place)| if place < told { share(right) } else { "-".into() });
        println!("{name:<40}{:>8}{piece:>13}{cause:>11}{byte:>11}{missed:>8}{alarms:>16}", self.pairs);
    }
}

/// What two simpler ways say of the pairs of explicit pieces.
#[derive(Default)]
struct Simple {
    /// Fingerprints compared index by index; new ones at the end are expected.
    by_index: Row,
    /// One hash over the whole prompt: it names no piece.
    whole: Row,
}

impl Simple {
    fn add(&mut self, pair: &Pair, wanted: &Wanted) {
        let (old, new) = (&pair.before, &pair.after);
        let first = old.iter().zip(new).position(|(x, y)| x.1 != y.1);
        let named = first.and_then(|at| new.get(at)).map(|row| &row.0);
        let texts = |rows: &[haversack_tests::prompts::Row]| rows.iter().map(|row| row.1.clone()).collect::<Vec<_>>();
        for (row, broke, named) in
            [(&mut self.by_index, first.is_some(), named), (&mut self.whole, texts(old) != texts(new), None)]
        {
            row.pairs += 1;
            if wanted.verdict.is_calm() {
                row.false_alarms += u64::from(broke);
            } else {
                row.breaks += 1;
                row.missed += u64::from(!broke);
                row.piece += u64::from(named.is_some_and(|name| wanted.pieces.contains(name)));
            }
        }
    }
}

/// Rounded down, so that 100 means all of them.
fn percent(part: u64, whole: u64) -> String {
    let share = part * 10_000 / whole;
    format!("{}.{:02} %", share / 100, share % 100)
}

fn name(mutation: &Mutation) -> &'static str {
    match mutation {
        Mutation::None => "none",
        Mutation::Append => "append",
        Mutation::Shorten(_) => "shorten",
        Mutation::Edit(_) => "edit",
        Mutation::Truncate(_) => "truncate",
        Mutation::Insert(_) => "insert",
        Mutation::Remove(_) => "remove",
        Mutation::Swap(..) => "swap",
        Mutation::Rename(_) => "rename",
        Mutation::Names(..) => "names swapped",
        Mutation::Keys(_) => "reserialise",
        Mutation::Clock(_) => "timestamp",
    }
}

fn label(pair: &Pair) -> String {
    match &*pair.mutations {
        [one] => name(one).into(),
        [one, ..] => format!("{}, and another", name(one)),
        [] => String::new(),
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(100_000);
    let seed = arguments.next().unwrap_or(1);
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let (mut pieces, mut requests): (BTreeMap<String, Row>, BTreeMap<String, Row>) = Default::default();
    let (mut drawn, mut simple) = (0, Simple::default());
    while drawn < count {
        let bytes: Vec<u8> = (0..2_000).map(|_| next() as u8).collect();
        let u = &mut Unstructured::new(&bytes);
        if drawn % 4 == 3 {
            let Ok(pair) = request_pair(u) else { continue };
            let got = compared_requests(&pair).expect("requests");
            requests.entry(format!("request: {}", pair.mutation)).or_default().add(&pair.wanted, &got);
        } else {
            let Ok(pair) = pair(u) else { continue };
            let got = compared_pieces(&pair).expect("pieces");
            pieces.entry(label(&pair)).or_default().add(&wanted(&pair), &got);
            simple.add(&pair, &wanted(&pair));
        }
        drawn += 1;
    }
    println!("{count} pairs of consecutive prompts, seed {seed}\n");
    println!(
        "{:<40}{:>8}{:>13}{:>11}{:>11}{:>8}{:>16}",
        "mutation", "pairs", "first piece", "cause", "byte", "missed", "false alarms"
    );
    let mut all = Row::default();
    for (name, row) in pieces.iter().chain(&requests) {
        row.print(name, 3);
        all.sum(row);
    }
    all.print("all", 3);
    println!("\nThe pairs of explicit pieces by simpler means:");
    simple.by_index.print("fingerprints, index by index", 1);
    simple.whole.print("one hash over the whole prompt", 0);
    if all.is_perfect() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
