package enveloping

import (
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The supposed poses turn every joint far, and weigh so little that they do not hold what examples leave free of small
// turns: of a clip that twists a spine, a fit learns to miss by something linear in how far it bends, where linear
// blending is off by a square. So behind the supposed pairs come more, of what the examples do not show and of that
// alone: of each joint's turns in a supposed pose a part, less what it turns by in the examples. Where the scale and
// shear of keys and c₁ and c₂ are regressed they count by what they differ from the rest pose in. That holds how the
// skin begins to move in such directions, says nothing of the rest pose itself, and next to nothing where the examples
// show how joints turn. Everywhere else they weigh as supposed poses do.
//
// Of what dual quaternions make of the rig's weights that is as true as the examples say it is: see trustIn.
const (
	unshownPoses = supposedPoses
	unshownPart  = 0.13 // of the turns of a supposed pose
	// unshownWeight is of a difference from the rest pose, where a given pair has 1, if what is supposed is trusted whole.
	unshownWeight = 0.8
	// unshownAngle is in radians, the root of the sum of squares over the examples: a direction in which a joint turned
	// so far counts half as shown.
	unshownAngle = 0.3
)

// unshown says where the pairs of what the examples do not show are.
type unshown struct {
	first, rest int     // they are [first, rest), and the pair behind them is the rest pose
	trust       float64 // in what is supposed, 0 to 1; 0 where there are no such pairs
}

// has reports whether a pair is one of them.
func (u *unshown) has(pair int) bool { return u.first <= pair && pair < u.rest }

// withUnshown returns examples that have supposed pairs with those of what is not shown, before the rest pose; the
// same where what is supposed cannot be trusted. Trained is what trained SSD misses the given pairs by, squares summed,
// square metres.
func (x *Examples) withUnshown(trained float64) *Examples {
	if x.supposed == 0 {
		return x
	}
	trust := x.trustIn(trained)
	if trust == 0 {
		return x
	}
	out := *x
	rest := len(x.Pairs) - 1
	out.supposed += unshownPoses
	out.unshown = unshown{rest, rest + unshownPoses, trust}
	out.Pairs = append(make([]Example, 0, len(x.Pairs)+unshownPoses), x.Pairs[:rest]...)
	shown := x.shownTurns()
	for _, f := range training.RangeOfMotionPoses(x.model, unshownPoses) {
		pose := x.notShown(x.carried(f.Matrices), shown)
		out.Pairs = append(out.Pairs, Example{Matrices: pose, Target: x.dualBlended(pose)})
	}
	out.Pairs = append(out.Pairs, x.Pairs[rest])
	return &out
}

// trustIn returns by what share of trained SSD's squared error the given pairs are nearer to what is supposed of them:
// 1 where they are just that, 0 where they are no nearer, as skins of muscles and scans are.
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

// shownTurns returns per joint Σ_i θ_i·θ_iᵀ over the given pairs, square radians.
func (x *Examples) shownTurns() []geom.Mat3 {
	var turns skinning.JointRotations
	shown := make([]geom.Mat3, len(x.Parent))
	for i := range x.given() {
		turns.Set(x.Parent, nil, rotations(x.Pairs[i].Matrices))
		for j, v := range turns.Theta {
			for k := range shown[j] {
				shown[j][k] += v[k/3] * v[k%3]
			}
		}
	}
	return shown
}

// notShown returns the pose in which joints turn by the part of their turns in another pose that is not shown,
// ε²·(Σθθᵀ + ε²)⁻¹ of it. Roots stay where they are at rest.
func (x *Examples) notShown(pose []geom.Affine, shown []geom.Mat3) []geom.Affine {
	const square = unshownAngle * unshownAngle
	var turns skinning.JointRotations
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
			m := shown[j]
			for k := range 3 {
				m[4*k] += square
			}
			left, _ := invert(m) // a sum of squares and more is definite
			v := left.Apply(turns.Theta[j]).Mul(unshownPart * square)
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
func (u *unshown) weight() float64 { return unshownWeight * u.trust }
