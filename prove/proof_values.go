package prove

import (
	"fmt"
	"slices"
	"strings"
)

// ProofValue is a value of a proof or of a lab that can be set. Stops are what it
// can be, in their order, as texts of a script; Default is one of them.
type ProofValue struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Stops   []string `json:"stops"`
	Default string   `json:"default"`
}

// ValueError is a value that cannot be set so; its text names what can.
type ValueError struct{ Name, Message string }

// Error is the message.
func (e *ValueError) Error() string { return e.Message }

// ChooseValues are those of a run: what is given, which must be one of the stops,
// and the default of each that is not. A name that is none of them is refused as
// well. Errors are *ValueError.
func ChooseValues(values []ProofValue, given map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(values))
	var names []string
	for _, v := range values {
		names = append(names, v.Name)
		value, is := given[v.Name]
		if !is {
			value = v.Default
		}
		if !slices.Contains(v.Stops, value) {
			return nil, &ValueError{v.Name, fmt.Sprintf("%q is not one of %s", value, strings.Join(v.Stops, ", "))}
		}
		out[v.Name] = value
	}
	for _, name := range sortedNames(given) {
		if _, known := out[name]; !known {
			if len(names) == 0 {
				return nil, &ValueError{name, fmt.Sprintf("%q: there are no values to set here", name)}
			}
			return nil, &ValueError{name, fmt.Sprintf("%q is not a value to set%s", name, didYouMean(name, names))}
		}
	}
	return out, nil
}

func sortedNames(m map[string]string) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// fill puts values in the places of {name}. Other braces, {i} among them, stay.
func fill(text string, values map[string]string) string {
	var pairs []string
	for _, name := range sortedNames(values) {
		pairs = append(pairs, "{"+name+"}", values[name])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// parseValues reads the section values of a proof, one a line:
//
//	ack_wait 300ms of 200ms 300ms 1s: how long the server waits for the ack
func parseValues(name string, line int, text, script string) (out []ProofValue, err error) {
	for raw := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		left, doc, ok := strings.Cut(raw, ": ")
		words := strings.Fields(left)
		switch {
		case !ok || len(words) < 4 || words[2] != "of":
			return nil, &ScriptError{name, line, 1, "a value is written NAME DEFAULT of STOP STOP: what it is"}
		case !isKey(words[0]) || words[0] == "i":
			return nil, &ScriptError{name, line, 1, fmt.Sprintf("%q cannot be the name of a value; it is small letters, digits and _, and {i} is the number of a repetition", words[0])}
		case slices.ContainsFunc(out, func(v ProofValue) bool { return v.Name == words[0] }):
			return nil, &ScriptError{name, line, 1, words[0] + " is given twice"}
		case !slices.Contains(words[3:], words[1]):
			return nil, &ScriptError{name, line, 1, fmt.Sprintf("the default %q is not one of the stops", words[1])}
		case !strings.Contains(script, "{"+words[0]+"}"):
			return nil, &ScriptError{name, line, 1, "the script does not have {" + words[0] + "}"}
		}
		out = append(out, ProofValue{words[0], strings.TrimSpace(doc), words[3:], words[1]})
		line++
	}
	return out, nil
}
