//! The laws of prompts, over pairs with known mutations. `PROPTEST_CASES` and `HAVERSACK_SEED` as in `src/hold.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use haversack_tests::generate::JsonCase;
use haversack_tests::hold;
use haversack_tests::prompts as laws;

#[test]
fn l12_pieces() {
    hold("l12_compare", 300..900, |u| laws::pair(u).map_or(Ok(()), |pair| laws::l12_compare(&pair)));
}

#[test]
fn l11_and_l12_requests() {
    hold("l11_requests", 300..900, laws::l11_requests);
}

#[test]
fn l21_snapshots() {
    hold("l21_snapshot", 300..900, |u| {
        let Ok(pair) = laws::pair(u) else { return Ok(()) };
        laws::l21_snapshot(&pair, u.arbitrary().unwrap_or(0))
    });
}

#[test]
fn canonical_json_is_what_the_oracle_writes() {
    use arbitrary::Arbitrary as _;
    hold("canonical", 300..900, |u| {
        let Ok(JsonCase(case)) = JsonCase::arbitrary(u) else { return Ok(()) };
        std::str::from_utf8(&case.payload).map_or(Ok(()), laws::canonical_json)
    });
    hold("canonical, broken", 300..900, |u| {
        let Ok(payload) = haversack_tests::generate::broken(u) else { return Ok(()) };
        std::str::from_utf8(&payload).map_or(Ok(()), laws::canonical_json)
    });
    hold("numbers", 300..900, |u| {
        let bits: u64 = u.arbitrary().unwrap_or(0);
        let value = f64::from_bits(bits);
        let digits: u64 = u.arbitrary().unwrap_or(0);
        let exponent: i16 = u.arbitrary().unwrap_or(0);
        let forms = [
            format!("{value:e}"),
            format!("{digits}e{}", exponent % 330),
            format!("-{digits}.{bits}"),
            format!("{bits}"),
        ];
        forms
            .iter()
            .filter(|form| !form.contains("inf") && !form.contains("NaN"))
            .try_for_each(|form| laws::canonical_json(form))
    });
}

#[test]
fn hostile_shapes_end_soon() {
    // Deep, unsorted at every level: nothing is copied once for each level.
    let mut deep = String::from("1");
    for _ in 0..500 {
        deep = format!(r#"{{"b":{deep},"a":"{}"}}"#, "x".repeat(40));
    }
    laws::canonical_json(&deep).unwrap();
    let keys: Vec<String> = (0..50_000).rev().map(|i| format!(r#""k{i:05}":{i}"#)).collect();
    laws::canonical_json(&format!("{{{}}}", keys.join(","))).unwrap();
    laws::canonical_json(&format!("[{}]", vec!["1"; 200_000].join(","))).unwrap();
}
