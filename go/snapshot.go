package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// Snapshot is what is left of a prompt to compare the next one with: names, layers, lengths and digests of its pieces.
// One made from a prompt shares its texts and compares to the exact byte; one read from JSON has no text and compares
// to 256 bytes. Close is optional.
type Snapshot struct {
	handle *C.haversack_snapshot
}

// SnapshotOption is an option of Snapshot.
type SnapshotOption func(*snapshotOptions)

type snapshotOptions struct {
	counter TokenCounter
	key     []byte
}

// WithCounting counts the tokens of every piece, so that comparisons tell tokens, too.
func WithCounting(counter TokenCounter) SnapshotOption {
	return func(o *snapshotOptions) { o.counter = counter }
}

// WithKey makes every digest an HMAC under this key (nil: none): without one, short texts can be guessed from a stored
// snapshot. Only snapshots under one key compare.
func WithKey(key []byte) SnapshotOption {
	return func(o *snapshotOptions) { o.key = key }
}

// Snapshot is the prompt as it is now, to compare the next one with.
func (p *Prompt) Snapshot(options ...SnapshotOption) (*Snapshot, error) {
	var o snapshotOptions
	for _, option := range options {
		option(&o)
	}
	c, counter := counterCall(o.counter)
	defer c.free()
	given := (*C.haversack_snapshot_options)(c.alloc(C.sizeof_haversack_snapshot_options))
	given.size = C.sizeof_haversack_snapshot_options
	given.counter = counter
	if o.key != nil {
		given.key = c.str(string(o.key))
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var handle *C.haversack_snapshot
	if err := c.result(C.haversack_prompt_snapshot(p.handle, given, &handle, &c.failure)); err != nil {
		return nil, err
	}
	return takeSnapshot(handle), nil
}

// SnapshotFromJSON is a snapshot from what JSON gave: InvalidState for another version, or what was changed since.
func SnapshotFromJSON(json []byte) (*Snapshot, error) {
	var handle *C.haversack_snapshot
	var failure *C.haversack_error
	if C.haversack_snapshot_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeSnapshot(handle), nil
}

func takeSnapshot(handle *C.haversack_snapshot) *Snapshot {
	s := &Snapshot{handle: handle}
	runtime.SetFinalizer(s, func(s *Snapshot) { C.haversack_snapshot_free(s.handle) })
	return s
}

// Close frees what the snapshot holds outside Go, before the collector would. A second one does nothing.
func (s *Snapshot) Close() {
	C.haversack_snapshot_free(s.handle)
	s.handle = nil
	runtime.SetFinalizer(s, nil)
}

// JSON is the snapshot as versioned JSON without any text of the prompt but the names of its pieces.
func (s *Snapshot) JSON() ([]byte, error) {
	defer runtime.KeepAlive(s)
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_snapshot_json(s.handle, json, failure)
	})
}

// Len is how many pieces there are.
func (s *Snapshot) Len() int {
	defer runtime.KeepAlive(s)
	return int(C.haversack_snapshot_len(s.handle))
}

// Bytes is the bytes of all pieces together.
func (s *Snapshot) Bytes() int {
	defer runtime.KeepAlive(s)
	return int(C.haversack_snapshot_bytes(s.handle))
}

// Tokens is the tokens of all pieces together; false without a counter.
func (s *Snapshot) Tokens() (int, bool) {
	defer runtime.KeepAlive(s)
	var n C.size_t
	counted := bool(C.haversack_snapshot_tokens(s.handle, &n))
	return int(n), counted
}

// Names is the names of the pieces, in order.
func (s *Snapshot) Names() []string {
	defer runtime.KeepAlive(s)
	return textsOf(func(out *C.haversack_str, capacity C.size_t) C.size_t {
		return C.haversack_snapshot_names(s.handle, out, capacity)
	})
}

// Digests is the SHA-256 (HMAC under a key) of a piece as it was sent and of its canonical form (RFC 8785), in hex
// digits; both are the same where it is no JSON. False past the end.
func (s *Snapshot) Digests(index int) (sent, canonical string, ok bool) {
	defer runtime.KeepAlive(s)
	var d C.haversack_digests
	if index < 0 || !C.haversack_snapshot_digests(s.handle, C.size_t(index), &d) {
		return "", "", false
	}
	hex := func(digits *[64]C.uint8_t) string {
		return string(unsafe.Slice((*byte)(unsafe.Pointer(digits)), len(digits)))
	}
	return hex(&d.sha256), hex(&d.canonical_sha256), true
}

// Asks twice: for the number, then for the texts.
func textsOf(ask func(*C.haversack_str, C.size_t) C.size_t) []string {
	return filled(ask, func(text *C.haversack_str) string { return goString(*text) })
}
