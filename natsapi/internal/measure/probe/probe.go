//go:build ignore

// The program that package measure compiles against other server versions. It
// prints measure.Defaults as JSON. It speaks the NATS protocol itself, so that
// no client library of a fitting version is needed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "weir-probe-")
	if err != nil {
		log.Fatal(err)
	}
	out, err := measure(dir)
	os.RemoveAll(dir)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		log.Fatal(err)
	}
}

func measure(dir string) (map[string]any, error) {
	ns, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true,
		JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 1 << 30})
	if err != nil {
		return nil, err
	}
	ns.Start()
	defer func() { ns.Shutdown(); ns.WaitForShutdown() }()
	if !ns.ReadyForConnections(10 * time.Second) {
		return nil, fmt.Errorf("the server did not start")
	}
	conn, err := ns.InProcessConn()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	c := client{conn, bufio.NewReader(conn)}
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return nil, err
	}
	// The connection is an unbuffered pipe: the server's INFO comes first.
	if _, err := c.in.ReadString('\n'); err != nil {
		return nil, err
	}
	fmt.Fprint(conn, "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB answer 1\r\n")
	stream, err := c.request("STREAM.CREATE.S", `{"name":"S"}`)
	if err != nil {
		return nil, err
	}
	consumer, err := c.request("CONSUMER.CREATE.S.C", `{"stream_name":"S","config":{"name":"C","durable_name":"C","ack_policy":"explicit"}}`)
	if err != nil {
		return nil, err
	}
	return map[string]any{"Version": server.VERSION, "Stream": stream, "Consumer": consumer}, nil
}

type client struct {
	conn net.Conn
	in   *bufio.Reader
}

// request sends one API request and returns the configuration in the answer.
func (c client) request(subject, body string) (json.RawMessage, error) {
	fmt.Fprintf(c.conn, "PUB $JS.API.%s answer %d\r\n%s\r\n", subject, len(body), body)
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(line)
		switch {
		case len(fields) > 0 && fields[0] == "PING":
			fmt.Fprint(c.conn, "PONG\r\n")
		case len(fields) > 0 && fields[0] == "-ERR":
			return nil, fmt.Errorf("%s: %s", subject, line)
		case len(fields) > 3 && fields[0] == "MSG":
			var size int
			if _, err := fmt.Sscan(fields[len(fields)-1], &size); err != nil {
				return nil, err
			}
			data := make([]byte, size+2)
			if _, err := io.ReadFull(c.in, data); err != nil {
				return nil, err
			}
			var answer struct {
				Config json.RawMessage
				Error  any
			}
			if err := json.Unmarshal(data[:size], &answer); err != nil {
				return nil, err
			}
			if answer.Error != nil {
				return nil, fmt.Errorf("%s: %v", subject, answer.Error)
			}
			return answer.Config, nil
		}
	}
}
