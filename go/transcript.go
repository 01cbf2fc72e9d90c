package haversack

// #include <haversack.h>
import "C"

import (
	"bytes"
	"runtime"
	"sync"
	"unsafe"
)

// DamageKind is why a line of a transcript is no message.
type DamageKind uint32

// The kinds. More may come.
const (
	DamageUnknown     DamageKind = C.HAVERSACK_DAMAGE_UNKNOWN
	DamageTruncated   DamageKind = C.HAVERSACK_DAMAGE_TRUNCATED // it is the last one, and breaks off
	DamageInvalidJSON DamageKind = C.HAVERSACK_DAMAGE_INVALID_JSON
	DamageInvalidUTF8 DamageKind = C.HAVERSACK_DAMAGE_INVALID_UTF8
	DamageNotAnObject DamageKind = C.HAVERSACK_DAMAGE_NOT_AN_OBJECT // it is JSON, and no object
	DamageBlank       DamageKind = C.HAVERSACK_DAMAGE_BLANK
)

// String is the name of the kind, such as "truncated".
func (k DamageKind) String() string { return goString(C.haversack_damage_kind_name(C.uint32_t(k))) }

// Message is a message of a transcript, as it stands.
type Message struct {
	Number uint64 // its number, for good
	Text   string // its JSON
}

// Damage is a line that cannot be served.
type Damage struct {
	Number uint64 // the number that it keeps
	Kind   DamageKind
	Offset int // where it is wrong, in bytes from the start of the line
	Bytes  int // how many it has
}

// TranscriptHit is a message that holds what was looked for.
type TranscriptHit struct {
	Number uint64
	Count  uint64 // how often
}

// Reference is a reference to messages in a text.
type Reference struct {
	First, Last uint64 // the messages, both included
	At          int    // where it stands, in bytes
	Length      int    // how long it is, in bytes, the quote not included
	Quote       string // the words quoted behind it; "" where there are none
	Exists      bool   // whether there are such messages; false before a transcript was asked
	Holds       bool   // whether one of the messages holds exactly the quoted words
	HasHolds    bool   // whether Holds says something: words are quoted, the range is at most 100 messages, a transcript was asked
}

// Lines is what was read of a range of bytes.
type Lines struct {
	Messages []Message // in order
	Damage   []Damage  // the lines that are no messages, in order
}

// Transcript is everything that was said, by number from 1: message 214 stays message 214, whatever a compaction does
// to the prompt. It is JSON Lines: line N is message N. Close is optional. It may be used by many goroutines.
type Transcript struct {
	mutex  sync.RWMutex
	handle *C.haversack_transcript
}

// NewTranscript is a transcript with nothing in it.
func NewTranscript() *Transcript { return takeTranscript(C.haversack_transcript_new()) }

// TranscriptFromJSONL reads JSON Lines: every line that is a JSON object is served under its number, every other is
// reported in Damage and keeps its number. A last line without a line feed that is whole is a message. Only text that
// is no UTF-8 is an error; ReadLines takes that, too.
func TranscriptFromJSONL(text []byte) (*Transcript, error) {
	var handle *C.haversack_transcript
	var failure *C.haversack_error
	if C.haversack_transcript_from_jsonl(viewBytes(text), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeTranscript(handle), nil
}

// TranscriptFromJSON is a transcript from what JSON gave: InvalidState for no such JSON (Offset), or another version.
func TranscriptFromJSON(json []byte) (*Transcript, error) {
	var handle *C.haversack_transcript
	var failure *C.haversack_error
	if C.haversack_transcript_from_json(viewBytes(json), &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return takeTranscript(handle), nil
}

func takeTranscript(handle *C.haversack_transcript) *Transcript {
	t := &Transcript{handle: handle}
	runtime.SetFinalizer(t, func(t *Transcript) { C.haversack_transcript_free(t.handle) })
	return t
}

// Close frees what the transcript holds outside Go, before the collector would. A second one does nothing.
func (t *Transcript) Close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	C.haversack_transcript_free(t.handle)
	t.handle = nil
	runtime.SetFinalizer(t, nil)
}

// Append appends a message (a JSON object), which is copied, and gives its number, which is its for good. Costs its own
// length. InvalidJSON and TooDeep with the Offset; InvalidOption of "message" where it is JSON and no object.
func (t *Transcript) Append(message []byte) (uint64, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var number C.uint64_t
	var failure *C.haversack_error
	if C.haversack_transcript_append(t.handle, viewBytes(message), &number, &failure) != C.HAVERSACK_OK {
		return 0, takeError(failure)
	}
	return uint64(number), nil
}

// Last is the number of the last message; 0 where there is none.
func (t *Transcript) Last() uint64 {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return uint64(C.haversack_transcript_last(t.handle))
}

// Read is the messages from number first to last, both included, without damaged lines, which stand in Damage.
// NoSuchMessage, with the number (Index) that there is not, and the last one (Available).
func (t *Transcript) Read(first, last uint64) ([]Message, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	var room uint64
	if end := uint64(C.haversack_transcript_last(t.handle)); first >= 1 && first <= last && last <= end {
		room = last - first + 1
	}
	found := make([]C.haversack_message, room+1) // one more, so that there is a first
	var count C.size_t
	var failure *C.haversack_error
	status := C.haversack_transcript_read(t.handle, C.uint64_t(first), C.uint64_t(last), &found[0], C.size_t(room), &count, &failure)
	if status != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	return goMessages(found[:count]), nil
}

// Array is the messages of a range as one JSON array: a history of its own, for ParseHistory. Errors as Read.
func (t *Transcript) Array(first, last uint64) ([]byte, error) {
	return t.written(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_transcript_array(t.handle, C.uint64_t(first), C.uint64_t(last), json, failure)
	})
}

