package verdict

import "strconv"

// checkConsumer fills in c's defaults and checks it (server/consumer.go,
// setConsumerConfigDefaults and checkConsumerCfg), in the server's order.
func (j *judge) checkConsumer(c *consumerConfig, st *streamConfig) *refusal {
	return first(
		func() *refusal { return j.fillConsumerDefaults(c, st) },
		func() *refusal { return j.checkConsumerNames(c) },
		func() *refusal { return j.checkConsumerReplicas(c, st) },
		func() *refusal { return j.checkAckWait(c) },
		func() *refusal { return j.checkFlowControlAck(c) },
		func() *refusal { return j.checkBackOffSteps(c) },
		func() *refusal { return j.checkConsumerDescription(c) },
		func() *refusal { return j.checkDelivery(c, st) },
		func() *refusal { return j.checkConsumerLimits(c, st) },
		func() *refusal { return j.checkDirect(c) },
		func() *refusal { return j.checkFilters(c) },
		func() *refusal { return j.checkStart(c) },
		func() *refusal { return j.checkSampling(c) },
		func() *refusal { return j.checkFlowControlHeartbeat(c) },
		func() *refusal { return j.checkSameNames(c) },
		func() *refusal { return j.checkConsumerMetadata(c) },
		func() *refusal { return j.checkPriority(c) },
	)
}

// checkConsumerNames: since 2.12.
func (j *judge) checkConsumerNames(c *consumerConfig) *refusal {
	if !j.has(assetNames) {
		return nil
	}
	const chars = ` can not contain '.', '*', '>', '\', '/'`
	if c.Name != "" && !j.validAssetName(c.Name) {
		return j.invalidConfig("config.name", "consumer name"+chars)
	}
	if c.Durable != "" && !j.validAssetName(c.Durable) {
		return j.invalidConfig("config.durable_name", "consumer durable name"+chars)
	}
	return nil
}

// checkConsumerReplicas: not more than the stream; as many where a message goes
// when it is acknowledged.
func (j *judge) checkConsumerReplicas(c *consumerConfig, st *streamConfig) *refusal {
	const path = "config.num_replicas"
	switch {
	case c.Replicas > st.Replicas:
		return j.refuse(10126, path)
	case c.Replicas < 0:
		return j.refuse(10133, path)
	case st.Retention != "limits" && c.Replicas != 0 && c.Replicas != st.Replicas:
		return j.refuse(10134, path)
	}
	return nil
}

func (j *judge) checkConsumerDescription(c *consumerConfig) *refusal {
	if len(c.Description) > maxDescriptionBytes {
		return j.refuse(10107, "config.description", strconv.Itoa(maxDescriptionBytes))
	}
	return nil
}

func (j *judge) checkSameNames(c *consumerConfig) *refusal {
	if c.Durable != "" && c.Name != "" && c.Durable != c.Name {
		return j.refuse(10132, "config.name")
	}
	return nil
}

func (j *judge) checkConsumerMetadata(c *consumerConfig) *refusal {
	if metadataBytes(c.Metadata) > maxMetadataBytes {
		return j.refuse(10135, "config.metadata", strconv.Itoa(maxMetadataBytes/1024)+"KB")
	}
	return nil
}
