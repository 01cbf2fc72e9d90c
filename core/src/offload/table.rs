//! The table of one run.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::account::Account;
use crate::deliver::Format;
use crate::error::{Error, ErrorKind};
use crate::measure::{TokenCounter, Unit};
use crate::offload::pointer::{Facts, check_location, offloaded, whole};
use crate::offload::{
    OffloadAction, OffloadOptions, OffloadReason, Pointer, Policy, decide, key, key_of, sha256, text_of,
};
use crate::wording;

/// Scalar values of a store's reason that are recorded.
pub(crate) const REASON_CHARS: usize = 120;

/// What one run has offloaded: a table that the host asks before it puts a result into a message.
///
/// It does no I/O. [`prepare`](Offloads::prepare) says what to do; where that is [`OffloadAction::Store`] the host
/// stores the bytes and answers with [`commit`](Offloads::commit), or with [`refuse`](Offloads::refuse) when the
/// store would not take them, and the original stays. Whether something was offloaded before is decided from the
/// digests in this table, never from what a text looks like.
///
/// ```
/// use haversack::{OffloadAction, OffloadOptions, Offloads};
///
/// let mut run = Offloads::new();
/// let log = "one more line of a long log\n".repeat(1_000);
/// let options = OffloadOptions::new();
///
/// let step = run.prepare(&log, "call_7", &options).unwrap();
/// assert_eq!(step.action(), OffloadAction::Store);
/// let key = step.key().unwrap().to_string();
/// // … the host stores the bytes of the log under that key …
/// let pointer = run.commit(&key, "results/call_7").unwrap();
/// assert_eq!(pointer.account().records().offloaded, 1);
///
/// // The same bytes again: the pointer at once, nothing to store.
/// let again = run.prepare(&log, "call_8", &options).unwrap();
/// assert_eq!(again.action(), OffloadAction::Point);
/// assert_eq!(again.text(), pointer.text());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Offloads {
    /// In the order in which they were first prepared.
    pub(crate) entries: Vec<Entry>,
    pub(crate) exempt: BTreeSet<String>,
    by_key: BTreeMap<String, usize>,
    by_digest: BTreeMap<key::Digest, usize>,
    /// Digests of the pointer texts that are in use.
    pointers: BTreeSet<key::Digest>,
}

/// Where a result stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryState {
    /// Asked to be stored, not answered yet.
    Pending,
    /// Stored at a location, and the pointer is in use.
    Stored {
        /// Where, as the host said.
        location: String,
    },
    /// Stored at a location, and the original stays because the pointer would not be smaller.
    NotShorter {
        /// Where, as the host said.
        location: String,
    },
    /// The store refused: the original stays.
    Refused {
        /// Why, as the host said; at most 120 scalar values of it.
        reason: String,
    },
}

impl EntryState {
    /// `pending`, `stored`, `not_shorter` or `refused`.
    pub const fn name(&self) -> &'static str {
        match self {
            EntryState::Pending => "pending",
            EntryState::Stored { .. } => "stored",
            EntryState::NotShorter { .. } => "not_shorter",
            EntryState::Refused { .. } => "refused",
        }
    }
}

/// What the table knows of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(crate) key: String,
    pub(crate) call_id: String,
    pub(crate) digest: key::Digest,
    pub(crate) bytes: usize,
    pub(crate) size: usize,
    pub(crate) format: Format,
    pub(crate) at: Option<String>,
    pub(crate) hint: Option<String>,
    pub(crate) preview: String,
    pub(crate) policy: Policy,
    pub(crate) state: EntryState,
}

impl Entry {
    /// Its key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The call it is the result of (of the first one, when several gave the same bytes).
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// SHA-256 of its bytes, in hex.
    pub fn sha256(&self) -> String {
        key::hex(&self.digest)
    }

    /// Its length in bytes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its size in [`unit`](Entry::unit).
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The unit of `over` when it was prepared.
    pub const fn unit(&self) -> Unit {
        self.policy.unit
    }

    /// What it is.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Where in the JSON one string holds the bulk of it; see [`Offload::at`](crate::Offload::at).
    pub fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    /// The excerpt that its pointer shows.
    pub fn preview(&self) -> &str {
        &self.preview
    }

