package haversack

import (
	"encoding/json"
	"testing"
)

var wireFormats = map[string]WireFormat{
	"auto": WireAuto, "openai_chat": WireOpenAIChat, "openai_responses": WireOpenAIResponses,
	"anthropic": WireAnthropic, "gemini": WireGemini, "bedrock": WireBedrock,
}

// Reads the history of a case; what is no option of reading is handed to other.
func readHistory(
	t *testing.T, input []byte, options map[string]json.RawMessage, other func(name string, raw json.RawMessage) bool,
) (*History, []HistoryOption, error) {
	var all []HistoryOption
	for name, raw := range options {
		switch name {
		case "format":
			all = append(all, WithWireFormat(oneOf(t, raw, wireFormats)))
		case "profile":
			all = append(all, WithProfile(get[string](t, raw)))
		case "request":
			request := string(raw)
			if raw[0] == '"' {
				request = get[string](t, raw)
			}
			all = append(all, WithRequest(request))
		case "limits":
			all = append(all, WithLimits(limitsOf(t, raw)))
		default:
			if !other(name, raw) {
				t.Errorf("unknown option %s", name)
			}
		}
	}
	h, err := ParseHistory(input, all...)
	if err == nil && h.Text() != string(input) {
		t.Error("the text that was read is another")
	}
	return h, all, err
}

func violationParts(t *testing.T, violations []Violation) []any {
	all := []any{}
	for _, v := range violations {
		part := object{"kind": v.Kind.String(), "index": v.Index, "path": v.Path, "id": nil}
		if v.HasID {
			part["id"] = v.ID
		}
		if v.Message == "" {
			t.Error("a violation without a sentence")
		}
		all = append(all, part)
	}
	return all
}

// The texts of the resulting messages. Those that are untouched are the input's, and the whole text holds them all.
func messageTexts(t *testing.T, messages []OutMessage, text string, h *History, options []HistoryOption) []string {
	again, err := ParseHistory([]byte(text), options...)
	if err != nil {
		t.Fatalf("the whole text: %v", err)
	}
	if again.Len() != len(messages) {
		t.Errorf("%d messages in the whole text, not %d", again.Len(), len(messages))
	}
	texts := []string{}
	for i, m := range messages {
		texts = append(texts, m.Text)
		if m.Untouched && (m.Source < 0 || h.Message(m.Source) != m.Text) {
			t.Errorf("message %d is not that of its source", i)
		}
		if again.Message(i) != m.Text {
			t.Errorf("message %d is another in the whole text", i)
		}
	}
	return texts
}

func runCheck(t *testing.T, input []byte, options map[string]json.RawMessage) (object, error) {
	sending := false
	h, _, err := readHistory(t, input, options, func(name string, raw json.RawMessage) bool {
		sending = name == "sending" && get[bool](t, raw)
		return name == "sending"
	})
	if err != nil {
		return nil, err
	}
	violations, err := h.Violations(sending)
	if err != nil {
		return nil, err
	}
	steps := []any{}
	for _, s := range h.Steps() {
		steps = append(steps, object{"kind": s.Kind.String(), "from": s.From, "to": s.To, "calls": s.Calls, "open": s.Open})
	}
	return object{
		"format": h.Format().String(), "certain": h.Certain(), "violations": violationParts(t, violations), "steps": steps,
	}, nil
}

func runRepair(t *testing.T, input []byte, options map[string]json.RawMessage) (object, error) {
	var wish []RepairOption
	h, reading, err := readHistory(t, input, options, func(name string, raw json.RawMessage) bool {
		switch name {
		case "missing":
			wish = append(wish, WithMissing(oneOf(t, raw, map[string]MissingResult{"synthesise": MissingSynthesise, "drop": MissingDrop})))
		case "orphan":
			wish = append(wish, WithOrphan(oneOf(t, raw, map[string]OrphanResult{"drop": OrphanDrop, "text": OrphanText})))
		case "sending":
			if get[bool](t, raw) {
				wish = append(wish, WithSending())
			}
		default:
			return false
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	repair, err := h.Repair(wish...)
	if err != nil {
		return nil, err
	}
	changes := []any{}
	for _, c := range repair.Changes {
		changes = append(changes, object{
			"action": c.Action.String(), "violation": c.Violation.String(), "index": c.Index, "path": c.Path,
		})
		if c.Message == "" {
			t.Error("a change without a sentence")
		}
	}
	if len(changes) == 0 && repair.Text != string(input) {
		t.Error("no change, and another text")
	}
	return object{
		"messages": messageTexts(t, repair.Messages, repair.Text, h, reading), "changes": changes,
		"remaining": violationParts(t, repair.Remaining),
	}, nil
}

func orEmpty(indices []int) []int { return append([]int{}, indices...) }

func runSafeCuts(t *testing.T, input []byte, options map[string]json.RawMessage) (object, error) {
	h, _, err := readHistory(t, input, options, func(string, json.RawMessage) bool { return false })
	if err != nil {
		return nil, err
	}
	refusals := []any{}
	for i, refusal := range h.CutRefusals() {
		refusals = append(refusals, orNull(refusal.String()))
		if one, refused := h.CutRefusal(i); one != refusal || refused != (refusal != RefusalNone) {
			t.Errorf("the refusal of %d is %v, not %v", i, one, refusal)
		}
	}
	return object{"safe": orEmpty(h.SafeCuts(false)), "portable": orEmpty(h.SafeCuts(true)), "refusals": refusals}, nil
}

func runCut(t *testing.T, input []byte, options map[string]json.RawMessage) (object, error) {
	var wish []CutOption
	h, reading, err := readHistory(t, input, options, func(name string, raw json.RawMessage) bool {
		switch name {
		case "bytes", "chars", "utf16", "tokens", "counter", "messages":
		case "pinned":
			wish = append(wish, WithPinned(get[[]int](t, raw)...))
		case "portable":
			if get[bool](t, raw) {
				wish = append(wish, WithPortable())
			}
		default:
			return false
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	var cut *Cut
	if raw, given := options["messages"]; given {
		cut, err = h.CutMessages(get[int](t, raw), wish...)
	} else {
		cut, err = h.Cut(budget(t, options), wish...)
	}
	if err != nil {
		return nil, err
	}
	if !cut.Found {
		return object{"nothing": cut.Nothing.String()}, nil
	}
	strip, reduced := []any{}, []any{}
	for _, s := range cut.Strip {
		strip = append(strip, object{"index": s.Index, "path": s.Path, "what": s.What})
	}
	for _, r := range cut.Reduced {
		reduced = append(reduced, object{"index": r.Index, "path": r.Path, "before": r.Before, "after": r.After})
	}
	return object{
		"index": cut.Index, "reason": cut.Reason, "kept": orEmpty(cut.Kept), "dropped": orEmpty(cut.Dropped),
		"size_before": cut.SizeBefore, "size_after": cut.SizeAfter, "alternation": cut.Alternation.String(),
		"strip": strip, "reduced": reduced, "messages": messageTexts(t, cut.Messages, cut.Text, h, reading),
	}, nil
}

type historyRun = func(*testing.T, []byte, map[string]json.RawMessage) (object, error)

var historyRuns = map[string]historyRun{"check": runCheck, "repair": runRepair, "safe_cuts": runSafeCuts, "cut": runCut}

func judgeHistory(t *testing.T, c testCase, input []byte) {
	answer, err := historyRuns[c.Op](t, input, c.Options)
	if err != nil {
		same(t, "error", errorParts(t, err), c.Expect["error"])
		return
	}
	same(t, "answer", answer, c.Expect["answer"])
}
