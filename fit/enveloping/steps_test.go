package enveloping

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestPriors: prior pairs come last, weigh little, hold what dual quaternions make of the rig's weights and the rest
// pose, and leave the given pairs as they are.
func TestPriors(t *testing.T) {
	x, of := welded(only(armExamples(t), func(i int) bool { return i < 3 }))
	recipe := Ours()
	y := withPriors(x, recipe, dualBlended)
	if y.Given() != 3 || len(y.Targets) != 3+recipe.PriorPoses+1 || len(x.Targets) != 3 {
		t.Fatalf("%d of %d pairs are given", y.Given(), len(y.Targets))
	}
	if y.Weight(2) != 1 || y.Weight(3) != recipe.PriorWeight || y.Weight(len(y.Targets)-1) != recipe.PriorWeight {
		t.Errorf("weights %v", y.Weights)
	}
	for i, f := range training.RangeOfMotionPoses(x.Model, recipe.PriorPoses)[:2] {
		// 1e-6 of the size: the rig's weights are float32.
		for v, p := range f.Positions(skinning.SDQS) {
			if d := p.Sub(y.Targets[3+i][of[v]]).Len(); !(d <= 1e-6*y.Diagonal()) {
				t.Fatalf("prior pair %d, vertex %d: off by %g m", i, v, d)
			}
		}
	}
	if last := len(y.Targets) - 1; y.Palettes[last][1] != geom.IdentityAffine() || !slices.Equal(y.Targets[last], y.Rest) {
		t.Error("the last pair is not the rest pose")
	}
	if z := withoutRig(x); withPriors(z, recipe, dualBlended) != z {
		t.Error("there are priors of an unknown rig")
	}
}

// TestStillSSD: where the examples show nothing, trained weights are the rig's, to 1e-5, within which package simplex
// ends: here in the rest pose alone, in which all joints predict a vertex equally well.
func TestStillSSD(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	x := training.NewExamples(m, []*skinning.Frame{skinning.NewFrame(m, nil)},
		[][]mgl64.Vec3{geom.Vecs64(m.Skin.Positions)})
	for v, w := range trainSSD(x, Ours(), 2, never).Weights {
		own := make([]float64, len(x.Parents))
		for _, share := range x.Rigged[v] {
			own[share.Joint] += share.Weight
		}
		for _, share := range w {
			own[share.Joint] -= share.Weight
		}
		for j, d := range own {
			if !(math.Abs(d) <= 1e-5) {
				t.Fatalf("vertex %d: its weight of joint %d is %g off the rig's", v, j, d)
			}
		}
	}
}

// TestNearest holds the nearest bones of a vertex, one and a choice of many, against all errors.
func TestNearest(t *testing.T) {
	x := every(armExamples(t), 5)
	w := &newWeighers(x, x.Palettes, 1)[0]
	for v := 0; v < len(x.Rest); v += 97 {
		w.read(v)
		w.among(allOf(x.Parents), nil)
		errors := make([]float64, len(x.Parents))
		for j := range errors {
			for i, target := range x.Targets {
				d := x.Palettes[i][j].Apply(x.Rest[v]).Sub(target[v])
				errors[j] += d.Dot(d)
			}
		}
		var often []int // each joint as often as it takes to be more than a choice may have
		for range 1 + 2*mostChoice/len(errors) {
			often = append(often, allOf(x.Parents)...)
		}
		w.choose(often)
		slices.SortStableFunc(often, func(a, b int) int { return cmp.Compare(errors[a], errors[b]) })
		for k, j := range w.choice {
			if least := errors[often[k]]; len(w.choice) != mostChoice || !(math.Abs(errors[j]-least) <= 1e-9*least+1e-24) {
				t.Fatalf("vertex %d: bone %d of %d is joint %d with an error of %g for %g", v, k, len(w.choice), j, errors[j], least)
			}
		}
		w.among(allOf(x.Parents), nil)
		if j, least := w.nearest(), slices.Min(errors); !(math.Abs(errors[j]-least) <= 1e-9*least) { // rounding
			t.Errorf("vertex %d: joint %d is the nearest, with an error of %g for %g", v, j, errors[j], least)
		}
	}
}

// armPatch returns a clustering of the first triangles of the arm, as a clip of few examples moves them.
func armPatch(t *testing.T, triangles int) *clustering {
	x := every(armExamples(t), 6)
	x = withPriors(x, Ours(), dualBlended)
	use := make([]bool, len(x.Triangles))
	for k := range triangles {
		use[k] = true
	}
	return newClustering(x, use, triangles, true, 2)
}

// alive lists the groups that have joined no other, in the order of at.
func (c *clustering) alive() (all []int32) {
	for k := range c.groups {
		if c.joins.place[k] >= 0 {
			all = append(all, int32(k))
		}
	}
	return all
}

