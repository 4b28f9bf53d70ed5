package rig

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// HelperBones drives helper bones by polynomials of other joints' own rotations (HBR section 5). A helper bone is a
// child of one joint, its parent, and adds a motion of its own to the parent's. The skin is posed by linear blending
// over all of them.
type HelperBones struct {
	Inputs []HelperInput
	// Bones are in the order of insertion. The first are the most useful, so that a level of detail keeps a prefix.
	Bones []HelperBone
}

// HelperInput is the rotation that one joint adds to its parent's, as controllers read it. With R the rotation part of
// a skinning matrix and F the joint's [BindFrame], it is F·R_parentᵀ·R_joint·Fᵀ: the identity at the bind pose, in axes
// of the joint's bind frame. A controller's variables are components of its rotation vector, radians (the exponential
// map of HBR section 5.2).
type HelperInput struct {
	Joint  int
	Parent int          // the joint that Joint turns against, its parent in the skeleton; −1 for the world
	Axes   []mgl64.Vec3 // one to three, orthonormal, in the joint's bind frame; variable k is the component along Axes[k]
	// Center chooses between the two rotation vectors of one rotation: the one of the quaternion q with q·Center ≥ 0.
	// An angle may then pass π on the side to which the center is turned. Its w is not negative, so that a joint at its
	// bind pose has the rotation vector 0.
	Center geom.Quat
	// Least and Most have one number for each axis, in radians. Variables are clamped to this range, which is a little
	// larger than that of the examples, so that no polynomial is evaluated far from where it was learnt.
	Least, Most []float64
}

// HelperBone is one bone and its controller. Its matrix is C_parent·L, where L turns and scales about Place and then
// translates ([HelperMotion.Local]). A bone whose motion is 0 moves as its parent.
type HelperBone struct {
	Joint    int          // the joint that it moves, behind the model's own
	Parent   int          // the joint in whose bind frame it moves (HBR equation 9)
	Place    mgl64.Vec3   // rest space, metres
	Constant HelperMotion // its motion where all variables are 0, as at the bind pose
	Terms    []HelperTerm // at most one for each product of variables
}

// HelperMotion is the motion of a helper bone relative to its parent: a translation x, y, z in metres, a rotation
// vector x, y, z in radians, both in axes of the parent's bind frame, and a uniform scale minus 1.
type HelperMotion [7]float64

// HelperTerm adds Coefficients times a product of one input's variables (HBR equation 10).
type HelperTerm struct {
	Input        int      // index into Inputs
	Powers       [3]uint8 // of the input's variables; their sum, the degree, is from 1 to [MostDegree]
	Coefficients HelperMotion
}

// NonZeros counts the non-zero coefficients of the bone's controller, including those of the constant.
func (b *HelperBone) NonZeros() (n int) {
	count := func(m *HelperMotion) {
		for _, c := range m {
			if c != 0 {
				n++
			}
		}
	}
	count(&b.Constant)
	for t := range b.Terms {
		count(&b.Terms[t].Coefficients)
	}
	return n
}

// monomial is the product of an input's variables that a term has.
type monomial struct {
	input  int
	powers [3]uint8
}

// MostDegree is the highest degree of a controller's polynomials (HBR section 6.3).
const MostDegree = 3

var _ skinning.ChildRig = (*HelperBones)(nil)

// BindFrame returns the rotation from rest space to the axes of a joint's bind frame: the rotation part of FromRest.
func BindFrame(j *skinning.Joint) geom.Mat3 {
	r, _ := geom.PolarDecompose(j.FromRest.Linear())
	return r
}

// NewHelperInput returns the whole rotation of a joint against its parent in the skeleton: the three coordinate axes,
// about the bind pose, up to a half turn each way.
func NewHelperInput(s *skinning.Skeleton, joint int) HelperInput {
	return HelperInput{Joint: joint, Parent: s.Joints[joint].Parent, Center: geom.IdentityQuat(),
		Axes:  []mgl64.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		Least: []float64{-math.Pi, -math.Pi, -math.Pi}, Most: []float64{math.Pi, math.Pi, math.Pi}}
}

// Turn returns the rotation that the input reads from a palette, with one matrix per joint of the skeleton: the
// quaternion on Center's side. It allocates nothing.
func (in *HelperInput) Turn(s *skinning.Skeleton, matrices []geom.Affine) geom.Quat {
	turn, _ := geom.PolarDecompose(matrices[in.Joint].Linear())
	if in.Parent >= 0 {
		parent, _ := geom.PolarDecompose(matrices[in.Parent].Linear())
		turn = parent.Transpose().Mul(turn)
	}
	f := BindFrame(&s.Joints[in.Joint])
	q := geom.QuatFromMat3(f.Mul(turn).Mul(f.Transpose()))
	if q.Dot(in.Center) < 0 {
		q = q.Scale(-1)
	}
	return q
}

// Variables returns the variables of a rotation vector in the joint's bind frame, clamped; those of missing axes are 0.
// A quaternion's vector is 2·Log.
func (in *HelperInput) Variables(vector mgl64.Vec3) (x [3]float64) {
	for k, axis := range in.Axes {
		x[k] = max(in.Least[k], min(in.Most[k], axis.Dot(vector)))
	}
	return x
}

