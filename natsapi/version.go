// Package natsapi is the table of what each nats-server version from 2.10 to
// 2.15 accepts: the fields of streams, consumers and their parts, server.conf
// keys, API errors, limits and features. One row is one fact; parsers, schema,
// completion, documentation and version gates are derived from the rows.
//
// It holds data and look-ups only. What a server answers to a whole request,
// and in which order it checks, is package verdict's subject.
//
//	v, err := natsapi.ParseVersion("2.12")
//	f, ok := natsapi.Lookup(natsapi.Stream, "allow_msg_ttl")
//	if ok && !f.In(v) { … }
package natsapi

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a nats-server release. The zero Version is older than every
// release that the tables know.
type Version struct{ Major, Minor, Patch int }

// Embedded is the server release that Weir is built with and that its proofs
// run on.
var Embedded = Version{2, 15, 2}

// minor is what the tables hold for one minor version.
type minor struct {
	measured Version // newest patch that the tables were measured on
	levels   []level
}

// level says from which patch of a minor version on an API level holds.
type level struct{ patch, level int }

// minors lists the minor versions in ascending order. API levels are the
// constant JSApiLevel of server/jetstream_versioning.go; it does not exist in
// 2.10, and within 2.12 it is 2 in 2.12.4 and 3 in 2.12.7 (2.12.5 and 2.12.6
// are not served by the Go module proxy).
var minors = []minor{
	{Version{2, 10, 29}, []level{{0, 0}}},
	{Version{2, 11, 17}, []level{{0, 1}}},
	{Version{2, 12, 15}, []level{{0, 2}, {7, 3}}},
	{Version{2, 14, 10}, []level{{0, 4}}},
	{Version{2, 15, 2}, []level{{0, 5}}},
}

// Known lists the releases that the tables were measured on, one for each
// minor version, oldest first. 2.13 was never released.
func Known() []Version {
	known := make([]Version, len(minors))
	for i, m := range minors {
		known[i] = m.measured
	}
	return known
}

// ParseVersion reads a server version as people and servers write it: "2.12",
// "2.12.3", "v2.15.2", "2.14.0-RC.1". A bare minor means its newest patch in
// Known; a pre-release or build suffix is dropped, so a release candidate is
// taken as the release. A patch newer than the measured one is accepted (see
// Measured). Versions before 2.10, 2.13, and minors after the newest known one
// are refused, as is anything else that is not a version.
func ParseVersion(s string) (Version, error) {
	v, bare, err := splitVersion(s)
	if err != nil {
		return Version{}, err
	}
	oldest, newest := minors[0].measured, minors[len(minors)-1].measured
	m, known := findMinor(v)
	switch {
	case known && bare:
		return m.measured, nil
	case known:
		return v, nil
	case v.Major == 2 && v.Minor == 13:
		return Version{}, fmt.Errorf("%q is not a server version: NATS server 2.13 does not exist (2.14 followed 2.12)", s)
	case v.Compare(oldest) < 0:
		return Version{}, fmt.Errorf("%q is older than %d.%d, the first server version that Weir knows", s, oldest.Major, oldest.Minor)
	default:
		return Version{}, fmt.Errorf("%q is newer than %d.%d, the last server version that Weir knows", s, newest.Major, newest.Minor)
	}
}

// splitVersion takes s apart without asking whether such a release exists; bare
// reports that no patch was written.
func splitVersion(s string) (v Version, bare bool, err error) {
	core := strings.TrimPrefix(strings.TrimSpace(s), "v")
	parts := strings.SplitN(core, ".", 3)
	bad := fmt.Errorf(`%q is not a server version; write "2.15" or "2.15.2"`, s)
	if len(parts) < 2 {
		return v, false, bad
	}
	// A suffix ("-RC.1", "+build") may only follow a full three-part version.
	if len(parts) == 3 {
		if i := strings.IndexAny(parts[2], "-+"); i >= 0 {
			parts[2] = parts[2][:i]
		}
	}
	for i, field := range []*int{&v.Major, &v.Minor, &v.Patch}[:len(parts)] {
		n, err := strconv.ParseUint(parts[i], 10, 16)
		if err != nil {
			return Version{}, false, bad
		}
		*field = int(n)
	}
	return v, len(parts) == 2, nil
}

func findMinor(v Version) (minor, bool) {
	for _, m := range minors {
		if m.measured.Major == v.Major && m.measured.Minor == v.Minor {
			return m, true
		}
	}
	return minor{}, false
}

// Compare returns -1, 0 or 1 as v is older than, equal to or newer than w.
func (v Version) Compare(w Version) int {
	for _, d := range []int{v.Major - w.Major, v.Minor - w.Minor, v.Patch - w.Patch} {
		switch {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
	}
	return 0
}

// AtLeast reports whether v is w or newer. Features are not always monotone in
// the version (a fix can be in 2.14.10 and not in 2.15.0); use Releases.Has for
// those.
func (v Version) AtLeast(w Version) bool { return v.Compare(w) >= 0 }

// String writes the version as "2.15.2", without a leading v.
func (v Version) String() string {
	return strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor) + "." + strconv.Itoa(v.Patch)
}

// Measured returns the release of v's minor version that the tables were
// measured on, and whether v is that release. For another patch the tables are
// right where a row names patches, and assumed elsewhere; say so to the user.
// It returns the zero Version for a minor version that is not known.
func (v Version) Measured() (measured Version, exact bool) {
	m, ok := findMinor(v)
	return m.measured, ok && m.measured == v
}

// APILevel is the JetStream API level that a server of this version announces
// (JSApiLevel in server/jetstream_versioning.go). It is 0 for 2.10, which has
// none, and for versions that are not known.
func (v Version) APILevel() int {
	m, _ := findMinor(v)
	api := 0
	for _, l := range m.levels {
		if v.Patch >= l.patch {
			api = l.level
		}
	}
	return api
}

// Releases says which servers have something: the first patch that has it, for
// each minor version, in ascending order. A minor version newer than all that
// are named has it too. The zero Releases means every server since before 2.10.
type Releases []Version

// Has reports whether a server of version v has the thing.
func (r Releases) Has(v Version) bool {
	if len(r) == 0 {
		return true
	}
	has := false
	for _, first := range r {
		switch {
		case first.Major == v.Major && first.Minor == v.Minor:
			return v.Patch >= first.Patch
		case first.Compare(v) < 0:
			has = true
		}
	}
	return has
}

// String writes the releases as in the tables: "2.11.15 2.12.3 2.14.0". The
// zero Releases is written "2.9".
func (r Releases) String() string {
	if len(r) == 0 {
		return "2.9"
	}
	parts := make([]string, len(r))
	for i, v := range r {
		parts[i] = v.String()
	}
	return strings.Join(parts, " ")
}

// parseReleases reads what Releases.String writes.
func parseReleases(s string) (Releases, error) {
	if s == "2.9" {
		return nil, nil
	}
	var r Releases
	for _, field := range strings.Fields(s) {
		v, bare, err := splitVersion(field)
		if err != nil {
			return nil, err
		}
		if _, known := findMinor(v); bare || !known {
			return nil, fmt.Errorf("%q does not name a patch of a known version", field)
		}
		if n := len(r); n > 0 && (r[n-1].Compare(v) >= 0 || r[n-1].Minor == v.Minor) {
			return nil, fmt.Errorf("%q: releases must ascend, one for each minor version", s)
		}
		r = append(r, v)
	}
	if len(r) == 0 {
		return nil, fmt.Errorf("no release named")
	}
	return r, nil
}
