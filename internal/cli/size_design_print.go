package cli

import (
	"fmt"
	"strings"

	"weir/internal/calculator"
	"weir/size"
)

// sizeTable is one table of the answer.
type sizeTable struct {
	title string
	rows  [][]cell // the first is the heading
}

// printDesignTables prints the answer for people, as text or as Markdown.
func (c *Command) printDesignTables(o *sizeDesignOptions, a designJSON, markdown bool) {
	c.print(cell{a.Says, "1"})
	c.out.WriteString("\n")
	for _, t := range designTables(a) {
		if len(t.rows) < 2 {
			continue
		}
		if markdown {
			c.markdownTable(t)
			continue
		}
		c.out.WriteString("\n" + t.title + "\n")
		c.table("  ", t.rows)
	}
	notes := append([]string(nil), a.Samples...)
	for _, n := range a.Notes {
		notes = append(notes, n.Path+": "+n.Text)
	}
	if len(notes) > 0 {
		c.out.WriteByte('\n')
	}
	for _, n := range notes {
		if markdown {
			fmt.Fprintf(c.out, "- %s\n", markdownText(n))
			continue
		}
		c.print(dim("note: " + n))
		c.out.WriteByte('\n')
	}
	if !o.explain {
		return
	}
	if markdown {
		c.out.WriteString("\n```text\n")
	}
	for _, f := range a.Figures() {
		if len(f.Figure.Terms) > 0 {
			fmt.Fprintf(c.out, "\n%s\n%s", f.Path, size.Explain(f.Figure))
		}
	}
	if markdown {
		c.out.WriteString("```\n")
	}
}

func (c *Command) markdownTable(t sizeTable) {
	fmt.Fprintf(c.out, "\n### %s\n\n", t.title)
	columns := len(t.rows[0])
	for i, row := range t.rows {
		texts := make([]string, columns)
		for k, cl := range row {
			texts[k] = markdownText(cl.text)
		}
		c.out.WriteString("| " + strings.Join(texts, " | ") + " |\n")
		if i == 0 {
			c.out.WriteString("|" + strings.Repeat(" --- |", columns) + "\n")
		}
	}
}

// markdownText keeps a text from ending its cell or becoming markup.
func markdownText(s string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "\n", " ").Replace(s)
}

func heading(names ...string) []cell {
	var out []cell
	for _, n := range names {
		out = append(out, dim(n))
	}
	return out
}

// designTables are the tables of the answer, in the order of the questions: what
// do streams take, what do servers need, what is used up first.
func designTables(a designJSON) []sizeTable {
	out := []sizeTable{streamTable(a), consumerTable(a)}
	for _, s := range a.Sites {
		if len(s.Cluster.Streams) == 0 {
			continue
		}
		title := s.Name
		if s.Count > 1 {
			title = fmt.Sprintf("%s, each of %s", s.Name, thousands(s.Count))
		}
		all := s.All()
		out = append(out, sizeTable{"Servers of " + title, tableRows(calculator.ServerTable(all))},
			sizeTable{"For the worst case each needs", tableRows(calculator.PodTable(s.Pods))},
			sizeTable{"Used first", append([][]cell{heading("used", "limit", "of", "amount", "")}, tableRows(calculator.BindingTable(usedFirst(s, all.Bindings), all.Nodes))...)},
			sizeTable{"Reserved by max_bytes", ledgerRows(s)})
	}
	out = append(out, exposureTable(a), publisherTable(a))
	for _, r := range a.Reverse {
		out = append(out, reverseTable(r))
	}
	return out
}

// usedFirst are the limits of servers and those of workers, the most used first:
// not those of streams, which are meant to bind.
func usedFirst(s size.SiteSize, all []size.Binding) []size.Binding {
	ofServers := map[string]bool{}
	for _, b := range calculator.ServerBindings(s.Cluster, all) {
		ofServers[b.Where+" "+b.What] = true
	}
	var out []size.Binding
	for _, b := range all {
		if ofServers[b.Where+" "+b.What] || b.What == "max_ack_pending" {
			out = append(out, b)
		}
	}
	return out
}

func streamTable(a designJSON) sizeTable {
	rows := [][]cell{heading("stream", "replicas", "rate", "messages", "reported", "disk each", "heap each", "log", "binds")}
	for _, s := range a.Streams {
		rows = append(rows, []cell{plain(s.Name), plain(thousands(max(s.Input.Replicas, 1))), plain(size.PerSecond.Format(s.Input.Rate.Average())), plain(s.Size.Retained.Messages.Amount()),
			plain(s.Size.Reported.Amount()), plain(s.Size.Disk.Total.Ranged()), plain(s.Size.Heap.Live.Ranged()), plain(s.Size.Raft.Log.Amount()), dim(calculator.BindsSays(s.Size.Retained))})
	}
	return sizeTable{"Streams", rows}
}

