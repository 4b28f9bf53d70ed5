package rig

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Joints that rigs drive are no bones: they have no parent and no axis, though a file may hang their nodes under their
// masters', and the masters' axes are those that they have without them.
func TestDrivenJointsAreNoBones(t *testing.T) {
	m := skinningtest.RandomModel(50, 6, 3, 1)
	axes, parents := m.BoneAxes()
	fitted, err := WithBlendBones(m, skinning.TwistSwing, []BlendBone{{Masters: []uint16{1, 2}, Weights: []float64{0.5, 0.5}},
		{Masters: []uint16{3, 4}, Weights: []float64{0.2, 0.8}}}, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	for _, up := range []int{-1, 2} { // in memory, and as a file may have them
		fitted.Skeleton.Joints[6].Parent = up
		raw := []skinning.Influence{{Joint: 6, Weight: 1}, {Joint: 7, Weight: 1}}
		fitted.Skin.Influences = skinning.Influences{}
		for v := range m.Skin.Bindings {
			fitted.Skin.Append(append(m.Skin.Of(nil, v), raw...), 0)
		}
		got, above := fitted.BoneAxes()
		for j := range got {
			switch {
			case j >= 6 && (above[j] >= 0 || got[j] != mgl64.Vec3{}):
				t.Errorf("driven joint %d has parent %d and axis %v", j, above[j], got[j])
			case j < 6 && (above[j] != parents[j] || got[j].Sub(axes[j]).Len() > 1e-15):
				t.Errorf("joint %d has parent %d and axis %v, expected %d and %v", j, above[j], got[j], parents[j], axes[j])
			}
		}
	}
}

// Twists that a driver asks for while it drives are those of the pose, and so are those of a frame that leaves its
// proxies out until they are asked for.
func TestTwistsOfDrivenFrames(t *testing.T) {
	m := skinningtest.RandomModel(50, 6, 6, 1)
	bones := []BlendBone{{Masters: []uint16{1, 5}, Weights: []float64{0.5, 0.5}}}
	fitted, err := WithBlendBones(m, skinning.TwistSwing, bones, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	enveloped := randomEnvelope(t, m, 5, 2)
	plain, driven, eager, lazy := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil),
		skinning.NewFrame(enveloped, nil), skinning.NewFrame(enveloped, nil)
	lazy.LazyProxies = true
	for k := range 4 { // poses one after the other: what is left of the last must not be taken
		angle := 0.4 * float64(k)
		for _, f := range []*skinning.Frame{plain, driven, eager, lazy} {
			p := f.Model.NewPose()
			for j := 1; j < 6; j++ {
				p.Local[j].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(j), 2}, angle)
			}
			f.SetPose(p)
		}
		want := plain.Evaluate(skinning.TwistSwing, bones[0].Masters, bones[0].Weights)
		if got := driven.Matrices[6]; !(skinningtest.MaxDiff(got[:], want[:]) <= 1e-14) {
			t.Errorf("pose %d: the blend bone has %v, expected %v", k, got, want)
		}
		for j := range m.Skeleton.Joints {
			for name, f := range map[string]*skinning.Frame{"driven": driven, "eager": eager, "lazy": lazy} {
				// Joints are taken apart in fours, whose roundings differ with their neighbours.
				swing, expected := f.Swing()[j], plain.Swing()[j]
				twist, turn := f.Twist()[j].Affine(), plain.Twist()[j].Affine()
				if d := max(skinningtest.MaxDiff(swing[:], expected[:]), skinningtest.MaxDiff(twist[:], turn[:])); !(d <= 1e-14) {
					t.Errorf("pose %d: joint %d of the %s frame has forms that are off by %g", k, j, name, d)
				}
			}
		}
		for j := 6; j < len(lazy.Matrices); j++ {
			if lazy.Swing()[j] != eager.Matrices[j] {
				t.Errorf("pose %d: proxy %d of a lazy frame is of another pose", k, j)
			}
		}
	}
}

// A blend bone with weights for swings of its own is what twist-swing makes of a vertex with these two sets, and a file
// keeps it: 1e-14 is rounding.
func TestBoneOfTwoSets(t *testing.T) {
	m := skinningtest.RandomModel(50, 6, 6, 1)
	m.Skin.Influences = skinning.Influences{}
	m.Skin.SetSecond(skinning.TwistSwing, new(skinning.Influences))
	for range m.Skin.Positions {
		m.Skin.Append([]skinning.Influence{{Joint: 1, Weight: 0.25}, {Joint: 5, Weight: 0.75}}, 0)
		m.Skin.Second(skinning.TwistSwing).Append([]skinning.Influence{{Joint: 1, Weight: 0.625}, {Joint: 5, Weight: 0.375}}, 0)
	}
	bones := []BlendBone{{Masters: []uint16{5, 1}, Weights: []float64{0.375, 0.625}, Swings: []float64{0.75, 0.25}},
		{Masters: []uint16{1, 5}, Weights: []float64{0.5, 0.5}}}
	fitted, err := WithBlendBones(m, skinning.TwistSwing, bones, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	plain, driven := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil)
	for _, f := range []*skinning.Frame{plain, driven} {
		p := f.Model.NewPose()
		for j := 1; j < 6; j++ {
			p.Local[j].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(j), 2}, 0.7)
		}
		f.SetPose(p)
	}
	for v, want := range plain.Positions(skinning.TwistSwing) {
		at := m.Skin.Positions[v]
		rest := mgl64.Vec3{float64(at[0]), float64(at[1]), float64(at[2])}
		if d := driven.Matrices[6].Apply(rest).Sub(want).Len(); !(d <= 1e-14) {
			t.Fatalf("vertex %d is off by %g m", v, d)
		}
	}

	text, err := json.Marshal((&BlendBones{Operator: skinning.TwistSwing, Bones: []BlendBone{
		{Joint: 6, Masters: bones[0].Masters, Weights: bones[0].Weights, Swings: bones[0].Swings}, {Joint: 7, Masters: []uint16{1, 5}, Weights: bones[1].Weights},
	}}).Encode(fitted))
	if err != nil {
		t.Fatal(err)
	}
	read, err := readBlendBones(text, 8)
	if err != nil {
		t.Fatal(err)
	}
	got := read.(*BlendBones).Bones
	if !slices.Equal(got[0].Weights, []float64{0.625, 0.375}) || !slices.Equal(got[0].Swings, []float64{0.25, 0.75}) ||
		got[1].Swings != nil {
		t.Errorf("%s is read as %+v", text, got)
	}
	for want, spoil := range map[string]func(r *BlendBones){
		"1 weights of swings for 2 masters and twist-swing": func(r *BlendBones) { r.Bones[0].Swings = []float64{1} },
		"2 weights of swings for 2 masters and dqs":         func(r *BlendBones) { r.Operator = skinning.DQS },
		"weights of swings: a sum of 1.5, not 1":            func(r *BlendBones) { r.Bones[0].Swings = []float64{0.75, 0.75} },
	} {
		r, err := readBlendBones(text, 8)
		if err != nil {
			t.Fatal(err)
		}
		spoil(r.(*BlendBones))
		if err := r.(*BlendBones).Validate(&fitted.Skeleton); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	if _, err := readBlendBones([]byte(strings.Replace(string(text), `"swings":[`, `"swings":[[],`, 1)), 8); err == nil {
		t.Error("swings of 3 bones for 2 were read")
	}
}
