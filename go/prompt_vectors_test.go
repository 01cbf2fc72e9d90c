package haversack

import (
	"encoding/json"
	"math"
	"testing"
)

// What is no option of the operation fails the test.
func known(t *testing.T, options map[string]json.RawMessage, names ...string) {
	t.Helper()
next:
	for option := range options {
		for _, name := range names {
			if name == option {
				continue next
			}
		}
		t.Errorf("unknown option %s", option)
	}
}

func counterOf(name string) TokenCounter {
	if name == "words" {
		return CounterFunc(words)
	}
	return CounterNamed(name)
}

func formatOf(t *testing.T, raw json.RawMessage) WireFormat {
	if raw == nil {
		return WireAuto
	}
	return oneOf(t, raw, wireFormats)
}

// A request, or a list of pieces.
func promptOf(t *testing.T, raw json.RawMessage) (*Prompt, error) {
	if raw[0] == '{' {
		request := get[map[string]json.RawMessage](t, raw)
		return PromptFromRequest([]byte(get[string](t, request["body"])), WithRequestFormat(formatOf(t, request["format"])))
	}
	layers := map[string]Layer{"static": LayerStatic, "rare": LayerRare, "session": LayerSession, "turn": LayerTurn}
	kinds := map[string]PieceKind{
		"instructions": PieceInstructions, "tool": PieceTool, "facts": PieceFacts, "conversation": PieceConversation,
		"notes": PieceNotes, "setting": PieceSetting,
	}
	prompt := NewPrompt()
	for _, row := range get[[]map[string]json.RawMessage](t, raw) {
		var options []PieceOption
		for name, value := range row {
			switch name {
			case "name", "text", "tool":
			case "layer":
				options = append(options, WithLayer(oneOf(t, value, layers)))
			case "kind":
				options = append(options, WithKind(oneOf(t, value, kinds)))
			case "budget":
				options = append(options, WithPieceBudget(get[int](t, value)))
			case "owner":
				options = append(options, WithOwner(get[string](t, value)))
			default:
				t.Errorf("unknown member %s", name)
			}
		}
		add, text := prompt.Add, row["text"]
		if tool := row["tool"]; tool != nil {
			add, text = prompt.AddTool, tool
		}
		if err := add(get[string](t, row["name"]), get[string](t, text), options...); err != nil {
			return nil, err
		}
	}
	return prompt, nil
}

func runCanonical(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "limits")
	var limits []LimitsOption
	if raw := options["limits"]; raw != nil {
		limits = append(limits, WithLimits(limitsOf(t, raw)))
	}
	form, err := CanonicalJSON(input, limits...)
	if err != nil {
		return nil, err
	}
	inexact := []any{}
	for _, n := range form.Warnings {
		inexact = append(inexact, object{"offset": n.Offset, "read": n.Read, "written": n.Written})
	}
	return object{"text": form.Text, "same": form.Same, "inexact": inexact}, nil
}

func runPieces(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "format", "limits")
	wish := []RequestOption{WithRequestFormat(formatOf(t, options["format"]))}
	if raw := options["limits"]; raw != nil {
		wish = append(wish, WithLimits(limitsOf(t, raw)))
	}
	prompt, err := PromptFromRequest(input, wish...)
	if err != nil {
		return nil, err
	}
	marks, all := prompt.Marks(), []any{}
	for i, p := range prompt.Pieces() {
		onIt := []any{}
		for ; len(marks) > 0 && marks[0].Piece == i; marks = marks[1:] {
			var seconds any
			if marks[0].HasSeconds {
				seconds = marks[0].Seconds
			}
			onIt = append(onIt, []any{marks[0].At, marks[0].Kind.String(), seconds})
		}
		all = append(all, object{"name": p.Name, "layer": p.Layer.String(), "kind": p.Kind.String(), "text": p.Text, "marks": onIt})
		if found, ok := prompt.Piece(p.Name); !ok || found != p {
			t.Errorf("%s is not found", p.Name)
		}
	}
	_, automatic := prompt.AutomaticMark()
	return object{"format": prompt.Format().String(), "automatic_mark": automatic, "pieces": all}, nil
}

