// Package haversack decides what a language model gets to see: it cuts tool output on record boundaries and counts
// everything it leaves out.
//
//	d, err := haversack.Deliver(payload, haversack.Chars(6000))
//	if err != nil {
//		return err
//	}
//	send(d.Text())
//
// It needs libhaversack, found through pkg-config. Every function may be called from any goroutine. Values never change
// once they are made, but Prompt, Frozen, Offloads, Ledger, Memory, Fleet, Tally, Transcript and TranscriptIndex, which
// are for that and may be shared as well.
//
// What a value holds outside Go is freed when it is collected, or at once by its Close, which no other call may run
// beside and after which it answers nothing. Errors of this library are *Error, with the kind as Code and the numbers.
package haversack

// #cgo pkg-config: haversack
// #include <haversack.h>
import "C"

import "unsafe"

// Version is the version of the library that was loaded, such as "0.1.0".
func Version() string { return goString(C.haversack_version()) }

// The text of C, copied.
func goString(s C.haversack_str) string {
	if s.ptr == nil {
		return ""
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(s.ptr)), int(s.len)))
}