// Search is the messages whose strings and names of members hold exactly this text, in order; escapes are read as what
// they say. Linear in the transcript. InvalidOption for "", LimitExceeded for more than 4,096 bytes.
func (t *Transcript) Search(needle string) ([]TranscriptHit, error) {
	var a arena
	defer a.free()
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	var list *C.haversack_transcript_hits
	var failure *C.haversack_error
	if C.haversack_transcript_search(t.handle, a.str(needle), &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_transcript_hits_free(list)
	get := func(i C.size_t, c *C.haversack_transcript_hit) C.bool {
		return C.haversack_transcript_hits_get(list, i, c)
	}
	return entries(C.haversack_transcript_hits_count(list), get, func(c *C.haversack_transcript_hit) TranscriptHit {
		return TranscriptHit{uint64(c.number), uint64(c.count)}
	}), nil
}

// Resolve is what a reference leads to, both included: "message 214", "messages 3-9" or "3 to 9", "#214", or the number
// alone, perhaps in brackets. InvalidOption of "reference" for none of these, else as Read.
func (t *Transcript) Resolve(reference string) (first, last uint64, err error) {
	var a arena
	defer a.free()
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	var c C.haversack_message_range
	var failure *C.haversack_error
	if C.haversack_transcript_resolve(t.handle, a.str(reference), &c, &failure) != C.HAVERSACK_OK {
		return 0, 0, takeError(failure)
	}
	return uint64(c.first), uint64(c.last), nil
}

// Check is the references in a text (a summary, a finding), each with whether it exists and, where words are quoted
// behind it, whether the messages hold exactly them. Linear in the text, and for each quote in the messages it is
// looked for in.
func (t *Transcript) Check(text string) ([]Reference, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return references(text, func(text C.haversack_str, list **C.haversack_references, failure **C.haversack_error) C.haversack_status {
		return C.haversack_transcript_check(t.handle, text, list, failure)
	})
}

// ReferencesIn is the references in a text, in order, when there is no transcript to ask: the word message or messages,
// a number or a range, and perhaps words in double quotes. Linear.
func ReferencesIn(text string) ([]Reference, error) {
	return references(text, func(text C.haversack_str, list **C.haversack_references, failure **C.haversack_error) C.haversack_status {
		return C.haversack_references_in(text, list, failure)
	})
}

func references(text string, find func(C.haversack_str, **C.haversack_references, **C.haversack_error) C.haversack_status) ([]Reference, error) {
	var a arena
	defer a.free()
	var list *C.haversack_references
	var failure *C.haversack_error
	if find(a.str(text), &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_references_free(list)
	get := func(i C.size_t, c *C.haversack_reference) C.bool { return C.haversack_references_get(list, i, c) }
	return entries(C.haversack_references_count(list), get, func(c *C.haversack_reference) Reference {
		return Reference{
			uint64(c.first), uint64(c.last), int(c.at), int(c.length), goString(c.quote), c.exists != 0, c.holds != 0, c.has_holds != 0,
		}
	}), nil
}

// Damage is the lines that cannot be served, in order.
func (t *Transcript) Damage() []Damage {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	ask := func(out *C.haversack_damage, capacity C.size_t) C.size_t {
		return C.haversack_transcript_damage(t.handle, out, capacity)
	}
	return filled(ask, goDamage)
}

// JSONL is all lines as they stand, damaged ones too: JSON Lines, line N is message N.
func (t *Transcript) JSONL() string {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return goString(C.haversack_transcript_jsonl(t.handle))
}

// JSON is the transcript as versioned JSON, for hosts that keep all state in one form.
func (t *Transcript) JSON() ([]byte, error) {
	return t.written(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_transcript_json(t.handle, json, failure)
	})
}

func (t *Transcript) written(write func(*C.haversack_string, **C.haversack_error) C.haversack_status) ([]byte, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return takeJSON(write)
}

// TranscriptIndex is the places of the lines of a JSON Lines file: it is fed the file once, and then whatever is
// appended; 8 bytes a message. A range is then one read of its bytes. Close is optional. It may be used by many
// goroutines.
type TranscriptIndex struct {
	mutex  sync.RWMutex
	handle *C.haversack_transcript_index
}

// NewTranscriptIndex is the index of an empty file.
func NewTranscriptIndex() *TranscriptIndex {
	i := &TranscriptIndex{handle: C.haversack_transcript_index_new()}
	runtime.SetFinalizer(i, func(i *TranscriptIndex) { C.haversack_transcript_index_free(i.handle) })
	return i
}

// Close frees what the index holds outside Go, before the collector would. A second one does nothing.
func (i *TranscriptIndex) Close() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	C.haversack_transcript_index_free(i.handle)
	i.handle = nil
	runtime.SetFinalizer(i, nil)
}

