package transfer

import (
	"fmt"

	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// shiftTimes is the number of times of each clip at which shifts are looked for.
const shiftTimes = 17

// shifts says which joints below the root the model's clips move or scale against their parents, "" where there are
// none. A transfer loses that: limbs turn, and the root alone moves too.
func (r *rig) shifts() string {
	s := &r.model.Skeleton
	between := make([]bool, len(s.Nodes)) // a limb, or above one, and below the root
	for _, i := range r.node {
		for ; i != r.node[0]; i = s.Nodes[i].Parent {
			between[i] = true
		}
	}
	globals, pose := make([]geom.Affine, len(s.Nodes)), r.model.NewPose()
	s.Globals(globals, pose)
	size, most := diagonal(r.body.Vertices), make([]float64, len(s.Nodes)) // shares of the size
	for c := range r.model.Clips {
		for k := range shiftTimes {
			r.model.SamplePose(pose, c, r.model.Clips[c].Seconds*float64(k)/(shiftTimes-1))
			for i := range s.Nodes {
				if at, rest := &pose.Local[i], &s.Nodes[i].Rest; between[i] {
					parent := globals[s.Nodes[i].Parent].Linear()
					shift := parent.Apply(at.Translation.Sub(rest.Translation)).Len() / size
					most[i] = max(most[i], shift, at.Scale.Sub(rest.Scale).Len())
				}
			}
		}
	}
	count, first := 0, 0
	for i, x := range most {
		if x > poorShare {
			count++
		}
		if x > most[first] {
			first = i
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("the body's clips move or scale %s against those above, %q most: a transfer only turns joints, and moves "+
		"the root alone", messages.Count(count, "joint", "joints"), messages.Shortened(s.Nodes[first].Name))
}
