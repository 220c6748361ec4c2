package calculator

import (
	"fmt"
	"slices"

	"weir/size"
)

func record() Calculator {
	return Calculator{
		Name: "record", About: "What one stored message costs: reported bytes, disk or heap",
		Fields:  slices.Concat(MessageFields(), []Field{storage("where the stream keeps it")}),
		Example: map[string]string{"payload": "1.2KiB", "header": "64", "subject": "orders.eu.created"},
		Answer:  answerRecord,
	}
}

// recordValues is the answer for machines.
type recordValues struct {
	Says string `json:"says"`
	size.Record
}

func answerRecord(in *Input) (Answer, error) {
	m, err := in.message.message()
	if err != nil {
		return Answer{}, err
	}
	where := size.Storage(in.storage.or(string(size.File)))
	r, err := size.OfRecord(m, where)
	if err != nil {
		return Answer{}, Refused(err)
	}
	a := Answer{Yes: true, Says: fmt.Sprintf("%s a message, %.0f %% more than its payload of %s", bytesExactly(r.Reported), (r.Reported.Value/max(m.Payload, 1)-1)*100, size.FormatBytes(m.Payload))}
	if m.Payload == 0 {
		a.Says = bytesExactly(r.Reported) + " a message, without any payload"
	}
	a.Rows = []Row{{Name: "reported", Figure: r.Reported, Text: bytesExactly(r.Reported), Note: "of state.bytes; max_bytes is checked against it"}}
	if where == size.Memory {
		a.Says += fmt.Sprintf("; %s of heap", bytesExactly(r.Heap))
		a.Rows = append(a.Rows, Row{Name: "heap", Figure: r.Heap, Text: bytesExactly(r.Heap), Note: "what the server really takes"})
	} else {
		a.Rows = append(a.Rows, Row{Name: "disk", Figure: r.Disk, Text: bytesExactly(r.Disk), Note: "of a block file, before compression"})
	}
	a.Notes = saturatedNote(r.Reported, r.Disk, r.Heap)
	a.Values = func(working bool) any {
		r := r
		prune(working, &r.Reported, &r.Disk, &r.Heap)
		return recordValues{a.Says, r}
	}
	return a, nil
}

// bytesExactly writes 1323 B as people count a message: in bytes.
func bytesExactly(f size.Figure) string {
	if f.Saturated || f.Value >= size.MiB {
		return f.Amount()
	}
	return size.FormatCount(f.Value) + " B"
}
