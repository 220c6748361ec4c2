package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// lackingField is a field of a request that the server it is judged for does not
// have.
type lackingField struct {
	path  string // in the design
	name  string // as written
	field natsapi.Field
	known bool // to some version
	asset natsapi.Asset
}

// lackingFields lists the fields of the request that its server does not know.
// Servers that take every field of a request are not asked twice: they refused
// it with 10025, or drop such fields without a word.
func (r *refused) lackingFields() []lackingField {
	refusedJSON := r.Answer.ErrCode == 10025
	dropped := r.lenient() && slices.ContainsFunc(r.Answer.Changes, func(c verdict.Change) bool { return c.Kind != verdict.Filled })
	if !refusedJSON && !dropped {
		return nil
	}
	body, problems := design.ParseJSON(design.NewSource("", r.Request.Body))
	if body == nil || problems.Failed() {
		return nil
	}
	var out []lackingField
	if r.Request.Kind == "consumer" {
		r.walkFields(body, natsapi.ConsumerRequest, "", &out)
	} else {
		r.walkFields(body, natsapi.Stream, "", &out)
	}
	return out
}

// unknownField is how servers word the refusal of a field that they do not know.
const unknownField = "unknown field"

// lenient reports whether the server drops fields that it does not know.
func (r *refused) lenient() bool {
	strict := r.Site.Setting.Strict
	return strict == verdict.StrictOff || !r.v.AtLeast(natsapi.Version{Major: 2, Minor: 11}) || strict == verdict.StrictDefault && !r.v.AtLeast(natsapi.Version{Major: 2, Minor: 12})
}

func (r *refused) walkFields(n *design.Node, asset natsapi.Asset, at string, out *[]lackingField) {
	if !n.IsMap() {
		return
	}
	for i, key := range n.Keys {
		bodyPath := design.Join(at, key.Text)
		f, known := lookupFold(asset, key.Text)
		if !known || !f.In(r.v) {
			*out = append(*out, lackingField{r.Request.DesignPath(bodyPath), key.Text, f, known, asset})
			continue
		}
		switch {
		case f.Type == natsapi.Object:
			r.walkFields(n.Items[i], f.Of, bodyPath, out)
		case f.Type == natsapi.List && f.Elem == natsapi.Object:
			for k, item := range n.Items[i].Items {
				r.walkFields(item, f.Of, design.Index(bodyPath, k), out)
			}
		}
	}
}

// lookupFold finds a field as the server does: by its name, else in any letter
// case. Requests may hold their own fields beside those of the stream.
func lookupFold(asset natsapi.Asset, name string) (natsapi.Field, bool) {
	if f, ok := natsapi.Lookup(asset, name); ok {
		return f, true
	}
	for _, f := range natsapi.Fields(asset) {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	if asset == natsapi.Stream {
		return lookupFold(natsapi.StreamRequest, name)
	}
	return natsapi.Field{}, false
}

// whereKey is where the key of the field is written: in the configuration, or in the
// request around it.
func (r *refused) whereKey(l lackingField) design.Position {
	if l.asset == natsapi.ConsumerRequest {
		if at, ok := r.Request.KeyPlace(l.name); ok {
			return at
		}
	}
	return r.d.WhereKey(l.path)
}

// advice says since when servers have the field, or that none does.
func (l lackingField) advice(v natsapi.Version) advice {
	switch {
	case !l.known:
		a := advice{at: l.path, why: "is not a field of a " + strings.ReplaceAll(string(l.asset), "_", " "), write: "leave it out"}
		if near, _ := natsapi.SuggestSure(l.name, natsapi.Names(l.asset, v)); near != "" {
			a.write = "did you mean " + near + "?"
		}
		return a
	case l.field.Until != (natsapi.Version{}) && l.field.Since.Has(v):
		return advice{at: l.path, why: "is gone since nats-server " + firstWithout(l.field.Until), write: "leave it out"}
	}
	return advice{at: l.path, why: "needs nats-server " + sinceText(l.field.Since), write: "leave it out, or run such a server"}
}

// renamed is the fix that writes the name that was probably meant.
func (r *refused) renamed(l lackingField) *design.Fix {
	near, sure := natsapi.SuggestSure(l.name, natsapi.Names(l.asset, r.v))
	if l.known || near == "" || l.asset == natsapi.ConsumerRequest {
		return nil
	}
	fix := r.d.KeyFix("Write "+near, l.path, near)
	if fix != nil {
		fix.Guess = !sure
	}
	return fix
}

// sinceText says which releases have something: "2.11.0 or newer".
func sinceText(since natsapi.Releases) string {
	if len(since) == 0 {
		return "2.9 or newer"
	}
	parts := strings.Fields(since.String())
	if len(parts) == 1 {
		return parts[0] + " or newer"
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " or " + parts[len(parts)-1] + " or newer"
}

// unknownFields makes a finding for each field that a strict server refuses. It
// names the first one in its answer and would name the next one after that.
func (c *checker) unknownFields(r *refused, lacking []lackingField) {
	for _, l := range lacking {
		r.lookAt(l.path)
		f := Finding{Code: apiCode(10025), Severity: design.Error, Path: l.path, ErrCode: 10025}
		words := *r
		words.Answer.Description = fmt.Sprintf("invalid JSON: json: %s %q", unknownField, l.name)
		r.tell(&f, l.advice(r.v), words.answerWords())
		f.Fix = r.renamed(l)
		c.add(r.naming(l, f).At(r.whereKey(l)))
	}
}

// naming makes the message of a finding name the field where the place that it
// points at does not: a field that no key of the file stands for.
func (r *refused) naming(l lackingField, f Finding) Finding {
	isBucket := r.Request.Kind == "kv" || r.Request.Kind == "object_store"
	if !isBucket && !strings.Contains(r.subject(), l.name) {
		f.Message, f.What = quote(l.name)+" in "+f.Message, quote(l.name)+" in "+f.What
	}
	return f
}

// dropped makes findings of fields that a lenient server drops: up to 2.11, and
// later ones with strict off.
func (c *checker) dropped(r *refused, lacking []lackingField) {
	said := map[string]bool{}
	for _, l := range lacking {
		if said[l.path] {
			continue // one key of a bucket that sets two fields of its stream
		}
		said[l.path] = true
		r.lookAt(l.path)
		f := Finding{Code: CodeDropped, Severity: design.Warning, Path: l.path}
		r.tell(&f, l.advice(r.v), fmt.Sprintf("nats-server %s drops it without a word", r.v))
		f.Fix = r.renamed(l)
		c.add(r.naming(l, f).At(r.whereKey(l)))
	}
}

// firstWithout is the first minor release that is known after the last one that
// has a field.
func firstWithout(until natsapi.Version) string {
	for _, v := range natsapi.Known() {
		if v.Major == until.Major && v.Minor > until.Minor {
			return fmt.Sprintf("%d.%d", v.Major, v.Minor)
		}
	}
	return fmt.Sprintf("%d.%d", until.Major, until.Minor+1)
}
