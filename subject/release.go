package subject

import "fmt"

// Release is a minor release of nats-server, for the few rules of subjects that
// changed. The zero value means the newest one that Weir knows.
type Release struct{ Major, Minor int }

// String returns "2.12", or "newest" for the zero value.
func (r Release) String() string {
	if r == (Release{}) {
		return "newest"
	}
	return fmt.Sprintf("%d.%d", r.Major, r.Minor)
}

// before reports whether r is an earlier release than 2.minor.
func (r Release) before(minor int) bool {
	return r != Release{} && (r.Major < 2 || r.Major == 2 && r.Minor < minor)
}

// comparesWholeTokens reports whether a release takes only the tokens "*" and
// ">" for wildcards when it checks configurations for overlap. 2.14.10 does
// (server/sublist.go:tokensCanMatch); 2.10.29, 2.11.17, 2.12.15 and 2.15.2 look
// at the first byte alone.
func (r Release) comparesWholeTokens() bool { return r == Release{2, 14} }
