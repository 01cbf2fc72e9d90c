package haversack

// #include <haversack.h>
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Layer is how often a piece of a prompt changes. Layers stand in a prompt in this order.
type Layer uint32

// The layers.
const (
	LayerDefault Layer = C.HAVERSACK_LAYER_DEFAULT // session
	LayerStatic  Layer = C.HAVERSACK_LAYER_STATIC  // never, while this version of the agent runs
	LayerRare    Layer = C.HAVERSACK_LAYER_RARE    // now and then
	LayerSession Layer = C.HAVERSACK_LAYER_SESSION // once a session, or by growing at its end
	LayerTurn    Layer = C.HAVERSACK_LAYER_TURN    // with every call
)

// String is the name of the layer, such as "static".
func (l Layer) String() string { return goString(C.haversack_layer_name(C.uint32_t(l))) }

// PieceKind is what a piece of a prompt is for.
type PieceKind uint32

// The kinds. More may come.
const (
	PieceDefault      PieceKind = C.HAVERSACK_PIECE_DEFAULT // what is usual in its layer
	PieceInstructions PieceKind = C.HAVERSACK_PIECE_INSTRUCTIONS
	PieceTool         PieceKind = C.HAVERSACK_PIECE_TOOL
	PieceFacts        PieceKind = C.HAVERSACK_PIECE_FACTS
	PieceConversation PieceKind = C.HAVERSACK_PIECE_CONVERSATION
	PieceNotes        PieceKind = C.HAVERSACK_PIECE_NOTES
	PieceSetting      PieceKind = C.HAVERSACK_PIECE_SETTING
)

// String is the name of the kind, such as "tool".
func (k PieceKind) String() string { return goString(C.haversack_piece_kind_name(C.uint32_t(k))) }

// MarkKind is how a format spells a cache mark.
type MarkKind uint32

// The spellings. More may come.
const (
	MarkUnknown      MarkKind = C.HAVERSACK_MARK_UNKNOWN
	MarkCacheControl MarkKind = C.HAVERSACK_MARK_CACHE_CONTROL
	MarkCachePoint   MarkKind = C.HAVERSACK_MARK_CACHE_POINT
	MarkBreakpoint   MarkKind = C.HAVERSACK_MARK_BREAKPOINT
)

// String is the name of the member, such as "cache_control".
func (k MarkKind) String() string { return goString(C.haversack_mark_kind_name(C.uint32_t(k))) }

// Piece is a piece of a prompt.
type Piece struct {
	Name      string // yours, or settings/KEY, tools/NAME, system, message N of a request
	Text      string // of a request the JSON text of the value as it was sent, without cache marks
	Layer     Layer
	Kind      PieceKind
	Budget    int    // what it may take at most, in the unit you measure in
	HasBudget bool   // whether it has one
	Owner     string // who answers for it; "" where nobody does
	IsMessage bool   // a message of a request: its name is its place
}

// Mark is a cache mark of a request. It is no content: a mark that moves changes no piece.
type Mark struct {
	Piece      int // the piece it stands on, by its place in the prompt
	At         int // bytes of the piece's text before it
	Kind       MarkKind
	Seconds    int  // the life it asks for
	HasSeconds bool // whether it asks for one; else the provider chooses
}

// PieceOption is an option of Add.
type PieceOption func(*pieceOptions)

type pieceOptions struct {
	layer  Layer
	kind   PieceKind
	budget *int
	owner  *string
}

// WithLayer puts the piece into this layer. Default: LayerSession; LayerStatic for tools that you own.
func WithLayer(layer Layer) PieceOption { return func(o *pieceOptions) { o.layer = layer } }

// WithKind says what the piece is for. Default: what is usual in the layer.
func WithKind(kind PieceKind) PieceOption { return func(o *pieceOptions) { o.kind = kind } }

// WithPieceBudget is what the piece may take at most, in the unit you measure in. Default: no budget.
func WithPieceBudget(budget int) PieceOption { return func(o *pieceOptions) { o.budget = &budget } }

// WithOwner says who answers for the piece. Default: nobody.
func WithOwner(owner string) PieceOption { return func(o *pieceOptions) { o.owner = &owner } }

// Prompt is an ordered sequence of named pieces: layer by layer, and within a layer in the order of Add. It needs no
// closing and may be used by many goroutines; counters that its functions call must not use it.
type Prompt struct {
	mutex  sync.Mutex
	handle *C.haversack_prompt
}

// NewPrompt is a prompt without pieces.
func NewPrompt() *Prompt { return takePrompt(C.haversack_prompt_new()) }

// RequestOption is an option of PromptFromRequest.
type RequestOption interface{ applyRequest(*cacheOptions) }

