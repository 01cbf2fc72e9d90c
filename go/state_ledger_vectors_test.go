package haversack

import (
	"encoding/json"
	"testing"
)

type jsonStep = map[string]json.RawMessage

func accountParts(n Account) object {
	account := object{
		"records": countsParts(n.Records), "bytes": countsParts(n.Bytes), "fields_removed": n.FieldsRemoved, "claimed": nil,
	}
	if n.Claimed != nil {
		account["claimed"] = countsParts(*n.Claimed)
	}
	return account
}

func renderedParts(t *testing.T, r Rendered) object {
	if r.Complete != (r.Account.Records.Kept == r.Account.Records.Total) {
		t.Error("complete, or not, against its books")
	}
	return object{"text": r.Text, "account": accountParts(r.Account), "rule": r.Rule}
}

// The budget among these options, or none.
func roomOf(t *testing.T, options jsonStep) []RenderOption {
	for _, unit := range []string{"bytes", "chars", "utf16", "tokens"} {
		if options[unit] != nil {
			return []RenderOption{WithBudget(budget(t, options))}
		}
	}
	return nil
}

// One step after the other: what each answers, or its error.
func runSteps(t *testing.T, options jsonStep, run func(do string, step jsonStep) (any, error)) any {
	answers := []any{}
	for _, step := range get[[]jsonStep](t, options["steps"]) {
		if answer, err := run(get[string](t, step["do"]), step); err != nil {
			answers = append(answers, object{"error": errorParts(t, err)})
		} else {
			answers = append(answers, object{"answer": answer})
		}
	}
	return answers
}

// The text of a member; "" where it is missing.
func textIn(t *testing.T, step jsonStep, name string) string {
	if step[name] == nil {
		return ""
	}
	return get[string](t, step[name])
}

func turnParts(has bool, turn uint64) any {
	if has {
		return turn
	}
	return nil
}

func factParts(f Fact) object {
	also := []any{}
	for _, seen := range f.Also {
		also = append(also, object{"source": seen.Source, "turn": turnParts(seen.HasTurn, seen.Turn), "verified": seen.Verified})
	}
	return object{
		"key": f.Key, "value": f.Value, "kind": f.Kind.String(), "source": f.Source, "turn": turnParts(f.HasTurn, f.Turn),
		"verified": f.Verified, "superseded": f.Superseded, "also": also,
	}
}

func factsParts(facts []Fact, err error) (any, error) {
	all := []any{}
	for _, f := range facts {
		all = append(all, factParts(f))
	}
	return all, err
}

// What a step says of its value; its own members are those that are named.
func factOptionsOf(t *testing.T, step jsonStep, own ...string) (options []FactOption) {
	kinds := map[string]FactKind{
		"constraint": FactConstraint, "decision": FactDecision, "task": FactTask, "identifier": FactIdentifier, "fact": FactFact,
	}
	known(t, step, append(own, "do", "kind", "source", "turn", "verified")...)
	if step["kind"] != nil {
		options = append(options, WithFactKind(oneOf(t, step["kind"], kinds)))
	}
	if step["source"] != nil {
		options = append(options, From(get[string](t, step["source"])))
	}
	if step["turn"] != nil {
		options = append(options, WithTurn(get[uint64](t, step["turn"])))
	}
	if step["verified"] != nil && get[bool](t, step["verified"]) {
		options = append(options, WithVerified())
	}
	return options
}

func putStep(t *testing.T, led *Ledger, do string, step jsonStep) (any, error) {
	options := factOptionsOf(t, step, "key", "text", "json")
	key := textIn(t, step, "key")
	var done Recorded
	var err error
	switch {
	case step["json"] != nil && do == "append":
		done, err = led.AppendJSON(key, []byte(textIn(t, step, "json")), options...)
	case step["json"] != nil:
		done, err = led.RecordJSON(key, []byte(textIn(t, step, "json")), options...)
	case do == "append":
		done, err = led.Append(key, textIn(t, step, "text"), options...)
	default:
		done, err = led.Record(key, textIn(t, step, "text"), options...)
	}
	return done.String(), err
}

