//! Large results go to a store of the host's; the model sees a pointer and a preview.
//!
//! Nothing here reads or writes anything: [`offload()`] says whether, under which key and with which preview, the host
//! stores the bytes, and the pointer is made from the place where they lie. [`Offloads`] is the table of one run: it
//! knows what was offloaded (never guessing it from a text), so that nothing is offloaded twice, what a reader returns
//! stays, and a key that a model sends is looked up and never joined to a path.

mod bulk;
mod key;
mod options;
mod pointer;
mod preview;
mod sniff;
mod state;
mod table;

use alloc::string::String;

use serde::Serialize;

use crate::deliver::Format;
use crate::error::Error;
use crate::measure::Unit;
use crate::wording;

pub(crate) use key::{digest_from_hex, hex, key_of, sha256};
pub use options::{OffloadOptions, Policy};
pub use pointer::Pointer;
pub use table::{Entry, EntryState, Offloads, Prepared};

kinds! {
    /// What the host should do with a result.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OffloadAction;

    /// Leave it in the message as it is.
    Keep = 1, "keep";
    /// Store the bytes under the key, then ask for the pointer.
    Store = 2, "store";
    /// Put the pointer of bytes stored before in its place (only from [`Offloads`]).
    Point = 3, "point";
}

kinds! {
    /// Why.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OffloadReason;

    /// It is within `over`.
    Fits = 1, "fits";
    /// It is larger than `over`.
    Over = 2, "over";
    /// The same bytes were stored before.
    Known = 3, "known";
    /// It is a pointer that this table made.
    IsPointer = 4, "is_pointer";
    /// The call is one of a reader.
    Exempt = 5, "exempt";
    /// The store refused it.
    Refused = 6, "refused";
    /// The pointer would not be smaller than the original.
    NotShorter = 7, "not_shorter";
}

/// Says whether `payload`, the result of the call `call_id`, stays or is stored, and under which key.
///
/// Stateless: the same arguments give the same answer. The key is safe as a file name on every system and names the
/// call and the content (see [`Offload::key`]). Two passes over the payload for its digests, one for its format and
/// one to measure it; with a token counter, what is larger than `over` is counted whole, because the pointer states
/// its size.
///
/// ```
/// use haversack::{OffloadAction, OffloadOptions, offload};
///
/// let log = "one more line of a long log\n".repeat(1_000);
/// let o = offload(&log, "call_7", &OffloadOptions::new()).unwrap();
/// assert_eq!(o.action(), OffloadAction::Store);
/// assert!(o.key().unwrap().starts_with("call_7-"));
/// // … the host stores the bytes of the log under o.key(), and says where that is:
/// let pointer = o.pointer("results/call_7").unwrap();
/// assert!(pointer.text().unwrap().starts_with(r#"{"offloaded":true,"location":"results/call_7","size":28000,"#));
/// ```
///
/// # Errors
/// [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8) with its offset, [`CounterFailed`](crate::ErrorKind::CounterFailed),
/// [`InvalidOption`](crate::ErrorKind::InvalidOption) for a reader or a hint that is not one line.
pub fn offload(
    payload: &(impl AsRef<[u8]> + ?Sized),
    call_id: &str,
    options: &OffloadOptions<'_>,
) -> Result<Offload, Error> {
    decide(text_of(payload.as_ref())?, call_id, options)
}

/// The answer of [`offload()`]: keep it, or store these bytes under this key.
#[derive(Clone, Debug)]
pub struct Offload {
    pub(crate) bytes: usize,
    pub(crate) size: usize,
    pub(crate) policy: Policy,
    pub(crate) stored: Option<ToStore>,
}

/// What is only worked out for a result that is to be stored.
#[derive(Clone, Debug)]
pub(crate) struct ToStore {
    pub(crate) key: String,
    pub(crate) digest: key::Digest,
    pub(crate) format: Format,
    pub(crate) at: Option<String>,
    pub(crate) hint: Option<String>,
    pub(crate) preview: String,
}

impl Offload {
    /// [`OffloadAction::Keep`] or [`OffloadAction::Store`].
    pub const fn action(&self) -> OffloadAction {
        if self.stored.is_some() { OffloadAction::Store } else { OffloadAction::Keep }
    }

    /// [`OffloadReason::Fits`] or [`OffloadReason::Over`].
    pub const fn reason(&self) -> OffloadReason {
        if self.stored.is_some() { OffloadReason::Over } else { OffloadReason::Fits }
    }

    /// The key to store it under, `None` when it is kept.
    ///
    /// `<id>-<hash><extension>`: the call id in ASCII lower case, each run of characters outside `[a-z0-9_-]` as one
    /// `-`, at most 40 characters; the first 32 hex digits of `SHA-256(len ‖ id ‖ payload)` with `len` the length of
    /// the unchanged id in bytes as a 64-bit little-endian integer; `.json`, `.ndjson`, `.csv`, `.tsv` or `.txt`.
    pub fn key(&self) -> Option<&str> {
        self.stored.as_ref().map(|s| s.key.as_str())
    }

