//! State that goes through JSON: what every object with `to_json` and `from_json` needs to read it back strictly.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, ErrorKind};

/// A struct that stands in JSON as an object: derived code would take an array of its members, too.
pub(crate) struct Object<T>(pub(crate) T);

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(members))
            }
        }
        from.deserialize_map(Members(PhantomData)).map(Object)
    }
}

/// A value of ours as compact JSON. Writing to a string fails only where a type's own `Serialize` does or a key is no
/// text, and none of ours is such a type.
pub(crate) fn written(value: &(impl Serialize + ?Sized)) -> String {
    let written = serde_json::to_string(value);
    debug_assert!(written.is_ok(), "{written:?}");
    written.unwrap_or_default()
}

/// The byte offset of an error that `serde_json` places by line and column (both from 1, columns in bytes).
pub(crate) fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    if error.is_eof() {
        return text.len();
    }
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    before.saturating_add(error.column().saturating_sub(1)).min(text.len())
}

/// What a reader of any version can tell.
#[derive(Deserialize)]
struct Head {
    haversack: String,
    version: u32,
}

/// Refuses the state of something else, and one of another version; `what` names it.
///
/// # Errors
/// [`ErrorKind::InvalidState`].
pub(crate) fn check_head(text: &str, name: &str, version: u32, what: &str) -> Result<(), Error> {
    let Ok(Object(head)) = serde_json::from_str::<Object<Head>>(text) else { return Ok(()) };
    if head.haversack != name {
        return Err(invalid("this is the state of something else"));
    }
    if head.version != version {
        let found = head.version;
        return Err(invalid(&alloc::format!("{what} of version {found}, version {version} expected")));
    }
    Ok(())
}

pub(crate) fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidState, message)
}
