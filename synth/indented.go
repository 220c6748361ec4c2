package synth

import (
	"bytes"
	"encoding/json"
)

// indented lays JSON out for people.
func indented(body []byte) (string, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return "", err
	}
	b.WriteByte('\n')
	return b.String(), nil
}
