//! `haversack_compare`: where a prompt parts from the one before, why, and what is lost to the cache.

use haversack::prompt::{Cause, Change, Comparison, Verdict, VolatileKind, compare};

use crate::boundary::{free_handle, into_handle, live};
use crate::choices::name_of;
use crate::delivery::write_part;
use crate::error::{haversack_error, write_number};
use crate::snapshot::haversack_snapshot;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// How a prompt, or a piece of it, differs from the one before. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_verdict {
    /// One that this header does not know.
    HAVERSACK_VERDICT_UNKNOWN = 0,
    /// There is none before: nothing to compare with, and no break.
    HAVERSACK_VERDICT_FIRST = 1,
    /// Nothing changed.
    HAVERSACK_VERDICT_SAME = 2,
    /// New pieces at the end, which is how a prompt should grow.
    HAVERSACK_VERDICT_EXTENDED = 3,
    /// The end is gone: a rewind.
    HAVERSACK_VERDICT_SHORTENED = 4,
    /// A piece stands in another place.
    HAVERSACK_VERDICT_REORDERED = 5,
    /// A piece has other bytes, or another name.
    HAVERSACK_VERDICT_CHANGED = 6,
    /// A new piece stands before old ones.
    HAVERSACK_VERDICT_INSERTED = 7,
    /// A piece is gone, and others stand behind it.
    HAVERSACK_VERDICT_REMOVED = 8,
}

/// Why a piece differs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_cause {
    /// Nothing broke.
    HAVERSACK_CAUSE_NONE = 0,
    /// The text is another one.
    HAVERSACK_CAUSE_EDIT = 1,
    /// The text is cut off: the new one is how the old one begins.
    HAVERSACK_CAUSE_TRUNCATION = 2,
    /// A piece was put in.
    HAVERSACK_CAUSE_INSERTION = 3,
    /// A piece was taken out.
    HAVERSACK_CAUSE_REMOVAL = 4,
    /// A piece moved.
    HAVERSACK_CAUSE_REORDER = 5,
    /// The same bytes have another name.
    HAVERSACK_CAUSE_RENAME = 6,
    /// The same JSON, serialised anew: order of keys, white space, escapes, spelling of numbers.
    HAVERSACK_CAUSE_KEY_ORDER = 7,
    /// Nothing but volatile values differ.
    HAVERSACK_CAUSE_VOLATILE = 8,
    /// A tool was put in.
    HAVERSACK_CAUSE_TOOL_ADDED = 9,
    /// A tool was taken out.
    HAVERSACK_CAUSE_TOOL_REMOVED = 10,
    /// A tool has another description.
    HAVERSACK_CAUSE_TOOL_DESCRIPTION = 11,
    /// A tool has another schema, or other members.
    HAVERSACK_CAUSE_TOOL_SCHEMA = 12,
    /// A setting was changed, put in or taken out.
    HAVERSACK_CAUSE_SETTING = 13,
    /// The model is another one.
    HAVERSACK_CAUSE_MODEL = 14,
}

/// How a prompt differs from the one before. It never changes, so threads may read it at once. It needs the snapshots
/// no more. All functions take NULL and then answer nothing.
#[derive(Debug)]
pub struct haversack_comparison(Comparison);

/// One difference between two prompts. Its texts live as long as the comparison.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_piece_change {
    /// The piece: its name in the new prompt, or in the old one where it is gone.
    pub piece: haversack_str,
    /// Its name in the old prompt, where that is another; else absent.
    pub was: haversack_str,
    /// The first place in the new prompt that differs for it, from 0: where it stands, where it stood, or would stand.
    pub index: usize,
    /// The first byte of the piece that differs, even inside a character; 0 where `has_at_byte` is 0.
    pub at_byte: usize,
    /// 1 for changed pieces whose bytes differ.
    pub has_at_byte: u32,
    /// 0 where `at_byte` is only known to 256 bytes: the start of the stretch in which the first difference lies.
    pub at_byte_exact: u32,
    /// A `haversack_verdict`: shortened, reordered, changed, inserted or removed.
    pub verdict: u32,
    /// A `haversack_cause`.
    pub cause: u32,
    /// What the volatile value is, where that is the cause: a `haversack_volatile_kind`, else 0.
    pub volatile_kind: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Compares a prompt with the one before it. `previous` may be NULL: there was none. Linear in the number of pieces
