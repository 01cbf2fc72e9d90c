package haversack

// #include <haversack.h>
import "C"

import (
	"fmt"
	"runtime"
)

// Code is the kind of an error. It is itself an error, for errors.Is:
//
//	if errors.Is(err, haversack.BudgetTooSmall) { … }
type Code uint32

// The kinds of errors; the numbers are those of every language.
const (
	Unknown             Code = C.HAVERSACK_UNKNOWN               // of a kind that this package does not know
	Panic               Code = C.HAVERSACK_PANIC                 // a fault of the library itself
	InvalidJSON         Code = C.HAVERSACK_INVALID_JSON          // Offset, Expected
	InvalidUTF8         Code = C.HAVERSACK_INVALID_UTF8          // Offset
	TooDeep             Code = C.HAVERSACK_TOO_DEEP              // Offset, Available
	InvalidCSV          Code = C.HAVERSACK_INVALID_CSV           // Offset, Expected
	InvalidNDJSON       Code = C.HAVERSACK_INVALID_NDJSON        // Offset, Expected, Index of the line
	BudgetTooSmall      Code = C.HAVERSACK_BUDGET_TOO_SMALL      // Needed, Available, Unit
	RecordTooLarge      Code = C.HAVERSACK_RECORD_TOO_LARGE      // Pointer, Index, Size, Available
	CounterFailed       Code = C.HAVERSACK_COUNTER_FAILED        // Unwrap gives what the counter said
	InvalidOption       Code = C.HAVERSACK_INVALID_OPTION        // Argument
	InvalidPointer      Code = C.HAVERSACK_INVALID_POINTER       // Argument, Offset within it
	NothingSelected     Code = C.HAVERSACK_NOTHING_SELECTED      //
	LimitExceeded       Code = C.HAVERSACK_LIMIT_EXCEEDED        // Argument, Needed, Available
	InvalidCursor       Code = C.HAVERSACK_INVALID_CURSOR        // Offset within it
	CursorMismatch      Code = C.HAVERSACK_CURSOR_MISMATCH       //
	CursorPastEnd       Code = C.HAVERSACK_CURSOR_PAST_END       // Index, Available (the length)
	CursorNeedsOriginal Code = C.HAVERSACK_CURSOR_NEEDS_ORIGINAL //
	UnknownKey          Code = C.HAVERSACK_UNKNOWN_KEY           //
	DigestMismatch      Code = C.HAVERSACK_DIGEST_MISMATCH       //
	InvalidState        Code = C.HAVERSACK_INVALID_STATE         //
	OutOfOrder          Code = C.HAVERSACK_OUT_OF_ORDER          //
	BadArgument         Code = C.HAVERSACK_BAD_ARGUMENT          // Argument
	NotAHistory         Code = C.HAVERSACK_NOT_A_HISTORY         // Offset, Expected, Index of the message
	MixedFormats        Code = C.HAVERSACK_MIXED_FORMATS         // Index of the message that shows the second
	DuplicatePiece      Code = C.HAVERSACK_DUPLICATE_PIECE       // Piece
	UnknownLayer        Code = C.HAVERSACK_UNKNOWN_LAYER         // Piece
	NotCanonical        Code = C.HAVERSACK_NOT_CANONICAL         // Offset, Expected, Piece where it belongs to one
	ForbiddenMark       Code = C.HAVERSACK_FORBIDDEN_MARK        // Piece
	MixedKey            Code = C.HAVERSACK_MIXED_KEY             // Argument
	NoSuchField         Code = C.HAVERSACK_NO_SUCH_FIELD         // Pointer, Index, Argument
	NoSuchMessage       Code = C.HAVERSACK_NO_SUCH_MESSAGE       // Index, Available (the last number)
	OpenBooks           Code = C.HAVERSACK_OPEN_BOOKS            // Needed (the total), Available (the sum of the parts)
)

// Error is the name of the kind, such as "budget_too_small".
func (c Code) Error() string { return goString(C.haversack_status_name(C.uint32_t(c))) }

