package lint

import (
	"encoding/json"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// Kept holds what a check found out that does not change with most edits: the
// servers' answers about consumers, and what they store. The next check with it
// reports the same as one without, and works out only what is new. It grows with each
// check until Forget. The zero value holds nothing. It is not safe for concurrent use.
type Kept struct {
	answers   verdict.Kept
	streams   keptConfigs[api.StreamConfig]
	consumers keptConfigs[api.ConsumerConfig]
}

// Forget drops what no check has asked for since it was called last. Called after the
// check of an edit, it leaves what that check and those before it, back to the edit
// before, have asked for.
func (k *Kept) Forget() {
	k.answers.Forget()
	k.streams.forget()
	k.consumers.forget()
}

// keptConfigs are stored configurations, decoded, by their texts.
type keptConfigs[T any] struct{ asked, before map[string]*T }

// read decodes a configuration; false when it cannot be. Lists and maps in it are
// shared and not to be changed.
func (k *keptConfigs[T]) read(text verdict.JSON, into *T) bool {
	one := k.asked[string(text)]
	if one == nil {
		one = k.before[string(text)]
	}
	if one == nil {
		one = new(T)
		if json.Unmarshal(text, one) != nil {
			return false
		}
	}
	if k.asked == nil {
		k.asked = map[string]*T{}
	}
	k.asked[string(text)] = one
	*into = *one
	return true
}

func (k *keptConfigs[T]) forget() { k.asked, k.before = nil, k.asked }

func (k *Kept) judge(d *design.Design, target natsapi.Version) []verdict.Judgement {
	if k == nil {
		return verdict.JudgeDesign(d, target)
	}
	return k.answers.JudgeDesign(d, target)
}

func (k *Kept) stream(text verdict.JSON, into *api.StreamConfig) bool {
	if k == nil {
		return json.Unmarshal(text, into) == nil
	}
	return k.streams.read(text, into)
}

func (k *Kept) consumer(text verdict.JSON, into *api.ConsumerConfig) bool {
	if k == nil {
		return json.Unmarshal(text, into) == nil
	}
	return k.consumers.read(text, into)
}
