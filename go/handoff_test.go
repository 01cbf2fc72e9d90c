package haversack

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const (
	foundPort = `{"kind":"findings","findings":[{"text":"Port 8080.","sources":["message 1","c-1-ab"]},{"text":"b","sources":["x"]}]}`
	torn      = "a\xff"
)

func parsed(t *testing.T, text string, options ...HandoffOption) *Handoff {
	t.Helper()
	h, err := ParseHandoff([]byte(text), options...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func lines(t *testing.T, text string) *Transcript {
	t.Helper()
	transcript, err := TranscriptFromJSONL([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return transcript
}

func TestHandoffsThatAreNone(t *testing.T) {
	for text, want := range map[string]HandoffProblem{
		"fine": ProblemNotJSON, "{": ProblemNotJSON, "[]": ProblemNotAnObject, `{"kind":"silent"}`: ProblemUnknownKind,
		`{"kind":"empty","looked":[]}`: ProblemNothingLooked, `{"kind":"findings","findings":[{"text":"a"}]}`: ProblemNoSource,
		strings.Repeat("[", 100000): ProblemNotJSON,
	} {
		h := parsed(t, text)
		_, hasOffset := h.Offset()
		if h.Kind() != HandoffUncheckable || h.Problem() != want || h.IsAnswer() || hasOffset != (want == ProblemNotJSON) || h.Text() != text {
			t.Errorf("%.40q is %v, %v", text, h.Kind(), h.Problem())
		}
	}
	for _, nothing := range [][]byte{nil, {}, {0}, []byte(" \u200b"), []byte("(no output)")} {
		if h, err := ParseHandoff(nothing); err != nil || h.Kind() != HandoffSilent || h.Problem() != ProblemNone || h.Reason() != "" {
			t.Errorf("%q: %v", nothing, err)
		}
	}
	_, err := ParseHandoff([]byte(torn))
	names(t, err, InvalidUTF8, "text")
	_, err = ParseHandoff(nil, WithStatus(torn))
	names(t, err, InvalidUTF8, "status")
	_, err = ParseHandoff(nil, WithStopReason(torn))
	names(t, err, InvalidUTF8, "stop_reason")
	if h := parsed(t, foundPort, WithStatus("completed"), WithStopReason("LENGTH")); h.Kind() != HandoffOutOfBudget || h.Reason() != "LENGTH" || len(h.Findings()) != 2 {
		t.Errorf("%v %q", h.Kind(), h.Reason())
	}
	closed := parsed(t, foundPort)
	closed.Close()
	closed.Close()
	if closed.Kind() != HandoffUnknown || len(closed.Findings()) != 0 || closed.Looked() != nil || closed.Text() != "" {
		t.Error("a closed handoff answers")
	}
	if err := NewFleet().Add(closed); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
	if _, err := closed.JSON(); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
}

func TestSourcesLeadSomewhere(t *testing.T) {
	h, table := parsed(t, foundPort), NewOffloads()
	for _, c := range []struct {
		transcript *Transcript
		offloads   *Offloads
		resolves   func(string) bool
		open       int
	}{
		{nil, nil, nil, 3}, {lines(t, "{}\n"), nil, nil, 2}, {NewTranscript(), table, nil, 3},
		{lines(t, "{}\n"), table, func(source string) bool { return source == "x" }, 1},
	} {
		open, err := h.Unresolved(c.transcript, c.offloads, c.resolves)
		if err != nil || len(open) != c.open {
			t.Errorf("%v %v", open, err)
		}
	}
	prepared, err := table.Prepare([]byte("a payload"), "c1", WithOver(Bytes(1)), WithPreview(Bytes(1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Commit(prepared.Key, "stored/1", nil); err != nil {
		t.Fatal(err)
	}
	h = parsed(t, `{"kind":"findings","findings":[{"text":"a","sources":["`+prepared.Key+`"]}]}`)
	if open, err := h.Unresolved(nil, table, nil); err != nil || len(open) != 0 {
		t.Errorf("%v %v", open, err)
	}
}

func TestHandoffsUnderBudgets(t *testing.T) {
	h, mine := parsed(t, foundPort), errors.New("mine")
	var small *Error
	if _, err := h.Render(WithBudget(Chars(5))); !errors.As(err, &small) || small.Code() != BudgetTooSmall {
		t.Fatal(err)
	}
	needed, _ := small.Needed()
	if r, err := h.Render(WithBudget(Chars(needed))); err != nil || r.Complete || r.Account.Records.Omitted != 2 || len(r.Text) != needed {
		t.Errorf("%+v %v", r, err)
	}
	_, err := h.Render(WithBudget(Chars(-1)))
	names(t, err, InvalidOption, "chars")
	_, err = h.Render(WithBudget(Budget{}))
	names(t, err, InvalidOption, "unit")
	failing := CounterFunc(func(string) (int, error) { return 0, mine })
	if _, err := h.Render(WithBudget(Tokens(9, failing))); !errors.Is(err, mine) || !errors.Is(err, CounterFailed) {
		t.Error(err)
	}
	panicking := CounterFunc(func(string) (int, error) { panic("a panic") })
	if _, err := TiersOf("", nil, history(t, chat), WithLedgerBudget(Tokens(9, panicking))); !errors.Is(err, CounterFailed) {
		t.Error(err)
	}
}

func TestSessionsThatAreNone(t *testing.T) {
	for _, date := range []string{"", "2031-02-29", "2031-6-1", "2031-06-01\n"} {
		_, err := SessionFiles(date, "", nil)
		names(t, err, InvalidOption, "date")
	}
	for argument, option := range map[string]SessionOption{
		"done": WithDone("a", torn), "next": WithNext("a", torn), "features": WithFeatures(Feature{}, Feature{torn, true}),
	} {
		_, err := SessionFiles("2031-06-01", "", nil, option)
		names(t, err, InvalidUTF8, argument)
		var e *Error
		if index, ok := asError(err, &e).Index(); !ok || index != 1 {
			t.Errorf("%s: %d", argument, index)
		}
	}
	_, err := SessionFiles("2031-06-01", torn, nil)
	names(t, err, InvalidUTF8, "goal")
	for _, bad := range []string{"", "{}", `[{"name":"a","passes":1}]`, `[["a",true]]`} {
		if features, err := ReadFeatures([]byte(bad)); features != nil || !errors.Is(err, InvalidState) {
			t.Error(err)
		}
	}
	files, err := SessionFiles("2031-06-01", "ship it", NewLedger(), WithDone("x\n## Goal"), WithFeatures(Feature{"login", true}))
	if err != nil || len(files) != 3 || !strings.Contains(files[0].Text, `- "x\n## Goal"`) {
		t.Fatalf("%+v %v", files, err)
	}
	if features, err := ReadFeatures([]byte(files[1].Text)); err != nil || len(features) != 1 || !features[0].Passes {
		t.Errorf("%+v %v", features, err)
	}
}

func asError(err error, e **Error) *Error {
	if !errors.As(err, e) {
		return &Error{}
	}
	return *e
}

func TestBooksThatCannotBe(t *testing.T) {
	tally := NewTally()
	for _, boundary := range []Boundary{0, 20, math.MaxUint32} {
		names(t, tally.Add(boundary, Account{}, false), InvalidOption, "boundary")
		if _, ok := tally.Sums(boundary); ok || boundary.String() != "" {
			t.Error(boundary)
		}
	}
	names(t, tally.Add(BoundaryClear, Account{Records: Counts{Total: 2, Kept: 1}}, false), OpenBooks, "account")
	names(t, tally.Add(BoundaryClear, Account{Records: Counts{Total: math.MaxUint64, Kept: math.MaxUint64}}, false), LimitExceeded, "account")
	names(t, tally.Seen(torn, true), InvalidUTF8, "key")
	names(t, tally.Seen(strings.Repeat("k", 1025), true), LimitExceeded, "key")
	if tally.Boundaries() != nil {
		t.Error("something went through")
	}
	claimed := Counts{}
	if err := tally.Add(BoundaryOffload, Account{Records: Counts{Total: 2, Offloaded: 1, Omitted: 1}, Claimed: &claimed}, false); err != nil {
		t.Error(err)
	}
	if sums, ok := tally.Sums(BoundaryOffload); !ok || sums.Lost != 1 || sums.Recoverable != 1 || sums.Calls != 1 {
		t.Errorf("%+v", sums)
	}
	for i := 0; i < 20; i++ {
		if err := tally.Seen("rare", false); err != nil {
			t.Error(err)
		}
	}
	if all, err := tally.Survival(); err != nil || len(all) != 1 || !all[0].Rare || all[0].Calls != 20 {
		t.Errorf("%+v %v", all, err)
	}
	state, err := tally.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for i := range state {
		for _, other := range []byte{0, '0', '}', 0xff} {
			broken := append([]byte{}, state...)
			broken[i] = other
			if read, err := TallyFromJSON(broken); err == nil {
				for _, b := range read.Boundaries() {
					if s, _ := read.Sums(b); s.Records.Total != s.Records.Kept+s.Records.Shrunk+s.Records.Offloaded+s.Records.Omitted {
						t.Errorf("byte %d as %q: %+v", i, other, s)
					}
				}
			} else if !errors.Is(err, InvalidState) && !errors.Is(err, InvalidUTF8) {
				t.Error(err)
			}
		}
		if _, err := TallyFromJSON(state[:i]); !errors.Is(err, InvalidState) {
			t.Error(err)
		}
	}
}

func TestTranscriptsWithDamage(t *testing.T) {
	transcript := lines(t, "{\"a\":1}\n\n{\"b\n[3]\n{\"c\":\"say \\\"hi\\\"\"}\n{\"d\":\"x")
	kinds := []DamageKind{DamageBlank, DamageInvalidJSON, DamageNotAnObject, DamageTruncated}
	for i, d := range transcript.Damage() {
		if d.Kind != kinds[i] {
			t.Errorf("%+v", d)
		}
	}
	if all, err := transcript.Read(1, 6); err != nil || len(all) != 2 || all[1].Number != 5 {
		t.Errorf("%+v %v", all, err)
	}
	for _, r := range [][2]uint64{{0, 0}, {0, 1}, {1, 0}, {7, 7}, {1, 7}, {math.MaxUint64, math.MaxUint64}, {1, math.MaxUint64}} {
		if all, err := transcript.Read(r[0], r[1]); all != nil || !errors.Is(err, NoSuchMessage) {
			t.Errorf("%v: %v", r, err)
		}
		var e *Error
		if _, err := transcript.Array(r[0], r[1]); !errors.As(err, &e) || e.Code() != NoSuchMessage {
			t.Errorf("%v: %v", r, err)
		} else if last, ok := e.Available(); !ok || last != 6 {
			t.Errorf("%v: the last is %d", r, last)
		}
	}
	for _, reference := range []string{"", "message", "message 1 and more", torn} {
		if _, _, err := transcript.Resolve(reference); err == nil {
			t.Errorf("%q leads somewhere", reference)
		}
	}
	if first, last, err := transcript.Resolve("[messages 3–5]"); err != nil || first != 3 || last != 5 {
		t.Errorf("%d %d %v", first, last, err)
	}
	for message, code := range map[string]Code{"": InvalidJSON, "{": InvalidJSON, "{}{}": InvalidJSON, "[]": InvalidOption, torn: InvalidUTF8} {
		if _, err := transcript.Append([]byte(message)); !errors.Is(err, code) {
			t.Errorf("%q: %v", message, err)
		}
	}
	if n, err := transcript.Append([]byte("{\n\"e\": 1}")); err != nil || n != 7 || !strings.HasSuffix(transcript.JSONL(), "{\"e\":1}\n") {
		t.Errorf("%d %v", n, err)
	}
	_, err := transcript.Search("")
	names(t, err, InvalidOption, "needle")
	_, err = transcript.Search(strings.Repeat("x", 4097))
	names(t, err, LimitExceeded, "needle")
	_, err = transcript.Check(torn)
	names(t, err, InvalidUTF8, "text")
	if told, err := transcript.Check(`message 5: "say ", message 9`); err != nil || len(told) != 2 || !told[0].HasHolds || !told[0].Holds || told[1].Exists {
		t.Errorf("%+v %v", told, err)
	}
	_, err = TranscriptFromJSONL([]byte(torn))
	names(t, err, InvalidUTF8, "text")
	for _, bad := range []string{"", "{}", `{"haversack":"tally","version":1}`} {
		if _, err := TranscriptFromJSON([]byte(bad)); !errors.Is(err, InvalidState) {
			t.Error(err)
		}
	}
}

func TestFilesAreReadByTheirIndex(t *testing.T) {
	file := []byte("{\"a\":1}\n{\"b\xff\":2}\r\n{\"c\":3}")
	index := NewTranscriptIndex()
	if n, err := io.Copy(index, bytes.NewReader(file)); err != nil || n != int64(len(file)) || index.Last() != 3 {
		t.Error(n, err)
	}
	if n, err := index.Write(nil); n != 0 || err != nil || index.Length() != uint64(len(file)) {
		t.Error(n, err)
	}
	start, end, err := index.Range(2, 3)
	if err != nil || start != 8 || end != uint64(len(file)) {
		t.Error(start, end, err)
	}
	read, err := ReadLines(file[start:end], 2)
	if err != nil || len(read.Messages) != 1 || read.Messages[0] != (Message{3, `{"c":3}`}) || len(read.Damage) != 1 || read.Damage[0].Kind != DamageInvalidUTF8 {
		t.Errorf("%+v %v", read, err)
	}
	for _, r := range [][2]uint64{{0, 1}, {3, 2}, {4, 4}, {1, math.MaxUint64}} {
		if _, _, err := index.Range(r[0], r[1]); !errors.Is(err, NoSuchMessage) {
			t.Error(err)
		}
	}
	if read, err := ReadLines(nil, 1); err != nil || len(read.Messages)+len(read.Damage) != 0 {
		t.Errorf("%+v %v", read, err)
	}
	if read, err := ReadLines([]byte("{}\n{}\n"), math.MaxUint64); err != nil || read.Messages[1].Number != math.MaxUint64 {
		t.Errorf("%+v %v", read, err)
	}
}

func TestTiersThatCannotBe(t *testing.T) {
	h := history(t, chat)
	for _, steps := range []int{0, -1, math.MinInt} {
		_, err := TiersOf("", nil, h, WithRawSteps(steps))
		names(t, err, InvalidOption, "raw_steps")
	}
	for _, pin := range []int{-1, 7, math.MaxInt, math.MinInt} {
		_, err := TiersOf("", nil, h, WithPinned(0, pin))
		names(t, err, InvalidOption, "pinned")
	}
	_, err := TiersOf(torn, nil, h)
	names(t, err, InvalidUTF8, "invariant")
	_, err = TiersOf("", nil, h, WithLedgerBudget(Chars(-1)))
	names(t, err, InvalidOption, "chars")
	_, err = TiersOf("", NewLedger(), h, WithLedgerBudget(Chars(1)))
	if !errors.Is(err, BudgetTooSmall) {
		t.Error(err)
	}
	tiers, err := TiersOf("never delete", NewLedger(), h, WithRawSteps(math.MaxInt), WithPinned())
	if err != nil || tiers.Working != chat || len(tiers.Kept) != 7 || !tiers.Ledger.Complete {
		t.Errorf("%+v %v", tiers, err)
	}
}

func TestHandoffsFromManyGoroutines(t *testing.T) {
	h, fleet, tally, transcript, index := parsed(t, foundPort), NewFleet(), NewTally(), NewTranscript(), NewTranscriptIndex()
	ledger, talk := NewLedger(), history(t, chat)
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := 0; j < 20; j++ {
				_, appending := transcript.Append([]byte("{}"))
				_, writing := index.Write([]byte("{}\n"))
				_, sources := h.Unresolved(transcript, nil, nil)
				_, render := h.Render(WithBudget(Tokens(60, CounterFunc(words))))
				_, recording := ledger.Record("k", "v")
				_, tiers := TiersOf("", ledger, talk, WithLedgerBudget(Tokens(600, CounterFunc(words))))
				_, reading := transcript.Read(1, transcript.Last())
				for _, err := range []error{
					appending, writing, sources, render, recording, tiers, reading, fleet.Add(h), tally.Seen("k", true),
					tally.Add(BoundaryHandoff, fleet.Account(), false),
				} {
					if err != nil {
						t.Error(err)
					}
				}
				runtime.GC()
			}
		}()
	}
	wait.Wait()
	sums, _ := tally.Sums(BoundaryHandoff)
	if transcript.Last() != 160 || index.Last() != 160 || fleet.Total() != 160 || sums.Calls != 160 {
		t.Error("something was lost")
	}
}

// Texts without a character come out of C while the stack grows, again and again.
func TestEmptyTextsWhileTheStackGrows(t *testing.T) {
	transcript := NewTranscript()
	var deep func(int) string
	deep = func(n int) string {
		if n == 0 {
			return ""
		}
		return deep(n-1) + transcript.JSONL()
	}
	for i := 0; i < 50; i++ {
		done := make(chan string)
		go func() { done <- deep(200) }()
		if text := <-done; text != "" {
			t.Error(text)
		}
	}
}
