package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Ledger is facts by key, with their sources and their history, for a text that is put before the model every time. The
// last value of a key holds, earlier ones stay in the history. Nothing that is recorded can end its line or its quotes:
// what comes from a page stays a quoted value with a label. Close is optional. It may be used by many goroutines; a
// counter must not use it.
type Ledger struct {
	mutex  sync.RWMutex
	handle *C.haversack_ledger
}

// PlacementCosts is what each place of a ledger costs this turn, in tokens that a provider has to read anew.
type PlacementCosts struct {
	Low    int // behind everything that is cached: the news on the newest message
	System int // in the system message: its text from the first changed byte on, and all that stands behind it
}

// NewLedger is a ledger with nothing in it.
func NewLedger() *Ledger { return takeLedger(C.haversack_ledger_new()) }

// LedgerFromJSON is a ledger from what JSON gave, which answers as that one would: InvalidState, with the Offset or the
// Index of the write, where that is not what it is.
func LedgerFromJSON(json []byte) (*Ledger, error) {
	var handle *C.haversack_ledger
	var failure *C.haversack_error
	if C.haversack_ledger_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeLedger(handle), nil
}

func takeLedger(handle *C.haversack_ledger) *Ledger {
	l := &Ledger{handle: handle}
	runtime.SetFinalizer(l, func(l *Ledger) { C.haversack_ledger_free(l.handle) })
	return l
}

// Close frees what the ledger holds outside Go, before the collector would. A second one does nothing.
func (l *Ledger) Close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	C.haversack_ledger_free(l.handle)
	l.handle = nil
	runtime.SetFinalizer(l, nil)
}

// Record records a text as the value of a key: it holds from now on, and an earlier one goes into the history. A value
// that holds already (equal after trimming and joining blanks, and of that kind) is not recorded twice: its source is
// added to the fact. A value of an earlier turn than the one that holds goes into the history. Costs the logarithm of
// the number of keys. InvalidOption for a key in which nothing can be seen, a turn above 2^53, a kind that is none;
// LimitExceeded for a key above 16 KiB, a source above 4 KiB, a value above 64 KiB; MixedKey where values were appended
// to the key. The ledger is then as it was.
func (l *Ledger) Record(key, text string, options ...FactOption) (Recorded, error) {
	return l.put(key, options, func(
		a *arena, key C.haversack_str, given *C.haversack_fact_options, out *C.uint32_t, failure **C.haversack_error,
	) C.haversack_status {
		return C.haversack_ledger_record(l.handle, key, a.str(text), given, out, failure)
	})
}

// RecordJSON is Record of a value that is JSON of any type and keeps its own spelling; InvalidJSON and TooDeep for one
// that is none.
func (l *Ledger) RecordJSON(key string, json []byte, options ...FactOption) (Recorded, error) {
	return l.put(key, options, func(
		a *arena, key C.haversack_str, given *C.haversack_fact_options, out *C.uint32_t, failure **C.haversack_error,
	) C.haversack_status {
		return C.haversack_ledger_record_json(l.handle, key, viewBytes(json), given, out, failure)
	})
}

// Append adds a text to a key that has several values: none of them takes the place of another. MixedKey where a value
// was recorded for the key.
func (l *Ledger) Append(key, text string, options ...FactOption) (Recorded, error) {
	return l.put(key, options, func(
		a *arena, key C.haversack_str, given *C.haversack_fact_options, out *C.uint32_t, failure **C.haversack_error,
	) C.haversack_status {
		return C.haversack_ledger_append(l.handle, key, a.str(text), given, out, failure)
	})
}

// AppendJSON is Append of a value that is JSON.
func (l *Ledger) AppendJSON(key string, json []byte, options ...FactOption) (Recorded, error) {
	return l.put(key, options, func(
		a *arena, key C.haversack_str, given *C.haversack_fact_options, out *C.uint32_t, failure **C.haversack_error,
	) C.haversack_status {
		return C.haversack_ledger_append_json(l.handle, key, viewBytes(json), given, out, failure)
	})
}

func (l *Ledger) put(key string, options []FactOption, put func(
	*arena, C.haversack_str, *C.haversack_fact_options, *C.uint32_t, **C.haversack_error,
) C.haversack_status) (Recorded, error) {
	var a arena
	defer a.free()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var recorded C.uint32_t
	var failure *C.haversack_error
	if put(&a, a.str(key), a.fact(options), &recorded, &failure) != C.HAVERSACK_OK {
		return RecordedUnknown, takeError(failure)
	}
	return Recorded(recorded), nil
}

// Extract records fields of a tool result (JSON), each as it is spelt there, so that the result may leave the prompt.
// Of a result with one field missing nothing is recorded: NoSuchField, with the Pointer that leads nowhere and the
// Index of the field. Linear in the result for each field.
func (l *Ledger) Extract(result []byte, fields []Field, options ...FactOption) (*Extracted, error) {
	var a arena
	defer a.free()
	var first *C.haversack_field
	if len(fields) > 0 {
		first = (*C.haversack_field)(a.alloc(uintptr(len(fields)) * unsafe.Sizeof(C.haversack_field{})))
		for i, field := range fields {
			unsafe.Slice(first, len(fields))[i] = C.haversack_field{key: a.str(field.Key), pointer: a.str(field.Pointer)}
		}
	}
	given := a.fact(options)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var handle *C.haversack_extracted
	var failure *C.haversack_error
	status := C.haversack_ledger_extract(l.handle, viewBytes(result), first, C.size_t(len(fields)), given, &handle, &failure)
	if status != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_extracted_free(handle)
	keys := textsOf(func(out *C.haversack_str, capacity C.size_t) C.size_t {
		return C.haversack_extracted_keys(handle, out, capacity)
	})
	return &Extracted{keys, goString(C.haversack_extracted_text(handle)), goAccount(C.haversack_extracted_account(handle))}, nil
}

