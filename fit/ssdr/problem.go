package ssdr

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// problem is equation (3) in sums over examples, from which weights are solved without a look at the examples, and
// over vertices, from which transformations are solved without a look at the vertices.
//
// The sum of squares of a vertex v̄ with weights w is wᵀQw where Σw = 1, with
//
//	Q_ab = Σ_n (S_a,n·v̄ − ỹ_n)·(S_b,n·v̄ − ỹ_n) = F_ab(v̄) − l_a − l_b + Σ_n ỹ_n²
//
// F_ab is one quadratic form for all vertices, and l_a = Σ_n (S_a,n·v̄)·ỹ_n one number for a bone and a vertex. Those of
// primary joints are made once, F_ab for two of one skeleton, and l_a for vertices of its skeleton.
//
// All places are relative to the middle of the rest pose and, in each example, to the middle of its target, so that
// sums do not lose digits where a character walks far away.
type problem struct {
	x       *Examples
	workers int
	limit   int  // of influences of a vertex
	scale   bool // of helper bones

	points  *points
	rest    []mgl64.Vec3 // of the points, relative to middle
	middle  mgl64.Vec3
	middles []mgl64.Vec3 // of the targets
	size    float64      // the diagonal of the rest pose, metres
	// rounding is the error of a point that is only rounding: float32's, 6e-8 of the size in each example.
	rounding float64

	primaries int
	skeletons *skeletons
	span      [][2]int        // [point]: the part of skeletons.joints that it may follow
	bones     [][]geom.Affine // [bone][example], relative to the middles: primary joints, then helper bones
	// forms are [a][b]: Σ_n importance·(S_a·v̂)·(S_b·v̂), of a helper bone with b ≤ a, of a primary joint with those of
	// its skeleton in their order.
	forms   [][]linear.Form
	near    [][]float64 // [point][joint of its span]: l
	lin     [][]float64 // [bone][point]: l, nil of primary joints
	square  []float64   // [point]: Σ_n importance·ỹ²
	targets blocks

	candidates [][]uint16 // per point, the primary joints that it may follow
	rigged     [][]skinning.Share
	hold       float64            // of weights to rigged, square metres; 0 for none (row 244)
	weights    [][]skinning.Share // per point; the bone is the index into bones
	errors     []float64          // per point: Σ_n importance·‖…‖², without the hold
	held       []float64          // per point: the cost of leaving the rig's weights

	scratch []scratch // per worker
}

// newProblem welds the vertices, and makes the sums of the primary joints. Weights are those of the rig, or where there
// is none, of the primary joint that predicts a vertex best.
func newProblem(x *Examples, o *Options) *problem {
	p := &problem{x: x, workers: o.Workers, limit: o.influences(), scale: o.Scale, primaries: x.Primaries()}
	p.scratch = make([]scratch, max(p.workers, 1))
	for w := range p.scratch {
		p.scratch[w].prepare(p)
	}
	p.placePoints()
	p.rounding = 1e-14 * p.size * p.size * p.x.TotalImportance()
	p.readTargets()
	for j := range p.primaries {
		bone := make([]geom.Affine, len(x.Targets))
		for n := range bone {
			bone[n] = p.inward(x.Palettes[n][j], n)
		}
		p.bones = append(p.bones, bone)
	}
	p.forms, p.lin = make([][]linear.Form, p.primaries), make([][]float64, p.primaries)
	p.sumJoints()
	p.chooseCandidates()
	if o.PriorWeights && p.rigged != nil {
		p.hold = likeRig * p.size
		p.hold *= p.hold * p.x.TotalImportance()
	}
	return p
}

