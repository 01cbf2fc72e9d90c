package haversack

import (
	"errors"
	"math"
	"runtime"
	"testing"
)

const (
	ask    = `{"role":"user","content":"weather?"}`
	toCall = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	result = `{"role":"tool","tool_call_id":"c1","content":"sun"}`
	say    = `{"role":"assistant","content":"sun"}`
	chat   = "[" + ask + "," + toCall + "," + result + "," + say + "," + ask + "," + say + "," + ask + "]"
	broken = "[" + ask + "," + toCall + "," + ask + "]"
)

func history(t *testing.T, text string, options ...HistoryOption) *History {
	t.Helper()
	h, err := ParseHistory([]byte(text), options...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHistoryOutlivedByWhatItGave(t *testing.T) {
	text := []byte(chat)
	h, err := ParseHistory(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] = 'x'
	}
	if h.Text() != chat || h.Message(2) != result || h.Message(7) != "" || h.Message(-1) != "" {
		t.Error("the history reads the caller's bytes")
	}
	cut, err := h.CutMessages(3)
	if err != nil {
		t.Fatal(err)
	}
	repair, err := history(t, broken).Repair()
	if err != nil {
		t.Fatal(err)
	}
	h = nil
	runtime.GC()
	if cut.Text != "["+ask+","+say+","+ask+"]" || cut.SizeBefore != 7 || cut.Messages[2].Source != 6 {
		t.Errorf("%+v", cut)
	}
	if len(repair.Changes) != 1 || repair.Changes[0].Action != RepairSynthesise || repair.Messages[2].Source != -1 {
		t.Errorf("%+v", repair)
	}
}

func TestHistoryThatIsNone(t *testing.T) {
	for text, code := range map[string]Code{
		"": InvalidJSON, "[": InvalidJSON, "[\xff]": InvalidUTF8, "3": NotAHistory, `{"a":1}`: NotAHistory,
	} {
		if h, err := ParseHistory([]byte(text)); h != nil || !errors.Is(err, code) {
			t.Errorf("%q: %v is not %v", text, err, code)
		}
	}
	if h, err := ParseHistory(nil); h != nil || !errors.Is(err, InvalidJSON) {
		t.Errorf("nil: %v", err)
	}
}

func TestHistoryOptionsThatCannotBe(t *testing.T) {
	for argument, option := range map[string]HistoryOption{
		"format": WithWireFormat(99), "profile": WithProfile("nobody"), "request": WithRequest("[]"),
	} {
		_, err := ParseHistory([]byte(chat), option)
		names(t, err, InvalidOption, argument)
	}
	var limits Limits
	limits.Depth = -1
	_, err := ParseHistory([]byte(chat), WithLimits(limits))
	names(t, err, InvalidOption, "limits")
	h := history(t, chat)
	_, err = h.CutMessages(-1)
	names(t, err, InvalidOption, "keep")
	for _, pin := range []int{-1, 7, math.MaxInt, math.MinInt} {
		_, err = h.CutMessages(3, WithPinned(0, pin))
		names(t, err, InvalidOption, "pinned")
	}
	_, err = h.Cut(Chars(-1))
	names(t, err, InvalidOption, "chars")
	_, err = h.Cut(Budget{})
	names(t, err, InvalidOption, "unit")
	_, err = h.Repair(WithMissing(9))
	names(t, err, InvalidOption, "missing")
	_, err = h.Repair(WithOrphan(math.MaxUint32))
	names(t, err, InvalidOption, "orphan")
	if refusal, refused := h.CutRefusal(-1); refusal != RefusalOutOfRange || !refused {
		t.Errorf("a negative index is %v", refusal)
	}
	if refusal, refused := h.CutRefusal(math.MaxInt); refusal != RefusalOutOfRange || !refused {
		t.Errorf("an index past all is %v", refusal)
	}
}

func TestCutCounters(t *testing.T) {
	h, mine := history(t, chat), errors.New("mine")
	if cut, err := h.Cut(Tokens(60, CounterFunc(func(string) (int, error) { return 0, mine }))); cut != nil || !errors.Is(err, mine) {
		t.Errorf("%v is not the counter's error", err)
	}
	if _, err := h.Cut(Tokens(60, CounterFunc(func(string) (int, error) { panic("a panic") }))); !errors.Is(err, CounterFailed) {
		t.Errorf("%v is no failure of the counter", err)
	}
	cut, err := h.Cut(Tokens(60, CounterFunc(words)))
	if err != nil || !cut.Found || cut.SizeAfter > 60 {
		t.Errorf("%+v %v", cut, err)
	}
	cut, err = h.CutMessages(math.MaxInt)
	if err != nil || cut.Found || cut.Nothing != CutFits || cut.Text != "" {
		t.Errorf("%+v %v", cut, err)
	}
	var small *Error
	if _, err = h.Cut(Chars(1)); !errors.As(err, &small) || small.Code() != BudgetTooSmall {
		t.Errorf("%v", err)
	}
	if empty := history(t, "[]"); len(empty.CutRefusals()) != 0 || len(empty.Steps()) != 0 || len(empty.SafeCuts(false)) != 0 {
		t.Error("an empty history has no index")
	}
}
