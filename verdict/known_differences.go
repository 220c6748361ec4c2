package verdict

import "weir/natsapi"

// Difference is a class of requests for which Judge may give another answer
// than the server.
type Difference struct {
	Name   string
	Reason string
	// In says for which versions; nil means all.
	In func(natsapi.Version) bool
	// Match reports whether a request is of this class.
	Match func(*Setting, Request) bool
}

// KnownDifferences lists the classes.
func KnownDifferences() []Difference { return nil }

// DifferencesOf lists the classes that a request is of.
func DifferencesOf(s *Setting, r Request) []Difference {
	var out []Difference
	for _, d := range KnownDifferences() {
		if (d.In == nil || d.In(s.Version)) && d.Match(s, r) {
			out = append(out, d)
		}
	}
	return out
}
