package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/procrustes"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// fitTerm finds u and W by coordinate descent, minimising Σ ω·‖u·W·θ − ρ‖² (section 3.2.2), from the paper's first u,
// which does not depend on W. The branch of each ρ is the one nearest to its prediction. It returns the residual.
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
			rho[i] = skinning.NearestRotationVector(rho[i], p)
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

// secondGain is by how much a second joint must lower the residual per example and angle to be taken: Akaike's
// criterion with its correction for few examples, for the four numbers of a term.
func secondGain(examples int) float64 {
	n := float64(3 * examples)
	if n <= 12 {
		return math.Inf(1) // it would fit anything
	}
	aic := func(k float64) float64 { return 2*k + 2*k*(k+1)/(n-k-1) }
	if n <= 10 {
		return math.Inf(1)
	}
	return (aic(8) - aic(4)) / n
}

// fitKey learns from the deformation gradients of a group in every example, from the turns of some joints. It also
// returns these joints, the one that does best alone first.
func (l *lesson) fitKey(joints []int, gradients []geom.Mat3) (p skinning.GradientKey, ranked []int) {
	n := len(l.poses)
	f := &termFitter{lesson: l, joints: joints, rotation: make([]geom.Quat, n), theta: make([]mgl64.Vec3, n),
		rho: make([]mgl64.Vec3, n), left: make([]geom.Quat, n)}
	for i, d := range gradients {
		// The nearest rotation, also to a gradient that turns the surface inside out: S then has a negative eigenvalue.
		f.rotation[i] = procrustes.Rotation(d)
	}
	p.Terms, ranked = f.fit()
	p.First = ranked[0]
	p.Second = l.parent[p.First]
	scale := make([]geom.Mat3, n)
	for i := range l.poses {
		// What the predicted rotation leaves, not what the true one would: H makes good what it can of the rotation too.
		scale[i] = p.Rotation(l.parent, &l.poses[i]).Mat3().Transpose().Mul(gradients[i])
	}
	l.fitShear(&p, scale)
	return p, ranked
}

// termFitter fits the terms of one group.
type termFitter struct {
	*lesson
	joints     []int        // that are tried
	rotation   []geom.Quat  // of the group in each example
	theta, rho []mgl64.Vec3 // scratch
	left       []geom.Quat
}

// tries is how many first joints are tried for a pair: the best alone is not always the best of two.
const tries = 3

// settling is how many rounds two joints get to settle between them.
const settling = 2

// fit returns the best term, or the best pair where the examples pay for it: the second is fitted to what the first
// leaves, and then both in turn. Ranked are the joints, the one first that does best alone.
func (f *termFitter) fit() (terms []skinning.RotationTerm, ranked []int) {
	alone := f.rank()
	for _, c := range alone {
		ranked = append(ranked, c.term.Joint)
	}
	one, residual := alone[0].term, f.miss(alone[0].term)
	least := 1e-12 * float64(len(f.poses))
	gain := secondGain(f.count)
	if !(residual > least) || math.IsInf(gain, 1) {
		return []skinning.RotationTerm{one}, ranked
	}
	var pair []skinning.RotationTerm
	rest := residual * math.Exp(-gain) // a pair must do better
	for _, c := range alone[:min(tries, len(alone))] {
		a := c.term
		f.after(a)
		b, _ := f.best(f.left)
		for range settling {
			if now := f.miss(a, b); now < rest {
				pair, rest = []skinning.RotationTerm{a, b}, now
			}
			f.before(b)
			a, _ = f.term(f.left, a.Joint, true)
			f.after(a)
			b, _ = f.term(f.left, b.Joint, false)
		}
	}
	if pair == nil {
		return []skinning.RotationTerm{one}, ranked
	}
	return pair, ranked
}

// miss returns the sum of the squared angles by which terms miss the rotations.
func (f *termFitter) miss(terms ...skinning.RotationTerm) (sum float64) {
	p := skinning.GradientKey{Terms: terms}
	for i := range f.poses {
		a := skinning.RotationVector(p.Rotation(f.parent, &f.poses[i]).Conjugate().Mul(f.rotation[i]))
		sum += f.weights[i] * a.Dot(a)
	}
	return sum
}

