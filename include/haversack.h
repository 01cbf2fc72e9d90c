/* haversack: what a language model gets to see. Tool output is cut on record boundaries, and every loss is counted.
 *
 * Generated from the crate haversack-ffi; do not edit.
 *
 * Rules that hold for every function:
 * - Arguments come in this order: inputs, options, outputs, error. Outputs are written only on success, and
 *   `*out_error` only on failure: set it to NULL before the call. `out_error` itself may be NULL.
 * - Text is UTF-8 with a length (`haversack_str`). Nothing that is passed in is kept after the call.
 * - Handles (`haversack_delivery`, `haversack_error`, ...) are freed by the function of their name with `_free`, once,
 *   on any thread; NULL does nothing.
 * - A parameter that is `const` is only read: any number of threads may use it at once. Nothing of a
 *   call outlives it but the unpacked vocabulary of an exact counter (8 or 24 MB), and 1.3 MB for each thread that
 *   counts with one.
 * - Before 1.0 the binary interface may change with every minor version; HAVERSACK_ABI_VERSION then grows.
 */

#ifndef HAVERSACK_H
#define HAVERSACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A `haversack_str` of a string literal; any NUL inside it counts. */
#ifdef __cplusplus
#define HAVERSACK_STR(literal) (haversack_str{(literal), sizeof(literal) - 1})
#else
#define HAVERSACK_STR(literal) ((haversack_str){(literal), sizeof(literal) - 1})
#endif

/* A member of `haversack_limits` that limits nothing, and one that allows nothing: 0 is the default. */
#define HAVERSACK_LIMIT_NONE SIZE_MAX
#define HAVERSACK_LIMIT_ZERO (SIZE_MAX - 1)

/**
 * First number of the version of this header.
 */
#define HAVERSACK_VERSION_MAJOR 0

/**
 * Second number of the version of this header.
 */
#define HAVERSACK_VERSION_MINOR 1

/**
 * Third number of the version of this header.
 */
#define HAVERSACK_VERSION_PATCH 0

/**
 * The three numbers in one, to compare with `<`.
 */
#define HAVERSACK_VERSION_NUMBER (((HAVERSACK_VERSION_MAJOR * 1000000) + (HAVERSACK_VERSION_MINOR * 1000)) + HAVERSACK_VERSION_PATCH)

/**
 * The binary interface that this header describes; compare it with `haversack_abi_version()` at run time.
 * It grows by one with every incompatible change.
 */
#define HAVERSACK_ABI_VERSION 1

/**
 * What came of a call. The numbers are those of the error kinds in every language and are never reused.
 */
enum haversack_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It succeeded, and the outputs were written.
     */
    HAVERSACK_OK = 0,
    /**
     * An error of a kind that this header does not know; `haversack_error_name` has its name.
     */
    HAVERSACK_UNKNOWN = 1,
    /**
     * A fault of the library itself, caught at its border; the message says where. The process lives on.
     */
    HAVERSACK_PANIC = 2,
    /**
     * The text is not RFC 8259 JSON: offset, expected.
     */
    HAVERSACK_INVALID_JSON = 10,
    /**
     * The bytes are not UTF-8: offset of the first bad one.
     */
    HAVERSACK_INVALID_UTF8 = 11,
    /**
     * Nested deeper than the limit: offset, available (the limit).
     */
    HAVERSACK_TOO_DEEP = 12,
    /**
     * CSV or TSV by name that is none: offset, expected.
     */
    HAVERSACK_INVALID_CSV = 13,
    /**
     * NDJSON by name with a line that is no JSON: offset, expected, index of the line.
     */
    HAVERSACK_INVALID_NDJSON = 14,
    /**
     * The smallest honest text is larger than the budget: needed, available, unit.
     */
    HAVERSACK_BUDGET_TOO_SMALL = 20,
    /**
     * A record alone is larger than its list's share and oversize is error: pointer, index, size, available.
     */
    HAVERSACK_RECORD_TOO_LARGE = 21,
    /**
     * The token counter failed or answered nonsense.
     */
    HAVERSACK_COUNTER_FAILED = 22,
    /**
     * An option has a value it cannot have, or contradicts another: argument.
     */
    HAVERSACK_INVALID_OPTION = 30,
    /**
     * A pointer that is not RFC 6901: argument, offset within it.
     */
    HAVERSACK_INVALID_POINTER = 31,
    /**
     * Select matches nothing in this input.
     */
    HAVERSACK_NOTHING_SELECTED = 32,
    /**
     * More entries or longer ones than the limits allow: argument, needed, available.
     */
    HAVERSACK_LIMIT_EXCEEDED = 33,
    /**
     * A cursor that is not of the grammar: offset within it.
     */
    HAVERSACK_INVALID_CURSOR = 40,
    /**
     * A cursor of another list, or made with other options.
     */
    HAVERSACK_CURSOR_MISMATCH = 41,
    /**
     * A cursor beyond the end of its list: index, available (the length).
     */
    HAVERSACK_CURSOR_PAST_END = 42,
    /**
     * The positions asked for are not in this text, which was cut before.
     */
    HAVERSACK_CURSOR_NEEDS_ORIGINAL = 43,
    /**
     * A key that this run did not offload, or not of our grammar.
     */
    HAVERSACK_UNKNOWN_KEY = 50,
    /**
     * The bytes read back are not those that were offloaded.
     */
    HAVERSACK_DIGEST_MISMATCH = 51,
    /**
     * Stored state that cannot be read.
     */
    HAVERSACK_INVALID_STATE = 52,
    /**
     * A call that does not fit the state of the object.
     */
    HAVERSACK_OUT_OF_ORDER = 53,
    /**
     * A null pointer with a length, a length above the address space, a missing handle: argument.
     */
    HAVERSACK_BAD_ARGUMENT = 60,
    /**
     * The text is JSON but no history: offset, expected, index of the message.
     */
    HAVERSACK_NOT_A_HISTORY = 70,
    /**
     * The messages show two formats and none was named: index of the message that shows the second.
     */
    HAVERSACK_MIXED_FORMATS = 71,
    /**
     * Two pieces of a prompt have one name: piece.
     */
    HAVERSACK_DUPLICATE_PIECE = 80,
    /**
     * A piece is to stand in a layer that there is not: piece.
     */
    HAVERSACK_UNKNOWN_LAYER = 81,
    /**
     * JSON without a canonical form: offset, expected, and piece where it belongs to one.
     */
    HAVERSACK_NOT_CANONICAL = 82,
    /**
     * A cache mark that its provider refuses: piece.
     */
    HAVERSACK_FORBIDDEN_MARK = 83,
    /**
     * A key of the ledger that has one value and several: argument.
     */
    HAVERSACK_MIXED_KEY = 90,
    /**
     * A pointer that leads nowhere in a result: pointer, index, argument.
     */
    HAVERSACK_NO_SUCH_FIELD = 91,
    /**
     * A number of no message: index, available (the last number).
     */
    HAVERSACK_NO_SUCH_MESSAGE = 92,
    /**
     * Books that do not close: needed (the total), available (the sum of the parts).
     */
    HAVERSACK_OPEN_BOOKS = 93,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_status haversack_status;
#else
typedef uint32_t haversack_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a size counts.
 */
enum haversack_unit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Bytes of UTF-8.
     */
    HAVERSACK_UNIT_BYTES = 1,
    /**
     * Unicode scalar values.
     */
    HAVERSACK_UNIT_CHARS = 2,
    /**
     * UTF-16 code units.
     */
    HAVERSACK_UNIT_UTF16 = 3,
    /**
     * Tokens of a counter.
     */
    HAVERSACK_UNIT_TOKENS = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_unit haversack_unit;
#else
typedef uint32_t haversack_unit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a payload is read as.
 */
enum haversack_format
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Detected (default): what is not certain is lines.
     */
    HAVERSACK_FORMAT_AUTO = 0,
    /**
     * One RFC 8259 value.
     */
    HAVERSACK_FORMAT_JSON = 1,
    /**
     * One JSON value a line.
     */
    HAVERSACK_FORMAT_NDJSON = 2,
    /**
     * Comma-separated values with a header.
     */
    HAVERSACK_FORMAT_CSV = 3,
    /**
     * Tab-separated values with a header.
     */
    HAVERSACK_FORMAT_TSV = 4,
    /**
     * Lines of text.
     */
    HAVERSACK_FORMAT_LINES = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_format haversack_format;
#else
typedef uint32_t haversack_format;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How sibling lists share a budget.
 */
enum haversack_share
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Max-min fair (default).
     */
    HAVERSACK_SHARE_FAIR = 0,
    /**
     * In proportion to their sizes.
     */
    HAVERSACK_SHARE_PROPORTIONAL = 1,
    /**
     * In document order.
     */
    HAVERSACK_SHARE_IN_ORDER = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_share haversack_share;
#else
typedef uint32_t haversack_share;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which end of a list is kept.
 */
enum haversack_keep
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The head of records, both ends of lines and long strings (default).
     */
    HAVERSACK_KEEP_DEFAULT = 0,
    /**
     * The first records.
     */
    HAVERSACK_KEEP_HEAD = 1,
    /**
     * The last ones.
     */
    HAVERSACK_KEEP_TAIL = 2,
    /**
     * Both ends.
     */
    HAVERSACK_KEEP_BOTH = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_keep haversack_keep;
#else
typedef uint32_t haversack_keep;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens to a record that alone is larger than its list's whole share.
 */
enum haversack_oversize
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It is pruned with a visible mark and counted as shrunk (default).
     */
    HAVERSACK_OVERSIZE_SHRINK = 0,
    /**
     * It is left out and counted.
     */
    HAVERSACK_OVERSIZE_SKIP = 1,
    /**
     * The call fails with `HAVERSACK_RECORD_TOO_LARGE`.
     */
    HAVERSACK_OVERSIZE_ERROR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_oversize haversack_oversize;
#else
typedef uint32_t haversack_oversize;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * When a root array is wrapped in an envelope with its counts.
 */
enum haversack_envelope
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Only when it was cut (default).
     */
    HAVERSACK_ENVELOPE_WHEN_CUT = 0,
    /**
     * Always.
     */
    HAVERSACK_ENVELOPE_ALWAYS = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_envelope haversack_envelope;
#else
typedef uint32_t haversack_envelope;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Whether JSON inside strings is cut on its own records.
 */
enum haversack_nested
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It is (default).
     */
    HAVERSACK_NESTED_DEFAULT = 0,
    /**
     * It is.
     */
    HAVERSACK_NESTED_ON = 1,
    /**
     * It is a string like any other.
     */
    HAVERSACK_NESTED_OFF = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_nested haversack_nested;
#else
typedef uint32_t haversack_nested;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens to input that is not well formed in a format given by name.
 */
enum haversack_on_invalid
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A typed error (default).
     */
    HAVERSACK_ON_INVALID_ERROR = 0,
    /**
     * It is treated as lines.
     */
    HAVERSACK_ON_INVALID_LINES = 1,
    /**
     * The whole records before the break are delivered, with the offset: values of JSON, rows of CSV and TSV, lines of
     * NDJSON. Where there is nothing whole, the error.
     */
    HAVERSACK_ON_INVALID_SALVAGE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_on_invalid haversack_on_invalid;
#else
typedef uint32_t haversack_on_invalid;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens to ANSI sequences in lines.
 */
enum haversack_ansi
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * They stay (default).
     */
    HAVERSACK_ANSI_KEEP = 0,
    /**
     * They are removed.
     */
    HAVERSACK_ANSI_STRIP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_ansi haversack_ansi;
#else
typedef uint32_t haversack_ansi;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Whether the host still has the original.
 */
enum haversack_source
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Nothing is claimed (default).
     */
    HAVERSACK_SOURCE_UNSTATED = 0,
    /**
     * It is kept and can be read again.
     */
    HAVERSACK_SOURCE_KEPT = 1,
    /**
     * It is gone.
     */
    HAVERSACK_SOURCE_GONE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_source haversack_source;
#else
typedef uint32_t haversack_source;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where the notice of NDJSON, CSV and lines goes.
 */
enum haversack_notice
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Into the text, as its first line (default).
     */
    HAVERSACK_NOTICE_TEXT = 0,
    /**
     * Only into `haversack_delivery_notice`.
     */
    HAVERSACK_NOTICE_NONE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_notice haversack_notice;
#else
typedef uint32_t haversack_notice;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What was done with a run of records. More may come: treat others as `UNKNOWN`.
 */
enum haversack_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_ACTION_UNKNOWN = 0,
    /**
     * Delivered whole.
     */
    HAVERSACK_ACTION_KEEP = 1,
    /**
     * Delivered in part, with a mark.
     */
    HAVERSACK_ACTION_SHRINK = 2,
    /**
     * Left out.
     */
    HAVERSACK_ACTION_OMIT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_action haversack_action;
#else
typedef uint32_t haversack_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why it was done. More may come: treat others as `UNKNOWN`.
 */
enum haversack_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_REASON_UNKNOWN = 0,
    /**
     * It fits.
     */
    HAVERSACK_REASON_FITS = 1,
    /**
     * The share of its list was used up.
     */
    HAVERSACK_REASON_BUDGET = 2,
    /**
     * It alone is larger than its list's whole share.
     */
    HAVERSACK_REASON_OVERSIZE = 3,
    /**
     * It lies outside the page that was asked for.
     */
    HAVERSACK_REASON_OFF_PAGE = 4,
    /**
     * It repeats the line above.
     */
    HAVERSACK_REASON_REPEATS = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_reason haversack_reason;
#else
typedef uint32_t haversack_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Something the caller should know that is not a loss. More may come: treat others as `UNKNOWN`.
 */
enum haversack_warning_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_WARNING_UNKNOWN = 0,
    /**
     * An object has the same key twice.
     */
    HAVERSACK_WARNING_DUPLICATE_KEY = 1,
    /**
     * Text that begins like JSON and is none; offset is where it stopped being JSON.
     */
    HAVERSACK_WARNING_LOOKS_LIKE_JSON = 2,
    /**
     * A member that looks like the tool's own cursor skips what was omitted.
     */
    HAVERSACK_WARNING_SOURCE_CURSOR_SKIPS_OMITTED = 3,
    /**
     * The input itself said that something had been left out before.
     */
    HAVERSACK_WARNING_CLAIMED_COUNTS = 4,
    /**
     * A pointer of select matched nothing.
     */
    HAVERSACK_WARNING_SELECT_MATCHED_NOTHING = 5,
    /**
     * The notice stands under another name than usual, which was taken.
     */
    HAVERSACK_WARNING_NOTICE_RENAMED = 6,
    /**
     * The input broke off at offset, and what came after is not here: salvaged, or an unfinished last line of NDJSON.
     */
    HAVERSACK_WARNING_MALFORMED = 7,
    /**
     * An option (subject) has no meaning for the format that was detected or fallen back to.
     */
    HAVERSACK_WARNING_OPTION_IGNORED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_warning_kind haversack_warning_kind;
#else
typedef uint32_t haversack_warning_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What the host should do with a result. More may come: treat others as `UNKNOWN`.
 */
enum haversack_offload_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_OFFLOAD_UNKNOWN = 0,
    /**
     * Leave it in the message as it is.
     */
    HAVERSACK_OFFLOAD_KEEP = 1,
    /**
     * Store the bytes under the key, then ask for the pointer.
     */
    HAVERSACK_OFFLOAD_STORE = 2,
    /**
     * Put the pointer of bytes stored before in its place (only from a table).
     */
    HAVERSACK_OFFLOAD_POINT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_offload_action haversack_offload_action;
#else
typedef uint32_t haversack_offload_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why. More may come: treat others as `UNKNOWN`.
 */
enum haversack_offload_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_OFFLOAD_REASON_UNKNOWN = 0,
    /**
     * It is within `over`.
     */
    HAVERSACK_OFFLOAD_REASON_FITS = 1,
    /**
     * It is larger than `over`.
     */
    HAVERSACK_OFFLOAD_REASON_OVER = 2,
    /**
     * The same bytes were stored before.
     */
    HAVERSACK_OFFLOAD_REASON_KNOWN = 3,
    /**
     * It is a pointer that the table made.
     */
    HAVERSACK_OFFLOAD_REASON_IS_POINTER = 4,
    /**
     * The call is one of a reader.
     */
    HAVERSACK_OFFLOAD_REASON_EXEMPT = 5,
    /**
     * The store refused it.
     */
    HAVERSACK_OFFLOAD_REASON_REFUSED = 6,
    /**
     * The pointer would not be smaller than the original.
     */
    HAVERSACK_OFFLOAD_REASON_NOT_SHORTER = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_offload_reason haversack_offload_reason;
#else
typedef uint32_t haversack_offload_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a result stands. More may come: treat others as `UNKNOWN`.
 */
enum haversack_entry_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_ENTRY_UNKNOWN = 0,
    /**
     * Asked to be stored, not answered yet.
     */
    HAVERSACK_ENTRY_PENDING = 1,
    /**
     * Stored, and the pointer is in use.
     */
    HAVERSACK_ENTRY_STORED = 2,
    /**
     * Stored, and the original stays because the pointer would not be smaller.
     */
    HAVERSACK_ENTRY_NOT_SHORTER = 3,
    /**
     * The store refused: the original stays.
     */
    HAVERSACK_ENTRY_REFUSED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_entry_state haversack_entry_state;
#else
typedef uint32_t haversack_entry_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Whose form of tool definitions.
 */
enum haversack_flavour
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * `OpenAI` Chat Completions, and everything that speaks it.
     */
    HAVERSACK_FLAVOUR_OPENAI = 1,
    /**
     * Anthropic Messages.
     */
    HAVERSACK_FLAVOUR_ANTHROPIC = 2,
    /**
     * Gemini `generateContent`.
     */
    HAVERSACK_FLAVOUR_GEMINI = 3,
    /**
     * Model Context Protocol.
     */
    HAVERSACK_FLAVOUR_MCP = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_flavour haversack_flavour;
#else
typedef uint32_t haversack_flavour;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A wire format of chat histories.
 */
enum haversack_wire_format
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Detected (default).
     */
    HAVERSACK_WIRE_AUTO = 0,
    /**
     * OpenAI Chat Completions and what speaks it.
     */
    HAVERSACK_WIRE_OPENAI_CHAT = 1,
    /**
     * OpenAI Responses.
     */
    HAVERSACK_WIRE_OPENAI_RESPONSES = 2,
    /**
     * Anthropic Messages.
     */
    HAVERSACK_WIRE_ANTHROPIC = 3,
    /**
     * Google Gemini.
     */
    HAVERSACK_WIRE_GEMINI = 4,
    /**
     * Amazon Bedrock Converse.
     */
    HAVERSACK_WIRE_BEDROCK = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_wire_format haversack_wire_format;
#else
typedef uint32_t haversack_wire_format;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a step is. More may come: treat others as `OTHER`.
 */
enum haversack_step_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_STEP_UNKNOWN = 0,
    /**
     * The system prompt, or a system message on the way.
     */
    HAVERSACK_STEP_SYSTEM = 1,
    /**
     * A message of the user that answers no call.
     */
    HAVERSACK_STEP_USER = 2,
    /**
     * One assistant turn with all its calls and all their results.
     */
    HAVERSACK_STEP_ASSISTANT = 3,
    /**
     * Anything else.
     */
    HAVERSACK_STEP_OTHER = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_step_kind haversack_step_kind;
#else
typedef uint32_t haversack_step_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why no cut may stand at an index. More may come: whatever is not 0 is a refusal.
 */
enum haversack_cut_refusal
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * None: a cut may stand there.
     */
    HAVERSACK_CUT_REFUSAL_NONE = 0,
    /**
     * It is inside the system prompt, or past the end.
     */
    HAVERSACK_CUT_REFUSAL_OUT_OF_RANGE = 1,
    /**
     * A call before it has its result after it, or is still in flight; or reasoning stands before what it led to.
     */
    HAVERSACK_CUT_REFUSAL_INSIDE_STEP = 2,
    /**
     * The window would open with a message that may not be first.
     */
    HAVERSACK_CUT_REFUSAL_OPENS_BADLY = 3,
    /**
     * Thinking that is kept is bound to what is dropped. `haversack_history_cut` may choose the index and strips it.
     */
    HAVERSACK_CUT_REFUSAL_BOUND_THINKING = 4,
    /**
     * Items that are kept carry server ids of a turn whose reasoning is dropped. `haversack_history_cut` may choose
     * the index and strips them.
     */
    HAVERSACK_CUT_REFUSAL_BOUND_ITEMS = 5,
    /**
     * The window would open with a step that is itself broken.
     */
    HAVERSACK_CUT_REFUSAL_BROKEN_STEP = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_cut_refusal haversack_cut_refusal;
#else
typedef uint32_t haversack_cut_refusal;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What is wrong with a history. More may come: `haversack_violation_name` has their names.
 */
enum haversack_violation_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A result without a call before it.
     */
    HAVERSACK_VIOLATION_ORPHAN_RESULT = 1,
    /**
     * A call without a result.
     */
    HAVERSACK_VIOLATION_MISSING_RESULT = 2,
    /**
     * A second result for one call.
     */
    HAVERSACK_VIOLATION_DUPLICATE_RESULT = 3,
    /**
     * Two calls of one turn with the same id.
     */
    HAVERSACK_VIOLATION_DUPLICATE_CALL_ID = 4,
    /**
     * The result of a call stands too far from it.
     */
    HAVERSACK_VIOLATION_RESULT_NOT_ADJACENT = 5,
    /**
     * The results of one turn stand in several messages.
     */
    HAVERSACK_VIOLATION_RESULT_SPLIT = 6,
    /**
     * Something stands before the results in their message.
     */
    HAVERSACK_VIOLATION_RESULT_NOT_FIRST = 7,
    /**
     * The result is of a kind that does not answer this call, or not of the type the format wants.
     */
    HAVERSACK_VIOLATION_WRONG_RESULT_TYPE = 8,
    /**
     * Results and other content in one message.
     */
    HAVERSACK_VIOLATION_MIXED_RESULT_AND_TEXT = 9,
    /**
     * Calls that do not follow a user turn or results.
     */
    HAVERSACK_VIOLATION_CALL_WITHOUT_USER_TURN = 10,
    /**
     * Two messages of one role in a row.
     */
    HAVERSACK_VIOLATION_ROLE_NOT_ALTERNATING = 11,
    /**
     * The first message is of a role that may not be first.
     */
    HAVERSACK_VIOLATION_BAD_FIRST_ROLE = 12,
    /**
     * The last message is of a role that may not be last.
     */
    HAVERSACK_VIOLATION_BAD_LAST_ROLE = 13,
    /**
     * A role that the format does not know.
     */
    HAVERSACK_VIOLATION_BAD_ROLE = 14,
    /**
     * A message or a block without content.
     */
    HAVERSACK_VIOLATION_EMPTY_CONTENT = 15,
    /**
     * Text of white space only.
     */
    HAVERSACK_VIOLATION_WHITESPACE_TEXT = 16,
    /**
     * An error result without content.
     */
    HAVERSACK_VIOLATION_ERROR_RESULT_EMPTY = 17,
    /**
     * An id that is missing, empty, no string, or of characters that the format refuses.
     */
    HAVERSACK_VIOLATION_BAD_ID_CHARSET = 18,
    /**
     * An id longer than the format allows.
     */
    HAVERSACK_VIOLATION_ID_TOO_LONG = 19,
    /**
     * Two items with the same id of the server.
     */
    HAVERSACK_VIOLATION_DUPLICATE_ITEM_ID = 20,
    /**
     * A reasoning item without the item that it led to.
     */
    HAVERSACK_VIOLATION_REASONING_ORPHAN = 21,
    /**
     * An item that keeps its server id without the reasoning it came with.
     */
    HAVERSACK_VIOLATION_REASONING_MISSING = 22,
    /**
     * A reasoning item that the server was told not to store, without its encrypted content.
     */
    HAVERSACK_VIOLATION_REASONING_NOT_PERSISTED = 23,
    /**
     * The last assistant turn has to start with thinking.
     */
    HAVERSACK_VIOLATION_THINKING_MISSING = 24,
    /**
     * Thinking that is bound to another prefix.
     */
    HAVERSACK_VIOLATION_THINKING_PREFIX_MISMATCH = 25,
    /**
     * A call without the signature that the current turn needs.
     */
    HAVERSACK_VIOLATION_SIGNATURE_MISSING = 26,
    /**
     * A server tool call without its result, before something that may not follow it.
     */
    HAVERSACK_VIOLATION_SERVER_TOOL_UNRESOLVED = 27,
    /**
     * A system message where none may stand.
     */
    HAVERSACK_VIOLATION_SYSTEM_MISPLACED = 28,
    /**
     * Tool blocks in a request that declares no tools.
     */
    HAVERSACK_VIOLATION_TOOL_CONFIG_MISSING = 29,
    /**
     * More cache marks than the provider takes.
     */
    HAVERSACK_VIOLATION_CACHE_TOO_MANY_BREAKPOINTS = 30,
    /**
     * A cache mark of an hour after one of five minutes.
     */
    HAVERSACK_VIOLATION_CACHE_TTL_ORDER = 31,
    /**
     * More messages than the format takes.
     */
    HAVERSACK_VIOLATION_TOO_MANY_MESSAGES = 32,
    /**
     * More calls in one message than the format takes.
     */
    HAVERSACK_VIOLATION_TOO_MANY_CALLS = 33,
    /**
     * A call outside an assistant message, or a result outside a user message.
     */
    HAVERSACK_VIOLATION_MISPLACED_BLOCK = 34,
    /**
     * A request for compaction that is not last.
     */
    HAVERSACK_VIOLATION_COMPACTION_TRIGGER_NOT_LAST = 35,
    /**
     * Content, a block or a member of a type that the format refuses.
     */
    HAVERSACK_VIOLATION_WRONG_CONTENT_TYPE = 36,
    /**
     * The name of a called tool is missing, no string, too long or of characters that the format refuses.
     */
    HAVERSACK_VIOLATION_BAD_TOOL_NAME = 37,
    /**
     * A block or an item of a kind that the format does not know.
     */
    HAVERSACK_VIOLATION_UNKNOWN_ITEM = 38,
    /**
     * A text longer than the format takes.
     */
    HAVERSACK_VIOLATION_TEXT_TOO_LONG = 39,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_violation_kind haversack_violation_kind;
