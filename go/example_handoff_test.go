package haversack_test

import (
	"bytes"
	"fmt"
	"io"

	haversack "github.com/haversack/haversack/go"
)

// A worker that found nothing, one that said nothing and one that was stopped are told apart.
func ExampleParseHandoff() {
	fleet := haversack.NewFleet()
	for _, answer := range []string{
		`{"kind":"findings","findings":[{"text":"Port 8080 is open.","sources":["message 2"]}]}`,
		`{"kind":"empty","looked":["orders.csv"]}`, "", "All good!",
	} {
		handoff, err := haversack.ParseHandoff([]byte(answer))
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := fleet.Add(handoff); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(handoff.Kind(), handoff.IsAnswer())
	}
	fmt.Println(fleet.Total(), fleet.Count(haversack.HandoffEmpty), fleet.Count(haversack.HandoffSilent))
	// Output:
	// findings true
	// empty true
	// silent false
	// uncheckable false
	// 4 1 1
}

// The sources of a finding lead to messages; words that a summary quotes are held against them.
func ExampleTranscript() {
	transcript := haversack.NewTranscript()
	for _, message := range []string{
		`{"role":"user","content":"Which port?"}`, `{"role":"assistant","content":"Port 8080."}`,
	} {
		if _, err := transcript.Append([]byte(message)); err != nil {
			fmt.Println(err)
			return
		}
	}
	told, err := transcript.Check(`The port is open (message 2: "Port 8080."), see message 9.`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range told {
		fmt.Println(r.First, r.Exists, r.HasHolds && r.Holds)
	}
	handoff, err := haversack.ParseHandoff([]byte(`{"kind":"findings","findings":[{"text":"a","sources":["message 2","message 9"]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	open, err := handoff.Unresolved(transcript, nil, nil)
	fmt.Println(open, err)
	// Output:
	// 2 true true
	// 9 false false
	// [{0 message 9}] <nil>
}

// One line of a file that is not loaded.
func ExampleTranscriptIndex() {
	file := bytes.NewReader([]byte("{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n"))
	index := haversack.NewTranscriptIndex()
	if _, err := io.Copy(index, file); err != nil {
		fmt.Println(err)
		return
	}
	start, end, err := index.Range(2, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	piece := make([]byte, end-start)
	if _, err := file.ReadAt(piece, int64(start)); err != nil {
		fmt.Println(err)
		return
	}
	lines, err := haversack.ReadLines(piece, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(index.Last(), lines.Messages)
	// Output: 3 [{2 {"b":2}}]
}

// The books of a run say what is lost, and what can still be fetched.
func ExampleTally() {
	tally := haversack.NewTally()
	d, err := haversack.Deliver(records(200), haversack.Chars(400))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := tally.Add(haversack.BoundaryDelivery, d.Account(), true); err != nil {
		fmt.Println(err)
		return
	}
	sums, _ := tally.Sums(haversack.BoundaryDelivery)
	fmt.Println(sums.Records.Total, sums.Recoverable == sums.Records.Omitted, sums.Lost)
	// Output: 200 true 0
}

// A request of a long run: what never changes, the facts, and the last steps.
func ExampleTiersOf() {
	ledger := haversack.NewLedger()
	if _, err := ledger.Record("deadline", "2031-06-01", haversack.From("user")); err != nil {
		fmt.Println(err)
		return
	}
	history, err := haversack.ParseHistory([]byte(`[{"role":"system","content":"rules"},{"role":"user","content":"one"},
		{"role":"assistant","content":"1"},{"role":"user","content":"two"},{"role":"assistant","content":"2"},{"role":"user","content":"three"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	tiers, err := haversack.TiersOf("Never delete.", ledger, history, haversack.WithRawSteps(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tiers.Invariant)
	fmt.Println(tiers.Ledger.Text)
	fmt.Println(tiers.Kept)
	// Output:
	// Never delete.
	// # Facts
	// - "deadline": "2031-06-01" (fact, user)
	// [0 4 5]
}

// The files that a session leaves for the next one.
func ExampleSessionFiles() {
	files, err := haversack.SessionFiles("2031-06-01", "ship it", nil,
		haversack.WithDone("parser"), haversack.WithFeatures(haversack.Feature{Name: "login", Passes: true}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, file := range files[:2] {
		fmt.Printf("%s:\n%s\n", file.Name, file.Text)
	}
	// Output:
	// progress.md:
	// # Progress, 2031-06-01
	//
	// ## Goal
	// - "ship it"
	//
	// ## Done
	// - "parser"
	//
	// ## Next
	// none
	//
	// ## Features
	// - [x] "login"
	//
	// # Facts
	// none recorded yet
	//
	// features.json:
	// [{"name":"login","passes":true}]
}
