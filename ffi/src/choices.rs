//! Options that are one of a few, by number. 0 is the default wherever there is one, so that zeroed options are the
//! defaults. Fields hold plain integers: any number may come from C, and one that is no choice is a typed error.

use haversack::handoff::{HandoffKind, HandoffProblem};
use haversack::history::{Alternation, CutRefusal, MissingResult, NothingToCut, OrphanResult, RepairAction, StepKind};
use haversack::prompt::{CacheReason, Cause, Layer, MarkKind, PieceKind, Verdict, VolatileKind};
use haversack::readback::Flavour;
use haversack::{
    Action, Ansi, Boundary, DamageKind, Envelope, Format, Keep, MarkReason, NoticePlace, OffloadAction, OffloadReason,
    OnInvalid, Oversize, Reason, Share, SourceState, Unit, ViolationKind, WarningKind, WireFormat,
};
use haversack::{Answer, FactKind, GroundsReason, OnFull, Origin, Recorded, Remembered, Timing};

use crate::boundary::Outcome;
use crate::error::haversack_error;
use crate::text::haversack_str;

/// What a size counts.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_unit {
    /// Bytes of UTF-8.
    HAVERSACK_UNIT_BYTES = 1,
    /// Unicode scalar values.
    HAVERSACK_UNIT_CHARS = 2,
    /// UTF-16 code units.
    HAVERSACK_UNIT_UTF16 = 3,
    /// Tokens of a counter.
    HAVERSACK_UNIT_TOKENS = 4,
}

/// What a payload is read as.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_format {
    /// Detected (default): what is not certain is lines.
    HAVERSACK_FORMAT_AUTO = 0,
    /// One RFC 8259 value.
    HAVERSACK_FORMAT_JSON = 1,
    /// One JSON value a line.
    HAVERSACK_FORMAT_NDJSON = 2,
    /// Comma-separated values with a header.
    HAVERSACK_FORMAT_CSV = 3,
    /// Tab-separated values with a header.
    HAVERSACK_FORMAT_TSV = 4,
    /// Lines of text.
    HAVERSACK_FORMAT_LINES = 5,
}

/// How sibling lists share a budget.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_share {
    /// Max-min fair (default).
    HAVERSACK_SHARE_FAIR = 0,
    /// In proportion to their sizes.
    HAVERSACK_SHARE_PROPORTIONAL = 1,
    /// In document order.
    HAVERSACK_SHARE_IN_ORDER = 2,
}

/// Which end of a list is kept.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_keep {
    /// The head of records, both ends of lines and long strings (default).
    HAVERSACK_KEEP_DEFAULT = 0,
    /// The first records.
    HAVERSACK_KEEP_HEAD = 1,
    /// The last ones.
    HAVERSACK_KEEP_TAIL = 2,
    /// Both ends.
    HAVERSACK_KEEP_BOTH = 3,
}

/// What happens to a record that alone is larger than its list's whole share.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_oversize {
    /// It is pruned with a visible mark and counted as shrunk (default).
    HAVERSACK_OVERSIZE_SHRINK = 0,
    /// It is left out and counted.
    HAVERSACK_OVERSIZE_SKIP = 1,
    /// The call fails with `HAVERSACK_RECORD_TOO_LARGE`.
    HAVERSACK_OVERSIZE_ERROR = 2,
}

/// When a root array is wrapped in an envelope with its counts.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_envelope {
    /// Only when it was cut (default).
    HAVERSACK_ENVELOPE_WHEN_CUT = 0,
    /// Always.
    HAVERSACK_ENVELOPE_ALWAYS = 1,
}

/// Whether JSON inside strings is cut on its own records.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_nested {
    /// It is (default).
    HAVERSACK_NESTED_DEFAULT = 0,
    /// It is.
    HAVERSACK_NESTED_ON = 1,
    /// It is a string like any other.
    HAVERSACK_NESTED_OFF = 2,
}

/// What happens to input that is not well formed in a format given by name.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_on_invalid {
    /// A typed error (default).
    HAVERSACK_ON_INVALID_ERROR = 0,
    /// It is treated as lines.
    HAVERSACK_ON_INVALID_LINES = 1,
    /// The whole records before the break are delivered, with the offset: values of JSON, rows of CSV and TSV, lines of
    /// NDJSON. Where there is nothing whole, the error.
    HAVERSACK_ON_INVALID_SALVAGE = 2,
}

/// What happens to ANSI sequences in lines.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_ansi {
    /// They stay (default).
    HAVERSACK_ANSI_KEEP = 0,
    /// They are removed.
    HAVERSACK_ANSI_STRIP = 1,
}

/// Whether the host still has the original.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_source {
    /// Nothing is claimed (default).
    HAVERSACK_SOURCE_UNSTATED = 0,
    /// It is kept and can be read again.
    HAVERSACK_SOURCE_KEPT = 1,
    /// It is gone.
    HAVERSACK_SOURCE_GONE = 2,
}

/// Where the notice of NDJSON, CSV and lines goes.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_notice {
    /// Into the text, as its first line (default).
    HAVERSACK_NOTICE_TEXT = 0,
    /// Only into `haversack_delivery_notice`.
    HAVERSACK_NOTICE_NONE = 1,
}

