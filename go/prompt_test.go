package haversack

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const cacheBody = `{"model":"claude-sonnet-4-5","system":"Be kind.","messages":[{"role":"user","content":"hi"}]}`

func samplePrompt(t *testing.T, clock string) *Prompt {
	t.Helper()
	p := NewPrompt()
	for _, err := range []error{
		p.Add("rules", "Be brief.", WithLayer(LayerStatic), WithPieceBudget(0), WithOwner("platform")),
		p.Add("clock", clock, WithLayer(LayerStatic)),
		p.Add("facts", "likes tea"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func snapshotOf(t *testing.T, p *Prompt, options ...SnapshotOption) *Snapshot {
	t.Helper()
	s, err := p.Snapshot(options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPiecesAreNamedOnce(t *testing.T) {
	p := samplePrompt(t, "Now: 10:15:59")
	var e *Error
	for _, options := range [][]PieceOption{nil, {WithLayer(LayerTurn), WithKind(PieceNotes)}} {
		err := p.Add("facts", "again", options...)
		if !errors.As(err, &e) || e.Code() != DuplicatePiece || e.Argument() != "" {
			t.Errorf("%v", err)
		}
		if piece, ok := e.Piece(); piece != "facts" || !ok {
			t.Errorf("the piece is %q", piece)
		}
	}
	for _, layer := range []Layer{5, 999, math.MaxUint32} {
		err := p.Add("other", "", WithLayer(layer))
		if !errors.As(err, &e) || e.Code() != UnknownLayer || layer.String() != "" {
			t.Errorf("%v", err)
		}
	}
	names(t, p.Add("other", "", WithKind(99)), InvalidOption, "kind")
	for _, n := range []int{-1, math.MinInt} {
		names(t, p.Add("other", "", WithPieceBudget(n)), InvalidOption, "budget")
	}
	names(t, p.Add("a\xff", ""), InvalidUTF8, "name")
	names(t, p.Add("other", "a\xff"), InvalidUTF8, "text")
	names(t, p.Add("other", "", WithOwner("a\xff")), InvalidUTF8, "owner")
	pieces := p.Pieces()
	if len(pieces) != 3 || p.Len() != 3 || !pieces[0].HasBudget || pieces[1].HasBudget || pieces[0].Owner != "platform" {
		t.Errorf("%+v", pieces)
	}
	if err := p.Add("a\x00b", ""); err != nil {
		t.Error(err)
	}
	if piece, ok := p.Piece("a\x00b"); !ok || piece.Name != "a\x00b" || piece.Layer != LayerSession || piece.Kind != PieceFacts {
		t.Errorf("%+v", piece)
	}
	if _, ok := p.Piece("\xff"); ok {
		t.Error("a piece of no name")
	}
	for name, bad := range map[string]string{"f": "{", "g": "", "h": `{"a":1,"a":2}`, "i": "\xff"} {
		if err := p.AddTool(name, bad); !errors.As(err, &e) || e.Code() == Unknown {
			t.Errorf("%v", err)
		} else if piece, _ := e.Piece(); piece != "tools/"+name && e.Argument() != "definition" {
			t.Errorf("%v is not of %s", e, name)
		}
	}
	names(t, p.AddTool("f", "{}", WithKind(PieceFacts)), InvalidOption, "kind")
	if tools, err := p.Tools(); err != nil || string(tools) != "[]" {
		t.Errorf("%s %v", tools, err)
	}
	if r, err := p.Report(Bytes(0)); err != nil || r.Over != r.Total || r.Pieces[0].Over != 9 {
		t.Errorf("%+v %v", r, err)
	}
	_, err := p.Report(Bytes(-1))
	names(t, err, InvalidOption, "bytes")
	empty := NewPrompt()
	if empty.Pieces() != nil || empty.Marks() != nil || empty.Format() != WireAuto {
		t.Error("an empty prompt has something")
	}
	if _, err := PromptFromRequest([]byte(cacheBody), WithRequestFormat(99)); !errors.Is(err, InvalidOption) {
		t.Error(err)
	}
	if _, err := PromptFromRequest(nil); !errors.Is(err, InvalidJSON) {
		t.Error(err)
	}
}

func TestRequestsHaveLimitsAndMarksThatAreRefused(t *testing.T) {
	body, limits := []byte(cacheBody), Limits{}
	calls := map[string]func(LimitsOption) error{
		"prompt": func(o LimitsOption) error { _, err := PromptFromRequest(body, o); return err },
		"predict": func(o LimitsOption) error {
			_, err := Predict(nil, body, CounterNamed("estimate"), WithRules("anthropic"), o)
			return err
		},
		"marks": func(o LimitsOption) error { _, err := CacheMarksOf(body, WithRules("anthropic"), o); return err },
	}
	for name, call := range calls {
		limits.Depth = 2
		if err := call(WithLimits(limits)); !errors.Is(err, TooDeep) {
			t.Errorf("%s: %v", name, err)
		}
		limits.Depth = -1
		names(t, call(WithLimits(limits)), InvalidOption, "limits")
	}
	refused := []byte(`{"messages":[{"role":"user","content":[{"type":"text","text":"","cache_control":{"type":"ephemeral"}}]}]}`)
	_, err := Predict(nil, refused, CounterNamed("estimate"), WithRules("anthropic"))
	var told *Error
	if !errors.Is(err, ForbiddenMark) || !errors.As(err, &told) {
		t.Error(err)
	} else if piece, ok := told.Piece(); !ok || piece != "message 0" {
		t.Error(piece)
	}
	if g := EstimateGrowth(math.MaxUint64, math.MaxUint64, math.MaxUint64); g.Input != math.MaxUint64 {
		t.Errorf("%+v", g)
	}
	sub := NewPrompt().WithoutConversation()
	if err := sub.Add("a", "b"); err != nil || sub.Len() != 1 {
		t.Error(err)
	}
}

func TestSnapshotsThatDoNotFit(t *testing.T) {
	p := samplePrompt(t, "Now: 10:15:59")
	plain, keyed, empty := snapshotOf(t, p), snapshotOf(t, p, WithKey([]byte("a\x00key"))), snapshotOf(t, p, WithKey([]byte{}))
	for _, pair := range [][2]*Snapshot{{plain, keyed}, {keyed, plain}, {empty, plain}, {empty, keyed}} {
		_, err := Compare(pair[0], pair[1])
		names(t, err, InvalidOption, "key")
	}
	if c, err := Compare(nil, keyed); err != nil || c.Verdict != VerdictFirst || c.Index != -1 || c.AtByte != -1 || !c.Calm {
		t.Errorf("%+v %v", c, err)
	}
	state, err := plain.JSON()
	if err != nil || bytes.Contains(state, []byte("Be brief")) {
		t.Errorf("%s %v", state, err)
	}
	for i := range state {
		for _, other := range []byte{0, '0', '}', 0xff} {
			broken := append([]byte{}, state...)
			broken[i] = other
			if s, err := SnapshotFromJSON(broken); err == nil && other != state[i] && s.Bytes() != plain.Bytes() {
				t.Errorf("byte %d as %q was taken", i, other)
			} else if err != nil && !errors.Is(err, InvalidState) && !errors.Is(err, InvalidUTF8) {
				t.Error(err)
			}
		}
	}
	for _, bad := range []string{"", "{}", "[]", string(state[:len(state)-1]), strings.Repeat("[", 100000)} {
		if _, err := SnapshotFromJSON([]byte(bad)); !errors.Is(err, InvalidState) {
			t.Errorf("%v", err)
		}
	}
	for _, index := range []int{-1, 3, math.MaxInt, math.MinInt} {
		if _, _, ok := plain.Digests(index); ok {
			t.Errorf("digests of %d", index)
		}
	}
	again, err := SnapshotFromJSON(state)
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := plain.Digests(0)
	if b, canonical, ok := again.Digests(0); !ok || a != b || a != canonical || len(a) != 64 {
		t.Errorf("%s %s", a, b)
	}
	if _, counted := plain.Tokens(); counted {
		t.Error("tokens without a counter")
	}
}

func TestCountersOfPromptsThatMisbehave(t *testing.T) {
	mine := errors.New("mine")
	frozen, err := NewFrozen(Section{"memory", "likes tea"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := frozen.Update("memory", "likes milk"); err != nil {
		t.Fatal(err)
	}
	p := samplePrompt(t, "Now: 10:15:59")
	calls := func(c TokenCounter) map[string]func() error {
		return map[string]func() error{
			"snapshot": func() error { _, err := p.Snapshot(WithCounting(c)); return err },
			"report":   func() error { _, err := p.Report(Tokens(9, c)); return err },
			"prefix":   func() error { _, err := SharedPrefixOf(p, p, c); return err },
			"cost":     func() error { _, err := frozen.Cost(c); return err },
			"predict":  func() error { _, err := Predict(nil, []byte(cacheBody), c); return err },
		}
	}
	for _, counter := range []CounterFunc{
		func(string) (int, error) { panic("a panic") },
		func(string) (int, error) { return -1, nil },
		func(string) (int, error) { return math.MaxInt, nil },
		func(string) (int, error) { return 1, mine },
	} {
		for name, call := range calls(counter) {
			if err := call(); !errors.Is(err, CounterFailed) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for name, call := range calls(CounterNamed("no such counter")) {
		if err := call(); !errors.Is(err, InvalidOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, call := range []string{"report", "cost", "predict"} {
		if err := calls(nil)[call](); err == nil {
			t.Errorf("%s without a counter", call)
		}
	}
	if err := calls(CounterFunc(func(string) (int, error) { return 0, mine }))["snapshot"](); !errors.Is(err, mine) {
		t.Errorf("%v", err)
	}
}

func TestPromptsFromManyGoroutines(t *testing.T) {
	a, b := samplePrompt(t, "Now: 10:15:59"), samplePrompt(t, "Now: 10:16:00")
	frozen, err := NewFrozen(Section{"memory", ""})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		one, other := a, b
		if i%2 == 1 {
			one, other = b, a
		}
		name := strings.Repeat("x", i+1)
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := 0; j < 20; j++ {
				if shared, err := SharedPrefixOf(one, other, CounterNamed("estimate")); err != nil || shared.Pieces != 1 || !shared.Parted {
					t.Errorf("%+v %v", shared, err)
				}
				snapshotOf(t, one)
				if _, err := frozen.Update("memory", name); err != nil {
					t.Error(err)
				}
				frozen.Notes()
				runtime.GC()
			}
			if err := one.Add(name, name); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	if a.Len()+b.Len() != 14 || len(frozen.Fold()) != 1 || frozen.Fold() != nil || len(frozen.Notes()) != 0 {
		t.Error("something was lost")
	}
}

func TestCanonicalFormsThatAreNone(t *testing.T) {
	deep := strings.Repeat("[", 100000)
	for text, code := range map[string]Code{
		"": InvalidJSON, "NaN": InvalidJSON, "[1,]": InvalidJSON, "\xff": InvalidUTF8, deep: TooDeep, `{"a":1,"a":2}`: NotCanonical,
		`"\ud800"`: NotCanonical, "1e999": NotCanonical,
	} {
		if _, err := CanonicalJSON([]byte(text)); !errors.Is(err, code) {
			t.Errorf("%v is not %v", err, code)
		}
	}
	form, err := CanonicalJSON([]byte(`{"b":-0,"a":9007199254740993}`))
	if err != nil || form.Text != `{"a":9007199254740992,"b":0}` || form.Same || len(form.Warnings) != 1 || form.Warnings[0].Offset != 12 {
		t.Errorf("%+v %v", form, err)
	}
}

func TestFrozenSectionsThatAreNone(t *testing.T) {
	_, err := NewFrozen(Section{"a", ""}, Section{"a", ""})
	names(t, err, InvalidOption, "name")
	_, err = NewFrozen(Section{"", ""})
	names(t, err, InvalidOption, "name")
	_, err = NewFrozen(Section{"a", "\xff"})
	names(t, err, InvalidUTF8, "text")
	frozen, err := NewFrozen()
	if err != nil || frozen.Names() != nil || frozen.Fold() != nil {
		t.Errorf("no sections are sections: %v", err)
	}
	_, err = frozen.Update("a", "x")
	names(t, err, InvalidOption, "name")
	_, err = frozen.Text("a")
	names(t, err, InvalidOption, "name")
	_, err = frozen.Current("a\xff")
	names(t, err, InvalidUTF8, "name")
	for _, bad := range []string{"", "{}", `{"haversack":"snapshot","version":1}`} {
		if _, err := FrozenFromJSON([]byte(bad)); !errors.Is(err, InvalidState) {
			t.Error(err)
		}
	}
}

func TestCachesThatCannotBe(t *testing.T) {
	body, estimate := []byte(cacheBody), CounterNamed("estimate")
	for argument, option := range map[string]PredictOption{
		"elapsed": WithElapsed(-1), "ttl": WithTTL(math.MinInt), "rules": WithRules("mine"), "format": WithRequestFormat(99),
	} {
		_, err := Predict(body, body, estimate, option)
		names(t, err, InvalidOption, argument)
	}
	for argument, option := range map[string]MarkOption{
		"most": WithMost(-1), "changing": WithChanging(math.MinInt), "rules": WithRules("vllm"), "format": WithRequestFormat(99),
		"life": WithLife("a week"), "head_life": WithHeadLife(""),
	} {
		_, err := CacheMarksOf(body, option)
		names(t, err, InvalidOption, argument)
	}
	// Nothing before is not the same as an empty request before.
	if _, err := Predict([]byte{}, body, estimate); !errors.Is(err, InvalidJSON) {
		t.Error(err)
	}
	if _, err := CacheMarksOf(body, WithPrevious([]byte{})); !errors.Is(err, InvalidJSON) {
		t.Error(err)
	}
	p, err := Predict(nil, body, estimate, WithElapsed(math.MaxInt), WithTTL(math.MaxInt))
	if err != nil || p.Reason != CacheFirst || p.Cached+p.Written+p.Fresh != p.Total || p.Rules != "anthropic" {
		t.Errorf("%+v %v", p, err)
	}
	plan, err := CacheMarksOf(body, WithMost(math.MaxInt), WithChanging(math.MaxInt))
	if err != nil || len(plan.Marks) != 1 || plan.Marks[0].Message != -1 {
		t.Errorf("%+v %v", plan, err)
	}
	if rules := AllCacheRules(); len(rules) != 8 || CacheRulesAsOf() == "" {
		t.Errorf("%v", rules)
	}
	if rules, ok := CacheRulesOf(WireBedrock, ""); !ok || rules.Name != "bedrock" {
		t.Errorf("%v", rules)
	}
	if rules, ok := CacheRulesOf(WireOpenAIChat, "grok-4.3"); ok {
		t.Errorf("%v", rules)
	}
}
