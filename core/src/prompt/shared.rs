//! What two prompts have in common at their start: the cache that a sub-agent inherits.

use alloc::string::String;

use super::compare::common_prefix;
use super::piece::Piece;
use super::sequence::Prompt;
use crate::error::Error;
use crate::measure::{self, TokenCounter};

/// The start that two prompts share.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedPrefix {
    /// Bytes of the pieces' texts that are equal, up to the first that differs.
    pub bytes: usize,
    /// Tokens of these: of each whole piece, and of the beginning of the one where they part. Only with a counter.
    pub tokens: Option<usize>,
    /// How many pieces are equal as a whole.
    pub pieces: usize,
    /// The name of the first piece where they part: that of the second prompt, or of the first where the second ends.
    /// None when the texts are equal.
    pub piece: Option<String>,
}

/// Compares two prompts from their start, by the bytes of their pieces (names break no cache).
///
/// Cost: linear in what they share.
///
/// # Errors
/// Whatever the counter reports.
pub fn shared_prefix(a: &Prompt, b: &Prompt, counter: Option<&dyn TokenCounter>) -> Result<SharedPrefix, Error> {
    let count = |text: &str| counter.map_or(Ok(0), |counter| measure::count(text, counter));
    let mut shared = SharedPrefix { bytes: 0, tokens: counter.map(|_| 0), pieces: 0, piece: None };
    let (mut one, mut other) = (a.pieces(), b.pieces());
    loop {
        let (x, y) = (one.next(), other.next());
        let text = |piece: Option<&'_ Piece>| -> usize { piece.map_or(0, |piece| piece.text().len()) };
        let same = match (x, y) {
            (Some(x), Some(y)) => common_prefix(x.text().as_bytes(), y.text().as_bytes()),
            (None, None) => return Ok(shared),
            _ => 0,
        };
        let is_whole = x.is_some() && y.is_some() && same == text(x) && same == text(y);
        // Tokens of whole characters.
        let begun = y.map_or("", Piece::text);
        let end = (0..=same).rev().find(|&end| begun.is_char_boundary(end)).unwrap_or(0);
        let tokens = count(begun.get(..end).unwrap_or_default())?;
        shared.bytes += same;
        shared.tokens = shared.tokens.map(|all| all + tokens);
        if !is_whole {
            shared.piece = y.or(x).map(|piece| String::from(piece.name()));
            return Ok(shared);
        }
        shared.pieces += 1;
    }
}
