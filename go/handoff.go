package haversack

// #include <haversack.h>
import "C"

import "runtime"

// HandoffKind is what a worker handed back.
type HandoffKind uint32

// The kinds. More may come.
const (
	HandoffUnknown     HandoffKind = C.HAVERSACK_HANDOFF_UNKNOWN
	HandoffFindings    HandoffKind = C.HAVERSACK_HANDOFF_FINDINGS // findings, each with at least one source
	HandoffEmpty       HandoffKind = C.HAVERSACK_HANDOFF_EMPTY    // it looked, says where, and found nothing
	HandoffTooBig      HandoffKind = C.HAVERSACK_HANDOFF_TOO_BIG  // it stopped: the task was too big
	HandoffFailed      HandoffKind = C.HAVERSACK_HANDOFF_FAILED
	HandoffNotRun      HandoffKind = C.HAVERSACK_HANDOFF_NOT_RUN
	HandoffOutOfBudget HandoffKind = C.HAVERSACK_HANDOFF_OUT_OF_BUDGET // its tokens, steps or time were used up
	HandoffSilent      HandoffKind = C.HAVERSACK_HANDOFF_SILENT        // it returned nothing that can be seen
	HandoffUncheckable HandoffKind = C.HAVERSACK_HANDOFF_UNCHECKABLE   // it returned something, and none of the above
)

// String is the name of the kind, such as "out_of_budget".
func (k HandoffKind) String() string { return goString(C.haversack_handoff_kind_name(C.uint32_t(k))) }

// HandoffProblem is why an answer is uncheckable.
type HandoffProblem uint32

// The problems. More may come.
const (
	ProblemNone           HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NONE     // it is not
	ProblemNotJSON        HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NOT_JSON // Offset
	ProblemNotAnObject    HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NOT_AN_OBJECT
	ProblemUnknownKind    HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_UNKNOWN_KIND
	ProblemRepeatedMember HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_REPEATED_MEMBER
	ProblemNoFindings     HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NO_FINDINGS
	ProblemNoText         HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NO_TEXT   // Index
	ProblemNoSource       HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NO_SOURCE // Index
	ProblemNothingLooked  HandoffProblem = C.HAVERSACK_HANDOFF_PROBLEM_NOTHING_LOOKED
)

// String is the name of the problem, such as "no_source"; "" for ProblemNone.
func (p HandoffProblem) String() string {
	return goString(C.haversack_handoff_problem_name(C.uint32_t(p)))
}

// Finding is a finding of a worker.
type Finding struct {
	Text    string
	Sources []string // where: at least one
}

// UnresolvedSource is a source of a finding that leads nowhere.
type UnresolvedSource struct {
	Finding int // which finding, from 0
	Source  string
}

// Handoff is what a worker handed back, read from its answer: findings with sources, an explicit nothing, a stop, or
// silence. Close is optional.
type Handoff struct {
	handle *C.haversack_handoff
}

// HandoffOption is an option of ParseHandoff.
type HandoffOption func(*handoffOptions)

type handoffOptions struct {
	status, stopReason *string
}

// WithStatus says how the run ended: "failed", "timeout" and their kin are stops. Default: not known.
func WithStatus(status string) HandoffOption { return func(o *handoffOptions) { o.status = &status } }

// WithStopReason is that of the provider: "max_tokens", "length", "tool_use" and their kin give HandoffOutOfBudget,
// "error", "refusal" and theirs HandoffFailed. Default: not known.
func WithStopReason(reason string) HandoffOption {
	return func(o *handoffOptions) { o.stopReason = &reason }
}

// ParseHandoff reads what a worker returned (nil: nothing at all). What cannot be read is HandoffUncheckable, with its
// place; only text that is no UTF-8 is an error. A stop wins over whatever the text says; blank text is HandoffSilent;
// prose, and findings without a source, are HandoffUncheckable, and so is an empty list of findings, since a field that
// may be missing does not say that nothing was found. Linear in the text.
func ParseHandoff(text []byte, options ...HandoffOption) (*Handoff, error) {
	var o handoffOptions
	for _, option := range options {
		option(&o)
	}
	var a arena
	defer a.free()
	var handle *C.haversack_handoff
	var failure *C.haversack_error
	status := C.haversack_handoff_parse(a.bytesOrAbsent(text), a.optional(o.status), a.optional(o.stopReason), &handle, &failure)
	if status != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	h := &Handoff{handle}
	runtime.SetFinalizer(h, func(h *Handoff) { C.haversack_handoff_free(h.handle) })
	return h, nil
}

// Close frees what the handoff holds outside Go, before the collector would. A second one does nothing.
func (h *Handoff) Close() {
	C.haversack_handoff_free(h.handle)
	h.handle = nil
	runtime.SetFinalizer(h, nil)
}

// Kind is what was handed back.
func (h *Handoff) Kind() HandoffKind {
	defer runtime.KeepAlive(h)
	return HandoffKind(C.haversack_handoff_kind_of(h.handle))
}

