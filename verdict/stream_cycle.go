package verdict

// maxCycleSteps bounds the walk over origins. The server's own walk has no
// bound and may visit a stream once for every way that leads to it.
const maxCycleSteps = 100_000

// checkCycle follows sources and mirrors to the streams that are visible here
// (server/stream.go, checkStreamCfg). Like the server it also calls it a cycle
// when a stream that was reached before is reached another way.
func (j *judge) checkCycle(c *streamConfig) *refusal {
	queue := []*streamConfig{c}
	visited := map[string]bool{}
	steps := 0
	for len(queue) > 0 && steps < maxCycleSteps {
		at := queue[0]
		queue = queue[1:]
		visited[at.Name] = true
		steps++
		for _, s := range at.Sources {
			steps++
			if s.External != nil {
				continue
			}
			if visited[s.Name] {
				if j.reaches(at.Subjects, s.FilterSubject) {
					return j.invalidConfig("sources", "detected cycle")
				}
			} else if origin := j.config(s.Name); origin != nil {
				queue = append(queue, origin)
			}
		}
		if at.Mirror == nil || at.Mirror.External != nil {
			continue
		}
		if visited[at.Mirror.Name] {
			return j.invalidConfig("mirror.name", "detected cycle")
		}
		if origin := j.config(at.Mirror.Name); origin != nil {
			queue = append(queue, origin)
		}
	}
	return nil
}

func (j *judge) reaches(subjects []string, filter string) bool {
	if filter == "" {
		return true
	}
	for _, s := range subjects {
		if j.collide(s, filter) {
			return true
		}
	}
	return false
}
