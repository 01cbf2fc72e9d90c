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

/// What a header says of an enumeration: its names with their numbers.
fn enumerators(header: &str, of: &str) -> Vec<(String, u32)> {
    let mut lines = header.lines().skip_while(|line| *line != format!("enum {of}"));
    let mut found = Vec::new();
    for line in lines.by_ref().take_while(|line| !line.starts_with('}')) {
        if let Some((name, number)) = line.trim().trim_end_matches(',').split_once(" = ") {
            found.push((name.to_owned(), number.parse().unwrap()));
        }
    }
    found
}

/// Every value of the core's table stands in the header with its number and its name, nothing else does but what 0 is
/// where that is no value, and the library has that name for that number.
macro_rules! agrees {
    ($header:expr, $kind:ty, $in_c:literal, $prefix:literal, zero $zero:expr $(, $name_of:path)?) => {{
        let zero: Option<&str> = $zero;
        let mut wanted: Vec<(String, u32)> = zero.map(|zero| (format!("HAVERSACK_{}_{zero}", $prefix), 0)).into_iter().collect();
        for kind in <$kind>::ALL {
            wanted.push((format!("HAVERSACK_{}_{}", $prefix, constant(kind.name())), kind.code()));
        }
        assert!(wanted.is_sorted_by(|(_, a), (_, b)| a < b), "{wanted:?}");
        assert_eq!(enumerators(&$header, concat!("haversack_", $in_c)), wanted);
        $(
            let name_of = |number| {
                let name = $name_of(number);
                // SAFETY: static text, or absent.
                (!name.ptr.is_null()).then(|| unsafe { core::slice::from_raw_parts(name.ptr.cast::<u8>(), name.len) })
            };
            for kind in <$kind>::ALL {
                assert_eq!(name_of(kind.code()), Some(kind.name().as_bytes()));
            }
            let most = <$kind>::ALL.iter().map(|kind| kind.code()).max().unwrap();
            assert_eq!((name_of(most + 1), name_of(u32::MAX)), (None, None));
            assert!(zero.is_none() || name_of(0).is_none());
        )?
    }};
}

/// A name as its constant has it; two kinds of marks have names of other people's making.
fn constant(name: &str) -> String {
    match name {
        "cachePoint" => "CACHE_POINT".to_owned(),
        "prompt_cache_breakpoint" => "BREAKPOINT".to_owned(),
        _ => name.to_uppercase(),
    }
}

#[test]
fn the_header_names_every_choice() {
    use haversack::history::{MissingResult, OrphanResult};
    use haversack::{Ansi, Envelope, Format, Keep, NoticePlace, OnInvalid, Oversize, Share, SourceState};
    use haversack::{FactKind, OnFull, Origin, Timing};
    let header = header();
    agrees!(header, haversack::readback::Flavour, "flavour", "FLAVOUR", zero None);
    agrees!(header, Format, "format", "FORMAT", zero Some("AUTO"), haversack_ffi::haversack_format_name);
    agrees!(header, Share, "share", "SHARE", zero None);
    agrees!(header, Keep, "keep", "KEEP", zero Some("DEFAULT"));
    agrees!(header, Oversize, "oversize", "OVERSIZE", zero None);
    agrees!(header, Envelope, "envelope", "ENVELOPE", zero None);
    agrees!(header, OnInvalid, "on_invalid", "ON_INVALID", zero None);
    agrees!(header, Ansi, "ansi", "ANSI", zero None);
    agrees!(header, SourceState, "source", "SOURCE", zero Some("UNSTATED"));
    agrees!(header, NoticePlace, "notice", "NOTICE", zero None);
    agrees!(header, MissingResult, "missing_result", "MISSING_RESULT", zero None);
    agrees!(header, OrphanResult, "orphan_result", "ORPHAN_RESULT", zero None);
    agrees!(header, FactKind, "fact_kind", "FACT", zero Some("DEFAULT"), haversack_ffi::haversack_fact_kind_name);
    agrees!(header, Timing, "timing", "TIMING", zero Some("DEFAULT"), haversack_ffi::haversack_timing_name);
    agrees!(header, OnFull, "on_full", "ON_FULL", zero Some("DEFAULT"), haversack_ffi::haversack_on_full_name);
    agrees!(header, Origin, "origin", "ORIGIN", zero None, haversack_ffi::haversack_origin_name);
}

