// Package psd is pose space deformation and EigenSkin, the displacement methods that RTER compares with.
package psd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// errExamples reports examples that cannot be learnt from.
var errExamples = errors.New("psd: bad examples")

// Deformation is pose space deformation (Lewis, Cordner, Fong 2000), the displacement method that RTER compares with
// (section 8). It corrects trained SSD or a fitted model. The remaining error of each vertex in each example is a
// displacement in the frame of the vertex's strongest joint. Displacements are interpolated by Gaussian radial basis
// functions over the rotations of the joints that move the vertex. PSD reproduces its examples exactly. The frame is
// the joint's rotation and not the blended matrix, which a twist by 180 degrees makes singular.
type Deformation struct {
	ssd     *enveloping.SSD
	over    *enveloping.Model // that the displacements are added to; nil for ssd
	parents []int
	poses   [][]geom.Quat // per example, of each joint relative to its parent
	spaces  []poseSpace
	of, at  []int32 // per vertex: its pose space, and its number in that space
}

// Options tune [New].
type Options struct {
	Over *enveloping.Model // the model that the displacements are added to, fitted to the same examples; nil adds them to trained SSD
	// Compress makes it EigenSkin (Kry, James, Pai 2002). Vertices that the same joints move share principal components
	// of their displacements over the examples, and the amounts of these components are interpolated.
	Compress bool
	Workers  int // 0 means all processors; the result does not depend on it
}

// poseSpace is the space of the rotations of one set of joints, with the vertices that these joints move. The
// displacements of the vertices are Σ_k a_k·vectors[k]. The amounts a are the examples' basis functions φ, or mix·φ if
// displacements are compressed.
type poseSpace struct {
	joints   []int   // ascending
	vertices []int   // that these joints move
	width    float64 // of the Gaussian: the mean distance of an example from the nearest other one
	mix      *mat.Dense
	vectors  [][]mgl64.Vec3 // component-major, one per vertex of the space
	solved   interpolation  // while it is made
}

// interpolation is the system Φ·w = δ of a pose space: Φ_ik = φ(‖pose i − pose k‖), and a row of δ for each example.
type interpolation struct {
	phi           mat.Cholesky
	displacements *mat.Dense // examples × three for each vertex
	components    mat.EigenSym
}

// elsewhere is the weight of all joints in the squared distance of two poses; the joints of the pose space have the
// rest. It keeps two examples apart that differ in the shape of a vertex but only in joints that do not move it.
const elsewhere = 0.01

