package viewer

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// sampledHelpers gives a model a helper bone on each of its first n joints. Half of a joint's weights follow it.
func sampledHelpers(m *skinning.Model, n int) (*skinning.Model, error) {
	var helpers rig.HelperBones
	for j := range m.Skeleton.Joints[:n] {
		helpers.Inputs = append(helpers.Inputs, rig.NewHelperInput(&m.Skeleton, j))
		helpers.Bones = append(helpers.Bones, rig.HelperBone{Parent: j, Place: m.Skeleton.Joints[j].Position,
			Terms: []rig.HelperTerm{{Input: j, Powers: [3]uint8{0, 1, 0}, Coefficients: rig.HelperMotion{0.1, 0, 0, 0.2, 0, 0, 0}}}})
	}
	var weights skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		if j := int(raw[0].Joint); j < n && len(raw) < 4 {
			raw[0].Weight /= 2
			raw = append(raw, skinning.Influence{Joint: uint16(len(m.Skeleton.Joints) + j), Weight: raw[0].Weight})
		}
		weights.Append(raw, 0)
	}
	return rig.WithHelperBones(m, helpers, weights)
}

// suggestedClip is the clip of the arm whose keys, one a second, stand for suggested poses.
const suggestedClip = 3

// fakeExamples are examples that are off their controllers by a millimetre along y, to both sides in turn.
func fakeExamples(_, fitted *skinning.Model) (*helperpage.Examples, error) {
	r := skinning.RigOf[*rig.HelperBones](fitted)
	x := &helperpage.Examples{}
	for n, off := range []float64{0.001, -0.001, 0.001, -0.001, 0.001} {
		variables := make([][3]float64, len(r.Inputs))
		for i := range variables {
			variables[i] = [3]float64{0.1 * float64(n), -0.2, 0.5*float64(n) - 1}
		}
		motions := make([]rig.HelperMotion, len(r.Bones))
		for k := range motions {
			motions[k] = r.Motion(k, variables)
			motions[k][1] += off
		}
		x.Variables, x.Motions = append(x.Variables, variables), append(x.Motions, motions)
	}
	return x, nil
}

// fakeLevel drops a model's last helper bones after half a second. The first bone takes over their weights.
func fakeLevel(ctx context.Context, fitted *skinning.Model, bones int) (*skinning.Model, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Second / 2):
	}
	all, m := skinning.RigOf[*rig.HelperBones](fitted), *fitted
	var weights skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		for i := range raw {
			if slices.Contains(all.Joints()[bones:], int(raw[i].Joint)) {
				raw[i].Joint = uint16(all.Bones[0].Joint)
			}
		}
		weights.Append(raw, 0)
	}
	m.Skin.SetWeights(weights)
	return &m, m.SetRig(&rig.HelperBones{Inputs: all.Inputs, Bones: all.Bones[:bones]})
}

// armWithHelpers is the arm with three helper bones whose coefficients are made up: one on the upper arm that the
// forearm's bend pushes out and swells, one on the forearm that its twist turns, and one at the elbow of a product. One
// of its clips has suggested poses.
func armWithHelpers(t *testing.T) *skinning.Model {
	t.Helper()
	m := *assetstest.Open(t, "demo:arm")
	m.Skin.Morphs = nil
	m.Clips = slices.Clone(m.Clips)
	m.Clips[suggestedClip].Name = "suggested"
	joint := func(name string) int {
		j := slices.IndexFunc(m.Skeleton.Joints, func(j skinning.Joint) bool { return j.Name == name })
		if j < 0 {
			t.Fatalf("the arm has no joint %q", name)
		}
		return j
	}
	upper, lower := joint("upper_arm"), joint("forearm")
	bend := rig.NewHelperInput(&m.Skeleton, lower)
	bend.Least, bend.Most = []float64{-1.5, -1.5, -2.5}, []float64{1.5, 1.5, 2.5}
	turn := rig.NewHelperInput(&m.Skeleton, upper)
	at := func(j int, share float64) mgl64.Vec3 {
		a, b := m.Skeleton.Joints[j].Position, m.Skeleton.Joints[lower].Position
		if j == lower {
			b = m.Skeleton.Joints[joint("hand")].Position
		}
		return a.Mul(1 - share).Add(b.Mul(share))
	}
	helpers := rig.HelperBones{Inputs: []rig.HelperInput{bend, turn}, Bones: []rig.HelperBone{
		{Parent: upper, Place: at(upper, 0.5), Terms: []rig.HelperTerm{
			{Input: 0, Powers: [3]uint8{0, 0, 1}, Coefficients: rig.HelperMotion{0, 0.012, 0, 0.1, 0, -0.2, 0.05}},
			{Input: 0, Powers: [3]uint8{0, 0, 2}, Coefficients: rig.HelperMotion{0, 0.004, 0, 0, 0, 0, 0.02}},
			{Input: 1, Powers: [3]uint8{1, 0, 0}, Coefficients: rig.HelperMotion{3: -0.4}},
		}},
		{Parent: lower, Place: at(lower, 0.4), Constant: rig.HelperMotion{1: 0.001}, Terms: []rig.HelperTerm{
			{Input: 0, Powers: [3]uint8{1, 0, 0}, Coefficients: rig.HelperMotion{0, 0, 0.003, -0.5, 0, 0, 0}},
		}},
		{Parent: lower, Place: at(lower, 0), Terms: []rig.HelperTerm{
			{Input: 0, Powers: [3]uint8{0, 1, 1}, Coefficients: rig.HelperMotion{0, -0.006, 0.002, 0, 0.1, 0, 0}},
			{Input: 0, Powers: [3]uint8{0, 0, 3}, Coefficients: rig.HelperMotion{0, 0.001, 0, 0, 0, 0, 0}},
		}},
	}}
	const reach = 0.07 // metres
	var weights skinning.Influences
	for v, p := range m.Skin.Positions {
		raw := m.Skin.Of(nil, v)
		for k, b := range helpers.Bones {
			d := geom.Vec64(p).Sub(b.Place).Len() / reach
			if d >= 1 || len(raw) == 4 {
				continue
			}
			for i := range raw {
				if int(raw[i].Joint) == b.Parent {
					part := raw[i].Weight * float32(0.5+0.5*math.Cos(math.Pi*d))
					raw[i].Weight -= part
					raw = append(raw, skinning.Influence{Joint: uint16(len(m.Skeleton.Joints) + k), Weight: part})
					break
				}
			}
		}
		weights.Append(raw, 0)
	}
	out, err := rig.WithHelperBones(&m, helpers, weights)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// helperFile writes the arm with helper bones to a file.
func helperFile(t *testing.T) (path string, m *skinning.Model) {
	t.Helper()
	m, path = armWithHelpers(t), filepath.Join(t.TempDir(), "arm.glb")
	if _, err := export.File(context.Background(), path, "demo:arm", m, export.Options{}); err != nil {
		t.Fatal(err)
	}
	return path, m
}
