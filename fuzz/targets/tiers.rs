#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(broken) = haversack_tests::replay("tiers", data) {
        panic!("{broken}");
    }
});
