package skinning

import "github.com/go-gl/mathgl/mgl64"

// screw is the logarithm of a rigid motion: half the rotation vector and its dual part.
type screw struct{ real, dual mgl64.Vec3 }

// add sums w·log(b̄·d), d flipped to the pivot's hemisphere unless unrolled.
func (s *screw) add(b, pivot DualQuat, d32 *DualQuat32, w float32, unrolled bool) {
	d := d32.widen()
	if !unrolled && d.Real.Dot(pivot.Real) < hemisphereTie {
		d = d.Scale(-1)
	}
	real, dual := b.Conjugate().Mul(d).Log()
	s.real = s.real.Add(real.Mul(float64(w)))
	s.dual = s.dual.Add(dual.Mul(float64(w)))
}

func (d *DualQuat32) widen() DualQuat {
	var o DualQuat
	for k := 0; k < 4; k++ {
		o.Real[k], o.Dual[k] = float64(d[k]), float64(d[4+k])
	}
	return o
}