    /// The policy that ran.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Where it stands.
    pub const fn state(&self) -> &EntryState {
        &self.state
    }

    /// Where the bytes lie, once stored.
    pub fn location(&self) -> Option<&str> {
        match &self.state {
            EntryState::Stored { location } | EntryState::NotShorter { location } => Some(location),
            EntryState::Pending | EntryState::Refused { .. } => None,
        }
    }
}

/// What [`Offloads::prepare`] says to do with one result.
#[derive(Clone, Debug)]
pub struct Prepared {
    action: OffloadAction,
    reason: OffloadReason,
    key: Option<String>,
    text: Option<String>,
    bytes: usize,
}

impl Prepared {
    /// Keep the original, store it, or put the pointer in its place.
    pub const fn action(&self) -> OffloadAction {
        self.action
    }

    /// Why.
    pub const fn reason(&self) -> OffloadReason {
        self.reason
    }

    /// The key to store the payload's bytes under, or under which they lie.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The pointer, where the same bytes were stored before.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The books of what stands in the message now: offloaded when there is a pointer, else kept.
    pub fn account(&self) -> Account {
        if self.text.is_some() { offloaded(self.bytes) } else { whole(self.bytes) }
    }

    /// The whole answer as compact JSON; what does not apply is `null`.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Answer<'a> {
            action: &'static str,
            reason: &'static str,
            key: Option<&'a str>,
            text: Option<&'a str>,
        }
        let answer =
            Answer { action: self.action.name(), reason: self.reason.name(), key: self.key(), text: self.text() };
        crate::state::written(&answer)
    }
}

impl Offloads {
    /// An empty table.
    pub const fn new() -> Self {
        Offloads {
            entries: Vec::new(),
            exempt: BTreeSet::new(),
            by_key: BTreeMap::new(),
            by_digest: BTreeMap::new(),
            pointers: BTreeSet::new(),
        }
    }

    /// Says what to do with `payload`, the result of the call `call_id`.
    ///
    /// - [`OffloadAction::Keep`]: it is within `over`, its call is exempt, it is itself a pointer of this table, its
    ///   store refused it before, or its pointer would not be smaller.
    /// - [`OffloadAction::Store`]: store its bytes under [`key`](Prepared::key), then answer with `commit` or `refuse`.
    ///   Until then the same bytes get the same answer, under the key of the first call.
    /// - [`OffloadAction::Point`]: the same bytes were stored before; the pointer is there at once.
    ///
    /// # Errors
    /// As [`offload()`](crate::offload()).
    pub fn prepare(
        &mut self,
        payload: &(impl AsRef<[u8]> + ?Sized),
        call_id: &str,
        options: &OffloadOptions<'_>,
    ) -> Result<Prepared, Error> {
        self.prepare_text(text_of(payload.as_ref())?, call_id, options)
    }

    /// Takes the answer "stored, at `location`", and gives the pointer for the message.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownKey`]; [`ErrorKind::OutOfOrder`] when the key was answered already;
    /// [`ErrorKind::InvalidOption`] for an empty location, or when `over` was in tokens: use
    /// [`commit_counted`](Offloads::commit_counted) then. After an error the key is still to be answered.
    pub fn commit(&mut self, key: &str, location: &str) -> Result<Pointer, Error> {
        self.commit_with(key, location, None)
    }

    /// As [`commit`](Offloads::commit) where `over` was in tokens: `counter` measures the pointer.
    ///
    /// # Errors
    /// As [`commit`](Offloads::commit), and [`ErrorKind::CounterFailed`].
    pub fn commit_counted(&mut self, key: &str, location: &str, counter: &dyn TokenCounter) -> Result<Pointer, Error> {
        self.commit_with(key, location, Some(counter))
    }

    /// Takes the answer "the store would not have it": the original stays in the message, and the reason is recorded.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownKey`]; [`ErrorKind::OutOfOrder`] when the key was answered already.
    pub fn refuse(&mut self, key: &str, reason: &str) -> Result<(), Error> {
        let entry = self.pending(key)?;
        entry.state = EntryState::Refused { reason: reason.chars().take(REASON_CHARS).collect() };
        Ok(())
    }

    /// Nothing that the call `call_id` returns is offloaded: for calls of readers, whose result would only lead back
    /// to itself.
    pub fn exempt(&mut self, call_id: &str) {
        self.exempt.insert(String::from(call_id));
    }

