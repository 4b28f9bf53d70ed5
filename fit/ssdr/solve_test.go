package ssdr

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// tube is a tube of rings × sides vertices along z, from 0 to 1 m, without caps.
func tube(rings, sides int) *training.Examples {
	x := &training.Examples{}
	for r := range rings {
		for s := range sides {
			sin, cos := math.Sincos(2 * math.Pi * float64(s) / float64(sides))
			x.Rest = append(x.Rest, mgl64.Vec3{0.1 * cos, 0.1 * sin, float64(r) / float64(rings-1)})
			if r > 0 {
				a, b := uint32(r*sides+s), uint32(r*sides+(s+1)%sides)
				c, d := a-uint32(sides), b-uint32(sides)
				x.Triangles = append(x.Triangles, [3]uint32{a, b, c}, [3]uint32{b, d, c})
			}
		}
	}
	return x
}

// turned is a motion that turns about a point on the tube's axis and moves it a little.
func turned(rng *rand.Rand, z, angle float64) geom.Affine {
	axis := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize()
	q := geom.AxisAngle(axis, angle*rng.NormFloat64()).Mat3()
	c := mgl64.Vec3{0.01 * rng.NormFloat64(), 0, z}
	return geom.NewAffine(q, c.Sub(q.Apply(c)))
}

// knownBones returns a tube whose vertices follow bones along it, each fully somewhere and two of them in between, and
// these bones' motions: the first are primary joints, which the rig binds vertices to rigidly.
func knownBones(primaries, helpers, examples int) (x *training.Examples, weights [][]skinning.Share, motions [][]geom.Affine) {
	rng := rand.New(rand.NewPCG(3, 1))
	x = tube(40, 8)
	bones := primaries + helpers
	of := rng.Perm(bones) // the bone of each part of the tube
	for _, p := range x.Rest {
		at := p[2] * float64(bones-1)
		i := min(int(at), bones-2)
		w := min(max(2*(at-float64(i))-0.5, 0), 1)
		weights = append(weights, nil)
		for k, share := range []float64{1 - w, w} {
			if share > 0 {
				weights[len(weights)-1] = append(weights[len(weights)-1], skinning.Share{Joint: uint16(of[i+k]), Weight: share})
			}
		}
		x.Rigged = append(x.Rigged, []skinning.Share{{Joint: uint16(int(p[2]*float64(primaries-1) + 0.5)), Weight: 1}})
	}
	motions = make([][]geom.Affine, helpers)
	for range examples {
		palette := make([]geom.Affine, bones)
		for b := range palette {
			palette[b] = turned(rng, float64(slices.Index(of, b))/float64(bones-1), 0.3)
		}
		x.Palettes = append(x.Palettes, palette[:primaries])
		for h := range motions {
			motions[h] = append(motions[h], palette[primaries+h])
		}
	}
	pose(x, weights, motions)
	return x, weights, motions
}

// pose makes the targets.
func pose(x *training.Examples, weights [][]skinning.Share, motions [][]geom.Affine) {
	x.Targets = nil
	for n := range x.Palettes {
		x.Targets = append(x.Targets, x.Blend(n, weights, motions))
	}
}

