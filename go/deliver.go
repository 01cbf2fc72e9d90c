package haversack

// #include <haversack.h>
import "C"

// Deliver cuts payload to budget on record boundaries and says what it left out. The payload is only read, and only
// during the call.
func Deliver(payload []byte, budget Budget, options ...DeliverOption) (*Delivery, error) {
	var o deliverOptions
	for _, option := range options {
		option.applyDeliver(&o)
	}
	c, err := newCall(budget)
	if err != nil {
		return nil, err
	}
	defer c.free()
	given := o.c(&c.arena)
	if given.limits, err = c.limits(o.limits); err != nil {
		return nil, err
	}
	var handle *C.haversack_delivery
	status := C.haversack_deliver(viewBytes(payload), c.budget, given, &handle, &c.failure)
	if err := c.result(status); err != nil {
		return nil, err
	}
	return takeDelivery(handle), nil
}

// Pages is a payload to be delivered page after page.
type Pages struct {
	payload []byte
	budget  Budget
	options []DeliverOption
}

// PagesOf prepares payload to be delivered page after page, each within budget. The payload must not change meanwhile.
func PagesOf(payload []byte, budget Budget, options ...DeliverOption) Pages {
	return Pages{payload, budget, options}
}

// All gives the first delivery and then every page that its Next leads to, until one has none or fails. From Go 1.23:
//
//	for d, err := range haversack.PagesOf(payload, haversack.Chars(6000)).All() { … }
func (p Pages) All() func(yield func(*Delivery, error) bool) {
	return func(yield func(*Delivery, error) bool) {
		options := p.options
		for {
			d, err := Deliver(p.payload, p.budget, options...)
			if !yield(d, err) || err != nil || d.Next() == "" {
				return
			}
			// A page may be empty only at the end, so that every round makes progress.
			options = append(append([]DeliverOption(nil), p.options...), WithCursor(d.Next()))
		}
	}
}
