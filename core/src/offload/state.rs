//! The table as JSON: written between two processes of one run, read back with nothing taken on trust.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::deliver::Format;
use crate::error::{Error, ErrorKind};
use crate::measure::Unit;
use crate::offload::options::{by_name, is_one_line};
use crate::offload::table::REASON_CHARS;
use crate::offload::{Entry, EntryState, Offloads, Policy, key};

const NAME: &str = "haversack offloads";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    state: Cow<'a, str>,
    version: u32,
    exempt: Vec<Cow<'a, str>>,
    entries: Vec<EntryJson<'a>>,
}

/// What a reader of any version can tell.
#[derive(Deserialize)]
struct Head {
    state: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryJson<'a> {
    key: Cow<'a, str>,
    call_id: Cow<'a, str>,
    sha256: Cow<'a, str>,
    bytes: usize,
    size: usize,
    #[serde(with = "by_name::format")]
    format: Format,
    at: Option<Cow<'a, str>>,
    hint: Option<Cow<'a, str>>,
    preview: Cow<'a, str>,
    policy: Policy,
    state: Cow<'a, str>,
    location: Option<Cow<'a, str>>,
    reason: Option<Cow<'a, str>>,
}

impl Offloads {
    /// The table as compact JSON, version 1. A table read back from it answers as this one would.
    pub fn to_json(&self) -> String {
        let state = State {
            state: Cow::Borrowed(NAME),
            version: VERSION,
            exempt: self.exempt.iter().map(|id| Cow::Borrowed(id.as_str())).collect(),
            entries: self.entries.iter().map(write_entry).collect(),
        };
        serde_json::to_string(&state).unwrap_or_default()
    }

    /// Reads what [`to_json`](Offloads::to_json) wrote.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidState`]: no such JSON (`offset`), another version, or an entry that cannot be one of a
    /// table (`index`): a key that is not one of its call and format, a repeated key or digest, sizes or a state that
    /// contradict each other.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        if let Ok(head) = serde_json::from_str::<Head>(text) {
            if head.state != NAME {
                return Err(invalid("this is the state of something else"));
            }
            if head.version != VERSION {
                let version = head.version;
                return Err(invalid(&alloc::format!("state of version {version}, version {VERSION} expected")));
            }
        }
        let state: State<'_> = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, e.line(), e.column());
            invalid(&alloc::format!("not the state of a table of offloads: wrong at byte {offset}")).at(offset)
        })?;
        let mut table = Offloads::new();
        for id in state.exempt {
            if !table.exempt.insert(id.into_owned()) {
                return Err(invalid("an exempt call stands twice"));
            }
        }
        for (index, entry) in state.entries.into_iter().enumerate() {
            let checked = read_entry(entry).ok_or("contradicts itself");
            let added = checked.and_then(|e| table.insert(e).ok_or("repeats another"));
            added.map_err(|why| invalid(&alloc::format!("entry {index} {why}")).numbered(index))?;
        }
        Ok(table)
    }
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidState, message)
}

fn write_entry(entry: &Entry) -> EntryJson<'_> {
    let reason = match &entry.state {
        EntryState::Refused { reason } => Some(Cow::Borrowed(reason.as_str())),
        _ => None,
    };
    EntryJson {
        key: Cow::Borrowed(&entry.key),
        call_id: Cow::Borrowed(&entry.call_id),
        sha256: Cow::Owned(entry.sha256()),
        bytes: entry.bytes,
        size: entry.size,
        format: entry.format,
        at: entry.at().map(Cow::Borrowed),
        hint: entry.hint.as_deref().map(Cow::Borrowed),
        preview: Cow::Borrowed(&entry.preview),
        policy: entry.policy,
        state: Cow::Borrowed(entry.state.name()),
        location: entry.location().map(Cow::Borrowed),
        reason,
    }
}

/// `None` when no table could have written it.
fn read_entry(json: EntryJson<'_>) -> Option<Entry> {
    let location = json.location.map(Cow::into_owned);
    let reason = json.reason.map(Cow::into_owned);
    let state = match (&*json.state, location, reason) {
        ("pending", None, None) => EntryState::Pending,
        ("stored", Some(location), None) if !location.is_empty() => EntryState::Stored { location },
        ("not_shorter", Some(location), None) if !location.is_empty() => EntryState::NotShorter { location },
        ("refused", None, Some(reason)) if reason.chars().count() <= REASON_CHARS => EntryState::Refused { reason },
        _ => return None,
    };
    let size_can_be = match json.policy.unit {
        Unit::Bytes => json.size == json.bytes,
        Unit::Chars | Unit::Utf16 => json.size <= json.bytes,
        Unit::Tokens => true,
    };
    let good = size_can_be
        && json.size > json.policy.over
        && key::is_key_for(&json.key, &json.call_id, json.format)
        && json.hint.as_deref().is_none_or(is_one_line);
    if !good {
        return None;
    }
    Some(Entry {
        digest: key::digest_from_hex(&json.sha256)?,
        key: json.key.into_owned(),
        call_id: json.call_id.into_owned(),
        bytes: json.bytes,
        size: json.size,
        format: json.format,
        at: json.at.map(Cow::into_owned),
        hint: json.hint.map(Cow::into_owned),
        preview: json.preview.into_owned(),
        policy: json.policy,
        state,
    })
}

/// The byte offset of a line and a column (both from 1, columns in bytes) as `serde_json` names places.
pub(crate) fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    before.saturating_add(column.saturating_sub(1)).min(text.len())
}
