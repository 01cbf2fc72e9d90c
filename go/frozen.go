package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Section is a section of a prompt by its name.
type Section struct {
	Name string // not empty, and no other section's
	Text string // "" for a section that holds nothing yet
}

// Note is a change of a section, for the newest message, where it stays for ever.
type Note struct {
	Section string
	Version uint64 // which version of the section it states: 2 for the first change, never given twice
	Text    string // for the newest message: the whole difference from the section as written, and that it wins
}

// NoteCost is what outstanding notes cost, in tokens: weigh it against a Fold, which costs the cache once.
type NoteCost struct {
	Notes            int // how many are outstanding
	Superseded       int // of them, those that a later note on the same section overrides
	Tokens           int // of all of them
	SupersededTokens int // of those that are overridden
	StaleTokens      int // of sections as written that no longer hold as written
}

// Frozen is sections of a prompt that are replayed as they were written; a change becomes a note for the newest
// message. Close is optional. It may be used by many goroutines; a counter must not use it.
type Frozen struct {
	mutex  sync.Mutex
	handle *C.haversack_frozen
}

// NewFrozen is the sections in the order in which the prompt has them. InvalidOption of "name" for a name that is empty
// or stands twice, with the Index of the section.
func NewFrozen(sections ...Section) (*Frozen, error) {
	var a arena
	defer a.free()
	var first *C.haversack_section
	if len(sections) > 0 {
		first = (*C.haversack_section)(a.alloc(uintptr(len(sections)) * unsafe.Sizeof(C.haversack_section{})))
		for i, section := range sections {
			unsafe.Slice(first, len(sections))[i] = C.haversack_section{name: a.str(section.Name), text: a.str(section.Text)}
		}
	}
	var handle *C.haversack_frozen
	var failure *C.haversack_error
	if C.haversack_frozen_new(first, C.size_t(len(sections)), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeFrozen(handle), nil
}

// FrozenFromJSON is sections from what JSON gave.
func FrozenFromJSON(json []byte) (*Frozen, error) {
	var handle *C.haversack_frozen
	var failure *C.haversack_error
	if C.haversack_frozen_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeFrozen(handle), nil
}

func takeFrozen(handle *C.haversack_frozen) *Frozen {
	f := &Frozen{handle: handle}
	runtime.SetFinalizer(f, func(f *Frozen) { C.haversack_frozen_free(f.handle) })
	return f
}

// Close frees what the value holds outside Go, before the collector would. A second one does nothing.
func (f *Frozen) Close() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	C.haversack_frozen_free(f.handle)
	f.handle = nil
	runtime.SetFinalizer(f, nil)
}

// Names is the names of the sections, in order.
func (f *Frozen) Names() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return textsOf(func(out *C.haversack_str, capacity C.size_t) C.size_t {
		return C.haversack_frozen_names(f.handle, out, capacity)
	})
}

// Text is the section as every request has it, byte for byte what was written; "" after a folded deletion.
func (f *Frozen) Text(name string) (string, error) {
	return f.ask(name, func(name C.haversack_str, out *C.haversack_str, failure **C.haversack_error) C.haversack_status {
		return C.haversack_frozen_text(f.handle, name, out, failure)
	})
}

// Current is what holds now: what Fold would make the section.
func (f *Frozen) Current(name string) (string, error) {
	return f.ask(name, func(name C.haversack_str, out *C.haversack_str, failure **C.haversack_error) C.haversack_status {
		return C.haversack_frozen_current(f.handle, name, out, failure)
	})
}

func (f *Frozen) ask(name string, get func(C.haversack_str, *C.haversack_str, **C.haversack_error) C.haversack_status) (string, error) {
	var a arena
	defer a.free()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var text C.haversack_str
	var failure *C.haversack_error
	if get(a.str(name), &text, &failure) != C.HAVERSACK_OK {
		return "", takeError(failure)
	}
	return goString(text), nil
}

// Update is a new version of a section; "" deletes. The note goes into the newest message; nil when that version holds
// already.
func (f *Frozen) Update(name, text string) (*Note, error) {
	var a arena
	defer a.free()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var note C.haversack_note
	var failure *C.haversack_error
	if C.haversack_frozen_update(f.handle, a.str(name), a.str(text), &note, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	if note.version == 0 {
		return nil, nil
	}
	told := goNote(&note)
	return &told, nil
}

// Delete is Update to nothing.
func (f *Frozen) Delete(name string) (*Note, error) { return f.Update(name, "") }

// Notes is the outstanding notes, oldest first.
func (f *Frozen) Notes() []Note {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	get := func(i C.size_t, note *C.haversack_note) C.bool { return C.haversack_frozen_note(f.handle, i, note) }
	return entries(C.haversack_frozen_note_count(f.handle), get, goNote)
}

// Cost is what the outstanding notes cost, in tokens of counter.
func (f *Frozen) Cost(counter TokenCounter) (NoteCost, error) {
	c, given := counterCall(counter)
	defer c.free()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var cost C.haversack_note_cost
	if err := c.result(C.haversack_frozen_cost(f.handle, given, &cost, &c.failure)); err != nil {
		return NoteCost{}, err
	}
	return NoteCost{
		int(cost.notes), int(cost.superseded), int(cost.tokens), int(cost.superseded_tokens), int(cost.stale_tokens),
	}, nil
}

// Fold makes the current versions the sections and forgets the notes: for a compaction, when the prompt is written anew
// anyway. It gives the names of the sections that changed; a second call changes nothing.
func (f *Frozen) Fold() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	changed := make([]C.haversack_str, C.haversack_frozen_names(f.handle, nil, 0))
	if len(changed) == 0 {
		return nil
	}
	var names []string
	for _, name := range changed[:C.haversack_frozen_fold(f.handle, &changed[0], C.size_t(len(changed)))] {
		names = append(names, goString(name))
	}
	return names
}

// JSON is the sections and their notes as versioned JSON.
func (f *Frozen) JSON() ([]byte, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_frozen_json(f.handle, json, failure)
	})
}

func goNote(c *C.haversack_note) Note {
	return Note{goString(c.section), uint64(c.version), goString(c.text)}
}