func runLedgerStep(t *testing.T, led **Ledger, do string, step jsonStep) (any, error) {
	l := *led
	switch do {
	case "record", "append":
		return putStep(t, l, do, step)
	case "extract":
		var fields []Field
		for _, pair := range get[[][2]string](t, step["fields"]) {
			fields = append(fields, Field{pair[0], pair[1]})
		}
		done, err := l.Extract([]byte(textIn(t, step, "result")), fields, factOptionsOf(t, step, "result", "fields")...)
		if err != nil {
			return nil, err
		}
		return object{"keys": append([]string{}, done.Keys...), "text": done.Text, "account": accountParts(done.Account)}, nil
	case "get":
		fact, err := l.Get(textIn(t, step, "key"))
		if err != nil || fact == nil {
			return nil, err
		}
		return factParts(*fact), nil
	case "values":
		return factsParts(l.Values(textIn(t, step, "key")))
	case "history":
		return factsParts(l.History(textIn(t, step, "key")))
	case "facts":
		return factsParts(l.Facts())
	case "render":
		known(t, step, "do", "bytes", "chars", "utf16", "tokens", "counter")
		text, err := l.Render(roomOf(t, step)...)
		if err != nil {
			return nil, err
		}
		return renderedParts(t, text), nil
	case "news":
		known(t, step, "do", "bytes", "chars", "utf16", "tokens", "counter")
		news, err := l.News(roomOf(t, step)...)
		if err != nil || news == nil {
			return nil, err
		}
		return renderedParts(t, *news), nil
	case "fold":
		l.Fold()
		return nil, nil
	case "costs":
		known(t, step, "do", "previous", "behind", "counter")
		costs, err := l.PlacementCosts(textIn(t, step, "previous"), get[int](t, step["behind"]), counterOf(textIn(t, step, "counter")))
		return object{"low": costs.Low, "system": costs.System}, err
	case "size":
		return object{"facts": l.Len(), "bytes": l.Bytes(), "merged": l.Merged()}, nil
	case "state":
		state, err := l.JSON()
		return json.RawMessage(state), err
	case "reload":
		state, err := l.JSON()
		if err == nil {
			*led, err = LedgerFromJSON(state)
		}
		return nil, err
	case "load":
		other, err := LedgerFromJSON([]byte(textIn(t, step, "state")))
		if err == nil {
			*led = other
		}
		return nil, err
	}
	t.Errorf("unknown step %s", do)
	return nil, nil
}

func runLedger(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "steps")
	led := NewLedger()
	return runSteps(t, options, func(do string, step jsonStep) (any, error) { return runLedgerStep(t, &led, do, step) }), nil
}

func itemParts(item MemoryItem) object {
	also := []any{}
	for _, said := range item.Also {
		also = append(also, object{
			"source": said.Source, "importance": said.Importance, "at": said.At, "timing": said.Timing.String(),
		})
	}
	return object{
		"id": item.ID, "text": item.Text, "source": item.Source, "importance": item.Importance, "at": item.At,
		"timing": item.Timing.String(), "also": also,
	}
}

func addStep(t *testing.T, mem *Memory, step jsonStep) (any, error) {
	known(t, step, "do", "text", "source", "importance", "at", "timing")
	times := map[string]Timing{
		"at_once": TimingAtOnce, "end_of_conversation": TimingEndOfConversation, "background": TimingBackground,
	}
	var options []RememberOption
	if step["source"] != nil {
		options = append(options, From(get[string](t, step["source"])))
	}
	if step["importance"] != nil {
		options = append(options, WithImportance(get[int](t, step["importance"])))
	}
	if step["at"] != nil {
		options = append(options, WithSaidAt(get[uint64](t, step["at"])))
	}
	if step["timing"] != nil {
		options = append(options, WithTiming(oneOf(t, step["timing"], times)))
	}
	added, err := mem.Add(textIn(t, step, "text"), options...)
	if err != nil {
		return nil, err
	}
	answer := object{"outcome": added.Outcome.String(), "id": turnParts(added.HasID, added.ID), "evicted": nil, "over": added.Over}
	if added.Evicted != nil {
		answer["evicted"] = itemParts(*added.Evicted)
	}
	return answer, nil
}

// A memory of these items.
func memoryWith(t *testing.T, raw json.RawMessage) *Memory {
	mem := NewMemory()
	if raw == nil {
		return mem
	}
	for _, item := range get[[]jsonStep](t, raw) {
		if _, err := addStep(t, mem, item); err != nil {
			t.Fatal(err)
		}
	}
	return mem
}

