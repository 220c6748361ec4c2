package verdict

import (
	"strings"

	"weir/natsapi"
)

// Difference is a class of requests to which a server may answer otherwise than
// Judge says, with the reason. Requests whose answer depends on timing in a way
// that Judge can name have Alternatives instead.
type Difference struct {
	// Name is a short name in kebab case.
	Name string
	// Reason says why the answers may differ.
	Reason string
	// Versions says in words which servers it is about.
	Versions string

	in    func(natsapi.Version) bool
	match func(*Setting, Request) bool
}

// KnownDifferences lists the classes. Nothing else was found in 64,478 measured
// answers of five versions and some 700,000 random requests to servers of these
// and other patches, single and clustered.
func KnownDifferences() []Difference { return knownDifferences }

var knownDifferences = []Difference{
	{
		Name: "reservations-2.10",
		Reason: "2.10 miscounts what is reserved when max_bytes of a stream is set or removed by an update, and adds " +
			"without looking for overflow, so a request at the limit is answered by what happened on the server before",
		Versions: "2.10",
		in:       before(v211),
		match:    nearStorageLimit,
	},
	{
		Name: "reservations-after-failure",
		Reason: "when the store of a new stream cannot be made, the server gives back a reservation that it never made, " +
			"and counts that much too little from then on (server/stream.go, addStreamWithAssignment; right in 2.14.10)",
		Versions: "all but 2.14.10",
		in: func(v natsapi.Version) bool {
			return !v.AtLeast(natsapi.Version{Major: 2, Minor: 14, Patch: 10}) || v.AtLeast(v215)
		},
		match: nearStorageLimit,
	},
	{
		Name: "old-patches",
		Reason: "patches before those that were measured look at some things in another order and with other words " +
			"(2.11.0: delete markers without message TTLs; 2.10.7: max_streams first)",
		Versions: "2.10 before 2.10.29, 2.11 before 2.11.15",
		in: func(v natsapi.Version) bool {
			return !v.AtLeast(natsapi.Version{Major: 2, Minor: 10, Patch: 29}) ||
				v.AtLeast(v211) && !v.AtLeast(natsapi.Version{Major: 2, Minor: 11, Patch: 15})
		},
		match: func(*Setting, Request) bool { return true },
	},
	{
		Name: "left-and-right",
		Reason: "{{left()}} and {{right()}} are unknown functions in transforms of streams before 2.14.7; " +
			"they are judged as 2.14.10 does",
		Versions: "2.14 before 2.14.7",
		in: func(v natsapi.Version) bool {
			return v.AtLeast(v214) && !v.AtLeast(natsapi.Version{Major: 2, Minor: 14, Patch: 7})
		},
		match: func(_ *Setting, r Request) bool {
			body := strings.ToLower(string(r.Body))
			return strings.Contains(body, "left") || strings.Contains(body, "right")
		},
	},
	{
		Name: "not-applied-yet",
		Reason: "a consumer that is created right after its stream is answered \"stream not found\" (10059) " +
			"while the server that answers has not heard of the stream",
		Versions: "2.10 and 2.11, clustered",
		in:       before(v212),
		match:    func(s *Setting, r Request) bool { return s.clustered() && isConsumer(r) },
	},
	{
		Name: "not-forgotten-yet",
		Reason: "a stream or consumer that was deleted, or that the server that should have held it refused, " +
			"is still there for the meta leader for a moment",
		Versions: "clustered",
		match:    func(s *Setting, r Request) bool { return s.clustered() && s.everLost },
	},
	{
		Name: "servers-of-a-scale-up",
		Reason: "more replicas need servers beside those that hold the stream, and with placement tags it counts " +
			"which these are; Weir assumes those with most room",
		Versions: "clustered",
		match: func(s *Setting, r Request) bool {
			return s.clustered() && strings.HasPrefix(r.Subject, "STREAM.UPDATE.") && hasMember(r.Body, "placement") && hasMember(r.Body, "num_replicas")
		},
	},
	{
		Name: "move-in-progress",
		Reason: "after a change of placement or num_replicas further ones are refused until the servers have moved " +
			"the stream, and creation is compared with what it is meanwhile",
		Versions: "clustered",
		match:    func(s *Setting, r Request) bool { return s.clustered() && s.moving[streamInSubject(r)] },
	},
	{
		Name: "many-subjects",
		Reason: "beyond twenty million pairs of subjects Judge looks for no more overlaps; the server goes on, " +
			"and takes longer than a client waits",
		Versions: "all",
		match: func(_ *Setting, r Request) bool {
			return strings.Count(string(r.Body), ",") > 6000
		},
	},
}

// DifferencesOf lists the classes that a request is of.
func DifferencesOf(s *Setting, r Request) []Difference {
	var out []Difference
	for _, d := range KnownDifferences() {
		if (d.in == nil || d.in(s.Version)) && d.match(s, r) {
			out = append(out, d)
		}
	}
	return out
}

func before(v natsapi.Version) func(natsapi.Version) bool {
	return func(w natsapi.Version) bool { return !w.AtLeast(v) }
}

func isConsumer(r Request) bool { return strings.HasPrefix(r.Subject, "CONSUMER.") }

// streamInSubject is the stream in an API subject.
func streamInSubject(r Request) string {
	tokens := strings.Split(r.Subject, ".")
	if len(tokens) > 3 && tokens[1] == "DURABLE" {
		return tokens[3]
	}
	return tokenAt(tokens, 2)
}

func hasMember(body []byte, name string) bool {
	if _, fault := scanValue(body, skipSpace(body, 0), 0); fault != nil {
		return false
	}
	for _, m := range memberList(body) {
		if strings.EqualFold(m.name, name) {
			return true
		}
	}
	return false
}

// nearLimit is how far 2.10's counters were seen to be off, in bytes, with room
// to spare: one for every update.
const nearLimit = 4096

// nearStorageLimit: the stream asks for what is left, give or take little, or
// for so much that a sum overflows.
func nearStorageLimit(s *Setting, r Request) bool {
	req := streamRequest{config: newStreamConfig()}
	if isConsumer(r) || decodeRequest(s.Version, false, r.Body, &req) != nil {
		return false
	}
	c := req.config
	if c.Storage == "" {
		c.Storage = storageNames.names[0]
	}
	limit, reserved := s.serverReserved(c.Storage)
	room := limit - reserved
	return c.MaxBytes >= 1<<62 || c.MaxBytes > room-nearLimit && c.MaxBytes < room+nearLimit
}
