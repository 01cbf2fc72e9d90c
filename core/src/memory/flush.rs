//! Before a compaction: what was remembered goes into a dated file, and the model is asked for what it wants to add.

use alloc::string::String;

use serde::Serialize;

use super::{Memory, slice, wording};
use crate::account::{Account, Counts};
use crate::error::Error;
use crate::shown;

/// Lines for the end of a dated file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FlushFile {
    /// `memory/YYYY-MM-DD.md`, relative to wherever the host keeps it.
    pub name: String,
    /// What to append: a heading and one line a memory, with a line feed at its end.
    pub text: String,
    /// The books: all are kept.
    pub account: Account,
}

impl FlushFile {
    /// `{"name", "text", "account"}` as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

/// A turn that asks the model to write down what will still matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FlushRequest {
    /// The file it is asked to write to.
    pub name: String,
    /// The message.
    pub text: String,
    /// The answer that is not to be shown to anyone.
    pub silent: &'static str,
}

impl Memory {
    /// What was remembered since the last flush, for the file of that day (`date` is `YYYY-MM-DD`); `None` where
    /// nothing was. Lines keep the labels of their sources.
    ///
    /// # Errors
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption) for a `date` that is none.
    pub fn flush(&mut self, date: &str) -> Result<Option<FlushFile>, Error> {
        let name = file_name(date)?;
        if self.unflushed.is_empty() {
            return Ok(None);
        }
        let mut text = wording::file_heading(date);
        let start = text.len() as u64;
        let items = self.unflushed.iter().filter_map(|id| self.items.get(id));
        for item in items {
            slice::push_line(item, &mut text);
        }
        let bytes = text.len() as u64 - start;
        let account = Account::new(Counts::whole(self.unflushed.len() as u64), Counts::whole(bytes), 0, None);
        text.push('\n');
        self.unflushed.clear();
        Ok(Some(FlushFile { name, text, account }))
    }
}

/// The message that asks a model to flush before older messages are compacted, and the answer that says it has.
///
/// # Errors
/// [`InvalidOption`](crate::ErrorKind::InvalidOption) for a `date` that is none.
pub fn flush_request(date: &str) -> Result<FlushRequest, Error> {
    let name = file_name(date)?;
    Ok(FlushRequest { text: wording::flush_request(&name), name, silent: wording::SILENT })
}

/// Whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be seen.
pub fn is_silent_reply(reply: &str) -> bool {
    reply.trim() == wording::SILENT || shown::is_blank(reply)
}

fn file_name(date: &str) -> Result<String, Error> {
    if is_date(date) {
        return Ok(alloc::format!("memory/{date}.md"));
    }
    let shown = crate::wording::quoted_part(date);
    Err(Error::option("date", alloc::format!("\"{shown}\" is no date: YYYY-MM-DD")))
}

/// A day of the calendar, as `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, b)| if at == 4 || at == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let number = |from: usize, to: usize| text.get(from..to).and_then(|t| t.parse::<u32>().ok()).unwrap_or(0);
    if !shape {
        return false;
    }
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}
