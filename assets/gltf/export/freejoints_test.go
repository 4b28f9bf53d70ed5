package export

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// freed gives a model two free joints below a joint, −1 for none, and moves half of every vertex's weight to one of
// them. A clip turns them: the given one, or one more where that is past the last.
func freed(t *testing.T, m *skinning.Model, parent, clip int) *skinning.Model {
	t.Helper()
	var weights skinning.Influences
	for v := range m.Skin.Positions {
		joint := uint16(len(m.Skeleton.Joints) + v%2)
		raw := []skinning.Influence{{Joint: joint, Weight: 1}}
		if parent >= 0 {
			raw = m.Skin.Of(nil, v)[:1]
			raw[0].Weight = 0.5
			raw = append(raw, skinning.Influence{Joint: joint, Weight: 0.5})
		}
		weights.Append(raw, 0)
	}
	middle, _ := m.RestMiddle()
	out, err := remodel.WithFreeJoints(m, []remodel.FreeJoint{{Name: "left", Parent: parent, Place: middle},
		{Name: "right", Parent: parent, Place: middle.Add(mgl64.Vec3{0.5, 0, 0})}}, weights)
	if err != nil {
		t.Fatal(err)
	}
	out.Skin.Morphs = nil
	out.Clips = append([]skinning.Clip(nil), m.Clips...)
	if clip == len(out.Clips) {
		out.Clips = append(out.Clips, skinning.Clip{Name: "new", Seconds: 1})
	}
	c := &out.Clips[clip]
	c.Channels = c.Channels[:len(c.Channels):len(c.Channels)]
	for k, j := range out.Skeleton.Joints[len(m.Skeleton.Joints):] {
		turn := skinning.Channel{Node: j.Node, Path: skinning.PathRotation, Width: 4}
		for i := range 5 {
			turn.Times = append(turn.Times, float32(c.Seconds*float64(i)/4))
			q := geom.AxisAngle(mgl64.Vec3{0, 0.6, 0.8}, 0.4*float64(i*(1-2*k)))
			for _, x := range q {
				turn.Values = append(turn.Values, float32(x))
			}
		}
		c.Channels = append(c.Channels, turn)
	}
	return out
}

// TestFreeJointsOnRigidMeshes: meshes without a skin get one skin each over the free joints, which stand under a root
// of their own; the morph targets and their channels go, the clip keeps its name and its length, and what is read
// again plays as the model did.
func TestFreeJointsOnRigidMeshes(t *testing.T) {
	data := encoded(t, gltftest.Morphing(9))
	m := decoded(t, "morphing.glb", data)
	fitted := freed(t, remodel.BindRigid(m), -1, 0)
	again, report, out := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	if len(again.Skeleton.Joints) != 4 || len(again.MorphSlots) != 0 || len(again.Rigid) != 1 || report.Bones != 2 {
		t.Errorf("%d joints, %d morph slots, %d rigid meshes, %d bones", len(again.Skeleton.Joints), len(again.MorphSlots),
			len(again.Rigid), report.Bones)
	}
	if c := again.Clips[0]; c.Name != "bend" || c.Seconds != 1 || len(c.Channels) != 2 {
		t.Errorf("clip %q of %g s with %d channels", c.Name, c.Seconds, len(c.Channels))
	}
	doc := treeOf(t, out)
	if skins := doc["skins"].(items); len(skins) != 2 || len(skins[0].(dict)["joints"].(items)) != 2 {
		t.Errorf("skins %v", skins)
	}
	for _, k := range []int{0, 1} {
		p := primitiveOf(doc, k, 0)
		if p["targets"] != nil || p["attributes"].(dict)["JOINTS_0"] == nil {
			t.Errorf("mesh %d: %v", k, p)
		}
	}
}

// TestFreeJointsBesideSkeletons: free joints below a skeleton's own move with them in the clips that leave them alone,
// in a clip that the fit has added too, and in a built-in model.
func TestFreeJointsBesideSkeletons(t *testing.T) {
	for _, name := range []string{"CesiumMan.glb", "demo:bar"} {
		m, data, folder := source(t, name)
		for _, clip := range []int{0, len(m.Clips)} {
			fitted := freed(t, m, 1, clip)
			again, _, _ := export(t, fitted, data, folder, Options{})
			samePlay(t, fitted, again)
			if len(again.Clips) != max(len(m.Clips), clip+1) || len(again.Skeleton.Joints) != len(m.Skeleton.Joints)+2 {
				t.Errorf("%s: %d clips, %d joints", name, len(again.Clips), len(again.Skeleton.Joints))
			}
		}
	}
}

