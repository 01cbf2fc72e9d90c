package haversack

// #include <haversack.h>
import "C"

import "runtime"

// WireFormat is a wire format of chat histories.
type WireFormat uint32

// The formats.
const (
	WireAuto            WireFormat = C.HAVERSACK_WIRE_AUTO // detected
	WireOpenAIChat      WireFormat = C.HAVERSACK_WIRE_OPENAI_CHAT
	WireOpenAIResponses WireFormat = C.HAVERSACK_WIRE_OPENAI_RESPONSES
	WireAnthropic       WireFormat = C.HAVERSACK_WIRE_ANTHROPIC
	WireGemini          WireFormat = C.HAVERSACK_WIRE_GEMINI
	WireBedrock         WireFormat = C.HAVERSACK_WIRE_BEDROCK
)

// String is the name of the format, such as "anthropic".
func (f WireFormat) String() string { return goString(C.haversack_wire_format_name(C.uint32_t(f))) }

// StepKind is what a step is.
type StepKind uint32

// The kinds of steps. More may come.
const (
	StepUnknown   StepKind = C.HAVERSACK_STEP_UNKNOWN
	StepSystem    StepKind = C.HAVERSACK_STEP_SYSTEM
	StepUser      StepKind = C.HAVERSACK_STEP_USER
	StepAssistant StepKind = C.HAVERSACK_STEP_ASSISTANT
	StepOther     StepKind = C.HAVERSACK_STEP_OTHER
)

// String is the name of the kind, such as "assistant".
func (k StepKind) String() string { return goString(C.haversack_step_name(C.uint32_t(k))) }

// Step is what lives and dies together: the messages From up to To.
type Step struct {
	Kind     StepKind
	From, To int
	Calls    int // calls that the host answers
	Open     int // those of them without a result
}

// CutRefusal is why no cut may stand at an index.
type CutRefusal uint32

// The reasons. More may come.
const (
	RefusalNone          CutRefusal = C.HAVERSACK_CUT_REFUSAL_NONE // a cut may stand there
	RefusalOutOfRange    CutRefusal = C.HAVERSACK_CUT_REFUSAL_OUT_OF_RANGE
	RefusalInsideStep    CutRefusal = C.HAVERSACK_CUT_REFUSAL_INSIDE_STEP
	RefusalOpensBadly    CutRefusal = C.HAVERSACK_CUT_REFUSAL_OPENS_BADLY
	RefusalBoundThinking CutRefusal = C.HAVERSACK_CUT_REFUSAL_BOUND_THINKING // Cut may choose the index and strips it
	RefusalBoundItems    CutRefusal = C.HAVERSACK_CUT_REFUSAL_BOUND_ITEMS    // Cut may choose the index and strips them
	RefusalBrokenStep    CutRefusal = C.HAVERSACK_CUT_REFUSAL_BROKEN_STEP
)

// String is the name of the reason, such as "inside_step"; "" for RefusalNone.
func (r CutRefusal) String() string { return goString(C.haversack_cut_refusal_name(C.uint32_t(r))) }

// ViolationKind is what is wrong with a history.
type ViolationKind uint32

