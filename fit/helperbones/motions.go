package helperbones

import (
	"skinlab/fit/ssdr"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// Motions returns the matrices [helper][example] that a rig gives its bones in the poses of examples, rest space to
// world.
func Motions(x *ssdr.Examples, r *rig.HelperBones) [][]geom.Affine {
	s := &x.Model.Skeleton
	out := make([][]geom.Affine, len(r.Bones))
	variables := make([][3]float64, len(r.Inputs))
	for n := range x.Targets {
		for i := range r.Inputs {
			in := &r.Inputs[i]
			variables[i] = in.Variables(in.Turn(s, x.Palettes[n]).Log().Mul(2))
		}
		for h := range r.Bones {
			b := &r.Bones[h]
			m := r.Motion(h, variables)
			l := m.Local(b.Place, rig.BindFrame(&s.Joints[b.Parent]))
			out[h] = append(out[h], x.Palettes[n][b.Parent].Mul(l))
		}
	}
	return out
}
