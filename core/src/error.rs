//! The one error type, its kinds, and the numbers that go with them.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::measure::Unit;

kinds! {
    /// What went wrong. The number and the name are the same in every language; the name is `.kind` in Python.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ErrorKind;

    /// The text is not RFC 8259 JSON: `offset` and `expected` say where and what should have stood there.
    InvalidJson = 10, "invalid_json";
    /// The bytes are not UTF-8: `offset` is the first bad one.
    InvalidUtf8 = 11, "invalid_utf8";
    /// Nested deeper than `available` levels, at `offset`.
    TooDeep = 12, "too_deep";
    /// CSV or TSV by name that is none (an open quote, no header): `offset`, `expected`.
    InvalidCsv = 13, "invalid_csv";
    /// NDJSON by name with a line that is no JSON: `offset`, `expected`, `index` of the line.
    InvalidNdjson = 14, "invalid_ndjson";
    /// The smallest honest text is larger than the budget: `needed`, `available`, `unit`.
    BudgetTooSmall = 20, "budget_too_small";
    /// A record alone is larger than its list's share and `oversize` is `error`: `pointer`, `index`,
    /// `size`, `available` (what its list has; where the budget is too small for any text, with the smallest that is
    /// not).
    RecordTooLarge = 21, "record_too_large";
    /// The token counter failed or answered nonsense.
    CounterFailed = 22, "counter_failed";
    /// An option has a value it cannot have, or contradicts another: `argument`.
    InvalidOption = 30, "invalid_option";
    /// A pointer that is not RFC 6901 (with `*` and `~2`): `argument`, `offset` within it.
    InvalidPointer = 31, "invalid_pointer";
    /// `select` matches nothing in this input.
    NothingSelected = 32, "nothing_selected";
    /// More entries or longer ones than the limits allow: `argument`, `needed`, `available`.
    LimitExceeded = 33, "limit_exceeded";
    /// A cursor that is not of the grammar: `offset` within it.
    InvalidCursor = 40, "invalid_cursor";
    /// A cursor of another list, or made with other `sort_by`, `descending` or `select`.
    CursorMismatch = 41, "cursor_mismatch";
    /// A cursor beyond the end of its list: `index`, `available` (the length).
    CursorPastEnd = 42, "cursor_past_end";
    /// The positions asked for are not in this text, which was cut before: page the original.
    CursorNeedsOriginal = 43, "cursor_needs_original";
    /// A key that this run did not offload, or not of our grammar.
    UnknownKey = 50, "unknown_key";
    /// The bytes read back are not those that were offloaded.
    DigestMismatch = 51, "digest_mismatch";
    /// Stored state that cannot be read: another version, or not ours.
    InvalidState = 52, "invalid_state";
    /// A call that does not fit the state of the object: answered twice, or in the wrong order.
    OutOfOrder = 53, "out_of_order";
    /// A null pointer with a length, a length above the address space, a missing handle (C only): `argument`.
    BadArgument = 60, "bad_argument";
    /// The text is JSON but no history: `offset`, `expected`, `index` of the message.
    NotAHistory = 70, "not_a_history";
    /// The messages show two formats and none was named: `index` of the message that shows the second.
    MixedFormats = 71, "mixed_formats";
    /// Two pieces of a prompt have one name: `piece`.
    DuplicatePiece = 80, "duplicate_piece";
    /// A piece is to stand in a layer that there is not: `piece`.
    UnknownLayer = 81, "unknown_layer";
    /// JSON without a canonical form (RFC 8785): two equal keys, half a surrogate pair, a number beyond a double:
    /// `offset`, `expected`, and `piece` where it belongs to one.
    NotCanonical = 82, "not_canonical";
    /// A cache mark that its provider refuses, on a block that may carry none, one too many, or of a longer life than
    /// one before it: `piece`.
    ForbiddenMark = 83, "forbidden_mark";
    /// A key of the ledger that has one value and several: `argument`.
    MixedKey = 90, "mixed_key";
    /// A pointer that leads nowhere in a result: `pointer`, `index`, `argument`.
    NoSuchField = 91, "no_such_field";
    /// A number of no message: `index`, `available` (the last number).
    NoSuchMessage = 92, "no_such_message";
    /// Books that do not close: `needed` (the total), `available` (the sum of the parts).
    OpenBooks = 93, "open_books";
}

