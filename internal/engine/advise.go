package engine

import (
	"context"
	"time"

	"weir/advise"
	"weir/design"
	"weir/dialect"
	"weir/lint"
	"weir/size"
)

var adviseMethods = []method{
	on("advise.design", "What to set in a design: each value with its reason, the rejected alternative, and the edit that sets it.", adviseDesign),
	on("advise.stream", "Recommends a stream from rate, size, retention and replicas.", adviseStream),
	on("advise.consumer", "Recommends a consumer from service time, rate and workers.", adviseConsumer),
}

// AdviseDesignIn asks for advice on the design that files hold together.
type AdviseDesignIn struct {
	Files []File `json:"files"`
}

// AdviseDesignOut is the advice. Problems are why there is none, and Advice is
// then empty.
type AdviseDesignOut struct {
	Advice   advise.Advice  `json:"advice"`
	Problems []lint.Finding `json:"problems"`
	// Fixes set what is advised, by the path of the setting; a setting that the
	// text has no place for has none.
	Fixes []AdviseFix `json:"fixes"`
	// All sets everything that is open.
	All []design.Edit `json:"all"`
}

// AdviseFix sets one setting.
type AdviseFix struct {
	Path string     `json:"path"`
	Fix  design.Fix `json:"fix"`
}

func adviseDesign(_ context.Context, in AdviseDesignIn, _ Progress) (AdviseDesignOut, error) {
	sources, err := sourcesOf(in.Files, "files")
	if err != nil {
		return AdviseDesignOut{}, err
	}
	designs, problems := dialect.Read(sources)
	if problems.Failed() || len(designs) != 1 {
		return AdviseDesignOut{Problems: lint.FromProblems(problems)}, nil
	}
	d := designs[0]
	a, err := advise.ForDesign(d)
	if err != nil {
		return AdviseDesignOut{}, badRequest(err)
	}
	out := AdviseDesignOut{Advice: a}
	for i := range a.Assets {
		for j := range a.Assets[i].Settings {
			s := &a.Assets[i].Settings[j]
			if s.Working != nil {
				pruned := s.Working.Prune(workingDepth)
				s.Working = &pruned
			}
			if s.State != advise.Open && s.State != advise.Against {
				continue
			}
			if fix := d.SetFix("set "+s.Field+" to "+s.Advised, s.Path, s.Advised); fix != nil {
				out.Fixes = append(out.Fixes, AdviseFix{s.Path, *fix})
			}
		}
	}
	out.All, _ = advise.Edits(d, a)
	return out, nil
}

// workingDepth is how deep the working of a figure goes to the user interface.
const workingDepth = 4

// AdviseStreamIn are the needs of a stream. Rate is in messages a second, sizes
// in bytes, durations in seconds; 0 is unknown.
type AdviseStreamIn struct {
	Name         string   `json:"name"`
	Subjects     []string `json:"subjects"`
	Rate         float64  `json:"rate"`
	Payload      float64  `json:"payload"`
	IDBytes      int      `json:"id_bytes"`
	Keep         float64  `json:"keep"`
	Replicas     int      `json:"replicas"`
	Retention    string   `json:"retention"`
	RetryFor     float64  `json:"retry_for"`
	Disk         float64  `json:"disk"`
	CompressesTo float64  `json:"compresses_to"`
}

func adviseStream(_ context.Context, in AdviseStreamIn, _ Progress) (advise.Advice, error) {
	m := size.Message{Subject: 17, Payload: in.Payload, ID: float64(in.IDBytes)}
	if in.IDBytes > 0 && in.IDBytes < size.MiB {
		_, alone := size.MsgIDHeader(in.IDBytes)
		m.Header = float64(alone)
	}
	if len(in.Subjects) > 0 {
		m.Subject = float64(len(in.Subjects[0]))
	}
	a, err := advise.ForStream(advise.StreamNeeds{Name: in.Name, Subjects: in.Subjects, Rate: size.Rate{Mean: in.Rate}, Message: m,
		Keep: seconds(in.Keep), Replicas: in.Replicas, Retention: size.Retention(in.Retention), RetryFor: seconds(in.RetryFor),
		Disk: int64(min(max(in.Disk, 0), size.Limit/2)), CompressesTo: in.CompressesTo})
	if err != nil {
		return a, badRequest(err)
	}
	return a, nil
}

// seconds is a duration of a request, as far as one goes.
func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), 9e9) * float64(time.Second))
}

// AdviseConsumerIn is the work behind a consumer. Durations are in seconds, rates
// in messages a second, shares from 0 to 1; 0 is unknown.
type AdviseConsumerIn struct {
	Stream      string   `json:"stream"`
	Name        string   `json:"name"`
	Filters     []string `json:"filters"`
	ServiceP50  float64  `json:"service_p50"`
	ServiceP99  float64  `json:"service_p99"`
	Rate        float64  `json:"rate"`
	Peak        float64  `json:"peak"`
	Workers     int      `json:"workers"`
	Concurrency int      `json:"concurrency"`
	Fetch       int      `json:"fetch"`
	InProgress  float64  `json:"in_progress"`
	Errors      float64  `json:"errors"`
	Retention   string   `json:"retention"`
}

func adviseConsumer(_ context.Context, in AdviseConsumerIn, _ Progress) (advise.Advice, error) {
	d := design.Distribution{Kind: design.DistExponential, Mean: in.ServiceP50 * 1e9}
	if in.ServiceP99 > 0 {
		d = design.Distribution{Kind: design.DistLognormal, P50: in.ServiceP50 * 1e9, P99: max(in.ServiceP99, in.ServiceP50) * 1e9}
	}
	a, err := advise.ForConsumer(advise.ConsumerNeeds{Stream: in.Stream, Name: in.Name, Filters: in.Filters, Rate: in.Rate, Peak: in.Peak, Service: d,
		Workers: clampCount(in.Workers), Concurrency: clampCount(in.Concurrency), Fetch: clampCount(in.Fetch), InProgress: seconds(in.InProgress),
		ErrorRate: in.Errors, Retention: size.Retention(in.Retention)})
	if err != nil {
		return a, badRequest(err)
	}
	return a, nil
}

// clampCount keeps a count within what is counted with.
func clampCount(n int) int { return min(max(n, 0), 1_000_000) }
