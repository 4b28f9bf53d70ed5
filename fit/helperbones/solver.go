package helperbones

import (
	"errors"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Solver does the steps of Algorithm 1 one by one, for fits that put them in another order. Its sums over the primary
// joints are made once. It is for one goroutine.
type Solver struct{ p *problem }

// NewSolver validates examples and options, of which it reads Influences, PriorWeights, Scale and Workers. It begins
// with the rig's weights, or where there are none, with the joint that predicts a vertex best, and without helper bones.
func NewSolver(x *Examples, opt Options) (*Solver, error) {
	if err := errors.Join(x.Validate(), opt.validate(x)); err != nil {
		return nil, err
	}
	return &Solver{newProblem(x, &opt)}, nil
}

// SetMotions sets the helper bones: [helper][example], rest space to world. Weights stay, but those of helper bones
// that there are no more go to the others of the vertex. A vertex without others has none until [Solver.SolveWeights].
func (s *Solver) SetMotions(motions [][]geom.Affine) {
	p := s.p
	for len(p.bones) > p.primaries+len(motions) {
		p.dropWeights(len(p.bones) - 1)
		p.removeHelper(len(p.bones) - 1)
	}
	for h, motion := range motions {
		own := make([]geom.Affine, len(motion))
		for n := range own {
			own[n] = p.inward(motion[n], n)
		}
		if p.primaries+h == len(p.bones) {
			p.addHelper(nil)
		}
		p.bones[p.primaries+h] = own
	}
	p.sumBones(p.primaries)
	p.measure()
}

// SetWeights sets the weights of every vertex, over primary joints and the helper bones that there are. Copies of a
// vertex get those of the first.
func (s *Solver) SetWeights(weights [][]skinning.Share) {
	s.p.setWeights(weights)
	s.p.measure()
}

// SolveWeights solves equation (5) for the motions. Not thoroughly, it is faster and looks at fewer bones: that is for
// motions that have changed little.
func (s *Solver) SolveWeights(thorough bool) { s.p.solveWeights(thorough) }

// SolveMotions solves equation (6) for the weights. With a pull, strength·‖Ŝ_h,n − toward_h,n‖² is added to the error,
// measured at the vertices that the helper bone moves as the error is; toward is [helper][example], nil for none.
func (s *Solver) SolveMotions(toward [][]geom.Affine, strength float64) {
	p := s.p
	var pull *pull
	if toward != nil {
		pull = newPull(p, toward, strength)
	}
	p.solveTransforms(pull)
	p.sumBones(p.primaries)
	p.measure()
}

// StartMotions replaces the helper bones' motions by those that each vertex group would have by itself: the rigid
// motion of a bone's vertices, weighted by their weights. The error may rise.
func (s *Solver) StartMotions(helpers int) {
	p := s.p
	for p.helpers() < helpers {
		p.addHelper(nil)
	}
	p.startMotions()
	p.sumBones(p.primaries)
	p.measure()
}

// RMS returns the error of weights and motions as they are, metres, each example by its importance.
func (s *Solver) RMS() float64 { return s.p.rms() }

// VertexErrors returns Σ_n importance·‖…‖² of every vertex, square metres.
func (s *Solver) VertexErrors() []float64 {
	out := make([]float64, len(s.p.points.of))
	for v, k := range s.p.points.of {
		out[v] = s.p.errors[k]
	}
	return out
}

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
		p.errors[k] = p.errorOf(k, w)
		if p.held[k] = 0; p.hold > 0 {
			p.held[k] = p.hold * squareDistance(w, p.rigged[k])
		}
	}
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