    /// What the table knows under `key`. A key from a model is looked up here and nowhere else.
    pub fn lookup(&self, key: &str) -> Option<&Entry> {
        self.by_key.get(key).and_then(|i| self.entries.get(*i))
    }

    /// All entries, in the order in which they were first prepared.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Checks that `bytes`, read back from the store, are those that were offloaded under `key`.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownKey`] when nothing is stored under it, [`ErrorKind::DigestMismatch`].
    pub fn verify(&self, key: &str, bytes: &[u8]) -> Result<&Entry, Error> {
        let entry = self.stored(key)?;
        entry.verify(bytes)?;
        Ok(entry)
    }

    /// The stored entry of a key.
    pub(crate) fn stored(&self, key: &str) -> Result<&Entry, Error> {
        self.lookup(key).filter(|e| e.location().is_some()).ok_or_else(|| unknown_key(key))
    }

    /// Adds an entry; `None` when its key or its bytes are known already.
    pub(crate) fn insert(&mut self, entry: Entry) -> Option<()> {
        if self.by_key.contains_key(&entry.key) || self.by_digest.contains_key(&entry.digest) {
            return None;
        }
        let index = self.entries.len();
        self.by_key.insert(entry.key.clone(), index);
        self.by_digest.insert(entry.digest, index);
        if let Some(text) = entry.pointer_text() {
            self.pointers.insert(sha256(text.as_bytes()));
        }
        self.entries.push(entry);
        Some(())
    }

    fn prepare_text(&mut self, text: &str, call_id: &str, options: &OffloadOptions<'_>) -> Result<Prepared, Error> {
        let bytes = text.len();
        let keep = |reason| Prepared { action: OffloadAction::Keep, reason, key: None, text: None, bytes };
        if self.exempt.contains(call_id) {
            return Ok(keep(OffloadReason::Exempt));
        }
        options.check()?;
        if options.over.fits(text)?.is_some() {
            return Ok(keep(OffloadReason::Fits));
        }
        let digest = sha256(text.as_bytes());
        if self.pointers.contains(&digest) {
            return Ok(keep(OffloadReason::IsPointer));
        }
        if let Some(entry) = self.by_digest.get(&digest).and_then(|i| self.entries.get(*i)) {
            return Ok(entry.answer());
        }
        let offload = decide(text, call_id, options)?;
        let (size, policy) = (offload.size, offload.policy);
        let Some(stored) = offload.stored else { return Ok(keep(OffloadReason::Fits)) };
        let entry = Entry {
            key: stored.key,
            call_id: String::from(call_id),
            digest,
            bytes,
            size,
            format: stored.format,
            at: stored.at,
            hint: stored.hint,
            preview: stored.preview,
            policy,
            state: EntryState::Pending,
        };
        let answer = entry.answer();
        self.insert(entry);
        Ok(answer)
    }

    fn commit_with(&mut self, key: &str, location: &str, counter: Option<&dyn TokenCounter>) -> Result<Pointer, Error> {
        check_location(location)?;
        let entry = self.pending(key)?;
        let pointer = entry.facts(location).pointer(counter)?;
        let location = String::from(location);
        if let Some(text) = pointer.text() {
            entry.state = EntryState::Stored { location };
            let digest = sha256(text.as_bytes());
            self.pointers.insert(digest);
        } else {
            entry.state = EntryState::NotShorter { location };
        }
        Ok(pointer)
    }

    fn pending(&mut self, key: &str) -> Result<&mut Entry, Error> {
        let entry = self.by_key.get(key).and_then(|i| self.entries.get_mut(*i)).ok_or_else(|| unknown_key(key))?;
        if entry.state != EntryState::Pending {
            let message = alloc::format!("this key was answered already: it is {}", entry.state.name());
            return Err(Error::new(ErrorKind::OutOfOrder, message));
        }
        Ok(entry)
    }
}

impl Entry {
    pub(crate) fn verify(&self, bytes: &[u8]) -> Result<(), Error> {
        check_bytes(&self.key, &self.call_id, &self.digest, self.bytes, self.format, bytes)
    }