// Write goes over the next bytes of the file, in pieces of any size; they need not be UTF-8. It takes all of them, so
// that io.Copy can feed a file.
func (i *TranscriptIndex) Write(piece []byte) (int, error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	var failure *C.haversack_error
	if C.haversack_transcript_index_feed(i.handle, viewBytes(piece), &failure) != C.HAVERSACK_OK {
		return 0, takeError(failure)
	}
	return len(piece), nil
}

// Last is the number of the last message; 0 where there is none.
func (i *TranscriptIndex) Last() uint64 {
	i.mutex.RLock()
	defer i.mutex.RUnlock()
	return uint64(C.haversack_transcript_index_last(i.handle))
}

// Length is how many bytes were written: where the file goes on.
func (i *TranscriptIndex) Length() uint64 {
	i.mutex.RLock()
	defer i.mutex.RUnlock()
	return uint64(C.haversack_transcript_index_length(i.handle))
}

// Range is the bytes of the messages from number first to last, both included, from start up to end: what ReadLines is
// to read. NoSuchMessage as Read of a transcript.
func (i *TranscriptIndex) Range(first, last uint64) (start, end uint64, err error) {
	i.mutex.RLock()
	defer i.mutex.RUnlock()
	var c C.haversack_byte_range
	var failure *C.haversack_error
	if C.haversack_transcript_index_range(i.handle, C.uint64_t(first), C.uint64_t(last), &c, &failure) != C.HAVERSACK_OK {
		return 0, 0, takeError(failure)
	}
	return uint64(c.start), uint64(c.end), nil
}

// Resolve is what a reference leads to, as Resolve of a Transcript reads it, with its errors.
func (i *TranscriptIndex) Resolve(reference string) (first, last uint64, err error) {
	var a arena
	defer a.free()
	i.mutex.RLock()
	defer i.mutex.RUnlock()
	var c C.haversack_message_range
	var failure *C.haversack_error
	if C.haversack_transcript_index_resolve(i.handle, a.str(reference), &c, &failure) != C.HAVERSACK_OK {
		return 0, 0, takeError(failure)
	}
	return uint64(c.first), uint64(c.last), nil
}

// ReadLines reads the lines of a range of bytes, of which the first has the number first. Linear in the bytes, which
// need not be UTF-8.
func ReadLines(text []byte, first uint64) (*Lines, error) {
	// The answer points into the bytes, so that all of it is memory of C.
	var a arena
	defer a.free()
	block := a.alloc(uintptr(len(text)) + 1)
	copy(unsafe.Slice((*byte)(block), len(text)), text)
	room := bytes.Count(text, []byte{'\n'}) + 1
	messages := (*C.haversack_message)(a.alloc(uintptr(room) * unsafe.Sizeof(C.haversack_message{})))
	damage := (*C.haversack_damage)(a.alloc(uintptr(room) * unsafe.Sizeof(C.haversack_damage{})))
	var counts C.haversack_line_counts
	var failure *C.haversack_error
	status := C.haversack_read_lines(
		C.haversack_str{ptr: (*C.char)(block), len: C.size_t(len(text))}, C.uint64_t(first), messages, C.size_t(room), damage,
		C.size_t(room), &counts, &failure,
	)
	if status != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	lines := &Lines{Messages: goMessages(unsafe.Slice(messages, room)[:counts.messages])}
	for i := range unsafe.Slice(damage, room)[:counts.damage] {
		lines.Damage = append(lines.Damage, goDamage(&unsafe.Slice(damage, room)[i]))
	}
	return lines, nil
}

func goMessages(found []C.haversack_message) []Message {
	messages := make([]Message, len(found))
	for i := range found {
		messages[i] = Message{uint64(found[i].number), goString(found[i].text)}
	}
	return messages
}

func goDamage(c *C.haversack_damage) Damage {
	return Damage{uint64(c.number), DamageKind(c.kind), int(c.offset), int(c.bytes)}
}
