package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Examples of a walk say nothing of raised arms, and in them a shoulder that follows the neck twice as far is as good as one that follows
// the arm. Behind the pairs that were given come supposed ones: poses in which every joint turns by itself, in which the skin does what dual
// quaternions make of the rig's own weights, since linear blending would teach it to collapse; and last the rest pose, whose shape is known. The
// poses weigh so little that they decide only what the examples leave open, the rest pose as a third of an example: examples may have been
// worked over there too.
const (
	supposedPoses  = 24
	supposedWeight = 0.005 // of a pair, where a given one has 1
	restWeight     = 0.3
)

// withSupposed returns the examples with supposed pairs behind.
func (x *Examples) withSupposed() *Examples {
	if x.model == nil || x.Rigged == nil {
		return x
	}
	out := *x
	out.supposed = supposedPoses + 1
	out.Pairs = append(make([]Example, 0, len(x.Pairs)+out.supposed), x.Pairs...)
	for _, f := range training.RangeOfMotionPoses(x.model, supposedPoses) {
		pose := x.carried(f.Matrices)
		out.Pairs = append(out.Pairs, Example{Matrices: pose, Target: x.dualBlended(pose)})
	}
	still := make([]geom.Affine, len(x.Parent))
	for j := range still {
		still[j] = geom.IdentityAffine()
	}
	out.Pairs = append(out.Pairs, Example{Matrices: still, Target: x.Rest})
	return &out
}

// dualBlended returns what dual quaternions make of the rig's own weights in a pose.
func (x *Examples) dualBlended(pose []geom.Affine) []mgl64.Vec3 {
	rigid := make([]geom.DualQuat, len(pose))
	for j, q := range rotations(pose) {
		m := &pose[j]
		rigid[j] = geom.NewDualQuat(q, mgl64.Vec3{m[3], m[7], m[11]})
	}
	out := make([]mgl64.Vec3, len(x.Rest))
	for v, p := range x.Rest {
		out[v] = dualBlend(rigid, x.Rigged[v]).Apply(p)
	}
	return out
}

// carried returns a pose of the model as it is where its trees hang together (see hangTogether): a tree that hangs on a joint moves with it. Of a
// flat rig, whose joints all turn in their places, that makes a pose that does not tear it.
func (x *Examples) carried(pose []geom.Affine) []geom.Affine {
	own := make([]int, len(pose))
	for j := range own {
		own[j] = x.model.Skeleton.Joints[j].Parent
	}
	root, _ := treesOf(own)
	out := make([]geom.Affine, len(pose))
	done := make([]bool, len(pose))
	var carry func(j int) geom.Affine
	carry = func(j int) geom.Affine {
		if !done[j] {
			out[j] = pose[j]
			if p := x.Parent[root[j]]; p >= 0 {
				out[j] = carry(p).Mul(pose[j])
			}
			done[j] = true
		}
		return out[j]
	}
	for j := range pose {
		carry(j)
	}
	return out
}

// dualBlend is dual quaternion linear blending (ALNS equation 7), signs as of the largest weight.
func dualBlend(rigid []geom.DualQuat, weights []skinning.Share) geom.Affine {
	pivot := weights[0]
	for _, s := range weights {
		if s.Weight > pivot.Weight {
			pivot = s
		}
	}
	var sum geom.DualQuat
	for _, s := range weights {
		w := s.Weight
		if rigid[s.Joint].Real.Dot(rigid[pivot.Joint].Real) < 0 {
			w = -w
		}
		sum = sum.Add(rigid[s.Joint].Scale(w))
	}
	return sum.Normalize().Affine()
}

// given returns how many pairs are not supposed.
func (x *Examples) given() int { return len(x.Pairs) - x.supposed }

// weights returns the weight of each pair's squared errors.
func (x *Examples) weights() []float64 {
	w := make([]float64, len(x.Pairs))
	for i := range w {
		if w[i] = 1; i >= x.given() {
			w[i] = supposedWeight
		}
	}
	if x.supposed > 0 {
		w[len(w)-1] = restWeight
	}
	return w
}

// roots returns the square roots of the weights: what the errors themselves are multiplied by.
func (x *Examples) roots() []float64 {
	w := x.weights()
	for i := range w {
		w[i] = math.Sqrt(w[i])
	}
	return w
}
