//! The boundary as a C program meets it, called from Rust so that Miri can watch: `cargo +nightly miri test -p
//! haversack-ffi --test abi`.
#![allow(clippy::unwrap_used, missing_docs)]
#![allow(clippy::expect_used, clippy::std_instead_of_alloc, clippy::items_after_statements)]

use core::ffi::c_void;
use core::ptr;

use haversack_ffi::*;

use haversack_status as S;

fn text(s: haversack_str) -> Option<&'static str> {
    if s.ptr.is_null() {
        return None;
    }
    // SAFETY: the tests read what they were given before they free it.
    let bytes = unsafe { core::slice::from_raw_parts(s.ptr.cast::<u8>(), s.len) };
    Some(core::str::from_utf8(bytes).unwrap())
}

/// A failed call: everything its error says, freed.
#[derive(Debug, PartialEq)]
struct Failure {
    status: haversack_status,
    name: String,
    message: String,
    offset: Option<usize>,
    argument: Option<String>,
    index: Option<usize>,
}

fn failure(error: *mut haversack_error) -> Failure {
    assert!(!error.is_null());
    let number = |get: unsafe extern "C" fn(*const haversack_error, *mut usize) -> bool| {
        let mut n = usize::MAX;
        // SAFETY: a live handle and a place to write.
        unsafe { get(error, &raw mut n) }.then_some(n)
    };
    // SAFETY: a live handle, freed once, last.
    unsafe {
        let failure = Failure {
            status: haversack_error_status(error),
            name: text(haversack_error_name(error)).unwrap().to_owned(),
            message: text(haversack_error_message(error)).unwrap().to_owned(),
            offset: number(haversack_error_offset),
            argument: text(haversack_error_argument(error)).map(str::to_owned),
            index: number(haversack_error_index),
        };
        assert_eq!(number(haversack_error_needed), None);
        assert_eq!(number(haversack_error_available), None);
        assert_eq!(haversack_error_unit(error), 0);
        assert_eq!(text(haversack_error_expected(error)), None);
        assert_eq!(text(haversack_error_pointer(error)), None);
        haversack_error_free(error);
        failure
    }
}

fn deliver(
    payload: haversack_str,
    budget: haversack_budget,
    options: *const haversack_deliver_options,
) -> Result<*mut haversack_delivery, Failure> {
    let mut delivery = ptr::null_mut();
    let mut error = ptr::null_mut();
    // SAFETY: the tests hand over valid pointers, or those that must be refused before they are read.
    let status = unsafe { haversack_deliver(payload, budget, options, &raw mut delivery, &raw mut error) };
    if status == S::HAVERSACK_OK {
        assert!(error.is_null(), "an error was written on success");
        return Ok(delivery);
    }
    assert!(delivery.is_null(), "an output was written on failure");
    let failure = failure(error);
    assert_eq!(failure.status, status);
    Err(failure)
}

fn zeroed() -> haversack_deliver_options {
    // SAFETY: all zeroes are the defaults, as the header promises.
    unsafe { core::mem::zeroed() }
}

const NONE: haversack_str = haversack_str::NONE;

#[test]
fn versions_agree() {
    let parts = [HAVERSACK_VERSION_MAJOR, HAVERSACK_VERSION_MINOR, HAVERSACK_VERSION_PATCH];
    assert_eq!(parts.map(|n| n.to_string()).join("."), env!("CARGO_PKG_VERSION"));
    assert_eq!(HAVERSACK_VERSION_NUMBER, parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2]);
    assert_eq!(text(haversack_version()), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(haversack_abi_version(), HAVERSACK_ABI_VERSION);
}

#[test]
fn freeing_null_does_nothing() {
    // SAFETY: null is allowed.
    unsafe {
        haversack_delivery_free(ptr::null_mut());
        haversack_error_free(ptr::null_mut());
        haversack_string_free(haversack_string { ptr: ptr::null_mut(), len: 0 });
        haversack_string_free(haversack_string { ptr: ptr::null_mut(), len: 7 });
    }
}

