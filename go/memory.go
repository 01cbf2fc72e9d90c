package haversack

// #include <haversack.h>
import "C"

import (
	"math"
	"runtime"
	"sync"
	"unsafe"
)

// OnFull is what happens to a memory that is one too many.
type OnFull uint32

// The answers to a full memory.
const (
	OnFullDefault OnFull = C.HAVERSACK_ON_FULL_DEFAULT // it is reported
	OnFullReject  OnFull = C.HAVERSACK_ON_FULL_REJECT  // it is a typed error, and nothing is stored
	OnFullEvict   OnFull = C.HAVERSACK_ON_FULL_EVICT   // the memory that ranks last goes, which may be the new one
	OnFullReport  OnFull = C.HAVERSACK_ON_FULL_REPORT  // it is stored, and the answer says so
)

// String is the name of the answer, such as "evict".
func (f OnFull) String() string { return goString(C.haversack_on_full_name(C.uint32_t(f))) }

// MemoryCounts is the books of a memory: Offered = Held + Merged + Declined + Refused + Evicted + Forgotten.
type MemoryCounts struct {
	Offered   uint64 // texts that were added or declined
	Held      uint64 // texts that are held
	Merged    uint64 // texts that were there already
	Declined  uint64 // texts that the host's own filter kept out
	Refused   uint64 // texts that the cap kept out
	Evicted   uint64 // memories that went for others
	Forgotten uint64 // memories that were forgotten
}

// Memory is what is remembered beyond a conversation: texts with a source, an importance and a time, of which a slice
// goes into a request and the rest is found by search. A memory is no permission: GroundsOf says "ask" to whatever
// rests on memory alone. Close is optional. It may be used by many goroutines; a counter must not use it.
type Memory struct {
	mutex  sync.RWMutex
	handle *C.haversack_memory
}

// RememberOption is an option of Add.
type RememberOption interface{ applyRemember(*rememberOptions) }

type rememberOptions struct {
	source     string
	importance *int
	at         uint64
	timing     Timing
}

type rememberOption func(*rememberOptions)

func (set rememberOption) applyRemember(o *rememberOptions) { set(o) }

func (s SourceOption) applyRemember(o *rememberOptions) { o.source = string(s) }

// WithImportance says how much it matters, 0 to 9. Default: 3.
func WithImportance(importance int) RememberOption {
	return rememberOption(func(o *rememberOptions) { o.importance = &importance })
}

// WithSaidAt says when it was said, in seconds of the host's clock, 0 to 2^53. Default: 0.
func WithSaidAt(seconds uint64) RememberOption {
	return rememberOption(func(o *rememberOptions) { o.at = seconds })
}

// WithTiming says when it was written. Default: at once.
func WithTiming(timing Timing) RememberOption {
	return rememberOption(func(o *rememberOptions) { o.timing = timing })
}

// NewMemory is a memory without a cap and with nothing in it.
func NewMemory() *Memory { return takeMemory(C.haversack_memory_new()) }

// NewCappedMemory is a memory that holds so many texts, and what happens to one more.
func NewCappedMemory(texts int, onFull OnFull) (*Memory, error) {
	if texts < 0 {
		return nil, negative("cap")
	}
	var handle *C.haversack_memory
	var failure *C.haversack_error
	if C.haversack_memory_new_capped(C.size_t(texts), C.uint32_t(onFull), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeMemory(handle), nil
}

// MemoryFromJSON is a memory from what JSON gave, which answers as that one would: InvalidState, with the Offset or the
// Index of the item, where that is not what it is.
func MemoryFromJSON(json []byte) (*Memory, error) {
	var handle *C.haversack_memory
	var failure *C.haversack_error
	if C.haversack_memory_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeMemory(handle), nil
}

func takeMemory(handle *C.haversack_memory) *Memory {
	m := &Memory{handle: handle}
	runtime.SetFinalizer(m, func(m *Memory) { C.haversack_memory_free(m.handle) })
	return m
}

// Close frees what the memory holds outside Go, before the collector would. A second one does nothing.
func (m *Memory) Close() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	C.haversack_memory_free(m.handle)
	m.handle = nil
	runtime.SetFinalizer(m, nil)
}

