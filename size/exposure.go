package size

import (
	"fmt"
	"time"
)

// Failure is something that breaks.
type Failure string

// The failures that exposure is computed for.
const (
	// ProcessKill ends one server process; its machine keeps running.
	ProcessKill Failure = "a server process is killed"
	// OneMachine takes the power of one machine.
	OneMachine Failure = "one machine loses power"
	// OneZone takes the power of all machines of one zone.
	OneZone Failure = "one zone loses power"
	// MajorityDown ends the processes of a majority of the replicas; nothing is lost
	// from disks.
	MajorityDown Failure = "a majority of the replicas is down"
	// AllPower takes the power of all machines at once.
	AllPower Failure = "all machines lose power"
)

// PublishMode is how a publisher waits for acknowledgements.
type PublishMode string

// The publisher modes.
const (
	CorePublish  PublishMode = "core"
	SyncPublish  PublishMode = "sync"
	AsyncPublish PublishMode = "async"
	BatchPublish PublishMode = "batch"
)

// ExposureInput is what decides what a failure costs.
type ExposureInput struct {
	Stream Stream
	// Zones are the zones of the replicas, the leader's first; empty when nothing
	// is known, which counts as all in one.
	Zones []string
	// SyncInterval of 0 is 2 minutes; SyncAlways is sync_interval: always.
	SyncInterval time.Duration
	SyncAlways   bool
	// PersistAsync is persist_mode: async (2.12+): a single replica acknowledges
	// before it writes.
	PersistAsync bool
	Mode         PublishMode
	// InFlight is how many publishes are unanswered at most, of all publishers
	// together; 0 counts as one, or as what arrives during the outage for core.
	InFlight float64
	// Restart is how long a server that went down stays down; 0 is unknown.
	Restart time.Duration
}

// Exposure is what one failure costs.
type Exposure struct {
	Failure Failure `json:"failure"`
	// AtRisk is acknowledged messages that may be gone. The high end is when it
	// happens at the busiest time.
	AtRisk Figure `json:"at_risk"`
	// Outage is the time without service.
	Outage Figure `json:"outage"`
	// Open says that service is back only when servers are, and nobody said when:
	// Outage is what passes after that.
	Open bool `json:"open,omitempty"`
	// Unanswered is messages whose publisher gets no answer; Publisher says what it
	// sees and what it must do.
	Unanswered Figure `json:"unanswered"`
	Publisher  string `json:"publisher"`
	// Says is the reason in one sentence.
	Says string `json:"says"`
}

// An election begins 4 to 9 s after the leader was last heard
// (server/raft.go:minElectionTimeout, maxElectionTimeout).
const (
	electionLow  = 4.0
	electionHigh = 9.0
	// asyncFlush is how long persist_mode async may keep messages unwritten
	// (server/filestore.go:maxFlushWait).
	asyncFlush = 0.008

	exposureSource = "messages are acknowledged before fsync unless sync_interval is always (server/filestore.go, v2.15.2); power loss was not run"
)

// Quorum is how many of r replicas must be up: more than half. Two replicas need
// both.
func Quorum(r int) int { return r/2 + 1 }

// OfExposure computes what each failure costs a stream.
func OfExposure(in ExposureInput) ([]Exposure, error) {
	err := firstError(in.Stream.Validate("stream"), duration("sync_interval", in.SyncInterval), duration("restart", in.Restart),
		number("in_flight", in.InFlight), oneOf("mode", in.Mode, "", CorePublish, SyncPublish, AsyncPublish, BatchPublish))
	if err != nil {
		return nil, err
	}
	return exposuresOf(in), nil
}

// exposuresOf is OfExposure for inputs that were validated.
func exposuresOf(in ExposureInput) []Exposure {
	if in.SyncInterval == 0 {
		in.SyncInterval = defaultSyncInterval
	}
	if in.Mode == "" {
		in.Mode = SyncPublish
	}
	var out []Exposure
	for _, f := range []Failure{ProcessKill, OneMachine, OneZone, MajorityDown, AllPower} {
		out = append(out, exposureTo(in, f))
	}
	return out
}

// hit is how many replicas a failure takes at most, and whether what was not
// synced is lost with them.
func (in ExposureInput) hit(f Failure) (replicas int, power bool) {
	r := in.Stream.replicas()
	switch f {
	case ProcessKill:
		return 1, false
	case OneMachine:
		return 1, true
	case MajorityDown:
		return min(Quorum(r), r), false
	case OneZone:
		return in.largestZone(), true
	}
	return r, true
}

// largestZone is the most replicas that stand in one zone.
func (in ExposureInput) largestZone() int {
	r := in.Stream.replicas()
	if len(in.Zones) < r {
		return r
	}
	count, most := map[string]int{}, 0
	for _, z := range in.Zones[:r] {
		count[z]++
		most = max(most, count[z])
	}
	return most
}

func exposureTo(in ExposureInput, f Failure) Exposure {
	r := in.Stream.replicas()
	down, power := in.hit(f)
	e := Exposure{Failure: f}
	left := r - down
	lasts := left >= Quorum(r)
	e.AtRisk, e.Says = in.atRisk(f, down, power, lasts)
	e.Outage, e.Open = in.outage(f, lasts), !lasts && in.Restart == 0
	e.Unanswered, e.Publisher = in.publisher(e.Outage)
	return e
}

