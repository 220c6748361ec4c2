package verdict

import (
	"fmt"
	"strconv"
	"strings"
)

// checkStart: where delivery starts is said by deliver_policy and by at most one
// of two members, and they must agree (server/consumer.go, checkConsumerCfg).
func (j *judge) checkStart(c *consumerConfig) *refusal {
	also := func(start, member string) *refusal {
		return j.refuse(10094, "config."+member, fmt.Sprintf(
			"consumer delivery policy is deliver %s, but optional start %s is also set", spoken(c.DeliverPolicy), start))
	}
	missing := func(what, member string) *refusal {
		return j.refuse(10094, "config."+member, fmt.Sprintf(
			"consumer delivery policy is deliver %s, but optional %s is not set", spoken(c.DeliverPolicy), what))
	}
	switch c.DeliverPolicy {
	case "by_start_sequence":
		if c.OptStartSeq == 0 {
			return missing("start sequence", "opt_start_seq")
		}
		if c.OptStartTime != nil {
			return also("time", "opt_start_time")
		}
	case "by_start_time":
		if c.OptStartTime == nil {
			return missing("start time", "opt_start_time")
		}
		if c.OptStartSeq != 0 {
			return also("start sequence", "opt_start_seq")
		}
	default:
		if c.OptStartSeq > 0 {
			return also("sequence", "opt_start_seq")
		}
		if c.OptStartTime != nil {
			return also("time", "opt_start_time")
		}
		if c.DeliverPolicy == "last_per_subject" && len(c.filters()) == 0 {
			return missing("filter subject", "filter_subject")
		}
	}
	return nil
}

// spoken is a deliver policy as the server's texts write it.
func spoken(policy string) string { return strings.ReplaceAll(policy, "_", " ") }

// checkSampling: sample_freq is a number from 0, with or without "%".
func (j *judge) checkSampling(c *consumerConfig) *refusal {
	if c.SampleFreq == "" {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(c.SampleFreq, "%"))
	if err == nil && n >= 0 {
		return nil
	}
	reason := "<nil>" // the server prints the error that it does not have
	if err != nil {
		reason = err.Error()
	}
	return j.refuse(10095, "config.sample_freq", reason)
}
