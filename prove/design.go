package prove

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/internal/predict"
	"weir/natsapi"
	"weir/size"
	"weir/verdict"
)

// DesignOptions are what Design takes besides Options. The zero value is usable.
type DesignOptions struct {
	Options
	// With is the server to run: "" for the embedded one, else see FindServer.
	With string
	// Folder is where the servers store, "" for the system's temporary folder.
	Folder string
	// Nodes is how many servers to start, 0 for as many as the design has, at most
	// MaxNodes.
	Nodes int
	// Scenario names one of the design's scenarios to play during the workload,
	// "" for none.
	Scenario string
	// For is how long the workload is published, 0 for DefaultWorkload, negative
	// for no workload.
	For time.Duration
	// Live is called once the workload runs, see Live; nil for nobody who looks on.
	Live func(*Live)
	// Measured is called with what a workload measured where nothing predicts it
	// here, which is in a tab; see AddPredicted. nil for nobody.
	Measured func(predict.Run)
	// Seed draws sizes, service times and errors; equal seeds draw alike.
	Seed uint64
}

// StageWorkload is the stage of Options.Stage in which Options.Progress counts
// milliseconds of publishing.
const StageWorkload = "running the workload"

// DefaultWorkload is how long a design's workload is published.
const DefaultWorkload = 5 * time.Second

// Design proves a design on real servers: it applies every request of
// design.Requests and compares each answer with package verdict's, shows the
// values that the server changes silently, checks that each publisher's
// subjects arrive where they should, and runs the workload scaled down. Goals
// become verdicts where the run compares with them.
//
// An error means that the run could not be made. What the server refuses, a
// prediction that is wrong and a goal that is missed are in the evidence, see
// Evidence.Held. When ctx ends, the evidence so far comes back, marked partial,
// together with the context's error.
func Design(ctx context.Context, d *design.Design, opt DesignOptions) (Evidence, error) {
	r := &designRun{d: d, opt: opt, e: newEvidence(opt.Options), progress: progress{call: opt.Progress}}
	r.e.Partial, r.e.Target = true, d.Version.String()
	if err := r.prepare(); err != nil {
		return r.e, err
	}
	err := r.run(ctx)
	if r.e.Partial = err != nil; r.e.Partial && len(r.e.Goals) == 0 {
		r.untried("the run ended before it was decided")
	}
	return r.e, err
}

// designRun is the state of one call of Design.
type designRun struct {
	d        *design.Design
	opt      DesignOptions
	e        Evidence
	progress progress

	setup    Setup
	scenario *design.Scenario
	version  natsapi.Version // of the servers that run
	host     Host
	links    *links
	// applied are the requests that the server accepted.
	applied []*design.Request
	differ  []string // what target and running version do differently, of what is in use
}

// hubScopes are the subject spaces of the design that a run has servers for.
func (r *designRun) hubScopes() []*design.Scope {
	return slices.DeleteFunc(slices.Clone(r.d.Scopes()), func(s *design.Scope) bool { return s.Leafnode != "" })
}

// user is the user of the servers that a scope's clients are.
func (r *designRun) user(s *design.Scope) string {
	if s.Account == design.Hub {
		return accountUser("")
	}
	return accountUser(s.Account)
}

// run starts the servers twice: routing probes would otherwise lie between the
// messages of the workload.
func (r *designRun) run(ctx context.Context) error {
	err := r.onServers(ctx, func() error {
		r.stage("applying")
		if err := r.apply(ctx); err != nil {
			return err
		}
		r.stage("routing")
		return r.route(ctx)
	})
	if err != nil {
		return err
	}
	if r.opt.For < 0 {
		r.untried(noWorkload)
		return nil
	}
	w, why := r.newWorkload()
	if w == nil {
		r.e.leaveOut("workload", why)
		r.untried(noWorkload)
		return nil
	}
	return r.onServers(ctx, func() error {
		r.stage(StageWorkload)
		if err := r.applyAgain(ctx, w); err != nil {
			return err
		}
		if err := w.run(ctx); err != nil {
			return err
		}
		r.goals(w)
		return nil
	})
}

func (r *designRun) stage(name string) {
	if r.opt.Stage != nil {
		r.opt.Stage(name)
	}
}

