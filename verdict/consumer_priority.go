package verdict

import "fmt"

// maxGroupName is the longest name of a priority group (validGroupName,
// server/consumer.go).
const maxGroupName = 16

// checkPriority: priority groups are for pull consumers and go together with a
// policy; since 2.12 neither groups nor timeout pass without one
// (server/consumer.go, checkConsumerCfg, since 2.11).
func (j *judge) checkPriority(c *consumerConfig) *refusal {
	if c.PriorityPolicy == "none" {
		if !j.atLeast(v212) {
			return nil
		}
		if len(c.PriorityGroups) > 0 {
			return j.refuse(10196, "config.priority_groups")
		}
		if c.PriorityTimeout > 0 {
			return j.refuse(10197, "config.priority_timeout")
		}
		return nil
	}
	if c.DeliverSubject != "" && j.has(priorityPulls) {
		return j.refuse(10178, "config.priority_policy")
	}
	if len(c.PriorityGroups) == 0 {
		return j.refuse(10159, "config.priority_groups")
	}
	for i, group := range c.PriorityGroups {
		path := fmt.Sprintf("config.priority_groups[%d]", i)
		if group == "" {
			return j.refuse(10161, path)
		}
		if !validGroupName(group) {
			return j.refuse(10162, path)
		}
	}
	return nil
}

func validGroupName(s string) bool {
	if len(s) > maxGroupName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			c == '/' || c == '_' || c == '=' || c == '-') {
			return false
		}
	}
	return true
}
