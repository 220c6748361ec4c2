//go:build !js

package subject_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"weir/subject"
)

// apiAnswer is the error part of a JetStream API reply.
type apiAnswer struct {
	Error *struct {
		Code        int    `json:"code"`
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	} `json:"error"`
}

func (a apiAnswer) String() string {
	if a.Error == nil {
		return ""
	}
	return fmt.Sprintf("%d/%d %s", a.Error.Code, a.Error.ErrCode, a.Error.Description)
}

// jetStream is a server in this process, without a port, and a connection to it.
func jetStream(t *testing.T) *nats.Conn {
	t.Helper()
	return connect(t, &server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
}

func connect(t *testing.T, opts *server.Options) *nats.Conn {
	t.Helper()
	s, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("server does not start")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// create asks for a stream named S with the given fields, removes it if it came to
// be, and returns what the server said.
func create(t *testing.T, nc *nats.Conn, config map[string]any) string {
	t.Helper()
	config["name"], config["storage"] = "S", "memory"
	answer := request(t, nc, "$JS.API.STREAM.CREATE.S", config)
	if answer == "" {
		if no := request(t, nc, "$JS.API.STREAM.DELETE.S", nil); no != "" {
			t.Fatalf("delete: %s", no)
		}
	}
	return answer
}

func request(t *testing.T, nc *nats.Conn, api string, body any) string {
	t.Helper()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	msg, err := nc.Request(api, data, 5*time.Second)
	if err != nil {
		t.Fatalf("%s %s: %v", api, data, err)
	}
	var a apiAnswer
	if err := json.Unmarshal(msg.Data, &a); err != nil {
		t.Fatalf("%s: %v", msg.Data, err)
	}
	return a.String()
}

// contextQuestions ask the server about one string in each context that a stream
// or consumer configuration has. partner fills in for the other end of a
// transform: it fits the string as well as can be.
var contextQuestions = map[subject.Context]func(s, partner string) map[string]any{
	subject.Stream: func(s, _ string) map[string]any { return map[string]any{"subjects": []string{s}} },
	subject.MirrorFilter: func(s, _ string) map[string]any {
		return map[string]any{"mirror": map[string]any{"name": "M", "filter_subject": s}}
	},
	subject.SourceFilter: func(s, _ string) map[string]any {
		return map[string]any{"sources": []any{map[string]any{"name": "M", "filter_subject": s}}}
	},
	subject.TransformSource: func(s, partner string) map[string]any {
		return map[string]any{"subjects": []string{"own"}, "subject_transform": map[string]any{"src": s, "dest": partner}}
	},
	subject.TransformDestination: func(s, partner string) map[string]any {
		return map[string]any{"subjects": []string{"own"}, "subject_transform": map[string]any{"src": partner, "dest": s}}
	},
	subject.RepublishSource: func(s, partner string) map[string]any {
		return map[string]any{"subjects": []string{"own"}, "republish": map[string]any{"src": s, "dest": partner}}
	},
	subject.RepublishDestination: func(s, partner string) map[string]any {
		return map[string]any{"subjects": []string{"own"}, "republish": map[string]any{"src": partner, "dest": s}}
	},
}

// partnerOf is the other end of a transform that lets s pass if anything does:
// more wildcards than a destination names, and a ">" where s has one.
func partnerOf(s string, c subject.Context) string {
	rest := strings.HasSuffix(s, ".>") || s == ">" || s == ""
	switch {
	case c == subject.TransformSource || c == subject.RepublishSource:
		if rest {
			return "moved.>"
		}
		return "moved"
	case rest:
		return strings.Repeat("*.", 16) + ">"
	}
	return strings.TrimSuffix(strings.Repeat("*.", 16), ".")
}

// TestAgainstServerContexts creates a stream for each generated subject in each
// context and compares the verdict and the words of the answer.
func TestAgainstServerContexts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a server")
	}
	nc := jetStream(t)
	for c, question := range contextQuestions {
		t.Run(string(c), func(t *testing.T) {
			g := newGenerator(7)
			valid, refused := 0, 0
			for i := 0; i < 700; i++ {
				s := contextInput(g, c, i)
				if !utf8.ValidString(s) || len(s) > 60 {
					continue // JSON cannot carry it; Check shortens long ones
				}
				v := subject.Check(s, c)
				answer := create(t, nc, question(s, partnerOf(s, c)))
				if strings.Contains(answer, "forms a cycle") || outOfRange(partnerOf(s, c), s) {
					continue // depends on the other end
				}
				want := v.Server
				if v.Valid {
					valid++
					want, _, _ = strings.Cut(v.Refused, " (")
				} else {
					refused++
				}
				if !sameAnswer(answer, want) {
					t.Errorf("%q as %s: the server says %q, Check says valid %v, %q", s, c, answer, v.Valid, want)
				}
				if t.Failed() && i > 100 {
					return
				}
			}
			if valid < 50 || refused < 50 {
				t.Errorf("%d valid, %d refused: one answer only is tested", valid, refused)
			}
		})
	}
}

// outOfRange reports whether a destination names more wildcards than its source
// has, which Check cannot see.
func outOfRange(source, destination string) bool {
	_, err := subject.NewTransform(source, destination, subject.TransformOptions{})
	return err != nil && strings.Contains(err.Error(), "wildcard index out of range")
}

// contextInput makes a string for a context, reserved spaces among the subjects.
func contextInput(g generator, c subject.Context, i int) string {
	switch {
	case i < len(seeds):
		return seeds[i]
	case c == subject.TransformDestination || c == subject.RepublishDestination:
		return g.destination(g.pick(">", "a"))
	case g.oneIn(5):
		return g.pick("$JS", "$JSC", "$NRG", "$SYS", "$KV", "*", "*x", ">x") + "." + g.pick("API", "EVENT", "ACCOUNT", "*", ">", "EVENT.>", "ACCOUNT.*", "*.*")
	case g.oneIn(3):
		return g.joined(g.count(), 4, 3, 6)
	}
	return g.pattern()
}