#[test]
fn a_delivery_answers_part_by_part() {
    let payload = r#"{"id":2512292042121000001,"a\u0000b":[1.0,1e2,-0]}"#;
    let delivery = deliver(haversack_str::of(payload), haversack_budget_bytes(1000), ptr::null()).unwrap();
    // SAFETY: a live handle, freed once, last.
    unsafe {
        assert_eq!(text(haversack_delivery_text(delivery)), Some(payload));
        assert_eq!(haversack_delivery_size(delivery), payload.len());
        assert_eq!(haversack_delivery_unit(delivery), haversack_unit::HAVERSACK_UNIT_BYTES as u32);
        assert_eq!(haversack_delivery_format(delivery), haversack_format::HAVERSACK_FORMAT_JSON as u32);
        assert!(haversack_delivery_complete(delivery));
        let account = haversack_delivery_account(delivery);
        assert_eq!((account.records.total, account.records.kept), (3, 3));
        assert_eq!(text(haversack_delivery_next(delivery)), None);
        let lists = haversack_delivery_list_count(delivery);
        let mut list = core::mem::zeroed::<haversack_list>();
        assert!(!haversack_delivery_list(delivery, lists, &raw mut list), "a list past the end");
        assert!(!haversack_delivery_list(delivery, usize::MAX, &raw mut list));
        assert!(!haversack_delivery_run(delivery, usize::MAX, ptr::null_mut()));
        assert!(!haversack_delivery_warning(delivery, usize::MAX, ptr::null_mut()));

        let mut json = haversack_string { ptr: ptr::null_mut(), len: 0 };
        let status = haversack_delivery_json(delivery, &raw mut json, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        assert!(text(haversack_str { ptr: json.ptr, len: json.len }).unwrap().starts_with(r#"{"text":"{\"id\":25122"#));
        haversack_string_free(json);
        haversack_delivery_free(delivery);
    }
}

#[test]
fn a_missing_delivery_answers_nothing() {
    let none = ptr::null();
    // SAFETY: null is allowed.
    unsafe {
        assert_eq!(text(haversack_delivery_text(none)), None);
        assert_eq!(haversack_delivery_size(none), 0);
        assert!(!haversack_delivery_complete(none));
        assert_eq!(haversack_delivery_account(none), haversack_account::default());
        assert_eq!(haversack_delivery_list_count(none), 0);
        assert_eq!(haversack_error_status(ptr::null()), S::HAVERSACK_OK);
        let mut error = ptr::null_mut();
        let mut json = haversack_string { ptr: ptr::null_mut(), len: 0 };
        assert_eq!(haversack_delivery_json(none, &raw mut json, &raw mut error), S::HAVERSACK_BAD_ARGUMENT);
        assert_eq!(failure(error).argument.as_deref(), Some("delivery"));
        assert_eq!(haversack_delivery_json(none, ptr::null_mut(), ptr::null_mut()), S::HAVERSACK_BAD_ARGUMENT);
    }
}

#[test]
fn null_with_a_length_is_refused_and_without_one_is_empty() {
    let bad = [haversack_str { ptr: ptr::null(), len: 5 }, haversack_str { ptr: "x".as_ptr().cast(), len: usize::MAX }];
    for payload in bad {
        let failure = deliver(payload, haversack_budget_bytes(100), ptr::null()).unwrap_err();
        assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_BAD_ARGUMENT, Some("payload")));
        assert_eq!(failure.name, "bad_argument");
    }
    let delivery = deliver(NONE, haversack_budget_bytes(100), ptr::null()).unwrap();
    // SAFETY: a live handle.
    unsafe {
        assert_eq!(text(haversack_delivery_text(delivery)), Some("(no output)"));
        haversack_delivery_free(delivery);
    }
}

#[test]
fn outputs_are_required_and_error_details_are_not() {
    let budget = haversack_budget_bytes(100);
    let mut error = ptr::null_mut();
    // SAFETY: null outputs are refused.
    unsafe {
        let status = haversack_deliver(NONE, budget, ptr::null(), ptr::null_mut(), &raw mut error);
        assert_eq!(status, S::HAVERSACK_BAD_ARGUMENT);
        assert_eq!(failure(error).argument.as_deref(), Some("out_delivery"));
        let status = haversack_deliver(NONE, budget, ptr::null(), ptr::null_mut(), ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_BAD_ARGUMENT);
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused_with_their_place() {
    let bytes = [0x66_u8, 0x6f, 0xff];
    let bad = haversack_str { ptr: bytes.as_ptr().cast(), len: bytes.len() };
    let failure = deliver(bad, haversack_budget_bytes(100), ptr::null()).unwrap_err();
    assert_eq!((failure.status, failure.offset), (S::HAVERSACK_INVALID_UTF8, Some(2)));

    let hint = haversack_deliver_options { hint: bad, ..zeroed() };
    let failure = deliver(NONE, haversack_budget_bytes(100), &raw const hint).unwrap_err();
    assert_eq!((failure.offset, failure.argument.as_deref()), (Some(2), Some("hint")));

    let entries = [haversack_str::of("/a"), bad];
    let select = haversack_deliver_options { select: haversack_strs { ptr: entries.as_ptr(), len: 2 }, ..zeroed() };
    let failure = deliver(NONE, haversack_budget_bytes(100), &raw const select).unwrap_err();
    assert_eq!((failure.offset, failure.index), (Some(2), Some(1)));
    assert_eq!(failure.argument.as_deref(), Some("select"));
}

#[test]
fn every_choice_out_of_range_names_its_option() {
    type Set = fn(&mut haversack_deliver_options);
    let cases: [(&str, Set); 12] = [
        ("format", |o| o.format = 6),
        ("share", |o| o.share = 3),
        ("descending", |o| o.descending = 2),
        ("keep", |o| o.keep = 4),
        ("oversize", |o| o.oversize = 3),
        ("envelope", |o| o.envelope = 2),
        ("nested", |o| o.nested = u32::MAX),
        ("on_invalid", |o| o.on_invalid = 3),
        ("ansi", |o| o.ansi = 2),
        ("collapse", |o| o.collapse = 2),
        ("source", |o| o.source = 3),
        ("notice", |o| o.notice = 2),
    ];
    for (name, set) in cases {
        let mut options = zeroed();
        set(&mut options);
        let failure = deliver(NONE, haversack_budget_bytes(100), &raw const options).unwrap_err();
        assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_INVALID_OPTION, Some(name)));
    }
}

#[test]
fn options_of_other_sizes_are_read_as_what_they_are() {
    let budget = haversack_budget_bytes(100);
    let sizes = [0, size_of::<haversack_deliver_options>()];
    for size in sizes {
        let options = haversack_deliver_options { size, ..zeroed() };
        let delivery = deliver(NONE, budget, &raw const options).unwrap();
        // SAFETY: a live handle.
        unsafe { haversack_delivery_free(delivery) };
    }
    for size in [8, size_of::<haversack_deliver_options>() - 1, 4097, usize::MAX] {
        let options = haversack_deliver_options { size, ..zeroed() };
        assert_eq!(deliver(NONE, budget, &raw const options).unwrap_err().status, S::HAVERSACK_BAD_ARGUMENT);
    }

    /// The options of a later version, with one more member.
    #[repr(C)]
    struct Later {
        known: haversack_deliver_options,
        unknown: usize,
    }
    let mut later = Later { known: zeroed(), unknown: 0 };
    // SAFETY: the whole struct is writable.
    let status = unsafe { haversack_deliver_options_init((&raw mut later).cast(), size_of::<Later>()) };
    assert_eq!((status, later.known.size), (S::HAVERSACK_OK, size_of::<Later>()));
    let delivery = deliver(NONE, budget, (&raw const later).cast()).unwrap();
    // SAFETY: a live handle.
    unsafe { haversack_delivery_free(delivery) };
    later.unknown = 1;
    let failure = deliver(NONE, budget, (&raw const later).cast()).unwrap_err();
    assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_BAD_ARGUMENT, Some("options")));
    // SAFETY: null is refused.
    assert_eq!(unsafe { haversack_deliver_options_init(ptr::null_mut(), 8) }, S::HAVERSACK_BAD_ARGUMENT);
}

