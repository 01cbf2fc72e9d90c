//! Stands in the copy as an example of `haversack-tests`: vectors and laws in small pieces that can be run one by one.
//!
//! `units record CASES`: runs each, and prints its number, its microseconds and the mutants it met.
//! `units run CASES`: runs those whose numbers come on the standard input, up to the first that fails.

use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::time::Instant;

use arbitrary::{Arbitrary, Unstructured};
use haversack_tests::generate::{self, Case, JsonCase, OptionCase, TextCase};
use haversack_tests::laws;
use haversack_tests::vectors::{self, delivered, load};

type Draw = fn(&mut Unstructured<'_>) -> arbitrary::Result<Case>;

const DRAWS: [(&str, Draw); 4] = [
    ("json", |u| Ok(JsonCase::arbitrary(u)?.0)),
    ("options", |u| Ok(OptionCase::arbitrary(u)?.0)),
    ("text", |u| Ok(TextCase::arbitrary(u)?.0)),
    ("anything", |u| Case::arbitrary(u)),
];

/// Bytes without a pattern, from a counter.
fn noise(seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x >> 32
    };
    let len = next() % 700;
    (0..len).map(|_| next() as u8).collect()
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Time on the processor where the system tells it, so that a busy machine makes no test slow; else of the clock.
fn micros() -> u128 {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = on_processor.and_then(|s| s.split(' ').next()?.parse::<u128>().ok());
    nanos.map_or_else(|| START.elapsed().as_micros(), |n| n / 1000)
}

fn vector(case: &vectors::Case) -> Result<(), String> {
    let got = match case.op.as_str() {
        "deliver" if haversack_tests::Spec::from_json(&case.options, |_, _| false)?.budget().is_some() => {
            Some(delivered(&case.payload, &case.options)?)
        }
        "page" | "find" => vectors::read(&case.op, &case.payload, &case.options)?,
        _ => None,
    };
    if got.is_some_and(|got| got != case.expect) { Err("another answer".into()) } else { Ok(()) }
}

fn law(number: usize, draw: usize, seed: u64) -> Result<(), String> {
    let bytes = noise(seed);
    let u = &mut Unstructured::new(&bytes);
    if let Some((_, law)) = laws::ALL.get(number) {
        let Ok(case) = DRAWS[draw].1(u) else { return Ok(()) };
        return law(&case.payload, &case.spec);
    }
    if draw % 2 == 0 {
        let Ok(OptionCase(mut case)) = OptionCase::arbitrary(u) else { return Ok(()) };
        case.spec.cursor = generate::cursor(u).ok();
        return laws::cursors(&case.payload, &case.spec);
    }
    let payload = if draw == 1 { generate::broken(u) } else { generate::payload(u) };
    payload.map_or(Ok(()), |p| laws::json_check(&p))
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args().collect();
    let cases: usize = arguments[2].parse().unwrap();
    let vectors = load().unwrap();
    let kinds = (laws::ALL.len() + 1) * DRAWS.len();
    let unit = |i: usize| {
        let (name, answer) = match vectors.get(i) {
            Some(case) => {
                (format!("vector {}/{}", case.op, case.name), catch_unwind(AssertUnwindSafe(|| vector(case))))
            }
            None => {
                let (i, seed) = (i - vectors.len(), (i - vectors.len()) as u64);
                let (number, draw) = (i % kinds / DRAWS.len(), i % DRAWS.len());
                let name = laws::ALL.get(number).map_or("cursors, json_check", |(name, _)| name);
                let name = format!("law {name} on {}, seed {seed}", DRAWS[draw].0);
                (name, catch_unwind(|| law(number, draw, seed)))
            }
        };
        let answer = answer.unwrap_or_else(|_| Err("panic".into()));
        answer.map_err(|e| format!("{name}: {e}"))
    };
    if arguments[1] == "record" {
        for i in 0..vectors.len() + kinds * cases {
            let start = micros();
            if let Err(e) = unit(i) {
                println!("failed: {i}: {}", e.lines().next().unwrap_or_default());
            }
            let micros = micros() - start;
            let met: Vec<String> = haversack::mutant::take_met().iter().map(u32::to_string).collect();
            println!("{i} {micros} {}", met.join(" "));
        }
        return;
    }
    let mut wanted = String::new();
    std::io::stdin().read_to_string(&mut wanted).unwrap();
    for i in wanted.split_whitespace() {
        if let Err(e) = unit(i.parse().unwrap()) {
            println!("{i} {e}");
            std::process::exit(1);
        }
    }
}
