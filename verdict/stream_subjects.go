package verdict

import (
	"fmt"

	"weir/subject"
)

// checkStreamSubjects looks at the subjects one by one (server/stream.go,
// checkStreamCfg). A stream without any gets its name as subject.
func (j *judge) checkStreamSubjects(c *streamConfig) *refusal {
	if len(c.Subjects) == 0 {
		if c.Mirror == nil && len(c.Sources) == 0 {
			c.Subjects = append(c.Subjects, c.Name)
		}
		return nil
	}
	seen := make(map[string]bool, len(c.Subjects))
	for i, s := range c.Subjects {
		path := fmt.Sprintf("subjects[%d]", i)
		if !subject.Valid(s) {
			return j.invalidConfig(path, "invalid subject")
		}
		if seen[s] { // since 2.12 the overlap below is found first
			return j.invalidConfig(path, "duplicate subjects detected")
		}
		if r := j.checkCapture(c, s, path); r != nil {
			return r
		}
		if j.has(reworked) {
			if r := j.checkOwnOverlap(c.Subjects[i+1:], s, path); r != nil {
				return r
			}
		}
		seen[s] = true
	}
	return nil
}

// checkCapture: what only a stream without acks may capture.
func (j *judge) checkCapture(c *streamConfig, s, path string) *refusal {
	if !j.has(everythingNeedsNoAck) {
		if j.within(s, "$JS.API.>") {
			return j.invalidConfig(path, "subjects overlap with jetstream api")
		}
		return nil
	}
	if s == subject.Rest {
		if !c.NoAck {
			return j.invalidConfig(path, "capturing all subjects requires no-ack to be true")
		}
		if c.Replicas != 1 {
			return j.invalidConfig("num_replicas", "capturing all subjects requires replicas of 1")
		}
	}
	if c.NoAck {
		return nil
	}
	spaces, reaches := []string{"$JS.>", "$JSC.>", "$NRG.>"}, j.collide
	if !j.has(apiCollides) {
		spaces, reaches = spaces[:2], j.within
	}
	for _, space := range spaces {
		if reaches(s, space) && !j.within(s, "$JS.EVENT.>") {
			return j.invalidConfig(path, "subjects that overlap with jetstream api require no-ack to be true")
		}
	}
	if reaches(s, "$SYS.>") && !j.within(s, "$SYS.ACCOUNT.>") {
		return j.invalidConfig(path, "subjects that overlap with system api require no-ack to be true")
	}
	return nil
}

func (j *judge) checkOwnOverlap(others []string, s, path string) *refusal {
	for _, other := range others {
		if j.tired() {
			break
		}
		if j.collide(other, s) {
			return j.invalidConfig(path, fmt.Sprintf("subject %q overlaps with %q", s, other))
		}
	}
	return nil
}
