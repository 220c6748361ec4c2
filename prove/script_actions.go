package prove

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/natsapi"
)

func runHeading(_ context.Context, r *scriptRun, s *scriptStep) error {
	r.closeHeading()
	r.heading, r.from, r.clock = s, len(r.e.Steps)+1, time.Now()
	return nil
}

func runSince(_ context.Context, r *scriptRun, s *scriptStep) error {
	// checkVersion has read it.
	v, _ := natsapi.ParseVersion(s.args[0].text)
	return r.onlyHere(natsapi.Version{Major: v.Major, Minor: v.Minor}.Compare(r.version) <= 0, "it is about nats-server "+s.args[0].text+" and newer")
}

func runBefore(_ context.Context, r *scriptRun, s *scriptStep) error {
	v, _ := natsapi.ParseVersion(s.args[0].text)
	return r.onlyHere(natsapi.Version{Major: v.Major, Minor: v.Minor}.Compare(r.version) > 0, "it is about servers before "+s.args[0].text)
}

func runNeeds(_ context.Context, r *scriptRun, s *scriptStep) error {
	kind := "embedded"
	if r.host.Info().Kind == "child" {
		kind = "child"
	}
	return r.onlyHere(kind == s.args[0].text, "it needs servers that are "+s.args[0].text)
}

func (r *scriptRun) onlyHere(yes bool, why string) error {
	if yes {
		return nil
	}
	r.e.leaveOut("proof", why)
	return errNotHere
}

func runCreate(ctx context.Context, r *scriptRun, s *scriptStep) error {
	c, err := r.control(ctx)
	if err != nil {
		return err
	}
	// checkAsset has seen that it can be read.
	req, _ := s.asset()
	return r.apply(ctx, c, s, r.numbered(req.Subject), []byte(r.numbered(string(req.Body))))
}

// runUpdate puts a stream's configuration in place of the one that it has.
func runUpdate(ctx context.Context, r *scriptRun, s *scriptStep) error {
	c, err := r.control(ctx)
	if err != nil {
		return err
	}
	// checkAsset has seen that it can be read.
	req, _ := s.asset()
	return r.apply(ctx, c, s, strings.Replace(r.numbered(req.Subject), "STREAM.CREATE.", "STREAM.UPDATE.", 1), []byte(r.numbered(string(req.Body))))
}

// apply sends a configuration and remembers the name as the last one.
func (r *scriptRun) apply(ctx context.Context, c *session, s *scriptStep, subject string, body []byte) error {
	r.step.Request = apiPrefix + subject + " " + string(body)
	a, err := c.api(ctx, answerWithin, subject, body)
	if err != nil {
		return err
	}
	if name := r.numbered(s.args[0].text); strings.Contains(name, "/") {
		r.lastConsumer = name
	} else {
		r.lastStream = name
	}
	return r.answered(s, a)
}

// ask makes one request of the API for a step.
func (r *scriptRun) ask(ctx context.Context, s *scriptStep, subject string, body []byte) error {
	c, err := r.control(ctx)
	if err != nil {
		return err
	}
	r.step.Request = apiPrefix + subject + " " + string(body)
	a, err := c.api(ctx, answerWithin, subject, body)
	if err != nil {
		return err
	}
	return r.answered(s, a)
}

func runDelete(ctx context.Context, r *scriptRun, s *scriptStep) error {
	name := r.numbered(s.args[0].text)
	if stream, consumer, ok := strings.Cut(name, "/"); ok {
		return r.ask(ctx, s, "CONSUMER.DELETE."+stream+"."+consumer, nil)
	}
	return r.ask(ctx, s, "STREAM.DELETE."+name, nil)
}

func runPurge(ctx context.Context, r *scriptRun, s *scriptStep) error {
	return r.ask(ctx, s, "STREAM.PURGE."+s.args[0].text, nil)
}