// Get is what holds of a key; of several values the first. Nil where nothing was recorded.
func (l *Ledger) Get(key string) (*Fact, error) {
	facts, err := l.ask(func(a *arena, out **C.haversack_facts, failure **C.haversack_error) C.haversack_status {
		return C.haversack_ledger_get(l.handle, a.str(key), out, failure)
	})
	if err != nil || len(facts) == 0 {
		return nil, err
	}
	return &facts[0], nil
}

// Values is what holds of a key, in the order in which it was recorded: nothing, one value, or those that were
// appended.
func (l *Ledger) Values(key string) ([]Fact, error) {
	return l.ask(func(a *arena, out **C.haversack_facts, failure **C.haversack_error) C.haversack_status {
		return C.haversack_ledger_values(l.handle, a.str(key), out, failure)
	})
}

// History is every value that a key ever had, oldest first, those that hold included.
func (l *Ledger) History(key string) ([]Fact, error) {
	return l.ask(func(a *arena, out **C.haversack_facts, failure **C.haversack_error) C.haversack_status {
		return C.haversack_ledger_history(l.handle, a.str(key), out, failure)
	})
}

// Facts is all facts that hold, in the order in which they are shown.
func (l *Ledger) Facts() ([]Fact, error) {
	return l.ask(func(_ *arena, out **C.haversack_facts, failure **C.haversack_error) C.haversack_status {
		return C.haversack_ledger_facts(l.handle, out, failure)
	})
}

func (l *Ledger) ask(ask func(*arena, **C.haversack_facts, **C.haversack_error) C.haversack_status) ([]Fact, error) {
	var a arena
	defer a.free()
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	var list *C.haversack_facts
	var failure *C.haversack_error
	if ask(&a, &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeFacts(list), nil
}

// Len is how many facts hold.
func (l *Ledger) Len() int {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	return int(C.haversack_ledger_len(l.handle))
}

// Bytes is the bytes of all lines in a text without a budget, without the heading.
func (l *Ledger) Bytes() uint64 {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	return uint64(C.haversack_ledger_bytes(l.handle))
}

// Merged is how often a value was recorded that held already.
func (l *Ledger) Merged() uint64 {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	return uint64(C.haversack_ledger_merged(l.handle))
}

// Render is the facts that hold, one line each: all of them, or with WithBudget as many as fit, taken by kind
// (constraints, decisions, tasks, identifiers, facts) and of one kind newest first. No fact is cut, an update keeps the
// place of its key, and rendering twice gives the same bytes. BudgetTooSmall where not even the count of what was left
// out fits.
func (l *Ledger) Render(options ...RenderOption) (Rendered, error) {
	c, budget, err := renderCall(options)
	if err != nil {
		return Rendered{}, err
	}
	defer c.free()
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	var handle *C.haversack_rendered
	if err := c.result(C.haversack_ledger_render(l.handle, budget, &handle, &c.failure)); err != nil {
		return Rendered{}, err
	}
	return takeRendered(handle), nil
}

// News is what was recorded since the last news, for the newest message; nil where nothing was. Messages before it stay
// as they are, so nothing cached is lost. What a budget leaves out comes with the next news; after an error all of it
// is still to be told.
func (l *Ledger) News(options ...RenderOption) (*Rendered, error) {
	c, budget, err := renderCall(options)
	if err != nil {
		return nil, err
	}
	defer c.free()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var handle *C.haversack_rendered
	if err := c.result(C.haversack_ledger_news(l.handle, budget, &handle, &c.failure)); err != nil || handle == nil {
		return nil, err
	}
	news := takeRendered(handle)
	return &news, nil
}

// Fold takes everything that is recorded for told: after the whole ledger was put into the prompt.
func (l *Ledger) Fold() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	C.haversack_ledger_fold(l.handle)
}

// PlacementCosts is what each place of the ledger costs this turn: its news on the newest message, or all of it in the
// system message. previous is its text that stands in the system message, behind the tokens of the prompt behind it.
func (l *Ledger) PlacementCosts(previous string, behind int, counter TokenCounter) (PlacementCosts, error) {
	if behind < 0 {
		return PlacementCosts{}, negative("behind")
	}
	c, given := counterCall(counter)
	defer c.free()
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	var costs C.haversack_placement_costs
	status := C.haversack_ledger_placement_costs(l.handle, c.str(previous), C.size_t(behind), given, &costs, &c.failure)
	if err := c.result(status); err != nil {
		return PlacementCosts{}, err
	}
	return PlacementCosts{int(costs.low), int(costs.system)}, nil
}

// JSON is the ledger with its history as versioned JSON.
func (l *Ledger) JSON() ([]byte, error) {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_ledger_json(l.handle, json, failure)
	})
}