    /// The length of the payload in bytes. What is stored are the payload's own bytes, all of them, untouched.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The size of the payload in [`unit`](Offload::unit).
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The unit of `over`.
    pub const fn unit(&self) -> Unit {
        self.policy.unit
    }

    /// SHA-256 of the payload in hex, `None` when it is kept.
    pub fn sha256(&self) -> Option<String> {
        self.stored.as_ref().map(|s| key::hex(&s.digest))
    }

    /// What the payload was read as, `None` when it is kept.
    pub fn format(&self) -> Option<Format> {
        self.stored.as_ref().map(|s| s.format)
    }

    /// Where in the JSON one string holds more than half of it, with line breaks: read its lines there, not those of
    /// the JSON, which is one endless line.
    pub fn at(&self) -> Option<&str> {
        self.stored.as_ref().and_then(|s| s.at.as_deref())
    }

    /// The excerpt that the pointer shows, `None` when it is kept; empty when not even its marker fits.
    pub fn preview(&self) -> Option<&str> {
        self.stored.as_ref().map(|s| s.preview.as_str())
    }

    /// The policy that ran.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The whole answer as compact JSON; what does not apply is `null`.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Answer<'a> {
            action: &'static str,
            reason: &'static str,
            key: Option<&'a str>,
            size: usize,
            unit: &'static str,
            bytes: usize,
            sha256: Option<String>,
            format: Option<&'static str>,
            at: Option<&'a str>,
            preview: Option<&'a str>,
            policy: &'a Policy,
        }
        let answer = Answer {
            action: self.action().name(),
            reason: self.reason().name(),
            key: self.key(),
            size: self.size,
            unit: self.unit().name(),
            bytes: self.bytes,
            sha256: self.sha256(),
            format: self.format().map(Format::name),
            at: self.at(),
            preview: self.preview(),
            policy: &self.policy,
        };
        // Strings, integers and enums by name always serialise.
        crate::state::written(&answer)
    }
}

pub(crate) fn text_of(payload: &[u8]) -> Result<&str, Error> {
    core::str::from_utf8(payload).map_err(Error::invalid_utf8)
}

