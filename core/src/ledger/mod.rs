//! The ledger of a run: facts by key that are put before the model every time, and never through a summary.
//!
//! A summary carries the story; constraints, decisions and identifiers belong here. Every value has its kind and its
//! source. The last one of a key holds, earlier ones stay in the history. The text is one line a fact under a fixed
//! heading, and nothing that is recorded can end its line or its quotes: what comes from a page stays a quoted value
//! with a label.

mod extract;
mod fact;
mod news;
mod render;
mod state;
mod wording;

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::source::Source;

pub use extract::Extracted;
pub use fact::{Fact, FactKind, FactOptions, FactValue, Recorded, Sighting};
pub use news::{Placement, PlacementCost};

/// Sightings that are kept of each kind of source of one value.
const SIGHTINGS: usize = 8;
/// Turns above this are not exact in every language.
const LARGEST: u64 = 1 << 53;

/// Facts by key, with their sources and their history.
///
/// # Example: a correction holds, and its history stays
/// ```
/// use haversack::{FactKind, FactOptions, Ledger};
///
/// let mut led = Ledger::new();
/// let said = FactOptions::new().source("user").turn(1);
/// led.record("city", "Oslo", said)?;
/// led.record("pay", "by card", said.kind(FactKind::Constraint))?;
/// led.record("city", "Bergen", said.turn(4))?;
/// assert_eq!(
///     led.render(None)?.text(),
///     "# Facts\n- \"city\": \"Bergen\" (fact, user, turn 4)\n- \"pay\": \"by card\" (constraint, user, turn 1)"
/// );
/// assert_eq!(led.history("city").len(), 2);
/// # Ok::<(), haversack::Error>(())
/// ```
///
/// # Cost
/// Recording costs the logarithm of the number of keys. Rendering under a budget costs what the lines that are shown
/// cost, and a logarithm for each: never the ledger.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// All that was recorded, in order, but for sightings beyond the eighth of their kind.
    writes: Vec<Write>,
    lines: Vec<Line>,
    keys: BTreeMap<Arc<str>, Key>,
    /// The lines in the order in which they are shown.
    places: BTreeMap<(u64, u64), usize>,
    /// The lines in the order in which a budget takes them.
    ranks: BTreeSet<(Rank, usize)>,
    /// How many lines there are of each kind.
    kinds: [u64; FactKind::ALL.len()],
    /// Bytes of all lines.
    bytes: u64,
    /// The latest turn.
    turn: u64,
    /// How often a value was there already.
    merged: u64,
    /// Lines that changed since the news were told.
    untold: BTreeSet<usize>,
}

/// Kind, turn (newest first), number of the write (newest first).
type Rank = (FactKind, Reverse<u64>, Reverse<usize>);

#[derive(Clone, Debug)]
struct Write {
    line: usize,
    value: String,
    kind: FactKind,
    source: Source,
    turn: Option<u64>,
    /// The turn, or the latest one before it.
    at: u64,
    verified: bool,
}

/// What holds of a key, or one of its several values.
#[derive(Clone, Debug)]
struct Line {
    key: Arc<str>,
    many: bool,
    /// In the order in which they were recorded.
    versions: Vec<Version>,
    current: usize,
    place: (u64, u64),
    rank: Rank,
    /// Of the line as it is rendered, the line feed before it included.
    bytes: u64,
}

/// A value with its sightings, as numbers of writes.
#[derive(Clone, Debug)]
struct Version {
    first: usize,
    also: Vec<usize>,
    /// The sighting whose source is shown.
    shown: usize,
}

#[derive(Clone, Debug)]
enum Key {
    One(usize),
    /// The values, as they are compared, and in order.
    Many(BTreeMap<String, usize>, Vec<usize>),
}

impl Ledger {
    /// Bytes that a key can have.
    pub const KEY_BYTES: usize = 16 << 10;
    /// Bytes that a value can have, as JSON.
    pub const VALUE_BYTES: usize = 64 << 10;

    /// A ledger with nothing in it.
    pub fn new() -> Self {
        Ledger::default()
    }

