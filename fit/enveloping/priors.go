package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping/flatrigs"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// Examples do not determine everything. A walk does not raise the arms, and in it a shoulder can be predicted from the
// neck as well as from the arm. So prior pairs are appended to the given ones: poses in which every joint turns
// independently of the others, with the skin that dual quaternion blending of the rig's own weights makes there (linear
// blending would teach the skin to collapse). Their weight is so small that they decide only where the given pairs do
// not. Without them, a fit fails on other motions (row 1). The last prior pair is the rest pose. Its shape is known,
// but examples may differ from it even where no joint is turned. So it weighs less than a given pair (row 6).
//
// The three constants were tuned on the sets (rows 2 to 5, 7, 8).
const (
	priorPoses  = 24
	priorWeight = 0.005 // of a pair, where a given one has 1
	restWeight  = 0.3
)

// withPriorPoses returns the examples with the prior pairs appended, or the same examples where the model or the rig's
// weights are not known.
func (x *Examples) withPriorPoses() *Examples {
	return x.withPoses(func(pose []geom.Affine) Example {
		pose = x.carried(pose)
		return Example{Matrices: pose, Target: x.dualBlended(pose)}
	})
}

// heldToRig is withPriorPoses with the skin that linear blending makes of the rig's own weights, for trained SSD: weights
// that the given pairs do not determine stay the rig's. Here a flat rig may tear, since both skins do.
func (x *Examples) heldToRig() *Examples {
	return x.withPoses(func(pose []geom.Affine) Example {
		out := make([]mgl64.Vec3, len(x.Rest))
		for v, p := range x.Rest {
			out[v] = blend(pose, x.Rigged[v], p)
		}
		return Example{Matrices: pose, Target: out}
	})
}

