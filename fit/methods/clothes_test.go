package methods

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// clothed is a model with a second skin over the same joints, a copy of the first beside it.
func clothed(m *skinning.Model) *skinning.Model {
	out := *m
	n, triangles, joints := len(m.Skin.Positions), len(m.Skin.Triangles), len(m.Skeleton.Joints)
	out.Skeleton.Joints = slices.Clone(m.Skeleton.Joints)
	for _, j := range m.Skeleton.Joints {
		j.Skin++
		if j.Parent >= 0 {
			j.Parent += joints
		}
		out.Skeleton.Joints = append(out.Skeleton.Joints, j)
	}
	s := &out.Skin
	*s = skinning.Mesh{Influences: skinning.Influences{Bindings: slices.Clone(m.Skin.Bindings)}}
	var buf []skinning.Influence
	for v := range n {
		buf = m.Skin.Of(buf[:0], v)
		for i := range buf {
			buf[i].Joint += uint16(joints)
		}
		s.Append(buf, 0)
	}
	s.Positions = slices.Concat(m.Skin.Positions, m.Skin.Positions)
	s.Normals = slices.Concat(m.Skin.Normals, m.Skin.Normals)
	for _, copied := range []uint32{0, uint32(n)} {
		for _, t := range m.Skin.Triangles {
			s.Triangles = append(s.Triangles, [3]uint32{t[0] + copied, t[1] + copied, t[2] + copied})
		}
	}
	out.Skeleton.Nodes = slices.Clone(m.Skeleton.Nodes)
	out.Skeleton.Nodes = append(out.Skeleton.Nodes,
		skinning.Node{Name: "clothes", Parent: -1, Rest: geom.IdentityTransform()})
	if err := out.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	body := m.Skin.Parts[0]
	clothes := body
	clothes.Node, clothes.FirstVertex, clothes.FirstTriangle = len(m.Skeleton.Nodes), n, triangles
	s.Parts = []skinning.Part{body, clothes}
	return &out
}

// TestClothes: three blend bones do as much for two skins over the same joints as for one. EE within 1e-3 of it: sums
// in another order, and the descent ends elsewhere.
func TestClothes(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	clip, err := m.ClipIndex("train")
	if err != nil {
		t.Fatal(err)
	}
	part := training.Part{Clip: clip, Frames: 6}
	one, two := mustRun(t, blendJob(m, 3, part)), mustRun(t, blendJob(clothed(m), 3, part))
	if !(math.Abs(float64(two.Report.EE-one.Report.EE)) <= 1e-3*float64(one.Report.EE)) || two.Report.AddedBones != 3 {
		t.Errorf("EE %.9g with %d bones, of one skin %.9g", float64(two.Report.EE), two.Report.AddedBones,
			float64(one.Report.EE))
	}
}

// TestClothesReadBack: a fit of two skins over the same joints is driven live when its file is read again, within 2e-6
// of the diagonal in poses of no clip: float32 of weights and inverse bind matrices. Its joints turn about the axes of
// the source. The second skin binds the joints as the first does, or some of them turned by 0.2 radians.
func TestClothesReadBack(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for name, turn := range map[string]float64{"bound alike": 0, "bound differently": 0.2} {
		path := filepath.Join(t.TempDir(), "clothes.glb")
		m := clothed(assetstest.Open(t, "demo:tube"))
		joints := m.Skeleton.Joints
		for j := len(joints)/2 + 1; j < len(joints); j += 2 {
			joint := &joints[j]
			about := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{1, 0, 0}, turn).Mat3(), mgl64.Vec3{})
			joint.FromRest = about.Mul(joint.FromRest)
		}
		data, err := export.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err = assets.Open(path); err != nil {
			t.Fatal(err)
		}
		for _, method := range All() {
			if method.Learns == fit.Sequence || method.Learns == fit.Scans {
				continue
			}
			values := fit.Values{}
			if count := method.Count(); count != nil {
				values[count.Name] = 3
			}
			fitted := mustRun(t, fit.Job{Method: method, Model: m, Values: values, Tests: training.Tests{Clip: -1},
				Training: &training.Set{Teacher: skinning.DQS, Parts: []training.Part{{Clip: 0, Frames: 6}}}}).Model
			out := filepath.Join(t.TempDir(), "fitted.glb")
			if _, err := export.File(context.Background(), out, path, fitted, export.Options{}); err != nil {
				t.Fatal(err)
			}
			again, err := assets.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Rigs) != len(fitted.Rigs) || len(again.Warnings) > 0 {
				t.Errorf("%s, %s: %d rigs of %d, warnings %q", name, method.Name, len(again.Rigs), len(fitted.Rigs),
					again.Warnings)
			}
			if off := offPosed(fitted, again, len(m.Skeleton.Nodes)); !(off <= 2e-6) {
				t.Errorf("%s, %s: %.2g of the diagonal", name, method.Name, off)
			}
			for j := range len(joints) / 2 { // of the first skin, which come first
				if got, want := anatomy.Bone(again, j), anatomy.Bone(m, j); turn == 0 && !(got.Sub(want).Len() <= 1e-6*m.Diagonal()) {
					t.Errorf("%s, %s: the bone of joint %d is %v, expected %v", name, method.Name, j, got, want)
				}
			}
		}
	}
}

// offPosed returns the largest distance between the vertices of two models, as a fraction of the diagonal, where a
// number of nodes, the first ones, are turned at random.
func offPosed(a, b *skinning.Model, nodes int) (off float64) {
	random := rand.New(rand.NewPCG(1, 2))
	f, g := skinning.NewFrame(a, nil), skinning.NewFrame(b, nil)
	p, q := a.NewPose(), b.NewPose()
	for range 5 {
		for n := range nodes {
			axis := mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
			turn := a.Skeleton.Nodes[n].Rest.Rotation.Mul(geom.AxisAngle(axis, 0.4*random.NormFloat64()))
			p.Local[n].Rotation, q.Local[n].Rotation = turn, turn
		}
		f.SetPose(p)
		g.SetPose(q)
		there := g.Positions(skinning.LBS)
		for v, at := range f.Positions(skinning.LBS) {
			off = max(off, at.Sub(there[v]).Len()/a.Diagonal())
		}
	}
	return off
}
