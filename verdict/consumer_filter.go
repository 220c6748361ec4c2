package verdict

import (
	"fmt"

	"weir/subject"
)

// checkFilters: one filter or several, valid, and none within another; up to
// 2.11 none that crosses another (server/consumer.go, checkConsumerCfg).
func (j *judge) checkFilters(c *consumerConfig) *refusal {
	if c.FilterSubject != "" && len(c.FilterSubjects) > 0 {
		return j.refuse(10136, "config.filter_subject")
	}
	if c.FilterSubject != "" && !subject.Valid(c.FilterSubject) {
		return j.invalidConfig("config.filter_subject", badSubject)
	}
	for i, filter := range c.FilterSubjects {
		if filter == "" {
			return j.refuse(10139, fmt.Sprintf("config.filter_subjects[%d]", i))
		}
	}
	for i, filter := range c.FilterSubjects {
		path := fmt.Sprintf("config.filter_subjects[%d]", i)
		if !subject.Valid(filter) {
			return j.invalidConfig(path, badSubject)
		}
		for k, other := range c.FilterSubjects {
			if j.tired() {
				break
			}
			if k != i && j.filtersOverlap(filter, other) {
				return j.refuse(10138, path)
			}
		}
	}
	return nil
}

func (j *judge) filtersOverlap(a, b string) bool {
	if j.has(reworked) {
		return j.within(a, b)
	}
	return j.collide(a, b)
}
