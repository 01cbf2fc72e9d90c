//! The text that stands in a message for bytes stored elsewhere.

use alloc::string::String;
use core::fmt::Write as _;

use serde::Serialize;

use crate::account::{Account, Counts};
use crate::error::{Error, ErrorKind};
use crate::measure::{Budget, TokenCounter, Unit};
use crate::offload::{Offload, OffloadReason, Policy, key};
use crate::wording;

/// What goes to the model after the bytes were stored, and the books of it.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub(crate) text: Option<String>,
    pub(crate) reason: OffloadReason,
    pub(crate) size: usize,
    pub(crate) saved: usize,
    pub(crate) unit: Unit,
    pub(crate) account: Account,
}

impl Pointer {
    /// The text for the model, a JSON object. `None` when it would not be smaller than the original: that stays.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// True when there is a text, to be put in the place of the original.
    pub const fn used(&self) -> bool {
        self.text.is_some()
    }

    /// [`OffloadReason::Over`], [`OffloadReason::Known`] or [`OffloadReason::NotShorter`].
    pub const fn reason(&self) -> OffloadReason {
        self.reason
    }

    /// The size of what goes to the model (the pointer, or the original), in [`unit`](Pointer::unit).
    pub const fn size(&self) -> usize {
        self.size
    }

    /// How much smaller it is than the original, in [`unit`](Pointer::unit).
    pub const fn saved(&self) -> usize {
        self.saved
    }

    /// The unit of `over`.
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// The books: one record, offloaded (or kept), and its source bytes.
    pub const fn account(&self) -> &Account {
        &self.account
    }

    /// The whole answer as compact JSON.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Answer<'a> {
            text: Option<&'a str>,
            reason: &'static str,
            size: usize,
            saved: usize,
            unit: &'static str,
            account: Books<'a>,
        }
        #[derive(Serialize)]
        struct Books<'a> {
            #[serde(flatten)]
            records: &'a Counts,
            bytes: &'a Counts,
        }
        let answer = Answer {
            text: self.text(),
            reason: self.reason.name(),
            size: self.size,
            saved: self.saved,
            unit: self.unit.name(),
            account: Books { records: self.account.records(), bytes: self.account.bytes() },
        };
        crate::state::written(&answer)
    }
}

impl Offload {
    /// The pointer, once the host says where the bytes lie: any text that means something to the host or the model.
    ///
    /// A JSON object with its members always in this order: `offloaded`, `location`, `size`, `unit`, `bytes`,
    /// `sha256`, `key`, then `at` and `hint` where there are such, then `preview`. Where it would not be smaller than
    /// the payload (in the unit of `over`) it is not used and the answer says so.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfOrder`] when the payload was to be kept, [`ErrorKind::InvalidOption`] for an empty location
    /// or, when `over` is in tokens, no counter: use [`pointer_counted`](Offload::pointer_counted) then.
    pub fn pointer(&self, location: &str) -> Result<Pointer, Error> {
        self.pointer_with(location, None)
    }

    /// As [`pointer`](Offload::pointer) where `over` is in tokens: `counter` measures the pointer.
    ///
    /// # Errors
    /// As [`pointer`](Offload::pointer), and [`ErrorKind::CounterFailed`].
    pub fn pointer_counted(&self, location: &str, counter: &dyn TokenCounter) -> Result<Pointer, Error> {
        self.pointer_with(location, Some(counter))
    }

    fn pointer_with(&self, location: &str, counter: Option<&dyn TokenCounter>) -> Result<Pointer, Error> {
        let Some(stored) = &self.stored else {
            return Err(Error::new(ErrorKind::OutOfOrder, "no pointer: the payload is kept"));
        };
        let facts = Facts {
            location: check_location(location)?,
            size: self.size,
            policy: &self.policy,
            bytes: self.bytes,
            digest: &stored.digest,
            key: &stored.key,
            at: stored.at.as_deref(),
            hint: stored.hint.as_deref(),
            preview: &stored.preview,
        };
        facts.pointer(counter)
    }
}

