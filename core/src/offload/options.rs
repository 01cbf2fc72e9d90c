//! When a result is offloaded, and what its pointer shows.

use serde::{Deserialize, Serialize};

use crate::deliver::{Format, Keep};
use crate::error::Error;
use crate::measure::{Budget, Unit};

/// Options of [`offload`](crate::offload()): everything has a default.
///
/// ```
/// use haversack::{Budget, Keep, OffloadOptions};
///
/// let options = OffloadOptions::new().over(Budget::bytes(20_000)).preview_keep(Keep::Head);
/// assert_eq!(options.policy().over, 20_000);
/// ```
#[derive(Clone, Debug)]
pub struct OffloadOptions<'a> {
    pub(crate) over: Budget<'a>,
    pub(crate) preview: Budget<'a>,
    pub(crate) format: Option<Format>,
    pub(crate) preview_keep: Keep,
    pub(crate) reader: Option<&'a str>,
    pub(crate) hint: Option<&'a str>,
}

impl<'a> OffloadOptions<'a> {
    /// Everything at its default.
    pub const fn new() -> Self {
        OffloadOptions {
            over: Budget::chars(8_000),
            preview: Budget::chars(400),
            format: None,
            preview_keep: Keep::Both,
            reader: None,
            hint: None,
        }
    }

    /// What is larger than this is offloaded. Its unit is the unit of every size reported. Default: 8,000 chars.
    #[must_use]
    pub const fn over(mut self, over: Budget<'a>) -> Self {
        self.over = over;
        self
    }

    /// How much of the payload the pointer shows, counts included: of JSON whole records, of text its ends.
    /// Default: 400 chars.
    #[must_use]
    pub const fn preview(mut self, preview: Budget<'a>) -> Self {
        self.preview = preview;
        self
    }

    /// What the payload is; decides the extension of the key and how it is read back. Default: it is detected.
    #[must_use]
    pub const fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Which end the preview shows: [`Keep::Head`], [`Keep::Tail`] or [`Keep::Both`] (default).
    #[must_use]
    pub const fn preview_keep(mut self, keep: Keep) -> Self {
        self.preview_keep = keep;
        self
    }

    /// A tool of this request with which the model can read the result back; named in the pointer. Default: none.
    #[must_use]
    pub const fn reader(mut self, tool: &'a str) -> Self {
        self.reader = Some(tool);
        self
    }

    /// One line of the host's own in the pointer, instead of the one that names the reader. Default: none.
    #[must_use]
    pub const fn hint(mut self, hint: &'a str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The policy in plain numbers, as it is recorded in every answer and in the table.
    pub const fn policy(&self) -> Policy {
        Policy {
            over: self.over.limit(),
            unit: self.over.unit(),
            preview: self.preview.limit(),
            preview_unit: self.preview.unit(),
            preview_keep: self.preview_keep,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        for (name, text) in [("reader", self.reader), ("hint", self.hint)] {
            if text.is_some_and(|t| !is_one_line(t)) {
                return Err(Error::option(name, alloc::format!("{name} must be one line without control characters")));
            }
        }
        Ok(())
    }
}

impl Default for OffloadOptions<'_> {
    fn default() -> Self {
        OffloadOptions::new()
    }
}

/// The policy that ran: recorded, because two layers of one host may each have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Larger than this is offloaded, in `unit`.
    pub over: usize,
    /// Unit of `over` and of every size reported.
    pub unit: Unit,
    /// Size of the preview, in `preview_unit`.
    pub preview: usize,
    /// Unit of `preview`.
    pub preview_unit: Unit,
    /// Which end the preview shows.
    pub preview_keep: Keep,
}

/// One line, no control character: what is written into a prompt as a line of ours stays one.
pub(crate) fn is_one_line(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_control() || c == '\u{2028}' || c == '\u{2029}')
}
