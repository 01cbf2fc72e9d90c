//! The job: bytes in, the first whole records of a root array that fit a budget out, the whole input checked and the
//! total exact. Each library does it the fastest way its own documentation offers.

use haversack::{Budget, DeliverOptions, Format, deliver};
use serde_json::Value;
use serde_json::value::RawValue;

/// What a peer delivered.
#[derive(Debug)]
pub struct Kept {
    /// Records in the input.
    pub total: usize,
    /// Records delivered.
    pub kept: usize,
    /// The delivered text.
    pub text: String,
}

pub type Job = fn(&[u8], usize) -> Kept;

/// Name, whether it is run at 100 MB (a tree of that takes gigabytes), and the job. haversack is the first.
pub const PEERS: [(&str, bool, Job); 5] = [
    ("haversack deliver", true, haversack),
    ("serde_json Vec<&RawValue>", true, serde_raw),
    ("sonic-rs to_array_iter", true, sonic),
    ("jiter skip", true, jiter),
    ("serde_json Vec<Value>", false, serde_value),
];

fn haversack(input: &[u8], budget: usize) -> Kept {
    // By name: under `auto` what is not JSON is delivered as lines.
    let options = DeliverOptions::new(Budget::bytes(budget)).format(Format::Json);
    let d = deliver(input, options).expect("valid input");
    let records = d.account().records();
    Kept { total: records.total as usize, kept: records.kept as usize, text: d.text().to_owned() }
}

/// Joins records into an array while they fit, and goes on counting.
struct Head {
    out: String,
    budget: usize,
    total: usize,
    kept: usize,
}

impl Head {
    fn new(budget: usize) -> Self {
        Head { out: String::from("["), budget, total: 0, kept: 0 }
    }

    fn wants(&self, len: usize) -> bool {
        self.kept == self.total && self.out.len() + len + 2 <= self.budget
    }

    fn add(&mut self, record: &str) {
        if self.wants(record.len()) {
            if self.kept > 0 {
                self.out.push(',');
            }
            self.out.push_str(record);
            self.kept += 1;
        }
        self.total += 1;
    }

    fn finish(mut self) -> Kept {
        self.out.push(']');
        Kept { total: self.total, kept: self.kept, text: self.out }
    }
}

fn serde_raw(input: &[u8], budget: usize) -> Kept {
    let records: Vec<&RawValue> = serde_json::from_slice(input).expect("valid input");
    let mut head = Head::new(budget);
    for record in &records {
        if !head.wants(record.get().len()) {
            break;
        }
        head.add(record.get());
    }
    Kept { total: records.len(), ..head.finish() }
}

fn serde_value(input: &[u8], budget: usize) -> Kept {
    let records: Vec<Value> = serde_json::from_slice(input).expect("valid input");
    let mut head = Head::new(budget);
    for record in &records {
        let text = record.to_string();
        if !head.wants(text.len()) {
            break;
        }
        head.add(&text);
    }
    Kept { total: records.len(), ..head.finish() }
}

fn sonic(input: &[u8], budget: usize) -> Kept {
    let mut head = Head::new(budget);
    for record in sonic_rs::to_array_iter(input) {
        head.add(record.expect("valid input").as_raw_str());
    }
    head.finish()
}

fn jiter(input: &[u8], budget: usize) -> Kept {
    let mut head = Head::new(budget);
    let mut reader = jiter::Jiter::new(input);
    let mut next = reader.next_array().expect("an array");
    while let Some(peek) = next {
        let start = reader.current_index();
        reader.known_skip(peek).expect("valid input");
        head.add(str::from_utf8(&input[start..reader.current_index()]).expect("UTF-8"));
        next = reader.array_step().expect("valid input");
    }
    reader.finish().expect("nothing behind the array");
    head.finish()
}
