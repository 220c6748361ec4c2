package prover

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"weir/prove"
)

// TestShownCluster: what was seen of three servers is drawn with who leads from
// when to when, who was down, and where PubAcks stopped.
func TestShownCluster(t *testing.T) {
	change := func(at int64, kind, node, stream string) prove.ServerChange {
		return prove.ServerChange{AtMS: at, Kind: kind, Node: node, Stream: stream}
	}
	seen := prove.Cluster{Nodes: []string{"n1", "n2", "n3"}, Streams: []string{"R"}, From: 1000, To: 11_000, Changes: []prove.ServerChange{
		change(1000, prove.ChangeUp, "n1", ""), change(1000, prove.ChangeUp, "n2", ""), change(1000, prove.ChangeUp, "n3", ""), change(1000, prove.ChangeAcks, "", ""),
		change(1000, prove.ChangeLeads, "n1", "R"), change(1000, prove.ChangeCurrent, "n1", "R"), change(1000, prove.ChangeCurrent, "n2", "R"), change(1000, prove.ChangeCurrent, "n3", "R"),
		change(5000, prove.ChangeDown, "n1", ""), change(5000, prove.ChangeLeads, "", "R"),
		change(6000, prove.ChangeSilent, "", ""),
		change(8000, prove.ChangeLeads, "n3", "R"), change(8000, prove.ChangeAcks, "", ""),
		change(9000, prove.ChangeUp, "n1", ""), change(9000, prove.ChangeBehind, "n1", "R"),
	}}
	steps := []prove.Step{{AtMS: 4900, Do: "fault: kill leader R", OK: true, Reply: &prove.Reply{Text: "n1: shut down"}}, {AtMS: 1, Do: "create stream R", OK: true}}
	got := shownCluster(seen, steps, seen.To)
	var lanes []string
	for _, l := range got.Timeline.Lanes {
		line := l.Name + ":"
		for _, s := range l.Spans {
			line += " " + s.Kind + " " + s.About + ";"
		}
		for _, m := range l.Marks {
			line += " " + m.Kind + " " + m.About
		}
		lanes = append(lanes, line)
	}
	want := []string{
		"n1: run leads R from 0 s; down down from 4 s; idle follows from 8 s;",
		"n2: idle follows from 0 s;",
		"n3: idle follows from 0 s; run leads R from 7 s;",
		"PubAcks: acks messages are acknowledged from 0 s; down no PubAck from 5 s; acks messages are acknowledged from 7 s;",
		"faults: fault 3.9 s: kill leader R: n1: shut down",
	}
	if !slices.Equal(lanes, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lanes, "\n"), strings.Join(want, "\n"))
	}
	if down := got.Timeline.Lanes[0].Spans[1]; down.From != 0.4 || down.To != 0.8 {
		t.Errorf("n1 is down from %v to %v", down.From, down.To)
	}
	var said []string
	for _, m := range got.Moments {
		said = append(said, m.Text+": "+m.Streams[0].Says)
	}
	moments := []string{"0 s: n1 leads, n2 and n3 in step", "4 s: nobody leads, n2 and n3 in step, n1 behind", "5 s: nobody leads, n2 and n3 in step, n1 behind", "7 s: n3 leads, n2 in step, n1 behind", "10 s: n3 leads, n2 in step, n1 behind"}
	if !slices.Equal(said, moments) {
		t.Errorf("got %q\nwant %q", said, moments)
	}
	if n := got.Moments[1].Nodes[0]; !n.Down || n.Target != "node 1" || n.Says != "down" {
		t.Errorf("n1: %+v", n)
	}
}

// TestPredictedLater: predictions that come after a run are laid beside it and
// judged; where no design was run there is nothing to lay them beside.
func TestPredictedLater(t *testing.T) {
	t.Parallel()
	p := New("test")
	figures := func(measured int) string {
		return fmt.Sprintf(`{"figures":[{"name":"workload: bytes of R","unit":"B","from":"sizing","value":100,"low":90,"high":110,"measured":%d}],"left":[{"what":"prediction of the simulator","why":"w"}]}`, measured)
	}
	if got := string(p.Call(t.Context(), "design.predicted", []byte(figures(100)), nil)); !strings.Contains(got, `"not_running"`) {
		t.Errorf("before a run: %s", got)
	}
	if got := string(p.Call(t.Context(), "live.fault", []byte(`{"do":"kill","target":"node 1"}`), nil)); !strings.Contains(got, `"not_running"`) {
		t.Errorf("a fault while nothing runs: %s", got)
	}
	if got := string(p.Call(t.Context(), "live.look", []byte(`{}`), nil)); !strings.Contains(got, `"running":false`) {
		t.Errorf("a look while nothing runs: %s", got)
	}
	design := `{"files":[{"name":"d.yaml","text":"weir: 1\nstreams: {R: {subjects: [r.*], max_msgs: 0, storage: memory}, B: {subjects: [r.>]}}\n"}],"nodes":0,"scenario":"","seconds":0}`
	ran := string(p.Call(t.Context(), "design.prove", []byte(design), nil))
	for _, want := range []string{`"asset":"stream B","answer":"400/10065 subjects overlap with an existing stream","expected":true`, `values that were not sent were filled in`, `"weir":"test"`} {
		if !strings.Contains(ran, want) {
			t.Errorf("no %s in %s", want, ran)
		}
	}
	if got := string(p.Call(t.Context(), "design.predicted", []byte(figures(100)), nil)); !strings.Contains(got, `"name":"workload: bytes of R","predicted":"100 (90 to 110 B)","measured":"100 B","agrees":true`) || !strings.Contains(got, `"what":"prediction of the simulator"`) {
		t.Errorf("what agrees: %s", got)
	}
	if got := string(p.Call(t.Context(), "design.predicted", []byte(figures(10)), nil)); !strings.Contains(got, `"agrees":false`) || !strings.Contains(got, `"held":false`) {
		t.Errorf("what differs: %s", got)
	}
}
