//! Stands in the copy as an example of `haversack-tests`: looks for calls whose answer a mutant changes, each of which
//! would make a vector.
//!
//! `answers record SEEDS`: every call with its number, the size of its input, a digest of its answer, and the mutants
//! it meets. `answers differ FILE`: of the recorded calls whose lines come on the standard input, those with another
//! digest now. `answers show NUMBER`: a call as a vector writes it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, stdin};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack_tests::Spec;
use haversack_tests::generate::{self, Case, JsonCase, OptionCase, TextCase};
use haversack_tests::vectors::{delivered, read, unbuild};
use serde_json::{Value, json};

/// A call of a verb, as a vector has it.
struct Call {
    op: &'static str,
    payload: Vec<u8>,
    options: Value,
}

impl Call {
    fn answer(&self) -> Option<Value> {
        match self.op {
            "deliver" => delivered(&self.payload, &self.options).ok(),
            _ => read(self.op, &self.payload, &self.options).ok().flatten(),
        }
    }
}

/// Bytes without a pattern, from a counter.
fn noise(seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x >> 32
    };
    let len = next() % 500;
    (0..len).map(|_| next() as u8).collect()
}

fn reading(u: &mut Unstructured<'_>, op: &'static str) -> Result<Call> {
    let (payload, at) = match u.int_in_range(0..=3)? {
        0 | 1 => (generate::lines(u)?, ""),
        2 => (
            json!({"log": generate::lines(u)?, "list": [{"a": "x\ny"}]}).to_string(),
            *u.choose(&["/log", "/list/0/a"])?,
        ),
        _ => (generate::document(u)?, *u.choose(&["", "/a", "/items", "/0/name", "/name", "/x/~2"])?),
    };
    let spec = generate::budget(u, payload.as_bytes())?;
    let mut options = spec.to_json();
    let mut put = |name: &str, value: Value| drop(options.as_object_mut().map(|o| o.insert(name.into(), value)));
    if !at.is_empty() {
        put("at", json!(at));
    }
    if u.ratio(1, 4)? {
        put("reader", json!("read_more"));
    }
    if u.ratio(1, 5)? {
        put("hint", json!("ask for less"));
    }
    if op == "page" {
        if u.ratio(1, 2)? {
            put("start", json!(u.int_in_range(0..=40)?));
        }
        if u.ratio(1, 2)? {
            put("lines", json!(u.int_in_range(0..=30)?));
        }
    } else {
        put("needle", json!(u.choose(&["a", "1", "word", "line", "e", "é", "ERROR", " ", ""])?));
        if u.ratio(1, 2)? {
            put("context", json!(u.int_in_range(0..=4)?));
        }
        if u.ratio(1, 2)? {
            put("limit", json!(u.int_in_range(0..=6)?));
        }
    }
    Ok(Call { op, payload: payload.into_bytes(), options })
}

fn first(seed: u64) -> Option<Call> {
    let bytes = noise(seed);
    let u = &mut Unstructured::new(&bytes);
    let case = match seed % 8 {
        0 | 1 => JsonCase::arbitrary(u).map(|c| c.0),
        2 | 3 => OptionCase::arbitrary(u).map(|c| c.0),
        4 | 5 => TextCase::arbitrary(u).map(|c| c.0),
        6 => Case::arbitrary(u),
        _ => return reading(u, if seed / 8 % 2 == 0 { "page" } else { "find" }).ok(),
    };
    let Case { payload, spec } = case.ok()?;
    Some(Call { op: "deliver", payload, options: spec.to_json() })
}

/// The first call of a seed, the page that follows, and a second cut of the text to half its size.
fn call(number: u64) -> Option<Call> {
    let mut call = first(number / 3)?;
    let answer = if number % 3 == 0 { return Some(call) } else { call.answer()?["answer"].take() };
    if number % 3 == 1 {
        call.options["cursor"] = json!(answer["next"].as_str()?);
        if let (Some(o), "page") = (call.options.as_object_mut(), call.op) {
            o.remove("start");
        }
        return Some(call);
    }
    if call.op != "deliver" {
        return None;
    }
    let spec = Spec::from_json(&call.options, |_, _| false).ok()?;
    let half = spec.limit(answer["size"].as_u64()? as usize / 2);
    Some(Call { op: "deliver", payload: answer["text"].as_str()?.into(), options: half.to_json() })
}

/// Size of the call as a vector, digest of its answer.
fn digest(number: u64) -> Option<(usize, u64)> {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let call = call(number)?;
        Some((call.payload.len(), call.answer()?))
    }));
    let (size, text) = match answer {
        Ok(None) => return None,
        Ok(Some((size, answer))) => (size, answer.to_string()),
        Err(_) => (0, "panic".into()),
    };
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    Some((size, hasher.finish()))
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args().collect();
    let value = arguments.get(2).map_or(0, |n| n.parse().unwrap_or(0));
    match arguments[1].as_str() {
        "record" => {
            for number in 0..value * 3 {
                let answer = digest(number);
                let met = haversack::mutant::take_met();
                let Some((size, digest)) = answer else { continue };
                let met: Vec<String> = met.iter().map(u32::to_string).collect();
                println!("{number} {size} {digest} {}", met.join(" "));
            }
        }
        "differ" => {
            for line in stdin().lock().lines().map_while(std::result::Result::ok) {
                let words: Vec<u64> = line.split(' ').filter_map(|w| w.parse().ok()).collect();
                if let [number, size, then] = words[..]
                    && digest(number).is_none_or(|(_, now)| now != then)
                {
                    println!("{number} {size}");
                }
            }
        }
        _ => {
            if let Some(call) = call(value) {
                let answer = call.answer();
                println!(
                    "{}",
                    json!({"op": call.op, "input": unbuild(&call.payload), "options": call.options, "expect": answer})
                );
            }
        }
    }
}
