package skinning

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// CenterSets are the data for the forms of a frame that do not depend on the pose. All frames of a model share them.
//
// They are the distinct sets of joints that influence a vertex: spherical blending needs one rotation centre for
// each per pose, not one per vertex (SBS section 4).
type CenterSets struct {
	OfVertex  []uint32       // the set of each vertex
	Joints    [][]uint16     // ascending joints of each set
	fixed     []bool         // the centre does not depend on the pose
	rest      []mgl64.Vec3   // the centre of a fixed set
	chain     boneChain      // for twist-swing skinning
	values    []vertexValues // by method
	rotation  sync.Once
	ofWeights *CentersOfRotation // set by rotation
}

// NoCenters returns sets without centres, for frames that spherical blending does not pose. Making them costs nothing.
func NoCenters() *CenterSets { return &CenterSets{values: make([]vertexValues, len(methods))} }

// NewCenterSets collects the joint sets of all vertices. A set of one joint needs no centre; a set of two neighbours
// turns about the child's rest position; all others are solved by [CenterSets.Solve].
func NewCenterSets(in *Influences, s *Skeleton) *CenterSets {
	c := &CenterSets{OfVertex: make([]uint32, len(in.Bindings)), values: make([]vertexValues, len(methods))}
	index := make(map[string]uint32)
	var key []byte
	for v, buf := range in.All() {
		slices.SortFunc(buf, func(a, b Influence) int { return int(a.Joint) - int(b.Joint) })
		key = key[:0]
		for _, f := range buf {
			key = append(key, byte(f.Joint), byte(f.Joint>>8))
		}
		set, ok := index[string(key)]
		if !ok {
			set = uint32(len(c.Joints))
			index[string(key)] = set
			c.add(buf, s)
		}
		c.OfVertex[v] = set
	}
	return c
}

func (c *CenterSets) add(set []Influence, s *Skeleton) {
	joints := make([]uint16, len(set))
	for i, f := range set {
		joints[i] = f.Joint
	}
	rest, fixed := RestCenter(joints, s)
	c.Joints = append(c.Joints, joints)
	c.fixed = append(c.fixed, fixed)
	c.rest = append(c.rest, rest)
}

// centerCutoff is the singular value below which a direction of the rotation centre is left at zero. It is absolute:
// the matrices are differences of rotations, and nearly parallel joints would otherwise throw the centre far away.
const centerCutoff = 1e-3

// Solve writes the rotation centre of every set into dst for the rigid parts c of the skinning matrices, len(dst) ==
// len(sets). The centre of joints a, b, … is the least-squares solution of minimum norm of C_a·r = C_b·r over all pairs
// (SBS section 4): It is found by the normal equations. If an eigenvalue of their matrix, a squared singular value of
// the paper's D, may be below the cut-off, and the joints do not turn about one axis, it is found by the eigenvectors.
// It allocates nothing.
func (s *CenterSets) Solve(dst []mgl64.Vec3, c []geom.Affine) {
	if len(dst) != len(s.Joints) {
		panic(fmt.Sprintf("skinning: Solve: %d dst, %d sets", len(dst), len(s.Joints)))
	}
	for k, joints := range s.Joints {
		if s.fixed[k] {
			dst[k] = s.rest[k]
			continue
		}
		dst[k], _ = rotationCenter(joints, c)
	}
}

// Solved returns the number of sets whose centre is solved for in every pose. The paper counts a singular value
// decomposition for each (SBS table 2, last row).
func (s *CenterSets) Solved() (n int) {
	for _, fixed := range s.fixed {
		if !fixed {
			n++
		}
	}
	return n
}

// DecomposedCenters returns, of the sets that [CenterSets.Solved] counts, the number whose centres need eigenvectors in
// this pose.
func (f *Frame) DecomposedCenters() (n int) {
	f.need(Centers)
	for k, joints := range f.Centers.Joints {
		if f.Centers.fixed[k] {
			continue
		}
		if _, decomposed := rotationCenter(joints, f.motion); decomposed {
			n++
		}
	}
	return n
}

// RotationCenter returns the centre of joints in a posed frame, as [CenterSets.Solve] does: the only joint's
// or the child's rest position for one joint or two neighbours, else the least-squares solution.
func (f *Frame) RotationCenter(joints []uint16) mgl64.Vec3 {
	f.need(RigidParts)
	return f.rotationCenter(joints)
}

// rotationCenter is RotationCenter where the rigid parts of the joints are current.
func (f *Frame) rotationCenter(joints []uint16) mgl64.Vec3 {
	if at, fixed := RestCenter(joints, &f.Model.Skeleton); fixed {
		return at
	}
	var buf [8]geom.Affine
	var numbers [8]uint16
	c, order := buf[:0], numbers[:0] // on the heap for more
	for i, j := range joints {
		c, order = append(c, geom.Affine{}), append(order, uint16(i))
		f.rigid[j].AffineTo(&c[i])
	}
	center, _ := rotationCenter(order, c)
	return center
}

