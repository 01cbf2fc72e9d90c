package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
)

// OutMessage is a message of a history after a cut or a repair.
type OutMessage struct {
	Source    int    // the message of the input it comes from; -1 for one that was added
	Untouched bool   // whether its text is that message's own
	Text      string // its text
}

// Alternation is what a cut does to the turn of roles where it stands.
type Alternation uint32

// The ways. More may come.
const (
	AlternationUnknown Alternation = C.HAVERSACK_ALTERNATION_UNKNOWN
	OpensWithUser      Alternation = C.HAVERSACK_ALTERNATION_OPENS_WITH_USER
	OpensWithAssistant Alternation = C.HAVERSACK_ALTERNATION_OPENS_WITH_ASSISTANT
	OpensWithPinned    Alternation = C.HAVERSACK_ALTERNATION_OPENS_WITH_PINNED
)

// String is the name, such as "opens_with_user".
func (a Alternation) String() string { return goString(C.haversack_alternation_name(C.uint32_t(a))) }

// NothingToCut is why nothing was cut.
type NothingToCut uint32

// The reasons. More may come.
const (
	CutSomething   NothingToCut = C.HAVERSACK_NOTHING_TO_CUT_NONE // something was cut
	CutFits        NothingToCut = C.HAVERSACK_NOTHING_TO_CUT_FITS
	CutNoSafeIndex NothingToCut = C.HAVERSACK_NOTHING_TO_CUT_NO_SAFE_INDEX
)

// String is the name of the reason, such as "fits".
func (n NothingToCut) String() string {
	return goString(C.haversack_nothing_to_cut_name(C.uint32_t(n)))
}

// Strip is something that left a kept message with the cut.
type Strip struct {
	Index int
	Path  string
	What  string // "thinking" or "item_id"
}

// Reduced is a result that was made smaller inside a step that has to stay; sizes in the unit of the budget.
type Reduced struct {
	Index         int
	Path          string
	Before, After int
}

// Cut is a cut of a history, or why nothing was cut.
type Cut struct {
	Found       bool         // whether there is a cut; else only Nothing says something
	Nothing     NothingToCut // why there is none
	Index       int          // the first message that is kept for its place
	Reason      string       // why there: one sentence
	Kept        []int        // the messages kept, by index
	Dropped     []int        // the messages dropped, by index
	SizeBefore  int          // of the whole history, in the unit of the budget
	SizeAfter   int          // of what is kept
	Strip       []Strip
	Reduced     []Reduced
	Alternation Alternation
	Messages    []OutMessage // the history after the cut
	Text        string       // the whole text after the cut: a body stays a body, a list a list
}

// CutOption is an option of Cut and CutMessages.
type CutOption interface{ applyCut(*cutOptions) }

type cutOption func(*cutOptions)

func (set cutOption) applyCut(o *cutOptions) { set(o) }

type cutOptions struct {
	pinned   []int
	portable bool
}

// PinnedOption is an option of whatever cuts a history.
type PinnedOption []int

func (p PinnedOption) applyCut(o *cutOptions) { o.pinned = append(o.pinned, p...) }

// WithPinned keeps these messages, by index.
func WithPinned(indices ...int) PinnedOption { return indices }

// WithPortable cuts only at indices that hold in every format.
func WithPortable() CutOption {
	return cutOption(func(o *cutOptions) { o.portable = true })
}

// Cut cuts the front so that what is kept is within the budget, system prompt and pins included.
func (h *History) Cut(keep Budget, options ...CutOption) (*Cut, error) {
	c, err := newCall(keep)
	if err != nil {
		return nil, err
	}
	return h.cut(c, options, func(given *C.haversack_cut_options, cut **C.haversack_cut) C.haversack_status {
		return C.haversack_history_cut(h.handle, c.budget, given, cut, &c.failure)
	})
}

