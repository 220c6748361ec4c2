//go:build !js

package subject_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"weir/subject"
)

// mqttClient speaks as much MQTT 3.1.1 as it takes to publish and to receive.
type mqttClient struct {
	conn net.Conn
	r    *bufio.Reader
}

func dialMQTT(address, id string) (*mqttClient, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	c := &mqttClient{conn, bufio.NewReader(conn)}
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return nil, err
	}
	hello := append([]byte("\x00\x04MQTT\x04\x02\x00\x00"), field(id)...) // version 3.1.1, clean session, no keep alive
	if err := c.send(0x10, hello); err != nil {
		return nil, err
	}
	kind, _, err := c.receive()
	if err == nil && kind != 0x20 {
		err = fmt.Errorf("packet %#x instead of CONNACK", kind)
	}
	return c, err
}

func field(s string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...)
}

func (c *mqttClient) send(kind byte, body []byte) error {
	packet := binary.AppendUvarint([]byte{kind}, uint64(len(body)))
	_, err := c.conn.Write(append(packet, body...))
	return err
}

func (c *mqttClient) receive() (kind byte, body []byte, err error) {
	if kind, err = c.r.ReadByte(); err != nil {
		return 0, nil, err
	}
	n, err := binary.ReadUvarint(c.r)
	if err != nil {
		return 0, nil, err
	}
	body = make([]byte, n)
	_, err = io.ReadFull(c.r, body)
	return kind, body, err
}

// publish sends a message at QoS 0 and waits until the server has dealt with it;
// io.EOF means that the server closed the connection.
func (c *mqttClient) publish(topic, payload string) error {
	if err := c.send(0x30, append(field(topic), payload...)); err != nil {
		return err
	}
	if err := c.send(0xc0, nil); err != nil { // PINGREQ
		return err
	}
	kind, _, err := c.receive()
	if err == nil && kind != 0xd0 {
		err = fmt.Errorf("packet %#x instead of PINGRESP", kind)
	}
	return err
}

// mqttServer is a server with an MQTT listener on loopback.
func mqttServer(t *testing.T) (address string, nc *nats.Conn) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	opts := &server.Options{ServerName: "m", DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	opts.MQTT.Host, opts.MQTT.Port = "127.0.0.1", port
	return fmt.Sprintf("127.0.0.1:%d", port), connect(t, opts)
}

// TestAgainstServerMQTT publishes generated topics over MQTT and looks under which
// subject they arrive, and the other way round.
func TestAgainstServerMQTT(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a server")
	}
	address, nc := mqttServer(t)
	inbox, err := nc.SubscribeSync(">")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := dialMQTT(address, "reader")
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.send(0x82, append([]byte{0, 1}, append(field("#"), 0)...)); err != nil {
		t.Fatal(err)
	}
	if kind, body, err := reader.receive(); err != nil || kind != 0x90 || body[2] != 0 {
		t.Fatalf("SUBACK %#x %v %v", kind, body, err)
	}
	writer, err := dialMQTT(address, "writer")
	if err != nil {
		t.Fatal(err)
	}
	g := newGenerator(11)
	delivered, closed := 0, 0
	for i := 0; i < 600; i++ {
		topic := g.mqtt()
		payload := fmt.Sprint("n", i)
		v := subject.Check(topic, subject.MQTTTopic)
		if err := writer.publish(topic, payload); err != nil {
			closed++
			if v.Valid || !isClosed(err) {
				t.Fatalf("publish to %q: %v, Check says %+v", topic, err, v)
			}
			again, err := dialMQTT(address, "writer")
			if err != nil {
				t.Fatal(err)
			}
			writer = again
			continue
		}
		want, err := subject.FromMQTTTopic(topic)
		if !v.Valid || err != nil {
			t.Fatalf("the server took %q: %v, %+v", topic, err, v)
		}
		delivered++
		if got := subjectOf(t, inbox, payload); got != want {
			t.Fatalf("%q arrives under %q, want %q", topic, got, want)
		}
		if topic[0] == '$' {
			continue // # does not stand for $… in MQTT
		}
		kind, body, err := reader.receive()
		if err != nil || kind != 0x30 {
			t.Fatalf("%q: packet %#x, %v", topic, kind, err)
		}
		n := int(binary.BigEndian.Uint16(body))
		if back := string(body[2 : 2+n]); back != topic || string(body[2+n:]) != payload {
			t.Fatalf("%q comes back as %q with %q", topic, back, body[2+n:])
		}
	}
	if delivered < 100 || closed < 50 {
		t.Errorf("%d delivered, %d refused", delivered, closed)
	}
}

func isClosed(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.As(err, &op) && !op.Timeout()
}

// subjectOf waits for a payload and returns the subject that it came under.
func subjectOf(t *testing.T, inbox *nats.Subscription, payload string) string {
	t.Helper()
	for {
		msg, err := inbox.NextMsg(5 * time.Second)
		if err != nil {
			t.Fatalf("%s does not arrive: %v", payload, err)
		}
		if string(msg.Data) == payload {
			return msg.Subject
		}
	}
}
