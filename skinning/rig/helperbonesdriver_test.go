package rig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/num/quat"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// boundModel is a random chain of joints whose bind frames are turned, and scaled as in a file of centimetres.
func boundModel(joints int, seed uint64) *skinning.Model {
	m := skinningtest.RandomModel(10, joints, 2, seed)
	r := rand.New(rand.NewPCG(seed, 41))
	for n := range m.Skeleton.Nodes {
		rest := &m.Skeleton.Nodes[n].Rest
		rest.Rotation = geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 3*r.Float64())
		if n == 0 {
			rest.Scale = mgl64.Vec3{0.01, 0.01, 0.01}
		} else {
			rest.Translation = rest.Translation.Mul(100)
		}
	}
	globals := make([]geom.Affine, joints)
	m.Skeleton.Globals(globals, m.NewPose())
	for j := range joints {
		m.Skeleton.Joints[j].FromRest, _ = globals[j].Inverse()
		m.Skeleton.Joints[j].Position = globals[j].Translation()
	}
	return m
}

// turnJoints turns joints at their rest transforms by random rotations, and scales and mirrors some.
func turnJoints(m *skinning.Model, scaled, mirrored bool, seed uint64) *skinning.Frame {
	r := rand.New(rand.NewPCG(seed, 51))
	turns, p := skinningtest.TurnedPose(r, m, 3, scaled, mirrored), m.NewPose()
	for n := range p.Local {
		local := &p.Local[n]
		local.Rotation = local.Rotation.Mul(turns.Local[n].Rotation)
		for c := range local.Scale {
			local.Scale[c] *= turns.Local[n].Scale[c]
		}
	}
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	return f
}

// denseRotation is the rotation of the polar decomposition by singular values, R = ±U·Vᵀ.
func denseRotation(m geom.Mat3) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(mat.NewDense(3, 3, slices.Clone(m[:])), mat.SVDFull)
	var u, v, r mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	r.Mul(&u, v.T())
	if mat.Det(&r) < 0 {
		r.Scale(-1, &r)
	}
	return &r
}

// denseLog is the rotation vector of a rotation by the logarithm of quaternions, that of the quaternion on a side.
func denseLog(r *mat.Dense, center geom.Quat) mgl64.Vec3 {
	// Twice the quaternion is the largest column of the matrix 4·q·qᵀ over its diagonal's root.
	at := func(i, j int) float64 { return r.At(i, j) }
	outer := [4][4]float64{
		{1 + at(0, 0) - at(1, 1) - at(2, 2), at(0, 1) + at(1, 0), at(0, 2) + at(2, 0), at(2, 1) - at(1, 2)},
		{0, 1 - at(0, 0) + at(1, 1) - at(2, 2), at(1, 2) + at(2, 1), at(0, 2) - at(2, 0)},
		{0, 0, 1 - at(0, 0) - at(1, 1) + at(2, 2), at(1, 0) - at(0, 1)},
		{0, 0, 0, 1 + at(0, 0) + at(1, 1) + at(2, 2)},
	}
	best := 0
	for i := range outer {
		for j := range i {
			outer[i][j] = outer[j][i]
		}
		if outer[i][i] > outer[best][best] {
			best = i
		}
	}
	q := outer[best]
	n := quat.Number{Imag: q[0], Jmag: q[1], Kmag: q[2], Real: q[3]}
	n = quat.Scale(1/quat.Abs(n), n)
	if n.Imag*center[0]+n.Jmag*center[1]+n.Kmag*center[2]+n.Real*center[3] < 0 {
		n = quat.Scale(-1, n)
	}
	l := quat.Scale(2, quat.Log(n))
	return mgl64.Vec3{l.Imag, l.Jmag, l.Kmag}
}

