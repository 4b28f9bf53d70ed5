package geom

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
func (t Transform) Affine() (m Affine) {
	t.AffineTo(&m)
	return m
}

// AffineTo writes [Transform.Affine] to m, without a copy.
func (t *Transform) AffineTo(m *Affine) {
	r := t.Rotation.Mat3()
	x, y, z := t.Scale[0], t.Scale[1], t.Scale[2]
	*m = Affine{
		x * r[0], y * r[1], z * r[2], t.Translation[0],
		x * r[3], y * r[4], z * r[5], t.Translation[1],
		x * r[6], y * r[7], z * r[8], t.Translation[2],
	}
}
