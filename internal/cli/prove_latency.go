package cli

import (
	"errors"
	"fmt"
	"strconv"

	"weir/prove"
	"weir/size"
)

// proveLatency is `weir prove --latency`.
func (c *Command) proveLatency(o proveOptions) (int, error) {
	if o.payload < 1 {
		return 0, badInput("--payload %d is not a number of bytes from 1 on", o.payload)
	}
	p := c.startProof("ways of publishing")
	defer p.end()
	e, err := prove.Latency(p.ctx, prove.LatencyOptions{Options: p.options, With: o.with, Folder: o.dir, Payload: o.payload})
	err = p.explain(err)
	p.end()
	if len(e.Rows) > 0 {
		if o.out != "" {
			err = errors.Join(err, writeEvidence(o.out, e))
		}
		if o.format.value == "json" {
			err = errors.Join(err, c.printJSON(e))
		} else {
			c.printLatency(e)
		}
	}
	if err != nil {
		return ExitTrouble, err
	}
	return ExitYes, nil
}

func (c *Command) printLatency(e prove.LatencyEvidence) {
	fmt.Fprintf(c.out, "publish to PubAck, %s bytes, on this machine: %s, %s, disk %s\n", thousands(e.Payload), e.Machine.System, size.Counted(e.Machine.CPUs, "CPU", "CPUs"), e.Machine.Disk)
	where := "inside this process, no network between them"
	if e.Host == "child" {
		where = "as child processes on loopback"
	}
	c.print(dim("nats-server " + e.Server.Version + " " + where + "; rows compare with each other, not with other machines"))
	c.out.WriteByte('\n')
	if e.Machine.DiskIsMemory {
		c.print(warn("the folder lies in memory: file storage was not on a disk; name one on it with --dir"))
		c.out.WriteByte('\n')
	}
	c.out.WriteByte('\n')
	rows := [][]cell{}
	for i, h := range []string{"replicas", "storage", "sync_interval", "mode", "streams", "messages/s", "p50", "p90", "p99", "p99.9", "max"} {
		if i == 0 {
			rows = append(rows, nil)
		}
		rows[0] = append(rows[0], dim(h))
	}
	us := func(n int64) cell {
		if n < 10_000 {
			return plain(thousands(int(n)) + " µs")
		}
		return plain(thousands(int(n/1000)) + " ms")
	}
	for _, r := range e.Rows {
		rows = append(rows, []cell{plain("R" + strconv.Itoa(r.Replicas)), plain(r.Storage), plain(r.SyncInterval), plain(r.Mode), plain(strconv.Itoa(r.Streams)),
			plain(thousands(int(r.PerSecond))), us(r.P50), us(r.P90), us(r.P99), us(r.P999), us(r.Max)})
	}
	c.table("", rows)
	if e.Partial {
		c.out.WriteByte('\n')
		c.print(warn("ended early"))
		c.out.WriteByte('\n')
	}
}