func runStepDown(ctx context.Context, r *scriptRun, s *scriptStep) error {
	name := s.args[0].text
	if name == "meta" {
		c, err := r.links.as(ctx, systemUser)
		if err != nil {
			return err
		}
		a, err := c.api(ctx, answerWithin, "META.LEADER.STEPDOWN", nil)
		if err != nil {
			return err
		}
		return r.answered(s, a)
	}
	if stream, consumer, ok := strings.Cut(name, "/"); ok {
		return r.ask(ctx, s, "CONSUMER.LEADER.STEPDOWN."+stream+"."+consumer, nil)
	}
	return r.ask(ctx, s, "STREAM.LEADER.STEPDOWN."+name, nil)
}

func runWait(ctx context.Context, _ *scriptRun, s *scriptStep) error {
	// checkWait has read it.
	d, _ := readDuration(s.args[0].text)
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func runClock(_ context.Context, r *scriptRun, _ *scriptStep) error {
	r.clock = time.Now()
	return nil
}

func runLet(ctx context.Context, r *scriptRun, s *scriptStep) error {
	v, err := r.eval(ctx, s.left)
	if err != nil {
		return err
	}
	r.vars[s.args[0].text] = v
	r.step.Reply = &Reply{Text: v.String()}
	return nil
}

func runExpect(ctx context.Context, r *scriptRun, s *scriptStep) error {
	left, right, ok, err := r.holds(ctx, s)
	if err != nil {
		return err
	}
	r.step.Reply, r.step.OK = shown(left, s.op, right), ok
	return nil
}

func runUntil(ctx context.Context, r *scriptRun, s *scriptStep) error {
	var left, right value
	started := time.Now()
	err := waitUntil(ctx, s.within, func() (ok bool, err error) {
		left, right, ok, err = r.holds(ctx, s)
		if err != nil && ctx.Err() == nil {
			// A leader may be missing for a while; the limit ends that too.
			left, right = textValue(err.Error()), textValue("")
			return false, nil
		}
		return ok, err
	})
	r.step.Reply = shown(left, s.op, right)
	r.step.Figures = []Figure{{"after", time.Since(started).Milliseconds(), "ms"}}
	if err == errNotInTime {
		r.step.OK = false
		return nil
	}
	return err
}

func (r *scriptRun) holds(ctx context.Context, s *scriptStep) (left, right value, ok bool, err error) {
	if left, err = r.eval(ctx, s.left); err != nil {
		return
	}
	if right, err = r.eval(ctx, s.right); err != nil {
		return
	}
	ok, err = compare(left, s.op, right)
	return
}

func shown(left value, op string, right value) *Reply {
	text := left.String()
	const most = 500
	if len(text) > most {
		text = text[:most] + "…"
	}
	return &Reply{Text: text + " " + op + " " + right.String()}
}

// nodeNamed is the node of a name such as n2, or of the role "leader" or
// "follower" in a stream.
func (r *scriptRun) nodeNamed(ctx context.Context, args []word) (int, error) {
	name := args[0].text
	if len(args) == 2 {
		leader, err := r.streamValue(ctx, args[1].text, "leader")
		if err != nil {
			return 0, err
		}
		switch name {
		case "leader":
			name = leader.text
		case "follower":
			for i := range r.host.Info().Nodes {
				if r.host.Running(i) && nodeName(i) != leader.text {
					return i, nil
				}
			}
			return 0, fmt.Errorf("%s has no follower that runs", args[1].text)
		default:
			return 0, fmt.Errorf("%q is not leader or follower", name)
		}
	}
	for i := range r.host.Info().Nodes {
		if nodeName(i) == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%q is not a node; they are n1 to n%d", name, r.host.Info().Nodes)
}

func runKill(ctx context.Context, r *scriptRun, s *scriptStep) error {
	node, err := r.nodeNamed(ctx, s.args)
	if err != nil {
		return err
	}
	r.step.Reply = &Reply{Text: nodeName(node) + ": " + r.host.Info().KillIs}
	return r.kill(node)
}

// kill takes a node down, and with it the connections to it: who uses one again
// would else learn of the end from a read.
func (r *scriptRun) kill(node int) error {
	r.links.leave(node)
	return r.host.Kill(node)
}

func runRestart(ctx context.Context, r *scriptRun, s *scriptStep) error {
	var nodes []int
	if s.args[0].text == "all" {
		for i := range r.host.Info().Nodes {
			nodes = append(nodes, i)
		}
	} else {
		node, err := r.nodeNamed(ctx, s.args)
		if err != nil {
			return err
		}
		nodes = []int{node}
	}
	for _, node := range nodes {
		if r.host.Running(node) && (s.args[0].text != "all" || r.host.Info().Nodes == 1) {
			if err := r.kill(node); err != nil {
				return err
			}
		}
	}
	for _, node := range nodes {
		if !r.host.Running(node) {
			if err := r.host.Restart(ctx, node); err != nil {
				return err
			}
		}
	}
	return WaitReady(ctx, r.host)
}

// publishWindow is how many publishes of one step wait for their PubAck at a
// time.
const publishWindow = 256

func runPublish(ctx context.Context, r *scriptRun, s *scriptStep) error {
	c, err := r.control(ctx)
	if err != nil {
		return err
	}
	n, within := s.count("n", 1), answerWithin/2
	if d, err := readDuration(s.key("within")); err == nil {
		within = d
	}
	r.acked, r.answers, r.ack = 0, 0, pubAck{}
	if s.key("mode") == "core" {
		for i := 1; i <= n; i++ {
			subject, headers, data := r.messageOf(s, i)
			c.publish(subject, s.key("reply"), headers, data)
		}
		return c.flush(ctx)
	}
	type asked struct {
		answer <-chan message
		cancel func()
	}
	var open []asked
	first := apiAnswer{}
	take := func() error {
		a := open[0]
		open = open[1:]
		got, err := awaitAck(ctx, c, a.answer, a.cancel, within)
		if err != nil {
			return err
		}
		if got.silent != "" && r.host.full() {
			return ErrDiskFull // the others would wait in vain as well
		}
		r.count(got, &first)
		return nil
	}
	for i := 1; i <= n; i++ {
		subject, headers, data := r.messageOf(s, i)
		answer, cancel := c.ask(subject, headers, data)
		if open = append(open, asked{answer, cancel}); len(open) >= publishWindow {
			if err := take(); err != nil {
				return err
			}
		}
	}
	for len(open) > 0 {
		if err := take(); err != nil {
			return err
		}
	}
	if r.acked == n {
		first = apiAnswer{body: fmt.Appendf(nil, `{"stream":%q,"seq":%d,"duplicate":%t}`, r.ack.Stream, r.ack.Seq, r.ack.Duplicate)}
	}
	if n > 1 {
		r.step.Figures = []Figure{{"published", int64(n), "messages"}, {"acked", int64(r.acked), "messages"}}
	}
	return r.answered(s, first)
}

// count notes one answer to a publish; first keeps the first that is none or an
// error.
func (r *scriptRun) count(got apiAnswer, first *apiAnswer) {
	if got.silent != noResponders && got.silent != "" {
		*first = got
		return
	}
	r.answers++
	ack, err := readPubAck(got)
	switch {
	case err == nil && got.silent == "" && ack.Error == nil:
		r.acked++
		r.ack = ack
	case first.silent == "" && first.Error == nil:
		*first = got
		if err != nil {
			first.silent = err.Error()
		}
	}
}

// messageOf makes the i-th message of a publish step.
func (r *scriptRun) messageOf(s *scriptStep, i int) (subject string, headers []string, data []byte) {
	number := func(text string) string {
		if s.repeat > 1 {
			return r.numbered(text)
		}
		return strings.ReplaceAll(text, "{i}", strconv.Itoa(i))
	}
	if id := s.key("id"); id != "" {
		headers = []string{"Nats-Msg-Id: " + number(id)}
	}
	if h := s.key("header"); h != "" {
		headers = append(headers, number(h))
	}
	data = []byte(number(s.key("data")))
	if n := sizeOf(s.key("size")); n > len(data) {
		data = append(data, slices.Repeat([]byte{'.'}, n-len(data))...)
	}
	return number(s.args[0].text), headers, data
}
