//! How fast one delivery is, for comparing a change with what was there before: `cargo bench -p haversack`.
//! Other libraries are beside it in `make bench`.

#[path = "../../tests/benches/src/inputs.rs"]
mod inputs;

use divan::Bencher;
use divan::counter::BytesCount;
use haversack::{Budget, deliver};
use inputs::Shape;

fn main() {
    divan::main();
}

/// A root array of a megabyte cut to 6,000 bytes.
#[divan::bench(args = Shape::ALL)]
fn cut_1mb(bencher: Bencher<'_, '_>, shape: Shape) {
    let (input, records) = shape.build(1_000_000);
    bencher.counter(BytesCount::new(input.len())).bench(|| {
        let d = deliver(&input, Budget::bytes(6000)).ok();
        assert_eq!(d.as_ref().map(|d| d.account().records().total), Some(records as u64));
        d
    });
}

/// What fits is passed through: the cost of a call on a small result.
#[divan::bench(args = Shape::ALL)]
fn pass_6kb(bencher: Bencher<'_, '_>, shape: Shape) {
    let (input, _) = shape.build(6_000);
    bencher.counter(BytesCount::new(input.len())).bench(|| {
        let d = deliver(&input, Budget::bytes(20_000)).ok();
        assert!(d.as_ref().is_some_and(|d| d.text() == input));
        d
    });
}
