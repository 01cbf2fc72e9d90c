//! The arguments of a call, as a model wrote them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::state::offset_of;
use crate::wording;

/// Bytes of arguments at most: room for the longest needle and cursor there can be.
const MAX_BYTES: usize = 64 * 1024;

/// A checked call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) key: String,
    pub(super) at: Option<String>,
    pub(super) cursor: Option<String>,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Read { start: Option<usize>, lines: Option<usize> },
    Find { needle: String, context: Option<usize>, limit: Option<usize> },
}

pub(super) fn read(text: &str) -> Result<Call, Error> {
    let mut members = Members::parse(text)?;
    let (start, lines) = (members.number("start")?, members.number("lines")?);
    let call = Call {
        key: members.required("key")?,
        at: members.string("at")?,
        cursor: members.string("cursor")?,
        what: What::Read { start, lines },
    };
    if call.cursor.is_some() && start.is_some() {
        return Err(Error::option("start", "start and cursor both say where to begin: give one of them"));
    }
    members.finish()?;
    Ok(call)
}

pub(super) fn find(text: &str) -> Result<Call, Error> {
    let mut members = Members::parse(text)?;
    let call = Call {
        key: members.required("key")?,
        at: members.string("at")?,
        cursor: members.string("cursor")?,
        what: What::Find {
            needle: members.required("needle")?,
            context: members.number("context")?,
            limit: members.number("limit")?,
        },
    };
    members.finish()?;
    Ok(call)
}

/// The members of one object in the order of the text, repeated ones too. A few at most are ever asked for.
struct Members(Vec<(String, Value)>);

impl Members {
    fn parse(text: &str) -> Result<Self, Error> {
        if text.len() > MAX_BYTES {
            let message = alloc::format!("arguments have {} bytes, {MAX_BYTES} allowed", text.len());
            return Err(Error::new(ErrorKind::LimitExceeded, message)
                .argument_named("arguments")
                .counts(text.len(), MAX_BYTES));
        }
        serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            let message = alloc::format!("arguments are not one whole JSON object: wrong at byte {offset}");
            Error::new(ErrorKind::InvalidJson, message).at(offset).argument_named("arguments")
        })
    }

    fn take(&mut self, name: &'static str) -> Result<Option<Value>, Error> {
        let Some(found) = self.0.iter().position(|(k, _)| k == name) else { return Ok(None) };
        let (_, value) = self.0.swap_remove(found);
        if self.0.iter().any(|(k, _)| k == name) {
            return Err(Error::option(name, alloc::format!("argument {name} is given twice")));
        }
        Ok((!value.is_null()).then_some(value))
    }

    fn string(&mut self, name: &'static str) -> Result<Option<String>, Error> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Error::option(name, alloc::format!("argument {name} must be a string"))),
        }
    }

    fn required(&mut self, name: &'static str) -> Result<String, Error> {
        self.string(name)?.ok_or_else(|| Error::option(name, alloc::format!("argument {name} is missing")))
    }

    fn number(&mut self, name: &'static str) -> Result<Option<usize>, Error> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let number = value.as_u64().and_then(|n| usize::try_from(n).ok());
        match number {
            Some(n) => Ok(Some(n)),
            None => Err(Error::option(name, alloc::format!("argument {name} must be a whole number, 0 or more"))),
        }
    }

    /// What nobody asked for is an invented parameter.
    fn finish(self) -> Result<(), Error> {
        // The smallest name, so that the answer does not depend on how members were taken out.
        match self.0.iter().map(|(k, _)| k).min() {
            None => Ok(()),
            Some(name) => Err(Error::option("arguments", wording::unknown_argument(name))),
        }
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict() {
        let kind = |text: &str| read(text).map(|_| ()).map_err(|e| (e.kind().name(), e.argument()));
        assert_eq!(kind(r#"{"key":"k","at":null,"lines":5}"#), Ok(()));
        assert_eq!(kind(r#"{"key":"k","page":2}"#), Err(("invalid_option", Some("arguments"))));
        assert_eq!(kind(r#"{"at":""}"#), Err(("invalid_option", Some("key"))));
        assert_eq!(kind(r#"{"key":"k","key":"l"}"#), Err(("invalid_option", Some("key"))));
        assert_eq!(kind(r#"{"key":7}"#), Err(("invalid_option", Some("key"))));
        for bad in ["-1", "1.5", "\"3\"", "1e3", "99999999999999999999", "true"] {
            assert_eq!(kind(&alloc::format!(r#"{{"key":"k","lines":{bad}}}"#)), Err(("invalid_option", Some("lines"))));
        }
        assert_eq!(kind(r#"{"key":"k","start":3,"cursor":"lines@4"}"#), Err(("invalid_option", Some("start"))));
        for bad in ["", "[]", "\"k\"", "null", "{\"key\":\"k\"", "{\"key\":\"k\"} x", "{\"key\":\"\\ud800\"}"] {
            assert_eq!(kind(bad), Err(("invalid_json", Some("arguments"))), "{bad}");
        }
        assert_eq!(kind(&" ".repeat(MAX_BYTES + 1)), Err(("limit_exceeded", Some("arguments"))));
        let deep = alloc::format!("{{\"key\":{}", "[".repeat(30_000));
        assert_eq!(kind(&deep), Err(("invalid_json", Some("arguments"))));
    }

    #[test]
    fn truncated_text_has_its_place() {
        let e = read("{\"key\":\"k\",\n \"lines\":}").unwrap_err();
        assert_eq!(e.offset(), Some(21));
        assert_eq!(read("{\"key\":").unwrap_err().offset(), Some(7));
    }

    #[test]
    fn needle_is_required() {
        assert_eq!(find(r#"{"key":"k"}"#).unwrap_err().argument(), Some("needle"));
        let call = find(r#"{"needle":"x","key":"k","limit":3}"#).unwrap();
        assert!(matches!(call.what, What::Find { limit: Some(3), context: None, .. }));
    }
}
