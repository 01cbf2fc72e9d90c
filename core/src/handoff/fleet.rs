//! Many workers, counted by what they handed back.

use alloc::format;
use alloc::string::String;

use super::{Handoff, HandoffKind};
use crate::account::{Account, Counts};
use crate::error::Error;
use crate::state::invalid;

/// Sums above this are not exact in every language.
const LARGEST: u64 = 1 << 53;

/// How many workers handed back what: a silent one is counted as silent, never as one that found nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fleet {
    counts: [u64; HandoffKind::ALL.len()],
    bytes: u64,
    kept_bytes: u64,
}

impl Fleet {
    /// No worker yet.
    pub fn new() -> Self {
        Fleet::default()
    }

    /// A fleet that was counted elsewhere: how many handed back which kind, and the bytes of its
    /// [`account`](Fleet::account).
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState) for numbers that no fleet has: a kind named twice, bytes that
    /// do not close or are of workers that there are not, a sum above 2^53.
    pub fn from_counts(counts: &[(HandoffKind, u64)], bytes: &Counts) -> Result<Self, Error> {
        let mut fleet = Fleet { bytes: bytes.total, kept_bytes: bytes.kept, ..Fleet::new() };
        let mut seen = [false; HandoffKind::ALL.len()];
        let mut all = Some(0_u64);
        for (kind, count) in counts {
            let again = core::mem::replace(&mut seen[*kind as usize], true);
            all = all.filter(|_| !again).and_then(|all| all.checked_add(*count));
            fleet.counts[*kind as usize] = *count;
        }
        let bounded = all.is_some_and(|all| all <= LARGEST) && bytes.total <= LARGEST;
        let good = bounded && bytes.closes() && bytes.shrunk == 0 && bytes.offloaded == 0 && {
            let answers = fleet.answers();
            (bytes.kept == 0 || answers > 0) && (bytes.omitted == 0 || fleet.total() > answers)
        };
        if good { Ok(fleet) } else { Err(invalid("these are no counts of a fleet")) }
    }

    fn answers(&self) -> u64 {
        self.count(HandoffKind::Findings) + self.count(HandoffKind::Empty)
    }

    /// Counts a worker.
    pub fn add(&mut self, handoff: &Handoff) {
        self.counts[handoff.kind() as usize] += 1;
        let bytes = handoff.text().len() as u64;
        self.bytes += bytes;
        if handoff.is_answer() {
            self.kept_bytes += bytes;
        }
    }

    /// How many handed back this.
    pub const fn count(&self, kind: HandoffKind) -> u64 {
        self.counts[kind as usize]
    }

    /// How many workers there were.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The books of this boundary: workers as records, what they returned in bytes; findings and explicit nothings are
    /// kept, all others omitted.
    pub fn account(&self) -> Account {
        let kept = self.answers();
        let counts = |total: u64, kept: u64| Counts { kept, omitted: total - kept, ..Counts::whole(total) };
        Account::new(counts(self.total(), kept), counts(self.bytes, self.kept_bytes), 0, None)
    }

    /// `{"total": n, "findings": n, …}` with every kind, as compact JSON.
    pub fn to_json(&self) -> String {
        let mut out = format!("{{\"total\":{}", self.total());
        for kind in HandoffKind::ALL {
            out.push_str(&format!(",\"{}\":{}", kind.name(), self.count(*kind)));
        }
        out.push('}');
        out
    }

    /// One line a kind, and the total first.
    pub fn table(&self) -> String {
        let mut out = format!("{:13} {:>8}", "total", self.total());
        for kind in HandoffKind::ALL {
            out.push_str(&format!("\n{:13} {:>8}", kind.name(), self.count(*kind)));
        }
        out
    }
}