func decomposed(t testing.TB, x *training.Examples, o Options) *Decomposition {
	t.Helper()
	d, err := Decompose(context.Background(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rounds is our recipe with all of so many rounds, and without the hold to the rig.
func rounds(n int) *Recipe {
	r := Ours()
	r.Rounds, r.Enough, r.Hold = n, 0, 0
	return r
}

// TestRecoversKnownBones: helper bones that are there are found: their weights to 1e-3, and where they take vertices to
// 1e-6 m; fewer leave an error.
func TestRecoversKnownBones(t *testing.T) {
	x, weights, motions := knownBones(2, 2, 25)
	fewer := decomposed(t, x, Options{Bones: 1})
	d := decomposed(t, x, Options{Recipe: rounds(150), Bones: 2})
	t.Logf("one bone %.2g m, two %.2g m", fewer.RMS, d.RMS)
	if len(d.Motions) != 2 || !(fewer.RMS > 1e-3) || !(d.RMS <= 1e-7) { // metres
		t.Fatalf("one bone %g m, %d bones %g m", fewer.RMS, len(d.Motions), d.RMS)
	}
	of := make([]int, 2+len(motions)) // the known bone of each bone found
	of[1] = 1
	for h := range d.Motions {
		least := math.Inf(1)
		for k := range motions {
			sum := 0.0
			for n := range x.Targets {
				for c, v := range motions[k][n] {
					sum += (v - d.Motions[h][n][c]) * (v - d.Motions[h][n][c])
				}
			}
			if sum < least {
				least, of[2+h] = sum, 2+k
			}
		}
	}
	for v := range weights {
		for b, known := range of {
			w, want := weightOf(d.Weights[v], b), weightOf(weights[v], known)
			if !(math.Abs(w-want) <= 1e-3) {
				t.Fatalf("vertex %d: weight %.5f of bone %d, known %.5f", v, w, b, want)
			}
			if b >= 2 && want > 0.5 {
				for n := range x.Targets {
					off := d.Motions[b-2][n].Apply(x.Rest[v]).Sub(motions[known-2][n].Apply(x.Rest[v])).Len()
					if !(off <= 1e-6) {
						t.Fatalf("example %d: bone %d takes vertex %d %.2e m away", n, b, v, off)
					}
				}
			}
		}
	}
}

// random is a problem of random motions, weights and targets: nothing fits.
func random(seed uint64, primaries, helpers, examples int, scale bool) (*Solver, *rand.Rand) {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := tube(6, 5)
	for range examples {
		palette := make([]geom.Affine, primaries)
		for b := range palette {
			palette[b] = turned(rng, rng.Float64(), 0.5)
		}
		x.Palettes = append(x.Palettes, palette)
		target := make([]mgl64.Vec3, len(x.Rest))
		for v, p := range x.Rest {
			target[v] = turned(rng, rng.Float64(), 0.2).Apply(p)
		}
		x.Targets = append(x.Targets, target)
	}
	p := newSolver(x, &Options{Recipe: Ours(), Workers: 1, Scale: scale})
	for range helpers {
		motion := make([]geom.Affine, examples)
		for n := range motion {
			motion[n] = p.inward(turned(rng, rng.Float64(), 0.5), n)
		}
		p.addBone(motion)
	}
	p.sumBones(primaries)
	return p, rng
}

// TestWeightsAgainstEnumeration holds equation (5) with K = 4 against all supports of 6 bones, each solved by least
// squares in the examples themselves with the sum eliminated. The choice of a support is a heuristic: it finds the best
// one for nine vertices of ten, and elsewhere loses less than a twentieth.
func TestWeightsAgainstEnumeration(t *testing.T) {
	exact, count := 0, 0
	for seed := range uint64(5) {
		p, _ := random(seed, 3, 3, 7, false)
		p.SolveWeights(true)
		for k := range p.rest {
			best := math.Inf(1)
			for mask := range 1 << 6 {
				var support []int
				for b := range 6 {
					if mask>>b&1 == 1 {
						support = append(support, b)
					}
				}
				if len(support) > 0 && len(support) <= influences {
					best = math.Min(best, leastSquares(p, k, support))
				}
			}
			count++
			got := directError(p, k)
			if !(math.Abs(got-p.errors[k]) <= 1e-9*(1+got)) { // sums in another form
				t.Fatalf("point %d: says %g, is %g", k, p.errors[k], got)
			}
			if got <= best*(1+1e-7) {
				exact++
			}
			if !(got <= 1.5*best) || !(got >= best*(1-1e-7)) {
				t.Errorf("seed %d, point %d: %g, the best support has %g", seed, k, got, best)
			}
		}
	}
	t.Logf("best support at %d of %d", exact, count)
	if exact < count*9/10 {
		t.Errorf("the best support is found at %d of %d", exact, count)
	}
}

// directError is Σ_n ‖Σ w·S·v − ỹ‖² of a point.
func directError(p *Solver, k int) (sum float64) {
	for n := range p.x.Targets {
		d := p.target(n, k).Mul(-1)
		for _, s := range p.weights[k] {
			d = d.Add(p.bones[s.Joint][n].Apply(p.rest[k]).Mul(s.Weight))
		}
		sum += d.Dot(d)
	}
	return sum
}

// leastSquares solves over the affine hull of a support; where a weight is negative it returns infinity.
func leastSquares(p *Solver, k int, support []int) float64 {
	rows, m := 3*len(p.x.Targets), len(support)
	place := func(b, row int) float64 { return p.bones[support[b]][row/3].Apply(p.rest[k])[row%3] }
	w := make([]float64, m)
	w[0] = 1
	if m > 1 {
		a, b := mat.NewDense(rows, m-1, nil), mat.NewVecDense(rows, nil)
		for r := range rows {
			b.SetVec(r, p.target(r/3, k)[r%3]-place(0, r))
			for c := 1; c < m; c++ {
				a.Set(r, c-1, place(c, r)-place(0, r))
			}
		}
		var z mat.VecDense
		if z.SolveVec(a, b) != nil {
			return math.Inf(1)
		}
		for c := 1; c < m; c++ {
			w[c] = z.AtVec(c - 1)
			w[0] -= w[c]
		}
	}
	sum := 0.0
	for r := range rows {
		d := -p.target(r/3, k)[r%3]
		for b, s := range w {
			if s < 0 {
				return math.Inf(1)
			}
			d += s * place(b, r)
		}
		sum += d * d
	}
	return sum
}

// TestTransformsAgainstMinimiser holds equation (6) against a general minimiser of the error itself, over rotation
// vector, translation and scale of one helper bone with all else fixed, from the answer and from elsewhere.
func TestTransformsAgainstMinimiser(t *testing.T) {
	for _, scale := range []bool{false, true} {
		p, rng := random(7, 2, 1, 4, scale)
		for k := range p.weights {
			a, b, c := rng.Float64(), rng.Float64(), rng.Float64()
			sum := a + b + c
			p.weights[k] = []skinning.Share{{Joint: 0, Weight: a / sum}, {Joint: 1, Weight: b / sum}, {Joint: 2, Weight: c / sum}}
		}
		p.solveMotions()
		for n := range p.x.Targets {
			f := func(z []float64) (sum float64) {
				turn := geom.AxisAngle(mgl64.Vec3{z[0], z[1], z[2]}.Normalize(), mgl64.Vec3{z[0], z[1], z[2]}.Len()).Mat3()
				if scale {
					for k := range turn {
						turn[k] *= z[6]
					}
				}
				return exampleError(p, n, geom.NewAffine(turn, mgl64.Vec3{z[3], z[4], z[5]}))
			}
			got := exampleError(p, n, p.bones[2][n])
			best := math.Inf(1)
			for range 6 {
				z := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 0, 0, 0, 1}
				settings := &optimize.Settings{FuncEvaluations: 20_000}
				r, err := optimize.Minimize(optimize.Problem{Func: f}, z, settings, &optimize.NelderMead{})
				if r == nil {
					t.Fatal(err)
				}
				best = math.Min(best, r.F)
			}
			// Nelder and Mead's simplex ends within 1e-4 of the least error.
			if !(got <= best*(1+1e-9)) || !(got >= best*(1-1e-3)) {
				t.Errorf("scale %v, example %d: %.9g, the minimiser finds %.9g", scale, n, got, best)
			}
		}
	}
}

// exampleError is the square error of an example with another motion of the first helper bone.
func exampleError(p *Solver, n int, motion geom.Affine) (sum float64) {
	for k := range p.rest {
		d := p.target(n, k).Mul(-1)
		for _, s := range p.weights[k] {
			m := motion
			if int(s.Joint) != p.primaries {
				m = p.bones[s.Joint][n]
			}
			d = d.Add(m.Apply(p.rest[k]).Mul(s.Weight))
		}
		sum += p.copies[k] * d.Dot(d)
	}
	return sum
}

// TestErrorFalls: no round raises the error, published or not, and what is told is what a sum over vertices gives.
func TestErrorFalls(t *testing.T) {
	x, _, _ := knownBones(2, 3, 12)
	rng := rand.New(rand.NewPCG(4, 4))
	for n := range x.Targets { // nothing fits exactly
		for v := range x.Targets[n] {
			x.Targets[n][v] = x.Targets[n][v].Add(mgl64.Vec3{0.002 * rng.NormFloat64(), 0, 0.002 * rng.NormFloat64()})
		}
	}
	for name, recipe := range map[string]*Recipe{"published": Published(), "ours": Ours()} {
		last := math.Inf(1)
		decomposed(t, x, Options{Recipe: recipe, Bones: 3, Progress: func(step Step, s *Solver) {
			if s == nil {
				return
			}
			c := s.Current()
			if again := x.RMS(c.Weights, c.Motions); !(math.Abs(again-step.RMS) <= 1e-9) { // metres
				t.Errorf("%s: says %g m, is %g m", name, step.RMS, again)
			}
			if !(step.RMS <= last*(1+1e-9)) { // rounding
				t.Errorf("%s: %.9g m after %.9g m", name, step.RMS, last)
			}
			last = step.RMS
		}})
	}
}

// manyVertices is so many that a sketch has fewer.
func manyVertices() *training.Examples {
	x := tube(52, 100)
	rng := rand.New(rand.NewPCG(6, 6))
	for n := range 3 {
		x.Palettes = append(x.Palettes, []geom.Affine{turned(rng, 0, 0.4), turned(rng, 1, 0.4)})
		bend, target := turned(rng, 0.5, 0.3), []mgl64.Vec3(nil)
		for _, p := range x.Rest {
			target = append(target, bend.Apply(p).Mul(p[2]).Add(x.Palettes[n][0].Apply(p).Mul(1-p[2])))
		}
		x.Targets = append(x.Targets, target)
	}
	for range x.Rest {
		x.Rigged = append(x.Rigged, []skinning.Share{{Joint: 0, Weight: 1}})
	}
	return x
}

// TestWorkers: their number changes no bit, with a sketch of the examples, one of the vertices, and none.
func TestWorkers(t *testing.T) {
	few, _, _ := knownBones(2, 2, 6)
	many, _, _ := knownBones(2, 2, 2*sketchedExamples+1)
	for name, x := range map[string]*training.Examples{"few": few, "many": many, "large": manyVertices()} {
		var first *Decomposition
		for _, workers := range []int{1, 2, 3} {
			d := decomposed(t, x, Options{Recipe: rounds(3), Bones: 2, Workers: workers})
			if first == nil {
				first = d
			}
			same := d.RMS == first.RMS && slices.EqualFunc(d.Motions, first.Motions, slices.Equal) &&
				slices.EqualFunc(d.Weights, first.Weights, slices.Equal)
			if !same {
				t.Errorf("%s: %d workers: %.17g m, one %.17g m", name, workers, d.RMS, first.RMS)
			}
		}
	}
}

// TestCancelled: a done context ends it with what there is, which is no worse than the rig.
func TestCancelled(t *testing.T) {
	few, _, _ := knownBones(2, 3, 10)
	for _, after := range []int{0, 1, 4, 12, -1, -2} {
		x := few
		if after < 0 {
			x, after = manyVertices(), -after
		}
		rig := x.RMS(x.Rigged, nil)
		ctx, cancel := context.WithCancel(context.Background())
		told := 0
		if after == 0 {
			cancel()
		}
		d, err := Decompose(ctx, x, Options{Bones: 3, Progress: func(Step, *Solver) {
			told++
			if told == after {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if e := x.RMS(d.Weights, d.Motions); d.Reason != fit.Cancelled || !(e <= rig*(1+1e-6)) || told > after+1 {
			t.Errorf("after %d: reason %s, %g m, the rig %g m, told %d times", after, d.Reason, e, rig, told)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if d, err := Decompose(ctx, few, Options{}); err != nil || d.Reason != fit.Cancelled {
		t.Errorf("weights alone: %+v, %v", d, err)
	}
}

// TestPoorExamples: few examples, or such that show nothing, give a model no worse than the rig's; numbers that are
// none are an error.
func TestPoorExamples(t *testing.T) {
	full, _, _ := knownBones(2, 2, 3)
	rest := full.Pick([]int{0})
	rest.Palettes, rest.Targets = [][]geom.Affine{{geom.IdentityAffine(), geom.IdentityAffine()}}, [][]mgl64.Vec3{full.Rest}
	flat := full.Pick([]int{0, 1})
	flat.Triangles = nil
	for name, x := range map[string]*training.Examples{"one": full.Pick([]int{1}), "two equal": full.Pick([]int{1, 1}), "rest": rest,
		"no triangles": flat} {
		for _, o := range []Options{{}, {Recipe: Published()}, {Scale: true}} {
			o.Bones = 3
			d := decomposed(t, x, o)
			if e, rig := x.RMS(d.Weights, d.Motions), x.RMS(x.Rigged, nil); !(e <= rig+1e-12) { // metres
				t.Errorf("%s: %g m, the rig %g m", name, e, rig)
			}
			for h, motion := range d.Motions {
				for n := range motion {
					if !motion[n].IsFinite() {
						t.Errorf("%s: bone %d, example %d: %v", name, h, n, motion[n])
					}
				}
			}
		}
	}
	bad := full.Pick([]int{0, 1})
	bad.Targets[1] = slices.Clone(bad.Targets[1])
	bad.Targets[1][7][2] = math.NaN()
	if _, err := Decompose(context.Background(), bad, Options{Bones: 1}); !errors.Is(err, training.ErrExamples) {
		t.Errorf("NaN: %v", err)
	}
}

// TestImportance: an example of importance 2 is as good as having it twice.
func TestImportance(t *testing.T) {
	x, _, _ := knownBones(2, 3, 4)
	twice := x.Pick([]int{0, 1, 1, 2, 3})
	x.Weights = []float64{1, 2, 1, 1}
	o := Options{Recipe: rounds(5), Bones: 1}
	a, b := decomposed(t, x, o), decomposed(t, twice, o)
	if !(math.Abs(a.RMS-b.RMS) <= 1e-9) { // metres: sums in another order
		t.Errorf("importance 2: %g m, twice: %g m", a.RMS, b.RMS)
	}
}

// TestScale: bones that swell are found with the option, and without it are not.
func TestScale(t *testing.T) {
	x, weights, motions := knownBones(2, 2, 12)
	for h := range motions {
		for n := range motions[h] {
			size := 1 + 0.3*math.Sin(float64(n+5*h))
			for r := 0; r < 12; r += 4 {
				for c := range 3 {
					motions[h][n][r+c] *= size
				}
			}
		}
	}
	pose(x, weights, motions)
	without, with := decomposed(t, x, Options{Bones: 2}), decomposed(t, x, Options{Bones: 2, Scale: true})
	t.Logf("%.3g m, with scale %.3g m", without.RMS, with.RMS)
	if !(with.RMS < 0.2*without.RMS) {
		t.Errorf("%g m, with scale %g m", without.RMS, with.RMS)
	}
}

// TestPriorWeights: joints that no example moves against each other share a vertex as the rig has it, to 1e-6.
func TestPriorWeights(t *testing.T) {
	x, _, _ := knownBones(2, 1, 6)
	for n, palette := range x.Palettes {
		x.Palettes[n] = append(slices.Clone(palette), palette[0]) // joint 2 moves as joint 0 does
	}
	for v := range x.Rest {
		if x.Rest[v][2] < 0.3 {
			x.Rigged[v] = []skinning.Share{{Joint: 0, Weight: 0.3}, {Joint: 2, Weight: 0.7}}
		}
	}
	d := decomposed(t, x, Options{})
	for v, p := range x.Rest {
		a, b := weightOf(d.Weights[v], 0), weightOf(d.Weights[v], 2)
		if p[2] < 0.3 && !(math.Abs(a-max((a+b-0.4)/2, 0)) <= 1e-6) { // nearest to 0.3 and 0.7 with this sum
			t.Fatalf("vertex %d: weights %v, the rig has %v", v, d.Weights[v], x.Rigged[v])
		}
	}
}

// TestSequence: without primary joints the helper bones do all.
func TestSequence(t *testing.T) {
	x, _, motions := knownBones(2, 1, 8)
	for h := range 2 {
		motion := make([]geom.Affine, len(x.Targets))
		for n := range motion {
			motion[n] = x.Palettes[n][h]
		}
		motions = append(motions, motion)
	}
	x.Palettes, x.Rigged = nil, nil
	d := decomposed(t, x, Options{Recipe: rounds(200), Bones: 3})
	t.Logf("%d bones, %.3g m", len(d.Motions), d.RMS)
	if len(d.Motions) != 3 || !(d.RMS <= 1e-4) { // a thousandth of the width
		t.Errorf("%d bones, %g m", len(d.Motions), d.RMS)
	}
	again := decomposed(t, x, Options{Bones: 3, Start: &Decomposition{Motions: d.Motions}})
	if !(again.RMS <= d.RMS+1e-8) {
		t.Errorf("from its motions: %g m, before %g m", again.RMS, d.RMS)
	}
}

// TestFarAway: a character that walks a kilometre away is fitted as well as at the origin, to a nanometre.
func TestFarAway(t *testing.T) {
	near, _, _ := knownBones(2, 3, 6)
	far := near.Pick([]int{0, 1, 2, 3, 4, 5})
	for n := range far.Targets {
		away := mgl64.Vec3{1000, 0, float64(100 * n)}
		far.Palettes[n], far.Targets[n] = slices.Clone(far.Palettes[n]), slices.Clone(far.Targets[n])
		for j, m := range far.Palettes[n] {
			far.Palettes[n][j] = geom.NewAffine(m.Linear(), m.Translation().Add(away))
		}
		for v := range far.Targets[n] {
			far.Targets[n][v] = far.Targets[n][v].Add(away)
		}
	}
	o := Options{Recipe: rounds(10), Bones: 2}
	a, b := decomposed(t, near, o), decomposed(t, far, o)
	if again := far.RMS(b.Weights, b.Motions); !(math.Abs(a.RMS-b.RMS) <= 1e-9) || !(math.Abs(again-b.RMS) <= 1e-9) {
		t.Errorf("near %.12g m, far %.12g m, which is %.12g m", a.RMS, b.RMS, again)
	}
}

// TestSeams: copies of a vertex have the same weights, and the ring of one goes round all of them.
func TestSeams(t *testing.T) {
	x, _, _ := knownBones(2, 2, 5)
	const sides = 8
	copied := make(map[uint32]uint32)
	for v := 0; v < len(x.Rest); v += sides { // a seam along the tube
		copied[uint32(v)] = uint32(len(x.Rest) + len(copied))
	}
	for v := 0; v < 320; v += sides {
		x.Rest, x.Rigged = append(x.Rest, x.Rest[v]), append(x.Rigged, x.Rigged[v])
		for n := range x.Targets {
			x.Targets[n] = append(x.Targets[n], x.Targets[n][v])
		}
	}
	for i, tri := range x.Triangles {
		if slices.ContainsFunc(tri[:], func(v uint32) bool { return v%sides == 1 }) {
			for c, v := range tri {
				if w, ok := copied[v]; ok {
					x.Triangles[i][c] = w
				}
			}
		}
	}
	p := newSolver(x, &Options{Recipe: Ours(), Workers: 1})
	if patch := p.patches([]int{160})[0]; len(p.rest) != 320 || len(patch) != 7 || patch[0] != 160 {
		t.Errorf("%d points, point 160 with neighbours: %v; expected 320, and 6 neighbours", len(p.rest), patch)
	}
	d := decomposed(t, x, Options{Recipe: rounds(3), Bones: 1})
	for v, w := range copied {
		if !slices.Equal(d.Weights[v], d.Weights[w]) {
			t.Errorf("vertex %d has %v, its copy %v", v, d.Weights[v], d.Weights[w])
		}
	}
}
