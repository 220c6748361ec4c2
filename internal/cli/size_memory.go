package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weir/size"
)

type sizeMemoryOptions struct {
	sizeOutput
	message  messageFlags
	subjects subjectSetFlags
	messages quantity[float64]
}

// sizeMemory sizes a memory store.
func (c *Command) sizeMemory() *cobra.Command {
	var o sizeMemoryOptions
	cmd := &cobra.Command{
		Use:   "memory --messages COUNT --payload BYTES",
		Short: "The heap of a memory stream, against the bytes that it reports",
		Long: `Sizes a stream with storage memory: state.bytes, against which max_bytes and
max_memory_store are checked, and the heap that it really takes, which is more: twice as much
and beyond for small messages.
` + sizeHelp,
		Example: `  weir size memory --messages 5e6 --payload 200 --subject orders.eu.created
  weir size memory --messages 250000 --payload 16 --subject-len 10 --subjects 1000
  weir size memory --messages 1e6 --payload 1KiB --subjects 1e6 --subject-shape random --explain
  weir size memory --messages 1e6 --payload 1KiB --format json | jq .factor.value`,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runSizeMemory(&o) })
	o.messages.add(cmd, "messages", "how many messages are stored", "count", parseCount)
	o.message.add(cmd)
	o.subjects.add(cmd)
	o.sizeOutput.add(cmd)
	return cmd
}

// memoryJSON is the answer of weir size memory.
type memoryJSON struct {
	Says string `json:"says"`
	size.MemoryStore
}

func (c *Command) runSizeMemory(o *sizeMemoryOptions) (int, error) {
	if !o.messages.given() {
		return ExitUsage, badInput("no number of messages given; write --messages 5e6")
	}
	m, _, err := o.message.message()
	if err != nil {
		return codeOf(err), err
	}
	in := size.MemoryStoreInput{Message: m, Messages: o.messages.value, Subjects: o.subjects.set()}
	z, err := size.OfMemoryStore(in)
	if err != nil {
		return ExitUsage, sizeError(err)
	}
	says := fmt.Sprintf("%s of heap on each replica, %.2f times the %s that the stream reports", ranged(z.Heap), z.Factor.Value, amount(z.Reported))
	if z.Heap.Saturated {
		says = fmt.Sprintf("%s of heap on each replica: no server can hold that", amount(z.Heap))
	}
	if o.format.value == "json" {
		prune(o.explain, &z.Reported, &z.Heap, &z.Factor)
		return ExitYes, c.printJSON(memoryJSON{says, z})
	}
	rows := []sizeRow{
		{name: "reported", figure: z.Reported, note: "state.bytes; max_bytes and max_memory_store count this"},
		{name: "heap", figure: z.Heap, note: "live heap; Go's collector may let as much again pile up without GOMEMLIMIT"},
	}
	if !z.Heap.Saturated {
		rows = append(rows, sizeRow{name: "a message", figure: perMessage(z.Heap, in.Messages), note: "heap by messages, subjects included"})
	}
	c.printSize(sizeReport{says: says, notes: saturatedNote(z.Reported, z.Heap), rows: rows}, o.explain)
	return ExitYes, nil
}

// perMessage is a part of a total, for people.
func perMessage(total size.Figure, messages float64) size.Figure {
	return size.Figure{Name: "a message", Value: total.Value / messages, Low: total.Low / messages, High: total.High / messages,
		Unit: size.Bytes, Basis: size.Arithmetic}
}
