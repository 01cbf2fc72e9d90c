package haversack

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var hostileLog = []byte(strings.Repeat("a line of the log\n", 2000))

// The error of a call names the argument.
func names(t *testing.T, err error, code Code, argument string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code() != code || e.Argument() != argument {
		t.Errorf("%v is not %v of %s", err, code, argument)
	}
}

func TestNumbersThatCannotBe(t *testing.T) {
	for _, n := range []int{-1, math.MinInt} {
		for _, budget := range []Budget{Bytes(n), Chars(n), UTF16(n)} {
			_, err := Deliver(hostileLog, budget)
			names(t, err, InvalidOption, budget.unit.String())
		}
		_, err := Page(hostileLog, Chars(90), WithStart(n))
		names(t, err, InvalidOption, "start")
		_, err = Page(hostileLog, Chars(90), WithLines(n))
		names(t, err, InvalidOption, "lines")
		_, err = Find(hostileLog, "x", Chars(90), WithContext(n))
		names(t, err, InvalidOption, "context")
		_, err = Find(hostileLog, "x", Chars(90), WithLimit(n))
		names(t, err, InvalidOption, "limit")
		var limits Limits
		limits.Depth = n
		for _, call := range []func() error{
			func() error { _, err := Deliver(hostileLog, Chars(90), WithLimits(limits)); return err },
			func() error { _, err := Page(hostileLog, Chars(90), WithLimits(limits)); return err },
			func() error { _, err := Find(hostileLog, "x", Chars(90), WithLimits(limits)); return err },
		} {
			names(t, call(), InvalidOption, "limits")
		}
		_, err = Offload(hostileLog, "c", WithOver(Chars(n)))
		names(t, err, InvalidOption, "chars")
	}
	d, err := Page(hostileLog, Bytes(math.MaxInt), WithLines(math.MaxInt))
	if err != nil || d.Account().Records.Kept != 2000 {
		t.Errorf("a budget above every machine is no limit: %v", err)
	}
	if _, err := Find(hostileLog, "line", Bytes(math.MaxInt), WithContext(math.MaxInt), WithLimit(math.MaxInt)); err != nil {
		t.Error(err)
	}
}

func TestChoicesThatAreNone(t *testing.T) {
	for argument, option := range map[string]DeliverOption{
		"format": WithFormat(99), "share": WithShare(99), "keep": WithKeep(math.MaxUint32), "oversize": WithOversize(9),
		"envelope": WithEnvelope(9), "on_invalid": WithOnInvalid(9), "ansi": WithANSI(9), "source": WithSource(9),
		"notice": WithNotice(9),
	} {
		_, err := Deliver(hostileLog, Chars(90), option)
		names(t, err, InvalidOption, argument)
	}
	_, err := Deliver(hostileLog, Budget{})
	names(t, err, InvalidOption, "unit")
	_, err = Deliver(hostileLog, Tokens(90, nil))
	names(t, err, InvalidOption, "counter")
	_, err = Deliver(hostileLog, Tokens(90, CounterNamed("no such counter")))
	names(t, err, InvalidOption, "counter")
}

func TestTextsThatAreNone(t *testing.T) {
	bad := "a\xffb"
	for argument, option := range map[string]DeliverOption{
		"cursor": WithCursor(bad), "reader": WithReader(bad), "hint": WithHint(bad), "sort_by": WithSortBy(bad),
		"select": WithSelect("/a", bad), "priority": WithPriority(bad), "prefer": WithPrefer(bad),
	} {
		_, err := Deliver(hostileLog, Chars(90), option)
		names(t, err, InvalidUTF8, argument)
	}
	_, err := Find(hostileLog, bad, Chars(90))
	names(t, err, InvalidUTF8, "needle")
	if d, err := Find([]byte("a\x00b\n"), "\x00", Chars(90)); err != nil || d.Account().Records.Total != 1 {
		t.Errorf("NUL is text: %v", err)
	}
	if d, err := Deliver(nil, Chars(90)); err != nil || d.Text() != "(no output)" {
		t.Errorf("nothing is no output: %v", err)
	}
}

func TestCountersThatMisbehave(t *testing.T) {
	mine := errors.New("mine")
	for _, counter := range []CounterFunc{
		func(string) (int, error) { panic("a panic") },
		func(string) (int, error) { panic(mine) },
		func(string) (int, error) { var m map[string]int; m["x"] = 1; return 1, nil },
		func(string) (int, error) { return -1, nil },
		func(string) (int, error) { return math.MinInt, nil },
		func(string) (int, error) { return math.MaxInt, nil },
		func(string) (int, error) { return 1<<53 + 1, nil },
		func(string) (int, error) { return 1, mine },
	} {
		table := NewOffloads()
		for _, call := range []func() error{
			func() error { _, err := Deliver(hostileLog, Tokens(90, counter)); return err },
			func() error { _, err := Page(hostileLog, Tokens(90, counter)); return err },
			func() error { _, err := Find(hostileLog, "line", Tokens(90, counter)); return err },
			func() error { _, err := Measure("text", Tokens(90, counter)); return err },
			func() error { _, err := Offload(hostileLog, "c", WithOver(Tokens(90, counter))); return err },
			func() error { _, err := table.Prepare(hostileLog, "c", WithOver(Tokens(90, counter))); return err },
		} {
			if err := call(); !errors.Is(err, CounterFailed) {
				t.Errorf("%v is no failure of the counter", err)
			}
		}
		if len(table.Entries()) != 0 {
			t.Error("a failure left something in the table")
		}
	}
}

func TestACounterThatCallsBack(t *testing.T) {
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			d, err := Deliver(hostileLog, Tokens(500, CounterFunc(func(text string) (int, error) {
				runtime.GC()
				inner, err := Deliver([]byte(text), Bytes(1<<30))
				if err != nil {
					return 0, err
				}
				return inner.Size(), nil
			})))
			if err != nil || d.Size() > 500 {
				t.Errorf("%v", err)
			}
		}()
	}
	wait.Wait()
}
