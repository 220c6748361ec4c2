package design

import (
	"embed"
	"fmt"
	"strings"

	"weir/natsapi"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

// Preset is a complete design to start from. Its text has comments that say why
// each setting is as it is.
type Preset struct {
	Name string
	// Title is one sentence on what it is.
	Title string
	Text  string
}

// presetNames in the order in which menus show them: what most people need
// first, what teaches last.
var presetNames = []string{"orders", "telemetry", "iot", "jobs", "audit", "chat", "cdc", "five-traps"}

// Presets lists the presets, the most usual first.
func Presets() []Preset {
	out := make([]Preset, len(presetNames))
	for i, name := range presetNames {
		text, err := presetFiles.ReadFile("presets/" + name + ".yaml")
		if err != nil {
			panic("design: " + err.Error()) // embedded: a test reads each
		}
		title, _, _ := strings.Cut(string(text), "\n")
		out[i] = Preset{Name: name, Title: strings.TrimPrefix(title, "# "), Text: string(text)}
	}
	return out
}

// FindPreset is the preset of a name; the error lists those there are.
func FindPreset(name string) (Preset, error) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, nil
		}
	}
	msg := fmt.Sprintf("%s is not a preset", quote(name))
	if near := natsapi.Suggest(name, presetNames); near != "" {
		return Preset{}, fmt.Errorf("%s; did you mean %s?", msg, near)
	}
	return Preset{}, fmt.Errorf("%s; write %s", msg, oneOf(presetNames))
}
