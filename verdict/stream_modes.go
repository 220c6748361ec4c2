package verdict

import "time"

// Rules between a stream's modes: roll-ups, counters, discard, delete markers,
// schedules, persist mode (server/stream.go, checkStreamCfg).

// checkRollup: roll-ups purge, so deny_purge excludes them.
func (j *judge) checkRollup(c *streamConfig) *refusal {
	if c.DenyPurge && c.AllowRollup {
		return j.invalidConfig("allow_rollup_hdrs", "roll-ups require the purge permission")
	}
	return nil
}

// checkCounter: since 2.12. It runs before delete markers switch message TTLs
// on, so counter and subject_delete_marker_ttl pass the first time and fail
// where the configuration is checked again.
func (j *judge) checkCounter(c *streamConfig) *refusal {
	switch {
	case !c.Counter:
		return nil
	case c.Discard == "new":
		return j.invalidConfig("allow_msg_counter", "counter stream cannot use discard new")
	case c.AllowMsgTTL:
		return j.invalidConfig("allow_msg_counter", "counter stream cannot use message TTLs")
	case c.Schedules:
		return j.invalidConfig("allow_msg_counter", "counter stream cannot use message schedules")
	case c.Retention != "limits":
		return j.invalidConfig("allow_msg_counter", "counter stream can only use limits retention")
	}
	return nil
}

// checkDiscardPerSubject: discard_new_per_subject needs two other members.
func (j *judge) checkDiscardPerSubject(c *streamConfig) *refusal {
	const path = "discard_new_per_subject"
	switch {
	case !c.DiscardNewPer:
		return nil
	case c.Discard != "new":
		return j.invalidConfig(path, "discard new per subject requires discard new policy to be set")
	case c.MaxMsgsPer <= 0:
		return j.invalidConfig(path, "discard new per subject requires max msgs per subject > 0")
	}
	return nil
}

// checkDeleteMarkers: since 2.11. Markers switch message TTLs and roll-ups on,
// and deny_purge off.
func (j *judge) checkDeleteMarkers(c *streamConfig) *refusal {
	const path = "subject_delete_marker_ttl"
	switch {
	case c.MarkerTTL < 0:
		return j.invalidConfig(path, "subject delete marker TTL must not be negative")
	case c.MarkerTTL == 0:
		return nil
	case c.MarkerTTL < time.Second:
		return j.invalidConfig(path, "subject delete marker TTL must be at least 1 second")
	}
	if !c.AllowMsgTTL {
		if j.pedantic {
			return j.invalidConfig(path, "subject delete marker cannot be set if message TTLs are disabled")
		}
		c.AllowMsgTTL = true
	}
	return j.switchRollupOn(c, path, "subject delete marker")
}

// checkSchedules: since 2.12.
func (j *judge) checkSchedules(c *streamConfig) *refusal {
	const path = "allow_msg_schedules"
	if !c.Schedules {
		return nil
	}
	if c.Discard == "new" {
		return j.invalidConfig(path, "message scheduling cannot use discard new")
	}
	return j.switchRollupOn(c, path, "message scheduling")
}

func (j *judge) switchRollupOn(c *streamConfig, path, what string) *refusal {
	if c.AllowRollup {
		return nil
	}
	if j.pedantic {
		return j.invalidConfig(path, what+" cannot be set if roll-ups are disabled")
	}
	c.AllowRollup, c.DenyPurge = true, false
	return nil
}

// checkPersistMode: since 2.12.
func (j *judge) checkPersistMode(c *streamConfig) *refusal {
	const path = "persist_mode"
	switch {
	case c.Persist != "async":
		return nil
	case c.Storage != "file":
		return j.invalidConfig(path, "async persist mode is only supported on file storage")
	case c.Replicas > 1:
		return j.invalidConfig(path, "async persist mode is not supported on replicated streams")
	case c.Atomic:
		return j.invalidConfig(path, "async persist mode is not supported with atomic batch publish")
	}
	return nil
}
