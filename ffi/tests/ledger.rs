//! Ledgers, memories and grounds over the boundary, called from Rust so that Miri can watch: `cargo +nightly miri test
//! -p haversack-ffi --test ledger`.
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

fn evidence() -> [haversack_evidence; 3] {
    [nothing_in::<haversack_evidence>(); 3]
}

#[test]
fn facts_outlive_their_ledger_and_are_evidence() {
    let (led, none, no_error) = (haversack_ledger_new(), ptr::null_mut::<haversack_facts>(), ptr::null_mut());
    let (mut facts, mut rendered, mut grounding, mut done) = (none, ptr::null_mut(), ptr::null_mut(), 0);
    let (mut fact, mut also) = (nothing_in::<haversack_fact>(), [nothing_in::<haversack_sighting>(); 2]);
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        for (source, turn, wanted) in [("page:p", 1_u64, 1), ("user", 2, 3)] {
            let (key, value, source) = (String::from("city"), String::from("Oslo"), String::from(source));
            let mut options = nothing_in::<haversack_fact_options>();
            (options.source, options.turn) = (haversack_str::of(&source), &raw const turn);
            let (key, value) = (haversack_str::of(&key), haversack_str::of(&value));
            let status = haversack_ledger_record(led, key, value, &raw const options, &raw mut done, no_error);
            assert_eq!((status, done), (S::HAVERSACK_OK, wanted));
        }
        assert_eq!(haversack_ledger_history(led, haversack_str::of("city"), &raw mut facts, no_error), S::HAVERSACK_OK);
        assert_eq!(haversack_ledger_news(led, ptr::null(), &raw mut rendered, no_error), S::HAVERSACK_OK);
        haversack_ledger_free(led);
        assert!(haversack_facts_get(facts, 0, &raw mut fact) && !haversack_facts_get(facts, 1, &raw mut fact));
        assert_eq!((text(fact.source).as_deref(), fact.turn, fact.also), (Some("user"), 2, 1));
        assert_eq!(haversack_facts_also(facts, 0, also.as_mut_ptr(), 2), 1);
        assert_eq!((text(also[0].source).as_deref(), text(also[1].source)), (Some("page:p"), None));
        assert!(text(haversack_rendered_text(rendered)).unwrap().ends_with("(fact, user; also page, turn 2)"));
        let mut rests_on = evidence();
        assert_eq!(haversack_facts_evidence(facts, rests_on.as_mut_ptr(), 3), 1);
        let action = haversack_str::of("book");
        assert_eq!(haversack_grounds(action, rests_on.as_ptr(), 1, &raw mut grounding, no_error), S::HAVERSACK_OK);
        haversack_facts_free(facts);
        assert_eq!(haversack_grounding_answer(grounding), haversack_answer::HAVERSACK_ANSWER_OK as u32);
        assert_eq!(text(haversack_grounding_text(grounding)).as_deref(), Some(""));
        haversack_grounding_free(grounding);
        haversack_rendered_free(rendered);
    }
}

#[test]
fn a_memory_that_went_belongs_to_the_answer() {
    let (mut mem, mut added, mut items) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let (mut gone, mut said, no_error) =
        (nothing_in::<haversack_memory_item>(), [nothing_in::<haversack_said>(); 1], ptr::null_mut());
    let evict = haversack_on_full::HAVERSACK_ON_FULL_EVICT as u32;
    // SAFETY: live handles, arrays of the capacity that is named, each handle freed once.
    unsafe {
        assert_eq!(haversack_memory_new_capped(1, evict, &raw mut mem, no_error), S::HAVERSACK_OK);
        for (words, source, importance) in [("a", "page:p", 1_u32), (" a", "email", 1), ("b", "user", 9)] {
            haversack_added_free(added);
            let mut options = nothing_in::<haversack_remember_options>();
            (options.source, options.importance) = (haversack_str::of(source), &raw const importance);
            let words = haversack_str::of(words);
            let status = haversack_memory_add(mem, words, &raw const options, &raw mut added, no_error);
            assert_eq!(status, S::HAVERSACK_OK);
        }
        assert_eq!(haversack_memory_search(mem, haversack_str::of("b"), &raw mut items, no_error), S::HAVERSACK_OK);
        haversack_memory_free(mem);
        assert!(haversack_added_evicted(added, &raw mut gone));
        assert_eq!((text(gone.text).as_deref(), gone.also), (Some("a"), 1));
        assert_eq!(haversack_added_evicted_also(added, said.as_mut_ptr(), 1), 1);
        assert_eq!(text(said[0].source).as_deref(), Some("page:p"));
        let mut rests_on = evidence();
        assert_eq!(haversack_memory_items_evidence(items, rests_on.as_mut_ptr(), 3), 1);
        assert_eq!((rests_on[0].origin, text(rests_on[0].source).as_deref()), (2, Some("user")));
        haversack_memory_items_free(items);
        haversack_added_free(added);
    }
}