#else
typedef uint32_t haversack_violation_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a cut does to the turn of roles where it stands. More may come: treat others as `UNKNOWN`.
 */
enum haversack_alternation
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_ALTERNATION_UNKNOWN = 0,
    /**
     * The window opens with a user message.
     */
    HAVERSACK_ALTERNATION_OPENS_WITH_USER = 1,
    /**
     * The window opens with an assistant message.
     */
    HAVERSACK_ALTERNATION_OPENS_WITH_ASSISTANT = 2,
    /**
     * Nothing is left but what was kept by name.
     */
    HAVERSACK_ALTERNATION_OPENS_WITH_PINNED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_alternation haversack_alternation;
#else
typedef uint32_t haversack_alternation;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why nothing was cut. More may come.
 */
enum haversack_nothing_to_cut
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * None: something was cut.
     */
    HAVERSACK_NOTHING_TO_CUT_NONE = 0,
    /**
     * It fits as it is.
     */
    HAVERSACK_NOTHING_TO_CUT_FITS = 1,
    /**
     * It does not fit, no index is safe, and nothing in it can be reduced in this unit.
     */
    HAVERSACK_NOTHING_TO_CUT_NO_SAFE_INDEX = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_nothing_to_cut haversack_nothing_to_cut;
#else
typedef uint32_t haversack_nothing_to_cut;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What was done about a violation. More may come: treat others as `UNKNOWN`.
 */
enum haversack_repair_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_REPAIR_UNKNOWN = 0,
    /**
     * A message or a part of it was dropped.
     */
    HAVERSACK_REPAIR_DROP = 1,
    /**
     * A message or a part was added.
     */
    HAVERSACK_REPAIR_SYNTHESISE = 2,
    /**
     * A signature, an id or thinking was taken off.
     */
    HAVERSACK_REPAIR_STRIP = 3,
    /**
     * A part was moved up.
     */
    HAVERSACK_REPAIR_HOIST = 4,
    /**
     * A part was moved down.
     */
    HAVERSACK_REPAIR_PUSH = 5,
    /**
     * Two messages became one.
     */
    HAVERSACK_REPAIR_MERGE = 6,
    /**
     * An id was written anew.
     */
    HAVERSACK_REPAIR_RENAME = 7,
    /**
     * A text was put where none was.
     */
    HAVERSACK_REPAIR_FILL = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_repair_action haversack_repair_action;
#else
typedef uint32_t haversack_repair_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What becomes of a call without a result.
 */
enum haversack_missing_result
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A result that says so is added (default).
     */
    HAVERSACK_MISSING_RESULT_SYNTHESISE = 0,
    /**
     * The call is dropped.
     */
    HAVERSACK_MISSING_RESULT_DROP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_missing_result haversack_missing_result;
#else
typedef uint32_t haversack_missing_result;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What becomes of a result without a call.
 */
enum haversack_orphan_result
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It is dropped (default).
     */
    HAVERSACK_ORPHAN_RESULT_DROP = 0,
    /**
     * Its text stays, as the user's.
     */
    HAVERSACK_ORPHAN_RESULT_TEXT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_orphan_result haversack_orphan_result;
#else
typedef uint32_t haversack_orphan_result;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How often a piece of a prompt changes. Layers stand in a prompt in this order.
 */
enum haversack_layer
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Session (default); static for tools that you own.
     */
    HAVERSACK_LAYER_DEFAULT = 0,
    /**
     * Never, while this version of the agent runs: instructions, tools.
     */
    HAVERSACK_LAYER_STATIC = 1,
    /**
     * Now and then: rules of a project, a list of skills.
     */
    HAVERSACK_LAYER_RARE = 2,
    /**
     * Once a session, or by growing at its end: facts about the user, the conversation.
     */
    HAVERSACK_LAYER_SESSION = 3,
    /**
     * With every call.
     */
    HAVERSACK_LAYER_TURN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_layer haversack_layer;
#else
typedef uint32_t haversack_layer;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a piece of a prompt is for. More may come.
 */
enum haversack_piece_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * What is usual in its layer (default): instructions (static, rare), facts (session), notes (turn).
     */
    HAVERSACK_PIECE_DEFAULT = 0,
    /**
     * What the model is told to do.
     */
    HAVERSACK_PIECE_INSTRUCTIONS = 1,
    /**
     * The definition of a tool.
     */
    HAVERSACK_PIECE_TOOL = 2,
    /**
     * Facts about the user or the session.
     */
    HAVERSACK_PIECE_FACTS = 3,
    /**
     * A message, with its calls or results.
     */
    HAVERSACK_PIECE_CONVERSATION = 4,
    /**
     * Notes about the current turn.
     */
    HAVERSACK_PIECE_NOTES = 5,
    /**
     * A setting of the request that a cache depends on: the model, the tool choice.
     */
    HAVERSACK_PIECE_SETTING = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_piece_kind haversack_piece_kind;
#else
typedef uint32_t haversack_piece_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a format spells a cache mark. More may come: treat others as `UNKNOWN`.
 */
enum haversack_mark_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_MARK_UNKNOWN = 0,
    /**
     * The member `cache_control` of a tool, a block or the request.
     */
    HAVERSACK_MARK_CACHE_CONTROL = 1,
    /**
     * A block `cachePoint` of its own, behind what it closes.
     */
    HAVERSACK_MARK_CACHE_POINT = 2,
    /**
     * The member `prompt_cache_breakpoint` of a content block.
     */
    HAVERSACK_MARK_BREAKPOINT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_mark_kind haversack_mark_kind;
#else
typedef uint32_t haversack_mark_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a prompt, or a piece of it, differs from the one before. More may come: treat others as `UNKNOWN`.
 */
enum haversack_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_VERDICT_UNKNOWN = 0,
    /**
     * There is none before: nothing to compare with, and no break.
     */
    HAVERSACK_VERDICT_FIRST = 1,
    /**
     * Nothing changed.
     */
    HAVERSACK_VERDICT_SAME = 2,
    /**
     * New pieces at the end, which is how a prompt should grow.
     */
    HAVERSACK_VERDICT_EXTENDED = 3,
    /**
     * The end is gone: a rewind.
     */
    HAVERSACK_VERDICT_SHORTENED = 4,
    /**
     * A piece stands in another place.
     */
    HAVERSACK_VERDICT_REORDERED = 5,
    /**
     * A piece has other bytes, or another name.
     */
    HAVERSACK_VERDICT_CHANGED = 6,
    /**
     * A new piece stands before old ones.
     */
    HAVERSACK_VERDICT_INSERTED = 7,
    /**
     * A piece is gone, and others stand behind it.
     */
    HAVERSACK_VERDICT_REMOVED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_verdict haversack_verdict;
#else
typedef uint32_t haversack_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a piece differs.
 */
enum haversack_cause
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Nothing broke.
     */
    HAVERSACK_CAUSE_NONE = 0,
    /**
     * The text is another one.
     */
    HAVERSACK_CAUSE_EDIT = 1,
    /**
     * The text is cut off: the new one is how the old one begins.
     */
    HAVERSACK_CAUSE_TRUNCATION = 2,
    /**
     * A piece was put in.
     */
    HAVERSACK_CAUSE_INSERTION = 3,
    /**
     * A piece was taken out.
     */
    HAVERSACK_CAUSE_REMOVAL = 4,
    /**
     * A piece moved.
     */
    HAVERSACK_CAUSE_REORDER = 5,
    /**
     * The same bytes have another name.
     */
    HAVERSACK_CAUSE_RENAME = 6,
    /**
     * The same JSON, serialised anew: order of keys, white space, escapes, spelling of numbers.
     */
    HAVERSACK_CAUSE_KEY_ORDER = 7,
    /**
     * Nothing but volatile values differ.
     */
    HAVERSACK_CAUSE_VOLATILE = 8,
    /**
     * A tool was put in.
     */
    HAVERSACK_CAUSE_TOOL_ADDED = 9,
    /**
     * A tool was taken out.
     */
    HAVERSACK_CAUSE_TOOL_REMOVED = 10,
    /**
     * A tool has another description.
     */
    HAVERSACK_CAUSE_TOOL_DESCRIPTION = 11,
    /**
     * A tool has another schema, or other members.
     */
    HAVERSACK_CAUSE_TOOL_SCHEMA = 12,
    /**
     * A setting was changed, put in or taken out.
     */
    HAVERSACK_CAUSE_SETTING = 13,
    /**
     * The model is another one.
     */
    HAVERSACK_CAUSE_MODEL = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_cause haversack_cause;
#else
typedef uint32_t haversack_cause;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a volatile value is. More may come: treat others as `UNKNOWN`.
 */
enum haversack_volatile_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * None, or one that this header does not know.
     */
    HAVERSACK_VOLATILE_UNKNOWN = 0,
    /**
     * A time of day, a date with one, seconds since 1970.
     */
    HAVERSACK_VOLATILE_TIME = 1,
    /**
     * A date.
     */
    HAVERSACK_VOLATILE_DATE = 2,
    /**
     * A UUID.
     */
    HAVERSACK_VOLATILE_UUID = 3,
    /**
     * An id of a request, a session, a call.
     */
    HAVERSACK_VOLATILE_ID = 4,
    /**
     * A path with a random part: a directory of this run.
     */
    HAVERSACK_VOLATILE_PATH = 5,
    /**
     * A number that counts turns, requests or the like.
     */
    HAVERSACK_VOLATILE_COUNTER = 6,
    /**
     * What is labelled as one: a nonce, a salt, a seed.
     */
    HAVERSACK_VOLATILE_NONCE = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_volatile_kind haversack_volatile_kind;
#else
typedef uint32_t haversack_volatile_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why as much is read from the cache as is. More may come: treat others as `UNKNOWN`.
 */
enum haversack_cache_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_CACHE_UNKNOWN = 0,
    /**
     * Something is read.
     */
    HAVERSACK_CACHE_HIT = 1,
    /**
     * There was no request before.
     */
    HAVERSACK_CACHE_FIRST = 2,
    /**
     * The request before stored nothing that this one could read: no mark, or a request too short.
     */
    HAVERSACK_CACHE_NOTHING_STORED = 3,
    /**
     * The prompts part before the first entry.
     */
    HAVERSACK_CACHE_CHANGED = 4,
    /**
     * What is common is shorter than the provider stores.
     */
    HAVERSACK_CACHE_BELOW_MINIMUM = 5,
    /**
     * The entry is further back than a mark reaches.
     */
    HAVERSACK_CACHE_OUT_OF_REACH = 6,
    /**
     * The entry is too old.
     */
    HAVERSACK_CACHE_EXPIRED = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_cache_reason haversack_cache_reason;
#else
typedef uint32_t haversack_cache_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a cache mark is there for. More may come: treat others as `UNKNOWN`.
 */
enum haversack_mark_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_MARK_REASON_UNKNOWN = 0,
    /**
     * The end of the tools: they survive a change of the system prompt.
     */
    HAVERSACK_MARK_REASON_TOOLS = 1,
    /**
     * The end of the system prompt: it survives a cut history.
     */
    HAVERSACK_MARK_REASON_SYSTEM = 2,
    /**
     * Where the previous request was stored, too far back for the mark at the tail.
     */
    HAVERSACK_MARK_REASON_ANCHOR = 3,
    /**
     * The last block that will be there again.
     */
    HAVERSACK_MARK_REASON_TAIL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_mark_reason haversack_mark_reason;
#else
typedef uint32_t haversack_mark_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a worker handed back. More may come: treat others as `UNKNOWN`.
 */
enum haversack_handoff_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_HANDOFF_UNKNOWN = 0,
    /**
     * Findings, each with at least one source.
     */
    HAVERSACK_HANDOFF_FINDINGS = 1,
    /**
     * It looked, says where, and found nothing.
     */
    HAVERSACK_HANDOFF_EMPTY = 2,
    /**
     * It stopped: the task was too big.
     */
    HAVERSACK_HANDOFF_TOO_BIG = 3,
    /**
     * It failed.
     */
    HAVERSACK_HANDOFF_FAILED = 4,
    /**
     * It was not run.
     */
    HAVERSACK_HANDOFF_NOT_RUN = 5,
    /**
     * It stopped: its tokens, steps or time were used up.
     */
    HAVERSACK_HANDOFF_OUT_OF_BUDGET = 6,
    /**
     * It returned nothing that can be seen.
     */
    HAVERSACK_HANDOFF_SILENT = 7,
    /**
     * It returned something, and none of the above.
     */
    HAVERSACK_HANDOFF_UNCHECKABLE = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_handoff_kind haversack_handoff_kind;
#else
typedef uint32_t haversack_handoff_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why an answer is uncheckable. More may come: whatever is not 0 is a problem.
 */
enum haversack_handoff_problem
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It is not.
     */
    HAVERSACK_HANDOFF_PROBLEM_NONE = 0,
    /**
     * It is not JSON, and holds no single fenced block that is: offset is where it stops being JSON.
     */
    HAVERSACK_HANDOFF_PROBLEM_NOT_JSON = 1,
    /**
     * It is JSON, and no object.
     */
    HAVERSACK_HANDOFF_PROBLEM_NOT_AN_OBJECT = 2,
    /**
     * It has no `kind`, or one that there is not.
     */
    HAVERSACK_HANDOFF_PROBLEM_UNKNOWN_KIND = 3,
    /**
     * A member stands twice.
     */
    HAVERSACK_HANDOFF_PROBLEM_REPEATED_MEMBER = 4,
    /**
     * Findings without a finding.
     */
    HAVERSACK_HANDOFF_PROBLEM_NO_FINDINGS = 5,
    /**
     * A finding without a text: index.
     */
    HAVERSACK_HANDOFF_PROBLEM_NO_TEXT = 6,
    /**
     * A finding without a source: index.
     */
    HAVERSACK_HANDOFF_PROBLEM_NO_SOURCE = 7,
    /**
     * Nothing found, and nothing said of where it looked.
     */
    HAVERSACK_HANDOFF_PROBLEM_NOTHING_LOOKED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_handoff_problem haversack_handoff_problem;
#else
typedef uint32_t haversack_handoff_problem;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where something can be left out of what a model sees. More may come.
 */
enum haversack_boundary
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A tool result was cut.
     */
    HAVERSACK_BOUNDARY_DELIVERY = 1,
    /**
     * Fields were left out by request.
     */
    HAVERSACK_BOUNDARY_FIELD_FILTER = 2,
    /**
     * A result was stored elsewhere.
     */
    HAVERSACK_BOUNDARY_OFFLOAD = 3,
    /**
     * An old result became one line.
     */
    HAVERSACK_BOUNDARY_CLEAR = 4,
    /**
     * Messages became a summary.
     */
    HAVERSACK_BOUNDARY_SUMMARISE = 5,
    /**
     * A slice of memory was taken.
     */
    HAVERSACK_BOUNDARY_MEMORY = 6,
    /**
     * Tools were chosen.
     */
    HAVERSACK_BOUNDARY_LOADOUT = 7,
    /**
     * Workers handed back.
     */
    HAVERSACK_BOUNDARY_HANDOFF = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_boundary haversack_boundary;
#else
typedef uint32_t haversack_boundary;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a line is no message. More may come: treat others as `UNKNOWN`.
 */
enum haversack_damage_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_DAMAGE_UNKNOWN = 0,
    /**
     * It is the last one, and breaks off.
     */
    HAVERSACK_DAMAGE_TRUNCATED = 1,
    /**
     * It is no JSON.
     */
    HAVERSACK_DAMAGE_INVALID_JSON = 2,
    /**
     * It is no UTF-8.
     */
    HAVERSACK_DAMAGE_INVALID_UTF8 = 3,
    /**
     * It is JSON, and no object.
     */
    HAVERSACK_DAMAGE_NOT_AN_OBJECT = 4,
    /**
     * There is nothing in it.
     */
    HAVERSACK_DAMAGE_BLANK = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_damage_kind haversack_damage_kind;
#else
typedef uint32_t haversack_damage_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a fact is. The order is that in which a budget takes them.
 */
enum haversack_fact_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A fact.
     */
    HAVERSACK_FACT_DEFAULT = 0,
    /**
     * What must hold.
     */
    HAVERSACK_FACT_CONSTRAINT = 1,
    /**
     * What was decided.
     */
    HAVERSACK_FACT_DECISION = 2,
    /**
     * What is to be done.
     */
    HAVERSACK_FACT_TASK = 3,
    /**
     * A name, number or path that has to be exact.
     */
    HAVERSACK_FACT_IDENTIFIER = 4,
    /**
     * Anything else that is known.
     */
    HAVERSACK_FACT_FACT = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_fact_kind haversack_fact_kind;
#else
typedef uint32_t haversack_fact_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What became of a value that was recorded. More may come: treat others as `UNKNOWN`.
 */
enum haversack_recorded
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_RECORDED_UNKNOWN = 0,
    /**
     * It is a new line.
     */
    HAVERSACK_RECORDED_ADDED = 1,
    /**
     * It holds now; the earlier value is in the history.
     */
    HAVERSACK_RECORDED_UPDATED = 2,
    /**
     * It was there already: its source is added to the fact.
     */
    HAVERSACK_RECORDED_MERGED = 3,
    /**
     * It is of an earlier turn than the value that holds, and went into the history.
     */
    HAVERSACK_RECORDED_OLDER = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_recorded haversack_recorded;
#else
typedef uint32_t haversack_recorded;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * When a memory was written, which says what it is worth: each trusts something else.
 */
enum haversack_timing
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * When it was said.
     */
    HAVERSACK_TIMING_DEFAULT = 0,
    /**
     * When it was said: trusts one message.
     */
    HAVERSACK_TIMING_AT_ONCE = 1,
    /**
     * When the conversation ended: trusts what was made of all of it.
     */
    HAVERSACK_TIMING_END_OF_CONVERSATION = 2,
    /**
     * By something that reads along, turn by turn: trusts the reader.
     */
    HAVERSACK_TIMING_BACKGROUND = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_timing haversack_timing;
#else
typedef uint32_t haversack_timing;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What became of a text that was added. More may come: treat others as `UNKNOWN`.
 */
enum haversack_remembered
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_REMEMBERED_UNKNOWN = 0,
    /**
     * It is a new memory.
     */
    HAVERSACK_REMEMBERED_ADDED = 1,
    /**
     * It was there already: its source is added to the memory.
     */
    HAVERSACK_REMEMBERED_MERGED = 2,
    /**
     * It is a new memory, and the one that ranked last has gone for it.
     */
    HAVERSACK_REMEMBERED_EVICTED = 3,
    /**
     * It is not stored: it would rank last.
     */
    HAVERSACK_REMEMBERED_REFUSED = 4,
    /**
     * It is a new memory above the cap.
     */
    HAVERSACK_REMEMBERED_OVER_CAP = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_remembered haversack_remembered;
#else
typedef uint32_t haversack_remembered;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens to a memory that is one too many.
 */
enum haversack_on_full
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It is stored, and the answer says so.
     */
    HAVERSACK_ON_FULL_DEFAULT = 0,
    /**
     * It is a typed error, and nothing is stored.
     */
    HAVERSACK_ON_FULL_REJECT = 1,
    /**
     * The memory that ranks last goes, which may be the new one.
     */
    HAVERSACK_ON_FULL_EVICT = 2,
    /**
     * It is stored, and the answer says so.
     */
    HAVERSACK_ON_FULL_REPORT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_on_full haversack_on_full;
#else
typedef uint32_t haversack_on_full;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What evidence is.
 */
enum haversack_origin
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A fact of this run.
     */
    HAVERSACK_ORIGIN_FACT = 1,
    /**
     * A memory, from whatever run.
     */
    HAVERSACK_ORIGIN_MEMORY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_origin haversack_origin;
#else
typedef uint32_t haversack_origin;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Whether an action may go ahead. More may come: treat others as `ASK`.
 */
enum haversack_answer
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_ANSWER_UNKNOWN = 0,
    /**
     * The action rests on enough.
     */
    HAVERSACK_ANSWER_OK = 1,
    /**
     * Ask the user first.
     */
    HAVERSACK_ANSWER_ASK = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_answer haversack_answer;
#else
typedef uint32_t haversack_answer;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why it may, or may not. More may come: treat others as `UNKNOWN`.
 */
enum haversack_grounds_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this header does not know.
     */
    HAVERSACK_GROUNDS_UNKNOWN = 0,
    /**
     * The user stated it in this run.
     */
    HAVERSACK_GROUNDS_STATED = 1,
    /**
     * It comes from the host, and was verified.
     */
    HAVERSACK_GROUNDS_VERIFIED = 2,
    /**
     * There is no evidence.
     */
    HAVERSACK_GROUNDS_NOTHING = 3,
    /**
     * All of it was superseded.
     */
    HAVERSACK_GROUNDS_SUPERSEDED = 4,
    /**
     * All that holds is memory.
     */
    HAVERSACK_GROUNDS_ONLY_MEMORY = 5,
    /**
     * None of it was stated by the user, or verified and from the host.
     */
    HAVERSACK_GROUNDS_UNTRUSTED = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum haversack_grounds_reason haversack_grounds_reason;
#else
typedef uint32_t haversack_grounds_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What became of a text that was added, and of the memory that went for it. It never changes, so threads may read it
 * at once.
 */
typedef struct haversack_added haversack_added;

/**
 * A text in its canonical form. It never changes, so threads may read it at once.
 */
typedef struct haversack_canonical haversack_canonical;

/**
 * How a prompt differs from the one before. It never changes, so threads may read it at once. It needs the snapshots
 * no more. All functions take NULL and then answer nothing.
 */
typedef struct haversack_comparison haversack_comparison;

/**
 * The answer to `haversack_history_cut`: a cut, or why nothing was cut. It may outlive its history.
 */
typedef struct haversack_cut haversack_cut;

/**
 * What the model gets to see, and what it does not. It never changes, so threads may read it at once. Texts that its
 * functions give live as long as it does. All functions take NULL and then answer nothing: zero, false, absent.
 */
typedef struct haversack_delivery haversack_delivery;

/**
 * What went wrong, where, and by how much. Given through `out_error` when a call fails; free it with
 * `haversack_error_free`. It never changes, so threads may read it at once.
 */
typedef struct haversack_error haversack_error;

/**
 * A result of which the fields that were asked for are recorded: now it may leave the prompt. It never changes, so
 * threads may read it at once.
 */
typedef struct haversack_extracted haversack_extracted;

/**
 * Facts as a ledger had them when it was asked. The list never changes, so threads may read it at once, and it needs
 * the ledger no more.
 */
typedef struct haversack_facts haversack_facts;

/**
 * A list of features. It never changes, so threads may read it at once.
 */
typedef struct haversack_features haversack_features;

/**
 * How many workers handed back what: a silent one is counted as silent, never as one that found nothing. Functions
 * that take it without `const` need it for themselves.
 */
typedef struct haversack_fleet haversack_fleet;

/**
 * Lines for the end of a dated file. It never changes, so threads may read it at once.
 */
typedef struct haversack_flush_file haversack_flush_file;

/**
 * A message that asks the model to write down what will still matter. It never changes, so threads may read it at
 * once.
 */
typedef struct haversack_flush_request haversack_flush_request;

/**
 * Sections of a prompt that are replayed as they were written; a change becomes a note for the newest message.
 * Functions that take it without `const` need it for themselves, and a counter that they call must not use it.
 */
typedef struct haversack_frozen haversack_frozen;

/**
 * Whether an action rests on enough. It never changes, so threads may read it at once.
 */
typedef struct haversack_grounding haversack_grounding;

/**
 * What a worker handed back. It never changes, so threads may read it at once. Texts that its functions give live as
 * long as it does.
 */
typedef struct haversack_handoff haversack_handoff;

/**
 * A chat history that was read. It never changes, so threads may read it at once. Texts that its functions give live
 * as long as it does. All functions take NULL and then answer nothing.
 */
typedef struct haversack_history haversack_history;

/**
 * Facts by key, with their sources and their history, for a text that is put before the model every time. The last
 * value of a key holds, earlier ones stay in the history. Nothing that is recorded can end its line or its quotes:
 * what comes from a page stays a quoted value with a label. Functions that take it without `const` need it for
 * themselves, and a counter that they call must not use it.
 */
typedef struct haversack_ledger haversack_ledger;

/**
 * Where marks belong, and the body that has them there. It never changes, so threads may read it at once, and it needs
 * the bodies no more.
 */
typedef struct haversack_mark_plan haversack_mark_plan;

/**
 * What is remembered beyond a conversation: texts with a source, an importance and a time, of which a slice goes into
 * a request and the rest is found by search. A memory is no permission: `haversack_grounds` says "ask" to whatever
 * rests on memory alone. Functions that take it without `const` need it for themselves, and a counter that they call
 * must not use it.
 */
