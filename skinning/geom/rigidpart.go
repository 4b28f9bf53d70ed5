package geom

import "github.com/go-gl/mathgl/mgl64"

// SetRigidPart sets d to the rigid part of c = rigid·scale with the scale acting about a: rigid(x) = R(x − a) + c(a), a
// translation of (c − R)(a).
func (d *DualQuat) SetRigidPart(c *Affine, a *mgl64.Vec3) {
	var r Mat3
	PolarRotation(&r, c)
	d.Real.setRotation(&r)
	x, y, z := a[0], a[1], a[2]
	u := ((c[0]-r[0])*x + (c[1]-r[1])*y + (c[2]-r[2])*z + c[3]) / 2
	v := ((c[4]-r[3])*x + (c[5]-r[4])*y + (c[6]-r[5])*z + c[7]) / 2
	w := ((c[8]-r[6])*x + (c[9]-r[7])*y + (c[10]-r[8])*z + c[11]) / 2
	i, j, k, h := d.Real[0], d.Real[1], d.Real[2], d.Real[3]
	d.Dual = Quat{u*h + v*k - w*j, v*h + w*i - u*k, w*h + u*j - v*i, -u*i - v*j - w*k} // as NewDualQuat
}

// SetScalePart sets s to the scale of c, x -> a + S(x − a), for the rotation of its rigid part.
func (s *Affine) SetScalePart(c *Affine, rotation Quat, a *mgl64.Vec3) {
	r := rotation.Mat3()
	var l Mat3
	PolarScale(&l, &r, c)
	x, y, z := a[0], a[1], a[2]
	*s = Affine{
		l[0], l[1], l[2], x - (l[0]*x + l[1]*y + l[2]*z),
		l[3], l[4], l[5], y - (l[3]*x + l[4]*y + l[5]*z),
		l[6], l[7], l[8], z - (l[6]*x + l[7]*y + l[8]*z),
	}
}