    /// The pointer that stands in messages for this entry.
    fn pointer_text(&self) -> Option<String> {
        match &self.state {
            EntryState::Stored { location } => Some(self.facts(location).text()),
            _ => None,
        }
    }

    /// What `prepare` answers to these bytes.
    fn answer(&self) -> Prepared {
        let (action, reason) = match &self.state {
            EntryState::Pending => (OffloadAction::Store, OffloadReason::Over),
            EntryState::Stored { .. } => (OffloadAction::Point, OffloadReason::Known),
            EntryState::NotShorter { .. } => (OffloadAction::Keep, OffloadReason::NotShorter),
            EntryState::Refused { .. } => (OffloadAction::Keep, OffloadReason::Refused),
        };
        Prepared { action, reason, key: Some(self.key.clone()), text: self.pointer_text(), bytes: self.bytes }
    }

    fn facts<'a>(&'a self, location: &'a str) -> Facts<'a> {
        Facts {
            location,
            size: self.size,
            policy: &self.policy,
            bytes: self.bytes,
            digest: &self.digest,
            key: &self.key,
            at: self.at.as_deref(),
            hint: self.hint.as_deref(),
            preview: &self.preview,
        }
    }
}

/// Both the digest and the key must be those of the bytes: state from elsewhere may name another digest for a key.
pub(crate) fn check_bytes(
    key: &str,
    call_id: &str,
    digest: &key::Digest,
    length: usize,
    format: Format,
    bytes: &[u8],
) -> Result<(), Error> {
    if bytes.len() == length && sha256(bytes) == *digest && key_of(call_id, bytes, format) == key {
        return Ok(());
    }
    let message = alloc::format!("the {} bytes read back are not the {length} that were offloaded", bytes.len());
    Err(Error::new(ErrorKind::DigestMismatch, message).counts(length, bytes.len()))
}