/// Everything a pointer says.
pub(crate) struct Facts<'a> {
    pub(crate) location: &'a str,
    pub(crate) size: usize,
    pub(crate) policy: &'a Policy,
    pub(crate) bytes: usize,
    pub(crate) digest: &'a key::Digest,
    pub(crate) key: &'a str,
    pub(crate) at: Option<&'a str>,
    pub(crate) hint: Option<&'a str>,
    pub(crate) preview: &'a str,
}

impl Facts<'_> {
    /// The text, as [`Offload::pointer`] describes it. What JSON does not escape but a reader would not see
    /// (C1, bidi, zero width) is escaped here: a location or a preview cannot reorder or hide what stands around it.
    pub(crate) fn text(&self) -> String {
        #[derive(Serialize)]
        struct Text<'a> {
            offloaded: bool,
            location: &'a str,
            size: usize,
            unit: &'static str,
            bytes: usize,
            sha256: String,
            key: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            at: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            hint: Option<&'a str>,
            preview: &'a str,
        }
        let text = Text {
            offloaded: true,
            location: self.location,
            size: self.size,
            unit: self.policy.unit.name(),
            bytes: self.bytes,
            sha256: key::hex(self.digest),
            key: self.key,
            at: self.at,
            hint: self.hint,
            preview: self.preview,
        };
        escape_invisible(&crate::state::written(&text))
    }

    pub(crate) fn measure(&self, text: &str, counter: Option<&dyn TokenCounter>) -> Result<usize, Error> {
        let budget = match (self.policy.unit, counter) {
            (Unit::Bytes, _) => Budget::bytes(0),
            (Unit::Chars, _) => Budget::chars(0),
            (Unit::Utf16, _) => Budget::utf16(0),
            (Unit::Tokens, Some(counter)) => Budget::tokens(0, counter),
            (Unit::Tokens, None) => {
                return Err(Error::option("counter", "a pointer for a limit in tokens needs its counter"));
            }
        };
        budget.size(text)
    }

    /// The pointer, or the word that it is not used.
    pub(crate) fn pointer(&self, counter: Option<&dyn TokenCounter>) -> Result<Pointer, Error> {
        let text = self.text();
        let size = self.measure(&text, counter)?;
        if size >= self.size {
            return Ok(self.not_used());
        }
        Ok(self.used(text, size, OffloadReason::Over))
    }

    pub(crate) fn used(&self, text: String, size: usize, reason: OffloadReason) -> Pointer {
        Pointer {
            text: Some(text),
            reason,
            size,
            saved: self.size.saturating_sub(size),
            unit: self.policy.unit,
            account: offloaded(self.bytes),
        }
    }

    fn not_used(&self) -> Pointer {
        Pointer {
            text: None,
            reason: OffloadReason::NotShorter,
            size: self.size,
            saved: 0,
            unit: self.policy.unit,
            account: whole(self.bytes),
        }
    }
}

/// The books of a result that a pointer stands for: one record.
pub(crate) fn offloaded(bytes: usize) -> Account {
    let all = |n| Counts { total: n, offloaded: n, ..Counts::default() };
    Account { records: all(1), bytes: all(bytes as u64), ..Account::default() }
}

/// The books of a result that stays: one record, kept.
pub(crate) fn whole(bytes: usize) -> Account {
    Account { records: Counts::whole(1), bytes: Counts::whole(bytes as u64), ..Account::default() }
}

pub(crate) fn check_location(location: &str) -> Result<&str, Error> {
    if location.is_empty() {
        return Err(Error::option("location", "location is empty: a pointer must not lead to nothing"));
    }
    Ok(location)
}

/// Writes DEL, C1, bidi and invisible characters of a JSON text as `\u` escapes. They only occur inside its strings.
fn escape_invisible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if wording::is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}
