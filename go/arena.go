package haversack

// #include <haversack.h>
// #include <stdlib.h>
import "C"

import "unsafe"

// What C reads through pointers during one call lives here, in memory of C, so that no Go pointer is stored where the
// collector does not see it. Freed by free.
type arena struct {
	blocks []unsafe.Pointer
}

func (a *arena) alloc(size uintptr) unsafe.Pointer {
	block := C.calloc(1, C.size_t(size)) // never nil: cgo ends the program when memory is out
	a.blocks = append(a.blocks, block)
	return block
}

func (a *arena) free() {
	for _, block := range a.blocks {
		C.free(block)
	}
	a.blocks = nil
}

// The text, given even when it is empty.
func (a *arena) str(s string) C.haversack_str {
	block := a.alloc(uintptr(len(s)) + 1)
	copy(unsafe.Slice((*byte)(block), len(s)), s)
	return C.haversack_str{ptr: (*C.char)(block), len: C.size_t(len(s))}
}

// The text, or absent.
func (a *arena) optional(s *string) C.haversack_str {
	if s == nil {
		return C.haversack_str{}
	}
	return a.str(*s)
}

func (a *arena) strs(texts []string) C.haversack_strs {
	if len(texts) == 0 {
		return C.haversack_strs{}
	}
	first := (*C.haversack_str)(a.alloc(uintptr(len(texts)) * unsafe.Sizeof(C.haversack_str{})))
	for i, text := range texts {
		unsafe.Slice(first, len(texts))[i] = a.str(text)
	}
	return C.haversack_strs{ptr: first, len: C.size_t(len(texts))}
}

func (a *arena) size(n int) *C.size_t {
	place := (*C.size_t)(a.alloc(unsafe.Sizeof(C.size_t(0))))
	*place = C.size_t(n)
	return place
}

// A view of bytes of Go, to be passed as an argument itself and never stored.
func viewBytes(b []byte) C.haversack_str {
	if len(b) == 0 {
		return C.haversack_str{}
	}
	return C.haversack_str{ptr: (*C.char)(unsafe.Pointer(&b[0])), len: C.size_t(len(b))}
}

// A view of bytes of Go, to be passed as an argument itself and never stored; absent for nil, given when it is empty.
func (a *arena) bytesOrAbsent(b []byte) C.haversack_str {
	if b != nil && len(b) == 0 {
		return a.str("")
	}
	return viewBytes(b)
}
