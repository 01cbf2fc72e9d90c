package haversack

// #include <haversack.h>
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// OffloadAction is what the host should do with a result.
type OffloadAction uint32

// The actions. More may come.
const (
	OffloadUnknown OffloadAction = C.HAVERSACK_OFFLOAD_UNKNOWN
	OffloadKeep    OffloadAction = C.HAVERSACK_OFFLOAD_KEEP  // leave it in the message
	OffloadStore   OffloadAction = C.HAVERSACK_OFFLOAD_STORE // store the bytes under the key, then ask for the pointer
	OffloadPoint   OffloadAction = C.HAVERSACK_OFFLOAD_POINT // put the pointer of bytes stored before in its place
)

// String is the name of the action, such as "store".
func (a OffloadAction) String() string {
	return goString(C.haversack_offload_action_name(C.uint32_t(a)))
}

// OffloadReason is why.
type OffloadReason uint32

// The reasons. More may come.
const (
	OffloadReasonUnknown    OffloadReason = C.HAVERSACK_OFFLOAD_REASON_UNKNOWN
	OffloadReasonFits       OffloadReason = C.HAVERSACK_OFFLOAD_REASON_FITS
	OffloadReasonOver       OffloadReason = C.HAVERSACK_OFFLOAD_REASON_OVER
	OffloadReasonKnown      OffloadReason = C.HAVERSACK_OFFLOAD_REASON_KNOWN
	OffloadReasonIsPointer  OffloadReason = C.HAVERSACK_OFFLOAD_REASON_IS_POINTER
	OffloadReasonExempt     OffloadReason = C.HAVERSACK_OFFLOAD_REASON_EXEMPT
	OffloadReasonRefused    OffloadReason = C.HAVERSACK_OFFLOAD_REASON_REFUSED
	OffloadReasonNotShorter OffloadReason = C.HAVERSACK_OFFLOAD_REASON_NOT_SHORTER
)

// String is the name of the reason, such as "over".
func (r OffloadReason) String() string {
	return goString(C.haversack_offload_reason_name(C.uint32_t(r)))
}

// OffloadOption is an option of Offload and of Offloads.Prepare.
type OffloadOption interface{ applyOffload(*offloadOptions) }

type offloadOption func(*offloadOptions)

func (set offloadOption) applyOffload(o *offloadOptions) { set(o) }

type offloadOptions struct {
	reading
	over, preview Budget
	format        Format
	previewKeep   Keep
}

// WithOver is the size above which a result is offloaded; its unit is that of every size. Default: Chars(8000).
func WithOver(over Budget) OffloadOption {
	return offloadOption(func(o *offloadOptions) { o.over = over })
}

// WithPreview is how much of the payload the pointer shows. Default: Chars(400).
func WithPreview(preview Budget) OffloadOption {
	return offloadOption(func(o *offloadOptions) { o.preview = preview })
}

// WithPreviewKeep says which end the preview shows. Default: KeepBoth.
func WithPreviewKeep(keep Keep) OffloadOption {
	return offloadOption(func(o *offloadOptions) { o.previewKeep = keep })
}

// Policy is the policy that ran.
type Policy struct {
	Over        int
	Unit        Unit
	Preview     int
	PreviewUnit Unit
	PreviewKeep Keep
}

// Offloading is the answer to one result: keep it, or store these bytes under this key.
type Offloading struct {
	Action  OffloadAction
	Reason  OffloadReason
	Key     string // to store it under, safe as a file name; "" when it is kept
	Bytes   int    // the length of the payload
	Size    int    // the size of the payload, in Policy.Unit
	SHA256  string // of the payload, in hex; "" when it is kept
	Format  Format // what the payload was read as; FormatAuto when it is kept
	At      string // where in the JSON one string holds the bulk of it; "" where none does
	Preview string // the excerpt that the pointer shows
	Policy  Policy

	handle  *C.haversack_offload_answer
	counter TokenCounter
}

