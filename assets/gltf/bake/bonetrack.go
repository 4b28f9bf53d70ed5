package bake

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Key is one key of an added bone, M = T·U·Σ·Vᵀ·E. T is a translation, U and Vᵀ are rotations, Σ and E are scales along
// the axes. The outer node has T, U and Σ. The inner node of a bone with shear has Vᵀ and E. A reflection is in the
// signs of Σ.
//
// E is the same for every bone of two nodes, 1/spreadScale. It keeps the singular values of M·E⁻¹ = U·Σ·Vᵀ well apart
// where M is nearly rigid, so that their axes hardly turn. Without E the singular values would be nearly equal, and V
// would turn far with every small change of M's stretch. The 79 proxies of a human would need 6 to 35 % more keys of
// rotation and scale.
type Key struct {
	Translation mgl64.Vec3
	Outer       geom.Quat  // U
	Scale       mgl64.Vec3 // Σ
	Inner       geom.Quat  // Vᵀ; the identity for a bone without shear
	even        mgl64.Vec3 // E; 1 for a bone without shear, and at rest
}

// spreadScale separates the singular values of a nearly rigid matrix.
var spreadScale = mgl64.Vec3{1 / 1.5, 1, 1.5}

// spread returns M·E⁻¹ for the matrix M of a bone of two nodes.
func spread(m geom.Affine) geom.Affine {
	for c := range 3 {
		m[c] *= spreadScale[c]
		m[4+c] *= spreadScale[c]
		m[8+c] *= spreadScale[c]
	}
	return m
}

// unspread returns E of a bone of two nodes, rounded to float32.
func unspread() (e mgl64.Vec3) {
	for c := range e {
		e[c] = float64(float32(1 / spreadScale[c]))
	}
	return e
}

// boneTrack splits the matrices of one bone, key after key, so that U, Σ and Vᵀ change continuously.
type boneTrack struct {
	nested bool // the bone has shear in some pose, so V is not always the identity
	v      geom.Mat3
	last   Key
}

func newBoneTrack(nested bool) boneTrack {
	return boneTrack{nested: nested, v: geom.Identity3(),
		last: Key{Outer: geom.IdentityQuat(), Inner: geom.IdentityQuat()}}
}

// next splits the matrix of the next key, M = R·S by polar decomposition. S = V·Σ·Vᵀ and U = R·V. Jacobi rotations of
// at most 45 degrees turn the last key's V into this one's. So the singular values keep their order and signs, and V
// stays the same where they are equal. Shear reports that the key misses a shear, which needs a second node.
func (b *boneTrack) next(m geom.Affine) (key Key, shear bool) {
	r, s := geom.PolarDecompose(m.Linear())
	key = Key{Translation: m.Translation(), Inner: geom.IdentityQuat(), even: mgl64.Vec3{1, 1, 1}}
	if b.nested {
		s = b.v.Transpose().Mul(s).Mul(b.v)
		key.Inner = nearer(diagonalize(&s, &b.v).Conjugate(), b.last.Inner)
		r = r.Mul(b.v)
	}
	var flip geom.Mat3
	key.Scale, flip = signsLike(mgl64.Vec3{s[0], s[4], s[8]}, b.last.Scale)
	r = r.Mul(flip)
	key.Outer = nearer(geom.QuatFromMat3(r), b.last.Outer)
	b.last = key
	off := math.Max(math.Abs(s[1]), math.Max(math.Abs(s[2]), math.Abs(s[5])))
	return key, !(off <= shearTolerance*largest(&s))
}

// signsLike negates two scales, or none, so that they differ least from those of the key before. It returns the half
// turn that compensates for the negation. Where a matrix passes through zero volume, one scale changes its sign. The
// polar decomposition changes the signs of all three, and R jumps by half a turn.
func signsLike(scale, last mgl64.Vec3) (mgl64.Vec3, geom.Mat3) {
	sign := mgl64.Vec3{1, 1, 1}
	same := scale.Dot(last)
	most := same
	for keep := range 3 {
		if like := 2*scale[keep]*last[keep] - same; like > most {
			most = like
			sign = mgl64.Vec3{-1, -1, -1}
			sign[keep] = 1
		}
	}
	return mgl64.Vec3{sign[0] * scale[0], sign[1] * scale[1], sign[2] * scale[2]},
		geom.Mat3{sign[0], 0, 0, 0, sign[1], 0, 0, 0, sign[2]}
}

