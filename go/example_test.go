package haversack_test

import (
	"errors"
	"fmt"
	"strings"

	haversack "github.com/haversack/haversack/go"
)

func records(n int) []byte {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d}`, i)
	}
	return []byte("[" + strings.Join(rows, ",") + "]")
}

func ExampleDeliver() {
	d, err := haversack.Deliver(records(3), haversack.Chars(6000))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Text(), d.Complete(), d.Account().Records.Total)
	// Output: [{"id":0},{"id":1},{"id":2}] true 3
}

func ExampleDeliver_tooSmall() {
	_, err := haversack.Deliver(records(3), haversack.Chars(1))
	var e *haversack.Error
	if errors.As(err, &e) && e.Code() == haversack.BudgetTooSmall {
		available, _ := e.Available()
		fmt.Println(e.Kind(), available, e.Unit())
	}
	// Output: budget_too_small 1 chars
}

func ExamplePages_All() {
	pages, kept := 0, uint64(0)
	// From Go 1.23: for d, err := range haversack.PagesOf(…).All() { … }
	haversack.PagesOf(records(100), haversack.Chars(300)).All()(func(d *haversack.Delivery, err error) bool {
		if err != nil {
			fmt.Println(err)
			return false
		}
		pages++
		kept += d.Account().Records.Kept
		return true
	})
	fmt.Println(pages > 3, kept)
	// Output: true 100
}

func ExampleTokens() {
	counter := haversack.CounterFunc(func(text string) (int, error) { return len(strings.Fields(text)), nil })
	d, err := haversack.Deliver([]byte("one two three"), haversack.Tokens(10, counter))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Size(), d.Unit())
	// Output: 3 tokens
}

// A call without its result is found, answered, and the front of the history goes.
func ExampleHistory() {
	messages := `[{"role":"system","content":"Be brief."},
		{"role":"user","content":"Weather in Oslo?"},
		{"role":"assistant","content":null,"tool_calls":[
			{"id":"c1","type":"function","function":{"name":"weather","arguments":"{}"}}]},
		{"role":"user","content":"And in Bergen?"},
		{"role":"assistant","content":"It rains."},
		{"role":"user","content":"Thanks."}]`
	history, err := haversack.ParseHistory([]byte(messages))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := history.Violations(true)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range found {
		fmt.Println(v.Kind, v.Path, v.ID)
	}
	repair, err := history.Repair(haversack.WithSending())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range repair.Changes {
		fmt.Println(change.Action, "for", change.Violation)
	}
	repaired, err := haversack.ParseHistory([]byte(repair.Text))
	if err != nil {
		fmt.Println(err)
		return
	}
	cut, err := repaired.CutMessages(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cut.Kept, cut.Text)
	// Output:
	// missing_result /2/tool_calls/0 c1
	// synthesise for missing_result
	// [0 4 5 6] [{"role":"system","content":"Be brief."},{"role":"user","content":"And in Bergen?"},{"role":"assistant","content":"It rains."},{"role":"user","content":"Thanks."}]
}

// The clock in an early piece breaks the cache for everything behind it.
func ExampleCompare() {
	snapshot := func(clock string) (*haversack.Snapshot, error) {
		p := haversack.NewPrompt()
		for _, piece := range [][2]string{{"rules", "Be brief."}, {"clock", clock}, {"handbook", strings.Repeat("A rule. ", 100)}} {
			if err := p.Add(piece[0], piece[1], haversack.WithLayer(haversack.LayerStatic)); err != nil {
				return nil, err
			}
		}
		return p.Snapshot()
	}
	previous, err := snapshot("Now: 10:15:59")
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := snapshot("Now: 10:16:00")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := haversack.Compare(previous, next)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Verdict, c.Piece, c.AtByte, c.Cause, c.KeptBytes, c.LostBytes)
	// Output: changed clock 9 volatile 18 804
}

// A change of memory costs a note and not the cache.
func ExampleFrozen() {
	frozen, err := haversack.NewFrozen(haversack.Section{Name: "memory", Text: "likes: tea\ncity: Oslo"})
	if err != nil {
		fmt.Println(err)
		return
	}
	note, err := frozen.Update("memory", "likes: tea\ncity: Bergen")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := frozen.Text("memory")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(note.Version, strings.Contains(note.Text, "city: Bergen"), strings.Contains(text, "city: Oslo"))
	fmt.Println(frozen.Fold(), len(frozen.Notes())) // at a compaction
	// Output:
	// 2 true true
	// [memory] 0
}

// Where the marks of a request belong, and what the next one reads from the cache.
func ExamplePredict() {
	body := func(messages string) []byte {
		return []byte(`{"model":"claude-sonnet-4-5","system":"` + strings.Repeat("Be kind. ", 1000) + `","messages":[` + messages + `]}`)
	}
	plan, err := haversack.CacheMarksOf(body(`{"role":"user","content":"hi"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, mark := range plan.Marks {
		fmt.Println(mark.Reason, mark.Pointer)
	}
	next, err := haversack.CacheMarksOf(body(`{"role":"user","content":"hi"},{"role":"assistant","content":"ho"},{"role":"user","content":"on"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := haversack.Predict([]byte(plan.Text), []byte(next.Text), haversack.CounterNamed("estimate"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Reason, p.Cached > 1024, p.Fresh)
	// Output:
	// system /system
	// tail /messages/0/content
	// hit true 0
}
