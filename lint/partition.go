package lint

import (
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/subject"
)

// Partitioning is a mapping that spreads subjects over partitions, written at
// Path: the stream's subject_transform, or the mappings of server.conf.
type Partitioning struct {
	Path, Source string
	// N is how many partitions there are, Keys the wildcards of Source, from 1, that
	// decide; none of them is all.
	N    int
	Keys []int

	dest []string
	at   int // the token of dest that is the partition
}

// Partitionings are the mappings of a design that make partitions for a stream.
func (f *Facts) Partitionings(s *Stream) []Partitioning {
	var out []Partitioning
	if t := s.Config.SubjectTransform; t != nil {
		if p, ok := partitioning(t.Source, t.Destination); ok {
			p.Path = design.Join(s.Path, "subject_transform")
			out = append(out, p)
		}
	}
	mappings, ok := f.Value("server.conf.mappings")
	if !ok || s.Scope != &f.Design.Scope || !mappings.Node.IsMap() {
		return out
	}
	for i, key := range mappings.Node.Keys {
		for _, dest := range design.Destinations(mappings.Node.Items[i]) {
			p, ok := partitioning(key.Text, dest)
			if ok && slices.ContainsFunc(s.Config.Subjects, func(own string) bool { return subject.Meet(own, p.Pattern(0)) }) {
				p.Path = design.Join("server.conf.mappings", key.Text)
				out = append(out, p)
			}
		}
	}
	return out
}

func partitioning(source, dest string) (Partitioning, bool) {
	p := Partitioning{Source: source, dest: subject.Tokens(dest)}
	for i, token := range p.dest {
		call := strings.ToLower(strings.ReplaceAll(token, " ", ""))
		args, ok := strings.CutPrefix(call, "{{partition(")
		if !ok {
			continue
		}
		for j, arg := range strings.Split(strings.TrimSuffix(args, ")}}"), ",") {
			n, err := strconv.Atoi(arg)
			switch {
			case err != nil || n < 1:
				return p, false
			case j == 0:
				p.N = n
			default:
				p.Keys = append(p.Keys, n)
			}
		}
		p.at = i
		return p, p.N > 0
	}
	return p, false
}

// Pattern matches the subjects of one partition.
func (p Partitioning) Pattern(partition int) string {
	tokens := slices.Clone(p.dest)
	for i, t := range tokens {
		switch {
		case i == p.at:
			tokens[i] = strconv.Itoa(partition)
		case strings.Contains(t, "{{") || strings.HasPrefix(t, "$"):
			tokens[i] = subject.One
		}
	}
	return strings.Join(tokens, subject.Separator)
}

// partitionOf is the filter of a consumer with # in place of the one token that
// is a number, and that number; shape is "" when it has no such filter.
func partitionOf(c *Consumer) (shape string, number int) {
	filters := c.Filters()
	if len(filters) != 1 || c.Config.FilterSubject == "" && len(c.Config.FilterSubjects) == 0 {
		return "", 0
	}
	tokens, at := subject.Tokens(filters[0]), -1
	for i, t := range tokens {
		if t == "" || t[0] < '0' || t[0] > '9' {
			continue // most tokens; the error of a number that is none takes long to make
		}
		if n, err := strconv.Atoi(t); err == nil {
			if at >= 0 {
				return "", 0
			}
			at, number = i, n
		}
	}
	if at < 0 {
		return "", 0
	}
	tokens[at] = "#"
	return strings.Join(tokens, subject.Separator), number
}

// partitionsSent are the numbers that stand at the # of a shape in the subjects
// that publishers send, and those that a mapping makes.
func (f *Facts) partitionsSent(s *Stream, shape string) map[string]bool {
	out, at := map[string]bool{}, slices.Index(subject.Tokens(shape), "#")
	look := func(sent string) {
		tokens := subject.Tokens(sent)
		if at >= len(tokens) {
			return
		}
		if _, err := strconv.Atoi(tokens[at]); err == nil && subject.Meet(sent, strings.Replace(shape, "#", tokens[at], 1)) {
			out[tokens[at]] = true
		}
	}
	for _, p := range s.Publishers() {
		subjects, _ := sentBy(p.Publisher)
		for _, sent := range subjects {
			look(sent)
		}
	}
	for _, p := range f.Partitionings(s) {
		for n := range min(p.N, mostExpanded) {
			look(p.Pattern(n))
		}
	}
	return out
}
