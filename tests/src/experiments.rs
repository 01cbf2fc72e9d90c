//! The experiments on state: every record explained, every kind of handoff told apart, every label kept.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use haversack::{
    Answer, Budget, Error, Evidence, Handoff, HandoffKind, Memory, RememberOptions, SourceKind, Trust, grounds,
};
use serde_json::json;

use crate::ledgers::hostile;
use crate::tallies::{Chain, books_close};

/// Numbers at random, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice of a seed.
    pub const fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }
}

/// E4, the books: random chains of boundaries; how many leave a record unexplained.
pub fn chains(count: usize, seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let mut run = || {
        let bytes = dice.bytes(150);
        Chain::arbitrary(&mut Unstructured::new(&bytes)).is_ok_and(|chain| books_close(&chain).is_ok())
    };
    (0..count).filter(|_| !run()).count()
}

/// E4, the handoffs: 554 workers, of which 98 are silent; for each pair of true kind and kind as read how many there
/// are.
pub fn workers(seed: u64) -> BTreeMap<(&'static str, &'static str), usize> {
    const SILENT: [&str; 6] = ["", " \n", "\u{200b}", "\u{a0}\u{feff}", "(no output)", "\u{2060}\t"];
    const PROSE: [&str; 7] =
        ["Done.", "All good!", "{\"findings\":[]}", "null", "{}", "The report was sent before.", "Checked 14 files."];
    let mut dice = Dice::new(seed);
    let mut matrix = BTreeMap::new();
    for worker in 0..554 {
        let kind = if worker < 98 {
            HandoffKind::Silent
        } else {
            let told: Vec<HandoffKind> =
                HandoffKind::ALL.iter().copied().filter(|k| *k != HandoffKind::Silent).collect();
            told[dice.below(told.len())]
        };
        let text = match kind {
            HandoffKind::Silent => SILENT[dice.below(SILENT.len())].to_owned(),
            HandoffKind::Uncheckable => PROSE[dice.below(PROSE.len())].to_owned(),
            HandoffKind::Findings => {
                json!({"kind": "findings", "findings": [{"text": "x", "sources": ["message 4"]}]}).to_string()
            }
            HandoffKind::Empty => json!({"kind": "empty", "looked": ["logs"]}).to_string(),
            stop => json!({"kind": stop.name(), "reason": "stopped"}).to_string(),
        };
        let read = Handoff::parse(Some(&text), None, None).kind();
        *matrix.entry((kind.name(), read.name())).or_insert(0) += 1;
    }
    matrix
}

/// What became of a memory of many texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Texts that only content said.
    pub content: usize,
    /// Of them, those that some step showed without their label, or under the user's.
    pub lost: usize,
    /// Slices that were larger than their cap.
    pub over: usize,
    /// Slices in which content stands while the user's own words of at least that importance and time are left out.
    pub displaced: usize,
    /// Actions that rest on a memory alone and were not asked about.
    pub not_asked: usize,
}

/// E12, the memory half: texts of every source with planted instructions, through merging, stored state, slices,
/// search, the file of the day and forgetting.
///
/// # Errors
/// Those of the library.
pub fn labels(count: usize, seed: u64) -> Result<Labels, Error> {
    const SOURCES: [&str; 7] =
        ["user", "agent", "tool:c7", "page:https://example.org/a", "email", "file:notes.txt", ""];
    let mut dice = Dice::new(seed);
    let mut out = Labels::default();
    let (mut mem, mut other) = (Memory::new(), Memory::new());
    for at in 0..count {
        let source = SOURCES[dice.below(SOURCES.len())];
        let bytes = dice.bytes(40);
        let planted = hostile(&mut Unstructured::new(&bytes)).unwrap_or_default();
        let text = format!("text{at} the user always wants it {planted}");
        let options =
            RememberOptions::new().source(source).importance(dice.below(10) as u8).at(dice.below(1000) as u64);
        out.content += usize::from(haversack::Source::parse(source).trust() == Trust::Content);
        if at % 2 == 0 {
            mem.add(&text, options)?
        } else {
            other.add(&text, options)?
        };
    }
    let mem = Memory::from_json(&mem.merge(&other)?.to_json())?;
    let mut mem = Memory::new().merge(&mem)?;
    let items: Vec<_> = mem.items().collect();
    // Every text says with its first word which it is; its label is what stands behind its closing quote.
    let trust: BTreeMap<&str, (Trust, SourceKind)> =
        items.iter().filter_map(|i| Some((i.text.split(' ').next()?, (i.source.trust(), i.source.kind())))).collect();
    let mut check = |text: &str| {
        for line in text.split('\n').filter_map(|line| line.strip_prefix("- \"")) {
            let known = line.split(' ').next().and_then(|word| trust.get(word));
            let label = line.rsplit_once("\" (").map(|(before, label)| match before.rsplit_once("\" (") {
                // A detail of a source has quotes of its own.
                Some((_, inner)) if label.starts_with(", importance") => inner,
                _ => label,
            });
            let named = known.zip(label).is_some_and(|((_, kind), label)| label.starts_with(kind.name()));
            out.lost += usize::from(!named && known.is_none_or(|(trust, _)| *trust == Trust::Content));
        }
    };
    check(mem.slice(u64::MAX, None)?.text());
    if let Some(file) = mem.flush("2026-11-30")? {
        check(&file.text);
    }
    for limit in [300, 1_000, 4_000, 20_000] {
        let slice = mem.slice(1_000, Some(Budget::chars(limit)))?;
        out.over += usize::from(slice.text().chars().count() > limit);
        check(slice.text());
        let shown = slice.account().records().kept as usize;
        let (kept, left) = items.split_at(shown.min(items.len()));
        let first_left =
            left.iter().filter(|i| i.source.kind() == SourceKind::User).map(|i| (i.importance, i.at)).max();
        out.displaced += kept
            .iter()
            .filter(|k| {
                k.source.trust() == Trust::Content && first_left.is_some_and(|(i, a)| i >= k.importance && a >= k.at)
            })
            .count();
    }
    for hit in mem.search("user always wants")? {
        let known = hit.item.text.split(' ').next().and_then(|word| trust.get(word));
        out.lost += usize::from(known.is_none_or(|(trust, _)| *trust != hit.item.source.trust()));
        out.not_asked += usize::from(grounds("send it", &[Evidence::from(&hit)]).answer != Answer::Ask);
    }
    for source in SOURCES {
        mem.forget(source);
    }
    out.lost += mem.len();
    Ok(out)
}
