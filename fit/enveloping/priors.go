package enveloping

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Examples do not determine everything. A walk does not raise the arms, and in it a shoulder can be predicted from the
// neck as well as from the arm. So prior pairs are appended to the given ones: poses in which every joint turns
// independently of the others, and the rest pose. Their weight is so small that they decide only where the given pairs
// do not.

// skinOf makes the skin of a pose by the rig's own weights.
type skinOf func(x *training.Examples, pose []geom.Affine) []mgl64.Vec3

// withPriors returns the examples with the prior pairs of a recipe appended, with the skin that a function makes of
// each pose, or the same examples where the model or the rig's weights are not known.
func withPriors(x *training.Examples, r *Recipe, skin skinOf) *training.Examples {
	if x.Model == nil || x.Rigged == nil || r.PriorPoses == 0 {
		return x
	}
	var palettes [][]geom.Affine
	var targets [][]mgl64.Vec3
	for _, f := range training.RangeOfMotionPoses(x.Model, r.PriorPoses) {
		palettes, targets = append(palettes, f.Matrices), append(targets, skin(x, f.Matrices))
	}
	rest := make([]geom.Affine, len(x.Parents))
	for j := range rest {
		rest[j] = geom.IdentityAffine()
	}
	palettes, targets = append(palettes, rest), append(targets, x.Rest)
	return x.WithPriors(palettes, targets, slices.Repeat([]float64{r.PriorWeight}, len(targets)))
}

// linearBlended returns what linear blending of the rig's own weights makes in a pose: the prior of trained SSD, whose
// weights stay the rig's where the given pairs do not determine them.
func linearBlended(x *training.Examples, pose []geom.Affine) []mgl64.Vec3 {
	return posed(x.Rest, pose, x.Rigged)
}

// dualBlended returns what dual quaternions make of the rig's own weights in a pose: the prior of the proxies. Linear
// blending would teach the skin to collapse.
func dualBlended(x *training.Examples, pose []geom.Affine) []mgl64.Vec3 {
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

// rotations returns the rotation of every skinning matrix.
func rotations(matrices []geom.Affine) []geom.Quat {
	q := make([]geom.Quat, len(matrices))
	for j := range matrices {
		r, _ := geom.PolarDecompose(matrices[j].Linear())
		q[j] = geom.QuatFromMat3(r)
	}
	return q
}
