package prover

import (
	"strconv"
	"strings"

	"weir/prove"
)

// Compared lays what was seen under the harms of a run beside what was seen under
// its cures.
type Compared struct {
	Name string `json:"name"`
	// Harm and Cure are what was seen last, "" where it was not looked at.
	Harm string `json:"harm"`
	Cure string `json:"cure"`
}

// compared makes a table of a run that showed both a harm and a cure: first how
// many requests the server refused, then each value that was looked at under
// either, in the order of the script.
func compared(e *prove.Evidence) []Compared {
	refused := [2]int{}
	out := []Compared{{Name: "refused by the server"}}
	sides := 0
	for _, c := range e.Claims {
		side := map[string]int{"harm": 0, "cure": 1}[c.Kind]
		if c.Kind == "claim" || c.From == 0 {
			continue
		}
		sides |= side + 1
		for _, s := range e.Steps[c.From-1 : c.To] {
			if s.Reply != nil && s.Reply.ErrCode > 0 {
				refused[side]++
			}
			name, seen, ok := looked(s)
			if !ok {
				continue
			}
			i := 0
			for i = range out {
				if out[i].Name == name {
					break
				}
			}
			if out[i].Name != name {
				out = append(out, Compared{Name: name})
				i = len(out) - 1
			}
			if side == 0 {
				out[i].Harm = seen
			} else {
				out[i].Cure = seen
			}
		}
	}
	if sides != 3 {
		return nil
	}
	out[0].Harm, out[0].Cure = strconv.Itoa(refused[0]), strconv.Itoa(refused[1])
	if refused == [2]int{} {
		out = out[1:]
	}
	return out
}

// looked is what a step expect or until compared, and what it saw there.
func looked(s prove.Step) (name, seen string, ok bool) {
	words := strings.Fields(s.Do)
	if len(words) < 4 || words[0] != "expect" && words[0] != "until" || s.Reply == nil {
		return "", "", false
	}
	seen, _, ok = strings.Cut(s.Reply.Text, " "+words[2]+" ")
	if n, err := strconv.ParseFloat(seen, 64); err == nil && words[1] == "elapsed" {
		seen = prove.Amount(int64(n/1e6), "ms") // of a script's times, which are nanoseconds
	} else if err == nil && strings.Contains(seen, ".") {
		seen = strconv.FormatFloat(n, 'f', 0, 64)
	}
	return words[1], seen, ok
}
