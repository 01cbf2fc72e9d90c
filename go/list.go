package haversack

// #include <haversack.h>
import "C"

// The entries of a list that C gives one by one.
func entries[T, G any](count C.size_t, get func(C.size_t, *T) C.bool, turn func(*T) G) []G {
	all := make([]G, count)
	for i := range all {
		var c T
		get(C.size_t(i), &c)
		all[i] = turn(&c)
	}
	return all
}

// The entries of a list that C writes at once: it is asked twice, for their number and for them. Nil when there is
// none.
func filled[T, G any](ask func(*T, C.size_t) C.size_t, turn func(*T) G) []G {
	all := make([]T, ask(nil, 0))
	if len(all) == 0 {
		return nil
	}
	ask(&all[0], C.size_t(len(all)))
	turned := make([]G, len(all))
	for i := range all {
		turned[i] = turn(&all[i])
	}
	return turned
}