// Add remembers a text. One that is there already (equal after trimming and joining blanks) is not stored twice: its
// source is added to the memory, which then ranks as the best of the times that it was said. InvalidOption for a text
// in which nothing can be seen and a number outside its range, LimitExceeded for more than 64 KiB and, of "cap", for a
// memory that is full and rejects.
func (m *Memory) Add(text string, options ...RememberOption) (*Added, error) {
	var o rememberOptions
	for _, option := range options {
		option.applyRemember(&o)
	}
	var a arena
	defer a.free()
	given := (*C.haversack_remember_options)(a.alloc(C.sizeof_haversack_remember_options))
	given.size = C.sizeof_haversack_remember_options
	given.source = a.str(o.source)
	given.at = C.uint64_t(o.at)
	given.timing = C.uint32_t(o.timing)
	if o.importance != nil {
		if *o.importance < 0 {
			return nil, negative("importance")
		}
		given.importance = (*C.uint32_t)(a.alloc(unsafe.Sizeof(C.uint32_t(0))))
		*given.importance = math.MaxUint32 // refused, as is everything above 9
		if uint64(*o.importance) < math.MaxUint32 {
			*given.importance = C.uint32_t(*o.importance)
		}
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var handle *C.haversack_added
	var failure *C.haversack_error
	if C.haversack_memory_add(m.handle, a.str(text), given, &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_added_free(handle)
	added := &Added{Outcome: Remembered(C.haversack_added_outcome(handle)), Over: uint64(C.haversack_added_over(handle))}
	var id C.uint64_t
	added.HasID = bool(C.haversack_added_id(handle, &id))
	added.ID = uint64(id)
	var gone C.haversack_memory_item
	if C.haversack_added_evicted(handle, &gone) {
		item := goItem(&gone, func(out *C.haversack_said, capacity C.size_t) C.size_t {
			return C.haversack_added_evicted_also(handle, out, capacity)
		})
		added.Evicted = &item
	}
	return added, nil
}

// Decline counts a text that the host's own filter kept out, so that the books close.
func (m *Memory) Decline() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	C.haversack_memory_decline(m.handle)
}

// Slice is what was known at now (seconds), best first, one line each: all of it, or with WithBudget as much as fits.
// Rank: the more important; then what the user or the host said, the model's own, content; then the latest; then by
// text and source. The first that does not fit ends the slice. What was said after now is left out and counted.
func (m *Memory) Slice(now uint64, options ...RenderOption) (Rendered, error) {
	c, budget, err := renderCall(options)
	if err != nil {
		return Rendered{}, err
	}
	defer c.free()
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	var handle *C.haversack_rendered
	if err := c.result(C.haversack_memory_slice(m.handle, C.uint64_t(now), budget, &handle, &c.failure)); err != nil {
		return Rendered{}, err
	}
	return takeRendered(handle), nil
}

// Search is the memories that hold a word of the query, best first: BM25 over words in lower case; ties by the latest,
// then by number. Every memory is read; the first 256 different words count. LimitExceeded for a query above 64 KiB.
func (m *Memory) Search(query string) ([]Hit, error) {
	return m.ask(func(a *arena, out **C.haversack_memory_items, failure **C.haversack_error) C.haversack_status {
		return C.haversack_memory_search(m.handle, a.str(query), out, failure)
	})
}

// Get is the memory of that number; nil where there is none.
func (m *Memory) Get(id uint64) (*MemoryItem, error) {
	found, err := m.ask(func(_ *arena, out **C.haversack_memory_items, failure **C.haversack_error) C.haversack_status {
		return C.haversack_memory_get(m.handle, C.uint64_t(id), out, failure)
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0].MemoryItem, nil
}

// Items is all memories, in the order of their rank.
func (m *Memory) Items() ([]MemoryItem, error) {
	found, err := m.ask(func(_ *arena, out **C.haversack_memory_items, failure **C.haversack_error) C.haversack_status {
		return C.haversack_memory_all(m.handle, out, failure)
	})
	all := make([]MemoryItem, len(found))
	for i := range found {
		all[i] = found[i].MemoryItem
	}
	return all, err
}

func (m *Memory) ask(ask func(*arena, **C.haversack_memory_items, **C.haversack_error) C.haversack_status) ([]Hit, error) {
	var a arena
	defer a.free()
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	var list *C.haversack_memory_items
	var failure *C.haversack_error
	if ask(&a, &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeItems(list), nil
}

// Forget forgets what a source said, and all that only it said: "page:https://a.b" names one source, "page" all of that
// kind. It gives how many memories are gone; one that another source said as well stays, with that source.
func (m *Memory) Forget(source string) (uint64, error) {
	var a arena
	defer a.free()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var gone C.uint64_t
	var failure *C.haversack_error
	if C.haversack_memory_forget(m.handle, a.str(source), &gone, &failure) != C.HAVERSACK_OK {
		return 0, takeError(failure)
	}
	return uint64(gone), nil
}

// Merge is a new memory with all of this one, under its cap, and all of the other, each text with every source it has.
// LimitExceeded of "cap" where it is full and rejects.
func (m *Memory) Merge(other *Memory) (*Memory, error) {
	// In one order, whichever comes first, so that two calls never wait for each other.
	first, second := m, other
	if uintptr(unsafe.Pointer(first)) > uintptr(unsafe.Pointer(second)) {
		first, second = second, first
	}
	first.mutex.RLock()
	defer first.mutex.RUnlock()
	if first != second {
		second.mutex.RLock()
		defer second.mutex.RUnlock()
	}
	var merged *C.haversack_memory
	var failure *C.haversack_error
	if C.haversack_memory_merge(m.handle, other.handle, &merged, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeMemory(merged), nil
}

// Len is how many memories there are.
func (m *Memory) Len() int {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return int(C.haversack_memory_len(m.handle))
}

// Counts is the books: what became of everything that was offered.
func (m *Memory) Counts() MemoryCounts {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	c := C.haversack_memory_books(m.handle)
	return MemoryCounts{
		uint64(c.offered), uint64(c.held), uint64(c.merged), uint64(c.declined), uint64(c.refused), uint64(c.evicted),
		uint64(c.forgotten),
	}
}

// Flush is what was remembered since the last flush, for the file of that day (date is YYYY-MM-DD); nil where nothing
// was. InvalidOption for a date that is none; nothing is then flushed.
func (m *Memory) Flush(date string) (*FlushFile, error) {
	var a arena
	defer a.free()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var file *C.haversack_flush_file
	var failure *C.haversack_error
	if C.haversack_memory_flush(m.handle, a.str(date), &file, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	if file == nil {
		return nil, nil
	}
	defer C.haversack_flush_file_free(file)
	return &FlushFile{
		goString(C.haversack_flush_file_name(file)), goString(C.haversack_flush_file_text(file)),
		goAccount(C.haversack_flush_file_account(file)),
	}, nil
}

// JSON is all memories with every source as versioned JSON.
func (m *Memory) JSON() ([]byte, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_memory_json(m.handle, json, failure)
	})
}
