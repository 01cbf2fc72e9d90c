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
const FIRST_THRESHOLD: usize = 4096;

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

    pub(crate) fn find(&self, start: usize) -> Option<&Entry> {
        let i = self.entries.binary_search_by_key(&start, |e| e.start).ok()?;
        self.entries.get(i)
    }
}
