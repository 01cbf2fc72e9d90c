package haversack

// #include <haversack.h>
import "C"

import "runtime"

// List is the books of one list.
type List struct {
	Pointer string // RFC 6901 pointer into the input; * for every element or member of a summed entry; "" for the root
	Records Counts
	Bytes   Counts
	Next    string // the cursor that resumes this list; "" where it cannot be resumed
}

// WarningKind is what a warning is about.
type WarningKind uint32

// The kinds of warnings. More may come.
const (
	WarningUnknown                  WarningKind = C.HAVERSACK_WARNING_UNKNOWN
	WarningDuplicateKey             WarningKind = C.HAVERSACK_WARNING_DUPLICATE_KEY
	WarningLooksLikeJSON            WarningKind = C.HAVERSACK_WARNING_LOOKS_LIKE_JSON
	WarningSourceCursorSkipsOmitted WarningKind = C.HAVERSACK_WARNING_SOURCE_CURSOR_SKIPS_OMITTED
	WarningClaimedCounts            WarningKind = C.HAVERSACK_WARNING_CLAIMED_COUNTS
	WarningSelectMatchedNothing     WarningKind = C.HAVERSACK_WARNING_SELECT_MATCHED_NOTHING
	WarningNoticeRenamed            WarningKind = C.HAVERSACK_WARNING_NOTICE_RENAMED
	WarningMalformed                WarningKind = C.HAVERSACK_WARNING_MALFORMED
	WarningOptionIgnored            WarningKind = C.HAVERSACK_WARNING_OPTION_IGNORED
)

// String is the name of the kind, such as "duplicate_key".
func (k WarningKind) String() string { return goString(C.haversack_warning_name(C.uint32_t(k))) }

// Warning is something the caller should know that is not a loss.
type Warning struct {
	Kind      WarningKind
	Offset    int // byte in the input, when HasOffset
	HasOffset bool
	Subject   string // the key, pointer or name concerned; "" where there is none
}

// Action is what was done with a run of records.
type Action uint32

// The actions. More may come.
const (
	ActionUnknown Action = C.HAVERSACK_ACTION_UNKNOWN
	ActionKeep    Action = C.HAVERSACK_ACTION_KEEP
	ActionShrink  Action = C.HAVERSACK_ACTION_SHRINK
	ActionOmit    Action = C.HAVERSACK_ACTION_OMIT
)

// String is the name of the action, such as "omit".
func (a Action) String() string { return goString(C.haversack_action_name(C.uint32_t(a))) }

// Reason is why it was done.
type Reason uint32

// The reasons. More may come.
const (
	ReasonUnknown  Reason = C.HAVERSACK_REASON_UNKNOWN
	ReasonFits     Reason = C.HAVERSACK_REASON_FITS
	ReasonBudget   Reason = C.HAVERSACK_REASON_BUDGET
	ReasonOversize Reason = C.HAVERSACK_REASON_OVERSIZE
	ReasonOffPage  Reason = C.HAVERSACK_REASON_OFF_PAGE
	ReasonRepeats  Reason = C.HAVERSACK_REASON_REPEATS
)

// String is the name of the reason, such as "off_page".
func (r Reason) String() string { return goString(C.haversack_reason_name(C.uint32_t(r))) }

// Run is what became of neighbouring records of one list: half-open, from 0.
type Run struct {
	List             string
	From, To         int
	Action           Action
	Reason           Reason
	SourceBytes      int
	TextFrom, TextTo int // where it stands in the text, in bytes; equal when it was omitted
}

// Delivery is what the model gets to see, and what it does not. What it holds outside Go is freed when it is
// collected, or by Close.
type Delivery struct {
	handle   *C.haversack_delivery
	text     string
	size     int
	unit     Unit
	format   Format
	complete bool
	account  Account
	next     string
	notice   string
}

