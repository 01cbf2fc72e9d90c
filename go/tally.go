package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"sync"
)

// Boundary is where something can be left out of what a model sees.
type Boundary uint32

// The boundaries. More may come.
const (
	BoundaryDelivery    Boundary = C.HAVERSACK_BOUNDARY_DELIVERY     // a tool result was cut
	BoundaryFieldFilter Boundary = C.HAVERSACK_BOUNDARY_FIELD_FILTER // fields were left out by request
	BoundaryOffload     Boundary = C.HAVERSACK_BOUNDARY_OFFLOAD      // a result was stored elsewhere
	BoundaryClear       Boundary = C.HAVERSACK_BOUNDARY_CLEAR        // an old result became one line
	BoundarySummarise   Boundary = C.HAVERSACK_BOUNDARY_SUMMARISE    // messages became a summary
	BoundaryMemory      Boundary = C.HAVERSACK_BOUNDARY_MEMORY       // a slice of memory was taken
	BoundaryLoadout     Boundary = C.HAVERSACK_BOUNDARY_LOADOUT      // tools were chosen
	BoundaryHandoff     Boundary = C.HAVERSACK_BOUNDARY_HANDOFF      // workers handed back
)

// String is the name of the boundary, such as "field_filter".
func (b Boundary) String() string { return goString(C.haversack_boundary_name(C.uint32_t(b))) }

// Sums is the sums of one boundary.
type Sums struct {
	Calls            uint64 // how often something went through
	Records          Counts // they close
	Bytes            Counts // of the source: they close
	Recoverable      uint64 // of the records that are offloaded or omitted, those that can still be fetched
	RecoverableBytes uint64 // the same in bytes
	Lost             uint64 // records that nobody can fetch any more (shrunk ones are there in part)
}

// Survival is how often a key arrived.
type Survival struct {
	Key      string
	Calls    uint64 // in how many calls it was there before
	Arrived  uint64 // in how many of them it was there afterwards
	Per10000 int    // Arrived of Calls in parts per 10,000, rounded down
	Rare     bool   // whether it almost never arrives: in less than one of 20, over at least 20 calls
}

// Tally is the books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls.
// Close is optional. It may be used by many goroutines.
type Tally struct {
	mutex  sync.RWMutex
	handle *C.haversack_tally
}

// NewTally is books with nothing in them.
func NewTally() *Tally { return takeTally(C.haversack_tally_new()) }

// TallyFromJSON is books from what JSON gave: InvalidState for no such JSON (Offset), another version, or books that
// cannot be (Index).
func TallyFromJSON(json []byte) (*Tally, error) {
	var handle *C.haversack_tally
	var failure *C.haversack_error
	if C.haversack_tally_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeTally(handle), nil
}

func takeTally(handle *C.haversack_tally) *Tally {
	t := &Tally{handle: handle}
	runtime.SetFinalizer(t, func(t *Tally) { C.haversack_tally_free(t.handle) })
	return t
}

// Close frees what the books hold outside Go, before the collector would. A second one does nothing.
func (t *Tally) Close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	C.haversack_tally_free(t.handle)
	t.handle = nil
	runtime.SetFinalizer(t, nil)
}

// Add adds the account of one call. What was offloaded can be fetched; recoverable says whether what was omitted can be
// too, since the host still has the source. OpenBooks where the parts of an account do not sum to its total,
// LimitExceeded where a sum would pass 2^53; the books are then as they were.
func (t *Tally) Add(boundary Boundary, account Account, recoverable bool) error {
	var a arena
	defer a.free()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var failure *C.haversack_error
	if C.haversack_tally_add(t.handle, C.uint32_t(boundary), *account.c(&a), C.bool(recoverable), &failure) != C.HAVERSACK_OK {
		return takeError(failure)
	}
	return nil
}

// Seen says of a key that was there before a boundary whether it was there afterwards. LimitExceeded for a key longer
// than 1,024 bytes, and for one more than 4,096 different ones.
func (t *Tally) Seen(key string, arrived bool) error {
	var a arena
	defer a.free()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var failure *C.haversack_error
	if C.haversack_tally_seen(t.handle, a.str(key), C.bool(arrived), &failure) != C.HAVERSACK_OK {
		return takeError(failure)
	}
	return nil
}

// Boundaries is those that something went through, in one order.
func (t *Tally) Boundaries() []Boundary {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	ask := func(out *C.uint32_t, capacity C.size_t) C.size_t {
		return C.haversack_tally_boundaries(t.handle, out, capacity)
	}
	return filled(ask, func(boundary *C.uint32_t) Boundary { return Boundary(*boundary) })
}

// Sums is the sums of a boundary; false where nothing went through.
func (t *Tally) Sums(boundary Boundary) (Sums, bool) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	var c C.haversack_sums
	if !C.haversack_tally_sums(t.handle, C.uint32_t(boundary), &c) {
		return Sums{}, false
	}
	return Sums{
		uint64(c.calls), goCounts(c.records), goCounts(c.bytes), uint64(c.recoverable), uint64(c.recoverable_bytes), uint64(c.lost),
	}, true
}

// Survival is how often each key arrived, the rarest first.
func (t *Tally) Survival() ([]Survival, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	var list *C.haversack_survivals
	var failure *C.haversack_error
	if C.haversack_tally_survival(t.handle, &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_survivals_free(list)
	get := func(i C.size_t, c *C.haversack_survival) C.bool { return C.haversack_survivals_get(list, i, c) }
	return entries(C.haversack_survivals_count(list), get, func(c *C.haversack_survival) Survival {
		return Survival{goString(c.key), uint64(c.calls), uint64(c.arrived), int(c.per_10_000), c.rare != 0}
	}), nil
}

// Table is one line a boundary with its records, then one line a key, the rarest first.
func (t *Tally) Table() (string, error) {
	text, err := t.written(func(text *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_tally_table(t.handle, text, failure)
	})
	return string(text), err
}

// SVG is the boundaries as a picture: one bar each, of what was kept, shrunk, can be fetched and is lost.
func (t *Tally) SVG() (string, error) {
	text, err := t.written(func(text *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_tally_svg(t.handle, text, failure)
	})
	return string(text), err
}

// JSON is the books as versioned JSON.
func (t *Tally) JSON() ([]byte, error) {
	return t.written(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_tally_json(t.handle, json, failure)
	})
}

func (t *Tally) written(write func(*C.haversack_string, **C.haversack_error) C.haversack_status) ([]byte, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return takeJSON(write)
}
