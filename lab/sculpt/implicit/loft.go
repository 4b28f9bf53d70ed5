package implicit

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Section is one cross-section of a loft at distance T along its axis, in the loft's frame, metres. The outline is made
// of four quarters of superellipses of exponent Power round (X, Z): Left towards −x, Right towards +x, Front towards
// +z, Back towards −z. Power 2 is an ellipse, 2.5 a slightly boxed one.
type Section struct {
	T                        float64
	X, Z                     float64
	Left, Right, Front, Back float64
	Power                    float64
}

// Frame is the loft's own space: Axis is the direction of T, Side that of x, Face that of z; orthonormal.
type Frame struct {
	Origin           mgl64.Vec3
	Axis, Side, Face mgl64.Vec3
}

// local returns p's coordinates in the frame: x, t, z.
func (f *Frame) local(p mgl64.Vec3) mgl64.Vec3 {
	q := p.Sub(f.Origin)
	return mgl64.Vec3{q.Dot(f.Side), q.Dot(f.Axis), q.Dot(f.Face)}
}

// At returns the point with coordinates x, t, z in the frame.
func (f *Frame) At(x, t, z float64) mgl64.Vec3 {
	return f.Origin.Add(f.Side.Mul(x)).Add(f.Axis.Mul(t)).Add(f.Face.Mul(z))
}

// Loft is the solid through sections of rising T, like a figure drawn from its front and side views: between the
// sections centre and radii follow monotone cubics, past the first and the last the solid goes on a little and is
// rounded off.
func Loft(frame Frame, sections []Section) Shape {
	curve := newCurve(sections)
	at := func(p mgl64.Vec3) float64 {
		q := frame.local(p)
		s := curve.at(q[1])
		d := s.distance(q[0]-s.X, q[2]-s.Z)
		// Past the ends the solid goes on for r, rounded off: half the section's size.
		past := math.Max(sections[0].T-q[1], q[1]-sections[len(sections)-1].T)
		r := (s.Left + s.Right + s.Front + s.Back) / 8
		a := d + r
		if a > 0 {
			return math.Hypot(a, math.Max(past, 0)) - r
		}
		return math.Max(a, math.Min(past, 0)) - r + math.Max(past, 0)
	}
	lo, hi := mgl64.Vec3{1e9, 1e9, 1e9}, mgl64.Vec3{-1e9, -1e9, -1e9}
	for _, s := range sections {
		for c, v := range [3][2]float64{{s.X - s.Left, s.X + s.Right}, {s.T, s.T}, {s.Z - s.Back, s.Z + s.Front}} {
			lo[c], hi[c] = math.Min(lo[c], v[0]), math.Max(hi[c], v[1])
		}
	}
	mid := lo.Add(hi).Mul(0.5)
	return Shape{At: at, Centre: frame.At(mid[0], mid[1], mid[2]), Radius: hi.Sub(lo).Len() / 2 * 1.1}
}

// distance is the first-order distance of (x, z), relative to the centre, from the outline.
func (s *Section) distance(x, z float64) float64 {
	rx, rz := s.Right, s.Front
	if x < 0 {
		x, rx = -x, s.Left
	}
	if z < 0 {
		z, rz = -z, s.Back
	}
	u, v := x/rx, z/rz
	if u < 1e-6 && v < 1e-6 {
		return -math.Min(rx, rz)
	}
	n := s.Power
	un, vn := math.Pow(u, n-1), math.Pow(v, n-1)
	sum := un*u + vn*v
	k := math.Pow(sum, 1/n)
	slope := math.Hypot(un/rx, vn/rz) * k / sum // |∇k|
	return (k - 1) / slope * math.Min(1, 0.25+0.75*k)
}

// curve interpolates sections: piecewise cubic Hermite with limited slopes, so that nothing overshoots the table.
type curve struct {
	s      []Section
	slopes [][7]float64
}

func (s *Section) values() [7]float64 {
	return [7]float64{s.X, s.Z, s.Left, s.Right, s.Front, s.Back, s.Power}
}

func newCurve(s []Section) curve {
	c := curve{s: s, slopes: make([][7]float64, len(s))}
	for i := range s {
		a, b := max(i-1, 0), min(i+1, len(s)-1)
		prev, here, next := s[a].values(), s[i].values(), s[b].values()
		for k := range here {
			var left, right float64
			if i > 0 {
				left = (here[k] - prev[k]) / (s[i].T - s[a].T)
			}
			if i+1 < len(s) {
				right = (next[k] - here[k]) / (s[b].T - s[i].T)
			}
			switch {
			case i == 0 || i+1 == len(s): // no slope: the ends go on straight
			case k < 2: // centres: smooth
				c.slopes[i][k] = (next[k] - prev[k]) / (s[b].T - s[a].T)
			case left*right > 0: // radii: weighted harmonic mean (Fritsch and Butland 1984)
				c.slopes[i][k] = 2 * left * right / (left + right)
			}
		}
	}
	return c
}

func (c *curve) at(t float64) Section {
	n := len(c.s)
	if t <= c.s[0].T {
		return c.s[0]
	}
	if t >= c.s[n-1].T {
		return c.s[n-1]
	}
	i := 0
	for c.s[i+1].T < t {
		i++
	}
	h := c.s[i+1].T - c.s[i].T
	u := (t - c.s[i].T) / h
	a, b := c.s[i].values(), c.s[i+1].values()
	var v [7]float64
	for k := range v {
		u2, u3 := u*u, u*u*u
		v[k] = (2*u3-3*u2+1)*a[k] + (u3-2*u2+u)*h*c.slopes[i][k] + (3*u2-2*u3)*b[k] + (u3-u2)*h*c.slopes[i+1][k]
	}
	return Section{T: t, X: v[0], Z: v[1], Left: v[2], Right: v[3], Front: v[4], Back: v[5], Power: v[6]}
}
