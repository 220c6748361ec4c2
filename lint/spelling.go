package lint

import (
	"strings"

	"weir/design"
	"weir/natsapi"
)

// spelt is a sentence about a path in the words of the notation that its text is
// in: maxAckPending in a resource of Kubernetes. Only names with an underscore are
// looked at, which nothing else has; the server's own answers stay as they are.
func spelt(d *design.Design, path, sentence string) string {
	sp := spellingAt(d, path)
	if sp == nil || !strings.Contains(sentence, "_") {
		return sentence
	}
	isName := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' }
	var b strings.Builder
	for i := 0; i < len(sentence); {
		end := i
		for end < len(sentence) && isName(sentence[end]) {
			end++
		}
		switch word := sentence[i:end]; {
		case end == i:
			b.WriteByte(sentence[i])
			end++
		case i > 0 && sentence[i-1] == '.' || !strings.Contains(word, "_"): // limits.duplicate_window is the server's
			b.WriteString(word)
		default:
			b.WriteString(inWords(sp, word))
		}
		i = end
	}
	return b.String()
}

// inWords is a field or a word of an enumeration in a notation; what is neither
// stays.
func inWords(sp *design.Spelling, word string) string {
	for _, asset := range natsapi.Assets() {
		if asset.IsConf() {
			continue
		}
		if f, ok := natsapi.Lookup(asset, word); ok {
			if key := sp.Key(asset, f.Name); key != "" {
				return key
			}
		}
		for _, f := range natsapi.Fields(asset) {
			for _, e := range f.Enum {
				if e.Name == word {
					return sp.Word(word)
				}
			}
		}
	}
	return word
}

// spellingAt is the spelling of the text that a path or its nearest parent is
// written in; nil for a design file and JSON of the API.
func spellingAt(d *design.Design, path string) *design.Spelling {
	for ; path != ""; path = design.Parent(path) {
		if v, ok := d.Value(path); ok && v.Node.Src != nil {
			return v.Node.Src.Spelling
		}
	}
	return nil
}
