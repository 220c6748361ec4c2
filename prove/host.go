package prove

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Host is a set of nats-servers that Weir started, and the only way in which
// proofs reach servers: whatever speaks the NATS protocol and can be started
// here is another Host. Nodes count from 0. Its methods may be called from
// several goroutines, except Stop together with others.
type Host interface {
	// Info names the kind of host, the server's version and the count of nodes.
	Info() HostInfo
	// Dial opens a client connection to a node that runs.
	Dial(node int) (net.Conn, error)
	// Kill takes a node down at once and keeps its store. How hard that is, is
	// in HostInfo.KillIs.
	Kill(node int) error
	// Restart starts a node that was killed on its own store and returns when it
	// takes connections.
	Restart(ctx context.Context, node int) error
	// Running reports whether a node is up.
	Running(node int) bool
	// Logs are the warnings and errors that a node wrote last.
	Logs(node int) string
	// Stop ends every node and removes what they stored; ErrDiskFull where a node
	// had no space to store in. It may be called twice.
	Stop() error

	// secret is the password of every user of the servers, made for the run.
	secret() string
	// store is the folder that the nodes store in.
	store() string
	// starts is how often a node was started: a connection from before its last
	// start is none any more, also when its end has not been read yet.
	starts(node int) int
	// full reports whether a node found no space to store in.
	full() bool
}

// HostInfo says what kind of servers a Host runs.
type HostInfo struct {
	// Kind is "embedded" (a server inside this process), "tab" (the same inside
	// a browser tab) or "child" (a process of its own on loopback).
	Kind    string
	Version string // "2.15.2"
	Nodes   int
	// Kills is true where Kill ends a node as a crash does, without a word.
	Kills bool
	// KillIs says what Kill does on this host, for the evidence.
	KillIs string
}

// Setup is what servers to start. The zero Setup is one server with JetStream
// and default settings.
type Setup struct {
	Nodes int // 0 and 1 are a single server, more form a cluster; at most MaxNodes
	// Conf are settings of nats-server.conf, "name: value", also those of its
	// jetstream block. Only names in ConfKeys are taken.
	Conf []string
	// Accounts are the accounts with JetStream besides the hub's own.
	Accounts []AccountSetup
	// Tags are the server_tags of each node, none for those beyond its end.
	Tags [][]string
	// Cluster is the name of the cluster, "" for weir.
	Cluster string
	// MaxMemory and MaxStore are max_memory_store and max_file_store in bytes,
	// 0 for 1 GiB of memory and 16 GiB of file store; in a browser tab, where files
	// are memory too, for 384 MiB of each.
	MaxMemory, MaxStore int64
	// Log is Options.Log; only servers inside this process call it.
	Log func(node int, level, text string)
	// Folder is where the stores lie, "" for the system's temporary folder.
	Folder string
}

// AccountSetup is one account of a Setup.
type AccountSetup struct {
	Name   string
	Limits []string // lines of the account's jetstream block
}

// MaxNodes is the most servers that a proof starts: as many as a stream may
// have replicas.
const MaxNodes = 5

// Defaults of Setup. They bound what a run may store; nothing of it is taken
// before it is used.
const (
	defaultMaxMemory = 1 << 30
	defaultMaxStore  = 16 << 30
	// A tab that runs out of memory ends with all that is in it; before that the
	// server refuses what it has no room for.
	defaultMaxInTab = 384 << 20
)

// defaultStore is what of memory and files a server may take where a Setup does
// not say.
func defaultStore() (memory, files int64) {
	if runtime.GOOS == "js" {
		return defaultMaxInTab, defaultMaxInTab
	}
	return defaultMaxMemory, defaultMaxStore
}

// ConfKeys are the settings of nats-server.conf that a proof passes on to its
// servers, with the block that they stand in, "" for none. Others name files,
// ports or other servers, or change nothing that a proof looks at.
var ConfKeys = map[string]string{
	"max_payload": "", "max_pending": "", "write_deadline": "", "max_control_line": "",
	"max_connections": "", "max_subscriptions": "", "max_subscription_tokens": "",
	"no_fast_producer_stall": "", "ping_interval": "", "ping_max": "",
	"sync_interval": "jetstream", "max_outstanding_catchup": "jetstream", "strict": "jetstream", "unique_tag": "jetstream",
	"max_memory_store": "jetstream", "max_file_store": "jetstream", "max_buffered_msgs": "jetstream",
	"max_buffered_size": "jetstream", "request_queue_limit": "jetstream",
	"max_ack_pending": "limits", "max_ha_assets": "limits", "max_request_batch": "limits",
	"default_max_consumers": "limits", "duplicate_window": "limits",
}

// confLine is a setting's name and value as nats-server.conf writes it.
func confLine(name, value string) string { return name + ": " + value }

// cluster is the name of the cluster.
func (s Setup) cluster() string {
	if s.Cluster == "" {
		return clusterName
	}
	return s.Cluster
}

// block are the settings of a block, "" for those outside of blocks.
func (s Setup) block(name string) []string {
	var out []string
	for _, line := range s.Conf {
		if ConfKeys[settingName(line)] == name {
			out = append(out, line)
		}
	}
	return out
}

func settingName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.TrimSpace(name)
}

func (s Setup) nodes() int { return max(1, s.Nodes) }

