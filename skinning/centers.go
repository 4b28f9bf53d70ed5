package skinning

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// CenterSets are the distinct sets of joints that influence a vertex: spherical blending needs one rotation centre for each
// per pose, not one per vertex (SBS section 4). They depend on the weights alone and are made once per model.
type CenterSets struct {
	OfVertex []uint32     // the set of each vertex
	Joints   [][]uint16   // ascending joints of each set
	fixed    []bool       // the centre does not depend on the pose
	rest     []mgl64.Vec3 // the centre of a fixed set
}

// NewCenterSets collects the joint sets of all vertices. A set of one joint needs no centre; a set of two neighbours turns
// about the child's rest position; all others are solved by [CenterSets.Solve].
func NewCenterSets(in *Influences, s *Skeleton) *CenterSets {
	c := &CenterSets{OfVertex: make([]uint32, len(in.Bindings))}
	index := make(map[string]uint32)
	var buf []Influence
	var key []byte
	for v := range in.Bindings {
		buf = in.Of(buf[:0], v)
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
	rest, fixed := restCenter(joints, s)
	c.Joints = append(c.Joints, joints)
	c.fixed = append(c.fixed, fixed)
	c.rest = append(c.rest, rest)
}

// centerCutoff is the singular value below which a direction of the rotation centre is left at zero. It is absolute: the
// matrices are differences of rotations, and nearly parallel joints would otherwise throw the centre far away.
const centerCutoff = 1e-3

// Solve writes the rotation centre of every set into dst for the skinning matrices c, len(dst) == len(sets). The centre of
// joints a, b, … is the least-squares solution of minimum norm of C_a·r = C_b·r over all pairs (SBS section 4), by the
// eigenvectors of the normal matrix, whose eigenvalues are the squared singular values of the paper's D. It allocates nothing.
func (s *CenterSets) Solve(dst []mgl64.Vec3, c []Affine) {
	if len(dst) != len(s.Joints) {
		panic(fmt.Sprintf("skinning: Solve: %d dst, %d sets", len(dst), len(s.Joints)))
	}
	for k, joints := range s.Joints {
		if s.fixed[k] {
			dst[k] = s.rest[k]
			continue
		}
		dst[k] = rotationCenter(joints, c)
	}
}

// RotationCenter returns the centre of a set of joints for the skinning matrices c, as [CenterSets.Solve] does: the only joint's or
// the child's rest position for one joint or two neighbours, else the least-squares solution.
func RotationCenter(joints []uint16, s *Skeleton, c []Affine) mgl64.Vec3 {
	if at, fixed := restCenter(joints, s); fixed {
		return at
	}
	return rotationCenter(joints, c)
}

// restCenter returns the centre of a set whose centre does not depend on the pose.
func restCenter(joints []uint16, s *Skeleton) (at mgl64.Vec3, fixed bool) {
	if len(joints) == 1 {
		return s.Joints[joints[0]].Position, true
	}
	if len(joints) == 2 {
		if child, ok := s.Neighbours(int(joints[0]), int(joints[1])); ok {
			return s.Joints[child].Position, true
		}
	}
	return mgl64.Vec3{}, false
}

func rotationCenter(joints []uint16, c []Affine) mgl64.Vec3 {
	var normal Mat3
	var rhs mgl64.Vec3
	for i, a := range joints {
		for _, b := range joints[i+1:] {
			ca, cb := &c[a], &c[b]
			for r := 0; r < 12; r += 4 {
				d0, d1, d2, e := ca[r]-cb[r], ca[r+1]-cb[r+1], ca[r+2]-cb[r+2], cb[r+3]-ca[r+3]
				normal[0] += d0 * d0
				normal[1] += d0 * d1
				normal[2] += d0 * d2
				normal[4] += d1 * d1
				normal[5] += d1 * d2
				normal[8] += d2 * d2
				rhs[0] += d0 * e
				rhs[1] += d1 * e
				rhs[2] += d2 * e
			}
		}
	}
	normal[3], normal[6], normal[7] = normal[1], normal[2], normal[5]
	lambda, v := symmetricEigen(normal)
	var center mgl64.Vec3
	for k := 0; k < 3; k++ {
		if !(lambda[k] >= centerCutoff*centerCutoff) {
			continue
		}
		axis := mgl64.Vec3{v[k], v[3+k], v[6+k]}
		center = center.Add(axis.Mul(axis.Dot(rhs) / lambda[k]))
	}
	return center
}
