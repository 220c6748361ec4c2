package lint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
	"weir/verdict"
)

// subjectExplainers are about subjects, filters, transforms and names.
var subjectExplainers = []explainer{
	{10052, "capturing all subjects requires no-ack", reservedSubject},
	{10052, "capturing all subjects requires replicas", setting("captures every subject, which the server allows with one replica only", "num_replicas", "1")},
	{10052, "require no-ack to be true", reservedSubject},
	{10052, "overlaps with", ownOverlap},
	{10052, "duplicate subjects", fixed("is written twice", "leave one of the two out")},
	{10052, "invalid subject", badSubject},
	{10052, "republish destination forms a cycle", republishCycle},
	{10052, "stream configuration for republish", badMapping},
	{10052, "name is required", nameAdvice},
	{10052, "name is too long", nameAdvice},
	{10052, "name can not contain", nameAdvice},
	{10052, "must be a valid subject without wildcards", badLiteral},
	{10049, "subject filter", badSubject},
	{10049, "stream subject transform", badMapping},
	{10065, "", streamOverlap},
	{10079, "", badLiteral},
	{10112, "", badLiteral},
	{10024, "", badLiteral},
	{10081, "", deliverCycle},
	{10138, "", filtersOverlap},
	{10139, "", fixed("is an empty filter in a list", "leave it out; without filters a consumer gets every message")},
	{10144, "", badSubject}, {10145, "", badSubject}, {10151, "", badSubject}, {10155, "", badSubject},
	{10154, "", badMapping}, {10156, "", badMapping}, {10146, "", badMapping},
	{10147, "", fixed("has a source that overlaps with that of another transform of the same source", "narrow one of the two: which would apply is not defined")},
	{10152, "", fixed("has a source that overlaps with that of another transform of the mirror", "narrow one of the two: which would apply is not defined")},
	{10141, "", nameAdvice}, {10142, "", nameAdvice}, {10102, "", nameAdvice}, {10103, "", nameAdvice}, {10127, "", nameAdvice}, {10128, "", nameAdvice},
}

// release is the version as package subject takes it.
func (r *refused) release() subject.Release {
	return subject.Release{Major: r.v.Major, Minor: r.v.Minor}
}

// context is the context of a subject at the path.
func (r *refused) context() subject.Context {
	switch {
	case r.field == nil:
		return subject.Subscribe
	case r.field.Name == "src" && r.field.Asset == natsapi.Republish:
		return subject.RepublishSource
	case r.field.Name == "src":
		return subject.TransformSource
	case r.field.Asset == natsapi.Source && strings.Contains(r.path, "mirror"):
		return subject.MirrorFilter
	case r.field.Asset == natsapi.Source:
		return subject.SourceFilter
	case r.field.Name == "subjects":
		return subject.Stream
	}
	return subject.Filter
}

// badSubject explains a subject that is none, and offers what was most likely
// meant.
func badSubject(r *refused) advice {
	text := r.value.Node
	if !text.IsScalar() {
		return advice{}
	}
	return r.subjectAdvice(text.Text, r.context())
}

func (r *refused) subjectAdvice(s string, c subject.Context) advice {
	v := subject.CheckOn(s, c, r.release())
	if v.Valid {
		return advice{}
	}
	a := advice{why: "is not a valid " + titleOf(c) + ": " + v.Reason}
	if len(v.Suggestions) == 0 {
		a.write = "write tokens separated by dots, such as orders.*.created"
		return a
	}
	var options []string
	for _, s := range v.Suggestions[:min(2, len(v.Suggestions))] {
		options = append(options, fmt.Sprintf("%s (%s)", clip(s.Subject), s.Why))
	}
	a.write = "write " + oneOf(options)
	best := v.Suggestions[0].Subject
	if a.fix = r.d.SetFix("Write "+clip(best), r.path, yamlScalar(best)); a.fix != nil {
		// Only a dot too many says by itself what is meant.
		tokens := slices.DeleteFunc(subject.Tokens(s), func(t string) bool { return t == "" })
		a.fix.Guess = strings.Join(tokens, subject.Separator) != best
	}
	return a
}

func titleOf(c subject.Context) string {
	for _, info := range subject.Contexts() {
		if info.Context == c {
			return info.Title
		}
	}
	return string(c)
}