// sameAnswer compares the server's words with ours, in which "…" stands for the
// other end of a transform.
func sameAnswer(server, ours string) bool {
	before, after, dots := strings.Cut(ours, "…")
	if !dots {
		return server == ours
	}
	return strings.HasPrefix(server, before) && strings.HasSuffix(server, after)
}

// TestAgainstServerFilters is the same for consumer filters.
func TestAgainstServerFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a server")
	}
	nc := jetStream(t)
	if no := request(t, nc, "$JS.API.STREAM.CREATE.S", map[string]any{"name": "S", "subjects": []string{"own"}, "storage": "memory"}); no != "" {
		t.Fatal(no)
	}
	g := newGenerator(8)
	for i := 0; i < 700; i++ {
		s := contextInput(g, subject.Filter, i)
		if !utf8.ValidString(s) {
			continue
		}
		v := subject.Check(s, subject.Filter)
		answer := request(t, nc, "$JS.API.CONSUMER.CREATE.S.C", map[string]any{"stream_name": "S", "action": "",
			"config": map[string]any{"name": "C", "filter_subjects": []string{s}, "ack_policy": "explicit"}})
		if answer == "" {
			if no := request(t, nc, "$JS.API.CONSUMER.DELETE.S.C", nil); no != "" {
				t.Fatal(no)
			}
		}
		want, _, _ := strings.Cut(v.Server, ";")
		if (answer == "") != v.Valid || answer != want {
			t.Fatalf("%q as a filter: the server says %q, Check says valid %v, %q", s, answer, v.Valid, want)
		}
	}
}

// TestAgainstServerNames asks for streams and consumers of odd names.
func TestAgainstServerNames(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a server")
	}
	nc := jetStream(t)
	if no := request(t, nc, "$JS.API.STREAM.CREATE.OWN", map[string]any{"name": "OWN", "subjects": []string{"own"}, "storage": "memory"}); no != "" {
		t.Fatal(no)
	}
	names := []string{"S", "é", "a:b", "$S", "a\x00b", "a\vb", "a\fb", "a/b", `a\b`, "a*", "a>", strings.Repeat("n", 255), strings.Repeat("n", 256)}
	for _, kind := range []struct {
		context subject.Context
		api     string
		body    func(name string) any
	}{
		{subject.StreamName, "STREAM.%s.", func(name string) any {
			return map[string]any{"name": name, "subjects": []string{"other"}, "storage": "memory"}
		}},
		{subject.ConsumerName, "CONSUMER.%s.OWN.", func(name string) any {
			return map[string]any{"stream_name": "OWN", "action": "", "config": map[string]any{"name": name, "durable_name": name, "ack_policy": "explicit"}}
		}},
	} {
		for _, name := range names {
			v := subject.Check(name, kind.context)
			answer := request(t, nc, fmt.Sprintf("$JS.API."+kind.api, "CREATE")+name, kind.body(name))
			if answer == "" {
				if no := request(t, nc, fmt.Sprintf("$JS.API."+kind.api, "DELETE")+name, nil); no != "" {
					t.Fatal(no)
				}
			}
			if name == "a\x00b" { // the one name that Weir refuses for the sake of client libraries
				if v.Valid || answer != "" {
					t.Errorf("NUL: valid %v, the server says %q", v.Valid, answer)
				}
				continue
			}
			if (answer == "") != v.Valid || !v.Valid && answer != v.Server {
				t.Errorf("%.20q as %s: the server says %q, Check says valid %v, %q", name, kind.context, answer, v.Valid, v.Server)
			}
		}
	}
}

// TestRepublishNothing proves what Check says of two odd destinations: the server
// takes them and republishes nothing.
func TestRepublishNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a server")
	}
	nc := jetStream(t)
	for _, c := range []struct {
		dest string
		want []string
	}{
		{"", []string{"own"}},
		{"moved. x", []string{"own"}},
		{"moved.x", []string{"own", "moved.x"}},
	} {
		t.Run(c.dest, func(t *testing.T) {
			if v := subject.Check(c.dest, subject.RepublishDestination); !v.Valid {
				t.Fatalf("%+v", v)
			}
			config := map[string]any{"name": "S", "subjects": []string{"own"}, "storage": "memory", "republish": map[string]any{"src": "own", "dest": c.dest}}
			if no := request(t, nc, "$JS.API.STREAM.CREATE.S", config); no != "" {
				t.Fatal(no)
			}
			sub, err := nc.SubscribeSync(">")
			if err != nil {
				t.Fatal(err)
			}
			// A second message is acknowledged after the first was republished.
			for range 2 {
				if _, err := nc.Request("own", nil, 5*time.Second); err != nil {
					t.Fatal(err)
				}
			}
			if err := nc.Flush(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for {
				msg, err := sub.NextMsg(20 * time.Millisecond)
				if err != nil {
					break
				}
				if !strings.HasPrefix(msg.Subject, "_INBOX.") && !strings.HasPrefix(msg.Subject, "$JS.") && !slices.Contains(got, msg.Subject) {
					got = append(got, msg.Subject)
				}
			}
			if err := sub.Unsubscribe(); err != nil {
				t.Fatal(err)
			}
			if no := request(t, nc, "$JS.API.STREAM.DELETE.S", nil); no != "" {
				t.Fatal(no)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("received %q, want %q", got, c.want)
			}
		})
	}
}
