//! The laws as properties over generated cases.
//!
//! `PROPTEST_CASES` and `HAVERSACK_SEED` as in `src/hold.rs`.
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
use haversack_tests::hold;
use haversack_tests::laws::{self, Law};
use haversack_tests::vectors::unbuild;

/// Holds a law over the cases that `draw` makes of bytes.
fn over(name: &str, law: Law, draw: fn(&mut Unstructured<'_>) -> arbitrary::Result<Case>) {
    hold(name, 0..700, |u| {
        let Ok(case) = draw(u) else { return Ok(()) };
        // The case is what helps, not where the panic was.
        catch_unwind(AssertUnwindSafe(|| law(&case.payload, &case.spec))).unwrap_or_else(|_| {
            let (input, options) = (unbuild(&case.payload), case.spec.to_json());
            Err(format!("panic\n  {{\"input\":{input},\"options\":{options}}}"))
        })
    });
}

macro_rules! laws {
    ($($law:ident)*) => {$(
        mod $law {
            use super::*;

            #[test]
            fn json() {
                over(stringify!($law), laws::$law, |u| Ok(JsonCase::arbitrary(u)?.0));
            }

            #[test]
            fn options() {
                over(stringify!($law), laws::$law, |u| Ok(OptionCase::arbitrary(u)?.0));
            }

            #[test]
            fn shell() {
                over(stringify!($law), laws::$law, |u| Ok(ShellCase::arbitrary(u)?.0));
            }

            #[test]
            fn text() {
                over(stringify!($law), laws::$law, |u| Ok(TextCase::arbitrary(u)?.0));
            }

            #[test]
            fn anything() {
                over(stringify!($law), laws::$law, |u| Case::arbitrary(u));
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
    over("json_check", law, |u| Case::arbitrary(u));
    over("json_check", law, |u| {
        let payload = haversack_tests::generate::broken(u)?;
        Ok(Case { payload, spec: haversack_tests::Spec::new(haversack::Unit::Bytes, 0) })
    });
}

#[test]
fn cursors_of_any_shape() {
    over("cursors", laws::cursors, |u| {
        let OptionCase(mut case) = OptionCase::arbitrary(u)?;
        case.spec.cursor = Some(haversack_tests::generate::cursor(u)?);
        Ok(case)
    });
}
