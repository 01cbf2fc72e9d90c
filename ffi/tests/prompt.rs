//! Prompts and caches over the boundary, called from Rust so that Miri can watch: `cargo +nightly miri test -p
//! haversack-ffi --test prompt`.
#![allow(clippy::unwrap_used, missing_docs)]

use core::ptr;

use haversack_ffi::*;

use haversack_status as S;

fn text(s: haversack_str) -> Option<String> {
    if s.ptr.is_null() {
        return None;
    }
    // SAFETY: read before what it belongs to is freed.
    let bytes = unsafe { core::slice::from_raw_parts(s.ptr.cast::<u8>(), s.len) };
    Some(core::str::from_utf8(bytes).unwrap().to_owned())
}

/// A struct of C with nothing in it.
fn nothing_in<T: Copy>() -> T {
    // SAFETY: only for structs of integers and nullable pointers.
    unsafe { core::mem::zeroed() }
}

fn prompt(clock: &str) -> *mut haversack_prompt {
    let prompt = haversack_prompt_new();
    let mut options = nothing_in::<haversack_piece_options>();
    options.layer = haversack_layer::HAVERSACK_LAYER_STATIC as u32;
    for (name, words) in [("rules", "Be brief."), ("clock", clock)] {
        let (name, words) = (haversack_str::of(name), haversack_str::of(words));
        // SAFETY: a live handle and valid texts.
        let status = unsafe { haversack_prompt_add(prompt, name, words, &raw const options, ptr::null_mut()) };
        assert_eq!(status, S::HAVERSACK_OK);
    }
    prompt
}

#[test]
fn a_comparison_outlives_all_that_it_came_from() {
    let (old, new) = (prompt("Now: 10:15:59"), prompt("Now: 10:16:00"));
    let (mut before, mut now, mut comparison) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let (mut at, mut names, mut change) = (77, [haversack_str::NONE; 2], nothing_in::<haversack_piece_change>());
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        assert_eq!(haversack_prompt_snapshot(old, ptr::null(), &raw mut before, ptr::null_mut()), S::HAVERSACK_OK);
        assert_eq!(haversack_prompt_snapshot(new, ptr::null(), &raw mut now, ptr::null_mut()), S::HAVERSACK_OK);
        haversack_prompt_free(old);
        haversack_prompt_free(new);
        assert_eq!(haversack_snapshot_names(before, names.as_mut_ptr(), 1), 2);
        assert_eq!((text(names[0]).as_deref(), text(names[1])), (Some("rules"), None));
        assert_eq!(haversack_compare(before, now, &raw mut comparison, ptr::null_mut()), S::HAVERSACK_OK);
        haversack_snapshot_free(before);
        haversack_snapshot_free(now);
        assert!(
            haversack_comparison_at_byte(comparison, &raw mut at) && haversack_comparison_at_byte_exact(comparison)
        );
        assert_eq!((at, haversack_comparison_kept_bytes(comparison)), (9, 18));
        assert!(haversack_comparison_change(comparison, 0, &raw mut change));
        assert_eq!((text(change.piece).as_deref(), change.at_byte), (Some("clock"), 9));
        assert!(!haversack_comparison_change(comparison, 1, &raw mut change));
        haversack_comparison_free(comparison);
    }
}

#[test]
fn a_note_stays_where_it_is_until_a_fold() {
    let sections = [("memory", "likes tea"), ("tools", "")]
        .map(|(name, text)| haversack_section { name: haversack_str::of(name), text: haversack_str::of(text) });
    let (mut frozen, mut first, mut other) =
        (ptr::null_mut(), nothing_in::<haversack_note>(), nothing_in::<haversack_note>());
    let mut changed = [haversack_str::NONE; 2];
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        assert_eq!(haversack_frozen_new(sections.as_ptr(), 2, &raw mut frozen, ptr::null_mut()), S::HAVERSACK_OK);
        let update = |section: usize, to: &str, note: &mut haversack_note| {
            let name = sections[section].name;
            haversack_frozen_update(frozen, name, haversack_str::of(to), &raw mut *note, ptr::null_mut())
        };
        assert_eq!(update(0, "likes milk", &mut first), S::HAVERSACK_OK);
        for to in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            assert_eq!(update(1, to, &mut other), S::HAVERSACK_OK);
        }
        assert_eq!(update(1, "h", &mut other), S::HAVERSACK_OK);
        assert_eq!((other.version, text(other.text)), (0, None));
        assert!(text(first.text).unwrap().contains("likes milk"));
        assert_eq!(haversack_frozen_fold(frozen, changed.as_mut_ptr(), 2), 2);
        assert_eq!(changed.map(text), [Some("memory".to_owned()), Some("tools".to_owned())]);
        assert_eq!(haversack_frozen_note_count(frozen), 0);
        haversack_frozen_free(frozen);
    }
}