func (s Setup) check() error {
	if s.Nodes < 0 || s.Nodes > MaxNodes {
		return fmt.Errorf("%d nodes: a proof runs 1 to %d servers", s.Nodes, MaxNodes)
	}
	for _, line := range s.Conf {
		if _, ok := ConfKeys[settingName(line)]; !ok {
			return fmt.Errorf("%q is not a setting that a proof passes on to its servers", settingName(line))
		}
	}
	return nil
}

// clusterName is the name of a cluster that a proof starts, where Setup has none.
const clusterName = "weir"

// Names of the users that every server of a proof has, with the same password.
const (
	hubUser    = "weir"        // of the account that the top of a design is in
	systemUser = "weir-system" // of the system account
	readyUser  = "weir-ready"  // of the account in which a cluster is tried, see tryPlacement
)

// accountUser is the user of an account, hubUser for "".
func accountUser(account string) string {
	if account == "" {
		return hubUser
	}
	return "of " + account
}

// nodeConf is what one node's configuration needs besides the Setup.
type nodeConf struct {
	node   int
	store  string
	ports  string // folder for the ports file, "" for none
	routes []int  // loopback ports of the nodes' routes, none for a single server
	secret string
}

// conf renders nats-server.conf for a node. The same text is given to an
// embedded server and to a child process.
func (s Setup) conf(n nodeConf) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("server_name: %s", nodeName(n.node))
	if n.ports != "" {
		line("listen: \"127.0.0.1:-1\"\nports_file_dir: %s", quoteConf(n.ports))
	}
	for _, l := range s.block("") {
		line("%s", l)
	}
	if n.node < len(s.Tags) && len(s.Tags[n.node]) > 0 {
		line("server_tags: [%s]", quoteAll(s.Tags[n.node]))
	}
	memory, files := defaultStore()
	line("jetstream {\n  store_dir: %s", quoteConf(n.store))
	if !s.has("max_memory_store") {
		line("  max_memory_store: %d", orDefault(s.MaxMemory, memory))
	}
	if !s.has("max_file_store") {
		line("  max_file_store: %d", orDefault(s.MaxStore, files))
	}
	for _, l := range s.block("jetstream") {
		line("  %s", l)
	}
	line("  limits {%s}\n}", strings.Join(s.block("limits"), ", "))
	if len(n.routes) > 0 {
		line("cluster {\n  name: %s\n  listen: \"127.0.0.1:%d\"\n  pool_size: -1\n  no_advertise: true", quoteConf(s.cluster()), n.routes[n.node])
		line("  authorization {user: weir, password: %q}\n  routes: [", n.secret)
		for _, port := range n.routes {
			line("    \"nats-route://weir:%s@127.0.0.1:%d\"", n.secret, port)
		}
		line("  ]\n}")
	}
	line("system_account: WEIR_SYS\naccounts {\n  WEIR_SYS {users: [{user: %s, password: %q}]}", systemUser, n.secret)
	hub := len(s.Accounts) > 0 || len(n.routes) > 0
	if hub {
		line("  WEIR_HUB {jetstream: enabled, users: [{user: %s, password: %q}]}", hubUser, n.secret)
	}
	if len(n.routes) > 0 {
		line("  WEIR_READY {jetstream: enabled, users: [{user: %s, password: %q}]}", readyUser, n.secret)
	}
	for _, a := range s.Accounts {
		limits := "enabled"
		if len(a.Limits) > 0 {
			limits = "{" + strings.Join(a.Limits, ", ") + "}"
		}
		line("  %s {jetstream: %s, users: [{user: %s, password: %q}]}", quoteConf(a.Name), limits, quoteConf(accountUser(a.Name)), n.secret)
	}
	line("}")
	if !hub {
		line("authorization {users: [{user: %s, password: %q}]}", hubUser, n.secret)
	}
	return b.String()
}

func nodeName(node int) string { return "n" + strconv.Itoa(node+1) }

// has reports whether a setting is given.
func (s Setup) has(name string) bool {
	return slices.ContainsFunc(s.Conf, func(l string) bool { return settingName(l) == name })
}

func orDefault(n, otherwise int64) int64 {
	if n == 0 {
		return otherwise
	}
	return n
}

// quoteConf writes a string of nats-server.conf.
func quoteConf(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
}

func quoteAll(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quoteConf(s)
	}
	return strings.Join(out, ", ")
}

// newSecret makes the password of a run.
func newSecret() (string, error) {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("make password: %w", err)
	}
	return hex.EncodeToString(b), nil
}

// freePorts picks n ports of loopback that nobody listens on. Somebody else may
// take one before a server does; starting is tried again then.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a port for routes: %w", err)
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// StartHost starts servers: embedded ones when with is "", else those of a
// binary, see FindServer. The caller calls Stop. A single server is ready when
// StartHost returns, a cluster when its nodes take connections; WaitReady waits
// for its meta leader.
func StartHost(ctx context.Context, setup Setup, with string) (Host, error) {
	if err := setup.check(); err != nil {
		return nil, err
	}
	if with != "" {
		return startChildren(ctx, setup, with)
	}
	return startNodes(ctx, setup)
}

// startAttempts is how often it is tried to start servers on free ports.
const startAttempts = 3

// removeStore removes a run's folder; errors name no place of this machine.
func removeStore(dir string) error {
	if dir == "" {
		return nil
	}
	err := os.RemoveAll(dir)
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return fmt.Errorf("remove store: %w", err)
	}
	return nil
}
