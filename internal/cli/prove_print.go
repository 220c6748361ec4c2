package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weir/prove"
	"weir/size"
)

// printRun prints the evidence of a run: what it shows first, and under it how.
// With brief it leaves out the steps of claims that held.
func (c *Command) printRun(r ranProof, brief bool) {
	e := r.Evidence
	title := r.Name
	if r.Claim != "" {
		title += ": " + r.Claim
	}
	fmt.Fprintln(c.out, title)
	c.print(dim(c.onServers(e)))
	c.out.WriteString("\n\n")
	for _, claim := range e.Claims {
		c.printMark(claim.Held, claim.Unfinished)
		if claim.Kind != "claim" {
			c.out.WriteString(claim.Kind + ": ")
		}
		c.out.WriteString(claim.Text)
		if claim.From > 0 {
			c.print(dim(fmt.Sprintf(" (steps %d to %d)", claim.From, claim.To)))
		}
		if claim.Unfinished {
			c.print(warn(", " + notFinished))
		}
		c.out.WriteByte('\n')
	}
	if e.Scaling != nil {
		fmt.Fprintf(c.out, "\nworkload of %.3g s: %s\n", e.Scaling.Seconds, e.Scaling.Law)
	}
	c.printGoals(&e)
	c.printPredicted(e.Predicted)
	c.printPending(e.Pending)
	if !brief || !e.Held() {
		c.out.WriteString("\nevidence\n")
		for _, s := range e.Steps {
			c.printStep(s)
		}
	}
	if len(e.NotExercised) > 0 {
		c.out.WriteByte('\n')
		c.printNotExercised(e.NotExercised)
	}
	c.out.WriteByte('\n')
	c.printRan(heldSentence(e))
}

// onServers says what ran.
func (c *Command) onServers(e prove.Evidence) string {
	on := map[string]string{"embedded": "inside this process", "child": "as child processes", "tab": "in a browser tab"}[e.Host]
	text := fmt.Sprintf("%s of nats-server %s %s", size.Counted(e.Server.Nodes, "node", "nodes"), e.Server.Version, on)
	if e.Target != e.Server.Version {
		text += "; the design is for " + e.Target
	}
	return text
}

func heldSentence(e prove.Evidence) cell {
	wrong := 0
	for _, s := range e.Steps {
		if !s.OK && !s.Unfinished {
			wrong++
		}
	}
	missed := 0
	for _, g := range e.Goals {
		if g.Verdict == prove.Missed {
			missed++
		}
	}
	differ := 0
	for _, p := range e.Predicted {
		if p.Decides() && !p.Agrees() {
			differ++
		}
	}
	switch {
	case e.Held() && e.Shortfall() != "":
		return warn(fmt.Sprintf("ran on nats-server %s: %s, all as expected, with less load: %s", e.Server.Version, size.Counted(len(e.Steps), "step", "steps"), e.Shortfall()))
	case e.Held():
		return good(fmt.Sprintf("ran on nats-server %s: %s, all as expected", e.Server.Version, size.Counted(len(e.Steps), "step", "steps")))
	}
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{wrong, "step is not as expected", "steps are not as expected"}, {differ, "figure is not as predicted", "figures are not as predicted"}, {missed, "goal is missed", "goals are missed"}} {
		if p.n > 0 {
			parts = append(parts, size.Counted(p.n, p.one, p.many))
		}
	}
	if e.Partial {
		early := notFinished + ", ended early on nats-server " + e.Server.Version + " after " + size.Counted(len(e.Steps), "step", "steps")
		if len(parts) == 0 {
			return warn(early)
		}
		return bad(early + ": " + strings.Join(parts, ", "))
	}
	if len(parts) == 0 {
		parts = append(parts, "a claim does not hold")
	}
	return bad("ran on nats-server " + e.Server.Version + ": " + strings.Join(parts, ", "))
}

// notFinished is what is said of that in which a run was broken off.
const notFinished = "not finished"

// printMark marks what is as expected, what is not, and what was not finished.
func (c *Command) printMark(yes, unfinished bool) {
	mark, no, open := "✓ ", "✗ ", "… "
	if c.term.ascii {
		mark, no, open = "+ ", "! ", "? "
	}
	switch {
	case unfinished:
		c.print(warn(open))
	case yes:
		c.print(good(mark))
	default:
		c.print(bad(no))
	}
}

