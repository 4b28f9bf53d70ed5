package enveloping

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestWorkers: any number of workers makes the same model to the bit, and so does a second run.
func TestWorkers(t *testing.T) {
	x := every(armExamples(t), 3)
	var first *Result
	for _, workers := range []int{1, 2, 5, 1} {
		r := fitted(t, x, Options{Proxies: 10, Workers: workers})
		if first == nil {
			first = r
			continue
		}
		if r.Fit != first.Fit || !slices.Equal(r.Model.Rig.C1, first.Model.Rig.C1) ||
			!slices.Equal(r.Model.Rig.C2, first.Model.Rig.C2) {
			t.Errorf("%d workers: %+v, one: %+v", workers, r.Fit, first.Fit)
		}
	}
}

// TestDegenerate: triangles without area, vertices without triangles, a single example and a single joint are learnt
// from, not crashed on.
func TestDegenerate(t *testing.T) {
	rest := []mgl64.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 2, 2}, {0, 0, 0}}
	x := &training.Examples{Rest: rest, Triangles: [][3]uint32{{0, 1, 2}, {2, 1, 3}, {0, 0, 5}, {1, 1, 1}},
		Parents: []int{-1}}
	turn := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 1).Mat3(), mgl64.Vec3{1, 2, 3})
	target := make([]mgl64.Vec3, len(rest))
	for v, p := range rest {
		target[v] = turn.Apply(p).Add(mgl64.Vec3{0, 0, 0.1 * p[0]})
	}
	x.Palettes, x.Targets = [][]geom.Affine{{turn}}, [][]mgl64.Vec3{target}
	r := fitted(t, x, Options{Proxies: 4})
	if !geom.IsFinite(r.Fit.EE) || !(r.Fit.EE <= r.SSD.EE) {
		t.Errorf("fit %+v, SSD %+v", r.Fit, r.SSD)
	}
}

func TestBadExamples(t *testing.T) {
	x := only(armExamples(t), func(i int) bool { return i < 2 })
	nan := *x
	nan.Targets = slices.Clone(x.Targets)
	nan.Targets[1] = slices.Clone(x.Targets[1])
	nan.Targets[1][7][1] = math.NaN()
	short := *x
	short.Targets = slices.Clone(x.Targets)
	short.Targets[0] = short.Targets[0][:10]
	wrong := *x
	wrong.Triangles = append(slices.Clone(x.Triangles), [3]uint32{0, 1, 1 << 30})
	none := *x
	none.Targets = nil
	for name, bad := range map[string]*training.Examples{"NaN": &nan, "short target": &short, "triangle": &wrong,
		"none": &none} {
		if _, err := Fit(context.Background(), bad, Options{}); !errors.Is(err, training.ErrExamples) {
			t.Errorf("%s: error %v, expected %v", name, err, training.ErrExamples)
		}
	}
	for name, bad := range map[string]Options{"more joints than 16 bits name": {Proxies: 65_536 - len(x.Parents) + 1},
		"target": {Target: math.NaN()}, "rigid": {Rigid: new(-1.0)}} {
		if _, err := Fit(context.Background(), x, bad); !errors.Is(err, training.ErrExamples) {
			t.Errorf("%s: error %v, expected %v", name, err, training.ErrExamples)
		}
	}
}

