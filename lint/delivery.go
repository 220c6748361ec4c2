package lint

import (
	"math"
	"time"

	"weir/design"
	"weir/size"
)

// Ephemeral reports whether the server may forget the consumer: it has no durable
// name.
func (c *Consumer) Ephemeral() bool { return c.Config.Durable == "" }

// goals are those written at the stream; a bucket has none.
func (s *Stream) goals() design.Goals {
	if s.Written == nil {
		return design.Goals{}
	}
	return s.Written.Goals
}

// InHand is how many messages the workers hold at a time at most: what one fetch
// brings, or what they handle at once where that is more; 0 without workers.
func (c *Consumer) InHand() int {
	n := 0
	for _, w := range c.Workers {
		n += inHandOf(w)
	}
	return n
}

func inHandOf(w *design.Workers) int { return w.Count * max(w.Fetch, w.Concurrency) }

// batchTime is how long a worker is at what one fetch brings it; ok is false when
// its service time is not known.
func batchTime(w *design.Workers) (span time.Duration, ok bool) {
	mean, known := Mean(w.ServiceTime)
	if !known || mean <= 0 {
		return 0, false
	}
	return time.Duration(math.Ceil(float64(max(w.Fetch, 1))/float64(max(w.Concurrency, 1)))) * mean, true
}

// MostMessages is how many messages a stream holds when it is full, or as old as
// max_age lets them be; ok is false when nothing that is known bounds them.
func (f *Facts) MostMessages(s *Stream) (n float64, ok bool) {
	n = math.Inf(1)
	if s.Config.MaxMsgs > 0 {
		n = float64(s.Config.MaxMsgs)
	}
	load := s.Load()
	if s.Config.MaxAge > 0 && load.High > 0 {
		n = math.Min(n, load.High*s.Config.MaxAge.Seconds())
	}
	if bytes := f.bytesPerSecond(s); s.Config.MaxBytes > 0 && bytes > 0 {
		n = math.Min(n, float64(s.Config.MaxBytes)*load.High/bytes)
	}
	if s.Config.MaxMsgsPer > 0 {
		if sized := f.SizeOf(s.Path); sized != nil && sized.Input.Subjects.Count > 0 && load.Known {
			n = math.Min(n, sized.Input.Subjects.Count*float64(s.Config.MaxMsgsPer))
		}
	}
	return n, !math.IsInf(n, 1) && n > 0
}

// messages writes a count of messages for people.
func messages(n float64) string {
	return size.Counted(math.Round(n), "message", "messages")
}

// streamsOfConsumers calls check for each accepted stream, and for those that no file
// defines and consumers name: JSON of consumers alone says what they do to each
// other as well.
func (f *Facts) streamsOfConsumers(check func(*Stream)) {
	f.AcceptedStreams(check)
	for _, s := range f.loose {
		check(s)
	}
}
