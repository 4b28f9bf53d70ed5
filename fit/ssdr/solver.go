package ssdr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// Solver does the steps of Algorithm 1 one by one, for fits that put them in another order, or move the helper bones
// themselves. Its sums over the primary joints are made once. Only one goroutine may use it.
//
// Decompositions have matrices from rest space to the world. [Solver.Bones], [Solver.Move] and the sums are relative to
// the middles instead, so that they lose no digits where a character walks far away: a bone of matrix S takes x to
// S·(x − c) + d_n, with c the [Solver.Middle] of the rest pose and d_n the mean of the targets in example n.
type Solver struct{ p *problem }

// NewSolver validates examples and options, of which it reads Influences, PriorWeights, Scale, Workers and Start.
// Without a start it begins with the rig's weights, or where there are none, with the joint that predicts a vertex best,
// and without helper bones.
func NewSolver(x *Examples, opt Options) (*Solver, error) {
	if err := errors.Join(x.Validate(), opt.validate(x)); err != nil {
		return nil, err
	}
	s := &Solver{newProblem(x, &opt)}
	if opt.Start != nil {
		s.p.begin(opt.Start)
	}
	return s, nil
}

// SetMotions sets the helper bones: [helper][example], rest space to world. Weights stay, but those of helper bones
// that there are no more go to the others of the vertex. A vertex without others has none until [Solver.SolveWeights].
func (s *Solver) SetMotions(motions [][]geom.Affine) {
	p := s.p
	for len(p.bones) > p.primaries+len(motions) {
		p.dropWeights(len(p.bones) - 1)
		p.removeHelper(len(p.bones) - 1)
	}
	inward := make([][]geom.Affine, len(motions))
	for h, motion := range motions {
		inward[h] = make([]geom.Affine, len(motion))
		for n := range motion {
			inward[h][n] = p.inward(motion[n], n)
		}
		if p.primaries+h == len(p.bones) {
			p.addHelper(nil)
		}
	}
	s.Move(inward)
}

// Bones returns the matrices of the primary joints, then those of the helper bones, [bone][example], relative to the
// middles. They are read-only.
func (s *Solver) Bones() [][]geom.Affine { return s.p.bones }

// Middle returns the middle of the rest pose, rest space, metres.
func (s *Solver) Middle() mgl64.Vec3 { return s.p.middle }

// Move sets the motions of all helper bones that there are, [helper][example], relative to the middles, and keeps them.
// Weights stay. It panics for another number of helper bones.
func (s *Solver) Move(motions [][]geom.Affine) {
	p := s.p
	if len(motions) != p.helpers() {
		panic(fmt.Sprintf("ssdr: Move: motions of %d helper bones, there are %d", len(motions), p.helpers()))
	}
	copy(p.bones[p.primaries:], motions)
	p.sumBones(p.primaries)
	p.measure()
}

// Moments returns M of equation (6), [helper][bone]: Σ w_h·w_b·v̂·v̂ᵀ over the vertices, relative to the middle.
func (s *Solver) Moments() [][]linear.Moment { return s.p.momentSums() }

// Residuals returns R, what the primary joints leave to the helper bones, [example][helper]: P_h − Σ_d S_d·M_dh of
// equation (6), relative to the middles. Moments are those of [Solver.Moments]. With them the squared error of example
// n depends on the matrices X of all helper bones as Σ_h Σ_i tr(X_h·M_hi·X_iᵀ) − 2·Σ_h tr(X_h·R_nhᵀ).
func (s *Solver) Residuals(moments [][]linear.Moment) [][]linear.CrossMoment {
	p := s.p
	sums, out := p.helperSums(), make([][]linear.CrossMoment, len(p.x.Targets))
	parallel.For(p.workers, len(out), func(_, n int) {
		out[n] = make([]linear.CrossMoment, len(sums))
		p.residual(n, sums, moments, out[n])
	})
	return out
}

// Reach is [Examples.Reach] of the weights as they are; copies of a vertex count once.
func (s *Solver) Reach(h int) []float64 { return reach(s.p.weights, s.p.rigged, s.p.primaries, h) }

// SetWeights sets the weights of every vertex, over primary joints and the helper bones that there are. Copies of a
// vertex get those of the first.
func (s *Solver) SetWeights(weights [][]skinning.Share) {
	s.p.setWeights(weights)
	s.p.measure()
}

// SolveWeights solves equation (5) for the motions. If thorough is false, it tries fewer bones and is faster, which
// suffices for motions that have changed little.
func (s *Solver) SolveWeights(thorough bool) { s.p.solveWeights(thorough) }

// TrimWeights drops weights that mean nothing for the motions as they are, of weights that were solved for them.
func (s *Solver) TrimWeights() { s.p.trimWeights() }

// RMS returns the error of weights and motions as they are, metres, each example by its importance.
func (s *Solver) RMS() float64 { return s.p.rms() }

// Current returns weights and motions as they are.
func (s *Solver) Current() *Decomposition { return s.p.current() }

// setWeights sets the weights of the points.
func (p *problem) setWeights(weights [][]skinning.Share) {
	for k, v := range p.points.vertex {
		p.weights[k] = slices.Clone(weights[v])
		p.allow(k)
	}
}

// measure sets the errors of weights and motions as they are.
func (p *problem) measure() {
	for k, w := range p.weights {
		p.errors[k], p.held[k] = p.errorOf(k, w), p.holdOf(k, w)
	}
}

// holdOf returns the cost of leaving the rig's weights.
func (p *problem) holdOf(k int, w []skinning.Share) float64 {
	if p.hold == 0 {
		return 0
	}
	return p.hold * squareDistance(w, p.rigged[k])
}

// squareDistance returns ‖a − b‖² of the weights of two vertices.
func squareDistance(a, b []skinning.Share) (sum float64) {
	for _, s := range a {
		d := s.Weight
		for _, t := range b {
			if t.Joint == s.Joint {
				d -= t.Weight
			}
		}
		sum += d * d
	}
	for _, t := range b {
		if !slices.ContainsFunc(a, func(s skinning.Share) bool { return s.Joint == t.Joint }) {
			sum += t.Weight * t.Weight
		}
	}
	return sum
}

// current returns the state, of all vertices and in world space.
func (p *problem) current() *Decomposition {
	out := &Decomposition{RMS: p.rms(), Weights: make([][]skinning.Share, len(p.x.Rest))}
	for v, k := range p.points.of {
		out.Weights[v] = slices.Clone(p.weights[k])
	}
	for _, bone := range p.bones[p.primaries:] {
		motion := make([]geom.Affine, len(bone))
		for n := range bone {
			motion[n] = p.outward(bone[n], n)
		}
		out.Motions = append(out.Motions, motion)
	}
	return out
}
