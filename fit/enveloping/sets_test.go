package enveloping

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

// ownExamples are the example pairs that a model brings with it.
func ownExamples(t testing.TB, model, clip string) *training.Examples {
	t.Helper()
	m := assetstest.Open(t, model)
	c, err := m.ClipIndex(clip)
	if err != nil {
		t.Fatal(err)
	}
	x, err := (&training.Set{Teacher: skinning.LBS, Clip: c, Times: m.Clips[c].KeyTimes()}).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// armExamples are the example pairs of demo:arm: the clip examples, key by key.
func armExamples(t testing.TB) *training.Examples {
	return ownExamples(t, "demo:arm", skinning.ExampleClip)
}

// taught makes n examples of a method at even times of a clip, "" for the range of motion.
func taught(t testing.TB, model, clip string, n int, method skinning.Method) *training.Examples {
	t.Helper()
	m := assetstest.Open(t, model)
	if clip == "" {
		frames := training.RangeOfMotionPoses(m, n)
		targets := make([][]mgl64.Vec3, n)
		for i, f := range frames {
			targets[i] = f.Positions(method)
		}
		return training.NewExamples(m, frames, targets)
	}
	at, err := m.ClipIndex(clip)
	if err != nil {
		t.Fatal(err)
	}
	x, err := (&training.Set{Teacher: method, Clip: at, Times: compare.Times(m.Clips[at].Seconds, n)}).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// only returns some of the examples.
func only(x *training.Examples, keep func(i int) bool) *training.Examples {
	var kept []int
	for i := range x.Targets {
		if keep(i) {
			kept = append(kept, i)
		}
	}
	return x.Pick(kept)
}

// every returns every n-th example from the first one on.
func every(x *training.Examples, n int) *training.Examples {
	return only(x, func(i int) bool { return i%n == 0 })
}

// onlyNumbers skips a test that takes seconds where tests are to be short, which is how the race detector runs them.
// TestWorkers runs whatever is concurrent in a fit.
func onlyNumbers(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: it takes seconds")
	}
}

// fitted is [Fit] of good examples.
func fitted(t testing.TB, x *training.Examples, opt Options) *Result {
	t.Helper()
	r, err := Fit(t.Context(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// started is a solution with proxies of some groups, and keys, before there are c₁ and c₂.
func started(t testing.TB, x *training.Examples, recipe *Recipe, proxies int) *solution {
	t.Helper()
	r, err := begin(t.Context(), x, Options{Recipe: recipe, Proxies: proxies, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	trained, err := r.train()
	if err != nil {
		t.Fatal(err)
	}
	fixed := fixedVertices(r.x, trained, defaultRigid)
	use, _ := used(r.x, fixed)
	y := withPriors(r.x, recipe, dualBlended)
	groups := newClustering(y, use, proxies, recipe.Refit, 2)
	groups.joinTo(proxies, never)
	of, transforms := groups.at(proxies)
	s := newSolution(y, recipe, trained, fixed, of, transforms, 2)
	s.fitProxies(never)
	if recipe.Keys != nil {
		recipe.Keys(s)
	}
	s.fitKeys(never)
	return s
}

func never() bool { return false }

// sumOfSquares is what the present weights and palettes miss, by the pairs' weights.
func (s *solution) sumOfSquares() (sum float64) {
	for i := range s.x.Targets {
		for v, p := range posed(s.x.Rest, s.palettes[i], s.model.Weights) {
			d := p.Sub(s.x.Targets[i][v])
			sum += s.x.Weight(i) * d.Dot(d)
		}
	}
	return sum
}

// soup returns the examples with every triangle cut off the others: three vertices of its own each, as a faceted file
// has them.
func soup(x *training.Examples) *training.Examples {
	out := &training.Examples{Parents: x.Parents, Palettes: x.Palettes, Targets: make([][]mgl64.Vec3, len(x.Targets)),
		Model: x.Model}
	for _, t := range x.Triangles {
		n := uint32(len(out.Rest))
		out.Triangles = append(out.Triangles, [3]uint32{n, n + 1, n + 2})
		for _, v := range t {
			out.Rest = append(out.Rest, x.Rest[v])
			if x.Rigged != nil {
				out.Rigged = append(out.Rigged, x.Rigged[v])
			}
			for i := range x.Targets {
				out.Targets[i] = append(out.Targets[i], x.Targets[i][v])
			}
		}
	}
	return out
}

// patch is a bumpy grid of w×h vertices with two joints.
func patch(w, h int) *training.Examples {
	x := &training.Examples{Parents: []int{-1, 0}}
	for j := range h {
		for i := range w {
			x.Rest = append(x.Rest, mgl64.Vec3{float64(i), float64(j), math.Sin(float64(i * j))})
		}
	}
	for j := range uint32(h - 1) {
		for i := range uint32(w - 1) {
			a := j*uint32(w) + i
			x.Triangles = append(x.Triangles, [3]uint32{a, a + 1, a + uint32(w)},
				[3]uint32{a + 1, a + uint32(w) + 1, a + uint32(w)})
		}
	}
	return x
}

// chain returns poses of a chain of joints that all turn at random, the root too, up to the given angle each.
func chain(r *rand.Rand, joints, n int, angle float64) *training.Examples {
	x := &training.Examples{}
	for j := range joints {
		x.Parents = append(x.Parents, j-1)
	}
	for range n {
		matrices := make([]geom.Affine, joints)
		q := geom.IdentityQuat()
		for j := range joints {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			q = q.Mul(geom.AxisAngle(axis, angle*r.Float64()))
			matrices[j] = geom.NewAffine(q.Mat3(), mgl64.Vec3{r.NormFloat64(), 0, 0})
		}
		x.Palettes, x.Targets = append(x.Palettes, matrices), append(x.Targets, nil)
	}
	return x
}

func allOf(parent []int) (joints []int) {
	for j := range parent {
		joints = append(joints, j)
	}
	return joints
}

func angleBetween(a, b geom.Quat) float64 {
	d := a.Conjugate().Mul(b)
	return 2 * math.Atan2(math.Sqrt(d[0]*d[0]+d[1]*d[1]+d[2]*d[2]), math.Abs(d[3]))
}