typedef struct haversack_memory haversack_memory;

/**
 * Memories as they were when they were asked for. The list never changes, so threads may read it at once, and it needs
 * the memory no more.
 */
typedef struct haversack_memory_items haversack_memory_items;

/**
 * Keep it, or store these bytes under this key. It never changes, so threads may read it at once.
 */
typedef struct haversack_offload_answer haversack_offload_answer;

/**
 * The table of the results that one run offloaded. Functions that take it without `const` need it for themselves, and
 * a counter that they call must not use it.
 */
typedef struct haversack_offloads haversack_offloads;

/**
 * What goes to the model after the bytes were stored. It never changes, so threads may read it at once.
 */
typedef struct haversack_pointer haversack_pointer;

/**
 * What the table says to do with one result. It never changes, so threads may read it at once.
 */
typedef struct haversack_prepared haversack_prepared;

/**
 * A prompt as an ordered sequence of named pieces: layer by layer, and within a layer in the order of
 * `haversack_prompt_add` (tools that you own first, by name). Functions that take it without `const` need it for
 * themselves. Pieces never go, and texts that its functions give live as long as it does.
 */
typedef struct haversack_prompt haversack_prompt;

/**
 * The references in a text. They never change, and need the text and the transcript no more.
 */
typedef struct haversack_references haversack_references;

/**
 * Lines of a ledger, a memory or a handoff as a text for the prompt, with its books. It never changes, so threads may
 * read it at once, and it needs what it was rendered from no more.
 */
typedef struct haversack_rendered haversack_rendered;

/**
 * A repaired history. It may outlive its history.
 */
typedef struct haversack_repair haversack_repair;

/**
 * The sizes of a prompt. It never changes, so threads may read it at once, and it needs the prompt no more.
 */
typedef struct haversack_report haversack_report;

/**
 * A checked call of a model, waiting for the bytes of the result it names. It never changes, so threads may read it
 * at once.
 */
typedef struct haversack_request haversack_request;

/**
 * The files of a session. They never change, so threads may read them at once, and need the ledger no more.
 */
typedef struct haversack_session haversack_session;

/**
 * A prompt as it was sent: names, layers, lengths and digests of its pieces. It never changes, so threads may read it
 * at once. One made from a prompt shares its texts, needs the prompt no more and compares to the exact byte; one read
 * from JSON has no text and compares to 256 bytes.
 */
typedef struct haversack_snapshot haversack_snapshot;

/**
 * A list of keys with how often each arrived. It never changes, and needs the tally no more.
 */
typedef struct haversack_survivals haversack_survivals;

/**
 * The books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls. Functions
 * that take it without `const` need it for themselves.
 */
typedef struct haversack_tally haversack_tally;

/**
 * The tiers of a request: the invariant state, the facts, and working memory. They never change, so threads may read
 * them at once, and need ledger and history no more. Texts that its functions give live as long as they do.
 */
typedef struct haversack_tiers haversack_tiers;

/**
 * Everything that was said, by number from 1: message 214 stays message 214, whatever a compaction does to the prompt.
 * It is JSON Lines: line N is message N. Functions that take it without `const` need it for themselves.
 */
typedef struct haversack_transcript haversack_transcript;

/**
 * What a search found. It never changes, and needs the transcript no more.
 */
typedef struct haversack_transcript_hits haversack_transcript_hits;

/**
 * The places of the lines of a JSON Lines file that the host keeps: it is fed the file once, and then whatever is
 * appended; 8 bytes a message. Functions that take it without `const` need it for themselves.
 */
typedef struct haversack_transcript_index haversack_transcript_index;

/**
 * A list of sources that lead nowhere. It never changes, and needs the handoff no more.
 */
typedef struct haversack_unresolved_sources haversack_unresolved_sources;

/**
 * A list of violations.
 */
typedef struct haversack_violations haversack_violations;

/**
 * A list of volatile values. It never changes, and needs the prompt no more.
 */
typedef struct haversack_volatile_values haversack_volatile_values;

/**
 * Borrowed text: `len` bytes of UTF-8 at `ptr`, without a NUL at the end, and with any NUL inside it.
 *
 * NULL with length 0 is "absent" where something may be absent, and else empty. NULL with another length, or a
 * length above `PTRDIFF_MAX`, is `HAVERSACK_BAD_ARGUMENT`. What you pass is read during the call only. What you are
 * given lives as long as the handle it came from, or for ever where the function says static.
 */
typedef struct haversack_str {
    /**
     * The first byte.
     */
    const char *ptr;
    /**
     * How many bytes there are.
     */
    size_t len;
} haversack_str;

/**
 * How tokens are counted: by a built-in `name` (`estimate`; `o200k_base` and `cl100k_base` where the library was
 * built with them), or by functions of yours. One of the two.
 *
 * Functions are called on the calling thread, never after the call has returned. They must not unwind (throw,
 * longjmp). They may call this library.
 */
typedef struct haversack_counter {
    /**
     * `sizeof(haversack_counter)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Handed to the functions unchanged.
     */
    void *userdata;
    /**
     * Writes the number of tokens of `text`, counted on its own, to `out_count` and returns true; false fails the
     * call with `HAVERSACK_COUNTER_FAILED`.
     */
    bool (*count)(void *userdata, struct haversack_str text, size_t *out_count);
    /**
     * As `count`, and may stop early: it writes the number of tokens of `text` where that is at most `limit`, else any
     * number above `limit`. Only beside `count`. Default: NULL, `count` is called.
     */
    bool (*count_up_to)(void *userdata, struct haversack_str text, size_t limit, size_t *out_count);
    /**
     * A built-in counter; absent when `count` is given.
     */
    struct haversack_str name;
} haversack_counter;

/**
 * What an input or an option may be at most. `{0}` is the limits of the library: 0 is the default, which stands in
 * brackets, `HAVERSACK_LIMIT_NONE` no limit, and `HAVERSACK_LIMIT_ZERO` a limit of 0. A member that a call has no use
 * for changes nothing there.
 */
typedef struct haversack_limits {
    /**
     * `sizeof(haversack_limits)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Levels of arrays and objects (512).
     */
    size_t depth;
    /**
     * Levels of JSON inside strings that are opened (3).
     */
    size_t nested_strings;
    /**
     * Characters of a pointer written into a notice (128).
     */
    size_t notice_pointer;
    /**
     * Entries of select, priority and prefer (256).
     */
    size_t entries;
    /**
     * Bytes of one such entry (1,024).
     */
    size_t entry_bytes;
    /**
     * Bytes of a needle of find (4,096).
     */
    size_t needle_bytes;
} haversack_limits;

/**
 * Options of `haversack_predict`; `counter` has to be given. A number with another default than 0 is given by pointing
 * to it.
 */
typedef struct haversack_predict_options {
    /**
     * `sizeof(haversack_predict_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Counts each block on its own; the counts are summed.
     */
    const struct haversack_counter *counter;
    /**
     * The rules by name. Default: those of the format and the model of the next request.
     */
    struct haversack_str rules;
    /**
     * Seconds from the start of the previous request to the start of this one. Default: 0.
     */
    uint64_t elapsed;
    /**
     * Seconds that entries live whose mark does not say it. Default: NULL, what the table says.
     */
    const uint64_t *ttl;
    /**
     * A `haversack_wire_format`, of both requests. Default: what they show.
     */
    uint32_t format;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
    /**
     * Other limits than those of the library for both requests, here depth. Default: NULL.
     */
    const struct haversack_limits *limits;
} haversack_predict_options;

/**
 * What is served from the cache, and what it costs: `cached + written + fresh = total`, in tokens of the counter.
 */