fn decide(text: &str, call_id: &str, options: &OffloadOptions<'_>) -> Result<Offload, Error> {
    options.check()?;
    let policy = options.policy();
    if let Some(size) = options.over.fits(text)? {
        return Ok(Offload { bytes: text.len(), size, policy, stored: None });
    }
    let size = options.over.size(text)?;
    let format = options.format.unwrap_or_else(|| sniff::format_of(text));
    // A format given by name may be wrong: what was not detected is checked here.
    let is_json = format == Format::Json && (options.format.is_none() || sniff::is_json(text));
    let at = if is_json { bulk::bulk_string(text) } else { None };
    let key = key_of(call_id, text.as_bytes(), format);
    let hint = match (options.hint, options.reader) {
        (Some(hint), _) => Some(String::from(hint)),
        (None, Some(reader)) => {
            // A hint is one line: a pointer with line breaks in its keys stands in `at` alone.
            let at = at.as_deref().filter(|at| options::is_one_line(at));
            Some(wording::read_back(reader, &key, at))
        }
        (None, None) => None,
    };
    let preview = preview::preview(text, format, &options.preview, options.preview_keep)?;
    let digest = sha256(text.as_bytes());
    let stored = Some(ToStore { key, digest, format, at, hint, preview });
    Ok(Offload { bytes: text.len(), size, policy, stored })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::deliver::Keep;
    use crate::measure::Budget;
    use alloc::format;
    use alloc::vec::Vec;
    use serde_json::Value;

    fn small() -> OffloadOptions<'static> {
        OffloadOptions::new().over(Budget::chars(100)).preview(Budget::chars(60))
    }

    #[test]
    fn the_limit_itself_is_kept() {
        for (n, action) in [(0, "keep"), (99, "keep"), (100, "keep"), (101, "store")] {
            let o = offload(&"é".repeat(n), "c", &small()).unwrap();
            assert_eq!((o.action().name(), o.size(), o.bytes()), (action, n, 2 * n));
            assert_eq!(o.key().is_some(), action == "store");
        }
        let bytes = small().over(Budget::bytes(100));
        assert_eq!(offload(&"é".repeat(51), "c", &bytes).unwrap().size(), 102);
    }

    #[test]
    fn pointer_is_json_in_a_fixed_order() {
        let log = "a line of the log\n".repeat(50);
        let o = offload(&log, "c1", &small().reader("read_more")).unwrap();
        let key = o.key().unwrap();
        let p = o.pointer("s3://bucket/\"quoted\"\u{202e}").unwrap();
        let text = p.text().unwrap();
        let sha = o.sha256().unwrap();
        let expected = format!(
            concat!(
                r#"{{"offloaded":true,"location":"s3://bucket/\"quoted\"\u202e","size":900,"unit":"chars","bytes":900,"#,
                r#""sha256":"{}","key":"{}","hint":"call read_more with key {}","#,
                r#""preview":"a line of the log\n[49 of 50 lines omitted]"}}"#
            ),
            sha, key, key
        );
        assert_eq!(text, expected);
        let back: Value = serde_json::from_str(text).unwrap();
        assert_eq!(back["location"], "s3://bucket/\"quoted\"\u{202e}");
        assert_eq!(p.size() + p.saved(), 900);
        assert_eq!(p.size(), text.chars().count());
        assert_eq!(p.account().records().offloaded, 1);
        assert_eq!(p.account().bytes().offloaded, 900);
        assert!(p.account().records().closes() && p.account().bytes().closes());
    }

    #[test]
    fn a_pointer_that_is_not_smaller_is_not_used() {
        let pointer = |n: usize| offload(&"x".repeat(n), "c", &small()).unwrap().pointer("dir/c").unwrap();
        let first = (101..1000).find(|n| pointer(*n).used()).unwrap();
        let used = pointer(first);
        assert!(used.size() < first && used.size() + used.saved() == first);
        assert_eq!(used.account().records().offloaded, 1);
        let not = pointer(first - 1);
        assert_eq!((not.text(), not.reason(), not.saved()), (None, OffloadReason::NotShorter, 0));
        assert_eq!((not.size(), not.account().records().kept), (first - 1, 1));
    }

    #[test]
    fn pointer_of_what_is_kept_or_to_nowhere() {
        let kept = offload("short", "c", &small()).unwrap();
        assert_eq!(kept.pointer("x").unwrap_err().kind(), ErrorKind::OutOfOrder);
        let stored = offload(&"x".repeat(1000), "c", &small()).unwrap();
        assert_eq!(stored.pointer("").unwrap_err().argument(), Some("location"));
    }

    #[test]
    fn bad_input_is_typed() {
        let e = offload(b"ab\xff", "c", &small()).unwrap_err();
        assert_eq!((e.kind(), e.offset()), (ErrorKind::InvalidUtf8, Some(2)));
        for bad in ["", "two\nlines", "\u{1b}[1m", "a\u{2028}b"] {
            assert_eq!(offload("x", "c", &small().hint(bad)).unwrap_err().argument(), Some("hint"));
            assert_eq!(offload("x", "c", &small().reader(bad)).unwrap_err().argument(), Some("reader"));
        }
    }

    #[test]
    fn tokens_need_their_counter_again() {
        struct Words;
        impl crate::measure::TokenCounter for Words {
            fn count(&self, text: &str) -> Result<usize, Error> {
                Ok(text.split_whitespace().count())
            }
        }
        let options = small().over(Budget::tokens(20, &Words));
        let o = offload(&"word ".repeat(100), "c", &options).unwrap();
        assert_eq!((o.size(), o.unit()), (100, Unit::Tokens));
        assert_eq!(o.pointer("dir").unwrap_err().argument(), Some("counter"));
        let p = o.pointer_counted("dir", &Words).unwrap();
        assert_eq!(p.size(), p.text().unwrap().split_whitespace().count());
    }

    #[test]
    fn formats_decide_the_extension() {
        let ending = |payload: &str, options: OffloadOptions<'_>| {
            let o = offload(&payload.repeat(100), "c", &options).unwrap();
            String::from(o.key().unwrap().rsplit('.').next().unwrap())
        };
        assert_eq!(ending("plain\n", small()), "txt");
        assert_eq!(ending("{\"a\":1}\n", small()), "ndjson");
        assert_eq!(ending("{\"a\":1}\n", small().format(Format::Csv)), "csv");
        let rows = format!("[{}0]", "1,".repeat(100));
        assert_eq!(offload(&rows, "c", &small()).unwrap().format(), Some(Format::Json));
        assert_eq!(offload(&rows[1..], "c", &small()).unwrap().format(), Some(Format::Lines));
    }

    #[test]
    fn lines_inside_json_are_pointed_at() {
        let json = format!(r#"{{"output":"{}","exit_code":0}}"#, "line\\n".repeat(100));
        let o = offload(&json, "c", &small().reader("r").preview_keep(Keep::Head)).unwrap();
        assert_eq!(o.at(), Some("/output"));
        let text = o.pointer("d").unwrap();
        let value: Value = serde_json::from_str(text.text().unwrap()).unwrap();
        assert_eq!(value["at"], "/output");
        assert!(value["hint"].as_str().unwrap().ends_with(" and at /output"));
        let names: Vec<usize> = ["\"key\":", "\"at\":", "\"hint\":", "\"preview\":"]
            .map(|n| text.text().unwrap().find(n).unwrap())
            .to_vec();
        assert!(names.is_sorted());
        let broken = &json[..json.len() - 1];
        assert_eq!(offload(broken, "c", &small().format(Format::Json)).unwrap().at(), None);
    }
}
