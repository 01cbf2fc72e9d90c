//! What reading stored text page by page and searching it have in common: where the text is, and how to go on.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::deliver::string_at::string_at;
use crate::error::Error;
use crate::wording;

/// The setters that `page` and `find` share; `$at` and `$cursor` say what each does with them.
macro_rules! reading_setters {
    ($at:literal, $cursor:literal) => {
        #[doc = $at]
        #[must_use]
        pub const fn at(mut self, pointer: &'a str) -> Self {
            self.at = pointer;
            self
        }

        #[doc = $cursor]
        #[must_use]
        pub const fn cursor(mut self, cursor: &'a str) -> Self {
            self.cursor = Some(cursor);
            self
        }

        /// A tool of this request with which the model can read on; named on the first line with the cursor.
        #[must_use]
        pub const fn reader(mut self, tool: &'a str) -> Self {
            self.reader = Some(tool);
            self
        }

        /// One line of the host's own on the first line, in place of the reader's. Invisible and bidirectional
        /// characters in it appear as `\u{…}`.
        #[must_use]
        pub const fn hint(mut self, hint: &'a str) -> Self {
            self.hint = Some(hint);
            self
        }
    };
}
pub(crate) use reading_setters;

/// The payload's text, or the string at a pointer in it, which is then JSON of at most `depth` levels.
pub(crate) fn stored_text<'t>(payload: &'t [u8], at: &str, depth: usize) -> Result<Cow<'t, str>, Error> {
    let text = core::str::from_utf8(payload).map_err(Error::invalid_utf8)?;
    if at.is_empty() { Ok(Cow::Borrowed(text)) } else { string_at(text, at, depth).map(Cow::Owned) }
}

/// How to go on, on the first line: the host's own words, or the call of its reader.
pub(crate) fn going_on(hint: Option<&str>, reader: Option<&str>, next: Option<&str>) -> Option<String> {
    let told = match (hint, reader, next) {
        (Some(hint), _, _) => String::from(hint),
        (None, Some(reader), Some(next)) => wording::call_reader(reader, next),
        _ => return None,
    };
    Some(wording::escaped(&told).into_owned())
}
