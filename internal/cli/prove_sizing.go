package cli

import (
	"errors"
	"fmt"
	"strconv"

	"weir/prove"
	"weir/size"
)

// proveSizing is `weir prove --sizing`.
func (c *Command) proveSizing(o proveOptions) (int, error) {
	p := c.startProof("kinds of cells")
	defer p.end()
	e, err := prove.Sizing(p.ctx, prove.SizingOptions{Options: p.options, Folder: o.dir, Full: o.full})
	err = p.explain(err)
	p.end()
	if len(e.Cells) > 0 {
		if o.out != "" {
			err = errors.Join(err, writeEvidence(o.out, e))
		}
		if o.format.value == "json" {
			err = errors.Join(err, c.printJSON(e))
		} else {
			c.printSizing(e)
		}
	}
	if err != nil {
		return ExitTrouble, err
	}
	return yesNo(e.Held()), nil
}

func (c *Command) printSizing(e prove.SizingEvidence) {
	agree := 0
	rows := [][]cell{heading("cell", "quantity", "computed", "measured", "off by", "may be off by")}
	for _, s := range e.Cells {
		paint := bad
		if s.Agrees {
			paint = good
			agree++
		}
		bar := "0 %"
		if s.InBand {
			bar = size.FormatCount(s.Low) + " to " + size.FormatCount(s.High)
		} else if s.Bar > 0 {
			bar = size.Share.Format(s.Bar)
		}
		rows = append(rows, []cell{plain(s.Name), plain(string(s.Quantity)), plain(size.FormatCount(s.Computed)), plain(size.FormatCount(s.Measured)),
			paint(strconv.FormatFloat(s.Off*100, 'f', 2, 64) + " %"), dim(bar)})
	}
	c.print(cell{fmt.Sprintf("%d of %s agree with nats-server %s", agree, size.Counted(len(e.Cells), "figure", "figures"), e.Server.Version), "1"})
	c.out.WriteString("\n\n")
	c.table("", rows)
	if e.Partial {
		c.out.WriteByte('\n')
		c.print(warn("ended early"))
		c.out.WriteByte('\n')
	}
}
