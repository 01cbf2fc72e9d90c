package haversack

// #include <haversack.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// What C calls for a counter of Go. userdata is memory of C that holds the handle of the call.
//
//export haversackGoCount
func haversackGoCount(userdata unsafe.Pointer, text C.haversack_str, out *C.size_t) C.bool {
	c := cgo.Handle(*(*C.uintptr_t)(userdata)).Value().(*call)
	tokens, ok := c.tokens(goString(text))
	if ok {
		*out = C.size_t(tokens)
	}
	return C.bool(ok)
}