// RestCenter returns the centre of a set whose centre does not depend on the pose.
func RestCenter(joints []uint16, s *Skeleton) (at mgl64.Vec3, fixed bool) {
	if len(joints) == 1 {
		return s.Joints[joints[0]].Position, true
	}
	if len(joints) == 2 {
		if child, ok := s.neighbours(int(joints[0]), int(joints[1])); ok {
			return s.Joints[child].Position, true
		}
	}
	return mgl64.Vec3{}, false
}

// rotationCenter also tells whether it has taken eigenvectors.
func rotationCenter(joints []uint16, c []geom.Affine) (center mgl64.Vec3, decomposed bool) {
	normal, rhs := centerEquations(joints, c)
	half := (normal[0] + normal[1] + normal[2]) / 2
	if !(2*half >= centerCutoff*centerCutoff) { // then no eigenvalue reaches the cut-off either
		return mgl64.Vec3{}, false
	}
	if turnsAboutOneAxis(&normal, half) {
		if !(half >= centerCutoff*centerCutoff) {
			return mgl64.Vec3{}, false
		}
		return normal.Apply(rhs).Mul(1 / (half * half)), false
	}
	// No eigenvalue is below det over the square of half the trace, which the other two cannot exceed: mostly all are
	// above the cut-off.
	inverse, det := normal.Cofactor()
	if det > wellPosed*half*half*max(half, 1) {
		return inverse.Apply(rhs).Mul(1 / det), false
	}
	return leastCenter(&normal, rhs), true
}

// turnsAboutOneAxis tells whether a normal matrix is λ across an axis and 0 along it, to rounding: N² = λN with twice λ
// the trace. It is wherever the joints turn about one axis against each other, as two always do.
func turnsAboutOneAxis(n *geom.Symmetric, lambda float64) bool {
	const rounding = 1e-12
	x, y, z, xy, xz, yz := n[0], n[1], n[2], n[3], n[4], n[5]
	limit, off := rounding*lambda*lambda, 0.0
	for _, d := range [6]float64{
		x*x + xy*xy + xz*xz - lambda*x, xy*xy + y*y + yz*yz - lambda*y, xz*xz + yz*yz + z*z - lambda*z,
		x*xy + xy*y + xz*yz - lambda*xy, x*xz + xy*yz + xz*z - lambda*xz, xy*xz + y*yz + yz*z - lambda*yz,
	} {
		off = max(off, math.Abs(d))
	}
	return off <= limit
}

// centerEquations returns the normal equations of C_a·r = C_b·r over all pairs.
func centerEquations(joints []uint16, c []geom.Affine) (normal geom.Symmetric, rhs mgl64.Vec3) {
	// The sum over all pairs is that over the differences from the mean, times their number.
	var mean geom.Affine
	for _, j := range joints {
		m := &c[j]
		for k := range mean {
			mean[k] += m[k]
		}
	}
	n := float64(len(joints))
	for k := range mean {
		mean[k] /= n
	}
	var x, y, z float64
	for _, j := range joints {
		m := &c[j]
		for r := 0; r < 12; r += 4 {
			d0, d1, d2, e := m[r]-mean[r], m[r+1]-mean[r+1], m[r+2]-mean[r+2], mean[r+3]-m[r+3]
			normal[0] += d0 * d0
			normal[1] += d1 * d1
			normal[2] += d2 * d2
			normal[3] += d0 * d1
			normal[4] += d0 * d2
			normal[5] += d1 * d2
			x += d0 * e
			y += d1 * e
			z += d2 * e
		}
	}
	for k := range normal {
		normal[k] *= n
	}
	return normal, mgl64.Vec3{n * x, n * y, n * z}
}

// leastCenter returns the solution of minimum norm. Singular values below the cut-off count as 0.
func leastCenter(normal *geom.Symmetric, rhs mgl64.Vec3) (center mgl64.Vec3) {
	a := geom.Mat3{normal[0], normal[3], normal[4], normal[3], normal[1], normal[5], normal[4], normal[5], normal[2]}
	v := geom.Identity3()
	geom.Diagonalize(a[:], v[:], 3, 1e-17)
	for k := range 3 {
		lambda := a[4*k]
		if !(lambda >= centerCutoff*centerCutoff) {
			continue
		}
		axis := mgl64.Vec3{v[k], v[3+k], v[6+k]}
		center = center.Add(axis.Mul(axis.Dot(rhs) / lambda))
	}
	return center
}

// wellPosed bounds the least eigenvalue of the normal matrix from below, both as it is and as a share of half the
// trace. Above the bound, twice the cut-off's square, the centre is solved for without eigenvectors. Along so weak an
// axis rounding moves the centre by up to 1e-10, and the pose hardly depends on the centre there.
const wellPosed = 2 * centerCutoff * centerCutoff
