//! The numbers that calls return, written by hand.

use haversack::ErrorKind;

use crate::text::haversack_str;

/// What came of a call. The numbers are those of the error kinds in every language and are never reused.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_status {
    /// It succeeded, and the outputs were written.
    HAVERSACK_OK = 0,
    /// An error of a kind that this header does not know; `haversack_error_name` has its name.
    HAVERSACK_UNKNOWN = 1,
    /// A fault of the library itself, caught at its border; the message says where. The process lives on.
    HAVERSACK_PANIC = 2,
    /// The text is not RFC 8259 JSON: offset, expected.
    HAVERSACK_INVALID_JSON = 10,
    /// The bytes are not UTF-8: offset of the first bad one.
    HAVERSACK_INVALID_UTF8 = 11,
    /// Nested deeper than the limit: offset, available (the limit).
    HAVERSACK_TOO_DEEP = 12,
    /// CSV or TSV by name that is none: offset, expected.
    HAVERSACK_INVALID_CSV = 13,
    /// NDJSON by name with a line that is no JSON: offset, expected, index of the line.
    HAVERSACK_INVALID_NDJSON = 14,
    /// The smallest honest text is larger than the budget: needed, available, unit.
    HAVERSACK_BUDGET_TOO_SMALL = 20,
    /// A record alone is larger than its list's share and oversize is error: pointer, index, size, available.
    HAVERSACK_RECORD_TOO_LARGE = 21,
    /// The token counter failed or answered nonsense.
    HAVERSACK_COUNTER_FAILED = 22,
    /// An option has a value it cannot have, or contradicts another: argument.
    HAVERSACK_INVALID_OPTION = 30,
    /// A pointer that is not RFC 6901: argument, offset within it.
    HAVERSACK_INVALID_POINTER = 31,
    /// Select matches nothing in this input.
    HAVERSACK_NOTHING_SELECTED = 32,
    /// More entries or longer ones than the limits allow: argument, needed, available.
    HAVERSACK_LIMIT_EXCEEDED = 33,
    /// A cursor that is not of the grammar: offset within it.
    HAVERSACK_INVALID_CURSOR = 40,
    /// A cursor of another list, or made with other options.
    HAVERSACK_CURSOR_MISMATCH = 41,
    /// A cursor beyond the end of its list: index, available (the length).
    HAVERSACK_CURSOR_PAST_END = 42,
    /// The positions asked for are not in this text, which was cut before.
    HAVERSACK_CURSOR_NEEDS_ORIGINAL = 43,
    /// A key that this run did not offload, or not of our grammar.
    HAVERSACK_UNKNOWN_KEY = 50,
    /// The bytes read back are not those that were offloaded.
    HAVERSACK_DIGEST_MISMATCH = 51,
    /// Stored state that cannot be read.
    HAVERSACK_INVALID_STATE = 52,
    /// A call that does not fit the state of the object.
    HAVERSACK_OUT_OF_ORDER = 53,
    /// A null pointer with a length, a length above the address space, a missing handle: argument.
    HAVERSACK_BAD_ARGUMENT = 60,
    /// The text is JSON but no history: offset, expected, index of the message.
    HAVERSACK_NOT_A_HISTORY = 70,
    /// The messages show two formats and none was named: index of the message that shows the second.
    HAVERSACK_MIXED_FORMATS = 71,
    /// Two pieces of a prompt have one name: piece.
    HAVERSACK_DUPLICATE_PIECE = 80,
    /// A piece is to stand in a layer that there is not: piece.
    HAVERSACK_UNKNOWN_LAYER = 81,
    /// JSON without a canonical form: offset, expected, and piece where it belongs to one.
    HAVERSACK_NOT_CANONICAL = 82,
    /// A cache mark that its provider refuses: piece.
    HAVERSACK_FORBIDDEN_MARK = 83,
    /// A key of the ledger that has one value and several: argument.
    HAVERSACK_MIXED_KEY = 90,
    /// A pointer that leads nowhere in a result: pointer, index, argument.
    HAVERSACK_NO_SUCH_FIELD = 91,
    /// A number of no message: index, available (the last number).
    HAVERSACK_NO_SUCH_MESSAGE = 92,
    /// Books that do not close: needed (the total), available (the sum of the parts).
    HAVERSACK_OPEN_BOOKS = 93,
}

