package enveloping

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Published returns sections 3 to 5 of RTER.
func Published() *Recipe {
	return &Recipe{
		Rounds:     3,            // section 5.1
		Keys:       fitTogether,  // section 5.2
		Drivers:    allJoints,    // section 3.2
		SecondTerm: true,         // section 3.2.2
		PolarShear: true,         // section 3.3
		ShearRidge: 1e-8,         // for examples that do not determine H
		Matrices:   solvePoisson, // section 4.3
	}
}

// secondTerm fits a term to the rotations that the first term leaves, R·R₁ᵀ (section 3.2.2). How the two terms combine,
// see [rig.RotationTerm.Turn].
func (p *poses) secondTerm(key *rig.GradientKey, joints []int, rotation []geom.Quat) rig.RotationTerm {
	left := make([]geom.Quat, len(rotation))
	for i, r := range rotation {
		left[i] = r.Mul(key.Rotation(p.parent, &p.turns[i]).Conjugate())
	}
	second, _ := p.bestTerm(joints, func(i, b int) geom.Quat {
		frame := p.turns[i].InFrame(p.parent, b, geom.IdentityQuat()).Conjugate()
		return p.turns[i].InFrame(p.parent, b, left[i].Mul(frame))
	})
	return second
}

// keyRounds is how often β and the key gradients are fitted in turn. The paper's descent converges in three rounds or
// less (section 5.2, at the end).
const keyRounds = 3

// keyRidge keeps key gradients as they are in the directions that no triangle determines, such as the normal of a flat
// group. The paper has no such ridge. On a coarse cylinder, predicted keys have an EE of 1400 % with 1e-6 and of 370 %
// with 1e-3.
const keyRidge = 1e-3

// fitTogether finds β and the key gradients D_ℓ^i by coordinate descent (section 5.2), from the linear parts of the
// proxies' transformations on. Each step lowers the objective:
//
//	Σ_i Σ_k Σ_{j=2,3} ‖Σ_ℓ β_kℓ·D_ℓ^i·v̂_kj − v_kj^i‖².
func fitTogether(s *solution) {
	for l := range s.gradients {
		for i := range s.x.Targets {
			s.gradients[l][i] = s.palettes[i][s.joints()+l].Linear()
		}
	}
	s.blend = make([][]skinning.Share, len(s.x.Triangles))
	for range keyRounds {
		s.solveBlend()
		s.solveGradients()
	}
}

// solveBlend finds β of each triangle, given the key gradients: it is not negative and sums to 1, over the keys within
// reach of the triangle's vertices.
func (s *solution) solveBlend() {
	all, x := make([]weigher, max(s.workers, 1)), s.x
	parallel.For(s.workers, parallel.Chunks(len(x.Triangles)), func(worker, c int) {
		lo, hi := parallel.Chunk(c, len(x.Triangles))
		w := &all[worker]
		for k := lo; k < hi; k++ {
			t := x.Triangles[k]
			w.choice, w.columns = w.choice[:0], w.columns[:0]
			for _, v := range t {
				for _, b := range s.reach[v] {
					if !s.fixed[v] && !slices.Contains(w.choice, b) {
						w.choice = append(w.choice, b)
					}
				}
			}
			if len(w.choice) == 0 {
				continue
			}
			rest := edgesOf(x.Rest, t)
			for _, l := range w.choice {
				for i := range x.Targets {
					for j, posed := range edgesOf(x.Targets[i], t) {
						d := s.gradients[l][i].Apply(rest[j]).Sub(posed)
						w.columns = append(w.columns, d[0], d[1], d[2])
					}
				}
			}
			s.blend[k] = w.overColumns(s.blend[k], len(w.choice))
		}
	})
}

// solveGradients finds D_ℓ^i, given β, by least squares. A row of D in one example depends on the same row of the posed
// edges alone, so that all rows of all examples share one matrix, 3P×3P.
func (s *solution) solveGradients() {
	p, n := s.proxies(), len(s.x.Targets)
	a, right := mat.NewSymDense(3*p, nil), mat.NewDense(3*p, 3*n, nil)
	missed := make([]float64, 3*n)
	for k, blend := range s.blend {
		if blend == nil {
			continue
		}
		t := s.x.Triangles[k]
		for j, rest := range edgesOf(s.x.Rest, t) {
			var row []term
			for _, share := range blend {
				for c := range 3 {
					row = append(row, term{3*int(share.Joint) + c, share.Weight * rest[c]})
				}
			}
			for i := range s.x.Targets {
				d := edgesOf(s.x.Targets[i], t)[j]
				for _, share := range blend {
					d = d.Sub(s.gradients[share.Joint][i].Apply(rest).Mul(share.Weight))
				}
				copy(missed[3*i:], d[:])
			}
			addRow(a, right, row, missed)
		}
	}
	change := solveRidge(a, right, 3*p, keyRidge)
	for l := range s.gradients {
		for i := 0; i < n && change != nil; i++ {
			for k := range 9 {
				s.gradients[l][i][k] += change.At(3*l+k%3, 3*i+k/3)
			}
		}
	}
}

// WeightsDiffer lists how trained weights as published differ from RTER: see [fit.Method.Differs].
var WeightsDiffer = []string{
	"Sections 4.2, 7: weights sum to 1 exactly; the paper does not say how its non-negative least squares see to that.",
	"Section 7: of a vertex's best weights over all joints (of more than 64, those that predict it best alone), those that " +
		"cost least are dropped until four are left, and joints are exchanged as long as the error falls. The paper says that there are four at most, and not which.",
	"Vertices at one place, such as both sides of a UV seam, are one vertex.",
}

// differs lists how enveloping as published differs from RTER, in the order of the paper's sections.
var differs = slices.Concat([]string{
	"Section 3.2: of the rotation vectors of one rotation, which differ by full turns, the one next to that of the example " +
		"before, or to the prediction, is taken; the paper does not say which.",
	"Section 3.2.2: every key follows two joints; the paper has a second one where it is needed.",
	"Section 3.3: H has a ridge of 1e-8 of the mean square of the rotations, for examples that do not determine it.",
	"Section 4.2: F is the vertices with an error below 0.6 of the mean (--rigid), and those of no triangle with an area; the " +
		"paper gives no threshold.",
	"Section 4.3: proxies are held to their keys by 1e-6 of the mean diagonal, and vertices to trained weights by 1e-6 of an " +
		"edge, so that the system can be solved.",
	"Section 5.1: groups are joined down to the number of proxies asked for, and not to an error ε.",
	"Section 5.1: steps 3 and 4 are made in three rounds after all joins, and not between joins.",
	"Section 5.1: a vertex follows four at most of the proxies that it may depend on, and its weights sum to 1.",
	"Section 5.1, step 4: transformations have a ridge of 0.05 of each proxy's mean diagonal about those of the groups.",
	"Section 5.2: β is not negative, sums to 1, and is over the keys within reach of the triangle's vertices.",
	"Section 5.2: key gradients have a ridge of 1e-3 of the mean diagonal about those of the round before.",
}, WeightsDiffer)
