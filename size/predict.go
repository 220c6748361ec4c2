package size

import (
	"math"

	"weir/design"
)

// Stored says what a run put into one stream.
type Stored struct {
	// Path is the stream's place in the design: streams.ORDERS, kv.SESSIONS.
	Path string
	// Messages is how many the stream holds.
	Messages float64
	// Subjects is how many distinct subjects they have; 0 takes the design's, at most
	// one for each message.
	Subjects float64
	// Message is their mean; the zero value takes what the design's publishers
	// send, and the prediction gets the band of the drawn sizes.
	Message Message
}

// Prediction is one figure to be laid beside a measured one.
type Prediction struct {
	// Path is the stream's, Name what is counted in words: "reported bytes",
	// "disk of a replica", "block files".
	Path string
	Name string
	// Figure has value, unit, band and working.
	Figure Figure
}

// Predict computes what a run of a design should measure, given what it stored in
// each stream. It is pure: package prove calls it with the counts of its own run,
// and writes value, low and high beside the measured value into the evidence's
// `predicted`:
//
//	reported bytes     state.bytes of stream info, exact for messages of one size
//	disk of a replica  file sizes below the stream's folder after a clean stop, file storage
//	block files        number of .blk files, file storage
//	heap of a replica  live heap that the stream adds, its RAFT group not counted
//
// The stream's limits are not applied: Messages is what is there. A path that the
// design does not have is an *InputError.
func Predict(d *design.Design, o DesignOptions, runs []Stored) ([]Prediction, error) {
	z, err := FromDesign(d, o)
	if err != nil {
		return nil, err
	}
	var out []Prediction
	for _, r := range runs {
		s := z.Stream(r.Path)
		if s == nil {
			return nil, &InputError{Path: "stored", Value: r.Path, Reason: "the design has no stream there"}
		}
		in := s.Input
		in.Messages, in.Empty = r.Messages, r.Messages == 0
		in.Subjects.Count = r.Subjects
		if r.Subjects == 0 {
			in.Subjects.Count = min(s.Input.Subjects.Count, r.Messages)
		}
		drawn := r.Message == Message{}
		if !drawn {
			in.Message = r.Message
		}
		if err := in.Validate(r.Path); err != nil {
			return nil, err
		}
		q := sizeOf(in, z.Sites[s.Site].Cluster.MaxPayload, o.Horizon)
		off := 0.0
		if drawn {
			off = 3 * s.deviation(d) * math.Sqrt(r.Messages)
		}
		widened := func(f Figure) Figure { return f.between(max(f.Low-off, 0), f.High+off) }
		add := func(name string, f Figure) { out = append(out, Prediction{r.Path, name, f.as(name)}) }
		add("reported bytes", widened(q.Reported))
		if in.storage() == File {
			add("disk of a replica", widened(q.Disk.Total))
			add("block files", q.Disk.Blocks)
		}
		add("heap of a replica", widened(q.Heap.Live))
	}
	return out, nil
}

// deviation is the standard deviation of a message's payload over all that arrive.
func (s *DesignStream) deviation(d *design.Design) float64 {
	byPath := map[string]*design.Publisher{}
	for _, scope := range d.Scopes() {
		for _, p := range scope.Publishers {
			byPath[p.Path] = p
		}
	}
	weight, square := 0.0, 0.0
	for _, a := range s.Arrivals {
		p := byPath[a.From]
		if p == nil {
			continue
		}
		off := a.Message.Payload - s.Input.Message.Payload
		payload, headers := p.Payload.Deviation(), p.Headers.Deviation()
		weight += a.Rate.Value
		square += a.Rate.Value * (payload*payload + headers*headers + off*off)
	}
	if weight == 0 {
		return 0
	}
	return math.Sqrt(square / weight)
}
