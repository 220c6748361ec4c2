package design

import (
	"strconv"

	"weir/natsapi"
)

// Spelling is how another notation writes what the JetStream API names, so that a
// fix can be put into its text. Durations are written as Go reads them, sizes as a
// number of bytes.
type Spelling struct {
	// Key is the notation's key of a field, "" when it has none.
	Key func(asset natsapi.Asset, name string) string
	// Word is the notation's word for a value of an enum.
	Word func(name string) string
}

// value spells a value of the design file; ok is false for what is made of parts.
func (sp *Spelling) value(n *Node, s *shape, f *Field) (text string, ok bool) {
	if s == nil || n.Kind != Scalar {
		return "", false
	}
	v, err := s.decode(n, f)
	switch {
	case err != nil:
		return "", false
	case v.Kind == Duration:
		return FormatDuration(v.Int), true
	case v.Kind == Size:
		return strconv.FormatInt(v.Int, 10), true
	case v.Kind == Text:
		return YAMLText(sp.Word(v.Text)), true
	}
	return n.Text, true
}