// placePoints welds the vertices, and finds the middles of the rest pose and of the targets.
func (p *problem) placePoints() {
	x := p.x
	lo, hi := x.Rest[0], x.Rest[0]
	for _, q := range x.Rest {
		for k := range q {
			lo[k], hi[k] = math.Min(lo[k], q[k]), math.Max(hi[k], q[k])
		}
	}
	p.middle, p.size = lo.Add(hi).Mul(0.5), hi.Sub(lo).Len()
	p.points, p.skeletons = pointsOf(x, p.size), skeletonsOf(x)
	for _, v := range p.points.vertex {
		p.rest = append(p.rest, x.Rest[v].Sub(p.middle))
		span := [2]int{0, len(p.skeletons.joints)}
		if x.Rigged != nil {
			if p.rigged = append(p.rigged, x.Rigged[v]); len(x.Rigged[v]) > 0 {
				span = p.skeletons.span[x.Rigged[v][0].Joint]
			}
		}
		p.span = append(p.span, span)
	}
	p.middles = make([]mgl64.Vec3, len(x.Targets))
	parallel.For(p.workers, len(x.Targets), func(_, n int) {
		var middle mgl64.Vec3
		for _, y := range x.Targets[n] {
			middle = middle.Add(y)
		}
		p.middles[n] = middle.Mul(1 / float64(len(x.Rest)))
	})
}

// inward makes a matrix relative to the middles; outward is its inverse.
func (p *problem) inward(m geom.Affine, n int) geom.Affine {
	t := m.Apply(p.middle).Sub(p.middles[n])
	m[3], m[7], m[11] = t[0], t[1], t[2]
	return m
}

func (p *problem) outward(m geom.Affine, n int) geom.Affine {
	t := m.Translation().Add(p.middles[n]).Sub(m.Linear().Apply(p.middle))
	m[3], m[7], m[11] = t[0], t[1], t[2]
	return m
}

// target returns a point's target in an example, relative to the middle.
func (p *problem) target(n, point int) mgl64.Vec3 {
	return p.x.Targets[n][p.points.vertex[point]].Sub(p.middles[n])
}

// helpers returns H.
func (p *problem) helpers() int { return len(p.bones) - p.primaries }

// addHelper appends a helper bone without weights. Its sums are not made yet.
func (p *problem) addHelper(motion []geom.Affine) {
	p.bones = append(p.bones, motion)
	p.forms, p.lin = append(p.forms, nil), append(p.lin, nil)
}

// removeHelper removes the bone with that index, whose weights must all be 0.
func (p *problem) removeHelper(bone int) {
	p.bones, p.lin = slices.Delete(p.bones, bone, bone+1), slices.Delete(p.lin, bone, bone+1)
	p.forms = slices.Delete(p.forms, bone, bone+1)
	for a := bone; a < len(p.forms); a++ {
		if p.forms[a] != nil {
			p.forms[a] = slices.Delete(p.forms[a], bone, bone+1)
		}
	}
	for _, shares := range p.weights {
		for k := range shares {
			if int(shares[k].Joint) > bone {
				shares[k].Joint--
			}
		}
	}
}

// form returns F_ab. Two primary joints must be of one skeleton.
func (p *problem) form(a, b int) *linear.Form {
	if a < b {
		a, b = b, a
	}
	if a < p.primaries {
		b = p.skeletons.rank[b] - p.skeletons.span[a][0]
	}
	return &p.forms[a][b]
}

// l returns l_a of a point. A primary joint must be of the point's skeleton.
func (p *problem) l(a, point int) float64 {
	if a < p.primaries {
		return p.near[point][p.skeletons.rank[a]-p.span[point][0]]
	}
	return p.lin[a][point]
}

// squareError returns Σ importance·‖…‖² over vertices and examples, without the hold.
func (p *problem) squareError() (sum float64) {
	for k, e := range p.errors {
		sum += p.points.copies[k] * e
	}
	return sum
}

// objective is the function that weights and transformations minimise: squareError plus the hold.
func (p *problem) objective() float64 {
	sum := p.squareError()
	for k, e := range p.held {
		sum += p.points.copies[k] * e
	}
	return sum
}

// rms is the root of the mean of squareError, metres.
func (p *problem) rms() float64 {
	return math.Sqrt(p.squareError() / (float64(len(p.x.Rest)) * p.x.TotalImportance()))
}
