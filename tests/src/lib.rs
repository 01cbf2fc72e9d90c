//! The proof of haversack: shared vectors, a slow and obvious oracle, the laws, and generators that live on the edges.
//!
//! Nothing here shares code with the library: the oracle was written from the contract, so that a mistake cannot
//! confirm itself. The same functions serve the property tests (`laws.rs`), the fuzz targets (`fuzz/`), the vectors and
//! the corpus.

pub mod facts;
pub mod generate;
pub mod histories;
pub mod histories_laws;
pub mod laws;
pub mod oracle;
pub mod spec;
pub mod vectors;

pub mod words;

pub use spec::Spec;
pub use words::Words;

use arbitrary::{Arbitrary, Unstructured};

use generate::{Case, JsonCase, OptionCase, TextCase};

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
