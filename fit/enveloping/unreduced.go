package enveloping

import (
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit"
	"skinlab/fit/procrustes"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Unreduced is enveloping without reduction (RTER sections 3, 4.1 and 4.2): every triangle has a predictor of its own,
// and the full Poisson solve makes a mesh of their gradients. It has no palette of bones. Posing takes about a
// microsecond for each triangle, and for each vertex a time that grows with the square root of their number.
type Unreduced struct {
	run     *run
	trained *SSD // welded
	fixed   []bool
	full    FullSolve
	parent  []int
	middle  []mgl64.Vec3
	used    []int // the triangles that have a predictor
	keys    []rig.GradientKey
	true    [][]geom.Mat3 // per key, of every example
}

// FullSolve finds the vertex positions of a mesh whose triangles have given deformation gradients. Fixed vertices keep
// their given positions.
type FullSolve interface {
	Solve(rest []mgl64.Vec3, gradients []geom.Mat3, given []mgl64.Vec3) []mgl64.Vec3
}

// NewFullSolve makes the full solve of a mesh. Hold is the weight, as a share of an edge's, with which vertices are held
// to given positions. It is no part of the product, which only needs the reduced solve.
type NewFullSolve func(triangles [][3]uint32, fixed []bool, hold float64) (FullSolve, error)

// NewUnreduced learns from examples, by the paper's steps alone. Where the context is done first, the error wraps
// [fit.ErrNoModel].
func NewUnreduced(ctx context.Context, x *Examples, opt Options, full NewFullSolve) (*Unreduced, error) {
	opt.AsPublished = true
	return newUnreduced(ctx, x, opt, full)
}

// newUnreduced is [NewUnreduced] by the steps of the options.
func newUnreduced(ctx context.Context, x *Examples, opt Options, full NewFullSolve) (*Unreduced, error) {
	r, err := begin(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	u := &Unreduced{run: r, parent: r.x.Parent}
	if u.trained, err = r.train(); err != nil {
		return nil, err
	}
	u.fixed = fixedVertices(r.x, u.trained, *r.opt.Rigid)
	r.prior(u.trained)
	groups := newClustering(r.y, used(r.x, u.fixed), len(r.x.Triangles), r.opt.Workers)
	red := newReduction(r.y, u.fixed, groups, groups.left)
	if r.paper.joints {
		red.driveByAll(len(u.parent))
	}
	for _, k := range groups.triangles {
		u.used = append(u.used, int(k))
	}
	var l *lesson
	u.middle, l = newLesson(r.y, r.paper)
	u.true, u.keys = red.gradients, make([]rig.GradientKey, len(u.used))
	parallel.For(r.opt.Workers, len(u.keys), func(_, k int) {
		if !r.cancelled() {
			u.keys[k], _ = l.fitKey(red.drivers[k], red.gradients[k])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, errNoModel(err)
	}
	u.full, err = full(r.x.Triangles, u.fixed, r.holds().ssd)
	return u, err
}

// predicted returns the gradients of the used triangles in a pose of the joints.
func (u *Unreduced) predicted(matrices []geom.Affine) []geom.Mat3 {
	var turns rig.JointRotations
	turns.Set(u.parent, u.middle, rotations(matrices))
	out := make([]geom.Mat3, len(u.keys))
	parallel.Runs(len(out), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			out[k] = u.keys[k].At(u.parent, &turns)
		}
	})
	return out
}

// solve returns the welded skin for gradients of the used triangles.
func (u *Unreduced) solve(rest []mgl64.Vec3, gradients []geom.Mat3, matrices []geom.Affine) []mgl64.Vec3 {
	all := make([]geom.Mat3, len(u.run.x.Triangles))
	for n, k := range u.used {
		all[k] = gradients[n]
	}
	return u.full.Solve(rest, all, u.trained.pose(rest, matrices))
}

// sheared returns the used triangles' own rotations in an example times what predicts their scale and shear.
func (u *Unreduced) sheared(i int) []geom.Mat3 {
	var turns rig.JointRotations
	turns.Set(u.parent, u.middle, rotations(u.run.x.Pairs[i].Matrices))
	out := make([]geom.Mat3, len(u.keys))
	for k := range out {
		predicted := u.keys[k].At(u.parent, &turns)
		shear := u.keys[k].Rotation(u.parent, &turns).Mat3().Transpose().Mul(predicted)
		out[k] = procrustes.Rotation(u.true[k][i]).Mat3().Mul(shear)
	}
	return out
}

// Pose returns the skin in a pose.
func (u *Unreduced) Pose(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	welded := make([]mgl64.Vec3, len(u.run.x.Rest))
	for v, w := range u.run.of {
		welded[w] = rest[v]
	}
	return split(u.solve(welded, u.predicted(matrices), matrices), u.run.of)
}

// ReductionErrors are enveloping errors over the examples, in percent, after each step from the examples to the
// published model. Each error includes the approximations up to its step; what comes after is exact. Our steps end there
// before c₁, c₂ and the weights are fitted to positions. Our S goes with predicted rotations, so that Shear says little
// of it.
type ReductionErrors struct {
	Proxies  int     `json:"proxies"`
	Trained  float64 `json:"ssd"`              // of trained SSD
	Fixed    float64 `json:"fixed"`            // full solve of the examples' gradients, vertices fixed to SSD (section 4.2)
	Shear    float64 `json:"predicted_shear"`  // of rotations of the examples, scale and shear predicted (section 3.3)
	Full     float64 `json:"unreduced"`        // of predicted gradients (section 3): RTER without reduction
	Vertices float64 `json:"vertex_reduction"` // of proxy bones that are fitted to the examples (section 5.1)
	Keys     float64 `json:"keys"`             // of key gradients that are fitted to the examples (section 5.2), full solve
	Reduced  float64 `json:"reduced_solve"`    // of these, reduced solve (section 4.3)
	Model    float64 `json:"model"`            // of predicted key gradients, reduced solve: the published model
}

// Steps names the errors in their order.
func (e *ReductionErrors) Steps() []fit.Mark {
	return []fit.Mark{{Name: "trained SSD", EE: e.Trained},
		{Name: "true gradients, full solve (4.2)", EE: e.Fixed},
		{Name: "true rotations, predicted shear (3.3)", EE: e.Shear}, {Name: "predicted gradients: unreduced (3)", EE: e.Full},
		{Name: "vertex reduction alone (5.1)", EE: e.Vertices}, {Name: "fitted keys, full solve (5.2)", EE: e.Keys},
		{Name: "fitted keys, reduced solve (4.3)", EE: e.Reduced}, {Name: "predicted keys, reduced solve", EE: e.Model}}
}

// MeasureReduction measures the steps as published (compare RTER figures 6 and 7), or ours.
func MeasureReduction(ctx context.Context, x *Examples, opt Options, solve NewFullSolve) (*ReductionErrors, error) {
	u, err := newUnreduced(ctx, x, opt, solve)
	if err != nil {
		return nil, err
	}
	r, e := u.run, new(ReductionErrors)
	x = r.x
	ee := func(posed func(i int) []mgl64.Vec3) float64 { return r.ee(missesBy(x, posed).square) }
	full := func(gradients func(i int) []geom.Mat3) float64 {
		return ee(func(i int) []mgl64.Vec3 { return u.solve(x.Rest, gradients(i), x.Pairs[i].Matrices) })
	}
	of := func(all [][]geom.Mat3, i int) []geom.Mat3 {
		out := make([]geom.Mat3, len(all))
		for k := range out {
			out[k] = all[k][i]
		}
		return out
	}
	e.Trained = r.ee(u.trained.square)
	e.Fixed = full(func(i int) []geom.Mat3 { return of(u.true, i) })
	e.Full = full(func(i int) []geom.Mat3 { return u.predicted(x.Pairs[i].Matrices) })
	e.Shear = full(func(i int) []geom.Mat3 { return u.sheared(i) })

	groups := newClustering(r.y, used(x, u.fixed), r.opt.Proxies, r.opt.Workers)
	groups.keeps = r.paper.clusters
	groups.joinTo(r.opt.Proxies, r.cancelled)
	red := newReduction(r.y, u.fixed, groups, r.opt.Proxies)
	r.fitReduction(red, r.opt.rounds)
	if err := ctx.Err(); err != nil {
		return nil, errNoModel(err)
	}
	weights := red.behind(u.trained, len(u.parent))
	posed := func(i int, proxies []geom.Affine) []mgl64.Vec3 {
		palette := slices.Concat(x.Pairs[i].Matrices, proxies)
		out := make([]mgl64.Vec3, len(x.Rest))
		for v, p := range x.Rest {
			out[v] = blend(palette, weights[v], p)
		}
		return out
	}
	e.Proxies = len(red.transforms)
	e.Vertices = ee(func(i int) []mgl64.Vec3 {
		proxies := make([]geom.Affine, e.Proxies)
		for b := range proxies {
			proxies[b] = red.transforms[b][i]
		}
		return posed(i, proxies)
	})
	e.Keys = full(func(i int) []geom.Mat3 {
		out := make([]geom.Mat3, len(u.used))
		for n, k := range u.used {
			for _, s := range red.blend[k] {
				g := red.gradients[s.Joint][i]
				floats.AddScaled(out[n][:], s.Weight, g[:])
			}
		}
		return out
	})
	c, err := assemble(x, u.trained, red, r.holds())
	if err != nil {
		return nil, err
	}
	e.Reduced = ee(func(i int) []mgl64.Vec3 {
		return posed(i, c.transformsOf(of(red.gradients, i), x.Pairs[i].Matrices))
	})
	_, l := newLesson(r.y, r.paper)
	keys := make([]rig.GradientKey, e.Proxies)
	parallel.For(r.opt.Workers, len(keys), func(_, k int) { keys[k], _ = l.fitKey(red.drivers[k], red.gradients[k]) })
	e.Model = ee(func(i int) []mgl64.Vec3 {
		gradients := make([]geom.Mat3, len(keys))
		for k := range keys {
			gradients[k] = keys[k].At(u.parent, &l.live[i])
		}
		return posed(i, c.transformsOf(gradients, x.Pairs[i].Matrices))
	})
	return e, nil
}
