//! Chat histories: what a provider would refuse, where they may be cut, how they are repaired.
//!
//! The atom is a step: one assistant turn with its reasoning, its text, all its calls and all their results. Nothing
//! here parses a message into objects and writes it back: what is kept is the input's own bytes.
//!
//! ```
//! use haversack::history::{CutAnswer, CutOptions, KeepAtMost, RepairOptions};
//! use haversack::{History, HistoryOptions, ViolationKind};
//!
//! let text = r#"[{"role":"system","content":"Be brief."},
//!     {"role":"user","content":"Weather in Oslo?"},
//!     {"role":"assistant","content":null,"tool_calls":[
//!         {"id":"c1","type":"function","function":{"name":"weather","arguments":"{}"}}]},
//!     {"role":"user","content":"And in Bergen?"},
//!     {"role":"assistant","content":"It rains."},
//!     {"role":"user","content":"Thanks."}]"#;
//!
//! // Check: the call has no result.
//! let history = History::parse(text, &HistoryOptions::default())?;
//! let found = history.violations(true);
//! assert_eq!((found[0].kind, found[0].index), (ViolationKind::MissingResult, 2));
//!
//! // Repair: one is added, visible to the model; everything else is the input's own bytes.
//! let repair = history.repair(&RepairOptions::default())?;
//! let mended = history.repair_text(&repair);
//! let history = History::parse(&mended, &HistoryOptions::default())?;
//! assert!(history.violations(true).is_empty());
//!
//! // Cut: the system prompt and the newest messages, where a provider accepts it.
//! let CutAnswer::Cut(cut) = history.cut(KeepAtMost::Messages(4), &CutOptions::default())? else { unreachable!() };
//! assert_eq!(cut.kept, [0, 4, 5, 6]);
//! assert!(history.cut_text(&cut).starts_with(r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"And"#));
//! # Ok::<(), haversack::Error>(())
//! ```

mod check;
mod cut;
mod output;
mod pair;
mod repair;
mod step;
mod violation;
mod wording;

use alloc::borrow::Cow;
use alloc::string::String;

pub use cut::{Alternation, Cut, CutAnswer, CutOptions, CutRefusal, KeepAtMost, NothingToCut, Reduced, Strip};
pub use output::OutMessage;
pub use repair::{Change, MissingResult, OrphanResult, Repair, RepairAction, RepairOptions};
pub use step::{Step, StepKind};
pub use violation::{Violation, ViolationKind};

use crate::error::Error;
use crate::json::{JsonWriter, Kind, Tape};
use crate::limits::Limits;
use crate::wire::{Body, ModelFacts, Profile, Shape, WireFormat, read, read_beside};
use pair::Pairs;

/// How a history is read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct HistoryOptions<'a> {
    /// The format; without it the messages tell.
    pub format: Option<WireFormat>,
    /// The profile whose rules count: `strict` (the default) or a server by name.
    pub profile: Option<&'a str>,
    /// The request body beside a bare list, or what is known of it, as JSON: model, thinking, store and tools decide
    /// some rules. A member of ours, `reasoning_parent`, is an object from the server id of an item to the id of the
    /// reasoning it came with (Responses), for hosts that remember it.
    pub request: Option<&'a str>,
    /// Depth of nesting.
    pub limits: Limits,
}

/// A chat history of one of the five wire formats, read and not yet judged.
#[derive(Clone, Debug)]
pub struct History<'a> {
    text: Cow<'a, str>,
    body: Body,
    pairs: Pairs,
    profile: &'static Profile,
    model: &'static ModelFacts,
}

