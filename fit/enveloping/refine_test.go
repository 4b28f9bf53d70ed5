package enveloping

import (
	"context"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

// TestTooFewProxies: where so few proxies predict no vertex better than trained weights do, the fit is those weights,
// and no failure.
func TestTooFewProxies(t *testing.T) {
	onlyNumbers(t)
	m := assetstest.Open(t, "demo:figure")
	x, err := FromSet(m, &training.Set{Teacher: skinning.DQS, Clip: 0, Times: compare.Times(m.Clips[0].Seconds, 12)})
	if err != nil {
		t.Fatal(err)
	}
	for _, proxies := range []int{1, 5} {
		r, err := Fit(context.Background(), x, Options{Proxies: proxies, History: true})
		if err != nil {
			t.Fatalf("%d proxies: %v", proxies, err)
		}
		if !(r.Fit.EE <= r.SSD.EE) {
			t.Errorf("%d proxies: EE %g %%, of trained weights alone %g %%", proxies, r.Fit.EE, r.SSD.EE)
		}
	}
}

// TestNoVertexWorse: on its examples no vertex is further from its targets than trained SSD's, and the whole is nearer,
// also where meshes are coarse, rigs flat and examples few.
func TestNoVertexWorse(t *testing.T) {
	onlyNumbers(t)
	for _, c := range []struct {
		model, clip string
		examples    int
		method      skinning.Method
	}{
		{"RiggedSimple.glb", "0", 6, skinning.DQS},
		{"SimpleSkin.gltf", "0", 5, skinning.DQS},
		{"Fox.glb", "Survey", 12, skinning.DIB},
		{"Fox.glb", "Run", 2, skinning.DQS},
		{"GenericHand.glb", "", 12, skinning.DQS},
	} {
		x := setOf(t, assetstest.Open(t, c.model), c.clip, c.examples, c.method)
		r, err := Fit(context.Background(), x, Options{Proxies: 20})
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Fit.EE < r.SSD.EE) {
			t.Errorf("%s %s: EE %g %%, of trained weights %g %%", c.model, c.clip, r.Fit.EE, r.SSD.EE)
		}
		palettes := make([][]geom.Affine, len(x.Pairs))
		for i := range palettes {
			palettes[i] = x.Pairs[i].Matrices
		}
		base := missesOf(x, 1, palettes, r.Trained.Weights).square
		for v, e := range r.Model.misses(x, 1).square {
			// 1e-16 of the size, squared: rounding of positions.
			if !(e <= base[v]+1e-16*x.diagonal()*x.diagonal()) {
				t.Errorf("%s %s, vertex %d: squared error %g, of trained weights %g", c.model, c.clip, v, e, base[v])
			}
		}
	}
}

// setOf makes examples of a method at even times of a clip, "" for the range of motion.
func setOf(t testing.TB, m *skinning.Model, clip string, n int, method skinning.Method) *Examples {
	t.Helper()
	if clip == "" {
		frames := training.RangeOfMotionPoses(m, n)
		targets := make([][]mgl64.Vec3, n)
		for i, f := range frames {
			targets[i] = f.Positions(method)
		}
		x, err := NewExamples(m, frames, targets)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	at, err := m.ClipIndex(clip)
	if err != nil {
		t.Fatal(err)
	}
	x, err := FromSet(m, &training.Set{Teacher: method, Clip: at, Times: compare.Times(m.Clips[at].Seconds, n)})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
