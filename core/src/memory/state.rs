//! Memory as JSON: items in the order of their numbers, read back with nothing taken on trust.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Item, LARGEST, Memory, MemoryCounts, OnFull, RememberOptions, SAID, Said, Timing, check, normal};
use crate::error::Error;
use crate::source::{Source, SourceKind};
use crate::state::{Object, check_head, invalid, offset_of};

const NAME: &str = "memory";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: Cow<'a, str>,
    version: u32,
    cap: Option<u64>,
    on_full: Option<OnFull>,
    next: u64,
    counts: Object<MemoryCounts>,
    unflushed: Vec<u64>,
    items: Vec<Object<ItemJson<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemJson<'a> {
    id: u64,
    text: Cow<'a, str>,
    said: Vec<Object<SaidJson<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidJson<'a> {
    source: Cow<'a, str>,
    importance: u8,
    at: u64,
    timing: Timing,
}

impl Memory {
    /// All memories with every source as compact JSON, version 1. One read back from it answers as this one would.
    pub fn to_json(&self) -> String {
        let said = |said: &'_ Said| {
            let source = Cow::Owned(said.source.as_str().into());
            Object(SaidJson { source, importance: said.importance, at: said.at, timing: said.timing })
        };
        let items = self.items.iter().map(|(id, item)| {
            Object(ItemJson {
                id: *id,
                text: Cow::Owned(String::from(&*item.text)),
                said: item.said.iter().map(said).collect(),
            })
        });
        let state = State {
            haversack: Cow::Borrowed(NAME),
            version: VERSION,
            cap: self.cap.map(|cap| cap as u64),
            on_full: self.on_full,
            next: self.next,
            counts: Object(self.counts),
            unflushed: self.unflushed.iter().copied().collect(),
            items: items.collect(),
        };
        crate::state::written(&state)
    }

    /// Reads what [`to_json`](Memory::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState): no such JSON (`offset`), another version, books that do not
    /// close, or an item that no memory holds (`index`): numbers that do not rise, a text that stands twice, a source
    /// that does.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        check_head(text, NAME, VERSION, "state")?;
        let Object::<State<'_>>(state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not the state of a memory: wrong at byte {offset}")).at(offset)
        })?;
        let mut memory = Memory { on_full: state.on_full, counts: state.counts.0, next: state.next, ..Memory::new() };
        let cap = state.cap.map(usize::try_from).transpose();
        memory.cap = cap.map_err(|_| invalid("a cap that no memory has"))?;
        for (index, Object(item)) in state.items.into_iter().enumerate() {
            memory.again(item).map_err(|why| invalid(&alloc::format!("item {index} {why}")).numbered(index))?;
        }
        let held = memory.items.len() as u64;
        let within = memory.on_full == Some(OnFull::Report) || memory.cap.is_none_or(|cap| memory.items.len() <= cap);
        if memory.cap.is_some() != memory.on_full.is_some() || !within {
            return Err(invalid("a cap that does not fit what is held"));
        }
        if memory.counts.held != held || !memory.counts.closes() || memory.counts.offered > LARGEST {
            return Err(invalid("the books do not close"));
        }
        let unflushed: BTreeSet<u64> = state.unflushed.iter().copied().collect();
        if unflushed.len() != state.unflushed.len() || unflushed.iter().any(|id| !memory.items.contains_key(id)) {
            return Err(invalid("unflushed names a memory that there is not"));
        }
        memory.unflushed = unflushed;
        Ok(memory)
    }

    /// Holds an item that was held.
    fn again(&mut self, item: ItemJson<'_>) -> Result<(), &'static str> {
        let rises = self.items.last_key_value().is_none_or(|(last, _)| *last < item.id) && item.id < self.next;
        if !rises || self.next > LARGEST {
            return Err("has a number that it cannot have");
        }
        if self.texts.contains_key(&normal(&item.text)) {
            return Err("stands twice");
        }
        let mut said: Vec<Said> = Vec::with_capacity(item.said.len());
        for Object(one) in item.said {
            let options =
                RememberOptions { source: &one.source, importance: one.importance, at: one.at, timing: one.timing };
            check(&item.text, &options).map_err(|_| "is none that can be added")?;
            let source = Source::parse(&one.source);
            let whole = source.as_str() == one.source;
            if !whole || said.len() >= SAID * SourceKind::ALL.len() || said.iter().any(|other| other.source == source) {
                return Err("has a source that it cannot have");
            }
            said.push(Said { source, importance: one.importance, at: one.at, timing: one.timing });
        }
        let of_kind = |kind: SourceKind| said.iter().filter(|one| one.source.kind() == kind).count();
        if said.is_empty() || SourceKind::ALL.iter().any(|kind| of_kind(*kind) > SAID) {
            return Err("has a number of sources that it cannot have");
        }
        self.hold(item.id, Item { text: Arc::from(&*item.text), said, best: 0, since: 0, bytes: 0 });
        Ok(())
    }
}
