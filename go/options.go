package haversack

// #include <haversack.h>
import "C"

import (
	"math"
	"unsafe"
)

// Format is what a payload is read as.
type Format uint32

// The formats.
const (
	FormatAuto   Format = C.HAVERSACK_FORMAT_AUTO // detected: what is not certain is lines
	FormatJSON   Format = C.HAVERSACK_FORMAT_JSON
	FormatNDJSON Format = C.HAVERSACK_FORMAT_NDJSON
	FormatCSV    Format = C.HAVERSACK_FORMAT_CSV
	FormatTSV    Format = C.HAVERSACK_FORMAT_TSV
	FormatLines  Format = C.HAVERSACK_FORMAT_LINES
)

// String is the name of the format, such as "json".
func (f Format) String() string { return goString(C.haversack_format_name(C.uint32_t(f))) }

// Share is how sibling lists share a budget.
type Share uint32

// The share policies.
const (
	ShareFair         Share = C.HAVERSACK_SHARE_FAIR // max-min fair
	ShareProportional Share = C.HAVERSACK_SHARE_PROPORTIONAL
	ShareInOrder      Share = C.HAVERSACK_SHARE_IN_ORDER
)

// Keep is which end of a list is kept.
type Keep uint32

// The ends.
const (
	KeepDefault Keep = C.HAVERSACK_KEEP_DEFAULT // the head of records, both ends of lines and long strings
	KeepHead    Keep = C.HAVERSACK_KEEP_HEAD
	KeepTail    Keep = C.HAVERSACK_KEEP_TAIL
	KeepBoth    Keep = C.HAVERSACK_KEEP_BOTH
)

// Oversize is what happens to a record that alone is larger than its list's whole share.
type Oversize uint32

// What can happen to it.
const (
	OversizeShrink Oversize = C.HAVERSACK_OVERSIZE_SHRINK // pruned with a visible mark, counted as shrunk
	OversizeSkip   Oversize = C.HAVERSACK_OVERSIZE_SKIP   // left out and counted
	OversizeError  Oversize = C.HAVERSACK_OVERSIZE_ERROR  // the call fails with RecordTooLarge
)

// Envelope is when a root array is wrapped in an envelope with its counts.
type Envelope uint32

// When it is.
const (
	EnvelopeWhenCut Envelope = C.HAVERSACK_ENVELOPE_WHEN_CUT
	EnvelopeAlways  Envelope = C.HAVERSACK_ENVELOPE_ALWAYS
)

// OnInvalid is what happens to input that is not well formed in a format given by name.
type OnInvalid uint32

// What can happen to it: a typed error, it is treated as lines, or the whole records before the break (values of JSON,
// rows of CSV and TSV, lines of NDJSON) are delivered with the offset; where there is nothing whole, the error.
const (
	OnInvalidError   OnInvalid = C.HAVERSACK_ON_INVALID_ERROR
	OnInvalidLines   OnInvalid = C.HAVERSACK_ON_INVALID_LINES
	OnInvalidSalvage OnInvalid = C.HAVERSACK_ON_INVALID_SALVAGE
)

// ANSI is what happens to ANSI sequences in lines.
type ANSI uint32

// What can happen to them.
const (
	ANSIKeep  ANSI = C.HAVERSACK_ANSI_KEEP
	ANSIStrip ANSI = C.HAVERSACK_ANSI_STRIP
)

// Source is whether the host still has the original.
type Source uint32

// What a notice can say about it.
const (
	SourceUnstated Source = C.HAVERSACK_SOURCE_UNSTATED
	SourceKept     Source = C.HAVERSACK_SOURCE_KEPT
	SourceGone     Source = C.HAVERSACK_SOURCE_GONE
)

// Notice is where the notice of NDJSON, CSV and lines goes.
type Notice uint32

// The places.
const (
	NoticeText Notice = C.HAVERSACK_NOTICE_TEXT // into the text, as its first line
	NoticeNone Notice = C.HAVERSACK_NOTICE_NONE // only into Delivery.Notice
)

// Limits is what an input or an option may be at most. A field that a call has no use for changes nothing there. A
// field that is 0 is the library's own limit; see also LimitNone and LimitZero.
type Limits struct {
	Depth         int // levels of arrays and objects
	NestedStrings int // levels of JSON inside strings that are opened
	NoticePointer int // characters of a pointer written into a notice
	Entries       int // entries of select, priority and prefer
	EntryBytes    int // bytes of one such entry
	NeedleBytes   int // bytes of a needle of find
}

// A field of Limits that limits nothing, and one that allows nothing.
const (
	LimitNone = math.MaxInt
	LimitZero = math.MaxInt - 1
)

// DeliverOption is an option of Deliver.
type DeliverOption interface{ applyDeliver(*deliverOptions) }

type deliverOption func(*deliverOptions)

func (set deliverOption) applyDeliver(o *deliverOptions) { set(o) }

type deliverOptions struct {
	reading
	format            Format
	share             Share
	selects, priority []string
	prefer            []string
	sortBy            *string
	descending        bool
	nested            C.uint32_t // a haversack_nested
	collapse          bool
	keep              Keep
	oversize          Oversize
	envelope          Envelope
	onInvalid         OnInvalid
	ansi              ANSI
	source            Source
	notice            Notice
	earlier           *Account
}

// FormatOption is an option of Deliver, Offload and Offloads.Prepare.
type FormatOption Format

func (format FormatOption) applyDeliver(o *deliverOptions) { o.format = Format(format) }
func (format FormatOption) applyOffload(o *offloadOptions) { o.format = Format(format) }

