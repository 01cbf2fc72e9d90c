//! Handoffs, transcripts and tiers over the boundary, called from Rust so that Miri can watch: `cargo +nightly miri
//! test
//! -p haversack-ffi --test handoff`.
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

#[test]
fn what_a_handoff_gives_outlives_it_where_it_says_so() {
    let found = String::from(r#"{"kind":"findings","findings":[{"text":"a","sources":["message 1","x"]}]}"#);
    let (mut handoff, mut transcript, mut open, mut rendered) =
        (ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let (none, no_error) = (haversack_str::NONE, ptr::null_mut());
    let mut sources = [haversack_str::NONE; 3];
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        let given = haversack_str::of(&found);
        assert_eq!(haversack_handoff_parse(given, none, none, &raw mut handoff, no_error), S::HAVERSACK_OK);
        drop(found);
        assert_eq!(haversack_handoff_sources(handoff, 0, sources.as_mut_ptr(), 1), 2);
        assert_eq!((text(sources[0]).as_deref(), text(sources[1])), (Some("message 1"), None));
        let lines = haversack_str::of("{}\n");
        assert_eq!(haversack_transcript_from_jsonl(lines, &raw mut transcript, no_error), S::HAVERSACK_OK);
        let unresolved = haversack_handoff_unresolved(handoff, transcript, ptr::null(), &raw mut open, no_error);
        assert_eq!(unresolved, S::HAVERSACK_OK);
        assert_eq!(haversack_handoff_render(handoff, ptr::null(), &raw mut rendered, no_error), S::HAVERSACK_OK);
        haversack_transcript_free(transcript);
        haversack_handoff_free(handoff);
        let mut one = nothing_in::<haversack_unresolved_source>();
        assert!(haversack_unresolved_sources_get(open, 0, &raw mut one));
        assert_eq!((one.finding, text(one.source).as_deref()), (0, Some("x")));
        assert!(text(haversack_rendered_text(rendered)).unwrap().ends_with("- \"a\" (sources: \"message 1\", \"x\")"));
        haversack_unresolved_sources_free(open);
        haversack_rendered_free(rendered);
    }
}

#[test]
fn messages_point_into_what_they_were_read_from() {
    let file = b"{\"a\":1}\nx\n{\"b\":2}";
    let bytes = haversack_str { ptr: file.as_ptr().cast(), len: file.len() };
    let mut messages = [nothing_in::<haversack_message>(); 3];
    let mut damage = [nothing_in::<haversack_damage>(); 1];
    let (mut counts, no_error) = (nothing_in::<haversack_line_counts>(), ptr::null_mut());
    // SAFETY: arrays of the capacity that is named.
    let status = unsafe {
        haversack_read_lines(bytes, 7, messages.as_mut_ptr(), 3, damage.as_mut_ptr(), 1, &raw mut counts, no_error)
    };
    assert_eq!((status, counts.messages, counts.damage), (S::HAVERSACK_OK, 2, 1));
    assert_eq!(messages[1].text.ptr.cast::<u8>(), file[10..].as_ptr());
    assert_eq!((messages[1].number, damage[0].number, messages[2].number), (9, 8, 0));
}

#[test]
fn tiers_need_nothing_that_they_came_from() {
    let chat = r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]"#;
    let (mut history, mut tiers, no_error) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let pins = [1, 2];
    let mut options = nothing_in::<haversack_tier_options>();
    (options.pinned, options.pinned_len) = (pins.as_ptr(), pins.len());
    let mut kept = [usize::MAX; 3];
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        let given = haversack_str::of(chat);
        assert_eq!(haversack_history_parse(given, ptr::null(), &raw mut history, no_error), S::HAVERSACK_OK);
        let invariant = haversack_str::of("never");
        let made = haversack_tiers_new(invariant, ptr::null(), history, &raw const options, &raw mut tiers, no_error);
        assert_eq!(made, S::HAVERSACK_OK);
        haversack_history_free(history);
        let facts = haversack_tiers_ledger(tiers);
        assert_eq!(text(haversack_tiers_working(tiers)).as_deref(), Some(chat));
        assert_eq!((haversack_tiers_kept(tiers, kept.as_mut_ptr(), 2), kept), (3, [0, 1, usize::MAX]));
        haversack_tiers_free(tiers);
        assert_eq!(text(haversack_rendered_text(facts)).as_deref(), Some("# Facts\nnone recorded yet"));
        haversack_rendered_free(facts);
    }
}
