package haversack

// #include <haversack.h>
import "C"

import "unsafe"

// CacheReason is why as much is read from a cache as is.
type CacheReason uint32

// The reasons. More may come.
const (
	CacheUnknown       CacheReason = C.HAVERSACK_CACHE_UNKNOWN
	CacheHit           CacheReason = C.HAVERSACK_CACHE_HIT            // something is read
	CacheFirst         CacheReason = C.HAVERSACK_CACHE_FIRST          // there was no request before
	CacheNothingStored CacheReason = C.HAVERSACK_CACHE_NOTHING_STORED // the request before stored nothing that this one could read
	CacheChanged       CacheReason = C.HAVERSACK_CACHE_CHANGED        // the prompts part before the first entry
	CacheBelowMinimum  CacheReason = C.HAVERSACK_CACHE_BELOW_MINIMUM  // what is common is shorter than the provider stores
	CacheOutOfReach    CacheReason = C.HAVERSACK_CACHE_OUT_OF_REACH   // the entry is further back than a mark reaches
	CacheExpired       CacheReason = C.HAVERSACK_CACHE_EXPIRED        // the entry is too old
)

// String is the name of the reason, such as "hit".
func (r CacheReason) String() string { return goString(C.haversack_cache_reason_name(C.uint32_t(r))) }

// MarkReason is what a cache mark is there for.
type MarkReason uint32

// The reasons. More may come.
const (
	MarkReasonUnknown MarkReason = C.HAVERSACK_MARK_REASON_UNKNOWN
	MarkReasonTools   MarkReason = C.HAVERSACK_MARK_REASON_TOOLS  // the end of the tools
	MarkReasonSystem  MarkReason = C.HAVERSACK_MARK_REASON_SYSTEM // the end of the system prompt
	MarkReasonAnchor  MarkReason = C.HAVERSACK_MARK_REASON_ANCHOR // where the previous request was stored
	MarkReasonTail    MarkReason = C.HAVERSACK_MARK_REASON_TAIL   // the last block that will be there again
)

// String is the name of the reason, such as "tail".
func (r MarkReason) String() string { return goString(C.haversack_mark_reason_name(C.uint32_t(r))) }

// CacheRules is how a provider (or a server of your own) caches prompts: a row of a dated table.
type CacheRules struct {
	Name   string // "openai/auto", "openai/breakpoint", "anthropic", "bedrock", "gemini/implicit", "gemini/explicit", "vllm", "sglang"
	Source string // where the rule was published, in words
	Dated  string // when that was read: year and month
}

// AllCacheRules is every row of the table.
func AllCacheRules() []CacheRules {
	var all []CacheRules
	var c C.haversack_cache_rules
	for C.haversack_cache_rules_get(C.size_t(len(all)), &c) {
		all = append(all, goRules(&c))
	}
	return all
}

// CacheRulesOf is the row by which the owner of a format caches prompts of a model ("": one that is not known); false
// where no rule is published for it.
func CacheRulesOf(format WireFormat, model string) (CacheRules, bool) {
	var a arena
	defer a.free()
	var c C.haversack_cache_rules
	if !C.haversack_cache_rules_of(C.uint32_t(format), a.orAbsent(model), &c) {
		return CacheRules{}, false
	}
	return goRules(&c), true
}

// CacheRulesAsOf is the date of the whole table.
func CacheRulesAsOf() string { return goString(C.haversack_cache_rules_as_of()) }

func goRules(c *C.haversack_cache_rules) CacheRules {
	return CacheRules{goString(c.name), goString(c.source), goString(c.dated)}
}

// Prediction is what is served from a cache, and what it costs: Cached + Written + Fresh = Total, in tokens of the
// counter.
type Prediction struct {
	Cached               int // read from the cache, as the published rule has it
	CachedMin, CachedMax int // at least and at most so many
	Written              int // stored at the price of writing; 0 where storing is free
	Fresh                int // at the usual price
	Total                int
	Billed               uint64 // in thousandths of the price of one fresh input token
	Reason               CacheReason
	Rules                string // the rules that were applied
}

