package studio

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/andybalholm/brotli"
)

// packed is a file in the two encodings that the site is kept in.
type packed struct {
	brotli []byte // quality 9, with the default window
	gzip   []byte // level 9
}

// pack compresses a page that an export changed; what the build makes is
// compressed by web/build/pack.mjs. The result depends only on the input.
func pack(body []byte) (packed, error) {
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, 9)
	if _, err := b.Write(body); err != nil {
		return packed{}, fmt.Errorf("compress with brotli: %w", err)
	}
	if err := b.Close(); err != nil {
		return packed{}, fmt.Errorf("compress with brotli: %w", err)
	}
	z, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return packed{}, fmt.Errorf("compress with gzip: %w", err)
	}
	if _, err := z.Write(body); err != nil {
		return packed{}, fmt.Errorf("compress with gzip: %w", err)
	}
	if err := z.Close(); err != nil {
		return packed{}, fmt.Errorf("compress with gzip: %w", err)
	}
	return packed{br.Bytes(), gz.Bytes()}, nil
}
