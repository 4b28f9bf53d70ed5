package render

import (
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestMorphNormals: a shape of a morph target that says nothing of normals is shaded as it stands, not as the rest
// shape would be, which has a groove where linear blending collapses; targets with normals, and the skin without a
// target, are shaded with theirs.
func TestMorphNormals(t *testing.T) {
	r := newTestRenderer(t)
	with := assetstest.Open(t, "demo:bar")
	bare := *with
	bare.Skin.Morphs = slices.Clone(with.Skin.Morphs)
	for i := range bare.Skin.Morphs {
		bare.Skin.Morphs[i].Normals = nil
	}
	clip, err := with.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m        *skinning.Model
		clip     int
		seconds  float64
		computed bool
	}{{&bare, clip, 2, true}, {with, clip, 2, false}, {&bare, 0, 1, false}} {
		setModel(t, r, c.m)
		s := newTestScene(c.m, 0, 100, 60)
		s.Method = skinning.LBS
		pose := c.m.NewPose()
		c.m.SamplePose(pose, c.clip, c.seconds)
		s.Frame.SetPose(pose)
		got := pictureOf(t, r, s)
		s.Recomputed = true
		computed := pictureOf(t, r, s)
		s.Recomputed, s.Transformed = false, true
		transformed := pictureOf(t, r, s)
		want, other := computed, transformed
		if !c.computed {
			want, other = transformed, computed
		}
		if d := compareImages(want, got); d.mean != 0 {
			t.Errorf("clip %d at %g s, from the surface %v: %v from what is expected", c.clip, c.seconds, c.computed, d)
		}
		if d := compareImages(other, got); d.mean == 0 {
			t.Errorf("clip %d at %g s: both kinds of normals draw the same", c.clip, c.seconds)
		}
	}
}
