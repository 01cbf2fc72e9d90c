//! A ledger as JSON: what was recorded, in order. Reading it back records it again, so nothing can be read that no
//! ledger wrote.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{FactKind, FactOptions, FactValue, LARGEST, Ledger, checked};
use crate::error::Error;
use crate::state::{Object, check_head, invalid, offset_of};

const NAME: &str = "ledger";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: Cow<'a, str>,
    version: u32,
    merged: u64,
    /// Numbers of lines whose news were not told.
    untold: Vec<usize>,
    writes: Vec<Object<WriteJson<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteJson<'a> {
    key: Cow<'a, str>,
    /// JSON in a string: no reader can change its spelling.
    value: Cow<'a, str>,
    kind: FactKind,
    source: Cow<'a, str>,
    turn: Option<u64>,
    verified: bool,
    append: bool,
}

impl Ledger {
    /// The ledger with its history as compact JSON, version 1. One read back from it answers as this one would.
    pub fn to_json(&self) -> String {
        let write = |write: &'_ super::Write| {
            let line = &self.lines[write.line];
            Object(WriteJson {
                key: Cow::Owned(String::from(&*line.key)),
                value: Cow::Owned(write.value.clone()),
                kind: write.kind,
                source: Cow::Owned(write.source.as_str().into()),
                turn: write.turn,
                verified: write.verified,
                append: line.many,
            })
        };
        let state = State {
            haversack: Cow::Borrowed(NAME),
            version: VERSION,
            merged: self.merged,
            untold: self.untold.iter().copied().collect(),
            writes: self.writes.iter().map(write).collect(),
        };
        crate::state::written(&state)
    }

    /// Reads what [`to_json`](Ledger::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState): no such JSON (`offset`), another version, or a write that no
    /// ledger recorded (`index`).
    pub fn from_json(text: &str) -> Result<Self, Error> {
        check_head(text, NAME, VERSION, "state")?;
        let Object::<State<'_>>(state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not the state of a ledger: wrong at byte {offset}")).at(offset)
        })?;
        let mut ledger = Ledger::new();
        for (index, Object(write)) in state.writes.into_iter().enumerate() {
            ledger
                .again(&write)
                .ok_or_else(|| invalid(&alloc::format!("write {index} is not one of a ledger")).numbered(index))?;
        }
        let untold: BTreeSet<usize> = state.untold.iter().copied().collect();
        if untold.len() != state.untold.len() || untold.last().is_some_and(|last| *last >= ledger.lines.len()) {
            return Err(invalid("untold names a line that there is not"));
        }
        if !(ledger.merged..=LARGEST).contains(&state.merged) {
            return Err(invalid("fewer values were merged than are there"));
        }
        (ledger.merged, ledger.untold) = (state.merged, untold);
        Ok(ledger)
    }

    /// Records what was recorded; nothing where that is not what a ledger would have kept.
    fn again(&mut self, write: &WriteJson<'_>) -> Option<()> {
        let options =
            FactOptions { kind: write.kind, source: &write.source, turn: write.turn, verified: write.verified };
        let value = checked(&write.key, FactValue::Json(&write.value), &options).ok()?;
        let before = self.writes.len();
        self.put(&write.key, &value, &options, write.append).ok()?;
        let kept = self.writes.len() == before + 1;
        (kept && *value == *write.value && self.writes[before].source.as_str() == write.source).then_some(())
    }
}
