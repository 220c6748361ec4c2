package design

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzParseJSON holds the scanner to encoding/json, which is what the server
// reads with: both accept a text, or both refuse it, and they read the same.
// Left out is what the scanner refuses on purpose: bytes that are not UTF-8, and
// control characters.
func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,true,null,"x\u00e9\ud83d\ude00\n"]}`, `{"a":1,"a":2}`, `[01]`, `[1,]`, `"\ud800x"`, `{"a" 1}`, `-`, `[1.]`, "\"\x7f\"", `[1e]`, ` [] `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := NewSource("f.json", text)
		if src.Check() != nil || !utf8.Valid(text) || bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
			return
		}
		n, ps := ParseJSON(src)
		if (ps == nil) != json.Valid(text) && (len(ps) == 0 || ps[0].Code != CodeLimit) {
			t.Fatalf("%q: problems %v, encoding/json says valid %t", text, ps, json.Valid(text))
		}
		if ps != nil {
			return
		}
		var want any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal(plain(n))
		expected, _ := json.Marshal(want)
		if !bytes.Equal(got, expected) {
			t.Fatalf("%q: read as %s, encoding/json reads %s", text, got, expected)
		}
	})
}

// plain is a node as encoding/json would decode it.
func plain(n *Node) any {
	switch {
	case n.Null:
		return nil
	case n.Kind == Map:
		m := map[string]any{}
		for i, k := range n.Keys {
			m[k.Text] = plain(n.Items[i])
		}
		return m
	case n.Kind == List:
		l := make([]any, len(n.Items))
		for i, item := range n.Items {
			l[i] = plain(item)
		}
		return l
	case n.Quoted:
		return n.Text
	case n.Text == "true" || n.Text == "false":
		return n.Text == "true"
	}
	return json.Number(n.Text)
}
