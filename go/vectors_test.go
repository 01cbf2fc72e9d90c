package haversack

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

const vectors = "../tests/vectors"

type testCase struct {
	Name    string                     `json:"name"`
	Op      string                     `json:"op"`
	Input   json.RawMessage            `json:"input"`
	Options map[string]json.RawMessage `json:"options"`
	Counter json.RawMessage            `json:"counter"` // of the operation "count"
	Expect  map[string]any             `json:"expect"`
}

// Every shared case through the typed calls of this package: each option by its own function, the answer compared as
// JSON and part by part, and no option of the list left out.
func TestVectors(t *testing.T) {
	covered := map[string]int{}
	ran, skipped := 0, 0
	err := filepath.WalkDir(vectors, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var cases []testCase
		if err := decode(text, &cases); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, c := range cases {
			if lacksCounter(c) {
				skipped++
				continue
			}
			ran++
			t.Run(c.Op+"/"+c.Name, func(t *testing.T) { runCase(t, c, covered) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var options []string
	for _, name := range []string{"/OPTIONS.txt", "/state/OPTIONS.txt"} {
		list, err := os.ReadFile(vectors + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, option := range strings.Fields(string(list)) {
			if covered[option] == 0 {
				t.Errorf("no case sets %s", option)
			}
			options = append(options, fmt.Sprintf("%s=%d", option, covered[option]))
		}
	}
	if ran == 0 {
		t.Error("no case ran")
	}
	fmt.Printf("ran %d cases (%d skipped: without exact counters), options covered: %s\n", ran, skipped, strings.Join(options, " "))
}

func runCase(t *testing.T, c testCase, covered map[string]int) {
	input := build(t, c.Input)
	for option := range c.Options {
		covered[c.Op+"."+option]++
	}
	switch c.Op {
	case "deliver":
		d, err := Deliver(input, budget(t, c.Options), deliverOptionsOf(t, c.Options)...)
		judge(t, c, d, err)
	case "page":
		d, err := Page(input, budget(t, c.Options), pageOptionsOf(t, c.Options)...)
		judge(t, c, d, err)
	case "find":
		d, err := Find(input, get[string](t, c.Options["needle"]), budget(t, c.Options), findOptionsOf(t, c.Options)...)
		judge(t, c, d, err)
	case "count":
		n, err := Measure(string(input), Tokens(0, CounterNamed(get[string](t, c.Counter))))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "count", n, c.Expect["count"])
	case "offload":
		same(t, "answer", runOffload(t, input, c.Options), c.Expect)
	case "readback":
		d, err := runReadback(t, input, c.Options)
		judge(t, c, d, err)
	case "offloads":
		answers := []any{}
		table := NewOffloads()
		for _, step := range get[[]map[string]json.RawMessage](t, c.Options["steps"]) {
			answers = append(answers, runStep(t, &table, step))
		}
		same(t, "answer", object{"answer": answers}, c.Expect)
	case "check", "repair", "safe_cuts", "cut":
		judgeHistory(t, c, input)
	default:
		judgePrompt(t, c, input)
	}
}

// Numbers stay text, so that nothing is rounded.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func get[T any](t *testing.T, raw json.RawMessage) T {
	var value T
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatalf("%s: %s", raw, err)
	}
	return value
}

func build(t *testing.T, raw json.RawMessage) []byte {
	if raw[0] == '"' {
		return []byte(get[string](t, raw))
	}
	input := get[struct {
		Hex                           *string
		Repeat                        *string
		Times                         int
		Rows                          *int
		Template, Join, Before, After string
		Concat                        []json.RawMessage
	}](t, raw)
	var out []byte
	switch {
	case input.Hex != nil:
		decoded, err := hex.DecodeString(strings.ReplaceAll(*input.Hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		out = decoded
	case input.Repeat != nil:
		out = bytes.Repeat([]byte(*input.Repeat), input.Times)
	case input.Rows != nil:
		rows := make([]string, *input.Rows)
		for i := range rows {
			rows[i] = strings.ReplaceAll(input.Template, "$i", strconv.Itoa(i))
		}
		out = []byte(input.Before + strings.Join(rows, input.Join) + input.After)
	default:
		for _, part := range input.Concat {
			out = append(out, build(t, part)...)
		}
	}
	return out
}

// Runs of ASCII letters, digits, _ and bytes from 0x80 up give one token per started 6 bytes, ASCII white space gives
// none, every other byte is one token.
func words(text string) (int, error) {
	tokens, run := 0, 0
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b >= 0x80 || b == '_' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' {
			if run%6 == 0 {
				tokens++
			}
			run++
			continue
		}
		run = 0
		if b != ' ' && (b < '\t' || b > '\r') {
			tokens++
		}
	}
	return tokens, nil
}

func lacksCounter(c testCase) bool {
	var name string
	for _, raw := range []json.RawMessage{c.Options["counter"], c.Counter} {
		if raw != nil {
			_ = json.Unmarshal(raw, &name)
		}
	}
	if name != "o200k_base" && name != "cl100k_base" {
		return false
	}
	_, err := Measure("x", Tokens(1, CounterNamed(name)))
	return err != nil
}

func budget(t *testing.T, options map[string]json.RawMessage) Budget {
	for name, raw := range options {
		switch name {
		case "bytes":
			return Bytes(get[int](t, raw))
		case "chars":
			return Chars(get[int](t, raw))
		case "utf16":
			return UTF16(get[int](t, raw))
		case "tokens":
			if counter := get[string](t, options["counter"]); counter != "words" {
				return Tokens(get[int](t, raw), CounterNamed(counter))
			}
			return Tokens(get[int](t, raw), CounterFunc(words))
		}
	}
	return Budget{}
}

// The value of a name; a name that is none gives a number that the library refuses.
func oneOf[T ~uint32](t *testing.T, raw json.RawMessage, choices map[string]T) T {
	if value, known := choices[get[string](t, raw)]; known {
		return value
	}
	return T(999)
}

var (
	formats    = map[string]Format{"auto": FormatAuto, "json": FormatJSON, "ndjson": FormatNDJSON, "csv": FormatCSV, "tsv": FormatTSV, "lines": FormatLines}
	shares     = map[string]Share{"fair": ShareFair, "proportional": ShareProportional, "in_order": ShareInOrder}
	keeps      = map[string]Keep{"head": KeepHead, "tail": KeepTail, "both": KeepBoth}
	oversizes  = map[string]Oversize{"shrink": OversizeShrink, "skip": OversizeSkip, "error": OversizeError}
	envelopes  = map[string]Envelope{"when_cut": EnvelopeWhenCut, "always": EnvelopeAlways}
	onInvalids = map[string]OnInvalid{"error": OnInvalidError, "lines": OnInvalidLines, "salvage": OnInvalidSalvage}
	ansis      = map[string]ANSI{"keep": ANSIKeep, "strip": ANSIStrip}
	sources    = map[string]Source{"kept": SourceKept, "gone": SourceGone}
	notices    = map[string]Notice{"text": NoticeText, "none": NoticeNone}
)

func deliverOptionsOf(t *testing.T, options map[string]json.RawMessage) []DeliverOption {
	var all []DeliverOption
	for name, raw := range options {
		var option DeliverOption
		switch name {
		case "bytes", "chars", "utf16", "tokens", "counter":
			continue
		case "format":
			option = WithFormat(oneOf(t, raw, formats))
		case "select":
			option = WithSelect(get[[]string](t, raw)...)
		case "sort_by":
			option = WithSortBy(get[string](t, raw))
		case "descending":
			option = WithDescending(get[bool](t, raw))
		case "share":
			option = WithShare(oneOf(t, raw, shares))
		case "priority":
			option = WithPriority(get[[]string](t, raw)...)
		case "keep":
			option = WithKeep(oneOf(t, raw, keeps))
		case "oversize":
			option = WithOversize(oneOf(t, raw, oversizes))
		case "envelope":
			option = WithEnvelope(oneOf(t, raw, envelopes))
		case "cursor":
			option = WithCursor(get[string](t, raw))
		case "reader":
			option = WithReader(get[string](t, raw))
		case "hint":
			option = WithHint(get[string](t, raw))
		case "nested":
			option = WithNested(get[bool](t, raw))
		case "on_invalid":
			option = WithOnInvalid(oneOf(t, raw, onInvalids))
		case "prefer":
			option = WithPrefer(get[[]string](t, raw)...)
		case "ansi":
			option = WithANSI(oneOf(t, raw, ansis))
		case "collapse":
			option = WithCollapse(get[bool](t, raw))
		case "source":
			option = WithSource(oneOf(t, raw, sources))
		case "notice":
			option = WithNotice(oneOf(t, raw, notices))
		case "earlier":
			option = WithEarlier(accountOf(t, raw))
		case "limits":
			option = WithLimits(limitsOf(t, raw))
		default:
			t.Errorf("unknown option %s", name)
			continue
		}
		all = append(all, option)
	}
	return all
}

func pageOptionsOf(t *testing.T, options map[string]json.RawMessage) []PageOption {
	var all []PageOption
	for name, raw := range options {
		switch name {
		case "bytes", "chars", "utf16", "tokens", "counter":
		case "start":
			all = append(all, WithStart(get[int](t, raw)))
		case "lines":
			all = append(all, WithLines(get[int](t, raw)))
		case "at":
			all = append(all, WithAt(get[string](t, raw)))
		case "cursor":
			all = append(all, WithCursor(get[string](t, raw)))
		case "reader":
			all = append(all, WithReader(get[string](t, raw)))
		case "hint":
			all = append(all, WithHint(get[string](t, raw)))
		case "limits":
			all = append(all, WithLimits(limitsOf(t, raw)))
		default:
			t.Errorf("unknown option %s", name)
		}
	}
	return all
}

func findOptionsOf(t *testing.T, options map[string]json.RawMessage) []FindOption {
	var all []FindOption
	for name, raw := range options {
		switch name {
		case "bytes", "chars", "utf16", "tokens", "counter", "needle":
		case "context":
			all = append(all, WithContext(get[int](t, raw)))
		case "limit":
			all = append(all, WithLimit(get[int](t, raw)))
		case "at":
			all = append(all, WithAt(get[string](t, raw)))
		case "cursor":
			all = append(all, WithCursor(get[string](t, raw)))
		case "reader":
			all = append(all, WithReader(get[string](t, raw)))
		case "hint":
			all = append(all, WithHint(get[string](t, raw)))
		case "limits":
			all = append(all, WithLimits(limitsOf(t, raw)))
		default:
			t.Errorf("unknown option %s", name)
		}
	}
	return all
}

func offloadOptionsOf(t *testing.T, options map[string]json.RawMessage) []OffloadOption {
	var all []OffloadOption
	for name, raw := range options {
		switch name {
		case "call_id", "location", "do", "input", "tool", "arguments", "stored", "bytes", "chars", "utf16", "tokens", "counter":
		case "over":
			all = append(all, WithOver(budget(t, get[map[string]json.RawMessage](t, raw))))
		case "preview":
			all = append(all, WithPreview(budget(t, get[map[string]json.RawMessage](t, raw))))
		case "format":
			all = append(all, WithFormat(oneOf(t, raw, formats)))
		case "preview_keep":
			all = append(all, WithPreviewKeep(oneOf(t, raw, keeps)))
		case "reader":
			all = append(all, WithReader(get[string](t, raw)))
		case "hint":
			all = append(all, WithHint(get[string](t, raw)))
		default:
			t.Errorf("unknown option %s", name)
		}
	}
	return all
}

// The answer as the library writes it, which must be that of its parts.
func both(t *testing.T, whole []byte, parts object) any {
	var answer any
	if err := decode(whole, &answer); err != nil {
		t.Fatal(err)
	}
	same(t, "parts", parts, answer)
	return answer
}

func pointerParts(p *Pointer) object {
	account := countsParts(p.Account.Records)
	account["bytes"] = countsParts(p.Account.Bytes)
	return object{
		"text": orNull(p.Text), "reason": p.Reason.String(), "size": p.Size, "saved": p.Saved, "unit": p.Unit.String(),
		"account": account,
	}
}

// A preview may be empty and still be there, which the key decides.
func previewOf(key, preview string) any {
	if key == "" {
		return nil
	}
	return preview
}

func keepName(keep Keep) string {
	for name, k := range keeps {
		if k == keep {
			return name
		}
	}
	return ""
}

func runOffload(t *testing.T, input []byte, options map[string]json.RawMessage) object {
	o, err := Offload(input, get[string](t, options["call_id"]), offloadOptionsOf(t, options)...)
	if err != nil {
		return object{"error": errorParts(t, err)}
	}
	whole, err := o.JSON()
	if err != nil {
		t.Fatal(err)
	}
	p := o.Policy
	answer := both(t, whole, object{
		"action": o.Action.String(), "reason": o.Reason.String(), "key": orNull(o.Key), "size": o.Size,
		"unit": p.Unit.String(), "bytes": o.Bytes, "sha256": orNull(o.SHA256), "format": orNull(o.Format.String()),
		"at": orNull(o.At), "preview": previewOf(o.Key, o.Preview),
		"policy": object{
			"over": p.Over, "unit": p.Unit.String(), "preview": p.Preview, "preview_unit": p.PreviewUnit.String(),
			"preview_keep": keepName(p.PreviewKeep),
		},
	})
	if location, given := options["location"]; given {
		pointer, err := o.Pointer(get[string](t, location))
		if err != nil {
			return object{"error": errorParts(t, err)}
		}
		answer.(object)["pointer"] = both(t, pointer.JSON(), pointerParts(pointer))
	}
	return object{"answer": answer}
}

// Offloads the payload, lets the model's call name its key, and answers it from the store.
func runReadback(t *testing.T, input []byte, options map[string]json.RawMessage) (*Delivery, error) {
	table := NewOffloads()
	prepared, err := table.Prepare(input, get[string](t, options["call_id"]), offloadOptionsOf(t, options)...)
	if err != nil {
		return nil, err
	}
	var over Budget
	if raw, given := options["over"]; given {
		over = budget(t, get[map[string]json.RawMessage](t, raw))
	}
	if _, err := table.Commit(prepared.Key, "stored/1", over.counter); err != nil {
		return nil, err
	}
	arguments := strings.ReplaceAll(get[string](t, options["arguments"]), "$KEY", prepared.Key)
	request, err := Readback{}.Request(table, get[string](t, options["tool"]), []byte(arguments))
	if err != nil {
		return nil, err
	}
	if request.Key != prepared.Key || request.Location != "stored/1" {
		t.Errorf("a request for %s at %s", request.Key, request.Location)
	}
	stored := input
	if raw, given := options["stored"]; given {
		stored = build(t, raw)
	}
	return request.Answer(stored, budget(t, options))
}

func runStep(t *testing.T, table **Offloads, step map[string]json.RawMessage) object {
	text := func(name string) string { return get[string](t, step[name]) }
	var answer any
	var err error
	switch what := text("do"); what {
	case "prepare":
		var p *Prepared
		if p, err = (*table).Prepare(build(t, step["input"]), text("call_id"), offloadOptionsOf(t, step)...); err == nil {
			answer = both(t, p.JSON(), object{
				"action": p.Action.String(), "reason": p.Reason.String(), "key": orNull(p.Key), "text": orNull(p.Text),
			})
		}
	case "commit":
		var p *Pointer
		if p, err = (*table).Commit(text("key"), text("location"), nil); err == nil {
			answer = both(t, p.JSON(), pointerParts(p))
		}
	case "refuse":
		err = (*table).Refuse(text("key"), text("reason"))
	case "exempt":
		err = (*table).Exempt(text("call_id"))
	case "verify":
		err = (*table).Verify(text("key"), build(t, step["input"]))
	case "state", "reload":
		whole, failed := (*table).JSON()
		if failed != nil {
			t.Fatal(failed)
		}
		if what == "reload" {
			*table, err = OffloadsFromJSON(whole)
			break
		}
		if err := decode(whole, &answer); err != nil {
			t.Fatal(err)
		}
		wanted := answer.(object)["entries"].([]any)
		for i, e := range (*table).Entries() {
			if found, there := (*table).Lookup(e.Key); !there || found != e {
				t.Errorf("%s is not found", e.Key)
			}
			w := wanted[i].(object)
			same(t, "entry", []any{e.Key, e.CallID, e.SHA256, e.Bytes, e.Size, e.Format.String(), orNull(e.At), e.Preview, orNull(e.Location), orNull(e.Refused)},
				[]any{w["key"], w["call_id"], w["sha256"], w["bytes"], w["size"], w["format"], w["at"], w["preview"], w["location"], w["reason"]})
		}
	case "load":
		var loaded *Offloads
		if loaded, err = OffloadsFromJSON([]byte(text("state"))); err == nil {
			*table = loaded
		}
	default:
		t.Errorf("unknown step %s", what)
	}
	if err != nil {
		return object{"error": errorParts(t, err)}
	}
	return object{"answer": answer}
}

// The counts of the records stand beside the others, as in an answer, or under "records".
func accountOf(t *testing.T, raw json.RawMessage) Account {
	given := get[struct {
		Counts
		Records       *Counts
		Bytes         Counts
		FieldsRemoved uint64 `json:"fields_removed"`
		Claimed       *Counts
	}](t, raw)
	account := Account{Records: given.Counts, Bytes: given.Bytes, FieldsRemoved: given.FieldsRemoved, Claimed: given.Claimed}
	if given.Records != nil {
		account.Records = *given.Records
	}
	return account
}

func limitsOf(t *testing.T, raw json.RawMessage) Limits {
	var limits Limits
	for name, n := range get[map[string]int](t, raw) {
		if n == 0 {
			n = LimitZero
		}
		switch name {
		case "depth":
			limits.Depth = n
		case "nested_strings":
			limits.NestedStrings = n
		case "notice_pointer":
			limits.NoticePointer = n
		case "entries":
			limits.Entries = n
		case "entry_bytes":
			limits.EntryBytes = n
		case "needle_bytes":
			limits.NeedleBytes = n
		default:
			t.Errorf("unknown limit %s", name)
		}
	}
	return limits
}

func judge(t *testing.T, c testCase, d *Delivery, err error) {
	if err != nil {
		if d != nil {
			t.Error("a delivery beside an error")
		}
		same(t, "error", errorParts(t, err), c.Expect["error"])
		return
	}
	text, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var answer any
	if err := decode(text, &answer); err != nil {
		t.Fatal(err)
	}
	same(t, "answer", answer, c.Expect["answer"])
	same(t, "parts", parts(d), c.Expect["answer"])
}

func same(t *testing.T, what string, got, expected any) {
	// Through JSON and back, so that numbers and strings have the types of what was read.
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var read any
	if err := decode(text, &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read, expected) {
		want, _ := json.Marshal(expected)
		t.Errorf("%s is %s, not %s", what, text, want)
	}
}

type object = map[string]any

func countsParts(n Counts) object {
	return object{"total": n.Total, "kept": n.Kept, "shrunk": n.Shrunk, "offloaded": n.Offloaded, "omitted": n.Omitted}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// The answer put together from its parts: must be what the library writes itself.
func parts(d *Delivery) object {
	account := countsParts(d.Account().Records)
	account["bytes"] = countsParts(d.Account().Bytes)
	account["fields_removed"] = d.Account().FieldsRemoved
	account["claimed"] = nil
	if d.Account().Claimed != nil {
		account["claimed"] = countsParts(*d.Account().Claimed)
	}
	lists, warnings, plan := []any{}, []any{}, []any{}
	for _, l := range d.Lists() {
		list := countsParts(l.Records)
		list["pointer"], list["bytes"], list["next"] = l.Pointer, countsParts(l.Bytes), orNull(l.Next)
		lists = append(lists, list)
	}
	for _, w := range d.Warnings() {
		warning := object{"kind": w.Kind.String(), "offset": nil, "subject": w.Subject}
		if w.HasOffset {
			warning["offset"] = w.Offset
		}
		warnings = append(warnings, warning)
	}
	for _, r := range d.Plan() {
		plan = append(plan, object{
			"list": r.List, "from": r.From, "to": r.To, "action": r.Action.String(), "reason": r.Reason.String(),
			"source_bytes": r.SourceBytes, "text_range": []int{r.TextFrom, r.TextTo},
		})
	}
	return object{
		"text": d.Text(), "size": d.Size(), "unit": d.Unit().String(), "complete": d.Complete(),
		"format": d.Format().String(), "account": account, "lists": lists, "next": orNull(d.Next()),
		"notice": orNull(d.Notice()), "warnings": warnings, "plan": plan,
	}
}

func errorParts(t *testing.T, err error) object {
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("an error of another type: %v", err)
	}
	if !errors.Is(err, e.Code()) || e.Code().Error() != e.Kind() || e.Error() == "" {
		t.Errorf("code, kind or message do not agree: %v", e)
	}
	out := object{"kind": e.Kind()}
	number := func(name string, get func() (int, bool)) {
		if n, set := get(); set {
			out[name] = n
		}
	}
	number("offset", e.Offset)
	number("needed", e.Needed)
	number("size", e.Size)
	number("available", e.Available)
	number("index", e.Index)
	if e.Unit() != 0 {
		out["unit"] = e.Unit().String()
	}
	if e.Expected() != "" {
		out["expected"] = e.Expected()
	}
	if e.Argument() != "" {
		out["argument"] = e.Argument()
	}
	if pointer, set := e.Pointer(); set {
		out["pointer"] = pointer
	}
	if piece, set := e.Piece(); set {
		out["piece"] = piece
	}
	return out
}
