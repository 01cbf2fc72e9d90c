//! Frozen sections as JSON: written between two processes of one run, read back with nothing taken on trust.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Frozen, Note, Section};
use crate::error::Error;
use crate::state::{Object, check_head, invalid, offset_of};

const NAME: &str = "frozen";
const VERSION: u32 = 1;
/// A number of JSON up to here is exact in every language.
const LARGEST: u64 = 1 << 53;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: Cow<'a, str>,
    version: u32,
    sections: Vec<Object<SectionJson<'a>>>,
    notes: Vec<Object<NoteJson<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionJson<'a> {
    name: Cow<'a, str>,
    frozen: Cow<'a, str>,
    current: Cow<'a, str>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteJson<'a> {
    section: Cow<'a, str>,
    version: u64,
    text: Cow<'a, str>,
}

impl Frozen {
    /// The sections and outstanding notes as compact JSON, version 1. It holds their texts. One read back from it
    /// answers as this one would.
    pub fn to_json(&self) -> String {
        let section = |s: &'_ Section| -> Object<SectionJson<'_>> {
            Object(SectionJson {
                name: Cow::Owned(s.name.clone()),
                frozen: Cow::Owned(s.frozen.clone()),
                current: Cow::Owned(s.current.clone()),
                version: s.version,
            })
        };
        let note = |n: &'_ Note| -> Object<NoteJson<'_>> {
            Object(NoteJson {
                section: Cow::Owned(n.section.clone()),
                version: n.version,
                text: Cow::Owned(n.text.clone()),
            })
        };
        let state = State {
            haversack: Cow::Borrowed(NAME),
            version: VERSION,
            sections: self.sections.iter().map(section).collect(),
            notes: self.notes.iter().map(note).collect(),
        };
        crate::state::written(&state)
    }

    /// Reads what [`to_json`](Frozen::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState): no such JSON (`offset`), another version, or a section or note
    /// that cannot be one (`index`): a name that stands twice, versions that do not rise, a last note that is not that
    /// of its section.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        check_head(text, NAME, VERSION, "state")?;
        let Object::<State<'_>>(state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not the state of frozen sections: wrong at byte {offset}")).at(offset)
        })?;
        let section = |Object(s): Object<SectionJson<'_>>| Section {
            name: s.name.into_owned(),
            frozen: s.frozen.into_owned(),
            current: s.current.into_owned(),
            version: s.version,
        };
        let note = |Object(n): Object<NoteJson<'_>>| Note {
            section: n.section.into_owned(),
            version: n.version,
            text: n.text.into_owned(),
        };
        let frozen = Frozen {
            sections: state.sections.into_iter().map(section).collect(),
            notes: state.notes.into_iter().map(note).collect(),
        };
        if let Some((index, message)) = frozen.bad_name() {
            return Err(invalid(&message).numbered(index));
        }
        frozen.check_notes()?;
        Ok(frozen)
    }

    /// Of every section the last note is the one that its version makes, and versions rise from note to note.
    fn check_notes(&self) -> Result<(), Error> {
        let by_name = self.by_name();
        // The newest note of every section first: it is the one that can be told.
        let mut later: BTreeMap<&str, u64> = BTreeMap::new();
        for (index, note) in self.notes.iter().enumerate().rev() {
            let good = note.version > 1
                && by_name.get(note.section.as_str()).is_some_and(|section| {
                    match later.insert(&note.section, note.version) {
                        None => section.note() == *note,
                        Some(later) => note.version < later,
                    }
                });
            if !good {
                return Err(invalid(&alloc::format!("note {index} is not one of its section")).numbered(index));
            }
        }
        for (index, section) in self.sections.iter().enumerate() {
            let changed = section.current != section.frozen;
            let counted = (1..=LARGEST).contains(&section.version);
            if !counted || (changed && !later.contains_key(section.name.as_str())) {
                let message = alloc::format!("section {index} has a version that it cannot have");
                return Err(invalid(&message).numbered(index));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use alloc::string::ToString;
    use serde_json::Value;

    fn run() -> Frozen {
        let mut frozen = Frozen::new([("memory", "city: Oslo\n"), ("tools", "[]")]).unwrap();
        frozen.update("memory", Some("city: Bergen\n")).unwrap();
        frozen.update("tools", None).unwrap();
        frozen.update("memory", Some("city: Oslo\n")).unwrap();
        frozen
    }

    #[test]
    fn going_on_from_json_is_going_on() {
        let mut here = run();
        let mut there = Frozen::from_json(&here.to_json()).unwrap();
        assert_eq!((&there, there.to_json()), (&here, here.to_json()));
        for text in [Some("city: Rome\n"), None, Some("city: Oslo\n")] {
            assert_eq!(there.update("memory", text).unwrap(), here.update("memory", text).unwrap());
            assert_eq!(there.to_json(), here.to_json());
        }
        here.fold();
        let folded = Frozen::from_json(&here.to_json()).unwrap();
        assert_eq!(folded, here);
    }

    #[test]
    fn what_nothing_wrote_is_refused() {
        let good = run().to_json();
        let change = |pointer: &str, value: Value| {
            let mut state: Value = serde_json::from_str(&good).unwrap();
            *state.pointer_mut(pointer).unwrap() = value;
            Frozen::from_json(&state.to_string()).map(drop).map_err(|e| (e.kind(), e.index()))
        };
        let refused = |index| Err((ErrorKind::InvalidState, index));
        assert_eq!(change("/version", 1.into()), Ok(()));
        assert_eq!(change("/version", 2.into()), refused(None));
        assert_eq!(change("/haversack", "offloads".into()), refused(None));
        assert_eq!(change("/sections/1/name", "memory".into()), refused(Some(1)));
        assert_eq!(change("/sections/1/version", 0.into()), refused(Some(1)));
        assert_eq!(change("/sections/0/current", "x".into()), refused(Some(2)));
        assert_eq!(change("/notes/2/text", "x".into()), refused(Some(2)));
        assert_eq!(change("/notes/0/version", 3.into()), refused(Some(0)));
        assert_eq!(change("/notes/1/section", "other".into()), refused(Some(1)));
        assert_eq!(change("/notes", Value::Array(Vec::new())), refused(Some(1)));
        for end in (0..good.len()).filter(|i| good.is_char_boundary(*i)) {
            let e = Frozen::from_json(&good[..end]).unwrap_err();
            assert_eq!((e.kind(), e.offset()), (ErrorKind::InvalidState, Some(end)));
        }
        let twice = good.replacen("\"version\":1", "\"version\":1,\"version\":1", 1);
        assert!(Frozen::from_json(&twice).unwrap_err().offset().is_some());
    }
}
