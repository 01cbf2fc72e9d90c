//! The books, as plain values.

use haversack::{Account, Counts};

use crate::boundary::Outcome;
use crate::choices::yes;
use crate::error::haversack_error;

/// What became of a number of records, or of their bytes: total = kept + shrunk + offloaded + omitted.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct haversack_counts {
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

/// The books of one delivery, over its outermost lists.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct haversack_account {
    /// In records: rows, lines, members of a map.
    pub records: haversack_counts,
    /// In source bytes.
    pub bytes: haversack_counts,
    /// Members that select left out: a request, not a loss.
    pub fields_removed: u64,
    /// 1 when the input itself said that something was left out before, else 0.
    pub has_claimed: u64,
    /// What it said; part of `records` already. All 0 when `has_claimed` is 0.
    pub claimed: haversack_counts,
}

impl From<&Counts> for haversack_counts {
    fn from(c: &Counts) -> Self {
        haversack_counts { total: c.total, kept: c.kept, shrunk: c.shrunk, offloaded: c.offloaded, omitted: c.omitted }
    }
}

impl From<haversack_counts> for Counts {
    fn from(c: haversack_counts) -> Self {
        Counts { total: c.total, kept: c.kept, shrunk: c.shrunk, offloaded: c.offloaded, omitted: c.omitted }
    }
}

impl From<&Account> for haversack_account {
    fn from(account: &Account) -> Self {
        haversack_account {
            records: account.records().into(),
            bytes: account.bytes().into(),
            fields_removed: account.fields_removed(),
            has_claimed: account.claimed().is_some().into(),
            claimed: account.claimed().map(Into::into).unwrap_or_default(),
        }
    }
}

impl TryFrom<haversack_account> for Account {
    type Error = haversack_error;

    fn try_from(a: haversack_account) -> Outcome<Self> {
        let has_claimed = yes(u32::try_from(a.has_claimed).unwrap_or(u32::MAX), "has_claimed")?;
        let claimed = has_claimed.then(|| a.claimed.into());
        Ok(Account::new(a.records.into(), a.bytes.into(), a.fields_removed, claimed))
    }
}
