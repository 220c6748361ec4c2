package verdict

import (
	"fmt"
	"slices"

	"weir/design"
	"weir/natsapi"
)

// forRoom are the refusals of what has no room: package size counts it, and says
// how much is missing, so that what is refused for it is still sized.
// Source: nats-server v2.15.2 server/errors.json.
var forRoom = []int{10002, 10005, 10023, 10028, 10047}

// forText is the refusal of a text that the API cannot decode: who reads the file
// says so, and what is left out of it.
const forText = 10025

// RefusedOf lists what servers of the design's version refuse of it, whatever room
// they have, in the order in which it is asked for. Consumers of a refused stream
// are not listed by themselves.
func RefusedOf(d *design.Design) []design.Refused {
	return (*Kept)(nil).RefusedOf(d)
}

// RefusedOf is the function of that name; answers that it has are not worked out
// again.
func (k *Kept) RefusedOf(d *design.Design) (out []design.Refused) {
	for _, j := range k.JudgeDesign(d, natsapi.Version{}) {
		if j.Answer.Verdict == OK || j.Orphan || j.Answer.ErrCode == forText || slices.Contains(forRoom, j.Answer.ErrCode) {
			continue
		}
		text := fmt.Sprintf("%d/%d %s", j.Answer.Code, j.Answer.ErrCode, j.Answer.Description)
		if j.Answer.Verdict != Refused {
			text = "the server does not answer"
		}
		out = append(out, design.Refused{Path: j.Request.Path, Text: text})
	}
	return out
}