// PromptFromRequest takes a request body, or a bare list of messages, apart (WithRequestFormat, WithLimits). Cache
// marks and the order of the members of the body are no content. A content that is a list of one plain text block is
// the same as that text: providers take both alike, and a mark needs the block.
func PromptFromRequest(body []byte, options ...RequestOption) (*Prompt, error) {
	var c call
	defer c.free()
	o, limits, err := readingOf(&c, options)
	if err != nil {
		return nil, err
	}
	var handle *C.haversack_prompt
	if err := c.result(C.haversack_prompt_from_request(viewBytes(body), C.uint32_t(o.format), limits, &handle, &c.failure)); err != nil {
		return nil, err
	}
	return takePrompt(handle), nil
}

// What options say of a body, and its limits for C.
func readingOf[O RequestOption](c *call, options []O) (o cacheOptions, limits *C.haversack_limits, err error) {
	for _, option := range options {
		option.applyRequest(&o)
	}
	limits, err = c.limits(o.limits)
	return o, limits, err
}

// WithoutConversation is the same prompt before anyone spoke: without conversation and notes, with all settings,
// instructions, tools and facts. What a sub-agent with a blank history starts from.
func (p *Prompt) WithoutConversation() *Prompt {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return takePrompt(C.haversack_prompt_without_conversation(p.handle))
}

func takePrompt(handle *C.haversack_prompt) *Prompt {
	p := &Prompt{handle: handle}
	runtime.SetFinalizer(p, func(p *Prompt) { C.haversack_prompt_free(p.handle) })
	return p
}

// Close frees what the prompt holds outside Go, before the collector would. A second one does nothing.
func (p *Prompt) Close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	C.haversack_prompt_free(p.handle)
	p.handle = nil
	runtime.SetFinalizer(p, nil)
}

