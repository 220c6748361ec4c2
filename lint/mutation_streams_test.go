package lint

import (
	"fmt"

	"weir/design"
)

// streamMutants are the faults of streams, servers and permissions.
func streamMutants(d *design.Design) []mutant {
	var out []mutant
	add := func(code, path, value string, more ...written) {
		out = append(out, mutant{fmt.Sprintf("%s at %s: %s", code, path, value), code, append([]written{{path, value}}, more...)})
	}
	for _, s := range d.Streams {
		at := func(name string) string { return design.Join(s.Path, name) }
		if len(s.Config.Subjects) == 0 {
			continue
		}
		if sends(d, s) {
			add("STR011", at("max_bytes"), "100B", written{at("discard"), "old"})
		}
		if s.Config.Retention.String() == "Limits" && d.Has(at("max_age")) && s.Config.MaxMsgsPer == 0 && s.Config.MaxMsgs+s.Config.MaxBytes > 0 && !s.Config.AllowMsgTTL {
			add("STR010", at("max_age"), "0", written{at("discard"), "new"})
		}
		if d.Server.Nodes >= 3 {
			add("CLU080", at("num_replicas"), "2")
			add("CLU017", at("num_replicas"), "1", written{"goals", "{survive: [node]}"})
		}
		for _, c := range s.Consumers {
			of := func(name string) string { return design.Join(c.Path, name) }
			if s.Config.Replicas >= 3 && s.Config.Retention.String() == "Limits" && c.Config.AckPolicy.String() == "Explicit" && c.Config.InactiveThreshold == 0 && c.Config.Durable+c.Config.Name != "" {
				add("CLU016", of("num_replicas"), "1")
			}
			if len(c.Config.BackOff) == 0 && c.Config.AckPolicy.String() == "Explicit" {
				add("STR021", of("ack_wait"), "30ns")
			}
			if taken, known := rateOf(c); known && s.Config.Discard.String() == "Old" && s.Config.Mirror == nil && surelyArrives(d, s, c) > 2 && taken > 0 {
				add("STR012", of("workers"), "{count: 1, service_time: 1h}", written{at("max_msgs"), "10"})
			}
		}
	}
	if d.Server.Nodes >= 3 && hasReplicas(d) {
		add("CLU012", "server.zones", "[one]")
	}
	if d.Server.Disk > 0 {
		add("CAP010", "server.conf", "{jetstream: {max_file_store: "+design.FormatSize(d.Server.Disk)+"}}")
	}
	if d.Server.Memory > 0 {
		add("CAP016", "server.conf", "{jetstream: {max_memory_store: "+design.FormatSize(d.Server.Memory/8*7)+"}}")
	}
	add("SRV011", "server.conf", "{write_deadline: 1h}")
	add("SRV012", "server.conf", "{jetstream: {store_dir: /mnt/nfs/js}}")
	add("SRV013", "server.conf", "{max_payload: 64MiB}")
	return out
}

// sends reports whether a publisher's messages, all of them, go to a stream.
func sends(d *design.Design, s *design.Stream) bool {
	for _, p := range feedsOf(&d.Scope) {
		if feed, ok := p.through(s.Config.Subjects); ok && feed.All && p.Payload.Kind != design.DistAbsent && p.Rate > 0 && p.Payload.MeanValue() > 100 {
			return true
		}
	}
	return false
}

func rateOf(c *design.Consumer) (float64, bool) {
	return (&Consumer{Consumer: c, Of: &Stream{}, Config: c.Config}).PerSecond()
}

// surelyArrives is what a consumer certainly gets, in messages a second.
func surelyArrives(d *design.Design, s *design.Stream, c *design.Consumer) float64 {
	of := &Stream{facts: &Facts{Design: d}, Config: s.Config, offered: feedsOf(&d.Scope)}
	return (&Consumer{Consumer: c, Of: of, Config: c.Config}).Load().Low
}

func hasReplicas(d *design.Design) bool {
	for _, s := range d.Streams {
		if s.Config.Replicas >= 3 {
			return true
		}
	}
	return false
}
