package verdict

import "weir/natsapi"

// First releases of the minor versions between which the answers differ.
var (
	v211 = natsapi.Version{Major: 2, Minor: 11}
	v212 = natsapi.Version{Major: 2, Minor: 12}
	v214 = natsapi.Version{Major: 2, Minor: 14}
	v215 = natsapi.Version{Major: 2, Minor: 15}
)

// Changes that came with a patch: the first patch of each minor version that was
// seen to have it, in the sources of 2.10.7, .29; 2.11.0 to .4, .15, .17; 2.12.1,
// .3, .4, .7, .12, .14, .15; 2.14.0, .3 to .10; 2.15.0 to .3. Patches between two
// of these may have it already.
var (
	// endlessBackOff: backoff needs no end of tries (read in 2.10.12 and .14).
	endlessBackOff = patches(10, 14)
	// backOffOfAll: backoff may have as many steps as there are tries (read in
	// 2.10.22 and .23).
	backOffOfAll = patches(10, 23)
	// everythingNeedsNoAck: only a stream without acks may capture everything, or the
	// server's own subjects (read in 2.10.16 and .17).
	everythingNeedsNoAck = patches(10, 17)
	// apiCollides: so may none that merely can reach those subjects (read in
	// 2.10.27 and .28, 2.11.1 and .2).
	apiCollides = patches(10, 28, 11, 2)
	// reservedSpaces: push consumers cannot deliver into the server's own spaces.
	reservedSpaces = patches(14, 10, 15, 3)
	// wholeWildcards: only whole tokens are wildcards when subjects are compared.
	wholeWildcards = patches(14, 10, 15, 3)
	// assetNames: path separators are invalid in names of streams and origins, and
	// names of consumers are looked at with their configuration.
	assetNames = patches(12, 12, 14, 0)
	// limitsWhenSet: consumer_limits that are not set bind no consumers, and the
	// meta leader looks at them.
	limitsWhenSet = patches(12, 12, 14, 3)
	// replicasReserved: the account's bytes are counted with replicas.
	replicasReserved = patches(12, 12, 14, 3)
	// metaReserves: what the meta leader of a cluster placed is not refused by the
	// servers for lack of room.
	metaReserves = patches(12, 12, 14, 3)
	// deliverPolicyFirst: a workqueue looks at the deliver policy before other
	// consumers.
	deliverPolicyFirst = patches(12, 12, 14, 3)
	// reworked: a stream's own subjects are compared one by one, transforms of
	// sources are checked first and for external ones too, filters of a consumer
	// may cross, max_consumers can be updated, and CONSUMER.DURABLE.CREATE stores
	// the name.
	reworked = patches(12, 7)
	// memoryKept: mem_storage of a consumer cannot be updated.
	memoryKept = patches(14, 4)
	// classKept: direct and sourcing of a consumer cannot be updated.
	classKept = patches(14, 6)
	// replicasRefused: a single server refuses replicas in updates too.
	replicasRefused = patches(14, 6)
	// implicitRepublish: republish of everything follows a subject transform.
	implicitRepublish = patches(11, 15, 12, 3)
	// priorityPulls: priority groups are refused on push consumers.
	priorityPulls = patches(11, 8, 12, 0)
	// nullSources: a null among the sources is refused and does not end the process.
	nullSources = patches(11, 15, 12, 4)
	// bodyBeforeLevel: a consumer request is decoded before the API level that its
	// header asks for is looked at.
	bodyBeforeLevel = patches(12, 4)
	// countsFromZero: no limit counts as no bytes when max_bytes changes.
	countsFromZero = patches(11, 15)
)

// patches takes pairs of minor version and patch of 2.x.
func patches(pairs ...int) natsapi.Releases {
	var r natsapi.Releases
	for i := 0; i < len(pairs); i += 2 {
		r = append(r, natsapi.Version{Major: 2, Minor: pairs[i], Patch: pairs[i+1]})
	}
	return r
}