// candidate is a first term.
type candidate struct {
	term     skinning.RotationTerm
	residual float64
}

// rank fits a first term for each joint, the best first.
func (f *termFitter) rank() []candidate {
	var all []candidate
	for _, b := range f.joints {
		t, residual := f.term(f.rotation, b, true)
		all = append(all, candidate{t, residual})
	}
	// Where joints do as well to rounding, the first: a chain's earlier joint.
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch d := a.residual - b.residual; {
		case d < -1e-6*b.residual-1e-15:
			return -1
		case d > 1e-6*b.residual+1e-15:
			return 1
		}
		return 0
	})
	return all
}

// after leaves what the first term has not turned, before what the second will.
func (f *termFitter) after(first skinning.RotationTerm) {
	for i, r := range f.rotation {
		f.left[i] = r.Mul(first.Turn(f.parent, &f.poses[i], true).Conjugate())
	}
}

func (f *termFitter) before(second skinning.RotationTerm) {
	for i, r := range f.rotation {
		f.left[i] = second.Turn(f.parent, &f.poses[i], false).Conjugate().Mul(r)
	}
}

// best fits a second term for each joint and returns the best.
func (f *termFitter) best(rotation []geom.Quat) (best skinning.RotationTerm, least float64) {
	least = math.Inf(1)
	for _, b := range f.joints {
		if t, residual := f.term(rotation, b, false); residual < least*(1-1e-6)-1e-15 {
			best, least = t, residual
		}
	}
	return best, least
}

// term fits a term of one joint. A first term carries its joint's frame along, a second one turns what is there
// already.
func (f *termFitter) term(rotation []geom.Quat, joint int, carries bool) (skinning.RotationTerm, float64) {
	for i := range f.poses {
		p := &f.poses[i]
		f.theta[i] = p.Theta[joint]
		q := p.InFrame(f.parent, joint, rotation[i])
		if !carries {
			q = q.Mul(p.InFrame(f.parent, joint, geom.IdentityQuat()).Conjugate())
		}
		f.rho[i] = skinning.RotationVector(q)
	}
	continuous(f.rho[:f.given], f.steps[joint])
	u, w, residual := fitTerm(f.theta, f.rho, f.weights)
	return skinning.RotationTerm{Joint: joint, U: u, W: w}, residual
}

// shearRidges are tried: they keep the seven numbers of a row from running away where few examples or still joints
// leave them free, as a share of the mean square of the rotation vectors, radians squared. The one is taken with which
// the given examples, each left out in turn, are predicted best.
var shearRidges = [...]float64{1e-3, 1e-2, 1e-1, 1}

// fitShear fits H by least squares.
func (l *lesson) fitShear(p *skinning.GradientKey, scale []geom.Mat3) {
	var a [7][7]float64
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
				a[r][c] += w * f[r] * f[c]
			}
			for k := range b {
				b[k][r] += w * f[r] * s[k]
			}
		}
	}
	least := math.Inf(1)
	for _, ridge := range shearRidges {
		held := a
		for r := range 6 {
			held[r][r] += ridge*square/6 + 1e-9
		}
		factor := factor7(&held)
		var h [9][7]float64
		for k := range h {
			h[k] = factor.solve(&b[k])
		}
		missed := 0.0
		for i := range l.given {
			w, f := l.weights[i], &features[i]
			if w == 0 {
				continue
			}
			x := factor.solve(f)
			own := 0.0 // the pose's own share of what is said of it: left out, it is missed by 1/(1 − own) times as much
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

// cholesky7 is the factor of a positive definite matrix, by [linear.Cholesky].
type cholesky7 [49]float64

func factor7(a *[7][7]float64) (l cholesky7) {
	for i := range a {
		copy(l[7*i:], a[i][:])
	}
	linear.Cholesky(l[:], 7, 0)
	return l
}

func (l *cholesky7) solve(b *[7]float64) (x [7]float64) {
	x = *b
	linear.Solve(l[:], 7, x[:])
	return x
}
