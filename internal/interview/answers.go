package interview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

// Answers are the answers to the six questions as they were written: rates,
// sizes, durations and shares as a design file has them. "" is not answered.
type Answers struct {
	// What flows: one token; Kind is Events or Jobs, "" is Events. Types are the
	// last tokens of its subjects with commas between, Keys how many keys there are.
	What  string `json:"what"`
	Kind  string `json:"kind"`
	Types string `json:"types"`
	Keys  string `json:"keys"`
	// Rate is that of a normal day, Peak of its peak, which lasts PeakFor.
	Rate    string `json:"rate"`
	Peak    string `json:"peak"`
	PeakFor string `json:"peak_for"`
	// Size is the mean payload, Largest its 99th percentile.
	Size    string `json:"size"`
	Largest string `json:"largest"`
	Keep    string `json:"keep"`
	// Readers are who consumes.
	Readers []Reader `json:"readers"`
	// Survive are faults with commas between; Wait and Twice are goals.
	Survive string `json:"survive"`
	Wait    string `json:"wait"`
	Twice   string `json:"twice"`
	// Version is the server's, "" for 2.12.
	Version string `json:"version"`
}

// Reader is one who consumes.
type Reader struct {
	Name    string `json:"name"`
	Takes   string `json:"takes"`
	Slowest string `json:"slowest"`
	AtATime string `json:"at_a_time"`
	Types   string `json:"types"`
}

// defaultVersion is that of the presets.
const defaultVersion = "2.12"

// Bounds of what can be answered.
const (
	mostReaders = 50
	mostTypes   = 50
	longestName = 40
	maxPayload  = 1 << 20 // of a server without max_payload: MAX_PAYLOAD_SIZE, const.go, 2.15.2
)

// needs are the answers as values.
type needs struct {
	Answers
	kind, version string
	types         []string
	keys          int
	rate, peak    float64
	peakFor       time.Duration
	size, largest int64
	keep, wait    time.Duration
	twice         float64
	survive       []design.Survive
	readers       []reader
	nodes         int
	zones         bool
	stream        string
}

type reader struct {
	Reader
	takes, slowest time.Duration
	atATime        int
	types          []string // nil is all
}

// asker reads answers and collects what cannot be used.
type asker struct{ faults []Fault }

func (a *asker) refuse(field, format string, args ...any) {
	a.faults = append(a.faults, Fault{field, fmt.Sprintf(format, args...)})
}

// value reads an answer; the zero value stands for one that was not given.
func value[T any](a *asker, field, text string, needed bool, parse func(string) (T, error)) T {
	var zero T
	if text == "" {
		if needed {
			a.refuse(field, "is not answered yet")
		}
		return zero
	}
	v, err := parse(text)
	if err != nil {
		a.refuse(field, "%v", err)
		return zero
	}
	return v
}

// read makes values of the answers.
func (a Answers) read() (needs, []Fault) {
	trim(&a.What, &a.Kind, &a.Types, &a.Keys, &a.Rate, &a.Peak, &a.PeakFor, &a.Size, &a.Largest, &a.Keep, &a.Survive, &a.Wait, &a.Twice, &a.Version)
	ask := &asker{}
	n := needs{Answers: a, kind: a.Kind, version: a.Version}
	n.What = value(ask, "what", a.What, true, word)
	if n.kind == "" {
		n.kind = Events
	}
	if n.kind != Events && n.kind != Jobs {
		ask.refuse("kind", "%q is neither %s nor %s", a.Kind, Events, Jobs)
	}
	n.types = ask.words("types", a.Types)
	n.keys = value(ask, "keys", a.Keys, false, count(1_000_000_000))
	n.amounts(ask)
	n.faultsToSurvive(ask)
	n.readers = ask.readers(a.Readers, n.types)
	n.shared(ask)
	if n.version == "" {
		n.version = defaultVersion
	} else if _, err := natsapi.ParseVersion(n.version); err != nil {
		ask.refuse("version", "%v", err)
	}
	n.stream = strings.ToUpper(n.What)
	return n, ask.faults
}

// amounts reads rates, sizes and times.
func (n *needs) amounts(ask *asker) {
	span := func(field, text string, needed bool) time.Duration {
		d := time.Duration(value(ask, field, text, needed, design.ParseDuration))
		if text != "" && d <= 0 && !ask.refused(field) {
			ask.refuse(field, "%q is no length of time; write more than nothing", text)
		}
		return d
	}
	n.rate = value(ask, "rate", n.Rate, true, above(design.ParseRate))
	n.peak = value(ask, "peak", n.Peak, false, above(design.ParseRate))
	n.peakFor = span("peak_for", n.PeakFor, false)
	switch {
	case n.peak > 0 && n.peak < n.rate:
		ask.refuse("peak", "%s is less than %s on a normal day", n.Peak, n.Rate)
	case n.peak > 0 && n.PeakFor == "":
		ask.refuse("peak_for", "is not answered yet: how long does the peak last?")
	case n.peakFor >= 24*time.Hour:
		ask.refuse("peak_for", "%s is all day: then it is the normal rate", n.PeakFor)
	}
	n.size = value(ask, "size", n.Size, true, above(design.ParseSize))
	n.largest = value(ask, "largest", n.Largest, false, design.ParseSize)
	if n.largest > 0 && n.largest < n.size {
		ask.refuse("largest", "%s is less than the average of %s", n.Largest, n.Size)
	}
	if most := max(n.size, n.largest); most > maxPayload {
		ask.refuse("size", "%s is more than a server takes without more max_payload (1 MiB); keep such things in an object store and send where they are", design.FormatSize(most))
	}
	n.tail(ask)
	n.keep = span("keep", n.Keep, true)
	if n.keep > 0 && n.keep < time.Second {
		ask.refuse("keep", "%q is below a second", n.Keep)
	}
	n.wait = span("wait", n.Wait, false)
	n.twice = value(ask, "twice", n.Twice, false, design.ParseShare)
}

