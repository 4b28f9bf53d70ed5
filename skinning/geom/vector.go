package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Vec64 widens a vector.
func Vec64(v mgl32.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
}

// Vecs64 widens vectors.
func Vecs64(all []mgl32.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(all))
	for i, v := range all {
		out[i] = Vec64(v)
	}
	return out
}

// Vec32 rounds a vector.
func Vec32(v mgl64.Vec3) mgl32.Vec3 {
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}

// IsFinite reports whether no number is NaN or infinite.
func IsFinite(numbers ...float64) bool {
	s := 0.0
	for _, x := range numbers {
		s += x * 0 // NaN and ±Inf times 0 are NaN
	}
	return s == 0
}

// UnitOr returns v at unit length, and fallback where v has no direction: zero, NaN or infinite.
func UnitOr(v, fallback mgl64.Vec3) mgl64.Vec3 {
	l := v.Len()
	if !(l > 1e-300) || math.IsInf(l, 0) {
		return fallback
	}
	return v.Mul(1 / l)
}

// Perpendicular returns a unit vector across a unit vector: across the coordinate axis, too, that is least along it.
func Perpendicular(v mgl64.Vec3) mgl64.Vec3 {
	least := 0
	for c := range v {
		if math.Abs(v[c]) < math.Abs(v[least]) {
			least = c
		}
	}
	var a mgl64.Vec3
	a[least] = 1
	return v.Cross(a).Normalize()
}

// Bounds returns the corners of the bounding box of points; both are zero where there are none.
func Bounds[V ~[3]E, E float32 | float64](points []V) (lo, hi V) {
	if len(points) > 0 {
		lo, hi = points[0], points[0]
	}
	for _, p := range points {
		for c := range 3 {
			lo[c], hi[c] = min(lo[c], p[c]), max(hi[c], p[c])
		}
	}
	return lo, hi
}
