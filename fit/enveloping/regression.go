package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/procrustes"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// fitTerm finds u and W that minimise Σ ω·‖u·W·θ − ρ‖², by coordinate descent (section 3.2.2). It starts from the
// paper's first u, which does not depend on W. Of the rotation vectors ρ of one rotation, the one nearest to its
// prediction is used. It returns the residual.
func fitTerm(theta, rho []mgl64.Vec3, weight []float64) (u float64, w geom.Quat, residual float64) {
	square, product := 0.0, 0.0
	for i, t := range theta {
		square += weight[i] * t.Dot(t)
		product += weight[i] * t.Len() * rho[i].Len()
	}
	w = geom.IdentityQuat()
	if square < 1e-12 { // the joint never turns
		for i, r := range rho {
			residual += weight[i] * r.Dot(r)
		}
		return 0, w, residual
	}
	u = product / square
	last := math.Inf(1)
	const limit = 50 // most fits end after two rounds
	for range limit {
		var m geom.Mat3
		for i, t := range theta {
			for a := range 3 {
				for b := range 3 {
					m[3*a+b] += weight[i] * u * rho[i][a] * t[b]
				}
			}
		}
		w = procrustes.Rotation(m)
		r := w.Mat3()
		product = 0
		for i, t := range theta {
			product += weight[i] * rho[i].Dot(r.Apply(t))
		}
		u = product / square
		residual = 0
		for i, t := range theta {
			p := r.Apply(t).Mul(u)
			rho[i] = rig.NearestRotationVector(rho[i], p)
			d := p.Sub(rho[i])
			residual += weight[i] * d.Dot(d)
		}
		if !(residual < last*(1-1e-9)) {
			break
		}
		last = residual
	}
	return u, w, residual
}

// fitKey learns a predictor of a group's deformation gradient from the gradients in every pair and the rotations of
// some joints. It also returns these joints, the one that predicts the rotation best first.
//
// The paper allows a second joint (section 3.2). Chosen by Akaike's criterion it lowers the residual and raises EE, see
// docs/ablation.md: a key here follows one joint.
func (l *lesson) fitKey(joints []int, gradients []geom.Mat3) (p rig.GradientKey, ranked []int) {
	rotation := make([]geom.Quat, len(gradients))
	for i, d := range gradients {
		// The nearest rotation, also to a gradient that turns the surface inside out: S then has a negative eigenvalue.
		rotation[i] = procrustes.Rotation(d)
	}
	term, ranked := l.bestTerm(joints, func(i, b int) geom.Quat { return l.poses[i].InFrame(l.parent, b, rotation[i]) })
	p.Terms = []rig.RotationTerm{term}
	p.First = term.Joint
	p.Second = l.parent[p.First]
	if l.paper.second && len(joints) > 1 {
		p.Terms = append(p.Terms, l.secondTerm(&p, ranked[1:], rotation))
	}
	scale := make([]geom.Mat3, len(gradients))
	for i := range scale {
		if l.paper.shear {
			scale[i] = rotation[i].Mat3().Transpose().Mul(gradients[i])
			continue
		}
		// The scale is relative to the predicted rotation and not to the true one, so that H corrects errors of the
		// rotation too.
		scale[i] = p.Rotation(l.parent, &l.poses[i]).Mat3().Transpose().Mul(gradients[i])
	}
	l.fitShear(&p, scale)
	return p, ranked
}

// secondTerm fits a term to the rotations that the first term leaves, R·R₁ᵀ. How the two terms combine, see
// [rig.RotationTerm.Turn].
func (l *lesson) secondTerm(p *rig.GradientKey, joints []int, rotation []geom.Quat) rig.RotationTerm {
	left := make([]geom.Quat, len(rotation))
	for i, r := range rotation {
		left[i] = r.Mul(p.Rotation(l.parent, &l.poses[i]).Conjugate())
	}
	second, _ := l.bestTerm(joints, func(i, b int) geom.Quat {
		frame := l.poses[i].InFrame(l.parent, b, geom.IdentityQuat()).Conjugate()
		return l.poses[i].InFrame(l.parent, b, left[i].Mul(frame))
	})
	return second
}

