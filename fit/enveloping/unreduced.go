package enveloping

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Unreduced is enveloping as published, without reduction (RTER sections 3, 4.1 and 4.2): every triangle has a
// predictor of its own, and the full Poisson solve makes a mesh of their gradients. It has no palette of bones.
type Unreduced struct {
	x       *training.Examples // welded
	of      []int              // per vertex, the welded one
	trained *SSD
	full    FullSolve
	middle  []mgl64.Vec3
	keys    []rig.GradientKey // per triangle; without terms where all its vertices are fixed
}

// FullSolve finds the vertex positions of a mesh whose triangles have given deformation gradients. Fixed vertices keep
// their given positions.
type FullSolve interface {
	Solve(rest []mgl64.Vec3, gradients []geom.Mat3, given []mgl64.Vec3) []mgl64.Vec3
}

// NewFullSolve makes the full solve of a mesh. Hold is the weight, as a share of an edge's, with which vertices are
// held to given positions. It is no part of the product, which only needs the reduced solve.
type NewFullSolve func(triangles [][3]uint32, fixed []bool, hold float64) (FullSolve, error)

// NewUnreduced learns from examples. Where the context is done first, the error wraps [fit.ErrNoModel].
func NewUnreduced(ctx context.Context, x *training.Examples, opt Options, full NewFullSolve) (*Unreduced, error) {
	opt.Recipe = Published()
	r, err := begin(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	u := &Unreduced{x: r.x, of: r.of, keys: make([]rig.GradientKey, len(r.x.Triangles))}
	if u.trained, err = r.train(); err != nil {
		return nil, err
	}
	fixed := fixedVertices(r.x, u.trained, *r.opt.Rigid)
	use, joined := used(r.x, fixed)
	of, transforms := newClustering(r.x, use, joined, false, r.opt.Workers).at(joined)
	poses := posesOf(r.x)
	u.middle = poses.middle
	drivers, _ := allJoints(r.x, of, 1)
	parallel.For(r.opt.Workers, len(u.keys), func(_, k int) {
		if of[k] < 0 || r.cancelled() {
			return
		}
		var gradients []geom.Mat3
		for _, t := range transforms[of[k]] {
			gradients = append(gradients, t.Linear())
		}
		u.keys[k], _ = poses.fitKey(r.opt.Recipe, drivers[0], gradients)
	})
	if err := ctx.Err(); err != nil {
		return nil, errNoModel(err)
	}
	u.full, err = full(r.x.Triangles, fixed, ssdHold)
	return u, err
}

// Pose returns the skin in a pose.
func (u *Unreduced) Pose(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	var turns rig.JointRotations
	turns.Set(u.x.Parents, u.middle, rotations(matrices))
	gradients, welded := make([]geom.Mat3, len(u.keys)), make([]mgl64.Vec3, len(u.x.Rest))
	parallel.Runs(len(gradients), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			if len(u.keys[k].Terms) > 0 {
				gradients[k] = u.keys[k].At(u.x.Parents, &turns)
			}
		}
	})
	for v, w := range u.of {
		welded[w] = rest[v]
	}
	return training.Pick(u.full.Solve(welded, gradients, u.trained.Pose(welded, matrices)), u.of)
}
