package haversack

// #include <haversack.h>
import "C"

import "unsafe"

// Counts is what became of a number of records, or of their bytes: Total = Kept + Shrunk + Offloaded + Omitted.
type Counts struct {
	Total     uint64 // all there were
	Kept      uint64 // delivered whole
	Shrunk    uint64 // delivered in part, with a visible mark
	Offloaded uint64 // stored elsewhere, with a pointer in the text
	Omitted   uint64 // not in the text
}

// Account is the books of one delivery, over its outermost lists.
type Account struct {
	Records       Counts  // in records: rows, lines, members of a map
	Bytes         Counts  // in source bytes
	FieldsRemoved uint64  // members that a select left out: a request, not a loss
	Claimed       *Counts // what the input said was left out before; part of Records already
}

func goCounts(c C.haversack_counts) Counts {
	return Counts{uint64(c.total), uint64(c.kept), uint64(c.shrunk), uint64(c.offloaded), uint64(c.omitted)}
}

func (n Counts) c() C.haversack_counts {
	return C.haversack_counts{
		total: C.uint64_t(n.Total), kept: C.uint64_t(n.Kept), shrunk: C.uint64_t(n.Shrunk),
		offloaded: C.uint64_t(n.Offloaded), omitted: C.uint64_t(n.Omitted),
	}
}

func goAccount(c C.haversack_account) Account {
	account := Account{Records: goCounts(c.records), Bytes: goCounts(c.bytes), FieldsRemoved: uint64(c.fields_removed)}
	if c.has_claimed != 0 {
		claimed := goCounts(c.claimed)
		account.Claimed = &claimed
	}
	return account
}

func (n *Account) c(a *arena) *C.haversack_account {
	c := (*C.haversack_account)(a.alloc(unsafe.Sizeof(C.haversack_account{})))
	c.records = n.Records.c()
	c.bytes = n.Bytes.c()
	c.fields_removed = C.uint64_t(n.FieldsRemoved)
	if n.Claimed != nil {
		c.has_claimed = 1
		c.claimed = n.Claimed.c()
	}
	return c
}