// Product returns the term's product of its input's variables.
func (t *HelperTerm) Product(x [3]float64) float64 {
	product := 1.0
	for k, power := range t.Powers {
		for range power {
			product *= x[k]
		}
	}
	return product
}

// Motion returns the motion of a bone for the variables of all inputs (HBR equation 10).
func (r *HelperBones) Motion(bone int, variables [][3]float64) HelperMotion {
	b := &r.Bones[bone]
	m := b.Constant
	for i := range b.Terms {
		t := &b.Terms[i]
		product := t.Product(variables[t.Input])
		for k, c := range t.Coefficients {
			m[k] += c * product
		}
	}
	return m
}

// Local returns L, the motion as a map of rest space, for a bone at a place whose parent has a bind frame F:
// x -> place + Fᵀt + (1 + s)·Fᵀ·exp(r)·F·(x − place).
func (m *HelperMotion) Local(place mgl64.Vec3, frame geom.Mat3) geom.Affine {
	turned := mgl64.Vec3(m[3:6])
	turn := frame.Transpose().Mul(geom.AxisAngle(turned, turned.Len()).Mat3()).Mul(frame)
	for k := range turn {
		turn[k] *= 1 + m[6]
	}
	shift := frame.Transpose().Apply(mgl64.Vec3(m[:3]))
	return geom.NewAffine(turn, place.Add(shift).Sub(turn.Apply(place)))
}

// WithHelperBones returns a copy of the model with a rig, whose bones' Joint fields are filled in, and with new weights
// over all joints: see [skinning.Model.WithRig]. The rig's numbers are rounded to seven digits, as float32 has them, so
// that a file has all of their digits and people can read them. Morph targets of the skin are left out, since examples
// keep their shapes in them.
func WithHelperBones(m *skinning.Model, rig HelperBones, weights skinning.Influences) (*skinning.Model, error) {
	places := make([]mgl64.Vec3, len(rig.Bones))
	own := rig.rounded()
	for k := range own.Bones {
		own.Bones[k].Joint = len(m.Skeleton.Joints) + k
		places[k] = own.Bones[k].Place
	}
	out, err := m.WithRig(own, places, weights)
	if err == nil {
		out.Skin.Morphs = nil
	}
	return out, err
}

// rounded returns a copy whose numbers have seven digits.
func (r *HelperBones) rounded() *HelperBones {
	out := &HelperBones{slices.Clone(r.Inputs), slices.Clone(r.Bones)}
	for i := range out.Inputs {
		in := &out.Inputs[i]
		in.Axes, in.Least, in.Most = slices.Clone(in.Axes), slices.Clone(in.Least), slices.Clone(in.Most)
		roundDigits(in.Center[:], in.Least, in.Most)
		for k := range in.Axes {
			roundDigits(in.Axes[k][:])
		}
	}
	for k := range out.Bones {
		b := &out.Bones[k]
		b.Terms = slices.Clone(b.Terms)
		roundDigits(b.Place[:], b.Constant[:])
		for i := range b.Terms {
			roundDigits(b.Terms[i].Coefficients[:])
		}
	}
	return out
}

// roundDigits rounds numbers to seven digits.
func roundDigits(lists ...[]float64) {
	for _, list := range lists {
		for i, x := range list {
			list[i], _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 7, 64), 64)
		}
	}
}

// Key implements [skinning.Rig].
func (r *HelperBones) Key() string { return helperBonesKey }

// Names implements [skinning.Rig].
func (r *HelperBones) Names() skinning.RigNames {
	return skinning.RigNames{Bone: helperBonesName, Title: "Helper bones",
		Note: "moved by polynomials of joint angles"}
}

// Joints implements [skinning.Rig].
func (r *HelperBones) Joints() []int {
	joints := make([]int, len(r.Bones))
	for k := range r.Bones {
		joints[k] = r.Bones[k].Joint
	}
	return joints
}

// Reads returns the bones' parents, the inputs' joints and the parents of these, each once.
func (r *HelperBones) Reads() (joints []int) {
	seen := map[int]bool{-1: true}
	add := func(j int) {
		if !seen[j] {
			seen[j] = true
			joints = append(joints, j)
		}
	}
	for k := range r.Bones {
		add(r.Bones[k].Parent)
	}
	for i := range r.Inputs {
		add(r.Inputs[i].Joint)
		add(r.Inputs[i].Parent)
	}
	return joints
}

// Shares returns the bone's parent.
func (r *HelperBones) Shares(k int) (joints []uint16, weights []float64) {
	return []uint16{uint16(r.Bones[k].Parent)}, []float64{1}
}

// ParentOf implements [skinning.ChildRig].
func (r *HelperBones) ParentOf(k int) int { return r.Bones[k].Parent }

// Remap implements [skinning.Rig].
func (r *HelperBones) Remap(of func(joint int) int) skinning.Rig {
	out := &HelperBones{slices.Clone(r.Inputs), slices.Clone(r.Bones)}
	for i := range out.Inputs {
		in := &out.Inputs[i]
		in.Joint = of(in.Joint)
		if in.Parent >= 0 {
			in.Parent = of(in.Parent)
		}
	}
	for k := range out.Bones {
		b := &out.Bones[k]
		b.Joint, b.Parent = of(b.Joint), of(b.Parent)
	}
	return out
}
