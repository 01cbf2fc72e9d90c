package haversack

// #include <haversack.h>
import "C"

import "unsafe"

// Rendered is lines of a ledger, a memory or a handoff as a text for the prompt, with its books; Measure gives its
// size.
type Rendered struct {
	Text     string  // a heading and one line an entry, without a line feed at its end
	Account  Account // entries as records, their lines (each with its line feed) in bytes
	Rule     string  // the rule by which entries are left out, in words
	Complete bool    // whether nothing was left out
}

// RenderOption is an option of what renders lines.
type RenderOption func(*renderOptions)

type renderOptions struct {
	budget *Budget
}

// WithBudget renders as many lines as fit; the heading says how many were left out. Default: all of them.
func WithBudget(budget Budget) RenderOption { return func(o *renderOptions) { o.budget = &budget } }

// One call with a budget in memory of C, or without.
func renderCall(options []RenderOption) (*call, *C.haversack_budget, error) {
	var o renderOptions
	for _, option := range options {
		option(&o)
	}
	if o.budget == nil {
		return &call{}, nil, nil
	}
	c, err := newCall(*o.budget)
	if err != nil {
		return nil, nil, err
	}
	given := (*C.haversack_budget)(c.alloc(unsafe.Sizeof(c.budget)))
	*given = c.budget
	return c, given, nil
}

// What C rendered, which is freed.
func takeRendered(handle *C.haversack_rendered) Rendered {
	defer C.haversack_rendered_free(handle)
	return Rendered{
		goString(C.haversack_rendered_text(handle)), goAccount(C.haversack_rendered_account(handle)),
		goString(C.haversack_rendered_rule(handle)), bool(C.haversack_rendered_complete(handle)),
	}
}
