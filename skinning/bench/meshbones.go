package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// MeshBones returns a benchmark mesh with a number of blend bones of an operator, to time their evaluation beside
// linear blending (ALNS section 3). They are like the bones of a fit, with up to four masters each and four influences
// for each vertex, of which one is an added bone. But their numbers are random.
func MeshBones(m *skinning.Model, operator skinning.Method, bones int) (*skinning.Model, error) {
	if bones < 1 {
		return nil, fmt.Errorf("%s: %d blend bones", m.Name, bones)
	}
	rng := rand.New(rand.NewPCG(2, uint64(bones)))
	s := &m.Skeleton
	first := len(s.Joints)
	list := make([]rig.BlendBone, bones)
	near := nearest(s, meshInfluences)
	for k := range list {
		list[k] = bone(near[k%first], rng)
	}
	in := skinning.Influences{Bindings: make([]skinning.Binding, 0, len(m.Skin.Bindings))}
	var raw []skinning.Influence
	for v := range m.Skin.Bindings {
		raw = m.Skin.Influences.Of(raw[:0], v)
		home := raw[0].Joint
		raw[len(raw)-1].Joint = uint16(first + int(home)%bones) // the weakest makes room
		in.Append(raw, 0)
	}
	return rig.WithBlendBones(m, operator, list, in)
}

// bone returns a sample of the operator between masters, with random u-weights.
func bone(masters []int, rng *rand.Rand) rig.BlendBone {
	var b rig.BlendBone
	sum := 0.0
	slices.Sort(masters)
	for _, j := range masters {
		w := 0.1 + rng.Float64()
		b.Masters, b.Weights = append(b.Masters, uint16(j)), append(b.Weights, w)
		sum += w
	}
	for k := range b.Weights {
		b.Weights[k] /= sum
	}
	return b
}
