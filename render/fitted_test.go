package render

import (
	"math"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/internal/thirdrig"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// halfway returns the model with a blend bone halfway between the two strongest joints of vertices that have such, and
// their vertices bound to it: a stand-in for a fit with every feature of one.
func halfway(t testing.TB, m *skinning.Model) *skinning.Model {
	t.Helper()
	type pair [2]uint16
	index := map[pair]int{}
	var bones []rig.BlendBone
	in := skinning.Influences{Bindings: append([]skinning.Binding(nil), m.Skin.Bindings...)}
	for v := range in.Bindings {
		b := &in.Bindings[v]
		if b.Weights[1] < 0.2 || len(bones) > 20 {
			continue
		}
		p := pair{min(b.Joints[0], b.Joints[1]), max(b.Joints[0], b.Joints[1])}
		k, ok := index[p]
		if !ok {
			k = len(bones)
			index[p] = k
			bones = append(bones, rig.BlendBone{Masters: []uint16{p[0], p[1]}, Weights: []float64{0.5, 0.5}})
		}
		b.Joints[0] = uint16(len(m.Skeleton.Joints) + k)
	}
	if len(bones) == 0 {
		t.Fatalf("%s has no vertex between two joints", m.Name)
	}
	in.ExtraStart, in.Extra = m.Skin.ExtraStart, m.Skin.Extra
	fitted, err := rig.WithBlendBones(m, skinning.DQS, bones, in)
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

// TestFittedMatchesCPU draws the model's own methods and the fitted skin by turns with one renderer, as a picture in
// two halves does, and holds each to its reference.
func TestFittedMatchesCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"demo:box", "demo:tube", "CesiumMan.glb", "RobotExpressive.glb",
		"hostile/morph_and_skin.glb"} {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			fitted := halfway(t, m)
			r := newTestRenderer(t)
			setModel(t, r, m)
			if err := r.SetFitted(fitted, make([]skin.Tint, len(m.Skin.Positions))); err != nil {
				t.Fatal(err)
			}
			own, live := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil)
			pose := fitted.NewPose()
			for _, at := range posesOf(m) {
				m.SamplePose(at.pose, at.clip, at.seconds)
				own.SetPose(at.pose)
				fitted.SamplePose(pose, at.clip, at.seconds)
				live.SetPose(pose)
				compareToReference(t, r, live, skinning.LBS, at.String()+", fitted")
				compareToReference(t, r, own, skinning.SBS, at.String())
				compareRigid(t, r, live, skinning.LBS, at.String()+", fitted")
			}
		})
	}
}