// Offload says whether payload, the result of the call callID, stays or is stored, and under which key. Stateless.
func Offload(payload []byte, callID string, options ...OffloadOption) (*Offloading, error) {
	c, given, err := offloadCall(options)
	if err != nil {
		return nil, err
	}
	defer c.free()
	var handle *C.haversack_offload_answer
	status := C.haversack_offload(viewBytes(payload), c.over.str(callID), given, &handle, &c.over.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	policy := C.haversack_offload_answer_policy(handle)
	o := &Offloading{
		Action:  OffloadAction(C.haversack_offload_answer_action(handle)),
		Reason:  OffloadReason(C.haversack_offload_answer_reason(handle)),
		Key:     goString(C.haversack_offload_answer_key(handle)),
		Bytes:   int(C.haversack_offload_answer_bytes(handle)),
		Size:    int(C.haversack_offload_answer_size(handle)),
		SHA256:  goString(C.haversack_offload_answer_sha256(handle)),
		Format:  Format(C.haversack_offload_answer_format(handle)),
		At:      goString(C.haversack_offload_answer_at(handle)),
		Preview: goString(C.haversack_offload_answer_preview(handle)),
		Policy: Policy{int(policy.over), Unit(policy.unit), int(policy.preview), Unit(policy.preview_unit),
			Keep(policy.preview_keep)},
		handle:  handle,
		counter: c.options.over.counter,
	}
	runtime.SetFinalizer(o, func(o *Offloading) { C.haversack_offload_answer_free(o.handle) })
	return o, nil
}

// Close frees what the answer holds outside Go, before the collector would. A second one does nothing.
func (o *Offloading) Close() {
	C.haversack_offload_answer_free(o.handle)
	o.handle = nil
	runtime.SetFinalizer(o, nil)
}

// JSON is the whole answer as compact JSON.
func (o *Offloading) JSON() ([]byte, error) {
	defer runtime.KeepAlive(o)
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_offload_answer_json(o.handle, json, failure)
	})
}

// Pointer is what goes to the model, once the bytes are stored at location.
func (o *Offloading) Pointer(location string) (*Pointer, error) {
	defer runtime.KeepAlive(o)
	c, counter := counterCall(o.counter)
	defer c.free()
	var handle *C.haversack_pointer
	status := C.haversack_offload_answer_pointer(o.handle, c.str(location), counter, &handle, &c.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	return takePointer(handle)
}

// Pointer is what goes to the model after the bytes were stored.
type Pointer struct {
	Text    string // a JSON object; "" when it would not be smaller than the original: that stays
	Reason  OffloadReason
	Size    int // of what goes to the model, in Unit
	Saved   int // how much smaller it is than the original
	Unit    Unit
	Account Account // one record, offloaded or kept

	json []byte
}

// JSON is the whole answer as compact JSON.
func (p *Pointer) JSON() []byte { return p.json }

// Copies a pointer of C and frees it.
func takePointer(handle *C.haversack_pointer) (*Pointer, error) {
	defer C.haversack_pointer_free(handle)
	json, err := takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_pointer_json(handle, json, failure)
	})
	if err != nil {
		return nil, err
	}
	return &Pointer{
		Text:    goString(C.haversack_pointer_text(handle)),
		Reason:  OffloadReason(C.haversack_pointer_reason(handle)),
		Size:    int(C.haversack_pointer_size(handle)),
		Saved:   int(C.haversack_pointer_saved(handle)),
		Unit:    Unit(C.haversack_pointer_unit(handle)),
		Account: goAccount(C.haversack_pointer_account(handle)),
		json:    json,
	}, nil
}

// A call with two budgets, each with a counter that may fail.
type offloading struct {
	options       offloadOptions
	over, preview *call
}

func offloadCall(options []OffloadOption) (*offloading, *C.haversack_offload_options, error) {
	var o offloadOptions
	for _, option := range options {
		option.applyOffload(&o)
	}
	over, err := newCall(o.over)
	if err != nil {
		return nil, nil, err
	}
	preview, err := newCall(o.preview)
	if err != nil {
		over.free()
		return nil, nil, err
	}
	given := (*C.haversack_offload_options)(over.alloc(unsafe.Sizeof(C.haversack_offload_options{})))
	given.size = C.size_t(unsafe.Sizeof(*given))
	given.over = over.stored(o.over)
	given.preview = over.storedOf(preview, o.preview)
	given.format = C.uint32_t(o.format)
	given.preview_keep = C.uint32_t(o.previewKeep)
	given.reader = over.optional(o.reader)
	given.hint = over.optional(o.hint)
	return &offloading{o, over, preview}, given, nil
}

func (c *offloading) free() {
	c.over.free()
	c.preview.free()
}

func (c *offloading) result(status C.haversack_status) error {
	err := c.over.result(status)
	var e *Error
	if errors.As(err, &e) && e.cause == nil {
		e.cause = c.preview.cause
	}
	return err
}

// The budget of this call in memory of C; nil for the zero Budget.
func (c *call) stored(budget Budget) *C.haversack_budget { return c.storedOf(c, budget) }

func (c *call) storedOf(of *call, budget Budget) *C.haversack_budget {
	if budget.unit == 0 {
		return nil
	}
	place := (*C.haversack_budget)(c.alloc(unsafe.Sizeof(C.haversack_budget{})))
	*place = of.budget
	return place
}

// The text, or absent when it is empty.
func (a *arena) orAbsent(text string) C.haversack_str {
	if text == "" {
		return C.haversack_str{}
	}
	return a.str(text)
}

// Copies a text that C gave, and frees it.
func takeJSON(write func(*C.haversack_string, **C.haversack_error) C.haversack_status) ([]byte, error) {
	var json C.haversack_string
	var failure *C.haversack_error
	if write(&json, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_string_free(json)
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(json.ptr)), int(json.len))...), nil
}
