//! The laws as properties over generated cases.
//!
//! `PROPTEST_CASES=20000 cargo test -p haversack-tests --test laws` looks longer; `HAVERSACK_SEED=7` looks elsewhere.
//! Without them every run sees the same cases. `RUST_BACKTRACE=0` leaves the case alone on the screen.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use arbitrary::{Arbitrary, Unstructured};
use haversack_tests::generate::{Case, JsonCase, OptionCase, ShellCase, TextCase};
use haversack_tests::laws::{self, Law};
use haversack_tests::vectors::unbuild;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Holds a law over the cases that `draw` makes of bytes.
fn hold(name: &str, law: Law, draw: fn(&mut Unstructured<'_>) -> arbitrary::Result<Case>) {
    let seed: u64 = std::env::var("HAVERSACK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
    let outcome = runner.run(&vec(any::<u8>(), 0..700), |bytes| {
        let Ok(case) = draw(&mut Unstructured::new(&bytes)) else { return Ok(()) };
        match catch_unwind(AssertUnwindSafe(|| law(&case.payload, &case.spec))) {
            Ok(answer) => answer.map_err(TestCaseError::fail),
            Err(_) => Err(TestCaseError::fail(format!(
                "panic\n  {{\"input\":{},\"options\":{}}}",
                unbuild(&case.payload),
                case.spec.to_json()
            ))),
        }
    });
    if let Err(e) = outcome {
        let text = e.to_string();
        let short = text.split("; minimal failing input").next().unwrap_or(&text);
        panic!("{name} (seed {seed}): {short}");
    }
}

macro_rules! laws {
    ($($law:ident)*) => {$(
        mod $law {
            use super::*;

            #[test]
            fn json() {
                hold(stringify!($law), laws::$law, |u| Ok(JsonCase::arbitrary(u)?.0));
            }

            #[test]
            fn options() {
                hold(stringify!($law), laws::$law, |u| Ok(OptionCase::arbitrary(u)?.0));
            }

            #[test]
            fn shell() {
                hold(stringify!($law), laws::$law, |u| Ok(ShellCase::arbitrary(u)?.0));
            }

            #[test]
            fn text() {
                hold(stringify!($law), laws::$law, |u| Ok(TextCase::arbitrary(u)?.0));
            }

            #[test]
            fn anything() {
                hold(stringify!($law), laws::$law, |u| Case::arbitrary(u));
            }
        }
    )*};
}

laws! {
    l1_budget l2_parses l3_records l4_books l5_reversal l6_idempotent l7_pages l13_any_bytes l15_small_values l16_scalars
    l17_boundaries l18_passthrough l19_never_larger l20_deterministic l21_state l22_full
}

#[test]
fn json_check_agrees_with_serde_json() {
    let law: Law = |payload, _| laws::json_check(payload);
    #[allow(clippy::redundant_closure_for_method_calls, clippy::redundant_closure)]
    // the function itself is not general enough
    hold("json_check", law, |u| Case::arbitrary(u));
    hold("json_check", law, |u| {
        let payload = haversack_tests::generate::broken(u)?;
        Ok(Case { payload, spec: haversack_tests::Spec::new(haversack::Unit::Bytes, 0) })
    });
}

#[test]
fn cursors_of_any_shape() {
    hold("cursors", laws::cursors, |u| {
        let OptionCase(mut case) = OptionCase::arbitrary(u)?;
        case.spec.cursor = Some(haversack_tests::generate::cursor(u)?);
        Ok(case)
    });
}
