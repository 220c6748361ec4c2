package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/natsapi"
	"weir/prove"
)

type proveOptions struct {
	proof, with, scenario, out string
	nodes                      int
	workload                   time.Duration
	seed                       uint64
	list, latency, sizing      bool
	full                       bool
	set                        []string
	dir                        string
	payload                    int
	format                     choice
}

// proveCommand is `weir prove`.
func (c *Command) proveCommand() *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove FILES... | --proof NAME | --latency | --sizing | --list",
		Short: "Run a design, or the proof of a trap, on real nats-servers and show what they did",
		Long: `Starts real nats-servers of its own, applies the design to them, and compares: what they
accept, refuse and change with what Weir predicts, where each publisher's messages land and
who sees them with what the subjects say, and the workload, scaled down, with the goals.
` + textsHelp + `

--proof runs a script that shows a trap and its cure: the name of one that Weir brings along
(--list shows them), "all", or a .txtar file. --with runs another server: the path of a
binary, or a version, which is looked for on PATH and in Weir's cache and else built by
"go install".

--latency measures what no document can say: how long a publish takes on this machine and
its own disk, alone and replicated, with and without an fsync for each message, one at a
time and many in flight. It takes some ten seconds.

--sizing fills servers with streams of many shapes and lays what they report, what lies on
disk and what Go's heap holds beside the figures of "weir size": reported bytes must be exact,
disk within 1 %, heap within 10 %. It takes about a minute and 1 GiB; --full, some five times
that, also measures idle RAFT groups, connections and expired ids.

No server that Weir did not start is ever touched; whatever it starts is
stopped and removed, also after Ctrl-C, which leaves the evidence so far.

The exit code is 0 when everything came out as it should, 1 when something was refused, a
prediction was wrong, a claim did not hold or a goal was missed, 3 when the run was broken
off: what it did not come to is "not finished" then, and its goals are "not exercised".`,
		Example: `  weir prove orders.yaml
  weir prove --scenario node-loss -o evidence.json orders.yaml
  weir prove --with 2.12.15 orders.yaml
  weir prove --proof ack-wait-too-short
  weir prove --proof ack-wait-too-short --set ack_wait=800ms
  weir prove --latency --dir /var/lib/nats
  weir prove --sizing
  weir prove --list`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runProve(o, args) })
	c.envFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&o.proof, "proof", "", "run this `proof` instead of a design: a name, all, or a .txtar file")
	f.BoolVar(&o.list, "list", false, "list the proofs")
	f.StringArrayVar(&o.set, "set", nil, "with --proof: run it with this `name=value`, of those that it has (--list --format json lists them)")
	f.StringVar(&o.with, "with", "", "run this `server`: the path of a binary, or a version (default the one inside Weir, "+prove.ServerVersion+")")
	c.scenarioFlag(cmd, &o.scenario, "play this `scenario` of the design during the workload")
	f.IntVar(&o.nodes, "nodes", 0, "servers to start (default as many as the design has, at most 5)")
	f.DurationVar(&o.workload, "for", prove.DefaultWorkload, "how long to publish the workload, 0 for not at all")
	f.Uint64Var(&o.seed, "seed", 1, "draws sizes, service times and errors")
	f.BoolVar(&o.latency, "latency", false, "measure publish latency on this machine's disk")
	f.BoolVar(&o.sizing, "sizing", false, "compare the figures of weir size with what servers really take")
	f.BoolVar(&o.full, "full", false, "with --sizing: five times as much, and more kinds of cells")
	f.StringVar(&o.dir, "dir", "", "`folder` to store in, with --latency on the disk to measure (default the system's temporary one)")
	f.IntVar(&o.payload, "payload", prove.DefaultLatencyPayload, "with --latency: `bytes` of a message")
	f.StringVarP(&o.out, "out", "o", "", "write the evidence as JSON to this `file`")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	var names []string
	for _, p := range prove.Proofs() {
		names = append(names, p.Name+"\t"+p.Claim)
	}
	complete(cmd, "proof", append(names, "all\tevery proof"))
	return cmd
}

func (c *Command) runProve(o proveOptions, args []string) (int, error) {
	switch {
	case o.list:
		return c.listProofs(o)
	case o.dir != "" && !isFolder(o.dir):
		return 0, badInput("%q is not a folder", o.dir)
	case len(o.set) > 0 && (o.proof == "" || o.proof == "all"):
		return 0, badInput("--set goes with --proof and the name of one")
	case o.latency && (o.proof != "" || len(args) > 0):
		return 0, badInput("--latency takes no design and no --proof")
	case o.latency && o.sizing:
		return 0, badInput("give --latency or --sizing, not both")
	case o.latency:
		return c.proveLatency(o)
	case o.full && !o.sizing:
		return 0, badInput("--full goes with --sizing")
	case o.sizing && (o.proof != "" || o.with != "" || len(args) > 0):
		return 0, badInput("--sizing takes no design, no --proof and no --with: it weighs the heap of the server inside Weir")
	case o.sizing:
		return c.proveSizing(o)
	case o.proof != "" && len(args) > 0:
		return 0, badInput("give a design or --proof, not both")
	case o.proof != "":
		return c.proveScripts(o)
	case o.nodes < 0 || o.nodes > prove.MaxNodes:
		return 0, badInput("--nodes %d is not between 1 and %d", o.nodes, prove.MaxNodes)
	case o.workload < 0 || o.workload > 10*time.Minute:
		return 0, badInput("--for %s is not between 0 and 10m", o.workload)
	}
	return c.proveDesign(o, args)
}