// New finds the weights; s must be trained on the same examples. A done context ends it with ctx.Err() and nothing.
func New(ctx context.Context, x *training.Examples, s *enveloping.SSD, opt Options) (*Deformation, error) {
	if len(s.Weights) != len(x.Rest) {
		return nil, fmt.Errorf("%w: weights of %d vertices for %d", errExamples, len(s.Weights), len(x.Rest))
	}
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Deformation{ssd: s, over: opt.Over, parents: x.Parents, of: make([]int32, len(x.Rest)), at: make([]int32, len(x.Rest))}
	turns, posed := make([][]geom.Quat, len(x.Targets)), make([][]mgl64.Vec3, len(x.Targets))
	for i := range x.Targets {
		turns[i], posed[i] = rotations(x.Palettes[i]), p.base(x.Rest, x.Palettes[i])
		p.poses = append(p.poses, relative(x.Parents, turns[i]))
	}
	p.findSpaces()
	apart := make([][]separation, len(p.poses))
	for i := range apart {
		apart[i] = p.separations(p.poses[i])
	}
	errs := make([]error, len(p.spaces))
	parallel.For(workers, len(p.spaces), func(_, k int) {
		if ctx.Err() == nil {
			errs[k] = p.solve(x, turns, posed, apart, &p.spaces[k], opt.Compress)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	kept := p.components(opt.Compress)
	parallel.For(workers, len(p.spaces), func(_, k int) {
		if ctx.Err() == nil {
			errs[k] = p.spaces[k].finish(kept[k])
		}
	})
	return p, errors.Join(append(errs, ctx.Err())...)
}

// base poses the skin without displacements.
func (p *Deformation) base(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	if p.over == nil {
		return blend(p.ssd, rest, matrices)
	}
	return p.over.Pose(&rig.EnvelopingDriver{}, rest, matrices)
}

// findSpaces makes a pose space for each set of joints that moves some vertex.
func (p *Deformation) findSpaces() {
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
			p.spaces = append(p.spaces, poseSpace{joints: joints})
		}
		s := &p.spaces[k]
		p.of[v], p.at[v] = k, int32(len(s.vertices))
		s.vertices = append(s.vertices, v)
	}
}

// eigenSkinError is the largest RMS that EigenSkin leaves out, as a share of the RMS of all displacements.
const eigenSkinError = 0.05

// components returns how many principal components of the displacements each pose space keeps; −1 stands for all
// displacements without compression. EigenSkin keeps the components that lower the squared error most for each number
// that is stored.
func (p *Deformation) components(compress bool) []int {
	kept := make([]int, len(p.spaces))
	if !compress {
		for k := range kept {
			kept[k] = -1
		}
		return kept
	}
	type component struct {
		space         int
		square, worth float64
	}
	var all []component
	left := 0.0
	for k := range p.spaces {
		values := p.spaces[k].solved.components.Values(nil)
		for _, square := range slices.Backward(values) { // the largest first
			left += max(square, 0)
			all = append(all, component{k, square, square / float64(len(values)+3*len(p.spaces[k].vertices))})
		}
	}
	slices.SortStableFunc(all, func(a, b component) int { return cmp.Compare(b.worth, a.worth) })
	most := eigenSkinError * eigenSkinError * left
	for _, c := range all {
		if !(left > most) {
			break
		}
		left -= c.square
		kept[c.space]++
	}
	return kept
}

// finish makes the vectors of a pose space, with a number of principal components or, for −1, with all displacements.
// With δ = U·Σ·Vᵀ these components are the rows of Uᵀ·δ, and their amounts in a pose are interpolated from those in the
// examples: Uᵀ·Φ⁻¹·φ.
func (s *poseSpace) finish(components int) error {
	var w mat.Dense
	if components < 0 {
		if err := s.solved.phi.SolveTo(&w, s.solved.displacements); err != nil {
			return fmt.Errorf("%w: interpolating %d poses: %w", errExamples, s.solved.phi.SymmetricDim(), err)
		}
	} else if components > 0 {
		var u, inverse mat.Dense
		s.solved.components.VectorsTo(&u)
		n := s.solved.phi.SymmetricDim()
		largest := u.Slice(0, n, n-components, n)
		w.Mul(largest.T(), s.solved.displacements)
		if err := s.solved.phi.SolveTo(&inverse, largest); err != nil {
			return fmt.Errorf("%w: interpolating %d poses: %w", errExamples, n, err)
		}
		s.mix = mat.DenseCopyOf(inverse.T())
	}
	if components != 0 {
		rows, _ := w.Dims()
		for k := range rows {
			row := make([]mgl64.Vec3, len(s.vertices))
			for c := range row {
				row[c] = mgl64.Vec3{w.At(k, 3*c), w.At(k, 3*c+1), w.At(k, 3*c+2)}
			}
			s.vectors = append(s.vectors, row)
		}
	}
	s.solved = interpolation{}
	return nil
}

// Bytes is the memory of the displacements in float32.
func (p *Deformation) Bytes() (bytes int) {
	for k := range p.spaces {
		s := &p.spaces[k]
		numbers := 3 * len(s.vertices)
		if s.mix != nil {
			numbers += len(p.poses)
		}
		bytes += 4 * len(s.vectors) * numbers
	}
	return bytes
}

// solve makes the system of a pose space; it is positive definite for distinct poses.
func (p *Deformation) solve(x *training.Examples, turns [][]geom.Quat, posed [][]mgl64.Vec3, apart [][]separation, s *poseSpace,
	compress bool) error {
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
	right := mat.NewDense(n, 3*len(s.vertices), nil)
	for i := range n {
		for c, v := range s.vertices {
			miss := x.Targets[i][v].Sub(posed[i][v])
			d := turns[i][p.ssd.Weights[v][0].Joint].Conjugate().Rotate(miss)
			for k := range d {
				right.Set(i, 3*c+k, d[k])
			}
		}
	}
	ridge, factor := 0.0, &s.solved.phi
	for !factor.Factorize(phi) || math.IsInf(factor.Cond(), 1) || factor.Cond() > 1e14 {
		// Two examples are of one pose: a ridge makes them share their mean.
		ridge = math.Max(1e-12, 10*ridge)
		if !(ridge < 1) {
			return fmt.Errorf("%w: poses that cannot be told apart", errExamples)
		}
		for i := range n {
			phi.SetSym(i, i, 1+ridge)
		}
	}
	s.solved.displacements = right
	if !compress {
		return nil
	}
	var squares mat.SymDense
	squares.SymOuterK(1, right)
	if !s.solved.components.Factorize(&squares, true) {
		return fmt.Errorf("%w: no principal components of %d displacements", errExamples, n)
	}
	return nil
}

// basis is φ.
func (s *poseSpace) basis(distance float64) float64 {
	r := distance / s.width
	return math.Exp(-r * r / 2)
}

// separation is the squared distance of two poses: (2·sin θ/2)² for each joint, where θ is the angle between its two
// rotations, and the sum over all joints.
type separation struct {
	joints []float64
	sum    float64
}

// separations returns the separation of a pose from each example's.
func (p *Deformation) separations(pose []geom.Quat) []separation {
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
		out[j] = geom.IdentityQuat()
		if parent >= 0 {
			out[j] = q[parent].Conjugate().Mul(q[j])
		}
	}
	return out
}

