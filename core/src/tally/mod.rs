//! The books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls.
//!
//! Each reduction answers with an [`Account`]; here they come together, so that nothing is missing without a boundary
//! that says so. What a host can still fetch is told apart from what is gone, and a key that almost never arrives is
//! flagged.

mod picture;
mod state;
mod table;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::account::{Account, Counts};
use crate::error::{Error, ErrorKind};

kinds! {
    /// Where something can be left out of what a model sees.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Boundary;

    /// A tool result was cut.
    Delivery = 1, "delivery";
    /// Fields were left out by request.
    FieldFilter = 2, "field_filter";
    /// A result was stored elsewhere.
    Offload = 3, "offload";
    /// An old result became one line.
    Clear = 4, "clear";
    /// Messages became a summary.
    Summarise = 5, "summarise";
    /// A slice of memory was taken.
    Memory = 6, "memory";
    /// Tools were chosen.
    Loadout = 7, "loadout";
    /// Workers handed back.
    Handoff = 8, "handoff";
}

/// The sums of one boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Sums {
    /// How often something went through.
    pub calls: u64,
    /// Records: they close.
    pub records: Counts,
    /// Bytes of the source: they close.
    pub bytes: Counts,
    /// Of the records that are offloaded or omitted, those that can still be fetched.
    pub recoverable: u64,
    /// The same in bytes.
    pub recoverable_bytes: u64,
}

impl Sums {
    /// Records that nobody can fetch any more: omitted and not recoverable. (Shrunk ones are there in part.)
    pub const fn lost(&self) -> u64 {
        self.records.offloaded.saturating_add(self.records.omitted).saturating_sub(self.recoverable)
    }

    fn add(&mut self, account: &Account, recoverable: bool) -> Option<()> {
        let fetch = |counts: &Counts| counts.offloaded + if recoverable { counts.omitted } else { 0 };
        self.recoverable = self.recoverable.checked_add(fetch(account.records()))?;
        self.recoverable_bytes = self.recoverable_bytes.checked_add(fetch(account.bytes()))?;
        self.records.add(account.records());
        self.bytes.add(account.bytes());
        self.calls = self.calls.checked_add(1)?;
        (self.calls <= LARGEST && self.records.total <= LARGEST && self.bytes.total <= LARGEST).then_some(())
    }
}

/// How often a key arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Survival {
    /// The key.
    pub key: String,
    /// In how many calls it was there before.
    pub calls: u64,
    /// In how many of them it was there afterwards.
    pub arrived: u64,
    /// Arrived of calls in parts per 10,000, rounded down.
    pub per_10_000: u64,
    /// Whether it almost never arrives: in less than one of 20, over at least 20 calls.
    pub rare: bool,
}

/// Sums above this are not exact in every language.
const LARGEST: u64 = 1 << 53;

/// The books of a run.
///
/// # Example
/// ```
/// use haversack::{Boundary, Budget, Tally, deliver};
///
/// let rows: Vec<String> = (0..200).map(|i| format!(r#"{{"id":{i}}}"#)).collect();
/// let d = deliver(&format!("[{}]", rows.join(",")), Budget::chars(400))?;
/// let mut tally = Tally::new();
/// tally.add(Boundary::Delivery, d.account(), true)?;
/// let sums = tally.sums(Boundary::Delivery).unwrap();
/// assert!(sums.records.closes() && sums.records.total == 200 && sums.lost() == 0);
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    sums: BTreeMap<Boundary, Sums>,
    /// Calls and arrivals.
    keys: BTreeMap<String, (u64, u64)>,
}

impl Tally {
    /// Keys that are told apart.
    pub const KEYS: usize = 4096;
    /// Bytes that a key can have.
    pub const KEY_BYTES: usize = 1024;

    /// Books with nothing in them.
    pub fn new() -> Self {
        Tally::default()
    }

    /// Adds the account of one call. What was offloaded can be fetched; `recoverable` says whether what was omitted can
    /// be too, since the host still has the source.
    ///
    /// # Errors
    /// [`OpenBooks`](ErrorKind::OpenBooks) where the parts of an account do not sum to its total;
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) where a sum would pass 2^53. The books are then unchanged.
    pub fn add(&mut self, boundary: Boundary, account: &Account, recoverable: bool) -> Result<(), Error> {
        for (what, counts) in [("records", account.records()), ("bytes", account.bytes())] {
            check_closes(what, counts)?;
        }
        let mut sums = self.sums.get(&boundary).copied().unwrap_or_default();
        sums.add(account, recoverable)
            .ok_or_else(|| Error::new(ErrorKind::LimitExceeded, "a sum passes 2^53").argument_named("account"))?;
        self.sums.insert(boundary, sums);
        Ok(())
    }

    /// Says of a key that was there before a boundary whether it was there afterwards.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for a `key` longer than 1,024 bytes, and for one more than 4,096
    /// different ones.
    pub fn seen(&mut self, key: &str, arrived: bool) -> Result<(), Error> {
        let limit = |needed: usize, available: usize, what: &str| {
            let message = alloc::format!("{needed} {what}, {available} at most");
            Error::new(ErrorKind::LimitExceeded, message).argument_named("key").counts(needed, available)
        };
        if key.len() > Tally::KEY_BYTES {
            return Err(limit(key.len(), Tally::KEY_BYTES, "bytes of a key"));
        }
        if let Some((calls, arrivals)) = self.keys.get_mut(key) {
            *calls = calls.saturating_add(1).min(LARGEST);
            *arrivals = arrivals.saturating_add(u64::from(arrived)).min(*calls);
            return Ok(());
        }
        if self.keys.len() >= Tally::KEYS {
            return Err(limit(self.keys.len() + 1, Tally::KEYS, "keys"));
        }
        self.keys.insert(key.into(), (1, u64::from(arrived)));
        Ok(())
    }

    /// The sums of a boundary; none where nothing went through.
    pub fn sums(&self, boundary: Boundary) -> Option<Sums> {
        self.sums.get(&boundary).copied()
    }

    /// Boundaries and their sums, in the order of [`Boundary::ALL`].
    pub fn boundaries(&self) -> impl Iterator<Item = (Boundary, Sums)> + '_ {
        self.sums.iter().map(|(boundary, sums)| (*boundary, *sums))
    }

    /// How often each key arrived, the rarest first.
    pub fn survival(&self) -> Vec<Survival> {
        let mut out: Vec<Survival> = self
            .keys
            .iter()
            .map(|(key, (calls, arrived))| Survival {
                key: key.clone(),
                calls: *calls,
                arrived: *arrived,
                per_10_000: u64::try_from(u128::from(*arrived) * 10_000 / u128::from(*calls).max(1)).unwrap_or(0),
                rare: *calls >= 20 && arrived.saturating_mul(20) < *calls,
            })
            .collect();
        out.sort_by(|a, b| (a.per_10_000, &a.key).cmp(&(b.per_10_000, &b.key)));
        out
    }
}

/// Refuses books that do not close.
fn check_closes(what: &str, counts: &Counts) -> Result<(), Error> {
    if counts.closes() {
        return Ok(());
    }
    let parts = [counts.kept, counts.shrunk, counts.offloaded, counts.omitted];
    let sum = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(*part));
    let message = alloc::format!("the {what} do not close: {} in total, {sum} in parts", counts.total);
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Err(Error::new(ErrorKind::OpenBooks, message).argument_named("account").counts(size(counts.total), size(sum)))
}

#[cfg(test)]
mod tests;