// TestWith: a frame of the fitted model drives the proxies live, and plain linear blending over them is the fit's own
// pose, within 2e-7 of the size: weights are rounded to float32. Posing allocates nothing. Every proxy moves vertices,
// and the shares of its masters are not negative and sum to 1.
func TestWith(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole fit")
	}
	m := assetstest.Open(t, "demo:arm")
	x := armExamples(t)
	r := fitted(t, every(x, 2), Options{Proxies: 15})
	fitted, err := r.Model.With(m)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(fitted.Skeleton.Joints) - len(m.Skeleton.Joints); n != r.Model.Proxies() || n == 0 {
		t.Fatalf("%d joints more for %d proxies", n, r.Model.Proxies())
	}
	clip, err := m.ClipIndex("poses_only")
	if err != nil {
		t.Fatal(err)
	}
	pose, f := fitted.NewPose(), skinning.NewFrame(fitted, nil)
	var driver rig.EnvelopingDriver
	for i := range x.Targets {
		fitted.SamplePose(pose, clip, float64(i))
		f.SetPose(pose)
		want := r.Model.Pose(&driver, x.Rest, x.Palettes[i])
		for v, p := range f.Positions(skinning.LBS) {
			if d := p.Sub(want[v]).Len(); !(d <= 2e-7*m.Diagonal()) {
				t.Fatalf("example %d, vertex %d: off by %g m", i, v, d)
			}
		}
	}
	if n := testing.AllocsPerRun(10, func() { f.SetPose(pose) }); n > 0 {
		t.Errorf("%g allocations a pose", n)
	}
	for k, a := range fitted.Added() {
		sum := 0.0
		for _, w := range a.Weights {
			if !(w >= 0) {
				t.Errorf("proxy %d: share %g", k, w)
			}
			sum += w
		}
		if len(a.Masters) == 0 || !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("proxy %d: %d shares that sum to %g", k, len(a.Masters), sum)
		}
	}
	share := make([]float64, r.Model.Proxies())
	for v, w := range r.Model.Weights {
		sum := 0.0
		for _, s := range w {
			sum += s.Weight
			if b := int(s.Joint) - len(x.Parents); b >= 0 {
				share[b] += s.Weight
			}
		}
		if len(w) > mostInfluences || !(math.Abs(sum-1) <= 1e-9) {
			t.Fatalf("vertex %d: weights %v", v, w)
		}
	}
	if !(slices.Min(share) > 0) {
		t.Errorf("a proxy moves no vertex: %v", share)
	}
}

// TestRigDecides: fingers that never move in the examples keep the rig's weights, so that a clip that moves them is not
// torn.
func TestRigDecides(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	x := armExamples(t)
	s := trainSSD(x, Ours(), 2, never)
	kept, fingers := 0, 0
	for v, own := range x.Rigged {
		if own[0].Weight < 0.9 || !strings.Contains(m.Skeleton.Joints[own[0].Joint].Name, "thumb") {
			continue
		}
		fingers++
		if len(s.Weights[v]) > 0 && s.Weights[v][0].Joint == own[0].Joint &&
			math.Abs(s.Weights[v][0].Weight-own[0].Weight) <= 0.05 {
			kept++
		}
	}
	if fingers < 20 || kept < fingers*95/100 {
		t.Errorf("%d of %d vertices of the thumb keep the rig's weights, expected nearly all", kept, fingers)
	}
}

// TestTwistedBar is RTER figure 13: a bar twisted by up to 180 degrees, learnt from three poses. On poses between them
// the fit stays within 2 % of the size everywhere, where SSD collapses.
func TestTwistedBar(t *testing.T) {
	x, unseen := ownExamples(t, "demo:bar", skinning.ExampleClip), ownExamples(t, "demo:bar", "unseen")
	r := fitted(t, x, Options{Proxies: 25})
	fit, ssd := r.Model.Measure(unseen).Max/x.Diagonal(), r.Trained.Measure(unseen).Max/x.Diagonal()
	if !(fit <= 0.02) || !(ssd > 0.02) {
		t.Errorf("unseen poses are off by %.2f %% of the size, by SSD %.2f %%", 100*fit, 100*ssd)
	}
}

// TestUnits: examples in any unit are fitted alike, to the bit where the unit is a power of two, which rounds nothing.
func TestUnits(t *testing.T) {
	for name, recipe := range map[string]*Recipe{"ours": Ours(), "published": Published()} {
		fit := func(unit float64) Errors {
			x := ownExamples(t, "demo:bar", skinning.ExampleClip)
			x.Model = nil // its skeleton stays in metres
			for v := range x.Rest {
				x.Rest[v] = x.Rest[v].Mul(unit)
			}
			for i := range x.Targets {
				for v, p := range x.Targets[i] {
					x.Targets[i][v] = p.Mul(unit)
				}
				for j := range x.Palettes[i] {
					for row := range 3 {
						x.Palettes[i][j][4*row+3] *= unit
					}
				}
			}
			return fitted(t, x, Options{Proxies: 12, Recipe: recipe}).Fit
		}
		want := fit(1)
		for _, unit := range []float64{1.0 / (1 << 40), 1 << 40} {
			got := fit(unit)
			if got.EE != want.EE || got.RMS/unit != want.RMS {
				t.Errorf("%s, unit %g: EE %.3f %%, RMS %g; in metres %.3f %%, %g", name, unit, got.EE, got.RMS/unit, want.EE,
					want.RMS)
			}
		}
	}
}

