package implicit

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Remesh replaces the triangles of m by nearly equilateral ones whose edges are as long as size says at each point, in
// metres, with all vertices on the surface of s (Botsch and Kobbelt 2004, "A Remeshing Approach to Multiresolution
// Modeling": split, collapse, flip, relax). A boundary must lie in the plane x = 0 and stays in it. The topology does
// not change. The result is the same for the same input, bit for bit.
func Remesh(s Shape, m *Mesh, size func(p mgl64.Vec3) float64, rounds int) *Mesh {
	r := newRemesher(s, m, size)
	for range rounds {
		r.split()
		r.collapse()
		r.flip(r.improvesValence)
		r.relax(r.step)
	}
	for range 3 {
		r.flip(r.improvesAngles)
		r.relax(r.project)
	}
	r.flip(r.improvesAngles)
	return r.compact()
}

// remesher edits a triangle mesh in place. Dead vertices have no triangles, dead triangles are {−1, −1, −1}.
type remesher struct {
	shape Shape
	size  func(p mgl64.Vec3) float64
	pos   []mgl64.Vec3
	want  []float64 // edge length wanted at each vertex
	tri   [][3]int
	fan   [][]int // the triangles round each vertex, in no order
	edge  []bool  // the vertex is on the boundary
	half  bool    // there is a boundary: the mesh is one half of a symmetric one
}

func newRemesher(s Shape, m *Mesh, size func(p mgl64.Vec3) float64) *remesher {
	r := &remesher{
		shape: s, size: size,
		pos: append([]mgl64.Vec3(nil), m.Positions...), tri: append([][3]int(nil), m.Triangles...),
		fan: make([][]int, len(m.Positions)), edge: make([]bool, len(m.Positions)),
	}
	for t, v := range r.tri {
		for _, i := range v {
			r.fan[i] = append(r.fan[i], t)
		}
	}
	for i := range r.pos {
		r.want = append(r.want, size(r.pos[i]))
		r.edge[i] = r.pos[i][0] == 0 && len(r.boundaryNeighbours(i)) > 0
		r.half = r.half || r.edge[i]
	}
	return r
}

// neighbours returns the vertices joined to i, each once, in the order of its fan.
func (r *remesher) neighbours(i int) []int {
	var out []int
	for _, t := range r.fan[i] {
		for _, j := range r.tri[t] {
			if j != i && !slices.Contains(out, j) {
				out = append(out, j)
			}
		}
	}
	return out
}

// boundaryNeighbours returns the vertices joined to i by an edge with only one triangle.
func (r *remesher) boundaryNeighbours(i int) []int {
	var out []int
	for _, j := range r.neighbours(i) {
		if len(r.shared(i, j)) == 1 {
			out = append(out, j)
		}
	}
	return out
}

// shared returns the triangles that have both a and b.
func (r *remesher) shared(a, b int) []int {
	var out []int
	for _, t := range r.fan[a] {
		if has(r.tri[t], b) {
			out = append(out, t)
		}
	}
	return out
}

func has(t [3]int, v int) bool { return t[0] == v || t[1] == v || t[2] == v }

// apex returns the corner of t that is neither a nor b.
func apex(t [3]int, a, b int) int {
	for _, v := range t {
		if v != a && v != b {
			return v
		}
	}
	panic("implicit: a triangle with a repeated corner")
}

func (r *remesher) length(a, b int) float64 { return r.pos[a].Sub(r.pos[b]).Len() }

// target is the wanted length of the edge a–b.
func (r *remesher) target(a, b int) float64 { return (r.want[a] + r.want[b]) / 2 }

// project puts vertex i back on the surface and, on the boundary, into the plane of symmetry.
func (r *remesher) project(i int) {
	if r.edge[i] {
		r.pos[i][0] = 0
	}
	r.place(i, r.shape.Project(r.pos[i], r.want[i]))
}

// step is one Newton step of project: enough while the mesh is still changing.
func (r *remesher) step(i int) {
	p := r.pos[i]
	g, l := r.shape.Gradient(p)
	d := r.shape.At(p) / math.Max(l, 0.2)
	r.place(i, p.Sub(g.Mul(math.Max(-r.want[i], math.Min(r.want[i], d)))))
}

// place moves vertex i to p, or as near as its side of the plane of symmetry allows.
func (r *remesher) place(i int, p mgl64.Vec3) {
	if r.edge[i] {
		p[0] = 0
	} else if p[0] < 0.1*r.want[i] && r.half {
		p[0] = 0.1 * r.want[i]
	}
	r.pos[i] = p
	r.want[i] = r.size(p)
}

// relax moves every vertex within its tangent plane towards the middle of its neighbours, weighted so that the sizing
// is respected, and back onto the surface by project.
func (r *remesher) relax(project func(i int)) {
	for i := range r.pos {
		if len(r.fan[i]) == 0 {
			continue
		}
		var middle mgl64.Vec3
		weight := 0.0
		if r.edge[i] {
			for _, j := range r.boundaryNeighbours(i) {
				middle = middle.Add(r.pos[j])
				weight++
			}
		} else {
			for _, t := range r.fan[i] {
				v := r.tri[t]
				size := (r.want[v[0]] + r.want[v[1]] + r.want[v[2]]) / 3
				w := r.normal(v).Len() / (size * size)
				middle = middle.Add(r.pos[v[0]].Add(r.pos[v[1]]).Add(r.pos[v[2]]).Mul(w / 3))
				weight += w
			}
		}
		if weight == 0 {
			continue
		}
		move := middle.Mul(1 / weight).Sub(r.pos[i]).Mul(0.7)
		n, _ := r.shape.Gradient(r.pos[i])
		p := r.pos[i].Add(move.Sub(n.Mul(n.Dot(move))))
		if r.turnsOver(i, -1, p) {
			continue
		}
		r.pos[i] = p
		project(i)
	}
}

// compact drops what is dead.
func (r *remesher) compact() *Mesh {
	out := &Mesh{}
	index := make([]int, len(r.pos))
	for i := range r.pos {
		if len(r.fan[i]) > 0 {
			index[i] = len(out.Positions)
			out.Positions = append(out.Positions, r.pos[i])
		}
	}
	for _, v := range r.tri {
		if v[0] >= 0 {
			out.Triangles = append(out.Triangles, [3]int{index[v[0]], index[v[1]], index[v[2]]})
		}
	}
	return out
}
