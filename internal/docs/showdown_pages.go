package docs

import (
	"context"

	"weir/internal/engine"
	"weir/internal/showdown"
)

// ShowdownPage is a showdown ready to be drawn: what is written down, the names of
// its proofs, each once, and the numbers of its own designs.
type ShowdownPage struct {
	showdown.Showdown
	Proofs   []string               `json:"proofs"`
	Compared engine.ComparedDesigns `json:"compared"`
}

// showdownPages are the pages of all showdowns, in their order. They are the same
// for everybody, so that the studio has them as files that open at once.
func showdownPages(ctx context.Context) ([]ShowdownPage, error) {
	var out []ShowdownPage
	for _, s := range showdown.List() {
		c, err := s.Compare(ctx, nil, showdown.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		out = append(out, ShowdownPage{*s, s.Proofs(), engine.ComparedOf(c)})
	}
	return out, nil
}
