package subject

import (
	"fmt"
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
	msg := fmt.Sprintf("%q is not a valid %s: %s", clip(v.Subject), contextTitle(v.Context), v.Reason)
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

// clip keeps messages readable when a subject is very long.
func clip(s string) string { return clipTo(s, 120) }

func clipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
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
		v.Valid, v.Place, v.Reason, v.Server = false, no.place, no.reason, no.server
	} else if info.Context == Stream {
		v.Refused = streamRefusal(s, r)
	}
	return v
}