unsafe extern "C" fn count_bytes(calls: *mut c_void, text: haversack_str, out: *mut usize) -> bool {
    // SAFETY: the tests pass a counter of calls.
    unsafe {
        *calls.cast::<usize>() += 1;
        out.write(text.len);
    }
    true
}

unsafe extern "C" fn fail(_: *mut c_void, _: haversack_str, _: *mut usize) -> bool {
    false
}

unsafe extern "C" fn nonsense(_: *mut c_void, _: haversack_str, out: *mut usize) -> bool {
    // SAFETY: a place to write.
    unsafe { out.write(usize::MAX) };
    true
}

fn measure(given: &str, budget: haversack_budget) -> Result<usize, Failure> {
    let mut size = usize::MAX;
    let mut error = ptr::null_mut();
    // SAFETY: valid for the call.
    let status = unsafe { haversack_measure(haversack_str::of(given), budget, &raw mut size, &raw mut error) };
    if status == S::HAVERSACK_OK { Ok(size) } else { Err(failure(error)) }
}

fn counting(
    count: Option<unsafe extern "C" fn(*mut c_void, haversack_str, *mut usize) -> bool>,
    userdata: *mut c_void,
) -> haversack_counter {
    haversack_counter { size: size_of::<haversack_counter>(), userdata, count, count_up_to: None, name: NONE }
}