/// What was done with a run of records. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_action {
    /// One that this header does not know.
    HAVERSACK_ACTION_UNKNOWN = 0,
    /// Delivered whole.
    HAVERSACK_ACTION_KEEP = 1,
    /// Delivered in part, with a mark.
    HAVERSACK_ACTION_SHRINK = 2,
    /// Left out.
    HAVERSACK_ACTION_OMIT = 3,
}

/// Why it was done. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_reason {
    /// One that this header does not know.
    HAVERSACK_REASON_UNKNOWN = 0,
    /// It fits.
    HAVERSACK_REASON_FITS = 1,
    /// The share of its list was used up.
    HAVERSACK_REASON_BUDGET = 2,
    /// It alone is larger than its list's whole share.
    HAVERSACK_REASON_OVERSIZE = 3,
    /// It lies outside the page that was asked for.
    HAVERSACK_REASON_OFF_PAGE = 4,
    /// It repeats the line above.
    HAVERSACK_REASON_REPEATS = 5,
}

/// Something the caller should know that is not a loss. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_warning_kind {
    /// One that this header does not know.
    HAVERSACK_WARNING_UNKNOWN = 0,
    /// An object has the same key twice.
    HAVERSACK_WARNING_DUPLICATE_KEY = 1,
    /// Text that begins like JSON and is none; offset is where it stopped being JSON.
    HAVERSACK_WARNING_LOOKS_LIKE_JSON = 2,
    /// A member that looks like the tool's own cursor skips what was omitted.
    HAVERSACK_WARNING_SOURCE_CURSOR_SKIPS_OMITTED = 3,
    /// The input itself said that something had been left out before.
    HAVERSACK_WARNING_CLAIMED_COUNTS = 4,
    /// A pointer of select matched nothing.
    HAVERSACK_WARNING_SELECT_MATCHED_NOTHING = 5,
    /// The notice stands under another name than usual, which was taken.
    HAVERSACK_WARNING_NOTICE_RENAMED = 6,
    /// The input broke off at offset, and what came after is not here: salvaged, or an unfinished last line of NDJSON.
    HAVERSACK_WARNING_MALFORMED = 7,
    /// An option (subject) has no meaning for the format that was detected or fallen back to.
    HAVERSACK_WARNING_OPTION_IGNORED = 8,
}

/// The name of a `haversack_unit`, such as `chars`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_unit_name(unit: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Unit>(unit) })
}

/// The name of a `haversack_format`, such as `json`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_format_name(format: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Format>(format) })
}

/// The name of a `haversack_action`, such as `omit`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_action_name(action: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Action>(action) })
}

/// The name of a `haversack_reason`, such as `off_page`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_reason_name(reason: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Reason>(reason) })
}

/// The name of a `haversack_warning_kind`, such as `duplicate_key`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_warning_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<WarningKind>(kind) })
}

/// A named enumeration of the core: every value, its number here, its name.
pub(crate) trait Kind: Copy + 'static {
    const ALL: &'static [Self];
    fn code(self) -> u32;
    fn name(self) -> &'static str;
}

macro_rules! kinds {
    ($($kind:ty),+ $(,)?) => {$(
        impl Kind for $kind {
            const ALL: &'static [Self] = <$kind>::ALL;
            fn code(self) -> u32 { <$kind>::code(self) }
            fn name(self) -> &'static str { <$kind>::name(self) }
        }
    )+};
}
kinds!(
    Action,
    Alternation,
    Ansi,
    Answer,
    Boundary,
    CacheReason,
    Cause,
    CutRefusal,
    DamageKind,
    Envelope,
    FactKind,
    Flavour,
    Format,
    GroundsReason,
    HandoffKind,
    HandoffProblem,
    Keep,
    Layer,
    MarkKind,
    MarkReason,
    MissingResult,
    NothingToCut,
    NoticePlace,
    OffloadAction,
    OffloadReason,
    OnFull,
    OnInvalid,
    Origin,
    OrphanResult,
    Oversize,
    PieceKind,
    Reason,
    Recorded,
    Remembered,
    RepairAction,
    Share,
    SourceState,
    StepKind,
    Timing,
    Unit,
    Verdict,
    ViolationKind,
    VolatileKind,
    WarningKind,
    WireFormat,
);

/// The value of that number.
pub(crate) fn of_code<T: Kind>(number: u32) -> Option<T> {
    T::ALL.iter().copied().find(|kind| kind.code() == number)
}

/// The error for a number that is none of its choices.
pub(crate) fn none_such(argument: &'static str) -> haversack_error {
    haversack_error::option(argument, format!("{argument} is not one of its values"))
}

/// The choice of that number.
pub(crate) fn chosen<T: Kind>(number: u32, argument: &'static str) -> Outcome<T> {
    of_code(number).ok_or_else(|| none_such(argument))
}

/// The choice of that number; 0, which is none of them, is the default.
pub(crate) fn chosen_or_default<T: Kind>(number: u32, argument: &'static str) -> Outcome<Option<T>> {
    if number == 0 { Ok(None) } else { chosen(number, argument).map(Some) }
}

/// A flag: 0 or 1, and nothing else.
pub(crate) fn yes(number: u32, argument: &'static str) -> Outcome<bool> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(none_such(argument)),
    }
}

/// The name of the value of that number; absent where there is none.
pub(crate) fn name_of<T: Kind>(number: u32) -> haversack_str {
    haversack_str::of_option(of_code::<T>(number).map(T::name))
}
