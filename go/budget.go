package haversack

// #include <haversack.h>
import "C"

import "runtime/cgo"

// Unit is what a size counts.
type Unit uint32

// The units of a budget.
const (
	UnitBytes  Unit = C.HAVERSACK_UNIT_BYTES  // bytes of UTF-8
	UnitChars  Unit = C.HAVERSACK_UNIT_CHARS  // Unicode scalar values
	UnitUTF16  Unit = C.HAVERSACK_UNIT_UTF16  // UTF-16 code units
	UnitTokens Unit = C.HAVERSACK_UNIT_TOKENS // tokens of a counter
)

// String is the name of the unit, such as "chars".
func (u Unit) String() string { return goString(C.haversack_unit_name(C.uint32_t(u))) }

// Budget is how much may be delivered, in a named unit. The zero Budget is no budget: it is refused.
type Budget struct {
	limit   int
	unit    Unit
	counter TokenCounter
}

// Bytes is a budget of bytes of UTF-8.
func Bytes(limit int) Budget { return Budget{limit: limit, unit: UnitBytes} }

// Chars is a budget of Unicode scalar values.
func Chars(limit int) Budget { return Budget{limit: limit, unit: UnitChars} }

// UTF16 is a budget of UTF-16 code units.
func UTF16(limit int) Budget { return Budget{limit: limit, unit: UnitUTF16} }

// Tokens is a budget of tokens as counter counts them.
func Tokens(limit int, counter TokenCounter) Budget {
	return Budget{limit: limit, unit: UnitTokens, counter: counter}
}

// Measure is the size of text in the unit of the budget; its limit plays no part.
func Measure(text string, budget Budget) (int, error) {
	c, err := newCall(budget)
	if err != nil {
		return 0, err
	}
	defer c.free()
	var size C.size_t
	status := C.haversack_measure(viewBytes([]byte(text)), c.budget, &size, &c.failure)
	return int(size), c.result(status)
}

// One call: what C reads during it, and what came of it.
type call struct {
	arena
	budget  C.haversack_budget
	failure *C.haversack_error
	counter TokenCounter
	cause   error // what the counter said
	handle  cgo.Handle
}

func newCall(budget Budget) (*call, error) {
	if budget.limit < 0 {
		return nil, negative(budget.unit.String())
	}
	c := &call{}
	c.budget.limit = C.size_t(budget.limit)
	c.budget.unit = C.uint32_t(budget.unit)
	c.budget.counter = c.counting(budget.counter)
	return c, nil
}

// The error for a number that C cannot even be told.
func negative(argument string) *Error {
	return &Error{code: InvalidOption, kind: InvalidOption.Error(), message: argument + " is not negative", argument: argument}
}

func (c *call) free() {
	c.arena.free()
	if c.handle != 0 {
		c.handle.Delete()
	}
}

// The error of the call, or nil.
func (c *call) result(status C.haversack_status) error {
	if status == C.HAVERSACK_OK {
		return nil
	}
	err := takeError(c.failure)
	err.cause = c.cause
	return err
}
