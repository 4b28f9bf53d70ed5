package transfer

import (
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/fit/linear"
	"skinlab/skinning/parallel"
)

// Refining correspondences and poses in turn converges slowly, because each keeps the other in place. A limb is nearly
// round, so if it is turned about its bone in all frames and its correspondences slide along its surface, the distance
// hardly changes. A coupled step moves the poses of several frames and all correspondences at once. It is a
// Gauss-Newton step for
//
//	Σ weight·|x(pose of the frame, point) − vertex|²
//
// over frames and vertices, where a point may move in the plane of its triangle. The two unknowns of each point, its
// slide, are eliminated. What remains couples all frames. It is solved by conjugate gradients, whose preconditioner is
// the equations of each frame alone.
const (
	// A step begins with firstDamping: see [bodymodel.PoseEquations.Step]. While the distance does not fall, the next
	// try has the square of dampingFactor times as much.
	coupledTries = 3
	// leastDamping is added to the diagonal, as a share of its mean, so that limbs without points stay.
	leastDamping = 1e-9
	// Conjugate gradients end when the residual is this share of the first one, in the norm of the preconditioner.
	coupledResidual   = 0.01
	coupledIterations = 60
)

// coupledFrame is a frame's share of the equations. Pulls have the order of [common.pulls] in all frames, and the rates
// of all pulls stand one behind another.
type coupledFrame struct {
	weights  []float64       // of the pulls
	off      []mgl64.Vec3    // from the body's point to the vertex, metres
	along    [][2]mgl64.Vec3 // sides of the point's triangle, along which it slides
	last     []int           // of each pull, the place behind its unknowns
	unknowns []int32         // of the pose, that move the point
	rates    []mgl64.Vec3    // of the point by these
	extra    []float64       // of each unknown, what damping and stiffness add to the diagonal
	factor   []float64       // of the equations of the frame alone, see [linear.Cholesky]
	moved    []mgl64.Vec3    // scratch of each pull, see [coupled.reduce]
	slides   [][2]float64    // scratch of each pull
}

// coupled is linear equations in the poses of several frames.
type coupled struct {
	frames  []coupledFrame
	n       int // unknowns of a frame's pose
	workers int
	inverse [][3]float64 // of each pull, the inverse of Σ weight·alongᵀ·along over frames: entries 00, 01 and 11
}

// newCoupled assembles the equations of some frames at their poses.
func (t *transfer) newCoupled(c *common, frames []int, damping float64) *coupled {
	e := &coupled{frames: make([]coupledFrame, len(frames)), workers: t.workers}
	e.n = len(t.posers[0].equations.Right)
	parallel.For(t.workers, len(frames), func(w, i int) {
		s, f, pose := t.posers[w], &e.frames[i], &t.poses[frames[i]]
		a := t.aim(c, frames[i], pose)
		s.assemble(a, pose, func(pull int, weight float64, unknowns []int32, rates []mgl64.Vec3) {
			p := &a.pulls[pull]
			var corners [3]mgl64.Vec3
			for k, v := range s.mesh.triangles[p.at.triangle] {
				corners[k] = s.vertex(int(v))
			}
			f.weights, f.off = append(f.weights, weight), append(f.off, p.to.Sub(s.place(&p.at)))
			f.along = append(f.along, [2]mgl64.Vec3{corners[1].Sub(corners[0]), corners[2].Sub(corners[0])})
			f.unknowns, f.rates = append(f.unknowns, unknowns...), append(f.rates, rates...)
			f.last = append(f.last, len(f.unknowns))
		})
		f.moved, f.slides = make([]mgl64.Vec3, len(a.pulls)), make([][2]float64, len(a.pulls))
		f.factor, f.extra = slices.Clone(s.equations.Matrix), make([]float64, e.n)
		trace := 0.0
		for k := range e.n {
			trace += f.factor[k*e.n+k]
		}
		for k := range f.extra {
			d := &f.factor[k*e.n+k]
			f.extra[k] = damping**d + leastDamping*trace/float64(e.n)
			*d += f.extra[k]
			if k >= 6 { // all limbs but the root, as in assemble
				f.extra[k] += a.stiffness
			}
		}
		linear.Cholesky(f.factor, e.n, 0)
	})
	e.inverse = make([][3]float64, len(e.frames[0].weights))
	for i := range e.inverse {
		var xx, xy, yy float64
		for k := range e.frames {
			f := &e.frames[k]
			x, y, w := f.along[i][0], f.along[i][1], f.weights[i]
			xx, xy, yy = xx+w*x.Dot(x), xy+w*x.Dot(y), yy+w*y.Dot(y)
		}
		if det := xx*yy - xy*xy; det > 1e-9*xx*yy { // else a triangle without area, in which the point stays
			e.inverse[i] = [3]float64{yy / det, -xy / det, xx / det}
		}
	}
	return e
}