// yamlScalar quotes a subject or name for a design file where it needs that.
func yamlScalar(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("0123456789._-*>$", r))
	})
	if plain && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z' || s[0] == '$') && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off"}, s) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// badLiteral explains a subject that has to be one that can be published on.
func badLiteral(r *refused) advice {
	if !r.value.Node.IsScalar() {
		return advice{}
	}
	s := r.value.Node.Text
	v := subject.CheckOn(s, subject.Publish, r.release())
	if !v.Valid {
		return advice{why: "is no subject that can be published on: " + v.Reason, write: "write one without wildcards and empty tokens"}
	}
	return advice{why: "lies in the server's own subjects", write: "write a subject of yours, such as deliver." + lastStep(r.Request.Path)}
}

func lastStep(path string) string {
	steps := design.Split(path)
	if len(steps) == 0 {
		return ""
	}
	return steps[len(steps)-1]
}

// nameAdvice explains the name of a stream, consumer or origin.
func nameAdvice(r *refused) advice {
	name, c := lastStep(r.Request.Path), subject.StreamName
	switch {
	case r.Request.Kind == "consumer":
		c = subject.ConsumerName
	case r.Request.Kind != "stream":
		c = subject.KVBucket
	}
	if v, ok := r.d.Value(r.path); ok && v.Node.IsScalar() && r.path != r.Request.Path {
		name = v.Node.Text
		if r.field != nil && r.field.Asset == natsapi.Source {
			c = subject.StreamName
		}
	}
	if r.field != nil && r.field.Asset == natsapi.Source && r.value.Node == nil {
		return advice{why: "is missing: a source is copied by its name", write: "write the name of the stream"}
	}
	v := subject.CheckOn(name, c, r.release())
	if v.Valid {
		return advice{}
	}
	a := advice{why: fmt.Sprintf("%s is not a valid %s: %s", quote(name), titleOf(c), v.Reason)}
	if r.path != r.Request.Path {
		a.why = strings.TrimPrefix(a.why, quote(name)+" ")
	} else {
		a.why = "cannot exist: " + a.why
	}
	if len(v.Suggestions) > 0 {
		a.write = "write " + clip(v.Suggestions[0].Subject)
	}
	return a
}

// reservedSubject explains a stream that captures what the server itself uses.
func reservedSubject(r *refused) advice {
	if !r.value.Node.IsScalar() {
		return advice{}
	}
	s := r.value.Node.Text
	if s == subject.Rest {
		return advice{why: "captures every subject, the server's own and all replies among them",
			write: "write the subjects that the stream is for, such as orders.>; with no_ack: true it is allowed, and no publisher learns whether its message is stored"}
	}
	for _, c := range subject.ReservedCollisions(s, r.release()) {
		if c.Refused != "" {
			why := fmt.Sprintf("reaches %s (%s)", c.Space.Space, c.Space.Owner)
			if c.Witness != "" {
				why += ", for instance " + c.Witness
			}
			return advice{why: why, write: "begin it with a token of your own, such as orders.>"}
		}
	}
	return advice{}
}

// ownOverlap explains two subjects of one stream that share messages.
func ownOverlap(r *refused) advice {
	if !r.value.Node.IsScalar() {
		return advice{}
	}
	s := r.value.Node.Text
	for i, other := range r.stream().Subjects {
		if other == s || !subject.Collide(s, other) {
			continue
		}
		rel := subject.Relate(s, other)
		why := fmt.Sprintf("overlaps with %s (subjects[%d])", quote(other), i)
		if rel.Both != "" {
			why += ": both match " + clip(rel.Both)
		}
		return advice{why: why, write: narrower(s, other, rel)}
	}
	return advice{why: "is in the list twice", write: "leave one of the two out"}
}

// narrower says which of two overlapping subjects to leave out.
func narrower(a, b string, rel subject.Related) string {
	switch rel.Relation {
	case subject.Covers, subject.Equal:
		return "leave " + clip(b) + " out, " + clip(a) + " has its messages"
	case subject.Covered:
		return "leave " + clip(a) + " out, " + clip(b) + " has its messages"
	}
	return "narrow one of the two"
}

