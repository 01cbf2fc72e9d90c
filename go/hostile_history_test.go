package haversack

import (
	"errors"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const many = 100_000

// Asks everything there is, with every budget at its ends: nothing but a cut that holds or a budget that is too small.
func askEverything(t *testing.T, h *History) {
	t.Helper()
	for _, n := range []int{0, 1, 40, 400, math.MaxInt / 2, math.MaxInt} {
		for _, cut := range []func() (*Cut, error){
			func() (*Cut, error) { return h.Cut(Bytes(n)) },
			func() (*Cut, error) { return h.Cut(Chars(n)) },
			func() (*Cut, error) { return h.Cut(UTF16(n)) },
			func() (*Cut, error) { return h.Cut(Tokens(n, CounterFunc(words))) },
			func() (*Cut, error) { return h.Cut(Tokens(n, CounterNamed("estimate"))) },
			func() (*Cut, error) { return h.CutMessages(n) },
		} {
			found, err := cut()
			var small *Error
			if errors.As(err, &small) && small.Code() == BudgetTooSmall {
				if needed, ok := small.Needed(); !ok || needed <= n {
					t.Errorf("%d needed of %d", needed, n)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if found.Found && found.SizeAfter > n {
				t.Errorf("%d after a cut to %d", found.SizeAfter, n)
			}
		}
	}
	if _, err := h.Repair(WithSending()); err != nil {
		t.Error(err)
	}
	for _, index := range []int{-1, math.MinInt, h.Len(), math.MaxInt} {
		if refusal, refused := h.CutRefusal(index); refusal != RefusalOutOfRange || !refused {
			t.Errorf("index %d is %v", index, refusal)
		}
		if h.Message(index) != "" {
			t.Errorf("there is no message %d", index)
		}
	}
}

func TestSmallestHistories(t *testing.T) {
	for _, text := range []string{
		"[]", "[{}]", "[{},{}]", `{"messages":[]}`, `{"input":""}`, `[{"role":null,"content":null}]`, "\xef\xbb\xbf[]", chat,
	} {
		askEverything(t, history(t, text))
	}
}

func TestMegabyteOfID(t *testing.T) {
	id := strings.Repeat("x", 1_000_000)
	text := "[" + ask + `,{"role":"assistant","content":null,"tool_calls":[{"id":"` + id +
		`","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"sun"}]`
	h := history(t, text)
	found, err := h.Violations(true)
	if err != nil || len(found) != 1 || found[0].Kind != ViolationIdTooLong || found[0].ID != id {
		t.Errorf("%d violations, %v", len(found), err)
	}
	repair, err := h.Repair(WithSending())
	if err != nil || len(repair.Remaining) != 0 || len(repair.Text) > 1000 {
		t.Errorf("%v", err)
	}
	if found, _ := history(t, repair.Text).Violations(true); len(found) != 0 {
		t.Errorf("%v after a repair", found)
	}
}

func TestVeryManyCallsInOneStep(t *testing.T) {
	var calls, results strings.Builder
	for i := 0; i < many; i++ {
		comma := ","
		if i == 0 {
			comma = ""
		}
		n := strconv.Itoa(i)
		calls.WriteString(comma + `{"type":"tool_use","id":"c` + n + `","name":"f","input":{}}`)
		if i+1 < many {
			results.WriteString(comma + `{"type":"tool_result","tool_use_id":"c` + n + `","content":"r"}`)
		}
	}
	h := history(t, `[{"role":"user","content":"go"},{"role":"assistant","content":[`+calls.String()+
		`]},{"role":"user","content":[`+results.String()+`]}]`, WithWireFormat(WireAnthropic))
	steps := h.Steps()
	if len(steps) != 2 || steps[1].Calls != many || steps[1].Open != 1 {
		t.Errorf("%+v", steps)
	}
	found, err := h.Violations(true)
	if err != nil || len(found) != 1 || found[0].Kind != ViolationMissingResult || found[0].Path != "/1/content/99999" {
		t.Errorf("%+v %v", found, err)
	}
	if cut, err := h.CutMessages(2); err != nil || cut.Nothing != CutNoSafeIndex {
		t.Errorf("%+v %v", cut, err)
	}
	repair, err := h.Repair(WithSending())
	if err != nil || len(repair.Changes) != 1 || len(repair.Remaining) != 0 {
		t.Errorf("%v", err)
	}
}

func TestEveryBeginningOfAHistory(t *testing.T) {
	for n := range chat {
		exact := make([]byte, n)
		copy(exact, chat)
		h, err := ParseHistory(exact)
		var e *Error
		if h != nil || !errors.As(err, &e) || e.Code() != InvalidJSON {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if offset, ok := e.Offset(); !ok || offset > n {
			t.Errorf("%d bytes: the fault is at %d", n, offset)
		}
	}
}

func TestHistoryOptionsThatAreNoText(t *testing.T) {
	for argument, option := range map[string]HistoryOption{
		"profile": WithProfile("stri\xffct"), "request": WithRequest("{\"model\":\"\xc3(\"}"),
	} {
		_, err := ParseHistory([]byte(chat), option)
		names(t, err, InvalidUTF8, argument)
	}
}

func TestPinsWithoutEnd(t *testing.T) {
	h := history(t, chat)
	pins := make([]int, many)
	cut, err := h.CutMessages(5, WithPinned(pins...))
	if err != nil || !cut.Found || cut.Kept[0] != 0 || len(cut.Kept) > 5 {
		t.Errorf("%+v %v", cut, err)
	}
	for _, pin := range []int{7, math.MaxInt, -1, math.MinInt} {
		pins[many-1] = pin
		_, err := h.CutMessages(5, WithPinned(pins...))
		names(t, err, InvalidOption, "pinned")
	}
}

// A History that ParseHistory did not make holds nothing, and says so.
func TestHistoryOfNothing(t *testing.T) {
	h := &History{}
	if h.Len() != 0 || h.Text() != "" || h.Message(0) != "" || h.Steps() != nil || h.SafeCuts(true) != nil || h.CutRefusals() != nil {
		t.Error("it holds something")
	}
	_, err := h.Violations(true)
	names(t, err, BadArgument, "history")
	_, err = h.Cut(Chars(9))
	names(t, err, BadArgument, "history")
	_, err = h.CutMessages(9)
	names(t, err, BadArgument, "history")
	_, err = h.Repair()
	names(t, err, BadArgument, "history")
}

func TestGoroutinesShareAHistory(t *testing.T) {
	h := history(t, chat)
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for round := 0; round < 40; round++ {
				cut, err := h.CutMessages(3)
				if err != nil || cut.Text != "["+ask+","+say+","+ask+"]" {
					t.Errorf("%+v %v", cut, err)
				}
				// Its own is collected while the shared one is asked.
				own := history(t, h.Text())
				if own.Message(2) != h.Message(2) || len(own.CutRefusals()) != 7 {
					t.Error("the copy is another history")
				}
				if round%10 == 0 {
					askEverything(t, h)
					runtime.GC()
				}
			}
		}()
	}
	wait.Wait()
}
