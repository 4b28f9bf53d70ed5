package helperpage

import (
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/rig"
)

// twoBones is a rig of two inputs, one of them a hinge.
func twoBones() *rig.HelperBones {
	return &rig.HelperBones{
		Inputs: []rig.HelperInput{
			{Axes: []mgl64.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
			{Axes: []mgl64.Vec3{{0.6, 0.8, 0}}},
		},
		Bones: []rig.HelperBone{
			{Constant: rig.HelperMotion{1, 2, 3}, Terms: []rig.HelperTerm{
				{Input: 0, Powers: [3]uint8{1, 0, 1}, Coefficients: rig.HelperMotion{4, 5}},
				{Input: 1, Powers: [3]uint8{2, 0, 0}, Coefficients: rig.HelperMotion{6: 7}}}},
			{Terms: []rig.HelperTerm{{Input: 1, Powers: [3]uint8{1, 0, 0}, Coefficients: rig.HelperMotion{8}}}},
		},
	}
}

// TestEdits: no change touches a rig that has been shown.
func TestEdits(t *testing.T) {
	fitted := twoBones()
	e := newEdits(nil, fitted)
	square := coefficient{0, 1, 6}
	e.set(square, 70)
	first := *e.now
	e.set(coefficient{1, 0, 0}, 80)
	e.set(coefficient{1, 0, 0}, 81) // a drag goes on
	e.set(coefficient{0, -1, 2}, 30)
	if !reflect.DeepEqual(fitted, twoBones()) || first.Bones[1].Terms[0].Coefficients[0] != 8 {
		t.Error("an edit changed a rig from before")
	}
	if got := e.now.Bones; got[0].Terms[1].Coefficients[6] != 70 || got[1].Terms[0].Coefficients[0] != 81 ||
		got[0].Constant != (rig.HelperMotion{1, 2, 30}) || !e.edited(square) || e.edited(coefficient{0, 0, 0}) {
		t.Errorf("after three edits: %+v", got)
	}
	e.resetBone(0)
	if !reflect.DeepEqual(e.now.Bones[0], fitted.Bones[0]) || e.now.Bones[1].Terms[0].Coefficients[0] != 81 {
		t.Errorf("a bone that was reset: %+v", e.now.Bones)
	}
}

// TestFirstBones: a dropped bone has no motion, the others and the rig itself are as they were.
func TestFirstBones(t *testing.T) {
	r := twoBones()
	less := firstBones(r, 1)
	variables := [][3]float64{{1, 2, 3}, {4}}
	if less.Motion(1, variables) != (rig.HelperMotion{}) || less.Motion(0, variables) != r.Motion(0, variables) ||
		!reflect.DeepEqual(r, twoBones()) {
		t.Errorf("one of two bones: %+v", less.Bones)
	}
	if firstBones(r, 2) != r {
		t.Error("all bones are another rig")
	}
}

func TestMonomial(t *testing.T) {
	r := twoBones()
	for _, c := range []struct {
		input  int
		powers [3]uint8
		want   string
	}{
		{0, [3]uint8{1, 0, 0}, "x"}, {0, [3]uint8{0, 3, 0}, "y³"}, {0, [3]uint8{1, 0, 2}, "x·z²"}, {1, [3]uint8{2, 0, 0}, "u²"},
	} {
		if got := monomial(&r.Inputs[c.input], c.powers); got != c.want {
			t.Errorf("powers %v are written %q, expected %q", c.powers, got, c.want)
		}
	}
}
