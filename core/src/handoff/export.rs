//! Work that goes on in another session: what was reached, what is next, what works, and the ledger, as files.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::wording;
use crate::error::{Error, ErrorKind};
use crate::ledger::Ledger;
use crate::memory::is_date;
use crate::shown;
use crate::state::{Object, offset_of};

/// Something that is to work in the end, and whether it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// What is to work.
    pub name: String,
    /// Whether it does.
    pub passes: bool,
}

/// A file for the next session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionFile {
    /// `progress.md`, `features.json` or `ledger.json`.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The three files that a session leaves for the next one: `progress.md` to be read, `features.json`
/// ([`read_features`]) and `ledger.json` ([`Ledger::from_json`]) to be loaded. What is done and next are one line each,
/// and no text in them makes a heading.
///
/// # Errors
/// [`InvalidOption`](ErrorKind::InvalidOption) for a `date` that is none (`YYYY-MM-DD`).
pub fn session_files(
    date: &str,
    goal: &str,
    done: &[&str],
    next: &[&str],
    features: &[Feature],
    ledger: &Ledger,
) -> Result<Vec<SessionFile>, Error> {
    if !is_date(date) {
        let shown = crate::wording::quoted_part(date);
        return Err(Error::option("date", alloc::format!("\"{shown}\" is no date: YYYY-MM-DD")));
    }
    let mut progress = wording::progress(date);
    section(&mut progress, wording::GOAL, core::iter::once(("- ", goal)));
    section(&mut progress, wording::DONE, done.iter().map(|text| ("- ", *text)));
    section(&mut progress, wording::NEXT, next.iter().map(|text| ("- ", *text)));
    let marked = features.iter().map(|f| (if f.passes { "- [x] " } else { "- [ ] " }, f.name.as_str()));
    section(&mut progress, wording::FEATURES, marked);
    progress.push('\n');
    progress.push_str(ledger.render(None)?.text());
    progress.push('\n');
    let file = |name: &str, text| SessionFile { name: name.into(), text };
    let list = crate::state::written(features);
    Ok(Vec::from([file("progress.md", progress), file("features.json", list), file("ledger.json", ledger.to_json())]))
}

fn section<'a>(out: &mut String, heading: &str, lines: impl Iterator<Item = (&'static str, &'a str)>) {
    out.push_str(heading);
    let before = out.len();
    for (mark, text) in lines.filter(|(_, text)| !shown::is_blank(text)) {
        out.push_str(mark);
        shown::push_quoted(text, out);
        out.push('\n');
    }
    if out.len() == before {
        out.push_str(wording::NONE);
    }
}

/// Reads a `features.json`.
///
/// # Errors
/// [`InvalidState`](ErrorKind::InvalidState) with the `offset` where it is none.
pub fn read_features(text: &str) -> Result<Vec<Feature>, Error> {
    let list: Vec<Object<Feature>> = serde_json::from_str(text).map_err(|e| {
        let offset = offset_of(text, &e);
        Error::new(ErrorKind::InvalidState, alloc::format!("not a list of features: wrong at byte {offset}")).at(offset)
    })?;
    Ok(list.into_iter().map(|Object(feature)| feature).collect())
}
