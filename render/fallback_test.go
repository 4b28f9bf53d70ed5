package render

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// Where deltas exceed the largest texture buffer the CPU adds them: same result, and changing weights back restores the
// rest.
func TestMorphFallback(t *testing.T) {
	m := assetstest.Open(t, "hostile/morph_and_skin.glb")
	r := newTestRenderer(t)
	r.poser.Texels = 0
	if err := r.SetModel(m); err != nil {
		t.Fatal(err)
	}
	if !r.model.AddsMorphs() {
		t.Fatal("the fallback is not in use")
	}
	f := skinning.NewFrame(m, nil)
	pose := m.NewPose()
	for _, u := range []float64{0, 0.3, 0.7, 0.3, 0} {
		m.SamplePose(pose, 0, u*m.Clips[0].Seconds)
		f.SetPose(pose)
		compareToReference(t, r, f, skinning.DQS, "fallback")
	}
}

// With signs followed through a clip, turns past 180 degrees blend the long way: the shaders must not flip.
func TestUnrolledMatchesCPU(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	clip, err := m.ClipIndex("full-turn")
	if err != nil {
		t.Fatal(err)
	}
	r := newTestRenderer(t)
	if err := r.SetModel(m); err != nil {
		t.Fatal(err)
	}
	signs := skinning.NewSigns(m, clip)
	f := skinning.NewFrame(m, nil)
	pose := m.NewPose()
	for _, u := range []float64{0.3, 0.62, 0.9} {
		at := u * m.Clips[clip].Seconds
		m.SamplePose(pose, clip, at)
		f.SetPose(pose)
		short := readPosed(t, r, f, skinning.DQS)
		signs.Apply(f, at)
		for _, method := range skinning.Methods()[skinning.DQS:] {
			compareToReference(t, r, f, method, "unrolled")
		}
		long := readPosed(t, r, f, skinning.DQS)
		differ := false
		for v := range long {
			differ = differ || long[v].Position.Sub(short[v].Position).Len() > 1e-2*r.model.Diagonal
		}
		if want := u > 0.5; differ != want {
			t.Errorf("at %g of the turn: unrolling changes the shape: %v, expected %v", u, differ, want)
		}
	}
}