// The snapshot of a prompt, through JSON where stored.
func taken(t *testing.T, raw json.RawMessage, stored bool, options ...SnapshotOption) (*Snapshot, error) {
	prompt, err := promptOf(t, raw)
	if err != nil {
		return nil, err
	}
	snapshot, err := prompt.Snapshot(options...)
	if err != nil || !stored {
		return snapshot, err
	}
	state, err := snapshot.JSON()
	if err != nil {
		return nil, err
	}
	return SnapshotFromJSON(state)
}

func orPlace(place int) any {
	if place < 0 {
		return nil
	}
	return place
}

func runCompare(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "previous", "next", "stored")
	stored := options["stored"] != nil && get[bool](t, options["stored"])
	var previous *Snapshot
	var err error
	if string(options["previous"]) != "null" {
		if previous, err = taken(t, options["previous"], stored); err != nil {
			return nil, err
		}
	}
	next, err := taken(t, options["next"], stored)
	if err != nil {
		return nil, err
	}
	c, err := Compare(previous, next)
	if err != nil {
		return nil, err
	}
	changes := []any{}
	for _, change := range c.Changes {
		var was any
		if change.Renamed {
			was = change.Was
		}
		changes = append(changes, object{
			"verdict": change.Verdict.String(), "piece": change.Piece, "was": was, "index": change.Index,
			"at_byte": orPlace(change.AtByte), "at_byte_exact": change.AtByteExact, "cause": change.Cause.String(),
			"volatile": orNull(change.Volatile.String()),
		})
	}
	if c.Calm != (len(changes) == 0) || c.HasTokens {
		t.Errorf("calm %v with %d changes, tokens %v", c.Calm, len(changes), c.HasTokens)
	}
	return object{
		"verdict": c.Verdict.String(), "piece": orNull(c.Piece), "index": orPlace(c.Index), "at_byte": orPlace(c.AtByte),
		"at_byte_exact": c.AtByteExact, "cause": orNull(c.Cause.String()), "kept_bytes": c.KeptBytes, "lost_bytes": c.LostBytes,
		"changes": changes,
	}, nil
}

func runPrefix(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "a", "b")
	a, err := promptOf(t, options["a"])
	if err != nil {
		return nil, err
	}
	b, err := promptOf(t, options["b"])
	if err != nil {
		return nil, err
	}
	p, err := SharedPrefixOf(a, b, nil)
	if p.HasTokens || p.Parted != (p.Piece != "") {
		t.Errorf("%+v", p)
	}
	return object{"bytes": p.Bytes, "pieces": p.Pieces, "piece": orNull(p.Piece)}, err
}

func runSnapshot(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "prompt", "key")
	var wish []SnapshotOption
	if raw := options["key"]; raw != nil {
		wish = append(wish, WithKey([]byte(get[string](t, raw))))
	}
	snapshot, err := taken(t, options["prompt"], false, wish...)
	if err != nil {
		return nil, err
	}
	text, err := snapshot.JSON()
	return json.RawMessage(text), err
}

func runRestore(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options)
	snapshot, err := SnapshotFromJSON(input)
	if err != nil {
		return nil, err
	}
	return snapshot.Names(), nil
}

func runVolatile(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "prompt")
	prompt, err := promptOf(t, options["prompt"])
	if err != nil {
		return nil, err
	}
	values, err := prompt.Volatile()
	all := []any{}
	for _, v := range values {
		all = append(all, object{
			"piece": v.Piece, "index": v.Index, "layer": v.Layer.String(), "kind": v.Kind.String(), "at_byte": v.AtByte, "bytes": v.Bytes,
		})
	}
	return all, err
}

func runRender(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "prompt")
	prompt, err := promptOf(t, options["prompt"])
	if err != nil {
		return nil, err
	}
	text, err := prompt.Render()
	if err != nil {
		return nil, err
	}
	tools, err := prompt.Tools()
	return object{"text": text, "tools": string(tools)}, err
}

