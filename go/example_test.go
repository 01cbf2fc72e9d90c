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
