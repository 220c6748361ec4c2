package verdict

import (
	"strconv"
	"strings"
)

// Limits of names and texts (server/jetstream_api.go, all versions).
const (
	maxNameBytes        = 255
	maxDescriptionBytes = 4 * 1024
	maxMetadataBytes    = 128 * 1024
	maxReplicas         = 5 // StreamMaxReplicas, server/stream.go
)

// checkStreamConfig fills in c's defaults and checks it (server/stream.go,
// checkStreamCfg), in the server's order. It runs for every create and update,
// for clusters and updates twice.
func (j *judge) checkStreamConfig(c *streamConfig) *refusal {
	return first(
		func() *refusal { return j.checkStreamTexts(c) },
		func() *refusal { return j.checkStreamReplicas(c) },
		func() *refusal { return j.checkStreamLimits(c) },
		func() *refusal { return j.checkStreamAge(c) },
		func() *refusal { return j.checkDuplicateWindow(c) },
		func() *refusal { return j.checkRollup(c) },
		func() *refusal { return j.checkCounter(c) },
		func() *refusal { return j.checkDiscardPerSubject(c) },
		func() *refusal { return j.checkDeleteMarkers(c) },
		func() *refusal { return j.checkSchedules(c) },
		func() *refusal { return j.checkPersistMode(c) },
		func() *refusal { return j.checkOrigins(c) },
		func() *refusal { return j.checkCycle(c) },
		func() *refusal { return j.checkStreamSubjects(c) },
		func() *refusal { return j.checkMaxBytesRequired(c) },
		func() *refusal { return j.checkOwnOverlapLate(c) },
		func() *refusal { return j.checkSubjectTransform(c) },
		func() *refusal { return j.checkRepublish(c) },
		func() *refusal { return j.checkPlacement(c) },
	)
}

// checkStreamTexts looks at name, description and metadata.
func (j *judge) checkStreamTexts(c *streamConfig) *refusal {
	if !j.validAssetName(c.Name) {
		reason := "stream name is required and can not contain '.', '*', '>'"
		if j.has(assetNames) {
			reason += `, '\', '/'`
		}
		return j.invalidConfig("name", reason)
	}
	if len(c.Name) > maxNameBytes {
		return j.invalidConfig("name", "stream name is too long, maximum allowed is "+strconv.Itoa(maxNameBytes))
	}
	if len(c.Description) > maxDescriptionBytes {
		return j.invalidConfig("description", "stream description is too long, maximum allowed is "+strconv.Itoa(maxDescriptionBytes))
	}
	if metadataBytes(c.Metadata) > maxMetadataBytes {
		return j.invalidConfig("metadata", "stream metadata exceeds maximum size of "+strconv.Itoa(maxMetadataBytes)+" bytes")
	}
	return nil
}

func metadataBytes(m map[string]string) int {
	n := 0
	for k, v := range m {
		n += len(k) + len(v)
	}
	return n
}

// validAssetName is isValidAssetName (server/jetstream.go, since 2.12) and
// before that isValidName, which allowed path separators.
func (j *judge) validAssetName(name string) bool {
	return name != "" && !strings.ContainsAny(name, " \t\r\n\f.*>") &&
		(!j.has(assetNames) || !strings.ContainsAny(name, `\/`))
}

// checkStreamReplicas fills in storage and num_replicas.
func (j *judge) checkStreamReplicas(c *streamConfig) *refusal {
	if c.Storage == "" {
		c.Storage = storageNames.names[0]
	}
	if c.Replicas == 0 {
		c.Replicas = 1
	}
	if c.Replicas > maxReplicas {
		return j.invalidConfig("num_replicas", "maximum replicas is "+strconv.Itoa(maxReplicas))
	}
	if c.Replicas < 0 {
		return j.refuse(10133, "num_replicas")
	}
	return nil
}

// checkMaxBytesRequired looks at what the account demands of one stream
// (10113 and 10122).
func (j *judge) checkMaxBytesRequired(c *streamConfig) *refusal {
	limit := j.Account.StoreMaxStreamBytes
	if c.Storage == "memory" {
		limit = j.Account.MemoryMaxStreamBytes
	}
	if j.Account.MaxBytesRequired && c.MaxBytes <= 0 {
		return j.refuse(10113, "max_bytes")
	}
	if limit > 0 && c.MaxBytes > limit {
		return j.refuse(10122, "max_bytes")
	}
	return nil
}
