package bodymodel

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/ssdrtest"
	"skinlab/skinning/geom"
)

// Without a template limbs are numbered from 1. With one that is three times as large and elsewhere, each gets the name
// of its own joint; names of others, empty ones and those that are there twice stay away.
func TestNameLimbs(t *testing.T) {
	b, _ := tubeBody(4, 2, 1, 1)
	if names := nameLimbs(b, nil); !slices.Equal(names, []string{"limb_1", "limb_2", "limb_3", "limb_4"}) {
		t.Errorf("%q", names)
	}
	over := func(p mgl64.Vec3) mgl64.Vec3 { return mgl64.Vec3{3*p[0] + 7, 3 * p[1], 2*p[2] - 1} }
	template := &template{Names: []string{"wrist", "", "shoulder", "elbow", "shoulder"}}
	for _, x := range []float64{2.1, 3, 0.1, 1.1, 0.15} {
		template.Joints = append(template.Joints, over(mgl64.Vec3{x, 0, 0}))
	}
	lo, hi := geom.Bounds(b.Vertices)
	template.Low, template.High = over(lo), over(hi)
	if names := nameLimbs(b, template); !slices.Equal(names, []string{"shoulder", "elbow", "wrist", "limb_1"}) {
		t.Errorf("%q", names)
	}
	template.Names = []string{"limb_1", "limb_2", "", "", ""}
	if names := nameLimbs(b, template); !slices.Equal(names, []string{"limb_3", "limb_4", "limb_1", "limb_2"}) {
		t.Errorf("%q", names)
	}
}

// Limbs of the human that are found without its skeleton get its names: those of both sides' arms and legs.
func TestNameLimbsOfTheHuman(t *testing.T) {
	if testing.Short() {
		t.Skip("it finds the limbs of a large model")
	}
	x := ssdrtest.Human(t)
	names := nameLimbs(start(t, scansOf(x), startOptions{}), templateOf(x.Model))
	for _, want := range []string{"upperarm", "lowerarm", "thigh", "calf", "foot"} {
		for _, side := range []string{"_l", "_r"} {
			if !slices.Contains(names, want+side) {
				t.Errorf("no %s%s in %q", want, side, names)
			}
		}
	}
}
