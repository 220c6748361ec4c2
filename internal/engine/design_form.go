package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"weir/advise"
	"weir/design"
	"weir/natsapi"
)

var formMethods = []method{
	on("design.form", "Every field of one part of a design: what is written, documentation, default, version gate, mutability, advice.", formDesign),
	on("design.set", "The edit that writes one value, takes it out, or adds a part; what is wrong with it where it cannot be read.", setDesign),
	on("design.at", "The design path of a place in a text.", atDesign),
}

// FormRequest asks design.form for the part at a path.
type FormRequest struct {
	Files  []File `json:"files"`
	Path   string `json:"path"`
	Target string `json:"target,omitempty"`
}

// FormReply is a form. Found is false where nothing of the path is written.
type FormReply struct {
	Found bool   `json:"found"`
	Path  string `json:"path"`
	// Title is what the part is, Says how many of its fields are written.
	Title  string          `json:"title"`
	Says   string          `json:"says"`
	At     design.Position `json:"at"`
	Groups []FormGroup     `json:"groups"`
	// Adds are what can be put into the part, Remove takes the part out.
	Adds   []FormAction `json:"adds"`
	Remove *design.Fix  `json:"remove,omitempty"`
}

// FormGroup is a group of fields with a heading.
type FormGroup struct {
	Title  string      `json:"title"`
	Fields []FormField `json:"fields"`
}

// FormField is one field.
type FormField struct {
	Path    string          `json:"path"`
	Doc     design.FieldDoc `json:"doc"`
	Input   design.Input    `json:"input"`
	Options []string        `json:"options,omitempty"`
	// Written is what the text says, "" for nothing; At is where.
	Written string          `json:"written"`
	Has     bool            `json:"has"`
	At      design.Position `json:"at"`
	// Facts are unit, default, range, version and update in one line.
	Facts string `json:"facts"`
	// Advice is what to write, with the reason; nil for none.
	Advice *AdviceSetting `json:"advice,omitempty"`
}

// FormAction adds a part: Fix writes it, Path is then what to choose.
type FormAction struct {
	Title string      `json:"title"`
	Path  string      `json:"path"`
	Fix   *design.Fix `json:"fix"`
}

func formDesign(_ context.Context, in FormRequest, _ Progress) (FormReply, error) {
	target, err := parseTarget(in.Target)
	if err != nil {
		return FormReply{}, err
	}
	designs, problems, err := read(in.Files, "files")
	if err != nil || len(designs) == 0 {
		return FormReply{}, err
	}
	d := designs[0]
	if target == (natsapi.Version{}) {
		target = d.Version
	}
	out := FormReply{Path: in.Path, At: d.Where(in.Path), Title: partTitle(in.Path), Found: in.Path != "" && d.Has(in.Path)}
	if !out.Found {
		return out, nil
	}
	advice := map[string]AdviceSetting{}
	if !problems.Failed() {
		if a, err := advise.ForDesign(d); err == nil {
			for _, asset := range adviceReply(a, d).Assets {
				for _, s := range asset.Settings {
					if s.Fix != nil && s.State != advise.Kept {
						advice[s.Path] = s
					}
				}
			}
		}
	}
	written, all := 0, 0
	paths := partPaths(d, in.Path)
	for i, path := range paths {
		for _, g := range formGroups(d, path, target, advice) {
			for _, f := range g.Fields {
				if all++; f.Has {
					written++
				}
			}
			if len(paths) > 1 {
				g.Title = fmt.Sprintf("Group %d: %s", i+1, g.Title)
			}
			out.Groups = append(out.Groups, g)
		}
	}
	out.Says = fmt.Sprintf("%d of %d fields written", written, all)
	out.Adds = formAdds(d, in.Path)
	out.Remove = d.UnsetFix("Take "+lastStep(in.Path)+" out of the design", in.Path)
	return out, nil
}

// partPaths are the maps of a part: a list of workers has several.
func partPaths(d *design.Design, path string) []string {
	v, ok := d.Value(path)
	if !ok || v.Node.Kind != design.List {
		return []string{path}
	}
	var out []string
	for i := range v.Node.Items {
		out = append(out, design.Index(path, i))
	}
	return out
}

// partTitle names a part by its path: "Stream ORDERS".
func partTitle(path string) string {
	steps := design.Split(path)
	for i := len(steps) - 1; i >= 0; i-- {
		switch steps[i] {
		case "workers":
			return "Workers of " + steps[max(0, i-1)]
		case "server":
			return "Server"
		case "goals":
			return "Goals"
		}
		if name := partNames[steps[max(0, i-1)]]; i > 0 && name != "" && i == len(steps)-1 {
			return name + " " + steps[i]
		}
	}
	return path
}

