//! Everything that was said, by number: message 214 stays message 214, whatever a compaction does to the prompt.
//!
//! A transcript is JSON Lines: line N is message N, as any other tool reads it. Appending costs the message. A range is
//! a range of bytes, so a host with a file of a million messages keeps the [`TranscriptIndex`] and reads only the lines
//! it asks for. A line that broke (a process that died while writing) keeps its number, is reported, and costs no other
//! line.

mod index;
mod lines;
mod reference;
mod search;

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::json::{Kind, check, write_minified};
use crate::limits::Limits;
use crate::state::{Object, check_head, invalid, offset_of};

pub use index::TranscriptIndex;
pub use lines::{Damage, DamageKind, Lines, Message, read_lines};
pub use reference::{Reference, references};
pub use search::TranscriptHit;

const NAME: &str = "transcript";
const VERSION: u32 = 1;
/// Messages that a quote is looked for in: a text that quotes out of a million messages again and again costs no more.
const QUOTED_RANGE: u64 = 100;

/// Messages by number, from 1.
///
/// # Example: numbers and references
/// ```
/// use haversack::Transcript;
///
/// let mut t = Transcript::new();
/// assert_eq!(t.append(r#"{"role":"user","content":"Which port?"}"#)?, 1);
/// assert_eq!(t.append(r#"{"role":"assistant","content":"Port 8080."}"#)?, 2);
/// assert_eq!(t.read(2, 2)?[0].text, r#"{"role":"assistant","content":"Port 8080."}"#);
/// assert_eq!(t.resolve("message 2")?, (2, 2));
/// assert!(t.resolve("message 3").is_err());
/// let told = t.check("The port is open (message 2: \"Port 8080.\"), see message 9.");
/// assert_eq!(told.iter().map(|r| (r.from, r.exists, r.holds)).collect::<Vec<_>>(), [(2, true, Some(true)), (9, false, None)]);
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The lines, each with its line feed but perhaps the last.
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
    damage: Vec<Damage>,
}

impl Transcript {
    /// A transcript with nothing in it.
    pub fn new() -> Self {
        Transcript::default()
    }

    /// Appends a message (a JSON object) and answers its number, which is its for good. It is kept as it is spelt;
    /// white space outside strings goes only where it has line breaks. Costs its own length.
    ///
    /// # Errors
    /// [`InvalidJson`](ErrorKind::InvalidJson) and [`TooDeep`](ErrorKind::TooDeep) with the offset;
    /// [`InvalidOption`](ErrorKind::InvalidOption) for argument `message` where it is JSON and no object.
    pub fn append(&mut self, message: &str) -> Result<u64, Error> {
        let depth = Limits::DEFAULT.depth;
        let scan = check(message, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        if scan.root.kind(message) != Kind::Object {
            return Err(Error::option("message", "a message is a JSON object"));
        }
        self.close_line();
        self.starts.push(self.text.len());
        let raw = scan.root.raw(message);
        if raw.contains(['\n', '\r']) {
            write_minified(raw, scan.root.blanks, &mut self.text);
        } else {
            self.text.push_str(raw);
        }
        self.text.push('\n');
        Ok(self.last())
    }

    /// Ends a last line that has no line feed. If it broke off, it is now a broken line among others.
    fn close_line(&mut self) {
        if self.text.is_empty() || self.text.ends_with('\n') {
            return;
        }
        self.text.push('\n');
        let last = self.last();
        if let Some(damage) = self.damage.last_mut().filter(|damage| damage.number == last) {
            damage.bytes += 1;
            if damage.kind == DamageKind::Truncated {
                damage.kind = DamageKind::InvalidJson;
            }
        }
    }

    /// The number of the last message; 0 where there is none.
    pub fn last(&self) -> u64 {
        self.starts.len() as u64
    }

    /// The messages from `first` to `last`, both included, as they stand. A line that is damaged is left out, and
    /// stands in [`damage`](Transcript::damage).
    ///
    /// # Errors
    /// [`NoSuchMessage`](ErrorKind::NoSuchMessage) with the number (`index`) that there is not, and the last one
    /// (`available`).
    pub fn read(&self, first: u64, last: u64) -> Result<Vec<Message<'_>>, Error> {
        let (from, to) = self.bytes(first, last)?;
        let lines = self.text.get(from..to).unwrap_or_default();
        let broken = |number: u64| self.damage.binary_search_by_key(&number, |damage| damage.number).is_ok();
        Ok(lines
            .split_terminator('\n')
            .zip(first..)
            .filter(|(_, number)| !broken(*number))
            .map(|(line, number)| Message { number, text: line.trim() })
            .collect())
    }