func (c *Command) printGoals(e *prove.Evidence) {
	if len(e.Goals) == 0 {
		return
	}
	c.out.WriteString("\ngoals: " + e.GoalsSay() + "\n")
	var rows [][]cell
	var why []string
	for _, g := range e.Goals {
		if g.Why != "" && g.Verdict != prove.Met && !slices.Contains(why, g.Verdict+": "+g.Why) {
			why = append(why, g.Verdict+": "+g.Why)
		}
		word := map[string]func(string) cell{prove.Met: good, prove.Missed: bad}[g.Verdict]
		if word == nil {
			word = warn
		}
		rows = append(rows, []cell{word(g.Verdict), plain(g.Path), plain(g.Goal), plain(g.Measured)})
	}
	c.table("  ", rows)
	for _, w := range why {
		c.print(dim("  " + w))
		c.out.WriteByte('\n')
	}
}

// lookedWithin is how many looks at a consumer are within what is predicted.
func lookedWithin(p *prove.Pending) (n int) {
	for i := range p.Predicted {
		if open := p.NumPending[i] + p.NumAckPending[i]; p.Low[i] <= open && open <= p.High[i] {
			n++
		}
	}
	return n
}

// printPending says how near what was simulated the looks at the consumers came.
func (c *Command) printPending(all []prove.Pending) {
	for i := range all {
		if p := &all[i]; len(p.Predicted) > 0 {
			fmt.Fprintf(c.out, "  num_pending + num_ack_pending of %s: %d of %s lie within what the simulated runs had then\n", p.Consumer, lookedWithin(p), size.Counted(len(p.AtMS), "look", "looks"))
		}
	}
}

func (c *Command) printPredicted(all []prove.Prediction) {
	if len(all) == 0 {
		return
	}
	c.out.WriteString("\npredicted beside measured\n")
	rows := [][]cell{{dim("what"), dim("predicted"), dim("measured"), dim("unit"), dim("by"), dim("")}}
	for _, p := range all {
		expected := strconv.FormatInt(p.Value, 10)
		if p.Low != 0 || p.High != 0 {
			expected = fmt.Sprintf("%d to %d", p.Low, p.High)
		}
		if p.From != "" {
			expected = fmt.Sprintf("%d (%s)", p.Value, expected)
		}
		measured, mark := good(strconv.FormatInt(p.Measured, 10)), plain("")
		switch {
		case p.Agrees():
		case p.Decides():
			measured, mark = bad(measured.text), bad("differs")
		default:
			measured, mark = warn(measured.text), warn("outside; this machine has its own pace")
		}
		rows = append(rows, []cell{plain(p.Name), plain(expected), measured, plain(p.Unit), dim(p.From), mark})
	}
	c.table("  ", rows)
}

// printStep is one line for the step, one for what came back, and one for each
// value that the server changed.
func (c *Command) printStep(s prove.Step) {
	fmt.Fprintf(c.out, "%4d %6d ms ", s.N, s.AtMS)
	c.printMark(s.OK, s.Unfinished)
	c.out.WriteString(oneLine(s.Do))
	var figures []string
	for _, f := range s.Figures {
		figures = append(figures, f.Name+" "+prove.Amount(f.Value, f.Unit))
	}
	if len(figures) > 0 {
		c.out.WriteString(": " + strings.Join(figures, ", "))
	}
	c.out.WriteByte('\n')
	const indent = "                 "
	if s.Reply != nil {
		c.print(dim(indent + "-> " + oneLine(s.Reply.String())))
		c.out.WriteByte('\n')
	}
	switch {
	case s.Unfinished:
		c.print(warn(indent + notFinished))
		c.out.WriteByte('\n')
	case !s.OK:
		c.print(bad(indent + "expected " + oneLine(s.Expect)))
		c.out.WriteByte('\n')
	}
	var filled []string
	for _, ch := range s.Changes {
		if ch.Kind == "filled" {
			filled = append(filled, ch.Path+" "+ch.Stored)
			continue
		}
		c.print(warn(fmt.Sprintf("%s%s %s: %s became %s", indent, ch.Kind, ch.Path, ch.Sent, orNothing(ch.Stored))))
		c.out.WriteByte('\n')
	}
	if len(filled) > 0 {
		c.print(dim(indent + "filled in: " + oneLine(strings.Join(filled, ", "))))
		c.out.WriteByte('\n')
	}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