// Add puts a piece at the end of its layer: DuplicatePiece, UnknownLayer. After an error the prompt is as it was.
func (p *Prompt) Add(name, text string, options ...PieceOption) error {
	var c call
	defer c.free()
	given, err := pieceCall(&c, options)
	if err != nil {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return c.result(C.haversack_prompt_add(p.handle, c.str(name), c.str(text), given, &c.failure))
}

func pieceCall(c *call, options []PieceOption) (*C.haversack_piece_options, error) {
	var o pieceOptions
	for _, option := range options {
		option(&o)
	}
	given := (*C.haversack_piece_options)(c.alloc(C.sizeof_haversack_piece_options))
	given.size = C.sizeof_haversack_piece_options
	given.layer = C.uint32_t(o.layer)
	given.kind = C.uint32_t(o.kind)
	given.owner = c.optional(o.owner)
	if o.budget != nil {
		if *o.budget < 0 {
			return nil, negative("budget")
		}
		given.budget = c.size(*o.budget)
	}
	return given, nil
}

// AddTool adds a tool that you own as the piece tools/NAME, in the canonical form (RFC 8785) of its definition: in its
// layer (LayerStatic by default) such tools come first, by name. What a model or a provider wrote is never serialised
// anew: Add that. Errors of the definition name the piece.
func (p *Prompt) AddTool(name, definition string, options ...PieceOption) error {
	var c call
	defer c.free()
	given, err := pieceCall(&c, options)
	if err != nil {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return c.result(C.haversack_prompt_add_tool(p.handle, c.str(name), c.str(definition), given, &c.failure))
}

// Render is the texts of all pieces but settings, in the order of the prompt, a blank line between two of them.
func (p *Prompt) Render() (string, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	text, err := takeJSON(func(text *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_prompt_render(p.handle, text, failure)
	})
	return string(text), err
}

// Tools is the definitions of the tools of AddTool, as one JSON array: the tools of a request.
func (p *Prompt) Tools() ([]byte, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return takeJSON(func(json *C.haversack_string, failure **C.haversack_error) C.haversack_status {
		return C.haversack_prompt_tools(p.handle, json, failure)
	})
}

// Len is how many pieces there are.
func (p *Prompt) Len() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return int(C.haversack_prompt_len(p.handle))
}

// Format is the wire format of the request that the prompt was taken from; WireAuto where it was not.
func (p *Prompt) Format() WireFormat {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return WireFormat(C.haversack_prompt_format(p.handle))
}

// Pieces is the pieces in the order of the prompt.
func (p *Prompt) Pieces() []Piece {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return filled(func(out *C.haversack_piece, capacity C.size_t) C.size_t {
		return C.haversack_prompt_pieces(p.handle, out, capacity)
	}, goPiece)
}

// Piece is the piece of that name; false when there is none.
func (p *Prompt) Piece(name string) (Piece, bool) {
	var a arena
	defer a.free()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var c C.haversack_piece
	if !C.haversack_prompt_lookup(p.handle, a.str(name), &c) {
		return Piece{}, false
	}
	return goPiece(&c), true
}

// Marks is the cache marks on the pieces, in order.
func (p *Prompt) Marks() []Mark {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return filled(func(out *C.haversack_mark, capacity C.size_t) C.size_t {
		return C.haversack_prompt_marks(p.handle, out, capacity)
	}, goMark)
}

// AutomaticMark is the cache mark of the whole request, which stands wherever the request ends: its Piece and At say
// nothing. False when there is none.
func (p *Prompt) AutomaticMark() (Mark, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var c C.haversack_mark
	if !C.haversack_prompt_automatic_mark(p.handle, &c) {
		return Mark{}, false
	}
	return goMark(&c), true
}

func goPiece(c *C.haversack_piece) Piece {
	return Piece{
		Name: goString(c.name), Text: goString(c.text), Layer: Layer(c.layer), Kind: PieceKind(c.kind),
		Budget: int(c.budget), HasBudget: c.has_budget != 0, Owner: goString(c.owner), IsMessage: c.is_message != 0,
	}
}

func goMark(c *C.haversack_mark) Mark {
	return Mark{int(c.piece), int(c.at), MarkKind(c.kind), int(c.seconds), c.has_seconds != 0}
}

// VolatileKind is what a volatile value is.
type VolatileKind uint32

// The kinds. More may come.
const (
	VolatileNone    VolatileKind = C.HAVERSACK_VOLATILE_UNKNOWN // none, or one that this package does not know
	VolatileTime    VolatileKind = C.HAVERSACK_VOLATILE_TIME
	VolatileDate    VolatileKind = C.HAVERSACK_VOLATILE_DATE
	VolatileUUID    VolatileKind = C.HAVERSACK_VOLATILE_UUID
	VolatileID      VolatileKind = C.HAVERSACK_VOLATILE_ID
	VolatilePath    VolatileKind = C.HAVERSACK_VOLATILE_PATH
	VolatileCounter VolatileKind = C.HAVERSACK_VOLATILE_COUNTER
	VolatileNonce   VolatileKind = C.HAVERSACK_VOLATILE_NONCE
)

// String is the name of the kind, such as "uuid".
func (k VolatileKind) String() string { return goString(C.haversack_volatile_name(C.uint32_t(k))) }

// VolatileValue is a value in an early layer that changes from call to call, and breaks the cache for all behind it.
type VolatileValue struct {
	Piece  string // the name of the piece
	Index  int    // its place in the prompt
	Layer  Layer
	Kind   VolatileKind
	AtByte int // where the value stands in the piece
	Bytes  int // how long it is
}

// Volatile is the volatile values in the layers that should change rarely, in the order of the prompt.
func (p *Prompt) Volatile() ([]VolatileValue, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var list *C.haversack_volatile_values
	var failure *C.haversack_error
	if C.haversack_volatile(p.handle, &list, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_volatile_values_free(list)
	get := func(i C.size_t, v *C.haversack_volatile_value) C.bool {
		return C.haversack_volatile_values_get(list, i, v)
	}
	return entries(C.haversack_volatile_values_count(list), get, func(v *C.haversack_volatile_value) VolatileValue {
		return VolatileValue{goString(v.piece), int(v.index), Layer(v.layer), VolatileKind(v.kind), int(v.at_byte), int(v.bytes)}
	}), nil
}

// SharedPrefix is the start that two prompts share.
type SharedPrefix struct {
	Bytes     int    // of the pieces' texts that are equal, up to the first that differs
	Tokens    int    // of these
	HasTokens bool   // whether they were counted
	Pieces    int    // how many pieces are equal as a whole
	Piece     string // the first piece where they part; "" when all texts are equal
	Parted    bool   // whether they part
}

// SharedPrefixOf is what two prompts have in common at their start, by the bytes of their pieces. counter may
// be nil; with one, it is told in tokens, too.
func SharedPrefixOf(a, b *Prompt, counter TokenCounter) (SharedPrefix, error) {
	c, given := counterCall(counter)
	defer c.free()
	// In one order, whichever comes first, so that two calls never wait for each other.
	first, second := a, b
	if uintptr(unsafe.Pointer(first.handle)) > uintptr(unsafe.Pointer(second.handle)) {
		first, second = second, first
	}
	first.mutex.Lock()
	defer first.mutex.Unlock()
	if first != second {
		second.mutex.Lock()
		defer second.mutex.Unlock()
	}
	var p C.haversack_prefix
	if err := c.result(C.haversack_shared_prefix(a.handle, b.handle, given, &p, &c.failure)); err != nil {
		return SharedPrefix{}, err
	}
	return SharedPrefix{int(p.bytes), int(p.tokens), p.has_tokens != 0, int(p.pieces), goString(p.piece), p.piece.ptr != nil}, nil
}
