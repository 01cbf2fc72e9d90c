package haversack

// #include <haversack.h>
import "C"

import "runtime"

// Verdict is how a prompt, or a piece of it, differs from the one before.
type Verdict uint32

// The verdicts. More may come.
const (
	VerdictUnknown   Verdict = C.HAVERSACK_VERDICT_UNKNOWN
	VerdictFirst     Verdict = C.HAVERSACK_VERDICT_FIRST     // there is none before
	VerdictSame      Verdict = C.HAVERSACK_VERDICT_SAME      // nothing changed
	VerdictExtended  Verdict = C.HAVERSACK_VERDICT_EXTENDED  // new pieces at the end, which is how a prompt should grow
	VerdictShortened Verdict = C.HAVERSACK_VERDICT_SHORTENED // the end is gone: a rewind
	VerdictReordered Verdict = C.HAVERSACK_VERDICT_REORDERED // a piece stands in another place
	VerdictChanged   Verdict = C.HAVERSACK_VERDICT_CHANGED   // a piece has other bytes, or another name
	VerdictInserted  Verdict = C.HAVERSACK_VERDICT_INSERTED  // a new piece stands before old ones
	VerdictRemoved   Verdict = C.HAVERSACK_VERDICT_REMOVED   // a piece is gone, and others stand behind it
)

// String is the name of the verdict, such as "extended".
func (v Verdict) String() string { return goString(C.haversack_verdict_name(C.uint32_t(v))) }

// Cause is why a piece differs.
type Cause uint32

// The causes.
const (
	CauseNone            Cause = C.HAVERSACK_CAUSE_NONE       // nothing broke
	CauseEdit            Cause = C.HAVERSACK_CAUSE_EDIT       // the text is another one
	CauseTruncation      Cause = C.HAVERSACK_CAUSE_TRUNCATION // the new text is how the old one begins
	CauseInsertion       Cause = C.HAVERSACK_CAUSE_INSERTION
	CauseRemoval         Cause = C.HAVERSACK_CAUSE_REMOVAL
	CauseReorder         Cause = C.HAVERSACK_CAUSE_REORDER
	CauseRename          Cause = C.HAVERSACK_CAUSE_RENAME    // the same bytes have another name
	CauseKeyOrder        Cause = C.HAVERSACK_CAUSE_KEY_ORDER // the same JSON, serialised anew
	CauseVolatile        Cause = C.HAVERSACK_CAUSE_VOLATILE  // nothing but volatile values differ
	CauseToolAdded       Cause = C.HAVERSACK_CAUSE_TOOL_ADDED
	CauseToolRemoved     Cause = C.HAVERSACK_CAUSE_TOOL_REMOVED
	CauseToolDescription Cause = C.HAVERSACK_CAUSE_TOOL_DESCRIPTION
	CauseToolSchema      Cause = C.HAVERSACK_CAUSE_TOOL_SCHEMA
	CauseSetting         Cause = C.HAVERSACK_CAUSE_SETTING
	CauseModel           Cause = C.HAVERSACK_CAUSE_MODEL
)

// String is the name of the cause, such as "key_order"; "" for CauseNone.
func (c Cause) String() string { return goString(C.haversack_cause_name(C.uint32_t(c))) }

// PieceChange is one difference between two prompts.
type PieceChange struct {
	Verdict     Verdict      // shortened, reordered, changed, inserted or removed
	Piece       string       // its name in the new prompt, or in the old one where it is gone
	Was         string       // its name in the old prompt, where that is another
	Renamed     bool         // whether it is another
	Index       int          // the first place in the new prompt that differs for it
	AtByte      int          // the first byte of the piece that differs; -1 where it did not change its bytes
	AtByteExact bool         // false where AtByte is only known to 256 bytes
	Cause       Cause        // why
	Volatile    VolatileKind // what the volatile value is, where that is the cause
}

// Comparison is how a prompt differs from the one before. Verdict, Piece, Index, AtByte and Cause are those of the
// first break.
type Comparison struct {
	Verdict     Verdict
	Calm        bool   // a provider can go on reading all of the previous prompt from its cache
	Piece       string // the piece where it happened
	Index       int    // the first place that differs, counted in pieces of the new prompt; -1 where nothing broke
	AtByte      int    // the first byte of that piece that differs; -1 where no piece changed its bytes
	AtByteExact bool   // false where AtByte is only known to 256 bytes
	Cause       Cause
	KeptBytes   int  // bytes of the previous prompt before the first break, of its pieces' texts alone
	LostBytes   int  // its other bytes
	KeptTokens  int  // tokens of the whole pieces of the previous prompt before the first break
	LostTokens  int  // its other tokens
	HasTokens   bool // whether the previous snapshot was counted
	Changes     []PieceChange
}

