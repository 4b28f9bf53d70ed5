package enveloping

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// taught makes n examples of a method at even times of a clip, "" for the range of motion; bulge adds displacements
// that no method makes.
func taught(model, clip string, n int, method skinning.Method, bulge float64) func(t testing.TB) *Examples {
	return func(t testing.TB) *Examples {
		m := assetstest.Open(t, model)
		x := setOf(t, m, clip, n, method)
		if bulge > 0 {
			addBulges(m, x, bulge)
		}
		return x
	}
}

// addBulges moves the surface as muscles do: along the normal in the middle of the parent's bone on one side, by 1 −
// cos of the joint's angle, and around the joint by the sine of its twist.
func addBulges(m *skinning.Model, x *Examples, size float64) {
	normals := m.Skin.Normals
	for i := range x.Pairs {
		q := rotations(x.Pairs[i].Matrices)
		target := make([]mgl64.Vec3, len(x.Rest))
		copy(target, x.Pairs[i].Target)
		for j, p := range x.Parent {
			if p < 0 || x.Parent[p] < 0 {
				continue
			}
			a, b := m.Skeleton.Joints[p].Position, m.Skeleton.Joints[j].Position
			along := b.Sub(a)
			l := along.Len()
			if l < 0.02*x.diagonal() {
				continue
			}
			turn := q[p].Conjugate().Mul(q[j])
			theta := geom.RotationVector(turn)
			bend := (1 - math.Cos(theta.Len())) / 2
			twist := math.Sin(theta.Dot(along.Mul(1/l)) / 2)
			side := along.Cross(mgl64.Vec3{along[1], along[2], -along[0]}).Normalize()
			for v, rest := range x.Rest {
				d := rest.Sub(a.Add(b).Mul(0.5))
				wp, wj := 0.0, 0.0
				for _, s := range x.Rigged[v] {
					switch int(s.Joint) {
					case p:
						wp += s.Weight
					case j:
						wj += s.Weight
					}
				}
				n := geom.Vec64(normals[v])
				g := wp * math.Exp(-d.Dot(d)/(0.12*l*l)) * math.Max(0, n.Dot(side))
				move := n.Mul(size * l * g * bend)
				move = move.Add(along.Mul(1 / l).Cross(rest.Sub(b)).Mul(size * 4 * wp * wj * twist))
				target[v] = target[v].Add(q[p].Rotate(move))
			}
		}
		x.Pairs[i].Target = target
	}
}

// shapes are a model's own at the keys of a clip.
func shapes(model, clip string) func(t testing.TB) *Examples {
	return func(t testing.TB) *Examples {
		m := assetstest.Open(t, model)
		c, err := m.ClipIndex(clip)
		if err != nil {
			t.Fatal(err)
		}
		x, err := FromSet(m, &training.Set{Teacher: skinning.LBS, Clip: c, Times: m.Clips[c].KeyTimes()})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}