// nearer returns q or −q, whichever is closer to p.
func nearer(q, p geom.Quat) geom.Quat {
	if q.Dot(p) < 0 {
		return q.Scale(-1)
	}
	return q
}

// shearTolerance is the largest off-diagonal entry of a stretch that counts as diagonal, as a fraction of its largest
// entry. It is a few times what float32 inverse bind matrices leave in a rigid rig.
const shearTolerance = 2e-6

func largest(s *geom.Mat3) float64 {
	return math.Max(math.Abs(s[0]), math.Max(math.Abs(s[4]), math.Abs(s[8])))
}

// diagonalize is [geom.Diagonalize], and returns v as a quaternion. Entries below 1e-9 of the largest stay. The
// rotation that would remove them is noise where singular values are equal, and is below the precision of float32 keys.
func diagonalize(s, v *geom.Mat3) geom.Quat {
	geom.Diagonalize(s[:], v[:], 3, 1e-9)
	// Products of rotations drift by rounding, and a track has thousands of keys.
	turn := geom.QuatFromMat3(*v)
	*v = turn.Mat3()
	return turn
}

// slerp is [geom.Slerp] of two keys' quaternions at fraction u.
func slerp(a, b *geom.Quat, u float64) geom.Quat { return geom.Slerp(a.Normalize(), b.Normalize(), u) }

// rounded returns the key rounded to float32, as the file stores it. A number past the largest one becomes that: JSON
// has no infinity.
func (k Key) rounded() Key {
	round := func(x float64) float64 { return float64(float32(min(max(x, -math.MaxFloat32), math.MaxFloat32))) }
	for c := range k.Translation {
		k.Translation[c], k.Scale[c], k.even[c] = round(k.Translation[c]), round(k.Scale[c]), round(k.even[c])
	}
	for c := range k.Outer {
		k.Outer[c], k.Inner[c] = float64(float32(k.Outer[c])), float64(float32(k.Inner[c]))
	}
	return k
}

// affine returns T·U·Σ·Vᵀ·E.
func (k *Key) affine() geom.Affine { return geom.NewAffine(k.shape(), k.Translation) }

// shape returns U·Σ·Vᵀ·E.
func (k *Key) shape() (m geom.Mat3) {
	var right geom.Mat3
	turnScale(&m, &k.Outer, &k.Scale)
	if k.Inner == geom.IdentityQuat() && k.even == (mgl64.Vec3{1, 1, 1}) {
		return m
	}
	turnScale(&right, &k.Inner, &k.even)
	for r := 0; r < 9; r += 3 {
		x, y, z := m[r], m[r+1], m[r+2]
		m[r] = x*right[0] + y*right[3] + z*right[6]
		m[r+1] = x*right[1] + y*right[4] + z*right[7]
		m[r+2] = x*right[2] + y*right[5] + z*right[8]
	}
	return m
}

// turnScale sets m to the rotation matrix of q times diag(scale). The length of q does not matter.
func turnScale(m *geom.Mat3, q *geom.Quat, scale *mgl64.Vec3) {
	x, y, z, w := q[0], q[1], q[2], q[3]
	s := 0.0
	if n := x*x + y*y + z*z + w*w; n > 0 {
		s = 2 / n
	}
	sx, sy, sz := s*x, s*y, s*z
	xx, yy, zz, xy, xz, yz, wx, wy, wz := x*sx, y*sy, z*sz, x*sy, x*sz, y*sz, w*sx, w*sy, w*sz
	a, b, c := scale[0], scale[1], scale[2]
	m[0], m[1], m[2] = (1-yy-zz)*a, (xy-wz)*b, (xz+wy)*c
	m[3], m[4], m[5] = (xy+wz)*a, (1-xx-zz)*b, (yz-wx)*c
	m[6], m[7], m[8] = (xz-wy)*a, (yz+wx)*b, (1-xx-yy)*c
}

// between returns what a player shows at fraction u between two keys. Interpolation is LINEAR, and rotations take the
// shorter arc.
func between(a, b *Key, u float64) Key {
	key := lerp(a, b, u)
	key.Outer, key.Inner = slerp(&a.Outer, &b.Outer, u), slerp(&a.Inner, &b.Inner, u)
	return key
}
