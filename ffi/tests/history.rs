//! Histories over the boundary, called from Rust so that Miri can watch: `cargo +nightly miri test -p haversack-ffi
//! --test history`.
#![allow(clippy::unwrap_used, missing_docs)]

use core::ptr;

use haversack_ffi::*;

use haversack_status as S;

const CHAT: &str = r#"[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]"#;
const BROKEN: &str = r#"[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"c"}]"#;

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

fn parse(json: &str) -> *mut haversack_history {
    let mut history = ptr::null_mut();
    // SAFETY: a whole text and a place to write.
    let status =
        unsafe { haversack_history_parse(haversack_str::of(json), ptr::null(), &raw mut history, ptr::null_mut()) };
    assert_eq!(status, S::HAVERSACK_OK);
    history
}

#[test]
fn a_cut_outlives_its_history() {
    let history = parse(CHAT);
    let (mut cut, mut kept, mut refusals) = (ptr::null_mut(), [77_usize; 2], [77_u32; 6]);
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        assert_eq!(haversack_history_cut_refusals(history, refusals.as_mut_ptr(), 6), 5);
        assert_eq!((refusals[0], refusals[2], refusals[5]), (0, 2, 77));
        assert_eq!(haversack_history_cut_refusals(history, ptr::null_mut(), 0), 5);
        let status = haversack_history_cut_messages(history, 2, ptr::null(), &raw mut cut, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        haversack_history_free(history);
        assert!(haversack_cut_found(cut));
        assert_eq!((haversack_cut_kept(cut, kept.as_mut_ptr(), 1), kept), (2, [3, 77]));
        assert_eq!(haversack_cut_dropped(cut, ptr::null_mut(), 0), 3);
        let mut message = nothing_in::<haversack_out_message>();
        assert!(haversack_cut_message(cut, 1, &raw mut message) && !haversack_cut_message(cut, 2, &raw mut message));
        assert_eq!(text(message.text).unwrap(), r#"{"role":"user","content":"c"}"#);
        assert_eq!((message.has_source, message.untouched, message.source), (1, 1, 4));
        assert!(text(haversack_cut_text(cut)).unwrap().starts_with('['));
        haversack_cut_free(cut);
    }
}

#[test]
fn a_repair_and_its_violations_outlive_the_history() {
    let history = parse(BROKEN);
    let (mut repair, mut found) = (ptr::null_mut(), ptr::null_mut());
    let (mut change, mut violation) = (nothing_in::<haversack_change>(), nothing_in::<haversack_violation>());
    // SAFETY: live handles, each freed once.
    unsafe {
        assert_eq!(haversack_history_repair(history, ptr::null(), &raw mut repair, ptr::null_mut()), S::HAVERSACK_OK);
        assert_eq!(haversack_history_violations(history, false, &raw mut found, ptr::null_mut()), S::HAVERSACK_OK);
        haversack_history_free(history);
        assert!(haversack_violations_get(found, 0, &raw mut violation));
        assert_eq!(text(violation.id).as_deref(), Some("c1"));
        assert_eq!(text(haversack_violation_name(violation.kind)).as_deref(), Some("missing_result"));
        haversack_violations_free(found);
        assert!(haversack_repair_change(repair, 0, &raw mut change));
        assert_eq!(text(haversack_repair_action_name(change.action)).as_deref(), Some("synthesise"));
        assert_eq!((haversack_repair_change_count(repair), haversack_repair_remaining_count(repair)), (1, 0));
        assert!(!haversack_repair_remaining(repair, 0, &raw mut violation));
        assert!(text(haversack_repair_text(repair)).unwrap().contains("[no result: interrupted]"));
        haversack_repair_free(repair);
    }
}

#[test]
fn options_of_a_size_that_no_version_has_are_refused() {
    let history = parse(CHAT);
    for size in [1, 8, size_of::<haversack_history_options>() - 1, 5000, usize::MAX] {
        let (mut reading, mut other) = (nothing_in::<haversack_history_options>(), ptr::null_mut());
        reading.size = size;
        // SAFETY: refused before more than the size is read.
        let status = unsafe {
            haversack_history_parse(haversack_str::of(CHAT), &raw const reading, &raw mut other, ptr::null_mut())
        };
        assert_eq!((status, other.is_null()), (S::HAVERSACK_BAD_ARGUMENT, true));
    }
    let (mut options, mut cut) = (nothing_in::<haversack_cut_options>(), ptr::null_mut());
    options.pinned_len = 3;
    // SAFETY: a list that is not there is not read.
    let status =
        unsafe { haversack_history_cut_messages(history, 2, &raw const options, &raw mut cut, ptr::null_mut()) };
    assert_eq!((status, cut.is_null()), (S::HAVERSACK_BAD_ARGUMENT, true));
    // SAFETY: freed once.
    unsafe { haversack_history_free(history) };
}

#[test]
fn texts_of_any_length_are_read_to_their_end_and_no_further() {
    // A copy of its own for every length, so that Miri sees a byte read behind it.
    for len in 0..BROKEN.len() {
        let exact: Box<[u8]> = BROKEN.as_bytes()[..len].into();
        let given = haversack_str { ptr: exact.as_ptr().cast(), len };
        let (mut history, mut error) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: a whole text and places to write; the error is freed once.
        unsafe {
            let status = haversack_history_parse(given, ptr::null(), &raw mut history, &raw mut error);
            assert_eq!((status, history.is_null()), (S::HAVERSACK_INVALID_JSON, true), "{len}");
            haversack_error_free(error);
        }
    }
}

#[test]
fn threads_ask_one_history_and_free_what_others_made() {
    struct Shared<T>(*mut T);
    // SAFETY: by contract handles may be read and freed on any thread.
    unsafe impl<T> Send for Shared<T> {}
    // SAFETY: as above.
    unsafe impl<T> Sync for Shared<T> {}
    let history = Shared(parse(CHAT));
    let work = || {
        let all = &history;
        let (mut cut, mut found) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: a live handle that nobody frees meanwhile; what was made is freed once.
        unsafe {
            let status = haversack_history_cut_messages(all.0, 2, ptr::null(), &raw mut cut, ptr::null_mut());
            assert_eq!(status, S::HAVERSACK_OK);
            assert_eq!(haversack_history_violations(all.0, true, &raw mut found, ptr::null_mut()), S::HAVERSACK_OK);
            haversack_violations_free(found);
        }
        Shared(cut)
    };
    let cuts: Vec<Shared<haversack_cut>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    // SAFETY: freed once; cuts outlive the history.
    unsafe {
        haversack_history_free(history.0);
        for cut in cuts {
            assert!(text(haversack_cut_text(cut.0)).unwrap().starts_with('['));
            haversack_cut_free(cut.0);
        }
    }
}

#[test]
fn budgets_at_their_ends() {
    let history = parse(CHAT);
    // SAFETY: a live handle; what was made is freed once.
    unsafe {
        for (limit, fits) in [(0, false), (usize::MAX, true)] {
            for budget in [haversack_budget_bytes(limit), haversack_budget_chars(limit), haversack_budget_utf16(limit)]
            {
                let (mut cut, mut error, mut needed) = (ptr::null_mut(), ptr::null_mut(), 0);
                let status = haversack_history_cut(history, budget, ptr::null(), &raw mut cut, &raw mut error);
                if fits {
                    assert_eq!((status, haversack_cut_found(cut)), (S::HAVERSACK_OK, false));
                } else {
                    assert_eq!((status, cut.is_null()), (S::HAVERSACK_BUDGET_TOO_SMALL, true));
                    assert!(haversack_error_needed(error, &raw mut needed) && needed > 0);
                }
                haversack_cut_free(cut);
                haversack_error_free(error);
            }
        }
        let pins = [0, 4, usize::MAX];
        let (mut options, mut cut) = (nothing_in::<haversack_cut_options>(), ptr::null_mut());
        (options.pinned, options.pinned_len) = (pins.as_ptr(), pins.len());
        let status = haversack_history_cut_messages(history, 2, &raw const options, &raw mut cut, ptr::null_mut());
        assert_eq!((status, cut.is_null()), (S::HAVERSACK_INVALID_OPTION, true));
        haversack_history_free(history);
    }
}
