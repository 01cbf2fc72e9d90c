//! Measures the error band of the estimate again, over real texts. Counts, not times.
//!
//! The texts are other people's and no part of this repository (CONTRIBUTING.md): without them the test is skipped, and
//! says so.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]
#![cfg(feature = "tokens")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use haversack::TokenCounter;
use haversack::measure::{BANDS, Encoding, Estimate};

/// Files shorter than this are not measured: a few tokens more or less are no percentage.
const SHORTEST: usize = 2_000;
/// Only the start of longer files is measured.
const LONGEST: usize = 200_000;

#[test]
fn the_published_band_holds() {
    let Some(corpus) = corpus() else {
        // Past the capture of the test runner, which would swallow it; `tests/all.py` counts this line.
        let line = b"\nSKIPPED TEST the_published_band_holds: no corpus of real data at hand; NOTHING WAS CHECKED\n";
        std::io::stderr().write_all(line).unwrap();
        return;
    };
    let mut percents: BTreeMap<(&str, &str), Vec<(usize, String)>> = BTreeMap::new();
    for band in BANDS {
        for (name, text) in texts(&corpus, band.class) {
            let estimate = Estimate.count(&text).unwrap();
            for encoding in Encoding::ALL {
                let exact = encoding.count(&text).unwrap();
                let list = percents.entry((band.class, encoding.name())).or_default();
                list.push((estimate * 100 / exact, name.clone()));
            }
        }
    }
    let mut wrong = Vec::new();
    for band in BANDS {
        for (name, (low, high)) in [("o200k_base", band.o200k_base), ("cl100k_base", band.cl100k_base)] {
            let list = percents.get_mut(&(band.class, name)).expect("the corpus has every class");
            list.sort();
            let (first, last) = (&list[0], &list[list.len() - 1]);
            let median = list[list.len() / 2].0;
            println!("{:30} {name:12} {:4} files: {:3} .. {median:3} .. {:3}", band.class, list.len(), first.0, last.0);
            if first.0 < usize::from(low) || last.0 > usize::from(high) {
                wrong
                    .push(format!("{} {name}: {low}..{high} is published, {first:?} .. {last:?} measured", band.class));
            }
            // A band that is far wider than what it holds would be no statement.
            if usize::from(low) + 5 < first.0 || usize::from(high) > last.0 + 5 {
                wrong.push(format!("{} {name}: {low}..{high} is wider than {} .. {}", band.class, first.0, last.0));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// As `haversack_tests::corpus` finds it, on which this crate cannot depend.
fn corpus() -> Option<PathBuf> {
    let Some(given) = std::env::var_os("HAVERSACK_CORPUS") else {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        return here.ancestors().map(|above| above.join("shared/corpus")).find(|place| place.is_dir());
    };
    (!given.is_empty()).then(|| given.into())
}

/// The texts of a class, with their names.
fn texts(corpus: &Path, class: &str) -> Vec<(String, String)> {
    match class.split_once('/') {
        Some(("translations", language)) => translations(corpus, language),
        _ => files(&corpus.join(class)),
    }
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let read = |path: &PathBuf| Some((path.display().to_string(), std::fs::read_to_string(path).ok()?));
    paths
        .iter()
        .filter_map(read)
        .map(|(name, text)| (name, start(&text).to_owned()))
        .filter(|(_, text)| text.len() >= SHORTEST)
        .collect()
}

/// At most [`LONGEST`] bytes, cut at a scalar value.
fn start(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The sentences of one language in a file of translations, a hundred to a text.
fn translations(corpus: &Path, language: &str) -> Vec<(String, String)> {
    let path = corpus.join("tool-outputs/json/OpenHands-i18n-translation.json");
    let all: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let sentences: Vec<&str> = all.as_object().unwrap().values().filter_map(|v| v[language].as_str()).collect();
    sentences.chunks_exact(100).enumerate().map(|(i, part)| (format!("{language} {i}"), part.join("\n"))).collect()
}
