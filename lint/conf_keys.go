package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// confKeys reports keys of nats-server.conf that the server that is judged for
// does not have.
func (c *checker) confKeys() {
	for _, k := range c.d.ConfKeys() {
		v := c.versionAt(k.Server)
		lacks := func(f natsapi.Field) bool { return !f.In(v) }
		if !lacks(k.Field) || slices.ContainsFunc(k.Around, lacks) {
			continue // a block that is not known says enough
		}
		said := Finding{Code: string(design.CodeUnknown), Severity: design.Error, Path: k.Path, What: fmt.Sprintf("nats-server %s has no key %s in nats-server.conf", v, k.Field.Name)}
		said.Message = said.What + "; " + cameWith(k.Field) + "; the server does not start"
		c.add(said.At(k.Position))
	}
}

// cameWith says which releases have a field.
func cameWith(f natsapi.Field) string {
	text := "it came with " + strings.Join(strings.Fields(f.Since.String()), " and ")
	if f.Until != (natsapi.Version{}) {
		text += fmt.Sprintf(" and went after %d.%d", f.Until.Major, f.Until.Minor)
	}
	return text
}

// versionAt is the version that the server at a path is judged as.
func (c *checker) versionAt(server string) natsapi.Version {
	if c.target != (natsapi.Version{}) {
		return c.target
	}
	for _, l := range c.d.Leafnodes {
		if v, err := natsapi.ParseVersion(l.Server.Version); err == nil && server == design.Join(l.Path, "server") {
			return v
		}
	}
	return c.d.Version
}
