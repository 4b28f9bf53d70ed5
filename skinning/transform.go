package skinning

import "github.com/go-gl/mathgl/mgl64"

// Transform is a translation, rotation and scale, applied in the order scale, rotation, translation.
type Transform struct {
	Translation mgl64.Vec3
	Rotation    Quat // unit
	Scale       mgl64.Vec3
}

// IdentityTransform returns no translation, no rotation, unit scale.
func IdentityTransform() Transform {
	return Transform{Rotation: IdentityQuat(), Scale: mgl64.Vec3{1, 1, 1}}
}

// Affine returns T·R·S.
func (t Transform) Affine() Affine {
	m := t.Rotation.Mat3()
	for r := 0; r < 3; r++ {
		for c := 0; c < 3; c++ {
			m[3*r+c] *= t.Scale[c]
		}
	}
	return NewAffine(m, t.Translation)
}
