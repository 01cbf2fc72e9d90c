//! The books as JSON.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Boundary, LARGEST, Sums, Tally, check_closes};
use crate::account::Counts;
use crate::error::Error;
use crate::state::{Object, check_head, invalid, offset_of};

const NAME: &str = "tally";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: Cow<'a, str>,
    version: u32,
    boundaries: Vec<Object<BoundaryJson>>,
    keys: Vec<Object<KeyJson<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoundaryJson {
    boundary: Boundary,
    calls: u64,
    records: Object<Counts>,
    bytes: Object<Counts>,
    recoverable: u64,
    recoverable_bytes: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyJson<'a> {
    key: Cow<'a, str>,
    calls: u64,
    arrived: u64,
}

impl Tally {
    /// The sums by boundary and the survival of keys as compact JSON, version 1. Books read back from it go on as these
    /// would.
    pub fn to_json(&self) -> String {
        let boundary = |(boundary, sums): (Boundary, Sums)| {
            Object(BoundaryJson {
                boundary,
                calls: sums.calls,
                records: Object(sums.records),
                bytes: Object(sums.bytes),
                recoverable: sums.recoverable,
                recoverable_bytes: sums.recoverable_bytes,
            })
        };
        let key = |(key, (calls, arrived)): (&'_ String, &(u64, u64))| {
            Object(KeyJson { key: Cow::Owned(key.clone()), calls: *calls, arrived: *arrived })
        };
        let state = State {
            haversack: Cow::Borrowed(NAME),
            version: VERSION,
            boundaries: self.boundaries().map(boundary).collect(),
            keys: self.keys.iter().map(key).collect(),
        };
        crate::state::written(&state)
    }

    /// Reads what [`to_json`](Tally::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState): no such JSON (`offset`), another version, or a boundary or key
    /// (`index`) that stands twice or whose numbers contradict each other.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        check_head(text, NAME, VERSION, "state")?;
        let Object::<State<'_>>(state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not the state of a tally: wrong at byte {offset}")).at(offset)
        })?;
        let mut tally = Tally::new();
        for (index, Object(one)) in state.boundaries.into_iter().enumerate() {
            let (records, bytes) = (one.records.0, one.bytes.0);
            let fetch = |counts: &Counts| counts.offloaded.saturating_add(counts.omitted);
            let good = check_closes("records", &records).is_ok()
                && check_closes("bytes", &bytes).is_ok()
                && (records.offloaded..=fetch(&records)).contains(&one.recoverable)
                && (bytes.offloaded..=fetch(&bytes)).contains(&one.recoverable_bytes)
                && (1..=LARGEST).contains(&one.calls)
                && records.total <= LARGEST
                && bytes.total <= LARGEST;
            let sums = Sums {
                calls: one.calls,
                records,
                bytes,
                recoverable: one.recoverable,
                recoverable_bytes: one.recoverable_bytes,
            };
            if !good || tally.sums.insert(one.boundary, sums).is_some() {
                return Err(invalid(&alloc::format!("boundary {index} is none of a tally")).numbered(index));
            }
        }
        for (index, Object(one)) in state.keys.into_iter().enumerate() {
            let good = (1..=LARGEST).contains(&one.calls)
                && one.arrived <= one.calls
                && one.key.len() <= Tally::KEY_BYTES
                && tally.keys.len() < Tally::KEYS;
            if !good || tally.keys.insert(one.key.into_owned(), (one.calls, one.arrived)).is_some() {
                return Err(invalid(&alloc::format!("key {index} is none of a tally")).numbered(index));
            }
        }
        Ok(tally)
    }
}
