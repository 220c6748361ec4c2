package verdict

import (
	"fmt"
	"strings"

	"weir/subject"
)

// checkSources checks the sources one after the other (server/stream.go,
// checkStreamCfg). Up to 2.11 transforms of external sources are not looked at,
// and max_msg_size comes before the filters.
func (j *judge) checkSources(c *streamConfig, o *origins) *refusal {
	if len(c.Sources) > 0 && c.Schedules {
		return j.refuse(10187, "allow_msg_schedules")
	}
	seen, consumers := map[string]bool{}, map[string]bool{}
	for i, s := range c.Sources {
		path := fmt.Sprintf("sources[%d]", i)
		if s == nil && !j.has(nullSources) {
			j.crashed = true // a nil dereference ends the process (server/stream.go:1371, 2.10.29)
			return &refusal{path: path}
		}
		if s == nil || !j.validAssetName(s.Name) {
			return j.refuse(10141, path+".name")
		}
		if seen[s.identity()] {
			return j.refuse(10140, path)
		}
		seen[s.identity()] = true
		if r := j.checkSource(c, s, path, consumers); r != nil {
			return r
		}
		if s.External != nil {
			o.external(s.External, path)
		} else if origin := j.config(s.Name); origin != nil {
			o.subjects = append(o.subjects, origin.Subjects...)
		}
	}
	return nil
}

func (j *judge) checkSource(c *streamConfig, s *source, path string, consumers map[string]bool) *refusal {
	size := func() *refusal {
		origin := j.config(s.Name)
		if s.External == nil && origin != nil && smallerMessages(c, origin) {
			return j.refuse(10046, "max_msg_size")
		}
		return nil
	}
	if j.has(reworked) {
		return first(
			func() *refusal { return j.checkSourceTransforms(s, path) },
			func() *refusal { return j.checkSourceConsumer(s, path, consumers) },
			size,
		)
	}
	if s.External != nil {
		return nil
	}
	return first(size, func() *refusal { return j.checkSourceTransforms(s, path) })
}

// identity tells sources apart: two with the same are a duplicate
// (composeIName). Filter and transforms belong to it.
func (s *source) identity() string {
	name := s.Name
	if s.External != nil {
		name += ":" + s.External.API
	}
	if s.Consumer != nil {
		name += ":C=" + s.Consumer.Name
	}
	sources, destinations := []string{orRest(s.FilterSubject)}, []string{subject.Rest}
	if len(s.Transforms) > 0 {
		sources, destinations = nil, nil
		for _, t := range s.Transforms {
			sources = append(sources, orRest(t.Source))
			destinations = append(destinations, orRest(t.Destination))
		}
	}
	return name + " " + strings.Join(sources, "\f") + " " + strings.Join(destinations, "\f")
}

func orRest(s string) string {
	if s == "" {
		return subject.Rest
	}
	return s
}

func (j *judge) checkSourceTransforms(s *source, path string) *refusal {
	if s.FilterSubject != "" && len(s.Transforms) != 0 {
		return j.refuse(10144, path+".filter_subject")
	}
	if !j.atLeast(v211) {
		return j.checkSourceTransforms210(s, path)
	}
	for i, t := range s.Transforms {
		at := fmt.Sprintf("%s.subject_transforms[%d]", path, i)
		if r := j.checkTransformSource(10145, t, at); r != nil {
			return r
		}
		if err := subject.ValidateMapping(t.Source, t.Destination, j.release()); err != nil {
			return j.refuse(10146, at+".dest", err.Error())
		}
	}
	for i := range s.Transforms {
		if r := j.checkSourceOverlap(s, i, path); r != nil {
			return r
		}
	}
	return nil
}

// checkSourceOverlap: of two transforms neither source may contain the other.
func (j *judge) checkSourceOverlap(s *source, i int, path string) *refusal {
	for k, other := range s.Transforms {
		if j.tired() {
			return nil
		}
		if k != i && j.within(s.Transforms[i].Source, other.Source) {
			return j.refuse(10147, fmt.Sprintf("%s.subject_transforms[%d].src", path, i))
		}
	}
	return nil
}

// checkSourceTransforms210: 2.10 looks at all destinations first, and at the
// sources together with their overlap.
func (j *judge) checkSourceTransforms210(s *source, path string) *refusal {
	for i, t := range s.Transforms {
		if !j.validDestination(t.Destination) {
			return j.refuse(10146, fmt.Sprintf("%s.subject_transforms[%d].dest", path, i))
		}
	}
	for i, t := range s.Transforms {
		if !subject.Valid(t.Source) {
			return j.refuse(10145, fmt.Sprintf("%s.subject_transforms[%d].src", path, i))
		}
		if r := j.checkSourceOverlap(s, i, path); r != nil {
			return r
		}
	}
	return nil
}

// checkSourceConsumer: since 2.14 a source may name a consumer of its origin.
func (j *judge) checkSourceConsumer(s *source, path string, seen map[string]bool) *refusal {
	if s.Consumer == nil {
		return nil
	}
	if !j.validSourceConsumer(s) {
		return j.refuse(10215, path+".consumer")
	}
	name := s.Name
	if s.External != nil {
		name += ":" + s.External.API
	}
	name += " " + s.Consumer.Name
	if seen[name] {
		return j.refuse(10216, path+".consumer")
	}
	seen[name] = true
	return nil
}

// checkOriginFilters is looked at when the stream is created and not when it is
// updated (server/stream.go, addStreamWithAssignment).
func (j *judge) checkOriginFilters(c *streamConfig) *refusal {
	if c.Mirror != nil {
		if r := j.checkOriginFilter(c.Mirror, "mirror", "the mirror", " "); r != nil {
			return r
		}
	}
	for i, s := range c.Sources {
		if r := j.checkOriginFilter(s, fmt.Sprintf("sources[%d]", i), "the source", ": "); r != nil {
			return r
		}
	}
	return nil
}

func (j *judge) checkOriginFilter(s *source, path, what, colon string) *refusal {
	if len(s.Transforms) == 0 {
		if s.FilterSubject == "" || subject.Valid(s.FilterSubject) {
			return nil
		}
		return j.refuse(10049, path+".filter_subject",
			fmt.Sprintf("subject filter '%s' for %s%s%s", s.FilterSubject, what, colon, badSubject))
	}
	for i, t := range s.Transforms {
		at := fmt.Sprintf("%s.subject_transforms[%d]", path, i)
		if t.Source != "" && !subject.Valid(t.Source) {
			subjectOf := "subject filter"
			if path == "mirror" {
				subjectOf = "invalid subject transform source"
			}
			return j.refuse(10049, at+".src", fmt.Sprintf("%s '%s' for %s: %s", subjectOf, t.Source, what, badSubject))
		}
		if t.Destination == "" {
			continue
		}
		if _, err := subject.NewTransform(t.Source, t.Destination, subject.TransformOptions{Release: j.release()}); err != nil {
			return j.refuse(10049, at+".dest",
				fmt.Sprintf("subject transform from '%s' to '%s' for %s: %s", t.Source, t.Destination, what, err))
		}
	}
	return nil
}
