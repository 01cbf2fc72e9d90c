//! Replays what the fuzzer once found: every file of `fuzz/regressions/TARGET/` against the law of that target.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::fs;
use std::path::Path;

use haversack_tests::laws;
use haversack_tests::replay;

#[test]
fn what_was_found_once_stays_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions");
    let mut count = 0;
    for target in fs::read_dir(&folder).expect("fuzz/regressions").flatten().filter(|e| e.path().is_dir()) {
        let name = target.file_name().to_string_lossy().into_owned();
        for file in fs::read_dir(target.path()).expect("a folder").flatten() {
            let bytes = fs::read(file.path()).expect("a file");
            if let Err(e) = replay(&name, &bytes) {
                panic!("{}: {e}", file.path().display());
            }
            count += 1;
        }
    }
    println!("{count} regressions replayed over {} laws", laws::ALL.len());
}
