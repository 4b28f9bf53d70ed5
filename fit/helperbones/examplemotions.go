package helperbones

import (
	"fmt"

	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// ExampleMotions is what examples ask of the helper bones of a model: points beside the curves of their controllers.
type ExampleMotions struct {
	Variables [][][3]float64       // [example][input], as [rig.HelperInput.Variables] has them
	Motions   [][]rig.HelperMotion // [example][bone]
}

// ExampleMotionsOf returns the motions that examples ask of a model's helper bones: each bone brings the vertices that it moves
// as near to the example as it can while all other bones move as their controllers say (equation 6 for one bone).
// Where a rig's controllers scale no bone, none is scaled. The examples are those of the model without its helper
// bones; a model without any has none, and one of other vertices or joints is a caller's bug and panics.
func ExampleMotionsOf(x *training.Examples, m *skinning.Model) ExampleMotions {
	r := skinning.RigOf[*rig.HelperBones](m)
	if r == nil || len(x.Rest) != len(m.Skin.Positions) || x.Primaries()+len(r.Bones) > len(m.Skeleton.Joints) {
		panic(fmt.Sprintf("helperbones: ExampleMotionsOf: rig %v, %d and %d vertices, %d joints of %d", r, len(x.Rest),
			len(m.Skin.Positions), x.Primaries(), len(m.Skeleton.Joints)))
	}
	start := &ssdr.Decomposition{Weights: skinning.SharesOf(&m.Skin.Influences), Motions: Motions(x, r)}
	helper, scaled := map[int]int{}, false
	for h := range r.Bones {
		helper[r.Bones[h].Joint] = x.Primaries() + h
		scaled = scaled || rowsOf(&r.Bones[h]) == motions
	}
	for _, shares := range start.Weights {
		for i, s := range shares {
			if b, ok := helper[int(s.Joint)]; ok {
				shares[i].Joint = uint16(b)
			}
		}
	}
	s, err := ssdr.NewSolver(x, ssdr.Options{Start: start, Scale: scaled})
	if err != nil {
		panic(err) // the examples are those that the model was fitted to
	}
	out := ExampleMotions{make([][][3]float64, len(x.Targets)), make([][]rig.HelperMotion, len(x.Targets))}
	best := s.BestMotions()
	for n := range x.Targets {
		out.Variables[n] = variablesOf(x, r, n)
		for h := range r.Bones {
			b := &r.Bones[h]
			l := local{b.Place.Sub(s.Middle()), rig.BindFrame(&m.Skeleton.Joints[b.Parent])}
			inverse, _ := s.Bones()[b.Parent][n].Inverse()
			motion := inverse.Mul(best[h][n])
			out.Motions[n] = append(out.Motions[n], l.motion(&motion, geom.IdentityQuat(), scaled))
		}
	}
	return out
}