// Pose returns the skin in a pose.
func (p *Deformation) Pose(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	turns := rotations(matrices)
	pose := relative(p.parents, turns)
	apart := p.separations(pose)
	amounts := make([][]float64, len(p.spaces))
	for k := range p.spaces {
		s := &p.spaces[k]
		for i := range p.poses {
			amounts[k] = append(amounts[k], s.basis(s.distance(&apart[i])))
		}
		if s.mix != nil {
			var mixed mat.VecDense
			mixed.MulVec(s.mix, mat.NewVecDense(len(amounts[k]), amounts[k]))
			amounts[k] = mixed.RawVector().Data
		}
	}
	out := p.base(rest, matrices)
	for v := range out {
		var d mgl64.Vec3
		for k, vectors := range p.spaces[p.of[v]].vectors {
			d = d.Add(vectors[p.at[v]].Mul(amounts[p.of[v]][k]))
		}
		out[v] = out[v].Add(turns[p.ssd.Weights[v][0].Joint].Rotate(d))
	}
	return out
}

// Measure measures the deformation on examples, those it was trained on or others.
func (p *Deformation) Measure(x *training.Examples) enveloping.Errors {
	return enveloping.MeasureBy(x, func(i int) []mgl64.Vec3 { return p.Pose(x.Rest, x.Palettes[i]) })
}

// blend poses the skin by linear blending.
func blend(s *enveloping.SSD, rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(rest))
	for v, p := range rest {
		for _, w := range s.Weights[v] {
			out[v] = out[v].Add(matrices[w.Joint].Apply(p).Mul(w.Weight))
		}
	}
	return out
}

// rotations returns the rotation of every skinning matrix.
func rotations(matrices []geom.Affine) []geom.Quat {
	q := make([]geom.Quat, len(matrices))
	for j := range matrices {
		r, _ := geom.PolarDecompose(matrices[j].Linear())
		q[j] = geom.QuatFromMat3(r)
	}
	return q
}
