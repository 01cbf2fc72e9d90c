package haversack

// #include <haversack.h>
import "C"

import "unsafe"

// Answer is whether an action may go ahead. Whatever is not AnswerOK is to be asked.
type Answer uint32

// The answers.
const (
	AnswerUnknown Answer = C.HAVERSACK_ANSWER_UNKNOWN
	AnswerOK      Answer = C.HAVERSACK_ANSWER_OK  // the action rests on enough
	AnswerAsk     Answer = C.HAVERSACK_ANSWER_ASK // ask the user first
)

// String is the name of the answer, such as "ask".
func (a Answer) String() string { return goString(C.haversack_answer_name(C.uint32_t(a))) }

// GroundsReason is why an action may go ahead, or may not.
type GroundsReason uint32

// The reasons. More may come.
const (
	GroundsUnknown    GroundsReason = C.HAVERSACK_GROUNDS_UNKNOWN
	GroundsStated     GroundsReason = C.HAVERSACK_GROUNDS_STATED      // the user stated it in this run
	GroundsVerified   GroundsReason = C.HAVERSACK_GROUNDS_VERIFIED    // it comes from the host, and was verified
	GroundsNothing    GroundsReason = C.HAVERSACK_GROUNDS_NOTHING     // there is no evidence
	GroundsSuperseded GroundsReason = C.HAVERSACK_GROUNDS_SUPERSEDED  // all of it was superseded
	GroundsOnlyMemory GroundsReason = C.HAVERSACK_GROUNDS_ONLY_MEMORY // all that holds is memory
	GroundsUntrusted  GroundsReason = C.HAVERSACK_GROUNDS_UNTRUSTED   // not stated by the user, nor verified and from the host
)

// String is the name of the reason, such as "only_memory".
func (r GroundsReason) String() string {
	return goString(C.haversack_grounds_reason_name(C.uint32_t(r)))
}

// Evidence is what an action rests on: a Fact, a MemoryItem or a Hit. A memory is evidence by its source alone.
type Evidence interface {
	evidence(*arena) C.haversack_evidence
}

func (f Fact) evidence(a *arena) C.haversack_evidence {
	c := C.haversack_evidence{source: a.str(f.Source), origin: C.HAVERSACK_ORIGIN_FACT}
	if f.Verified {
		c.verified = 1
	}
	if f.Superseded {
		c.superseded = 1
	}
	return c
}

func (m MemoryItem) evidence(a *arena) C.haversack_evidence {
	return C.haversack_evidence{source: a.str(m.Source), origin: C.HAVERSACK_ORIGIN_MEMORY}
}

// EvidenceOf is a list of facts, memories or hits as evidence.
func EvidenceOf[E Evidence](all []E) []Evidence {
	evidence := make([]Evidence, len(all))
	for i, one := range all {
		evidence[i] = one
	}
	return evidence
}

// Grounds is whether an action rests on enough.
type Grounds struct {
	Answer Answer
	Reason GroundsReason
	Text   string // to the model, where the answer is to ask: one line that names the action and the reason; else ""
}

// OK is whether the action may go ahead.
func (g Grounds) OK() bool { return g.Answer == AnswerOK }

// GroundsOf is whether an action (in words; it stands quoted in the line for the model) may go ahead on this evidence,
// or the user is to be asked first. It is enough that the user stated one of the facts in this run, or that one of the
// host's was verified. Memories are never enough, whoever said them; nor is content, verified or not, or what the model
// concluded. Which facts bear on the action is for the host to say. Nil, which Get gives where it finds nothing, is no
// evidence.
func GroundsOf(action string, evidence ...Evidence) (Grounds, error) {
	var a arena
	defer a.free()
	var first *C.haversack_evidence
	count := 0
	if len(evidence) > 0 {
		first = (*C.haversack_evidence)(a.alloc(uintptr(len(evidence)) * unsafe.Sizeof(C.haversack_evidence{})))
		for _, one := range evidence {
			if !isNothing(one) {
				unsafe.Slice(first, len(evidence))[count] = one.evidence(&a)
				count++
			}
		}
	}
	var handle *C.haversack_grounding
	var failure *C.haversack_error
	if C.haversack_grounds(a.str(action), first, C.size_t(count), &handle, &failure) != C.HAVERSACK_OK {
		return Grounds{}, takeError(failure)
	}
	defer C.haversack_grounding_free(handle)
	return Grounds{
		Answer(C.haversack_grounding_answer(handle)), GroundsReason(C.haversack_grounding_reason(handle)),
		goString(C.haversack_grounding_text(handle)),
	}, nil
}

func isNothing(one Evidence) bool {
	switch pointer := one.(type) {
	case *Fact:
		return pointer == nil
	case *MemoryItem:
		return pointer == nil
	case *Hit:
		return pointer == nil
	}
	return one == nil
}
