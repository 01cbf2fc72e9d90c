package haversack

import (
	"encoding/json"
	"fmt"
	"testing"
)

// The handoff of a text (nil: nothing at all), with what the step says of its end.
func handoffOf(t *testing.T, text []byte, step jsonStep) *Handoff {
	var options []HandoffOption
	if step["status"] != nil {
		options = append(options, WithStatus(get[string](t, step["status"])))
	}
	if step["stop_reason"] != nil {
		options = append(options, WithStopReason(get[string](t, step["stop_reason"])))
	}
	h, err := ParseHandoff(text, options...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The JSON that the library wrote, which has to be that of the parts.
func asWritten(t *testing.T, what string, parts object, written []byte, err error) object {
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := decode(written, &value); err != nil {
		t.Fatal(err)
	}
	same(t, what, parts, value)
	return parts
}

func orNone(n int, set bool) any {
	if set {
		return n
	}
	return nil
}

func handoffParts(t *testing.T, h *Handoff) object {
	findings := []any{}
	for _, f := range h.Findings() {
		findings = append(findings, object{"text": f.Text, "sources": f.Sources})
	}
	parts := object{
		"kind": h.Kind().String(), "findings": findings, "looked": append([]string{}, h.Looked()...), "reason": orNull(h.Reason()),
		"problem": orNull(h.Problem().String()), "offset": orNone(h.Offset()), "index": orNone(h.Index()), "text": h.Text(),
	}
	written, err := h.JSON()
	return asWritten(t, "handoff", parts, written, err)
}

func runHandoff(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "nothing", "status", "stop_reason", "resolves", "bytes", "chars", "utf16", "tokens", "counter")
	text := append([]byte{}, input...)
	if options["nothing"] != nil && get[bool](t, options["nothing"]) {
		text = nil
	}
	h := handoffOf(t, text, options)
	answer := object{"handoff": handoffParts(t, h), "is_answer": h.IsAnswer()}
	if rendered, err := h.Render(roomOf(t, options)...); err != nil {
		answer["rendered"] = object{"error": errorParts(t, err)}
	} else {
		answer["rendered"] = object{"answer": renderedParts(t, rendered)}
	}
	if raw := options["resolves"]; raw != nil {
		leads := map[string]bool{}
		for _, source := range get[[]string](t, raw) {
			leads[source] = true
		}
		open, err := h.Unresolved(nil, nil, func(source string) bool { return leads[source] })
		if err != nil {
			return nil, err
		}
		unresolved := []any{}
		for _, one := range open {
			unresolved = append(unresolved, object{"finding": one.Finding, "source": one.Source})
		}
		answer["unresolved"] = unresolved
	}
	return answer, nil
}

func runFleet(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "workers")
	fleet := NewFleet()
	for _, worker := range get[[]jsonStep](t, options["workers"]) {
		known(t, worker, "text", "status", "stop_reason", "times")
		var text []byte
		if raw := worker["text"]; raw != nil && string(raw) != "null" {
			text = append([]byte{}, get[string](t, raw)...)
		}
		times := 1
		if worker["times"] != nil {
			times = get[int](t, worker["times"])
		}
		h := handoffOf(t, text, worker)
		for ; times > 0; times-- {
			if err := fleet.Add(h); err != nil {
				return nil, err
			}
		}
	}
	counts := object{"total": fleet.Total()}
	for kind := HandoffFindings; kind.String() != ""; kind++ {
		counts[kind.String()] = fleet.Count(kind)
	}
	written, err := fleet.JSON()
	asWritten(t, "fleet", counts, written, err)
	table, err := fleet.Table()
	return object{"counts": counts, "account": accountParts(fleet.Account()), "table": table}, err
}

func runSession(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "date", "goal", "done", "next", "features", "ledger", "features_json")
	all := []any{}
	if raw := options["features_json"]; raw != nil {
		features, err := ReadFeatures([]byte(get[string](t, raw)))
		for _, f := range features {
			all = append(all, object{"name": f.Name, "passes": f.Passes})
		}
		return all, err
	}
	var wish []SessionOption
	if raw := options["done"]; raw != nil {
		wish = append(wish, WithDone(get[[]string](t, raw)...))
	}
	if raw := options["next"]; raw != nil {
		wish = append(wish, WithNext(get[[]string](t, raw)...))
	}
	if raw := options["features"]; raw != nil {
		wish = append(wish, WithFeatures(get[[]Feature](t, raw)...))
	}
	var ledger *Ledger
	if raw := options["ledger"]; raw != nil {
		var err error
		if ledger, err = LedgerFromJSON([]byte(get[string](t, raw))); err != nil {
			t.Fatal(err)
		}
	}
	files, err := SessionFiles(textIn(t, options, "date"), textIn(t, options, "goal"), ledger, wish...)
	for _, f := range files {
		all = append(all, object{"name": f.Name, "text": f.Text})
	}
	return all, err
}

