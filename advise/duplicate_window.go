package advise

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

// defaultWindow is what the server takes without one: StreamDefaultDuplicatesWindow,
// stream.go, 2.15.2.
const defaultWindow = 2 * time.Minute

// duplicateWindow has to be as long as a publisher may send the same id, and not
// longer: every id of it is in the heap of every replica.
func (p *streamPlan) duplicateWindow() {
	if p.Copies {
		return // mirrors and sources have it off, and need none
	}
	needed := p.windowNeeded()
	window, capped := max(defaultWindow, upTo(needed)), ""
	if p.MostWindow > 0 && window > p.MostWindow {
		window, capped = p.MostWindow, "limits.duplicate_window of the servers allows no more"
	}
	if p.at.MaxAge > 0 && window > p.at.MaxAge {
		window, capped = p.at.MaxAge, "a window longer than max_age is refused"
	}
	set := Setting{Field: "duplicate_window", Source: "stream.go ddentry and storeMsgIdLocked, 2.15.2; heap measured",
		Reason: fmt.Sprintf("publishers send the same id for at most %s", span(needed)), Rejected: []Rejected{}}
	if p.RetryFor == 0 {
		set.Reason = "publishers' retries end inside it; give retry_for when they go on for longer"
	}
	if needed > window {
		set.Reason += ", and " + capped + ": what is sent again after that is stored a second time"
		if p.d == nil {
			p.relax = append(p.relax, fmt.Sprintf("The same id is sent for up to %s, and %s: let retries end after %s, or keep messages for longer.", span(p.RetryFor), capped, span(retryWithin(window, p.AckTimeout))))
		}
	}
	set.Advised, set.api = duration(window)
	heap := p.windowHeap(window)
	if heap != nil {
		set.Working = heap
		set.Reason += "; its ids take " + size.FormatBytes(heap.Value) + " of heap on every replica"
		if long := p.windowHeap(12 * time.Hour); long != nil && window < 12*time.Hour {
			set.Rejected = append(set.Rejected, Rejected{"12h", size.FormatBytes(long.Value) + " of heap on every replica"})
		}
	} else {
		set.Rejected = append(set.Rejected, Rejected{"0", "means the default, not off"})
	}
	p.add(set, func(v design.Value) string {
		w := time.Duration(v.Int)
		switch {
		case w > 0 && needed > 0 && w < p.RetryFor && w < window:
			return fmt.Sprintf("publishers send the same id for up to %s: after %s it is stored a second time", span(p.RetryFor), span(w))
		case w > 4*window && p.windowHeap(w) != nil && p.windowHeap(w).Value > 64*size.MiB:
			return fmt.Sprintf("%s of ids in the heap of every replica, where %s would take %s", size.FormatBytes(p.windowHeap(w).Value), span(window), size.FormatBytes(heap.Value))
		}
		return ""
	})
	p.at.DuplicateWindow, p.window = window, window
	if v, ok := p.written("duplicate_window"); ok && v.Int > 0 {
		p.at.DuplicateWindow = time.Duration(v.Int)
		if p.list[len(p.list)-1].State == Kept {
			p.window = p.at.DuplicateWindow
		}
	}
}

// windowNeeded is how long publishers may send the same id.
func (p *streamPlan) windowNeeded() time.Duration {
	if p.RetryFor == 0 {
		return 0
	}
	return p.RetryFor + max(p.AckTimeout, 5*time.Second)
}

// windowHeap is the heap of a window's ids on one replica; nil when there are
// none.
func (p *streamPlan) windowHeap(window time.Duration) *size.Figure {
	rate := p.Rate.Average()
	if p.Message.ID == 0 || rate == 0 {
		return nil
	}
	dd, err := size.OfDedup(size.DedupInput{Rate: rate, Window: window, IDBytes: p.Message.ID, Replicas: max(p.at.Replicas, 1)})
	if err != nil {
		return nil
	}
	return &dd.Heap
}
