package transfer

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning/geom"
)

// pull is a point of the body's surface and its target.
type pull struct {
	at     point
	to     mgl64.Vec3
	normal mgl64.Vec3 // unit, of the surface there; not read where slide is 1
	slide  float64    // weight of the squared distance along the surface: 1 for point to point
	weight float64    // of the squared distance; those of all pulls have sum 1 at most
}

// squared returns the squared distance of a pull that counts.
func (p *pull) squared(d mgl64.Vec3) float64 {
	if p.slide == 1 {
		return d.Dot(d)
	}
	along := p.normal.Dot(d)
	return p.slide*d.Dot(d) + (1-p.slide)*along*along
}

// aim is the objective of a pose, which minimises
//
//	Σ weight·ρ(d²) + stiffness·Σ |turn away from prior|²,  ρ(s) = s/(1 + s/reach²)
//
// over all pulls and over all limbs but the root, in metres and radians. ρ is the function of Geman and McClure: a pull
// from far beyond the reach hardly changes the pose.
type aim struct {
	pulls     []pull
	reach     float64 // metres
	prior     *bodymodel.Pose
	stiffness float64 // m²
}

// poser fits poses of a rig. Only one goroutine may use it.
type poser struct {
	*rig
	palette   *bodymodel.Palette
	equations *bodymodel.PoseEquations
	surface   *surface // nil until points are matched
}

func newPoser(r *rig) *poser {
	return &poser{rig: r, palette: r.body.NewPalette(), equations: r.body.NewPoseEquations()}
}

// set poses the limbs.
func (s *poser) set(pose *bodymodel.Pose) { s.body.SetPalette(s.palette, pose) }

// vertex returns where a vertex is in the pose that was set.
func (s *poser) vertex(v int) mgl64.Vec3 {
	m := s.palette.Map(s.body.Swing[v], s.body.Twist[v])
	return m.Apply(s.body.Vertices[v])
}

// shape writes all vertices in the pose that was set.
func (s *poser) shape(to []mgl64.Vec3) {
	for v := range to {
		to[v] = s.vertex(v)
	}
}

// place returns where a point is in the pose that was set.
func (s *poser) place(at *point) (p mgl64.Vec3) {
	for k, v := range s.mesh.triangles[at.triangle] {
		if w := at.weights[k]; w != 0 {
			p = p.Add(s.vertex(int(v)).Mul(w))
		}
	}
	return p
}

// cost returns what a pose costs.
func (s *poser) cost(a *aim, pose *bodymodel.Pose) (sum float64) {
	s.set(pose)
	for i := range a.pulls {
		p := &a.pulls[i]
		e := p.squared(s.place(&p.at).Sub(p.to))
		sum += p.weight * e / (1 + e/(a.reach*a.reach))
	}
	for limb := 1; limb < len(pose.Turns); limb++ {
		t := turnFrom(pose.Turns[limb], a.prior.Turns[limb])
		sum += a.stiffness * t.Dot(t)
	}
	return sum
}

// turnFrom returns the rotation vector from prior to q.
func turnFrom(q, prior geom.Quat) mgl64.Vec3 { return geom.RotationVector(q.Mul(prior.Conjugate())) }

// assemble makes the equations of a step from a pose. Each pull has the weight that ρ gives it at this pose. The
// function each, unless it is nil, receives this weight, the unknowns that move the pull's point, and the derivatives
// of the point by these.
func (s *poser) assemble(
	a *aim, pose *bodymodel.Pose, each func(pull int, weight float64, unknowns []int32, rates []mgl64.Vec3),
) {
	e := s.equations
	e.Set(pose)
	s.set(pose)
	for i := range a.pulls {
		p := &a.pulls[i]
		at := bodymodel.SurfacePoint{Weights: p.at.weights}
		for k, v := range s.mesh.triangles[p.at.triangle] {
			at.Vertices[k] = int32(v)
		}
		k := 1 + p.squared(s.place(&p.at).Sub(p.to))/(a.reach*a.reach)
		w := p.weight / (k * k)
		unknowns, rates := e.AddPoint(&at, p.to, w*p.slide)
		if each != nil {
			each(i, w, unknowns, rates)
		}
		if p.slide < 1 {
			e.AddPlane(&at, p.to, p.normal, w*(1-p.slide))
		}
	}
	n := len(e.Right)
	for limb := 1; limb < len(pose.Turns); limb++ {
		up := e.Rates.Palette().Motions[s.body.Parents[limb]].Linear()
		t := up.Apply(turnFrom(pose.Turns[limb], a.prior.Turns[limb])) // in the frame's axes, as the unknowns are
		for c := range t {
			at := 3 + 3*limb + c
			e.Matrix[at*n+at] += a.stiffness
			e.Right[at] -= a.stiffness * t[c]
		}
	}
}

const (
	// Levenberg-Marquardt: the damping of the first step, and the factor by which it changes.
	firstDamping  = 1e-4
	dampingFactor = 10
	mostTries     = 6
	// Steps end when one lowers the cost by less than this share.
	leastGain = 1e-4
)

// solve takes at most a number of Levenberg-Marquardt steps from a pose, which it changes, and returns its cost after
// them. No step raises the cost.
func (s *poser) solve(a *aim, pose *bodymodel.Pose, steps int) (cost float64) {
	cost = s.cost(a, pose)
	damping := firstDamping
	var next bodymodel.Pose
	for range steps {
		s.assemble(a, pose, nil)
		before := cost
		for try := 0; ; try++ {
			s.body.Moved(&next, pose, s.equations.Step(damping))
			if c := s.cost(a, &next); c < cost {
				*pose, next, cost = next, *pose, c
				damping /= dampingFactor
				break
			}
			damping *= dampingFactor
			if try == mostTries {
				return cost
			}
		}
		if before-cost < leastGain*cost {
			break
		}
	}
	return cost
}