// TestHurriedFreeJoints: in a hurry free joints have their own keys, where their motion turns corners. Nothing drives
// them live, so that a warning of coarse keys does not say so.
func TestHurriedFreeJoints(t *testing.T) {
	data := encoded(t, gltftest.Morphing(9))
	closed := make(chan struct{})
	close(closed)
	fitted := freed(t, remodel.BindRigid(decoded(t, "morphing.glb", data)), -1, 0)
	own := []float32{0, 0.1, 0.3, 0.77, 1}
	for c := range fitted.Clips[0].Channels {
		if ch := &fitted.Clips[0].Channels[c]; ch.Path == skinning.PathRotation {
			ch.Times = own
		}
	}
	again, report, _ := export(t, fitted, data, nil, Options{Hurry: closed})
	for _, ch := range again.Clips[0].Channels {
		for _, key := range own {
			if ch.Path == skinning.PathRotation && !slices.Contains(ch.Times, key) {
				t.Errorf("no key at %g s: %v", key, ch.Times)
			}
		}
	}
	if w := report.Warnings; !strings.Contains(strings.Join(w, "\n"), "; the fit's errors are without that") {
		t.Errorf("warnings %q", w)
	}
}

// TestStillClip: a clip in which free joints stand still keeps a channel, as glTF asks, and its length.
func TestStillClip(t *testing.T) {
	data := encoded(t, gltftest.Morphing(9))
	m := decoded(t, "morphing.glb", data)
	fitted := freed(t, remodel.BindRigid(m), -1, 0)
	for c := range fitted.Clips[0].Channels {
		if ch := &fitted.Clips[0].Channels[c]; ch.Path == skinning.PathRotation {
			for k := range ch.Values {
				ch.Values[k] = float32(k % 4 / 3)
			}
		}
	}
	again, _, _ := export(t, fitted, data, nil, Options{})
	if c := again.Clips[0]; len(c.Channels) != 1 || c.Seconds != 1 {
		t.Errorf("%d channels, %g s", len(c.Channels), c.Seconds)
	}
}

// TestReplacedChannels: a joint of the file that the fit moves otherwise gets its new keys, one without keys gets some,
// and one that has lost its keys rests. All other channels stay.
func TestReplacedChannels(t *testing.T) {
	m, data, folder := source(t, "CesiumMan.glb")
	fitted := *m
	fitted.Clips = append([]skinning.Clip(nil), m.Clips...)
	channels := append([]skinning.Channel(nil), m.Clips[0].Channels...)
	changed, lost := channels[4].Node, channels[7].Node
	kept := channels[:0]
	for _, ch := range channels {
		if ch.Node == changed && ch.Path == skinning.PathRotation {
			ch.Times, ch.Values = []float32{0, 1}, []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}
		}
		if ch.Node != lost {
			kept = append(kept, ch)
		}
	}
	fitted.Clips[0].Channels = append(kept, skinning.Channel{Node: m.Skin.Parts[0].Node, Path: skinning.PathTranslation,
		Width: 3, Times: []float32{0, 2}, Values: []float32{0, 0, 0, 0, 1, 0}})
	again, _, _ := export(t, &fitted, data, folder, Options{})
	samePlay(t, &fitted, again)
	if n := len(again.Clips[0].Channels); n != len(fitted.Clips[0].Channels) {
		t.Errorf("%d channels, expected %d", n, len(fitted.Clips[0].Channels))
	}
	moved := 0
	for i := range again.Clips[0].Channels {
		if again.Clips[0].Channels[i].Node == lost {
			t.Error("a joint that has lost its keys moves")
		}
		if ch := again.Clips[0].Channels[i]; ch.Node == changed && len(ch.Times) == 2 {
			moved++
		}
	}
	if moved != 1 {
		t.Errorf("%d channels with the new keys", moved)
	}
}

// TestClipOfAnotherFile: a model with a clip that its file does not have, and that moves no free joint, is refused.
func TestClipOfAnotherFile(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	data := encoded(t, m)
	fitted := gltftest.HalfWay(t, m, skinning.DQS, 2)
	fitted.Clips = append(fitted.Clips, skinning.Clip{Name: "stranger", Seconds: math.Pi})
	if _, err := writeFitted(&bytes.Buffer{}, data, nil, fitted, Options{}); err == nil {
		t.Error("no error")
	}
	if _, err := newExport(context.Background(), data, nil, freed(t, m, 1, 0), Options{}); err != nil {
		t.Error(err)
	}
}