// TestGroupError: the error that a group's sums tell is that of its vertices one by one, weighted, under its own
// transformation and under a neighbour's. Tolerance: the sums cancel from the square s, some 1e3 roundings of it.
func TestGroupError(t *testing.T) {
	c := armPatch(t, 300)
	c.joinTo(20, never)
	of, transforms := c.at(20)
	for a, id := range c.alive() {
		for _, n := range append(c.groups[id].neighbours, neighbour{group: id}) {
			b := slices.Index(c.alive(), n.group)
			want := 0.0
			for k, tri := range c.x.Triangles {
				for _, v := range tri {
					for i := range c.x.Targets {
						if of[k] == int32(a) {
							d := transforms[b][i].Apply(c.x.Rest[v]).Sub(c.x.Targets[i][v])
							want += c.x.Weight(i) * d.Dot(d)
						}
					}
				}
			}
			g, o := c.complete(id, c.scratch[0]), c.complete(n.group, c.scratch[1])
			if got := g.errorOf(o.sums); !(math.Abs(got-want) <= 1e-13*g.square) {
				t.Errorf("group %d under the transformation of %d: error %g, one by one %g", a, b, got, want)
			}
		}
	}
}

// TestCheapestFirst: every join is the cheapest of all groups that share an edge, found anew from the triangles.
func TestCheapestFirst(t *testing.T) {
	const triangles = 100
	c := armPatch(t, triangles)
	for c.left > 1 {
		of, _ := c.at(c.left)
		alive := c.alive()
		least := math.Inf(1)
		for k, a := range c.x.Triangles[:triangles] {
			for l, b := range c.x.Triangles[:triangles] {
				shared := 0
				for _, v := range a {
					if slices.Contains(b[:], v) {
						shared++
					}
				}
				if of[k] != of[l] && shared == 2 {
					g, o := c.complete(alive[of[k]], c.scratch[0]), c.complete(alive[of[l]], c.scratch[1])
					least = math.Min(least, g.errorOf(o.sums))
				}
			}
		}
		costs := slices.Clone(c.joins.cost)
		c.joinTo(c.left-1, never)
		j := c.sequence[len(c.sequence)-1]
		if !math.IsInf(least, 1) && costs[j.from] != least {
			t.Fatalf("%d groups left: joined at %g, the cheapest costs %g", c.left, costs[j.from], least)
		}
	}
}

// TestRewind: groups had from the record of joins are those that a clustering that went no further has.
func TestRewind(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it joins groups one by one")
	}
	x := every(armExamples(t), 6)
	use, n := used(x, make([]bool, len(x.Rest)))
	far := newClustering(x, use, n, true, 1)
	far.joinTo(1, never)
	for _, p := range []int{1, 7, 300, n} {
		near := newClustering(x, use, p, true, 2)
		near.joinTo(p, never)
		of, transforms := near.at(p)
		again, same := far.at(p)
		if !slices.Equal(of, again) || !slices.EqualFunc(same, transforms, slices.Equal[[]geom.Affine]) {
			t.Errorf("%d groups: others after further joins", p)
		}
	}
}

// TestDrivers: a group bound to one joint of a chain may be predicted from it, its parent and its child, not from the
// rest; where nobody knows what binds it, from any.
func TestDrivers(t *testing.T) {
	x := patch(3, 2)
	x.Parents = []int{-1, 0, 1, 2, 3, 0}
	x.Rigged = make([][]skinning.Share, len(x.Rest))
	for v := range x.Rigged {
		x.Rigged[v] = []skinning.Share{{Joint: 2, Weight: 0.995}, {Joint: 5, Weight: 0.005}}
	}
	group := make([]int32, len(x.Triangles))
	if drivers, base := nearJoints(x, group, 1); !slices.Equal(drivers[0], []int{1, 2, 3}) || base[0] != 2 {
		t.Errorf("drivers %v of base %d, expected 1, 2 and 3 of base 2", drivers[0], base[0])
	}
	if drivers, _ := nearJoints(withoutRig(x), group, 1); len(drivers[0]) != 6 {
		t.Errorf("drivers %v, expected all six", drivers[0])
	}
}

// TestKnownField makes rotations by a known u and W of a known joint, with a known scale beside, and asks for them
// back: u within 1e-6 and W, S within 1e-5 (the ridge of H moves S by less).
func TestKnownField(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 30 {
		x := chain(r, 5, 8, 1.5)
		p := posesOf(x)
		joint := 1 + r.IntN(4)
		want := rig.RotationTerm{Joint: joint, U: 0.2 + 0.9*r.Float64(),
			W: geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, r.Float64())}
		s := geom.Mat3{1.2, 0.1, 0, 0.1, 0.9, 0, 0, 0, 1}
		gradients := make([]geom.Mat3, len(p.turns))
		for i := range gradients {
			gradients[i] = want.Turn(x.Parents, &p.turns[i], true).Mat3().Mul(s)
		}
		key, _ := p.fitKey(Ours(), allOf(x.Parents), gradients)
		if len(key.Terms) != 1 || key.Terms[0].Joint != joint {
			t.Fatalf("round %d: terms %+v, expected joint %d alone", round, key.Terms, joint)
		}
		got := key.Terms[0]
		if !(math.Abs(got.U-want.U) <= 1e-6) || !(angleBetween(got.W, want.W) <= 1e-5) {
			t.Errorf("round %d: u = %g and W off by %g rad, expected u = %g", round, got.U, angleBetween(got.W, want.W), want.U)
		}
		for i := range gradients {
			d := key.At(x.Parents, &p.turns[i])
			for k := range d {
				if !(math.Abs(d[k]-gradients[i][k]) <= 1e-5) {
					t.Fatalf("round %d, pose %d: %v, expected %v", round, i, d, gradients[i])
				}
			}
		}
	}
}