use haversack_status as S;

/// Every status, in the order of its number.
const STATUSES: &[(haversack_status, &str)] = &[
    (S::HAVERSACK_OK, "ok"),
    (S::HAVERSACK_UNKNOWN, "unknown"),
    (S::HAVERSACK_PANIC, "panic"),
    (S::HAVERSACK_INVALID_JSON, "invalid_json"),
    (S::HAVERSACK_INVALID_UTF8, "invalid_utf8"),
    (S::HAVERSACK_TOO_DEEP, "too_deep"),
    (S::HAVERSACK_INVALID_CSV, "invalid_csv"),
    (S::HAVERSACK_INVALID_NDJSON, "invalid_ndjson"),
    (S::HAVERSACK_BUDGET_TOO_SMALL, "budget_too_small"),
    (S::HAVERSACK_RECORD_TOO_LARGE, "record_too_large"),
    (S::HAVERSACK_COUNTER_FAILED, "counter_failed"),
    (S::HAVERSACK_INVALID_OPTION, "invalid_option"),
    (S::HAVERSACK_INVALID_POINTER, "invalid_pointer"),
    (S::HAVERSACK_NOTHING_SELECTED, "nothing_selected"),
    (S::HAVERSACK_LIMIT_EXCEEDED, "limit_exceeded"),
    (S::HAVERSACK_INVALID_CURSOR, "invalid_cursor"),
    (S::HAVERSACK_CURSOR_MISMATCH, "cursor_mismatch"),
    (S::HAVERSACK_CURSOR_PAST_END, "cursor_past_end"),
    (S::HAVERSACK_CURSOR_NEEDS_ORIGINAL, "cursor_needs_original"),
    (S::HAVERSACK_UNKNOWN_KEY, "unknown_key"),
    (S::HAVERSACK_DIGEST_MISMATCH, "digest_mismatch"),
    (S::HAVERSACK_INVALID_STATE, "invalid_state"),
    (S::HAVERSACK_OUT_OF_ORDER, "out_of_order"),
    (S::HAVERSACK_BAD_ARGUMENT, "bad_argument"),
    (S::HAVERSACK_NOT_A_HISTORY, "not_a_history"),
    (S::HAVERSACK_MIXED_FORMATS, "mixed_formats"),
    (S::HAVERSACK_DUPLICATE_PIECE, "duplicate_piece"),
    (S::HAVERSACK_UNKNOWN_LAYER, "unknown_layer"),
    (S::HAVERSACK_NOT_CANONICAL, "not_canonical"),
    (S::HAVERSACK_FORBIDDEN_MARK, "forbidden_mark"),
    (S::HAVERSACK_MIXED_KEY, "mixed_key"),
    (S::HAVERSACK_NO_SUCH_FIELD, "no_such_field"),
    (S::HAVERSACK_NO_SUCH_MESSAGE, "no_such_message"),
    (S::HAVERSACK_OPEN_BOOKS, "open_books"),
];

/// The name of a status, such as `budget_too_small`; `unknown` for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_status_name(status: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, {
        let known = STATUSES.iter().find(|(s, _)| *s as u32 == status);
        haversack_str::of(known.map_or("unknown", |(_, name)| name))
    })
}

impl haversack_status {
    /// The status of an error kind; a kind that this table does not have yet is `HAVERSACK_UNKNOWN`.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        let known = STATUSES.iter().find(|(s, _)| *s as u32 == kind.code());
        known.map_or(S::HAVERSACK_UNKNOWN, |(status, _)| *status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_kind_has_its_number_and_its_name_here() {
        for kind in ErrorKind::ALL {
            let status = haversack_status::of(*kind);
            assert_eq!(status as u32, kind.code(), "{} is missing in haversack_status", kind.name());
            let (_, name) = STATUSES.iter().find(|(s, _)| *s == status).unwrap();
            assert_eq!(*name, kind.name());
        }
        assert_eq!(STATUSES.len(), ErrorKind::ALL.len() + 3, "a status without an error kind");
    }
}
