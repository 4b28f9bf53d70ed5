package enveloping

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// solved is a run on examples as far as the adjustment.
func solved(
	t *testing.T, x *Examples, proxies int,
) (r *run, s *SSD, red *reduction, c *matrices, weights [][]skinning.Share, f *forecast) {
	t.Helper()
	opt := Options{Proxies: proxies}
	if err := opt.validate(); err != nil {
		t.Fatal(err)
	}
	r = newRun(context.Background(), x, opt)
	s, err := r.train()
	if err != nil {
		t.Fatal(err)
	}
	fixed := fixedVertices(r.x, s, *opt.Rigid)
	r.y = r.x.withPriorPoses().withPriorTurns(floats.Sum(s.square))
	groups := newClustering(r.y, used(r.x, fixed), proxies, 1)
	groups.joinTo(proxies, r.cancelled)
	red = newReduction(r.y, fixed, groups, proxies)
	red.fitProxies(r.y, 1, 1, r.cancelled)
	red.solveBlend(r.y, 1)
	_, l := newLesson(r.y, published{})
	keys := make([]rig.GradientKey, len(red.gradients))
	for k := range keys {
		keys[k], red.drivers[k] = l.fitKey(red.drivers[k], red.gradients[k])
	}
	if c, err = assemble(r.x, s, red, defaultHolds()); err != nil {
		t.Fatal(err)
	}
	return r, s, red, c, red.behind(s, len(r.x.Parent)), r.forecast(red, l, keys, c)
}

// TestAdjust: what is adjusted predicts poses that were held out better, the forecast stays what c₁ and c₂ say, and t
// turns and moves with the character. Sizes are about 1: the forecast within 1e-9, rounding of sums of some hundred
// products, and the motion within 2e-6, since the solve draws proxies to the origin by 1e-9 of what else holds their
// places, and together they give way more than one alone does (3.4e-7 seen).
func TestAdjust(t *testing.T) {
	x := armExamples(t).pick(func(i int) bool { return i%2 == 0 })
	r, _, red, c, weights, f := solved(t, x, 12)
	heldError := func() float64 {
		_, held := f.both(r.y)
		return r.ee(missesOf(r.x, 1, held, weights).square)
	}
	before := heldError()
	r.adjust(red, c, weights, f)
	if after := heldError(); !(after < 0.9*before) {
		t.Errorf("held out: EE %.1f %%, before %.1f %%", after, before)
	}
	for i := range r.y.Pairs {
		for b, want := range c.transformsOf(f.gradients[i], r.y.Pairs[i].Matrices) {
			for k := range want {
				if d := f.transforms[i][b][k] - want[k]; !(math.Abs(d) <= 1e-9) {
					t.Fatalf("pose %d, proxy %d: the forecast is off by %g", i, b, d)
				}
			}
		}
	}
	turn := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 0.7).Mat3(), mgl64.Vec3{0.4, -0.3, 0.2})
	var q []geom.Affine
	for _, m := range x.Pairs[3].Matrices {
		q = append(q, turn.Mul(m))
	}
	var d []geom.Mat3
	for _, g := range f.gradients[3] {
		d = append(d, turn.Linear().Mul(g))
	}
	for b, got := range c.transformsOf(d, q) {
		want := turn.Mul(f.transforms[3][b])
		for k := range want {
			if !(math.Abs(got[k]-want[k]) <= 2e-6) {
				t.Fatalf("proxy %d of the turned character: %v, expected %v", b, got, want)
			}
		}
	}
}

// TestAdjustOneExample: of one example nothing is held out, so that what is held out is what is fitted, before the
// adjustment and after it: the final weights are chosen by that. Sizes are about 1, 1e-12 is rounding.
func TestAdjustOneExample(t *testing.T) {
	x := armExamples(t).pick(func(i int) bool { return i == 7 })
	r, _, red, c, weights, f := solved(t, x, 12)
	before := slices.Clone(f.transforms[0])
	r.adjust(red, c, weights, f)
	moved := 0.0
	for b, fitted := range f.transforms[0] {
		for k := range fitted {
			moved = math.Max(moved, math.Abs(fitted[k]-before[b][k]))
			if d := f.heldTransforms[0][b][k] - fitted[k]; !(math.Abs(d) <= 1e-12) {
				t.Fatalf("proxy %d: held out %v, fitted %v", b, f.heldTransforms[0][b], fitted)
			}
		}
	}
	if !(moved > 1e-3) {
		t.Errorf("the adjustment moved nothing: %g", moved)
	}
}

