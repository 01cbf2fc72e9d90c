package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// Tiers is what a request of a long run is made of.
type Tiers struct {
	Invariant string   // the invariant state, as it was given
	Ledger    Rendered // the facts, with the books of those that were left out
	Working   string   // working memory: the history with the last steps alone, valid where the whole was
	Kept      []int    // the messages that stay in it, by index
	Account   Account  // the books of the history: messages as records, their JSON in bytes

	json []byte
}

// JSON is every member under its name.
func (t *Tiers) JSON() []byte { return t.json }

// TierOption is an option of TiersOf.
type TierOption interface{ applyTiers(*tierOptions) }

type tierOption func(*tierOptions)

func (set tierOption) applyTiers(o *tierOptions) { set(o) }

func (p PinnedOption) applyTiers(o *tierOptions) { o.pinned = append(o.pinned, p...) }

type tierOptions struct {
	rawSteps *int
	ledger   *Budget
	pinned   []int
}

// WithRawSteps says how many steps of the assistant keep their raw results. Default: 2.
func WithRawSteps(steps int) TierOption {
	return tierOption(func(o *tierOptions) { o.rawSteps = &steps })
}

// WithLedgerBudget says what the ledger may take. Default: all.
func WithLedgerBudget(budget Budget) TierOption {
	return tierOption(func(o *tierOptions) { o.ledger = &budget })
}

// TiersOf puts the tiers of a request together: what never changes, the facts (nil: none), and of the history its
// system prompt, its last user message, the pins (WithPinned) and the last steps, cut where no call is parted from its
// result. With a budget for the ledger a request grows with the size of these steps, not with their number.
func TiersOf(invariant string, ledger *Ledger, history *History, options ...TierOption) (*Tiers, error) {
	var o tierOptions
	for _, option := range options {
		option.applyTiers(&o)
	}
	var render []RenderOption
	if o.ledger != nil {
		render = append(render, WithBudget(*o.ledger))
	}
	c, budget, err := renderCall(render)
	if err != nil {
		return nil, err
	}
	defer c.free()
	given := (*C.haversack_tier_options)(c.alloc(C.sizeof_haversack_tier_options))
	given.size = C.sizeof_haversack_tier_options
	given.ledger = budget
	if o.rawSteps != nil {
		if *o.rawSteps < 0 {
			return nil, negative("raw_steps")
		}
		given.raw_steps = c.size(*o.rawSteps)
	}
	if given.pinned, err = c.pins(o.pinned); err != nil {
		return nil, err
	}
	given.pinned_len = C.size_t(len(o.pinned))
	var facts *C.haversack_ledger
	if ledger != nil {
		ledger.mutex.RLock()
		defer ledger.mutex.RUnlock()
		facts = ledger.handle
	}
	defer runtime.KeepAlive(history)
	var handle *C.haversack_tiers
	if err := c.result(C.haversack_tiers_new(c.str(invariant), facts, history.handle, given, &handle, &c.failure)); err != nil {
		return nil, err
	}
	defer C.haversack_tiers_free(handle)
	json, err := takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_tiers_json(handle, json, failure)
	})
	return &Tiers{
		Invariant: goString(C.haversack_tiers_invariant(handle)),
		Ledger:    takeRendered(C.haversack_tiers_ledger(handle)),
		Working:   goString(C.haversack_tiers_working(handle)),
		Kept: indices(func(out *C.size_t, capacity C.size_t) C.size_t {
			return C.haversack_tiers_kept(handle, out, capacity)
		}),
		Account: goAccount(C.haversack_tiers_account(handle)),
		json:    json,
	}, err
}

// The indices in memory of C; nil for none.
func (a *arena) pins(indices []int) (*C.size_t, error) {
	if len(indices) == 0 {
		return nil, nil
	}
	first := (*C.size_t)(a.alloc(uintptr(len(indices)) * unsafe.Sizeof(C.size_t(0))))
	for i, index := range indices {
		if index < 0 {
			return nil, negative("pinned")
		}
		unsafe.Slice(first, len(indices))[i] = C.size_t(index)
	}
	return first, nil
}
