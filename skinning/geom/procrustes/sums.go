package procrustes

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Sums are the sums over weighted pairs of points from which a rigid motion is fitted: a pair is at x before the motion
// and at y after it. The sums of two sets of pairs add up to those of their union. Coordinates should be relative to a
// point near the set; otherwise digits cancel.
type Sums struct {
	Weight float64
	From   mgl64.Vec3 // Σ w·x
	To     mgl64.Vec3 // Σ w·y
	Cross  geom.Mat3  // Σ w·y·xᵀ
	Square float64    // Σ w·(|x|² + |y|²)
}

// Add adds a pair.
func (s *Sums) Add(w float64, x, y mgl64.Vec3) {
	s.Weight += w
	for r := range 3 {
		s.From[r] += w * x[r]
		s.To[r] += w * y[r]
		s.Cross[3*r] += w * y[r] * x[0]
		s.Cross[3*r+1] += w * y[r] * x[1]
		s.Cross[3*r+2] += w * y[r] * x[2]
	}
	s.Square += w * (x.Dot(x) + y.Dot(y))
}

// AddAll adds the pairs of another set.
func (s *Sums) AddAll(o *Sums) {
	s.Weight += o.Weight
	s.From, s.To = s.From.Add(o.From), s.To.Add(o.To)
	for k := range s.Cross {
		s.Cross[k] += o.Cross[k]
	}
	s.Square += o.Square
}

// about returns Σ w·(y − q)·(x − p)ᵀ and Σ w·(|x − p|² + |y − q|²).
func (s *Sums) about(p, q mgl64.Vec3) (cross geom.Mat3, square float64) {
	cross = s.Cross
	for r := range 3 {
		for c := range 3 {
			cross[3*r+c] += s.Weight*q[r]*p[c] - q[r]*s.From[c] - s.To[r]*p[c]
		}
	}
	return cross, s.Square + s.Weight*(p.Dot(p)+q.Dot(q)) - 2*(s.From.Dot(p)+s.To.Dot(q))
}

// Rigid returns the rigid motion C that takes all x nearest to their y, as [Rigid], and Σ w·|C·x − y|², which it
// leaves. Without pairs it is the identity.
func (s *Sums) Rigid() (m geom.Affine, left float64) {
	if !(s.Weight > 0) {
		return geom.IdentityAffine(), 0
	}
	from, to := s.From.Mul(1/s.Weight), s.To.Mul(1/s.Weight)
	turn, left := s.About(from, to, geom.IdentityQuat(), 0)
	r := turn.Mat3()
	return geom.NewAffine(r, to.Sub(r.Apply(from))), left
}

// About returns the turn R that takes all x − p nearest to their y − q, and the residual Σ w·|R·(x − p) − (y − q)|².
// The objective also has pull·|R·e − N·e|² for each axis e, with N the unit quaternion near: near decides about
// directions that the pairs leave open.
func (s *Sums) About(p, q mgl64.Vec3, near geom.Quat, pull float64) (turn geom.Quat, left float64) {
	cross, square := s.about(p, q)
	n := near.Mat3()
	turned := n.Transpose().Mul(cross)
	for k := 0; k < 9; k += 4 {
		turned[k] += pull
	}
	turn = near.Mul(Rotation(turned)).Normalize()
	r, trace := turn.Mat3(), 0.0
	for k := range r {
		trace += r[k] * cross[k]
	}
	return turn, math.Max(square-2*trace, 0)
}
