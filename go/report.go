package haversack

// #include <haversack.h>
import "C"

// PieceSize is the size of one piece, in the unit of the report.
type PieceSize struct {
	Name      string
	Layer     Layer
	Kind      PieceKind
	Size      int
	Budget    int    // what it may take at most
	HasBudget bool   // whether it has one
	Over      int    // by how much it is above its budget
	Owner     string // who answers for it; "" where nobody does
}

// Report is the sizes of a prompt.
type Report struct {
	Unit               Unit          // of every size
	Pieces             []PieceSize   // in the order of the prompt
	Layers             map[Layer]int // without settings
	Kinds              map[PieceKind]int
	Total              int // all pieces together but settings, which no model reads
	Budget             int // what all of them may take at most
	Over               int // by how much all of it is above the budget
	BeforeConversation int // what stands before the conversation starts: instructions, tools, facts
	OldResults         int // tool results that the model has answered since
	ResolvedErrors     int // errors among them whose tool gave a result later on; not counted as old results again
	Thinking           int // scratch work that is done: the model's thinking in turns that ended
	DeadShare          int // how much of the total the last three are, in parts per 10,000
	PerCall            int // what the conversation has grown by for each answer of the model so far, rounded up; 0 where there is none
}

// Report measures every piece in the unit of the budget, whose limit is what all pieces together may take. Budgets of
// pieces are in the same unit. Each piece is measured on its own, cached or not: a cache lowers a price, not a size.
func (p *Prompt) Report(budget Budget) (*Report, error) {
	c, err := newCall(budget)
	if err != nil {
		return nil, err
	}
	defer c.free()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var handle *C.haversack_report
	if err := c.result(C.haversack_prompt_report(p.handle, c.budget, &handle, &c.failure)); err != nil {
		return nil, err
	}
	defer C.haversack_report_free(handle)
	r := &Report{
		Unit:   Unit(C.haversack_report_unit(handle)),
		Layers: map[Layer]int{}, Kinds: map[PieceKind]int{},
		Total: int(C.haversack_report_total(handle)), Budget: budget.limit, Over: int(C.haversack_report_over(handle)),
		BeforeConversation: int(C.haversack_report_before_conversation(handle)), OldResults: int(C.haversack_report_old_results(handle)),
		ResolvedErrors: int(C.haversack_report_resolved_errors(handle)), Thinking: int(C.haversack_report_thinking(handle)),
		DeadShare: int(C.haversack_report_dead_share(handle)),
	}
	var perCall C.size_t
	if C.haversack_report_per_call(handle, &perCall) {
		r.PerCall = int(perCall)
	}
	get := func(i C.size_t, size *C.haversack_piece_size) C.bool {
		return C.haversack_report_piece(handle, i, size)
	}
	r.Pieces = entries(C.haversack_report_count(handle), get, func(c *C.haversack_piece_size) PieceSize {
		return PieceSize{
			goString(c.name), Layer(c.layer), PieceKind(c.kind), int(c.size), int(c.budget), c.has_budget != 0, int(c.over), goString(c.owner),
		}
	})
	for layer := LayerStatic; layer <= LayerTurn; layer++ {
		r.Layers[layer] = int(C.haversack_report_layer(handle, C.uint32_t(layer)))
	}
	for kind := PieceKind(1); kind.String() != ""; kind++ {
		r.Kinds[kind] = int(C.haversack_report_kind(handle, C.uint32_t(kind)))
	}
	return r, nil
}

// Growth is the input of a run that only appends to its prompt, in the unit that it was asked in.
type Growth struct {
	Largest  uint64 // the last prompt: all that was new in the run
	Input    uint64 // all prompts together: what is billed without a cache; it grows with the square of the number of calls
	Repeated uint64 // of these what an earlier call had sent already: the most that a prefix cache can serve
}

// EstimateGrowth is the input of so many calls, the first of which sends first and each later one perCall more than the
// one before it. Sums stop at the largest number there is.
func EstimateGrowth(first, perCall, calls uint64) Growth {
	c := C.haversack_estimate_growth(C.uint64_t(first), C.uint64_t(perCall), C.uint64_t(calls))
	return Growth{uint64(c.largest), uint64(c.input), uint64(c.repeated)}
}
