// Package prover is the table of methods that the server in the browser tab
// answers: it runs proofs and designs on real nats-servers with package prove.
// Natively it is the same table, which is how it is tested. One run is made at a
// time: a tab has one thread, and two runs would spoil each other's times.
package prover

import (
	"context"
	"fmt"
	"sync"
	"time"

	"weir/design"
	"weir/dialect"
	"weir/internal/methods"
	"weir/internal/predict"
	"weir/natsapi"
	"weir/prove"
)

// CodeBusy is the code of a methods.Error of a run that is asked for while
// another one is made.
const CodeBusy = "busy"

// place is that of a run; there is one.
type place struct {
	what  string
	ctx   context.Context
	ended chan struct{} // closed at its end
}

// Prover answers calls, and remembers what its servers logged.
type Prover struct {
	weir  string
	table methods.Table

	mu      sync.Mutex
	running *place // nil for nothing
	live    *prove.Live
	last    designRun // the last of a design
	log     serverLog
}

// New makes a Prover; weir is the version of the caller, written into evidence.
func New(weir string) *Prover {
	p := &Prover{weir: weir}
	p.table = methods.TableOf([]methods.Method{
		methods.On("server.about", "Which nats-server runs here.", p.about),
		methods.On("server.log", "What the servers logged, the oldest first.", p.logged),
		methods.On("proof.list", "The proofs of traps that Weir brings along.", p.list),
		methods.On("proof.run", "Runs a proof that Weir brings along, or a script.", p.run),
		methods.On("lab.list", "The trap labs and the values that each can be run with.", p.labs),
		methods.On("lab.run", "Runs a trap lab with values.", p.runLab),
		methods.On("design.prove", "Applies a design to real servers, checks routing and runs its workload scaled down.", p.design),
		methods.On("design.predicted", "Lays predictions beside the last run of a design.", p.predicted),
		methods.On("live.look", "What the servers of the workload that runs do.", p.look),
		methods.On("live.fault", "Does a fault to the servers of the workload that runs.", p.fault),
		methods.On("live.finish", "Ends the publishing of the workload that runs; its run goes on with what it has.", p.finish),
		methods.On("matrix.prove", "Publishes subjects to subscriptions and compares who got what with the matrix.", p.matrix),
	})
	return p
}

// Call runs a method, see methods.Table.Call. It may be called from several
// goroutines.
func (p *Prover) Call(ctx context.Context, name string, req []byte, progress methods.Progress) []byte {
	return p.table.Call(ctx, name, req, progress)
}

// Methods lists the methods by name.
func (p *Prover) Methods() []methods.Info { return p.table.Infos() }

// Nothing is the request of methods that take none.
type Nothing struct{}

// AboutReply names the server that runs here.
type AboutReply struct {
	Version string `json:"version"` // of nats-server
}

func (p *Prover) about(context.Context, Nothing, methods.Progress) (AboutReply, error) {
	return AboutReply{Version: prove.ServerVersion}, nil
}

// ListReply are the proofs by name.
type ListReply struct {
	Proofs []ListedProof `json:"proofs"`
}

// ListedProof is a proof that Weir brings along.
type ListedProof struct {
	Name  string `json:"name"`
	Claim string `json:"claim"`
	About string `json:"about"`
	// Text is the script, with {name} in the place of each of the Values.
	Text   string             `json:"text"`
	Values []prove.ProofValue `json:"values"`
	// Fixed is why there are none.
	Fixed string `json:"fixed,omitempty"`
	// Versions are those that it is about.
	Versions []string `json:"versions"`
}

func (p *Prover) list(context.Context, Nothing, methods.Progress) (ListReply, error) {
	var out ListReply
	for _, proof := range prove.Proofs() {
		l := ListedProof{Name: proof.Name, Claim: proof.Claim, About: proof.About, Text: proof.Text, Values: proof.Values, Fixed: proof.Fixed}
		for _, v := range natsapi.Known() {
			if proof.AppliesTo(v) {
				l.Versions = append(l.Versions, v.String())
			}
		}
		out.Proofs = append(out.Proofs, l)
	}
	return out, nil
}