var partNames = map[string]string{"streams": "Stream", "consumers": "Consumer", "publishers": "Publisher", "subscribers": "Subscriber", "kv": "KV bucket", "objects": "Object store"}

// formGroups are the fields of one map, sorted into groups; those that servers
// of the version lack are left out unless they are written.
func formGroups(d *design.Design, path string, v natsapi.Version, advice map[string]AdviceSetting) []FormGroup {
	var out []FormGroup
	at := map[string]int{}
	for _, f := range design.KeysAt(path) {
		p := design.Join(path, f.Name)
		field := FormField{Path: p, Doc: design.DocOf(f, v), Has: d.Has(p), Written: d.InputText(p)}
		if parts[f.Name] || !field.Has && !f.In(v) {
			continue
		}
		field.Input, field.Options = design.InputOf(f, v)
		if value, ok := d.Value(p); ok && strings.Contains(value.Raw(), "\n") || ok && value.Kind == design.Container && field.Input == design.Word && strings.Contains(field.Written, "\n") {
			field.Input = design.Structure
		}
		if field.Has {
			field.At = d.Where(p)
		}
		field.Facts = fieldFacts(field.Doc)
		if a, ok := advice[p]; ok {
			field.Advice = &a
		}
		title := formGroupOf(f.Name, f.Own)
		i, known := at[title]
		if !known {
			i = len(out)
			at[title] = i
			out = append(out, FormGroup{Title: title})
		}
		out[i].Fields = append(out[i].Fields, field)
	}
	slices.SortStableFunc(out, func(a, b FormGroup) int { return groupRank(a.Title) - groupRank(b.Title) })
	return out
}

// parts have forms of their own.
var parts = map[string]bool{"consumers": true}

// formGroupOrder are the groups in order with what the names of their fields
// contain; the first that fits has the field, the last takes the rest.
var formGroupOrder = []struct {
	title string
	words []string
}{
	{"Subjects", []string{"subject", "republish", "queue"}},
	{"Copies", []string{"mirror", "sources"}},
	{"Load", []string{"rate", "bursts", "hours", "payload", "headers", "count", "writes", "reads", "keys", "value", "watchers", "repeats", "tokens"}},
	{"Delivery and acknowledgement", []string{"ack", "deliver", "backoff", "replay", "opt_start", "priority", "pause", "flow_control", "heartbeat", "rate_limit", "headers_only", "inactive"}},
	{"Pull requests", []string{"max_waiting", "max_batch", "max_expires", "max_bytes_per", "fetch", "expires"}},
	{"Limits", []string{"max_", "discard", "retention", "limits", "ttl", "history", "duplicate"}},
	{"Storage and placement", []string{"storage", "replicas", "compress", "placement", "persist", "memory", "first_seq", "chunk"}},
	{"What is allowed", []string{"allow", "deny", "sealed", "no_ack"}},
	{"Work", []string{"service_time", "concurrency", "in_progress", "errors", "pending", "reply"}},
	{"More", nil},
}

func formGroupOf(name string, own bool) string {
	for _, g := range formGroupOrder {
		if slices.ContainsFunc(g.words, func(w string) bool { return strings.Contains(name, w) }) && (own || g.title != "Load") {
			return g.title
		}
	}
	return "More"
}

func groupRank(title string) int {
	for i, g := range formGroupOrder {
		if g.title == title {
			return i
		}
	}
	return len(formGroupOrder)
}

// fieldFacts are what is known about a field besides what it is for, in a line.
func fieldFacts(d design.FieldDoc) string {
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+text)
		}
	}
	add("", d.Type)
	add("", d.Unit)
	add("default ", d.Default)
	add("", d.Range)
	add("since ", d.Since)
	if d.Until != "" {
		add("until ", d.Until)
	}
	if !d.Available {
		out = append(out, "not in this server version")
	}
	add("update: ", d.Update)
	return strings.Join(out, "; ")
}

// formAdds are the parts that can be put into a part, ready to run.
func formAdds(d *design.Design, path string) []FormAction {
	steps := design.Split(path)
	if len(steps) < 2 || steps[len(steps)-2] != "streams" {
		return nil
	}
	return addAction(d, design.Join(path, "consumers"), "consumer", "{ack_policy: explicit}", "New consumer of "+lastStep(path))
}

