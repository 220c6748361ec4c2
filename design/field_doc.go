package design

import (
	"slices"
	"strings"

	"weir/natsapi"
)

// FieldDoc is what is known about one key, for people: what editors show beside
// it and weir fields prints. Empty texts stand for nothing to say.
type FieldDoc struct {
	// Asset is the kind of map that has the key, Name the key.
	Asset string `json:"asset"`
	Name  string `json:"name"`
	// Type is what a design file takes: "duration", "list of strings".
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
	// Values are the words that an enumeration takes, Since behind those that came
	// later: "flow_control (since 2.14.0)".
	Values   []string `json:"values"`
	Required bool     `json:"required,omitempty"`
	// Default is what holds when the key is left out, of the version asked for.
	Default string `json:"default,omitempty"`
	// Range is in words: "100ms or more; 0: unlimited".
	Range string `json:"range,omitempty"`
	// Since says which servers have the field, Until the last minor version.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
	// Available is false when servers of the version asked for lack the field.
	Available bool `json:"available"`
	// Level is the API level that the field needs, 0 for none.
	Level int `json:"level,omitempty"`
	// Update says what an update does with the field, "" where there is none.
	Update string `json:"update,omitempty"`
	// Errors are the err_codes that the field can lead to.
	Errors []int `json:"errors"`
	// Sets names the stream fields that a bucket's field becomes.
	Sets []string `json:"sets"`
	Doc  string   `json:"doc"`
	// Source is where the facts were read; "" for Weir's own keys.
	Source string `json:"source,omitempty"`
	// Own is true for Weir's own keys, which no server sees.
	Own bool `json:"own,omitempty"`
}

// DocOf is what is known about a key, as servers of a version have it.
func DocOf(f *Field, v natsapi.Version) FieldDoc {
	d := FieldDoc{Asset: string(f.Asset), Name: f.Name, Type: f.TypeText(), Unit: unitText(f), Required: f.Required, Range: rangeText(f),
		Available: f.In(v), Level: f.Level, Errors: f.Errors, Sets: f.Sets, Doc: f.Doc, Source: f.Source, Own: f.Own}
	d.Default = f.DefaultIn(v)
	if f.Own {
		d.Default = f.Default
	}
	if f.DefaultNote != "" {
		d.Default = strings.TrimPrefix(d.Default+"; "+f.DefaultNote, "; ")
	}
	for _, e := range f.Enum {
		text := e.Name
		if e.Name == "" {
			continue
		}
		if len(e.Since) > 0 {
			text += " (since " + e.Since.String() + ")"
		}
		d.Values = append(d.Values, text)
	}
	if len(f.Since) > 0 {
		d.Since = f.Since.String()
	}
	if f.Until != (natsapi.Version{}) {
		d.Until = strings.TrimSuffix(f.Until.String(), ".0")
	}
	d.Update = updateText(f, v)
	return d
}

// unitText leaves out units that the type implies.
func unitText(f *Field) string {
	if slices.Contains([]string{"ns", "share", "bytes"}, f.Unit) {
		return ""
	}
	return f.Unit
}

func rangeText(f *Field) string {
	var parts []string
	least, most := f.Min, f.Max
	if least == "-1" && f.MinusOne != "" {
		least = "" // said behind
	}
	if least == "0" && f.Zero != "" {
		least = ""
	}
	switch {
	case least != "" && most != "":
		parts = append(parts, least+" to "+most)
	case least != "":
		parts = append(parts, least+" or more")
	case most != "":
		parts = append(parts, "up to "+most)
	}
	if f.Zero != "" {
		parts = append(parts, "0: "+f.Zero)
	}
	if f.MinusOne != "" {
		parts = append(parts, "-1: "+f.MinusOne)
	}
	return strings.Join(parts, "; ")
}

func updateText(f *Field, v natsapi.Version) string {
	text := map[natsapi.Mutability]string{natsapi.Updatable: "in place", natsapi.Fixed: "refused", natsapi.SetOnce: "once, from false to true",
		natsapi.Partly: "some changes are refused", natsapi.Ignored: "accepted, and the old value stays"}[f.UpdateIn(v)]
	if text != "" && f.UpdateIn(v) != natsapi.Updatable && f.UpdateText != "" {
		text += ": " + f.UpdateText
	}
	return text
}
