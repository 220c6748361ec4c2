package docs

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"weir/internal/methods"
	"weir/internal/showdown"
)

// Showdowns are a page for each showdown, with the figures of its own designs, and
// their index.
func Showdowns() ([]File, error) {
	const generated = "<!-- Generated from internal/showdown; go generate ./internal/docs -->\n"
	var index strings.Builder
	index.WriteString(generated + "# Architecture showdowns\n\nEach answers one question. `weir showdown NAME [DESIGN]` puts your own workload through it; `--prove` runs the proofs on the\nreal server. Figures on these pages are computed; nothing on them was measured unless a source says so.\n\n| showdown | question |\n|---|---|\n")
	var out []File
	for _, s := range showdown.List() {
		c, err := s.Compare(context.Background(), nil, showdown.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&index, "| [%s](%s.md) | %s |\n", s.Title, s.Name, s.Question)
		out = append(out, File{"docs/showdowns/" + s.Name + ".md", generated + s.Markdown(c)})
	}
	return append(out, File{"docs/showdowns/README.md", index.String()}), nil
}

// ShowdownFiles are the showdowns as the studio loads them, with their types.
func ShowdownFiles() ([]File, error) {
	const folder = "web/src/engine/showdowns/"
	pages, err := showdownPages(context.Background())
	if err != nil {
		return nil, err
	}
	types := besideEngine("../types")
	types.of(reflect.TypeFor[ShowdownPage]())
	out := []File{{folder + "types.ts", types.text("")}}
	for _, p := range pages {
		methods.FillSlices(reflect.ValueOf(&p))
		text, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		out = append(out, File{folder + p.Name + ".json", string(text) + "\n"})
	}
	return out, nil
}