func runReport(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "prompt", "budget")
	prompt, err := promptOf(t, options["prompt"])
	if err != nil {
		return nil, err
	}
	measure, limit := Bytes(math.MaxInt), any(nil)
	if raw := options["budget"]; raw != nil {
		measure, limit = Bytes(get[int](t, raw)), get[int](t, raw)
	}
	r, err := prompt.Report(measure)
	if err != nil {
		return nil, err
	}
	pieces, layers, kinds, overran := []any{}, []any{}, []any{}, []any{}
	for _, p := range r.Pieces {
		pieces = append(pieces, []any{p.Name, p.Size})
		if p.Over > 0 {
			overran = append(overran, object{"name": p.Name, "over": p.Over, "owner": orNull(p.Owner)})
		}
		if over := p.Size - p.Budget; p.Over > 0 && p.Over != over || p.Over == 0 && p.HasBudget && over > 0 {
			t.Errorf("%+v", p)
		}
	}
	for _, layer := range []Layer{LayerStatic, LayerRare, LayerSession, LayerTurn} {
		layers = append(layers, []any{layer.String(), r.Layers[layer]})
	}
	for kind := PieceInstructions; kind <= PieceSetting; kind++ {
		kinds = append(kinds, []any{kind.String(), r.Kinds[kind]})
	}
	if r.Unit != UnitBytes || limit != nil && limit != r.Budget {
		t.Errorf("%v, %d", r.Unit, r.Budget)
	}
	return object{
		"pieces": pieces, "layers": layers, "kinds": kinds, "total": r.Total, "budget": limit, "over": r.Over, "overran": overran,
		"before_conversation": r.BeforeConversation, "old_results": r.OldResults, "resolved_errors": r.ResolvedErrors,
		"thinking": r.Thinking, "dead_share": r.DeadShare, "per_call": orNothing(r.PerCall),
	}, nil
}

// JSON null for 0, which says that there is none.
func orNothing(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func runBlank(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "prompt")
	prompt, err := promptOf(t, options["prompt"])
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, p := range prompt.WithoutConversation().Pieces() {
		names = append(names, p.Name)
	}
	return names, nil
}

func runGrowth(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "first", "per_call", "calls")
	number := func(name string) uint64 { return get[uint64](t, options[name]) }
	g := EstimateGrowth(number("first"), number("per_call"), number("calls"))
	return object{"largest": g.Largest, "input": g.Input, "repeated": g.Repeated}, nil
}

func runPredict(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	var wish []PredictOption
	var previous []byte
	for name, raw := range options {
		switch name {
		case "counter":
		case "previous":
			previous = append([]byte{}, build(t, raw)...)
		case "rules":
			wish = append(wish, WithRules(get[string](t, raw)))
		case "elapsed":
			wish = append(wish, WithElapsed(get[int](t, raw)))
		case "ttl":
			wish = append(wish, WithTTL(get[int](t, raw)))
		case "format":
			wish = append(wish, WithRequestFormat(formatOf(t, raw)))
		case "limits":
			wish = append(wish, WithLimits(limitsOf(t, raw)))
		default:
			t.Errorf("unknown option %s", name)
		}
	}
	p, err := Predict(previous, input, counterOf(get[string](t, options["counter"])), wish...)
	if err != nil {
		return nil, err
	}
	return object{
		"cached": p.Cached, "cached_min": p.CachedMin, "cached_max": p.CachedMax, "written": p.Written, "fresh": p.Fresh,
		"total": p.Total, "billed": p.Billed, "reason": p.Reason.String(), "rules": p.Rules,
	}, nil
}

func runCacheMarks(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	var wish []MarkOption
	for name, raw := range options {
		switch name {
		case "previous":
			wish = append(wish, WithPrevious(append([]byte{}, build(t, raw)...)))
		case "rules":
			wish = append(wish, WithRules(get[string](t, raw)))
		case "most":
			wish = append(wish, WithMost(get[int](t, raw)))
		case "life":
			wish = append(wish, WithLife(get[string](t, raw)))
		case "head_life":
			wish = append(wish, WithHeadLife(get[string](t, raw)))
		case "changing":
			wish = append(wish, WithChanging(get[int](t, raw)))
		case "format":
			wish = append(wish, WithRequestFormat(formatOf(t, raw)))
		case "limits":
			wish = append(wish, WithLimits(limitsOf(t, raw)))
		default:
			t.Errorf("unknown option %s", name)
		}
	}
	plan, err := CacheMarksOf(input, wish...)
	if err != nil {
		return nil, err
	}
	if again, err := CacheMarksOf([]byte(plan.Text), wish...); err != nil || again.Text != plan.Text {
		t.Errorf("doing it again gives another text: %v", err)
	}
	marks, unplaced := []any{}, []any{}
	for _, m := range plan.Marks {
		marks = append(marks, object{
			"reason": m.Reason.String(), "pointer": m.Pointer, "message": orPlace(m.Message), "block": m.Block, "life": orNull(m.Life),
		})
	}
	for _, reason := range plan.Unplaced {
		unplaced = append(unplaced, reason.String())
	}
	return object{"marks": marks, "unplaced": unplaced, "text": plan.Text, "rules": plan.Rules}, nil
}

