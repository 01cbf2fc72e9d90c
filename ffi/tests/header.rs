//! Header, crate and library agree: what the header declares is what the crate defines and what the library exports.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]
#![cfg(not(miri))]
#![allow(clippy::expect_used, clippy::std_instead_of_alloc, clippy::items_after_statements)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use haversack::ErrorKind;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn header() -> String {
    std::fs::read_to_string(root().join("include/haversack.h")).unwrap()
}

/// Enumerators and macros with their numbers, as the header writes them.
fn number_of(header: &str, name: &str) -> Option<u32> {
    header.lines().find_map(|line| {
        let line = line.trim().strip_prefix("#define ").unwrap_or(line.trim());
        let rest = line.strip_prefix(name)?.strip_prefix(' ')?;
        rest.trim_start_matches("= ").trim_end_matches(',').parse().ok()
    })
}

/// Names of functions: what stands before `(` at the start of a declaration.
fn declared(header: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in header.lines() {
        let at_margin = line.starts_with(|c: char| c.is_ascii_alphabetic());
        let Some((before, _)) = line.split_once('(') else { continue };
        let name = before.rsplit([' ', '*']).next().unwrap_or_default();
        if at_margin && name.starts_with("haversack_") && !line.starts_with("typedef") {
            names.insert(name.to_owned());
        }
    }
    names
}

#[test]
fn the_committed_header_is_what_cbindgen_writes() {
    let status = Command::new(root().join("ffi/header.sh")).arg("--check").status().unwrap();
    match status.code() {
        Some(0) => {}
        Some(77) => println!("NOT CHECKED: the pinned cbindgen is missing (see ffi/header.sh)"),
        _ => panic!("include/haversack.h is stale: run ffi/header.sh"),
    }
}

#[test]
fn the_header_numbers_every_error_kind() {
    let header = header();
    for kind in ErrorKind::ALL {
        let name = format!("HAVERSACK_{}", kind.name().to_uppercase());
        assert_eq!(number_of(&header, &name), Some(kind.code()), "{name}");
    }
    assert_eq!(number_of(&header, "HAVERSACK_OK"), Some(0));
}

#[test]
fn the_header_names_every_choice() {
    use haversack::{Ansi, Envelope, Format, Keep, NoticePlace, OnInvalid, Oversize, Share, SourceState};
    let header = header();
    // (prefix, names, number of the first)
    let choices: [(&str, Vec<&str>, u32); 10] = [
        ("FLAVOUR", haversack::readback::Flavour::ALL.iter().map(|v| v.name()).collect(), 1),
        ("FORMAT", Format::ALL.iter().map(|v| v.name()).collect(), 1),
        ("SHARE", Share::ALL.iter().map(|v| v.name()).collect(), 0),
        ("KEEP", Keep::ALL.iter().map(|v| v.name()).collect(), 1),
        ("OVERSIZE", Oversize::ALL.iter().map(|v| v.name()).collect(), 0),
        ("ENVELOPE", Envelope::ALL.iter().map(|v| v.name()).collect(), 0),
        ("ON_INVALID", OnInvalid::ALL.iter().map(|v| v.name()).collect(), 0),
        ("ANSI", Ansi::ALL.iter().map(|v| v.name()).collect(), 0),
        ("SOURCE", SourceState::ALL.iter().map(|v| v.name()).collect(), 1),
        ("NOTICE", NoticePlace::ALL.iter().map(|v| v.name()).collect(), 0),
    ];
    for (prefix, names, first) in choices {
        for (number, name) in (first..).zip(names) {
            let name = format!("HAVERSACK_{prefix}_{}", name.to_uppercase());
            assert_eq!(number_of(&header, &name), Some(number), "{name}");
        }
    }
}

#[test]
fn the_version_macros_are_those_of_the_crate() {
    let header = header();
    let part = |name: &str| number_of(&header, &format!("HAVERSACK_VERSION_{name}")).unwrap();
    let version = format!("{}.{}.{}", part("MAJOR"), part("MINOR"), part("PATCH"));
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert!(header.contains("#define HAVERSACK_VERSION_NUMBER (((HAVERSACK_VERSION_MAJOR * 1000000)"));
    assert_eq!(number_of(&header, "HAVERSACK_ABI_VERSION"), Some(haversack_ffi::HAVERSACK_ABI_VERSION));
}

#[cfg(target_os = "linux")]
#[test]
fn the_library_exports_what_the_header_declares_and_nothing_else() {
    // Beside this test: target/<profile>/deps.
    let deps = std::env::current_exe().unwrap();
    let deps = deps.parent().unwrap();
    let library = [deps.to_owned(), deps.join("..")].map(|folder| folder.join("libhaversack_ffi.so"));
    let library = library.iter().find(|path| path.exists()).expect("cargo test builds the shared library");
    let nm = Command::new("nm").args(["-D", "--defined-only", "--format=just-symbols"]).arg(library).output();
    let Ok(nm) = nm else {
        println!("NOT CHECKED: nm (binutils) is missing");
        return;
    };
    assert!(nm.status.success());
    let mut exported: BTreeSet<String> = String::from_utf8(nm.stdout).unwrap().lines().map(str::to_owned).collect();
    if cfg!(feature = "testing") {
        assert!(exported.remove("haversack_testing_panic"), "the feature `testing` exports its function");
    }
    assert_eq!(exported, declared(&header()));
}
