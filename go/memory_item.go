package haversack

// #include <haversack.h>
import "C"

// Timing is when a memory was written, which says what it is worth: each trusts something else.
type Timing uint32

// The times.
const (
	TimingDefault           Timing = C.HAVERSACK_TIMING_DEFAULT             // at once
	TimingAtOnce            Timing = C.HAVERSACK_TIMING_AT_ONCE             // when it was said: trusts one message
	TimingEndOfConversation Timing = C.HAVERSACK_TIMING_END_OF_CONVERSATION // trusts what was made of all of it
	TimingBackground        Timing = C.HAVERSACK_TIMING_BACKGROUND          // by something that reads along: trusts the reader
)

// String is the name of the time, such as "at_once".
func (t Timing) String() string { return goString(C.haversack_timing_name(C.uint32_t(t))) }

// Remembered is what became of a text that was added.
type Remembered uint32

// The outcomes. More may come.
const (
	RememberedUnknown Remembered = C.HAVERSACK_REMEMBERED_UNKNOWN
	RememberedAdded   Remembered = C.HAVERSACK_REMEMBERED_ADDED
	RememberedMerged  Remembered = C.HAVERSACK_REMEMBERED_MERGED   // it was there already: its source is added to the memory
	RememberedEvicted Remembered = C.HAVERSACK_REMEMBERED_EVICTED  // the one that ranked last has gone for it
	RememberedRefused Remembered = C.HAVERSACK_REMEMBERED_REFUSED  // it is not stored: it would rank last
	RememberedOverCap Remembered = C.HAVERSACK_REMEMBERED_OVER_CAP // it is a new memory above the cap
)

// String is the name of the outcome, such as "merged".
func (r Remembered) String() string { return goString(C.haversack_remembered_name(C.uint32_t(r))) }

// Said is one more time that a text was said.
type Said struct {
	Source     string // by whom, or where it stood
	Importance int    // how much it matters, 0 to 9
	At         uint64 // when, in seconds
	Timing     Timing // when it was written
}

// MemoryItem is a memory: a text with its sources, as it was when it was asked for. It is Evidence.
type MemoryItem struct {
	ID         uint64 // its number in this memory, for good
	Text       string // as it was said first
	Source     string // of all times that it was said, that of the one that ranks first; so are the three behind it
	Importance int    // how much it matters, 0 to 9
	At         uint64 // when it was said, in seconds
	Timing     Timing // when it was written
	Also       []Said // the other times that it was said: one a source, of one kind of source the best eight
}

// Hit is a memory that a search found. It is Evidence.
type Hit struct {
	MemoryItem
	Score uint64 // how well it fits, in 1/1024
}

// Added is what became of a text that was added.
type Added struct {
	Outcome Remembered
	ID      uint64      // its number
	HasID   bool        // whether it has one; not where it was refused
	Evicted *MemoryItem // the memory that went for it; nil where none did
	Over    uint64      // how many memories there are above the cap
}

// FlushFile is lines for the end of a dated file.
type FlushFile struct {
	Name    string  // memory/YYYY-MM-DD.md, relative to wherever the host keeps it
	Text    string  // what to append: a heading and one line a memory, with a line feed at its end
	Account Account // all are kept
}

// FlushRequest is a message that asks the model to write down what will still matter.
type FlushRequest struct {
	Name   string // the file that it is asked to write to
	Text   string // the message
	Silent string // the answer that is not to be shown to anyone
}

// FlushRequestFor is the message that asks a model to flush before older messages are compacted (date is YYYY-MM-DD),
// and the answer that says it has. InvalidOption for a date that is none.
func FlushRequestFor(date string) (*FlushRequest, error) {
	var a arena
	defer a.free()
	var handle *C.haversack_flush_request
	var failure *C.haversack_error
	if C.haversack_flush_request_new(a.str(date), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_flush_request_free(handle)
	return &FlushRequest{
		goString(C.haversack_flush_request_name(handle)), goString(C.haversack_flush_request_text(handle)),
		goString(C.haversack_flush_request_silent(handle)),
	}, nil
}

// IsSilentReply is whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be
// seen.
func IsSilentReply(reply string) bool {
	return bool(C.haversack_is_silent_reply(viewBytes([]byte(reply))))
}

// The memories of a list of C, which is freed.
func takeItems(list *C.haversack_memory_items) []Hit {
	defer C.haversack_memory_items_free(list)
	all := make([]Hit, C.haversack_memory_items_count(list))
	for i := range all {
		var c C.haversack_memory_item
		C.haversack_memory_items_get(list, C.size_t(i), &c)
		all[i] = Hit{goItem(&c, func(out *C.haversack_said, capacity C.size_t) C.size_t {
			return C.haversack_memory_items_also(list, C.size_t(i), out, capacity)
		}), uint64(c.score)}
	}
	return all
}

func goItem(c *C.haversack_memory_item, also func(*C.haversack_said, C.size_t) C.size_t) MemoryItem {
	return MemoryItem{
		uint64(c.id), goString(c.text), goString(c.source), int(c.importance), uint64(c.at), Timing(c.timing),
		filled(also, func(c *C.haversack_said) Said {
			return Said{goString(c.source), int(c.importance), uint64(c.at), Timing(c.timing)}
		}),
	}
}
