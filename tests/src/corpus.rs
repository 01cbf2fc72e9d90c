//! Where the corpus is. It is third-party data and not part of this repository: what needs it and does not find it says
//! so and checks nothing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The corpus: where `HAVERSACK_CORPUS` says, else `shared/corpus` beside the repository. Where it is not at hand,
/// `unchecked` says on standard error what was not done: past the capture of the test harness, since a skipped test must
/// not look like a passed one.
pub fn corpus(unchecked: &str) -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os("HAVERSACK_CORPUS") {
        return Some(dir.into());
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = here.ancestors().map(|a| a.join("shared/corpus")).find(|p| p.is_dir());
    if found.is_none() {
        let told = format!("\nSKIPPED: no corpus at hand (../shared/corpus); {unchecked}\n");
        let _ = std::io::stderr().write_all(told.as_bytes());
    }
    found
}
