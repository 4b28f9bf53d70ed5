package gltf

import (
	"math"
	"path/filepath"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// sameSkins holds two models against each other: size at rest, and every vertex by every method over the first clip.
// Both files say the same, up to the float32 rounding of inverse bind matrices and positions: 1e-5 of the diagonal.
func sameSkins(t *testing.T, got, want *skinning.Model) {
	t.Helper()
	if d := math.Abs(got.Diagonal() - want.Diagonal()); !(d <= 1e-5*want.Diagonal()) {
		t.Errorf("diagonal %g, expected %g", got.Diagonal(), want.Diagonal())
		return
	}
	frames, poses := [2]*skinning.Frame{}, [2]*skinning.Pose{}
	for k, m := range []*skinning.Model{got, want} {
		frames[k], poses[k] = skinning.NewFrame(m, nil), m.NewPose()
	}
	for _, method := range skinning.Methods() {
		for i := range 5 {
			for k, m := range []*skinning.Model{got, want} {
				m.SamplePose(poses[k], 0, m.Clips[0].Seconds*float64(i)/4)
				frames[k].SetPose(poses[k])
			}
			a, b := frames[0].Positions(method), frames[1].Positions(method)
			for v := range b {
				if d := a[v].Sub(b[v]).Len(); !(d <= 1e-5*want.Diagonal()) {
					t.Errorf("%s, step %d, vertex %d at %v, expected %v", method, i, v, a[v], b[v])
					return
				}
			}
		}
	}
}

// plainBeam is the beam with inverse bind matrices of another unit, and a clip that bends it and scales no joint.
func plainBeam(unit float64) *gltftest.Builder {
	b := gltftest.Beam()
	for i := range 8 {
		x, y, z := float64(i&1)-0.5, float64(i>>2), float64(i>>1&1)-0.5
		b.Patch(beamPosition, i, gltftest.Pack(gltftest.Float, x/unit, y/unit, z/unit))
	}
	for j, y := range []float64{0, 0.5, 1} {
		b.Patch(beamInverseBind, j, gltftest.Pack(gltftest.Float, bindAt(unit, y)...))
	}
	channels := b.Doc["animations"].(list)[0].(object)["channels"].(list)
	return b.Set("animations.0.channels", channels[:2])
}

func bindAt(unit, y float64) []float64 {
	return []float64{unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0, 0, -y, 0, 1}
}

// controlFirst gives the beam's skin a control joint of no weight as its first, on a node above all, with an identity
// inverse bind matrix.
func controlFirst(b *gltftest.Builder, unit float64) *gltftest.Builder {
	identity := []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	matrices := identity
	for _, y := range []float64{0, 0.5, 1} {
		matrices = append(matrices, bindAt(unit, y)...)
	}
	b.Set("skins.0.joints", list{6, 1, 2, 3}).Set("skins.0.inverseBindMatrices",
		b.Accessor(gltftest.Float, "MAT4", matrices...))
	b.Push("nodes", object{"name": "control", "children": list{1}})
	for v := range 8 {
		b.Patch(beamJoints, v, gltftest.Pack(gltftest.Ubyte, 1, 2, 0, 0))
		b.Patch(beamJoints1, v, gltftest.Pack(gltftest.Ushort, 3, 0, 0, 0))
	}
	return b.Set("scenes.0.nodes", list{0, 6}).Set("skins.0.skeleton", 6)
}

// scaleRoot adds keys of the root's scale at 0 and 1 s to the clip.
func scaleRoot(b *gltftest.Builder, from, to float64) *gltftest.Builder {
	times := b.Accessor(gltftest.Float, "SCALAR", 0, 1)
	animation := b.Doc["animations"].(list)[0].(object)
	samplers := append(animation["samplers"].(list), object{"input": times,
		"output": b.Accessor(gltftest.Float, "VEC3", from, from, from, to, to, to)})
	animation["samplers"] = samplers
	animation["channels"] = append(animation["channels"].(list), object{"sampler": len(samplers) - 1,
		"target": object{"node": 1, "path": "scale"}})
	return b
}

// TestRestSpaceFollowsWeight: what no vertex follows does not choose the rest space, nor does a joint of little weight.
func TestRestSpaceFollowsWeight(t *testing.T) {
	plain := mustDecode(t, plainBeam(0.01).Glb())
	for name, b := range map[string]*gltftest.Builder{
		"control joint first": controlFirst(plainBeam(0.01), 0.01),
		"control joint first, not above the others": controlFirst(plainBeam(0.01), 0.01).Set("nodes.6.children", list{}).
			Set("scenes.0.nodes", list{0, 1, 6}),
	} {
		t.Run(name, func(t *testing.T) { sameSkins(t, mustDecode(t, b.Glb()), plain) })
	}
	// In a file of one unit the control joint's identity is not taken either: it stands above a turned armature.
	turned := func(b *gltftest.Builder) *gltftest.Builder {
		s := math.Sqrt(0.5)
		return b.Set("nodes.1.rotation", list{s, 0, 0, s})
	}
	want, got := mustDecode(t, turned(plainBeam(1)).Glb()), mustDecode(t, turned(controlFirst(plainBeam(1), 1)).Glb())
	for v := range want.Skin.Positions {
		if !near(got.Skin.Positions[v], want.Skin.Positions[v]) {
			t.Fatalf("vertex %d rests at %v, expected %v", v, got.Skin.Positions[v], want.Skin.Positions[v])
		}
	}
	// The joint with least weight is scaled in the static pose. The others, with 7/8 of the weight, rest rigidly.
	b := plainBeam(1).Set("skins.0.joints", list{3, 1, 2}).Set("nodes.3.matrix", nil).
		Set("nodes.3.translation", list{0, 0.5, 0}).Set("nodes.3.scale", list{5, 5, 5})
	for j, y := range []float64{1, 0, 0.5} {
		b.Patch(beamInverseBind, j, gltftest.Pack(gltftest.Float, bindAt(1, y)...))
	}
	for v := range 8 {
		b.Patch(beamJoints, v, gltftest.Pack(gltftest.Ubyte, 1, 2, 0, 0))
		b.Patch(beamJoints1, v, gltftest.Pack(gltftest.Ushort, 0, 0, 0, 0))
	}
	if p := mustDecode(t, b.Glb()).Skin.Positions[7]; !near(p, [3]float32{0.5, 1, 0.5}) {
		t.Errorf("vertex 7 rests at %v", p)
	}
}

// TestSkinsShareRestSpaceByWeight: two skins, of other units, list a control joint of both first. They share a rest
// space by the joints that vertices follow.
func TestSkinsShareRestSpaceByWeight(t *testing.T) {
	shareRestSpace(t, 0.01, 0.1)
	shareRestSpace(t, 1e-5, 3e-5) // as of positions in 16-bit integers
}

func shareRestSpace(t *testing.T, first, second float64) {
	t.Helper()
	b := controlFirst(plainBeam(first), first)
	s := math.Sqrt(0.5)
	b.Set("nodes.2.rotation", list{s, 0, 0, s})
	identity := []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	matrices := identity
	for _, y := range []float64{0, 0.5, 1} {
		matrices = append(matrices, bindAt(second, y)...)
	}
	b.Push("skins", object{"joints": list{6, 1, 2, 3}, "inverseBindMatrices": b.Accessor(gltftest.Float, "MAT4", matrices...)})
	b.Push("nodes", object{"mesh": 0, "skin": 1})
	b.Set("scenes.0.nodes", list{0, 6, 7})
	m := mustDecode(t, b.Glb())
	for j := 1; j < 4; j++ {
		if !m.Skeleton.Joints[4+j].MovesLike(&m.Skeleton.Joints[j], 1e-6) {
			t.Errorf("joint %d is bound as %v and %v", j, m.Skeleton.Joints[j].FromRest, m.Skeleton.Joints[4+j].FromRest)
		}
	}
	if want := m.Skin.Positions[7].Mul(float32(second / first)); !near(m.Skin.Positions[15], want) {
		t.Errorf("vertex 7 of the second skin rests at %v, expected %v", m.Skin.Positions[15], want)
	}
}

// TestRestSpaceOfSpawn: a scale that the static pose has and no clip keeps belongs to the rest space, and no other
// does.
func TestRestSpaceOfSpawn(t *testing.T) {
	small := list{0.01, 0.01, 0.01}
	diagonal := math.Sqrt(3)
	for name, c := range map[string]struct {
		b    *gltftest.Builder
		want float64
	}{
		"brought to its size":     {scaleRoot(plainBeam(1), 0.01, 1).Set("nodes.1.scale", small), diagonal},
		"another size in clips":   {scaleRoot(plainBeam(1), 0.01, 0.01), diagonal / 100},
		"vanishes":                {scaleRoot(plainBeam(1), 1, 0.01), diagonal},
		"unit of the armature":    {scaleRoot(plainBeam(1), 0.01, 0.01).Set("nodes.1.scale", small), diagonal / 100},
		"small without any scale": {plainBeam(1).Set("nodes.1.scale", small), diagonal / 100},
	} {
		t.Run(name, func(t *testing.T) {
			// 1e-5 is float32 rounding.
			if d := mustDecode(t, c.b.Glb()).Diagonal(); !(math.Abs(d-c.want) <= 1e-5*c.want) {
				t.Errorf("diagonal %g, expected %g", d, c.want)
			}
		})
	}
	sameSkins(t, mustDecode(t, scaleRoot(plainBeam(1), 0.01, 1).Set("nodes.1.scale", small).Glb()),
		mustDecode(t, scaleRoot(plainBeam(1), 0.01, 1).Glb()))
}

// TestReportedRestSpaces: files of reports equal their plain twins.
func TestReportedRestSpaces(t *testing.T) {
	dir := filepath.Join(gltftest.SharedModels(t), "reports")
	for _, c := range []struct {
		file, twin string
		at         float64
		vertex     [3]float64
	}{
		{"bind_unweighted_first_joint.glb", "bind_plain.glb", 0.7, [3]float64{-0.35345, 0.7068, -0.21651}},
		{"spawn_static001.glb", "spawn_static1.glb", 1, [3]float64{-0.333, 0.542, -0.21651}},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := openFile(filepath.Join(dir, c.file))
			if err != nil {
				t.Skip(err)
			}
			want, err := openFile(filepath.Join(dir, c.twin))
			if err != nil {
				t.Fatal(err)
			}
			sameSkins(t, got, want)
			f, pose := skinning.NewFrame(got, nil), got.NewPose()
			got.SamplePose(pose, 0, c.at)
			f.SetPose(pose)
			// The values are given to three digits and more.
			if p := f.Positions(skinning.DQS)[80]; !(p.Sub(c.vertex).Len() <= 1e-3) {
				t.Errorf("vertex 80 at %v, expected %v", p, c.vertex)
			}
		})
	}
}