impl<'a> History<'a> {
    /// Reads a request body or a bare list of messages.
    ///
    /// Cost: linear in the text; memory is some hundred bytes a message and a block.
    ///
    /// # Errors
    /// [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8), [`InvalidJson`](crate::ErrorKind::InvalidJson) and
    /// [`TooDeep`](crate::ErrorKind::TooDeep) with the offset; [`NotAHistory`](crate::ErrorKind::NotAHistory) for JSON
    /// that holds no list of message objects; [`MixedFormats`](crate::ErrorKind::MixedFormats) when the messages show
    /// two formats and none was named; [`InvalidOption`](crate::ErrorKind::InvalidOption) for a `request` that is no
    /// JSON object or a profile that the format does not have.
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized), options: &HistoryOptions<'_>) -> Result<History<'a>, Error> {
        let text = core::str::from_utf8(text.as_ref()).map_err(Error::invalid_utf8)?;
        let depth = options.limits.depth;
        let tape = Tape::of(text, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        History::read(text, &tape, options)
    }

    /// Reads the text of `tape`.
    fn read<'t>(text: &'t str, tape: &Tape, options: &HistoryOptions<'_>) -> Result<History<'t>, Error> {
        let depth = options.limits.depth;
        let beside = match options.request {
            None => None,
            Some(request) => {
                let fault = || Error::option("request", "request: not a JSON object");
                let tape = Tape::of(request, depth).map_err(|_| fault())?;
                if tape.root().kind(request) != Kind::Object {
                    return Err(fault());
                }
                Some(read_beside(request, &tape))
            }
        };
        let hint = beside.as_ref().and_then(|(_, format)| *format);
        let mut body = read(text, tape, options.format, hint)?;
        if let Some((request, _)) = beside
            && body.shape == Shape::List
        {
            body.request = request;
        }
        let name = options.profile.unwrap_or("strict");
        let profile = Profile::named(name, body.format).ok_or_else(|| no_profile(body.format))?;
        Ok(History::of(text, body, profile))
    }

    /// As [`parse`](History::parse), of a text that the history keeps.
    ///
    /// # Errors
    /// As [`parse`](History::parse).
    pub fn parse_owned(text: String, options: &HistoryOptions<'_>) -> Result<History<'static>, Error> {
        let History { body, pairs, profile, model, .. } = History::parse(&text, options)?;
        Ok(History { text: Cow::Owned(text), body, pairs, profile, model })
    }

    /// As [`parse_owned`](History::parse_owned), of what was written value by value: it is not looked at once more.
    ///
    /// # Errors
    /// As [`parse`](History::parse); [`InvalidOption`](crate::ErrorKind::InvalidOption) when it is not one whole value.
    pub fn from_writer(writer: JsonWriter, options: &HistoryOptions<'_>) -> Result<History<'static>, Error> {
        let Some((text, tape)) = writer.into_tape(options.limits.depth) else {
            return Err(Error::option("writer", "writer: what was written is not one whole value"));
        };
        let Some(tape) = tape else {
            return History::parse_owned(text, options);
        };
        let History { body, pairs, profile, model, .. } = History::read(&text, &tape, options)?;
        Ok(History { text: Cow::Owned(text), body, pairs, profile, model })
    }

    /// Reads `text`, which was written from this history, under the same options.
    fn reread<'t>(&self, text: &'t str) -> Option<History<'t>> {
        let tape = Tape::of(text, usize::MAX).ok()?;
        let mut body = read(text, &tape, Some(self.body.format), None).ok()?;
        if body.shape == Shape::List {
            body.request = self.body.request.clone();
        }
        Some(History::of(text, body, self.profile))
    }

    fn of<'t>(text: &'t str, body: Body, profile: &'static Profile) -> History<'t> {
        let model = ModelFacts::of(body.request.model.as_deref());
        let pairs = Pairs::of(&body);
        History { text: Cow::Borrowed(text), body, pairs, profile, model }
    }

    /// The same history with a text of its own.
    pub fn into_owned(self) -> History<'static> {
        let History { text, body, pairs, profile, model } = self;
        History { text: Cow::Owned(text.into_owned()), body, pairs, profile, model }
    }

    /// The wire format.
    pub const fn format(&self) -> WireFormat {
        self.body.format
    }

    /// Whether the format was named or shown by something in the text; else it is taken for `openai_chat`.
    pub const fn is_certain(&self) -> bool {
        self.body.certain
    }

    /// The text that was read, as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many messages (contents, items) there are.
    pub fn len(&self) -> usize {
        self.body.messages.len()
    }

    /// True without any message.
    pub fn is_empty(&self) -> bool {
        self.body.messages.is_empty()
    }

    /// The text of message `index`, as it came.
    pub fn message(&self, index: usize) -> Option<&str> {
        self.body.messages.get(index).map(|message| message.span.of(&self.text))
    }
}

fn no_profile(format: WireFormat) -> Error {
    let names: alloc::vec::Vec<&str> = Profile::names(format).collect();
    Error::option("profile", alloc::format!("profile: {format} has {}", names.join(", ")))
}