// The kinds. More may come.
const (
	ViolationOrphanResult             ViolationKind = C.HAVERSACK_VIOLATION_ORPHAN_RESULT
	ViolationMissingResult            ViolationKind = C.HAVERSACK_VIOLATION_MISSING_RESULT
	ViolationDuplicateResult          ViolationKind = C.HAVERSACK_VIOLATION_DUPLICATE_RESULT
	ViolationDuplicateCallId          ViolationKind = C.HAVERSACK_VIOLATION_DUPLICATE_CALL_ID
	ViolationResultNotAdjacent        ViolationKind = C.HAVERSACK_VIOLATION_RESULT_NOT_ADJACENT
	ViolationResultSplit              ViolationKind = C.HAVERSACK_VIOLATION_RESULT_SPLIT
	ViolationResultNotFirst           ViolationKind = C.HAVERSACK_VIOLATION_RESULT_NOT_FIRST
	ViolationWrongResultType          ViolationKind = C.HAVERSACK_VIOLATION_WRONG_RESULT_TYPE
	ViolationMixedResultAndText       ViolationKind = C.HAVERSACK_VIOLATION_MIXED_RESULT_AND_TEXT
	ViolationCallWithoutUserTurn      ViolationKind = C.HAVERSACK_VIOLATION_CALL_WITHOUT_USER_TURN
	ViolationRoleNotAlternating       ViolationKind = C.HAVERSACK_VIOLATION_ROLE_NOT_ALTERNATING
	ViolationBadFirstRole             ViolationKind = C.HAVERSACK_VIOLATION_BAD_FIRST_ROLE
	ViolationBadLastRole              ViolationKind = C.HAVERSACK_VIOLATION_BAD_LAST_ROLE
	ViolationBadRole                  ViolationKind = C.HAVERSACK_VIOLATION_BAD_ROLE
	ViolationEmptyContent             ViolationKind = C.HAVERSACK_VIOLATION_EMPTY_CONTENT
	ViolationWhitespaceText           ViolationKind = C.HAVERSACK_VIOLATION_WHITESPACE_TEXT
	ViolationErrorResultEmpty         ViolationKind = C.HAVERSACK_VIOLATION_ERROR_RESULT_EMPTY
	ViolationBadIdCharset             ViolationKind = C.HAVERSACK_VIOLATION_BAD_ID_CHARSET
	ViolationIdTooLong                ViolationKind = C.HAVERSACK_VIOLATION_ID_TOO_LONG
	ViolationDuplicateItemId          ViolationKind = C.HAVERSACK_VIOLATION_DUPLICATE_ITEM_ID
	ViolationReasoningOrphan          ViolationKind = C.HAVERSACK_VIOLATION_REASONING_ORPHAN
	ViolationReasoningMissing         ViolationKind = C.HAVERSACK_VIOLATION_REASONING_MISSING
	ViolationReasoningNotPersisted    ViolationKind = C.HAVERSACK_VIOLATION_REASONING_NOT_PERSISTED
	ViolationThinkingMissing          ViolationKind = C.HAVERSACK_VIOLATION_THINKING_MISSING
	ViolationThinkingPrefixMismatch   ViolationKind = C.HAVERSACK_VIOLATION_THINKING_PREFIX_MISMATCH
	ViolationSignatureMissing         ViolationKind = C.HAVERSACK_VIOLATION_SIGNATURE_MISSING
	ViolationServerToolUnresolved     ViolationKind = C.HAVERSACK_VIOLATION_SERVER_TOOL_UNRESOLVED
	ViolationSystemMisplaced          ViolationKind = C.HAVERSACK_VIOLATION_SYSTEM_MISPLACED
	ViolationToolConfigMissing        ViolationKind = C.HAVERSACK_VIOLATION_TOOL_CONFIG_MISSING
	ViolationCacheTooManyBreakpoints  ViolationKind = C.HAVERSACK_VIOLATION_CACHE_TOO_MANY_BREAKPOINTS
	ViolationCacheTtlOrder            ViolationKind = C.HAVERSACK_VIOLATION_CACHE_TTL_ORDER
	ViolationTooManyMessages          ViolationKind = C.HAVERSACK_VIOLATION_TOO_MANY_MESSAGES
	ViolationTooManyCalls             ViolationKind = C.HAVERSACK_VIOLATION_TOO_MANY_CALLS
	ViolationMisplacedBlock           ViolationKind = C.HAVERSACK_VIOLATION_MISPLACED_BLOCK
	ViolationCompactionTriggerNotLast ViolationKind = C.HAVERSACK_VIOLATION_COMPACTION_TRIGGER_NOT_LAST
	ViolationWrongContentType         ViolationKind = C.HAVERSACK_VIOLATION_WRONG_CONTENT_TYPE
	ViolationBadToolName              ViolationKind = C.HAVERSACK_VIOLATION_BAD_TOOL_NAME
	ViolationUnknownItem              ViolationKind = C.HAVERSACK_VIOLATION_UNKNOWN_ITEM
	ViolationTextTooLong              ViolationKind = C.HAVERSACK_VIOLATION_TEXT_TOO_LONG
)

// String is the name of the kind, such as "orphan_result".
func (k ViolationKind) String() string { return goString(C.haversack_violation_name(C.uint32_t(k))) }

// Violation is what a provider would refuse, and where.
type Violation struct {
	Kind     ViolationKind
	Index    int    // the message concerned, from 0
	Path     string // JSON pointer to the place inside the list of messages
	ID       string // the id concerned
	HasID    bool   // whether there is one: it may be empty
	Message  string // a sentence that helps
	Provider string // what the provider would answer; "" where no text is known
}

// HistoryOption is an option of ParseHistory.
type HistoryOption interface{ applyHistory(*historyOptions) }

type historyOption func(*historyOptions)

func (set historyOption) applyHistory(o *historyOptions) { set(o) }

type historyOptions struct {
	format           WireFormat
	profile, request *string
	limits           *Limits
}

// WithWireFormat reads the history as this format. Default: detected.
func WithWireFormat(format WireFormat) HistoryOption {
	return historyOption(func(o *historyOptions) { o.format = format })
}

// WithProfile names the rules that count: "strict" (the default) or a server.
func WithProfile(profile string) HistoryOption {
	return historyOption(func(o *historyOptions) { o.profile = &profile })
}

// WithRequest gives the request body beside a bare list, as JSON: model, thinking, store and tools decide some rules.
func WithRequest(request string) HistoryOption {
	return historyOption(func(o *historyOptions) { o.request = &request })
}

// History is a chat history of one of the five wire formats. Close is optional.
type History struct {
	handle  *C.haversack_history
	format  WireFormat
	certain bool
	length  int
}

