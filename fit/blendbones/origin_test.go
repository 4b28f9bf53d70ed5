package blendbones

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// moved returns a model that stands elsewhere, at rest and in every clip that does not place its root.
func moved(m *skinning.Model, by mgl64.Vec3) *skinning.Model {
	out := *m
	back := geom.NewAffine(geom.IdentityAffine().Linear(), by.Mul(-1))
	out.Skin.Positions = slices.Clone(m.Skin.Positions)
	for v, p := range out.Skin.Positions {
		out.Skin.Positions[v] = p.Add(mgl32.Vec3{float32(by[0]), float32(by[1]), float32(by[2])})
	}
	out.Skeleton.Joints = slices.Clone(m.Skeleton.Joints)
	for i := range out.Skeleton.Joints {
		j := &out.Skeleton.Joints[i]
		j.FromRest, j.Position = j.FromRest.Mul(back), j.Position.Add(by)
	}
	out.Skeleton.Nodes = slices.Clone(m.Skeleton.Nodes)
	for i := range out.Skeleton.Nodes {
		if n := &out.Skeleton.Nodes[i]; n.Parent < 0 {
			n.Rest.Translation = n.Rest.Translation.Add(by)
		}
	}
	return &out
}

// TestWhereTheModelStands: a fit does not depend on where the origin is. Positions are multiples of 2⁻⁸ m, so that
// float32 has them exactly there too; EE to a hundredth of itself, as rounding decides between weights that are as good
// as each other.
func TestWhereTheModelStands(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, operator := range []skinning.Method{skinning.SDQS, skinning.DIB} {
		m := *assetstest.Open(t, "demo:tube")
		m.Skin.Positions = slices.Clone(m.Skin.Positions)
		for v := range m.Skin.Positions {
			for k, x := range m.Skin.Positions[v] {
				m.Skin.Positions[v][k] = float32(math.Round(float64(x)*256) / 256)
			}
		}
		ee := func(m *skinning.Model) float64 {
			clip, err := m.ClipIndex("train")
			if err != nil {
				t.Fatal(err)
			}
			frames, err := ofClip(m, clip, 6)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Solve(context.Background(), &Problem{m, operator, frames}, Options{MaxBones: 4})
			if err != nil {
				t.Fatal(err)
			}
			return r.EE
		}
		here, there := ee(&m), ee(moved(&m, mgl64.Vec3{4096, 2048, -1024}))
		if !(math.Abs(there-here) <= 0.01*here) {
			t.Errorf("%v: EE %.4g at the origin, %.4g far away", operator, here, there)
		}
	}
}
