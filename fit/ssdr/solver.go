package ssdr

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// Solver is equation (3) in sums over examples, from which weights are solved without a look at the examples, and over
// vertices, from which motions are solved without a look at the vertices. It does the steps of Algorithm 1 one by one,
// for fits that put them in another order, or move the helper bones themselves. Only one goroutine may use it.
//
// The sum of squares of a vertex v̄ with weights w is wᵀQw where Σw = 1, with
//
//	Q_ab = Σ_n (S_a,n·v̄ − ỹ_n)·(S_b,n·v̄ − ỹ_n) = F_ab(v̄) − l_a − l_b + Σ_n ỹ_n²
//
// F_ab is one quadratic form for all vertices, and l_a = Σ_n (S_a,n·v̄)·ỹ_n one number for a bone and a vertex. Those
// of primary joints are made once.
//
// Decompositions have matrices from rest space to the world. [Solver.Bones], [Solver.Move] and the sums are relative to
// the middle of the rest pose and, in each example, to the middle of its target, so that they lose no digits where a
// character walks far away: a bone of matrix S takes x to S·(x − c) + d_n, with c the [Solver.Middle] of the rest pose
// and d_n the mean of the targets in example n.
type Solver struct {
	x       *training.Examples
	recipe  *Recipe
	workers int
	scale   bool // of helper bones

	// Points are the vertices without their copies, see [training.Weld]. Copies get the same weights, so that seams
	// stay closed, and neighbours are found across a seam.
	pointOf []int     // the point of each vertex
	vertex  []int     // the first vertex of each point
	copies  []float64 // the number of vertices of each point

	rest    []mgl64.Vec3 // of the points, relative to middle
	middle  mgl64.Vec3
	middles []mgl64.Vec3 // of the targets
	size    float64      // the diagonal of the rest pose, metres
	// rounding is the error of a point that is only rounding: float32's, 6e-8 of the size in each example.
	rounding float64

	primaries int
	skeletons *skeletons
	bones     [][]geom.Affine // [bone][example], relative to the middles: primary joints, then helper bones
	forms     [][]linear.Form // [a][b ≤ a]: Σ_n importance·(S_a·v̂)·(S_b·v̂); 0 for joints of two skeletons
	lin       [][]float64     // [bone][point]: l; nil of primary joints
	near      [][]float64     // [point][primary joint of its skeleton]: l
	square    []float64       // [point]: Σ_n importance·ỹ²
	targets   blocks

	candidates [][]uint16 // per point, the primary joints that it may follow, the nearest first

	rigged  [][]skinning.Share // per point; nil where weights are not held to the rig's
	hold    float64            // square metres
	weights [][]skinning.Share // per point; the bone is the index into bones
	errors  []float64          // per point: Σ_n importance·‖…‖², without the hold

	scratch []scratch // per worker
}

// NewSolver validates examples and options, of which it reads Recipe, Scale, Workers and Start. Without a start it
// begins without helper bones, with the rig's weights or, where there are none, with the joint that predicts a vertex
// best.
func NewSolver(x *training.Examples, opt Options) (*Solver, error) {
	if err := errors.Join(x.Validate(), opt.validate(x)); err != nil {
		return nil, err
	}
	s := newSolver(x, &opt)
	s.begin(opt.Start)
	return s, nil
}

// newSolver welds the vertices, and makes the sums of the primary joints.
func newSolver(x *training.Examples, o *Options) *Solver {
	s := &Solver{x: x, recipe: o.Recipe, workers: o.Workers, scale: o.Scale, primaries: x.Primaries()}
	s.scratch = make([]scratch, max(s.workers, 1))
	for w := range s.scratch {
		s.scratch[w].s, s.scratch[w].simplex.Fill = s, s.scratch[w].fill
	}
	s.placePoints()
	s.rounding = 1e-14 * s.size * s.size * x.TotalWeight()
	s.readTargets()
	s.skeletons = skeletonsOf(x)
	for j := range s.primaries {
		bone := make([]geom.Affine, len(x.Targets))
		for n := range bone {
			bone[n] = s.inward(x.Palettes[n][j], n)
		}
		s.addBone(bone)
	}
	s.sumBones(0)
	s.chooseCandidates()
	s.weights, s.errors = make([][]skinning.Share, len(s.rest)), make([]float64, len(s.rest))
	if x.Rigged != nil {
		s.hold = s.recipe.Hold * s.size
		s.hold *= s.hold * x.TotalWeight()
	}
	return s
}

