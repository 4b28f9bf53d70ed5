package job

import (
	"fmt"
	"math"

	"skinlab/fit/enveloping"
	"skinlab/skinning"
)

// float32Steps is how many numbers float32 has between a power of two and the next.
const float32Steps = 1 << 23

// nearShapes reports the first example shape with a vertex as far away as near allows no pose to take one.
func nearShapes(m *skinning.Model, x *enveloping.Examples) error {
	most := float32Steps * m.Diagonal()
	for i := range x.Pairs {
		for v, p := range x.Pairs[i].Target {
			if away := p.Len(); away > most {
				return fmt.Errorf("%s: example %d: vertex %d is %.2g m away, where float32 cannot tell it from any other of a model of %.2g m",
					m.Name, i, v, away, m.Diagonal())
			}
		}
	}
	return nil
}

// near reports the first pose, of so many matrices per joint, that takes vertices so far away that float32 has no two numbers within the
// whole model's size there. Such a pose comes from a broken clip, and what is fitted to it is noise.
func near(m *skinning.Model, poses [][]skinning.Affine) error {
	followed := make([]int, len(m.Skeleton.Joints)) // a vertex that follows the joint, counted from 1
	var buf []skinning.Influence
	for v := range m.Skin.Positions {
		buf = m.Skin.Of(buf[:0], v)
		for _, in := range buf {
			followed[in.Joint] = v + 1
		}
	}
	most := float32Steps * m.Diagonal()
	for i, matrices := range poses {
		for j, v := range followed {
			if v == 0 {
				continue
			}
			p := matrices[j].Apply(skinning.Vec64(m.Skin.Positions[v-1]))
			if away := p.Len(); away > most && !math.IsInf(away, 0) {
				return fmt.Errorf("%s: pose %d: joint %q takes vertex %d %.2g m away, where float32 cannot tell it from any other of a model of %.2g m",
					m.Name, i, m.Skeleton.Joints[j].Name, v-1, away, m.Diagonal())
			}
		}
	}
	return nil
}
