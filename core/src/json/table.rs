//! The largest values of a document, so that a walker can jump over them.

use alloc::vec::Vec;

/// One large value: where it is, the white space outside strings in it, and how many children it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) blanks: usize,
    pub(crate) count: usize,
}

/// Entries at most, whatever the input: 32 KiB.
const CAPACITY: usize = 1024;
/// What is smaller is cheap to scan again.
const FIRST_THRESHOLD: usize = 128;

/// Remembers the largest values seen, in constant memory: when full, it forgets those below twice the threshold.
#[derive(Debug)]
pub(crate) struct SkipTable {
    entries: Vec<Entry>,
    threshold: usize,
}

impl SkipTable {
    pub(super) const fn new() -> Self {
        SkipTable { entries: Vec::new(), threshold: FIRST_THRESHOLD }
    }

    #[inline]
    pub(super) fn note(&mut self, entry: Entry) {
        if entry.end - entry.start >= self.threshold {
            self.insert(entry);
        }
    }

    #[cold]
    fn insert(&mut self, entry: Entry) {
        while self.entries.len() >= CAPACITY {
            self.threshold = self.threshold.saturating_mul(2);
            let threshold = self.threshold;
            self.entries.retain(|e| e.end - e.start >= threshold);
        }
        if entry.end - entry.start >= self.threshold {
            self.entries.push(entry);
        }
    }

    /// Values end in the order in which they were noted; lookups want the order in which they start.
    pub(super) fn seal(&mut self) {
        self.entries.sort_unstable_by_key(|e| e.start);
    }

    /// The first entry behind `start`: where a walk over what stands in a value begins.
    pub(super) fn after(&self, start: usize) -> usize {
        self.entries.partition_point(|e| e.start <= start)
    }

    /// The entry of the value at `start`, looked for from `slot` on, which moves along: walks go forward.
    #[inline]
    pub(super) fn find(&self, slot: &mut usize, start: usize) -> Option<&Entry> {
        let mut step = 1;
        let mut low = *slot;
        while self.entries.get(low + step - 1).is_some_and(|e| e.start < start) {
            low += step;
            step *= 2;
        }
        let high = (low + step).min(self.entries.len());
        let behind = self.entries.get(low..high).unwrap_or_default().partition_point(|e| e.start < start);
        *slot = low + behind;
        self.entries.get(*slot).filter(|e| e.start == start)
    }
}
