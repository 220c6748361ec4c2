package verdict

import "weir/subject"

// held is what the streams of a Setting have between them, so that a new one need
// not be compared with each of them: their subjects, and what they take of the
// servers of a cluster.
type held struct {
	subjects subject.Set
	owners   []string           // stream of each pattern of subjects
	reserved map[string][]int64 // by storage: max_bytes on each server
	replicas []int              // of streams, on each server
}

// holds is what the recorded streams have.
func (s *Setting) holds() *held {
	if s.held == nil {
		s.held = &held{reserved: map[string][]int64{}, replicas: make([]int, len(s.Nodes))}
		for _, st := range s.streams {
			s.held.add(s, st)
		}
	}
	return s.held
}

func (h *held) add(s *Setting, st *stream) {
	j := &judge{Setting: s, v: s.Version}
	for _, pattern := range st.config.Subjects {
		h.subjects.Add(j.wildcardsOnly(pattern))
		h.owners = append(h.owners, st.config.Name)
	}
	for _, at := range st.nodes {
		h.replicas[at]++
		if st.config.MaxBytes > 0 {
			if h.reserved[st.config.Storage] == nil {
				h.reserved[st.config.Storage] = make([]int64, len(s.Nodes))
			}
			h.reserved[st.config.Storage][at] += st.config.MaxBytes
		}
	}
}