func runTally(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "steps")
	boundaries := map[string]Boundary{}
	for b := BoundaryDelivery; b.String() != ""; b++ {
		boundaries[b.String()] = b
	}
	tally := NewTally()
	return runSteps(t, options, func(do string, step jsonStep) (any, error) {
		switch do {
		case "add":
			known(t, step, "do", "boundary", "records", "bytes", "recoverable")
			account := Account{Records: get[Counts](t, step["records"]), Bytes: get[Counts](t, step["bytes"])}
			recoverable := step["recoverable"] != nil && get[bool](t, step["recoverable"])
			return nil, tally.Add(oneOf(t, step["boundary"], boundaries), account, recoverable)
		case "seen":
			return nil, tally.Seen(textIn(t, step, "key"), get[bool](t, step["arrived"]))
		case "sums":
			boundary := oneOf(t, step["boundary"], boundaries)
			s, ok := tally.Sums(boundary)
			listed := false
			for _, b := range tally.Boundaries() {
				listed = listed || b == boundary
			}
			if ok != listed {
				t.Errorf("%v is listed: %v, and has sums: %v", boundary, listed, ok)
			}
			if !ok {
				return nil, nil
			}
			return object{"sums": object{
				"calls": s.Calls, "records": countsParts(s.Records), "bytes": countsParts(s.Bytes), "recoverable": s.Recoverable,
				"recoverable_bytes": s.RecoverableBytes,
			}, "lost": s.Lost}, nil
		case "survival":
			survival, err := tally.Survival()
			all := []any{}
			for _, s := range survival {
				all = append(all, object{"key": s.Key, "calls": s.Calls, "arrived": s.Arrived, "per_10_000": s.Per10000, "rare": s.Rare})
			}
			return all, err
		case "table":
			return tally.Table()
		case "svg":
			return tally.SVG()
		case "state":
			state, err := tally.JSON()
			return json.RawMessage(state), err
		case "reload":
			state, err := tally.JSON()
			if err != nil {
				return nil, err
			}
			tally, err = TallyFromJSON(state)
			return nil, err
		case "load":
			other, err := TallyFromJSON([]byte(textIn(t, step, "state")))
			if err == nil {
				tally = other
			}
			return nil, err
		default:
			t.Errorf("unknown step %s", do)
			return nil, nil
		}
	}), nil
}

func messageParts(messages []Message, err error) (any, error) {
	all := []any{}
	for _, m := range messages {
		all = append(all, object{"number": m.Number, "text": m.Text})
	}
	return all, err
}

func damageParts(damage []Damage) any {
	all := []any{}
	for _, d := range damage {
		all = append(all, object{"number": d.Number, "kind": d.Kind.String(), "offset": d.Offset, "bytes": d.Bytes})
	}
	return all
}

func referenceParts(references []Reference, err error) (any, error) {
	all := []any{}
	for _, r := range references {
		var holds any
		if r.HasHolds {
			holds = r.Holds
		}
		all = append(all, object{
			"from": r.First, "to": r.Last, "at": r.At, "length": r.Length, "quote": orNull(r.Quote), "exists": r.Exists, "holds": holds,
		})
	}
	return all, err
}