func (c *Command) listProofs(o proveOptions) (int, error) {
	type listed struct {
		Name     string             `json:"name"`
		Claim    string             `json:"claim"`
		About    string             `json:"about"`
		Versions []string           `json:"versions"`
		Values   []prove.ProofValue `json:"values"`
	}
	var all []listed
	var rows [][]cell
	for _, p := range prove.Proofs() {
		l := listed{Name: p.Name, Claim: p.Claim, About: p.About, Values: p.Values}
		for _, v := range natsapi.Known() {
			if p.AppliesTo(v) {
				l.Versions = append(l.Versions, v.String())
			}
		}
		all = append(all, l)
		rows = append(rows, []cell{plain(p.Name), plain(p.Claim)})
	}
	if o.format.value == "json" {
		return ExitYes, c.printJSON(all)
	}
	c.table("", rows)
	return ExitYes, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ranProof is one run and what it was of.
type ranProof struct {
	Name     string         `json:"name"`
	Claim    string         `json:"claim,omitempty"`
	Evidence prove.Evidence `json:"evidence"`
}

func (c *Command) proveScripts(o proveOptions) (int, error) {
	proofs, err := namedProofs(o.proof)
	if err != nil {
		return 0, err
	}
	if err := setValues(proofs, o.set); err != nil {
		return 0, err
	}
	p := c.startProof("steps")
	defer p.end()
	var runs []ranProof
	for _, proof := range proofs {
		e, err := proof.Run(p.ctx, prove.ScriptOptions{Options: p.options, With: o.with, Folder: o.dir})
		if len(e.Steps) > 0 {
			runs = append(runs, ranProof{proof.Name, proof.Claim, e})
		}
		if err != nil {
			return ExitTrouble, errors.Join(p.explain(err), c.printRuns(o, p, runs))
		}
	}
	return held(runs), c.printRuns(o, p, runs)
}

// setValues gives a proof the values of --set.
func setValues(proofs []prove.Proof, set []string) error {
	values := map[string]string{}
	for _, one := range set {
		name, value, ok := strings.Cut(one, "=")
		if !ok {
			return badInput("--set %q is not name=value", one)
		}
		values[name] = value
	}
	if len(values) == 0 {
		return nil
	}
	var err error
	if proofs[0], err = proofs[0].With(values); err != nil {
		return badInput("--set: %w", err)
	}
	return nil
}

func held(runs []ranProof) int {
	for _, r := range runs {
		if !r.Evidence.Held() {
			return ExitNo
		}
	}
	return ExitYes
}

func namedProofs(name string) ([]prove.Proof, error) {
	if name == "all" {
		return prove.Proofs(), nil
	}
	if p, ok, err := ruleProof(name); ok {
		if err != nil {
			return nil, inputError{err}
		}
		return []prove.Proof{p}, nil
	}
	if !strings.HasSuffix(name, ".txtar") {
		p, err := prove.FindProof(name)
		if err != nil {
			return nil, inputError{err}
		}
		return []prove.Proof{p}, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, badInput("open proof: %w", err)
	}
	p, err := prove.ParseProof(filepath.ToSlash(name), text)
	if err != nil {
		return nil, inputError{err}
	}
	return []prove.Proof{p}, nil
}

func (c *Command) proveDesign(o proveOptions, args []string) (int, error) {
	d, sources, err := c.readOne(args, "prove")
	if err != nil {
		return codeOf(err), err
	}
	p := c.startProof("")
	defer p.end()
	workload := o.workload
	if workload == 0 {
		workload = -1
	}
	e, err := prove.Design(p.ctx, d, prove.DesignOptions{Options: p.options, With: o.with, Folder: o.dir, Nodes: o.nodes, Scenario: o.scenario, For: workload, Seed: o.seed})
	runs := []ranProof{{Name: nameOf(d, sources), Evidence: e}}
	if err != nil {
		if len(e.Steps) == 0 {
			return ExitTrouble, p.explain(err)
		}
		return ExitTrouble, errors.Join(p.explain(err), c.printRuns(o, p, runs))
	}
	return held(runs), c.printRuns(o, p, runs)
}

func nameOf(d *design.Design, sources []*design.Source) string {
	if d.Name != "" {
		return d.Name
	}
	return sources[0].Name
}

// printRuns prints what was run and writes the evidence to a file where asked.
func (c *Command) printRuns(o proveOptions, p *proofRun, runs []ranProof) error {
	p.end()
	if len(runs) == 0 {
		return nil
	}
	if o.out != "" {
		var v any = runs
		if len(runs) == 1 {
			v = runs[0].Evidence
		}
		if err := writeEvidence(o.out, v); err != nil {
			return err
		}
	}
	if o.format.value == "json" {
		return printEach(c, runs)
	}
	for i, r := range runs {
		if i > 0 {
			c.out.WriteByte('\n')
		}
		c.printRun(r, len(runs) > 1)
	}
	return nil
}

// writeEvidence replaces a file at once, so that nobody reads half of it.
func writeEvidence(name string, v any) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write evidence: %w", err)
		}
	}()
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(withLists(v)); err != nil {
		return err
	}
	return writeFiles([]toWrite{{path: name, text: body.Bytes(), perm: 0o644}})
}
