package bodymodel

import "github.com/go-gl/mathgl/mgl64"

// Learned is what a fit's result keeps beside its model: [fit.Result.Learned].
type Learned struct {
	u *subject
	s *Solution
}

// Scans returns what the body was fitted to: of each scan the vertices of the skin in its order, world space, metres.
func (l *Learned) Scans() [][]mgl64.Vec3 { return l.u.targets }

// Times returns when the clip [ScansClip] shows each scan, seconds.
func (l *Learned) Times() []float64 { return l.u.times }

// StartJoints returns where the joints were at first, EndJoints where they are: of each limb, rest space, metres.
func (l *Learned) StartJoints() []mgl64.Vec3 { return l.s.First.Joints }

// EndJoints returns where the joints are.
func (l *Learned) EndJoints() []mgl64.Vec3 { return l.s.Joints }

// Phases returns the history of the fit.
func (l *Learned) Phases() []Phase { return l.s.History }
