package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weir/size"
)

type sizeRecordOptions struct {
	sizeOutput
	message messageFlags
	storage choice
}

// sizeRecord sizes one message.
func (c *Command) sizeRecord() *cobra.Command {
	var o sizeRecordOptions
	cmd := &cobra.Command{
		Use:   "record --payload BYTES",
		Short: "What one stored message costs: reported bytes, disk or heap",
		Long: `Sizes one message as a stream stores it: its share of state.bytes, against which max_bytes
is checked, and what it takes on disk or in the heap of a memory stream.
` + sizeHelp,
		Example: `  weir size record --payload 1.2KiB --header 64 --subject orders.eu.created
  weir size record --payload 16 --subject-len 10 --storage memory
  weir size record --payload 300 --id-bytes 36 --explain
  weir size record --sample payloads/ --format json | jq .reported.value`,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runSizeRecord(&o) })
	o.message.add(cmd)
	choiceFlag(cmd, &o.storage, "storage", "where the stream keeps it", string(size.File), string(size.Memory))
	o.sizeOutput.add(cmd)
	return cmd
}

// recordJSON is the answer of weir size record.
type recordJSON struct {
	Says string `json:"says"`
	size.Record
}

func (c *Command) runSizeRecord(o *sizeRecordOptions) (int, error) {
	m, _, err := o.message.message()
	if err != nil {
		return codeOf(err), err
	}
	r, err := size.OfRecord(m, size.Storage(o.storage.value))
	if err != nil {
		return ExitUsage, sizeError(err)
	}
	says := fmt.Sprintf("%s a message, %.0f %% more than its payload of %s", bytesExactly(r.Reported), (r.Reported.Value/max(m.Payload, 1)-1)*100, size.FormatBytes(m.Payload))
	if m.Payload == 0 {
		says = bytesExactly(r.Reported) + " a message, without any payload"
	}
	report := sizeReport{rows: []sizeRow{{name: "reported", figure: r.Reported, text: bytesExactly(r.Reported), note: "of state.bytes; max_bytes is checked against it"}}}
	if size.Storage(o.storage.value) == size.Memory {
		says += fmt.Sprintf("; %s of heap", bytesExactly(r.Heap))
		report.rows = append(report.rows, sizeRow{name: "heap", figure: r.Heap, text: bytesExactly(r.Heap), note: "what the server really takes"})
	} else {
		report.rows = append(report.rows, sizeRow{name: "disk", figure: r.Disk, text: bytesExactly(r.Disk), note: "of a block file, before compression"})
	}
	report.says = says
	report.notes = saturatedNote(r.Reported, r.Disk, r.Heap)
	if o.format.value == "json" {
		prune(o.explain, &r.Reported, &r.Disk, &r.Heap)
		return ExitYes, c.printJSON(recordJSON{says, r})
	}
	c.printSize(report, o.explain)
	return ExitYes, nil
}

// bytesExactly writes 1323 B as people count a message: in bytes.
func bytesExactly(f size.Figure) string {
	if f.Saturated || f.Value >= size.MiB {
		return amount(f)
	}
	return size.FormatCount(f.Value) + " B"
}