// WithFormat reads the payload as this format. Default: FormatAuto.
func WithFormat(format Format) FormatOption { return FormatOption(format) }

// WithSelect keeps only what these pointers lead to (RFC 6901, * for every element or member). Default: everything.
//
// This, WithSortBy and WithDescending have no meaning for lines, CSV and TSV, WithPriority none for NDJSON either: for
// a format given by name they are an InvalidOption, for one that is detected a WarningOptionIgnored.
func WithSelect(pointers ...string) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.selects = pointers })
}

// WithSortBy orders the records of each list by the value at this pointer, relative to the record. Default: input
// order.
func WithSortBy(pointer string) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.sortBy = &pointer })
}

// WithDescending reverses the order of WithSortBy's values. Default: false.
func WithDescending(descending bool) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.descending = descending })
}

// WithShare says how sibling lists share the budget. Default: ShareFair. One list gets the same under each.
func WithShare(share Share) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.share = share })
}

// WithPriority names lists that are served first, to their full demand. Default: none.
func WithPriority(pointers ...string) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.priority = pointers })
}

// WithKeep says which end of a list is kept. Default: KeepDefault.
func WithKeep(keep Keep) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.keep = keep })
}

// WithOversize says what happens to a record larger than its list's whole share. Default: OversizeShrink.
func WithOversize(oversize Oversize) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.oversize = oversize })
}

// WithEnvelope says when a root array gets an envelope. Default: EnvelopeWhenCut.
func WithEnvelope(envelope Envelope) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.envelope = envelope })
}

// WithNested says whether JSON inside strings is cut on its own records. Default: true.
func WithNested(nested bool) DeliverOption {
	return deliverOption(func(o *deliverOptions) {
		o.nested = C.HAVERSACK_NESTED_OFF
		if nested {
			o.nested = C.HAVERSACK_NESTED_ON
		}
	})
}

// WithOnInvalid says what happens to input not well formed in the format given by name. Default: OnInvalidError.
func WithOnInvalid(onInvalid OnInvalid) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.onInvalid = onInvalid })
}

// WithPrefer keeps lines that hold one of these texts before others. Default: none.
func WithPrefer(needles ...string) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.prefer = needles })
}

// WithANSI says what happens to ANSI sequences in lines. Default: ANSIKeep.
func WithANSI(ansi ANSI) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.ansi = ansi })
}

// WithCollapse makes a run of equal lines its first and a count, when something must be cut. Default: false.
func WithCollapse(collapse bool) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.collapse = collapse })
}

// WithSource says in the notice whether the host still has the original. Default: SourceUnstated.
func WithSource(source Source) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.source = source })
}

// WithNotice says where the notice of NDJSON, CSV and lines goes. Default: NoticeText.
func WithNotice(notice Notice) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.notice = notice })
}

// WithEarlier hands over the account of a first cut; nothing is then read from the text about earlier cuts.
func WithEarlier(account Account) DeliverOption {
	return deliverOption(func(o *deliverOptions) { o.earlier = &account })
}

// The options for C, in memory of the arena.
func (o *deliverOptions) c(a *arena) *C.haversack_deliver_options {
	c := (*C.haversack_deliver_options)(a.alloc(unsafe.Sizeof(C.haversack_deliver_options{})))
	c.size = C.size_t(unsafe.Sizeof(*c))
	c.format = C.uint32_t(o.format)
	c.share = C.uint32_t(o.share)
	c._select = a.strs(o.selects)
	c.sort_by = a.optional(o.sortBy)
	c.descending = one(o.descending)
	c.keep = C.uint32_t(o.keep)
	c.priority = a.strs(o.priority)
	c.oversize = C.uint32_t(o.oversize)
	c.envelope = C.uint32_t(o.envelope)
	c.cursor = a.optional(o.cursor)
	c.reader = a.optional(o.reader)
	c.hint = a.optional(o.hint)
	c.nested = o.nested
	c.on_invalid = C.uint32_t(o.onInvalid)
	c.prefer = a.strs(o.prefer)
	c.ansi = C.uint32_t(o.ansi)
	c.collapse = one(o.collapse)
	c.source = C.uint32_t(o.source)
	c.notice = C.uint32_t(o.notice)
	if o.earlier != nil {
		c.earlier = o.earlier.c(a)
	}
	return c
}

// The limits for C, nil where they are not given.
func (c *call) limits(l *Limits) (*C.haversack_limits, error) {
	if l == nil {
		return nil, nil
	}
	for _, n := range []int{l.Depth, l.NestedStrings, l.NoticePointer, l.Entries, l.EntryBytes, l.NeedleBytes} {
		if n < 0 {
			return nil, negative("limits")
		}
	}
	return l.c(&c.arena), nil
}

func (l *Limits) c(a *arena) *C.haversack_limits {
	c := (*C.haversack_limits)(a.alloc(unsafe.Sizeof(C.haversack_limits{})))
	c.size = C.sizeof_haversack_limits
	c.depth = limit(l.Depth)
	c.nested_strings = limit(l.NestedStrings)
	c.notice_pointer = limit(l.NoticePointer)
	c.entries = limit(l.Entries)
	c.entry_bytes = limit(l.EntryBytes)
	c.needle_bytes = limit(l.NeedleBytes)
	return c
}

// A field of Limits for C.
func limit(n int) C.size_t {
	switch n {
	case LimitNone:
		return C.HAVERSACK_LIMIT_NONE
	case LimitZero:
		return C.HAVERSACK_LIMIT_ZERO
	}
	return C.size_t(n)
}

func one(yes bool) C.uint32_t {
	if yes {
		return 1
	}
	return 0
}
