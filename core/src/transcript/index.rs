//! Where the lines of a file stand, so that a range of messages is a range of bytes.

use alloc::vec::Vec;
use core::ops::Range;

use super::no_such_message;
use crate::error::Error;

/// The places of the lines of a JSON Lines file that the host keeps: it is fed the file once, and then whatever is
/// appended; 8 bytes a message.
///
/// # Example: one line of a file that is not loaded
/// ```
/// use haversack::TranscriptIndex;
///
/// let file = b"{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n";
/// let mut index = TranscriptIndex::new();
/// index.feed(&file[..10]);                            // in pieces of any size
/// index.feed(&file[10..]);
/// let bytes = index.range(2, 2)?;
/// let read = haversack::transcript::read_lines(&file[bytes.start as usize..bytes.end as usize], 2);
/// assert_eq!(read.messages[0].text, "{\"b\":2}");
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranscriptIndex {
    starts: Vec<u64>,
    length: u64,
    /// Whether the last byte was no line feed.
    open: bool,
}

impl TranscriptIndex {
    /// Of an empty file.
    pub fn new() -> Self {
        TranscriptIndex::default()
    }

    /// Goes over the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut from = 0;
        while from < bytes.len() {
            if !self.open {
                self.starts.push(self.length + from as u64);
                self.open = true;
            }
            match memchr::memchr(b'\n', &bytes[from..]) {
                Some(at) => {
                    from += at + 1;
                    self.open = false;
                }
                None => from = bytes.len(),
            }
        }
        self.length += bytes.len() as u64;
    }

    /// The number of the last message; 0 where there is none.
    pub fn last(&self) -> u64 {
        self.starts.len() as u64
    }

    /// How many bytes were fed: where the file goes on.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The bytes of the messages from `first` to `last`, both included.
    ///
    /// # Errors
    /// [`NoSuchMessage`](crate::ErrorKind::NoSuchMessage) with the number (`index`) that there is not, and the last one
    /// (`available`).
    pub fn range(&self, first: u64, last: u64) -> Result<Range<u64>, Error> {
        let (from, past) = places(first, last, self.last())?;
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(self.length);
        Ok(start(from)..start(past))
    }

    /// What a reference leads to, as [`Transcript::resolve`](super::Transcript::resolve) reads it.
    ///
    /// # Errors
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption) for argument `reference`: it is none; else as
    /// [`range`](Self::range).
    pub fn resolve(&self, reference: &str) -> Result<(u64, u64), Error> {
        let (first, last) = super::reference::read_whole(reference)?;
        places(first, last, self.last())?;
        Ok((first, last))
    }
}

/// The first line of a range and the one past it, counted from 0.
pub(super) fn places(first: u64, last: u64, count: u64) -> Result<(usize, usize), Error> {
    if first == 0 || first > count {
        return Err(no_such_message(first, count));
    }
    if last < first || last > count {
        return Err(no_such_message(last, count));
    }
    let place = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Ok((place(first - 1), place(last)))
}