    /// The messages of a range as one JSON array: a history of its own, for [`History`](crate::History).
    ///
    /// # Errors
    /// As [`read`](Transcript::read).
    pub fn array(&self, first: u64, last: u64) -> Result<String, Error> {
        let mut out = String::from("[");
        for (at, message) in self.read(first, last)?.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            out.push_str(message.text);
        }
        out.push(']');
        Ok(out)
    }

    /// What a reference leads to: its first and last message. References are `message 214`, `messages 3-9` or `3 to 9`,
    /// `#214`, or the number alone, perhaps in brackets.
    ///
    /// # Errors
    /// [`InvalidOption`](ErrorKind::InvalidOption) for argument `reference`: none of these;
    /// [`NoSuchMessage`](ErrorKind::NoSuchMessage) with the number that there is not, and the last one.
    pub fn resolve(&self, reference: &str) -> Result<(u64, u64), Error> {
        let (first, last) = reference::read_whole(reference)?;
        self.bytes(first, last)?;
        Ok((first, last))
    }

    /// The references in a text (a summary, a finding), each with whether it exists and, where words are quoted behind
    /// it, whether the messages hold exactly them (in a range of at most 100 messages). Linear in the text, and for
    /// each quote in the messages it is looked for in.
    pub fn check(&self, text: &str) -> Vec<Reference> {
        let mut found = references(text);
        for reference in &mut found {
            reference.exists = self.bytes(reference.from, reference.to).is_ok();
            let Some(quote) = &reference.quote else { continue };
            if reference.to - reference.from >= QUOTED_RANGE {
                continue;
            }
            let messages = self.read(reference.from, reference.to).unwrap_or_default();
            reference.holds = Some(messages.iter().any(|message| search::count(message.text, quote, false) > 0));
        }
        found
    }

    /// The lines that cannot be served, in order.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// All lines as they stand, damaged ones too: JSON Lines, line N is message N.
    pub fn to_jsonl(&self) -> &str {
        &self.text
    }

    /// Reads JSON Lines. Never fails: every line that is a JSON object is served under its number, every other is
    /// reported in [`damage`](Transcript::damage) and keeps its number. A last line without a line feed that is whole
    /// is a message.
    pub fn from_jsonl(text: &str) -> Self {
        let mut starts = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            starts.push(at);
            at += line.len();
        }
        let damage = lines::read(text, 1).damage;
        Transcript { text: text.into(), starts, damage }
    }

    /// The transcript as compact JSON, version 1, for hosts that keep all state in one form.
    pub fn to_json(&self) -> String {
        let state = State { haversack: NAME.into(), version: VERSION, lines: self.text.as_str().into() };
        crate::state::written(&state)
    }

    /// Reads what [`to_json`](Transcript::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](ErrorKind::InvalidState): no such JSON (`offset`), or another version.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        check_head(text, NAME, VERSION, "state")?;
        let Object::<State<'_>>(state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not the state of a transcript: wrong at byte {offset}")).at(offset)
        })?;
        Ok(Transcript::from_jsonl(&state.lines))
    }

    /// Where the lines from `first` to `last` stand, both included.
    fn bytes(&self, first: u64, last: u64) -> Result<(usize, usize), Error> {
        let (from, past) = index::places(first, last, self.last())?;
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(self.text.len());
        Ok((start(from), start(past)))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: alloc::borrow::Cow<'a, str>,
    version: u32,
    lines: alloc::borrow::Cow<'a, str>,
}

/// There is no message of that number.
fn no_such_message(number: u64, last: u64) -> Error {
    let message = alloc::format!("there is no message {number}: the last is {last}");
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Error::new(ErrorKind::NoSuchMessage, message).numbered(size(number)).limited_to(size(last))
}

#[cfg(test)]
mod tests;