// atRisk is the acknowledged messages that a failure may take.
func (in ExposureInput) atRisk(f Failure, down int, power, lasts bool) (Figure, string) {
	s := in.Stream
	nothing := coefficient("acknowledged messages at risk", 0, Messages, ReadInSource, exposureSource)
	window := func(seconds float64, formula string) Figure {
		mean, low, high := s.Rate.Arrivals(seconds)
		if held := retained(s, 0).Messages; held.High < high {
			return computed("acknowledged messages at risk", held.Value, Messages, "everything stored, which is less than "+formula, held).
				from(ReadInSource, exposureSource).between(0, held.High)
		}
		return computed("acknowledged messages at risk", mean, Messages, formula, given("rate", s.Rate.Average(), PerSecond), given("seconds", seconds, Seconds)).
			from(ReadInSource, exposureSource).between(min(low, 0), high)
	}
	switch {
	case f == MajorityDown && s.storage() == File:
		return nothing, "what was acknowledged lies on the disks; nothing is accepted until a majority is back"
	case s.storage() == Memory && lasts:
		return nothing, "the other replicas hold it in memory"
	case s.storage() == Memory && down < s.replicas():
		return nothing.between(0, retained(s, 0).Messages.High), "the replicas that are left hold it in memory, but are no majority: empty ones that come back may outvote them"
	case s.storage() == Memory:
		held := retained(s, 0).Messages
		return computed("acknowledged messages at risk", held.Value, Messages, "everything stored", held).from(ReadInSource, "memory storage ends with its process").between(0, held.High),
			"memory storage ends with its process"
	case lasts && power && !in.SyncAlways:
		return nothing, "a replica that is left has every acknowledged message; until the one that lost power has caught up, a second failure may take some"
	case lasts:
		return nothing, "a majority of the replicas has every acknowledged message"
	case !power && s.replicas() == 1 && in.PersistAsync:
		return window(asyncFlush, "rate × 8 ms"), "persist_mode async acknowledges before it writes"
	case !power:
		return nothing.from(ReadInSource, "server/filestore.go: flush in place with one replica, log written before the acknowledgement with more (v2.15.2)"),
			"what is acknowledged was written; the kernel keeps it when the process ends"
	case in.SyncAlways:
		return nothing, "every message was synced before it was acknowledged"
	case down < Quorum(s.replicas()):
		return nothing, "enough replicas keep what they acknowledged"
	}
	return window(in.SyncInterval.Seconds(), "rate × sync_interval"),
		fmt.Sprintf("messages are acknowledged before they are synced; up to %s of them were not", FormatDuration(in.SyncInterval))
}

// RiskSays is what is at risk, with the most that may be.
func (e Exposure) RiskSays() string {
	if e.AtRisk.High > e.AtRisk.Value {
		return e.AtRisk.Amount() + ", up to " + e.AtRisk.Unit.Format(e.AtRisk.High)
	}
	return e.AtRisk.Amount()
}

// OutageSays is how long there is no service, in words where servers decide it.
func (e Exposure) OutageSays() string {
	switch {
	case e.Open:
		return "until servers are back"
	case e.Outage.High > e.Outage.Value:
		return "up to " + e.Outage.Unit.Format(e.Outage.High)
	}
	return e.Outage.Amount()
}

// outage is how long the stream cannot be written.
func (in ExposureInput) outage(f Failure, lasts bool) Figure {
	const source = "server/raft.go: minElectionTimeout 4 s, maxElectionTimeout 9 s (v2.15.2)"
	if lasts {
		return coefficient("time without service", (electionLow+electionHigh)/2, Seconds, ReadInSource, source).between(0, electionHigh).
			noting("an election, when the leader is hit; none when a follower is")
	}
	back := given("until servers are back", in.Restart.Seconds(), Seconds)
	note := fmt.Sprintf("%s: until a majority of %d is back", f, in.Stream.replicas())
	if in.Stream.replicas() == 1 {
		note = "until the only replica is back"
	}
	if in.Restart == 0 {
		note += "; how long that takes is not given"
	}
	if in.Stream.replicas() == 1 {
		return sum("time without service", Seconds, back).noting(note)
	}
	return sum("time without service", Seconds, back,
		coefficient("election", (electionLow+electionHigh)/2, Seconds, ReadInSource, source).between(electionLow, electionHigh)).noting(note)
}

// publisher is what the publisher of a mode sees of an outage.
func (in ExposureInput) publisher(outage Figure) (Figure, string) {
	s := in.Stream
	flight := max(in.InFlight, 1)
	unanswered := given("unanswered publishes", flight, Messages)
	safe := fmt.Sprintf("repeat under the same Nats-Msg-Id: safe for %s (duplicate_window)", FormatDuration(s.window()))
	if s.Message.ID == 0 {
		safe = "a repetition may store the message twice: send a Nats-Msg-Id"
	}
	switch in.Mode {
	case CorePublish:
		mean, low, high := s.Rate.Arrivals(outage.High)
		return computed("lost without an error", mean, Messages, "rate × time without service", given("rate", s.Rate.Average(), PerSecond), outage).between(min(low, 0), high),
			"nothing: a core publish has no answer, and what is sent meanwhile is lost"
	case AsyncPublish:
		return unanswered, "time-outs for what is in flight, which may or may not be stored; " + safe
	case BatchPublish:
		return unanswered, "the open batch is abandoned as a whole after 10 s; send it again as a new batch"
	}
	return unanswered, "a time-out, no error: the message may or may not be stored; " + safe
}
