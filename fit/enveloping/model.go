package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Model is a fitted enveloping model (RTER): SSD over the joints for the fixed vertices, and for the others SSD over proxy bones that the
// reduced Poisson solve drives, t = c₁·d(q) + c₂·q.
type Model struct {
	Parent     []int // of each joint
	Predictors []Predictor
	// C1 is 4P×3P and C2 4P×4J, row by row, for each of x, y and z: see matrices.
	C1, C2 []float64
	// Weights has the influences of each vertex: of joints where Fixed, else of proxies.
	Weights [][]skinning.Share
	Fixed   []bool

	branches branches
}

// Proxies returns P.
func (m *Model) Proxies() int { return len(m.Predictors) }

// Drive computes the proxies' transformations of a pose into dst, P of them. It allocates nothing once the driver is warm.
func (m *Model) Drive(s *Driver, matrices []skinning.Affine, dst []skinning.Affine) {
	p := m.Proxies()
	s.pose.set(m.Parent, m.branches, matrices)
	if len(s.d) != 9*p {
		s.d = make([]float64, 9*p)
	}
	for l := range m.Predictors {
		g := m.Predictors[l].at(m.Parent, &s.pose)
		for r := range 3 {
			copy(s.d[3*(p*r+l):], g[3*r:3*r+3])
		}
	}
	drive(m.C1, m.C2, s.d, matrices, dst)
}

// drive computes t = c₁·d + c₂·q, a coordinate after the other.
func drive(c1, c2, d []float64, joints, dst []skinning.Affine) {
	p, j := len(dst), len(joints)
	for r := range 3 {
		d := d[3*p*r : 3*p*(r+1)]
		for row := range 4 * p {
			sum := 0.0
			for k, c := range c1[row*3*p : (row+1)*3*p] {
				sum += c * d[k]
			}
			c2 := c2[row*4*j : (row+1)*4*j]
			for k := range joints {
				q := &joints[k]
				c := c2[4*k : 4*k+4]
				sum += c[0]*q[4*r] + c[1]*q[4*r+1] + c[2]*q[4*r+2] + c[3]*q[4*r+3]
			}
			dst[row/4][4*r+row%4] = sum
		}
	}
}

// Driver is scratch memory of one goroutine.
type Driver struct {
	pose jointPose
	d    []float64 // the key gradients: all first rows, all second rows, all third rows
}

// Pose returns the skin in a pose.
func (m *Model) Pose(s *Driver, rest []mgl64.Vec3, matrices []skinning.Affine) []mgl64.Vec3 {
	proxies := make([]skinning.Affine, m.Proxies())
	m.Drive(s, matrices, proxies)
	out := make([]mgl64.Vec3, len(rest))
	for v, p := range rest {
		if m.Fixed[v] {
			out[v] = blend(matrices, m.Weights[v], p)
		} else {
			out[v] = blend(proxies, m.Weights[v], p)
		}
	}
	return out
}

// Errors are the measures of RTER section 7.1 over a set of examples.
type Errors struct {
	EE   float64 // enveloping error, percent
	RMS  float64 // metres
	Max  float64 // metres
	Mean float64 // of the vertices' own root mean squares, as EE: percent of the best rigid prediction's
	Dev  float64 // and their standard deviation (figure 11)
}

// measure compares positions, one set per example, with the targets. Rigid is per vertex the squared error of the one joint that predicts
// it best over these examples.
func measure(x *Examples, rigid []float64, posed func(i int) []mgl64.Vec3) Errors {
	n := len(x.Rest)
	square := make([]float64, n)
	var e Errors
	for i := range x.Pairs {
		for v, p := range posed(i) {
			d := p.Sub(x.Pairs[i].Target[v])
			s := d.Dot(d)
			square[v] += s
			e.Max = math.Max(e.Max, s)
		}
	}
	sum, base := 0.0, 0.0
	for v := range square {
		sum += square[v]
		base += rigid[v]
	}
	e.Max = math.Sqrt(e.Max)
	e.RMS = math.Sqrt(sum / float64(n*len(x.Pairs)))
	if base > 0 {
		e.EE = 100 * math.Sqrt(sum/base)
		unit := math.Sqrt(base / float64(n))
		for _, s := range square {
			e.Mean += 100 * math.Sqrt(s) / unit / float64(n)
		}
		for _, s := range square {
			d := 100*math.Sqrt(s)/unit - e.Mean
			e.Dev += d * d / float64(n)
		}
		e.Dev = math.Sqrt(e.Dev)
	}
	return e
}

// rigidErrors returns per vertex the squared error of the one joint that predicts it best.
func rigidErrors(x *Examples) []float64 {
	out := make([]float64, len(x.Rest))
	for v, p := range x.Rest {
		least := math.Inf(1)
		for j := range x.Parent {
			e := 0.0
			for i := range x.Pairs {
				d := x.Pairs[i].Matrices[j].Apply(p).Sub(x.Pairs[i].Target[v])
				e += d.Dot(d)
			}
			least = math.Min(least, e)
		}
		out[v] = least
	}
	return out
}

// Measure measures a model on examples, those it was trained on or others.
func (m *Model) Measure(x *Examples) Errors {
	var s Driver
	return measure(x, rigidErrors(x), func(i int) []mgl64.Vec3 { return m.Pose(&s, x.Rest, x.Pairs[i].Matrices) })
}