unsafe extern "C" fn fail_up_to(_: *mut c_void, _: haversack_str, _: usize, _: *mut usize) -> bool {
    false
}

/// Counts bytes and stops at the limit; what it looked at is added up.
unsafe extern "C" fn bytes_up_to(seen: *mut c_void, text: haversack_str, limit: usize, out: *mut usize) -> bool {
    let looked_at = text.len.min(limit.saturating_add(1));
    // SAFETY: the tests pass a counter of bytes.
    unsafe {
        *seen.cast::<usize>() += looked_at;
        out.write(looked_at);
    }
    true
}

#[test]
fn a_counter_that_can_stop_early_is_asked_to() {
    let payload = format!("[{}0]", "\"a record of a list\",".repeat(400));
    let mut cuts = Vec::new();
    for count_up_to in [None, Some(bytes_up_to as unsafe extern "C" fn(_, _, _, _) -> _)] {
        let mut seen = 0_usize;
        let counter = haversack_counter { count_up_to, ..counting(Some(count_bytes_seen), (&raw mut seen).cast()) };
        let budget = haversack_budget_tokens(300, &raw const counter);
        let delivery = deliver(haversack_str::of(&payload), budget, ptr::null()).unwrap();
        // SAFETY: a live handle, freed once, last.
        unsafe {
            cuts.push((text(haversack_delivery_text(delivery)).unwrap().to_owned(), seen));
            haversack_delivery_free(delivery);
        }
    }
    assert_eq!(cuts[0].0, cuts[1].0);
    assert!(cuts[1].1 < cuts[0].1, "{} bytes were looked at, {} without", cuts[1].1, cuts[0].1);

    let broken =
        haversack_counter { count_up_to: Some(fail_up_to), ..counting(Some(count_bytes_seen), ptr::null_mut()) };
    let mut seen = 0_usize;
    let broken = haversack_counter { userdata: (&raw mut seen).cast(), ..broken };
    let budget = haversack_budget_tokens(300, &raw const broken);
    let failure = deliver(haversack_str::of(&payload), budget, ptr::null()).unwrap_err();
    assert_eq!(failure.status, S::HAVERSACK_COUNTER_FAILED);
}

unsafe extern "C" fn count_bytes_seen(seen: *mut c_void, text: haversack_str, out: *mut usize) -> bool {
    // SAFETY: the tests pass a counter of bytes.
    unsafe {
        *seen.cast::<usize>() += text.len;
        out.write(text.len);
    }
    true
}

