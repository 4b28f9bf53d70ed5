package enveloping

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// PSD is pose space deformation over trained SSD (Lewis, Cordner, Fong 2000), the displacement method that RTER
// compares with. The error of SSD in each example, in the frame of the vertex's strongest joint, is interpolated by
// Gaussian radial basis functions over the rotations of the joints that move the vertex. With one joint this is
// EigenSkin without its compression (Kry, James, Pai 2002; RTER section 7). It reproduces its examples exactly.
//
// The frame is the joint's rotation and not the blended matrix, which a twist by 180 degrees makes singular.
type PSD struct {
	ssd     *SSD
	parents []int
	poses   [][]geom.Quat // per example, of each joint relative to its parent
	spaces  []poseSpace
	of      []int32        // per vertex: its pose space
	weights [][]mgl64.Vec3 // per vertex: of each example's basis function
}

// poseSpace is the space of the rotations of the joints that move some vertices.
type poseSpace struct {
	joints []int   // ascending
	width  float64 // of the Gaussian: the mean distance of an example from the nearest other one
}

// elsewhere is the weight of all joints in the squared distance of two poses; the joints of the pose space have the
// rest. Two examples can differ in the shape of a vertex and only in joints that do not move it.
const elsewhere = 0.01

// NewPSD finds the weights; s must be trained on the same examples. A done context ends it with ctx.Err() and nothing.
func NewPSD(ctx context.Context, x *Examples, s *SSD, workers int) (*PSD, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	if len(s.Weights) != len(x.Rest) {
		return nil, fmt.Errorf("%w: weights of %d vertices for %d", ErrProblem, len(s.Weights), len(x.Rest))
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &PSD{ssd: s, parents: x.Parent, of: make([]int32, len(x.Rest)), weights: make([][]mgl64.Vec3, len(x.Rest))}
	turns := make([][]geom.Quat, len(x.Pairs))
	for i := range x.Pairs {
		turns[i] = rotations(x.Pairs[i].Matrices)
		p.poses = append(p.poses, relative(x.Parent, turns[i]))
	}
	members := p.findSpaces()
	apart := make([][]separation, len(p.poses))
	for i := range apart {
		apart[i] = p.separations(p.poses[i])
	}
	errs := make([]error, len(p.spaces))
	parallel.For(workers, len(p.spaces), func(_, k int) {
		if ctx.Err() == nil {
			errs[k] = p.solve(x, turns, apart, &p.spaces[k], members[k])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// findSpaces makes a pose space for each set of joints that moves some vertex, and returns the vertices of each.
func (p *PSD) findSpaces() (members [][]int) {
	index := map[string]int32{}
	for v, w := range p.ssd.Weights {
		var joints []int
		for _, s := range w {
			joints = append(joints, int(s.Joint))
		}
		slices.Sort(joints)
		key := fmt.Sprint(joints)
		k, ok := index[key]
		if !ok {
			k = int32(len(p.spaces))
			index[key] = k
			p.spaces, members = append(p.spaces, poseSpace{joints: joints}), append(members, nil)
		}
		p.of[v] = k
		members[k] = append(members[k], v)
	}
	return members
}

// solve finds the weights of the vertices of a pose space: Φ·w = δ with Φ_ik = φ(‖pose i − pose k‖), positive definite
// for distinct poses.
func (p *PSD) solve(x *Examples, turns [][]geom.Quat, apart [][]separation, s *poseSpace, vertices []int) error {
	n := len(p.poses)
	distance := mat.NewSymDense(n, nil)
	for i := range n {
		nearest := math.Inf(1)
		for k := range n {
			if k == i {
				continue
			}
			d := s.distance(&apart[i][k])
			distance.SetSym(i, k, d)
			nearest = math.Min(nearest, d)
		}
		if n > 1 {
			s.width += nearest / float64(n)
		}
	}
	if !(s.width > 1e-6) { // one example, or the same pose over and over
		s.width = 1
	}
	phi := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			phi.SetSym(i, k, s.basis(distance.At(i, k)))
		}
	}
	right := mat.NewDense(n, 3*len(vertices), nil)
	for i := range n {
		matrices := x.Pairs[i].Matrices
		for c, v := range vertices {
			miss := x.Pairs[i].Target[v].Sub(blend(matrices, p.ssd.Weights[v], x.Rest[v]))
			d := turns[i][p.ssd.Weights[v][0].Joint].Conjugate().Rotate(miss)
			for k := range d {
				right.Set(i, 3*c+k, d[k])
			}
		}
	}
	var factor mat.Cholesky
	var w mat.Dense
	ridge := 0.0
	for !factor.Factorize(phi) || math.IsInf(factor.Cond(), 1) || factor.Cond() > 1e14 {
		// Two examples are of one pose: a ridge makes them share their mean.
		ridge = math.Max(1e-12, 10*ridge)
		if !(ridge < 1) {
			return fmt.Errorf("%w: poses that cannot be told apart", ErrProblem)
		}
		for i := range n {
			phi.SetSym(i, i, 1+ridge)
		}
	}
	if err := factor.SolveTo(&w, right); err != nil {
		return fmt.Errorf("%w: interpolating %d poses: %w", ErrProblem, n, err)
	}
	for c, v := range vertices {
		p.weights[v] = make([]mgl64.Vec3, n)
		for i := range n {
			p.weights[v][i] = mgl64.Vec3{w.At(i, 3*c), w.At(i, 3*c+1), w.At(i, 3*c+2)}
		}
	}
	return nil
}

// basis is φ.
func (s *poseSpace) basis(distance float64) float64 {
	r := distance / s.width
	return math.Exp(-r * r / 2)
}

// separation is the distance of two poses: (2·sin θ/2)² of each joint, where θ is the angle between its rotations in
// both, and the sum.
type separation struct {
	joints []float64
	sum    float64
}

// separations returns the separation of a pose from each example's.
func (p *PSD) separations(pose []geom.Quat) []separation {
	out := make([]separation, len(p.poses))
	all := make([]float64, len(p.poses)*len(pose))
	for i := range out {
		own := all[i*len(pose) : (i+1)*len(pose)]
		for j := range pose {
			c := pose[j].Dot(p.poses[i][j])
			own[j] = 4 * math.Max(0, 1-c*c)
			out[i].sum += own[j]
		}
		out[i].joints = own
	}
	return out
}

// distance of two poses is the root of Σ(2·sin θ/2)² over the joints: the distance of the rotation matrices, for which
// Gaussians are positive definite, and nearly θ for small angles.
func (s *poseSpace) distance(apart *separation) float64 {
	sum := elsewhere * apart.sum
	for _, j := range s.joints {
		sum += (1 - elsewhere) * apart.joints[j]
	}
	return math.Sqrt(sum)
}

// relative returns the rotation of each joint relative to its parent. That of a root is the identity, because its
// rotation moves the whole character and deforms nothing.
func relative(parents []int, q []geom.Quat) []geom.Quat {
	out := make([]geom.Quat, len(q))
	for j, parent := range parents {
		if out[j] = geom.IdentityQuat(); parent >= 0 {
			out[j] = q[parent].Conjugate().Mul(q[j])
		}
	}
	return out
}

// Pose returns the skin in a pose.
func (p *PSD) Pose(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	turns := rotations(matrices)
	pose := relative(p.parents, turns)
	apart := p.separations(pose)
	basis := make([][]float64, len(p.spaces))
	for k := range p.spaces {
		s := &p.spaces[k]
		for i := range p.poses {
			basis[k] = append(basis[k], s.basis(s.distance(&apart[i])))
		}
	}
	out := p.ssd.Pose(rest, matrices)
	for v := range out {
		var d mgl64.Vec3
		for i, b := range basis[p.of[v]] {
			d = d.Add(p.weights[v][i].Mul(b))
		}
		out[v] = out[v].Add(turns[p.ssd.Weights[v][0].Joint].Rotate(d))
	}
	return out
}

// Measure measures the deformation on examples, those it was trained on or others.
func (p *PSD) Measure(x *Examples) Errors {
	m := missesBy(x, func(i int) []mgl64.Vec3 {
		rest, _ := x.measured(i)
		return p.Pose(rest, x.Pairs[i].Matrices)
	})
	return m.measure(x, rigidErrors(x, runtime.GOMAXPROCS(0)))
}
