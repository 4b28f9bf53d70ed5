package training

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// float32Steps is the number of float32 numbers between a power of two and the next.
const float32Steps = 1 << 23

// extent returns the diagonal of a skin at rest, in metres. It returns an error if all vertices are at one point,
// because then there is nothing to fit.
func extent(m *skinning.Model) (float64, error) {
	d := m.Diagonal()
	if d == 0 {
		return 0, fmt.Errorf("all %d vertices of the skin rest at one point, expected some apart", len(m.Skin.Positions))
	}
	return d, nil
}

// tooFar is the end of an error about a vertex far from the origin.
func tooFar(away, diagonal float64) string {
	return fmt.Sprintf("%.2g m away, expected at most %.2g m, past which float32 has no two numbers within the model",
		away, float32Steps*diagonal)
}

// checkShapes reports the first example shape with a vertex as far away as checkPoses allows no pose to take one.
func checkShapes(m *skinning.Model, targets [][]mgl64.Vec3) error {
	diagonal, err := extent(m)
	if err != nil {
		return err
	}
	for i := range targets {
		for v, p := range targets[i] {
			if away := p.Len(); away > float32Steps*diagonal {
				return fmt.Errorf("example %d: vertex %d is %s", i, v, tooFar(away, diagonal))
			}
		}
	}
	return nil
}

// Check reports the first example that takes vertices so far away that neighbouring float32 numbers there are farther
// apart than the model is large. Such an example comes from a broken clip or file, and a fit to it is noise.
func (x *Examples) Check() error {
	if err := CheckPoses(x.Model, x.Frames); err != nil {
		return err
	}
	return checkShapes(x.Model, x.Targets)
}

// CheckPoses is [Examples.Check] for poses alone.
func CheckPoses(m *skinning.Model, frames []*skinning.Frame) error {
	poses := make([][]geom.Affine, len(frames))
	for i, f := range frames {
		poses[i] = f.Matrices
	}
	return near(m, poses)
}

// near is CheckPoses for matrices, one per joint.
func near(m *skinning.Model, poses [][]geom.Affine) error {
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
			p := matrices[j].Apply(geom.Vec64(m.Skin.Positions[v-1]))
			if away := p.Len(); away > float32Steps*diagonal && !math.IsInf(away, 0) {
				return fmt.Errorf("pose %d: joint %q takes vertex %d %s", i, messages.Shortened(m.Skeleton.Joints[j].Name), v-1,
					tooFar(away, diagonal))
			}
		}
	}
	return nil
}

// GoesFar reports whether one of n poses of a clip, spread evenly over it, is too far away to be measured, or no pose
// at all.
func GoesFar(m *skinning.Model, clip, n int) (far bool) {
	palettes(m, TimesIn(clip, compare.Times(m.Clips[clip].Seconds, n)), func(_ int, matrices []geom.Affine) {
		finite := !slices.ContainsFunc(matrices, func(a geom.Affine) bool { return !a.IsFinite() })
		far = far || !finite || near(m, [][]geom.Affine{matrices}) != nil
	})
	return far
}
