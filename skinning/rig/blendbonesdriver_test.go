package rig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// randomBones returns blend bones of one to four masters each, with u-weights of which some are none.
func randomBones(r *rand.Rand, bones, joints int) (out []BlendBone) {
	for range bones {
		var b BlendBone
		sum := 0.0
		for _, j := range r.Perm(joints)[:1+r.IntN(maxMasters)] {
			w := 0.05 + r.Float64()
			if len(b.Weights) > 0 && r.IntN(8) == 0 {
				w = 0
			}
			b.Masters, b.Weights = append(b.Masters, uint16(j)), append(b.Weights, w)
			sum += w
		}
		for k := range b.Weights {
			b.Weights[k] /= sum
		}
		out = append(out, b)
	}
	return out
}

// A frame's blend bones are where Evaluate puts them, whatever the kernels leave to it: masters turned against each
// other by nothing to half a turn, scaled, mirrored, any number of bones of any number of masters. All forms of a
// matrix are the same matrix.
func TestBlendBonesMatchEvaluate(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	served := make(map[skinning.Method]int)
	for round := range 600 {
		plain := skinningtest.RandomModel(3, 7, 2, uint64(round%9))
		bones := randomBones(r, 1+r.IntN(22), 7)
		pose := []float64{0, 1e-9, 1e-4, 0.2, 0.4, 0.8, math.Pi}[round%7]
		for _, operator := range skinning.Methods() {
			m, err := WithBlendBones(plain, operator, bones, plain.Skin.Influences)
			if err != nil {
				t.Fatal(err)
			}
			f := skinning.NewFrame(m, nil)
			p := skinningtest.TurnedPose(r, m, pose, round%5 == 1, round%10 == 1)
			f.SetPose(p)
			level, _ := simd.Default()
			served[operator] += driveBones(f, level).served()
			for i := range blendOf(m).Bones {
				if err := checkBone(f, i); err != nil {
					t.Fatalf("round %d, %v: bone %d: %v", round, operator, i, err)
				}
			}
		}
	}
	if level, _ := simd.Default(); level == simd.Scalar {
		return
	}
	// Of 1,963 groups the kernels leave little: half turns of DIB, and of SBS what turns about one axis alone.
	for operator, least := range map[skinning.Method]int{skinning.DQS: 1900,
		skinning.SDQS: 1900, skinning.DIB: 1850, skinning.SBS: 1000} {
		if served[operator] < least {
			t.Errorf("%v: the kernel drove %d groups of bones in 600 poses", operator, served[operator])
		}
	}
}

// A frame drives its bones in the form that it is told to, as whoever times one form needs it.
func TestFrameUseLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	plain := skinningtest.RandomModel(3, 8, 2, 1)
	m, err := WithBlendBones(plain, skinning.DQS, randomBones(r, 6, 8), plain.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	p := skinningtest.TurnedPose(r, m, 1, false, false)
	f := skinning.NewFrame(m, nil)
	for _, level := range slices.Backward(simd.Levels()) {
		f.UseLevel(level)
		f.SetPose(p)
		was := slices.Clone(f.Matrices)
		d := driveBones(f, level)
		if (d.kernel != nil) != (level != simd.Scalar) {
			t.Errorf("at %v a kernel drives the bones: %t", level, d.kernel != nil)
		}
		if !slices.Equal(was, f.Matrices) {
			t.Errorf("at %v a driver of that level puts the bones elsewhere", level)
		}
		for i := range blendOf(m).Bones {
			if err := checkBone(f, i); err != nil {
				t.Errorf("%v: bone %d: %v", level, i, err)
			}
		}
	}
}

// checkBone holds bone i of a posed frame against Evaluate.
func checkBone(f *skinning.Frame, i int) error {
	b, operator := &blendOf(f.Model).Bones[i], blendOf(f.Model).Operator
	got, want := f.Matrices[b.Joint], f.Evaluate(operator, b.Masters, b.Weights)
	size := 1 + f.RotationCenter(b.Masters).Len()
	for _, j := range b.Masters {
		size = max(size, f.Matrices[j].Translation().Len())
	}
	limit := 2e-14 * size // rounding; the rotation of masters without a scale is a series in one of the two
	switch operator {
	case skinning.DIB:
		limit = 1e-9 * size // see blendTolerance
	case skinning.SBS:
		limit = 1e-9 * size // of a centre that is nearly free, rounding takes 1e-10: see wellPosed
	}
	if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= limit) {
		return fmt.Errorf("of %v by %v: off by %g of %g", b.Masters, b.Weights, d, size)
	}
	return checkRounded(f, b.Joint)
}

// served counts the groups of the last pose that needed nothing else.
func (d *blendBonesDriver) served() (n int) {
	for _, failed := range d.failed[:len(d.blends)] {
		if failed == 0 {
			n++
		}
	}
	return n
}

// scaledMatrices returns a matrix for every joint: turned, and scaled about the joint along axes of its own by what
// scale returns, a third of them mirrored.
func scaledMatrices(r *rand.Rand, s *skinning.Skeleton, scale func() mgl64.Vec3) (out []geom.Affine) {
	turn := func() geom.Mat3 {
		return geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 6*r.Float64()).Mat3()
	}
	for j := range s.Joints {
		by := scale()
		if r.IntN(3) == 0 {
			by[r.IntN(3)] *= -1
		}
		axes := turn()
		c := turn().Mul(axes).Mul(geom.Mat3{by[0], 0, 0, 0, by[1], 0, 0, 0, by[2]}).Mul(axes.Transpose())
		at := s.Joints[j].Position
		moved := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		out = append(out, geom.NewAffine(c, at.Add(moved).Sub(c.Apply(at))))
	}
	return out
}

