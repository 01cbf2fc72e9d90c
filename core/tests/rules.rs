//! The rules that the checks of histories name in their comments, and the table of them in `DESIGN.md`: neither has an
//! id that the other lacks.
#![allow(clippy::unwrap_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FORMATS: [&str; 6] = ["OC-R", "OR-R", "AN-R", "AT-R", "GE-R", "BE-R"];

/// Every `OC-R1` or `AN-R12a` in a text.
fn ids(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for prefix in FORMATS {
        for (at, _) in text.match_indices(prefix) {
            let rest = &text[at + prefix.len()..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let letter = rest[digits..].bytes().take_while(u8::is_ascii_lowercase).count();
            if digits > 0 {
                found.insert(text[at..at + prefix.len() + digits + letter].to_owned());
            }
        }
    }
    found
}

fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_rule_has_a_row_and_every_row_a_rule() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut source = String::new();
    sources(&here.join("src"), &mut source);
    let used = ids(&source);
    assert!(used.len() > 50, "{} rules are named in the source", used.len());

    let design = fs::read_to_string(here.join("DESIGN.md")).unwrap();
    let mut rows = BTreeSet::new();
    for line in design.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(id) = cells.get(1).filter(|id| FORMATS.iter().any(|prefix| id.starts_with(prefix))) else { continue };
        assert_eq!(cells.len(), 7, "{id}: id, provider, rule, source, sure");
        assert!(cells[2..5].iter().all(|cell| !cell.is_empty()) && ["H", "M", "L"].contains(&cells[5]), "{line}");
        assert!(rows.insert((*id).to_owned()), "{id} has two rows");
    }
    let (no_row, no_rule) = (used.difference(&rows), rows.difference(&used));
    assert_eq!(used, rows, "without a row: {no_row:?}; without a rule: {no_rule:?}");
}
