package verdict

import "weir/natsapi"

// First releases of the minor versions between which the answers differ. What
// differs between patches of one minor version is not known beyond the five
// releases that were measured (natsapi.Known).
var (
	v211 = natsapi.Version{Major: 2, Minor: 11}
	v212 = natsapi.Version{Major: 2, Minor: 12}
	v214 = natsapi.Version{Major: 2, Minor: 14}
	v215 = natsapi.Version{Major: 2, Minor: 15}
)
