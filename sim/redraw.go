package sim

// redraw is where the messages of a segment can be drawn from again.
type redraw struct{}

func (s *stream) wake(*segment) {}

func (s *stream) seal() {}