// placePoints welds the vertices, and finds the middles of the rest pose and of the targets.
func (s *Solver) placePoints() {
	x := s.x
	lo, hi := x.Rest[0], x.Rest[0]
	for _, q := range x.Rest {
		for k := range q {
			lo[k], hi[k] = math.Min(lo[k], q[k]), math.Max(hi[k], q[k])
		}
	}
	s.middle, s.size = lo.Add(hi).Mul(0.5), hi.Sub(lo).Len()
	s.pointOf, s.vertex = training.Weld(x.Rest, x.Targets, s.size)
	s.copies = make([]float64, len(s.vertex))
	for _, k := range s.pointOf {
		s.copies[k]++
	}
	for _, v := range s.vertex {
		s.rest = append(s.rest, x.Rest[v].Sub(s.middle))
		if x.Rigged != nil {
			s.rigged = append(s.rigged, x.Rigged[v])
		}
	}
	s.middles = make([]mgl64.Vec3, len(x.Targets))
	parallel.For(s.workers, len(x.Targets), func(_, n int) {
		var middle mgl64.Vec3
		for _, y := range x.Targets[n] {
			middle = middle.Add(y)
		}
		s.middles[n] = middle.Mul(1 / float64(len(x.Rest)))
	})
}

// begin sets the motions and weights of a start. Without one, weights are those of the rig, or the joint that
// predicts a vertex best; a mesh sequence without joints has a first bone that moves all.
func (s *Solver) begin(start *Decomposition) {
	if start != nil {
		for h := range start.Motions {
			motion := make([]geom.Affine, len(s.x.Targets))
			for n := range motion {
				motion[n] = s.inward(start.Motions[h][n], n)
			}
			s.addBone(motion)
		}
		if start.Motions == nil && start.Weights != nil {
			s.beginMotions(start.Weights)
		}
		s.sumBones(s.primaries)
		if start.Weights != nil {
			s.SetWeights(start.Weights)
			return
		}
	}
	if len(s.bones) == 0 {
		all := make([]int, len(s.rest))
		for k := range all {
			all[k] = k
		}
		s.addBone(s.rigid(all))
		s.sumBones(0)
	}
	for k := range s.weights {
		if s.rigged != nil && len(s.rigged[k]) > 0 {
			s.weights[k] = slices.Clone(s.rigged[k])
			continue
		}
		best := 0
		if s.primaries > 0 {
			best = int(s.candidates[k][0])
		}
		s.weights[k] = []skinning.Share{{Joint: uint16(best), Weight: 1}}
	}
	s.measure()
}

// beginMotions adds the helper bones of some weights. Each begins with the rigid motion of the points that follow it
// most, and a few rounds make motions that agree.
func (s *Solver) beginMotions(weights [][]skinning.Share) {
	const rounds = 3
	for k, v := range s.vertex {
		s.weights[k] = slices.Clone(weights[v])
	}
	for b := s.primaries; ; b++ {
		most := 0.0
		for _, shares := range s.weights {
			most = max(most, weightOf(shares, b))
		}
		if most == 0 {
			break
		}
		var points []int
		for k, shares := range s.weights {
			if weightOf(shares, b) >= most/2 {
				points = append(points, k)
			}
		}
		s.addBone(s.rigid(points))
	}
	for range rounds {
		s.solveMotions()
	}
}

// inward makes a matrix relative to the middles; outward is its inverse.
func (s *Solver) inward(m geom.Affine, n int) geom.Affine {
	t := m.Apply(s.middle).Sub(s.middles[n])
	m[3], m[7], m[11] = t[0], t[1], t[2]
	return m
}

func (s *Solver) outward(m geom.Affine, n int) geom.Affine {
	t := m.Translation().Add(s.middles[n]).Sub(m.Linear().Apply(s.middle))
	m[3], m[7], m[11] = t[0], t[1], t[2]
	return m
}

// target returns a point's target in an example, relative to the middle.
func (s *Solver) target(n, point int) mgl64.Vec3 {
	return s.x.Targets[n][s.vertex[point]].Sub(s.middles[n])
}

// Helpers returns H.
func (s *Solver) Helpers() int { return len(s.bones) - s.primaries }

// Bones returns the matrices of the primary joints, then those of the helper bones, [bone][example], relative to the
// middles. They are read-only.
func (s *Solver) Bones() [][]geom.Affine { return s.bones }

// Middle returns the middle of the rest pose, rest space, metres.
func (s *Solver) Middle() mgl64.Vec3 { return s.middle }

// addBone appends a bone without weights. Its sums are not made yet.
func (s *Solver) addBone(motion []geom.Affine) {
	s.bones = append(s.bones, motion)
	s.forms, s.lin = append(s.forms, nil), append(s.lin, nil)
}

// removeHelper removes the bone with that index, and its weights. A point that follows no other bone has no weights
// until they are solved.
func (s *Solver) removeHelper(bone int) {
	s.bones, s.lin = slices.Delete(s.bones, bone, bone+1), slices.Delete(s.lin, bone, bone+1)
	s.forms = slices.Delete(s.forms, bone, bone+1)
	for a := bone; a < len(s.forms); a++ {
		s.forms[a] = slices.Delete(s.forms[a], bone, bone+1)
	}
	for k, shares := range s.weights {
		kept := shares[:0]
		for _, w := range shares {
			if int(w.Joint) > bone {
				w.Joint--
			} else if int(w.Joint) == bone {
				continue
			}
			kept = append(kept, w)
		}
		s.weights[k] = kept
	}
}

