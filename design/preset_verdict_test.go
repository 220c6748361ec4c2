package design_test

import (
	"fmt"
	"testing"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// TestPresetsAreAcceptedByEveryVersion judges each preset as the servers of its
// cluster would, from the version it names on. Only five-traps is refused, for
// the filter that it is there to show.
func TestPresetsAreAcceptedByEveryVersion(t *testing.T) {
	refused := map[string]string{"five-traps ORDERS/fraud": "five-traps:33:25"}
	for _, p := range design.Presets() {
		d, problems := design.Parse(p.Name, []byte(p.Text))
		if problems != nil {
			t.Fatal(problems)
		}
		for _, version := range natsapi.Known() {
			if !version.AtLeast(natsapi.Version{Major: 2, Minor: 12}) {
				continue
			}
			for _, scope := range d.Scopes() {
				judge(t, d, p.Name, scope, version, refused)
			}
		}
	}
}

func judge(t *testing.T, d *design.Design, preset string, scope *design.Scope, version natsapi.Version, refused map[string]string) {
	t.Helper()
	server := d.Server
	for _, l := range d.Leafnodes {
		if l.Name == scope.Leafnode {
			server = l.Server
		}
	}
	s := verdict.NewSetting(version)
	for i := range server.Nodes {
		s.Nodes = append(s.Nodes, verdict.Node{Name: fmt.Sprint("n", i), MaxStore: server.Disk * 3 / 4})
	}
	s.Server.MaxStore = server.Disk * 3 / 4
	for _, r := range d.Requests() {
		if r.Scope != scope {
			continue
		}
		a := s.Apply(verdict.Request{Subject: r.Subject, Body: r.Body})
		switch want := refused[preset+" "+r.Name]; {
		case a.Verdict == verdict.OK && want == "":
		case a.Verdict == verdict.Refused && want == d.Where(r.DesignPath(a.Path)).String():
		default:
			t.Errorf("%s on %s: %s: %s %d %s at %s (%s)", preset, version, r.Name, a.Verdict, a.ErrCode, a.Description, d.Where(r.DesignPath(a.Path)), a.Path)
		}
	}
}
