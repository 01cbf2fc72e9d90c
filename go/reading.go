package haversack

// #include <haversack.h>
import "C"

import "unsafe"

// What every operation that reads on understands.
type reading struct {
	cursor, reader, hint *string
	limits               *Limits
}

// CursorOption is an option of Deliver, Page and Find.
type CursorOption string

func (cursor CursorOption) apply(o *reading) {
	text := string(cursor)
	o.cursor = &text
}
func (cursor CursorOption) applyDeliver(o *deliverOptions) { cursor.apply(&o.reading) }
func (cursor CursorOption) applyPage(o *pageOptions)       { cursor.apply(&o.reading) }
func (cursor CursorOption) applyFind(o *findOptions)       { cursor.apply(&o.reading) }

// WithCursor gives what this cursor names: a Next of an earlier answer about the same input. One that names a string
// which Deliver cut (/stdout@12..880) is for Deliver, or for Page without WithAt.
func WithCursor(cursor string) CursorOption { return CursorOption(cursor) }

// NoticeOption is an option of everything that writes a notice: Deliver, Page, Find, Offload and Offloads.Prepare.
type NoticeOption func(*reading)

func (set NoticeOption) applyDeliver(o *deliverOptions) { set(&o.reading) }
func (set NoticeOption) applyPage(o *pageOptions)       { set(&o.reading) }
func (set NoticeOption) applyFind(o *findOptions)       { set(&o.reading) }
func (set NoticeOption) applyOffload(o *offloadOptions) { set(&o.reading) }

// WithReader names a tool of this request with which the model can read on. Default: none.
func WithReader(tool string) NoticeOption { return func(o *reading) { o.reader = &tool } }

// WithHint is one line of the host's own in the notice, in place of the reader's. Outside JSON its invisible and
// bidirectional characters appear as \u{…}. Default: none.
func WithHint(hint string) NoticeOption { return func(o *reading) { o.hint = &hint } }

// LimitsOption is an option of Deliver, Page, Find and ParseHistory.
type LimitsOption Limits

func (limits LimitsOption) apply(o *reading) {
	given := Limits(limits)
	o.limits = &given
}
func (limits LimitsOption) applyDeliver(o *deliverOptions) { limits.apply(&o.reading) }
func (limits LimitsOption) applyPage(o *pageOptions)       { limits.apply(&o.reading) }
func (limits LimitsOption) applyFind(o *findOptions)       { limits.apply(&o.reading) }
func (limits LimitsOption) applyHistory(o *historyOptions) {
	given := Limits(limits)
	o.limits = &given
}

// WithLimits sets other limits than those of the library.
func WithLimits(limits Limits) LimitsOption { return LimitsOption(limits) }

// AtOption is an option of Page and Find.
type AtOption string

// WithAt takes the string at this pointer inside a JSON payload. Default: the payload is the text.
func WithAt(pointer string) AtOption { return AtOption(pointer) }

func (at AtOption) applyPage(o *pageOptions) { o.at = string(at) }
func (at AtOption) applyFind(o *findOptions) { o.at = string(at) }

// PageOption is an option of Page.
type PageOption interface{ applyPage(*pageOptions) }

type pageOption func(*pageOptions)

func (set pageOption) applyPage(o *pageOptions) { set(o) }

type pageOptions struct {
	reading
	at           string
	start, lines *int
}

// WithStart is the first line of the page, from 1. Default: 1. A cursor takes its place.
func WithStart(line int) PageOption { return pageOption(func(o *pageOptions) { o.start = &line }) }

// WithLines is how many lines the page has at most. Default: 100.
func WithLines(lines int) PageOption { return pageOption(func(o *pageOptions) { o.lines = &lines }) }

// Page is a page of the lines of payload, under a first line with its range and the total. Its Next goes on from what
// was shown.
func Page(payload []byte, budget Budget, options ...PageOption) (*Delivery, error) {
	var o pageOptions
	for _, option := range options {
		option.applyPage(&o)
	}
	c, err := newCall(budget)
	if err != nil {
		return nil, err
	}
	defer c.free()
	given := (*C.haversack_page_options)(c.alloc(unsafe.Sizeof(C.haversack_page_options{})))
	given.size = C.size_t(unsafe.Sizeof(*given))
	if given.start, err = c.number("start", o.start); err != nil {
		return nil, err
	}
	if given.lines, err = c.number("lines", o.lines); err != nil {
		return nil, err
	}
	given.at = c.str(o.at)
	given.cursor = c.optional(o.cursor)
	given.reader = c.optional(o.reader)
	given.hint = c.optional(o.hint)
	if given.limits, err = c.limits(o.limits); err != nil {
		return nil, err
	}
	var handle *C.haversack_delivery
	status := C.haversack_page(viewBytes(payload), c.budget, given, &handle, &c.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	return takeDelivery(handle), nil
}

// FindOption is an option of Find.
type FindOption interface{ applyFind(*findOptions) }

type findOption func(*findOptions)

func (set findOption) applyFind(o *findOptions) { set(o) }

type findOptions struct {
	reading
	at             string
	context, limit *int
}

// WithContext is how many lines are shown before and after each match. Default: 2.
func WithContext(lines int) FindOption {
	return findOption(func(o *findOptions) { o.context = &lines })
}

// WithLimit is how many matches are shown at most. Default: 20.
func WithLimit(matches int) FindOption {
	return findOption(func(o *findOptions) { o.limit = &matches })
}

// Find gives the lines of payload that hold needle, a substring taken as it is. Its account counts matches.
func Find(payload []byte, needle string, budget Budget, options ...FindOption) (*Delivery, error) {
	var o findOptions
	for _, option := range options {
		option.applyFind(&o)
	}
	c, err := newCall(budget)
	if err != nil {
		return nil, err
	}
	defer c.free()
	given := (*C.haversack_find_options)(c.alloc(unsafe.Sizeof(C.haversack_find_options{})))
	given.size = C.size_t(unsafe.Sizeof(*given))
	if given.context, err = c.number("context", o.context); err != nil {
		return nil, err
	}
	if given.limit, err = c.number("limit", o.limit); err != nil {
		return nil, err
	}
	given.at = c.str(o.at)
	given.cursor = c.optional(o.cursor)
	given.reader = c.optional(o.reader)
	given.hint = c.optional(o.hint)
	if given.limits, err = c.limits(o.limits); err != nil {
		return nil, err
	}
	var handle *C.haversack_delivery
	status := C.haversack_find(viewBytes(payload), c.str(needle), c.budget, given, &handle, &c.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	return takeDelivery(handle), nil
}

// A number in memory of C, nil where it is not given.
func (c *call) number(argument string, n *int) (*C.size_t, error) {
	if n == nil {
		return nil, nil
	}
	if *n < 0 {
		return nil, negative(argument)
	}
	return c.size(*n), nil
}
