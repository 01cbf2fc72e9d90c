//! Real data: tool outputs, recorded requests, cases of histories. It is other people's and no part of this repository,
//! so a test that needs it asks here, and where it is not at hand says so in a way that `tests/all.py` counts as
//! skipped.
//!
//! The folder is `HAVERSACK_CORPUS`, or `shared/corpus` beside one of the folders above; an empty `HAVERSACK_CORPUS` is
//! none.
//! `CONTRIBUTING.md` tells what is in it.

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder, or `None` after a line that says that `test` was skipped.
///
/// # Panics
/// When `HAVERSACK_CORPUS` names something else than a folder.
pub fn corpus(test: &str) -> Option<PathBuf> {
    let found = match env::var_os("HAVERSACK_CORPUS") {
        Some(given) if given.is_empty() => None,
        Some(given) => Some(PathBuf::from(given)),
        None => {
            let here = Path::new(env!("CARGO_MANIFEST_DIR"));
            here.ancestors().map(|above| above.join("shared/corpus")).find(|place| place.is_dir())
        }
    };
    if let Some(place) = &found {
        assert!(place.is_dir(), "HAVERSACK_CORPUS: no folder at {}", place.display());
    } else {
        skipped(test, "no corpus of real data at hand");
    }
    found
}

/// Says that a test checked nothing: past the capture of the test runner, which would swallow it, and as a line of its
/// own, since `tests/all.py` counts these lines.
pub fn skipped(test: &str, why: &str) {
    let line = format!("\nSKIPPED TEST {test}: {why}; NOTHING WAS CHECKED\n");
    // A test that cannot even say so has still not failed.
    let _ = std::io::stderr().write_all(line.as_bytes());
}
