package timing

import (
	"slices"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// setting is what the times of a method depend on besides the model. Times of different settings do not compare, so the
// page shows those of the current one. The CSV has all, each with its setting.
type setting struct {
	clip          int // −1 for the static pose
	instances     int
	way           skin.Way
	width, height int // of the pictures, pixels
}

func (p *Page) settingNow() setting {
	s := setting{clip: p.State.Clip, instances: p.Crowd.Drawn, way: p.GPU.Way()}
	s.width, s.height = p.host.ViewPixels()
	return s
}

// withInstances returns the setting with a crowd of another size.
func (s setting) withInstances(n int) setting {
	s.instances = n
	return s
}

// write writes all but the clip into a line of text.
func (s *setting) write(line *ui.Line) *ui.Line {
	return line.Count(s.instances, "instance", "instances").S(", ").S(s.way.String()).S(", ").
		I(s.width).S(" × ").I(s.height).S(" px")
}

type Cost struct {
	PerVertex float64 // seconds per vertex of the skin pass
	Palette   float64 // seconds per frame, on the CPU
	There     bool    // it has been measured
	Together  bool    // by "Measure all", with the others: no single measurement takes its place
	vertices  int
}

type record struct {
	setting
	method skinning.Method
	cost   Cost
}

// mostRecords bounds the costs that are kept. A new one takes the place of the oldest.
const mostRecords = 512

// records are the costs of the model in all settings, oldest first.
type records struct{ list []record }

// of returns the cost of a method in a setting; its There is false for none.
func (r *records) of(s setting, m skinning.Method) Cost {
	for i := range r.list {
		if x := &r.list[i]; x.method == m && x.setting == s {
			return x.cost
		}
	}
	return Cost{}
}

// put keeps the cost of a method in a setting, and drops an earlier one that was not measured with others.
func (r *records) put(s setting, m skinning.Method, c Cost) {
	for i := range r.list {
		if x := &r.list[i]; x.method == m && x.setting == s {
			if c.Together || !x.cost.Together {
				x.cost = c
			}
			return
		}
	}
	if len(r.list) == mostRecords {
		r.list = slices.Delete(r.list, 0, 1)
	}
	r.list = append(r.list, record{s, m, c})
}

// others returns the number of costs in other settings.
func (r *records) others(s setting) (n int) {
	for i := range r.list {
		if r.list[i].setting != s {
			n++
		}
	}
	return n
}

// forgetFitted drops the costs of the fitted model after another one has been shown.
func (r *records) forgetFitted() {
	r.list = slices.DeleteFunc(r.list, func(x record) bool { return x.method == state.Fitted })
}
