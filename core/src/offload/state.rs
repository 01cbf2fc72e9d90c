//! The table as JSON: written between two processes of one run, read back with nothing taken on trust.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::deliver::Format;
use crate::error::Error;
use crate::json::Pattern;
use crate::measure::{Budget, Unit};
use crate::offload::options::is_one_line;
use crate::offload::table::REASON_CHARS;
use crate::offload::{Entry, EntryState, Offloads, Policy, key};
use crate::state::{Object, check_head, invalid, offset_of};

const NAME: &str = "offloads";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: Cow<'a, str>,
    version: u32,
    exempt: Vec<Cow<'a, str>>,
    entries: Vec<Object<EntryJson<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryJson<'a> {
    key: Cow<'a, str>,
    call_id: Cow<'a, str>,
    sha256: Cow<'a, str>,
    bytes: usize,
    size: usize,
    format: Format,
    at: Option<Cow<'a, str>>,
    hint: Option<Cow<'a, str>>,
    preview: Cow<'a, str>,
    policy: Object<Policy>,
    state: Cow<'a, str>,
    location: Option<Cow<'a, str>>,
    reason: Option<Cow<'a, str>>,
}

impl Offloads {
    /// The table as compact JSON, version 1. A table read back from it answers as this one would.
    pub fn to_json(&self) -> String {
        let state = State {
            haversack: Cow::Borrowed(NAME),
            version: VERSION,
            exempt: self.exempt.iter().map(|id| Cow::Borrowed(id.as_str())).collect(),
            entries: self.entries.iter().map(|e| Object(write_entry(e))).collect(),
        };
        crate::state::written(&state)
    }

    /// Reads what [`to_json`](Offloads::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState): no such JSON (`offset`), another version, or an entry that
    /// cannot be one of a table (`index`): a key that is not one of its call and format, a repeated key or digest, an
    /// `at` that is no pointer, a hint or preview that this library would not write, sizes or a state that contradict
    /// each other.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        check_head(text, NAME, VERSION, "state")?;
        let Object::<State<'_>>(state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not the state of a table of offloads: wrong at byte {offset}")).at(offset)
        })?;
        let mut table = Offloads::new();
        for (index, id) in state.exempt.into_iter().enumerate() {
            if !table.exempt.insert(id.into_owned()) {
                return Err(invalid(&alloc::format!("exempt call {index} stands twice")).numbered(index));
            }
        }
        for (index, entry) in state.entries.into_iter().enumerate() {
            let added = read_entry(entry.0).and_then(|e| table.insert(e).ok_or("repeats another"));
            added.map_err(|why| invalid(&alloc::format!("entry {index} {why}")).numbered(index))?;
        }
        Ok(table)
    }
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
        policy: Object(entry.policy),
        state: Cow::Borrowed(entry.state.name()),
        location: entry.location().map(Cow::Borrowed),
        reason,
    }
}

/// No payload is longer than this, and no text has more tokens: a number of JSON up to here is exact in every language.
const LARGEST: usize = if usize::BITS > 53 { 1 << 53 } else { usize::MAX };

