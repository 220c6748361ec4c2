package dialect

import (
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
)

// FuzzNkeys holds the checks of keys to those of the server's library.
func FuzzNkeys(f *testing.F) {
	for _, kind := range []nkeys.PrefixByte{nkeys.PrefixByteOperator, nkeys.PrefixByteServer, nkeys.PrefixByteCluster, nkeys.PrefixByteAccount, nkeys.PrefixByteUser, nkeys.PrefixByteCurve} {
		pair, err := nkeys.CreatePair(kind)
		if kind == nkeys.PrefixByteCurve {
			pair, err = nkeys.CreateCurveKeys()
		}
		if err != nil {
			f.Fatal(err)
		}
		public, err := pair.PublicKey()
		if err != nil {
			f.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			f.Fatal(err)
		}
		for _, key := range []string{public, string(seed)} {
			f.Add(key)
			f.Add(key[:len(key)-1])
			f.Add(strings.ToLower(key))
			f.Add(string(key[0]+1) + key[1:])
			f.Add(key[:9] + "\n" + key[9:])
		}
	}
	f.Add("")
	f.Add("AAAAAAA")
	f.Fuzz(func(t *testing.T, s string) {
		for kind, valid := range map[byte]func(string) bool{'A': nkeys.IsValidPublicAccountKey, 'U': nkeys.IsValidPublicUserKey, 'X': nkeys.IsValidPublicCurveKey, 'O': nkeys.IsValidPublicOperatorKey} {
			if isPublicKey(kind, s) != valid(s) {
				t.Errorf("%q as a public key of the kind %c: %v, nkeys says %v", s, kind, isPublicKey(kind, s), valid(s))
			}
		}
		if isAnyPublicKey(s) != nkeys.IsValidPublicKey(s) {
			t.Errorf("%q as a public key: %v, nkeys says %v", s, isAnyPublicKey(s), nkeys.IsValidPublicKey(s))
		}
		prefix, _, err := nkeys.DecodeSeed([]byte(s))
		if want := err == nil && prefix == nkeys.PrefixByteUser; isUserSeed(s) != want {
			t.Errorf("%q as the seed of a user: %v, nkeys says %v", s, isUserSeed(s), want)
		}
	})
}
