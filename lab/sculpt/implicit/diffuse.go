package implicit

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Bone is the segment that a joint moves, in rest space.
type Bone struct {
	From, To mgl64.Vec3
}

// distance returns p's distance from the bone.
func (b *Bone) distance(p mgl64.Vec3) float64 {
	d := b.To.Sub(b.From)
	t := 0.0
	if l := d.Dot(d); l > 0 {
		t = math.Max(0, math.Min(1, p.Sub(b.From).Dot(d)/l))
	}
	return p.Sub(b.From.Add(d.Mul(t))).Len()
}

// Diffuse returns the weight of every bone at every vertex, weights[bone][vertex], summing to 1 over the bones: the
// equilibrium of heat that flows in from the nearest bone and spreads over the surface (Baran and Popović 2007,
// "Automatic Rigging and Animation of 3D Characters", section 4: (−Δ + H) w = H p with H = heat/d²). A larger heat
// gives narrower transitions; 1 is theirs. Owner, which may be nil, restricts the bones that may be the nearest one of
// a vertex, so that an arm that hangs beside the body gets no heat from the hips.
func Diffuse(m *Mesh, bones []Bone, heat float64, owner func(bone, vertex int) bool) [][]float64 {
	n := len(m.Positions)
	lap := newLaplacian(m)
	source := make([]float64, n)    // area·H
	nearest := make([][]int, n)     // bones that share the shortest distance
	system := newSystem(lap, n)     // Laplacian + area·H
	for v, p := range m.Positions { // the nearest bones, with ties within 0.1 mm shared
		best := math.Inf(1)
		for b := range bones {
			if owner == nil || owner(b, v) {
				best = math.Min(best, bones[b].distance(p))
			}
		}
		for b := range bones {
			if (owner == nil || owner(b, v)) && bones[b].distance(p) <= best+1e-4 {
				nearest[v] = append(nearest[v], b)
			}
		}
		best = math.Max(best, 1e-3)
		source[v] = lap.area[v] * heat / (best * best)
		system.diagonal[v] += source[v]
	}
	weights := make([][]float64, len(bones))
	for b := range bones {
		right := make([]float64, n)
		for v := range right {
			for _, k := range nearest[v] {
				if k == b {
					right[v] = source[v] / float64(len(nearest[v]))
				}
			}
		}
		weights[b] = system.solve(right)
	}
	for v := range n {
		sum := 0.0
		for b := range bones {
			weights[b][v] = math.Max(0, weights[b][v])
			sum += weights[b][v]
		}
		for b := range bones {
			weights[b][v] /= sum
		}
	}
	return weights
}

// laplacian is the cotangent Laplacian: for each vertex its neighbours with their weights, and a third of its
// triangles' area.
type laplacian struct {
	neighbour [][]int
	weight    [][]float64
	area      []float64
}

func newLaplacian(m *Mesh) *laplacian {
	n := len(m.Positions)
	l := &laplacian{neighbour: make([][]int, n), weight: make([][]float64, n), area: make([]float64, n)}
	for _, v := range m.Triangles {
		for k := range 3 {
			a, b, c := v[k], v[(k+1)%3], v[(k+2)%3]
			x, y := m.Positions[a].Sub(m.Positions[c]), m.Positions[b].Sub(m.Positions[c])
			cross := x.Cross(y).Len()
			// Half a cotangent; kept above zero, so that the matrix stays an M-matrix and weights stay in [0, 1].
			w := math.Max(0.5*x.Dot(y)/math.Max(cross, 1e-12), 0.01)
			l.add(a, b, w)
			l.add(b, a, w)
			l.area[c] += cross / 6
		}
	}
	return l
}

func (l *laplacian) add(a, b int, w float64) {
	for k, n := range l.neighbour[a] {
		if n == b {
			l.weight[a][k] += w
			return
		}
	}
	l.neighbour[a] = append(l.neighbour[a], b)
	l.weight[a] = append(l.weight[a], w)
}

// system is a symmetric positive definite matrix: the Laplacian and a diagonal.
type system struct {
	*laplacian
	diagonal []float64
}

func newSystem(l *laplacian, n int) *system {
	s := &system{laplacian: l, diagonal: make([]float64, n)}
	for v := range n {
		for _, w := range l.weight[v] {
			s.diagonal[v] += w
		}
	}
	return s
}

func (s *system) apply(y, x []float64) {
	for v := range x {
		sum := s.diagonal[v] * x[v]
		for k, n := range s.neighbour[v] {
			sum -= s.weight[v][k] * x[n]
		}
		y[v] = sum
	}
}

// solve runs conjugate gradients with a diagonal preconditioner to a relative residual of 1e-9.
func (s *system) solve(right []float64) []float64 {
	n := len(right)
	x, r, z, p, q := make([]float64, n), append([]float64(nil), right...), make([]float64, n), make([]float64, n),
		make([]float64, n)
	dot := func(a, b []float64) float64 {
		sum := 0.0
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	stop := 1e-18 * dot(right, right)
	rz := 0.0
	for iteration := 0; iteration < 2000 && dot(r, r) > stop; iteration++ {
		for i := range z {
			z[i] = r[i] / s.diagonal[i]
		}
		next := dot(r, z)
		for i := range p {
			if iteration == 0 {
				p[i] = z[i]
			} else {
				p[i] = z[i] + next/rz*p[i]
			}
		}
		rz = next
		s.apply(q, p)
		alpha := rz / dot(p, q)
		for i := range x {
			x[i] += alpha * p[i]
			r[i] -= alpha * q[i]
		}
	}
	return x
}
