package ssdr

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/procrustes"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// sweeps is the number of passes over the helper bones for each set of weights. A pass solves their transformations one
// after another. Sweeps read sums only, so that they cost little beside the sums.
const sweeps = 8

// solveTransforms is equation (6) for every example and helper bone. With X = [R t] a helper bone's 3×4 matrix,
// M_ab = Σ_j w_a·w_b·v̂·v̂ᵀ over the vertices and P_h = Σ_j w_h·ỹ·v̂ᵀ, the error of one example depends on X_h as
//
//	tr(X·M_hh·Xᵀ) − 2·tr(X·Qᵀ) + const,  Q = P_h − Σ_d S_d·M_dh − Σ_{i≠h} X_i·M_ih
//
// The moments M are the same for all examples. With M_hh = [A b; bᵀ c] and Q = [Q₃ q], t = (q − R·b)/c, and R maximises
// tr(Rᵀ(Q₃ − q·bᵀ/c)): the closed form of Le and Deng 2012, section 4.2.
func (p *problem) solveTransforms() {
	if p.helpers() == 0 {
		return
	}
	moments := p.momentSums()
	for b := p.primaries; b < len(p.bones); b++ { // others may hold the old ones
		p.bones[b] = slices.Clone(p.bones[b])
	}
	sums := p.helperSums()
	parallel.For(p.workers, len(p.targets.data), func(_, i int) {
		first, last := p.targets.bounds(i)
		q := make([]linear.CrossMoment, len(sums))
		for n := first; n < last; n++ {
			p.residual(n, sums, moments, q)
			p.descend(n, q, moments)
		}
	})
}

// helperSums returns P of equation (6) for the helper bones.
func (p *problem) helperSums() []columns {
	return p.targetSums(p.partsOf(p.weights, p.primaries, p.helpers()))
}

// residual fills q with P_h − Σ_d S_d·M_dh of an example, the residual of the primary joints for each helper bone.
func (p *problem) residual(n int, sums []columns, moments [][]linear.Moment, q []linear.CrossMoment) {
	for h := range q {
		q[h] = sums[h].at(n)
		for d := range p.primaries {
			q[h].Subtract(&p.bones[d][n], &moments[h][d])
		}
	}
}

// startMotions gives every helper bone the rigid motion of its vertices, weighted by their weights.
func (p *problem) startMotions() {
	parts := make([][]part, p.helpers())
	own := make([]linear.Moment, p.helpers())
	for k, shares := range p.weights {
		for _, s := range shares {
			if h := int(s.Joint) - p.primaries; h >= 0 {
				w, v := s.Weight*p.points.copies[k], &p.rest[k]
				parts[h] = append(parts[h], part{k, [4]float64{w * v[0], w * v[1], w * v[2], w}})
				own[h].Add(w, *v)
			}
		}
	}
	p.fitSeparately(parts, own)
}

// fitSeparately sets the helper bones' motions to those that take their parts to the targets without other bones.
func (p *problem) fitSeparately(parts [][]part, own []linear.Moment) {
	for h, sums := range p.targetSums(parts) {
		motion := make([]geom.Affine, len(p.x.Targets))
		parallel.For(p.workers, len(p.targets.data), func(_, i int) {
			first, last := p.targets.bounds(i)
			for n := first; n < last; n++ {
				q := sums.at(n)
				motion[n] = nearest(&q, &own[h], geom.IdentityAffine(), false)
			}
		})
		p.bones[p.primaries+h] = motion
	}
}

// descend solves the helper bones of an example one after another, some times.
func (p *problem) descend(n int, q []linear.CrossMoment, moments [][]linear.Moment) {
	for range sweeps {
		for h := range q {
			free := q[h]
			for i := range q {
				if i != h {
					free.Subtract(&p.bones[p.primaries+i][n], &moments[h][p.primaries+i])
				}
			}
			own := &p.bones[p.primaries+h][n]
			*own = nearest(&free, &moments[h][p.primaries+h], *own, p.scale)
		}
	}
}

// momentSums returns [helper][bone] the moments M. Sums of points are made chunk by chunk, and each worker holds those of
// one helper's chunk only.
func (p *problem) momentSums() [][]linear.Moment {
	out, n := make([][]linear.Moment, p.helpers()), len(p.rest)
	parallel.For(p.workers, len(out), func(_, i int) {
		out[i] = make([]linear.Moment, len(p.bones))
		part := make([]linear.Moment, len(p.bones))
		for c := range parallel.Chunks(n) {
			clear(part)
			lo, hi := parallel.Chunk(c, n)
			for k := lo; k < hi; k++ {
				p.addMoments(part, k, uint16(p.primaries+i))
			}
			for b := range part {
				out[i][b].AddAll(&part[b])
			}
		}
	})
	return out
}

// addMoments adds the moments of a point that follows the helper to those of the helper and each bone.
func (p *problem) addMoments(sums []linear.Moment, k int, helper uint16) {
	for _, a := range p.weights[k] {
		if a.Joint == helper {
			for _, b := range p.weights[k] {
				sums[b.Joint].Add(p.points.copies[k]*a.Weight*b.Weight, p.rest[k])
			}
		}
	}
}

// A bone moves practically no vertex if its Σ w² over vertices is below LeastMass. Its motion then stays as it is.
const LeastMass = 1e-12

// The range of a helper bone's uniform scale.
const leastScale, mostScale = 0.2, 5

// nearest returns the X that minimises tr(X·M·Xᵀ) − 2·tr(X·Qᵀ). If the data do not determine the rotation, as with
// vertices on a line, it is the optimal one that is nearest to the rotation of old.
func nearest(m *linear.CrossMoment, s *linear.Moment, old geom.Affine, scale bool) geom.Affine {
	mass := s[9]
	if !(mass > LeastMass) {
		return old
	}
	b, q := mgl64.Vec3{s[3], s[6], s[8]}, mgl64.Vec3{m[3], m[7], m[11]}
	var cross geom.Mat3
	for r := range 3 {
		for c := range 3 {
			cross[3*r+c] = m[4*r+c] - q[r]*b[c]/mass
		}
	}
	turn := rotationOf(old)
	turn = procrustes.Nearby(cross.Mul(turn.Transpose())).Mat3().Mul(turn)
	if scale {
		gain := 0.0
		for k, v := range turn {
			gain += v * cross[k]
		}
		size := min(max(gain/(s[0]+s[4]+s[7]-b.Dot(b)/mass), leastScale), mostScale)
		if !(size > 0) { // 0/0: one vertex alone
			size = 1
		}
		for k := range turn {
			turn[k] *= size
		}
	}
	return geom.NewAffine(turn, q.Sub(turn.Apply(b)).Mul(1/mass))
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