// TestWeights: trained weights follow the heavier of two examples of one pose that contradict each other, also where
// copies of vertices are welded. A vertex that one joint has at 0 and the other at 1 m, taught to be at 0 and at 1 m,
// goes to Σ wᵢ·yᵢ/Σ wᵢ.
func TestWeights(t *testing.T) {
	still, moved := geom.IdentityAffine(), geom.IdentityAffine()
	moved[3] = 1
	rest := []mgl64.Vec3{{}, {0, 1, 0}, {0, 0, 1}, {}}
	x := &training.Examples{Rest: rest, Triangles: [][3]uint32{{0, 1, 2}, {3, 2, 1}}, Parents: []int{-1, 0},
		Weights: []float64{0.5, 1.5}}
	for i := range 2 {
		var target []mgl64.Vec3
		for _, p := range rest {
			target = append(target, p.Add(mgl64.Vec3{float64(i), 0, 0}))
		}
		x.Palettes, x.Targets = append(x.Palettes, []geom.Affine{still, moved}), append(x.Targets, target)
	}
	welded, of := welded(x)
	if len(welded.Rest) != 3 || of[3] != of[0] {
		t.Fatalf("%d vertices are left of four", len(welded.Rest))
	}
	for _, x := range []*training.Examples{x, welded} {
		s := trainSSD(x, Ours(), 1, never)
		for v := range x.Rest {
			if got := blend(x.Palettes[0], s.Weights[v], x.Rest[v]).Sub(x.Rest[v])[0]; !(math.Abs(got-0.75) <= 1e-6) {
				t.Errorf("vertex %d of %d goes to %g m, expected 0.75", v, len(x.Rest), got)
			}
		}
	}
}

// TestSeams: a mesh cut along all its edges is fitted as the whole one, and stays closed: copies of a vertex get the
// same weights. Vertices are numbered otherwise, so sums differ in their last bits: 1e-6 of the size.
func TestSeams(t *testing.T) {
	onlyNumbers(t)
	x := every(armExamples(t), 4)
	cut := soup(x)
	whole, apart := fitted(t, x, Options{Proxies: 12}), fitted(t, cut, Options{Proxies: 12})
	var a, b rig.EnvelopingDriver
	for i := range x.Targets {
		p, q := whole.Model.Pose(&a, x.Rest, x.Palettes[i]), apart.Model.Pose(&b, cut.Rest, cut.Palettes[i])
		for k, tri := range x.Triangles {
			for c, v := range tri {
				if off := p[v].Sub(q[3*k+c]).Len(); !(off <= 1e-6*x.Diagonal()) {
					t.Fatalf("example %d: the cut mesh is %g m off the whole one", i, off)
				}
			}
		}
	}
}

// TestPieces: parts that do not hang together share the proxies that were asked for.
func TestPieces(t *testing.T) {
	x := soup(patch(6, 6))
	for v := range x.Rest { // apart in space too
		x.Rest[v] = x.Rest[v].Add(mgl64.Vec3{3 * float64(v/3), 0, 0})
	}
	for i := range 4 {
		turn := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 0.4*float64(i)).Mat3(), mgl64.Vec3{})
		var target []mgl64.Vec3
		for _, p := range x.Rest {
			target = append(target, turn.Apply(p).Add(mgl64.Vec3{0, 0.1 * float64(i) * p[1], 0}))
		}
		x.Palettes, x.Targets = append(x.Palettes, []geom.Affine{geom.IdentityAffine(), turn}), append(x.Targets, target)
	}
	r := fitted(t, x, Options{Proxies: 7})
	if n := r.Model.Proxies(); n > 7 || n < 1 {
		t.Errorf("%d proxies for %d loose triangles, from 1 to 7 expected", n, len(x.Triangles))
	}
	if !(r.Fit.EE <= r.SSD.EE) {
		t.Errorf("EE %g, trained SSD %g", r.Fit.EE, r.SSD.EE)
	}
}

// TestHead: the first line of a report says what has come of the fit, also where no bone is added.
func TestHead(t *testing.T) {
	for _, c := range []struct {
		report fit.Report
		want   string
	}{
		{fit.Report{AddedBones: 8}, ": 20 bones and 8 added, 3 of 9 vertices fixed to joints, "},
		{fit.Report{}, ": new weights of its 20 bones, none added, "},
		{fit.Report{Unchanged: true}, ": 20 bones, none added, "},
	} {
		r := c.report
		r.MasterBones, r.Vertices = 20, 9
		var text strings.Builder
		if (&Details{Fixed: 3}).WriteText(&text, &r); !strings.Contains(text.String(), c.want) {
			t.Errorf("expected %q:\n%s", c.want, &text)
		}
	}
}