// TestThirdRigMatchesCPU draws a skin whose rig this package does not know.
func TestThirdRigMatchesCPU(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	fitted, err := thirdrig.With(m, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := newTestRenderer(t)
	setModel(t, r, m)
	if err := r.SetFitted(fitted, nil); err != nil {
		t.Fatal(err)
	}
	live, pose := skinning.NewFrame(fitted, nil), fitted.NewPose()
	live.LazyProxies = true // which this rig does not have
	for _, at := range posesOf(m) {
		fitted.SamplePose(pose, at.clip, at.seconds)
		live.SetPose(pose)
		compareToReference(t, r, live, skinning.LBS, at.String())
	}
}

func TestSetFitted(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	if err := r.SetFitted(m, nil); err == nil {
		t.Error("a binding of no model: expected an error")
	}
	setModel(t, r, m)
	s := newTestScene(m, 1.5, 128, 128)
	plain := pictureOf(t, r, s)

	fitted := halfway(t, m)
	tints := make([]skin.Tint, len(m.Skin.Positions))
	for v := range tints {
		tints[v] = skin.Tint{255, 0, 0, 255}
	}
	if err := r.SetFitted(fitted, tints); err != nil {
		t.Fatal(err)
	}
	if d := compareImages(plain, pictureOf(t, r, s)); d.mean != 0 {
		t.Errorf("the model's own picture changes by %g levels when something is fitted, expected none", d.mean)
	}
	live := newTestScene(fitted, 1.5, 128, 128)
	live.Camera, live.Method = s.Camera, skinning.LBS
	// The twisted middle, which LBS collapses, covers a tenth of the picture.
	if d := compareImages(plain, pictureOf(t, r, live)); d.share < 0.01 {
		t.Errorf("only %g of the picture changes with the fitted skin, expected 0.01 at least", d.share)
	}
	live.Surface = picture.SurfaceClay
	unpainted := pictureOf(t, r, live)
	live.Surface = picture.SurfacePaint
	red := pictureOf(t, r, live)
	n := 0
	for i := 0; i < len(red.Pix); i += 4 {
		if int(red.Pix[i]) > int(red.Pix[i+1])+60 {
			n++
		}
	}
	// The box fills a good quarter of its frame.
	if share := float64(n) / float64(len(red.Pix)/4); share < 0.15 {
		t.Errorf("red tints colour %.2g of the picture, expected 0.15 at least", share)
	}
	if err := r.SetTints(fitted, make([]skin.Tint, len(tints))); err != nil {
		t.Fatal(err)
	}
	if d := compareImages(unpainted, pictureOf(t, r, live)); d.mean != 0 {
		t.Errorf("tints that do not show change the picture by %g levels, expected none", d.mean)
	}
	live.Method = skinning.DQS
	if _, err := r.Picture(live); err == nil {
		t.Error("a fitted skin by DQS: expected an error")
	}
	if n := testing.AllocsPerRun(5, func() {
		if err := r.SetFitted(fitted, tints); err != nil {
			t.Fatal(err)
		}
	}); !(n < 200) { // a fixed number of buffers, whatever the model's size
		t.Errorf("%g allocations, expected fewer than 200", n)
	}
	if err := r.SetFitted(nil, nil); err != nil {
		t.Fatal(err)
	}
	if d := compareImages(plain, pictureOf(t, r, s)); d.mean != 0 || math.IsNaN(d.mean) {
		t.Errorf("the model's own picture changes by %g levels when the fit is gone, expected none", d.mean)
	}
	defer func() {
		if recover() == nil {
			t.Error("a frame of a model that is gone: expected a panic")
		}
	}()
	live.Method = skinning.LBS
	r.Picture(live)
}

func BenchmarkSetFitted(b *testing.B) {
	r := newTimedRenderer(b)
	m := assetstest.Open(b, "human_male.glb")
	setModel(b, r, m)
	fitted := halfway(b, m)
	tints := make([]skin.Tint, len(m.Skin.Positions))
	for b.Loop() {
		if err := r.SetFitted(fitted, tints); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWholeFitted: a fitted model with a mesh and a skeleton of its own is drawn by any method as if it were the
// file's, and laid over the file's in its own tints, where each of both hides some of the other.
func TestWholeFitted(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	own, whole := assetstest.Open(t, "demo:bar"), assetstest.Open(t, "demo:tube")
	alone := newTestRenderer(t)
	setModel(t, alone, whole)
	s := newTestScene(whole, 0.7, 120, 120)
	want := pictureOf(t, alone, s)

	r := newTestRenderer(t)
	setModel(t, r, own)
	plain := newTestScene(own, 0.7, 120, 120)
	before := pictureOf(t, r, plain)
	if r.Binds(whole) || !r.Binds(own) {
		t.Fatal("which models share the file's vertices is not known")
	}
	orange := make([]skin.Tint, len(whole.Skin.Positions))
	for v := range orange {
		orange[v] = skin.Tint{255, 90, 0, 255}
	}
	if err := r.SetFitted(whole, orange); err != nil {
		t.Fatal(err)
	}
	if d := compareImages(pictureOf(t, r, s), want); d.mean != 0 {
		t.Errorf("the whole model is %v from itself as the file's", d)
	}
	if d := compareImages(pictureOf(t, r, plain), before); d.mean != 0 {
		t.Errorf("the file's own model is %v from what it was before", d)
	}
	// A tube about the bar: each is in front somewhere.
	plain.Surface = picture.SurfaceClay
	clay := pictureOf(t, r, plain)
	plain.Over = &picture.Over{Frame: s.Frame, Method: skinning.DQS}
	everyWay(t, r, func(way skin.Way) {
		both := pictureOf(t, r, plain)
		added, kept := 0, 0
		for i := 0; i < len(both.Pix); i += 4 {
			red := int(both.Pix[i]) - int(both.Pix[i+2])
			if red > 60 && int(clay.Pix[i])-int(clay.Pix[i+2]) < 20 {
				added++
			}
			if both.Pix[i] == clay.Pix[i] {
				kept++
			}
		}
		if n := len(both.Pix) / 4; added < n/200 || kept < n/10 {
			t.Errorf("%v: of %d pixels %d are the other model's and %d are as without it", way, n, added, kept)
		}
	})
	if err := r.SetFitted(nil, nil); err != nil {
		t.Fatal(err)
	}
	if r.whole != nil {
		t.Error("the whole model stays after it was taken away")
	}
}
