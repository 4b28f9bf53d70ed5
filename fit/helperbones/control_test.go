package helperbones

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/internal/longtest"
	"skinlab/internal/ssdrtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// legExamples are poses of demo:leg with their true shapes.
func legExamples(t testing.TB, poses []demo.LegPose) *training.Examples {
	t.Helper()
	m := assetstest.Open(t, "demo:leg")
	leg, ok := demo.LegOf(m)
	if !ok {
		t.Fatal("demo:leg is no leg")
	}
	var frames []*skinning.Frame
	pose := m.NewPose()
	for _, at := range poses {
		leg.SetPose(pose, at)
		f := skinning.NewFrame(m, nil)
		f.SetPose(pose)
		frames = append(frames, f)
	}
	return training.NewExamples(m, frames, leg.Shapes(poses))
}

// known replaces the leg's shapes by those of two helper bones with quadratic controllers, and returns what Decompose
// should find. Each bone is where Control puts it: in the middle of its vertices by their squared weights.
func known(t testing.TB, x *training.Examples, numbers int) (*ssdr.Decomposition, *rig.HelperBones) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	d := &ssdr.Decomposition{}
	places, masses := make([]mgl64.Vec3, 2), make([]float64, 2)
	for v := range x.Rest {
		weights := []skinning.Share{{Joint: 1}, {Joint: 2}, {Joint: 4}, {Joint: 5}}
		sum := 0.0
		for k := range weights {
			weights[k].Weight = r.Float64()
			sum += weights[k].Weight
		}
		for k := range weights {
			weights[k].Weight /= sum
			if h := k - 2; h >= 0 {
				w := weights[k].Weight * weights[k].Weight
				places[h], masses[h] = places[h].Add(x.Rest[v].Mul(w)), masses[h]+w
			}
		}
		d.Weights = append(d.Weights, weights)
	}
	truth := &rig.HelperBones{}
	for _, in := range inputsOf(&x.Model.Skeleton, x.Palettes) {
		truth.Inputs = append(truth.Inputs, in.HelperInput)
	}
	for h, parent := range []int{1, 2} {
		b := rig.HelperBone{Joint: x.Primaries() + h, Parent: parent, Place: places[h].Mul(1 / masses[h])}
		for i := range truth.Inputs {
			for _, powers := range powersOf(len(truth.Inputs[i].Axes), 2) {
				term := rig.HelperTerm{Input: i, Powers: powers}
				for k := range numbers {
					term.Coefficients[k] = math.Copysign(0.03+0.05*r.Float64(), r.Float64()-0.5) // none so small that the Lasso drops it
				}
				b.Terms = append(b.Terms, term)
			}
		}
		truth.Bones = append(truth.Bones, b)
	}
	d.Motions = Motions(x, truth)
	for n := range x.Targets {
		x.Targets[n] = x.Blend(n, d.Weights, d.Motions)
	}
	return d, truth
}

// coefficientsOf maps a bone's terms by joint and powers; the constant is of joint −1.
func coefficientsOf(r *rig.HelperBones, h int) map[[4]int]rig.HelperMotion {
	out := map[[4]int]rig.HelperMotion{{-1}: r.Bones[h].Constant}
	for _, t := range r.Bones[h].Terms {
		out[[4]int{r.Inputs[t.Input].Joint, int(t.Powers[0]), int(t.Powers[1]), int(t.Powers[2])}] = t.Coefficients
	}
	return out
}

// Known controllers are found again from the motions that they give: the parents and all coefficients.
func TestKnownControllers(t *testing.T) {
	for _, numbers := range []int{motions - 1, motions} {
		for lambda, tolerance := range map[float64]float64{ // metres or radians, per radian or its square
			0:          1e-6,
			math.NaN(): 1e-3, // where the Lasso drops what explains less
		} {
			x := legExamples(t, demo.LegSpread(0, 120))
			d, truth := known(t, x, numbers)
			got, err := Control(context.Background(), x, d, ControlOptions{Degree: 2, Lambda: lambda, Scale: numbers == motions})
			if err != nil {
				t.Fatal(err)
			}
			for h := range truth.Bones {
				if got.Rig.Bones[h].Parent != truth.Bones[h].Parent {
					t.Errorf("%d numbers, λ %g: bone %d has parent %d, expected %d", numbers, lambda, h, got.Rig.Bones[h].Parent,
						truth.Bones[h].Parent)
				}
				want, have := coefficientsOf(truth, h), coefficientsOf(got.Rig, h)
				for key, w := range want {
					for k := range w {
						if !(math.Abs(have[key][k]-w[k]) <= tolerance) {
							t.Fatalf("%d numbers, λ %g: bone %d, joint and powers %v: number %d is %g, expected %g", numbers, lambda, h, key,
								k, have[key][k], w[k])
						}
					}
				}
			}
			if !(got.RMS <= tolerance) {
				t.Errorf("%d numbers, λ %g: RMS %g m", numbers, lambda, got.RMS)
			}
		}
	}
}

