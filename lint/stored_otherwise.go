package lint

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// storedOtherwise makes findings of values that are written and that the server
// stores as others without a word. What stands for "not set" (0, -1, an empty
// text) is meant to be filled in and no surprise, nor are the server's own labels.
func (c *checker) storedOtherwise(r *refused) {
	for _, change := range r.Answer.Changes {
		if change.Kind == verdict.Filled || change.Path == "metadata" || !isSurprise(change) {
			continue
		}
		if change.Path == "ack_wait" && r.Request.Kind == "consumer" {
			continue // backoff takes its place, and CON082 says it
		}
		bodyPath := change.Path
		if r.Request.Kind == "consumer" {
			bodyPath = "config." + bodyPath
		}
		path := r.Request.DesignPath(bodyPath)
		if path == r.Request.Path || !c.d.Has(path) {
			continue
		}
		r.lookAt(path)
		if r.field == nil || !r.field.In(r.v) {
			continue // not known to this server: dropped says so
		}
		f := Finding{Code: CodeStoredOtherwise, Severity: design.Info, Path: path}
		r.tell(&f, changeAdvice(r, change), fmt.Sprintf("nats-server %s accepts it and does not say so", r.v))
		c.add(f.At(c.d.Where(path)))
	}
}

// isSurprise reports whether somebody who wrote the value would expect to find
// it again.
func isSurprise(c verdict.Change) bool {
	switch c.Sent {
	case "", "0", "-0", "-1", `""`, "false", "null":
		return false
	}
	if c.Sent[0] == '{' || c.Sent[0] == '[' || strings.EqualFold(c.Sent, c.Stored) {
		return false // parts of it are filled in, or spelled in another way
	}
	sent, err1 := time.Parse(`"`+time.RFC3339Nano+`"`, c.Sent)
	stored, err2 := time.Parse(`"`+time.RFC3339Nano+`"`, c.Stored)
	return err1 != nil || err2 != nil || !sent.Equal(stored)
}

func changeAdvice(r *refused, c verdict.Change) advice {
	stored := "not stored"
	if c.Stored != "" {
		stored = "stored as " + wireText(r.field, c.Stored)
	}
	a := advice{why: "is " + stored, write: "leave it out"}
	switch name := r.field.Name; {
	case strings.HasPrefix(c.Sent, "-"):
		a.why += ": a negative number means that it is not set"
	case name == "mirror_direct":
		a.why += ", as allow_direct of the stream that is mirrored"
	case name == "deny_purge":
		a.why += ", because delete markers and schedules switch roll-ups on, and those need purging"
	case name == "idle_heartbeat":
		a.why += ", the only value that goes with ack_policy flow_control"
	}
	return a
}

// wireText is a JSON value of the API as people write it: 1s, 10GiB, a word.
func wireText(f *natsapi.Field, raw string) string {
	if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
		switch {
		case f.Type == natsapi.Duration && n > 0:
			return design.FormatDuration(n)
		case f.Type == natsapi.Size && n > 0:
			return design.FormatSize(n)
		}
		return raw
	}
	if s, err := strconv.Unquote(raw); err == nil {
		return s
	}
	return clip(raw)
}
