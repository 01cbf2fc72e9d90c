package haversack

// #include <haversack.h>
import "C"

import "unsafe"

// FactKind is what a fact is. The order is that in which a budget takes them.
type FactKind uint32

// The kinds.
const (
	FactDefault    FactKind = C.HAVERSACK_FACT_DEFAULT // a fact
	FactConstraint FactKind = C.HAVERSACK_FACT_CONSTRAINT
	FactDecision   FactKind = C.HAVERSACK_FACT_DECISION
	FactTask       FactKind = C.HAVERSACK_FACT_TASK
	FactIdentifier FactKind = C.HAVERSACK_FACT_IDENTIFIER
	FactFact       FactKind = C.HAVERSACK_FACT_FACT
)

// String is the name of the kind, such as "constraint".
func (k FactKind) String() string { return goString(C.haversack_fact_kind_name(C.uint32_t(k))) }

// Recorded is what became of a value that was recorded.
type Recorded uint32

// The outcomes. More may come.
const (
	RecordedUnknown Recorded = C.HAVERSACK_RECORDED_UNKNOWN
	RecordedAdded   Recorded = C.HAVERSACK_RECORDED_ADDED
	RecordedUpdated Recorded = C.HAVERSACK_RECORDED_UPDATED // it holds now; the earlier value is in the history
	RecordedMerged  Recorded = C.HAVERSACK_RECORDED_MERGED  // it was there already: its source is added to the fact
	RecordedOlder   Recorded = C.HAVERSACK_RECORDED_OLDER   // of an earlier turn than the value that holds: in the history
)

// String is the name of the outcome, such as "updated".
func (r Recorded) String() string { return goString(C.haversack_recorded_name(C.uint32_t(r))) }

// Sighting is one more time that a value was stated.
type Sighting struct {
	Source   string // where
	Turn     uint64 // when
	HasTurn  bool   // whether it was stated in a turn
	Verified bool   // whether the host checked it there
}

// Fact is one value of a key, as a ledger had it when it was asked. It is Evidence.
type Fact struct {
	Key        string // as it was given
	Value      string // as JSON, in the spelling in which it was recorded
	Kind       FactKind
	Source     string     // of several sightings the most trusted one, of these a verified one, of these the first
	Turn       uint64     // when it was stated there
	HasTurn    bool       // whether it was stated in a turn
	Verified   bool       // whether the host checked it
	Superseded bool       // whether another value took its place
	Also       []Sighting // its other sightings, in the order in which they came; of one kind of source the first eight
}

// Field is a field of a result: the key of its fact, and the JSON Pointer (no stars) to its value.
type Field struct {
	Key     string
	Pointer string
}

// Extracted is a result of which the fields that were asked for are recorded: now it may leave the prompt.
type Extracted struct {
	Keys    []string // in the order of the fields
	Text    string   // one line that can stand in the place of the result
	Account Account  // one record, shrunk; the bytes of the recorded values are kept, the others omitted
}

// FactOption is an option of Record, Append and Extract.
type FactOption interface{ applyFact(*factOptions) }

type factOptions struct {
	source   string
	turn     *uint64
	kind     FactKind
	verified bool
}

type factOption func(*factOptions)

func (set factOption) applyFact(o *factOptions) { set(o) }

// SourceOption is From: an option of what is recorded in a ledger and of what is remembered.
type SourceOption string

// From says where a value or a text comes from: "user", "system", "agent", "tool", "page", "email" or "file", and after
// a colon which one ("tool:c1"). Default, and for whatever starts otherwise: unknown, which is not trusted.
func From(source string) SourceOption { return SourceOption(source) }

func (s SourceOption) applyFact(o *factOptions) { o.source = string(s) }

// WithFactKind says what the fact is. Default: a fact.
func WithFactKind(kind FactKind) FactOption {
	return factOption(func(o *factOptions) { o.kind = kind })
}

// WithTurn says in which turn, step or message, 0 to 2^53: of two values of one key the one of the later turn holds.
// Default: none, and the one that is recorded later holds.
func WithTurn(turn uint64) FactOption { return factOption(func(o *factOptions) { o.turn = &turn }) }

// WithVerified says that the host checked it.
func WithVerified() FactOption { return factOption(func(o *factOptions) { o.verified = true }) }

// The options in memory of C.
func (a *arena) fact(options []FactOption) *C.haversack_fact_options {
	var o factOptions
	for _, option := range options {
		option.applyFact(&o)
	}
	given := (*C.haversack_fact_options)(a.alloc(C.sizeof_haversack_fact_options))
	given.size = C.sizeof_haversack_fact_options
	given.source = a.str(o.source)
	given.kind = C.uint32_t(o.kind)
	if o.turn != nil {
		given.turn = (*C.uint64_t)(a.alloc(unsafe.Sizeof(C.uint64_t(0))))
		*given.turn = C.uint64_t(*o.turn)
	}
	if o.verified {
		given.verified = 1
	}
	return given
}

// The facts of a list of C, which is freed.
func takeFacts(list *C.haversack_facts) []Fact {
	defer C.haversack_facts_free(list)
	all := make([]Fact, C.haversack_facts_count(list))
	for i := range all {
		var c C.haversack_fact
		C.haversack_facts_get(list, C.size_t(i), &c)
		all[i] = Fact{
			goString(c.key), goString(c.value), FactKind(c.kind), goString(c.source), uint64(c.turn), c.has_turn != 0,
			c.verified != 0, c.superseded != 0,
			filled(func(out *C.haversack_sighting, capacity C.size_t) C.size_t {
				return C.haversack_facts_also(list, C.size_t(i), out, capacity)
			}, goSighting),
		}
	}
	return all
}

func goSighting(c *C.haversack_sighting) Sighting {
	return Sighting{goString(c.source), uint64(c.turn), c.has_turn != 0, c.verified != 0}
}
