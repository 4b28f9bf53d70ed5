package enveloping

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
)

// pricing finds the weights w of a vertex over its candidates, at least 0 and with the sum 1, that minimise
// f = ‖Σ_j w_j·r_j‖², where r_j is how far joint j misses the vertex in every example. Few joints have weight. So it
// solves over some joints, and then adds the joint that would lower f most steeply (column generation), until none would.
// The price of a joint is r_j·Σ_k w_k·r_k: f falls along e_j − w where it is below f. At the end no price is, so that f is
// the least over all candidates, since it is convex. Joints are indices into the candidates here.
type pricing struct {
	simplex    simplex.Solver
	candidates []int     // the model's joints
	offsets    []float64 // r_j of these, one after another
	width      int       // of each
	joints     []int     // over which it solves
	dots       []float64 // r_a·r_b of these, for every a and b up to a
	q          []float64 // the same as a matrix
	w          []float64
	miss       []float64 // Σ w_j·r_j
}

// begin forgets the last vertex. The candidates and their offsets are to follow, and then the joints to begin with.
func (p *pricing) begin(width int) {
	p.candidates, p.offsets, p.width = p.candidates[:0], p.offsets[:0], width
	p.joints, p.dots, p.w = p.joints[:0], p.dots[:0], p.w[:0]
}

// chosen returns the model's joints over which it has solved.
func (p *pricing) chosen() (joints []int) {
	for _, j := range p.joints {
		joints = append(joints, p.candidates[j])
	}
	return joints
}

// of returns r_j.
func (p *pricing) of(joint int) []float64 { return p.offsets[joint*p.width:][:p.width] }

// add adds a joint, with its weight to begin with.
func (p *pricing) add(joint int, weight float64) {
	p.joints, p.w = append(p.joints, joint), append(p.w, weight)
	for _, j := range p.joints {
		p.dots = append(p.dots, floats.Dot(p.of(joint), p.of(j)))
	}
}

// fill makes the matrix of the joints.
func (p *pricing) fill() {
	m, k := len(p.joints), 0
	p.q = linear.Resize(p.q, m*m)
	for a := range m {
		for b := range a + 1 {
			p.q[a*m+b], p.q[b*m+a] = p.dots[k], p.dots[k]
			k++
		}
	}
}

// minimize finds the weights without a limit of their number, and returns f.
func (p *pricing) minimize() (f float64) {
	for j := -1; ; {
		p.fill()
		f = p.simplex.Minimize(p.q, len(p.joints), p.w)
		if j >= 0 && p.w[len(p.w)-1] == 0 { // it gains nothing but rounding
			return f
		}
		if j = p.price(f); j < 0 {
			return f
		}
		p.add(j, 0)
	}
}

// sparsen leaves at most limit weights, see [simplex.Solver.MinimizeSparse]. An index that is exchanged for another may be
// any joint. F is that of [pricing.minimize].
func (p *pricing) sparsen(f float64, limit int) {
	least := f
	if f = p.simplex.Sparsen(p.q, len(p.joints), limit, p.w, f); f == least {
		return
	}
	for j := p.price(f); j >= 0; j = p.price(f) {
		p.add(j, 0)
		p.fill()
		g := p.simplex.ImproveSparse(p.q, len(p.joints), limit, p.w)
		if !(g < f) {
			return
		}
		f = g
	}
}

// A price lies below f where it does by more than priceShare of f, and more than priceRounding of ‖r_j‖². They are those
// by which package simplex ends.
const (
	priceShare    = 1e-9
	priceRounding = 1e-12
)

// price returns the joint of least price, of those over which it has not solved; −1 where that does not lie below f.
func (p *pricing) price(f float64) int {
	p.miss = append(p.miss[:0], make([]float64, p.width)...)
	for a, w := range p.w {
		if w > 0 {
			floats.AddScaled(p.miss, w, p.of(p.joints[a]))
		}
	}
	best, least := -1, f*(1-priceShare)
	for j := range p.candidates {
		if g := floats.Dot(p.of(j), p.miss); g < least && !slices.Contains(p.joints, j) {
			best, least = j, g
		}
	}
	if best < 0 || !(least < f-priceRounding*floats.Dot(p.of(best), p.of(best))) {
		return -1
	}
	return best
}
