package rig

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// helperText is a rig of one bone over two inputs, for a skin of five joints.
const helperText = `{"inputs":[{"joint":1,"parent":0,"axes":[[0,0,1]],"center":[0,0,0,1],"least":[-1],"most":[2]},` +
	`{"joint":2,"parent":-1,"axes":[[1,0,0],[0,1,0]],"center":[0,0,0,1],"least":[-1,0],"most":[0,1]}],` +
	`"bones":[{"joint":4,"parent":1,"place":[0,1,2],"constant":[0,0,0,0,0,0,0],"terms":[` +
	`{"input":0,"powers":[2],"coefficients":[1,0,0,0,0,0,0.5]},` +
	`{"input":1,"powers":[1,1],"coefficients":[1,0,0,0,0,0,0]}]}]}`

// TestHelperBonesHostile: what a file may say in place of a rig is an error of one sentence that names the element.
func TestHelperBonesHostile(t *testing.T) {
	if _, err := readHelperBones([]byte(helperText), 5); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"inputs":[`, `"inputs":7,"x":[`, "not understood"},
		{`"place"`, `"plaec"`, "not understood"},
		{`[0,1,2]`, `[0,1e999,2]`, "not understood"},
		{`[0,1,2]`, `[0,1]`, "place of 2"},
		{`[0,1,2]`, `[0,1e30,2]`, "place"},
		{`"constant":[0`, `"constant":[0,0`, "constant of 8"},
		{`"constant":[0`, `"constant":[1e300`, "constant: number 0 is 1e+300"},
		{`"joint":4`, `"joint":5`, "joint 5"},
		{`"joint":4`, `"joint":-1`, "joint -1"},
		{`"parent":1`, `"parent":5`, "parent 5"},
		{`"parent":0`, `"parent":-2`, "joint -2"},
		{`"joint":1,`, `"joint":1e30,`, "not understood"},
		{`"joint":1,`, `"joint":9,`, "input 0: joint 9"},
		{`[[0,0,1]]`, `[]`, "0 axes"},
		{`[[0,0,1]]`, `[[0,0]]`, "axis 0 of 2"},
		{`[[0,0,1]]`, `[[0,0,2]]`, "product 4"},
		{`[[1,0,0],[0,1,0]]`, `[[1,0,0],[1,0,0]]`, "axes 0 and 1"},
		{`[[0,0,1]]`, `[[0,0,1],[0,1,0],[1,0,0],[1,0,0]]`, "4 axes"},
		{`"center":[0,0,0,1]`, `"center":[0,0,1]`, "center of 3"},
		{`"center":[0,0,0,1]`, `"center":[0,0,0,2]`, "unit quaternion"},
		{`"center":[0,0,0,1]`, `"center":[0,0,0.8,-0.6]`, "unit quaternion"},
		{`"most":[2]`, `"most":[-2]`, "range -1 to -2"},
		{`"most":[2]`, `"most":[7]`, "range -1 to 7"},
		{`"most":[2]`, `"most":[]`, "0 most"},
		{`"input":1`, `"input":2`, "input 2 of 2"},
		{`"powers":[2]`, `"powers":[4]`, "power 4"},
		{`"powers":[2]`, `"powers":[0]`, "powers [0 0 0]"},
		{`"powers":[2]`, `"powers":[-1]`, "power -1"},
		{`"powers":[1,1]`, `"powers":[2,2]`, "powers [2 2 0]"},
		{`"powers":[2]`, `"powers":[2,0]`, "2 powers of 1"},
		{`"coefficients":[1,0,0,0,0,0,0.5]`, `"coefficients":[1]`, "1 coefficients"},
		{`{"input":1,"powers":[1,1]`, `{"input":0,"powers":[2]`, "a second one"},
	} {
		text := strings.Replace(helperText, c.old, c.new, 1)
		r, err := readHelperBones([]byte(text), 5)
		if err == nil {
			m := skinningtest.RandomModel(3, 5, 1, 1)
			err = r.Validate(&m.Skeleton)
		}
		switch {
		case err == nil:
			t.Errorf("%s in place of %s: read as %+v", c.new, c.old, r)
		case !strings.Contains(err.Error(), c.want) || len(err.Error()) > 200 || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s in place of %s: %v, expected %q", c.new, c.old, err, c.want)
		}
	}
	for _, text := range []string{`null`, `{}`, `{"bones":[]}`} {
		if r, err := readHelperBones([]byte(text), 5); r != nil || err != nil {
			t.Errorf("%s is read as %v, %v", text, r, err)
		}
	}
}

// TestHelperBonesValidate: faults that a program makes, a NaN for one, are errors too.
func TestHelperBonesValidate(t *testing.T) {
	m := skinningtest.RandomModel(3, 5, 1, 1)
	for _, c := range []struct {
		want string
		edit func(r *HelperBones)
	}{
		{"place", func(r *HelperBones) { r.Bones[0].Place[1] = math.NaN() }},
		{"constant", func(r *HelperBones) { r.Bones[0].Constant[6] = math.Inf(1) }},
		{"term 1: number 2", func(r *HelperBones) { r.Bones[0].Terms[1].Coefficients[2] = math.NaN() }},
		{"input 0: axis 0", func(r *HelperBones) { r.Inputs[0].Least[0] = math.NaN() }},
		{"input 0: center", func(r *HelperBones) { r.Inputs[0].Center = geom.Quat{} }},
		{"input 1: axes 0 and 0", func(r *HelperBones) { r.Inputs[1].Axes[0] = mgl64.Vec3{math.NaN(), 0, 0} }},
		{"input 1: joint 1", func(r *HelperBones) { r.Inputs[1].Joint = 1 }},
		{"input 0: joint 1 turns against 1", func(r *HelperBones) { r.Inputs[0].Parent = 1 }},
		{"input 0: joint 4", func(r *HelperBones) { r.Inputs[0].Joint = 4 }},
		{"bone 0: parent 4", func(r *HelperBones) { r.Bones[0].Parent = 4 }},
		{"bone 1: joint 4", func(r *HelperBones) { r.Bones = append(r.Bones, r.Bones[0]) }},
		{"term 0: input 2", func(r *HelperBones) { r.Bones[0].Terms[0].Input = 2 }},
		{"term 0: powers", func(r *HelperBones) { r.Bones[0].Terms[0].Powers = [3]uint8{0, 1, 0} }},
		{"term 0: powers", func(r *HelperBones) { r.Bones[0].Terms[0].Powers = [3]uint8{255, 0, 0} }},
	} {
		rig, err := readHelperBones([]byte(helperText), 5)
		if err != nil {
			t.Fatal(err)
		}
		if err := rig.Validate(&m.Skeleton); err != nil {
			t.Fatal(err)
		}
		c.edit(rig.(*HelperBones))
		if err := rig.Validate(&m.Skeleton); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, expected %q", err, c.want)
		}
	}
}

// FuzzHelperBones: any text is an error, or a rig that drives any pose with finite numbers and is written and read
// back.
func FuzzHelperBones(f *testing.F) {
	f.Add([]byte(helperText))
	f.Add([]byte(`{"bones":[{"joint":4,"parent":3,"place":[1,0,0],"constant":[0,0,0,1,0,0,-2],"terms":[]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := skinningtest.RandomModel(3, 5, 1, 1)
		rig, err := readHelperBones(text, len(m.Skeleton.Joints))
		if rig == nil || err != nil {
			return
		}
		if err := m.SetRig(rig); err != nil {
			return
		}
		for _, f := range []*skinning.Frame{skinningtest.RandomFrame(m, 3), skinningtest.ScaledFrame(m, 3)} {
			for _, j := range rig.Joints() {
				if !f.Matrices[j].IsFinite() {
					t.Fatalf("joint %d has the matrix %v", j, f.Matrices[j])
				}
			}
		}
		again, err := json.Marshal(rig.Encode(m))
		if err != nil {
			t.Fatal(err)
		}
		back, err := readHelperBones(again, len(m.Skeleton.Joints))
		if err != nil || fmt.Sprint(back) != fmt.Sprint(rig) {
			t.Fatalf("read back: %v, %v, expected %v", back, err, rig)
		}
	})
}
