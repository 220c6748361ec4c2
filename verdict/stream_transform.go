package verdict

import (
	"fmt"

	"weir/subject"
)

// checkSubjectTransform: since 2.11 subject_transform is part of the
// configuration's check; 2.10 finds out when it makes the transform
// (checkTransformsLate).
func (j *judge) checkSubjectTransform(c *streamConfig) *refusal {
	if c.Transform == nil || !j.atLeast(v211) {
		return nil
	}
	if r := j.checkTransformSource(10155, *c.Transform, "subject_transform"); r != nil {
		return r
	}
	if err := subject.ValidateMapping(c.Transform.Source, c.Transform.Destination, j.release()); err != nil {
		return j.refuse(10156, "subject_transform.dest", err.Error())
	}
	return nil
}

// checkRepublish fills in republish.src and looks for a cycle with the stream's
// own subjects. Since 2.11 ">" to ">" follows a transform of the only subject.
func (j *judge) checkRepublish(c *streamConfig) *refusal {
	p := c.RePublish
	if p == nil {
		return nil
	}
	if p.Source == "" {
		if j.pedantic {
			return j.pedanticErr("republish.src", j.stuttered("republish source can not be empty"))
		}
		p.Source = subject.Rest
	}
	t := c.Transform
	if j.has(implicitRepublish) && p.Destination == subject.Rest && p.Source == subject.Rest &&
		t != nil && len(c.Subjects) == 1 && t.Source == c.Subjects[0] {
		if j.pedantic {
			return j.pedanticErr("republish", "implicit republish based on subject transform")
		}
		p.Source, p.Destination = t.Destination, t.Destination
	}
	for _, s := range c.Subjects {
		if j.collide(p.Destination, s) {
			return j.invalidConfig("republish.dest", "stream configuration for republish destination forms a cycle")
		}
	}
	if j.newTransform(p.Source, p.Destination) != nil {
		return j.invalidConfig("republish", fmt.Sprintf(
			"stream configuration for republish with transform from '%s' to '%s' not valid", p.Source, p.Destination))
	}
	return nil
}

// checkTransformsLate is where a stream is created with its transforms
// (server/stream.go, addStreamWithAssignment); only 2.10 gets here with a bad one.
func (j *judge) checkTransformsLate(c *streamConfig) *refusal {
	if t := c.Transform; t != nil {
		if err := j.newTransform(t.Source, t.Destination); err != nil {
			return j.refuse(10049, "subject_transform",
				fmt.Sprintf("stream subject transform from '%s' to '%s': %s", t.Source, t.Destination, err))
		}
	}
	return nil
}

// checkTransformsUpdated is the same for an update (10069), which also writes
// republish.dest where it was empty. An unchanged transform is not made anew.
func (j *judge) checkTransformsUpdated(c, old *streamConfig) *refusal {
	if p := c.RePublish; p != nil {
		p.Source, p.Destination = orRest(p.Source), orRest(p.Destination)
		if err := j.newTransform(p.Source, p.Destination); err != nil {
			return j.refuse(10069, "republish.dest",
				fmt.Sprintf("stream configuration for republish from '%s' to '%s': %s", p.Source, p.Destination, err))
		}
	}
	t := c.Transform
	if t == nil || old.Transform != nil && *old.Transform == *t {
		return nil
	}
	if err := j.newTransform(t.Source, t.Destination); err != nil {
		return j.refuse(10069, "subject_transform",
			fmt.Sprintf("stream configuration for subject transform from '%s' to '%s': %s", t.Source, t.Destination, err))
	}
	return nil
}
