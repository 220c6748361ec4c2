package verdict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// Kept holds the answers to a design's requests for consumers, so that the next
// judgement of the design, after an edit, asks only for what the edit bears on.
// The answers are the same as without it. The zero value holds nothing; a nil
// *Kept keeps nothing. It is not safe for concurrent use.
//
// What a server answers to a consumer's creation depends on its version and limits,
// on the stream's stored configuration, and on the consumers that the stream has
// already: so answers hang together as the requests followed each other, below the
// stream that they began with.
type Kept struct {
	streams map[string]*keptAnswer
	run     int
}

// keptAnswer is the answer to a request that came after those that lead to it.
type keptAnswer struct {
	subject string
	body    []byte
	answer  Answer
	run     int // in which it was asked for last
	next    []*keptAnswer
}

// JudgeDesign is the function of that name; answers that it has are not worked out
// again.
func (k *Kept) JudgeDesign(d *design.Design, target natsapi.Version) []Judgement {
	return judgeDesign(d, target, k)
}

// Forget drops all answers that were not asked for since it was called last.
func (k *Kept) Forget() {
	for key, root := range k.streams {
		if root.run != k.run {
			delete(k.streams, key)
		}
	}
	var all []*keptAnswer
	for _, root := range k.streams {
		all = append(all, root)
	}
	for len(all) > 0 { // and no recursion: a stream may have thousands of consumers
		last := all[len(all)-1]
		last.next = slices.DeleteFunc(last.next, func(a *keptAnswer) bool { return a.run != k.run })
		all = append(all[:len(all)-1], last.next...)
	}
	k.run++
}

// keptJudge is Kept while one design is judged.
type keptJudge struct {
	*Kept
	// at is the answer that was given last of a stream's consumers.
	at    map[*stream]*keptAnswer
	sites map[*Setting]string
}

// apply is s.Apply of a request for a consumer of a stream.
func (k *keptJudge) apply(s *Setting, streamName string, r Request) Answer {
	st := s.streams[streamName]
	if k.Kept == nil || st == nil || !strings.HasPrefix(r.Subject, "CONSUMER.CREATE."+streamName+".") {
		if st != nil {
			k.at[st] = &keptAnswer{} // what follows it is not what followed before
		}
		return s.Apply(r)
	}
	at := k.at[st]
	if at == nil {
		at = k.begin(s, st)
	}
	i := slices.IndexFunc(at.next, func(a *keptAnswer) bool { return a.subject == r.Subject && bytes.Equal(a.body, r.Body) })
	if i < 0 {
		i = len(at.next)
		at.next = append(at.next, &keptAnswer{subject: r.Subject, body: r.Body, answer: Judge(s, r)})
	}
	one := at.next[i]
	one.run, k.at[st] = k.run, one
	if one.answer.Verdict == OK && one.answer.apply != nil {
		one.answer.apply(s)
	}
	return one.answer
}

// begin finds the answers below a stream as it is stored, on such servers.
func (k *keptJudge) begin(s *Setting, st *stream) *keptAnswer {
	site, known := k.sites[s]
	if !known {
		site = fmt.Sprint(s.Version, s.clustered(), s.Server, s.Account, s.Strict, s.Interest)
		k.sites[s] = site
	}
	key := string(appendObject([]byte(site), s.Version, st.config.fields(s.Version)))
	root := k.streams[key]
	if root == nil {
		if k.streams == nil {
			k.streams = map[string]*keptAnswer{}
		}
		root = &keptAnswer{}
		k.streams[key] = root
	}
	root.run = k.run
	return root
}
