package ssdr

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/parallel"
)

// solveMotions is equation (6) for every example and helper bone. With X = [R t] a helper bone's 3×4 matrix,
// M_ab = Σ_j w_a·w_b·v̂·v̂ᵀ over the vertices and P_h = Σ_j w_h·ỹ·v̂ᵀ, the error of one example depends on X_h as
//
//	tr(X·M_hh·Xᵀ) − 2·tr(X·Qᵀ) + const,  Q = P_h − Σ_d S_d·M_dh − Σ_{i≠h} X_i·M_ih
//
// The moments M are the same for all examples. With M_hh = [A b; bᵀ c] and Q = [Q₃ q], t = (q − R·b)/c, and R maximises
// tr(Rᵀ(Q₃ − q·bᵀ/c)): the closed form of Le and Deng 2012, section 4.2. The sums are not those of the motions then.
func (s *Solver) solveMotions() {
	moments := s.Moments()
	for b := s.primaries; b < len(s.bones); b++ { // others may hold the old ones
		s.bones[b] = slices.Clone(s.bones[b])
	}
	residuals := s.Residuals(moments)
	parallel.For(s.workers, len(residuals), func(_, n int) {
		for range s.recipe.Sweeps {
			for h, free := range residuals[n] {
				own := &s.bones[s.primaries+h][n]
				*own = s.bestMotion(n, h, free, moments)
			}
		}
	})
}

// bestMotion returns the motion of a helper bone in an example for which the error is least while all others move as
// they do. Free is what the primary joints leave to it.
func (s *Solver) bestMotion(n, h int, free linear.CrossMoment, moments [][]linear.Moment) geom.Affine {
	for i := range s.Helpers() {
		if i != h {
			free.Subtract(&s.bones[s.primaries+i][n], &moments[h][s.primaries+i])
		}
	}
	return nearest(&free, &moments[h][s.primaries+h], s.bones[s.primaries+h][n], s.scale)
}

// BestMotions returns for each helper bone the motions for which the error is least while all others move as they do,
// [helper][example], relative to the middles.
func (s *Solver) BestMotions() [][]geom.Affine {
	moments, out := s.Moments(), make([][]geom.Affine, s.Helpers())
	for n, free := range s.Residuals(moments) {
		for h := range out {
			out[h] = append(out[h], s.bestMotion(n, h, free[h], moments))
		}
	}
	return out
}

// Moments returns M of equation (6), [helper][bone]: Σ w_h·w_b·v̂·v̂ᵀ over the vertices, relative to the middle.
func (s *Solver) Moments() [][]linear.Moment {
	out := make([][]linear.Moment, s.Helpers())
	parallel.For(s.workers, len(out), func(_, h int) {
		out[h] = make([]linear.Moment, len(s.bones))
		for k, shares := range s.weights {
			if own := weightOf(shares, s.primaries+h); own > 0 {
				for _, w := range shares {
					out[h][w.Joint].Add(s.copies[k]*own*w.Weight, s.rest[k])
				}
			}
		}
	})
	return out
}

// Residuals returns R, what the primary joints leave to the helper bones, [example][helper]: P_h − Σ_d S_d·M_dh of
// equation (6), relative to the middles. Moments are those of [Solver.Moments]. With them the squared error of example
// n depends on the matrices X of all helper bones as Σ_h Σ_i tr(X_h·M_hi·X_iᵀ) − 2·Σ_h tr(X_h·R_nhᵀ).
func (s *Solver) Residuals(moments [][]linear.Moment) [][]linear.CrossMoment {
	parts, counts := make([][]part, s.Helpers()), make([]int, s.Helpers())
	for _, shares := range s.weights {
		for _, w := range shares {
			if h := int(w.Joint) - s.primaries; h >= 0 {
				counts[h]++
			}
		}
	}
	for h, n := range counts { // many, which would take twice the memory as they grow
		parts[h] = make([]part, 0, n)
	}
	for k, shares := range s.weights {
		for _, w := range shares {
			if h := int(w.Joint) - s.primaries; h >= 0 {
				parts[h] = append(parts[h], part{k, w.Weight * s.copies[k]})
			}
		}
	}
	sums, out := s.targetSums(parts), make([][]linear.CrossMoment, len(s.x.Targets))
	parallel.For(s.workers, len(out), func(_, n int) {
		out[n] = make([]linear.CrossMoment, len(sums))
		for h := range out[n] {
			out[n][h] = sums[h].at(n)
			for d := range s.primaries {
				out[n][h].Subtract(&s.bones[d][n], &moments[h][d])
			}
		}
	})
	return out
}

// A bone moves practically no vertex if its Σ w² over vertices is below LeastMass. Its motion then stays as it is.
const LeastMass = 1e-12

// The range of a helper bone's uniform scale.
const leastScale, mostScale = 0.2, 5

// nearest returns the X that minimises tr(X·M·Xᵀ) − 2·tr(X·Qᵀ). If the data do not determine the rotation, as with
// vertices on a line, it is the optimal one that is nearest to the rotation of old.
func nearest(q *linear.CrossMoment, m *linear.Moment, old geom.Affine, scale bool) geom.Affine {
	mass := m[9]
	if !(mass > LeastMass) {
		return old
	}
	b, t := mgl64.Vec3{m[3], m[6], m[8]}, mgl64.Vec3{q[3], q[7], q[11]}
	var cross geom.Mat3
	for r := range 3 {
		for c := range 3 {
			cross[3*r+c] = q[4*r+c] - t[r]*b[c]/mass
		}
	}
	turn := rotationOf(old)
	turn = procrustes.Nearby(cross.Mul(turn.Transpose())).Mat3().Mul(turn)
	if scale {
		gain := 0.0
		for k, v := range turn {
			gain += v * cross[k]
		}
		size := min(max(gain/(m[0]+m[4]+m[7]-b.Dot(b)/mass), leastScale), mostScale)
		if !(size > 0) { // 0/0: one vertex alone
			size = 1
		}
		for k := range turn {
			turn[k] *= size
		}
	}
	return geom.NewAffine(turn, t.Sub(turn.Apply(b)).Mul(1/mass))
}

// rotationOf returns the rotation of a matrix that is a rotation times a uniform scale.
func rotationOf(m geom.Affine) geom.Mat3 {
	l := m.Linear()
	size := mgl64.Vec3{l[0], l[1], l[2]}.Len()
	for k := range l {
		l[k] /= size
	}
	return l
}

// nearestMotion returns the rotation, or rotation and uniform scale, with translation that is nearest to a matrix.
func nearestMotion(x geom.Affine, scale bool) geom.Affine {
	l := x.Linear()
	turn := procrustes.Rotation(l).Mat3()
	if scale {
		size := 0.0
		for k, v := range turn {
			size += v * l[k] / 3
		}
		for k := range turn {
			turn[k] *= min(max(size, leastScale), mostScale)
		}
	}
	return geom.NewAffine(turn, x.Translation())
}
