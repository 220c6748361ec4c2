package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// unread makes a finding of each value of a request that is of another type than
// the API's. The server names the first one, which is told already, and would
// name the next one after that; of a configuration that was put together from
// several texts it is not asked about any of them.
func (c *checker) unread(r *refused) {
	told := ""
	if r.Answer.ErrCode == 10025 {
		told = r.Request.DesignPath(r.Answer.Path)
	}
	if c.misread == nil {
		c.misread = append(design.Problems{}, design.Unread(c.d)...)
	}
	for _, p := range c.misread {
		rest, below := strings.CutPrefix(p.Path, r.Request.Path+".")
		if !below || p.Severity != design.Error || p.Path == told || r.Request.Kind == "stream" && strings.HasPrefix(rest, "consumers.") {
			continue
		}
		r.lookAt(p.Path)
		a := wrongType(r)
		if a.why == "" {
			a = unknownWord(r)
		}
		if a.why == "" {
			a = advice{why: "is not " + natsapi.Time.OnWire(), write: "write " + natsapi.Time.OnWire()}
		}
		f := Finding{Code: apiCode(10025), Severity: design.Error, Path: p.Path, ErrCode: 10025, Fix: a.fix}
		r.tell(&f, a, fmt.Sprintf("nats-server %s answers 400/10025 invalid JSON to it as well", r.v))
		c.add(f.At(p.Position))
	}
}
