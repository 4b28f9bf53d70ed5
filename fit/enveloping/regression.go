package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/training"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/rig"
)

// poses are the poses of examples as rotational regression reads them.
type poses struct {
	x      *training.Examples
	parent []int
	turns  []rig.JointRotations
	live   []rig.JointRotations // as they are read at run time, when the branch of an example is unknown
	middle []mgl64.Vec3         // of each joint's rotation vectors over the given poses
}

// posesOf reads the poses of the examples. Each joint's rotation vectors are continuous over the given poses. Prior
// poses and poses at run time take the vectors that are nearest to the middle of these.
func posesOf(x *training.Examples) *poses {
	p := &poses{x, x.Parents, make([]rig.JointRotations, len(x.Targets)), make([]rig.JointRotations, len(x.Targets)),
		make([]mgl64.Vec3, len(x.Parents))}
	for i := range p.turns {
		p.turns[i].Set(p.parent, nil, rotations(x.Palettes[i]))
	}
	vectors := make([]mgl64.Vec3, x.Given())
	for b := range p.parent {
		for i := range vectors {
			vectors[i] = p.turns[i].Theta[b]
		}
		continuous(vectors)
		lo, hi := geom.Bounds(vectors)
		p.middle[b] = lo.Add(hi).Mul(0.5)
		for i := range p.turns {
			if i < len(vectors) {
				p.turns[i].Theta[b] = vectors[i]
			} else {
				p.turns[i].Theta[b] = rig.NearestRotationVector(p.turns[i].Theta[b], p.middle[b])
			}
		}
	}
	for i := range p.live {
		p.live[i].Set(p.parent, p.middle, p.turns[i].Q)
	}
	return p
}

// continuous replaces each rotation vector by the one of the same rotation that is nearest to the vector before it.
// So a joint that was at 60, 120 and 180 degrees is at 240 next, and not at −120.
func continuous(vectors []mgl64.Vec3) {
	for i := 1; i < len(vectors); i++ {
		vectors[i] = rig.NearestRotationVector(vectors[i], vectors[i-1])
	}
}

// fitKey learns a predictor of a group's deformation gradient from the gradients in every pair and the rotations of
// some joints. It also returns these joints, the one that predicts the rotation best first.
func (p *poses) fitKey(recipe *Recipe, joints []int, gradients []geom.Mat3) (key rig.GradientKey, ranked []int) {
	rotation := make([]geom.Quat, len(gradients))
	for i, d := range gradients {
		// The nearest rotation, also to a gradient that turns the surface inside out: S then has a negative eigenvalue.
		rotation[i] = procrustes.Rotation(d)
	}
	term, ranked := p.bestTerm(joints, func(i, b int) geom.Quat { return p.turns[i].InFrame(p.parent, b, rotation[i]) })
	key.Terms = []rig.RotationTerm{term}
	key.First = term.Joint
	key.Second = p.parent[key.First]
	if recipe.SecondTerm && len(joints) > 1 {
		key.Terms = append(key.Terms, p.secondTerm(&key, ranked[1:], rotation))
	}
	scale := make([]geom.Mat3, len(gradients))
	for i := range scale {
		r := rotation[i]
		if !recipe.PolarShear {
			// The scale is relative to the predicted rotation and not to the true one, so that H corrects errors of the
			// rotation too.
			r = key.Rotation(p.parent, &p.turns[i])
		}
		scale[i] = r.Mat3().Transpose().Mul(gradients[i])
	}
	p.fitShear(&key, scale, recipe.ShearRidge)
	return key, ranked
}

// bestTerm fits a term for each joint, and returns the best term and the joints in the order of their residuals.
// Rotation returns the rotation of a pose in the frame of a joint.
func (p *poses) bestTerm(joints []int, rotation func(pose, joint int) geom.Quat) (best rig.RotationTerm, ranked []int) {
	type candidate struct {
		term     rig.RotationTerm
		residual float64
	}
	var all []candidate
	theta, rho := make([]mgl64.Vec3, len(p.turns)), make([]mgl64.Vec3, len(p.turns))
	for _, b := range joints {
		for i := range p.turns {
			theta[i] = p.turns[i].Theta[b]
			rho[i] = geom.RotationVector(rotation(i, b))
		}
		continuous(rho[:p.x.Given()])
		u, w, residual := fitTerm(theta, rho, p.x.Weight)
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

// fitTerm finds u and W that minimise Σ ω·‖u·W·θ − ρ‖², by coordinate descent (section 3.2.2). It starts from the
// paper's first u, which does not depend on W. Of the rotation vectors ρ of one rotation, the one nearest to its
// prediction is used. It returns the residual.
func fitTerm(theta, rho []mgl64.Vec3, weight func(i int) float64) (u float64, w geom.Quat, residual float64) {
	square, product := 0.0, 0.0
	for i, t := range theta {
		square += weight(i) * t.Dot(t)
		product += weight(i) * t.Len() * rho[i].Len()
	}
	w = geom.IdentityQuat()
	if square < 1e-12 { // the joint never turns
		for i, r := range rho {
			residual += weight(i) * r.Dot(r)
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
					m[3*a+b] += weight(i) * u * rho[i][a] * t[b]
				}
			}
		}
		w = procrustes.Rotation(m)
		r := w.Mat3()
		product = 0
		for i, t := range theta {
			product += weight(i) * rho[i].Dot(r.Apply(t))
		}
		u = product / square
		residual = 0
		for i, t := range theta {
			p := r.Apply(t).Mul(u)
			rho[i] = rig.NearestRotationVector(rho[i], p)
			d := p.Sub(rho[i])
			residual += weight(i) * d.Dot(d)
		}
		if !(residual < last*(1-1e-9)) {
			break
		}
		last = residual
	}
	return u, w, residual
}

// fitShear fits H by least squares (section 3.3). Few examples, or joints that do not move, do not determine all seven
// numbers of a row: a ridge is added, as a share of the mean square of the rotation vectors, radians squared.
func (p *poses) fitShear(key *rig.GradientKey, scale []geom.Mat3, ridge float64) {
	var a [49]float64 // 7×7
	var h [9][7]float64
	square := 0.0
	for i := range p.turns {
		f, w := key.Features(&p.turns[i]), p.x.Weight(i)
		for r := range f {
			if r < 6 {
				square += w * f[r] * f[r]
			}
			for c := range f {
				a[7*r+c] += w * f[r] * f[c]
			}
			for k := range h {
				h[k][r] += w * f[r] * scale[i][k]
			}
		}
	}
	for r := range 6 {
		a[8*r] += ridge*square/6 + 1e-9
	}
	linear.Cholesky(a[:], 7, 0)
	for k := range h {
		linear.Solve(a[:], 7, h[k][:])
	}
	key.Shear = h
}
