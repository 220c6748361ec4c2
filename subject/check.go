package subject

import "fmt"

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
	switch info := contextInfo(c); {
	case info == nil:
		return string(c)
	case info.Subject:
		return "subject for " + info.Title
	default:
		return info.Title
	}
}

// clip keeps messages readable when a subject is very long.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:most], len(s))
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
	check := info.check
	if c == TransformSource && r.before(11) {
		check = subjectRule("", "400/10155 stream transform source: invalid subject")
	}
	v := Verdict{Subject: s, Context: info.Context, Valid: true, Place: -1}
	if no := check(s); no != nil {
		v.Valid, v.Place, v.Reason, v.Server = false, no.place, no.reason, no.server
		v.Suggestions = suggest(s, info)
	} else if c == Stream {
		v.Refused = streamRefusal(s, r)
	}
	if info.Subject {
		v.Notes = notes(s, info.Context)
	}
	return v
}
