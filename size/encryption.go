package size

// Encryption at rest (server/filestore.go:genEncryptionKeysForBlock, setupAEK):
// blocks keep their size, because they are encrypted as a stream; every block
// has a key file, and meta.inf and index.db carry nonce and tag.
const encryptionSource = "server/filestore.go:genEncryptionKeys, setupAEK (v2.15.2); measured in 9 cells"

// The sizes of a nonce, a seed and a tag.
const (
	chachaNonce = 24
	aesNonce    = 16
	keySeed     = 32
	sealTag     = 16
)

// keyFile is the size of one key file, sealed what sealing a file adds to it.
func (c Cipher) keyFile() float64 { return c.sealed() + keySeed }

func (c Cipher) sealed() float64 {
	if c == AES {
		return aesNonce + sealTag
	}
	return chachaNonce + sealTag
}

// keys is what the key files of so many blocks and of the stream take.
func keys(blocks Figure, c Cipher) Figure {
	each := coefficient("key file", c.keyFile(), Bytes, Measured, encryptionSource)
	return sum("encryption", Bytes,
		product("keys of blocks", Bytes, blocks, each),
		each.as("key of the stream"),
		coefficient("nonces and tags of meta.inf and index.db", 2*c.sealed(), Bytes, Measured, encryptionSource))
}
