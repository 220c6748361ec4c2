package subject_test

import (
	"fmt"
	"testing"

	"weir/subject"
)

// serverFunctions are what the benchmarks set beside ours; they are nil under
// js/wasm, where the server does not build.
type serverFunctions struct {
	matches   func(subject, filter string) bool
	collide   func(a, b string) bool
	transform func(source, destination string) (apply func(string) (string, error))
}

// matchMix holds what a matcher meets: literals, both wildcards, and misses at
// the first token, at the last one and by depth.
var matchMix = [...][2]string{
	{"orders.eu.created", "orders.eu.created"},
	{"orders.eu.created", "orders.eu.deleted"},
	{"orders.*.created", "orders.eu.created"},
	{"orders.*.created", "orders.eu.deleted"},
	{"orders.*", "orders.eu.created"},
	{"orders.>", "orders.eu.created"},
	{"orders.>", "orders"},
	{"telemetry.>", "orders.eu.created"},
	{"*.*.*", "orders.eu.created"},
	{"events.user.*.login", "events.user.4711.login"},
	{"events.user.*.login", "events.user.4711.logout"},
	{">", "telemetry.plant.7.line.3.sensor.42.temperature"},
	{"telemetry.plant.*.line.*.sensor.*.temperature", "telemetry.plant.7.line.3.sensor.42.temperature"},
	{"telemetry.plant.*.line.*.sensor.*.pressure", "telemetry.plant.7.line.3.sensor.42.temperature"},
}

// BenchmarkMatch goes through the whole mix in one operation: divide by 14 for
// one match.
func BenchmarkMatch(b *testing.B) {
	run := func(match func(pattern, subject string) bool) func(b *testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for i := range matchMix {
					if match(matchMix[i][0], matchMix[i][1]) {
						n++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(matchMix)), "ns/match")
			if n%b.N != 0 {
				b.Fatal("a match depends on the round")
			}
		}
	}
	b.Run("weir", run(subject.Match))
	if theServer.matches != nil {
		b.Run("server", run(func(pattern, subject string) bool { return theServer.matches(subject, pattern) }))
	}
}

// matrixInput makes patterns and subjects of a house with some events, of which
// a subject matches a few patterns.
func matrixInput(patterns, subjects int) ([]string, []string) {
	areas := []string{"orders", "events", "telemetry", "billing", "stock"}
	ps := make([]string, patterns)
	for i := range ps {
		area, n := areas[i%len(areas)], i/len(areas)
		switch i % 6 {
		case 0:
			ps[i] = fmt.Sprintf("%s.r%d.created", area, n)
		case 1:
			ps[i] = fmt.Sprintf("%s.*.k%d.done", area, n)
		case 2:
			ps[i] = fmt.Sprintf("%s.r%d.>", area, n)
		case 3:
			ps[i] = fmt.Sprintf("%s.r%d.*.*", area, n%40)
		case 4:
			ps[i] = fmt.Sprintf("*.r%d.k%d.*", n, n%7)
		default:
			ps[i] = fmt.Sprintf("%s.r%d.k%d.done", area, n%60, n)
		}
	}
	ss := make([]string, subjects)
	for i := range ss {
		ss[i] = fmt.Sprintf("%s.r%d.k%d.%s", areas[i%len(areas)], i%211, i%97, []string{"done", "created", "failed"}[i%3])
		if i%9 == 0 {
			ss[i] = fmt.Sprintf("%s.r%d.created", areas[i%len(areas)], i%211)
		}
	}
	return ps, ss
}

// BenchmarkMatrix fills 1,000 x 10,000 cells: ours first, then a loop over the
// server's own function.
func BenchmarkMatrix(b *testing.B) {
	patterns, subjects := matrixInput(1_000, 10_000)
	ours, theirs := 0, 0
	b.Run("weir", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m, err := subject.NewMatrix(patterns, subjects)
			if err != nil {
				b.Fatal(err)
			}
			ours = m.Count()
		}
	})
	if theServer.matches == nil {
		return
	}
	b.Run("server", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			theirs = 0
			for _, s := range subjects {
				for _, p := range patterns {
					if theServer.matches(s, p) {
						theirs++
					}
				}
			}
		}
	})
	if ours != theirs && ours > 0 && theirs > 0 {
		b.Fatalf("%d cells match, %d by the server", ours, theirs)
	}
}

var relateMix = [...][2]string{
	{"orders.*", "orders.>"},
	{"orders.*.created", "orders.eu.*"},
	{"orders.eu.created", "orders.*.created"},
	{"telemetry.plant.*.line.*.>", "telemetry.*.7.line.3.sensor.*"},
	{"orders.>", "events.>"},
}

// BenchmarkRelate finds relation, witnesses and the sentence for each pair of a
// mix; the server's SubjectsCollide answers yes or no.
func BenchmarkRelate(b *testing.B) {
	b.Run("weir", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range relateMix {
				subject.Relate(p[0], p[1])
			}
		}
	})
	b.Run("weir-collide", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range relateMix {
				subject.Collide(p[0], p[1])
			}
		}
	})
	if theServer.collide == nil {
		return
	}
	b.Run("server-collide", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range relateMix {
				theServer.collide(p[0], p[1])
			}
		}
	})
}

// BenchmarkOverlaps searches 10,000 patterns.
func BenchmarkOverlaps(b *testing.B) {
	patterns, _ := matrixInput(10_000, 0)
	b.ReportAllocs()
	for b.Loop() {
		subject.FindOverlaps(patterns, 1_000)
	}
}

func BenchmarkTransform(b *testing.B) {
	const source, destination, in = "orders.*.*.>", "moved.{{wildcard(2)}}.{{partition(16,1,2)}}.{{splitFromLeft(1,2)}}.>", "orders.europe.4711.created.v2"
	run := func(apply func(string) (string, error)) func(b *testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := apply(in); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	tr, err := subject.NewTransform(source, destination, subject.TransformOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("weir", run(func(s string) (string, error) { return tr.Apply(s, nil) }))
	if theServer.transform != nil {
		b.Run("server", run(theServer.transform(source, destination)))
	}
}