#[test]
fn counters_of_other_sizes_are_read_as_what_they_are() {
    let counter = counting(Some(count_bytes), ptr::null_mut());
    for size in [1, size_of::<haversack_counter>() - 1, usize::MAX] {
        let counter = haversack_counter { size, ..counter };
        let failure = measure("x", haversack_budget_tokens(9, &raw const counter)).unwrap_err();
        assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_BAD_ARGUMENT, Some("counter")));
    }
}

#[test]
fn reserved_members_are_0() {
    let budget = haversack_budget { reserved: 1, ..haversack_budget_bytes(9) };
    let failure = measure("x", budget).unwrap_err();
    assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_BAD_ARGUMENT, Some("budget")));
    let refused = |call: &dyn Fn(*mut *mut haversack_error) -> haversack_status| {
        let mut error = ptr::null_mut();
        assert_eq!(call(&raw mut error), S::HAVERSACK_BAD_ARGUMENT);
        assert_eq!(failure_of(error), Some("options".to_owned()));
    };
    let body = haversack_str::of(r#"{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}"#);
    let history = {
        let mut history = ptr::null_mut();
        // SAFETY: valid for the call.
        let status = unsafe { haversack_history_parse(body, ptr::null(), &raw mut history, ptr::null_mut()) };
        assert_eq!(status, S::HAVERSACK_OK);
        history
    };
    // SAFETY: everything handed over is valid for the call.
    unsafe {
        let reading = haversack_history_options { reserved: 1, ..nothing_in() };
        let cutting = haversack_cut_options { reserved: 1, ..nothing_in() };
        let repairing = haversack_repair_options { reserved: 1, ..nothing_in() };
        let predicting = haversack_predict_options { reserved: 1, ..nothing_in() };
        let marking = haversack_mark_options { reserved: 1, ..nothing_in() };
        let mut prediction = nothing_in::<haversack_prediction>();
        let (mut other, mut cut, mut repair, mut plan) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let others = (&raw mut other, &raw mut cut, &raw mut repair, &raw mut plan, &raw mut prediction);
        refused(&|error| haversack_history_parse(body, &raw const reading, others.0, error));
        refused(&|error| haversack_history_cut_messages(history, 1, &raw const cutting, others.1, error));
        refused(&|error| haversack_history_repair(history, &raw const repairing, others.2, error));
        refused(&|error| haversack_predict(NONE, body, &raw const predicting, others.4, error));
        refused(&|error| haversack_cache_marks(body, NONE, &raw const marking, others.3, error));
        haversack_history_free(history);
    }
}

fn failure_of(error: *mut haversack_error) -> Option<String> {
    failure(error).argument
}

#[test]
fn flags_are_0_or_1_everywhere() {
    let body = haversack_str::of(r#"{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}"#);
    // SAFETY: everything handed over is valid for the call, and freed once.
    unsafe {
        let mut history = ptr::null_mut();
        assert_eq!(haversack_history_parse(body, ptr::null(), &raw mut history, ptr::null_mut()), S::HAVERSACK_OK);
        let (mut cut, mut repair, mut error) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let options = haversack_cut_options { portable: 2, ..nothing_in() };
        let status = haversack_history_cut_messages(history, 1, &raw const options, &raw mut cut, &raw mut error);
        assert_eq!((status, failure_of(error).as_deref()), (S::HAVERSACK_INVALID_OPTION, Some("portable")));
        let options = haversack_repair_options { sending: 2, ..nothing_in() };
        let status = haversack_history_repair(history, &raw const options, &raw mut repair, &raw mut error);
        assert_eq!((status, failure_of(error).as_deref()), (S::HAVERSACK_INVALID_OPTION, Some("sending")));
        haversack_history_free(history);
    }
    let earlier = haversack_account { has_claimed: 2, ..haversack_account::default() };
    let options = haversack_deliver_options { earlier: &raw const earlier, ..zeroed() };
    let failure = deliver(NONE, haversack_budget_bytes(9), &raw const options).unwrap_err();
    assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_INVALID_OPTION, Some("has_claimed")));
}