// bestTerm fits a term for each joint, and returns the best term and the joints in the order of their residuals.
// Rotation returns the rotation of a pose in the frame of a joint.
func (l *lesson) bestTerm(joints []int, rotation func(pose, joint int) geom.Quat) (best rig.RotationTerm, ranked []int) {
	type candidate struct {
		term     rig.RotationTerm
		residual float64
	}
	var all []candidate
	theta, rho := make([]mgl64.Vec3, len(l.poses)), make([]mgl64.Vec3, len(l.poses))
	for _, b := range joints {
		for i := range l.poses {
			theta[i] = l.poses[i].Theta[b]
			rho[i] = geom.RotationVector(rotation(i, b))
		}
		continuous(rho[:l.given], l.steps[b])
		u, w, residual := fitTerm(theta, rho, l.weights)
		all = append(all, candidate{rig.RotationTerm{Joint: b, U: u, W: w}, residual})
	}
	// Residuals that are equal up to rounding count as equal, so that the earlier joint of a chain comes first.
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch d := a.residual - b.residual; {
		case d < -1e-6*b.residual-1e-15:
			return -1
		case d > 1e-6*b.residual+1e-15:
			return 1
		}
		return 0
	})
	for _, c := range all {
		ranked = append(ranked, c.term.Joint)
	}
	return all[0].term, ranked
}

// shearRidges are the ridges of H that are tried, as shares of the mean square of the rotation vectors, radians
// squared. Few examples, or joints that do not move, do not determine all seven numbers of a row. The ridge with the
// smallest leave-one-out error over the given examples is taken (row 153).
var shearRidges = [...]float64{1e-3, 1e-2, 1e-1, 1}

// leastRidge makes least squares definite where examples leave numbers of H free.
const leastRidge = 1e-8

// fitShear fits H by least squares.
func (l *lesson) fitShear(p *rig.GradientKey, scale []geom.Mat3) {
	var a [49]float64 // 7×7
	var b [9][7]float64
	square := 0.0
	features := make([][7]float64, len(l.poses))
	for i := range l.poses {
		f, s, w := p.Features(&l.poses[i]), scale[i], l.weights[i]
		features[i] = f
		if l.turns.has(i) {
			still := p.Features(&l.poses[l.turns.rest])
			floats.Sub(f[:], still[:])
			floats.Sub(s[:], scale[l.turns.rest][:])
			w = l.turns.weight()
		}
		for r := range f {
			if r < 6 {
				square += w * f[r] * f[r]
			}
			for c := range f {
				a[7*r+c] += w * f[r] * f[c]
			}
			for k := range b {
				b[k][r] += w * f[r] * s[k]
			}
		}
	}
	least, ridges := math.Inf(1), shearRidges[:]
	if l.paper.shear {
		ridges = []float64{leastRidge}
	}
	for _, ridge := range ridges {
		factor, h := a, b
		for r := range 6 {
			factor[8*r] += ridge*square/6 + 1e-9
		}
		linear.Cholesky(factor[:], 7, 0)
		for k := range h {
			linear.Solve(factor[:], 7, h[k][:])
		}
		missed := 0.0
		for i := range l.given {
			w, f := l.weights[i], &features[i]
			if w == 0 {
				continue
			}
			x := *f
			linear.Solve(factor[:], 7, x[:])
			own := 0.0 // the pose's leverage: left out, the pose is missed by 1/(1 − own) times as much
			for r := range f {
				own += w * f[r] * x[r]
			}
			for k := range h {
				e := -scale[i][k]
				for r := range f {
					e += h[k][r] * f[r]
				}
				e /= math.Max(1-own, 1e-3)
				missed += e * e
			}
		}
		if missed < least {
			least, p.Shear = missed, h
		}
	}
}
