//go:build !js

package synth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// certified is a certificate for an address, and the file ca.pem of the authority that
// signed it; the certificate and its key are in server.pem and server-key.pem beside that.
func certified(t *testing.T, ip net.IP) (*tls.Config, string) {
	t.Helper()
	now := time.Now()
	valid := x509.Certificate{NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), BasicConstraintsValid: true}
	signed := func(is x509.Certificate, by *x509.Certificate, with *ecdsa.PrivateKey) ([]byte, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if with == nil {
			by, with = &is, key
		}
		der, err := x509.CreateCertificate(rand.Reader, &is, by, key.Public(), with)
		if err != nil {
			t.Fatal(err)
		}
		return der, key
	}
	ca, server := valid, valid
	ca.SerialNumber, ca.Subject, ca.IsCA, ca.KeyUsage = big.NewInt(1), pkix.Name{CommonName: "authority"}, true, x509.KeyUsageCertSign
	server.SerialNumber, server.IPAddresses, server.KeyUsage = big.NewInt(2), []net.IP{ip}, x509.KeyUsageDigitalSignature
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	authority, caKey := signed(ca, nil, nil)
	der, key := signed(server, &ca, caKey)
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{
		"ca.pem":         {Type: "CERTIFICATE", Bytes: authority},
		"server.pem":     {Type: "CERTIFICATE", Bytes: der},
		"server-key.pem": {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, filepath.Join(dir, "ca.pem")
}

// credentials are an operator with one account that has JetStream and a user of it, in a
// file of credentials.
func credentials(t *testing.T, o *server.Options) string {
	t.Helper()
	pair := func(create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := create()
		if err != nil {
			t.Fatal(err)
		}
		public, err := k.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return k, public
	}
	signed := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operator, operatorName := pair(nkeys.CreateOperator)
	account, accountName := pair(nkeys.CreateAccount)
	_, systemName := pair(nkeys.CreateAccount)
	user, userName := pair(nkeys.CreateUser)
	top := jwt.NewOperatorClaims(operatorName)
	top.SystemAccount = systemName
	a := jwt.NewAccountClaims(accountName)
	a.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1, Streams: -1, Consumer: -1}
	accounts := &server.MemAccResolver{}
	for name, text := range map[string]string{accountName: signed(a.Encode(operator)), systemName: signed(jwt.NewAccountClaims(systemName).Encode(operator))} {
		if err := accounts.Store(name, text); err != nil {
			t.Fatal(err)
		}
	}
	o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{top}, accounts, systemName
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.FormatUserConfig(signed(jwt.NewUserClaims(userName).Encode(account)), seed)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "user.creds")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// tryEncrypted: a client trusts an authority of one's own, and is who its file of
// credentials says; without that it is not let in, and it tells neither a server that
// another certificate is for nor one that does not encrypt who it is.
func tryEncrypted(t *testing.T, command []string) {
	o := &server.Options{Host: "127.0.0.1", Port: -1, TLS: true, JetStream: true, StoreDir: t.TempDir()}
	var ca string
	o.TLSConfig, ca = certified(t, net.IPv4(127, 0, 0, 1))
	other, otherCA := certified(t, net.IPv4(10, 0, 0, 1))
	creds := credentials(t, o)
	s := start(t, o)
	js, err := jetstream.New(connect(t, s, nats.RootCAs(ca), nats.UserCredentials(creds)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders.*"}, AllowMsgTTL: true}); err != nil {
		t.Fatal(err)
	}
	client := func(t *testing.T, url string, env ...string) *process {
		return (&fault{T: t, dir: t.TempDir(), command: command}).run("publisher", "shop", url, env...)
	}
	t.Run("authority and credentials", func(t *testing.T) {
		p := client(t, s.ClientURL(), "NATS_CA="+ca, "NATS_CREDS="+creds)
		p.send([]string{"a\torders.1\tx"})
		if out := p.gone(); !slices.Equal(out, []string{"a\tstored\t1"}) {
			t.Errorf("it printed %q", out)
		}
	})
	t.Run("no credentials", func(t *testing.T) {
		p := client(t, s.ClientURL(), "NATS_CA="+ca)
		if code := p.leaves(); code != 1 || !strings.Contains(p.log.String(), "NATS_USER and NATS_PASSWORD say who this is") {
			t.Errorf("it ends with %d and says\n%s", code, p.log)
		}
	})
	if filepath.Base(command[0]) == "node" {
		tryUntrusted(t, client, s.ClientURL(), ca, otherCA)
	}
	for _, env := range []string{"NATS_CA=" + ca + ".not", "NATS_CREDS=" + creds + ".not", "NATS_CREDS=" + ca} {
		t.Run("no such file "+filepath.Base(env), func(t *testing.T) {
			p := client(t, s.ClientURL(), "NATS_CA="+ca, "NATS_CREDS="+creds, env)
			if code := p.leaves(); code != 1 {
				t.Errorf("it ends with %d and says\n%s", code, p.log)
			}
		})
	}
	for _, c := range []struct {
		name string
		is   *tls.Config
		env  []string
	}{
		{"no authority", o.TLSConfig, nil},
		{"certificate of another server", other, []string{"NATS_CA=" + otherCA}},
		{"no encryption", nil, []string{"NATS_CA=" + ca}},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, trusted := pretends(t, c.is)
			p := client(t, url, append(c.env, "NATS_CREDS="+creds)...)
			select {
			case yes := <-trusted:
				if yes {
					t.Error("it tells who it is")
				}
			case <-p.ended: // which is what leaves says more of
			case <-time.After(patience):
				t.Errorf("it does not come; it said\n%s", p.log)
			}
			p.signal(syscall.SIGTERM)
			p.leaves()
		})
	}
}

// tryUntrusted: a client whose library keeps the cause to itself says why it does not trust a
// server, and what to set.
func tryUntrusted(t *testing.T, client func(t *testing.T, url string, env ...string) *process, url, ca, otherCA string) {
	for _, c := range []struct{ name, url, ca, says string }{
		{"an unknown authority is named", url, "", "NATS_CA names the file of the authority"},
		{"another authority is named", url, otherCA, "NATS_CA names the file of the authority"},
		{"a wrong name is named", strings.Replace(url, "127.0.0.1", "localhost", 1), ca, "NATS_URL has to have a name that the certificate is for"},
		{"no encryption is named", single(t).ClientURL(), ca, "does not encrypt, and NATS_CA is set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := client(t, c.url, "NATS_CA="+c.ca)
			p.waitLog(c.says)
			p.signal(syscall.SIGTERM)
			p.leaves()
		})
	}
}

// pretends is a server that a client must not trust, and whether it did: it has said a word
// of the protocol, over TLS where there is a certificate.
func pretends(t *testing.T, is *tls.Config) (url string, trusted <-chan bool) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	said := make(chan bool, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			said <- true // the client has to come
			return
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(patience))
		fmt.Fprintf(conn, `INFO {"server_id":"x","version":"2.15.2","proto":1,"headers":true,"max_payload":1048576,"jetstream":true,"tls_required":%t,"nonce":"abcdefghijk"}`+"\r\n", is != nil)
		if is != nil {
			conn = tls.Server(conn, is)
		}
		first := make([]byte, 1)
		n, err := conn.Read(first)
		if is == nil && n > 0 && first[0] == 22 { // a handshake of TLS, which tells nothing yet
			n, err = 0, nil
		}
		var late net.Error
		said <- n > 0 || errors.As(err, &late) && late.Timeout()
	}()
	return "nats://" + l.Addr().String(), said
}