// Compare compares a prompt with the one before it: where they part, why, and what is lost to the cache. previous may
// be nil: there was none.
func Compare(previous, next *Snapshot) (*Comparison, error) {
	defer runtime.KeepAlive(previous)
	defer runtime.KeepAlive(next)
	var before *C.haversack_snapshot
	if previous != nil {
		before = previous.handle
	}
	var handle *C.haversack_comparison
	var failure *C.haversack_error
	if C.haversack_compare(before, next.handle, &handle, &failure) != C.HAVERSACK_OK {
		return nil, takeError(failure)
	}
	defer C.haversack_comparison_free(handle)
	place := func(get func(*C.size_t) C.bool) int {
		var n C.size_t
		if !get(&n) {
			return -1
		}
		return int(n)
	}
	answer := &Comparison{
		Verdict:     Verdict(C.haversack_comparison_verdict(handle)),
		Calm:        bool(C.haversack_comparison_calm(handle)),
		Piece:       goString(C.haversack_comparison_piece(handle)),
		Index:       place(func(n *C.size_t) C.bool { return C.haversack_comparison_index(handle, n) }),
		AtByte:      place(func(n *C.size_t) C.bool { return C.haversack_comparison_at_byte(handle, n) }),
		AtByteExact: bool(C.haversack_comparison_at_byte_exact(handle)),
		Cause:       Cause(C.haversack_comparison_cause(handle)),
		KeptBytes:   int(C.haversack_comparison_kept_bytes(handle)),
		LostBytes:   int(C.haversack_comparison_lost_bytes(handle)),
	}
	var kept, lost C.size_t
	answer.HasTokens = bool(C.haversack_comparison_kept_tokens(handle, &kept)) && bool(C.haversack_comparison_lost_tokens(handle, &lost))
	answer.KeptTokens, answer.LostTokens = int(kept), int(lost)
	get := func(i C.size_t, c *C.haversack_piece_change) C.bool {
		return C.haversack_comparison_change(handle, i, c)
	}
	answer.Changes = entries(C.haversack_comparison_change_count(handle), get, goPieceChange)
	return answer, nil
}

func goPieceChange(c *C.haversack_piece_change) PieceChange {
	change := PieceChange{
		Verdict: Verdict(c.verdict), Piece: goString(c.piece), Was: goString(c.was), Renamed: c.was.ptr != nil, Index: int(c.index),
		AtByte: -1, AtByteExact: c.at_byte_exact != 0, Cause: Cause(c.cause), Volatile: VolatileKind(c.volatile_kind),
	}
	if c.has_at_byte != 0 {
		change.AtByte = int(c.at_byte)
	}
	return change
}

// InexactNumber is a number whose canonical form says another number, since no double is it.
type InexactNumber struct {
	Offset  int    // where it stands in the text that was read, in bytes
	Read    string // how it was spelt, at most 32 characters of it
	Written string // what the canonical form has in its place
}

// Canonical is a text in its canonical form.
type Canonical struct {
	Text     string
	Same     bool            // the text that was read is its own canonical form, byte for byte
	Warnings []InexactNumber // numbers that do not survive a double, in the order of the text
}

// CanonicalJSON is the canonical form (RFC 8785) of one JSON text, at most 512 levels deep unless WithLimits says
// otherwise: no white space, keys by their UTF-16 code units, strings and numbers as ECMAScript writes them.
// NotCanonical for two equal keys in one object, half a surrogate pair, and a number too large for a double.
func CanonicalJSON(text []byte, options ...LimitsOption) (*Canonical, error) {
	var c call
	defer c.free()
	_, limits, err := readingOf(&c, options)
	if err != nil {
		return nil, err
	}
	var handle *C.haversack_canonical
	if err := c.result(C.haversack_canonical_json(viewBytes(text), limits, &handle, &c.failure)); err != nil {
		return nil, err
	}
	defer C.haversack_canonical_free(handle)
	get := func(i C.size_t, n *C.haversack_inexact_number) C.bool {
		return C.haversack_canonical_inexact(handle, i, n)
	}
	return &Canonical{
		Text: goString(C.haversack_canonical_text(handle)), Same: bool(C.haversack_canonical_same(handle)),
		Warnings: entries(C.haversack_canonical_inexact_count(handle), get, func(n *C.haversack_inexact_number) InexactNumber {
			return InexactNumber{int(n.offset), goString(n.read), goString(n.written)}
		}),
	}, nil
}