// A file is read by its index alone: fed in pieces, the range looked up as a reference, then its bytes.
func readFile(t *testing.T, step jsonStep) (any, error) {
	file, piece := build(t, step["input"]), get[int](t, step["piece"])
	if piece == 0 {
		piece = 1
	}
	index := NewTranscriptIndex()
	for left := file; len(left) > 0; {
		if piece > len(left) {
			piece = len(left)
		}
		if n, err := index.Write(left[:piece]); err != nil || n != piece {
			t.Fatal(n, err)
		}
		left = left[piece:]
	}
	if index.Length() != uint64(len(file)) {
		t.Errorf("%d of %d bytes", index.Length(), len(file))
	}
	first := get[uint64](t, step["first"])
	first, last, err := index.Resolve(fmt.Sprintf("messages %d-%d", first, get[uint64](t, step["last"])))
	if err != nil {
		return nil, err
	}
	start, end, err := index.Range(first, last)
	if err != nil {
		return nil, err
	}
	lines, err := ReadLines(file[start:end], first)
	if err != nil {
		return nil, err
	}
	messages, _ := messageParts(lines.Messages, nil)
	return object{"last": index.Last(), "from": start, "to": end, "messages": messages, "damage": damageParts(lines.Damage)}, nil
}

func runTranscript(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "steps")
	transcript := NewTranscript()
	return runSteps(t, options, func(do string, step jsonStep) (any, error) {
		number := func(name string) uint64 { return get[uint64](t, step[name]) }
		var other *Transcript
		var err error
		switch do {
		case "append":
			return transcript.Append([]byte(textIn(t, step, "message")))
		case "read":
			return messageParts(transcript.Read(number("first"), number("last")))
		case "array":
			array, err := transcript.Array(number("first"), number("last"))
			return string(array), err
		case "search":
			hits, err := transcript.Search(textIn(t, step, "needle"))
			all := []any{}
			for _, hit := range hits {
				all = append(all, object{"number": hit.Number, "count": hit.Count})
			}
			return all, err
		case "resolve":
			first, last, err := transcript.Resolve(textIn(t, step, "reference"))
			return []uint64{first, last}, err
		case "check":
			return referenceParts(transcript.Check(textIn(t, step, "text")))
		case "references":
			return referenceParts(ReferencesIn(textIn(t, step, "text")))
		case "last":
			return transcript.Last(), nil
		case "damage":
			return damageParts(transcript.Damage()), nil
		case "jsonl":
			return transcript.JSONL(), nil
		case "file":
			return readFile(t, step)
		case "state":
			state, err := transcript.JSON()
			return json.RawMessage(state), err
		case "reload":
			state, fault := transcript.JSON()
			if fault != nil {
				return nil, fault
			}
			other, err = TranscriptFromJSON(state)
		case "load":
			other, err = TranscriptFromJSON([]byte(textIn(t, step, "state")))
		case "from_jsonl":
			other, err = TranscriptFromJSONL([]byte(textIn(t, step, "text")))
		default:
			t.Fatalf("unknown step %s", do)
		}
		if err == nil {
			transcript = other
		}
		return nil, err
	}), nil
}

func runTiers(t *testing.T, input []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "invariant", "facts", "raw_steps", "pinned", "format", "bytes", "chars", "utf16", "tokens", "counter")
	history, err := ParseHistory(input, WithWireFormat(formatOf(t, options["format"])))
	if err != nil {
		return nil, err
	}
	var ledger *Ledger
	if raw := options["facts"]; raw != nil {
		ledger = NewLedger()
		for _, fact := range get[[]jsonStep](t, raw) {
			known(t, fact, "key", "text", "source")
			if _, err := ledger.Record(textIn(t, fact, "key"), textIn(t, fact, "text"), From(textIn(t, fact, "source"))); err != nil {
				t.Fatal(err)
			}
		}
	}
	var wish []TierOption
	if raw := options["raw_steps"]; raw != nil {
		wish = append(wish, WithRawSteps(get[int](t, raw)))
	}
	if raw := options["pinned"]; raw != nil {
		wish = append(wish, WithPinned(get[[]int](t, raw)...))
	}
	if room := roomOf(t, options); room != nil {
		wish = append(wish, WithLedgerBudget(budget(t, options)))
	}
	tiers, err := TiersOf(textIn(t, options, "invariant"), ledger, history, wish...)
	if err != nil {
		return nil, err
	}
	parts := object{
		"invariant": tiers.Invariant, "ledger": renderedParts(t, tiers.Ledger), "working": tiers.Working, "kept": tiers.Kept,
		"account": accountParts(tiers.Account),
	}
	return asWritten(t, "tiers", parts, tiers.JSON(), nil), nil
}

var handoffRuns = map[string]func(*testing.T, []byte, map[string]json.RawMessage) (any, error){
	"handoff": runHandoff, "fleet": runFleet, "session": runSession, "tally": runTally, "transcript": runTranscript, "tiers": runTiers,
}