// begin takes the only place for a run, and gives it back with end. A run that was
// cancelled still cleans up: the next one waits for that.
func (p *Prover) begin(ctx context.Context, what string) (end func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for before := p.running; before != nil; before = p.running {
		if before.ctx.Err() == nil {
			return nil, &methods.Error{Code: CodeBusy, Message: fmt.Sprintf("%s is being run; cancel it or wait for its end", before.what)}
		}
		p.mu.Unlock()
		select {
		case <-before.ended:
		case <-ctx.Done():
		}
		p.mu.Lock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	mine := &place{what, ctx, make(chan struct{})}
	p.running = mine
	p.log.note("run of " + what)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.running = nil
		close(mine.ended)
	}, nil
}

// options are those of a run whose stages and steps are reported.
func (p *Prover) options(progress methods.Progress, unit string) prove.Options {
	stage := unit
	return prove.Options{
		Weir: p.weir,
		Progress: func(done, total int) {
			if stage == prove.StageWorkload { // which counts ms
				progress(int64(done)/1000, int64(total)/1000, "seconds of the workload")
				return
			}
			progress(int64(done), int64(total), stage)
		},
		Stage: func(name string) {
			stage = name
			progress(0, 0, name)
		},
		Log: func(node int, level, text string) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.log.add(node, level, text)
		},
	}
}

// RunRequest names a proof, or gives a script of its own with a name for errors.
type RunRequest struct {
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
	// Values are those of the proof of that name; one that is left out has its
	// default. A script of its own may have them as well.
	Values map[string]string `json:"values,omitempty"`
}

// RunReply is what a run showed. A run that was cancelled or broke off has
// Ended, and the evidence so far.
type RunReply struct {
	Name     string         `json:"name"`
	Claim    string         `json:"claim"`
	Held     bool           `json:"held"`
	Ended    string         `json:"ended"` // why it ended early, "" when it did not
	Evidence prove.Evidence `json:"evidence"`
	Shown    Shown          `json:"shown"`
	// Measured is what a workload measured and nothing predicted here, nil for
	// nothing; design.predicted takes the predictions of it.
	Measured *predict.Run `json:"measured,omitempty"`
	// Script is the script that ran, with its values, "" for other runs.
	Script string `json:"script"`
}

func (p *Prover) run(ctx context.Context, in RunRequest, progress methods.Progress) (RunReply, error) {
	proof, err := proofOf(in)
	if err != nil {
		return RunReply{}, err
	}
	end, err := p.begin(ctx, "the proof "+proof.Name)
	if err != nil {
		return RunReply{}, err
	}
	defer end()
	started := time.Now()
	e, err := proof.Run(ctx, prove.ScriptOptions{Options: p.options(progress, "steps")})
	out, err := reply(proof.Name, proof.Claim, e, err, time.Since(started))
	out.Script = proof.Script.Text()
	return out, err
}

func proofOf(in RunRequest) (prove.Proof, error) {
	proof, err := prove.FindProof(in.Name)
	switch {
	case err != nil && in.Text == "":
		return proof, &methods.Error{Code: methods.CodeBadRequest, Path: "name", Message: err.Error()}
	case err != nil:
		proof = prove.Proof{Name: in.Name}
	}
	if in.Text != "" && in.Text != proof.Text {
		proof = proof.Rewritten(in.Text)
		proof.Claim, proof.About = "", ""
	}
	if proof, err = proof.With(in.Values); err != nil {
		return proof, inputFault(err)
	}
	return proof, nil
}

// DesignRequest is a design and how to run it.
type DesignRequest struct {
	Files []File `json:"files"`
	// Nodes is how many servers to start, 0 for as many as the design has.
	Nodes int `json:"nodes"`
	// Scenario is one of the design's, "" for none.
	Scenario string `json:"scenario"`
	// Seconds is how long the workload is published, 0 for not at all.
	Seconds int `json:"seconds"`
}