// Takes a delivery of C.
func takeDelivery(handle *C.haversack_delivery) *Delivery {
	d := &Delivery{
		handle:   handle,
		text:     goString(C.haversack_delivery_text(handle)),
		size:     int(C.haversack_delivery_size(handle)),
		unit:     Unit(C.haversack_delivery_unit(handle)),
		format:   Format(C.haversack_delivery_format(handle)),
		complete: bool(C.haversack_delivery_complete(handle)),
		account:  goAccount(C.haversack_delivery_account(handle)),
		next:     goString(C.haversack_delivery_next(handle)),
		notice:   goString(C.haversack_delivery_notice(handle)),
	}
	runtime.SetFinalizer(d, func(d *Delivery) { C.haversack_delivery_free(d.handle) })
	return d
}

// Close frees what the delivery holds outside Go, before the collector would. A second one does nothing. Its texts and
// numbers stay; Lists, Warnings, Plan and JSON are empty then.
func (d *Delivery) Close() {
	C.haversack_delivery_free(d.handle)
	d.handle = nil
	runtime.SetFinalizer(d, nil)
}

// Text is the text for the model: within the budget, notice included.
func (d *Delivery) Text() string { return d.text }

// String is Text.
func (d *Delivery) String() string { return d.text }

// Size is the size of Text, in Unit.
func (d *Delivery) Size() int { return d.size }

// Unit is the unit of the budget.
func (d *Delivery) Unit() Unit { return d.unit }

// Complete says that nothing was omitted, shrunk or offloaded, here or (as the input claims) before.
func (d *Delivery) Complete() bool { return d.complete }

// Format is what the payload was read as.
func (d *Delivery) Format() Format { return d.format }

// Account is the books over all lists.
func (d *Delivery) Account() Account { return d.account }

// Next is the cursor that resumes everything that can be resumed; "" at the end.
func (d *Delivery) Next() string { return d.next }

// Notice is the notice of NDJSON, CSV and lines, in the text or beside it; "" when there is none.
func (d *Delivery) Notice() string { return d.notice }

// Lists is the books list by list, in document order.
func (d *Delivery) Lists() []List {
	defer runtime.KeepAlive(d)
	lists := make([]List, C.haversack_delivery_list_count(d.handle))
	for i := range lists {
		var c C.haversack_list
		C.haversack_delivery_list(d.handle, C.size_t(i), &c)
		lists[i] = List{goString(c.pointer), goCounts(c.records), goCounts(c.bytes), goString(c.next)}
	}
	return lists
}

// Warnings is what the caller should know that is not a loss.
func (d *Delivery) Warnings() []Warning {
	defer runtime.KeepAlive(d)
	warnings := make([]Warning, C.haversack_delivery_warning_count(d.handle))
	for i := range warnings {
		var c C.haversack_warning
		C.haversack_delivery_warning(d.handle, C.size_t(i), &c)
		warnings[i] = Warning{WarningKind(c.kind), int(c.offset), c.has_offset != 0, goString(c.subject)}
	}
	return warnings
}

// Plan is the decisions as runs of records: a host with its own records applies them to its own objects.
func (d *Delivery) Plan() []Run {
	defer runtime.KeepAlive(d)
	plan := make([]Run, C.haversack_delivery_run_count(d.handle))
	for i := range plan {
		var c C.haversack_run
		C.haversack_delivery_run(d.handle, C.size_t(i), &c)
		plan[i] = Run{
			List: goString(c.list), From: int(c.from), To: int(c.to), Action: Action(c.action), Reason: Reason(c.reason),
			SourceBytes: int(c.source_bytes), TextFrom: int(c.text_from), TextTo: int(c.text_to),
		}
	}
	return plan
}

// JSON is the whole answer as compact JSON.
func (d *Delivery) JSON() ([]byte, error) {
	defer runtime.KeepAlive(d)
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_delivery_json(d.handle, json, failure)
	})
}

// MarshalJSON is JSON, for encoding/json.
func (d *Delivery) MarshalJSON() ([]byte, error) { return d.JSON() }