// CutMessages is Cut for a number of messages instead of a size.
func (h *History) CutMessages(keep int, options ...CutOption) (*Cut, error) {
	if keep < 0 {
		return nil, negative("keep")
	}
	c := &call{}
	return h.cut(c, options, func(given *C.haversack_cut_options, cut **C.haversack_cut) C.haversack_status {
		return C.haversack_history_cut_messages(h.handle, C.size_t(keep), given, cut, &c.failure)
	})
}

func (h *History) cut(
	c *call, options []CutOption, run func(*C.haversack_cut_options, **C.haversack_cut) C.haversack_status,
) (*Cut, error) {
	defer runtime.KeepAlive(h)
	defer c.free()
	var o cutOptions
	for _, option := range options {
		option.applyCut(&o)
	}
	given := (*C.haversack_cut_options)(c.alloc(C.sizeof_haversack_cut_options))
	given.size = C.sizeof_haversack_cut_options
	var err error
	if given.pinned, err = c.pins(o.pinned); err != nil {
		return nil, err
	}
	given.pinned_len = C.size_t(len(o.pinned))
	if o.portable {
		given.portable = 1
	}
	var handle *C.haversack_cut
	if err := c.result(run(given, &handle)); err != nil {
		return nil, err
	}
	defer C.haversack_cut_free(handle)
	return takeCut(handle), nil
}

func takeCut(handle *C.haversack_cut) *Cut {
	cut := &Cut{
		Found:       bool(C.haversack_cut_found(handle)),
		Nothing:     NothingToCut(C.haversack_cut_nothing(handle)),
		Index:       int(C.haversack_cut_index(handle)),
		Reason:      goString(C.haversack_cut_reason(handle)),
		SizeBefore:  int(C.haversack_cut_size_before(handle)),
		SizeAfter:   int(C.haversack_cut_size_after(handle)),
		Alternation: Alternation(C.haversack_cut_alternation(handle)),
		Text:        goString(C.haversack_cut_text(handle)),
	}
	cut.Kept = indices(func(out *C.size_t, capacity C.size_t) C.size_t {
		return C.haversack_cut_kept(handle, out, capacity)
	})
	cut.Dropped = indices(func(out *C.size_t, capacity C.size_t) C.size_t {
		return C.haversack_cut_dropped(handle, out, capacity)
	})
	var s C.haversack_strip
	for i := 0; bool(C.haversack_cut_strip(handle, C.size_t(i), &s)); i++ {
		cut.Strip = append(cut.Strip, Strip{int(s.index), goString(s.path), goString(s.what)})
	}
	var r C.haversack_reduced
	for i := 0; bool(C.haversack_cut_reduced(handle, C.size_t(i), &r)); i++ {
		cut.Reduced = append(cut.Reduced, Reduced{int(r.index), goString(r.path), int(r.before), int(r.after)})
	}
	cut.Messages = outMessages(func(i C.size_t, out *C.haversack_out_message) C.bool {
		return C.haversack_cut_message(handle, i, out)
	})
	return cut
}

// MissingResult is what becomes of a call without a result.
type MissingResult uint32

// What can become of it.
const (
	MissingSynthesise MissingResult = C.HAVERSACK_MISSING_RESULT_SYNTHESISE // a result that says so is added
	MissingDrop       MissingResult = C.HAVERSACK_MISSING_RESULT_DROP       // the call is dropped
)

// OrphanResult is what becomes of a result without a call.
type OrphanResult uint32

// What can become of it.
const (
	OrphanDrop OrphanResult = C.HAVERSACK_ORPHAN_RESULT_DROP // it is dropped
	OrphanText OrphanResult = C.HAVERSACK_ORPHAN_RESULT_TEXT // its text stays, as the user's
)

// RepairAction is what was done about a violation.
type RepairAction uint32

