package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Fleet is how many workers handed back what: a silent one is counted as silent, never as one that found nothing.
// Close is optional. It may be used by many goroutines.
type Fleet struct {
	mutex  sync.RWMutex
	handle *C.haversack_fleet
}

// NewFleet is no worker yet.
func NewFleet() *Fleet {
	f := &Fleet{handle: C.haversack_fleet_new()}
	runtime.SetFinalizer(f, func(f *Fleet) { C.haversack_fleet_free(f.handle) })
	return f
}

// Close frees what the fleet holds outside Go, before the collector would. A second one does nothing.
func (f *Fleet) Close() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	C.haversack_fleet_free(f.handle)
	f.handle = nil
	runtime.SetFinalizer(f, nil)
}

// Add counts a worker. It fails only for what was closed.
func (f *Fleet) Add(handoff *Handoff) error {
	defer runtime.KeepAlive(handoff)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var failure *C.haversack_error
	if C.haversack_fleet_add(f.handle, handoff.handle, &failure) != C.HAVERSACK_OK {
		return takeError(failure)
	}
	return nil
}

// Count is how many handed back this.
func (f *Fleet) Count(kind HandoffKind) uint64 {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	return uint64(C.haversack_fleet_count(f.handle, C.uint32_t(kind)))
}

// Total is how many workers there were.
func (f *Fleet) Total() uint64 {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	return uint64(C.haversack_fleet_total(f.handle))
}

// Account is the books of this boundary, for Tally.Add: workers as records, what they returned in bytes; findings and
// explicit nothings are kept, all others omitted.
func (f *Fleet) Account() Account {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	return goAccount(C.haversack_fleet_account(f.handle))
}

// Table is one line a kind, and the total first.
func (f *Fleet) Table() (string, error) {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	text, err := takeJSON(func(text *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_fleet_table(f.handle, text, failure)
	})
	return string(text), err
}

// JSON is {"total": n, "findings": n, …} with every kind.
func (f *Fleet) JSON() ([]byte, error) {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_fleet_json(f.handle, json, failure)
	})
}

// Feature is something that is to work in the end, and whether it does.
type Feature struct {
	Name   string
	Passes bool
}

// SessionFile is a file for the next session.
type SessionFile struct {
	Name string // "progress.md", "features.json" or "ledger.json"
	Text string
}

// SessionOption is an option of SessionFiles.
type SessionOption func(*sessionOptions)

type sessionOptions struct {
	done, next []string
	features   []Feature
}

// WithDone says what is done, one line each.
func WithDone(lines ...string) SessionOption {
	return func(o *sessionOptions) { o.done = append(o.done, lines...) }
}

// WithNext says what is next, one line each.
func WithNext(lines ...string) SessionOption {
	return func(o *sessionOptions) { o.next = append(o.next, lines...) }
}

// WithFeatures says what is to work, and whether it does.
func WithFeatures(features ...Feature) SessionOption {
	return func(o *sessionOptions) { o.features = append(o.features, features...) }
}

// SessionFiles is the three files that a session leaves for the next one: progress.md to be read, features.json
// (ReadFeatures) and ledger.json (LedgerFromJSON) to be loaded. No text makes a heading. ledger may be nil, which is an
// empty one; InvalidOption of "date" for one that is none (YYYY-MM-DD).
func SessionFiles(date, goal string, ledger *Ledger, options ...SessionOption) ([]SessionFile, error) {
	var o sessionOptions
	for _, option := range options {
		option(&o)
	}
	var a arena
	defer a.free()
	given := (*C.haversack_session_options)(a.alloc(C.sizeof_haversack_session_options))
	given.size = C.sizeof_haversack_session_options
	given.done, given.next = a.strs(o.done), a.strs(o.next)
	if count := len(o.features); count > 0 {
		given.features = (*C.haversack_feature)(a.alloc(uintptr(count) * unsafe.Sizeof(C.haversack_feature{})))
		given.feature_count = C.size_t(count)
		for i, feature := range o.features {
			c := C.haversack_feature{name: a.str(feature.Name)}
			if feature.Passes {
				c.passes = 1
			}
			unsafe.Slice((*C.haversack_feature)(unsafe.Pointer(given.features)), count)[i] = c
		}
	}
	var facts *C.haversack_ledger
	if ledger != nil {
		ledger.mutex.RLock()
		defer ledger.mutex.RUnlock()
		facts = ledger.handle
	}
	var handle *C.haversack_session
	var failure *C.haversack_error
	if C.haversack_session_new(a.str(date), a.str(goal), facts, given, &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_session_free(handle)
	get := func(i C.size_t, c *C.haversack_session_file) C.bool { return C.haversack_session_get(handle, i, c) }
	return entries(C.haversack_session_count(handle), get, func(c *C.haversack_session_file) SessionFile {
		return SessionFile{goString(c.name), goString(c.text)}
	}), nil
}

// ReadFeatures reads a features.json: InvalidState, with the Offset where it is none.
func ReadFeatures(json []byte) ([]Feature, error) {
	var handle *C.haversack_features
	var failure *C.haversack_error
	if C.haversack_read_features(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_features_free(handle)
	get := func(i C.size_t, c *C.haversack_feature) C.bool { return C.haversack_features_get(handle, i, c) }
	return entries(C.haversack_features_count(handle), get, func(c *C.haversack_feature) Feature {
		return Feature{goString(c.name), c.passes != 0}
	}), nil
}