// onServers starts the servers, calls f and removes everything again, also when
// f panics.
func (r *designRun) onServers(ctx context.Context, f func() error) (err error) {
	r.stage("starting nats-server")
	r.setup.Log = r.opt.Log
	h, err := startReady(ctx, r.setup, r.opt.With)
	if err != nil {
		return err
	}
	defer func() { err = stopped(err, h.Stop()) }()
	r.host, r.links = h, &links{h: h}
	defer r.links.close()
	r.e.ranOn(h.Info())
	if r.version, err = natsapi.ParseVersion(h.Info().Version); err != nil {
		return err
	}
	return f()
}

// prepare makes the Setup and says what of the design it leaves out.
func (r *designRun) prepare() error {
	d := r.d
	sites := verdict.SitesOf(d, natsapi.Version{})
	hub := sites[0].Setting
	r.setup = Setup{Nodes: r.opt.Nodes, Folder: r.opt.Folder}
	if validClusterName(hub.Cluster) && len(d.Clusters) == 0 {
		r.setup.Cluster = hub.Cluster
	}
	r.leaveOutAssumed(sites)
	if r.setup.Nodes == 0 {
		r.setup.Nodes = min(len(hub.Nodes), MaxNodes)
	}
	if n := r.setup.nodes(); n != len(hub.Nodes) {
		r.e.leaveOut("server.nodes", fmt.Sprintf("%s ran in place of %d", size.Counted(n, "server", "servers"), len(hub.Nodes)))
	}
	if r.opt.Scenario != "" {
		i := slices.IndexFunc(d.Scenarios, func(s *design.Scenario) bool { return s.Name == r.opt.Scenario })
		if i < 0 {
			return &InputError{fmt.Errorf("%q is not a scenario of the design; it has %s", r.opt.Scenario, scenarioNames(d))}
		}
		r.scenario = d.Scenarios[i]
	}
	r.setup.MaxStore, r.setup.MaxMemory = min(hub.Server.MaxStore, mostReserved), min(hub.Server.MaxMemory, mostReserved)
	for _, n := range hub.Nodes[:min(len(hub.Nodes), r.setup.nodes())] {
		r.setup.Tags = append(r.setup.Tags, n.Tags)
	}
	r.prepareConf("server.conf")
	if hub.UniqueTag == "" {
		r.setup.Conf = slices.DeleteFunc(r.setup.Conf, func(l string) bool { return settingName(l) == "unique_tag" })
	}
	for _, a := range d.Accounts {
		if a.Name == design.Hub {
			r.leaveOutIf(d.Has(a.Path+".limits"), a.Path+".limits", "nats-server.conf cannot limit account $G")
			continue
		}
		r.setup.Accounts = append(r.setup.Accounts, AccountSetup{Name: a.Name, Limits: r.accountLimits(a)})
		r.leaveOutIf(len(a.Users) > 0, a.Path+".users", "one user with all permissions stands for the account's")
		r.leaveOutIf(len(a.Exports)+len(a.Imports) > 0, a.Path, "exports and imports are not set up")
	}
	for _, l := range d.Leafnodes {
		r.e.leaveOut("leafnodes."+l.Name, "a run has no leaf nodes")
	}
	r.leaveOutIf(len(d.Clusters)+len(d.Gateways) > 0, "clusters", "a run has one cluster")
	for _, s := range r.hubScopes() {
		for _, sub := range s.Subscribers {
			r.e.leaveOut(sub.Path, "core NATS subscribers are not run")
		}
	}
	return r.setup.check()
}

// leaveOutAssumed says what the servers of the run are only because the design has
// use for it: that those it is for are so too is not shown.
func (r *designRun) leaveOutAssumed(sites []*verdict.Site) {
	said := map[string]bool{}
	for _, site := range sites {
		for _, text := range site.Assumed {
			if site.Scope.Leafnode == "" && !said[text] {
				r.e.leaveOut("the servers", text)
				said[text] = true
			}
		}
	}
}

// validClusterName reports whether a server starts with a name of its cluster:
// none with a space (server/opts.go parseCluster) or a control character.
func validClusterName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '"' || c == '\\' })
}

func (r *designRun) leaveOutIf(yes bool, what, why string) {
	if yes {
		r.e.leaveOut(what, why)
	}
}

