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

// near reports the first example that takes vertices so far away that neighbouring float32 numbers there are farther
// apart than the model is large.
func (x *Examples) near() error {
	if err := CheckPoses(x.Model, x.Frames); err != nil {
		return err
	}
	return checkShapes(x.Model, x.Targets)
}

// CheckPoses is the check of [Set.Examples] for poses alone.
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

// Validate returns [ErrExamples], with the element's name and numbers, where the examples are not whole: lengths that
// differ, no vertices or examples, indices out of range, numbers that are not finite.
func (x *Examples) Validate() error {
	joints := x.Primaries()
	switch {
	case len(x.Rest) == 0 || len(x.Targets) == 0:
		return fmt.Errorf("%w: %d vertices, %d examples", ErrExamples, len(x.Rest), len(x.Targets))
	case x.Palettes != nil && len(x.Palettes) != len(x.Targets):
		return fmt.Errorf("%w: %d poses for %d targets", ErrExamples, len(x.Palettes), len(x.Targets))
	case x.Rigged != nil && len(x.Rigged) != len(x.Rest):
		return fmt.Errorf("%w: weights of %d vertices, the rest pose has %d", ErrExamples, len(x.Rigged), len(x.Rest))
	case x.Weights != nil && len(x.Weights) != len(x.Targets):
		return fmt.Errorf("%w: weights of %d examples of %d", ErrExamples, len(x.Weights), len(x.Targets))
	case x.Morphed != nil && len(x.Morphed) != x.Given():
		return fmt.Errorf("%w: %d shapes with morph targets for %d examples", ErrExamples, len(x.Morphed), x.Given())
	}
	for k, t := range x.Triangles {
		if v := slices.Max(t[:]); int(v) >= len(x.Rest) {
			return fmt.Errorf("%w: triangle %d has vertex %d of %d", ErrExamples, k, v, len(x.Rest))
		}
	}
	if v := firstBad(x.Rest); v >= 0 {
		return fmt.Errorf("%w: vertex %d: rest position %v is not a number", ErrExamples, v, x.Rest[v])
	}
	if err := ValidateWeights(x.Rigged, joints); err != nil {
		return err
	}
	for n := range x.Targets {
		if err := x.validateExample(n, joints); err != nil {
			return err
		}
	}
	return nil
}

func (x *Examples) validateExample(n, joints int) error {
	if len(x.Targets[n]) != len(x.Rest) {
		return fmt.Errorf("%w: example %d has %d vertices, the rest pose %d", ErrExamples, n, len(x.Targets[n]), len(x.Rest))
	}
	if v := firstBad(x.Targets[n]); v >= 0 {
		return fmt.Errorf("%w: example %d, vertex %d: position %v is not a number", ErrExamples, n, v, x.Targets[n][v])
	}
	if x.Morphed != nil && n < x.Given() {
		rest, target := x.Measured(n)
		if len(rest) != len(x.Rest) || len(target) != len(x.Rest) || firstBad(rest) >= 0 || firstBad(target) >= 0 {
			return fmt.Errorf("%w: example %d: what it shows is not %d positions", ErrExamples, n, len(x.Rest))
		}
	}
	if x.Palettes != nil {
		if len(x.Palettes[n]) != joints {
			return fmt.Errorf("%w: example %d has %d joints, the first %d", ErrExamples, n, len(x.Palettes[n]), joints)
		}
		for j := range joints {
			if !x.Palettes[n][j].IsFinite() {
				return fmt.Errorf("%w: example %d, joint %d: its matrix is not a number", ErrExamples, n, j)
			}
		}
	}
	if w := x.Weight(n); !(w > 0 && w <= math.MaxFloat32) {
		return fmt.Errorf("%w: example %d has weight %g", ErrExamples, n, w)
	}
	return nil
}

// ValidateWeights returns [ErrExamples] for the first weight that is none, or that is of none of so many bones.
func ValidateWeights(weights [][]skinning.Share, bones int) error {
	for v, shares := range weights {
		for _, s := range shares {
			if int(s.Joint) >= bones || !(s.Weight >= 0 && s.Weight < 2) {
				return fmt.Errorf("%w: vertex %d: weight %g of bone %d of %d", ErrExamples, v, s.Weight, s.Joint, bones)
			}
		}
	}
	return nil
}

// firstBad returns the first point with a coordinate that is NaN or infinite, −1 for none.
func firstBad(points []mgl64.Vec3) int {
	return slices.IndexFunc(points, func(p mgl64.Vec3) bool {
		s := p[0]*0 + p[1]*0 + p[2]*0 // NaN and ±Inf times 0 are NaN
		return s != 0
	})
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
