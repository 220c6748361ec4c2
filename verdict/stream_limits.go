package verdict

import "time"

// Windows and ages (server/stream.go, all versions).
const (
	minStreamTime          = 100 * time.Millisecond
	defaultDuplicateWindow = 2 * time.Minute
)

// fillStreamDefaults is what checkStreamLimits and its neighbours fill in,
// without the checks.
func (j *judge) fillStreamDefaults(c *streamConfig) {
	if c.Storage == "" {
		c.Storage = storageNames.names[0]
	}
	if c.Replicas == 0 {
		c.Replicas = 1
	}
	pedantic := j.pedantic
	j.pedantic = false
	j.checkStreamLimits(c)
	j.fillDuplicateWindow(c)
	j.pedantic = pedantic
}

// checkStreamLimits turns 0, and since 2.12 any other negative number, into -1:
// no limit. Pedantic requests must write -1 themselves.
func (j *judge) checkStreamLimits(c *streamConfig) *refusal {
	return first(
		func() *refusal { return unlimited(j, &c.MaxMsgs, "max_msgs") },
		func() *refusal { return unlimited(j, &c.MaxMsgsPer, "max_msgs_per_subject") },
		func() *refusal { return unlimited(j, &c.MaxBytes, "max_bytes") },
		func() *refusal { return unlimited(j, &c.MaxMsgSize, "max_msg_size") },
		func() *refusal { return unlimited(j, &c.MaxConsumers, "max_consumers") },
	)
}

func unlimited[T int | int32 | int64](j *judge, n *T, name string) *refusal {
	if *n == 0 {
		*n = -1
	}
	if *n < -1 && j.atLeast(v212) {
		if j.pedantic {
			return j.pedanticErr(name, name+" must be set to -1")
		}
		*n = -1
	}
	return nil
}

// checkStreamAge looks at max_age. Up to 2.11 it is checked after the window
// was filled in, and negative ages fall through to the window's rules.
func (j *judge) checkStreamAge(c *streamConfig) *refusal {
	if !j.atLeast(v212) {
		return nil
	}
	if c.MaxAge < 0 {
		return j.invalidConfig("max_age", "max age can not be negative")
	}
	return j.checkSmallAge(c)
}

func (j *judge) checkSmallAge(c *streamConfig) *refusal {
	if c.MaxAge > 0 && c.MaxAge < minStreamTime {
		return j.invalidConfig("max_age", "max age needs to be >= 100ms")
	}
	return nil
}

// checkDuplicateWindow fills in duplicate_window and checks it. Mirrors have
// none by default, nor have streams with sources since 2.14.
func (j *judge) checkDuplicateWindow(c *streamConfig) *refusal {
	if r := j.fillDuplicateWindow(c); r != nil {
		return r
	}
	if !j.atLeast(v212) {
		if r := j.checkSmallAge(c); r != nil {
			return r
		}
	}
	const path = "duplicate_window"
	limit := j.Server.DuplicateWindow
	switch {
	case c.Duplicates < 0:
		return j.invalidConfig(path, "duplicates window can not be negative")
	case c.MaxAge != 0 && c.Duplicates > c.MaxAge:
		return j.invalidConfig(path, "duplicates window can not be larger then max age")
	case limit > 0 && c.Duplicates > limit:
		return j.invalidConfig(path, "duplicates window can not be larger then server limit of "+limit.String())
	case c.Duplicates > 0 && c.Duplicates < minStreamTime:
		return j.invalidConfig(path, "duplicates window needs to be >= 100ms")
	}
	return nil
}

func (j *judge) fillDuplicateWindow(c *streamConfig) *refusal {
	if c.Duplicates != 0 || c.Mirror != nil || j.atLeast(v214) && len(c.Sources) > 0 {
		return nil
	}
	window := defaultDuplicateWindow
	if limit := j.Server.DuplicateWindow; limit > 0 && window > limit {
		if j.pedantic {
			return j.pedanticErr("duplicate_window", j.stuttered("duplicate window limits are higher than current limits"))
		}
		window = limit
	}
	if c.MaxAge != 0 && c.MaxAge < window {
		if j.pedantic {
			return j.pedanticErr("duplicate_window", j.stuttered("duplicate window cannot be bigger than max age"))
		}
		window = c.MaxAge
	}
	c.Duplicates = window
	return nil
}

// stuttered is how 2.11 words some pedantic refusals: the prefix stands twice.
func (j *judge) stuttered(reason string) string {
	if j.atLeast(v212) {
		return reason
	}
	return "pedantic mode: " + reason
}
