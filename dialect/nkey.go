package dialect

import (
	"encoding/base32"
	"encoding/binary"
	"strings"
)

// Keys are checked here and not by the library nkeys, whose cryptography takes
// 137 KB of engine.wasm as brotli; a test holds the two to the same answers.

var base32Unpadded = base32.StdEncoding.WithPadding(base32.NoPadding)

// nkeyBytes are the bytes of a key without its checksum: base32 of a kind, the key,
// and CRC-16/XMODEM of both, the low byte first (nkeys 0.4.15, strkey.go).
func nkeyBytes(s string) (raw []byte, ok bool) {
	raw, err := base32Unpadded.DecodeString(s)
	if err != nil || len(raw) < 4 {
		return nil, false
	}
	raw, sum := raw[:len(raw)-2], raw[len(raw)-2:]
	crc := uint16(0)
	for _, b := range raw {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return raw, crc == binary.LittleEndian.Uint16(sum)
}

// nkeyLetter is the letter of a kind, by its bits in the first byte: base32 has
// them as the first character.
func nkeyLetter(bits byte) byte { return 'A' + bits>>3 }

// isPublicKey reports whether a text is a public key of the kind of a letter.
func isPublicKey(kind byte, s string) bool {
	raw, ok := nkeyBytes(s)
	return ok && nkeyLetter(raw[0]&248) == kind
}

// isAnyPublicKey reports whether a text is a public key of an operator, a server, a
// cluster, an account, a user or a curve.
func isAnyPublicKey(s string) bool {
	raw, ok := nkeyBytes(s)
	return ok && len(raw) == 1+32 && raw[0]&7 == 0 && strings.IndexByte("ONCAUX", nkeyLetter(raw[0])) >= 0
}

// isUserSeed reports whether a text is the private key of a user: S, then the kind.
func isUserSeed(s string) bool {
	raw, ok := nkeyBytes(s)
	return ok && nkeyLetter(raw[0]&248) == 'S' && nkeyLetter((raw[0]&7)<<5|raw[1]&248>>3) == 'U' && len(raw) == 2+32
}