    /// Records the value of a key: it holds from now on, and an earlier one goes into the history. A value that holds
    /// already (equal after trimming and joining blanks, and of that kind) is not recorded twice: its source is added
    /// to the fact. A value of an earlier turn than the one that holds goes into the history.
    ///
    /// # Errors
    /// [`InvalidOption`](ErrorKind::InvalidOption) for a `key` in which nothing can be seen or a `turn` above 2^53;
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for a `key`, `value` or `source` with more bytes than it can have;
    /// [`InvalidJson`](ErrorKind::InvalidJson) and [`TooDeep`](ErrorKind::TooDeep) for a value that is no JSON;
    /// [`MixedKey`](ErrorKind::MixedKey) where values were [appended](Ledger::append) to the key. The ledger is then
    /// unchanged.
    pub fn record<'a>(
        &mut self,
        key: &str,
        value: impl Into<FactValue<'a>>,
        options: FactOptions<'_>,
    ) -> Result<Recorded, Error> {
        let value = checked(key, value.into(), &options)?;
        self.put(key, &value, &options, false)
    }

    /// Adds a value to a key that has several: none of them takes the place of another.
    ///
    /// # Errors
    /// As [`record`](Ledger::record); [`MixedKey`](ErrorKind::MixedKey) where a value was recorded for the key.
    pub fn append<'a>(
        &mut self,
        key: &str,
        value: impl Into<FactValue<'a>>,
        options: FactOptions<'_>,
    ) -> Result<Recorded, Error> {
        let value = checked(key, value.into(), &options)?;
        self.put(key, &value, &options, true)
    }

    /// What holds of a key; of several values the first.
    pub fn get(&self, key: &str) -> Option<Fact> {
        let line = self.lines.get(*self.lines_of(key).first()?)?;
        Some(self.fact(line, line.current))
    }

    /// What holds of a key, in the order in which it was recorded: nothing, one value, or those that were appended.
    pub fn values(&self, key: &str) -> Vec<Fact> {
        self.lines_of(key)
            .iter()
            .filter_map(|at| self.lines.get(*at))
            .map(|line| self.fact(line, line.current))
            .collect()
    }

    /// Every value that a key ever had, oldest first, those that hold included.
    pub fn history(&self, key: &str) -> Vec<Fact> {
        let lines = self.lines_of(key).iter().filter_map(|at| self.lines.get(*at));
        lines.flat_map(|line| (0..line.versions.len()).map(move |version| self.fact(line, version))).collect()
    }

    /// All facts that hold, in the order in which they are shown.
    pub fn facts(&self) -> impl Iterator<Item = Fact> + '_ {
        self.places.values().filter_map(|at| self.lines.get(*at)).map(|line| self.fact(line, line.current))
    }

    /// How many facts hold.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Bytes that all lines take in a text without a budget, without the heading.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How often a value was recorded that held already.
    pub const fn merged(&self) -> u64 {
        self.merged
    }

    fn lines_of(&self, key: &str) -> &[usize] {
        match self.keys.get(key) {
            Some(Key::One(line)) => core::slice::from_ref(line),
            Some(Key::Many(_, lines)) => lines,
            None => &[],
        }
    }

    fn fact(&self, line: &Line, version: usize) -> Fact {
        let seen = &line.versions[version];
        let (first, shown) = (&self.writes[seen.first], &self.writes[seen.shown]);
        let others = core::iter::once(seen.first).chain(seen.also.iter().copied()).filter(|at| *at != seen.shown);
        let sighting = |at: usize| {
            let write = &self.writes[at];
            Sighting { source: write.source.clone(), turn: write.turn, verified: write.verified }
        };
        Fact {
            key: String::from(&*line.key),
            value: first.value.clone(),
            kind: first.kind,
            source: shown.source.clone(),
            turn: shown.turn,
            verified: shown.verified,
            superseded: version != line.current,
            also: others.map(sighting).collect(),
        }
    }

    /// Records a value that was checked.
    fn put(&mut self, key: &str, value: &str, options: &FactOptions<'_>, many: bool) -> Result<Recorded, Error> {
        let mixed = |what: &str| {
            let key = crate::wording::quoted_part(key);
            Err(Error::new(ErrorKind::MixedKey, alloc::format!("the key \"{key}\" {what}")).argument_named("key"))
        };
        let line = match (self.keys.get(key), many) {
            (Some(Key::Many(..)), false) => return mixed("has several values: append to it"),
            (Some(Key::One(_)), true) => return mixed("has one value: record it"),
            (Some(Key::One(line)), false) => Some(*line),
            (Some(Key::Many(values, _)), true) => values.get(&*fact::normal(value)).copied(),
            (None, _) => None,
        };
        let source = Source::parse(options.source);
        let FactOptions { kind, turn, verified, .. } = *options;
        let at = turn.unwrap_or(self.turn);
        let mut write = Write { line: 0, value: value.into(), kind, source, turn, at, verified };
        let Some(at) = line else {
            self.add(key, many, write);
            return Ok(Recorded::Added);
        };
        write.line = at;
        let line = &self.lines[at];
        let holding = &self.writes[line.versions[line.current].first];
        if many || (holding.kind == write.kind && fact::normal(&holding.value) == fact::normal(value)) {
            self.see(at, write);
            return Ok(Recorded::Merged);
        }
        let older = matches!((write.turn, holding.turn), (Some(now), Some(then)) if now < then);
        let number = self.push(write);
        let line = &mut self.lines[at];
        line.versions.push(Version { first: number, also: Vec::new(), shown: number });
        if older {
            return Ok(Recorded::Older);
        }
        line.current = line.versions.len() - 1;
        self.settle(at);
        Ok(Recorded::Updated)
    }

    fn push(&mut self, write: Write) -> usize {
        self.turn = self.turn.max(write.at);
        self.writes.push(write);
        self.writes.len() - 1
    }

    fn add(&mut self, key: &str, many: bool, mut write: Write) {
        let (at, number) = (self.lines.len(), self.writes.len());
        let value = fact::normal(&write.value).into_owned();
        let name = match self.keys.get_key_value(key) {
            Some((name, _)) => Arc::clone(name),
            None => Arc::from(key),
        };
        match self.keys.get_mut(key) {
            Some(Key::Many(values, lines)) => {
                values.insert(value, at);
                lines.push(at);
            }
            _ if many => {
                self.keys.insert(Arc::clone(&name), Key::Many(BTreeMap::from([(value, at)]), Vec::from([at])));
            }
            _ => {
                self.keys.insert(Arc::clone(&name), Key::One(at));
            }
        }
        write.line = at;
        let (place, kind) = ((write.at, number as u64), write.kind);
        self.push(write);
        let version = Version { first: number, also: Vec::new(), shown: number };
        let rank = (kind, Reverse(0), Reverse(0));
        self.lines.push(Line { key: name, many, versions: Vec::from([version]), current: 0, place, rank, bytes: 0 });
        self.places.insert(place, at);
        self.kinds[kind as usize] += 1;
        self.settle(at);
    }

    /// One more sighting of the value that holds on a line.
    fn see(&mut self, at: usize, write: Write) {
        self.merged += 1;
        let line = &self.lines[at];
        let version = &line.versions[line.current];
        let sightings = || core::iter::once(version.first).chain(version.also.iter().copied()).map(|n| &self.writes[n]);
        let known = sightings().any(|seen| seen.source == write.source && seen.verified >= write.verified);
        let of_kind = sightings().filter(|seen| seen.source.kind() == write.source.kind()).count();
        let shown = &self.writes[version.shown];
        let better = rank_of(&write) < rank_of(shown);
        // One that is verified, or better than what is shown, is never one too many.
        if known || (of_kind >= SIGHTINGS && !better) {
            return;
        }
        let shows = shown.source.kind() != write.source.kind() || better;
        let number = self.push(write);
        let line = &mut self.lines[at];
        let version = &mut line.versions[line.current];
        version.also.push(number);
        if better {
            version.shown = number;
        }
        if shows {
            self.settle(at);
        }
    }

    /// Brings what is known of a line into order after its text changed.
    fn settle(&mut self, at: usize) {
        let line = &self.lines[at];
        let first = line.versions[line.current].first;
        let write = &self.writes[first];
        let mut text = String::new();
        self.push_line(line, &mut text);
        let rank = (write.kind, Reverse(write.at), Reverse(first));
        let (old_rank, old_bytes) = (line.rank, line.bytes);
        self.kinds[old_rank.0 as usize] -= 1;
        self.kinds[rank.0 as usize] += 1;
        self.ranks.remove(&(old_rank, at));
        self.ranks.insert((rank, at));
        self.bytes = self.bytes - old_bytes + text.len() as u64;
        self.untold.insert(at);
        let line = &mut self.lines[at];
        (line.rank, line.bytes) = (rank, text.len() as u64);
    }
}

