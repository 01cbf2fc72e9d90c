//! Exact text in messages.

use alloc::vec::Vec;

use memchr::memmem;
use serde::Serialize;

use super::Transcript;
use crate::error::{Error, ErrorKind};
use crate::json::{key_text, string_end};
use crate::limits::Limits;

/// A message that holds what was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TranscriptHit {
    /// Its number.
    pub number: u64,
    /// How often.
    pub count: u64,
}

impl Transcript {
    /// The messages whose strings and names of members hold exactly this text, in order; escapes are read as what they
    /// say. Linear in the transcript.
    ///
    /// # Errors
    /// [`InvalidOption`](ErrorKind::InvalidOption) for an empty `needle`, [`LimitExceeded`](ErrorKind::LimitExceeded)
    /// for one above 4,096 bytes.
    pub fn search(&self, needle: &str) -> Result<Vec<TranscriptHit>, Error> {
        let most = Limits::DEFAULT.needle_bytes;
        if needle.is_empty() {
            return Err(Error::option("needle", "an empty needle stands everywhere"));
        }
        if needle.len() > most {
            let message = alloc::format!("needle of {} bytes, {most} at most", needle.len());
            let error = Error::new(ErrorKind::LimitExceeded, message).argument_named("needle");
            return Err(error.counts(needle.len(), most));
        }
        if self.last() == 0 {
            return Ok(Vec::new());
        }
        let messages = self.read(1, self.last())?;
        let hits = messages.iter().map(|m| TranscriptHit { number: m.number, count: count(m.text, needle, true) });
        Ok(hits.filter(|hit| hit.count > 0).collect())
    }
}

/// How often a text stands in the strings of a message, without overlap; in the names of members where they are asked
/// for.
pub(super) fn count(message: &str, needle: &str, names: bool) -> u64 {
    let finder = memmem::Finder::new(needle);
    // What has no escapes says what stands there.
    if !message.contains('\\') && finder.find(message.as_bytes()).is_none() {
        return 0;
    }
    let bytes = message.as_bytes();
    let (mut at, mut found) = (0, 0);
    while let Some(quote) = bytes.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        let start = at + quote;
        at = string_end(bytes, start);
        let is_name = bytes.get(at..).unwrap_or_default().iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':');
        if names || !is_name {
            let said = key_text(message.get(start..at).unwrap_or_default());
            found += finder.find_iter(said.as_bytes()).count() as u64;
        }
    }
    found
}
