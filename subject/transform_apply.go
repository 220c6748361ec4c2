package subject

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
)

// work is what one application of a transform needs: the subject in pieces and
// the result as it grows.
type work struct {
	subject string
	tokens  []string
	random  func(int) int
	out     []byte
	key     []byte
}

// workPool saves the allocations of work, which the functions of a table would
// otherwise cost each time.
var workPool = sync.Pool{New: func() any { return new(work) }}

// Apply returns what a literal subject becomes. It returns an error when the
// subject has an empty or a wildcard token, or does not match the source, as
// the server's Match does. random(n) takes its number from random, which must
// return a value in [0, n); nil means math/rand.
func (t *Transform) Apply(subject string, random func(n int) int) (string, error) {
	if t == nil {
		return subject, nil
	}
	if t.source == Rest && len(t.parts) == 1 && t.parts[0].text == Rest {
		return subject, nil
	}
	w := workPool.Get().(*work)
	defer w.release()
	if !w.load(subject) {
		return "", &TransformError{Reason: reasonSubject, Hint: "give a subject without empty and wildcard tokens"}
	}
	if t.source != Rest && !MatchesFilterOn(subject, t.source, t.release) {
		return "", &TransformError{Reason: reasonNoTransform, Hint: fmt.Sprintf("%q does not match %s", cut(subject, maxClip), clip(t.source))}
	}
	if random == nil {
		random = rand.IntN
	}
	w.random = random
	for i, p := range t.parts {
		if i > 0 {
			w.out = append(w.out, '.')
		}
		switch {
		case p.call != nil:
			p.call.function.write(w, p.call, p.args)
		case p.text == Rest:
			w.appendFrom(t.sourceCount - 1)
		default:
			w.out = append(w.out, p.text...)
		}
	}
	return string(w.out), nil
}

// load takes a subject apart; it reports whether it has neither empty nor
// wildcard tokens, as ValidLiteral does.
func (w *work) load(subject string) bool {
	w.subject, w.tokens, w.out = subject, w.tokens[:0], w.out[:0]
	start := 0
	for i := 0; i <= len(subject); i++ {
		if i < len(subject) && subject[i] != '.' {
			continue
		}
		t := subject[start:i]
		if t == "" || t == One || t == Rest {
			return false
		}
		w.tokens = append(w.tokens, t)
		start = i + 1
	}
	return true
}

// release gives the work back without the strings of its caller.
func (w *work) release() {
	w.subject, w.random = "", nil
	clear(w.tokens)
	workPool.Put(w)
}

// appendFrom writes the tokens from one on.
func (w *work) appendFrom(token int) {
	for i := token; i < len(w.tokens); i++ {
		if i > token {
			w.out = append(w.out, '.')
		}
		w.out = append(w.out, w.tokens[i]...)
	}
}

// PartitionOf returns the partition in [0, n) that the server's partition
// function gives a key: FNV-1a (32 bits) modulo n
// (server/subject_transform.go:getHashPartition, v2.15.2). The server counts n
// in 32 bits without a sign: 0 (and 1<<32) give 0, a negative n is a large one.
// 2.10.29 and 2.11.17 divide by 0 instead and stop.
func PartitionOf(key string, n int) int { return partitionOf([]byte(key), n) }

func partitionOf(key []byte, n int) int {
	buckets := uint32(n)
	if buckets == 0 {
		return 0
	}
	h := fnv.New32a()
	h.Write(key)
	return int(h.Sum32() % buckets)
}

func writeWildcard(w *work, _ *call, args []int) { w.out = append(w.out, w.tokens[args[0]]...) }

func writePartition(w *work, c *call, args []int) {
	w.key = w.key[:0]
	for _, at := range args {
		w.key = append(w.key, w.tokens[at]...)
	}
	if len(args) == 0 {
		w.key = append(w.key, w.subject...)
	}
	w.out = strconv.AppendInt(w.out, int64(partitionOf(w.key, c.number)), 10)
}

func writeRandom(w *work, c *call, _ []int) {
	n := c.number
	if n < 0 {
		n = -n // the server takes a remainder, whose sign is the dividend's
	}
	if n > 0 {
		n = w.random(n)
	}
	w.out = strconv.AppendInt(w.out, int64(n), 10)
}

func writeSplitFromLeft(w *work, c *call, args []int) {
	w.cut(w.tokens[args[0]], c.number, c.number)
}

func writeSplitFromRight(w *work, c *call, args []int) {
	token := w.tokens[args[0]]
	w.cut(token, c.number, len(token)-c.number)
}

// cut writes a token in two, if n is positive and leaves something on both sides.
func (w *work) cut(token string, n, at int) {
	if n <= 0 || n >= len(token) {
		w.out = append(w.out, token...)
		return
	}
	w.out = append(w.out, token[:at]...)
	w.out = append(w.out, '.')
	w.out = append(w.out, token[at:]...)
}

func writeSliceFromLeft(w *work, c *call, args []int) {
	w.slices(w.tokens[args[0]], c.number, c.number)
}

func writeSliceFromRight(w *work, c *call, args []int) {
	token := w.tokens[args[0]]
	first := c.number
	if c.number > 0 && len(token)%c.number > 0 {
		first = len(token) % c.number
	}
	w.slices(token, c.number, first)
}

// slices writes a token in pieces of n bytes, the first piece having its own
// length.
func (w *work) slices(token string, n, first int) {
	if n <= 0 || n >= len(token) {
		w.out = append(w.out, token...)
		return
	}
	for at, size := 0, first; at < len(token); at, size = at+size, n {
		if at > 0 {
			w.out = append(w.out, '.')
		}
		w.out = append(w.out, token[at:min(at+size, len(token))]...)
	}
}

func writeLeft(w *work, c *call, args []int) {
	token := w.tokens[args[0]]
	if c.number > 0 && c.number < len(token) {
		token = token[:c.number]
	}
	w.out = append(w.out, token...)
}

func writeRight(w *work, c *call, args []int) {
	token := w.tokens[args[0]]
	if c.number > 0 && c.number < len(token) {
		token = token[len(token)-c.number:]
	}
	w.out = append(w.out, token...)
}

func writeSplit(w *work, c *call, args []int) {
	pieces := strings.Split(w.tokens[args[0]], c.delimiter)
	for i, p := range pieces {
		w.out = append(w.out, p...)
		// The server's own condition: no dot before an empty piece, nor behind an
		// empty first one.
		if i < len(pieces)-1 && pieces[i+1] != "" && (i > 0 || p != "") {
			w.out = append(w.out, '.')
		}
	}
}