/// Which of two sightings is shown: the smaller.
fn rank_of(write: &Write) -> (crate::source::Trust, bool) {
    (write.source.trust(), !write.verified)
}

/// The value as it is stored, where everything about it is within its limits.
fn checked<'a>(key: &str, value: FactValue<'a>, options: &FactOptions<'_>) -> Result<Cow<'a, str>, Error> {
    if crate::shown::is_blank(key) {
        return Err(Error::option("key", "a fact has a key that can be seen"));
    }
    if options.turn.is_some_and(|turn| turn > LARGEST) {
        return Err(Error::option("turn", "turns end at 2^53"));
    }
    let within = |argument: &'static str, bytes: usize, most: usize| {
        if bytes <= most {
            return Ok(());
        }
        let message = alloc::format!("{argument} of {bytes} bytes, {most} at most");
        Err(Error::new(ErrorKind::LimitExceeded, message).argument_named(argument).counts(bytes, most))
    };
    within("key", key.len(), Ledger::KEY_BYTES)?;
    within("source", options.source.len(), Source::MAX_BYTES)?;
    let value = fact::json_of(value, Limits::DEFAULT.depth)?;
    within("value", value.len(), Ledger::VALUE_BYTES)?;
    Ok(value)
}

#[cfg(test)]
mod tests;
