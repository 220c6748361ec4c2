package verdict

import (
	"fmt"
	"strconv"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
)

// Judgement is what becomes of one request of a design.
type Judgement struct {
	Request *design.Request
	Answer  Answer
	Site    *Site
	// Orphan is true for a consumer whose stream was refused: it was judged as if
	// the stream were there as written.
	Orphan bool
}

// Limits of what is judged in one design. Servers compare each subject with every
// other one, and so does Weir: these keep the worst case below some two seconds.
const (
	MaxRequests = 10_000
	MaxSubjects = 5_000 // subjects of streams, and filters of consumers where they are compared
)

// TooLarge says why a design is not judged, "" when it is.
func TooLarge(d *design.Design) string {
	requests, subjects := 0, 0
	for _, scope := range d.Scopes() {
		requests += len(scope.Streams) + len(scope.KV) + len(scope.Objects)
		for _, s := range scope.Streams {
			subjects += max(1, len(s.Config.Subjects))
			requests += len(s.Consumers)
			for _, c := range s.Consumers {
				subjects += len(c.Config.FilterSubjects)
				if s.Config.Retention == api.WorkQueuePolicy {
					subjects++
				}
			}
		}
	}
	switch {
	case requests > MaxRequests:
		return fmt.Sprintf("the design has %d streams, buckets and consumers; Weir judges at most %d", requests, MaxRequests)
	case subjects > MaxSubjects:
		return fmt.Sprintf("the design has %d subjects and filters; Weir judges at most %d", subjects, MaxSubjects)
	}
	return ""
}

// JudgeDesign sends every request of a design, in the order in which they have
// to be sent, to servers of a version (the zero Version: what the design says)
// and returns the answers in that order. Streams that the design only assumes
// are not asked for. It changes nothing in the design. A design that is TooLarge
// gets no answers.
func JudgeDesign(d *design.Design, target natsapi.Version) []Judgement {
	return judgeDesign(d, target, nil)
}

func judgeDesign(d *design.Design, target natsapi.Version, kept *Kept) []Judgement {
	if TooLarge(d) != "" {
		return nil
	}
	sites := SitesOf(d, target)
	j := designJudge{refused: map[*Site]map[string]*Setting{}, sites: map[*design.Scope]*Site{},
		kept: keptJudge{kept, map[*stream]*keptAnswer{}, map[*Setting]string{}}}
	for _, s := range sites {
		j.sites[s.Scope] = s
	}
	requests := d.Requests()
	out := make([]Judgement, 0, len(requests))
	var last *Site
	for _, r := range requests {
		site := j.sites[r.Scope]
		if site != last {
			shareServers(sites, site)
			last = site
		}
		if r.Assumed {
			site.assume(r)
			continue
		}
		out = append(out, j.judge(r, site))
	}
	return out
}

type designJudge struct {
	sites map[*design.Scope]*Site
	// refused has, for each refused stream with consumers, a setting in which it
	// exists.
	refused map[*Site]map[string]*Setting
	kept    keptJudge
}

func (j *designJudge) judge(r *design.Request, site *Site) Judgement {
	out := Judgement{Request: r, Site: site}
	s := site.Setting
	if r.Kind == "consumer" {
		owner := ownerStream(r)
		if with := j.refused[site][owner]; with != nil {
			s, out.Orphan = with, true
		}
		out.Answer = j.kept.apply(s, owner, Request{Subject: r.Subject, Body: r.Body})
		return out
	}
	if site.anyCluster {
		s.Cluster = placedIn(r.Body)
	}
	out.Answer = s.Apply(Request{Subject: r.Subject, Body: r.Body})
	if out.Answer.Verdict != OK {
		with := s.Clone()
		if name := streamName(r); with.config(name) == nil && with.AddStream(r.Body) != nil {
			_ = with.AddStream([]byte(`{"name":` + strconv.Quote(name) + `}`)) // a name the API takes, or no consumer is asked for
		}
		if j.refused[site] == nil {
			j.refused[site] = map[string]*Setting{}
		}
		j.refused[site][streamName(r)] = with
	}
	return out
}

const createPrefix = "STREAM.CREATE."

func streamName(r *design.Request) string { return r.Subject[len(createPrefix):] }

// ownerStream is the name of a consumer's stream, from …streams.STREAM.consumers.NAME.
func ownerStream(r *design.Request) string {
	steps := design.Split(r.Path)
	if len(steps) < 3 {
		return ""
	}
	return steps[len(steps)-3]
}

// placedIn is placement.cluster of a stream's configuration, "" for none.
func placedIn(body []byte) string {
	if _, fault := scanValue(body, skipSpace(body, 0), 0); fault != nil {
		return ""
	}
	placement := members(body)["placement"]
	if cluster := members(placement)["cluster"]; len(cluster) > 1 && cluster[0] == '"' {
		return unquote(cluster)
	}
	return ""
}

// assume puts a stream into the setting that no file defines, with as many
// replicas as a consumer of it asks for.
func (s *Site) assume(r *design.Request) {
	name, replicas := streamName(r), 1
	for _, st := range s.Scope.Streams {
		if st.Name != name {
			continue
		}
		for _, c := range st.Consumers {
			replicas = max(replicas, min(c.Config.Replicas, maxReplicas))
		}
	}
	body := appendString([]byte(`{"name":`), name)
	body = append(body, `,"num_replicas":`...)
	if s.Setting.AddStream(append(strconv.AppendInt(body, int64(replicas), 10), '}')) == nil {
		if name == design.AssumedStream {
			s.Assumed = append(s.Assumed, "the files do not say which stream the consumer belongs to: one with the server's defaults was assumed")
			return
		}
		s.Assumed = append(s.Assumed, "stream "+name+" is in none of the files: one with the server's defaults was assumed")
	}
}

// shareServers tells a site what the accounts before it have reserved on the
// same servers. Which of several servers hold a stream is not known here: each
// gets its part of the whole.
func shareServers(sites []*Site, site *Site) {
	set := site.Setting
	set.ReservedMemory, set.ReservedStore = 0, 0
	seen := map[*Setting]bool{set: true}
	for _, other := range sites {
		if other == site {
			return
		}
		if other.Scope.Leafnode != site.Scope.Leafnode || seen[other.Setting] {
			continue
		}
		seen[other.Setting] = true
		set.ReservedMemory += other.Setting.reservedOnEach("memory")
		set.ReservedStore += other.Setting.reservedOnEach("file")
	}
}

// reservedOnEach is what the streams of a storage reserve on one server, spread
// evenly.
func (s *Setting) reservedOnEach(storage string) int64 {
	var sum int64
	for _, st := range s.streams {
		if st.config.Storage == storage {
			sum += times(st.config.Replicas, st.config.MaxBytes)
		}
	}
	return sum / int64(max(1, len(s.Nodes)))
}