// CacheOption is an option of Predict and of CacheMarksOf.
type CacheOption interface {
	PredictOption
	MarkOption
}

// BodyOption is an option of all that read requests: Predict, CacheMarksOf and PromptFromRequest.
type BodyOption interface {
	CacheOption
	RequestOption
}

// PredictOption is an option of Predict.
type PredictOption interface{ applyPredict(*predictOptions) }

// MarkOption is an option of CacheMarksOf.
type MarkOption interface{ applyMarks(*markOptions) }

type cacheOptions struct {
	rules  *string
	format WireFormat
	limits *Limits
}

type predictOptions struct {
	cacheOptions
	elapsed int
	ttl     *int
}

type markOptions struct {
	cacheOptions
	previous       []byte
	most           *int
	life, headLife *string
	changing       int
}

type cacheOption func(*cacheOptions)

func (set cacheOption) applyPredict(o *predictOptions) { set(&o.cacheOptions) }
func (set cacheOption) applyMarks(o *markOptions)      { set(&o.cacheOptions) }

type bodyOption struct{ cacheOption }

func (option bodyOption) applyRequest(o *cacheOptions) { option.cacheOption(o) }

func (limits LimitsOption) applyRequest(o *cacheOptions) {
	given := Limits(limits)
	o.limits = &given
}
func (limits LimitsOption) applyPredict(o *predictOptions) { limits.applyRequest(&o.cacheOptions) }
func (limits LimitsOption) applyMarks(o *markOptions)      { limits.applyRequest(&o.cacheOptions) }

type predictOption func(*predictOptions)

func (set predictOption) applyPredict(o *predictOptions) { set(o) }

type markOption func(*markOptions)

func (set markOption) applyMarks(o *markOptions) { set(o) }

// WithRules names the cache rules. Default: those of the format and the model of the request.
func WithRules(name string) CacheOption {
	return cacheOption(func(o *cacheOptions) { o.rules = &name })
}

// WithRequestFormat reads the requests as this format. Default: what they show.
func WithRequestFormat(format WireFormat) BodyOption {
	return bodyOption{func(o *cacheOptions) { o.format = format }}
}

// WithElapsed is the seconds from the start of the previous request to the start of this one. Default: 0.
func WithElapsed(seconds int) PredictOption {
	return predictOption(func(o *predictOptions) { o.elapsed = seconds })
}

// WithTTL is the seconds that entries live whose mark does not say it. Default: what the table says.
func WithTTL(seconds int) PredictOption {
	return predictOption(func(o *predictOptions) { o.ttl = &seconds })
}

// WithPrevious gives the request before this one: where it was stored gets a mark of its own when that is too far back.
func WithPrevious(body []byte) MarkOption {
	return markOption(func(o *markOptions) { o.previous = body })
}

// WithMost places at most so many marks. Default: as many as the rules allow.
func WithMost(marks int) MarkOption {
	return markOption(func(o *markOptions) { o.most = &marks })
}

// WithLife is the life that marks in the messages ask for, such as "1h". Default: they ask for none.
func WithLife(life string) MarkOption {
	return markOption(func(o *markOptions) { o.life = &life })
}

// WithHeadLife is the life that marks behind tools and system ask for. Default: that of the messages.
func WithHeadLife(life string) MarkOption {
	return markOption(func(o *markOptions) { o.headLife = &life })
}

// WithChanging says that so many of the last messages are other ones in every request. Default: 0.
func WithChanging(messages int) MarkOption {
	return markOption(func(o *markOptions) { o.changing = messages })
}

