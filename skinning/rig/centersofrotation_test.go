package rig_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Blend bones that sample cor move as a vertex of their weights does, scaled joints too, and keep their centres in a
// file: the weights that these came from are not there any more. Without a centre a bone blends linearly.
func TestBlendBonesOfCentersOfRotation(t *testing.T) {
	var read func(text []byte, joints int) (skinning.Rig, error)
	for _, kind := range rig.Kinds() {
		if kind.Key == "blendBones" {
			read = kind.Read
		}
	}
	m := assetstest.Open(t, "demo:bar")
	bones := []rig.BlendBone{{Masters: []uint16{0, 1}, Weights: []float64{0.625, 0.375}}}
	fitted, err := rig.WithBlendBones(m, skinning.COR, bones, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(fitted.Rigs[0].Encode(fitted))
	if err != nil {
		t.Fatal(err)
	}
	again, err := read(text, 3)
	if err != nil {
		t.Fatal(err)
	}
	bone := again.(*rig.BlendBones).Bones[0]
	if bone.Center == nil || *bone.Center != *fitted.Rigs[0].(*rig.BlendBones).Bones[0].Center {
		t.Fatalf("the centre is read as %v", bone.Center)
	}
	f, driven := skinningtest.ScaledFrame(m, 3), skinning.NewFrame(fitted, nil)
	copy(driven.Matrices, f.Matrices)
	for j := range f.Matrices {
		driven.SetMatrix(j, &f.Matrices[j])
	}
	driven.DriveRigs()
	want := f.Evaluate(skinning.COR, bones[0].Masters, bones[0].Weights)
	if d := skinningtest.MaxDiff(driven.Matrices[2][:], want[:]); !(d <= 1e-12) { // metres; float64
		t.Errorf("the bone is off by %g", d)
	}
	linear := f.Evaluate(skinning.LBS, bones[0].Masters, bones[0].Weights)
	if d := skinningtest.MaxDiff(want[:], linear[:]); !(d > 1e-3) {
		t.Errorf("cor is only %g from linear blending", d)
	}
	bare := *m
	bare.Skin.Triangles = nil
	if fitted, err = rig.WithBlendBones(&bare, skinning.COR, bones, m.Skin.Influences); err != nil {
		t.Fatal(err)
	}
	if r := fitted.Rigs[0].(*rig.BlendBones); r.Bones[0].Center != nil {
		t.Errorf("without triangles there is a centre %v", r.Bones[0].Center)
	}
	centered := rig.BlendBones{Operator: skinning.DQS, Bones: []rig.BlendBone{{Joint: 2, Masters: bones[0].Masters,
		Weights: bones[0].Weights, Center: &mgl64.Vec3{}}}}
	if err := centered.Validate(&fitted.Skeleton); err == nil || !strings.Contains(err.Error(), "centre of rotation for dqs") {
		t.Errorf("a centre for dqs: %v", err)
	}
	if _, err := read([]byte(`{"operator":"cor","joints":[2],"masters":[[0,1]],"weights":[[0.5,0.5]]}`), 3); err == nil {
		t.Error("blend bones of cor are read without centers")
	}
}
