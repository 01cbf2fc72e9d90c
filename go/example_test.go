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
	counter := func(text string) (int, error) { return len(strings.Fields(text)), nil }
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
