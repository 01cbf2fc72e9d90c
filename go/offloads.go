package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// EntryState is where a result of a table stands.
type EntryState uint32

// The states. More may come.
const (
	EntryUnknown    EntryState = C.HAVERSACK_ENTRY_UNKNOWN
	EntryPending    EntryState = C.HAVERSACK_ENTRY_PENDING     // asked to be stored, not answered yet
	EntryStored     EntryState = C.HAVERSACK_ENTRY_STORED      // stored, and the pointer is in use
	EntryNotShorter EntryState = C.HAVERSACK_ENTRY_NOT_SHORTER // stored, and the original stays
	EntryRefused    EntryState = C.HAVERSACK_ENTRY_REFUSED     // the store refused: the original stays
)

// Entry is what a table knows of one result.
type Entry struct {
	Key      string
	CallID   string
	SHA256   string
	Bytes    int
	Size     int // in Unit
	Unit     Unit
	Format   Format
	At       string
	Preview  string
	State    EntryState
	Location string // "" until it is stored
	Refused  string // why the store refused
}

// Prepared is what a table says to do with one result.
type Prepared struct {
	Action  OffloadAction
	Reason  OffloadReason
	Key     string  // to store the bytes under, or under which they lie; "" when there is none
	Text    string  // the pointer, where the same bytes were stored before
	Account Account // of what stands in the message now

	json []byte
}

// JSON is the whole answer as compact JSON.
func (p *Prepared) JSON() []byte { return p.json }

// Offloads is the table of the results that one run offloaded: nothing is offloaded twice, and a key from a model is
// looked up here and nowhere else. It may be used by many goroutines.
type Offloads struct {
	mutex  sync.Mutex
	handle *C.haversack_offloads
}

// NewOffloads is an empty table.
func NewOffloads() *Offloads { return takeOffloads(C.haversack_offloads_new()) }

// OffloadsFromJSON is a table from what JSON gave.
func OffloadsFromJSON(json []byte) (*Offloads, error) {
	var handle *C.haversack_offloads
	var failure *C.haversack_error
	if C.haversack_offloads_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeOffloads(handle), nil
}

func takeOffloads(handle *C.haversack_offloads) *Offloads {
	t := &Offloads{handle: handle}
	runtime.SetFinalizer(t, func(t *Offloads) { C.haversack_offloads_free(t.handle) })
	return t
}

// Close frees what the table holds outside Go, before the collector would. A second one does nothing.
func (t *Offloads) Close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	C.haversack_offloads_free(t.handle)
	t.handle = nil
	runtime.SetFinalizer(t, nil)
}

// Prepare says what to do with payload, the result of the call callID. After OffloadStore answer with Commit or Refuse.
// The counters of the options must not use this table.
func (t *Offloads) Prepare(payload []byte, callID string, options ...OffloadOption) (*Prepared, error) {
	c, given, err := offloadCall(options)
	if err != nil {
		return nil, err
	}
	defer c.free()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var handle *C.haversack_prepared
	status := C.haversack_offloads_prepare(t.handle, viewBytes(payload), c.over.str(callID), given, &handle, &c.over.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	defer C.haversack_prepared_free(handle)
	json, err := takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_prepared_json(handle, json, failure)
	})
	return &Prepared{
		Action:  OffloadAction(C.haversack_prepared_action(handle)),
		Reason:  OffloadReason(C.haversack_prepared_reason(handle)),
		Key:     goString(C.haversack_prepared_key(handle)),
		Text:    goString(C.haversack_prepared_text(handle)),
		Account: goAccount(C.haversack_prepared_account(handle)),
		json:    json,
	}, err
}

// Commit takes the answer "stored, at location", and gives the pointer for the message. counter measures it where
// WithOver was in tokens, and is nil else; it must not use this table.
func (t *Offloads) Commit(key, location string, counter TokenCounter) (*Pointer, error) {
	c, given := counterCall(counter)
	defer c.free()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var handle *C.haversack_pointer
	status := C.haversack_offloads_commit(t.handle, c.str(key), c.str(location), given, &handle, &c.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	return takePointer(handle)
}

// Refuse takes the answer "the store would not have it": the original stays in the message.
func (t *Offloads) Refuse(key, reason string) error {
	return t.change(func(a *arena, failure **C.haversack_error) C.haversack_status {
		return C.haversack_offloads_refuse(t.handle, a.str(key), a.str(reason), failure)
	})
}

// Exempt keeps what the call callID returns from being offloaded: for calls of readers.
func (t *Offloads) Exempt(callID string) error {
	return t.change(func(a *arena, failure **C.haversack_error) C.haversack_status {
		return C.haversack_offloads_exempt(t.handle, a.str(callID), failure)
	})
}

// Verify fails unless bytes are those that were offloaded under key: UnknownKey, DigestMismatch.
func (t *Offloads) Verify(key string, bytes []byte) error {
	return t.change(func(a *arena, failure **C.haversack_error) C.haversack_status {
		return C.haversack_offloads_verify(t.handle, a.str(key), viewBytes(bytes), failure)
	})
}

func (t *Offloads) change(run func(*arena, **C.haversack_error) C.haversack_status) error {
	var a arena
	defer a.free()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var failure *C.haversack_error
	if run(&a, &failure) != C.HAVERSACK_OK {
		return takeError(failure)
	}
	return nil
}

// Entries is all results, in the order in which they were prepared.
func (t *Offloads) Entries() []Entry {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	entries := make([]Entry, C.haversack_offloads_entry_count(t.handle))
	for i := range entries {
		var c C.haversack_entry
		C.haversack_offloads_entry(t.handle, C.size_t(i), &c)
		entries[i] = goEntry(&c)
	}
	return entries
}

// Lookup is the result under key; false when the table has none.
func (t *Offloads) Lookup(key string) (Entry, bool) {
	var a arena
	defer a.free()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var c C.haversack_entry
	if !C.haversack_offloads_lookup(t.handle, a.str(key), &c) {
		return Entry{}, false
	}
	return goEntry(&c), true
}

// JSON is the table as versioned JSON.
func (t *Offloads) JSON() ([]byte, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_offloads_json(t.handle, json, failure)
	})
}

func goEntry(c *C.haversack_entry) Entry {
	return Entry{
		Key: goString(c.key), CallID: goString(c.call_id),
		SHA256: string(unsafe.Slice((*byte)(unsafe.Pointer(&c.sha256[0])), len(c.sha256))),
		Bytes:  int(c.bytes), Size: int(c.size), Unit: Unit(c.unit), Format: Format(c.format), At: goString(c.at),
		Preview: goString(c.preview), State: EntryState(c.state), Location: goString(c.location), Refused: goString(c.refused),
	}
}
