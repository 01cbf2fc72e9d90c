//! The books: what became of every record, and of every source byte.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// What became of a number of records (or of their bytes): `total = kept + shrunk + offloaded + omitted`, always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counts {
    /// All there were.
    pub total: u64,
    /// Delivered whole.
    pub kept: u64,
    /// Delivered in part, with a visible mark.
    pub shrunk: u64,
    /// Stored elsewhere, with a pointer in the text.
    pub offloaded: u64,
    /// Not in the text.
    pub omitted: u64,
}

impl Counts {
    /// Books in which everything was kept.
    pub const fn whole(total: u64) -> Self {
        Counts { total, kept: total, shrunk: 0, offloaded: 0, omitted: 0 }
    }

    /// True when the parts sum to the total.
    pub const fn closes(&self) -> bool {
        let parts = self.kept.checked_add(self.shrunk);
        let Some(parts) = parts else { return false };
        let Some(parts) = parts.checked_add(self.offloaded) else { return false };
        let Some(parts) = parts.checked_add(self.omitted) else { return false };
        parts == self.total
    }

    /// True when nothing was shrunk, offloaded or omitted.
    pub const fn complete(&self) -> bool {
        self.kept == self.total
    }

    /// Adds the books of another boundary or list to these.
    pub const fn add(&mut self, other: &Counts) {
        self.total = self.total.saturating_add(other.total);
        self.kept = self.kept.saturating_add(other.kept);
        self.shrunk = self.shrunk.saturating_add(other.shrunk);
        self.offloaded = self.offloaded.saturating_add(other.offloaded);
        self.omitted = self.omitted.saturating_add(other.omitted);
    }
}

/// The account of one delivery: the sum over the outermost lists.
///
/// A value outside all lists that had to be shortened counts as a list of one, shrunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub(crate) records: Counts,
    pub(crate) bytes: Counts,
    pub(crate) fields_removed: u64,
    pub(crate) claimed: Option<Counts>,
}

impl Account {
    /// The account of an earlier delivery, put together from its numbers to be handed over as `earlier`.
    pub const fn new(records: Counts, bytes: Counts, fields_removed: u64, claimed: Option<Counts>) -> Self {
        Account { records, bytes, fields_removed, claimed }
    }

    /// Adds to the books of a second cut what a first one, whose account is handed over, had left out: it stays left
    /// out, and what it shortened is here shortened still.
    pub(crate) fn carry(&mut self, earlier: &Account) {
        self.claimed = Some(earlier.records);
        for (now, before) in [(&mut self.records, &earlier.records), (&mut self.bytes, &earlier.bytes)] {
            now.omitted = now.omitted.saturating_add(before.omitted);
            now.offloaded = now.offloaded.saturating_add(before.offloaded);
            now.total = now.total.saturating_add(before.omitted).saturating_add(before.offloaded);
        }
        let shrunk = earlier.records.shrunk.min(self.records.kept + self.records.shrunk).max(self.records.shrunk);
        self.records.kept -= shrunk - self.records.shrunk;
        self.records.shrunk = shrunk;
    }

    /// The books in records (rows, lines, members of a map).
    pub const fn records(&self) -> &Counts {
        &self.records
    }

    /// The books in source bytes. A record owns the separator and white space up to the next one.
    pub const fn bytes(&self) -> &Counts {
        &self.bytes
    }

    /// Members that `select` left out: a request of the host, not a loss.
    pub const fn fields_removed(&self) -> u64 {
        self.fields_removed
    }

    /// What an earlier statement in the input claimed to have left out before. Already part of
    /// [`records`](Account::records); kept apart because the input said it and we did not see it.
    pub const fn claimed(&self) -> Option<&Counts> {
        self.claimed.as_ref()
    }
}

/// The books of one list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListAccount {
    pub(crate) pointer: String,
    pub(crate) records: Counts,
    pub(crate) bytes: Counts,
    pub(crate) next: Option<String>,
}

impl ListAccount {
    /// RFC 6901 pointer into the input; `*` stands for every element or member of a summed entry, `""` for the root.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The books in records.
    pub const fn records(&self) -> &Counts {
        &self.records
    }

    /// The books in source bytes.
    pub const fn bytes(&self) -> &Counts {
        &self.bytes
    }

    /// The cursor that resumes this list, where it can be resumed.
    pub fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }
}