func scenarioNames(d *design.Design) string {
	if len(d.Scenarios) == 0 {
		return "none"
	}
	var names []string
	for _, s := range d.Scenarios {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// mostReserved is the largest max_file_store and max_memory_store that are
// written for a server; a design without limits asks for more than it reads.
const mostReserved = 1 << 50

// prepareConf passes on the settings that a proof may have, those in the
// jetstream block and its limits included.
func (r *designRun) prepareConf(path string) {
	conf, ok := r.d.Value(path)
	if !ok || !conf.Node.IsMap() {
		return
	}
	for _, key := range conf.Node.Keys {
		at := design.Join(path, key.Text)
		v, ok := r.d.Value(at)
		_, known := ConfKeys[key.Text]
		switch {
		case ok && v.Kind == design.Container && (key.Text == "jetstream" || key.Text == "limits"):
			r.prepareConf(at)
		case !known || !ok || v.Kind == design.Container || v.Kind == design.Invalid:
			r.e.leaveOut(at, "a proof does not pass this setting on to its servers")
		default:
			r.setup.Conf = append(r.setup.Conf, confLine(key.Text, confValue(v)))
		}
	}
}

// confValue writes a value as nats-server.conf does.
func confValue(v design.Value) string {
	switch v.Kind {
	case design.Bool:
		return strconv.FormatBool(v.Bool)
	case design.Duration:
		return quoteConf(design.FormatDuration(v.Int))
	case design.Int, design.Size:
		return strconv.FormatInt(v.Int, 10)
	}
	return quoteConf(v.Text)
}

// limitNames are the names that the API has for an account's limits and those
// that nats-server.conf has (server/opts.go parseJetStreamForAccount, v2.15.2).
var limitNames = [][2]string{
	{"max_memory", "max_memory"}, {"max_storage", "max_store"}, {"max_streams", "max_streams"},
	{"max_consumers", "max_consumers"}, {"max_ack_pending", "max_ack_pending"}, {"max_bytes_required", "max_bytes_required"},
	{"memory_max_stream_bytes", "mem_max_stream_bytes"}, {"storage_max_stream_bytes", "disk_max_stream_bytes"},
}

func (r *designRun) accountLimits(a *design.Account) []string {
	var out []string
	for _, n := range limitNames {
		if v, ok := r.d.Value(a.Path + ".limits." + n[0]); ok && v.Kind != design.Invalid {
			out = append(out, confLine(n[1], confValue(v)))
		}
	}
	return out
}

// settings are what package verdict has to know of the servers that run, before
// anything is created.
func (r *designRun) settings() map[*design.Scope]*verdict.Setting {
	out := map[*design.Scope]*verdict.Setting{}
	for _, site := range verdict.SitesOf(r.d, r.version) {
		s := site.Setting
		s.Server.MaxStore, s.Server.MaxMemory = min(s.Server.MaxStore, mostReserved), min(s.Server.MaxMemory, mostReserved)
		s.Nodes, s.Cluster = nil, ""
		if n := r.setup.nodes(); n > 1 {
			s.Cluster = r.setup.cluster()
			for i := range n {
				node := verdict.Node{Name: nodeName(i)}
				if i < len(r.setup.Tags) {
					node.Tags = r.setup.Tags[i]
				}
				s.Nodes = append(s.Nodes, node)
			}
		}
		out[site.Scope] = s
	}
	return out
}

// links are sessions of a run, one for each user, made when they are needed and
// made again on another node when theirs has ended.
type links struct {
	h    Host
	open map[string]*session
}

func (l *links) as(ctx context.Context, user string) (*session, error) {
	if s := l.open[user]; s != nil {
		if l.usable(s) {
			return s, nil
		}
		s.close()
		delete(l.open, user)
	}
	s, err := openSession(ctx, l.h, firstRunning(l.h), user)
	if err != nil {
		return nil, err
	}
	if l.open == nil {
		l.open = map[string]*session{}
	}
	l.open[user] = s
	return s, nil
}

// usable reports whether a session is one to its node as it runs now.
func (l *links) usable(s *session) bool {
	return s.failed() == nil && l.h.Running(s.node) && s.start == l.h.starts(s.node)
}

// leave closes the sessions on a node.
func (l *links) leave(node int) {
	for user, s := range l.open {
		if s.node == node {
			s.close()
			delete(l.open, user)
		}
	}
}

func (l *links) close() {
	for user, s := range l.open {
		s.close()
		delete(l.open, user)
	}
}