// Predict says what the provider of next reads from its cache, previous having gone before it (nil: nothing has).
// counter counts each block on its own.
func Predict(previous, next []byte, counter TokenCounter, options ...PredictOption) (*Prediction, error) {
	var o predictOptions
	for _, option := range options {
		option.applyPredict(&o)
	}
	if o.elapsed < 0 {
		return nil, negative("elapsed")
	}
	c, counting := counterCall(counter)
	defer c.free()
	given := (*C.haversack_predict_options)(c.alloc(C.sizeof_haversack_predict_options))
	given.size = C.sizeof_haversack_predict_options
	given.counter = counting
	given.rules = c.optional(o.rules)
	given.elapsed = C.uint64_t(o.elapsed)
	given.format = C.uint32_t(o.format)
	limits, err := c.limits(o.limits)
	if err != nil {
		return nil, err
	}
	given.limits = limits
	if o.ttl != nil {
		if *o.ttl < 0 {
			return nil, negative("ttl")
		}
		given.ttl = (*C.uint64_t)(c.alloc(unsafe.Sizeof(C.uint64_t(0))))
		*given.ttl = C.uint64_t(*o.ttl)
	}
	var p C.haversack_prediction
	if err := c.result(C.haversack_predict(c.bytesOrAbsent(previous), viewBytes(next), given, &p, &c.failure)); err != nil {
		return nil, err
	}
	return &Prediction{
		Cached: int(p.cached), CachedMin: int(p.cached_min), CachedMax: int(p.cached_max), Written: int(p.written), Fresh: int(p.fresh),
		Total: int(p.total), Billed: uint64(p.billed), Reason: CacheReason(p.reason), Rules: goString(p.rules),
	}, nil
}

// CacheMark is one mark of a plan.
type CacheMark struct {
	Reason  MarkReason
	Pointer string // JSON pointer to the block that it closes, in the body as it was given
	Message int    // by its place in the list; -1 on tools and system
	Block   int    // by its place in its list; 0 where the content is one string
	Life    string // that it asks for; "" for the usual one
}

// CacheMarks is where marks belong, and the body that has them there.
type CacheMarks struct {
	Marks    []CacheMark  // in the order of the request
	Unplaced []MarkReason // marks that were wanted, and no block there may carry one
	Text     string       // the body with these marks and no others; everything else is its own bytes
	Rules    string       // the rules that were applied
}

// CacheMarksOf places the cache marks of a request: behind the tools, behind the system prompt, at the last block that
// stays, and where the previous one was stored. Marks that stand already are replaced; doing it again changes nothing.
func CacheMarksOf(body []byte, options ...MarkOption) (*CacheMarks, error) {
	var o markOptions
	for _, option := range options {
		option.applyMarks(&o)
	}
	c := &call{}
	defer c.free()
	given := (*C.haversack_mark_options)(c.alloc(C.sizeof_haversack_mark_options))
	given.size = C.sizeof_haversack_mark_options
	given.rules = c.optional(o.rules)
	given.life = c.optional(o.life)
	given.head_life = c.optional(o.headLife)
	given.format = C.uint32_t(o.format)
	var err error
	limits, err := c.limits(o.limits)
	if err != nil {
		return nil, err
	}
	given.limits = limits
	if o.changing < 0 {
		return nil, negative("changing")
	}
	given.changing = C.size_t(o.changing)
	if o.most != nil {
		if *o.most < 0 {
			return nil, negative("most")
		}
		given.most = c.size(*o.most)
	}
	var plan *C.haversack_mark_plan
	if err := c.result(C.haversack_cache_marks(viewBytes(body), c.bytesOrAbsent(o.previous), given, &plan, &c.failure)); err != nil {
		return nil, err
	}
	defer C.haversack_mark_plan_free(plan)
	answer := &CacheMarks{
		Text: goString(C.haversack_mark_plan_text(plan)), Rules: goString(C.haversack_mark_plan_rules(plan)),
	}
	get := func(i C.size_t, m *C.haversack_cache_mark) C.bool { return C.haversack_mark_plan_mark(plan, i, m) }
	answer.Marks = entries(C.haversack_mark_plan_count(plan), get, func(m *C.haversack_cache_mark) CacheMark {
		mark := CacheMark{MarkReason(m.reason), goString(m.pointer), -1, int(m.block), goString(m.life)}
		if m.has_message != 0 {
			mark.Message = int(m.message)
		}
		return mark
	})
	answer.Unplaced = filled(func(out *C.uint32_t, capacity C.size_t) C.size_t {
		return C.haversack_mark_plan_unplaced(plan, out, capacity)
	}, func(reason *C.uint32_t) MarkReason { return MarkReason(*reason) })
	return answer, nil
}