func noteParts(n Note) object {
	return object{"section": n.Section, "version": n.Version, "text": n.Text}
}

func runFrozenStep(t *testing.T, frozen **Frozen, step map[string]json.RawMessage) (any, error) {
	text := func(name string) string {
		if raw := step[name]; raw != nil && string(raw) != "null" {
			return get[string](t, raw)
		}
		return ""
	}
	f := *frozen
	switch do := text("do"); do {
	case "update":
		note, err := (*Note)(nil), error(nil)
		if string(step["text"]) == "null" {
			note, err = f.Delete(text("name"))
		} else {
			note, err = f.Update(text("name"), text("text"))
		}
		if err != nil || note == nil {
			return nil, err
		}
		return noteParts(*note), nil
	case "text":
		return f.Text(text("name"))
	case "current":
		return f.Current(text("name"))
	case "notes":
		notes := []any{}
		for _, n := range f.Notes() {
			notes = append(notes, noteParts(n))
		}
		return notes, nil
	case "fold":
		return append([]string{}, f.Fold()...), nil
	case "cost":
		c, err := f.Cost(counterOf(text("counter")))
		return object{
			"notes": c.Notes, "superseded": c.Superseded, "tokens": c.Tokens, "superseded_tokens": c.SupersededTokens,
			"stale_tokens": c.StaleTokens,
		}, err
	case "state":
		state, err := f.JSON()
		return json.RawMessage(state), err
	case "reload":
		state, err := f.JSON()
		if err != nil {
			return nil, err
		}
		*frozen, err = FrozenFromJSON(state)
		return nil, err
	case "load":
		other, err := FrozenFromJSON([]byte(text("state")))
		if err == nil {
			*frozen = other
		}
		return nil, err
	default:
		t.Errorf("unknown step %s", do)
		return nil, nil
	}
}

func runFrozen(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "sections", "steps")
	var sections []Section
	for _, pair := range get[[][2]string](t, options["sections"]) {
		sections = append(sections, Section{pair[0], pair[1]})
	}
	frozen, err := NewFrozen(sections...)
	if err != nil {
		return nil, err
	}
	answers := []any{}
	for _, step := range get[[]map[string]json.RawMessage](t, options["steps"]) {
		answer, err := runFrozenStep(t, &frozen, step)
		if err != nil {
			answers = append(answers, object{"error": errorParts(t, err)})
			continue
		}
		answers = append(answers, object{"answer": answer})
	}
	return answers, nil
}

var promptRuns = map[string]func(*testing.T, []byte, map[string]json.RawMessage) (any, error){
	"canonical": runCanonical, "pieces": runPieces, "compare": runCompare, "prefix": runPrefix, "snapshot": runSnapshot,
	"restore": runRestore, "volatile": runVolatile, "render": runRender, "report": runReport, "predict": runPredict, "cache_marks": runCacheMarks, "frozen": runFrozen,
	"blank": runBlank, "growth": runGrowth,
}

func judgePrompt(t *testing.T, c testCase, input []byte) {
	run := promptRuns[c.Op]
	if run == nil {
		run = ledgerRuns[c.Op]
	}
	if run == nil {
		run = handoffRuns[c.Op]
	}
	if run == nil {
		t.Fatalf("unknown operation %s", c.Op)
	}
	answer, err := run(t, input, c.Options)
	if err != nil {
		same(t, "error", errorParts(t, err), c.Expect["error"])
		return
	}
	same(t, "answer", answer, c.Expect["answer"])
}
