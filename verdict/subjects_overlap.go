package verdict

import (
	"fmt"

	"weir/subject"
)

// checkOwnOverlapLate: up to 2.11 a stream's own subjects are compared after
// all of them, and the account's max_bytes rules, were looked at.
func (j *judge) checkOwnOverlapLate(c *streamConfig) *refusal {
	if j.has(reworked) || len(c.Subjects) < 2 {
		return nil
	}
	for i, s := range c.Subjects {
		for _, other := range c.Subjects {
			if j.tired() {
				return nil
			}
			if other != s && j.collide(other, s) {
				return j.invalidConfig(fmt.Sprintf("subjects[%d]", i), fmt.Sprintf("subject %q overlaps with %q", s, other))
			}
		}
	}
	return nil
}

// checkOverlap refuses subjects that another stream of the account has
// (server/stream.go and jetstream_cluster.go, subjectsOverlap).
func (j *judge) checkOverlap(c *streamConfig) *refusal {
	held := j.holds()
	for _, ours := range c.Subjects {
		for _, n := range held.subjects.Colliding(j.wildcardsOnly(ours)) {
			if held.owners[n] != c.Name {
				return j.refuse(10065, "subjects")
			}
		}
	}
	return nil
}

// hasInterest reports whether somebody subscribes to a literal subject: those
// that the Setting names, and the streams that capture it.
func (s *Setting) hasInterest(literal string) bool {
	for _, pattern := range s.Interest {
		if subject.Match(pattern, literal) {
			return true
		}
	}
	for _, st := range s.streams {
		for _, pattern := range st.config.Subjects {
			if subject.Match(pattern, literal) {
				return true
			}
		}
	}
	return false
}
