//! The proof of haversack: shared vectors, a slow and obvious oracle, the laws, and generators that live on the edges.
//!
//! Nothing here shares code with the library: the oracle was written from the contract, so that a mistake cannot
//! confirm itself. The same functions serve the property tests (`laws.rs`), the fuzz targets (`fuzz/`), the vectors and
//! the corpus.

pub mod cache_facts;
pub mod cache_vectors;
pub mod caches;
pub mod corpus;
pub mod cuts;
pub mod dialogues;
pub mod experiments;
pub mod facts;
pub mod generate;
pub mod handoffs;
pub mod histories;
pub mod histories_laws;
pub mod history_vectors;
pub mod hold;
pub mod laws;
pub mod layouts;
pub mod ledgers;
pub mod memories;
pub mod oracle;
pub mod prompt_vectors;
pub mod prompts;
pub mod recordings;
pub mod repair_laws;
pub mod spec;
pub mod state_vectors;
pub mod strings;
pub mod tallies;
pub mod tiers_law;
pub mod transcripts_law;
pub mod vectors;

pub mod words;

pub use corpus::corpus;
pub use hold::hold;
pub use spec::Spec;
pub use words::Words;

use arbitrary::{Arbitrary, Unstructured};
use haversack::WireFormat;

use generate::{Case, JsonCase, OptionCase, ShellCase, TextCase};

/// Runs the bytes of a fuzz target: the first byte chooses the kind of case, the rest draws it.
///
/// # Errors
/// What the law of that target says.
///
/// # Panics
/// When there is no such target.
pub fn replay(target: &str, bytes: &[u8]) -> Result<(), String> {
    let (kind, bytes) = bytes.split_first().map_or((0, bytes), |(k, rest)| (*k, rest));
    let mut u = Unstructured::new(bytes);
    match target {
        "l8_repair" | "l9_identity" => {
            let Ok(case) = histories::history(&mut u) else { return Ok(()) };
            return match target {
                "l8_repair" => repair_laws::l8_repair(&case).and_then(|()| repair_laws::nothing_is_lost(&case)),
                _ => repair_laws::l9_identity(&case),
            };
        }
        "cache" => {
            // A body as it is, or a pair that is drawn.
            if kind >= 128 {
                let format = WireFormat::ALL[usize::from(kind) % WireFormat::ALL.len()];
                return caches::any_body(format, bytes);
            }
            let Ok(pair) = caches::Pair::arbitrary(&mut u) else { return Ok(()) };
            return caches::predicted_as_simulated(&pair).and_then(|()| caches::marks_hold(&pair));
        }
        "frozen" => {
            let Ok(run) = caches::Updates::arbitrary(&mut u) else { return Ok(()) };
            return caches::frozen_holds(&run);
        }
        "ledger" => {
            let Ok(run) = ledgers::Run::arbitrary(&mut u) else { return Ok(()) };
            return ledgers::nothing_forges(&run).and_then(|()| ledgers::ledger_holds(&run));
        }
        "memory" => return memories::Run::arbitrary(&mut u).map_or(Ok(()), |run| memories::memory_holds(&run)),
        "handoff" => {
            return handoffs::Returned::arbitrary(&mut u).map_or(Ok(()), |returned| handoffs::handoff_holds(&returned));
        }
        "transcript" => {
            let Ok(written) = transcripts_law::Written::arbitrary(&mut u) else { return Ok(()) };
            return transcripts_law::transcript_holds(&written);
        }
        "tiers" => return tiers_law::tiered(&mut u).map_or(Ok(()), |case| tiers_law::tiers_hold(&case)),
        "tally" => return tallies::Chain::arbitrary(&mut u).map_or(Ok(()), |chain| tallies::books_close(&chain)),
        "l8_cut" => {
            return dialogues::dialogue(&mut u, usize::from(kind % 32)).map_or(Ok(()), |d| cuts::l8_cut(&d));
        }
        "l10_pins" => {
            let Ok((d, wish)) = dialogues::wished(&mut u, usize::from(kind % 32)) else { return Ok(()) };
            return cuts::cut_keeps(&d, &wish).map(drop);
        }
        "l11_requests" => return prompts::l11_requests(&mut u),
        "l12_compare" => return prompts::pair(&mut u).map_or(Ok(()), |pair| prompts::l12_compare(&pair)),
        "l21_snapshot" => {
            return prompts::pair(&mut u).map_or(Ok(()), |pair| prompts::l21_snapshot(&pair, usize::from(kind) * 31));
        }
        "canonical" => return core::str::from_utf8(bytes).map_or(Ok(()), prompts::canonical_json),
        // These take the bytes as they are, so that dictionaries and real files can be their seeds.
        "json_check" => return laws::json_check(bytes),
        "raw" => {
            // The budget is drawn from the first byte.
            let spec = Spec::new(haversack::Unit::Chars, usize::from(kind) * usize::from(kind));
            return laws::all(bytes, &spec);
        }
        "cursor" => {
            let OptionCase(mut case) = match OptionCase::arbitrary(&mut u) {
                Ok(case) => case,
                Err(_) => return Ok(()),
            };
            let rest = String::from_utf8_lossy(u.take_rest()).into_owned();
            case.spec.cursor = Some(match generate::cursor(&mut Unstructured::new(rest.as_bytes())) {
                Ok(cursor) if kind % 2 == 0 => cursor,
                _ => rest,
            });
            return laws::cursors(&case.payload, &case.spec);
        }
        _ => {}
    }
    let case = match (target, kind % 4) {
        ("csv", _) => generate::csv(&mut u).and_then(|t| text_case(&mut u, t)),
        ("lines", _) => generate::lines(&mut u).and_then(|t| text_case(&mut u, t)),
        ("ndjson", _) => generate::ndjson(&mut u).and_then(|t| text_case(&mut u, t)),
        (_, 0) if kind >= 128 => ShellCase::arbitrary(&mut u).map(|c| c.0),
        (_, 0) => JsonCase::arbitrary(&mut u).map(|c| c.0),
        (_, 1) => OptionCase::arbitrary(&mut u).map(|c| c.0),
        (_, 2) => TextCase::arbitrary(&mut u).map(|c| c.0),
        _ => Case::arbitrary(&mut u),
    };
    let Ok(case) = case else { return Ok(()) };
    if matches!(target, "csv" | "lines" | "ndjson") {
        return laws::all(&case.payload, &case.spec);
    }
    let (_, law) = laws::ALL.iter().find(|(name, _)| *name == target).unwrap_or_else(|| panic!("no target {target}"));
    law(&case.payload, &case.spec)
}

fn text_case(u: &mut Unstructured<'_>, text: String) -> arbitrary::Result<Case> {
    let spec = generate::spec(u, text.as_bytes())?;
    Ok(Case { payload: text.into_bytes(), spec })
}