#[test]
fn every_unit_measures() {
    let given = "a\u{e9}\u{1f600}";
    assert_eq!(measure(given, haversack_budget_bytes(0)), Ok(7));
    assert_eq!(measure(given, haversack_budget_chars(0)), Ok(3));
    assert_eq!(measure(given, haversack_budget_utf16(0)), Ok(4));
    let mut calls = 0_usize;
    let counter = counting(Some(count_bytes), (&raw mut calls).cast());
    assert_eq!(measure(given, haversack_budget_tokens(0, &raw const counter)), Ok(7));
    assert_eq!(calls, 1);
}

#[test]
fn counters_that_fail_or_answer_nonsense_are_refused() {
    for count in [fail as unsafe extern "C" fn(_, _, _) -> _, nonsense] {
        let counter = counting(Some(count), ptr::null_mut());
        let budget = haversack_budget_tokens(100, &raw const counter);
        assert_eq!(measure("x", budget).unwrap_err().status, S::HAVERSACK_COUNTER_FAILED);
        let failure = deliver(haversack_str::of("[1]"), budget, ptr::null()).unwrap_err();
        assert_eq!((failure.status, failure.name.as_str()), (S::HAVERSACK_COUNTER_FAILED, "counter_failed"));
    }
}

#[test]
fn budgets_that_contradict_themselves_are_refused() {
    let named = |name| haversack_counter { name: haversack_str::of(name), ..nothing_in() };
    let (estimate, unheard_of) = (named("estimate"), named("no such"));
    let both = haversack_counter { count: Some(fail), ..estimate };
    let (bare, lone) =
        (counting(None, ptr::null_mut()), haversack_counter { count_up_to: Some(fail_up_to), ..nothing_in() });
    let either = haversack_counter { count_up_to: Some(fail_up_to), ..estimate };
    let tokens = |counter: &haversack_counter| haversack_budget_tokens(10, ptr::from_ref(counter));
    let cases = [
        (haversack_budget { unit: 0, ..haversack_budget_bytes(10) }, "unit"),
        (haversack_budget { unit: 5, ..haversack_budget_bytes(10) }, "unit"),
        (haversack_budget_tokens(10, ptr::null()), "counter"),
        (tokens(&bare), "counter"),
        (tokens(&lone), "counter"),
        (tokens(&either), "counter"),
        (tokens(&unheard_of), "counter"),
        (tokens(&both), "counter"),
        (haversack_budget { counter: &raw const estimate, ..haversack_budget_bytes(10) }, "counter"),
    ];
    for (budget, argument) in cases {
        let failure = measure("x", budget).unwrap_err();
        assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_INVALID_OPTION, Some(argument)));
    }
}

#[test]
fn every_status_has_a_name() {
    assert_eq!(text(haversack_status_name(20)), Some("budget_too_small"));
    assert_eq!(text(haversack_status_name(9999)), Some("unknown"));
}