// Keep removes the helper bones from the count-th on, with their weights. A vertex that follows no other bone has none
// until [Solver.SolveWeights].
func (s *Solver) Keep(count int) {
	for s.Helpers() > count {
		s.removeHelper(len(s.bones) - 1)
	}
}

// Move sets the motions of all helper bones, [helper][example], relative to the middles, and keeps them. Weights stay.
func (s *Solver) Move(motions [][]geom.Affine) {
	copy(s.bones[s.primaries:], motions)
	s.sumBones(s.primaries)
	s.measure()
}

// SetWeights sets the weights of every vertex, over primary joints and the helper bones that there are. Copies of a
// vertex get those of the first.
func (s *Solver) SetWeights(weights [][]skinning.Share) {
	for k, v := range s.vertex {
		s.weights[k] = slices.Clone(weights[v])
	}
	s.measure()
}

// form returns F_ab.
func (s *Solver) form(a, b int) *linear.Form { return &s.forms[max(a, b)][min(a, b)] }

// linear returns l of a bone and a point. A primary joint must be of the point's skeleton.
func (s *Solver) linear(bone, k int) float64 {
	if bone < s.primaries {
		return s.near[k][s.skeletons.place[bone]]
	}
	return s.lin[bone][k]
}

// entry returns Q_ab of a point.
func (s *Solver) entry(k, a, b int) float64 {
	return s.form(a, b).At(&s.rest[k]) - s.linear(a, k) - s.linear(b, k) + s.square[k]
}

// errorOf returns wᵀQw; without any weights, the error of a point that stays in the middle of its targets.
func (s *Solver) errorOf(k int, w []skinning.Share) (sum float64) {
	if len(w) == 0 {
		return s.square[k]
	}
	for i, a := range w {
		sum += a.Weight * a.Weight * s.entry(k, int(a.Joint), int(a.Joint))
		for _, b := range w[:i] {
			sum += 2 * a.Weight * b.Weight * s.entry(k, int(a.Joint), int(b.Joint))
		}
	}
	return math.Max(sum, 0)
}

// measure sets the errors of weights and motions as they are.
func (s *Solver) measure() {
	for k, w := range s.weights {
		s.errors[k] = s.errorOf(k, w)
	}
}

// squareError returns Σ importance·‖…‖² over vertices and examples, without the hold.
func (s *Solver) squareError() (sum float64) {
	for k, e := range s.errors {
		sum += s.copies[k] * e
	}
	return sum
}

// objective is the function that weights and motions minimise: squareError plus the hold.
func (s *Solver) objective() float64 {
	sum := s.squareError()
	if s.hold > 0 {
		for k, w := range s.weights {
			sum += s.copies[k] * s.hold * squareDistance(w, s.rigged[k])
		}
	}
	return sum
}

// squareDistance returns ‖a − b‖² of the weights of two vertices.
func squareDistance(a, b []skinning.Share) (sum float64) {
	for _, s := range a {
		d := s.Weight - weightOf(b, int(s.Joint))
		sum += d * d
	}
	for _, t := range b {
		if !slices.ContainsFunc(a, func(s skinning.Share) bool { return s.Joint == t.Joint }) {
			sum += t.Weight * t.Weight
		}
	}
	return sum
}

// weightOf returns the weight of a bone.
func weightOf(shares []skinning.Share, bone int) (sum float64) {
	for _, s := range shares {
		if int(s.Joint) == bone {
			sum += s.Weight
		}
	}
	return sum
}

// RMS returns the root of the mean of the squared error of weights and motions as they are, metres, each example by its
// importance.
func (s *Solver) RMS() float64 {
	return math.Sqrt(s.squareError() / (float64(len(s.x.Rest)) * s.x.TotalWeight()))
}

// Weights returns the weights of every vertex as they are.
func (s *Solver) Weights() [][]skinning.Share {
	out := make([][]skinning.Share, len(s.x.Rest))
	for v, k := range s.pointOf {
		out[v] = slices.Clone(s.weights[k])
	}
	return out
}

// Current returns weights and motions as they are, in world space.
func (s *Solver) Current() *Decomposition {
	out := &Decomposition{RMS: s.RMS(), Weights: s.Weights()}
	for _, bone := range s.bones[s.primaries:] {
		motion := make([]geom.Affine, len(bone))
		for n := range bone {
			motion[n] = s.outward(bone[n], n)
		}
		out.Motions = append(out.Motions, motion)
	}
	return out
}
