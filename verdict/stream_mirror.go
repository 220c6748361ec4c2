package verdict

import (
	"fmt"

	"weir/subject"
)

// origins collects, while mirror and sources are checked, what the checks of
// external prefixes look at afterwards.
type origins struct {
	subjects []string // of the origins that are visible here
	deliver  []prefix
	api      []prefix
}

type prefix struct{ text, path string }

func (o *origins) external(e *external, path string) {
	if e.Deliver != "" {
		o.deliver = append(o.deliver, prefix{e.Deliver, path + ".external.deliver"})
	}
	if e.API != "" {
		o.api = append(o.api, prefix{e.API, path + ".external.api"})
	}
}

// checkOrigins checks mirror, sources and their external prefixes
// (server/stream.go, checkStreamCfg).
func (j *judge) checkOrigins(c *streamConfig) *refusal {
	var o origins
	return first(
		func() *refusal { return j.checkMirror(c, &o) },
		func() *refusal { return j.checkSources(c, &o) },
		func() *refusal { return j.checkExternalPrefixes(&o) },
	)
}

func (j *judge) checkMirror(c *streamConfig, o *origins) *refusal {
	if c.Mirror == nil {
		return nil
	}
	if r := j.checkMirrorExclusions(c); r != nil {
		return r
	}
	for i := range c.Mirror.Transforms {
		if r := j.checkMirrorTransform(c.Mirror, i); r != nil {
			return r
		}
	}
	return j.checkMirrorOrigin(c, o)
}

// checkMirrorExclusions: what a mirror cannot have beside it.
func (j *judge) checkMirrorExclusions(c *streamConfig) *refusal {
	m := c.Mirror
	switch {
	case c.FirstSeq > 0:
		return j.refuse(10143, "first_seq")
	case len(c.Subjects) > 0:
		return j.refuse(10034, "subjects")
	case len(c.Sources) > 0:
		return j.refuse(10031, "sources")
	case c.Counter:
		return j.refuse(10173, "allow_msg_counter")
	case c.Atomic:
		return j.refuse(10198, "allow_atomic")
	case c.Batched:
		return j.refuse(10209, "allow_batched")
	case c.Schedules:
		return j.refuse(10186, "allow_msg_schedules")
	case m.Consumer != nil && !j.validSourceConsumer(m):
		return j.refuse(10213, "mirror.consumer")
	case m.FilterSubject != "" && len(m.Transforms) != 0:
		return j.refuse(10150, "mirror.filter_subject")
	case c.MarkerTTL > 0:
		return j.invalidConfig("subject_delete_marker_ttl", "subject delete markers forbidden on mirrors")
	}
	return nil
}

// validSourceConsumer: a consumer to source from is named, has a literal deliver
// subject, and leaves start and filter to the consumer (2.14).
func (j *judge) validSourceConsumer(s *source) bool {
	return j.validAssetName(s.Consumer.Name) && publishable(s.Consumer.DeliverSubject) &&
		s.OptStartSeq == 0 && s.OptStartTime == nil && s.FilterSubject == ""
}

// checkMirrorTransform checks the i-th transform of a mirror. 2.10 looks at the
// source only, and there an empty one is invalid.
func (j *judge) checkMirrorTransform(m *source, i int) *refusal {
	t, path := m.Transforms[i], fmt.Sprintf("mirror.subject_transforms[%d]", i)
	if r := j.checkTransformSource(10151, t, path); r != nil {
		return r
	}
	if j.atLeast(v211) {
		if err := subject.ValidateMapping(t.Source, t.Destination, j.release()); err != nil {
			return j.refuse(10154, path+".dest", err.Error())
		}
	}
	for k, other := range m.Transforms {
		if j.tired() {
			return nil
		}
		if k != i && j.collide(t.Source, other.Source) {
			return j.refuse(10152, path+".src")
		}
	}
	return nil
}

func (j *judge) checkTransformSource(errCode int, t transform, path string) *refusal {
	if t.Source == "" && j.atLeast(v211) || subject.Valid(t.Source) {
		return nil
	}
	return j.refuse(errCode, path+".src", badSubject+" "+t.Source)
}

// checkMirrorOrigin looks at the stream that is mirrored, which need not exist.
// When it does, mirror_direct is overwritten by its allow_direct.
func (j *judge) checkMirrorOrigin(c *streamConfig, o *origins) *refusal {
	if c.Mirror.External != nil {
		o.external(c.Mirror.External, "mirror")
		return nil
	}
	if !j.validAssetName(c.Mirror.Name) {
		return j.refuse(10142, "mirror.name")
	}
	origin := j.config(c.Mirror.Name)
	if origin == nil {
		return nil
	}
	o.subjects = append(o.subjects, origin.Subjects...)
	if smallerMessages(c, origin) {
		return j.refuse(10030, "max_msg_size")
	}
	if j.pedantic && c.MirrorDirect != origin.AllowDirect {
		return j.pedanticErr("mirror_direct", "origin stream has direct get set, mirror has it disabled")
	}
	c.MirrorDirect = origin.AllowDirect
	return nil
}

// smallerMessages: c takes only smaller messages than its origin may hold.
func smallerMessages(c, origin *streamConfig) bool {
	return c.MaxMsgSize > 0 && origin.MaxMsgSize > 0 && c.MaxMsgSize < origin.MaxMsgSize
}

// checkExternalPrefixes looks at how other accounts and domains are reached.
func (j *judge) checkExternalPrefixes(o *origins) *refusal {
	for _, p := range o.deliver {
		if !publishable(p.text) {
			return j.refuse(10024, p.path, p.text)
		}
		for _, s := range o.subjects {
			if j.collide(s, p.text+"."+s) {
				return j.refuse(10022, p.path, p.text, s)
			}
		}
	}
	const apiPrefix = "$JS.API"
	for _, p := range o.api {
		if !publishable(p.text) {
			return j.invalidConfig(p.path, fmt.Sprintf("stream external api prefix %q must be a valid subject without wildcards", p.text))
		}
		if j.collide(p.text, apiPrefix) {
			return j.refuse(10021, p.path, p.text, apiPrefix)
		}
	}
	return nil
}