// ParseHistory reads a request body or a bare list of messages, which is copied.
func ParseHistory(text []byte, options ...HistoryOption) (*History, error) {
	var o historyOptions
	for _, option := range options {
		option.applyHistory(&o)
	}
	c := &call{}
	defer c.free()
	given := (*C.haversack_history_options)(c.alloc(C.sizeof_haversack_history_options))
	given.size = C.sizeof_haversack_history_options
	given.format = C.uint32_t(o.format)
	given.profile = c.optional(o.profile)
	given.request = c.optional(o.request)
	var err error
	if given.limits, err = c.limits(o.limits); err != nil {
		return nil, err
	}
	var handle *C.haversack_history
	status := C.haversack_history_parse(viewBytes(text), given, &handle, &c.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	h := &History{
		handle:  handle,
		format:  WireFormat(C.haversack_history_format(handle)),
		certain: bool(C.haversack_history_certain(handle)),
		length:  int(C.haversack_history_len(handle)),
	}
	runtime.SetFinalizer(h, func(h *History) { C.haversack_history_free(h.handle) })
	return h, nil
}

// Close frees what the history holds outside Go, before the collector would. A second one does nothing.
func (h *History) Close() {
	C.haversack_history_free(h.handle)
	h.handle = nil
	runtime.SetFinalizer(h, nil)
}

// Format is the wire format.
func (h *History) Format() WireFormat { return h.format }

// Certain says that the format was named or shown by the text; else it was taken for WireOpenAIChat.
func (h *History) Certain() bool { return h.certain }

// Len is how many messages there are.
func (h *History) Len() int { return h.length }

// Text is the text that was read, as it came.
func (h *History) Text() string {
	defer runtime.KeepAlive(h)
	return goString(C.haversack_history_text(h.handle))
}

// Message is the text of one message, as it came; "" past the end.
func (h *History) Message(index int) string {
	defer runtime.KeepAlive(h)
	if index < 0 {
		return ""
	}
	return goString(C.haversack_history_message(h.handle, C.size_t(index)))
}

// Steps is the steps, in order.
func (h *History) Steps() []Step {
	defer runtime.KeepAlive(h)
	all := make([]C.haversack_step, C.haversack_history_steps(h.handle, nil, 0))
	if len(all) == 0 {
		return nil
	}
	C.haversack_history_steps(h.handle, &all[0], C.size_t(len(all)))
	steps := make([]Step, len(all))
	for i, c := range all {
		steps[i] = Step{StepKind(c.kind), int(c.from), int(c.to), int(c.calls), int(c.open)}
	}
	return steps
}

// Violations is what the provider would refuse; with sending an open call at the end counts too.
func (h *History) Violations(sending bool) ([]Violation, error) {
	defer runtime.KeepAlive(h)
	c := &call{}
	var list *C.haversack_violations
	if err := c.result(C.haversack_history_violations(h.handle, C.bool(sending), &list, &c.failure)); err != nil {
		return nil, err
	}
	defer C.haversack_violations_free(list)
	all := make([]Violation, C.haversack_violations_count(list))
	for i := range all {
		var v C.haversack_violation
		C.haversack_violations_get(list, C.size_t(i), &v)
		all[i] = goViolation(v)
	}
	return all, nil
}

func goViolation(v C.haversack_violation) Violation {
	return Violation{
		Kind: ViolationKind(v.kind), Index: int(v.index), Path: goString(v.path), ID: goString(v.id),
		HasID: v.id.ptr != nil, Message: goString(v.message), Provider: goString(v.provider),
	}
}

// SafeCuts is the indices at which the history may be cut; with portable only those that hold in every format.
func (h *History) SafeCuts(portable bool) []int {
	defer runtime.KeepAlive(h)
	all := make([]C.size_t, C.haversack_history_len(h.handle))
	if len(all) == 0 {
		return nil
	}
	var found []int
	for _, index := range all[:C.haversack_history_safe_cuts(h.handle, C.bool(portable), &all[0], C.size_t(len(all)))] {
		found = append(found, int(index))
	}
	return found
}

// CutRefusals is for each message why no cut may stand before it; RefusalNone where it may.
func (h *History) CutRefusals() []CutRefusal {
	defer runtime.KeepAlive(h)
	all := make([]C.uint32_t, C.haversack_history_cut_refusals(h.handle, nil, 0))
	if len(all) == 0 {
		return nil
	}
	C.haversack_history_cut_refusals(h.handle, &all[0], C.size_t(len(all)))
	refusals := make([]CutRefusal, len(all))
	for i, refusal := range all {
		refusals[i] = CutRefusal(refusal)
	}
	return refusals
}

// CutRefusal is why index is no safe cut; false when it is one. It costs as much as CutRefusals.
func (h *History) CutRefusal(index int) (CutRefusal, bool) {
	defer runtime.KeepAlive(h)
	if index < 0 {
		return RefusalOutOfRange, true
	}
	var refusal C.uint32_t
	refused := bool(C.haversack_history_cut_refusal(h.handle, C.size_t(index), &refusal))
	return CutRefusal(refusal), refused
}

// Asks twice: for the number, then for the indices.
func indices(ask func(*C.size_t, C.size_t) C.size_t) []int {
	all := make([]C.size_t, ask(nil, 0))
	if len(all) == 0 {
		return nil
	}
	ask(&all[0], C.size_t(len(all)))
	found := make([]int, len(all))
	for i, index := range all {
		found[i] = int(index)
	}
	return found
}
