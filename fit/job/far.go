package job

import (
	"fmt"
	"math"

	"skinlab/fit/enveloping"
	"skinlab/skinning"
)

// float32Steps is how many numbers float32 has between a power of two and the next.
const float32Steps = 1 << 23

// extent is the diagonal of a skin at rest, metres; one that is a single point has none, and there is nothing to fit.
func extent(m *skinning.Model) (float64, error) {
	d := m.Diagonal()
	if d == 0 {
		return 0, fmt.Errorf("%s: all %d vertices of the skin rest at one point, expected some apart", m.Name, len(m.Skin.Positions))
	}
	return d, nil
}

// tooFar is the end of an error about a vertex far from the origin.
func tooFar(away, diagonal float64) string {
	return fmt.Sprintf("%.2g m away, expected at most %.2g m, past which float32 has no two numbers within the model", away,
		float32Steps*diagonal)
}

// nearShapes reports the first example shape with a vertex as far away as near allows no pose to take one.
func nearShapes(m *skinning.Model, x *enveloping.Examples) error {
	diagonal, err := extent(m)
	if err != nil {
		return err
	}
	for i := range x.Pairs {
		for v, p := range x.Pairs[i].Target {
			if away := p.Len(); away > float32Steps*diagonal {
				return fmt.Errorf("%s: example %d: vertex %d is %s", m.Name, i, v, tooFar(away, diagonal))
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
	diagonal, err := extent(m)
	if err != nil {
		return err
	}
	for i, matrices := range poses {
		for j, v := range followed {
			if v == 0 {
				continue
			}
			p := matrices[j].Apply(skinning.Vec64(m.Skin.Positions[v-1]))
			if away := p.Len(); away > float32Steps*diagonal && !math.IsInf(away, 0) {
				return fmt.Errorf("%s: pose %d: joint %q takes vertex %d %s",
					m.Name, i, skinning.Shortened(m.Skeleton.Joints[j].Name), v-1, tooFar(away, diagonal))
			}
		}
	}
	return nil
}