// tail refuses sizes of which more than one in 10,000 would be above what a
// server takes.
func (n *needs) tail(ask *asker) {
	d := design.Distribution{Kind: design.DistLognormal, Mean: float64(n.size), P99: float64(n.largest)}
	if n.largest <= n.size || n.largest > maxPayload {
		return
	}
	if !d.Known() {
		ask.refuse("largest", "%s is more than 15 times the average of %s: of such sizes 99 of 100 cannot be below it", n.Largest, n.Size)
		return
	}
	if over := d.Exceeds(maxPayload); over >= 1e-4 {
		ask.refuse("largest", "%s with an average of %s puts %s of the messages above the 1 MiB that a server takes", n.Largest, n.Size, size.Share.Format(over))
	}
}

// faultsToSurvive reads what may fail, and how many servers that takes.
func (n *needs) faultsToSurvive(ask *asker) {
	n.nodes = 1
	for _, w := range split(n.Survive) {
		s, err := design.ParseSurvive(w)
		if err != nil {
			ask.refuse("survive", "%v", err)
			continue
		}
		n.survive = append(n.survive, s)
		switch s.Fault {
		case "zone":
			n.nodes, n.zones = 3, true
		case "node", "leader":
			n.nodes = 3
		}
	}
}

// readers reads who consumes.
func (a *asker) readers(list []Reader, types []string) (out []reader) {
	switch {
	case len(list) == 0:
		a.refuse("reader 1", "is not answered yet: somebody has to consume it")
	case len(list) > mostReaders:
		a.refuse("reader", "%d readers are more than %d", len(list), mostReaders)
		return nil
	}
	names := map[string]bool{}
	for i, r := range list {
		field := fmt.Sprintf("reader %d", i+1)
		trim(&r.Name, &r.Takes, &r.Slowest, &r.AtATime, &r.Types)
		one := reader{Reader: r, takes: time.Duration(value(a, field, r.Takes, true, above(design.ParseDuration))),
			slowest: time.Duration(value(a, field, r.Slowest, false, design.ParseDuration)), types: a.words(field, r.Types)}
		one.Name = value(a, field, r.Name, true, word)
		one.atATime = max(1, value(a, field, r.AtATime, false, count(10_000)))
		if one.slowest > 0 && one.slowest < one.takes {
			a.refuse(field, "%s for the slowest is less than the median of %s", r.Slowest, r.Takes)
		}
		if names[one.Name] {
			a.refuse(field, "%q is there twice", one.Name)
		}
		names[one.Name] = true
		for _, t := range one.types {
			if !slices.Contains(types, t) {
				a.refuse(field, "%q is not one of the types that flow: %s", t, strings.Join(types, ", "))
			}
		}
		if len(one.types) == len(types) {
			one.types = nil
		}
		out = append(out, one)
	}
	return out
}

// shared holds readers to what the kind allows: a job has one reader, and what
// nobody reads need not be stored.
func (n *needs) shared(ask *asker) {
	by := map[string]string{}
	for i, r := range n.readers {
		types := r.types
		if types == nil {
			types = n.types
		}
		if len(n.types) == 0 {
			types = []string{""}
		}
		for _, t := range types {
			if other := by[t]; other != "" && n.kind == Jobs {
				ask.refuse(fmt.Sprintf("reader %d", i+1), "%s has the same jobs: each job is done by one reader, so give each its own types", other)
				break
			}
			by[t] = r.Name
		}
	}
	for _, t := range n.types {
		if by[t] == "" && len(n.readers) > 0 {
			ask.refuse("types", "nobody reads %s: leave it out, or give it to a reader", t)
		}
	}
}

func (a *asker) refused(field string) bool {
	return slices.ContainsFunc(a.faults, func(f Fault) bool { return f.Field == field })
}

// words reads a list of names.
func (a *asker) words(field, text string) (out []string) {
	for _, w := range split(text) {
		t, err := word(w)
		switch {
		case err != nil:
			a.refuse(field, "%v", err)
		case slices.Contains(out, t):
			a.refuse(field, "%q is there twice", t)
		default:
			out = append(out, t)
		}
	}
	if len(out) > mostTypes {
		a.refuse(field, "%d types are more than %d", len(out), mostTypes)
	}
	return out
}

func split(text string) (out []string) {
	for _, w := range strings.Split(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func trim(texts ...*string) {
	for _, t := range texts {
		*t = strings.TrimSpace(*t)
	}
}

// word takes what is a token of a subject and a name of a stream at once.
func word(s string) (string, error) {
	if len(s) > longestName {
		return "", fmt.Errorf("%q is longer than %d characters", s, longestName)
	}
	for i, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '_'):
		default:
			return "", fmt.Errorf("%q is no plain word; write letters, digits, - and _, a letter first", s)
		}
	}
	return s, nil
}

func count(most int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("%q is no count; write a whole number from 1 to %d", s, most)
		}
		return n, nil
	}
}

// above refuses nothing at all.
func above[T int64 | float64](parse func(string) (T, error)) func(string) (T, error) {
	return func(s string) (T, error) {
		v, err := parse(s)
		if err == nil && v <= 0 {
			err = fmt.Errorf("%q is nothing; write more", s)
		}
		return v, err
	}
}