/// Refuses, with what is wrong, an entry that no table could have written.
fn read_entry(json: EntryJson<'_>) -> Result<Entry, &'static str> {
    let good = |holds: bool, what: &'static str| if holds { Ok(()) } else { Err(what) };
    let location = json.location.map(Cow::into_owned);
    let reason = json.reason.map(Cow::into_owned);
    let state = match (&*json.state, location, reason) {
        ("pending", None, None) => EntryState::Pending,
        ("stored", Some(location), None) if !location.is_empty() => EntryState::Stored { location },
        ("not_shorter", Some(location), None) if !location.is_empty() => EntryState::NotShorter { location },
        ("refused", None, Some(reason)) if reason.chars().count() <= REASON_CHARS => EntryState::Refused { reason },
        _ => return Err("has a state, location and reason that do not belong together"),
    };
    let (bytes, size, policy) = (json.bytes, json.size, json.policy.0);
    good(bytes <= LARGEST && size <= LARGEST, "has a size that no payload has")?;
    // A scalar value has 1 to 4 bytes; a code unit of UTF-16 has 1 to 3 of them.
    let size_can_be = match policy.unit {
        Unit::Bytes => size == bytes,
        Unit::Chars => size <= bytes && bytes.div_ceil(4) <= size,
        Unit::Utf16 => size <= bytes && bytes.div_ceil(3) <= size,
        Unit::Tokens => true,
    };
    good(size_can_be, "has a size that its bytes cannot have")?;
    good(size > policy.over, "has a size within over")?;
    good(key::is_key_for(&json.key, &json.call_id, json.format), "has a key that is not one of its call and format")?;
    good(json.hint.as_deref().is_none_or(is_one_line), "has a hint that is not one line")?;
    good(json.at.as_deref().is_none_or(|at| json.format == Format::Json && leads_to_a_string(at)), AT)?;
    good(is_within(&json.preview, &policy), "has a preview larger than its policy allows")?;
    Ok(Entry {
        digest: key::digest_from_hex(&json.sha256).ok_or("has a sha256 that is not 64 hex digits")?,
        key: json.key.into_owned(),
        call_id: json.call_id.into_owned(),
        bytes,
        size,
        format: json.format,
        at: json.at.map(Cow::into_owned),
        hint: json.hint.map(Cow::into_owned),
        preview: json.preview.into_owned(),
        policy,
        state,
    })
}

const AT: &str = "has an at that is no pointer to a string of JSON";

/// A pointer to one place below the root.
fn leads_to_a_string(at: &str) -> bool {
    !at.is_empty() && Pattern::parse(at, "at").is_ok_and(|pattern| pattern.names().is_some())
}

/// Whether a preview keeps to its size; what only a counter could say is believed.
fn is_within(preview: &str, policy: &Policy) -> bool {
    let budget = match policy.preview_unit {
        Unit::Bytes => Budget::bytes(policy.preview),
        Unit::Chars => Budget::chars(policy.preview),
        Unit::Utf16 => Budget::utf16(policy.preview),
        Unit::Tokens => return true,
    };
    budget.fits(preview).is_ok_and(|size| size.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::measure::Budget;
    use crate::offload::{OffloadOptions, Prepared};
    use alloc::string::ToString;
    use serde_json::Value;

    fn options() -> OffloadOptions<'static> {
        OffloadOptions::new().over(Budget::chars(100)).preview(Budget::chars(60)).reader("read_more")
    }

    fn store(table: &mut Offloads, payload: &str, id: &str) -> String {
        table.prepare(payload, id, &options()).unwrap().key().unwrap().to_string()
    }

    /// One entry in each state.
    fn table() -> Offloads {
        let mut table = Offloads::new();
        table.exempt("call_reader");
        let key = store(&mut table, &"a stored log line\n".repeat(100), "c/1");
        table.commit(&key, "dir/one").unwrap();
        let key = store(&mut table, &"short ".repeat(20), "c/2");
        assert!(!table.commit(&key, "dir/two").unwrap().used());
        let key = store(&mut table, &"a refused log line\n".repeat(100), "c/3");
        table.refuse(&key, "disk \u{7} full").unwrap();
        store(&mut table, &"{\"id\":1}\n".repeat(100), "c/4");
        table
    }

    #[test]
    fn going_on_from_json_is_going_on() {
        let mut here = table();
        let mut there = Offloads::from_json(&here.to_json()).unwrap();
        assert_eq!(there.to_json(), here.to_json());
        let pointer = here.entries()[0].clone();
        let mut both = |payload: &str, id: &str| {
            let [a, b] = [&mut here, &mut there].map(|t| t.prepare(payload, id, &options()).unwrap());
            assert_eq!(a.to_json(), b.to_json());
            a
        };
        let known: Prepared = both(&"a stored log line\n".repeat(100), "other");
        assert_eq!(known.reason().name(), "known");
        assert_eq!(known.key(), Some(pointer.key()));
        assert_eq!(both(known.text().unwrap(), "x").reason().name(), "is_pointer");
        assert_eq!(both(&"long ".repeat(99), "call_reader").reason().name(), "exempt");
        assert_eq!(both(&"short ".repeat(20), "c/2").reason().name(), "not_shorter");
        assert_eq!(both(&"a refused log line\n".repeat(100), "c/3").reason().name(), "refused");
        let open = both(&"{\"id\":1}\n".repeat(100), "c/4");
        let [a, b] = [&mut here, &mut there].map(|t| t.commit(open.key().unwrap(), "dir/4").unwrap());
        assert_eq!(a.to_json(), b.to_json());
        assert_eq!(there.to_json(), here.to_json());
    }

    #[test]
    fn what_no_table_wrote_is_refused() {
        let good = table().to_json();
        let change = |pointer: &str, value: Value| {
            let mut state: Value = serde_json::from_str(&good).unwrap();
            *state.pointer_mut(pointer).unwrap() = value;
            Offloads::from_json(&state.to_string()).map(|_| ()).map_err(|e| (e.kind().name(), e.index()))
        };
        let entry = |i| Err(("invalid_state", Some(i)));
        assert_eq!(change("/version", 1.into()), Ok(()));
        assert_eq!(change("/version", 2.into()), Err(("invalid_state", None)));
        assert_eq!(change("/haversack", "ledger".into()), Err(("invalid_state", None)));
        assert_eq!(change("/exempt", serde_json::json!(["a", "a"])), entry(1));
        let first: Value = serde_json::from_str::<Value>(&good).unwrap()["entries"][0].clone();
        assert_eq!(change("/entries/1", first.clone()), entry(1), "a repeated entry");
        assert_eq!(change("/entries/1/sha256", first["sha256"].clone()), entry(1), "a repeated digest");
        assert_eq!(change("/entries/0/key", "../../etc/passwd".into()), entry(0));
        assert_eq!(change("/entries/0/call_id", "other".into()), entry(0));
        assert_eq!(change("/entries/0/format", "json".into()), entry(0));
        assert_eq!(change("/entries/0/sha256", "00".into()), entry(0));
        assert_eq!(change("/entries/0/size", 100.into()), entry(0), "within over");
        assert_eq!(change("/entries/0/size", 1801.into()), entry(0), "more chars than bytes");
        assert_eq!(change("/entries/0/location", Value::Null), entry(0));
        assert_eq!(change("/entries/0/location", "".into()), entry(0));
        assert_eq!(change("/entries/0/reason", "why".into()), entry(0));
        assert_eq!(change("/entries/2/reason", "x".repeat(121).into()), entry(2));
        assert_eq!(change("/entries/3/state", "stored".into()), entry(3));
        assert_eq!(change("/entries/0/hint", "two\nlines".into()), entry(0));
        assert_eq!(change("/entries/0/at", "/stdout".into()), entry(0), "only JSON has an at");
        assert_eq!(change("/entries/0/preview", "x".repeat(61).into()), entry(0));
        assert_eq!(change("/entries/0/bytes", (1_800 * 4 + 1).into()), entry(0), "more bytes than chars have");
        assert_eq!(change("/entries/0/bytes", (1_u64 << 54).into()), entry(0));
        for number in ["-1", "1.0", "1e3", "18446744073709551616", "null", "true", "\"1800\""] {
            let value = serde_json::from_str(number).unwrap();
            assert_eq!(change("/entries/0/bytes", value), Err(("invalid_state", None)), "{number}");
        }
        assert_eq!(change("/entries/0/policy/unit", "words".into()), Err(("invalid_state", None)));
        assert_eq!(change("/entries/0/policy", serde_json::json!({})), Err(("invalid_state", None)));
    }

    #[test]
    fn at_is_a_pointer_or_nothing() {
        let mut table = Offloads::new();
        let shell = serde_json::json!({"a\n*/~": {"*": "a line\n".repeat(100)}}).to_string();
        store(&mut table, &shell, "c");
        assert_eq!(table.entries()[0].at(), Some("/a\n*~1~0/~2"));
        let good = table.to_json();
        let loaded = Offloads::from_json(&good).unwrap();
        assert_eq!((loaded.to_json(), loaded.entries()), (good.clone(), table.entries()));
        for at in ["", "stdout", "/*", "/a/*/b", "/~", "/~9", "\u{202e}"] {
            let mut state: Value = serde_json::from_str(&good).unwrap();
            state["entries"][0]["at"] = at.into();
            let e = Offloads::from_json(&state.to_string()).unwrap_err();
            assert_eq!((e.kind(), e.index()), (ErrorKind::InvalidState, Some(0)), "{at:?}");
        }
    }

    #[test]
    fn members_stand_once_and_are_known() {
        let good = table().to_json();
        for (from, to) in [
            (r#"{"haversack":"offloads","#, r#"{"haversack":"offloads","haversack":"offloads","#),
            (r#""version":1"#, r#""version":1,"version":1"#),
            (r#""bytes":1800"#, r#""bytes":1800,"bytes":1800"#),
            (r#""bytes":1800"#, r#""bytes":1800,"extra":0"#),
            (r#""over":100"#, r#""over":100,"over":100"#),
            (r#""version":1"#, r#""version":1.0"#),
            (r#""version":1"#, r#""version":-1"#),
            (r#""version":1,"#, ""),
        ] {
            let text = good.replacen(from, to, 1);
            assert_ne!(text, good);
            let e = Offloads::from_json(&text).unwrap_err();
            assert_eq!(e.kind(), ErrorKind::InvalidState, "{to}");
            assert!(e.offset().is_some(), "{to}: {e}");
        }
    }

    #[test]
    fn garbage_has_its_place() {
        let good = table().to_json();
        for end in (0..good.len()).filter(|i| good.is_char_boundary(*i)) {
            let e = Offloads::from_json(&good[..end]).unwrap_err();
            assert_eq!((e.kind(), e.offset()), (ErrorKind::InvalidState, Some(end)));
        }
        assert_eq!(Offloads::from_json("[1]").unwrap_err().kind(), ErrorKind::InvalidState);
        let e = Offloads::from_json(r#"["offloads",1,[],[]]"#).unwrap_err();
        assert_eq!((e.kind(), e.offset()), (ErrorKind::InvalidState, Some(0)), "an array is no object");
        let policy = Offloads::from_json(&good.replacen(
            r#"{"over":100,"unit":"chars","preview":60,"preview_unit":"chars","preview_keep":"both"}"#,
            r#"[100,"chars",60,"chars","both"]"#,
            1,
        ));
        assert!(policy.unwrap_err().offset().is_some());
        let extra = good.replacen('{', "{\"path\":1,", 1);
        assert_eq!(Offloads::from_json(&extra).unwrap_err().kind(), ErrorKind::InvalidState);
        let deep = "[".repeat(100_000);
        assert_eq!(Offloads::from_json(&deep).unwrap_err().kind(), ErrorKind::InvalidState);
    }
}
