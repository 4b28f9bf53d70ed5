package blendbones

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// evaluate returns Φ(u; C) in a frame, with swings blended by weights of their own unless these are nil.
func (in *input) evaluate(f *skinning.Frame, joints []uint16, u, swings []float64) geom.Affine {
	if swings == nil {
		return f.Evaluate(in.operator, joints, u)
	}
	return f.EvaluateTwoSets(joints, swings, u)
}

// differentiate sets d[j] to ∂Φ/∂u_j for every joint. The u-weights count as independent, so only differences between
// the derivatives have a meaning on the simplex. DQS and SDQS have the closed form of ALNS appendix A. DIB uses the
// derivative of SDQS: that of DQS, as in the paper, with a scale phase. Other operators use central differences, and so
// does DIB where rotations are followed past 180 degrees: there DQS is no longer near it, and the box that turns by 350
// degrees (figure 9) has an EE of 10.2 % with its derivative, and of 2.5 % with these.
func (in *input) differentiate(f *skinning.Frame, joints []uint16, u, swings []float64, d []geom.Affine) {
	switch {
	case in.operator == skinning.DQS:
		differentiateDual(f, joints, u, d)
	case in.operator == skinning.SDQS, in.operator == skinning.DIB && !f.Unrolled:
		var scale geom.Affine
		for i, j := range joints {
			for k, x := range f.Scale()[j] {
				scale[k] += u[i] * x
			}
		}
		rigid := f.Evaluate(skinning.DQS, joints, u)
		differentiateDual(f, joints, u, d)
		for i, j := range joints {
			// Φ_SDQS = Φ_DQS·Φ_LBS, so the product rule applies. The derivative of the scale is taken along weights
			// divided by their sum, like that of DQS. Without the division every derivative would have the scale itself
			// added. That term is the same for every joint, so it means nothing on the simplex. But the damping of the
			// u-step would count it, and it grows with the distance of the model from the origin.
			a, b, s := d[i].Mul(scale), rigid.Linear(), f.Scale()[j]
			for k := range s {
				s[k] -= scale[k]
			}
			p := geom.NewAffine(b.Mul(s.Linear()), b.Apply(s.Translation()))
			for k := range a {
				a[k] += p[k]
			}
			d[i] = a
		}
	default:
		in.differentiateNumerically(f, joints, u, swings, d)
	}
}

// differentiateDual sets d[j] to ∂Φ_DQS/∂u_j = ∂(|Ψ₀|⁻²)/∂u_j·M(Ψ) + |Ψ₀|⁻²·∂M(Ψ)/∂u_j (ALNS appendix A). Ψ is the
// blended dual quaternion and Ψ₀ its real part.
func differentiateDual(f *skinning.Frame, joints []uint16, u []float64, d []geom.Affine) {
	pivot := joints[0]
	for i, most := 1, u[0]; i < len(joints); i++ {
		if u[i] > most {
			pivot, most = joints[i], u[i]
		}
	}
	var psi geom.DualQuat
	for i, j := range joints {
		psi = psi.Add(f.Rigid()[j].Scale(f.Sign(pivot, j) * u[i]))
	}
	n2 := psi.Real.Dot(psi.Real)
	m := quadratic(psi)
	for i, j := range joints {
		q := f.Rigid()[j].Scale(f.Sign(pivot, j))
		// M is quadratic, so its derivative at Ψ along q is exactly (M(Ψ + q) − M(Ψ − q))/2.
		plus, minus := quadratic(psi.Add(q)), quadratic(psi.Add(q.Scale(-1)))
		shrink := -2 * psi.Real.Dot(q.Real) / (n2 * n2)
		for k := range d[i] {
			d[i][k] = shrink*m[k] + (plus[k]-minus[k])/(2*n2)
		}
	}
}

// quadratic returns M(d), the matrix of a dual quaternion times the square of its length.
func quadratic(d geom.DualQuat) geom.Affine {
	n2 := d.Real.Dot(d.Real)
	m := d.Affine()
	if n2 == 0 {
		return geom.Affine{}
	}
	for k := range m {
		m[k] *= n2
	}
	return m
}

// step is the step of the central differences. Their truncation error is proportional to its square, their rounding
// error to its inverse.
const step = 1e-5

func (in *input) differentiateNumerically(f *skinning.Frame, joints []uint16, u, swings []float64, d []geom.Affine) {
	at := slices.Clone(u)
	for i := range joints {
		at[i] = u[i] + step
		plus := in.evaluate(f, joints, at, swings)
		at[i] = u[i] - step
		minus := in.evaluate(f, joints, at, swings)
		at[i] = u[i]
		for k := range d[i] {
			d[i][k] = (plus[k] - minus[k]) / (2 * step)
		}
	}
}