fn unknown_key(key: &str) -> Error {
    Error::new(ErrorKind::UnknownKey, wording::unknown_key(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Budget;
    use alloc::string::ToString;

    fn options() -> OffloadOptions<'static> {
        OffloadOptions::new().over(Budget::chars(100)).preview(Budget::chars(60))
    }

    fn log(what: &str) -> String {
        alloc::format!("a line about {what}\n").repeat(100)
    }

    #[test]
    fn each_answer_is_taken_once() {
        let mut run = Offloads::new();
        let key = run.prepare(&log("x"), "c", &options()).unwrap().key().unwrap().to_string();
        let again = run.prepare(&log("x"), "d", &options()).unwrap();
        assert_eq!((again.action(), again.key()), (OffloadAction::Store, Some(key.as_str())));
        assert_eq!(run.verify(&key, log("x").as_bytes()).unwrap_err().kind(), ErrorKind::UnknownKey, "not stored yet");
        assert_eq!(run.commit(&key, "").unwrap_err().argument(), Some("location"));
        let pointer = run.commit(&key, "dir/x").unwrap();
        assert_eq!(run.commit(&key, "dir/x").unwrap_err().kind(), ErrorKind::OutOfOrder);
        assert_eq!(run.refuse(&key, "late").unwrap_err().kind(), ErrorKind::OutOfOrder);
        assert_eq!(run.commit("c-0", "dir/x").unwrap_err().kind(), ErrorKind::UnknownKey);
        assert_eq!(run.refuse("c-0", "no").unwrap_err().kind(), ErrorKind::UnknownKey);
        assert_eq!(run.lookup(&key).unwrap().location(), Some("dir/x"));
        let known = run.prepare(&log("x"), "d", &options()).unwrap();
        assert_eq!((known.action(), known.text()), (OffloadAction::Point, pointer.text()));
        assert_eq!(known.account().records().offloaded, 1);
        assert_eq!(run.entries().len(), 1);
    }

    #[test]
    fn a_refusal_leaves_the_original() {
        let mut run = Offloads::new();
        let key = run.prepare(&log("x"), "c", &options()).unwrap().key().unwrap().to_string();
        run.refuse(&key, &"full ".repeat(100)).unwrap();
        let again = run.prepare(&log("x"), "c", &options()).unwrap();
        assert_eq!((again.action(), again.reason(), again.text()), (OffloadAction::Keep, OffloadReason::Refused, None));
        assert_eq!(again.account().records().kept, 1);
        assert_eq!(run.commit(&key, "dir").unwrap_err().kind(), ErrorKind::OutOfOrder);
        let EntryState::Refused { reason } = run.lookup(&key).unwrap().state() else { panic!("not recorded") };
        assert_eq!(reason.chars().count(), REASON_CHARS);
        assert_eq!(run.verify(&key, log("x").as_bytes()).unwrap_err().kind(), ErrorKind::UnknownKey);
    }

    #[test]
    fn markers_in_a_text_decide_nothing() {
        let mut run = Offloads::new();
        let key = run.prepare(&log("x"), "c", &options()).unwrap().key().unwrap().to_string();
        let pointer = run.commit(&key, "dir/x").unwrap().text().unwrap().to_string();
        assert_eq!(run.prepare(&pointer, "c", &options()).unwrap().reason(), OffloadReason::IsPointer);
        // Text of a tool that only looks like a pointer, or quotes one, is offloaded like any other.
        for forged in [pointer.replace("dir/x", "dir/y"), alloc::format!("{pointer}\n"), log("x") + &pointer] {
            assert_eq!(run.prepare(&forged, "c", &options()).unwrap().action(), OffloadAction::Store, "{forged}");
        }
    }

    #[test]
    fn readers_are_exempt_by_id() {
        let mut run = Offloads::new();
        run.exempt("call_9");
        assert_eq!(run.prepare(&log("x"), "call_9", &options()).unwrap().reason(), OffloadReason::Exempt);
        assert_eq!(run.prepare(&log("x"), "call_10", &options()).unwrap().action(), OffloadAction::Store);
        assert_eq!(run.prepare("short", "call_9x", &options()).unwrap().reason(), OffloadReason::Fits);
    }

    #[test]
    fn other_bytes_are_not_taken_for_the_stored_ones() {
        let mut run = Offloads::new();
        let key = run.prepare(&log("x"), "c", &options()).unwrap().key().unwrap().to_string();
        run.commit(&key, "dir/x").unwrap();
        assert_eq!(run.verify(&key, log("x").as_bytes()).unwrap().key(), key);
        for other in [log("y"), String::new(), log("x") + " "] {
            let e = run.verify(&key, other.as_bytes()).unwrap_err();
            assert_eq!(
                (e.kind(), e.needed(), e.available()),
                (ErrorKind::DigestMismatch, Some(1500), Some(other.len()))
            );
        }
        // State that names another digest for a key is caught by the key itself.
        let forged =
            run.to_json().replace(&key::hex(&sha256(log("x").as_bytes())), &key::hex(&sha256(log("y").as_bytes())));
        let forged = Offloads::from_json(&forged).unwrap();
        assert_eq!(forged.verify(&key, log("y").as_bytes()).unwrap_err().kind(), ErrorKind::DigestMismatch);
    }

    #[test]
    fn not_shorter_is_remembered() {
        let mut run = Offloads::new();
        let payload = "x".repeat(150);
        let key = run.prepare(&payload, "c", &options()).unwrap().key().unwrap().to_string();
        let pointer = run.commit(&key, "dir/x").unwrap();
        assert_eq!((pointer.used(), pointer.saved(), pointer.reason()), (false, 0, OffloadReason::NotShorter));
        let again = run.prepare(&payload, "c", &options()).unwrap();
        assert_eq!((again.action(), again.reason()), (OffloadAction::Keep, OffloadReason::NotShorter));
        assert!(run.verify(&key, payload.as_bytes()).is_ok(), "it was stored all the same");
    }

    #[test]
    fn after_a_failed_commit_the_key_is_still_open() {
        struct Words;
        impl TokenCounter for Words {
            fn count(&self, text: &str) -> Result<usize, Error> {
                Ok(text.split([' ', '\n']).count())
            }
        }
        let mut run = Offloads::new();
        let options = options().over(Budget::tokens(20, &Words));
        let key = run.prepare(&log("x"), "c", &options).unwrap().key().unwrap().to_string();
        assert_eq!(run.commit(&key, "dir/x").unwrap_err().argument(), Some("counter"));
        let pointer = run.commit_counted(&key, "dir/x", &Words).unwrap();
        assert!(pointer.used() && pointer.unit() == Unit::Tokens);
    }
}