// Error is what went wrong, where, and by how much.
type Error struct {
	code      Code
	kind      string
	message   string
	offset    number
	expected  string
	needed    number
	size      number
	available number
	unit      Unit
	argument  string
	pointer   *string
	index     number
	piece     *string
	cause     error
	handle    *C.haversack_error // for ReadbackErrorText alone
}

// A number that may not be set.
type number struct {
	value int
	set   bool
}

// Error is a sentence for a person, numbers included.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("haversack: %s: %s", e.message, e.cause)
	}
	return "haversack: " + e.message
}

// Is says whether target is the Code of this error.
func (e *Error) Is(target error) bool { return target == error(e.code) }

// Unwrap is the error of a token counter, where that is the cause.
func (e *Error) Unwrap() error { return e.cause }

// Code is the kind as a number.
func (e *Error) Code() Code { return e.code }

// Kind is the kind by name, such as "budget_too_small"; the same in every language.
func (e *Error) Kind() string { return e.kind }

// Offset is the byte of the input, or of the argument, where it went wrong; false when this error has none.
func (e *Error) Offset() (int, bool) { return e.offset.value, e.offset.set }

// Expected is what should have stood there; empty when this error does not say.
func (e *Error) Expected() string { return e.expected }

// Needed is how much is needed, in Unit: as a budget, or as a limit, this much would do; false when this error has
// none.
func (e *Error) Needed() (int, bool) { return e.needed.value, e.needed.set }

// Size is how large the record is that is too large, in Unit; false when this error has none.
func (e *Error) Size() (int, bool) { return e.size.value, e.size.set }

// Available is how much there was, in Unit; false when this error has none.
func (e *Error) Available() (int, bool) { return e.available.value, e.available.set }

// Unit is the unit of Needed, Size and Available; 0 when they are no sizes.
func (e *Error) Unit() Unit { return e.unit }

// Argument is the option or argument that is wrong; empty when this error does not say.
func (e *Error) Argument() string { return e.argument }

// Pointer is the list concerned; false when this error has none.
func (e *Error) Pointer() (string, bool) {
	if e.pointer == nil {
		return "", false
	}
	return *e.pointer, true
}

// Index is the record, row, line or list entry concerned, from 0; false when this error has none.
func (e *Error) Index() (int, bool) { return e.index.value, e.index.set }

// Piece is the name of the piece of a prompt concerned; false when this error has none.
func (e *Error) Piece() (string, bool) {
	if e.piece == nil {
		return "", false
	}
	return *e.piece, true
}

// Takes an error of C, which is freed when this one is collected.
func takeError(e *C.haversack_error) *Error {
	read := func(get func(*C.size_t) C.bool) number {
		var n C.size_t
		set := bool(get(&n))
		return number{int(n), set}
	}
	err := &Error{
		code:      Code(C.haversack_error_status(e)),
		kind:      goString(C.haversack_error_name(e)),
		message:   goString(C.haversack_error_message(e)),
		offset:    read(func(n *C.size_t) C.bool { return C.haversack_error_offset(e, n) }),
		expected:  goString(C.haversack_error_expected(e)),
		needed:    read(func(n *C.size_t) C.bool { return C.haversack_error_needed(e, n) }),
		size:      read(func(n *C.size_t) C.bool { return C.haversack_error_size(e, n) }),
		available: read(func(n *C.size_t) C.bool { return C.haversack_error_available(e, n) }),
		unit:      Unit(C.haversack_error_unit(e)),
		argument:  goString(C.haversack_error_argument(e)),
		index:     read(func(n *C.size_t) C.bool { return C.haversack_error_index(e, n) }),
		handle:    e,
	}
	runtime.SetFinalizer(err, func(err *Error) { C.haversack_error_free(err.handle) })
	if piece := C.haversack_error_piece(e); piece.ptr != nil {
		text := goString(piece)
		err.piece = &text
	}
	if pointer := C.haversack_error_pointer(e); pointer.ptr != nil {
		text := goString(pointer)
		err.pointer = &text
	}
	return err
}