// reduce subtracts from the vectors moved, of all pulls and frames, their least-squares fit by a slide of each point.
// It sets out to the sum of weight·rateᵀ·rest of each frame, where rest is what remains.
func (e *coupled) reduce(out []float64) {
	parallel.For(e.workers, len(e.frames), func(_, k int) {
		f := &e.frames[k]
		for i, m := range f.moved {
			f.slides[i] = [2]float64{f.weights[i] * f.along[i][0].Dot(m), f.weights[i] * f.along[i][1].Dot(m)}
		}
	})
	slides := make([][2]float64, len(e.inverse))
	for i, h := range e.inverse {
		var x, y float64
		for k := range e.frames {
			x, y = x+e.frames[k].slides[i][0], y+e.frames[k].slides[i][1]
		}
		slides[i] = [2]float64{h[0]*x + h[1]*y, h[1]*x + h[2]*y}
	}
	parallel.For(e.workers, len(e.frames), func(_, k int) {
		f, to, first := &e.frames[k], out[k*e.n:][:e.n], 0
		clear(to)
		for i, last := range f.last {
			rest := f.moved[i].Sub(f.along[i][0].Mul(slides[i][0])).Sub(f.along[i][1].Mul(slides[i][1])).Mul(f.weights[i])
			for u := first; u < last; u++ {
				to[f.unknowns[u]] += f.rates[u].Dot(rest)
			}
			first = last
		}
	})
}

// times sets out to the matrix times x. Both have the unknowns of the first frame, then those of the second, and so on.
func (e *coupled) times(out, x []float64) {
	parallel.For(e.workers, len(e.frames), func(_, k int) {
		f, from, first := &e.frames[k], x[k*e.n:][:e.n], 0
		for i, last := range f.last {
			var m mgl64.Vec3
			for u := first; u < last; u++ {
				m = m.Add(f.rates[u].Mul(from[f.unknowns[u]]))
			}
			f.moved[i], first = m, last
		}
	})
	e.reduce(out)
	for i := range out {
		out[i] += e.frames[i/e.n].extra[i%e.n] * x[i]
	}
}

// step returns the step of each frame's pose, frame by frame.
func (e *coupled) step() []float64 {
	for k := range e.frames {
		copy(e.frames[k].moved, e.frames[k].off)
	}
	right := make([]float64, e.n*len(e.frames))
	e.reduce(right)
	precondition := func(out, in []float64) {
		copy(out, in)
		parallel.For(e.workers, len(e.frames), func(_, k int) {
			linear.Solve(e.frames[k].factor, e.n, out[k*e.n:][:e.n])
		})
	}
	return linear.ConjugateGradients(context.Background(), right, e.times, precondition, coupledResidual, coupledIterations)
}

// moveTogether makes a coupled step of some frames, if one lowers the mean squared distance of the correspondences that
// count. It returns the share by which that distance falls.
func (t *transfer) moveTogether(c *common, frames []int) (gain float64) {
	t.refine(c, frames)
	c.judge(t.rig.mesh)
	poses, points, squares, before := pick(t.poses, frames), slices.Clone(c.points), slices.Clone(c.squares), c.cost()
	damping := firstDamping
	for range coupledTries {
		e := t.newCoupled(c, frames, damping)
		step := e.step()
		for i, f := range frames {
			t.poses[f] = bodymodel.Pose{}
			t.rig.body.Moved(&t.poses[f], &poses[i], step[i*e.n:][:e.n])
		}
		t.refine(c, frames)
		if cost := c.cost(); cost < before {
			c.judge(t.rig.mesh)
			return 1 - cost/before
		}
		for i, f := range frames {
			t.poses[f] = poses[i]
		}
		copy(c.points, points)
		copy(c.squares, squares)
		damping *= dampingFactor * dampingFactor
	}
	return 0
}
