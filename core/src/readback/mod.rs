//! Reading offloaded results back: tool definitions for the model, and the executor of its calls.
//!
//! Like everything here the executor does no I/O. [`Readback::request`] checks the call and looks its key up in the
//! table of this run; the host fetches the bytes from [`Request::location`]; [`Request::answer`] checks that they are
//! those that were offloaded and pages or searches them within a budget. Give the id of each such call to
//! [`Offloads::exempt`], so that what a reader returns is not offloaded again.

mod answer;
mod arguments;
mod tools;

use alloc::string::String;

use crate::deliver::Delivery;
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::measure::Budget;
use crate::offload::{Entry, Offloads};
use crate::wording;

pub use tools::Flavour;

/// The two reading tools and their names.
///
/// ```
/// use haversack::{Budget, OffloadOptions, Offloads};
/// use haversack::readback::{Flavour, Readback};
///
/// let tools = Readback::new();
/// assert!(tools.tool_definitions(Flavour::Anthropic).unwrap().starts_with(r#"[{"name":"haversack_read","#));
///
/// let run = Offloads::new();
/// let wrong = tools.request(&run, "haversack_read", r#"{"key":"../../etc/passwd"}"#).unwrap_err();
/// assert_eq!(wrong.kind().name(), "unknown_key");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Readback<'a> {
    read: &'a str,
    find: &'a str,
}

impl<'a> Readback<'a> {
    /// The tools `haversack_read` and `haversack_find`.
    pub const fn new() -> Self {
        Readback { read: "haversack_read", find: "haversack_find" }
    }

    /// Another name for the tool that reads.
    #[must_use]
    pub const fn read_name(mut self, name: &'a str) -> Self {
        self.read = name;
        self
    }

    /// Another name for the tool that searches.
    #[must_use]
    pub const fn find_name(mut self, name: &'a str) -> Self {
        self.find = name;
        self
    }

    /// The value of a request's `tools` member (for MCP: of the answer to `tools/list`), as compact JSON: an array.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] when the two names are equal or one is not 1 to 64 characters of
    /// `[A-Za-z0-9_-]`, the first a letter or `_`: what every provider takes.
    pub fn tool_definitions(&self, flavour: Flavour) -> Result<String, Error> {
        self.check()?;
        Ok(tools::definitions(flavour, self.read, self.find))
    }

    /// Reads a call of the model: which stored result it wants, and what of it.
    ///
    /// Strict, because arguments come from a model: an unknown, repeated or missing member, a wrong type, or text
    /// that is not whole JSON is an error. `null` counts as absent.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] for an unknown tool or a wrong argument (named), [`ErrorKind::InvalidJson`] with
    /// its offset, [`ErrorKind::LimitExceeded`] above 64 KiB of arguments, [`ErrorKind::UnknownKey`]. Give
    /// [`error_text`] to the model.
    pub fn request(&self, offloads: &Offloads, name: &str, arguments: &str) -> Result<Request, Error> {
        self.check()?;
        let call = if name == self.read {
            arguments::read(arguments)?
        } else if name == self.find {
            arguments::find(arguments)?
        } else {
            return Err(Error::option("name", wording::unknown_tool(name)));
        };
        let entry = offloads.stored(&call.key)?.clone();
        Ok(Request { entry, call, reader: String::from(name) })
    }

    fn check(&self) -> Result<(), Error> {
        let good = |name: &str| {
            let first = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
            first && name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        };
        if !good(self.read) {
            return Err(Error::option("read_name", "a tool name is 1 to 64 letters, digits, _ or -"));
        }
        if !good(self.find) || self.find == self.read {
            return Err(Error::option("find_name", "a tool name is 1 to 64 letters, digits, _ or -, used once"));
        }
        Ok(())
    }
}

impl Default for Readback<'_> {
    fn default() -> Self {
        Readback::new()
    }
}

/// The definitions of both tools under their own names; see [`Readback::tool_definitions`].
pub fn tool_definitions(flavour: Flavour) -> String {
    let tools = Readback::new();
    tools::definitions(flavour, tools.read, tools.find)
}

/// A checked call of a model, waiting for the bytes of the result it names.
#[derive(Clone, Debug)]
pub struct Request {
    entry: Entry,
    call: arguments::Call,
    reader: String,
}

impl Request {
    /// The key, as it stands in the table.
    pub fn key(&self) -> &str {
        self.entry.key()
    }

    /// Where the host stored the bytes, from the table and never from the model.
    pub fn location(&self) -> &str {
        self.entry.location().unwrap_or_default()
    }

