package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Examples leave much open. A walk does not raise the arms, and predicts a shoulder from the neck as well as from the
// arm. So prior pairs are appended to the given ones: poses in which every joint turns independently of the others, with
// the skin that dual quaternion blending of the rig's own weights makes there (linear blending would teach the skin to
// collapse). Their weight is so small that they decide only what the given pairs leave open. The last prior pair is the
// rest pose. Its shape is known, but examples may differ from it even where no joint is turned, so that it weighs less
// than a given pair.
const (
	priorPoses  = 24
	priorWeight = 0.005 // of a pair, where a given one has 1
	restWeight  = 0.3
)

// withPriorPoses returns the examples with the prior pairs appended, or the same examples where the model or the rig's
// weights are not known.
func (x *Examples) withPriorPoses() *Examples {
	if x.model == nil || x.Rigged == nil {
		return x
	}
	out := *x
	out.priors = priorPoses + 1
	out.Pairs = append(make([]Example, 0, len(x.Pairs)+out.priors), x.Pairs...)
	for _, f := range training.RangeOfMotionPoses(x.model, priorPoses) {
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

// carried returns a pose of the model in which trees of joints move with the parents that connectFlatRigs gave them. In a
// flat rig every joint turns in its place, which would tear the skin.
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

// given returns the number of pairs that are no priors. These come first.
func (x *Examples) given() int { return len(x.Pairs) - x.priors }

// weights returns the weight of each pair's squared errors.
func (x *Examples) weights() []float64 {
	w := make([]float64, len(x.Pairs))
	for i := range w {
		if w[i] = 1; i >= x.given() {
			w[i] = priorWeight
		}
	}
	if x.priors > 0 {
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
