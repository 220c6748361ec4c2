package prover

import (
	"fmt"
	"strconv"
	"strings"

	"weir/prove"
)

// The labs about what a stream keeps of what it acknowledged.

var idsLab = Lab{
	Name: "ids", Title: "A week of ids fills the memory",
	About: "The stream holds one message; the ids of all of them stay in memory until their window is over, on every replica. Heap is measured before and after, in this tab.",
	Values: []prove.ProofValue{
		{Name: "ids", Doc: "messages published, each with an id of its own", Stops: []string{"20000", "50000", "100000"}, Default: "20000"},
		{Name: "length", Doc: "bytes of an id; a UUID has 36", Stops: []string{"16", "36", "64"}, Default: "36"},
	},
	script: idsScript,
}

// idsScript: an id takes 32 bytes of entry, its own bytes as Go allocates them
// and 37 to 68 of tables (measured with 2.15.2); what else lies on the heap in
// between may be as much again.
func idsScript(v labValues) string {
	const digits = 6
	length := v.number("length")
	id := strings.Repeat("x", length-digits) + "{i}"
	return lines("needs embedded",
		`harm "each id stays in memory whole, though its message is gone"`,
		"stream S subjects=s.* storage=memory max_msgs=1 duplicate_window=10m",
		"publish s.a n=100 id=warm-{i}", "let before = heap",
		fmt.Sprintf("publish s.a n=%s id=%s", v["ids"], id),
		"expect S.messages == 1",
		"let per_id = ( heap - before ) / "+v["ids"],
		"expect per_id > "+strconv.Itoa(length), "expect per_id < "+strconv.Itoa(2*length+200),
		`cure "with a window that is over, they are given back"`,
		"stream SHORT subjects=short.* storage=memory max_msgs=1 duplicate_window=100ms",
		"publish short.a n=100 id=warm-{i}", "let empty = heap",
		fmt.Sprintf("publish short.a n=%s id=%s", v["ids"], id),
		"wait 1s", "let per_id_after = ( heap - empty ) / "+v["ids"],
		"expect per_id_after < per_id")
}

var tooLargeLab = Lab{
	Name: "too-large", Title: "A message larger than max_bytes is acked, and gone",
	About: "With discard old a stream makes room for the new message by removing the oldest, down to the new one itself. 30 bytes and the subject count with the payload.",
	Values: []prove.ProofValue{
		{Name: "discard", Doc: "what a full stream does", Stops: []string{"old", "new"}, Default: "old"},
		{Name: "max_bytes", Doc: "of the stream", Stops: []string{"1KiB", "4KiB"}, Default: "1KiB"},
		{Name: "size", Doc: "of the message", Stops: []string{"500B", "2KiB", "8KiB"}, Default: "2KiB"},
	},
	script: tooLargeScript,
}

func tooLargeScript(v labValues) string {
	bytes := map[string]int{"500B": 500, "1KiB": 1 << 10, "2KiB": 2 << 10, "4KiB": 4 << 10, "8KiB": 8 << 10}
	stream := "stream S subjects=s.* max_bytes=" + v["max_bytes"] + " discard=" + v["discard"]
	publish := "publish s.a size=" + v["size"]
	switch {
	case bytes[v["size"]] < bytes[v["max_bytes"]]:
		return lines(`claim "it fits, and stays"`, stream, publish, "expect acked == 1", "expect S.messages == 1")
	case v["discard"] == "new":
		return lines(`claim "discard new refuses it, and its publisher is told"`, stream, "? "+publish+` err_code=10077 text="maximum bytes exceeded"`, "expect S.messages == 0")
	}
	return lines(`harm "it is acknowledged with a sequence, and the stream is empty"`, stream, publish, "expect acked == 1", "expect S.messages == 0", "expect S.last_seq == 1",
		`cure "max_msg_size refuses it"`, "stream SAFE subjects=safe.* max_bytes="+v["max_bytes"]+" max_msg_size="+v["max_bytes"],
		"? publish safe.a size="+v["size"]+" err_code=10054", "expect SAFE.messages == 0")
}

var interestLab = Lab{
	Name: "interest", Title: "Without a consumer, interest retention drops what it acked",
	About: "Interest retention keeps a message for the consumers that filter for it when it is published, until all of them have acked it.",
	Values: []prove.ProofValue{
		{Name: "consumers", Doc: "that exist at the publish", Stops: []string{"0", "1", "2"}, Default: "0"},
		{Name: "filter", Doc: "of the consumers", Stops: []string{"s.*", "s.a"}, Default: "s.*"},
		{Name: "published", Doc: "the subject of the message", Stops: []string{"s.a", "s.b"}, Default: "s.a"},
		{Name: "acks", Doc: "of consumers that have it, at most", Stops: []string{"0", "1", "2"}, Default: "1"},
	},
	script: interestScript,
}

func interestScript(v labValues) string {
	consumers, acks := v.number("consumers"), v.number("acks")
	steps := []string{"stream S subjects=s.* retention=interest"}
	for i := range consumers {
		steps = append(steps, fmt.Sprintf("consumer S/c%d ack_policy=explicit filter_subject=%s", i+1, v["filter"]))
	}
	steps = append(steps, "publish "+v["published"], "expect acked == 1")
	if consumers == 0 || v["filter"] == "s.a" && v["published"] == "s.b" {
		return lines(append(append([]string{`harm "the publish is acknowledged, and the message dropped"`}, steps...),
			"expect S.messages == 0", "expect S.last_seq == 1",
			`cure "a consumer that filters for it and exists before holds it"`, "consumer S/first ack_policy=explicit",
			"publish "+v["published"], "expect S.messages == 1")...)
	}
	acks = min(acks, consumers)
	for i := range acks {
		steps = append(steps, fmt.Sprintf("fetch S/c%d by=r%d", i+1, i+1), fmt.Sprintf("ack by=r%d", i+1))
	}
	said, left := fmt.Sprintf("%d of %d have acked it: it stays", acks, consumers), 1
	if acks == consumers {
		said, left = "all have acked it: it is deleted", 0
	}
	return lines(append(append([]string{fmt.Sprintf("claim %q", said)}, steps...), fmt.Sprintf("until S.messages == %d within 5s", left))...)
}
