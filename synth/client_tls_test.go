//go:build !js

package synth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// selfSigned is a certificate for loopback, and the file that it is its own authority in.
func selfSigned(t *testing.T) (*tls.Config, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	is := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, is, is, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, file
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

// TestClientTLS: a publisher trusts an authority of one's own, and is who its file of
// credentials says; without that it is not let in.
func TestClientTLS(t *testing.T) {
	needs(t, "go")
	dir := put(t, generate(t, "go", parse(t, "{weir: 1, publishers: {p: {subject: s, rate: 1/s, payload: 1B, mode: core}}}")), nil)
	run(t, dir, "go", "build", "-mod=readonly", "-o", "clients", ".")
	o := &server.Options{Host: "127.0.0.1", Port: -1, TLS: true}
	var ca string
	o.TLSConfig, ca = selfSigned(t)
	creds := credentials(t, o)
	s := start(t, o)
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"both", []string{"NATS_CA=" + ca, "NATS_CREDS=" + creds}, "a\tsent\tcore"},
		{"no credentials", []string{"NATS_CA=" + ca}, "NATS_USER and NATS_PASSWORD say who this is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "clients"), "publisher", "p")
			cmd.Dir = t.TempDir()
			cmd.Env = append(append(os.Environ(), "NATS_URL="+s.ClientURL()), c.env...)
			cmd.Stdin = strings.NewReader("a\ts\tx\n")
			out, _ := cmd.CombinedOutput()
			if !strings.Contains(string(out), c.want) {
				t.Errorf("there is no %q in\n%s", c.want, out)
			}
		})
	}
}