typedef struct haversack_prediction {
    /**
     * Tokens read from the cache, as the published rule has it.
     */
    size_t cached;
    /**
     * At least so many: less than `cached` where the provider promises nothing, or an entry may have gone.
     */
    size_t cached_min;
    /**
     * At most so many.
     */
    size_t cached_max;
    /**
     * Tokens stored at the price of writing; 0 where storing is free.
     */
    size_t written;
    /**
     * Tokens at the usual price.
     */
    size_t fresh;
    /**
     * Tokens of the prompt, a stored object included.
     */
    size_t total;
    /**
     * The bill, in thousandths of the price of one fresh input token. Storage by the hour is not in it.
     */
    uint64_t billed;
    /**
     * The name of the rules that were applied. Static.
     */
    struct haversack_str rules;
    /**
     * A `haversack_cache_reason`.
     */
    uint32_t reason;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_prediction;

/**
 * Options of `haversack_cache_marks`. `{0}` is all defaults; a number with another default than 0 is given by pointing
 * to it.
 */
typedef struct haversack_mark_options {
    /**
     * `sizeof(haversack_mark_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * The rules by name. Default: those of the format and the model of the request.
     */
    struct haversack_str rules;
    /**
     * At most so many marks. Default: NULL, as many as the rules allow.
     */
    const size_t *most;
    /**
     * The life that marks in the messages ask for, such as `1h`. Default: they ask for none.
     */
    struct haversack_str life;
    /**
     * The life that marks behind tools and system ask for; not shorter than that of the messages. Default: theirs.
     */
    struct haversack_str head_life;
    /**
     * So many of the last messages are other ones in every request: no mark is wasted on them. Default: 0.
     */
    size_t changing;
    /**
     * A `haversack_wire_format`. Default: what the request shows.
     */
    uint32_t format;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
    /**
     * Other limits than those of the library for the request and the previous one, here depth. Default: NULL.
     */
    const struct haversack_limits *limits;
} haversack_mark_options;

/**
 * One mark of a plan. Its texts live as long as the plan.
 */
typedef struct haversack_cache_mark {
    /**
     * JSON Pointer to the block that it closes, in the body as it was given.
     */
    struct haversack_str pointer;
    /**
     * The life that it asks for; absent for the usual one.
     */
    struct haversack_str life;
    /**
     * The message, by its place in the list from 0; 0 where `has_message` is 0.
     */
    size_t message;
    /**
     * The block, by its place in its list; 0 where the content is one string.
     */
    size_t block;
    /**
     * A `haversack_mark_reason`.
     */
    uint32_t reason;
    /**
     * 1 when it stands in a message, 0 on tools and system.
     */
    uint32_t has_message;
} haversack_cache_mark;

/**
 * How a provider (or a server of your own) caches prompts: a row of a dated table. Its texts are static.
 */
typedef struct haversack_cache_rules {
    /**
     * `openai/auto`, `openai/breakpoint`, `anthropic`, `bedrock`, `gemini/implicit`, `gemini/explicit`, `vllm` or
     * `sglang`.
     */
    struct haversack_str name;
    /**
     * Where the rule was published, in words.
     */
    struct haversack_str source;
    /**
     * When that was read: year and month.
     */
    struct haversack_str dated;
} haversack_cache_rules;

/**
 * A number whose canonical form says another number, since no double is it. Its texts live as long as the canonical
 * text.
 */
typedef struct haversack_inexact_number {
    /**
     * Where it stands in the text that was read, in bytes.
     */
    size_t offset;
    /**
     * How it was spelt, at most 32 characters of it.
     */
    struct haversack_str read;
    /**
     * What the canonical form has in its place.
     */
    struct haversack_str written;
} haversack_inexact_number;

/**
 * One difference between two prompts. Its texts live as long as the comparison.
 */
typedef struct haversack_piece_change {
    /**
     * The piece: its name in the new prompt, or in the old one where it is gone.
     */
    struct haversack_str piece;
    /**
     * Its name in the old prompt, where that is another; else absent.
     */
    struct haversack_str was;
    /**
     * The first place in the new prompt that differs for it, from 0: where it stands, where it stood, or would stand.
     */
    size_t index;
    /**
     * The first byte of the piece that differs, even inside a character; 0 where `has_at_byte` is 0.
     */
    size_t at_byte;
    /**
     * 1 for changed pieces whose bytes differ.
     */
    uint32_t has_at_byte;
    /**
     * 0 where `at_byte` is only known to 256 bytes: the start of the stretch in which the first difference lies.
     */
    uint32_t at_byte_exact;
    /**
     * A `haversack_verdict`: shortened, reordered, changed, inserted or removed.
     */
    uint32_t verdict;
    /**
     * A `haversack_cause`.
     */
    uint32_t cause;
    /**
     * What the volatile value is, where that is the cause: a `haversack_volatile_kind`, else 0.
     */
    uint32_t volatile_kind;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_piece_change;

/**
 * A borrowed list of texts. NULL with length 0 is the empty list.
 */
typedef struct haversack_strs {
    /**
     * The first text.
     */
    const struct haversack_str *ptr;
    /**
     * How many texts there are.
     */
    size_t len;
} haversack_strs;

/**
 * What became of a number of records, or of their bytes: total = kept + shrunk + offloaded + omitted.
 */
typedef struct haversack_counts {
    /**
     * All there were.
     */
    uint64_t total;
    /**
     * Delivered whole.
     */
    uint64_t kept;
    /**
     * Delivered in part, with a visible mark.
     */
    uint64_t shrunk;
    /**
     * Stored elsewhere, with a pointer in the text.
     */
    uint64_t offloaded;
    /**
     * Not in the text.
     */
    uint64_t omitted;
} haversack_counts;

/**
 * The books of one delivery, over its outermost lists.
 */
typedef struct haversack_account {
    /**
     * In records: rows, lines, members of a map.
     */
    struct haversack_counts records;
    /**
     * In source bytes.
     */
    struct haversack_counts bytes;
    /**
     * Members that select left out: a request, not a loss.
     */
    uint64_t fields_removed;
    /**
     * 1 when the input itself said that something was left out before, else 0.
     */
    uint64_t has_claimed;
    /**
     * What it said; part of `records` already. All 0 when `has_claimed` is 0.
     */
    struct haversack_counts claimed;
} haversack_account;

/**
 * Options of `haversack_deliver`. `{0}` is all defaults; so is what `haversack_deliver_options_init` writes.
 * Everything it points to is only read during the call.
 */
typedef struct haversack_deliver_options {
    /**
     * `sizeof(haversack_deliver_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * A `haversack_format`: reads the payload as this. Default: detected.
     */
    uint32_t format;
    /**
     * A `haversack_share`: how sibling lists share the budget. Default: fair. One list gets the same under each.
     */
    uint32_t share;
    /**
     * Keeps only what these pointers lead to (RFC 6901, `*` for every element or member). Default: everything.
     *
     * This, `sort_by` and `descending` have no meaning for lines, CSV and TSV, `priority` none for NDJSON either: for
     * a format given by name they are an `invalid_option`, for one that is detected a warning.
     */
    struct haversack_strs select;
    /**
     * Orders the records of each list by the value at this pointer, relative to the record. Default: input order.
     */
    struct haversack_str sort_by;
    /**
     * 1 reverses the order of `sort_by`'s values. Default: 0.
     */
    uint32_t descending;
    /**
     * A `haversack_keep`: which end is kept.
     */
    uint32_t keep;
    /**
     * Lists served first, to their full demand. Default: none.
     */
    struct haversack_strs priority;
    /**
     * A `haversack_oversize`: what happens to a record larger than its list's whole share. Default: shrink.
     */
    uint32_t oversize;
    /**
     * A `haversack_envelope`: when a root array gets one. Default: when cut.
     */
    uint32_t envelope;
    /**
     * Delivers the page that this cursor names: a `next` of an earlier delivery of the same input.
     */
    struct haversack_str cursor;
    /**
     * A tool of this request with which the model can read on; named in the notice with the cursor.
     */
    struct haversack_str reader;
    /**
     * One line of the host's own that the notice carries. Outside JSON its invisible and bidirectional characters
     * appear as `\u{…}`.
     */
    struct haversack_str hint;
    /**
     * A `haversack_nested`: whether JSON inside strings is cut on its own records. Default: 0, it is.
     */
    uint32_t nested;
    /**
     * A `haversack_on_invalid`: what happens to input not well formed in the format given by name. Default: error.
     */
    uint32_t on_invalid;
    /**
     * Lines that hold one of these texts are kept before others. Default: none.
     */
    struct haversack_strs prefer;
    /**
     * A `haversack_ansi`: what happens to ANSI sequences in lines. Default: keep.
     */
    uint32_t ansi;
    /**
     * 1: a run of equal lines becomes its first and a count, when something must be cut. Default: 0.
     */
    uint32_t collapse;
    /**
     * A `haversack_source`: says in the notice whether the host still has the original. Default: nothing is claimed.
     */
    uint32_t source;
    /**
     * A `haversack_notice`: where the notice of NDJSON, CSV and lines goes. Default: into the text.
     */
    uint32_t notice;
    /**
     * The account of a first cut; nothing is then read from the text about earlier cuts. Default: NULL.
     */
    const struct haversack_account *earlier;
    /**
     * Other limits than those of the library; see `haversack_limits_init`. Default: NULL.
     */
    const struct haversack_limits *limits;
} haversack_deliver_options;

/**
 * How much may be delivered. A text fits when its size is at most the limit.
 */
typedef struct haversack_budget {
    /**
     * The limit, in `unit`.
     */
    size_t limit;
    /**
     * A `haversack_unit`. There is no default: 0 is `HAVERSACK_INVALID_OPTION`.
     */
    uint32_t unit;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
    /**
     * For `HAVERSACK_UNIT_TOKENS`, and NULL for every other unit. It must live as long as the budget is used.
     */
    const struct haversack_counter *counter;
} haversack_budget;

/**
 * The books of one list.
 */
typedef struct haversack_list {
    /**
     * RFC 6901 pointer into the input; `*` stands for every element or member of a summed entry; empty for the root.
     */
    struct haversack_str pointer;
    /**
     * In records.
     */
    struct haversack_counts records;
    /**
     * In source bytes.
     */
    struct haversack_counts bytes;
    /**
     * The cursor that resumes this list; absent where it cannot be resumed.
     */
    struct haversack_str next;
} haversack_list;

/**
 * A warning and the place it is about.
 */
typedef struct haversack_warning {
    /**
     * A `haversack_warning_kind`.
     */
    uint32_t kind;
    /**
     * 1 when there is an offset, else 0.
     */
    uint32_t has_offset;
    /**
     * Byte offset in the input.
     */
    size_t offset;
    /**
     * The key, pointer or name concerned; empty where there is none.
     */
    struct haversack_str subject;
} haversack_warning;

/**
 * What became of neighbouring records of one list: half-open, from 0.
 */
typedef struct haversack_run {
    /**
     * Pointer of the list; empty for a root array, a map at the root, or rows and lines.
     */
    struct haversack_str list;
    /**
     * First record of the run.
     */
    size_t from;
    /**
     * One past its last record.
     */
    size_t to;
    /**
     * A `haversack_action`: what was done.
     */
    uint32_t action;
    /**
     * A `haversack_reason`: why.
     */
    uint32_t reason;
    /**
     * Bytes of the run in the input.
     */
    size_t source_bytes;
    /**
     * Where the run starts in the delivered text, in bytes.
     */
    size_t text_from;
    /**
     * Where it ends there; equal to `text_from` when it was omitted.
     */
    size_t text_to;
} haversack_run;

/**
 * Text that you own: free it with `haversack_string_free`, and with nothing else.
 */
typedef struct haversack_string {
    /**
     * The first byte.
     */
    char *ptr;
    /**
     * How many bytes there are.
     */
    size_t len;
} haversack_string;

/**
 * One value of a key. Its texts live as long as the list.
 */
typedef struct haversack_fact {
    /**
     * Its key, as it was given.
     */
    struct haversack_str key;
    /**
     * The value as JSON, in the spelling in which it was recorded.
     */
    struct haversack_str value;
    /**
     * Where it comes from: of several sightings the most trusted one, of these a verified one, of these the first.
     */
    struct haversack_str source;
    /**
     * When it was stated there; 0 where `has_turn` is 0.
     */
    uint64_t turn;
    /**
     * How many other sightings it has.
     */
    size_t also;
    /**
     * 1 when it was stated in a turn.
     */
    uint32_t has_turn;
    /**
     * A `haversack_fact_kind`.
     */
    uint32_t kind;
    /**
     * 1 when the host checked it.
     */
    uint32_t verified;
    /**
     * 1 when another value took its place.
     */
    uint32_t superseded;
} haversack_fact;

/**
 * One more time that a value was stated. Its text lives as long as the list.
 */
typedef struct haversack_sighting {
    /**
     * Where.
     */
    struct haversack_str source;
    /**
     * When; 0 where `has_turn` is 0.
     */
    uint64_t turn;
    /**
     * 1 when it was stated in a turn.
     */
    uint32_t has_turn;
    /**
     * 1 when the host checked it there.
     */
    uint32_t verified;
} haversack_sighting;

/**
 * Options of `haversack_find`. `{0}` is all defaults; a number is given by pointing to it.
 */
typedef struct haversack_find_options {
    /**
     * `sizeof(haversack_find_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Searches the string at this pointer inside a JSON payload. Default: the payload is the text.
     */
    struct haversack_str at;
    /**
     * Lines shown before and after each match. Default: NULL, 2.
     */
    const size_t *context;
    /**
     * Matches shown at most. Default: NULL, 20.
     */
    const size_t *limit;
    /**
     * Goes on where an earlier search stopped: its `next`.
     */
    struct haversack_str cursor;
    /**
     * A tool of this request with which the model can search on; named on the first line with the cursor.
     */
    struct haversack_str reader;
    /**
     * One line of the host's own on the first line, in place of the reader's.
     */
    struct haversack_str hint;
    /**
     * Other limits than those of the library, here `needle_bytes` and, with `at`, `depth`; see
     * `haversack_limits_init`. Default: NULL.
     */
    const struct haversack_limits *limits;
} haversack_find_options;

/**
 * Something that is to work in the end, and whether it does.
 */
typedef struct haversack_feature {
    /**
     * What is to work. What the library gives lives as long as the list it came from.
     */
    struct haversack_str name;
    /**
     * 1 when it does, 0 when it does not.
     */
    uint32_t passes;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
} haversack_feature;

/**
 * Options of `haversack_session_new`. `{0}` is all defaults.
 */
typedef struct haversack_session_options {
    /**
     * `sizeof(haversack_session_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * What is done, one line each. Default: nothing.
     */
    struct haversack_strs done;
    /**
     * What is next, one line each. Default: nothing.
     */
    struct haversack_strs next;
    /**
     * What is to work, and whether it does. NULL with `feature_count` 0: nothing.
     */
    const struct haversack_feature *features;
    /**
     * How many features there are.
     */
    size_t feature_count;
} haversack_session_options;

/**
 * A file for the next session. Its texts live as long as the session.
 */
typedef struct haversack_session_file {
    /**
     * `progress.md`, `features.json` or `ledger.json`.
     */
    struct haversack_str name;
    /**
     * What is in it.
     */
    struct haversack_str text;
} haversack_session_file;

/**
 * A section by its name.
 */
typedef struct haversack_section {
    /**
     * Its name: not empty, and no other section's.
     */
    struct haversack_str name;
    /**
     * Its text; absent or empty for a section that holds nothing yet.
     */
    struct haversack_str text;
} haversack_section;

/**
 * A change of a section, for the newest message, where it stays for ever. Its texts live until the next
 * `haversack_frozen_fold`, or as long as the sections.
 */
typedef struct haversack_note {
    /**
     * The section that changed; absent when nothing did.
     */
    struct haversack_str section;
    /**
     * The text for the newest message: the whole difference from the section as written, and that it wins. Absent when
     * nothing changed.
     */
    struct haversack_str text;
    /**
     * Which version of the section it states: 2 for the first change, never given twice. 0 when nothing changed.
     */
    uint64_t version;
} haversack_note;

/**
 * What outstanding notes cost, in tokens: weigh it against a fold, which costs the cache once.
 */
typedef struct haversack_note_cost {
    /**
     * How many notes are outstanding.
     */
    size_t notes;
    /**
     * Of them, those that a later note on the same section overrides.
     */
    size_t superseded;
    /**
     * Tokens of all of them.
     */
    size_t tokens;
    /**
     * Tokens of those that are overridden.
     */
    size_t superseded_tokens;
    /**
     * Tokens of sections as written that no longer hold as written.
     */
    size_t stale_tokens;
} haversack_note_cost;

/**
 * What an action rests on. `haversack_facts_evidence` and `haversack_memory_items_evidence` write it.
 */
typedef struct haversack_evidence {
    /**
     * Where it comes from, as for `haversack_fact_options`; absent for an unknown source.
     */
    struct haversack_str source;
    /**
     * A `haversack_origin`. There is no default: 0 is `HAVERSACK_INVALID_OPTION`.
     */
    uint32_t origin;
    /**
     * 1 when the host checked it.
     */
    uint32_t verified;
    /**
     * 1 when something else took its place.
     */
    uint32_t superseded;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
} haversack_evidence;

/**
 * A finding of a worker. Its text lives as long as the handoff.
 */
typedef struct haversack_finding {
    /**
     * What was found.
     */
    struct haversack_str text;
    /**
     * How many sources it has: at least one; see `haversack_handoff_sources`.
     */
    size_t source_count;
} haversack_finding;

/**
 * A source of a finding that leads nowhere.
 */
typedef struct haversack_unresolved_source {
    /**
     * Which finding, from 0.
     */
    size_t finding;
    /**
     * Its source. Lives as long as the list.
     */
    struct haversack_str source;
} haversack_unresolved_source;

/**
 * Options of `haversack_history_parse`. `{0}` is all defaults.
 */
typedef struct haversack_history_options {
    /**
     * `sizeof(haversack_history_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * A `haversack_wire_format`. Default: detected.
     */
    uint32_t format;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
    /**
     * The profile whose rules count: `strict` or a server by name. Default: `strict`.
     */
    struct haversack_str profile;
    /**
     * The request body beside a bare list, as JSON. Default: nothing is known of it.
     */
    struct haversack_str request;
    /**
     * Other limits than those of the library, here depth; see `haversack_limits_init`. Default: NULL.
     */
    const struct haversack_limits *limits;
} haversack_history_options;

/**
 * A step: the messages from `from` up to `to`.
 */
typedef struct haversack_step {
    /**
     * A `haversack_step_kind`.
     */
    uint32_t kind;
    /**
     * Its first message.
     */
    size_t from;
    /**
     * One past its last message.
     */
    size_t to;
    /**
     * Calls that the host answers.
     */
    size_t calls;
    /**
     * Those of them without a result.
     */
    size_t open;
} haversack_step;

/**
 * What a provider would refuse, and where. Its texts live as long as the list or the repair it
 * came from.
 */
typedef struct haversack_violation {
    /**
     * A `haversack_violation_kind`.
     */
    uint32_t kind;
    /**
     * The message concerned, from 0.
     */
    size_t index;
    /**
     * JSON pointer to the place inside the list of messages.
     */
    struct haversack_str path;
    /**
     * The id concerned; absent where there is none.
     */
    struct haversack_str id;
    /**
     * A sentence that helps.
     */
    struct haversack_str message;
    /**
     * What the provider would answer; empty where no text is known.
     */
    struct haversack_str provider;
} haversack_violation;

/**
 * What is said of a value when it is recorded. `{0}` is all defaults; a turn is given by pointing to it.
 */
typedef struct haversack_fact_options {
    /**
     * `sizeof(haversack_fact_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Where it comes from, at most 4 KiB: `user`, `system`, `agent`, `tool`, `page`, `email` or `file`, and after a
     * colon which one (`tool:c1`). Default, and for whatever starts otherwise: unknown, which is not trusted.
     */
    struct haversack_str source;
    /**
     * In which turn, step or message, 0 to 2^53. Of two values of one key the one of the later turn holds; without
     * turns the one that is recorded later. Default: NULL, none.
     */
    const uint64_t *turn;
    /**
     * A `haversack_fact_kind`. Default: a fact.
     */
    uint32_t kind;
    /**
     * 1 when the host checked it. Default: 0.
     */
    uint32_t verified;
} haversack_fact_options;

/**
 * A field of a result: the key of its fact, and where it stands.
 */
typedef struct haversack_field {
    /**
     * The key under which it is recorded.
     */
    struct haversack_str key;
    /**
     * JSON Pointer (RFC 6901, without stars) to the value in the result.
     */
    struct haversack_str pointer;
} haversack_field;

/**
 * What each place of a ledger costs this turn, in tokens that a provider has to read anew.
 */
typedef struct haversack_placement_costs {
    /**
     * Behind everything that is cached: the news on the newest message.
     */
    size_t low;
    /**
     * In the system message: its text from the first changed byte on, and all that stands behind it.
     */
    size_t system;
} haversack_placement_costs;

/**
 * What is said of a text when it is added. `{0}` is all defaults; a number with another default than 0 is given by
 * pointing to it.
 */
typedef struct haversack_remember_options {
    /**
     * `sizeof(haversack_remember_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Where it comes from, as for `haversack_fact_options`. Default: unknown, which is not trusted.
     */
    struct haversack_str source;
    /**
     * How much it matters, 0 to 9. Default: NULL, 3.
     */
    const uint32_t *importance;
    /**
     * When it was said, in seconds of the host's clock, 0 to 2^53. Default: 0.
     */
    uint64_t at;
    /**
     * A `haversack_timing`: when it was written. Default: when it was said.
     */
    uint32_t timing;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
} haversack_remember_options;

/**
 * The books of a memory: offered = held + merged + declined + refused + evicted + forgotten.
 */
typedef struct haversack_memory_counts {
    /**
     * Texts that were added or declined.
     */
    uint64_t offered;
    /**
     * Texts that are held.
     */
    uint64_t held;
    /**
     * Texts that were there already.
     */
    uint64_t merged;
    /**
     * Texts that the host's own filter kept out.
     */
    uint64_t declined;
    /**
     * Texts that the cap kept out.
     */
    uint64_t refused;
    /**
     * Memories that went for others.
     */
    uint64_t evicted;
    /**
     * Memories that were forgotten.
     */
    uint64_t forgotten;
} haversack_memory_counts;

/**
 * A memory: a text with its sources. Its texts live as long as what it came from.
 */
typedef struct haversack_memory_item {
    /**
     * Its number in this memory, for good.
     */
    uint64_t id;
    /**
     * The text, as it was said first.
     */
    struct haversack_str text;
    /**
     * Where it comes from: of all times that it was said, the one that ranks first.
     */
    struct haversack_str source;
    /**
     * When it was said there, in seconds.
     */
    uint64_t at;
    /**
     * How well it fits, in 1/1024; 0 where nothing was searched for.
     */
    uint64_t score;
    /**
     * How many other times it was said.
     */
    size_t also;
    /**
     * How much it matters, said there, 0 to 9.
     */
    uint32_t importance;
    /**
     * A `haversack_timing`: when it was written there.
     */
    uint32_t timing;
} haversack_memory_item;

/**
 * One more time that a text was said. Its text lives as long as what it came from.
 */
typedef struct haversack_said {
    /**
     * By whom, or where it stood.
     */
    struct haversack_str source;
    /**
     * When, in seconds.
     */
    uint64_t at;
    /**
     * How much it matters, 0 to 9.
     */
    uint32_t importance;
    /**
     * A `haversack_timing`: when it was written.
     */
    uint32_t timing;
} haversack_said;

/**
 * When a result is offloaded, and what its pointer shows. `{0}` is all defaults.
 */
typedef struct haversack_offload_options {
    /**
     * `sizeof(haversack_offload_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * What is larger than this is offloaded; its unit is that of every size. Default: NULL, 8,000 chars.
     */
    const struct haversack_budget *over;
    /**
     * How much of the payload the pointer shows. Default: NULL, 400 chars.
     */
    const struct haversack_budget *preview;
    /**
     * A `haversack_format`: what the payload is. Default: detected.
     */
    uint32_t format;
    /**
     * A `haversack_keep`: which end the preview shows. Default: both.
     */
    uint32_t preview_keep;
    /**
     * A tool of this request with which the model can read the result back. Default: none.
     */
    struct haversack_str reader;
    /**
     * One line of the host's own in the pointer, instead of the one that names the reader. Default: none.
     */
    struct haversack_str hint;
} haversack_offload_options;

/**
 * The policy that ran, in plain numbers.
 */
typedef struct haversack_policy {
    /**
     * Larger than this is offloaded.
     */
    size_t over;
    /**
     * Size of the preview.
     */
    size_t preview;
    /**
     * A `haversack_unit`: that of `over`.
     */
    uint32_t unit;
    /**
     * A `haversack_unit`: that of `preview`.
     */
    uint32_t preview_unit;
    /**
     * A `haversack_keep`: which end the preview shows.
     */
    uint32_t preview_keep;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_policy;

/**
 * What the table knows of one result. Its texts live until the table changes or is freed.
 */
typedef struct haversack_entry {
    /**
     * Its key.
     */
    struct haversack_str key;
    /**
     * The call it is the result of: the first one, when several gave the same bytes.
     */
    struct haversack_str call_id;
    /**
     * SHA-256 of its bytes: 64 hex digits, no NUL.
     */
    uint8_t sha256[64];
    /**
     * Its length in bytes.
     */
    size_t bytes;
    /**
     * Its size, in `unit`.
     */
    size_t size;
    /**
     * A `haversack_unit`.
     */
    uint32_t unit;
    /**
     * A `haversack_format`.
     */
    uint32_t format;
    /**
     * Where in the JSON one string holds the bulk of it; absent where none does.
     */
    struct haversack_str at;
    /**
     * The excerpt that its pointer shows.
     */
    struct haversack_str preview;
    /**
     * A `haversack_entry_state`.
     */
    uint32_t state;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Where the bytes lie; absent until they are stored.
     */
    struct haversack_str location;
    /**
     * Why the store refused; absent where it did not.
     */
    struct haversack_str refused;
} haversack_entry;

/**
 * Options of `haversack_page`. `{0}` is all defaults; a number is given by pointing to it.
 */
typedef struct haversack_page_options {
    /**
     * `sizeof(haversack_page_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * First line of the page, from 1. Default: NULL, line 1. A cursor takes its place.
     */
    const size_t *start;
    /**
     * Lines of the page at most. Default: NULL, 100.
     */
    const size_t *lines;
    /**
     * Pages the string at this pointer inside a JSON payload. Default: the payload is the text.
     */
    struct haversack_str at;
    /**
     * Goes on where an earlier page or a delivery of lines stopped: its `next`.
     */
    struct haversack_str cursor;
    /**
     * A tool of this request with which the model can read on; named on the first line with the cursor.
     */
    struct haversack_str reader;
    /**
     * One line of the host's own on the first line, in place of the reader's.
     */
    struct haversack_str hint;
    /**
     * Other limits than those of the library, here `depth`, of a payload read with `at`; see `haversack_limits_init`.
     * Default: NULL.
     */
    const struct haversack_limits *limits;
} haversack_page_options;

/**
 * Options of `haversack_prompt_add` and `haversack_prompt_add_tool`. `{0}` is all defaults; a number is given by
 * pointing to it.
 */
typedef struct haversack_piece_options {
    /**
     * `sizeof(haversack_piece_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * A `haversack_layer`. Default: session; static for tools that you own.
     */
    uint32_t layer;
    /**
     * A `haversack_piece_kind`. Default: what is usual in the layer.
     */
    uint32_t kind;
    /**
     * What it may take at most, in the unit you measure in. Default: NULL, no budget.
     */
    const size_t *budget;
    /**
     * Who answers for it. Default: nobody.
     */
    struct haversack_str owner;
} haversack_piece_options;

/**
 * A piece of a prompt. Its texts live as long as the prompt.
 */
typedef struct haversack_piece {
    /**
     * Its name: yours, or `settings/KEY`, `tools/NAME`, `system`, `message N` of a request.
     */
    struct haversack_str name;
    /**
     * Its text; of a request the JSON text of the value as it was sent, without cache marks.
     */
    struct haversack_str text;
    /**
     * Who answers for it; absent where nobody does.
     */
    struct haversack_str owner;
    /**
     * What it may take at most, in the unit you measure in; 0 where `has_budget` is 0.
     */
    size_t budget;
    /**
     * A `haversack_layer`.
     */
    uint32_t layer;
    /**
     * A `haversack_piece_kind`.
     */
    uint32_t kind;
    /**
     * 1 when it has a budget.
     */
    uint32_t has_budget;
    /**
     * 1 for a message of a request: its name is its place.
     */
    uint32_t is_message;
} haversack_piece;

/**
 * A cache mark of a request. It is no content: a mark that moves changes no piece.
 */
typedef struct haversack_mark {
    /**
     * The piece it stands on, by its place in the prompt from 0.
     */
    size_t piece;
    /**
     * Bytes of the piece's text before it: the end of the block it closes.
     */
    size_t at;
    /**
     * A `haversack_mark_kind`.
     */
    uint32_t kind;
    /**
     * The life it asks for, in seconds; 0 where `has_seconds` is 0.
     */
    uint32_t seconds;
    /**
     * 1 when it asks for a life; else the provider chooses.
     */
    uint32_t has_seconds;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_mark;

/**
 * The names of the two reading tools. `{0}` is `haversack_read` and `haversack_find`.
 */
typedef struct haversack_readback {
    /**
     * Another name for the tool that reads.
     */
    struct haversack_str read_name;
    /**
     * Another name for the tool that searches.
     */
    struct haversack_str find_name;
} haversack_readback;

/**
 * The size of one piece. Its texts live as long as the report.
 */
typedef struct haversack_piece_size {
    /**
     * Its name.
     */
    struct haversack_str name;
    /**
     * Who answers for it; absent where nobody does.
     */
    struct haversack_str owner;
    /**
     * Its size, in the unit of the report.
     */
    size_t size;
    /**
     * What it may take at most; 0 where `has_budget` is 0.
     */
    size_t budget;
    /**
     * By how much it is above its budget; 0 when it is not, or has none.
     */
    size_t over;
    /**
     * 1 when it has a budget.
     */
    uint32_t has_budget;
    /**
     * A `haversack_layer`.
     */
    uint32_t layer;
    /**
     * A `haversack_piece_kind`.
     */
    uint32_t kind;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_piece_size;

/**
 * The input of a run that only appends to its prompt, in the unit that it was asked in.
 */
typedef struct haversack_growth {
    /**
     * The size of the last prompt: all that was new in the run.
     */
    uint64_t largest;
    /**
     * The sizes of all prompts together, which is the input that is billed without a cache. It grows with the square
     * of the number of calls.
     */
    uint64_t input;
    /**
     * Of these what an earlier call had sent already: the most that a prefix cache can serve.
     */
    uint64_t repeated;
} haversack_growth;

/**
 * Options of `haversack_history_cut`. `{0}` is all defaults.
 */
typedef struct haversack_cut_options {
    /**
     * `sizeof(haversack_cut_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Messages that stay, by index. NULL with `pinned_len` 0: none.
     */
    const size_t *pinned;
    /**
     * How many there are.
     */
    size_t pinned_len;
    /**
     * 1: only at indices that hold in every format. Default: 0.
     */
    uint32_t portable;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
} haversack_cut_options;

/**
 * Something that left a kept message with the cut: thinking bound to what was dropped, an id of the server.
 */
typedef struct haversack_strip {
    /**
     * The message it was in.
     */
    size_t index;
    /**
     * JSON pointer inside the list of messages.
     */
    struct haversack_str path;
    /**
     * `thinking` or `item_id`. Static.
     */
    struct haversack_str what;
} haversack_strip;

/**
 * A result that was made smaller inside a step that has to stay; sizes in the unit of the budget.
 */
typedef struct haversack_reduced {
    /**
     * The message it is in.
     */
    size_t index;
    /**
     * JSON pointer inside the list of messages.
     */
    struct haversack_str path;
    /**
     * Its size before.
     */
    size_t before;
    /**
     * Its size after.
     */
    size_t after;
} haversack_reduced;

/**
 * A message of the resulting history. Its text lives as long as the cut or repair it came from.
 */
typedef struct haversack_out_message {
    /**
     * 1 when it comes from a message of the input, 0 when it was added.
     */
    uint32_t has_source;
    /**
     * 1 when its text is that message's own.
     */
    uint32_t untouched;
    /**
     * The message that it comes from.
     */
    size_t source;
    /**
     * Its text.
     */
    struct haversack_str text;
} haversack_out_message;

/**
 * Options of `haversack_history_repair`. `{0}` is all defaults.
 */
typedef struct haversack_repair_options {
    /**
     * `sizeof(haversack_repair_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * A `haversack_missing_result`.
     */
    uint32_t missing;
    /**
     * A `haversack_orphan_result`.
     */
    uint32_t orphan;
    /**
     * 1: the history goes out next. Default: 0.
     */
    uint32_t sending;
    /**
     * Reserved: 0.
     */
    uint32_t reserved;
} haversack_repair_options;

/**
 * One change of a repair.
 */
typedef struct haversack_change {
    /**
     * A `haversack_repair_action`.
     */
    uint32_t action;
    /**
     * The `haversack_violation_kind` that it mends.
     */
    uint32_t violation;
    /**
     * The message of the input concerned.
     */
    size_t index;
    /**
     * JSON pointer inside the list of messages of the input.
     */
    struct haversack_str path;
    /**
     * One sentence.
     */
    struct haversack_str message;
} haversack_change;

/**
 * The start that two prompts share.
 */
typedef struct haversack_prefix {
    /**
     * Bytes of the pieces' texts that are equal, up to the first that differs.
     */
    size_t bytes;
    /**
     * Tokens of these, whole pieces and the beginning of the one where they part; 0 where `has_tokens` is 0.
     */
    size_t tokens;
    /**
     * How many pieces are equal as a whole.
     */
    size_t pieces;
    /**
     * The first piece where they part: of the second prompt, or of the first where the second ends; absent when all
     * texts are equal. Lives as long as that prompt.
     */
    struct haversack_str piece;
    /**
     * 1 when there was a counter.
     */
    uint32_t has_tokens;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_prefix;

/**
 * Options of `haversack_prompt_snapshot`. `{0}` is all defaults.
 */
typedef struct haversack_snapshot_options {
    /**
     * `sizeof(haversack_snapshot_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Counts the tokens of every piece, so that comparisons tell tokens, too. Default: NULL, no tokens.
     */
    const struct haversack_counter *counter;
    /**
     * Makes every digest an HMAC under this key (any bytes): without one, short texts can be guessed from a stored
     * snapshot. Only snapshots under one key compare. Default: absent, no key.
     */
    struct haversack_str key;
} haversack_snapshot_options;

/**
 * The digests of one piece: 64 hex digits each, no NUL.
 */
typedef struct haversack_digests {
    /**
     * SHA-256 (HMAC under a key) of the bytes as they were sent.
     */
    uint8_t sha256[64];
    /**
     * The same of the canonical form (RFC 8785); that of the bytes where the piece is no JSON.
     */
    uint8_t canonical_sha256[64];
} haversack_digests;

/**
 * The sums of one boundary.
 */
typedef struct haversack_sums {
    /**
     * How often something went through.
     */
    uint64_t calls;
    /**
     * Records: they close.
     */
    struct haversack_counts records;
    /**
     * Bytes of the source: they close.
     */
    struct haversack_counts bytes;
    /**
     * Of the records that are offloaded or omitted, those that can still be fetched.
     */
    uint64_t recoverable;
    /**
     * The same in bytes.
     */
    uint64_t recoverable_bytes;
    /**
     * Records that nobody can fetch any more: omitted and not recoverable. (Shrunk ones are there in part.)
     */
    uint64_t lost;
} haversack_sums;

/**
 * How often a key arrived.
 */
typedef struct haversack_survival {
    /**
     * The key. Lives as long as the list.
     */
    struct haversack_str key;
    /**
     * In how many calls it was there before.
     */
    uint64_t calls;
    /**
     * In how many of them it was there afterwards.
     */
    uint64_t arrived;
    /**
     * Arrived of calls in parts per 10,000, rounded down.
     */
    uint32_t per_10_000;
    /**
     * 1 when it almost never arrives: in less than one of 20, over at least 20 calls.
     */
    uint32_t rare;
} haversack_survival;

/**
 * Options of `haversack_tiers_new`. `{0}` is all defaults; a number is given by pointing to it.
 */
typedef struct haversack_tier_options {
    /**
     * `sizeof(haversack_tier_options)`; 0 is read as that of the first version.
     */
    size_t size;
    /**
     * Steps of the assistant whose raw results stay. Default: NULL, 2.
     */
    const size_t *raw_steps;
    /**
     * What the ledger may take. Default: NULL, all.
     */
    const struct haversack_budget *ledger;
    /**
     * Messages of the history that stay, by index. NULL with `pinned_len` 0: none.
     */
    const size_t *pinned;
    /**
     * How many there are.
     */
    size_t pinned_len;
} haversack_tier_options;

/**
 * A message, as it stands.
 */
typedef struct haversack_message {
    /**
     * Its number, for good.
     */
    uint64_t number;
    /**
     * Its JSON.
     */
    struct haversack_str text;
} haversack_message;

/**
 * A message that holds what was looked for.
 */
typedef struct haversack_transcript_hit {
    /**
     * Its number.
     */
    uint64_t number;
    /**
     * How often.
     */
    uint64_t count;
} haversack_transcript_hit;

/**
 * Messages from the first to the last, both included.
 */
typedef struct haversack_message_range {
    /**
     * The first one.
     */
    uint64_t first;
    /**
     * The last one.
     */
    uint64_t last;
} haversack_message_range;

/**
 * A reference to messages in a text. Its quote lives as long as the list.
 */
typedef struct haversack_reference {
    /**
     * The first message.
     */
    uint64_t first;
    /**
     * The last message.
     */
    uint64_t last;
    /**
     * Where it stands, in bytes.
     */
    size_t at;
    /**
     * How long it is, in bytes, the quote not included.
     */
    size_t length;
    /**
     * The words quoted behind it; absent where there are none.
     */
    struct haversack_str quote;
    /**
     * 1 when there are such messages. Not known before a transcript was asked: 0.
     */
    uint32_t exists;
    /**
     * 1 when `holds` says something; 0 where nothing is quoted, the range is wider than 100 messages, or no transcript
     * was asked.
     */
    uint32_t has_holds;
    /**
     * 1 when one of the messages holds exactly the quoted words.
     */
    uint32_t holds;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_reference;

/**
 * A line that cannot be served.
 */
typedef struct haversack_damage {
    /**
     * The number that it keeps.
     */
    uint64_t number;
    /**
     * Where it is wrong, in bytes from the start of the line.
     */
    size_t offset;
    /**
     * How many bytes it has.
     */
    size_t bytes;
    /**
     * What is wrong: a `haversack_damage_kind`.
     */
    uint32_t kind;
    /**
     * Always 0.
     */
    uint32_t reserved;
} haversack_damage;

/**
 * Bytes of a file.
 */
typedef struct haversack_byte_range {
    /**
     * The first one, from 0.
     */
    uint64_t start;
    /**
     * One past the last one.
     */
    uint64_t end;
} haversack_byte_range;

/**
 * What was read of a range of bytes.
 */
typedef struct haversack_line_counts {
    /**
     * How many lines are messages.
     */
    size_t messages;
    /**
     * How many lines are none.
     */
    size_t damage;
} haversack_line_counts;

/**
 * A volatile value in an early layer, which breaks the cache for everything behind it.
 */
typedef struct haversack_volatile_value {
    /**
     * The name of the piece. Lives as long as the list.
     */
    struct haversack_str piece;
    /**
     * Its place in the prompt, from 0.
     */
    size_t index;
    /**
     * Where the value stands in the piece, in bytes.
     */
    size_t at_byte;
    /**
     * How long it is, in bytes.
     */
    size_t bytes;
    /**
     * A `haversack_layer`: static or rare.
     */
    uint32_t layer;
    /**
     * A `haversack_volatile_kind`.
     */
    uint32_t kind;
} haversack_volatile_value;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Predicts what the provider of `next` reads from its cache, `previous` having gone before it; absent when nothing
 * has. Both bodies are read once; time and memory are linear in them. Images, files and signatures count nothing.
 *
 * Errors: `HAVERSACK_INVALID_OPTION` for argument `rules` when there are none of that name, or none is published for
 * the model and none was named, and for `counter` when there is none; what reading a request can give;
 * `HAVERSACK_FORBIDDEN_MARK` for a mark that the rules refuse in `next`, with the piece; what the counter reports.
 */
haversack_status haversack_predict(struct haversack_str previous,
                                   struct haversack_str next,
                                   const struct haversack_predict_options *options,
                                   struct haversack_prediction *out_prediction,
                                   struct haversack_error **out_error);

/**
 * Places the cache marks of a request: behind the tools, behind the system prompt, at the last block that stays, and
 * where `previous` (absent: there was none) was stored when that is too far back to be found from there. Marks that
 * stand already are replaced. Time and memory are linear in both bodies. `options` may be NULL. Doing it again changes
 * nothing.
 *
 * On success `*out_plan` is to be freed with `haversack_mark_plan_free`. Errors: `HAVERSACK_INVALID_OPTION` for
 * `rules` when they know no marks, there are none of that name, or none is published for the model, for `life` and
 * `head_life` when the rules have no such life or the head would live shorter than the tail; what reading a request
 * can give.
 */
haversack_status haversack_cache_marks(struct haversack_str body,
                                       struct haversack_str previous,
                                       const struct haversack_mark_options *options,
                                       struct haversack_mark_plan **out_plan,
                                       struct haversack_error **out_error);

/**
 * Frees a plan of marks, on any thread. NULL does nothing.
 */
void haversack_mark_plan_free(struct haversack_mark_plan *plan);

/**
 * The body with these marks and no others; everything else is its own bytes. Lives as long as the plan.
 */
struct haversack_str haversack_mark_plan_text(const struct haversack_mark_plan *plan);

/**
 * The name of the rules that were applied. Static.
 */
struct haversack_str haversack_mark_plan_rules(const struct haversack_mark_plan *plan);

/**
 * How many marks there are.
 */
size_t haversack_mark_plan_count(const struct haversack_mark_plan *plan);

/**
 * The mark of that number, from 0, in the order of the request. False, and nothing written, past the end.
 */
bool haversack_mark_plan_mark(const struct haversack_mark_plan *plan,
                              size_t index,
                              struct haversack_cache_mark *out_mark);

/**
 * Writes the first `capacity` marks that were wanted where no block may carry one, a `haversack_mark_reason` each, to
 * `reasons` and answers how many there are. `reasons` may be NULL with capacity 0.
 */
size_t haversack_mark_plan_unplaced(const struct haversack_mark_plan *plan,
                                    uint32_t *reasons,
                                    size_t capacity);

/**
 * How many rows the table of cache rules has.
 */
size_t haversack_cache_rules_count(void);

/**
 * The row of that number, from 0, of the table of cache rules. False, and nothing written, past the end.
 */
bool haversack_cache_rules_get(size_t index, struct haversack_cache_rules *out_rules);

/**
 * The row by which the owner of a `haversack_wire_format` caches prompts of a model (absent: of one that is not
 * known). False, and nothing written, where no rule is published for it.
 */
bool haversack_cache_rules_of(uint32_t format,
                              struct haversack_str model,
                              struct haversack_cache_rules *out_rules);

/**
 * The date of the whole table of cache rules. Static.
 */
struct haversack_str haversack_cache_rules_as_of(void);

/**
 * The name of a `haversack_cache_reason`, such as `hit`; absent for a number that is none. Static.
 */
struct haversack_str haversack_cache_reason_name(uint32_t reason);

/**
 * The name of a `haversack_mark_reason`, such as `tail`; absent for a number that is none. Static.
 */
struct haversack_str haversack_mark_reason_name(uint32_t reason);

/**
 * The canonical form (RFC 8785) of one JSON text: no white space, keys by their UTF-16 code units, strings and numbers
 * as ECMAScript writes them. A number that no double is is written as the nearest double and reported. `limits` may be
 * NULL; of them `depth` counts. Time `n log n` at worst, memory linear.
 *
 * On success `*out_canonical` is to be freed with `haversack_canonical_free`. Errors: `HAVERSACK_INVALID_JSON`,
 * `HAVERSACK_TOO_DEEP`, and `HAVERSACK_NOT_CANONICAL` for two equal keys in one object, half a surrogate pair, and a
 * number that is too large for a double; all with their offset.
 */
haversack_status haversack_canonical_json(struct haversack_str text,
                                          const struct haversack_limits *limits,
                                          struct haversack_canonical **out_canonical,
                                          struct haversack_error **out_error);

/**
 * Frees a canonical text, on any thread. NULL does nothing.
 */
void haversack_canonical_free(struct haversack_canonical *canonical);

/**
 * The canonical form. Lives as long as the handle.
 */
struct haversack_str haversack_canonical_text(const struct haversack_canonical *canonical);

/**
 * Whether the text that was read is its own canonical form, byte for byte.
 */
bool haversack_canonical_same(const struct haversack_canonical *canonical);

/**
 * How many numbers do not survive a double.
 */
size_t haversack_canonical_inexact_count(const struct haversack_canonical *canonical);

/**
 * The inexact number of that number, from 0, in the order of the text that was read. False, and nothing written, past
 * the end.
 */
bool haversack_canonical_inexact(const struct haversack_canonical *canonical,
                                 size_t index,
                                 struct haversack_inexact_number *out_number);

/**
 * The name of a `haversack_unit`, such as `chars`; absent for a number that is none. Static.
 */
struct haversack_str haversack_unit_name(uint32_t unit);

/**
 * The name of a `haversack_format`, such as `json`; absent for a number that is none. Static.
 */
struct haversack_str haversack_format_name(uint32_t format);

/**
 * The name of a `haversack_action`, such as `omit`; absent for a number that is none. Static.
 */
struct haversack_str haversack_action_name(uint32_t action);

/**
 * The name of a `haversack_reason`, such as `off_page`; absent for a number that is none. Static.
 */
struct haversack_str haversack_reason_name(uint32_t reason);

/**
 * The name of a `haversack_warning_kind`, such as `duplicate_key`; absent for a number that is none. Static.
 */
struct haversack_str haversack_warning_name(uint32_t kind);

/**
 * Compares a prompt with the one before it. `previous` may be NULL: there was none. Linear in the number of pieces
 * where they are equal or only appended, `n log n` between the first and the last that differ.
 *
 * On success `*out_comparison` is to be freed with `haversack_comparison_free`. Errors: `HAVERSACK_INVALID_OPTION`,
 * with argument `key`, when the snapshots were taken under different keys.
 */
haversack_status haversack_compare(const struct haversack_snapshot *previous,
                                   const struct haversack_snapshot *next,
                                   struct haversack_comparison **out_comparison,
                                   struct haversack_error **out_error);

/**
 * Frees a comparison, on any thread. NULL does nothing.
 */
void haversack_comparison_free(struct haversack_comparison *comparison);

/**
 * What happened first: a `haversack_verdict`.
 */
uint32_t haversack_comparison_verdict(const struct haversack_comparison *comparison);

/**
 * Whether a provider can go on reading all of the previous prompt from its cache: first, same or extended.
 */
bool haversack_comparison_calm(const struct haversack_comparison *comparison);

/**
 * The name of the piece where it happened; absent where nothing broke. Lives as long as the comparison.
 */
struct haversack_str haversack_comparison_piece(const struct haversack_comparison *comparison);

/**
 * The first place that differs, counted in pieces of the new prompt from 0. False, and nothing written, where nothing
 * broke.
 */
bool haversack_comparison_index(const struct haversack_comparison *comparison,
                                size_t *out_index);

/**
 * The first byte of that piece that differs, even inside a character. False, and nothing written, where no piece
 * changed its bytes.
 */
bool haversack_comparison_at_byte(const struct haversack_comparison *comparison,
                                  size_t *out_at_byte);

/**
 * Whether that byte is exact: false where it is only known to 256 bytes, since a snapshot came from JSON, and where
 * there is none.
 */
bool haversack_comparison_at_byte_exact(const struct haversack_comparison *comparison);

/**
 * Why: a `haversack_cause`.
 */
uint32_t haversack_comparison_cause(const struct haversack_comparison *comparison);

/**
 * Bytes of the previous prompt before the first break, of its pieces' texts alone.
 */
size_t haversack_comparison_kept_bytes(const struct haversack_comparison *comparison);

/**
 * Its other bytes: no cache is read for what stands in their place.
 */
size_t haversack_comparison_lost_bytes(const struct haversack_comparison *comparison);

/**
 * Tokens of the whole pieces of the previous prompt before the first break. False, and nothing written, when its
 * snapshot was taken without a counter.
 */
bool haversack_comparison_kept_tokens(const struct haversack_comparison *comparison,
                                      size_t *out_tokens);

/**
 * Its other tokens. False, and nothing written, when its snapshot was taken without a counter.
 */
bool haversack_comparison_lost_tokens(const struct haversack_comparison *comparison, size_t *out_tokens);

/**
 * How many differences there are. Pieces appended at the end are none.
 */
size_t haversack_comparison_change_count(const struct haversack_comparison *comparison);

/**
 * The difference of that number, from 0, in the order of the new prompt. False, and nothing written, past the end.
 */
bool haversack_comparison_change(const struct haversack_comparison *comparison,
                                 size_t index,
                                 struct haversack_piece_change *out_change);

/**
 * The name of a `haversack_verdict`, such as `extended`; absent for a number that is none. Static.
 */
struct haversack_str haversack_verdict_name(uint32_t verdict);

/**
 * The name of a `haversack_cause`, such as `key_order`; absent for a number that is none. Static.
 */
struct haversack_str haversack_cause_name(uint32_t cause);

/**
 * Sets all options to their defaults. `size` is `sizeof(haversack_deliver_options)` of the caller.
 * `HAVERSACK_BAD_ARGUMENT` for NULL or a size that no version has.
 */
haversack_status haversack_deliver_options_init(struct haversack_deliver_options *options, size_t size);

/**
 * Cuts `payload` to `budget` on record boundaries and says what it left out. `options` may be NULL.
 *
 * On success `*out_delivery` is a delivery to free with `haversack_delivery_free`. On failure it is untouched, and
 * `*out_error` (unless `out_error` is NULL) is an error to free with `haversack_error_free`; on success that one is
 * untouched. Any number of threads may call at once. Time is linear in the payload, which is copied nowhere.
 */
haversack_status haversack_deliver(struct haversack_str payload,
                                   struct haversack_budget budget,
                                   const struct haversack_deliver_options *options,
                                   struct haversack_delivery **out_delivery,
                                   struct haversack_error **out_error);

/**
 * Frees a delivery, on any thread. NULL does nothing.
 */
void haversack_delivery_free(struct haversack_delivery *delivery);

/**
 * The text for the model: within the budget, notice included.
 */
struct haversack_str haversack_delivery_text(const struct haversack_delivery *delivery);

/**
 * The size of the text, in `haversack_delivery_unit`.
 */
size_t haversack_delivery_size(const struct haversack_delivery *delivery);

/**
 * The unit of the budget: a `haversack_unit`.
 */
uint32_t haversack_delivery_unit(const struct haversack_delivery *delivery);

/**
 * True when nothing was omitted, shrunk or offloaded, here or (as the input claims) before.
 */
bool haversack_delivery_complete(const struct haversack_delivery *delivery);

/**
 * What the payload was read as: a `haversack_format`.
 */
uint32_t haversack_delivery_format(const struct haversack_delivery *delivery);

/**
 * The books over all lists.
 */
struct haversack_account haversack_delivery_account(const struct haversack_delivery *delivery);

/**
 * The cursor that resumes everything that can be resumed; absent at the end.
 */
struct haversack_str haversack_delivery_next(const struct haversack_delivery *delivery);

/**
 * The notice of NDJSON, CSV and lines, in the text or beside it; absent when there is none.
 */
struct haversack_str haversack_delivery_notice(const struct haversack_delivery *delivery);

/**
 * How many lists have books of their own, in document order.
 */
size_t haversack_delivery_list_count(const struct haversack_delivery *delivery);

/**
 * The books of the list of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_delivery_list(const struct haversack_delivery *delivery,
                             size_t index,
                             struct haversack_list *out_list);

/**
 * How many warnings there are.
 */
size_t haversack_delivery_warning_count(const struct haversack_delivery *delivery);

/**
 * The warning of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_delivery_warning(const struct haversack_delivery *delivery,
                                size_t index,
                                struct haversack_warning *out_warning);

/**
 * How many runs the plan has.
 */
size_t haversack_delivery_run_count(const struct haversack_delivery *delivery);

/**
 * The run of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_delivery_run(const struct haversack_delivery *delivery,
                            size_t index,
                            struct haversack_run *out_run);

/**
 * The whole answer as compact JSON: text, size, books, cursors, warnings and plan. Linear in its length.
 * On success `*out_json` is to be freed with `haversack_string_free`.
 */
haversack_status haversack_delivery_json(const struct haversack_delivery *delivery,
                                         struct haversack_string *out_json,
                                         struct haversack_error **out_error);

/**
 * Frees an error, on any thread. NULL does nothing.
 */
void haversack_error_free(struct haversack_error *error);

/**
 * The status that the failed call returned. NULL: `HAVERSACK_OK`.
 */
haversack_status haversack_error_status(const struct haversack_error *error);

/**
 * The name of the kind of error, such as `budget_too_small`; the same in every language. Static.
 */
struct haversack_str haversack_error_name(const struct haversack_error *error);

/**
 * A sentence for a person, numbers included. Lives as long as the error.
 */
struct haversack_str haversack_error_message(const struct haversack_error *error);

/**
 * The byte of the input (or of the argument that `haversack_error_argument` names) where it went wrong. False, and
 * nothing written, when this error has no such number.
 */
bool haversack_error_offset(const struct haversack_error *error,
                            size_t *out_offset);

/**
 * What should have stood there; absent when this error does not say. Static.
 */
struct haversack_str haversack_error_expected(const struct haversack_error *error);

/**
 * How much is needed, in `haversack_error_unit`: as a budget, or as a limit, this much would do. False, and nothing
 * written, when this error has no such number.
 */
bool haversack_error_needed(const struct haversack_error *error,
                            size_t *out_needed);

/**
 * How large the record is that is too large, in `haversack_error_unit`. False, and nothing written, when this error
 * has no such number.
 */
bool haversack_error_size(const struct haversack_error *error,
                          size_t *out_size);

/**
 * How much there was, in `haversack_error_unit`. False, and nothing written, when this error has no such number.
 */
bool haversack_error_available(const struct haversack_error *error,
                               size_t *out_available);

/**
 * The unit of needed, size and available: a `haversack_unit`, or 0 when they are no sizes.
 */
uint32_t haversack_error_unit(const struct haversack_error *error);

/**
 * The argument or option that is wrong; absent when this error does not say. Static.
 */
struct haversack_str haversack_error_argument(const struct haversack_error *error);

/**
 * The list concerned, as a pointer into the input; absent when this error does not say. Lives as long as the error.
 */
struct haversack_str haversack_error_pointer(const struct haversack_error *error);

/**
 * The record, row, line or list entry concerned, from 0. False, and nothing written, when this error has no such
 * number.
 */
bool haversack_error_index(const struct haversack_error *error,
                           size_t *out_index);

/**
 * The name of the piece of a prompt concerned; absent when this error has none. Lives as long as the error.
 */
struct haversack_str haversack_error_piece(const struct haversack_error *error);

/**
 * Frees a list of facts, on any thread. NULL does nothing.
 */
void haversack_facts_free(struct haversack_facts *facts);

/**
 * How many facts there are.
 */
size_t haversack_facts_count(const struct haversack_facts *facts);

/**
 * The fact of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_facts_get(const struct haversack_facts *facts, size_t index, struct haversack_fact *out_fact);

/**
 * Writes the first `capacity` other sightings of the fact of that number, in the order in which they came (of one kind
 * of source the first eight), to `sightings` and answers how many there are; 0 past the end. `sightings` may be NULL
 * with capacity 0.
 */
size_t haversack_facts_also(const struct haversack_facts *facts,
                            size_t index,
                            struct haversack_sighting *sightings,
                            size_t capacity);

/**
 * Every member of the fact of that number under its name as compact JSON, to be freed with `haversack_string_free`;
 * the value is a string that holds JSON, so that no reader changes its spelling. `HAVERSACK_BAD_ARGUMENT` past the
 * end.
 */
haversack_status haversack_facts_json(const struct haversack_facts *facts,
                                      size_t index,
                                      struct haversack_string *out_json,
                                      struct haversack_error **out_error);

/**
 * Frees what was extracted, on any thread. NULL does nothing.
 */
void haversack_extracted_free(struct haversack_extracted *extracted);

/**
 * One line that can stand in the place of the result. Lives as long as the handle.
 */
struct haversack_str haversack_extracted_text(const struct haversack_extracted *extracted);

/**
 * Writes the first `capacity` keys that were recorded, in the order of the fields, to `keys` and answers how many
 * there are. `keys` may be NULL with capacity 0. The keys live as long as the handle.
 */
size_t haversack_extracted_keys(const struct haversack_extracted *extracted,
                                struct haversack_str *keys,
                                size_t capacity);

/**
 * The books: one record, shrunk; the bytes of the recorded values are kept, the others omitted.
 */
struct haversack_account haversack_extracted_account(const struct haversack_extracted *extracted);

/**
 * `{"keys", "text", "account"}` as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_extracted_json(const struct haversack_extracted *extracted,
                                          struct haversack_string *out_json,
                                          struct haversack_error **out_error);

/**
 * The name of a `haversack_fact_kind`, such as `constraint`; absent for a number that is none. Static.
 */
struct haversack_str haversack_fact_kind_name(uint32_t kind);

/**
 * The name of a `haversack_recorded`, such as `updated`; absent for a number that is none. Static.
 */
struct haversack_str haversack_recorded_name(uint32_t recorded);

/**
 * The lines of `payload` that hold `needle`, a substring taken as it is. `options` may be NULL.
 *
 * The account counts matches. Outputs, errors, threads and cost as `haversack_deliver`.
 */
haversack_status haversack_find(struct haversack_str payload,
                                struct haversack_str needle,
                                struct haversack_budget budget,
                                const struct haversack_find_options *options,
                                struct haversack_delivery **out_delivery,
                                struct haversack_error **out_error);

/**
 * No worker yet, to be freed with `haversack_fleet_free`. NULL only after a panic inside the library.
 */
struct haversack_fleet *haversack_fleet_new(void);

/**
 * Frees a fleet, on any thread. NULL does nothing.
 */
void haversack_fleet_free(struct haversack_fleet *fleet);

/**
 * Counts a worker; the handoff is needed no more.
 */
haversack_status haversack_fleet_add(struct haversack_fleet *fleet,
                                     const struct haversack_handoff *handoff,
                                     struct haversack_error **out_error);

/**
 * How many handed back this, a `haversack_handoff_kind`; 0 for a number that is none.
 */
uint64_t haversack_fleet_count(const struct haversack_fleet *fleet, uint32_t kind);

/**
 * How many workers there were.
 */
uint64_t haversack_fleet_total(const struct haversack_fleet *fleet);

/**
 * The books of this boundary, for `haversack_tally_add`: workers as records, what they returned in bytes; findings and
 * explicit nothings are kept, all others omitted.
 */
struct haversack_account haversack_fleet_account(const struct haversack_fleet *fleet);

/**
 * One line a kind, and the total first, to be freed with `haversack_string_free`.
 */
haversack_status haversack_fleet_table(const struct haversack_fleet *fleet,
                                       struct haversack_string *out_text,
                                       struct haversack_error **out_error);

/**
 * `{"total": n, "findings": n, ...}` with every kind, as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_fleet_json(const struct haversack_fleet *fleet,
                                      struct haversack_string *out_json,
                                      struct haversack_error **out_error);

/**
 * The three files that a session leaves for the next one: `progress.md` to be read, `features.json`
 * (`haversack_read_features`) and `ledger.json` to be loaded. `date` is the day, `YYYY-MM-DD`, `goal` what is to be
 * reached; `ledger` may be NULL, which is an empty one, and so may `options`. No text makes a heading.
 *
 * On success `*out_session` is to be freed with `haversack_session_free`. Errors: `HAVERSACK_INVALID_OPTION` for
 * argument `date`: it is none.
 */
haversack_status haversack_session_new(struct haversack_str date,
                                       struct haversack_str goal,
                                       const struct haversack_ledger *ledger,
                                       const struct haversack_session_options *options,
                                       struct haversack_session **out_session,
                                       struct haversack_error **out_error);

/**
 * Frees the files of a session, on any thread. NULL does nothing.
 */
void haversack_session_free(struct haversack_session *session);

/**
 * How many files there are.
 */
size_t haversack_session_count(const struct haversack_session *session);

/**
 * The file of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_session_get(const struct haversack_session *session,
                           size_t index,
                           struct haversack_session_file *out_file);

/**
 * Reads a `features.json`. Linear in the text.
 *
 * On success `*out_features` is to be freed with `haversack_features_free`; it may be empty. Errors:
 * `HAVERSACK_INVALID_STATE`, with the offset where it is none.
 */
haversack_status haversack_read_features(struct haversack_str json,
                                         struct haversack_features **out_features,
                                         struct haversack_error **out_error);

/**
 * Frees a list of features, on any thread. NULL does nothing.
 */
void haversack_features_free(struct haversack_features *features);

/**
 * How many there are.
 */
size_t haversack_features_count(const struct haversack_features *features);

/**
 * The feature of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_features_get(const struct haversack_features *features,
                            size_t index,
                            struct haversack_feature *out_feature);

/**
 * Sections in the order in which the prompt has them; all texts are copied.
 *
 * On success `*out_frozen` is to be freed with `haversack_frozen_free`. Errors: `HAVERSACK_INVALID_OPTION` for
 * argument `name`, with the index of the section: a name that is empty or stands twice.
 */
haversack_status haversack_frozen_new(const struct haversack_section *sections,
                                      size_t count,
                                      struct haversack_frozen **out_frozen,
                                      struct haversack_error **out_error);

/**
 * Frees frozen sections, on any thread. NULL does nothing.
 */
void haversack_frozen_free(struct haversack_frozen *frozen);

/**
 * Writes the names of the first `capacity` sections to `names` and answers how many sections there are. `names` may be
 * NULL with capacity 0. The names live as long as the sections.
 */
size_t haversack_frozen_names(const struct haversack_frozen *frozen,
                              struct haversack_str *names,
                              size_t capacity);

/**
 * The section as every request has it, byte for byte what was written; empty after a folded deletion. Lives until the
 * next fold. Errors: `HAVERSACK_INVALID_OPTION` for argument `name`: no such section.
 */
haversack_status haversack_frozen_text(const struct haversack_frozen *frozen,
                                       struct haversack_str name,
                                       struct haversack_str *out_text,
                                       struct haversack_error **out_error);

/**
 * What holds now: what a fold would make the section. Lives until the next update of the section or fold. Errors as
 * `haversack_frozen_text`.
 */
haversack_status haversack_frozen_current(const struct haversack_frozen *frozen,
                                          struct haversack_str name,
                                          struct haversack_str *out_text,
                                          struct haversack_error **out_error);

/**
 * A new version of a section; an absent or empty `text` deletes. The note goes into the newest message; its `version`
 * is 0 when that version holds already. `n log n` in the lines of both texts. Errors as `haversack_frozen_text`.
 */
haversack_status haversack_frozen_update(struct haversack_frozen *frozen,
                                         struct haversack_str name,
                                         struct haversack_str text,
                                         struct haversack_note *out_note,
                                         struct haversack_error **out_error);

/**
 * How many notes are outstanding: those since the sections were written or folded.
 */
size_t haversack_frozen_note_count(const struct haversack_frozen *frozen);

/**
 * The outstanding note of that number, from 0, oldest first. False, and nothing written, past the end.
 */
bool haversack_frozen_note(const struct haversack_frozen *frozen,
                           size_t index,
                           struct haversack_note *out_note);

/**
 * What the outstanding notes cost, each text counted on its own. `counter` is not NULL. Errors:
 * `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_frozen_cost(const struct haversack_frozen *frozen,
                                       const struct haversack_counter *counter,
                                       struct haversack_note_cost *out_cost,
                                       struct haversack_error **out_error);

/**
 * Makes the current versions the sections and forgets the notes: for a compaction, when the prompt is written anew
 * anyway. Writes the names of the first `capacity` sections that changed to `names` and answers how many changed; as
 * much room as there are sections is always enough. `names` may be NULL with capacity 0. A second call changes
 * nothing.
 */
size_t haversack_frozen_fold(struct haversack_frozen *frozen,
                             struct haversack_str *names,
                             size_t capacity);

/**
 * The sections and their notes as versioned JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_frozen_json(const struct haversack_frozen *frozen,
                                       struct haversack_string *out_json,
                                       struct haversack_error **out_error);

/**
 * Sections from what `haversack_frozen_json` wrote; `HAVERSACK_INVALID_STATE` where that is not what it is.
 */
haversack_status haversack_frozen_from_json(struct haversack_str json,
                                            struct haversack_frozen **out_frozen,
                                            struct haversack_error **out_error);

/**
 * Whether an action may go ahead on this evidence, or the user is to be asked first. It is enough that the user stated
 * one of the facts in this run, or that one of the host's was verified. Memories are never enough, whoever said them;
 * nor is content, verified or not, or what the model concluded. Which facts bear on the action is for the host to say.
 * Linear in the evidence.
 *
 * `action` is what is about to be done, in words; it stands quoted in the line for the model. On success
 * `*out_grounding` is to be freed with `haversack_grounding_free`. Errors: `HAVERSACK_INVALID_OPTION` for `origin`,
 * `verified` or `superseded`, with the index of the evidence.
 */
haversack_status haversack_grounds(struct haversack_str action,
                                   const struct haversack_evidence *evidence,
                                   size_t count,
                                   struct haversack_grounding **out_grounding,
                                   struct haversack_error **out_error);

/**
 * Writes the first `capacity` facts as evidence to `evidence` and answers how many there are. `evidence` may be NULL
 * with capacity 0. Its texts live as long as the list.
 */
size_t haversack_facts_evidence(const struct haversack_facts *facts,
                                struct haversack_evidence *evidence,
                                size_t capacity);

/**
 * Writes the first `capacity` memories as evidence to `evidence` and answers how many there are. `evidence` may be
 * NULL with capacity 0. Its texts live as long as the list.
 */
size_t haversack_memory_items_evidence(const struct haversack_memory_items *items,
                                       struct haversack_evidence *evidence,
                                       size_t capacity);

/**
 * Frees what `haversack_grounds` said, on any thread. NULL does nothing.
 */
void haversack_grounding_free(struct haversack_grounding *grounding);

/**
 * The answer: a `haversack_answer`.
 */
uint32_t haversack_grounding_answer(const struct haversack_grounding *grounding);

/**
 * Why: a `haversack_grounds_reason`.
 */
uint32_t haversack_grounding_reason(const struct haversack_grounding *grounding);

/**
 * To the model, where the answer is to ask: one line that names the action and the reason. Else empty. Lives as long
 * as the handle.
 */
struct haversack_str haversack_grounding_text(const struct haversack_grounding *grounding);

/**
 * `{"answer", "reason", "text"}` as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_grounding_json(const struct haversack_grounding *grounding,
                                          struct haversack_string *out_json,
                                          struct haversack_error **out_error);

/**
 * The name of a `haversack_origin`, such as `memory`; absent for a number that is none. Static.
 */
struct haversack_str haversack_origin_name(uint32_t origin);

/**
 * The name of a `haversack_answer`, such as `ask`; absent for a number that is none. Static.
 */
struct haversack_str haversack_answer_name(uint32_t answer);

/**
 * The name of a `haversack_grounds_reason`, such as `only_memory`; absent for a number that is none. Static.
 */
struct haversack_str haversack_grounds_reason_name(uint32_t reason);

/**
 * Reads what a worker returned (absent: nothing at all), beside how its run ended, where the host knows: the `status`
 * of the run and the provider's `stop_reason`, each absent where it is not known. Linear in the text, which is copied.
 *
 * - A stop wins over whatever the text says: `max_tokens`, `length`, `tool_use` and their kin give out of budget,
 *   `error`, `failed`, `refusal` and theirs failed, in any case of letters. Other values decide nothing.
 * - Blank text, text of invisible characters and `(no output)` are silent.
 * - `{"kind":"findings","findings":[{"text":...,"sources":[...]}]}`, `{"kind":"empty","looked":[...]}`, and
 *   `{"kind":"too_big","reason":...}` (so `failed`, `not_run`, `out_of_budget`), alone or in the only fenced block.
 * - Everything else is uncheckable, with its place: `{"findings":[]}`, too.
 *
 * On success `*out_handoff` is to be freed with `haversack_handoff_free`. Only text that is no UTF-8 or not readable
 * is an error.
 */
haversack_status haversack_handoff_parse(struct haversack_str text,
                                         struct haversack_str status,
                                         struct haversack_str stop_reason,
                                         struct haversack_handoff **out_handoff,
                                         struct haversack_error **out_error);

/**
 * Frees a handoff, on any thread. NULL does nothing.
 */
void haversack_handoff_free(struct haversack_handoff *handoff);

/**
 * What was handed back: a `haversack_handoff_kind`.
 */
uint32_t haversack_handoff_kind_of(const struct haversack_handoff *handoff);

/**
 * True for the two kinds that answer the question: findings, and an explicit nothing.
 */
bool haversack_handoff_is_answer(const struct haversack_handoff *handoff);

/**
 * How many findings there are. Of a worker that was stopped, those that it had returned in whole.
 */
size_t haversack_handoff_finding_count(const struct haversack_handoff *handoff);

/**
 * The finding of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_handoff_finding(const struct haversack_handoff *handoff,
                               size_t index,
                               struct haversack_finding *out_finding);

/**
 * Writes the first `capacity` sources of the finding of that number to `sources` and answers how many it has; 0 past
 * the end. `sources` may be NULL with capacity 0.
 */
size_t haversack_handoff_sources(const struct haversack_handoff *handoff,
                                 size_t finding,
                                 struct haversack_str *sources,
                                 size_t capacity);

/**
 * Writes the first `capacity` places where a worker looked that found nothing to `places` and answers how many there
 * are: at least one, where it is empty. `places` may be NULL with capacity 0.
 */
size_t haversack_handoff_looked(const struct haversack_handoff *handoff,
                                struct haversack_str *places,
                                size_t capacity);

/**
 * Why it stopped, in its own words or those of the host; absent where nobody says.
 */
struct haversack_str haversack_handoff_reason(const struct haversack_handoff *handoff);

/**
 * Why it is uncheckable: a `haversack_handoff_problem`; 0 where it is not.
 */
uint32_t haversack_handoff_problem_of(const struct haversack_handoff *handoff);

/**
 * Where the problem is: the byte of the text where it stops being JSON. False, and nothing written, when the problem
 * has no such place.
 */
bool haversack_handoff_offset(const struct haversack_handoff *handoff,
                              size_t *out_offset);

/**
 * Where the problem is: the number of the finding, from 0. False, and nothing written, when the problem has none.
 */
bool haversack_handoff_index(const struct haversack_handoff *handoff,
                             size_t *out_index);

/**
 * What was returned, as it came; empty where nothing was.
 */
struct haversack_str haversack_handoff_text(const struct haversack_handoff *handoff);

/**
 * The sources of findings that name no message of the transcript and no key of the offloads, in order. Either may be
 * NULL, and leads nowhere then: with both of them NULL these are all sources.
 *
 * On success `*out_sources` is to be freed with `haversack_unresolved_sources_free`; it may be empty.
 */
haversack_status haversack_handoff_unresolved(const struct haversack_handoff *handoff,
                                              const struct haversack_transcript *transcript,
                                              const struct haversack_offloads *offloads,
                                              struct haversack_unresolved_sources **out_sources,
                                              struct haversack_error **out_error);

/**
 * Frees a list of sources, on any thread. NULL does nothing.
 */
void haversack_unresolved_sources_free(struct haversack_unresolved_sources *sources);

/**
 * How many there are.
 */
size_t haversack_unresolved_sources_count(const struct haversack_unresolved_sources *sources);

/**
 * The source of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_unresolved_sources_get(const struct haversack_unresolved_sources *sources,
                                      size_t index,
                                      struct haversack_unresolved_source *out_source);

/**
 * A heading that says what kind it is, and one line for each finding (with its sources), each place that was searched,
 * or the reason for the stop. Prose of an uncheckable answer is not repeated. Under a budget (NULL: all of it) lines
 * are taken in order, and the heading counts the rest.
 *
 * On success `*out_rendered` is to be freed with `haversack_rendered_free`. Errors: `HAVERSACK_BUDGET_TOO_SMALL` where
 * not even the heading fits, `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_handoff_render(const struct haversack_handoff *handoff,
                                          const struct haversack_budget *budget,
                                          struct haversack_rendered **out_rendered,
                                          struct haversack_error **out_error);

/**
 * Every member under its name as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_handoff_json(const struct haversack_handoff *handoff,
                                        struct haversack_string *out_json,
                                        struct haversack_error **out_error);

/**
 * The name of a `haversack_handoff_kind`, such as `out_of_budget`; absent for a number that is none. Static.
 */
struct haversack_str haversack_handoff_kind_name(uint32_t kind);

/**
 * The name of a `haversack_handoff_problem`, such as `no_source`; absent for a number that is none. Static.
 */
struct haversack_str haversack_handoff_problem_name(uint32_t problem);

/**
 * Reads a request body or a bare list of messages, which is copied. `options` may be NULL.
 *
 * On success `*out_history` is to be freed with `haversack_history_free`. Linear in the text.
 */
haversack_status haversack_history_parse(struct haversack_str text,
                                         const struct haversack_history_options *options,
                                         struct haversack_history **out_history,
                                         struct haversack_error **out_error);

/**
 * Frees a history, on any thread. NULL does nothing.
 */
void haversack_history_free(struct haversack_history *history);

/**
 * The format it was read as: a `haversack_wire_format`.
 */
uint32_t haversack_history_format(const struct haversack_history *history);

/**
 * Whether the format was named or shown by the text; else it was taken for OpenAI Chat.
 */
bool haversack_history_certain(const struct haversack_history *history);

/**
 * How many messages there are.
 */
size_t haversack_history_len(const struct haversack_history *history);

/**
 * The text that was read, as it came.
 */
struct haversack_str haversack_history_text(const struct haversack_history *history);

/**
 * The text of one message, as it came; absent past the end.
 */
struct haversack_str haversack_history_message(const struct haversack_history *history, size_t index);

/**
 * Writes the first `capacity` steps to `steps` and answers how many there are. `steps` may be NULL with capacity 0.
 */
size_t haversack_history_steps(const struct haversack_history *history,
                               struct haversack_step *steps,
                               size_t capacity);

/**
 * Writes the first `capacity` indices at which the history may be cut to `indices` and answers how many there are;
 * with `portable` only those that hold in every format. `indices` may be NULL with capacity 0. Every call finds them
 * anew, linear in messages and blocks; as much room as there are messages is always enough.
 */
size_t haversack_history_safe_cuts(const struct haversack_history *history,
                                   bool portable,
                                   size_t *indices,
                                   size_t capacity);

/**
 * Why `index` is no safe cut: a `haversack_cut_refusal`, written to `out_refusal`, which may be NULL. False, and
 * nothing written, when it is one. Costs as much as `haversack_history_cut_refusals`, which answers for all of them.
 */
bool haversack_history_cut_refusal(const struct haversack_history *history,
                                   size_t index,
                                   uint32_t *out_refusal);

/**
 * Writes for each of the first `capacity` messages why no cut may stand before it, a `haversack_cut_refusal`, to
 * `refusals`, and answers how many messages there are. `refusals` may be NULL with capacity 0.
 */
size_t haversack_history_cut_refusals(const struct haversack_history *history,
                                      uint32_t *refusals,
                                      size_t capacity);

/**
 * What the provider would refuse; with `sending` an open call at the end counts too.
 *
 * On success `*out_violations` is to be freed with `haversack_violations_free`; it may be empty.
 */
haversack_status haversack_history_violations(const struct haversack_history *history,
                                              bool sending,
                                              struct haversack_violations **out_violations,
                                              struct haversack_error **out_error);

/**
 * Frees a list of violations, on any thread. NULL does nothing.
 */
void haversack_violations_free(struct haversack_violations *violations);

/**
 * How many there are.
 */
size_t haversack_violations_count(const struct haversack_violations *violations);

/**
 * The violation of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_violations_get(const struct haversack_violations *violations,
                              size_t index,
                              struct haversack_violation *out_violation);

/**
 * The name of a `haversack_wire_format`, such as `anthropic`; absent for a number that is none. Static.
 */
struct haversack_str haversack_wire_format_name(uint32_t format);

/**
 * The name of a `haversack_step_kind`, such as `assistant`; absent for a number that is none. Static.
 */
struct haversack_str haversack_step_name(uint32_t kind);

/**
 * The name of a `haversack_cut_refusal`, such as `inside_step`; absent for a number that is none. Static.
 */
struct haversack_str haversack_cut_refusal_name(uint32_t refusal);

/**
 * The name of a `haversack_violation_kind`, such as `orphan_result`; absent for a number that is none. Static.
 */
struct haversack_str haversack_violation_name(uint32_t kind);

/**
 * A ledger with nothing in it, to be freed with `haversack_ledger_free`. NULL only after a panic inside the library.
 */
struct haversack_ledger *haversack_ledger_new(void);

/**
 * Frees a ledger, on any thread. NULL does nothing.
 */
void haversack_ledger_free(struct haversack_ledger *ledger);

/**
 * Records a text as the value of a key: it holds from now on, and an earlier one goes into the history. A value that
 * holds already (equal after trimming and joining blanks, and of that kind) is not recorded twice: its source is added
 * to the fact. A value of an earlier turn than the one that holds goes into the history. `options` may be NULL. Writes
 * a `haversack_recorded`. Costs the logarithm of the number of keys.
 *
 * Errors, and the ledger is then unchanged: `HAVERSACK_INVALID_OPTION` for a `key` in which nothing can be seen, a
 * `turn` above 2^53, a `kind` or `verified` that is none; `HAVERSACK_LIMIT_EXCEEDED` for a `key` above 16 KiB, a
 * `source` above 4 KiB, a `value` above 64 KiB as JSON; `HAVERSACK_MIXED_KEY` where values were appended to the key.
 */
haversack_status haversack_ledger_record(struct haversack_ledger *ledger,
                                         struct haversack_str key,
                                         struct haversack_str text,
                                         const struct haversack_fact_options *options,
                                         uint32_t *out_recorded,
                                         struct haversack_error **out_error);

/**
 * As `haversack_ledger_record`, with a value that is JSON of any type and keeps its own spelling; white space outside
 * strings is dropped. Errors as there, and `HAVERSACK_INVALID_JSON`, `HAVERSACK_TOO_DEEP`.
 */
haversack_status haversack_ledger_record_json(struct haversack_ledger *ledger,
                                              struct haversack_str key,
                                              struct haversack_str json,
                                              const struct haversack_fact_options *options,
                                              uint32_t *out_recorded,
                                              struct haversack_error **out_error);

/**
 * Adds a text to a key that has several values: none of them takes the place of another. Errors as
 * `haversack_ledger_record`; `HAVERSACK_MIXED_KEY` where a value was recorded for the key.
 */
haversack_status haversack_ledger_append(struct haversack_ledger *ledger,
                                         struct haversack_str key,
                                         struct haversack_str text,
                                         const struct haversack_fact_options *options,
                                         uint32_t *out_recorded,
                                         struct haversack_error **out_error);

/**
 * As `haversack_ledger_append`, with a value that is JSON, as for `haversack_ledger_record_json`.
 */
haversack_status haversack_ledger_append_json(struct haversack_ledger *ledger,
                                              struct haversack_str key,
                                              struct haversack_str json,
                                              const struct haversack_fact_options *options,
                                              uint32_t *out_recorded,
                                              struct haversack_error **out_error);

/**
 * Records fields of a tool result (JSON), each as it is spelt there, so that the result may leave the prompt. Of a
 * result with one field missing nothing is recorded. `options` may be NULL and are those of every field. Linear in the
 * result for each field.
 *
 * On success `*out_extracted` is to be freed with `haversack_extracted_free`. Errors: `HAVERSACK_INVALID_JSON` and
 * `HAVERSACK_TOO_DEEP` for the result; `HAVERSACK_INVALID_POINTER`; `HAVERSACK_NO_SUCH_FIELD` with the pointer that
 * leads nowhere and the index of the field; those of `haversack_ledger_record`.
 */
haversack_status haversack_ledger_extract(struct haversack_ledger *ledger,
                                          struct haversack_str result,
                                          const struct haversack_field *fields,
                                          size_t count,
                                          const struct haversack_fact_options *options,
                                          struct haversack_extracted **out_extracted,
                                          struct haversack_error **out_error);

/**
 * What holds of a key; of several values the first: a list of one, or of none where nothing was recorded. On success
 * `*out_facts` is to be freed with `haversack_facts_free`.
 */
haversack_status haversack_ledger_get(const struct haversack_ledger *ledger,
                                      struct haversack_str key,
                                      struct haversack_facts **out_facts,
                                      struct haversack_error **out_error);

/**
 * What holds of a key, in the order in which it was recorded: nothing, one value, or those that were appended. On
 * success `*out_facts` is to be freed with `haversack_facts_free`.
 */
haversack_status haversack_ledger_values(const struct haversack_ledger *ledger,
                                         struct haversack_str key,
                                         struct haversack_facts **out_facts,
                                         struct haversack_error **out_error);

/**
 * Every value that a key ever had, oldest first, those that hold included. On success `*out_facts` is to be freed with
 * `haversack_facts_free`.
 */
haversack_status haversack_ledger_history(const struct haversack_ledger *ledger,
                                          struct haversack_str key,
                                          struct haversack_facts **out_facts,
                                          struct haversack_error **out_error);

/**
 * All facts that hold, in the order in which they are shown. On success `*out_facts` is to be freed with
 * `haversack_facts_free`.
 */
haversack_status haversack_ledger_facts(const struct haversack_ledger *ledger,
                                        struct haversack_facts **out_facts,
                                        struct haversack_error **out_error);

/**
 * How many facts hold.
 */
size_t haversack_ledger_len(const struct haversack_ledger *ledger);

/**
 * Bytes of all lines in a text without a budget, without the heading.
 */
uint64_t haversack_ledger_bytes(const struct haversack_ledger *ledger);

/**
 * How often a value was recorded that held already.
 */
uint64_t haversack_ledger_merged(const struct haversack_ledger *ledger);

/**
 * The facts that hold, one line each: all of them (`budget` is NULL), or as many as fit, taken by kind (constraints,
 * decisions, tasks, identifiers, facts) and of one kind newest first; the heading says how many were left out. No fact
 * is cut, an update keeps the place of its key, and rendering twice gives the same bytes. Under a budget it costs what
 * is shown, never the ledger.
 *
 * On success `*out_rendered` is to be freed with `haversack_rendered_free`; `haversack_measure` gives its size.
 * Errors: `HAVERSACK_BUDGET_TOO_SMALL` where not even the count of what was left out fits; `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_ledger_render(const struct haversack_ledger *ledger,
                                         const struct haversack_budget *budget,
                                         struct haversack_rendered **out_rendered,
                                         struct haversack_error **out_error);

/**
 * What was recorded since the last news, for the newest message: the tail of a ledger that stands behind everything
 * that is cached. Messages before it stay as they are, so nothing cached is lost. What a budget leaves out comes with
 * the next news; after an error all of it is still to be told. `budget` may be NULL.
 *
 * Writes NULL where nothing was recorded; else `*out_rendered` is to be freed with `haversack_rendered_free`. Errors
 * as `haversack_ledger_render`.
 */
haversack_status haversack_ledger_news(struct haversack_ledger *ledger,
                                       const struct haversack_budget *budget,
                                       struct haversack_rendered **out_rendered,
                                       struct haversack_error **out_error);

/**
 * Takes everything that is recorded for told: after the whole ledger was put into the prompt. NULL does nothing.
 */
void haversack_ledger_fold(struct haversack_ledger *ledger);

/**
 * What each place of the ledger costs this turn: its news on the newest message, or all of it in the system message.
 * `previous` is the ledger's text that stands in the system message, `behind` the tokens of the prompt behind it;
 * `counter` is not NULL. Both texts are counted without a budget: linear in the ledger. Errors:
 * `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_ledger_placement_costs(const struct haversack_ledger *ledger,
                                                  struct haversack_str previous,
                                                  size_t behind,
                                                  const struct haversack_counter *counter,
                                                  struct haversack_placement_costs *out_costs,
                                                  struct haversack_error **out_error);

/**
 * The ledger with its history as versioned JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_ledger_json(const struct haversack_ledger *ledger,
                                       struct haversack_string *out_json,
                                       struct haversack_error **out_error);

/**
 * A ledger from what `haversack_ledger_json` wrote, which answers as that one would; `HAVERSACK_INVALID_STATE`, with
 * the offset or the index of the write, where that is not what it is.
 */
haversack_status haversack_ledger_from_json(struct haversack_str json,
                                            struct haversack_ledger **out_ledger,
                                            struct haversack_error **out_error);

/**
 * Sets all limits to their defaults. `size` is `sizeof(haversack_limits)` of the caller.
 * `HAVERSACK_BAD_ARGUMENT` for NULL or a size that no version has.
 */
haversack_status haversack_limits_init(struct haversack_limits *limits, size_t size);

/**
 * A budget of bytes.
 */
struct haversack_budget haversack_budget_bytes(size_t limit);

/**
 * A budget of Unicode scalar values.
 */
struct haversack_budget haversack_budget_chars(size_t limit);

/**
 * A budget of UTF-16 code units.
 */
struct haversack_budget haversack_budget_utf16(size_t limit);

/**
 * A budget of tokens as `counter` counts them; it must live as long as the budget is used.
 */
struct haversack_budget haversack_budget_tokens(size_t limit, const struct haversack_counter *counter);

/**
 * The size of `text` in the unit of `budget`; its limit plays no part. Linear in the text; counts it once.
 */
haversack_status haversack_measure(struct haversack_str text,
                                   struct haversack_budget budget,
                                   size_t *out_size,
                                   struct haversack_error **out_error);

/**
 * A memory without a cap and with nothing in it, to be freed with `haversack_memory_free`. NULL only after a panic
 * inside the library.
 */
struct haversack_memory *haversack_memory_new(void);

/**
 * A memory that holds `cap` texts; a `haversack_on_full` is what happens to one more. On success `*out_memory` is to
 * be freed with `haversack_memory_free`. Errors: `HAVERSACK_INVALID_OPTION` for an `on_full` that is none.
 */
haversack_status haversack_memory_new_capped(size_t cap,
                                             uint32_t on_full,
                                             struct haversack_memory **out_memory,
                                             struct haversack_error **out_error);

/**
 * Frees a memory, on any thread. NULL does nothing.
 */
void haversack_memory_free(struct haversack_memory *memory);

/**
 * Remembers a text. One that is there already (equal after trimming and joining blanks) is not stored twice: its
 * source is added to the memory, which from then on ranks as the best of the times that it was said. `options` may be
 * NULL. Costs the logarithm of the number of memories.
 *
 * On success `*out_added` is to be freed with `haversack_added_free`. Errors: `HAVERSACK_INVALID_OPTION` for a `text`
 * in which nothing can be seen, an `importance` above 9, an `at` above 2^53, a `timing` that is none;
 * `HAVERSACK_LIMIT_EXCEEDED` for a `text` above 64 KiB or a `source` above 4 KiB, and for argument `cap` where the
 * memory is full and rejects.
 */
haversack_status haversack_memory_add(struct haversack_memory *memory,
                                      struct haversack_str text,
                                      const struct haversack_remember_options *options,
                                      struct haversack_added **out_added,
                                      struct haversack_error **out_error);

/**
 * Counts a text that the host's own filter kept out, so that the books close. NULL does nothing.
 */
void haversack_memory_decline(struct haversack_memory *memory);

/**
 * What was known at `now` (seconds), best first, one line each: all of it (`budget` is NULL), or as much as fits.
 * Rank: the more important; of equal importance what the user or the host said, then the model's own, then content;
 * then the latest; then by text and source. The first that does not fit ends the slice. What was said after `now` is
 * left out and counted. The heading says how many were left out. Under a budget it costs what is shown, and a
 * logarithm for each line.
 *
 * On success `*out_rendered` is to be freed with `haversack_rendered_free`; `haversack_measure` gives its size.
 * Errors: `HAVERSACK_BUDGET_TOO_SMALL` where not even the count of what was left out fits; `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_memory_slice(const struct haversack_memory *memory,
                                        uint64_t now,
                                        const struct haversack_budget *budget,
                                        struct haversack_rendered **out_rendered,
                                        struct haversack_error **out_error);

/**
 * The memories that hold a word of the query, best first: BM25 over words (UAX 29) in lower case; ties by the latest,
 * then by number. Every memory is read; the first 256 different words of the query count.
 *
 * On success `*out_items` is to be freed with `haversack_memory_items_free`; it may be empty. Errors:
 * `HAVERSACK_LIMIT_EXCEEDED` for a `query` above 64 KiB.
 */
haversack_status haversack_memory_search(const struct haversack_memory *memory,
                                         struct haversack_str query,
                                         struct haversack_memory_items **out_items,
                                         struct haversack_error **out_error);

/**
 * Forgets what a source said, and all that only it said: `page:https://a.b` names one source, `page` all of that kind.
 * A memory that another source said as well stays, with that source. Writes how many memories are gone. Reads all of
 * them.
 */
haversack_status haversack_memory_forget(struct haversack_memory *memory,
                                         struct haversack_str source,
                                         uint64_t *out_gone,
                                         struct haversack_error **out_error);

/**
 * A new memory with all of `memory`, under its cap, and all of `other`, each text with every source it has; the two
 * may be one. On success `*out_memory` is to be freed with `haversack_memory_free`. Errors: `HAVERSACK_LIMIT_EXCEEDED`
 * for argument `cap` where the memory is full and rejects.
 */
haversack_status haversack_memory_merge(const struct haversack_memory *memory,
                                        const struct haversack_memory *other,
                                        struct haversack_memory **out_memory,
                                        struct haversack_error **out_error);

/**
 * The memory of that number: a list of one, or of none where there is none. On success `*out_items` is to be freed
 * with `haversack_memory_items_free`.
 */
haversack_status haversack_memory_get(const struct haversack_memory *memory,
                                      uint64_t id,
                                      struct haversack_memory_items **out_items,
                                      struct haversack_error **out_error);

/**
 * All memories, in the order of their rank. On success `*out_items` is to be freed with `haversack_memory_items_free`.
 */
haversack_status haversack_memory_all(const struct haversack_memory *memory,
                                      struct haversack_memory_items **out_items,
                                      struct haversack_error **out_error);

/**
 * How many memories there are.
 */
size_t haversack_memory_len(const struct haversack_memory *memory);

/**
 * The books: what became of everything that was offered.
 */
struct haversack_memory_counts haversack_memory_books(const struct haversack_memory *memory);

/**
 * What was remembered since the last flush, for the file of that day (`date` is `YYYY-MM-DD`). Lines keep the labels
 * of their sources. Linear in what is written.
 *
 * Writes NULL where nothing was; else `*out_file` is to be freed with `haversack_flush_file_free`. Errors:
 * `HAVERSACK_INVALID_OPTION` for a `date` that is none; nothing is then flushed.
 */
haversack_status haversack_memory_flush(struct haversack_memory *memory,
                                        struct haversack_str date,
                                        struct haversack_flush_file **out_file,
                                        struct haversack_error **out_error);

/**
 * All memories with every source as versioned JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_memory_json(const struct haversack_memory *memory,
                                       struct haversack_string *out_json,
                                       struct haversack_error **out_error);

/**
 * A memory from what `haversack_memory_json` wrote, which answers as that one would; `HAVERSACK_INVALID_STATE`, with
 * the offset or the index of the item, where that is not what it is.
 */
haversack_status haversack_memory_from_json(struct haversack_str json,
                                            struct haversack_memory **out_memory,
                                            struct haversack_error **out_error);

/**
 * The name of a `haversack_on_full`, such as `evict`; absent for a number that is none. Static.
 */
struct haversack_str haversack_on_full_name(uint32_t on_full);

/**
 * Frees a list of memories, on any thread. NULL does nothing.
 */
void haversack_memory_items_free(struct haversack_memory_items *items);

/**
 * How many memories there are.
 */
size_t haversack_memory_items_count(const struct haversack_memory_items *items);

/**
 * The memory of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_memory_items_get(const struct haversack_memory_items *items,
                                size_t index,
                                struct haversack_memory_item *out_item);

/**
 * Writes the first `capacity` other times that the memory of that number was said (one a source, of one kind of source
 * the best eight) to `said` and answers how many there are; 0 past the end. `said` may be NULL with capacity 0.
 */
size_t haversack_memory_items_also(const struct haversack_memory_items *items,
                                   size_t index,
                                   struct haversack_said *said,
                                   size_t capacity);

/**
 * Every member of the memory of that number under its name as compact JSON, with `score` where it was searched for, to
 * be freed with `haversack_string_free`. `HAVERSACK_BAD_ARGUMENT` past the end.
 */
haversack_status haversack_memory_items_json(const struct haversack_memory_items *items,
                                             size_t index,
                                             struct haversack_string *out_json,
                                             struct haversack_error **out_error);

/**
 * Frees what became of a text, on any thread. NULL does nothing.
 */
void haversack_added_free(struct haversack_added *added);

/**
 * What became of it: a `haversack_remembered`.
 */
uint32_t haversack_added_outcome(const struct haversack_added *added);

/**
 * Its number. False, and nothing written, where it was refused.
 */
bool haversack_added_id(const struct haversack_added *added, uint64_t *out_id);

/**
 * How many memories there are above the cap.
 */
uint64_t haversack_added_over(const struct haversack_added *added);

/**
 * The memory that went for it; its texts live as long as the handle. False, and nothing written, where none did.
 */
bool haversack_added_evicted(const struct haversack_added *added,
                             struct haversack_memory_item *out_item);

/**
 * Writes the first `capacity` other times that the memory that went for it was said to `said` and answers how many
 * there are; 0 where none went. `said` may be NULL with capacity 0.
 */
size_t haversack_added_evicted_also(const struct haversack_added *added,
                                    struct haversack_said *said,
                                    size_t capacity);

/**
 * `{"outcome", "id", "evicted", "over"}` as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_added_json(const struct haversack_added *added,
                                      struct haversack_string *out_json,
                                      struct haversack_error **out_error);

/**
 * Frees a flush file, on any thread. NULL does nothing.
 */
void haversack_flush_file_free(struct haversack_flush_file *file);

/**
 * `memory/YYYY-MM-DD.md`, relative to wherever the host keeps it. Lives as long as the handle.
 */
struct haversack_str haversack_flush_file_name(const struct haversack_flush_file *file);

/**
 * What to append: a heading and one line a memory, with a line feed at its end. Lives as long as the handle.
 */
struct haversack_str haversack_flush_file_text(const struct haversack_flush_file *file);

/**
 * The books: all are kept.
 */
struct haversack_account haversack_flush_file_account(const struct haversack_flush_file *file);

/**
 * `{"name", "text", "account"}` as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_flush_file_json(const struct haversack_flush_file *file,
                                           struct haversack_string *out_json,
                                           struct haversack_error **out_error);

/**
 * The message that asks a model to flush before older messages are compacted, and the answer that says it has. `date`
 * is the day, as `YYYY-MM-DD`. On success `*out_request` is to be freed with `haversack_flush_request_free`. Errors:
 * `HAVERSACK_INVALID_OPTION` for a `date` that is none.
 */
haversack_status haversack_flush_request_new(struct haversack_str date,
                                             struct haversack_flush_request **out_request,
                                             struct haversack_error **out_error);

/**
 * Frees a flush request, on any thread. NULL does nothing.
 */
void haversack_flush_request_free(struct haversack_flush_request *request);

/**
 * The file that the model is asked to write to. Lives as long as the handle.
 */
struct haversack_str haversack_flush_request_name(const struct haversack_flush_request *request);

/**
 * The message. Lives as long as the handle.
 */
struct haversack_str haversack_flush_request_text(const struct haversack_flush_request *request);

/**
 * The answer that is not to be shown to anyone. Static.
 */
struct haversack_str haversack_flush_request_silent(const struct haversack_flush_request *request);

/**
 * Whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be seen. False for
 * what is no text.
 */
bool haversack_is_silent_reply(struct haversack_str reply);

/**
 * The name of a `haversack_timing`, such as `at_once`; absent for a number that is none. Static.
 */
struct haversack_str haversack_timing_name(uint32_t timing);

/**
 * The name of a `haversack_remembered`, such as `merged`; absent for a number that is none. Static.
 */
struct haversack_str haversack_remembered_name(uint32_t remembered);

/**
 * The name of a `haversack_offload_action`, such as `store`; absent for a number that is none. Static.
 */
struct haversack_str haversack_offload_action_name(uint32_t action);

/**
 * The name of a `haversack_offload_reason`, such as `over`; absent for a number that is none. Static.
 */
struct haversack_str haversack_offload_reason_name(uint32_t reason);

/**
 * Says whether `payload`, the result of the call `call_id`, stays or is stored, and under which key. `options` may
 * be NULL.
 *
 * Stateless. On success `*out_answer` is to be freed with `haversack_offload_answer_free`. Linear in the payload.
 */
haversack_status haversack_offload(struct haversack_str payload,
                                   struct haversack_str call_id,
                                   const struct haversack_offload_options *options,
                                   struct haversack_offload_answer **out_answer,
                                   struct haversack_error **out_error);

/**
 * Frees an answer, on any thread. NULL does nothing.
 */
void haversack_offload_answer_free(struct haversack_offload_answer *answer);

/**
 * What to do: a `haversack_offload_action`.
 */
uint32_t haversack_offload_answer_action(const struct haversack_offload_answer *answer);

/**
 * Why: a `haversack_offload_reason`.
 */
uint32_t haversack_offload_answer_reason(const struct haversack_offload_answer *answer);

/**
 * The key to store it under, safe as a file name; absent when it is kept.
 */
struct haversack_str haversack_offload_answer_key(const struct haversack_offload_answer *answer);

/**
 * The length of the payload in bytes.
 */
size_t haversack_offload_answer_bytes(const struct haversack_offload_answer *answer);

/**
 * The size of the payload, in the unit of `over`.
 */
size_t haversack_offload_answer_size(const struct haversack_offload_answer *answer);

/**
 * SHA-256 of the payload in hex; absent when it is kept.
 */
struct haversack_str haversack_offload_answer_sha256(const struct haversack_offload_answer *answer);

/**
 * What the payload was read as: a `haversack_format`, 0 when it is kept.
 */
uint32_t haversack_offload_answer_format(const struct haversack_offload_answer *answer);

/**
 * Where in the JSON one string holds the bulk of it; absent where none does.
 */
struct haversack_str haversack_offload_answer_at(const struct haversack_offload_answer *answer);

/**
 * The excerpt that the pointer shows; absent when it is kept.
 */
struct haversack_str haversack_offload_answer_preview(const struct haversack_offload_answer *answer);

/**
 * The policy that ran.
 */
struct haversack_policy haversack_offload_answer_policy(const struct haversack_offload_answer *answer);

/**
 * The whole answer as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_offload_answer_json(const struct haversack_offload_answer *answer,
                                               struct haversack_string *out_json,
                                               struct haversack_error **out_error);

/**
 * The pointer, once the bytes are stored at `location`: any text that means something to the host or the model.
 * `counter` measures the pointer where `over` is in tokens, and is NULL else.
 *
 * `HAVERSACK_OUT_OF_ORDER` when the payload was to be kept. On success `*out_pointer` is to be freed with
 * `haversack_pointer_free`.
 */
haversack_status haversack_offload_answer_pointer(const struct haversack_offload_answer *answer,
                                                  struct haversack_str location,
                                                  const struct haversack_counter *counter,
                                                  struct haversack_pointer **out_pointer,
                                                  struct haversack_error **out_error);

/**
 * Frees a pointer, on any thread. NULL does nothing.
 */
void haversack_pointer_free(struct haversack_pointer *pointer);

/**
 * The text for the model, a JSON object; absent when it would not be smaller than the original: that stays.
 */
struct haversack_str haversack_pointer_text(const struct haversack_pointer *pointer);

/**
 * Why there is a text or none: a `haversack_offload_reason`.
 */
uint32_t haversack_pointer_reason(const struct haversack_pointer *pointer);

/**
 * The size of what goes to the model (the pointer, or the original), in `haversack_pointer_unit`.
 */
size_t haversack_pointer_size(const struct haversack_pointer *pointer);

/**
 * How much smaller it is than the original.
 */
size_t haversack_pointer_saved(const struct haversack_pointer *pointer);

/**
 * The unit of these sizes: a `haversack_unit`.
 */
uint32_t haversack_pointer_unit(const struct haversack_pointer *pointer);

/**
 * The books: one record, offloaded or kept, and its source bytes.
 */
struct haversack_account haversack_pointer_account(const struct haversack_pointer *pointer);

/**
 * The whole answer as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_pointer_json(const struct haversack_pointer *pointer,
                                        struct haversack_string *out_json,
                                        struct haversack_error **out_error);

/**
 * An empty table, to be freed with `haversack_offloads_free`. NULL only after a panic inside the library.
 */
struct haversack_offloads *haversack_offloads_new(void);

/**
 * Frees a table, on any thread. NULL does nothing.
 */
void haversack_offloads_free(struct haversack_offloads *offloads);

/**
 * Says what to do with `payload`, the result of the call `call_id`: keep it, store it and then answer with
 * `haversack_offloads_commit` or `haversack_offloads_refuse`, or use the pointer of the same bytes stored before.
 * `options` may be NULL. On success `*out_prepared` is to be freed with `haversack_prepared_free`.
 */
haversack_status haversack_offloads_prepare(struct haversack_offloads *offloads,
                                            struct haversack_str payload,
                                            struct haversack_str call_id,
                                            const struct haversack_offload_options *options,
                                            struct haversack_prepared **out_prepared,
                                            struct haversack_error **out_error);

/**
 * Takes the answer "stored, at `location`", and gives the pointer for the message. `counter` measures it where `over`
 * was in tokens, and is NULL else. After an error the key is still to be answered.
 */
haversack_status haversack_offloads_commit(struct haversack_offloads *offloads,
                                           struct haversack_str key,
                                           struct haversack_str location,
                                           const struct haversack_counter *counter,
                                           struct haversack_pointer **out_pointer,
                                           struct haversack_error **out_error);

/**
 * Takes the answer "the store would not have it": the original stays in the message, and the reason is recorded.
 */
haversack_status haversack_offloads_refuse(struct haversack_offloads *offloads,
                                           struct haversack_str key,
                                           struct haversack_str reason,
                                           struct haversack_error **out_error);

/**
 * Nothing that the call `call_id` returns is offloaded: for calls of readers.
 */
haversack_status haversack_offloads_exempt(struct haversack_offloads *offloads,
                                           struct haversack_str call_id,
                                           struct haversack_error **out_error);

/**
 * Checks that `bytes`, read back from the store, are those that were offloaded under `key`:
 * `HAVERSACK_UNKNOWN_KEY`, `HAVERSACK_DIGEST_MISMATCH`.
 */
haversack_status haversack_offloads_verify(const struct haversack_offloads *offloads,
                                           struct haversack_str key,
                                           struct haversack_str bytes,
                                           struct haversack_error **out_error);

/**
 * How many results the table knows.
 */
size_t haversack_offloads_entry_count(const struct haversack_offloads *offloads);

/**
 * The result of that number, from 0, in the order in which they were prepared. False, and nothing written, past the
 * end.
 */
bool haversack_offloads_entry(const struct haversack_offloads *offloads,
                              size_t index,
                              struct haversack_entry *out_entry);

/**
 * The result under `key`. False, and nothing written, when the table has none; a key from a model is looked up here
 * and nowhere else.
 */
bool haversack_offloads_lookup(const struct haversack_offloads *offloads,
                               struct haversack_str key,
                               struct haversack_entry *out_entry);

/**
 * The table as versioned JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_offloads_json(const struct haversack_offloads *offloads,
                                         struct haversack_string *out_json,
                                         struct haversack_error **out_error);

/**
 * A table from what `haversack_offloads_json` wrote; `HAVERSACK_INVALID_STATE` where that is not what it is.
 */
haversack_status haversack_offloads_from_json(struct haversack_str json,
                                              struct haversack_offloads **out_offloads,
                                              struct haversack_error **out_error);

/**
 * Frees what the table said, on any thread. NULL does nothing.
 */
void haversack_prepared_free(struct haversack_prepared *prepared);

/**
 * What to do: a `haversack_offload_action`.
 */
uint32_t haversack_prepared_action(const struct haversack_prepared *prepared);

/**
 * Why: a `haversack_offload_reason`.
 */
uint32_t haversack_prepared_reason(const struct haversack_prepared *prepared);

/**
 * The key to store the bytes under, or under which they lie; absent when there is none.
 */
struct haversack_str haversack_prepared_key(const struct haversack_prepared *prepared);

/**
 * The pointer, where the same bytes were stored before; else absent.
 */
struct haversack_str haversack_prepared_text(const struct haversack_prepared *prepared);

/**
 * The books of what stands in the message now.
 */
struct haversack_account haversack_prepared_account(const struct haversack_prepared *prepared);

/**
 * The whole answer as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_prepared_json(const struct haversack_prepared *prepared,
                                         struct haversack_string *out_json,
                                         struct haversack_error **out_error);

/**
 * A page of the lines of `payload` under a first line with its range and the total. `options` may be NULL.
 *
 * Outputs, errors, threads and cost as `haversack_deliver`; the delivery's `next` goes on from what was shown.
 */
haversack_status haversack_page(struct haversack_str payload,
                                struct haversack_budget budget,
                                const struct haversack_page_options *options,
                                struct haversack_delivery **out_delivery,
                                struct haversack_error **out_error);

/**
 * A prompt without pieces, to be freed with `haversack_prompt_free`. NULL only after a panic inside the library.
 */
struct haversack_prompt *haversack_prompt_new(void);

/**
 * Takes a request body, or a bare list of messages, apart: `settings/KEY`, `tools/NAME`, `system`, `message N`.
 * `format` is a `haversack_wire_format`, 0 to detect it; of `limits`, which may be NULL, `depth` counts. Cache marks
 * and the order of the members of the body are no content. A content that is a list of one plain text block is the
 * same as that text: providers take both alike, and a mark needs the block.
 *
 * The text is copied once; time and memory are linear in it.
 *
 * On success `*out_prompt` is to be freed with `haversack_prompt_free`. Errors: `HAVERSACK_INVALID_JSON`,
 * `HAVERSACK_INVALID_UTF8`, `HAVERSACK_TOO_DEEP`, `HAVERSACK_NOT_A_HISTORY`, `HAVERSACK_MIXED_FORMATS`.
 */
haversack_status haversack_prompt_from_request(struct haversack_str body,
                                               uint32_t format,
                                               const struct haversack_limits *limits,
                                               struct haversack_prompt **out_prompt,
                                               struct haversack_error **out_error);

/**
 * Frees a prompt, on any thread. NULL does nothing.
 */
void haversack_prompt_free(struct haversack_prompt *prompt);

/**
 * Adds a piece at the end of its layer. Both texts are copied. `options` may be NULL. After an error the prompt is as
 * it was.
 *
 * Errors: `HAVERSACK_DUPLICATE_PIECE` and `HAVERSACK_UNKNOWN_LAYER`, with the name as `haversack_error_piece`.
 */
haversack_status haversack_prompt_add(struct haversack_prompt *prompt,
                                      struct haversack_str name,
                                      struct haversack_str text,
                                      const struct haversack_piece_options *options,
                                      struct haversack_error **out_error);

/**
 * The same prompt before anyone spoke: without conversation and notes, with all settings, instructions, tools and
 * facts. What a sub-agent with a blank history starts from. Texts are shared. To be freed with
 * `haversack_prompt_free`; NULL for NULL.
 */
struct haversack_prompt *haversack_prompt_without_conversation(const struct haversack_prompt *prompt);

/**
 * How many pieces there are.
 */
size_t haversack_prompt_len(const struct haversack_prompt *prompt);

/**
 * The wire format of the request that it was taken from: a `haversack_wire_format`; 0 where it was not.
 */
uint32_t haversack_prompt_format(const struct haversack_prompt *prompt);

/**
 * Writes the first `capacity` pieces, in the order of the prompt, to `pieces` and answers how many there are. `pieces`
 * may be NULL with capacity 0.
 */
size_t haversack_prompt_pieces(const struct haversack_prompt *prompt,
                               struct haversack_piece *pieces,
                               size_t capacity);

/**
 * The piece of that name. False, and nothing written, when there is none. Linear in the number of pieces.
 */
bool haversack_prompt_lookup(const struct haversack_prompt *prompt,
                             struct haversack_str name,
                             struct haversack_piece *out_piece);

/**
 * Writes the first `capacity` cache marks on pieces, in the order of the prompt, to `marks` and answers how many there
 * are. `marks` may be NULL with capacity 0.
 */
size_t haversack_prompt_marks(const struct haversack_prompt *prompt,
                              struct haversack_mark *marks,
                              size_t capacity);

/**
 * The cache mark of the whole request, which stands wherever the request ends: its `piece` and `at` are 0 and say
 * nothing. False, and nothing written, when there is none.
 */
bool haversack_prompt_automatic_mark(const struct haversack_prompt *prompt,
                                     struct haversack_mark *out_mark);

/**
 * The name of a `haversack_layer`, such as `static`; absent for a number that is none. Static.
 */
struct haversack_str haversack_layer_name(uint32_t layer);

/**
 * The name of a `haversack_piece_kind`, such as `tool`; absent for a number that is none. Static.
 */
struct haversack_str haversack_piece_kind_name(uint32_t kind);

/**
 * The name of a `haversack_mark_kind`, such as `cache_control`; absent for a number that is none. Static.
 */
struct haversack_str haversack_mark_kind_name(uint32_t kind);

/**
 * The value of a request's `tools` member (for MCP: of the answer to `tools/list`), as compact JSON. `flavour` is a
 * `haversack_flavour`; `names` may be NULL. On success `*out_json` is to be freed with `haversack_string_free`.
 */
haversack_status haversack_tool_definitions(uint32_t flavour,
                                            const struct haversack_readback *names,
                                            struct haversack_string *out_json,
                                            struct haversack_error **out_error);

/**
 * Reads a call of the model, its tool `name` and `arguments` (JSON): which stored result it wants, and what of it.
 * Strict, because they come from a model; `haversack_readback_error_text` makes the answer to a call that failed.
 *
 * `names` may be NULL. On success `*out_request` is to be freed with `haversack_request_free`; it does not need the
 * table any more.
 */
haversack_status haversack_readback_request(const struct haversack_offloads *offloads,
                                            struct haversack_str name,
                                            struct haversack_str arguments,
                                            const struct haversack_readback *names,
                                            struct haversack_request **out_request,
                                            struct haversack_error **out_error);

/**
 * Frees a request, on any thread. NULL does nothing.
 */
void haversack_request_free(struct haversack_request *request);

/**
 * The key, as it stands in the table.
 */
struct haversack_str haversack_request_key(const struct haversack_request *request);

/**
 * Where the bytes are to be fetched, from the table and never from the model.
 */
struct haversack_str haversack_request_location(const struct haversack_request *request);

/**
 * The page or the matches the model asked for, from the stored `bytes`, within `budget`.
 * `HAVERSACK_DIGEST_MISMATCH` when these are not the bytes that were offloaded. Outputs as `haversack_deliver`.
 */
haversack_status haversack_request_answer(const struct haversack_request *request,
                                          struct haversack_str bytes,
                                          struct haversack_budget budget,
                                          struct haversack_delivery **out_delivery,
                                          struct haversack_error **out_error);

/**
 * The text for a model whose call failed with `error`: one line, bounded. To be freed with `haversack_string_free`.
 */
haversack_status haversack_readback_error_text(const struct haversack_error *error,
                                               struct haversack_string *out_text,
                                               struct haversack_error **out_error);

/**
 * Adds a tool that you own as the piece `tools/NAME`, in the canonical form (RFC 8785) of its definition, so that the
 * same definition has the same bytes however its keys were ordered. In its layer (static by default) such tools come
 * first, by name. What a model or a provider wrote is never serialised anew: add that with `haversack_prompt_add`.
 * `options` may be NULL; their kind must be tool or not given.
 *
 * Errors: `HAVERSACK_INVALID_JSON`, `HAVERSACK_TOO_DEEP`, `HAVERSACK_NOT_CANONICAL`, `HAVERSACK_DUPLICATE_PIECE`,
 * `HAVERSACK_UNKNOWN_LAYER`, with the name as `haversack_error_piece`.
 */
haversack_status haversack_prompt_add_tool(struct haversack_prompt *prompt,
                                           struct haversack_str name,
                                           struct haversack_str definition,
                                           const struct haversack_piece_options *options,
                                           struct haversack_error **out_error);

/**
 * The texts of all pieces but settings, in the order of the prompt, a blank line between two of them, to be freed with
 * `haversack_string_free`. The same pieces give the same bytes everywhere.
 */
haversack_status haversack_prompt_render(const struct haversack_prompt *prompt,
                                         struct haversack_string *out_text,
                                         struct haversack_error **out_error);

/**
 * The definitions of the tools added with `haversack_prompt_add_tool`, as one JSON array in the order of the prompt:
 * the `tools` of a request. To be freed with `haversack_string_free`.
 */
haversack_status haversack_prompt_tools(const struct haversack_prompt *prompt,
                                        struct haversack_string *out_json,
                                        struct haversack_error **out_error);

/**
 * Frees a rendered text, on any thread. NULL does nothing.
 */
void haversack_rendered_free(struct haversack_rendered *rendered);

/**
 * The text: a heading and one line an entry, without a line feed at its end. Lives as long as the handle.
 */
struct haversack_str haversack_rendered_text(const struct haversack_rendered *rendered);

/**
 * The books: entries as records, their lines (each with its line feed) in bytes.
 */
struct haversack_account haversack_rendered_account(const struct haversack_rendered *rendered);

/**
 * The rule by which entries are left out, in words. Static.
 */
struct haversack_str haversack_rendered_rule(const struct haversack_rendered *rendered);

/**
 * True when nothing was left out.
 */
bool haversack_rendered_complete(const struct haversack_rendered *rendered);

/**
 * `{"text", "account", "rule"}` as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_rendered_json(const struct haversack_rendered *rendered,
                                         struct haversack_string *out_json,
                                         struct haversack_error **out_error);

/**
 * Measures every piece in the unit of `budget`, whose limit is what all pieces together may take, `SIZE_MAX` for no
 * limit. Budgets of pieces are in the same unit. Each piece is measured on its own, cached or not: a cache lowers a
 * price, not a size. Linear in the texts; with a counter one call a piece and a tool result.
 *
 * On success `*out_report` is to be freed with `haversack_report_free`. Errors: `HAVERSACK_COUNTER_FAILED`, with the
 * piece.
 */
haversack_status haversack_prompt_report(const struct haversack_prompt *prompt,
                                         struct haversack_budget budget,
                                         struct haversack_report **out_report,
                                         struct haversack_error **out_error);

/**
 * Frees a report, on any thread. NULL does nothing.
 */
void haversack_report_free(struct haversack_report *report);

/**
 * The unit of every size: a `haversack_unit`.
 */
uint32_t haversack_report_unit(const struct haversack_report *report);

/**
 * How many pieces there are.
 */
size_t haversack_report_count(const struct haversack_report *report);

/**
 * The piece of that number, from 0, in the order of the prompt. False, and nothing written, past the end.
 */
bool haversack_report_piece(const struct haversack_report *report,
                            size_t index,
                            struct haversack_piece_size *out_piece);

/**
 * The size of a `haversack_layer`, without settings; 0 for a number that is none.
 */
size_t haversack_report_layer(const struct haversack_report *report, uint32_t layer);

/**
 * The size of a `haversack_piece_kind`; 0 for a number that is none.
 */
size_t haversack_report_kind(const struct haversack_report *report, uint32_t kind);

/**
 * The size of all pieces together but settings, which no model reads.
 */
size_t haversack_report_total(const struct haversack_report *report);

/**
 * What all of them may take at most. False, and nothing written, where there is no limit.
 */
bool haversack_report_budget(const struct haversack_report *report, size_t *out_budget);

/**
 * By how much all of it is above the budget; 0 when it is not, or there is none.
 */
size_t haversack_report_over(const struct haversack_report *report);

/**
 * The size of what stands before the conversation starts: instructions, tools, facts.
 */
size_t haversack_report_before_conversation(const struct haversack_report *report);

/**
 * The size of tool results that the model has answered since; 0 for prompts that were not taken from a request.
 */
size_t haversack_report_old_results(const struct haversack_report *report);

/**
 * The size of the errors among them whose tool gave a result later on; they are not counted as old results again.
 */
size_t haversack_report_resolved_errors(const struct haversack_report *report);

/**
 * The size of scratch work that is done: the model's thinking in turns that ended, which is before the last message of
 * the user's own.
 */
size_t haversack_report_thinking(const struct haversack_report *report);

/**
 * How much of the total is dead weight (old results, resolved errors, thinking), in parts per 10,000, rounded down.
 */
uint32_t haversack_report_dead_share(const struct haversack_report *report);

/**
 * What the conversation has grown by for each answer of the model so far, rounded up: see `haversack_estimate_growth`.
 * False, and nothing written, before the first answer, and for prompts that were not taken from a request.
 */
bool haversack_report_per_call(const struct haversack_report *report,
                               size_t *out_size);

/**
 * Estimates the input of `calls` calls, the first of which sends `first` and each later one `per_call` more than the
 * one before it, in any unit. Sums stop at `UINT64_MAX`; no call has no input.
 */
struct haversack_growth haversack_estimate_growth(uint64_t first,
                                                  uint64_t per_call,
                                                  uint64_t calls);

/**
 * Cuts the front so that what is kept is within `keep`, system prompt and pins included. `options` may be NULL.
 *
 * On success `*out_cut` is to be freed with `haversack_cut_free`; `haversack_cut_found` tells
 * whether there is a cut. `HAVERSACK_BUDGET_TOO_SMALL` when what has to stay cannot be made to fit.
 */
haversack_status haversack_history_cut(const struct haversack_history *history,
                                       struct haversack_budget keep,
                                       const struct haversack_cut_options *options,
                                       struct haversack_cut **out_cut,
                                       struct haversack_error **out_error);

/**
 * As `haversack_history_cut`, for a number of messages instead of a size.
 */
haversack_status haversack_history_cut_messages(const struct haversack_history *history,
                                                size_t keep,
                                                const struct haversack_cut_options *options,
                                                struct haversack_cut **out_cut,
                                                struct haversack_error **out_error);

/**
 * Frees the answer to a cut, on any thread. NULL does nothing.
 */
void haversack_cut_free(struct haversack_cut *cut);

/**
 * Whether there is a cut; else `haversack_cut_nothing` says why not, and everything else answers nothing.
 */
bool haversack_cut_found(const struct haversack_cut *cut);

/**
 * Why nothing was cut: a `haversack_nothing_to_cut`.
 */
uint32_t haversack_cut_nothing(const struct haversack_cut *cut);

/**
 * The first message that is kept for its place: the system prompt and pins come before it.
 */
size_t haversack_cut_index(const struct haversack_cut *cut);

/**
 * Why there: one sentence.
 */
struct haversack_str haversack_cut_reason(const struct haversack_cut *cut);

/**
 * Writes the first `capacity` indices of the messages kept and answers how many there are.
 */
size_t haversack_cut_kept(const struct haversack_cut *cut, size_t *indices, size_t capacity);

/**
 * Writes the first `capacity` indices of the messages dropped and answers how many there are.
 */
size_t haversack_cut_dropped(const struct haversack_cut *cut, size_t *indices, size_t capacity);

/**
 * Size of the whole history, in the unit of the budget (or in messages).
 */
size_t haversack_cut_size_before(const struct haversack_cut *cut);

/**
 * Size of what is kept.
 */
size_t haversack_cut_size_after(const struct haversack_cut *cut);

/**
 * What happens to the turn of roles: a `haversack_alternation`.
 */
uint32_t haversack_cut_alternation(const struct haversack_cut *cut);

/**
 * How many things left kept messages with the cut.
 */
size_t haversack_cut_strip_count(const struct haversack_cut *cut);

/**
 * What left a kept message with the cut, by its number from 0. False, and nothing written, past the end.
 */
bool haversack_cut_strip(const struct haversack_cut *cut, size_t index, struct haversack_strip *out_strip);

/**
 * How many results were made smaller.
 */
size_t haversack_cut_reduced_count(const struct haversack_cut *cut);

/**
 * The result of that number that was made smaller, from 0. False, and nothing written, past the end.
 */
bool haversack_cut_reduced(const struct haversack_cut *cut,
                           size_t index,
                           struct haversack_reduced *out_reduced);

/**
 * How many messages the history has after the cut.
 */
size_t haversack_cut_message_count(const struct haversack_cut *cut);

/**
 * The message of that number of the history after the cut, from 0. False, and nothing written, past the end.
 */
bool haversack_cut_message(const struct haversack_cut *cut,
                           size_t index,
                           struct haversack_out_message *out_message);

/**
 * The whole text after the cut: a body stays a body, a list a list. Absent when nothing was cut.
 */
struct haversack_str haversack_cut_text(const struct haversack_cut *cut);

/**
 * The smallest change after which nothing is refused, or only what `haversack_repair_remaining` tells. `options` may
 * be NULL.
 *
 * On success `*out_repair` is to be freed with `haversack_repair_free`.
 */
haversack_status haversack_history_repair(const struct haversack_history *history,
                                          const struct haversack_repair_options *options,
                                          struct haversack_repair **out_repair,
                                          struct haversack_error **out_error);

/**
 * Frees a repair, on any thread. NULL does nothing.
 */
void haversack_repair_free(struct haversack_repair *repair);

/**
 * How many changes there are; 0 when the history was valid.
 */
size_t haversack_repair_change_count(const struct haversack_repair *repair);

/**
 * The change of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_repair_change(const struct haversack_repair *repair,
                             size_t index,
                             struct haversack_change *out_change);

/**
 * How many violations remain that no change of the messages mends: a limit, tools that the request does not declare,
 * thinking that was lost. 0 as a rule.
 */
size_t haversack_repair_remaining_count(const struct haversack_repair *repair);

/**
 * The remaining violation of that number, from 0; its index and path are those of the resulting messages, its texts
 * live as long as the repair. False, and nothing written, past the end.
 */
bool haversack_repair_remaining(const struct haversack_repair *repair,
                                size_t index,
                                struct haversack_violation *out_violation);

/**
 * How many messages the repaired history has.
 */
size_t haversack_repair_message_count(const struct haversack_repair *repair);

/**
 * The message of that number of the repaired history, from 0. False, and nothing written, past the end.
 */
bool haversack_repair_message(const struct haversack_repair *repair,
                              size_t index,
                              struct haversack_out_message *out_message);

/**
 * The whole text after the repair: a body stays a body, a list a list.
 */
struct haversack_str haversack_repair_text(const struct haversack_repair *repair);

/**
 * The name of a `haversack_alternation`; absent for a number that is none. Static.
 */
struct haversack_str haversack_alternation_name(uint32_t alternation);

/**
 * The name of a `haversack_nothing_to_cut`, such as `fits`; absent for a number that is none. Static.
 */
struct haversack_str haversack_nothing_to_cut_name(uint32_t reason);

/**
 * The name of a `haversack_repair_action`, such as `hoist`; absent for a number that is none. Static.
 */
struct haversack_str haversack_repair_action_name(uint32_t action);

/**
 * Compares two prompts from their start, by the bytes of their pieces: names break no cache. `counter` may be NULL.
 * Linear in what they share. Errors: `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_shared_prefix(const struct haversack_prompt *a,
                                         const struct haversack_prompt *b,
                                         const struct haversack_counter *counter,
                                         struct haversack_prefix *out_prefix,
                                         struct haversack_error **out_error);

/**
 * The prompt as it is now. `options` may be NULL. Linear in the prompt: SHA-256 of every text, and of the canonical
 * form of those that are JSON and not canonical.
 *
 * On success `*out_snapshot` is to be freed with `haversack_snapshot_free`. Errors: `HAVERSACK_COUNTER_FAILED`, with
 * the piece.
 */
haversack_status haversack_prompt_snapshot(const struct haversack_prompt *prompt,
                                           const struct haversack_snapshot_options *options,
                                           struct haversack_snapshot **out_snapshot,
                                           struct haversack_error **out_error);

/**
 * Frees a snapshot, on any thread. NULL does nothing.
 */
void haversack_snapshot_free(struct haversack_snapshot *snapshot);

/**
 * The snapshot as versioned JSON without any text of the prompt but the names of its pieces, to be freed with
 * `haversack_string_free`.
 */
haversack_status haversack_snapshot_json(const struct haversack_snapshot *snapshot,
                                         struct haversack_string *out_json,
                                         struct haversack_error **out_error);

/**
 * A snapshot from what `haversack_snapshot_json` wrote; `HAVERSACK_INVALID_STATE` for another version, or what was
 * changed since.
 */
haversack_status haversack_snapshot_from_json(struct haversack_str json,
                                              struct haversack_snapshot **out_snapshot,
                                              struct haversack_error **out_error);

/**
 * How many pieces there are.
 */
size_t haversack_snapshot_len(const struct haversack_snapshot *snapshot);

/**
 * Bytes of all pieces together.
 */
size_t haversack_snapshot_bytes(const struct haversack_snapshot *snapshot);

/**
 * Tokens of all pieces together, each counted on its own. False, and nothing written, without a counter.
 */
bool haversack_snapshot_tokens(const struct haversack_snapshot *snapshot, size_t *out_tokens);

/**
 * Writes the names of the first `capacity` pieces to `names` and answers how many pieces there are. `names` may be
 * NULL with capacity 0. The names live as long as the snapshot.
 */
size_t haversack_snapshot_names(const struct haversack_snapshot *snapshot,
                                struct haversack_str *names,
                                size_t capacity);

/**
 * The digests of the piece of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_snapshot_digests(const struct haversack_snapshot *snapshot,
                                size_t index,
                                struct haversack_digests *out_digests);

/**
 * The name of a status, such as `budget_too_small`; `unknown` for a number that is none. Static.
 */
struct haversack_str haversack_status_name(uint32_t status);

/**
 * Books with nothing in them, to be freed with `haversack_tally_free`. NULL only after a panic inside the library.
 */
struct haversack_tally *haversack_tally_new(void);

/**
 * Frees a tally, on any thread. NULL does nothing.
 */
void haversack_tally_free(struct haversack_tally *tally);

/**
 * Adds the account of one call at `boundary`, a `haversack_boundary`. What was offloaded can be fetched; `recoverable`
 * says whether what was omitted can be too, since the host still has the source. After an error the books are as they
 * were.
 *
 * Errors: `HAVERSACK_OPEN_BOOKS` where the parts of an account do not sum to its total; `HAVERSACK_LIMIT_EXCEEDED`
 * where a sum would pass 2^53; `HAVERSACK_INVALID_OPTION` for argument `boundary`.
 */
haversack_status haversack_tally_add(struct haversack_tally *tally,
                                     uint32_t boundary,
                                     struct haversack_account account,
                                     bool recoverable,
                                     struct haversack_error **out_error);

/**
 * Says of a key that was there before a boundary whether it was there afterwards; the key is copied.
 *
 * Errors: `HAVERSACK_LIMIT_EXCEEDED` for a key longer than 1,024 bytes, and for one more than 4,096 different ones.
 */
haversack_status haversack_tally_seen(struct haversack_tally *tally,
                                      struct haversack_str key,
                                      bool arrived,
                                      struct haversack_error **out_error);

/**
 * Writes the first `capacity` boundaries that something went through, each a `haversack_boundary`, in the order of
 * their numbers, to `boundaries` and answers how many there are. `boundaries` may be NULL with capacity 0.
 */
size_t haversack_tally_boundaries(const struct haversack_tally *tally,
                                  uint32_t *boundaries,
                                  size_t capacity);

/**
 * The sums of a `haversack_boundary`. False, and nothing written, where nothing went through, and for a number that is
 * none.
 */
bool haversack_tally_sums(const struct haversack_tally *tally,
                          uint32_t boundary,
                          struct haversack_sums *out_sums);

/**
 * How often each key arrived, the rarest first. `n log n` in the keys.
 *
 * On success `*out_survivals` is to be freed with `haversack_survivals_free`; it may be empty.
 */
haversack_status haversack_tally_survival(const struct haversack_tally *tally,
                                          struct haversack_survivals **out_survivals,
                                          struct haversack_error **out_error);

/**
 * Frees a list of keys, on any thread. NULL does nothing.
 */
void haversack_survivals_free(struct haversack_survivals *survivals);

/**
 * How many there are.
 */
size_t haversack_survivals_count(const struct haversack_survivals *survivals);

/**
 * The key of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_survivals_get(const struct haversack_survivals *survivals,
                             size_t index,
                             struct haversack_survival *out_survival);

/**
 * One line a boundary with its records, then one line a key, the rarest first, to be freed with
 * `haversack_string_free`. Keys are escaped and cut to 120 characters.
 */
haversack_status haversack_tally_table(const struct haversack_tally *tally,
                                       struct haversack_string *out_text,
                                       struct haversack_error **out_error);

/**
 * The boundaries as a picture, an SVG document to be freed with `haversack_string_free`: one bar each, of what was
 * kept, shrunk, can be fetched and is lost. It holds no text from outside.
 */
haversack_status haversack_tally_svg(const struct haversack_tally *tally,
                                     struct haversack_string *out_text,
                                     struct haversack_error **out_error);

/**
 * The books as versioned JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_tally_json(const struct haversack_tally *tally,
                                      struct haversack_string *out_json,
                                      struct haversack_error **out_error);

/**
 * Books from what `haversack_tally_json` wrote, to be freed with `haversack_tally_free`. Errors:
 * `HAVERSACK_INVALID_STATE`: no such JSON (offset), another version, or books that cannot be (index).
 */
haversack_status haversack_tally_from_json(struct haversack_str json,
                                           struct haversack_tally **out_tally,
                                           struct haversack_error **out_error);

/**
 * The name of a `haversack_boundary`, such as `field_filter`; absent for a number that is none. Static.
 */
struct haversack_str haversack_boundary_name(uint32_t boundary);

/**
 * Frees a text that this library gave as `haversack_string`, on any thread. NULL in `ptr` does nothing.
 */
void haversack_string_free(struct haversack_string string);

/**
 * Puts the tiers of a request together: `invariant`, which is handed back as it is; the facts of `ledger` (NULL:
 * none); and of the history its system prompt, its last user message, the pins and the last steps, cut where no call
 * is parted from its result. With a budget for the ledger a request grows with the size of these steps, not with their
 * number. `options` may be NULL.
 *
 * On success `*out_tiers` is to be freed with `haversack_tiers_free`. Errors: `HAVERSACK_BUDGET_TOO_SMALL` where not
 * even the heading of the ledger fits; `HAVERSACK_INVALID_OPTION` for `raw_steps` of 0 and for a pin that there is not
 * (index); `HAVERSACK_COUNTER_FAILED`.
 */
haversack_status haversack_tiers_new(struct haversack_str invariant,
                                     const struct haversack_ledger *ledger,
                                     const struct haversack_history *history,
                                     const struct haversack_tier_options *options,
                                     struct haversack_tiers **out_tiers,
                                     struct haversack_error **out_error);

/**
 * Frees tiers, on any thread. NULL does nothing.
 */
void haversack_tiers_free(struct haversack_tiers *tiers);

/**
 * The invariant state, as it was given.
 */
struct haversack_str haversack_tiers_invariant(const struct haversack_tiers *tiers);

/**
 * The facts, with the books of those that were left out: a copy of its own, to be freed with
 * `haversack_rendered_free`. NULL for NULL.
 */
struct haversack_rendered *haversack_tiers_ledger(const struct haversack_tiers *tiers);

/**
 * Working memory: the history (or the request body) with the last steps alone, valid where the whole was.
 */
struct haversack_str haversack_tiers_working(const struct haversack_tiers *tiers);

/**
 * Writes the first `capacity` indices of the messages that stay in it to `kept` and answers how many there are. `kept`
 * may be NULL with capacity 0.
 */
size_t haversack_tiers_kept(const struct haversack_tiers *tiers,
                            size_t *kept,
                            size_t capacity);

/**
 * The books of the history: messages as records, their JSON in bytes.
 */
struct haversack_account haversack_tiers_account(const struct haversack_tiers *tiers);

/**
 * Every member under its name as compact JSON, to be freed with `haversack_string_free`.
 */
haversack_status haversack_tiers_json(const struct haversack_tiers *tiers,
                                      struct haversack_string *out_json,
                                      struct haversack_error **out_error);

/**
 * A transcript with nothing in it, to be freed with `haversack_transcript_free`. NULL only after a panic inside the
 * library.
 */
struct haversack_transcript *haversack_transcript_new(void);

/**
 * Frees a transcript, on any thread. NULL does nothing.
 */
void haversack_transcript_free(struct haversack_transcript *transcript);

/**
 * Appends a message (a JSON object), which is copied, and answers its number, which is its for good. It is kept as it
 * is spelt; white space outside strings goes only where it has line breaks. Costs its own length. After an error the
 * transcript is as it was.
 *
 * Errors: `HAVERSACK_INVALID_JSON` and `HAVERSACK_TOO_DEEP` with the offset; `HAVERSACK_INVALID_OPTION` for argument
 * `message` where it is JSON and no object.
 */
haversack_status haversack_transcript_append(struct haversack_transcript *transcript,
                                             struct haversack_str message,
                                             uint64_t *out_number,
                                             struct haversack_error **out_error);

/**
 * The number of the last message; 0 where there is none.
 */
uint64_t haversack_transcript_last(const struct haversack_transcript *transcript);

/**
 * Writes the first `capacity` messages from number `first` to `last`, both included, to `messages`, and how many there
 * are to `out_count`; `last - first + 1` is enough for a range that exists,
 * which `haversack_transcript_last` tells: a `last` that comes from a model may be any number. `messages` may be NULL
 * with capacity 0. A line that is damaged is left out, and stands in `haversack_transcript_damage`. Texts live until
 * the next append or `haversack_transcript_free`, on whatever thread it is called: whoever shares a transcript copies
 * them first. Linear in the messages of the range.
 *
 * Errors: `HAVERSACK_NO_SUCH_MESSAGE`, with the number (index) that there is not, and the last one (available).
 */
haversack_status haversack_transcript_read(const struct haversack_transcript *transcript,
                                           uint64_t first,
                                           uint64_t last,
                                           struct haversack_message *messages,
                                           size_t capacity,
                                           size_t *out_count,
                                           struct haversack_error **out_error);

/**
 * The messages of a range as one JSON array, a history of its own for `haversack_history_parse`, to be freed with
 * `haversack_string_free`. Errors as `haversack_transcript_read`.
 */
haversack_status haversack_transcript_array(const struct haversack_transcript *transcript,
                                            uint64_t first,
                                            uint64_t last,
                                            struct haversack_string *out_json,
                                            struct haversack_error **out_error);

/**
 * The messages whose strings and names of members hold exactly this text, in order; escapes are read as what they say.
 * Linear in the transcript.
 *
 * On success `*out_hits` is to be freed with `haversack_transcript_hits_free`; it may be empty. Errors:
 * `HAVERSACK_INVALID_OPTION` for an empty `needle`, `HAVERSACK_LIMIT_EXCEEDED` for one above 4,096 bytes.
 */
haversack_status haversack_transcript_search(const struct haversack_transcript *transcript,
                                             struct haversack_str needle,
                                             struct haversack_transcript_hits **out_hits,
                                             struct haversack_error **out_error);

/**
 * Frees what a search found, on any thread. NULL does nothing.
 */
void haversack_transcript_hits_free(struct haversack_transcript_hits *hits);

/**
 * How many messages there are.
 */
size_t haversack_transcript_hits_count(const struct haversack_transcript_hits *hits);

/**
 * The message of that number in the list, from 0. False, and nothing written, past the end.
 */
bool haversack_transcript_hits_get(const struct haversack_transcript_hits *hits,
                                   size_t index,
                                   struct haversack_transcript_hit *out_hit);

/**
 * What a reference leads to: `message 214`, `messages 3-9` or `3 to 9`, `#214`, or the number alone, perhaps in
 * brackets.
 *
 * Errors: `HAVERSACK_INVALID_OPTION` for argument `reference`: it is none of these; `HAVERSACK_NO_SUCH_MESSAGE`, with
 * the number (index) that there is not, and the last one (available).
 */
haversack_status haversack_transcript_resolve(const struct haversack_transcript *transcript,
                                              struct haversack_str reference,
                                              struct haversack_message_range *out_range,
                                              struct haversack_error **out_error);

/**
 * The references in a text (a summary, a finding), each with whether it exists and, where words are quoted behind it,
 * whether the messages hold exactly them (in a range of at most 100 messages). Linear in the text, and for each quote
 * in the messages it is looked for in.
 *
 * On success `*out_references` is to be freed with `haversack_references_free`; it may be empty.
 */
haversack_status haversack_transcript_check(const struct haversack_transcript *transcript,
                                            struct haversack_str text,
                                            struct haversack_references **out_references,
                                            struct haversack_error **out_error);

/**
 * The references in a text, in order, when there is no transcript to ask: the word `message` or `messages`, a number
 * or a range, and perhaps words in double quotes. Linear.
 *
 * On success `*out_references` is to be freed with `haversack_references_free`; it may be empty.
 */
haversack_status haversack_references_in(struct haversack_str text,
                                         struct haversack_references **out_references,
                                         struct haversack_error **out_error);

/**
 * Frees a list of references, on any thread. NULL does nothing.
 */
void haversack_references_free(struct haversack_references *references);

/**
 * How many there are.
 */
size_t haversack_references_count(const struct haversack_references *references);

/**
 * The reference of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_references_get(const struct haversack_references *references,
                              size_t index,
                              struct haversack_reference *out_reference);

/**
 * Writes the first `capacity` lines that cannot be served, in order, to `damage` and answers how many there are.
 * `damage` may be NULL with capacity 0.
 */
size_t haversack_transcript_damage(const struct haversack_transcript *transcript,
                                   struct haversack_damage *damage,
                                   size_t capacity);

/**
 * All lines as they stand, damaged ones too: JSON Lines, line N is message N. Lives until the next append.
 */
struct haversack_str haversack_transcript_jsonl(const struct haversack_transcript *transcript);

/**
 * Reads JSON Lines, which are copied: every line that is a JSON object is served under its number, every other is
 * reported in `haversack_transcript_damage` and keeps its number. A last line without a line feed that is whole is a
 * message. Linear.
 *
 * On success `*out_transcript` is to be freed with `haversack_transcript_free`. Only text that is no UTF-8 is an
 * error; `haversack_read_lines` takes that, too.
 */
haversack_status haversack_transcript_from_jsonl(struct haversack_str text,
                                                 struct haversack_transcript **out_transcript,
                                                 struct haversack_error **out_error);

/**
 * The transcript as versioned JSON, to be freed with `haversack_string_free`, for hosts that keep all state in one
 * form.
 */
haversack_status haversack_transcript_json(const struct haversack_transcript *transcript,
                                           struct haversack_string *out_json,
                                           struct haversack_error **out_error);

/**
 * A transcript from what `haversack_transcript_json` wrote, to be freed with `haversack_transcript_free`. Errors:
 * `HAVERSACK_INVALID_STATE`: no such JSON (offset), or another version.
 */
haversack_status haversack_transcript_from_json(struct haversack_str json,
                                                struct haversack_transcript **out_transcript,
                                                struct haversack_error **out_error);

/**
 * The index of an empty file, to be freed with `haversack_transcript_index_free`. NULL only after a panic inside the
 * library.
 */
struct haversack_transcript_index *haversack_transcript_index_new(void);

/**
 * Frees an index, on any thread. NULL does nothing.
 */
void haversack_transcript_index_free(struct haversack_transcript_index *index);

/**
 * Goes over the next bytes of the file, in pieces of any size; they need not be UTF-8. Linear in the bytes.
 */
haversack_status haversack_transcript_index_feed(struct haversack_transcript_index *index,
                                                 struct haversack_str bytes,
                                                 struct haversack_error **out_error);

/**
 * The number of the last message; 0 where there is none.
 */
uint64_t haversack_transcript_index_last(const struct haversack_transcript_index *index);

/**
 * How many bytes were fed: where the file goes on.
 */
uint64_t haversack_transcript_index_length(const struct haversack_transcript_index *index);

/**
 * The bytes of the messages from number `first` to `last`, both included: what to read of the file for
 * `haversack_read_lines`. Costs two look-ups. Errors as `haversack_transcript_read`.
 */
haversack_status haversack_transcript_index_range(const struct haversack_transcript_index *index,
                                                  uint64_t first,
                                                  uint64_t last,
                                                  struct haversack_byte_range *out_range,
                                                  struct haversack_error **out_error);

/**
 * What a reference leads to, as `haversack_transcript_resolve` reads it, with its errors.
 */
haversack_status haversack_transcript_index_resolve(const struct haversack_transcript_index *index,
                                                    struct haversack_str reference,
                                                    struct haversack_message_range *out_range,
                                                    struct haversack_error **out_error);

/**
 * Reads the lines of a range of bytes, of which the first has the number `first`: writes the first `message_capacity`
 * messages to `messages`, the first `damage_capacity` lines that are none to `damage`, and how many of both there are
 * to `out_counts`. As much room as the range has numbers is always enough for both; either may be NULL with capacity
 * 0. Texts point into `bytes`. Linear in the bytes, which need not be UTF-8.
 */
haversack_status haversack_read_lines(struct haversack_str bytes,
                                      uint64_t first,
                                      struct haversack_message *messages,
                                      size_t message_capacity,
                                      struct haversack_damage *damage,
                                      size_t damage_capacity,
                                      struct haversack_line_counts *out_counts,
                                      struct haversack_error **out_error);

/**
 * The name of a `haversack_damage_kind`, such as `truncated`; absent for a number that is none. Static.
 */
struct haversack_str haversack_damage_kind_name(uint32_t kind);

/**
 * The binary interface of the library that was loaded. Not `HAVERSACK_ABI_VERSION`: do not call anything else.
 */
uint32_t haversack_abi_version(void);

/**
 * The version of the library that was loaded, such as `0.1.0`. Static: never freed.
 */
struct haversack_str haversack_version(void);

/**
 * The volatile values in the layers that should change rarely (static, rare), in the order of the prompt. Linear in
 * the text of these layers.
 *
 * On success `*out_values` is to be freed with `haversack_volatile_values_free`; it may be empty.
 */
haversack_status haversack_volatile(const struct haversack_prompt *prompt,
                                    struct haversack_volatile_values **out_values,
                                    struct haversack_error **out_error);

/**
 * Frees a list of volatile values, on any thread. NULL does nothing.
 */
void haversack_volatile_values_free(struct haversack_volatile_values *values);

/**
 * How many there are.
 */
size_t haversack_volatile_values_count(const struct haversack_volatile_values *values);

/**
 * The value of that number, from 0. False, and nothing written, past the end.
 */
bool haversack_volatile_values_get(const struct haversack_volatile_values *values,
                                   size_t index,
                                   struct haversack_volatile_value *out_value);

/**
 * The name of a `haversack_volatile_kind`, such as `uuid`; absent for a number that is none. Static.
 */
struct haversack_str haversack_volatile_name(uint32_t kind);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HAVERSACK_H */