#[derive(Debug, Clone, Default)]
struct Details {
    message: String,
    offset: Option<usize>,
    expected: Option<&'static str>,
    needed: Option<usize>,
    size: Option<usize>,
    available: Option<usize>,
    unit: Option<Unit>,
    argument: Option<&'static str>,
    pointer: Option<String>,
    index: Option<usize>,
    piece: Option<String>,
}

/// What went wrong, where, and by how much.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    details: Box<Details>,
}

impl Error {
    /// An error of `kind` with a message: lower case, no final stop, numbers included.
    ///
    /// Public so that a [`TokenCounter`](crate::TokenCounter) of yours can fail with
    /// [`ErrorKind::CounterFailed`].
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, details: Box::new(Details { message: message.into(), ..Details::default() }) }
    }

    pub(crate) fn at(mut self, offset: usize) -> Self {
        self.details.offset = Some(offset);
        self
    }

    pub(crate) fn expecting(mut self, expected: &'static str) -> Self {
        self.details.expected = Some(expected);
        self
    }

    pub(crate) fn sizes(mut self, needed: usize, available: usize, unit: Unit) -> Self {
        self.details.needed = Some(needed);
        self.details.available = Some(available);
        self.details.unit = Some(unit);
        self
    }

    pub(crate) fn too_large(size: usize, available: usize, unit: Unit, message: String) -> Self {
        let mut error = Error::new(ErrorKind::RecordTooLarge, message);
        error.details.size = Some(size);
        error.details.available = Some(available);
        error.details.unit = Some(unit);
        error
    }

    pub(crate) fn counts(mut self, needed: usize, available: usize) -> Self {
        self.details.needed = Some(needed);
        self.details.available = Some(available);
        self
    }

    /// A limit that was passed, by how much is not known.
    pub(crate) fn limited_to(mut self, available: usize) -> Self {
        self.details.available = Some(available);
        self
    }

    pub(crate) fn argument_named(mut self, argument: &'static str) -> Self {
        self.details.argument = Some(argument);
        self
    }

    pub(crate) fn in_list(mut self, pointer: impl Into<String>, index: usize) -> Self {
        self.details.pointer = Some(pointer.into());
        self.details.index = Some(index);
        self
    }

    pub(crate) fn numbered(mut self, index: usize) -> Self {
        self.details.index = Some(index);
        self
    }

    pub(crate) fn of_piece(mut self, piece: impl Into<String>) -> Self {
        self.details.piece = Some(piece.into());
        self
    }

    pub(crate) fn invalid_utf8(error: core::str::Utf8Error) -> Self {
        let at = error.valid_up_to();
        Error::new(ErrorKind::InvalidUtf8, alloc::format!("invalid UTF-8 at byte {at}")).at(at)
    }

    pub(crate) fn budget_too_small(needed: usize, available: usize, unit: Unit) -> Self {
        let message = alloc::format!("budget too small: needed {needed} {unit}, {available} available");
        Error::new(ErrorKind::BudgetTooSmall, message).sizes(needed, available, unit)
    }

    pub(crate) fn option(argument: &'static str, message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidOption, message).argument_named(argument)
    }

    /// What went wrong.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Byte offset in the input (or in the argument) where it went wrong.
    pub fn offset(&self) -> Option<usize> {
        self.details.offset
    }

    /// What should have stood at [`offset`](Error::offset).
    pub fn expected(&self) -> Option<&'static str> {
        self.details.expected
    }

    /// How much is needed, in [`unit`](Error::unit): as a budget, or as a limit, this much would do.
    pub fn needed(&self) -> Option<usize> {
        self.details.needed
    }

    /// How large the record is that is too large, in [`unit`](Error::unit). No budget: a list that is cut shares its
    /// own.
    pub fn size(&self) -> Option<usize> {
        self.details.size
    }

    /// How much there was, in [`unit`](Error::unit).
    pub fn available(&self) -> Option<usize> {
        self.details.available
    }

    /// The unit of `needed`, `size` and `available`, where they are sizes.
    pub fn unit(&self) -> Option<Unit> {
        self.details.unit
    }

    /// The option or argument that is wrong.
    pub fn argument(&self) -> Option<&'static str> {
        self.details.argument
    }

    /// The list concerned.
    pub fn pointer(&self) -> Option<&str> {
        self.details.pointer.as_deref()
    }

    /// The record, row or line concerned, from 0.
    pub fn index(&self) -> Option<usize> {
        self.details.index
    }

    /// The name of the piece of a prompt concerned.
    pub fn piece(&self) -> Option<&str> {
        self.details.piece.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.details.message)
    }
}

impl core::error::Error for Error {}