func consumerTable(a designJSON) sizeTable {
	rows := [][]cell{heading("consumer", "arriving", "capacity", "used", "in flight", "after a burst", "drains in", "out")}
	for _, s := range a.Streams {
		for _, use := range s.Consumers {
			capacity, used, flight := "not given", "-", "-"
			if use.Capacity.Note == "" {
				capacity, used, flight = use.Capacity.Amount(), use.Utilisation.Amount(), use.InFlight.Amount()
			}
			burst, drain := "-", "-"
			if use.BurstBacklog.Value > 0 {
				burst, drain = use.BurstBacklog.Amount(), use.BurstDrain.Amount()
				if use.BurstDrain.Note != "" {
					drain = "never"
				}
			}
			paint := plain
			if use.Utilisation.Value >= 1 {
				paint = bad
			}
			rows = append(rows, []cell{plain(s.Name + "/" + use.Name), plain(use.Arriving.Amount()), plain(capacity), paint(used), plain(flight), plain(burst), plain(drain), plain(use.Out.Amount())})
		}
	}
	return sizeTable{"Consumers", rows}
}

// ledgerRows are the reservations of a site, what the limit is by default, and what
// becomes of it at a restart.
func ledgerRows(s size.SiteSize) [][]cell {
	rows := [][]cell{heading("where", "limit", "reserved", "of", "used", "")}
	for _, e := range s.Ledger {
		paint := plain
		if e.Over {
			paint = bad
		}
		says := e.Limit.Note
		if e.What == "max_file_store" && e.Limit.Basis != size.Given {
			for i, n := range s.Nodes {
				if n.Server == e.Where && s.Restarts[i].Shrinks {
					says = s.Restarts[i].Says
				}
			}
		}
		rows = append(rows, []cell{plain(e.Where), plain(e.What), plain(e.Reserved.Amount()), plain(e.Limit.Amount()), paint(e.Share.Unit.Format(e.Share.Value)), dim(says)})
	}
	if len(rows) == 1 {
		return rows
	}
	return merged(rows, 0)
}

func exposureTable(a designJSON) sizeTable {
	rows := [][]cell{heading("stream", "failure", "acknowledged at risk", "without service", "why")}
	for _, s := range a.Streams {
		for _, e := range s.Exposure {
			rows = append(rows, []cell{plain(s.Name), plain(string(e.Failure)), plain(e.RiskSays()), plain(e.OutageSays()), dim(e.Says)})
		}
	}
	return sizeTable{"What failures cost", merged(rows, 0)}
}

// publisherTable is what publishers see while a stream is not there.
func publisherTable(a designJSON) sizeTable {
	rows := [][]cell{heading("stream", "unanswered", "its publishers see")}
	for _, s := range a.Streams {
		if len(s.Exposure) > 0 {
			e := s.Exposure[0]
			rows = append(rows, []cell{plain(s.Name), plain(e.Unanswered.Amount()), dim(e.Publisher)})
		}
	}
	return sizeTable{"While a stream has no leader", merged(rows, 0)}
}

func reverseTable(r siteReverse) sizeTable {
	rows := [][]cell{heading("of", "most", "", "")}
	add := func(of string, more [][]cell) {
		for _, row := range more {
			rows = append(rows, append([]cell{plain(of)}, row...))
		}
	}
	add("everything", tableRows(calculator.AnswerTable("", r.Load)))
	for _, s := range r.Streams {
		add(s.Path, tableRows(calculator.AnswerTable("", s.Rate, s.Retention, s.Subjects, s.Consumers)))
	}
	return sizeTable{"Most that fits on " + r.Site + ", one at a time", rows}
}

// merged brings rows that differ in one column only together, that column's
// texts joined.
func merged(rows [][]cell, column int) [][]cell {
	at := map[string]int{}
	var out [][]cell
	for _, r := range rows {
		rest := append([]cell(nil), r...)
		rest[column] = cell{}
		key := fmt.Sprintf("%q", rest)
		if i, known := at[key]; known {
			out[i][column].text += ", " + r[column].text
			continue
		}
		at[key] = len(out)
		out = append(out, r)
	}
	return out
}