// streamOverlap explains subjects that another stream of the account has.
func streamOverlap(r *refused) advice {
	ours := r.stream().Subjects
	if len(ours) == 0 {
		ours = []string{r.stream().Name}
	}
	var a advice
	r.earlier(false, func(j verdict.Judgement) bool {
		other := r.streamAt(j.Request.Path)
		theirs := other.Subjects
		if len(theirs) == 0 && other.Mirror == nil && len(other.Sources) == 0 {
			theirs = []string{other.Name}
		}
		for i, s := range ours {
			for _, t := range theirs {
				if !subject.CollideOn(s, t, r.release()) {
					continue
				}
				rel := subject.Relate(s, t)
				a = advice{why: fmt.Sprintf("overlaps with %s of %s", quote(t), otherName(r, j)),
					write: "a message is stored by one stream: narrow one of the two, or leave the subjects out and copy with sources or a mirror"}
				if rel.Both != "" {
					a.why += ": both match " + clip(rel.Both)
				}
				if at := design.Index(r.at("subjects"), i); r.d.Has(at) {
					a.at = at
				}
				return false
			}
		}
		return true
	})
	return a
}

// otherName names another asset with its place.
func otherName(r *refused, j verdict.Judgement) string {
	name := j.Request.Kind + " " + clip(j.Request.Name)
	switch j.Request.Kind {
	case "kv":
		name = "KV bucket " + clip(j.Request.Name)
	case "object_store":
		name = "object store " + clip(j.Request.Name)
	}
	if p := r.d.Where(j.Request.Path); p.Line > 0 {
		name += fmt.Sprintf(" (line %d", p.Line)
		if mine := r.d.Where(r.Request.Path); mine.File != p.File {
			name += " of " + p.File
		}
		name += ")"
	}
	return name
}

// deliverCycle explains a push consumer that delivers into its own stream.
func deliverCycle(r *refused) advice {
	if !r.value.Node.IsScalar() {
		return advice{}
	}
	for _, s := range r.stream().Subjects {
		if subject.MatchesFilter(r.value.Node.Text, s) {
			return advice{why: fmt.Sprintf("lies inside of the stream's own subject %s: what is delivered would be stored and delivered again", quote(s)),
				write: "write a subject outside, such as deliver." + lastStep(r.Request.Path)}
		}
	}
	return advice{}
}

// republishCycle explains republishing into the stream itself.
func republishCycle(r *refused) advice {
	return advice{why: "leads back into the stream's own subjects: each message would be stored again for ever",
		write: "write a destination outside of them, such as republished.>"}
}

// filtersOverlap explains filters of one consumer that share messages.
func filtersOverlap(r *refused) advice {
	if !r.value.Node.IsScalar() {
		return advice{}
	}
	s := r.value.Node.Text
	for _, other := range r.consumer().FilterSubjects {
		rel := subject.Relate(s, other)
		if other != s && (rel.Both != "" || rel.Relation != subject.Disjoint) {
			why := "overlaps with " + quote(other)
			if rel.Both != "" {
				why += ": both match " + clip(rel.Both)
			}
			return advice{why: why, write: narrower(s, other, rel)}
		}
	}
	return advice{why: "is in the list twice", write: "leave one of the two out"}
}

// badMapping explains a transform or republish that is not one.
func badMapping(r *refused) advice {
	at := r.path
	if last := lastStep(at); last == "dest" || last == "src" {
		at = design.Parent(at)
	}
	src, _ := r.d.Value(design.Join(at, "src"))
	dest, ok := r.d.Value(design.Join(at, "dest"))
	if !ok || !dest.Node.IsScalar() {
		return advice{}
	}
	source := ""
	if src.Node.IsScalar() {
		source = src.Node.Text
	}
	_, err := subject.NewTransform(source, dest.Node.Text, subject.TransformOptions{Release: r.release()})
	var te *subject.TransformError
	if !errors.As(err, &te) {
		return advice{}
	}
	a := advice{at: design.Join(at, "dest"), why: "is not a valid destination for " + quote(orRest(source)) + ": " + strings.TrimPrefix(te.Reason, "invalid mapping destination: ")}
	if te.Token != "" {
		a.why += " in " + clip(te.Token)
	}
	a.write = te.Hint
	if a.write == "" {
		a.write = "write a subject whose tokens are text, {{wildcard(n)}} or a function of them"
	}
	return a
}

func orRest(s string) string {
	if s == "" {
		return subject.Rest
	}
	return s
}
