package haversack

// #include <haversack.h>
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// Flavour is whose form of tool definitions.
type Flavour uint32

// The flavours.
const (
	FlavourOpenAI    Flavour = C.HAVERSACK_FLAVOUR_OPENAI // and everything that speaks it
	FlavourAnthropic Flavour = C.HAVERSACK_FLAVOUR_ANTHROPIC
	FlavourGemini    Flavour = C.HAVERSACK_FLAVOUR_GEMINI
	FlavourMCP       Flavour = C.HAVERSACK_FLAVOUR_MCP
)

// Readback is the two tools that read offloaded results back; "" is haversack_read and haversack_find.
type Readback struct {
	ReadName, FindName string
}

// ToolDefinitions is the value of a request's tools member (for MCP: of the answer to tools/list), as compact JSON.
func (r Readback) ToolDefinitions(flavour Flavour) ([]byte, error) {
	var a arena
	defer a.free()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_tool_definitions(C.uint32_t(flavour), r.c(&a), json, failure)
	})
}

// Request reads a call of the model, its tool and arguments (JSON): which stored result it wants, and what of it.
// Strict, because they come from a model; ReadbackErrorText makes the answer to a call that failed.
func (r Readback) Request(offloads *Offloads, name string, arguments []byte) (*Request, error) {
	var a arena
	defer a.free()
	offloads.mutex.Lock()
	defer offloads.mutex.Unlock()
	var handle *C.haversack_request
	var failure *C.haversack_error
	status := C.haversack_readback_request(offloads.handle, a.str(name), viewBytes(arguments), r.c(&a), &handle, &failure)
	if status != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	request := &Request{
		Key: goString(C.haversack_request_key(handle)), Location: goString(C.haversack_request_location(handle)), handle: handle,
	}
	runtime.SetFinalizer(request, func(r *Request) { C.haversack_request_free(r.handle) })
	return request, nil
}

// Close frees what the request holds outside Go, before the collector would. A second one does nothing.
func (r *Request) Close() {
	C.haversack_request_free(r.handle)
	r.handle = nil
	runtime.SetFinalizer(r, nil)
}

// Request is a checked call of a model, waiting for the bytes of the result it names.
type Request struct {
	Key      string // as it stands in the table
	Location string // where the bytes are to be fetched, from the table and never from the model

	handle *C.haversack_request
}

// Answer is the page or the matches the model asked for, from the stored bytes, within budget.
func (r *Request) Answer(stored []byte, budget Budget) (*Delivery, error) {
	defer runtime.KeepAlive(r)
	c, err := newCall(budget)
	if err != nil {
		return nil, err
	}
	defer c.free()
	var handle *C.haversack_delivery
	if err := c.result(C.haversack_request_answer(r.handle, viewBytes(stored), c.budget, &handle, &c.failure)); err != nil {
		return nil, err
	}
	return takeDelivery(handle), nil
}

// ReadbackErrorText is the text for a model whose call failed with an error of this package: one line, bounded.
func ReadbackErrorText(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	defer runtime.KeepAlive(e)
	text, failed := takeJSON(func(text *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_readback_error_text(e.handle, text, failure)
	})
	if failed != nil {
		return ""
	}
	return string(text)
}

func (r Readback) c(a *arena) *C.haversack_readback {
	names := (*C.haversack_readback)(a.alloc(unsafe.Sizeof(C.haversack_readback{})))
	names.read_name = a.orAbsent(r.ReadName)
	names.find_name = a.orAbsent(r.FindName)
	return names
}