// denseHelper is the matrix of a helper bone in a pose, straight from the definition: place + Fᵀt +
// (1 + s)·Fᵀ·exp(r)·F·(x − place) after the parent, exp(r) that of the matrix [r]×.
func denseHelper(r *HelperBones, bone int, s *skinning.Skeleton, matrices []geom.Affine) geom.Affine {
	b := &r.Bones[bone]
	motion := b.Constant
	for _, t := range b.Terms {
		in := &r.Inputs[t.Input]
		turn, frame := denseRotation(matrices[in.Joint].Linear()), denseRotation(s.Joints[in.Joint].FromRest.Linear())
		if in.Parent >= 0 {
			turn.Mul(denseRotation(matrices[in.Parent].Linear()).T(), turn)
		}
		turn.Mul(turn, frame.T())
		turn.Mul(frame, turn)
		vector, product := denseLog(turn, in.Center), 1.0
		for k, axis := range in.Axes {
			x := math.Min(math.Max(axis.Dot(vector), in.Least[k]), in.Most[k])
			product *= math.Pow(x, float64(t.Powers[k]))
		}
		for k := range motion {
			motion[k] += product * t.Coefficients[k]
		}
	}
	frame := denseRotation(s.Joints[b.Parent].FromRest.Linear())
	x, y, z := motion[3], motion[4], motion[5]
	var linear, moved mat.Dense
	linear.Exp(mat.NewDense(3, 3, []float64{0, -z, y, z, 0, -x, -y, x, 0}))
	linear.Mul(&linear, frame)
	linear.Mul(frame.T(), &linear)
	linear.Scale(1+motion[6], &linear)
	moved.Mul(frame.T(), mat.NewVecDense(3, slices.Clone(motion[:3])))
	shift := b.Place.Add(mgl64.Vec3{moved.At(0, 0), moved.At(1, 0), moved.At(2, 0)})
	l := geom.Mat3(linear.RawMatrix().Data)
	return matrices[b.Parent].Mul(geom.NewAffine(l, shift.Sub(l.Apply(b.Place))))
}

// TestHelperBonesDriven: frames of all levels drive helper bones as their definition says, over joints that turn by up
// to three radians, are scaled, sheared by their parents, and mirrored. The forms in float32 are of the same matrices.
func TestHelperBonesDriven(t *testing.T) {
	for seed := range uint64(4) {
		for degree := 1; degree <= MostDegree; degree++ {
			m := randomHelpers(t, boundModel(8, seed), 5, 5, degree, seed+10)
			r := helpersOf(m)
			for kind, f := range []*skinning.Frame{turnJoints(m, false, false, seed), turnJoints(m, true, false, seed),
				turnJoints(m, true, true, seed)} {
				for _, level := range simd.Levels() {
					r.NewDriver(&m.Skeleton, level).Drive(f)
					for k := range r.Bones {
						got, want := f.Matrices[r.Bones[k].Joint], denseHelper(r, k, &m.Skeleton, f.Matrices)
						// Metres. Rounding of rotations, 1e-15, grows by the singular values' gaps and the
						// coefficients: 1e-11 has room for a joint that is scaled to a tenth.
						if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= 1e-11) {
							t.Errorf("seed %d, degree %d, pose %d, %v: bone %d is off by %g", seed, degree, kind, level, k, d)
						}
						if err := checkRounded(f, r.Bones[k].Joint); err != nil {
							t.Error(err)
						}
					}
				}
			}
		}
	}
}

// TestHelperBonesStepwise: what the rig's own methods make of a pose, one after the other, is what its driver makes.
func TestHelperBonesStepwise(t *testing.T) {
	m := randomHelpers(t, boundModel(8, 1), 5, 5, 3, 11)
	r, f := helpersOf(m), turnJoints(m, true, false, 1)
	variables := make([][3]float64, len(r.Inputs))
	for i := range r.Inputs {
		in := &r.Inputs[i]
		variables[i] = in.Variables(in.Turn(&m.Skeleton, f.Matrices).Log().Mul(2))
	}
	for k := range r.Bones {
		b := &r.Bones[k]
		motion := r.Motion(k, variables)
		want := f.Matrices[b.Parent].Mul(motion.Local(b.Place, BindFrame(&m.Skeleton.Joints[b.Parent])))
		got := f.Matrices[b.Joint]
		if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= 1e-11) { // metres, as in TestHelperBonesDriven
			t.Errorf("bone %d is off by %g", k, d)
		}
	}
}

