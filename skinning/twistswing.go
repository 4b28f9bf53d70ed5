package skinning

import (
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
)

// Twist-swing skinning (Fechteler, Hilsmann and Eisert 2016, EBM, section 2) splits the rotation of each joint against
// its twist parent into a twist about the bone and a swing. The twists are blended as dual quaternions, which keeps the
// volume of a twisted limb, and the swings linearly, which does not bulge.
//
// It needs no walk of the tree at a vertex. A joint's accumulated twist T̄_j is the product of the twists down to it,
// in rest space; its swing matrix P_j = C_j·T̄_j⁻¹ has all the rest of its motion. A vertex becomes
//
//	v' = Σ wS_j·P_j · DLB_j(wT_j, T̄_j)·v.
//
// This is the paper's K·S·T and G at once: with any common ancestor A of the joints as reference the product has
// T̄_A⁻¹ on the left of each twist and T̄_A on the right of each swing, and they cancel, since DLB is left-invariant.

// TwistWeights is the input of [TwistSwing]: the weights of the twists (dual quaternions). The influences then weigh
// the swings.
var TwistWeights = Input{Name: "TWIST", Title: "Twist", Mark: "twistSwing"}

// boneChain has the data of twist-swing skinning that do not depend on the pose. It is made when a frame first asks for
// it.
type boneChain struct {
	once  sync.Once
	bones []bone // parents before their children
}

// bone is a joint of a [boneChain].
type bone struct {
	joint, parent int // index into Skeleton.Joints; the twist parent is −1 for a root, whose twist cancels
	// The line about which the joint twists: its direction, and its moment, the joint's rest position × the direction.
	axis, moment mgl64.Vec3
}

// BoneAxes returns two lists over the joints: the bone axis in rest space (see the function BoneAxes, and dropAside),
// and the twist parent (see [twistParents]). A joint that a rig drives is no bone: it has neither parent nor axis, and its children
// take its parent in its place. Where a rig was fitted to twist-swing, the weights that it was fitted to are gone, and
// both are the rig's.
func (m *Model) BoneAxes() (axes []mgl64.Vec3, parents []int) {
	joints, driven := m.Skeleton.Joints, m.DrivenJoints()
	places, carries := make([]mgl64.Vec3, len(joints)), make([]bool, len(joints))
	parents = make([]int, len(joints))
	for j := range joints {
		places[j], parents[j] = joints[j].Position, -1
		if driven[j] {
			continue
		}
		up := joints[j].Parent
		for up >= 0 && driven[up] {
			up = joints[up].Parent
		}
		parents[j] = up
	}
	for _, set := range m.Skin.WeightSets() {
		for _, buf := range set.All() {
			for _, in := range buf {
				carries[in.Joint] = !driven[in.Joint]
			}
		}
	}
	weights, second := &m.Skin.Influences, m.Skin.Second(TwistSwing)
	if second != nil {
		weights = second
	}
	parents = twistParents(parents, driven, weights)
	axes = BoneAxes(places, parents, carries)
	if second == nil {
		m.dropAside(axes, places)
	}
	if rig := RigOf[TwistRig](m); rig != nil {
		for _, b := range rig.TwistBones() {
			axes[b.Joint], parents[b.Joint] = b.Axis, b.Parent
		}
	}
	return axes, parents
}

// mostAside bounds how far the vertices of a joint lie beside its axis, in the weighted mean, as a multiple of their RMS
// distance from that mean across the axis.
const mostAside = 2

// dropAside takes the axes of joints whose vertices lie beside them. Such a joint is no limb along its axis: turned about
// the neck that leads to it, a skull whose vertices hang down to a muzzle sweeps them around. Weights that were fitted to
// the method are those of limbs, and keep their axes.
func (m *Model) dropAside(axes, places []mgl64.Vec3) {
	sum, square, total := make([]mgl64.Vec3, len(axes)), make([]float64, len(axes)), make([]float64, len(axes))
	var buf []Influence
	for v, p := range m.Skin.Positions {
		buf = m.Skin.Influences.Of(buf[:0], v)
		for _, in := range buf {
			j, w := in.Joint, float64(in.Weight)
			across := geom.Vec64(p).Sub(places[j])
			across = across.Sub(axes[j].Mul(across.Dot(axes[j])))
			sum[j] = sum[j].Add(across.Mul(w))
			square[j] += w * across.Dot(across)
			total[j] += w
		}
	}
	lo, hi := geom.Bounds(places)
	near := sameJointPlace * hi.Sub(lo).Len()
	for j := range axes {
		aside := sum[j].Dot(sum[j]) / (total[j] * total[j])
		if aside > max(near*near, mostAside*mostAside*(square[j]/total[j]-aside)) {
			axes[j] = mgl64.Vec3{}
		}
	}
}

// TwistBone is a joint's part in twist-swing skinning.
type TwistBone struct {
	Joint, Parent int        // indices into Skeleton.Joints; the parent is −1 for a root
	Axis          mgl64.Vec3 // rest space, unit length; zero for a joint that does not twist
}

