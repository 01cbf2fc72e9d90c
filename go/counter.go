package haversack

// #include <haversack.h>
//
// extern bool haversackGoCount(void *userdata, haversack_str text, size_t *out_count);
// extern bool haversackGoCountUpTo(void *userdata, haversack_str text, size_t limit, size_t *out_count);
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime/cgo"
	"unsafe"
)

// TokenCounter counts tokens: a CounterFunc, a CounterNamed, or a type of yours. An error, a panic or a negative count
// fails the call with CounterFailed, and Unwrap gives it. A counter may call this package, but must not
// use the object that it counts for: a Prompt that is being counted is locked, and the counter would wait for itself.
type TokenCounter interface {
	// Count is the tokens of a text, counted on its own.
	Count(text string) (int, error)
}

// LimitedCounter is a TokenCounter that can stop early.
type LimitedCounter interface {
	TokenCounter
	// CountUpTo is the tokens of a text and true where they are at most limit, else false.
	CountUpTo(text string, limit int) (tokens int, fits bool, err error)
}

// CounterFunc is a function as a TokenCounter.
type CounterFunc func(text string) (int, error)

// Count calls f.
func (f CounterFunc) Count(text string) (int, error) { return f(text) }

// CounterNamed is a built-in counter by its name: "estimate", and "o200k_base" and "cl100k_base" where the library was
// built with them.
type CounterNamed string

// Count is the tokens of text as that counter counts them; InvalidOption where there is none of that name.
func (name CounterNamed) Count(text string) (int, error) { return Measure(text, Tokens(0, name)) }

// A call with a counter alone, in memory of C; nil for none.
func counterCall(counter TokenCounter) (*call, *C.haversack_counter) {
	c := &call{}
	return c, c.counting(counter)
}

// The counter of this call in memory of C; nil for none.
func (c *call) counting(counter TokenCounter) *C.haversack_counter {
	if function, is := counter.(CounterFunc); counter == nil || is && function == nil {
		return nil
	}
	given := (*C.haversack_counter)(c.alloc(C.sizeof_haversack_counter))
	given.size = C.sizeof_haversack_counter
	if name, is := counter.(CounterNamed); is {
		given.name = c.str(string(name))
		return given
	}
	c.counter = counter
	c.handle = cgo.NewHandle(c)
	userdata := (*C.uintptr_t)(c.alloc(unsafe.Sizeof(C.uintptr_t(0))))
	*userdata = C.uintptr_t(c.handle)
	given.userdata = unsafe.Pointer(userdata)
	given.count = (*[0]byte)(C.haversackGoCount)
	if _, is := counter.(LimitedCounter); is {
		given.count_up_to = (*[0]byte)(C.haversackGoCountUpTo)
	}
	return given
}

// What C calls for a counter of Go. userdata is memory of C that holds the handle of the call.
//
//export haversackGoCount
func haversackGoCount(userdata unsafe.Pointer, text C.haversack_str, out *C.size_t) C.bool {
	c := cgo.Handle(*(*C.uintptr_t)(userdata)).Value().(*call)
	return c.counted(out, func() (int, bool, error) {
		tokens, err := c.counter.Count(goString(text))
		return tokens, true, err
	})
}

// As haversackGoCount, for one that can stop early.
//
//export haversackGoCountUpTo
func haversackGoCountUpTo(userdata unsafe.Pointer, text C.haversack_str, limit C.size_t, out *C.size_t) C.bool {
	c := cgo.Handle(*(*C.uintptr_t)(userdata)).Value().(*call)
	most := math.MaxInt
	if limit < C.size_t(most) {
		most = int(limit)
	}
	return c.counted(out, func() (int, bool, error) {
		return c.counter.(LimitedCounter).CountUpTo(goString(text), most)
	})
}

// Tells C what a counter answered, and keeps what one that fails has to say.
func (c *call) counted(out *C.size_t, count func() (tokens int, fits bool, err error)) (ok C.bool) {
	defer func() {
		if reason := recover(); reason != nil {
			c.cause = fmt.Errorf("the token counter panicked: %v", reason)
			ok = false
		}
	}()
	tokens, fits, err := count()
	if err == nil && fits && tokens < 0 {
		err = errors.New("the token counter answered a negative number")
	}
	c.cause = err
	switch {
	case err != nil:
		return false
	case fits:
		*out = C.size_t(tokens)
	default:
		*out = ^C.size_t(0)
	}
	return true
}
