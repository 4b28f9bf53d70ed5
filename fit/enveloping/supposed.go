package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/blendbones"
	"skinlab/skinning"
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
	for _, f := range blendbones.RangeOfMotion(x.model, supposedPoses) {
		target := make([]mgl64.Vec3, len(x.Rest))
		for v, p := range x.Rest {
			target[v] = f.Phi(skinning.SDQS, x.Rigged[v], mgl64.Vec3{}).Apply(p)
		}
		out.Pairs = append(out.Pairs, Example{f.Matrices, target})
	}
	still := make([]skinning.Affine, len(x.Parent))
	for j := range still {
		still[j] = skinning.IdentityAffine()
	}
	out.Pairs = append(out.Pairs, Example{still, x.Rest})
	return &out
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