/// where they are equal or only appended, `n log n` between the first and the last that differ.
///
/// On success `*out_comparison` is to be freed with `haversack_comparison_free`. Errors: `HAVERSACK_INVALID_OPTION`,
/// with argument `key`, when the snapshots were taken under different keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_compare(
    previous: *const haversack_snapshot,
    next: *const haversack_snapshot,
    out_comparison: *mut *mut haversack_comparison,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_comparison), {
        // SAFETY: by contract null or live handles; the output is not null.
        unsafe {
            let comparison = compare(previous.as_ref().map(|previous| &previous.0), &live(next, "next")?.0)?;
            out_comparison.write(into_handle(haversack_comparison(comparison)));
        }
        Ok(())
    })
}

/// Frees a comparison, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_free(comparison: *mut haversack_comparison) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(comparison) } });
}

/// What happened first: a `haversack_verdict`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_verdict(comparison: *const haversack_comparison) -> u32 {
    boundary!(get comparison => comparison.0.verdict.code(), or 0)
}

/// Whether a provider can go on reading all of the previous prompt from its cache: first, same or extended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_calm(comparison: *const haversack_comparison) -> bool {
    boundary!(get comparison => comparison.0.verdict.is_calm(), or false)
}

/// The name of the piece where it happened; absent where nothing broke. Lives as long as the comparison.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_piece(comparison: *const haversack_comparison) -> haversack_str {
    boundary!(get comparison => haversack_str::of_option(comparison.0.piece.as_deref()), or haversack_str::NONE)
}

/// The first place that differs, counted in pieces of the new prompt from 0. False, and nothing written, where nothing
/// broke.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_index(
    comparison: *const haversack_comparison,
    out_index: *mut usize,
) -> bool {
    boundary!(get comparison => write_number(comparison.0.index, out_index), or false)
}

/// The first byte of that piece that differs, even inside a character. False, and nothing written, where no piece
/// changed its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_at_byte(
    comparison: *const haversack_comparison,
    out_at_byte: *mut usize,
) -> bool {
    boundary!(get comparison => write_number(comparison.0.at_byte, out_at_byte), or false)
}

/// Whether that byte is exact: false where it is only known to 256 bytes, since a snapshot came from JSON, and where
/// there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_at_byte_exact(comparison: *const haversack_comparison) -> bool {
    boundary!(get comparison => comparison.0.at_byte_exact, or false)
}

/// Why: a `haversack_cause`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_cause(comparison: *const haversack_comparison) -> u32 {
    boundary!(get comparison => comparison.0.cause.map_or(0, Cause::code), or 0)
}

/// Bytes of the previous prompt before the first break, of its pieces' texts alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_kept_bytes(comparison: *const haversack_comparison) -> usize {
    boundary!(get comparison => comparison.0.kept_bytes, or 0)
}

/// Its other bytes: no cache is read for what stands in their place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_lost_bytes(comparison: *const haversack_comparison) -> usize {
    boundary!(get comparison => comparison.0.lost_bytes, or 0)
}

/// Tokens of the whole pieces of the previous prompt before the first break. False, and nothing written, when its
/// snapshot was taken without a counter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_kept_tokens(
    comparison: *const haversack_comparison,
    out_tokens: *mut usize,
) -> bool {
    boundary!(get comparison => write_number(comparison.0.kept_tokens, out_tokens), or false)
}

/// Its other tokens. False, and nothing written, when its snapshot was taken without a counter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_lost_tokens(
    comparison: *const haversack_comparison,
    out_tokens: *mut usize,
) -> bool {
    boundary!(get comparison => write_number(comparison.0.lost_tokens, out_tokens), or false)
}

/// How many differences there are. Pieces appended at the end are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_change_count(comparison: *const haversack_comparison) -> usize {
    boundary!(get comparison => comparison.0.changes.len(), or 0)
}

/// The difference of that number, from 0, in the order of the new prompt. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_comparison_change(
    comparison: *const haversack_comparison,
    index: usize,
    out_change: *mut haversack_piece_change,
) -> bool {
    boundary!(get comparison => write_part(comparison.0.changes.get(index), out_change, change_view), or false)
}

/// The name of a `haversack_verdict`, such as `extended`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_verdict_name(verdict: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Verdict>(verdict) })
}

/// The name of a `haversack_cause`, such as `key_order`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_cause_name(cause: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Cause>(cause) })
}

fn change_view(change: &Change) -> haversack_piece_change {
    haversack_piece_change {
        piece: haversack_str::of(&change.piece),
        was: haversack_str::of_option(change.was.as_deref()),
        index: change.index,
        at_byte: change.at_byte.unwrap_or(0),
        has_at_byte: change.at_byte.is_some().into(),
        at_byte_exact: change.at_byte_exact.into(),
        verdict: change.verdict.code(),
        cause: change.cause.code(),
        volatile_kind: change.volatile.map_or(0, VolatileKind::code),
        reserved: 0,
    }
}
