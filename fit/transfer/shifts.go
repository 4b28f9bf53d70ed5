package transfer

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// leastShift is the motion of a joint against its parent, as a share of the body's diagonal, above which a pose without
// it is another: [poorShare]. CesiumMan's joints move by 0.002 in its walk, those of inverse-kinematics rigs by 0.1.
const leastShift = poorShare

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
	globals := make([]geom.Affine, len(s.Nodes))
	s.Globals(globals, r.model.NewPose())
	size, most := diagonal(r.body.Vertices), make([]float64, len(s.Nodes)) // shares of the size
	for c := range r.model.Clips {
		for k := range r.model.Clips[c].Channels {
			if ch := &r.model.Clips[c].Channels[k]; ch.Path != skinning.PathWeights && between[ch.Node] {
				at := globals[s.Nodes[ch.Node].Parent].Linear()
				most[ch.Node] = math.Max(most[ch.Node], shiftOf(ch, &s.Nodes[ch.Node].Rest, at, size))
			}
		}
	}
	count, first := 0, 0
	for i, x := range most {
		if x > leastShift {
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

// shiftOf returns the most that a channel's keys move a node from its rest below a parent with these axes, or scale it,
// as a share of the size.
func shiftOf(ch *skinning.Channel, rest *geom.Transform, parent geom.Mat3, size float64) (most float64) {
	if ch.Path == skinning.PathRotation {
		return 0
	}
	stride, value := 3, 0
	if ch.Interpolation == skinning.CubicSpline {
		stride, value = 9, 3
	}
	for ; value+3 <= len(ch.Values); value += stride {
		var x mgl64.Vec3
		for k := range x {
			x[k] = float64(ch.Values[value+k])
		}
		if ch.Path == skinning.PathTranslation {
			most = math.Max(most, parent.Apply(x.Sub(rest.Translation)).Len()/size)
			continue
		}
		for k := range x {
			most = math.Max(most, math.Abs(x[k]-rest.Scale[k]))
		}
	}
	return most
}
