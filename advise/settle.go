package advise

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// mostRounds bounds how often advice is taken to see what follows from it: a
// duplicate_window decides a retry_for, a discard an on_reject.
const mostRounds = 5

// settled is an advice on its way to one that stands when it is taken.
type settled struct {
	d *design.Design
	// taken are the open settings so far, in the order in which they were found;
	// refused says, by path, why one is not advised after all.
	taken   []Setting
	of      map[string]string // the path of the asset that each of them is of, by path
	refused map[string]string
	// stays is what servers refuse with the advice taken.
	stays map[string]verdict.Judgement
}

// settle takes the advice on a design until nothing more follows from it, so that
// what is written is judged beside what is advised, and leaves out what servers
// would refuse.
func settle(d *design.Design) (Advice, error) {
	s := &settled{d: d, of: map[string]string{}, refused: map[string]string{}}
	a, err := read(d)
	if err != nil {
		return a, err
	}
	before := refusals(d)
	s.stays = before
	for range mostRounds {
		if !s.take(a) {
			break
		}
		next := s.accepted(before)
		if next == nil {
			break
		}
		if a, err = read(next); err != nil {
			return a, err
		}
	}
	s.mark(&a)
	a.Relax = append(a.Relax, s.saidRefused()...)
	a.count()
	return a, nil
}

// take adds the settings that are open and new; false when there are none. Ids
// come first: they make messages larger.
func (s *settled) take(a Advice) bool {
	isID := func(set Setting) bool { return set.Field == "msg_id" }
	return s.takeOnly(a, isID) || s.takeOnly(a, func(Setting) bool { return true })
}

func (s *settled) takeOnly(a Advice, which func(Setting) bool) bool {
	n := len(s.taken)
	for _, asset := range a.Assets {
		for _, set := range asset.Settings {
			if set.State == Open && set.Path != "" && s.refused[set.Path] == "" && s.at(set.Path) < 0 && which(set) {
				s.taken = append(s.taken, set)
				s.of[set.Path] = asset.Path
			}
		}
	}
	return len(s.taken) > n
}

func (s *settled) at(path string) int {
	return slices.IndexFunc(s.taken, func(t Setting) bool { return t.Path == path })
}

// accepted is the design with what is taken, less what makes servers refuse an
// asset that they accepted before. nil where the design cannot be made.
func (s *settled) accepted(before map[string]verdict.Judgement) *design.Design {
	for {
		values, problems := design.ParseYAML(design.NewSource("advised", []byte(s.text())))
		if problems.Failed() {
			return nil
		}
		d, problems := s.d.With(values)
		if problems.Failed() {
			return nil
		}
		s.stays = refusals(d)
		if len(s.taken) == 0 || !s.leaveOut(before, s.stays) {
			return d
		}
	}
}

// leaveOut takes settings back that servers refuse; false when there are none.
func (s *settled) leaveOut(before, after map[string]verdict.Judgement) bool {
	n := len(s.taken)
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[path]; had {
			continue
		}
		j := after[path]
		at := j.Request.DesignPath(j.Answer.Path)
		// The setting that the answer names, else what was to be set there, else
		// all that servers are told.
		for _, which := range []func(Setting) bool{
			func(t Setting) bool { return t.Path == at },
			func(t Setting) bool { return t.api != nil && design.Parent(t.Path) == path },
			func(t Setting) bool { return t.api != nil },
		} {
			if s.drop(fmt.Sprintf("servers would refuse %s: %d %s", path, j.Answer.ErrCode, j.Answer.Description), which) {
				break
			}
		}
	}
	return len(s.taken) < n
}

func (s *settled) drop(why string, which func(Setting) bool) bool {
	n := len(s.taken)
	s.taken = slices.DeleteFunc(s.taken, func(t Setting) bool {
		if which(t) {
			s.refused[t.Path] = "with " + t.Advised + ", " + why
			return true
		}
		return false
	})
	return len(s.taken) < n
}

// mark gives an advice that was made with the settings taken the states that they
// have without. What is not asked again once it is set, is listed as it was.
func (s *settled) mark(a *Advice) {
	listed := map[string]bool{}
	for i := range a.Assets {
		list := a.Assets[i].Settings
		for k := range list {
			listed[list[k].Path] = true
			if at := s.at(list[k].Path); at >= 0 {
				list[k] = s.taken[at]
			} else if why := s.refused[list[k].Path]; why != "" && list[k].State == Open {
				list[k].State, list[k].Advised, list[k].Reason, list[k].Rejected, list[k].Working = Default, "none", why, []Rejected{}, nil
			}
		}
	}
	for _, t := range s.taken {
		i := slices.IndexFunc(a.Assets, func(x Asset) bool { return x.Path == s.of[t.Path] })
		if i >= 0 && !listed[t.Path] {
			a.Assets[i].Settings = append(a.Assets[i].Settings, t)
		}
	}
}

// text is what is taken as a design file has it.
func (s *settled) text() string {
	root := &tree{}
	for _, t := range s.taken {
		root.set(design.Split(t.Path), t.Advised)
	}
	return root.text()
}

// tree is a map of settings on its way to a text.
type tree struct {
	keys  []string
	below []*tree
	value string
}

func (t *tree) set(steps []string, value string) {
	if len(steps) == 0 {
		t.value = value
		return
	}
	at := slices.Index(t.keys, steps[0])
	if at < 0 {
		at = len(t.keys)
		t.keys, t.below = append(t.keys, steps[0]), append(t.below, &tree{})
	}
	t.below[at].set(steps[1:], value)
}

func (t *tree) text() string {
	if len(t.keys) == 0 && t.value != "" {
		return t.value
	}
	parts := make([]string, len(t.keys))
	for i, key := range t.keys {
		parts[i] = design.YAMLText(key) + ": " + t.below[i].text()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// refusals are the requests of a design that servers refuse, by the asset's path.
func refusals(d *design.Design) map[string]verdict.Judgement {
	out := map[string]verdict.Judgement{}
	for _, j := range verdict.JudgeDesign(d, natsapi.Version{}) {
		if j.Answer.Verdict != verdict.OK {
			out[j.Request.Path] = j
		}
	}
	return out
}

// saidRefused says what servers refuse, the advice taken.
func (s *settled) saidRefused() (out []string) {
	for _, path := range slices.Sorted(maps.Keys(s.stays)) {
		switch j := s.stays[path]; j.Answer.Verdict {
		case verdict.Refused:
			out = append(out, fmt.Sprintf("The servers refuse %s: %d %s.", path, j.Answer.ErrCode, strings.TrimSuffix(j.Answer.Description, ".")))
		case verdict.NoReply:
			out = append(out, fmt.Sprintf("No server answers the request for %s.", path))
		}
	}
	return out
}