// The actions. More may come.
const (
	RepairUnknown    RepairAction = C.HAVERSACK_REPAIR_UNKNOWN
	RepairDrop       RepairAction = C.HAVERSACK_REPAIR_DROP
	RepairSynthesise RepairAction = C.HAVERSACK_REPAIR_SYNTHESISE
	RepairStrip      RepairAction = C.HAVERSACK_REPAIR_STRIP
	RepairHoist      RepairAction = C.HAVERSACK_REPAIR_HOIST
	RepairPush       RepairAction = C.HAVERSACK_REPAIR_PUSH
	RepairMerge      RepairAction = C.HAVERSACK_REPAIR_MERGE
	RepairRename     RepairAction = C.HAVERSACK_REPAIR_RENAME
	RepairFill       RepairAction = C.HAVERSACK_REPAIR_FILL
)

// String is the name of the action, such as "hoist".
func (a RepairAction) String() string { return goString(C.haversack_repair_action_name(C.uint32_t(a))) }

// Change is one change of a repair.
type Change struct {
	Action    RepairAction
	Violation ViolationKind
	Index     int    // the message of the input concerned
	Path      string // JSON pointer inside the list of messages of the input
	Message   string // one sentence
}

// Repair is a repaired history.
type Repair struct {
	Changes []Change // empty when the history was valid
	// What no change of the messages mends; empty as a rule. Indices and paths are those of the resulting messages.
	Remaining []Violation
	Messages  []OutMessage // the history after the repair
	Text      string       // the whole text after the repair: a body stays a body, a list a list
}

// RepairOption is an option of Repair.
type RepairOption func(*repairOptions)

type repairOptions struct {
	missing MissingResult
	orphan  OrphanResult
	sending bool
}

// WithMissing says what becomes of calls without a result.
func WithMissing(missing MissingResult) RepairOption {
	return func(o *repairOptions) { o.missing = missing }
}

// WithOrphan says what becomes of results without a call.
func WithOrphan(orphan OrphanResult) RepairOption {
	return func(o *repairOptions) { o.orphan = orphan }
}

// WithSending says that the history goes out next: it may not end on an open call.
func WithSending() RepairOption {
	return func(o *repairOptions) { o.sending = true }
}

// Repair is the smallest change after which nothing is refused, or only what Remaining tells.
func (h *History) Repair(options ...RepairOption) (*Repair, error) {
	defer runtime.KeepAlive(h)
	var o repairOptions
	for _, option := range options {
		option(&o)
	}
	c := &call{}
	defer c.free()
	given := (*C.haversack_repair_options)(c.alloc(C.sizeof_haversack_repair_options))
	given.size = C.sizeof_haversack_repair_options
	given.missing, given.orphan = C.uint32_t(o.missing), C.uint32_t(o.orphan)
	if o.sending {
		given.sending = 1
	}
	var handle *C.haversack_repair
	if err := c.result(C.haversack_history_repair(h.handle, given, &handle, &c.failure)); err != nil {
		return nil, err
	}
	defer C.haversack_repair_free(handle)
	repair := &Repair{Text: goString(C.haversack_repair_text(handle))}
	var change C.haversack_change
	for i := 0; bool(C.haversack_repair_change(handle, C.size_t(i), &change)); i++ {
		repair.Changes = append(repair.Changes, Change{
			RepairAction(change.action), ViolationKind(change.violation), int(change.index), goString(change.path),
			goString(change.message),
		})
	}
	var remaining C.haversack_violation
	for i := 0; bool(C.haversack_repair_remaining(handle, C.size_t(i), &remaining)); i++ {
		repair.Remaining = append(repair.Remaining, goViolation(remaining))
	}
	repair.Messages = outMessages(func(i C.size_t, out *C.haversack_out_message) C.bool {
		return C.haversack_repair_message(handle, i, out)
	})
	return repair, nil
}

func outMessages(get func(C.size_t, *C.haversack_out_message) C.bool) []OutMessage {
	var messages []OutMessage
	var m C.haversack_out_message
	for i := 0; bool(get(C.size_t(i), &m)); i++ {
		source := -1
		if m.has_source != 0 {
			source = int(m.source)
		}
		messages = append(messages, OutMessage{source, m.untouched != 0, goString(m.text)})
	}
	return messages
}
