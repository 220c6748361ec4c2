package lint

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// Codes of what an upgrade changes for a design.
const (
	// CodeUpgradeRefused: what the old server takes and the new one refuses.
	CodeUpgradeRefused = "UPG001"
	// CodeUpgradeAccepted: what the old server refuses and the new one takes.
	CodeUpgradeAccepted = "UPG002"
	// CodeUpgradeStored: what both take and store as something else.
	CodeUpgradeStored = "UPG003"
	// CodeUpgradeKept: a field that the old server drops or refuses and the new one
	// keeps, and that is lost on the way back.
	CodeUpgradeKept = "UPG004"
)

// Upgrade lists what changes for designs when servers of one release become those
// of another: refusals, values stored otherwise (defaults among them), fields that
// are kept from then on and lost when the servers go back. It works as well for
// the way down. Findings are in the order of files and places.
func Upgrade(designs []*design.Design, from, to natsapi.Version) []Finding {
	var out []Finding
	for _, d := range designs {
		u := upgrade{d: d, from: from, to: to}
		before, after := verdict.JudgeDesign(d, from), verdict.JudgeDesign(d, to)
		for i := range after {
			u.compare(before, after, i)
		}
		u.confKeys()
		out = append(out, u.found...)
	}
	Sort(out)
	// One key of a bucket makes several fields of its stream.
	return slices.CompactFunc(out, func(a, b Finding) bool { return a.Code == b.Code && a.Path == b.Path && a.Message == b.Message })
}

// confKeys says with which keys of nats-server.conf the new servers do not start.
func (u *upgrade) confKeys() {
	for _, k := range u.d.ConfKeys() {
		if k.Field.In(u.from) && !k.Field.In(u.to) {
			u.found = append(u.found, Finding{Code: CodeUpgradeRefused, Severity: design.Warning, Path: k.Path,
				Message: fmt.Sprintf("nats-server %s takes %s in nats-server.conf, and once it is %s it does not start: the key is unknown; %s", u.from, k.Field.Name, u.to, cameWith(k.Field))}.At(k.Position))
		}
	}
}

type upgrade struct {
	d        *design.Design
	from, to natsapi.Version
	found    []Finding
}

func (u *upgrade) say(code string, s design.Severity, path, message string) {
	u.found = append(u.found, Finding{Code: code, Severity: s, Path: path, Message: message}.At(u.d.Where(path)))
}

// refusedOf makes what the explainers need of one judgement.
func (u *upgrade) refusedOf(all []verdict.Judgement, i int, v natsapi.Version) *refused {
	c := &checker{d: u.d, target: v, report: &Report{}, judgements: all}
	return &refused{checker: c, Judgement: all[i], index: i, v: all[i].Site.Setting.Version}
}

func (u *upgrade) compare(before, after []verdict.Judgement, i int) {
	old, fresh := u.refusedOf(before, i, u.from), u.refusedOf(after, i, u.to)
	was, is := old.Answer.Verdict == verdict.OK, fresh.Answer.Verdict == verdict.OK
	switch {
	case was && !is:
		fresh.lookAt(fresh.Request.DesignPath(fresh.Answer.Path))
		a := explain(fresh)
		if a.at != "" {
			fresh.lookAt(a.at)
		}
		var f Finding
		fresh.tell(&f, a, fresh.answerWords())
		u.say(CodeUpgradeRefused, design.Warning, fresh.path, fmt.Sprintf("nats-server %s takes it, and once it is %s: %s", u.from, u.to, f.Message))
	case is && !was:
		fresh.lookAt(old.Request.DesignPath(old.Answer.Path))
		u.say(CodeUpgradeAccepted, design.Info, fresh.path, fmt.Sprintf("%s is refused by nats-server %s (%d/%d %s) and accepted by %s",
			fresh.subject(), u.from, old.Answer.Code, old.Answer.ErrCode, clip(old.Answer.Description), u.to))
	}
	kept := u.keptFields(old, fresh, is)
	maps.Copy(kept, u.keptFields(fresh, old, was))
	if was && is {
		u.storedOtherwise(old, fresh, kept)
	}
}

// keptFields says which fields of a request one server lacks and the other keeps.
// It returns their names in the request.
func (u *upgrade) keptFields(lacking, keeping *refused, accepted bool) map[string]bool {
	names := map[string]bool{}
	if !accepted {
		return names
	}
	for _, l := range lacking.lackingFields() {
		if !l.known || !l.field.In(keeping.v) || names[l.name] {
			continue
		}
		names[l.name] = true
		keeping.lookAt(l.path)
		how := "refuses it as unknown"
		if lacking.lenient() {
			how = "drops it without a word"
		}
		text := fmt.Sprintf("%s is kept by nats-server %s; %s %s", keeping.subject(), keeping.v, lacking.v, how)
		if keeping.v.AtLeast(lacking.v) {
			text += ", so going back loses it"
		}
		u.say(CodeUpgradeKept, design.Info, l.path, text)
	}
	return names
}

// storedOtherwise compares what both servers store, but for fields that only one
// of them has and for the servers' own labels.
func (u *upgrade) storedOtherwise(old, fresh *refused, kept map[string]bool) {
	was, is := flatten(old.Answer.Config), flatten(fresh.Answer.Config)
	var paths []string
	for path := range is {
		paths = append(paths, path)
	}
	for path := range was {
		if _, both := is[path]; !both {
			paths = append(paths, path)
		}
	}
	sort.Strings(paths)
	for _, path := range paths {
		top := design.Split(path)[0]
		if was[path] == is[path] || top == "metadata" || kept[top] || isNothing(was[path]) && isNothing(is[path]) {
			continue
		}
		body := path
		if fresh.Request.Kind == "consumer" {
			body = "config." + path
		}
		at := fresh.Request.DesignPath(body)
		fresh.lookAt(at)
		u.say(CodeUpgradeStored, design.Info, at, fmt.Sprintf("%s: %s is %s by nats-server %s and %s by %s", fresh.whole(), path,
			storedText(fresh, was[path]), u.from, storedText(fresh, is[path]), u.to))
	}
}

// isNothing is true for what is not stored and for what stands for that.
func isNothing(raw string) bool { return raw == "" || raw == "false" || raw == "0" || raw == `""` }

func storedText(r *refused, raw string) string {
	switch {
	case raw == "":
		return "not stored"
	case r.field == nil:
		return "stored as " + clip(raw)
	}
	return "stored as " + wireText(r.field, raw)
}

// flatten lists the scalars of a JSON object by path.
func flatten(body verdict.JSON) map[string]string {
	out := map[string]string{}
	root, problems := design.ParseJSON(design.NewSource("", body))
	if root == nil || problems.Failed() {
		return out
	}
	var walk func(n *design.Node, at string)
	walk = func(n *design.Node, at string) {
		switch {
		case n.IsMap():
			for i, key := range n.Keys {
				walk(n.Items[i], design.Join(at, key.Text))
			}
		case n.IsList():
			for i, item := range n.Items {
				walk(item, design.Index(at, i))
			}
		default:
			out[at] = strings.TrimSpace(string(n.Src.Text[n.Start:n.End]))
		}
	}
	walk(root, "")
	return out
}