// withPoses appends what skinned returns for each prior pose, and the rest pose.
func (x *Examples) withPoses(skinned func(pose []geom.Affine) Example) *Examples {
	if x.model == nil || x.Rigged == nil {
		return x
	}
	out := *x
	out.priors = priorPoses + 1
	out.Pairs = append(make([]Example, 0, len(x.Pairs)+out.priors), x.Pairs...)
	for _, f := range training.RangeOfMotionPoses(x.model, priorPoses) {
		out.Pairs = append(out.Pairs, skinned(f.Matrices))
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

// carried returns a pose of the model in which trees of joints move with the parents that flatrigs.Connect gave them.
// The joints of a flat rig each turn in place, which would tear the skin.
func (x *Examples) carried(pose []geom.Affine) []geom.Affine {
	own := make([]int, len(pose))
	for j := range own {
		own[j] = x.model.Skeleton.Joints[j].Parent
	}
	root, _ := flatrigs.Trees(own)
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

// given returns the number of pairs that are no priors. They come first.
func (x *Examples) given() int { return len(x.Pairs) - x.priors }

// weights returns the weight of each pair's squared errors.
func (x *Examples) weights() []float64 {
	w := make([]float64, len(x.Pairs))
	for i := range w {
		switch w[i] = 1; {
		case i >= x.given():
			w[i] = priorWeight
		case x.Weights != nil:
			w[i] = x.Weights[i]
		}
	}
	if x.priors > 0 {
		w[len(w)-1] = restWeight
	}
	return w
}

// roots returns the square roots of the weights.
func (x *Examples) roots() []float64 {
	w := x.weights()
	for i := range w {
		w[i] = math.Sqrt(w[i])
	}
	return w
}

// The prior poses turn every joint far and have little weight, so they do not determine small rotations. If a clip only
// twists a spine, the error of the fit is linear in the angle by which the spine bends, while that of linear blending
// is quadratic. So further prior pairs follow: small rotations of each joint in the directions in which the examples do
// not turn it. The regressions of shear (regression.go) and of c₁ and c₂ (adjust.go) use the difference of such a pair
// from the rest pose, with a large weight. It determines the derivative of the skin in these directions, and hardly
// matters in the directions that the examples contain. In all other sums these pairs weigh as much as prior poses.
//
// The skin of these pairs is dual quaternion blending of the rig's weights. Their weight is multiplied by how well dual
// quaternion blending predicts the given pairs, see trustIn (row 10). Without these pairs the figure that learns a
// twist is worse than trained SSD on its walk (row 9). The constants were tuned on the sets (rows 11 to 16).
const (
	priorTurnPoses = priorPoses
	priorTurnPart  = 0.13 // of the rotations of a prior pose
	// priorTurnWeight is the weight of a difference from the rest pose at trust 1, where a given pair has weight 1.
	priorTurnWeight = 0.8
	// taughtAngle, in radians, decides in which directions the examples turn a joint. If the root of the sum of the
	// joint's squared angles over the examples equals taughtAngle in a direction, the prior rotation is halved there.
	taughtAngle = 0.3
)

// priorTurns is the place of the pairs with small rotations among the pairs.
type priorTurns struct {
	first, rest int     // they are [first, rest), and the pair behind them is the rest pose
	trust       float64 // from 0 to 1; 0 where there are no such pairs
}

// has reports whether a pair is one of these pairs.
func (u *priorTurns) has(pair int) bool { return u.first <= pair && pair < u.rest }

// withPriorTurns returns examples that have prior poses with the pairs of small rotations inserted before the rest
// pose, or the same examples where the trust is 0. Trained is the sum of trained SSD's squared errors over the given
// pairs, square metres.
func (x *Examples) withPriorTurns(trained float64) *Examples {
	if x.priors == 0 {
		return x
	}
	trust := x.trustIn(trained)
	if trust == 0 {
		return x
	}
	out := *x
	rest := len(x.Pairs) - 1
	out.priors += priorTurnPoses
	out.turns = priorTurns{rest, rest + priorTurnPoses, trust}
	out.Pairs = append(make([]Example, 0, len(x.Pairs)+priorTurnPoses), x.Pairs[:rest]...)
	taught := x.taughtTurns()
	for _, f := range training.RangeOfMotionPoses(x.model, priorTurnPoses) {
		pose := x.untaught(x.carried(f.Matrices), taught)
		out.Pairs = append(out.Pairs, Example{Matrices: pose, Target: x.dualBlended(pose)})
	}
	out.Pairs = append(out.Pairs, x.Pairs[rest])
	return &out
}

// trustIn returns 1 − e/trained, at least 0, where e is the sum of the squared errors of dual quaternion blending of
// the rig's weights over the given pairs. It is 1 where the examples are dual quaternion blending, and 0 where that is
// no better than trained SSD, as on skins with muscles and on scans.
func (x *Examples) trustIn(trained float64) float64 {
	sum := 0.0
	for i := range x.given() {
		pair := &x.Pairs[i]
		for v, p := range x.dualBlended(pair.Matrices) {
			d := p.Sub(pair.Target[v])
			sum += d.Dot(d)
		}
	}
	if !(sum < trained) {
		return 0
	}
	return 1 - sum/trained
}

// taughtTurns returns per joint Σ_i θ_i·θ_iᵀ over the given pairs, square radians.
func (x *Examples) taughtTurns() []geom.Mat3 {
	var turns rig.JointRotations
	taught := make([]geom.Mat3, len(x.Parent))
	for i := range x.given() {
		turns.Set(x.Parent, nil, rotations(x.Pairs[i].Matrices))
		for j, v := range turns.Theta {
			for k := range taught[j] {
				taught[j][k] += v[k/3] * v[k%3]
			}
		}
	}
	return taught
}

// untaught returns a pose in which each joint turns by priorTurnPart·ε²·(Σθθᵀ + ε²)⁻¹·θ, where θ is its rotation
// vector in the given pose, Σθθᵀ is taught (see taughtTurns) and ε is taughtAngle. Roots stay where they are at rest.
func (x *Examples) untaught(pose []geom.Affine, taught []geom.Mat3) []geom.Affine {
	const square = taughtAngle * taughtAngle
	var turns rig.JointRotations
	turns.Set(x.Parent, nil, rotations(pose))
	out := make([]geom.Affine, len(pose))
	done := make([]bool, len(pose))
	var turn func(j int) geom.Affine
	turn = func(j int) geom.Affine {
		if done[j] {
			return out[j]
		}
		done[j], out[j] = true, geom.IdentityAffine()
		if p := x.Parent[j]; p >= 0 {
			m := taught[j]
			for k := range 3 {
				m[4*k] += square
			}
			left, _ := invert(m) // m is positive definite
			v := left.Apply(turns.Theta[j]).Mul(priorTurnPart * square)
			from, at := turn(p), x.model.Skeleton.Joints[j].Position
			linear := from.Linear().Mul(geom.AxisAngle(v, v.Len()).Mat3())
			out[j] = geom.NewAffine(linear, from.Apply(at).Sub(linear.Apply(at)))
		}
		return out[j]
	}
	for j := range pose {
		turn(j)
	}
	return out
}

// weight returns the weight of a difference from the rest pose.
func (u *priorTurns) weight() float64 { return priorTurnWeight * u.trust }