// IsAnswer is true for the two kinds that answer the question: findings, and an explicit nothing.
func (h *Handoff) IsAnswer() bool {
	defer runtime.KeepAlive(h)
	return bool(C.haversack_handoff_is_answer(h.handle))
}

// Findings is the findings. Of a worker that was stopped, those that it had returned in whole.
func (h *Handoff) Findings() []Finding {
	defer runtime.KeepAlive(h)
	all := make([]Finding, C.haversack_handoff_finding_count(h.handle))
	for i := range all {
		var c C.haversack_finding
		C.haversack_handoff_finding(h.handle, C.size_t(i), &c)
		all[i] = Finding{goString(c.text), textsOf(func(out *C.haversack_str, capacity C.size_t) C.size_t {
			return C.haversack_handoff_sources(h.handle, C.size_t(i), out, capacity)
		})}
	}
	return all
}

// Looked is where a worker looked that found nothing: at least one place.
func (h *Handoff) Looked() []string {
	defer runtime.KeepAlive(h)
	return textsOf(func(out *C.haversack_str, capacity C.size_t) C.size_t {
		return C.haversack_handoff_looked(h.handle, out, capacity)
	})
}

// Reason is why it stopped, in its own words or those of the host; "" where nobody says.
func (h *Handoff) Reason() string {
	defer runtime.KeepAlive(h)
	return goString(C.haversack_handoff_reason(h.handle))
}

// Problem is why it is uncheckable.
func (h *Handoff) Problem() HandoffProblem {
	defer runtime.KeepAlive(h)
	return HandoffProblem(C.haversack_handoff_problem_of(h.handle))
}

// Offset is the byte of the text where it stops being JSON; false when the problem has no such place.
func (h *Handoff) Offset() (int, bool) {
	defer runtime.KeepAlive(h)
	var n C.size_t
	set := bool(C.haversack_handoff_offset(h.handle, &n))
	return int(n), set
}

// Index is the number of the finding, from 0, that the problem is in; false when it is in none.
func (h *Handoff) Index() (int, bool) {
	defer runtime.KeepAlive(h)
	var n C.size_t
	set := bool(C.haversack_handoff_index(h.handle, &n))
	return int(n), set
}

// Text is what was returned, as it came; "" where nothing was.
func (h *Handoff) Text() string {
	defer runtime.KeepAlive(h)
	return goString(C.haversack_handoff_text(h.handle))
}

// Unresolved is the sources of findings that lead nowhere, in order: to no message of the transcript, to no key of the
// offloads, and resolves, which is asked for each that leads to neither, says no. Each of the three may be nil.
func (h *Handoff) Unresolved(transcript *Transcript, offloads *Offloads, resolves func(source string) bool) ([]UnresolvedSource, error) {
	open, err := h.unresolved(transcript, offloads)
	if err != nil || resolves == nil {
		return open, err
	}
	var left []UnresolvedSource
	for _, one := range open {
		if !resolves(one.Source) { // outside all locks: it may ask what it likes
			left = append(left, one)
		}
	}
	return left, nil
}

func (h *Handoff) unresolved(transcript *Transcript, offloads *Offloads) ([]UnresolvedSource, error) {
	defer runtime.KeepAlive(h)
	var inTranscript *C.haversack_transcript
	if transcript != nil {
		transcript.mutex.RLock()
		defer transcript.mutex.RUnlock()
		inTranscript = transcript.handle
	}
	var inOffloads *C.haversack_offloads
	if offloads != nil {
		offloads.mutex.Lock()
		defer offloads.mutex.Unlock()
		inOffloads = offloads.handle
	}
	var list *C.haversack_unresolved_sources
	var failure *C.haversack_error
	if C.haversack_handoff_unresolved(h.handle, inTranscript, inOffloads, &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_unresolved_sources_free(list)
	get := func(i C.size_t, c *C.haversack_unresolved_source) C.bool {
		return C.haversack_unresolved_sources_get(list, i, c)
	}
	return entries(C.haversack_unresolved_sources_count(list), get, func(c *C.haversack_unresolved_source) UnresolvedSource {
		return UnresolvedSource{int(c.finding), goString(c.source)}
	}), nil
}

// Render is a heading that says what kind it is, and one line for each finding (with its sources), each place that was
// searched, or the reason for the stop. Under WithBudget lines are taken in order, and the heading counts the rest;
// BudgetTooSmall where not even the heading fits.
func (h *Handoff) Render(options ...RenderOption) (Rendered, error) {
	c, budget, err := renderCall(options)
	if err != nil {
		return Rendered{}, err
	}
	defer c.free()
	defer runtime.KeepAlive(h)
	var handle *C.haversack_rendered
	if err := c.result(C.haversack_handoff_render(h.handle, budget, &handle, &c.failure)); err != nil {
		return Rendered{}, err
	}
	return takeRendered(handle), nil
}

// JSON is every member under its name.
func (h *Handoff) JSON() ([]byte, error) {
	defer runtime.KeepAlive(h)
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_handoff_json(h.handle, json, failure)
	})
}
