//! What is left of a prompt to compare the next one with: digests and labels, no text.

mod details;
mod state;

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use details::Details;
pub(super) use details::shape_of;

use super::digest::{Digest, Digester, Fingerprint};
use super::piece::{Layer, Piece, PieceKind, SharedText};
use super::sequence::Prompt;
use crate::error::Error;
use crate::json::try_canonical;
use crate::limits::Limits;
use crate::measure::{TokenCounter, count};

/// A prompt as it was sent, small enough to keep: names, layers, lengths and digests of its pieces.
///
/// A snapshot made in this process shares the texts of the prompt (they are not copied), and compares to the exact
/// byte; one that went through [`to_json`](Snapshot::to_json) has none, and compares to 256 bytes.
///
/// Each piece has two digests, SHA-256 of its bytes as they were sent and of their canonical form (RFC 8785) where it
/// is JSON, so that "the same content, serialised anew" is told from "edited".
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) pieces: Vec<Print>,
    pub(super) digester: Digester,
    /// Tells snapshots under one key from others; none without a key.
    pub(super) key_check: Option<u64>,
}

/// One piece of a snapshot.
#[derive(Clone, Debug)]
pub(super) struct Print {
    pub(super) name: Arc<str>,
    pub(super) layer: Layer,
    pub(super) kind: PieceKind,
    pub(super) is_message: bool,
    pub(super) bytes: usize,
    pub(super) tokens: Option<usize>,
    pub(super) sent: Fingerprint,
    /// Of the canonical form; that of the bytes where these are it, or are no JSON.
    pub(super) canonical: Digest,
    /// Of what it says with a text in place of a list of one text block; none where there is no such list.
    pub(super) plain: Option<Digest>,
    pub(super) known: Known,
}

/// How a piece can be looked at again.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// It is in this process.
    Text(SharedText),
    /// What was written about it.
    Details(Details),
}

impl Print {
    /// Its text, or the text that stands in place of a list of one text block.
    pub(super) fn said(&self) -> &Digest {
        self.plain.as_ref().unwrap_or(&self.sent.whole)
    }

    /// Whether a provider reads both alike: the same bytes, or a text here and a list of it alone there. Two lists that
    /// are spelt differently are not: one of them was serialised anew.
    pub(super) fn reads_as(&self, other: &Print) -> bool {
        self.sent.whole == other.sent.whole
            || self.plain.is_some() != other.plain.is_some() && self.said() == other.said()
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.known {
            Known::Text(text) => Some(text.as_str()),
            Known::Details(_) => None,
        }
    }
}

/// How a snapshot is taken.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct SnapshotOptions<'a> {
    /// Counts tokens of every piece, so that comparisons say how many were kept and lost.
    pub counter: Option<&'a dyn TokenCounter>,
    /// Makes every digest an HMAC under this key: without it, short texts can be guessed from a stored snapshot. Only
    /// snapshots under the same key can be compared.
    pub key: Option<&'a [u8]>,
}

impl core::fmt::Debug for SnapshotOptions<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SnapshotOptions")
            .field("counter", &self.counter.is_some())
            .field("key", &self.key.is_some())
            .finish()
    }
}

impl Prompt {
    /// The prompt as it is now, to compare the next one with.
    ///
    /// Cost: SHA-256 of every text, and of the canonical form of those that are JSON and not canonical.
    ///
    /// # Errors
    /// Whatever the counter reports; [`CounterFailed`](crate::ErrorKind::CounterFailed) for a count above 2^53.
    pub fn snapshot(&self, options: &SnapshotOptions<'_>) -> Result<Snapshot, Error> {
        let digester = Digester::new(options.key);
        let mut pieces = Vec::with_capacity(self.len());
        for piece in self.pieces() {
            let tokens = match options.counter {
                Some(counter) => Some(count(piece.text(), counter).map_err(|e| e.of_piece(piece.name()))?),
                None => None,
            };
            pieces.push(print(piece, tokens, &digester));
        }
        let key_check = options.key.map(|_| short(&digester.digest(b"haversack snapshot")));
        Ok(Snapshot { pieces, digester, key_check })
    }
}

fn print(piece: &Piece, tokens: Option<usize>, digester: &Digester) -> Print {
    let text = piece.text();
    let sent = digester.fingerprint(text.as_bytes());
    let canonical = match try_canonical(text, Limits::DEFAULT.depth) {
        Some(Cow::Owned(form)) => digester.digest(form.as_bytes()),
        Some(Cow::Borrowed(_)) | None => sent.whole,
    };
    Print {
        name: Arc::clone(&piece.name),
        layer: piece.layer,
        kind: piece.kind,
        is_message: piece.is_message,
        bytes: text.len(),
        tokens,
        sent,
        canonical,
        plain: piece.plain.as_ref().map(|text| digester.digest(text.as_str().as_bytes())),
        known: Known::Text(piece.text.clone()),
    }
}

/// The first 64 bits of a digest.
pub(super) fn short(digest: &Digest) -> u64 {
    digest.first_chunk::<8>().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

impl Snapshot {
    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// True without any piece.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The names of the pieces, in the order of the prompt.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.pieces.iter().map(|piece| &*piece.name)
    }

    /// Bytes of all pieces together.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.bytes).sum()
    }

    /// Tokens of all pieces together, each counted on its own; none without a counter.
    pub fn tokens(&self) -> Option<usize> {
        self.pieces.iter().map(|piece| piece.tokens).sum()
    }

    /// The SHA-256 (or HMAC) of piece `index` as it was sent, in 64 hex digits.
    pub fn sha256(&self, index: usize) -> Option<alloc::string::String> {
        self.pieces.get(index).map(|piece| crate::offload::hex(&piece.sent.whole))
    }

    /// The same of its canonical form; that of its bytes when it is no JSON.
    pub fn canonical_sha256(&self, index: usize) -> Option<alloc::string::String> {
        self.pieces.get(index).map(|piece| crate::offload::hex(&piece.canonical))
    }
}
