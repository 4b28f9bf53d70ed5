package rig

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// GradientKey predicts one key deformation gradient from a pose (RTER section 3): a rotation by one or two joints, then
// a scale and shear that is linear in two joints' rotation vectors. Joints are indices into the rig's masters.
type GradientKey struct {
	Terms []RotationTerm // one or two; the second rotates the result of the first
	// Shear is H (RTER section 3.3) over the rotation vectors of First and Second and a constant: row k predicts
	// entry k of S.
	Shear         [9][7]float64
	First, Second int // −1 for none
}

// Rotation returns R(q) on this side of every joint's cut.
func (k *GradientKey) Rotation(parents []int, t *JointRotations) geom.Quat {
	v := k.vectors(t)
	return k.rotation(parents, t, &v)
}

// Features returns the variables of the linear shear, [θ_b1, θ_b2, 1], on the near side of both joints' cuts.
func (k *GradientKey) Features(t *JointRotations) (f [7]float64) {
	v := k.vectors(t)
	return v.features()
}

// At returns D(q) = R(q)·S(q). Near the cut of a joint's rotation vector it is the mean of the predictions from the
// vectors on both sides, weighted by their shares, so that it is continuous over all poses.
func (k *GradientKey) At(parents []int, t *JointRotations) geom.Mat3 {
	v := k.vectors(t)
	if t.Share != nil {
		for _, j := range k.joints() {
			if j >= 0 && t.Share[j] > 0 {
				return k.across(parents, t, v, 0)
			}
		}
	}
	return k.at(parents, t, &v)
}

// across is the mean over both sides of the cuts of the joints from number n on.
func (k *GradientKey) across(parents []int, t *JointRotations, v keyVectors, n int) geom.Mat3 {
	joints := k.joints()
	for ; n < len(joints); n++ {
		j := joints[n]
		if j < 0 || !(t.Share[j] > 0) || slices.Contains(joints[:n], j) {
			continue
		}
		here := k.across(parents, t, v, n+1)
		for m := n; m < len(joints); m++ {
			if joints[m] == j {
				v[m] = t.Other[j]
			}
		}
		there := k.across(parents, t, v, n+1)
		for c := range here {
			here[c] += t.Share[j] * (there[c] - here[c])
		}
		return here
	}
	return k.at(parents, t, &v)
}

// joints returns the joints of the key's terms, then those of the shear; −1 for none. A joint may appear several times.
func (k *GradientKey) joints() [4]int {
	j := [4]int{k.Terms[0].Joint, -1, k.First, k.Second}
	if len(k.Terms) > 1 {
		j[1] = k.Terms[1].Joint
	}
	return j
}

// keyVectors are rotation vectors of the joints of a key, as joints lists them; 0 for none.
type keyVectors [4]mgl64.Vec3

func (k *GradientKey) vectors(t *JointRotations) (v keyVectors) {
	for n, j := range k.joints() {
		if j >= 0 {
			v[n] = t.Theta[j]
		}
	}
	return v
}

func (v *keyVectors) features() [7]float64 {
	a, b := &v[2], &v[3]
	return [7]float64{a[0], a[1], a[2], b[0], b[1], b[2], 1}
}

func (k *GradientKey) rotation(parents []int, t *JointRotations, v *keyVectors) geom.Quat {
	r := k.Terms[0].turn(parents, t, v[0], true)
	if len(k.Terms) > 1 {
		r = k.Terms[1].turn(parents, t, v[1], false).Mul(r)
	}
	return r
}

func (k *GradientKey) at(parents []int, t *JointRotations, v *keyVectors) geom.Mat3 {
	var s geom.Mat3
	f := v.features()
	for n := range s {
		h := &k.Shear[n]
		s[n] = h[0]*f[0] + h[1]*f[1] + h[2]*f[2] + h[3]*f[3] + h[4]*f[4] + h[5]*f[5] + h[6]
	}
	return k.rotation(parents, t, v).Mat3().Mul(s)
}
