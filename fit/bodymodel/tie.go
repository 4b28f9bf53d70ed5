package bodymodel

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The two sets of weights, wS of the swings and wT of the twists, are held together. The paper does not do so. If the
// scans hardly twist a limb against the next, they do not determine the weights of the twists, and poses with a twist
// are wrong. So the objective is, for S scans,
//
//	Q + tie·S·Σ_v |wS_v − wT_v|².
//
// Q itself does not rise in any phase.

// tieShare defines tie: two sets that differ by 1 must lower the root mean square error of a vertex by this share of
// the diagonal. The table has the RMS error, in mm, on scans that were left out of the fit, with the rig's skeletons
// and poses. The fit learnt, of the arm's scans, the half of least twist, the quarter of least twist, and every second;
// and of the human's, every second.
//
//	share   half   quarter   second   human
//	0       8.13   52.23     2.472    2.700
//	1e-3    6.33    6.72     2.473    2.708
//	2e-3    5.91    5.90     2.477    2.700
//	5e-3    5.27    5.31     2.502    2.724
//	1e-2    5.12    5.14     2.562    2.767
//
// Fitted to all of its scans, with 6 limbs, the arm has Q of 1.205 without a tie, and of 1.139 with 2e-3, 1.144 with
// 5e-3 and 1.165 with 1e-2. Rows 273, 277 and 278 of docs/ablation.md have it on sets whose poses hardly twist.
const tieShare = 5e-3

// tieOf returns the tie for a bind shape.
func tieOf(vertices []mgl64.Vec3) float64 {
	lo, hi := geom.Bounds(vertices)
	d := hi.Sub(lo)
	return tieShare * tieShare * d.Dot(d)
}

// hold returns tie·S, 0 for a body whose twists move nothing.
func (f *solver) hold() float64 {
	if f.body.Linear {
		return 0
	}
	return f.tie * float64(len(f.palettes))
}

// tied returns the term of the tie in the objective, m².
func (f *solver) tied() (sum float64) {
	hold := f.hold()
	if hold == 0 {
		return 0
	}
	for v, swing := range f.body.Swing {
		sum += difference(swing, f.body.Twist[v])
	}
	return hold * sum
}

// difference returns the sum of squared differences of weights.
func difference(a, b []skinning.Share) (sum float64) {
	for _, s := range a {
		d := s.Weight - weightOf(b, s.Joint)
		sum += d * d
	}
	for _, s := range b {
		if weightOf(a, s.Joint) == 0 {
			sum += s.Weight * s.Weight
		}
	}
	return sum
}

// weightOf returns the weight of a limb.
func weightOf(shares []skinning.Share, limb uint16) float64 {
	for _, s := range shares {
		if s.Joint == limb {
			return s.Weight
		}
	}
	return 0
}

// tieWeights adds the tie of a vertex to the equations of a surface. An unknown moves weight of a set from its largest
// to another limb.
func (f *solver) tieWeights(e *equations, v int) {
	type change struct {
		to, from uint16
		sign     float64
	}
	var changes []change
	for k, set := range [][]skinning.Share{f.body.Swing[v], f.body.Twist[v]} {
		for _, s := range set[1:] {
			changes = append(changes, change{s.Joint, set[0].Joint, float64(2*k - 1)})
		}
	}
	same := func(a, b uint16) float64 {
		if a == b {
			return 1
		}
		return 0
	}
	lead := func(limb uint16) float64 { return weightOf(f.body.Twist[v], limb) - weightOf(f.body.Swing[v], limb) }
	n, at, hold := e.first[v+1]-e.first[v], e.block[e.metric.find(v, v)], f.hold()
	for i, a := range changes {
		for k, b := range changes {
			product := same(a.to, b.to) - same(a.to, b.from) - same(a.from, b.to) + same(a.from, b.from)
			e.values[at+i*n+k] += hold * a.sign * b.sign * product
		}
		e.right[e.first[v]+i] -= hold * a.sign * (lead(a.to) - lead(a.from))
	}
}