#[test]
fn offload_answers_and_its_table_keep_what_they_say() {
    let payload = "a line of a log\n".repeat(20);
    let (payload, call_id, place) =
        (haversack_str::of(&payload), haversack_str::of("call 1"), haversack_str::of("r/1"));
    let over = haversack_budget_chars(100);
    // SAFETY: all zeroes are the defaults, as the header promises.
    let mut options: haversack_offload_options = unsafe { core::mem::zeroed() };
    options.over = &raw const over;
    // SAFETY: live handles, each freed once, last.
    unsafe {
        let mut answer = ptr::null_mut();
        let status = haversack_offload(payload, call_id, &raw const options, &raw mut answer, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        assert_eq!(haversack_offload_answer_policy(answer).over, 100);
        assert_eq!(haversack_offload_answer_sha256(answer).len, 64);
        let mut pointer = ptr::null_mut();
        let none = ptr::null();
        let status = haversack_offload_answer_pointer(answer, place, none, &raw mut pointer, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        haversack_pointer_free(pointer);

        let table = haversack_offloads_new();
        let mut prepared = ptr::null_mut();
        let status =
            haversack_offloads_prepare(table, payload, call_id, &raw const options, &raw mut prepared, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        let key = haversack_prepared_key(prepared);
        assert_eq!(text(key), text(haversack_offload_answer_key(answer)));
        let mut entry = core::mem::zeroed::<haversack_entry>();
        assert!(haversack_offloads_lookup(table, key, &raw mut entry));
        assert_eq!(Some(core::str::from_utf8(&entry.sha256).unwrap()), text(haversack_offload_answer_sha256(answer)));
        let mut error = ptr::null_mut();
        let status = haversack_offloads_commit(table, key, NONE, none, &raw mut pointer, &raw mut error);
        assert_eq!((status, failure(error).argument.as_deref()), (S::HAVERSACK_INVALID_OPTION, Some("location")));
        assert_eq!(haversack_offloads_refuse(table, key, haversack_str::of("full"), ptr::null_mut()), S::HAVERSACK_OK);
        assert_eq!(haversack_offloads_exempt(table, call_id, ptr::null_mut()), S::HAVERSACK_OK);
        assert!(haversack_offloads_entry(table, 0, &raw mut entry));
        assert_eq!((text(entry.refused), text(entry.location)), (Some("full"), None));
        assert!(!haversack_offloads_entry(table, 1, &raw mut entry));
        haversack_prepared_free(prepared);
        haversack_offloads_free(table);
        haversack_offload_answer_free(answer);
    }
}

#[test]
fn numbers_are_given_by_pointing_to_them() {
    let log = haversack_str::of("one\ntwo\nthree\n");
    let (start, zero) = (2_usize, 0_usize);
    // SAFETY: all zeroes are the defaults, as the header promises; live handles, freed once.
    unsafe {
        let mut options: haversack_page_options = core::mem::zeroed();
        options.start = &raw const start;
        let mut d = ptr::null_mut();
        let budget = haversack_budget_chars(100);
        let status = haversack_page(log, budget, &raw const options, &raw mut d, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        assert_eq!(text(haversack_delivery_text(d)), Some("[lines 2-3 of 3]\ntwo\nthree\n"));
        haversack_delivery_free(d);
        options.lines = &raw const zero;
        let mut error = ptr::null_mut();
        assert_eq!(
            haversack_page(log, budget, &raw const options, &raw mut d, &raw mut error),
            S::HAVERSACK_INVALID_OPTION
        );
        assert_eq!(failure(error).argument.as_deref(), Some("lines"));

        let mut options: haversack_find_options = core::mem::zeroed();
        options.context = &raw const zero;
        let status =
            haversack_find(log, haversack_str::of("two"), budget, &raw const options, &raw mut d, ptr::null_mut());
        assert_eq!(status, S::HAVERSACK_OK);
        assert!(text(haversack_delivery_text(d)).unwrap().ends_with("\n2:two\n"));
        haversack_delivery_free(d);
    }
}

#[test]
fn a_limit_of_0_is_the_default_and_no_limit_and_none_are_said() {
    let deep = "[".repeat(600) + &"]".repeat(600);
    let status_with = |payload: &str, depth: usize| {
        let limits = haversack_limits { depth, ..nothing_in() };
        let options = haversack_deliver_options { format: 1, limits: &raw const limits, ..zeroed() };
        let (payload, budget, mut delivery) =
            (haversack_str::of(payload), haversack_budget_bytes(2000), ptr::null_mut());
        // SAFETY: everything handed over is valid for the call, and freed once.
        unsafe {
            let status = haversack_deliver(payload, budget, &raw const options, &raw mut delivery, ptr::null_mut());
            haversack_delivery_free(delivery);
            status
        }
    };
    assert_eq!((status_with("[1]", 0), status_with(&deep, 0)), (S::HAVERSACK_OK, S::HAVERSACK_TOO_DEEP));
    assert_eq!((status_with("[1]", 1), status_with("[[1]]", 1)), (S::HAVERSACK_OK, S::HAVERSACK_TOO_DEEP));
    assert_eq!(status_with(&deep, HAVERSACK_LIMIT_NONE), S::HAVERSACK_OK);
    assert_eq!(
        (status_with("1", HAVERSACK_LIMIT_ZERO), status_with("[1]", HAVERSACK_LIMIT_ZERO)),
        (S::HAVERSACK_OK, S::HAVERSACK_TOO_DEEP)
    );
    // What an older program has room for is all that is written.
    let mut limits = [haversack_limits { size: 1, depth: 1, ..nothing_in() }; 2];
    // SAFETY: as much as is written.
    let status = unsafe { haversack_limits_init(limits.as_mut_ptr(), size_of::<haversack_limits>()) };
    assert_eq!((status, limits[0].depth, limits[1].depth), (S::HAVERSACK_OK, 0, 1));
}

#[cfg(feature = "testing")]
#[test]
fn a_panic_becomes_a_status_with_its_message() {
    let mut error = ptr::null_mut();
    // SAFETY: a place to write.
    let status = unsafe { haversack_testing_panic(&raw mut error) };
    assert_eq!(status, S::HAVERSACK_PANIC);
    let failure = failure(error);
    assert_eq!((failure.name.as_str(), failure.message.as_str()), ("panic", "internal error: forced for the test"));
}

#[test]
fn limits_of_page_and_find_are_read_like_options() {
    let log = haversack_str::of("step 1\nstep 2\n");
    let find = |limits: *const haversack_limits| {
        let options = haversack_find_options { limits, ..nothing_in() };
        let (mut delivery, mut error) = (ptr::null_mut(), ptr::null_mut());
        let budget = haversack_budget_bytes(100);
        // SAFETY: everything handed over is valid for the call, and freed once.
        unsafe {
            let needle = haversack_str::of("step");
            let status = haversack_find(log, needle, budget, &raw const options, &raw mut delivery, &raw mut error);
            let argument = text(haversack_error_argument(error));
            haversack_delivery_free(delivery);
            haversack_error_free(error);
            (status, argument)
        }
    };
    assert_eq!(find(ptr::null()), (S::HAVERSACK_OK, None));
    let mut limits = nothing_in::<haversack_limits>();
    // SAFETY: a whole struct.
    let status = unsafe { haversack_limits_init(&raw mut limits, size_of::<haversack_limits>()) };
    assert_eq!((status, limits.needle_bytes), (S::HAVERSACK_OK, 0));
    assert_eq!(find(&raw const limits), (S::HAVERSACK_OK, None));
    limits.needle_bytes = 3;
    assert_eq!(find(&raw const limits), (S::HAVERSACK_LIMIT_EXCEEDED, Some("needle")));
    for size in [1, size_of::<haversack_limits>() - 1, usize::MAX] {
        limits.size = size;
        assert_eq!(find(&raw const limits), (S::HAVERSACK_BAD_ARGUMENT, Some("limits")));
    }
}

#[test]
fn a_struct_that_is_not_aligned_is_refused() {
    let mut room = [0_u64; 80];
    let crooked = room.as_mut_ptr().cast::<haversack_deliver_options>().wrapping_byte_add(1);
    let failure = deliver(NONE, haversack_budget_bytes(100), crooked).unwrap_err();
    assert_eq!((failure.status, failure.argument.as_deref()), (S::HAVERSACK_BAD_ARGUMENT, Some("options")));
    // SAFETY: refused before anything is written.
    let status = unsafe { haversack_deliver_options_init(crooked, size_of::<haversack_deliver_options>()) };
    assert_eq!(status, S::HAVERSACK_BAD_ARGUMENT);
    assert_eq!(room, [0; 80]);
}

/// A struct of C with nothing in it.
fn nothing_in<T: Copy>() -> T {
    // SAFETY: only for structs of integers and nullable pointers.
    unsafe { core::mem::zeroed() }
}