// Any number of workers gives the same bits.
func TestControlWorkers(t *testing.T) {
	x := legExamples(t, demo.LegSpread(0, 40))
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 2})
	if err != nil {
		t.Fatal(err)
	}
	var first *Controlled
	for _, workers := range []int{1, 2, 5} {
		got, err := Control(context.Background(), x, d, ControlOptions{Degree: 2, Lambda: math.NaN(), Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(first, got) {
			t.Errorf("%d workers give another rig than 1", workers)
		}
	}
}

// Unseen poses of the leg: controllers of every degree, with and without λ, as published or refined, beat linear
// blending by far, and none flies off. The factors are far above what is measured, 0.1 to 0.4.
func TestControlUnseen(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it fits several times")
	}
	x, unseen := legExamples(t, demo.LegSpread(0, 60)), legExamples(t, demo.LegSpread(1000, 60))
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 2})
	if err != nil {
		t.Fatal(err)
	}
	rigged := unseen.RMS(unseen.Rigged, nil)
	for degree := 1; degree <= 3; degree++ {
		for _, lambda := range []float64{0, 1e-3, 1e-1, math.NaN()} {
			for name, recipe := range map[string]*Recipe{"ours": Ours(), "published": Published()} {
				c, err := Control(context.Background(), x, d, ControlOptions{Degree: degree, Lambda: lambda, Recipe: recipe})
				if err != nil {
					t.Fatal(err)
				}
				rms := unseen.RMS(c.Weights, Motions(unseen, c.Rig))
				t.Logf("degree %d, λ %g, %s: %.2f mm before, %.2f after, unseen %.2f, linear blending %.2f", degree, lambda,
					name, 1e3*d.RMS, 1e3*c.RMS, 1e3*rms, 1e3*rigged)
				if !(rms <= 0.7*rigged) {
					t.Errorf("degree %d, λ %g, %s: %g m in unseen poses, linear blending %g", degree, lambda, name, rms,
						rigged)
				}
				if again := x.RMS(c.Weights, Motions(x, c.Rig)); !(math.Abs(again-c.RMS) <= 1e-9) { // rounding
					t.Errorf("degree %d, λ %g, %s: the rig's RMS is %g m, Control says %g", degree, lambda, name, again,
						c.RMS)
				}
			}
		}
	}
}

// One example, two equal ones and the rest pose alone give a model that is no worse on them than the rig.
func TestControlDegenerate(t *testing.T) {
	all := legExamples(t, demo.LegSpread(0, 10))
	rest := all.Pick([]int{0})
	rest.Palettes, rest.Targets = [][]geom.Affine{make([]geom.Affine, all.Primaries())}, [][]mgl64.Vec3{all.Rest}
	for j := range rest.Palettes[0] {
		rest.Palettes[0][j] = geom.IdentityAffine()
	}
	for name, x := range map[string]*training.Examples{"one": all.Pick([]int{3}), "two equal": all.Pick([]int{3, 3}),
		"two": all.Pick([]int{3, 4}), "rest": rest} {
		d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{0, math.NaN()} {
			c, err := Control(context.Background(), x, d, ControlOptions{Degree: 3, Lambda: lambda})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got, rigged := x.RMS(c.Weights, Motions(x, c.Rig)), x.RMS(x.Rigged, nil)
			if !(got <= rigged+1e-7) { // metres, of weights in float32
				t.Errorf("%s, λ %g: %g m, the rig has %g", name, lambda, got, rigged)
			}
		}
	}
}

// What cannot be controlled is an error that says why.
func TestControlRefuses(t *testing.T) {
	x := legExamples(t, demo.LegSpread(0, 3))
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, opt := range map[string]ControlOptions{"degree 0": {}, "degree 4": {Degree: 4}, "λ": {Degree: 2, Lambda: -1}} {
		if _, err := Control(context.Background(), x, d, opt); !errors.Is(err, training.ErrExamples) {
			t.Errorf("%s: %v", name, err)
		}
	}
	mesh := *x
	mesh.Model = nil
	if _, err := Control(context.Background(), &mesh, d, ControlOptions{Degree: 2}); !errors.Is(err, training.ErrExamples) {
		t.Errorf("without a skeleton: %v", err)
	}
}