    /// What the table knows of the result.
    pub const fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The page or the matches the model asked for, from the stored `bytes`, within `budget`.
    ///
    /// A call with `at`, `start`, `lines` or a cursor of lines is answered by lines, every other one by records. Lines
    /// and matches without `at` are those of [`Entry::at`], where there is one.
    /// Time linear in the stored bytes, whose digest is checked each time.
    ///
    /// # Errors
    /// [`ErrorKind::DigestMismatch`] when these are not the bytes that were offloaded; what
    /// [`deliver`](crate::deliver()), [`page`](crate::page()) and [`find`](crate::find()) answer to bad cursors,
    /// pointers and needles.
    pub fn answer(&self, bytes: &[u8], budget: Budget<'_>) -> Result<Delivery, Error> {
        self.entry.verify(bytes)?;
        answer::answer(&self.call, &self.entry, &self.reader, bytes, budget)
    }
}

/// The text for a model whose call failed: one line, at most 240 scalar values.
pub fn error_text(error: &Error) -> String {
    wording::readback_error(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::offload::OffloadOptions;
    use alloc::format;
    use alloc::string::ToString;

    fn run() -> (Offloads, String, String) {
        let log: String = (1..=300).flat_map(|i| [format!("line {i}"), String::from("\n")]).collect();
        let mut run = Offloads::new();
        let options = OffloadOptions::new().over(Budget::chars(100));
        let key = run.prepare(&log, "c", &options).unwrap().key().unwrap().to_string();
        run.commit(&key, "dir/../odd name").unwrap();
        (run, key, log)
    }

    fn call(run: &Offloads, arguments: &str) -> Result<Request, Error> {
        Readback::new().request(run, "haversack_read", arguments)
    }

    #[test]
    fn only_keys_of_this_run_are_read() {
        let (mut run, key, _) = run();
        let request = call(&run, &format!(r#"{{"key":"{key}"}}"#)).unwrap();
        assert_eq!((request.key(), request.location()), (key.as_str(), "dir/../odd name"));
        for wrong in ["", "../../etc/passwd", "dir/../odd name", &key.to_uppercase(), &format!("{key} "), "s3://x/y"] {
            let e = call(&run, &format!(r#"{{"key":"{wrong}"}}"#)).unwrap_err();
            assert_eq!(e.kind(), ErrorKind::UnknownKey, "{wrong}");
        }
        // Asked to be stored, refused: there is nothing to read.
        let options = OffloadOptions::new().over(Budget::chars(100));
        let open = run.prepare(&"y".repeat(200), "d", &options).unwrap().key().unwrap().to_string();
        let arguments = format!(r#"{{"key":"{open}"}}"#);
        assert_eq!(call(&run, &arguments).unwrap_err().kind(), ErrorKind::UnknownKey);
        run.refuse(&open, "full").unwrap();
        assert_eq!(call(&run, &arguments).unwrap_err().kind(), ErrorKind::UnknownKey);
    }

    #[test]
    fn other_bytes_are_not_shown() {
        let (run, key, log) = run();
        let request = call(&run, &format!(r#"{{"key":"{key}"}}"#)).unwrap();
        let e = request.answer(log.replace("line 7\n", "line 8\n").as_bytes(), Budget::chars(500)).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::DigestMismatch);
    }

    #[test]
    fn names_can_be_changed() {
        let (run, key, _) = run();
        let tools = Readback::new().read_name("look").find_name("grep");
        let arguments = format!(r#"{{"key":"{key}"}}"#);
        assert!(tools.request(&run, "look", &arguments).is_ok());
        assert_eq!(tools.request(&run, "grep", &arguments).unwrap_err().argument(), Some("needle"));
        assert_eq!(tools.request(&run, "haversack_read", &arguments).unwrap_err().argument(), Some("name"));
        for bad in ["", "1st", "has space", "ü", &"x".repeat(65), "grep"] {
            let tools = Readback::new().read_name(bad).find_name("grep");
            assert_eq!(tools.tool_definitions(Flavour::Mcp).unwrap_err().kind(), ErrorKind::InvalidOption, "{bad}");
        }
    }

    #[test]
    fn a_model_is_told_in_one_bounded_line() {
        let (run, _, _) = run();
        let long = "k".repeat(5000);
        for arguments in [
            format!(r#"{{"key":"{long}"}}"#),
            String::from(r#"{"key":"a\nb\u001b[31m\u202e"}"#),
            format!(r#"{{"{long}":1,"key":"x"}}"#),
            String::from("{\"key\":"),
        ] {
            let text = error_text(&call(&run, &arguments).unwrap_err());
            assert!(text.starts_with("error: ") && text.chars().count() <= 240, "{text}");
            assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
        }
        let e = call(&run, r#"{"key":"k-1"}"#).unwrap_err();
        assert_eq!(error_text(&e), "error: unknown_key: no result of this run is stored under the key \"k-1\"");
    }
}
