package rig

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// randomKey predicts from joints 1 to 3 of a chain, by one of them twice.
func randomKey(r *rand.Rand) *GradientKey {
	term := func(joint int) RotationTerm {
		return RotationTerm{Joint: joint, U: 0.3 + 0.4*r.Float64(), W: randomRotation(r)}
	}
	k := &GradientKey{Terms: []RotationTerm{term(2), term(3)}, First: 2, Second: 1}
	for n := range k.Shear {
		for c := range k.Shear[n] {
			k.Shear[n][c] = 0.2 * r.NormFloat64()
		}
	}
	return k
}

func randomRotation(r *rand.Rand) geom.Quat {
	return geom.Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
}

var fourJoints = []int{-1, 0, 1, 2}

// turnsOf gives every joint of a chain a rotation relative to its parent.
func turnsOf(middle []mgl64.Vec3, own ...geom.Quat) *JointRotations {
	for j := 1; j < len(own); j++ {
		own[j] = own[j-1].Mul(own[j])
	}
	var t JointRotations
	t.Set(fourJoints, middle, own)
	return &t
}

func randomMiddle(r *rand.Rand) (m []mgl64.Vec3) {
	for range fourJoints {
		v := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
		m = append(m, v.Mul(r.Float64()*fadeAngle))
	}
	return m
}

// TestKeyAcrossCuts: joints turn at random all the way round, past their cuts and through no rotation at all, and the
// gradient runs on: in steps of 1e-4 of a turn it changes by no more than 0.02, its size being about 1, when across a
// cut the vectors themselves change by a full turn.
func TestKeyAcrossCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	crossed := 0
	for range 40 {
		k, middle := randomKey(r), randomMiddle(r)
		var axes [4]mgl64.Vec3
		var start [4]geom.Quat
		for j := range axes {
			axes[j] = mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			start[j] = randomRotation(r)
			if r.IntN(2) == 0 {
				start[j] = geom.IdentityQuat()
			}
		}
		var last *JointRotations
		var was geom.Mat3
		const steps = 10_000
		for i := range steps + 1 {
			var own [4]geom.Quat
			for j := range own {
				own[j] = geom.AxisAngle(axes[j], 2*math.Pi*(float64(i)/steps-0.5)).Mul(start[j])
			}
			now := turnsOf(middle, own[:]...)
			d := k.At(fourJoints, now)
			if last != nil {
				for j := 1; j < 4; j++ {
					if now.Theta[j].Sub(last.Theta[j]).Len() > 3 {
						crossed++
					}
				}
				for c := range d {
					if !(math.Abs(d[c]-was[c]) <= 0.02) {
						t.Fatalf("step %d: entry %d of the gradient jumps from %g to %g", i, c, was[c], d[c])
					}
				}
			}
			last, was = now, d
		}
	}
	if crossed < 100 {
		t.Errorf("cuts were crossed %d times, expected one for most joints", crossed)
	}
}

// TestKeySides: at a cut both sides count half and give the same mean; a joint is on one side at a time, also where a
// key reads it twice. Held against the four means by hand, to rounding.
func TestKeySides(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	for range 100 {
		k, middle := randomKey(r), randomMiddle(r)
		middle[1], middle[2] = mgl64.Vec3{}, mgl64.Vec3{}
		turn := func() geom.Quat {
			return geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), 1}, fadeAngle+0.05+0.4*r.Float64())
		}
		p := turnsOf(middle, geom.IdentityQuat(), turn(), turn(), geom.IdentityQuat())
		var want geom.Mat3
		for side := range 4 {
			at := JointRotations{Q: p.Q, Theta: append([]mgl64.Vec3(nil), p.Theta...)}
			weight := 1.0
			for b, j := range [...]int{1, 2} {
				if side>>b&1 == 1 {
					at.Theta[j] = p.Other[j]
					weight *= p.Share[j]
				} else {
					weight *= 1 - p.Share[j]
				}
			}
			d := k.At(fourJoints, &at)
			for c := range want {
				want[c] += weight * d[c]
			}
		}
		got := k.At(fourJoints, p)
		for c := range want {
			if !(math.Abs(got[c]-want[c]) <= 1e-12) {
				t.Fatalf("entry %d is %g, the mean over both sides of two joints %g", c, got[c], want[c])
			}
		}
	}
}

// TestBothTurns: the vectors on both sides are of one rotation; the second counts half at the cut, and nothing up to
// fadeAngle from the middle nor for a middle beyond a half turn.
func TestBothTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 5))
	for range 2000 {
		v := geom.RotationVector(randomRotation(r))
		to := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize().Mul(4 * r.Float64())
		near, far, share := nearAndFar(v, to)
		if d := far.Sub(near).Len(); !(math.Abs(d-2*math.Pi) <= 1e-9) {
			t.Fatalf("%v and %v are %g rad apart, expected a full turn", near, far, d)
		}
		if c := geom.AxisAngle(near, near.Len()).Dot(geom.AxisAngle(far, far.Len())); !(math.Abs(c) >= 1-1e-9) {
			t.Fatalf("%v and %v are not the same rotation", near, far)
		}
		axis := v.Normalize()
		off := math.Abs(to.Sub(near).Dot(axis))
		if !(off <= math.Abs(to.Sub(far).Dot(axis))) {
			t.Fatalf("%v is nearer to %v than %v", far, to, near)
		}
		if fades := off > math.Max(fadeAngle, to.Len()) && to.Len() < math.Pi; fades != (share > 0) || share > 0.5 {
			t.Fatalf("%v, %g rad from the middle %v: the other side counts %g", near, off, to, share)
		}
		for _, cut := range []float64{math.Pi - 1e-9, math.Pi + 1e-9} {
			if _, _, share := nearAndFar(axis.Mul(cut), mgl64.Vec3{}); !(math.Abs(share-0.5) <= 1e-7) {
				t.Fatalf("at the cut the other side counts %g", share)
			}
		}
	}
}
