package implicit

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Ball is a sphere.
func Ball(centre mgl64.Vec3, radius float64) Shape {
	return Shape{At: func(p mgl64.Vec3) float64 { return p.Sub(centre).Len() - radius }, Centre: centre, Radius: radius}
}

// Ellipsoid has its half-axes along x, y and z, turned by turn. Distances are first order (Quilez, "ellipsoid SDF").
func Ellipsoid(centre, half mgl64.Vec3, turn mgl64.Quat) Shape {
	inv := turn.Conjugate().Mat4().Mat3()
	at := func(p mgl64.Vec3) float64 {
		q := inv.Mul3x1(p.Sub(centre))
		n := mgl64.Vec3{q[0] / half[0], q[1] / half[1], q[2] / half[2]}
		g := mgl64.Vec3{n[0] / half[0], n[1] / half[1], n[2] / half[2]}
		k0, k1 := n.Len(), g.Len()
		if k1 < 1e-9 {
			return -math.Min(half[0], math.Min(half[1], half[2]))
		}
		return k0 * (k0 - 1) / k1
	}
	return Shape{At: at, Centre: centre, Radius: math.Max(half[0], math.Max(half[1], half[2]))}
}

// Turn is a rotation by x, then y, then z degrees about the fixed axes.
func Turn(x, y, z float64) mgl64.Quat {
	rad := math.Pi / 180
	qx := mgl64.QuatRotate(x*rad, mgl64.Vec3{1, 0, 0})
	qy := mgl64.QuatRotate(y*rad, mgl64.Vec3{0, 1, 0})
	qz := mgl64.QuatRotate(z*rad, mgl64.Vec3{0, 0, 1})
	return qz.Mul(qy).Mul(qx)
}

// Cone is the convex hull of two spheres: radius ra at a, rb at b. Exact distance (Quilez, "round cone SDF").
func Cone(a, b mgl64.Vec3, ra, rb float64) Shape {
	ba := b.Sub(a)
	l2 := ba.Dot(ba)
	rr := ra - rb
	a2 := l2 - rr*rr
	il2 := 1 / l2
	at := func(p mgl64.Vec3) float64 {
		pa := p.Sub(a)
		y := pa.Dot(ba)
		z := y - l2
		x := pa.Mul(l2).Sub(ba.Mul(y))
		x2 := x.Dot(x)
		y2, z2 := y*y*l2, z*z*l2
		k := math.Copysign(rr*rr*x2, rr)
		switch {
		case math.Copysign(1, z)*a2*z2 > k:
			return math.Sqrt(x2+z2)*il2 - rb
		case math.Copysign(1, y)*a2*y2 < k:
			return math.Sqrt(x2+y2)*il2 - ra
		}
		return (math.Sqrt(x2*a2*il2)+y*rr)*il2 - ra
	}
	return Shape{At: at, Centre: a.Add(b).Mul(0.5), Radius: math.Sqrt(l2)/2 + math.Max(ra, rb)}
}

// Chain joins round cones through the points, blended over k metres.
func Chain(k float64, points []mgl64.Vec3, radii []float64) Shape {
	var cones []Shape
	for i := 0; i+1 < len(points); i++ {
		cones = append(cones, Cone(points[i], points[i+1], radii[i], radii[i+1]))
	}
	return Union(k, cones...)
}