// addAction adds a part under a name that is free.
func addAction(d *design.Design, into, name, value, title string) []FormAction {
	free := name
	for i := 2; d.Has(design.Join(into, free)); i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	p := design.Join(into, free)
	fix := d.SetFix(title, p, value)
	if fix == nil {
		return nil
	}
	return []FormAction{{Title: title, Path: p, Fix: fix}}
}

// SetRequest asks design.set. Value is what a form holds, "" to take the field
// out. With Add a stream or publisher is added instead: "stream", "publisher".
type SetRequest struct {
	Files []File `json:"files"`
	Path  string `json:"path,omitempty"`
	Value string `json:"value,omitempty"`
	Add   string `json:"add,omitempty"`
}

// SetReply is the edit, or in Problem why there is none. Path is what it is
// about.
type SetReply struct {
	Path    string      `json:"path"`
	Fix     *design.Fix `json:"fix,omitempty"`
	Problem string      `json:"problem,omitempty"`
}

func setDesign(_ context.Context, in SetRequest, _ Progress) (SetReply, error) {
	designs, _, err := read(in.Files, "files")
	if err != nil {
		return SetReply{}, err
	}
	if len(designs) != 1 {
		return SetReply{Problem: "the files hold more or less than one design; write it in the text"}, nil
	}
	d := designs[0]
	if in.Add != "" {
		return addPart(d, in.Add)
	}
	f, ok := design.FieldAt(in.Path)
	if !ok {
		return SetReply{}, &Error{Code: CodeBadRequest, Path: "path", Message: fmt.Sprintf("%q is no field of a design", in.Path)}
	}
	out := SetReply{Path: in.Path}
	if value := design.FormValue(f, in.Value); value == "" {
		out.Fix = d.UnsetFix("take "+f.Name+" out", in.Path)
	} else {
		out.Fix = d.SetFix("set "+f.Name+" to "+strings.TrimSpace(in.Value), in.Path, value)
	}
	if out.Fix == nil {
		out.Problem = f.Name + " has no place that a form can write in these files: write it in the text"
		return out, nil
	}
	out.Problem, err = wrongWith(d, in.Files, out.Fix, in.Path)
	if out.Problem != "" {
		out.Fix = nil
	}
	return out, err
}

func addPart(d *design.Design, what string) (SetReply, error) {
	into, value := "", ""
	switch what {
	case "stream":
		into, value = "streams", "{subjects: [new.>], max_age: 24h, max_bytes: 1GiB}"
	case "publisher":
		into, value = "publishers", "{subject: new.events, rate: 10/s, payload: 1KiB}"
	default:
		return SetReply{}, &Error{Code: CodeBadRequest, Path: "add", Message: fmt.Sprintf("%q is neither stream nor publisher", what)}
	}
	name := map[string]string{"stream": "NEW", "publisher": "new"}[what]
	if list := addAction(d, into, name, value, "add a "+what); len(list) > 0 {
		return SetReply{Path: list[0].Path, Fix: list[0].Fix}, nil
	}
	return SetReply{Problem: "a " + what + " has no place that can be written in these files: write it in the text"}, nil
}

// wrongWith is what the reader says about a path after an edit, "" for nothing.
func wrongWith(d *design.Design, files []File, fix *design.Fix, path string) (string, error) {
	after := slices.Clone(files)
	for i, f := range after {
		text, err := design.ApplyEdits(design.NewSource(f.Name, []byte(f.Text)), fix.Edits)
		if err != nil {
			return "", badRequest(err)
		}
		after[i].Text = string(text)
	}
	_, problems, err := read(after, "files")
	if err != nil {
		return "", err
	}
	for _, p := range problems {
		same := p.Path == path || strings.HasPrefix(p.Path, path+".") || strings.HasPrefix(p.Path, path+"[")
		// What cannot be parsed any more has no path.
		if p.Severity == design.Error && (same || p.Path == "" && d.Has("")) {
			return p.Message, nil
		}
	}
	return "", nil
}

// AtRequest asks design.at about a place, both numbers from 1.
type AtRequest struct {
	Files []File `json:"files"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Col   int    `json:"col"`
}

// AtReply is the path there, "" for none.
type AtReply struct {
	Path string `json:"path"`
}

func atDesign(_ context.Context, in AtRequest, _ Progress) (AtReply, error) {
	designs, _, err := read(in.Files, "files")
	if err != nil {
		return AtReply{}, err
	}
	for _, d := range designs {
		if p := d.PathAt(in.File, in.Line, in.Col); p != "" {
			return AtReply{p}, nil
		}
	}
	return AtReply{}, nil
}
