package haversack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func list(n int) []byte {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d,"state":"open"}`, i)
	}
	return []byte("[" + strings.Join(rows, ",") + "]")
}

func TestErrorsCarryTheNumbers(t *testing.T) {
	_, err := Deliver(list(20), UTF16(2))
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, BudgetTooSmall) || errors.Is(err, InvalidJSON) {
		t.Fatalf("got %v", err)
	}
	needed, hasNeeded := e.Needed()
	available, hasAvailable := e.Available()
	if !hasNeeded || !hasAvailable || needed <= 2 || available != 2 || e.Unit() != UnitUTF16 {
		t.Errorf("needed %d, available %d %s", needed, available, e.Unit())
	}
	if _, has := e.Offset(); has {
		t.Error("an offset that was never set")
	}
	if _, err := Deliver(list(20), UTF16(needed)); err != nil {
		t.Errorf("needed is not enough: %v", err)
	}
	_, err = Deliver([]byte("fo\xff"), Bytes(100))
	if !errors.As(err, &e) || e.Code() != InvalidUTF8 {
		t.Fatalf("got %v", err)
	}
	if offset, _ := e.Offset(); offset != 2 {
		t.Errorf("offset %d", offset)
	}
	_, err = Deliver(nil, Bytes(100), WithHint("fo\xff"))
	if !errors.As(err, &e) || e.Argument() != "hint" {
		t.Errorf("got %v", err)
	}
	for _, budget := range []Budget{{}, Bytes(-1), Tokens(1, nil), Tokens(1, CounterFunc(nil)), Tokens(1, CounterNamed("no such"))} {
		if _, err := Deliver(nil, budget); !errors.Is(err, InvalidOption) {
			t.Errorf("got %v", err)
		}
	}
}

func TestCountersOfGo(t *testing.T) {
	calls := 0
	d, err := Deliver([]byte("[1,2]"), Tokens(10, CounterFunc(func(text string) (int, error) {
		calls++
		return Measure(text, Chars(0)) // a counter may call the library
	})))
	if err != nil || d.Size() != 5 || calls == 0 {
		t.Fatalf("%v after %d calls: %v", d, calls, err)
	}

	mine := errors.New("no model today")
	failing := []CounterFunc{
		func(string) (int, error) { return 0, mine },
		func(string) (int, error) { panic("no model at all") },
		func(string) (int, error) { return -1, nil },
	}
	for i, counter := range failing {
		_, err := Deliver([]byte("[1,2]"), Tokens(10, counter))
		if !errors.Is(err, CounterFailed) || errors.Unwrap(err) == nil {
			t.Errorf("counter %d: got %v", i, err)
		}
		if errors.Is(err, mine) != (i == 0) {
			t.Errorf("counter %d: its own error is lost: %v", i, err)
		}
	}
	if _, err := Deliver([]byte("[1,2]"), Tokens(10, CounterFunc(words))); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

// Counts bytes, and stops at the limit.
type limited struct{ asked, stopped int }

func (l *limited) Count(text string) (int, error) { return len(text), nil }

func (l *limited) CountUpTo(text string, limit int) (int, bool, error) {
	l.asked++
	if len(text) > limit {
		l.stopped++
		return 0, false, nil
	}
	return len(text), true, nil
}

type brokenEarly struct{ limited }

func (*brokenEarly) CountUpTo(string, int) (int, bool, error) { panic("no model at all") }

func TestCountersThatStopEarly(t *testing.T) {
	counter := &limited{}
	early, err := Deliver(list(200), Tokens(300, counter))
	if err != nil || counter.stopped == 0 {
		t.Fatalf("%+v: %v", counter, err)
	}
	whole, err := Deliver(list(200), Tokens(300, CounterFunc(counter.Count)))
	if err != nil || early.Text() != whole.Text() {
		t.Errorf("%v and %v: %v", early, whole, err)
	}
	if _, err := Deliver(list(200), Tokens(300, &brokenEarly{})); !errors.Is(err, CounterFailed) || errors.Unwrap(err) == nil {
		t.Errorf("got %v", err)
	}
	for _, counter := range []TokenCounter{CounterNamed("estimate"), CounterFunc(words)} {
		n, err := counter.Count("two words")
		if m, failed := Measure("two words", Tokens(0, counter)); n == 0 || n != m || err != nil || failed != nil {
			t.Errorf("%d and %d: %v, %v", n, m, err, failed)
		}
	}
	if _, err := CounterNamed("no such").Count("x"); !errors.Is(err, InvalidOption) {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsClosedAnswersNothing(t *testing.T) {
	d, err := Deliver(list(50), Bytes(300))
	if err != nil || len(d.Plan()) == 0 {
		t.Fatal(d, err)
	}
	text := d.Text()
	h, err := ParseHistory([]byte(`[{"role":"user","content":"hi"}]`))
	if err != nil || len(h.SafeCuts(false)) == 0 {
		t.Fatal(h, err)
	}
	p, table := NewPrompt(), NewOffloads()
	s, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFrozen(Section{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 2; i++ {
		d.Close()
		h.Close()
		p.Close()
		table.Close()
		s.Close()
		f.Close()
	}
	if d.Text() != text || len(d.Lists())+len(d.Warnings())+len(d.Plan()) != 0 {
		t.Errorf("%v", d)
	}
	if len(h.SafeCuts(false))+len(h.Steps())+len(h.CutRefusals())+len(f.Notes())+len(f.Names())+len(s.Names())+len(table.Entries()) != 0 {
		t.Error("something answers")
	}
	if refusal, refused := h.CutRefusal(0); refused || refusal != RefusalNone {
		t.Error(refusal)
	}
	for name, call := range map[string]func() error{
		"cut":      func() error { _, err := h.CutMessages(1); return err },
		"add":      func() error { return p.Add("a", "b") },
		"snapshot": func() error { _, err := p.Snapshot(); return err },
		"exempt":   func() error { return table.Exempt("c") },
		"update":   func() error { _, err := f.Update("a", "c"); return err },
		"json":     func() error { _, err := d.JSON(); return err },
	} {
		if err := call(); !errors.Is(err, BadArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInnerNUL(t *testing.T) {
	for _, payload := range []string{`{"body":"a\u0000b"}`, "a\x00b\n"} {
		d, err := Deliver([]byte(payload), Bytes(100))
		if err != nil || d.Text() != payload {
			t.Errorf("%q became %q: %v", payload, d, err)
		}
		text, err := json.Marshal(d)
		if err != nil || !json.Valid(text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestEmptyIsNotAbsent(t *testing.T) {
	for _, payload := range [][]byte{nil, {}} {
		d, err := Deliver(payload, Bytes(100))
		if err != nil || d.Text() != "(no output)" {
			t.Errorf("got %v: %v", d, err)
		}
	}
	if _, err := Deliver([]byte("[1]"), Bytes(100), WithCursor("")); !errors.Is(err, InvalidCursor) {
		t.Errorf("got %v", err)
	}
}

func TestOffloadAndReadback(t *testing.T) {
	payload := []byte(strings.Repeat("a line of a long log\n", 500))
	calls := 0
	counter := CounterFunc(func(text string) (int, error) { calls++; return len(text), nil })
	table := NewOffloads()
	prepared, err := table.Prepare(payload, "call_1", WithOver(Tokens(1000, counter)), WithPreview(Chars(60)), WithReader("haversack_read"))
	if err != nil || prepared.Action != OffloadStore || prepared.Account.Records.Kept != 1 {
		t.Fatalf("%v: %v", prepared, err)
	}
	if _, err := table.Commit(prepared.Key, "results/1", nil); !errors.Is(err, InvalidOption) {
		t.Errorf("committed without the counter: %v", err)
	}
	pointer, err := table.Commit(prepared.Key, "results/1", counter)
	if err != nil || pointer.Size >= len(payload) || pointer.Unit != UnitTokens || calls == 0 {
		t.Fatalf("%v: %v", pointer, err)
	}
	if err := table.Exempt("call_2"); err != nil {
		t.Error(err)
	}

	tools := Readback{}
	for _, flavour := range []Flavour{FlavourOpenAI, FlavourAnthropic, FlavourGemini, FlavourMCP} {
		if text, err := tools.ToolDefinitions(flavour); err != nil || !json.Valid(text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := tools.ToolDefinitions(0); !errors.Is(err, InvalidOption) {
		t.Errorf("got %v", err)
	}
	request, err := tools.Request(table, "haversack_read", []byte(fmt.Sprintf(`{"key":%q,"start":499}`, prepared.Key)))
	if err != nil || request.Key != prepared.Key || request.Location != "results/1" {
		t.Fatalf("%v: %v", request, err)
	}
	page, err := request.Answer(payload, Chars(500))
	if err != nil || !strings.Contains(page.Text(), "lines 499-500 of 500") {
		t.Errorf("%v: %v", page, err)
	}
	if _, err := request.Answer(payload[1:], Chars(500)); !errors.Is(err, DigestMismatch) {
		t.Errorf("got %v", err)
	}
	_, err = tools.Request(table, "haversack_read", []byte(`{"key":"../../etc/passwd"}`))
	if text := ReadbackErrorText(err); !errors.Is(err, UnknownKey) || !strings.HasPrefix(text, "error: unknown_key") {
		t.Errorf("%q: %v", text, err)
	}

	mine := errors.New("no preview today")
	failing := Tokens(10, CounterFunc(func(string) (int, error) { return 0, mine }))
	if _, err := Offload(payload, "c", WithPreview(failing)); !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
}

func TestPages(t *testing.T) {
	payload := list(50)
	var rows []json.RawMessage
	pages := 0
	PagesOf(payload, Bytes(300)).All()(func(d *Delivery, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		var page struct{ Rows []json.RawMessage }
		if err := json.Unmarshal([]byte(d.Text()), &page); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, page.Rows...)
		pages++
		return true
	})
	text, _ := json.Marshal(rows)
	if string(text) != string(payload) || pages < 3 {
		t.Errorf("%d pages make %s", pages, text)
	}

	seen := 0
	PagesOf(payload, Bytes(300)).All()(func(*Delivery, error) bool { seen++; return seen < 2 })
	if seen != 2 {
		t.Errorf("went on for %d pages after being told to stop", seen)
	}
	failed := 0
	PagesOf(payload, Bytes(1)).All()(func(_ *Delivery, err error) bool { failed++; return err != nil })
	if failed != 1 {
		t.Errorf("went on %d times after an error", failed)
	}
}

func TestManyGoroutines(t *testing.T) {
	payload := list(20)
	shared, err := Deliver(payload, Bytes(10000))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 100; j++ {
				d, err := Deliver(payload, Tokens(10000, CounterFunc(words)))
				if err != nil || d.Text() != string(payload) || shared.Text() != string(payload) {
					t.Errorf("got %v: %v", d, err)
				}
				if text, err := shared.JSON(); err != nil || !json.Valid(text) || len(shared.Plan()) != len(d.Plan()) {
					t.Errorf("got %s: %v", text, err)
				}
			}
			runtime.GC()
		}()
	}
	group.Wait()
}

// Bytes of memory of this process that are in use.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("needs /proc")
	}
	var total, pages int
	if _, err := fmt.Sscan(string(text), &total, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Collects what nothing refers to, and waits until the finalizers of all of it have run. They run in batches, one after
// another, so when an object's has run that was made after one of the last batch had, all have.
func collect() {
	runtime.GC()
	for i := 0; i < 2; i++ {
		done := make(chan struct{})
		runtime.SetFinalizer(new([64]byte), func(*[64]byte) { close(done) })
		for ran := false; !ran; {
			runtime.GC()
			select {
			case <-done:
				ran = true
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

func TestMemoryDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("long under the race detector")
	}
	payload := list(50)
	round := func(n int) {
		for i := 0; i < n; i++ {
			if d, err := Deliver(payload, Bytes(400), WithSelect("/*/id"), WithHint("narrow it")); err != nil {
				t.Fatal(err)
			} else if _, err := d.JSON(); err != nil {
				t.Fatal(err)
			}
			if _, err := Deliver(payload, Tokens(1, CounterFunc(words))); err == nil {
				t.Fatal("one token is enough?")
			}
		}
		collect()
	}
	round(5000)
	before := resident(t)
	round(50000)
	if after := resident(t); after > before+8<<20 {
		t.Errorf("%d bytes before, %d after", before, after)
	}
}

func TestVersion(t *testing.T) {
	if parts := strings.Split(Version(), "."); len(parts) != 3 {
		t.Errorf("got %s", Version())
	}
}