// TestNormal holds the regression against a dense solve, with a sample taken out again, within 1e-10.
func TestNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const m, count, ridge = 7, 20, 0.3
	all := newNormal(m)
	a, b := mat.NewDense(m, m, nil), mat.NewDense(m, 4, nil)
	for n := range count {
		s := sample{features: make([]float64, m), weight: rng.Float64()}
		for k := range s.features {
			s.features[k] = rng.NormFloat64()
		}
		for e := range s.want {
			s.want[e] = rng.NormFloat64()
		}
		all.add(&s, 1)
		if n == 0 {
			all.add(&s, -1)
			continue
		}
		row := mat.NewVecDense(m, s.features)
		a.RankOne(a, s.weight, row, row)
		b.RankOne(b, s.weight, row, mat.NewVecDense(4, s.want[:]))
	}
	for k := range m {
		a.Set(k, k, a.At(k, k)+ridge)
	}
	var want mat.Dense
	if err := want.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	for k, got := range all.solve(ridge) {
		for e := range got {
			if !(math.Abs(got[e]-want.At(k, e)) <= 1e-10) {
				t.Fatalf("coefficient %d, %d: %g, expected %g", k, e, got[e], want.At(k, e))
			}
		}
	}
}

// TestMixedWeights: the final weights are at most four, sum to 1 within rounding, keep to what a vertex may depend on,
// and predict poses that were held out no worse than trained SSD, vertex by vertex up to rounding.
func TestMixedWeights(t *testing.T) {
	x := armExamples(t).pick(func(i int) bool { return i%2 == 0 })
	r, s, red, c, weights, f := solved(t, x, 12)
	r.adjust(red, c, weights, f)
	weights = r.mixedWeights(s, red, f)
	_, held := f.both(r.y)
	square := missesOf(r.x, 1, held, weights).square
	both, joints := 0, len(x.Parent)
	for v, w := range weights {
		sum, proxies := 0.0, 0
		for _, share := range w {
			sum += share.Weight
			if b := int(share.Joint) - joints; b >= 0 {
				proxies++
				if !slices.Contains(red.reach[v], b) {
					t.Fatalf("vertex %d has proxy %d, which is out of its reach", v, b)
				}
			}
		}
		if len(w) > mostInfluences || !(math.Abs(sum-1) <= 1e-9) {
			t.Fatalf("vertex %d: weights %v", v, w)
		}
		if proxies > 0 && proxies < len(w) {
			both++
		}
		if !(square[v] <= s.square[v]*(1+1e-9)+1e-20) {
			t.Errorf("vertex %d: squared error %g held out, of trained weights %g", v, square[v], s.square[v])
		}
	}
	if both == 0 {
		t.Error("no vertex blends joints and proxies")
	}
}

// TestJointsThatDoNotMoveAProxy: of a joint that turns about a proxy's center, where it takes that center is rounding,
// and no feature to blow up to the length of others: c₂ had entries of 1e13, and shook. No arm counts that is shorter
// than the least.
func TestJointsThatDoNotMoveAProxy(t *testing.T) {
	center, least := mgl64.Vec3{0.3, 17.1, -0.7}, 1e-3
	x := &Examples{Parent: []int{-1, 0}}
	f := &forecast{}
	for i := range 6 {
		// A tenth of a radian and more, by matrices that are products as those of a skeleton are.
		base := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{1, 0, 0}, 0.1*float64(i)).Mat3(), mgl64.Vec3{1, 2, 3})
		turn := geom.AxisAngle(mgl64.Vec3{0, 0.6, 0.8}, 0.3*float64(i)+0.1).Mat3()
		about := geom.NewAffine(geom.Identity3(), center).Mul(geom.NewAffine(turn, mgl64.Vec3{})).
			Mul(geom.NewAffine(geom.Identity3(), center.Mul(-1)))
		x.Pairs = append(x.Pairs, Example{Matrices: []geom.Affine{base, base.Mul(about)}})
		f.gradients = append(f.gradients, []geom.Mat3{base.Linear()})
	}
	f.heldGradients = f.gradients
	features := featuresOf(0, 0, []int{1}, center)
	a := newAdjustment(x, f, features, least)
	for n := range features {
		for _, to := range features[n].q {
			if !(math.Abs(to.value) <= 1/least*center.Len()) {
				t.Errorf("feature %d is multiplied by %g", n, to.value)
			}
		}
	}
	for s := range a.samples {
		if v := a.samples[s].features[firstDriver+3]; !(math.Abs(v) <= 1e-10) { // rounding of 17 m, over the least arm
			t.Errorf("sample %d: a joint that does not move the proxy counts %g", s, v)
		}
	}
}
