package assets

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// boneKey is one key of an added bone: M = T·U·Σ·Vᵀ·E, U and Vᵀ rotations, Σ and E scales along axes. The outer node
// has T, U and Σ, the inner one, where there is one, Vᵀ and E. A reflection is in the signs of Σ.
//
// E is 1/spreadScale of every bone of two nodes. M·E⁻¹ = U·Σ·Vᵀ has singular values that are well apart where M is nearly
// rigid, and its axes then hardly turn. Without E the singular values would be nearly equal, and V would turn far with
// every small change of M's stretch: a human's 79 proxies then need 6 to 35 % more keys of rotation and scale.
type boneKey struct {
	translation mgl64.Vec3
	outer       skinning.Quat // U
	scale       mgl64.Vec3    // Σ
	inner       skinning.Quat // Vᵀ; the identity for a bone without shear
	even        mgl64.Vec3    // E; 1 for a bone without shear, and at rest
}

// spreadScale is what sets the singular values of a nearly rigid matrix apart.
var spreadScale = mgl64.Vec3{1 / 1.5, 1, 1.5}

// spread returns M·E⁻¹ of the matrix of a bone of two nodes.
func spread(m skinning.Affine) skinning.Affine {
	for c := range 3 {
		m[c] *= spreadScale[c]
		m[4+c] *= spreadScale[c]
		m[8+c] *= spreadScale[c]
	}
	return m
}

// unspread is E of a bone of two nodes.
func unspread() mgl64.Vec3 {
	return mgl64.Vec3{1 / spreadScale[0], 1 / spreadScale[1], 1 / spreadScale[2]}
}

// boneTrack splits the matrices of one bone from key to key, such that U, Σ and Vᵀ run continuously.
type boneTrack struct {
	nested bool // the bone has shear somewhere: V is not the identity
	v      skinning.Mat3
	last   boneKey
}

func newBoneTrack(nested bool) boneTrack {
	return boneTrack{nested: nested, v: skinning.Identity3(),
		last: boneKey{outer: skinning.IdentityQuat(), inner: skinning.IdentityQuat()}}
}

// stretched is a matrix by polar decomposition, M = R·S.
type stretched struct {
	translation mgl64.Vec3
	r, s        skinning.Mat3
	// spread is the smallest difference between two singular values, as a fraction of the largest: how well V is
	// determined.
	spread float64
}

func stretch(m skinning.Affine, nested bool) stretched {
	out := stretched{translation: m.Translation()}
	out.r, out.s = skinning.PolarDecompose(m.Linear())
	if nested {
		s, v := out.s, skinning.Identity3()
		diagonalize(&s, &v)
		least := math.Min(math.Abs(s[0]-s[4]), math.Min(math.Abs(s[4]-s[8]), math.Abs(s[8]-s[0])))
		out.spread = least / math.Max(largest(&s), 1e-300)
	}
	return out
}

// next splits the matrix of the next key. M = R·S by polar decomposition, S = V·Σ·Vᵀ, U = R·V. V is found by Jacobi
// rotations of at most 45 degrees from the last key's V, so that order and signs of the singular values stay what they
// were, and V does not move at all where they are equal. Shear reports that the key leaves out what needs a second
// node.
func (b *boneTrack) next(m *stretched) (key boneKey, shear bool) {
	r, s := m.r, m.s
	key = boneKey{translation: m.translation, inner: skinning.IdentityQuat(), even: mgl64.Vec3{1, 1, 1}}
	if b.nested {
		s = b.v.Transpose().Mul(s).Mul(b.v)
		diagonalize(&s, &b.v)
		key.inner = nearer(skinning.QuatFromMat3(b.v.Transpose()), b.last.inner)
		r = r.Mul(b.v)
	}
	var flip skinning.Mat3
	key.scale, flip = signsLike(mgl64.Vec3{s[0], s[4], s[8]}, b.last.scale)
	r = r.Mul(flip)
	key.outer = nearer(skinning.QuatFromMat3(r), b.last.outer)
	b.last = key
	off := math.Max(math.Abs(s[1]), math.Max(math.Abs(s[2]), math.Abs(s[5])))
	return key, !(off <= shearTolerance*largest(&s))
}

// signsLike gives two scales or none the other sign, such that they differ least from those of the key before, and
// returns the half turn that makes up for it. Where a matrix passes through no volume, only one scale changes its sign;
// the polar decomposition changes all three, and R turns by half a turn from one key to the next.
func signsLike(scale, last mgl64.Vec3) (mgl64.Vec3, skinning.Mat3) {
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
		skinning.Mat3{sign[0], 0, 0, 0, sign[1], 0, 0, 0, sign[2]}
}

