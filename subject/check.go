package subject

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Verdict says whether a context takes a string, and what to write if not.
type Verdict struct {
	Subject string  `json:"subject"`
	Context Context `json:"context"`
	Valid   bool    `json:"valid"`
	// Place is the byte offset of the fault, -1 when the whole string is meant or
	// nothing is wrong.
	Place  int    `json:"place"`
	Reason string `json:"reason,omitempty"`
	// Literal is true where Valid is not and a server takes the subject all the same:
	// its wildcards are then ordinary tokens, which nobody who publishes them means.
	Literal bool `json:"literal,omitempty"`
	// Server is what a server answers to it, in its own words where it has any.
	Server string `json:"server,omitempty"`
	// Refused is set for a stream subject that is valid and refused all the same,
	// because it reaches a reserved space and the stream has no no_ack.
	Refused     string       `json:"refused,omitempty"`
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// Suggestion is a subject to write instead, with what it would mean.
type Suggestion struct {
	Subject string `json:"subject"`
	Why     string `json:"why"`
}

// Error returns the verdict as an error, nil when the string is valid: value,
// reason, remedy.
func (v Verdict) Error() error {
	if v.Valid {
		return nil
	}
	msg := fmt.Sprintf("%q is not a valid %s: %s", cut(v.Subject, maxClip), contextTitle(v.Context), v.Reason)
	if len(v.Suggestions) > 0 {
		msg += fmt.Sprintf("; write %s (%s)", clip(v.Suggestions[0].Subject), v.Suggestions[0].Why)
	}
	return fmt.Errorf("%s", msg)
}

func contextTitle(c Context) string {
	info := contextInfo(c)
	switch {
	case info == nil:
		return string(c)
	case c == Subscribe || c == Publish || c == SubscribeStrict:
		return "subject for " + info.Title
	}
	return info.Title
}

// maxClip is how many bytes of a subject stand in a sentence.
const maxClip = 120

// clip writes a subject into a sentence: the head of a very long one, and what
// cannot be seen, or turns the direction of a line, as an escape. What %q quotes
// is only cut, and so is what a server would answer.
func clip(s string) string { return visible(cut(s, maxClip)) }

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	at := most
	for at > most-utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at--
	}
	return fmt.Sprintf("%s… (%s bytes)", s[:at], grouped(int64(len(s))))
}

// visible escapes as Go does what is not printable and what is not UTF-8.
func visible(s string) string {
	odd := func(r rune, size int) bool { return r == utf8.RuneError && size == 1 || !strconv.IsPrint(r) }
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if odd(r, size) {
			quoted := strconv.Quote(s[i : i+size])
			b.WriteString(s[from:i])
			b.WriteString(quoted[1 : len(quoted)-1])
			from = i + size
		}
		i += size
	}
	return b.String() + s[from:]
}

// grouped writes 12345 as 12,345.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Check judges a string in a context by the rules of the newest release. An
// unknown context is judged as Subscribe.
func Check(s string, c Context) Verdict { return CheckOn(s, c, Release{}) }

// CheckOn is Check for a server of a given release.
func CheckOn(s string, c Context, r Release) Verdict {
	info := contextInfo(c)
	if info == nil {
		info = contextInfo(Subscribe)
	}
	v := verdictOn(s, info, r)
	switch {
	case !v.Valid:
		v.Suggestions = suggest(s, info, r)
	case s == "":
		v.Notes = []string{"empty: " + info.empty}
	}
	if s != "" {
		v.Notes = notes(s, info.Context, r)
	}
	return v
}

// verdictOn is CheckOn without suggestions and notes.
func verdictOn(s string, info *ContextInfo, r Release) Verdict {
	v := Verdict{Subject: s, Context: info.Context, Valid: true, Place: -1}
	if s == "" && info.empty != "" {
		return v
	}
	if no := info.check(s, r); no != nil {
		v.Valid, v.Place, v.Reason, v.Server, v.Literal = false, no.place, no.reason, no.server, no.server == takenLiterally
	} else if info.Context == Stream {
		v.Refused = streamRefusal(s, r)
	}
	return v
}
