//! The fields that a step asked for, recorded from a tool result before the result may go.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::{FactOptions, FactValue, Key, Ledger, checked, wording};
use crate::account::{Account, Counts};
use crate::error::{Error, ErrorKind};
use crate::json::{Pattern, resolve};
use crate::limits::Limits;
use crate::shown;

/// A result of which the fields that were asked for are recorded: now it may go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Extracted {
    keys: Vec<String>,
    text: String,
    account: Account,
}

impl Extracted {
    /// The keys that were recorded, in the order of the pointers.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// One line that can stand in the place of the result.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `{"keys", "text", "account"}` as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }

    /// The books: one record, shrunk; the bytes of the recorded values are kept, the others omitted.
    pub const fn account(&self) -> &Account {
        &self.account
    }
}

impl Ledger {
    /// Records the values that the pointers (RFC 6901, without stars) lead to in a tool result, each under its key, as
    /// it is spelt there. Only when this has succeeded may the result leave the prompt: of a result with one field
    /// missing nothing is recorded, and the ledger is as it was. Linear in the result for each pointer.
    ///
    /// # Errors
    /// [`InvalidJson`](ErrorKind::InvalidJson) and [`TooDeep`](ErrorKind::TooDeep) for the result;
    /// [`InvalidPointer`](ErrorKind::InvalidPointer); [`NoSuchField`](ErrorKind::NoSuchField) with the `pointer` that
    /// leads nowhere and the `index` of the field; those of [`record`](Ledger::record).
    ///
    /// # Example
    /// ```
    /// use haversack::{FactOptions, Ledger};
    ///
    /// let mut led = Ledger::new();
    /// let result = r#"{"id": 12345678901234567890, "rate": 1.0, "log": "…"}"#;
    /// let done = led.extract(result, &[("customer_id", "/id"), ("rate", "/rate")], FactOptions::new().source("tool:c1"))?;
    /// assert_eq!(led.get("customer_id").unwrap().value, "12345678901234567890");
    /// assert!(done.text().starts_with(r#"[recorded as facts: "customer_id", "rate";"#));
    /// # Ok::<(), haversack::Error>(())
    /// ```
    pub fn extract(
        &mut self,
        result: &str,
        fields: &[(&str, &str)],
        options: FactOptions<'_>,
    ) -> Result<Extracted, Error> {
        let depth = Limits::DEFAULT.depth;
        let scan = crate::json::check(result, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        let (mut found, mut bytes) = (Vec::with_capacity(fields.len()), 0);
        for (index, (key, pointer)) in fields.iter().enumerate() {
            let pattern = Pattern::parse_plain(pointer, "pointers").map_err(|e| e.numbered(index))?;
            let names = pattern.names().unwrap_or_default();
            let node = match resolve(result, &scan, &names) {
                Some((node, used)) if used == names.len() => node,
                _ => return Err(missing(index, pointer)),
            };
            if matches!(self.keys.get(*key), Some(Key::Many(..))) {
                let key = crate::wording::quoted_part(key);
                let message = alloc::format!("the key \"{key}\" has several values");
                return Err(Error::new(ErrorKind::MixedKey, message).argument_named("key").numbered(index));
            }
            let raw = node.raw(result);
            let value = checked(key, FactValue::Json(raw), &options).map_err(|e| e.numbered(index))?;
            bytes += raw.len() as u64;
            found.push((*key, value));
        }
        let (mut keys, mut shown_keys) = (Vec::with_capacity(found.len()), String::new());
        for (key, value) in found {
            self.put(key, &value, &options, false)?;
            if !keys.is_empty() {
                shown_keys.push_str(", ");
            }
            shown::push_quoted(key, &mut shown_keys);
            keys.push(key.into());
        }
        let total = result.len() as u64;
        // Pointers may lead into one another.
        let kept = bytes.min(total);
        let one = Counts { total: 1, shrunk: 1, ..Counts::default() };
        let account = Account::new(one, Counts { kept, omitted: total - kept, ..Counts::whole(total) }, 0, None);
        Ok(Extracted { keys, text: wording::extracted(&shown_keys, result.len()), account })
    }
}

fn missing(index: usize, pointer: &str) -> Error {
    let shown = crate::wording::quoted_part(pointer);
    let message = alloc::format!("nothing stands at \"{shown}\" of the result");
    Error::new(ErrorKind::NoSuchField, message).in_list(pointer, index).argument_named("pointers")
}