#[test]
fn the_header_names_every_answer() {
    use haversack::history::{Alternation, CutRefusal, NothingToCut, RepairAction, StepKind};
    use haversack::prompt::{CacheReason, Cause, Layer, MarkKind, PieceKind, Verdict, VolatileKind};
    use haversack::{Action, MarkReason, OffloadAction, OffloadReason, Reason, Unit, ViolationKind, WarningKind};
    use haversack::{Answer, GroundsReason, Recorded, Remembered};
    use haversack::{Boundary, DamageKind, HandoffKind, HandoffProblem};
    use haversack_ffi as c;
    let header = header();
    const UNKNOWN: Option<&str> = Some("UNKNOWN");
    agrees!(header, Unit, "unit", "UNIT", zero None, c::haversack_unit_name);
    agrees!(header, Action, "action", "ACTION", zero UNKNOWN, c::haversack_action_name);
    agrees!(header, Reason, "reason", "REASON", zero UNKNOWN, c::haversack_reason_name);
    agrees!(header, WarningKind, "warning_kind", "WARNING", zero UNKNOWN, c::haversack_warning_name);
    agrees!(header, OffloadAction, "offload_action", "OFFLOAD", zero UNKNOWN, c::haversack_offload_action_name);
    agrees!(header, OffloadReason, "offload_reason", "OFFLOAD_REASON", zero UNKNOWN, c::haversack_offload_reason_name);
    agrees!(header, haversack::WireFormat, "wire_format", "WIRE", zero Some("AUTO"), c::haversack_wire_format_name);
    agrees!(header, StepKind, "step_kind", "STEP", zero UNKNOWN, c::haversack_step_name);
    agrees!(header, CutRefusal, "cut_refusal", "CUT_REFUSAL", zero Some("NONE"), c::haversack_cut_refusal_name);
    agrees!(header, ViolationKind, "violation_kind", "VIOLATION", zero None, c::haversack_violation_name);
    agrees!(header, Alternation, "alternation", "ALTERNATION", zero UNKNOWN, c::haversack_alternation_name);
    agrees!(header, NothingToCut, "nothing_to_cut", "NOTHING_TO_CUT", zero Some("NONE"), c::haversack_nothing_to_cut_name);
    agrees!(header, RepairAction, "repair_action", "REPAIR", zero UNKNOWN, c::haversack_repair_action_name);
    agrees!(header, Layer, "layer", "LAYER", zero Some("DEFAULT"), c::haversack_layer_name);
    agrees!(header, PieceKind, "piece_kind", "PIECE", zero Some("DEFAULT"), c::haversack_piece_kind_name);
    agrees!(header, MarkKind, "mark_kind", "MARK", zero UNKNOWN, c::haversack_mark_kind_name);
    agrees!(header, Verdict, "verdict", "VERDICT", zero UNKNOWN, c::haversack_verdict_name);
    agrees!(header, Cause, "cause", "CAUSE", zero Some("NONE"), c::haversack_cause_name);
    agrees!(header, VolatileKind, "volatile_kind", "VOLATILE", zero UNKNOWN, c::haversack_volatile_name);
    agrees!(header, CacheReason, "cache_reason", "CACHE", zero UNKNOWN, c::haversack_cache_reason_name);
    agrees!(header, MarkReason, "mark_reason", "MARK_REASON", zero UNKNOWN, c::haversack_mark_reason_name);
    agrees!(header, HandoffKind, "handoff_kind", "HANDOFF", zero UNKNOWN, c::haversack_handoff_kind_name);
    agrees!(header, HandoffProblem, "handoff_problem", "HANDOFF_PROBLEM", zero Some("NONE"), c::haversack_handoff_problem_name);
    agrees!(header, Boundary, "boundary", "BOUNDARY", zero None, c::haversack_boundary_name);
    agrees!(header, DamageKind, "damage_kind", "DAMAGE", zero UNKNOWN, c::haversack_damage_kind_name);
    agrees!(header, Recorded, "recorded", "RECORDED", zero UNKNOWN, c::haversack_recorded_name);
    agrees!(header, Remembered, "remembered", "REMEMBERED", zero UNKNOWN, c::haversack_remembered_name);
    agrees!(header, Answer, "answer", "ANSWER", zero UNKNOWN, c::haversack_answer_name);
    agrees!(header, GroundsReason, "grounds_reason", "GROUNDS", zero UNKNOWN, c::haversack_grounds_reason_name);
}

/// The numbers that an error of this kind carries, as a text says.
fn carried(says: impl Fn(&str) -> bool) -> Vec<&'static str> {
    const PARTS: [&str; 10] =
        ["offset", "expected", "needed", "size", "available", "unit", "argument", "pointer", "index", "piece"];
    PARTS.into_iter().filter(|part| says(part)).collect()
}

#[test]
fn every_language_says_alike_what_an_error_carries() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let (core, c, go) = (read("core/src/error.rs"), header(), read("go/error.go"));
    let mut about = String::new();
    let mut kinds = 0;
    for line in core.lines().map(str::trim) {
        if let Some(more) = line.strip_prefix("///") {
            about.push_str(more);
            continue;
        }
        let kind =
            ErrorKind::ALL.iter().find(|kind| line.ends_with(&format!(" = {}, {:?};", kind.code(), kind.name())));
        if let Some(kind) = kind {
            let in_core = carried(|part| about.contains(&format!("`{part}`")));
            let constant = format!("HAVERSACK_{}", kind.name().to_uppercase());
            let words_of = |text: &str| -> BTreeSet<String> {
                text.split(|c: char| !c.is_ascii_alphabetic()).map(str::to_lowercase).collect()
            };

            let (before, _) = c.split_once(&format!("{constant} = ")).unwrap();
            let after_colon = before.rsplit_once("/**").unwrap().1.split_once(": ").map_or("", |(_, after)| after);
            let in_c = words_of(after_colon);
            assert_eq!(carried(|part| in_c.contains(part)), in_core, "{constant} in C");

            let line = go.lines().find(|line| line.contains(&format!("C.{constant} "))).unwrap();
            let in_go = words_of(line.split_once("//").unwrap().1);
            assert_eq!(carried(|part| in_go.contains(part)), in_core, "{constant} in Go");
            kinds += 1;
        }
        about.clear();
    }
    assert_eq!(kinds, ErrorKind::ALL.len());
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
