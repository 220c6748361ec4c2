package interview

import (
	"fmt"

	"weir/natsapi"
)

// Question is one of the six.
type Question struct {
	Ask string `json:"ask"`
	// Why says what the answer decides.
	Why    string  `json:"why"`
	Fields []Field `json:"fields"`
}

// Field is one answer of a question.
type Field struct {
	Name string `json:"name"`
	Ask  string `json:"ask"`
	// Hint is how it is written, with an example.
	Hint string `json:"hint"`
	// Choices are the words that it takes; Many says several of them, with commas.
	Choices  []string `json:"choices"`
	Many     bool     `json:"many"`
	Optional bool     `json:"optional"`
}

// The kinds of what flows.
const (
	Events = "events" // several readers, each reads all of its own
	Jobs   = "jobs"   // each is done by one worker, and is then gone
)

// ReaderQuestion is the place of the question about readers among Questions.
const ReaderQuestion = 4

// Questions are the six questions in their order. The fifth has the fields of one
// reader, of which there may be several.
func Questions() []Question {
	return []Question{
		{"What flows?", "names the stream and its subjects; events are kept for every reader, jobs are gone when one has done them", []Field{
			{Name: "what", Ask: "called", Hint: "one word, such as orders"},
			{Name: "kind", Ask: "as", Hint: "events or jobs", Choices: []string{Events, Jobs}},
			{Name: "types", Ask: "of these types", Hint: "created, paid: the last token of the subject", Optional: true},
			{Name: "keys", Ask: "different keys", Hint: "12 regions or 50000 devices: a token of its own, so that readers can filter by it", Optional: true},
		}},
		{"How much?", "sizes streams, servers and the number of workers", []Field{
			{Name: "rate", Ask: "on a normal day", Hint: "120/s"},
			{Name: "peak", Ask: "at the peak", Hint: "400/s", Optional: true},
			{Name: "peak_for", Ask: "which lasts", Hint: "10m, once a day", Optional: true},
		}},
		{"How big is one?", "sizes disk and network, and what is refused as too large", []Field{
			{Name: "size", Ask: "on average", Hint: "1.2KiB"},
			{Name: "largest", Ask: "99 of 100 are below", Hint: "16KiB", Optional: true},
		}},
		{"How long must it be kept?", "events stay readable for as long; a job that nobody did by then is dropped", []Field{
			{Name: "keep", Ask: "for", Hint: "72h or 7d"},
		}},
		{"Who consumes, and how slowly?", "sets ack_wait, batch and workers of each reader, so that no work is handed out twice while it is done", []Field{
			{Name: "name", Ask: "reader", Hint: "billing"},
			{Name: "takes", Ask: "one takes", Hint: "20ms, the median"},
			{Name: "slowest", Ask: "99 of 100 are below", Hint: "400ms", Optional: true},
			{Name: "at_a_time", Ask: "a worker has at a time", Hint: "8", Optional: true},
			{Name: "types", Ask: "reads these types", Hint: "created; all when empty", Optional: true},
		}},
		{"What may fail, and what must still hold?", "sets replicas, servers and zones; the goals are what simulation and proof are held to", []Field{
			{Name: "survive", Ask: "without a loss", Hint: "node, worker-stall 5m", Choices: []string{"node", "zone", "leader", "restart", "worker-crash", "worker-stall 5m"}, Many: true, Optional: true},
			{Name: "wait", Ask: "nothing waits longer than", Hint: "10m", Optional: true},
			{Name: "twice", Ask: "handled twice at most", Hint: "0.1%", Optional: true},
			{Name: "version", Ask: "on nats-server", Hint: "2.12", Choices: versions(), Optional: true},
		}},
	}
}

// versions are the minor versions that a design can be for, newest first.
func versions() []string {
	var out []string
	known := natsapi.Known()
	for i := len(known) - 1; i >= 0; i-- {
		if minor := fmt.Sprintf("%d.%d", known[i].Major, known[i].Minor); len(out) == 0 || out[len(out)-1] != minor {
			out = append(out, minor)
		}
	}
	return out
}

// Example is what the questions open with: orders of a shop.
func Example() Answers {
	return Answers{What: "orders", Kind: Events, Types: "created, paid", Keys: "12", Rate: "120/s", Peak: "400/s", PeakFor: "10m", Size: "1.2KiB", Largest: "16KiB", Keep: "72h",
		Readers: []Reader{{Name: "billing", Takes: "20ms", Slowest: "400ms", AtATime: "8", Types: "created"}, {Name: "search", Takes: "5ms", AtATime: "16"}},
		Survive: "node, restart, worker-crash, worker-stall 5m", Wait: "10m", Twice: "0.1%", Version: "2.12"}
}