// Joints scaled by 1e-12 to 1e6, evenly, unevenly and by another power of ten along each axis, are taken apart without
// loss at every level, and blend bones of them are the same at every level. The unit is the size of the joint's linear
// part, or of the largest of a bone's masters.
func TestSplitAtAnyScale(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	plain := skinningtest.RandomModel(3, 8, 2, 1)
	power := func() float64 { return math.Pow(10, -12+18*r.Float64()) }
	near := func() float64 { return 0.6 + 0.8*r.Float64() }
	kinds := []struct {
		name  string
		scale func() mgl64.Vec3
	}{
		{"even", func() mgl64.Vec3 { x := power(); return mgl64.Vec3{x, x, x} }},
		{"uneven", func() mgl64.Vec3 { return mgl64.Vec3{near(), near(), near()}.Mul(power()) }},
		{"any", func() mgl64.Vec3 { return mgl64.Vec3{power(), power(), power()} }},
	}
	for _, kind := range kinds {
		for round := range 300 {
			bones := randomBones(r, 6, 8)
			matrices := scaledMatrices(r, &plain.Skeleton, kind.scale)
			for _, operator := range []skinning.Method{skinning.SDQS, skinning.DIB} {
				m, err := WithBlendBones(plain, operator, bones, plain.Skin.Influences)
				if err != nil {
					t.Fatal(err)
				}
				var scalar *skinning.Frame
				for _, level := range simd.Levels() {
					f := skinning.NewFrame(m, nil)
					f.UseLevel(level)
					copy(f.Matrices, matrices)
					f.DriveRigs()
					if level == simd.Scalar {
						scalar = f
					}
					if err := checkScaled(f, scalar, len(matrices)); err != nil {
						t.Fatalf("%s, round %d: %v at %v: %v", kind.name, round, operator, level, err)
					}
				}
			}
		}
	}
}

// checkScaled holds the parts of a frame's first joints against their matrices, and its blend bones against another
// frame's.
func checkScaled(f, want *skinning.Frame, joints int) error {
	linear := func(a geom.Affine) []float64 { l := a.Linear(); return l[:] }
	zero := make([]float64, 9)
	rigid, scale := f.Rigid(), f.Scale()
	for j := range joints {
		c, at := f.Matrices[j], f.Model.Skeleton.Joints[j].Position
		size := skinningtest.MaxDiff(linear(c), zero)
		got := rigid[j].Affine().Mul(scale[j])
		// Rounding, times the inverse of polarUneven.
		if off := skinningtest.MaxDiff(linear(got), linear(c)); !(off <= 1e-14*size) {
			return fmt.Errorf("the parts of joint %d, %v, are off by %g of its size", j, c, off/size)
		}
		// The parts keep the joint itself where it was, which is a few metres away.
		if off := got.Apply(at).Sub(c.Apply(at)).Len(); !(off <= 1e-14*(1+size)) {
			return fmt.Errorf("the parts of joint %d, %v, move it by %g", j, c, off)
		}
	}
	limit := 1e-12 // rounding, times what the mean of motions far apart does to it
	if blendOf(f.Model).Operator == skinning.DIB {
		limit = 1e-9 // see blendTolerance
	}
	for i := range blendOf(f.Model).Bones {
		b := &blendOf(f.Model).Bones[i]
		size := 0.0
		for _, j := range b.Masters {
			size = max(size, skinningtest.MaxDiff(linear(f.Matrices[j]), zero))
		}
		got, same := f.Matrices[b.Joint], want.Matrices[b.Joint]
		if off := skinningtest.MaxDiff(linear(got), linear(same)); !(off <= limit*size) {
			return fmt.Errorf("bone %d is off from scalar by %g of its masters' size", i, off/size)
		}
	}
	return nil
}

// Driving blend bones allocates nothing, also where kernels leave bones over.
func TestBlendBonesAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	plain := skinningtest.RandomModel(3, 7, 2, 1)
	bones := randomBones(r, 10, 7)
	for _, operator := range skinning.Methods() {
		m, err := WithBlendBones(plain, operator, bones, plain.Skin.Influences)
		if err != nil {
			t.Fatal(err)
		}
		for _, scaled := range []bool{false, true} {
			f := skinning.NewFrame(m, nil)
			f.SetPose(skinningtest.TurnedPose(r, m, 3, scaled, scaled))
			if n := testing.AllocsPerRun(10, f.DriveRigs); n != 0 {
				t.Errorf("%v, scaled %v: %v allocations", operator, scaled, n)
			}
		}
	}
}

// A frame that is unrolled, whose signs are not the pivots', is driven as Evaluate has it.
func TestBlendBonesUnrolled(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	plain := skinningtest.RandomModel(3, 7, 2, 1)
	m, err := WithBlendBones(plain, skinning.DQS, randomBones(r, 6, 7), plain.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	f := skinning.NewFrame(m, nil)
	f.SetPose(skinningtest.TurnedPose(r, m, 1, false, false))
	for j := range f.Rigid() {
		if j%2 == 1 {
			f.Rigid()[j] = f.Rigid()[j].Scale(-1)
		}
	}
	f.Unrolled = true
	f.DriveRigs()
	for i := range blendOf(m).Bones {
		b := &blendOf(m).Bones[i]
		if got, want := f.Matrices[b.Joint], f.Evaluate(skinning.DQS, b.Masters, b.Weights); got != want {
			t.Errorf("bone %d: %v, expected %v", i, got, want)
		}
	}
}