func runMemoryStep(t *testing.T, mem **Memory, do string, step jsonStep) (any, error) {
	m := *mem
	replaced := func(other *Memory, err error) (any, error) {
		if err == nil {
			*mem = other
		}
		return nil, err
	}
	switch do {
	case "add":
		return addStep(t, m, step)
	case "decline":
		m.Decline()
		return nil, nil
	case "slice":
		known(t, step, "do", "now", "bytes", "chars", "utf16", "tokens", "counter")
		text, err := m.Slice(get[uint64](t, step["now"]), roomOf(t, step)...)
		if err != nil {
			return nil, err
		}
		return renderedParts(t, text), nil
	case "search":
		hits, err := m.Search(textIn(t, step, "query"))
		all := []any{}
		for _, hit := range hits {
			parts := itemParts(hit.MemoryItem)
			parts["score"] = hit.Score
			all = append(all, parts)
		}
		return all, err
	case "forget":
		return m.Forget(textIn(t, step, "source"))
	case "get":
		item, err := m.Get(get[uint64](t, step["id"]))
		if err != nil || item == nil {
			return nil, err
		}
		return itemParts(*item), nil
	case "items":
		items, err := m.Items()
		all := []any{}
		for _, item := range items {
			all = append(all, itemParts(item))
		}
		if len(all) != m.Len() {
			t.Error("another number of memories")
		}
		return all, err
	case "counts":
		c := m.Counts()
		return object{
			"offered": c.Offered, "held": c.Held, "merged": c.Merged, "declined": c.Declined, "refused": c.Refused,
			"evicted": c.Evicted, "forgotten": c.Forgotten,
		}, nil
	case "merge":
		return replaced(m.Merge(memoryWith(t, step["items"])))
	case "flush":
		file, err := m.Flush(textIn(t, step, "date"))
		if err != nil || file == nil {
			return nil, err
		}
		return object{"name": file.Name, "text": file.Text, "account": accountParts(file.Account)}, nil
	case "flush_request":
		request, err := FlushRequestFor(textIn(t, step, "date"))
		if err != nil {
			return nil, err
		}
		return object{"name": request.Name, "text": request.Text, "silent": request.Silent}, nil
	case "is_silent_reply":
		return IsSilentReply(textIn(t, step, "reply")), nil
	case "state":
		state, err := m.JSON()
		return json.RawMessage(state), err
	case "reload":
		state, err := m.JSON()
		if err != nil {
			return nil, err
		}
		return replaced(MemoryFromJSON(state))
	case "load":
		return replaced(MemoryFromJSON([]byte(textIn(t, step, "state"))))
	}
	t.Errorf("unknown step %s", do)
	return nil, nil
}

func runMemory(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "steps", "cap", "on_full")
	mem := NewMemory()
	if options["cap"] != nil {
		answers := map[string]OnFull{"reject": OnFullReject, "evict": OnFullEvict, "report": OnFullReport}
		var err error
		if mem, err = NewCappedMemory(get[int](t, options["cap"]), oneOf(t, options["on_full"], answers)); err != nil {
			return nil, err
		}
	}
	return runSteps(t, options, func(do string, step jsonStep) (any, error) { return runMemoryStep(t, &mem, do, step) }), nil
}

func runGrounds(t *testing.T, _ []byte, options map[string]json.RawMessage) (any, error) {
	known(t, options, "action", "facts", "memories", "use", "search")
	led, mem := NewLedger(), memoryWith(t, options["memories"])
	var evidence []Evidence
	for _, name := range []string{"facts", "use", "search"} {
		if options[name] == nil {
			continue
		}
		for _, raw := range get[[]json.RawMessage](t, options[name]) {
			switch name {
			case "facts":
				if _, err := putStep(t, led, "record", get[jsonStep](t, raw)); err != nil {
					return nil, err
				}
			case "use":
				facts, err := led.History(get[string](t, raw))
				if err != nil {
					return nil, err
				}
				evidence = append(evidence, EvidenceOf(facts)...)
			case "search":
				hits, err := mem.Search(get[string](t, raw))
				if err != nil {
					return nil, err
				}
				evidence = append(evidence, EvidenceOf(hits)...)
			}
		}
	}
	answer, err := GroundsOf(textIn(t, options, "action"), evidence...)
	if answer.OK() != (answer.Answer.String() == "ok") {
		t.Error("OK, or not, against the answer")
	}
	return object{"answer": answer.Answer.String(), "reason": answer.Reason.String(), "text": answer.Text}, err
}

var ledgerRuns = map[string]func(*testing.T, []byte, map[string]json.RawMessage) (any, error){
	"ledger": runLedger, "memory": runMemory, "grounds": runGrounds,
}