// A fit that is cancelled before it begins still has a controller for every bone.
func TestControlCancelled(t *testing.T) {
	x := legExamples(t, demo.LegSpread(0, 20))
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := Control(ctx, x, d, ControlOptions{Degree: 2, Lambda: math.NaN()})
	if err != nil || c.Reason != fit.Cancelled || len(c.Rig.Bones) != len(d.Motions) {
		t.Fatalf("%v, %v", c, err)
	}
}

// Weights of levels of detail: the first bones alone, each level no worse than the one before, and the last no worse
// than the whole rig. No vertex follows a bone that was dropped.
func TestWeightsFor(t *testing.T) {
	x := legExamples(t, demo.LegSpread(0, 40))
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 3})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Control(context.Background(), x, d, ControlOptions{Degree: 2, Lambda: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for k := range len(c.Rig.Bones) + 1 {
		weights, err := c.weightsFor(x, k, ssdr.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for v, shares := range weights {
			sum := 0.0
			for _, s := range shares {
				sum += s.Weight
				if int(s.Joint) >= x.Primaries()+k {
					t.Fatalf("%d bones: vertex %d follows joint %d of %d", k, v, s.Joint, x.Primaries()+k)
				}
			}
			if !(math.Abs(sum-1) <= 1e-9) { // rounding
				t.Fatalf("%d bones: the weights of vertex %d sum to %g", k, v, sum)
			}
		}
		rms := x.RMS(weights, Motions(x, c.Rig)[:k])
		if !(rms <= last) {
			t.Errorf("%d bones: %g m, with one less %g", k, rms, last)
		}
		last = rms
	}
	if !(last <= c.RMS*(1+1e-9)) { // rounding
		t.Errorf("all bones: %g m, the rig has %g", last, c.RMS)
	}
}

// At λ = 0 every product takes part: table 1 of the paper counts, with the constant, 6, 14 and 26 coefficients of each
// number of a motion for the leg's 5 degrees of freedom, 3 of the hip, and degrees 1, 2 and 3.
func TestControlCounts(t *testing.T) {
	x := legExamples(t, demo.LegSpread(0, 120))
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 2})
	if err != nil {
		t.Fatal(err)
	}
	for degree, want := range map[int]int{1: 6, 2: 14, 3: 26} {
		{
			c, err := Control(context.Background(), x, d, ControlOptions{Degree: degree, Recipe: Published()})
			if err != nil {
				t.Fatal(err)
			}
			for h := range c.Rig.Bones {
				for k := range motions - 1 {
					count := 0
					for _, m := range coefficientsOf(c.Rig, h) {
						if m[k] != 0 {
							count++
						}
					}
					if count != want {
						t.Errorf("degree %d: number %d of bone %d has %d coefficients, expected %d", degree, k,
							h, count, want)
					}
				}
			}
		}
	}
}

// Unseen poses of the real models: every fifth example is held out. The limits leave a tenth over what is measured, for
// the luck of the insertion; more bones are no worse.
func TestControlUnseenModels(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name     string
		examples func(testing.TB) *training.Examples
		first    int // example that is held out
		bones    []int
		most     []float64 // mm; measured: arm 1.64, 1.05, 0.79; human 1.61, 1.41
	}{
		{"arm", ssdrtest.Arm, 2, []int{2, 4, 8}, []float64{1.8, 1.25, 0.9}},
		{"human", ssdrtest.Human, 3, []int{4, 8}, []float64{1.65, 1.45}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := c.examples(t)
			var learn, hold []int
			for n := range x.Targets {
				if n%5 == c.first {
					hold = append(hold, n)
				} else {
					learn = append(learn, n)
				}
			}
			learnt, held := x.Pick(learn), x.Pick(hold)
			last := held.RMS(held.Rigged, nil)
			t.Logf("linear blending %.2f mm", 1e3*last)
			for i, most := range c.most {
				d, err := ssdr.Decompose(context.Background(), learnt, ssdr.Options{Bones: c.bones[i]})
				if err != nil {
					t.Fatal(err)
				}
				got, err := Control(context.Background(), learnt, d,
					ControlOptions{Degree: 2, Lambda: math.NaN()})
				if err != nil {
					t.Fatal(err)
				}
				rms := held.RMS(got.Weights, Motions(held, got.Rig))
				t.Logf("%d bones: %.2f mm before controllers, %.2f after, unseen %.2f", c.bones[i], 1e3*d.RMS, 1e3*got.RMS, 1e3*rms)
				if !(1e3*rms <= most) || !(rms <= last) {
					t.Errorf("%d bones: %.3f mm in unseen poses, expected %g at most, and fewer bones give %.3f", c.bones[i],
						1e3*rms, most, 1e3*last)
				}
				last = rms
			}
		})
	}
}