// of returns the bones of a model, which must be the same at every call.
func (c *boneChain) of(m *Model) []bone {
	c.once.Do(func() {
		axes, parents := m.BoneAxes()
		placed := make([]bool, len(parents))
		var path []int // from a joint up to the first that is placed
		for j := range parents {
			for ; j >= 0 && !placed[j]; j = parents[j] {
				placed[j], path = true, append(path, j)
			}
			for ; len(path) > 0; path = path[:len(path)-1] {
				k := path[len(path)-1]
				c.bones = append(c.bones, bone{k, parents[k], axes[k], m.Skeleton.Joints[k].Position.Cross(axes[k])})
			}
		}
	})
	return c.bones
}

// setTwists makes the accumulated twists and the swing matrices of all joints, whose rigid parts are current. It reads
// no inverse of a matrix, so a joint that is scaled to zero does no harm. It allocates nothing.
//
// The product preserves the hemisphere along the chain, because every twist is at most half a turn. So two joints of
// one chain are blended in the direction of their twists. In an unrolled frame the rotations' signs are kept, and a
// twist goes the way that it went through the clip.
func (f *Frame) setTwists() {
	bones := f.Centers.chain.of(f.Model)
	for i := range bones {
		b := &bones[i]
		t := &f.twist[b.joint]
		if b.parent < 0 {
			*t = geom.DualQuat{Real: geom.IdentityQuat()}
			f.swing[b.joint] = f.Matrices[b.joint]
			continue
		}
		sin, cos, opposite := geom.SincosHalfTwist(&f.rigid[b.parent].Real, &f.rigid[b.joint].Real, &b.axis)
		if f.Unrolled && opposite {
			sin, cos = -sin, -cos
		}
		t.SetTwisted(&f.twist[b.parent], &b.axis, &b.moment, sin, cos)
		f.swing[b.joint].SetWithout(&f.Matrices[b.joint], t)
	}
}

// twistSwing is Φ_TS of a vertex with two sets of weights, of linear blending and of the dual quaternions. The first
// share of the second is the strongest.
func twistSwing(f *Frame, swing, twist []Share, _ [valuesPerVertex]float32) geom.Affine {
	var sum geom.DualQuat
	for _, in := range twist {
		sum = sum.Add(f.twist[in.Joint].Scale(in.Weight))
	}
	if sum.Real.Dot(sum.Real) < kernel.ShortTwist*kernel.ShortTwist {
		sum = f.twist[twist[0].Joint]
	}
	return blendLinear(f.swing, swing).Mul(sum.Affine())
}

// twistSwingReference is Φ_TS where both sets are one.
func twistSwingReference(f *Frame, shares []Share, _ mgl64.Vec3) geom.Affine {
	return twistSwing(f, shares, shares, [valuesPerVertex]float32{})
}

// evaluateTwistSwing is Φ_TS.
func (f *Frame) evaluateTwistSwing(joints []uint16, u []float64, pivot int) geom.Affine {
	return f.blendTwistSwing(joints, u, u, pivot)
}

// EvaluateTwoSets is [Frame.Evaluate] of [TwistSwing] with weights for each of the two sets.
func (f *Frame) EvaluateTwoSets(joints []uint16, swings, twists []float64) geom.Affine {
	f.need(TwistSwing.Reads())
	return f.EvaluateTwoSetsSplit(joints, swings, twists)
}

// EvaluateTwoSetsSplit is [Frame.EvaluateTwoSets] for a [RigDriver], see [Frame.EvaluateSplit].
func (f *Frame) EvaluateTwoSetsSplit(joints []uint16, swings, twists []float64) geom.Affine {
	return f.blendTwistSwing(joints, swings, twists, PivotOf(twists))
}

// blendTwistSwing is Φ_TS of up to four joints. The pivot's twist is taken where the sum of twists has no direction.
func (f *Frame) blendTwistSwing(joints []uint16, swings, u []float64, pivot int) (m geom.Affine) {
	var i, j, k, h, di, dj, dk, dh float64
	for n, joint := range joints {
		w, q := u[n], &f.twist[joint]
		i, j, k, h = i+w*q.Real[0], j+w*q.Real[1], k+w*q.Real[2], h+w*q.Real[3]
		di, dj, dk, dh = di+w*q.Dual[0], dj+w*q.Dual[1], dk+w*q.Dual[2], dh+w*q.Dual[3]
	}
	d := geom.DualQuat{Real: geom.Quat{i, j, k, h}, Dual: geom.Quat{di, dj, dk, dh}}
	if i*i+j*j+k*k+h*h < kernel.ShortTwist*kernel.ShortTwist {
		d = f.twist[joints[pivot]]
	}
	var turned, swing geom.Affine
	d.AffineTo(&turned)
	sumMatrices(&swing, f.swing, joints, swings)
	m.SetProduct(&swing, &turned)
	return m
}
