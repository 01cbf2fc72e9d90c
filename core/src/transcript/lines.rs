//! Lines as messages, and what became of lines that are none.

use alloc::vec::Vec;

use serde::Serialize;

use crate::json::{Kind, check};
use crate::limits::Limits;

/// A message as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Message<'t> {
    /// Its number, for good.
    pub number: u64,
    /// Its JSON.
    pub text: &'t str,
}

kinds! {
    /// Why a line is no message.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum DamageKind;

    /// It is the last one, and breaks off.
    Truncated = 1, "truncated";
    /// It is no JSON.
    InvalidJson = 2, "invalid_json";
    /// It is no UTF-8.
    InvalidUtf8 = 3, "invalid_utf8";
    /// It is JSON, and no object.
    NotAnObject = 4, "not_an_object";
    /// There is nothing in it.
    Blank = 5, "blank";
}

/// A line that cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Damage {
    /// The number that it keeps.
    pub number: u64,
    /// What is wrong.
    pub kind: DamageKind,
    /// Where, in bytes from the start of the line.
    pub offset: usize,
    /// How many bytes it has.
    pub bytes: usize,
}

/// What was read of a range of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lines<'t> {
    /// The messages, in order.
    pub messages: Vec<Message<'t>>,
    /// The lines that are none, in order.
    pub damage: Vec<Damage>,
}

/// The messages of a range of bytes (see [`TranscriptIndex::range`](super::TranscriptIndex::range)), of which the first
/// has the number `first`. A line that is no message is reported and keeps its number. Linear in the bytes.
pub fn read_lines(bytes: &[u8], first: u64) -> Lines<'_> {
    let mut out = Lines::default();
    for (line, number) in bytes.split_inclusive(|b| *b == b'\n').zip(numbers(first)) {
        match core::str::from_utf8(line) {
            Ok(line) => read_line(line, number, &mut out),
            Err(e) => {
                let (kind, offset) = (DamageKind::InvalidUtf8, e.valid_up_to());
                out.damage.push(Damage { number, kind, offset, bytes: line.len() });
            }
        }
    }
    out
}

/// As [`read_lines`], of text.
pub(super) fn read(text: &str, first: u64) -> Lines<'_> {
    let mut out = Lines::default();
    for (line, number) in text.split_inclusive('\n').zip(numbers(first)) {
        read_line(line, number, &mut out);
    }
    out
}

/// The numbers from `first` on; what follows the largest one shares it.
fn numbers(first: u64) -> impl Iterator<Item = u64> {
    (0..).map(move |at| first.saturating_add(at))
}

fn read_line<'t>(whole: &'t str, number: u64, out: &mut Lines<'t>) {
    let line = whole.trim();
    let (kind, offset) = match check(line, Limits::DEFAULT.depth) {
        Ok(scan) if scan.root.kind(line) == Kind::Object => {
            out.messages.push(Message { number, text: line });
            return;
        }
        Ok(_) => (DamageKind::NotAnObject, 0),
        Err(_) if line.is_empty() => (DamageKind::Blank, 0),
        // Only the last line of a file has no line feed.
        Err(fault) if !whole.ends_with('\n') => (DamageKind::Truncated, fault.at),
        Err(fault) => (DamageKind::InvalidJson, fault.at),
    };
    let lead = if line.is_empty() { 0 } else { whole.len() - whole.trim_start().len() };
    out.damage.push(Damage { number, kind, offset: (lead + offset).min(whole.len()), bytes: whole.len() });
}