// hinge is a model of one helper bone whose translation x, in its parent's bind frame, is the angle of joint 3 about
// z, within a range and about a center.
func hinge(t *testing.T, center, least, most float64) *skinning.Model {
	t.Helper()
	m := boundModel(5, 3)
	in := NewHelperInput(&m.Skeleton, 3)
	in.Axes, in.Center = []mgl64.Vec3{{0, 0, 1}}, geom.AxisAngle(mgl64.Vec3{0, 0, 1}, center)
	in.Least, in.Most = []float64{least}, []float64{most}
	term := HelperTerm{Powers: [3]uint8{1}, Coefficients: HelperMotion{1}}
	m, err := WithHelperBones(m, HelperBones{[]HelperInput{in}, []HelperBone{{Parent: 2, Terms: []HelperTerm{term}}}},
		m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// hingeReads returns the variable of a hinge model's bone with joint 3 turned by an angle.
func hingeReads(f *skinning.Frame, p *skinning.Pose, angle float64) float64 {
	s := &f.Model.Skeleton
	rest := s.Nodes[3].Rest.Rotation
	p.Local[3].Rotation = rest.Mul(geom.AxisAngle(mgl64.Vec3{0, 0, 1}, angle))
	f.SetPose(p)
	inverse, _ := f.Matrices[2].Inverse()
	back := inverse.Mul(f.Matrices[5])
	return BindFrame(&s.Joints[2]).Apply(back.Translation())[0]
}

// TestHelperInputPassesPi: an angle is read from where the center lets it begin to a turn later, without a jump at π,
// and stays at the ends of its range beyond.
func TestHelperInputPassesPi(t *testing.T) {
	const least, most = -0.1, 5
	m := hinge(t, 2.6, least, most)
	f, p := skinning.NewFrame(m, nil), m.NewPose()
	for i := range 5800 {
		angle := -0.5 + 0.001*float64(i) // to 5.3: less than half a turn from the center on either side
		got, want := hingeReads(f, p, angle), min(most, max(least, angle))
		// Radians. The rounding of a rotation to matrices and back.
		if !(math.Abs(got-want) <= 1e-12) {
			t.Fatalf("at %.3f rad the controller reads %.15f, expected %.15f", angle, got, want)
		}
	}
}

// TestHelperInputSmall: rotation vectors keep their digits where nearly nothing turns, and at the ends of half a turn.
func TestHelperInputSmall(t *testing.T) {
	m := hinge(t, 0, -4, 4)
	f, p := skinning.NewFrame(m, nil), m.NewPose()
	for _, angle := range []float64{0, 1e-15, 1e-10, 2e-9, 1e-8, 1e-5, 1e-3, 1, math.Pi - 1e-3, math.Pi - 1e-7,
		math.Pi - 1e-9} {
		for _, sign := range []float64{1, -1} {
			got := hingeReads(f, p, sign*angle)
			if !(math.Abs(got-sign*angle) <= 1e-14) { // radians: the rounding of rotation matrices
				t.Errorf("at %g rad the controller reads %g, off by %g", sign*angle, got, got-sign*angle)
			}
		}
	}
}

// TestHelperMotionSmall: the rotation of a bone keeps its digits at any angle of its vector.
func TestHelperMotionSmall(t *testing.T) {
	for _, angle := range []float64{0, 1e-12, 1e-6, 9.9e-4, 1.01e-3, 0.5, math.Pi, 2 * math.Pi, 9} {
		axis := mgl64.Vec3{2, -1, 3}.Normalize()
		b := driverBone{constant: HelperMotion{3: angle * axis[0], 4: angle * axis[1], 5: angle * axis[2]}}
		var got geom.Affine
		b.local(&got, nil)
		want := geom.AxisAngle(axis, angle).Mat3()
		l := got.Linear()
		if d := skinningtest.MaxDiff(l[:], want[:]); !(d <= 2e-15) { // rounding
			t.Errorf("at %g rad the bone is off by %g", angle, d)
		}
	}
}

// TestHelperBonesAllocate: driving allocates nothing, at any level.
func TestHelperBonesAllocate(t *testing.T) {
	m := randomHelpers(t, boundModel(8, 1), 4, 5, 2, 11)
	f := turnJoints(m, false, false, 1)
	for _, level := range simd.Levels() {
		d := helpersOf(m).NewDriver(&m.Skeleton, level)
		d.Drive(f)
		if n := testing.AllocsPerRun(10, func() { d.Drive(f) }); n != 0 {
			t.Errorf("%v: %g allocations, expected none", level, n)
		}
	}
}

// TestHelperBonesRemap: a rig whose joints have other numbers drives them alike.
func TestHelperBonesRemap(t *testing.T) {
	const joints, bones = 8, 4
	m := randomHelpers(t, boundModel(joints, 1), bones, 5, 2, 11)
	n := joints + bones
	back := func(j int) int { return n - 1 - j }
	there := helpersOf(m).Remap(back)
	turned := *m
	turned.Skeleton.Joints = slices.Clone(m.Skeleton.Joints)
	slices.Reverse(turned.Skeleton.Joints)
	turned.Rigs = nil
	turned.Skin.Influences = skinning.Influences{}
	turned.Skin.Positions, turned.Skin.Normals = nil, nil
	for j := range turned.Skeleton.Joints {
		if p := &turned.Skeleton.Joints[j].Parent; *p >= 0 {
			*p = back(*p)
		}
	}
	if err := turned.SetRig(there); err != nil {
		t.Fatal(err)
	}
	f, g := turnJoints(m, false, false, 5), turnJoints(&turned, false, false, 5)
	for j := range f.Matrices {
		got := g.Matrices[back(j)]
		if d := skinningtest.MaxDiff(got[:], f.Matrices[j][:]); !(d <= 1e-14) { // the order of joints in a kernel's group
			t.Errorf("joint %d is off by %g", j, d)
		}
	}
	if again := there.Remap(back); fmt.Sprint(again) != fmt.Sprint(helpersOf(m)) {
		t.Errorf("mapped twice: %v, expected %v", again, helpersOf(m))
	}
}

// At the bind pose a controller is as steep as its linear coefficients say: turning an input's joint by a small angle
// e about an axis moves a point x of the bone, seen from its parent, by e·Fᵀ(t + r×F(x − place) + s·F(x − place)),
// where t, r and s are the coefficients of that axis. The difference quotient over ±1e-4 rad is off by its square,
// 1e-8 of the coefficients and of the distances, which are all about 1; rounding adds 1e-16/1e-4.
func TestHelperBonesSlopeAtRest(t *testing.T) {
	const e = 1e-4
	m := boundModel(4, 3)
	r := rand.New(rand.NewPCG(71, 72))
	for joint := 1; joint < 4; joint++ {
		bone := HelperBone{Parent: m.Skeleton.Joints[joint].Parent, Place: mgl64.Vec3{0.3, -0.2, 0.5}}
		var powers [][3]uint8
		for k := range 3 {
			var linear, square [3]uint8 // squares do not change the slope
			linear[k], square[k] = 1, 2
			powers = append(powers, linear, square)
		}
		for _, p := range powers {
			term := HelperTerm{Powers: p}
			for k := range term.Coefficients {
				term.Coefficients[k] = r.NormFloat64()
			}
			bone.Terms = append(bone.Terms, term)
		}
		helped, err := WithHelperBones(m, HelperBones{[]HelperInput{NewHelperInput(&m.Skeleton, joint)}, []HelperBone{bone}},
			m.Skin.Influences)
		if err != nil {
			t.Fatal(err)
		}
		frame := BindFrame(&m.Skeleton.Joints[bone.Parent])
		x := mgl64.Vec3{-0.4, 0.6, 0.1}
		at := frame.Apply(x.Sub(bone.Place))
		for k := range 3 {
			var moved [2]mgl64.Vec3
			var axis mgl64.Vec3
			axis[k] = 1
			for side, angle := range [...]float64{-e, e} {
				f, p := skinning.NewFrame(helped, nil), helped.NewPose()
				local := &p.Local[m.Skeleton.Joints[joint].Node]
				local.Rotation = local.Rotation.Mul(geom.AxisAngle(axis, angle))
				f.SetPose(p)
				back, _ := f.Matrices[bone.Parent].Inverse()
				moved[side] = back.Apply(f.Matrices[len(m.Skeleton.Joints)].Apply(x))
			}
			c := &bone.Terms[2*k].Coefficients
			want := frame.Transpose().Apply(mgl64.Vec3(c[:3]).Add(mgl64.Vec3(c[3:6]).Cross(at)).Add(at.Mul(c[6])))
			if d := moved[1].Sub(moved[0]).Mul(0.5 / e).Sub(want).Len(); !(d <= 1e-6) {
				t.Errorf("joint %d, axis %d: the slope is off by %g", joint, k, d)
			}
		}
	}
}