// TestPastHalfTurn: a joint that turns to 250 degrees takes the surface half as far, all the way.
func TestPastHalfTurn(t *testing.T) {
	x := &training.Examples{Parents: []int{-1, 0}}
	twist := func(angle float64) []geom.Affine {
		q := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, angle)
		return []geom.Affine{geom.IdentityAffine(), geom.NewAffine(q.Mat3(), mgl64.Vec3{})}
	}
	const most = 250 * math.Pi / 180
	var gradients []geom.Mat3
	for i := range 6 {
		x.Palettes, x.Targets = append(x.Palettes, twist(most*float64(i)/5)), append(x.Targets, nil)
		gradients = append(gradients, geom.AxisAngle(mgl64.Vec3{1, 0, 0}, most*float64(i)/10).Mat3())
	}
	p := posesOf(x)
	key, _ := p.fitKey(Ours(), allOf(x.Parents), gradients)
	var pose rig.JointRotations
	for _, angle := range []float64{0.1, 1, 2, 3, 3.3, 4, most} {
		pose.Set(x.Parents, p.middle, rotations(twist(angle)))
		want := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, angle/2)
		if d := angleBetween(key.Rotation(x.Parents, &pose), want); !(d <= 1e-6) {
			t.Errorf("at %g rad the surface is off by %g rad", angle, d)
		}
	}
}

// TestRefine: the proxies' matrices are those that the rig computes at run time, and turn and move with the character.
// Fitting c₁ and c₂, and then weights, brings the skin nearer to the examples each time. Sizes are about 1: matrices
// within 1e-9, rounding of sums of some hundred products.
func TestRefine(t *testing.T) {
	x := every(armExamples(t), 2)
	s := started(t, x, Ours(), 12)
	if err := s.recipe.Matrices(s); err != nil {
		t.Fatal(err)
	}
	s.drive()
	last := s.sumOfSquares()
	for round := range 2 {
		for what, step := range [...]func(){s.fitMatrices, func() { s.solveWeights(true) }} {
			step()
			now := s.sumOfSquares()
			if !(now < last) {
				t.Errorf("round %d, step %d: the error rises from %g to %g m²", round, what, last, now)
			}
			last = now
		}
	}
	turn := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 0.7).Mat3(), mgl64.Vec3{0.4, -0.3, 0.2})
	var driver rig.EnvelopingDriver
	for i, palette := range x.Palettes {
		var turned []geom.Affine
		for _, m := range palette {
			turned = append(turned, turn.Mul(m))
		}
		live, moved := s.model.palette(&driver, palette), s.model.palette(&driver, turned)
		for b := range live {
			want := turn.Mul(live[b])
			for k := range want {
				if !(math.Abs(live[b][k]-s.palettes[i][b][k]) <= 1e-9) || !(math.Abs(moved[b][k]-want[k]) <= 1e-9) {
					t.Fatalf("pair %d, bone %d: live %v, fitted %v; moved %v, expected %v", i, b, live[b], s.palettes[i][b],
						moved[b], want)
				}
			}
		}
	}
}

// TestPruned: without its idle proxies a model poses every vertex as with them, to 1e-12, since sums of c₁·d run in
// another order. Their keys stay behind the others'.
func TestPruned(t *testing.T) {
	s := started(t, every(armExamples(t), 4), Published(), 8)
	if err := s.recipe.Matrices(s); err != nil {
		t.Fatal(err)
	}
	m, joints := &s.model, s.joints()
	for v, w := range m.Weights { // proxies 1 and 4 lose their vertices
		m.Weights[v] = slices.Clone(w)
		for k := range w {
			if b := int(w[k].Joint) - joints; b == 1 || b == 4 {
				m.Weights[v][k].Joint = 0
			}
		}
	}
	before := slices.Clone(m.Weights[0])
	p := m.pruned()
	if p.Proxies() != 6 || len(p.Rig.Keys) != 8 || p.Rig.Keys[7].Terms[0] != m.Rig.Keys[4].Terms[0] {
		t.Fatalf("%d proxies and %d keys, expected 6 and 8", p.Proxies(), len(p.Rig.Keys))
	}
	var driver, other rig.EnvelopingDriver
	want := m.Pose(&driver, s.x.Rest, s.x.Palettes[2])
	for v, q := range p.Pose(&other, s.x.Rest, s.x.Palettes[2]) {
		if off := q.Sub(want[v]).Len(); !(off <= 1e-12) {
			t.Fatalf("vertex %d: off by %g", v, off)
		}
	}
	if !slices.Equal(before, m.Weights[0]) {
		t.Error("weights that others may share have changed")
	}
}
