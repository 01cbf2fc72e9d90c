//! What a ledger holds: facts as they are read, and what is said of one when it is recorded.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::error::Error;
use crate::source::Source;

kinds! {
    /// What a fact is. The order is that in which a budget takes them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum FactKind;

    /// What must hold.
    Constraint = 1, "constraint";
    /// What was decided.
    Decision = 2, "decision";
    /// What is to be done.
    Task = 3, "task";
    /// A name, number or path that has to be exact.
    Identifier = 4, "identifier";
    /// Anything else that is known (the default).
    Fact = 5, "fact";
}

kinds! {
    /// What became of a value that was recorded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Recorded;

    /// It is a new line.
    Added = 1, "added";
    /// It holds now; the earlier value is in the history.
    Updated = 2, "updated";
    /// It was there already: its source is added to the fact.
    Merged = 3, "merged";
    /// It is of an earlier turn than the value that holds, and went into the history.
    Older = 4, "older";
}

/// A value: text, or JSON as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactValue<'a> {
    /// A text, which is recorded as a JSON string.
    Text(&'a str),
    /// One JSON value of any type. Its own spelling is kept; white space outside strings is not.
    Json(&'a str),
}

impl<'a> From<&'a str> for FactValue<'a> {
    fn from(text: &'a str) -> Self {
        FactValue::Text(text)
    }
}

/// What is said of a value when it is recorded. The default is a fact of unknown source, of no turn, not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactOptions<'a> {
    pub(super) kind: FactKind,
    pub(super) source: &'a str,
    pub(super) turn: Option<u64>,
    pub(super) verified: bool,
}

impl<'a> FactOptions<'a> {
    /// A fact of unknown source.
    pub const fn new() -> Self {
        FactOptions { kind: FactKind::Fact, source: "", turn: None, verified: false }
    }

    /// What it is (default: a fact).
    #[must_use]
    pub const fn kind(mut self, kind: FactKind) -> Self {
        self.kind = kind;
        self
    }

    /// Where it comes from, as [`Source::parse`] reads it (default: unknown).
    #[must_use]
    pub const fn source(mut self, source: &'a str) -> Self {
        self.source = source;
        self
    }

    /// In which turn, step or message (default: none). Of two values of one key the one of the later turn holds;
    /// without turns the one that is recorded later.
    #[must_use]
    pub const fn turn(mut self, turn: u64) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Whether the host checked it (default: no).
    #[must_use]
    pub const fn verified(mut self, verified: bool) -> Self {
        self.verified = verified;
        self
    }
}

impl Default for FactOptions<'_> {
    fn default() -> Self {
        FactOptions::new()
    }
}

/// One more time that a value was stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sighting {
    /// Where.
    pub source: Source,
    /// When.
    pub turn: Option<u64>,
    /// Whether the host checked it there.
    pub verified: bool,
}

/// One value of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fact {
    /// Its key, as it was given.
    pub key: String,
    /// The value as JSON.
    pub value: String,
    /// What it is.
    pub kind: FactKind,
    /// Where it comes from: of several sightings the most trusted one, of these a verified one, of these the first.
    pub source: Source,
    /// When it was stated there.
    pub turn: Option<u64>,
    /// Whether the host checked it.
    pub verified: bool,
    /// Whether another value took its place.
    pub superseded: bool,
    /// Its other sightings, in the order in which they came; of one kind of source the first eight.
    pub also: Vec<Sighting>,
}

impl Fact {
    /// Every member under its name as compact JSON; the value is a string that holds JSON, so that no reader changes
    /// its spelling.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

/// A value as it is stored: JSON without white space outside strings.
pub(super) fn json_of(value: FactValue<'_>, depth: usize) -> Result<Cow<'_, str>, Error> {
    match value {
        FactValue::Text(text) => {
            let mut out = String::with_capacity(text.len() + 2);
            out.push('"');
            crate::json::write_escaped(text, &mut out);
            out.push('"');
            Ok(Cow::Owned(out))
        }
        FactValue::Json(json) => {
            let scan = crate::json::check(json, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
            let raw = scan.root.raw(json);
            if scan.root.blanks == 0 {
                return Ok(Cow::Borrowed(raw));
            }
            let mut out = String::with_capacity(raw.len());
            crate::json::write_minified(raw, scan.root.blanks, &mut out);
            Ok(Cow::Owned(out))
        }
    }
}

/// What two values have in common that are exact duplicates: strings are trimmed and their blanks joined.
pub(super) fn normal(value: &str) -> Cow<'_, str> {
    if !value.starts_with('"') || crate::json::has_half_surrogate(value) {
        return Cow::Borrowed(value);
    }
    let text = crate::json::key_text(value);
    let mut out = String::with_capacity(text.len() + 1);
    out.push('"');
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}