// File is one text with its name.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// maxSeconds bounds the workload of a run in a tab.
const maxSeconds = 600

func (p *Prover) design(ctx context.Context, in DesignRequest, progress methods.Progress) (RunReply, error) {
	if in.Nodes < 0 || in.Nodes > prove.MaxNodes {
		return RunReply{}, &methods.Error{Code: methods.CodeBadRequest, Path: "nodes", Message: fmt.Sprintf("%d is not between 0 and %d nodes", in.Nodes, prove.MaxNodes)}
	}
	if in.Seconds < 0 || in.Seconds > maxSeconds {
		return RunReply{}, &methods.Error{Code: methods.CodeBadRequest, Path: "seconds", Message: fmt.Sprintf("%d is not between 0 and %d seconds", in.Seconds, maxSeconds)}
	}
	d, err := readDesign(in.Files)
	if err != nil {
		return RunReply{}, err
	}
	name := d.Name
	if name == "" {
		name = in.Files[0].Name
	}
	end, err := p.begin(ctx, "the design "+name)
	if err != nil {
		return RunReply{}, err
	}
	defer end()
	length := time.Duration(in.Seconds) * time.Second
	if length == 0 {
		length = -1
	}
	started := time.Now()
	var measured *predict.Run
	e, err := prove.Design(ctx, d, prove.DesignOptions{Options: p.options(progress, "steps"), Nodes: in.Nodes, Scenario: in.Scenario, For: length, Seed: 1,
		Live: p.setLive, Measured: func(r predict.Run) { measured = &r }})
	p.setLive(nil)
	took := time.Since(started)
	p.setLast(designRun{name, e, err, took})
	out, err := reply(name, "", e, err, took)
	out.Measured = measured
	return out, err
}

// designRun is a run of a design that was made.
type designRun struct {
	name     string
	evidence prove.Evidence
	err      error
	took     time.Duration
}

func (p *Prover) setLast(r designRun) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = r
}

func (p *Prover) predicted(_ context.Context, in predict.Predicted, _ methods.Progress) (RunReply, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.name == "" {
		return RunReply{}, &methods.Error{Code: CodeNotRunning, Message: "no design was run"}
	}
	p.last.evidence.AddPredicted(in)
	return reply(p.last.name, "", p.last.evidence, p.last.err, p.last.took)
}

func readDesign(files []File) (*design.Design, error) {
	sources := make([]*design.Source, len(files))
	for i, f := range files {
		sources[i] = design.NewSource(f.Name, []byte(f.Text))
	}
	designs, problems := dialect.Read(sources)
	if problems.Failed() {
		p := problems[0]
		return nil, &methods.Error{Code: methods.CodeBadRequest, Path: p.Path, Line: p.Line, Col: p.Col, Message: "the design cannot be read: " + p.Message}
	}
	if len(designs) != 1 {
		return nil, &methods.Error{Code: methods.CodeBadRequest, Path: "files", Message: fmt.Sprintf("the files hold %d designs; one is proved at a time", len(designs))}
	}
	return designs[0], nil
}

// MatrixRequest are patterns and subjects, at most prove.MaxCells pairs.
type MatrixRequest struct {
	Patterns []string `json:"patterns"`
	Subjects []string `json:"subjects"`
}

// MatrixReply is the evidence of a matrix and what it comes to.
type MatrixReply struct {
	Sentence string               `json:"sentence"`
	Agrees   bool                 `json:"agrees"`
	Evidence prove.MatrixEvidence `json:"evidence"`
}

func (p *Prover) matrix(ctx context.Context, in MatrixRequest, progress methods.Progress) (MatrixReply, error) {
	end, err := p.begin(ctx, "a matrix")
	if err != nil {
		return MatrixReply{}, err
	}
	defer end()
	e, err := prove.Matrix(ctx, in.Patterns, in.Subjects, p.options(progress, "subjects"))
	if err != nil {
		return MatrixReply{}, fault(err)
	}
	return MatrixReply{Sentence: matrixSentence(e), Agrees: e.Agrees(), Evidence: e}, nil
}
