// Package advise fills what a design leaves open from its workload and goals:
// each value with its reason, its source and the alternative that it beat.
// Nothing that was written is changed; what works against the workload or the
// goals is named, with what would meet them.
//
//	a := advise.ForDesign(d, d.Version)
//	fmt.Println(a.Says)
//	for _, asset := range a.Assets {
//		fmt.Println(asset.Says, string(asset.Config))
//	}
//
// Four numbers are enough as well: ForStream wants rate, size, how long to keep
// and replicas, ForConsumer service time, rate and workers.
//
// Settings have a file each, called by their name. Figures come from package
// size; where a share of messages is named it is a bound from the distribution
// of the service time, and says so.
package advise

import (
	"encoding/json"
	"fmt"
	"strings"

	"weir/design"
	"weir/size"
)

// State says how an advised value stands to what is written.
type State string

// The states of a Setting.
const (
	// Open is a setting that nobody wrote, and that should be.
	Open State = "open"
	// Default is one that is best left to the server.
	Default State = "default"
	// Kept is a written value that serves the workload and the goals.
	Kept State = "kept"
	// Against is a written value that works against them.
	Against State = "against"
)

// Rejected is a value that was considered and is not advised.
type Rejected struct {
	Value string `json:"value"`
	Why   string `json:"why"`
}

// Setting is the advice on one setting.
type Setting struct {
	// Field is the setting's name in its map, "max_bytes", Path where it stands or
	// would stand in the design, "" without a design.
	Field string `json:"field"`
	Path  string `json:"path,omitempty"`
	State State  `json:"state"`
	// Advised is the value as a design file has it, "none" where State is Default
	// and the setting is best left out; Written is what the design says, "" when
	// it says nothing.
	Advised string `json:"advised"`
	Written string `json:"written,omitempty"`
	// Reason says why the advised value, or for Kept the written one, is right;
	// for Against it says what the written one leads to.
	Reason   string     `json:"reason"`
	Rejected []Rejected `json:"rejected"`
	// Source is the server file and version, the measurement or the formula that
	// the reason stands on.
	Source string `json:"source,omitempty"`
	// Working is the figure that decided, with its terms; nil where none did.
	Working *size.Figure `json:"working,omitempty"`

	api json.RawMessage // the value in JSON of the API, nil for Weir's own keys
}

// InConfig reports whether an Asset's Config carries the setting: what clients do
// it does not.
func (s Setting) InConfig() bool { return s.api != nil }

// Asset is the advice on one stream, consumer, publisher or the servers.
type Asset struct {
	// Kind is stream, consumer, publisher or server; Name reads as people say it,
	// ORDERS or ORDERS/billing.
	Kind string `json:"kind"`
	Name string `json:"name"`
	Path string `json:"path,omitempty"`
	// Says is the workload that the advice is for, in one line.
	Says     string    `json:"says"`
	Settings []Setting `json:"settings"`
	// Config is the configuration with the advice taken, in JSON of the API,
	// indented; "" for publishers and servers.
	Config string `json:"config,omitempty"`
	// Command creates it with the NATS CLI from Config in a file.
	Command string `json:"command,omitempty"`
}

// Advice is what Weir would set in a design.
type Advice struct {
	// Says is the verdict in one sentence.
	Says string `json:"says"`
	// Open counts the settings to be set, Against the written ones that work
	// against workload or goals.
	Open    int     `json:"open"`
	Against int     `json:"against"`
	Assets  []Asset `json:"assets"`
	// Relax says what has to give where the goals cannot be met.
	Relax []string `json:"relax"`
	// Missing says which facts the design lacks for more advice.
	Missing []string `json:"missing"`
}

// count sums up the settings and words the verdict.
func (a *Advice) count() {
	for _, asset := range a.Assets {
		for _, s := range asset.Settings {
			switch s.State {
			case Open:
				a.Open++
			case Against:
				a.Against++
			}
		}
	}
	switch {
	case a.Open == 0 && a.Against == 0:
		a.Says = "Nothing is open, and nothing that is written works against the workload or the goals."
	case a.Against == 0:
		a.Says = fmt.Sprintf("%s open; what is written serves the workload and the goals.", size.Counted(a.Open, "value is", "values are"))
	case a.Open == 0:
		a.Says = fmt.Sprintf("Nothing is open; %s against the workload or the goals.", size.Counted(a.Against, "written value works", "written values work"))
	default:
		a.Says = fmt.Sprintf("%s open, and %s against the workload or the goals.",
			size.Counted(a.Open, "value is", "values are"), size.Counted(a.Against, "written one works", "written ones work"))
	}
	if len(a.Relax) > 0 {
		a.Says += " " + a.Relax[0]
	}
}

// settings collects the advice on one asset, setting by setting.
type settings struct {
	d    *design.Design // nil without a design
	path string
	list []Setting
}

// at is the design path of a setting; "workers.fetch" is one of the workers'.
func (s *settings) at(field string) string {
	path := s.path
	for _, key := range strings.Split(field, ".") {
		path = design.Join(path, key)
	}
	return path
}

// written is what the design says of a setting of the asset.
func (s *settings) written(field string) (design.Value, bool) {
	if s.d == nil {
		return design.Value{}, false
	}
	v, ok := s.d.Value(s.at(field))
	return v, ok && v.Kind != design.Invalid
}

// add takes a setting up. Where one is written, against says what is wrong with
// it, "" for nothing.
func (s *settings) add(set Setting, against func(v design.Value) string) {
	if s.d != nil {
		set.Path = s.at(set.Field)
	}
	if set.State == "" {
		set.State = Open
	}
	v, ok := s.written(set.Field)
	if ok {
		set.State, set.Written = Kept, v.Raw()
		if against != nil {
			if why := against(v); why != "" {
				set.State, set.Reason = Against, why
			}
		}
		if set.Written == set.Advised {
			set.State = Kept
		}
	}
	s.list = append(s.list, set)
}
