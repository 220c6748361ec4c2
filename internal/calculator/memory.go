package calculator

import (
	"fmt"
	"slices"

	"weir/size"
)

func memory() Calculator {
	return Calculator{
		Name: "memory", About: "The heap of a memory stream against the bytes that it reports",
		Fields:  slices.Concat([]Field{storedMessages("how many messages are stored")}, MessageFields(), subjectFields()),
		Example: map[string]string{"messages": "5e6", "payload": "200", "subject": "orders.eu.created"},
		Answer:  answerMemory,
	}
}

func storedMessages(usage string) Field {
	return number("messages", usage, "count", ParseCount, func(in *Input) *Quantity[float64] { return &in.messages })
}

// memoryValues is the answer for machines.
type memoryValues struct {
	Says string `json:"says"`
	size.MemoryStore
}

func answerMemory(in *Input) (Answer, error) {
	if !in.messages.Given() {
		return Answer{}, refuse("no number of messages given; write --messages 5e6")
	}
	m, err := in.message.message()
	if err != nil {
		return Answer{}, err
	}
	z, err := size.OfMemoryStore(size.MemoryStoreInput{Message: m, Messages: in.messages.Value, Subjects: in.subjects.set()})
	if err != nil {
		return Answer{}, Refused(err)
	}
	a := Answer{Yes: true, Says: fmt.Sprintf("%s of heap on each replica, %.2f times the %s that the stream reports", z.Heap.Ranged(), z.Factor.Value, z.Reported.Amount())}
	if z.Heap.Saturated {
		a.Says = fmt.Sprintf("%s of heap on each replica: no server can hold that", z.Heap.Amount())
	}
	a.Rows = []Row{
		{Name: "reported", Figure: z.Reported, Note: "state.bytes; max_bytes and max_memory_store count this"},
		{Name: "heap", Figure: z.Heap, Note: "live heap; Go's collector may let as much again pile up without GOMEMLIMIT"},
	}
	if !z.Heap.Saturated {
		a.Rows = append(a.Rows, Row{Name: "a message", Figure: perMessage(z.Heap, in.messages.Value), Note: "heap by messages, subjects included"})
	}
	a.Bars = []Bar{
		{Name: "Reported", About: "what max_memory_store counts", Total: z.Reported, Parts: []Part{{Name: "state.bytes", Figure: z.Reported}}, Marks: []size.Figure{z.Heap}},
		{Name: "Heap", About: "what the server takes", Total: z.Heap, Parts: partsOf(z.Heap)},
	}
	a.Notes = saturatedNote(z.Reported, z.Heap)
	a.Values = func(working bool) any {
		z := z
		prune(working, &z.Reported, &z.Heap, &z.Factor)
		return memoryValues{a.Says, z}
	}
	return a, nil
}

// perMessage is a part of a total, for people.
func perMessage(total size.Figure, messages float64) size.Figure {
	return size.Figure{Name: "a message", Value: total.Value / messages, Low: total.Low / messages, High: total.High / messages,
		Unit: size.Bytes, Basis: size.Arithmetic}
}