// splitTrack splits the matrices of one bone at all keys of a clip. It starts where the scales differ most, and runs
// from there to the end and back to the beginning: where they are equal, as at rest, V then stands as it will or did.
func splitTrack(m []stretched, nested bool, keys []boneKey) (shear bool) {
	start := 0
	if nested {
		for i := range m {
			if m[i].spread > m[start].spread {
				start = i
			}
		}
	}
	track := newBoneTrack(nested)
	keys[start], shear = track.next(&m[start])
	back := track
	for i := start + 1; i < len(m) && (nested || !shear); i++ {
		keys[i], shear = track.next(&m[i])
	}
	for i := start - 1; i >= 0 && (nested || !shear); i-- {
		keys[i], shear = back.next(&m[i])
	}
	for i := range keys {
		keys[i] = keys[i].rounded()
	}
	return shear && !nested
}

// nearer returns q or −q, whichever is closer to p.
func nearer(q, p skinning.Quat) skinning.Quat {
	if q.Dot(p) < 0 {
		return q.Scale(-1)
	}
	return q
}

// shearTolerance is how far a symmetric stretch may be from diagonal, as a fraction of its largest entry, to count as a
// scale along the axes: a few times what float32 inverse bind matrices leave in a rigid rig.
const shearTolerance = 2e-6

func largest(s *skinning.Mat3) float64 {
	return math.Max(math.Abs(s[0]), math.Max(math.Abs(s[4]), math.Abs(s[8])))
}

// diagonalize turns the symmetric s into a diagonal by cyclic Jacobi rotations, which it multiplies into v. Entries
// below 1e-9 of the largest stay: the rotation that would remove them is noise where singular values are equal, and
// float32 keys do not hold them.
func diagonalize(s, v *skinning.Mat3) {
	for range 30 {
		rotated := false
		for p := 0; p < 2; p++ {
			for q := p + 1; q < 3; q++ {
				off := s[3*p+q]
				if !(math.Abs(off) > 1e-9*largest(s)) {
					continue
				}
				rotated = true
				theta := (s[4*q] - s[4*p]) / (2 * off)
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+theta*theta))
				c := 1 / math.Sqrt(1+t*t)
				turn := skinning.Identity3()
				turn[4*p], turn[4*q], turn[3*p+q], turn[3*q+p] = c, c, c*t, -c*t
				*s = turn.Transpose().Mul(*s).Mul(turn)
				*v = v.Mul(turn)
			}
		}
		if !rotated {
			break
		}
	}
	// Products of rotations drift by rounding; keys are thousands.
	*v = skinning.QuatFromMat3(*v).Mat3()
}

// rounded returns the key as float32 holds it.
func (k boneKey) rounded() boneKey {
	for c := range k.translation {
		k.translation[c], k.scale[c] = float64(float32(k.translation[c])), float64(float32(k.scale[c]))
		k.even[c] = float64(float32(k.even[c]))
	}
	for c := range k.outer {
		k.outer[c], k.inner[c] = float64(float32(k.outer[c])), float64(float32(k.inner[c]))
	}
	return k
}

// affine returns T·U·Σ·Vᵀ·E.
func (k *boneKey) affine() skinning.Affine { return skinning.NewAffine(k.shape(), k.translation) }

// shape returns U·Σ·Vᵀ·E.
func (k *boneKey) shape() skinning.Mat3 {
	m := k.outer.Normalize().Mat3()
	for c := range m {
		m[c] *= k.scale[c%3]
	}
	if k.inner == skinning.IdentityQuat() && k.even == (mgl64.Vec3{1, 1, 1}) {
		return m
	}
	m = m.Mul(k.inner.Normalize().Mat3())
	for c := range m {
		m[c] *= k.even[c%3]
	}
	return m
}

// between returns what a player shows at fraction u between two keys: LINEAR, rotations along the shorter arc.
func between(a, b *boneKey, u float64) boneKey {
	return boneKey{
		translation: a.translation.Mul(1 - u).Add(b.translation.Mul(u)),
		scale:       a.scale.Mul(1 - u).Add(b.scale.Mul(u)),
		outer:       skinning.Slerp(a.outer.Normalize(), b.outer.Normalize(), u),
		inner:       skinning.Slerp(a.inner.Normalize(), b.inner.Normalize(), u),
		even:        a.even.Mul(1 - u).Add(b.even.Mul(u)),
	}
}
